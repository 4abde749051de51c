"""The options of tests between systems, which several commands share."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypedDict, cast

from corefkit.analysis.compare.procedure import (
    ALTERNATIVES,
    CORRECTIONS,
    INTERVALS,
    STATISTICS,
    TESTS,
    UNITS,
    Procedure,
)
from corefkit.cli import options
from corefkit.tables.terminal import label_paths, strip_suffixes

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

_DEFAULTS = Procedure()
RESAMPLING = ("drawing samples", "shuffling")  # what takes its time, in this order
_OTHERS = ("samples", "seed", "alpha", "strata")


class ProcedureKeywords(TypedDict):
    """The options of a test, as functions take them."""

    statistic: str
    unit: str
    test: str
    samples: int
    seed: int
    alpha: float
    correction: str
    interval: str
    baseline: str | None
    alternative: str
    strata: str | None


class _Choice(NamedTuple):
    """An option that takes one of some values."""

    name: str
    choices: Sequence[str]
    meaning: str


_CHOICES = (
    _Choice("statistic", STATISTICS, "what of a metric is compared"),
    _Choice(
        "unit",
        UNITS,
        "what is swapped and drawn\n"
        "  text: all documents that are parts of one text together, by their ids\n"
        "  document: each by itself",
    ),
    _Choice(
        "test",
        TESTS,
        "which p-value decides\n"
        "  randomization: swaps texts between two systems; exact for few texts\n"
        "  bootstrap: draws texts with replacement\n"
        "  t: paired t-test on the scores of documents",
    ),
    _Choice(
        "correction",
        CORRECTIONS,
        "how p-values are adjusted for the number of pairs of a metric",
    ),
    _Choice(
        "interval",
        INTERVALS,
        "which interval is shown\n"
        "  expanded: percentiles of the draws, widened for few texts\n"
        "  percentile: percentiles of the draws\n"
        "  bca: percentiles, corrected for bias and skew\n"
        "  t: by Student's t and the standard error of the draws",
    ),
    _Choice(
        "alternative",
        ALTERNATIVES,
        "with --baseline: test whether systems differ from it, or only whether their "
        "scores are greater, or less",
    ),
)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add what decides how systems are tested."""
    group = parser.add_argument_group("the test (the signature names what it was)")
    for choice in _CHOICES:
        words = choice.meaning.split("\n")
        words[0] += f" (default: {getattr(_DEFAULTS, choice.name)})"
        group.add_argument(
            f"--{choice.name}",
            choices=choice.choices,
            default=getattr(_DEFAULTS, choice.name),
            metavar="|".join(choice.choices),
            help="\n".join(words),
        )
    more = "how many shuffles and how many draws are made"
    options.add_number(group, "--samples", _DEFAULTS.samples, more)
    options.add_number(group, "--seed", _DEFAULTS.seed, "seed of shuffles and draws")
    group.add_argument(
        "--alpha",
        type=float,
        default=_DEFAULTS.alpha,
        metavar="LEVEL",
        help="level of the tests; intervals cover the rest of it "
        f"(default: {_DEFAULTS.alpha:g})",
    )
    group.add_argument(
        "--baseline",
        metavar="NAME",
        help="compare the others with this system only, in place of all pairs",
    )
    group.add_argument(
        "--strata",
        metavar="genre|PATTERN",
        help="draw texts within strata and show each: genre, as ids of OntoNotes and "
        "GUM tell it, or the first group of a regular expression in document ids",
    )


def given(
    arguments: argparse.Namespace,
    responses: Sequence[options.NamedPath],
    names: Sequence[str],
) -> ProcedureKeywords:
    """Collect the options of a command line, for responses that have names."""
    chosen = {choice.name: getattr(arguments, choice.name) for choice in _CHOICES}
    chosen |= {name: getattr(arguments, name) for name in _OTHERS}
    chosen["baseline"] = _named(arguments.baseline, responses, names)
    return cast("ProcedureKeywords", chosen)


def _named(
    baseline: str | None, responses: Sequence[options.NamedPath], names: Sequence[str]
) -> str | None:
    """Find the baseline by its path, or by a name with or without its ending."""
    if baseline is None or baseline in names:
        return baseline
    known: dict[str, str] = {}
    for spellings in (
        strip_suffixes(names),
        label_paths([response.name for response in responses]),
        [response.path for response in responses],
    ):
        known |= zip(spellings, names, strict=True)
    return known.get(baseline, baseline)
