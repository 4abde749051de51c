"""The perturbations, one row each.

Most start from the key and spoil more and more of it; four start from an empty response
and put more and more in, as figures of Moosavi and Strube (2016) do; one starts from
the response of a system.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from corefkit.lab.perturb import alterations

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.random import Generator

    from corefkit.lab.labels import Pair
    from corefkit.lab.perturb.alterations import Responses, Shares


@dataclass(frozen=True, slots=True)
class Perturbation:
    """A way to change a corpus step by step."""

    name: str  # on the command line and in data
    title: str  # what happens, as the title of a figure
    axis: str  # what the share is a share of
    start: str  # the response at share 0: `key`, `nothing` or `response`
    end: str  # the response at share 1, in words
    source: str  # where a paper does something similar
    responses: Callable[[Pair, Generator, Shares], Responses]  # one for each share


_LEA = "Moosavi and Strube 2016"

PERTURBATIONS: Mapping[str, Perturbation] = {
    perturbation.name: perturbation
    for perturbation in (
        Perturbation(
            "split",
            "Entities are split",
            "share of the key's links cut",
            "key",
            "every mention is an entity of its own",
            f"{_LEA}, section 7.3 and figure 6",
            alterations.split,
        ),
        Perturbation(
            "merge",
            "Entities are merged",
            "share of the merges that make one entity of a document",
            "key",
            "all mentions of a document are one entity",
            f"{_LEA}, section 7.3",
            alterations.merge,
        ),
        Perturbation(
            "extra",
            "Extra mentions in the entities",
            "extra mentions, as a share of the key's",
            "key",
            "every entity has as many mentions that the key lacks as right ones",
            f"{_LEA}, section 7.4 and figure 7",
            alterations.extra,
        ),
        Perturbation(
            "extra-apart",
            "Extra mentions, linked two by two",
            "extra mentions, as a share of the key's",
            "key",
            "beside the key, as many mentions that it lacks, in entities of two",
            f"{_LEA}, section 7.4 and figure 7",
            alterations.extra_apart,
        ),
        Perturbation(
            "missing",
            "Mentions are missing",
            "share of the key's mentions left out",
            "key",
            "the response is empty",
            f"{_LEA}, section 7.4",
            alterations.missing,
        ),
        Perturbation(
            "wrong-links",
            "Mentions are linked wrongly, none is missing",
            "share of the mentions linked wrongly",
            "key",
            "no link is right, save in documents that are mostly one entity",
            f"{_LEA}, section 7.1 and figure 3",
            alterations.wrong_links,
        ),
        Perturbation(
            "correct-links",
            "Links are resolved, none wrongly",
            "share of the key's links resolved",
            "nothing",
            "the response is the key",
            f"{_LEA}, section 7.1 and figure 2",
            alterations.correct_links,
        ),
        Perturbation(
            "identification",
            "Mentions are found, every link is wrong",
            "share of the mentions found",
            "nothing",
            "every mention is found that can be linked wrongly",
            f"{_LEA}, section 7.5 and figure 8",
            alterations.identification,
        ),
        Perturbation(
            "increasing",
            "Entities are resolved whole, smallest first",
            "share of the key's entities resolved",
            "nothing",
            "the response is the key",
            f"{_LEA}, section 7.2 and figure 5",
            alterations.increasing,
        ),
        Perturbation(
            "decreasing",
            "Entities are resolved whole, largest first",
            "share of the key's entities resolved",
            "nothing",
            "the response is the key",
            f"{_LEA}, section 7.2 and figure 4",
            alterations.decreasing,
        ),
        Perturbation(
            "twinless",
            "Twinless mentions are dropped",
            "share of the response's twinless mentions dropped",
            "response",
            "the response has no mention that the key lacks",
            "Cai and Strube 2010, section 3.2 and figures 1 and 2",
            alterations.twinless,
        ),
    )
}
