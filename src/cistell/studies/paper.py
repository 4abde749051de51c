"""What the paper prints of its settings, to show beside what is measured here."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

from corefkit import papers
from corefkit.exceptions import SettingsError
from corefkit.papers import NOT_PRINTED
from corefkit.strings import suggest

if TYPE_CHECKING:
    from collections.abc import Mapping

CITED = "Recasens and Hovy 2010"
_PAPER = "recasens-hovy-2010"
# CEAF's recall, precision and F1 are one number where mentions are given.
_ONE_NUMBER = "ceaf_m"


class Counts(NamedTuple):
    """How much a part of a corpus has, as in tables 1, 4 and 6."""

    documents: int
    words: int
    mentions: int
    entities: int
    singletons: int
    others: int


@dataclass(frozen=True, slots=True)
class Dataset:
    """A dataset of the paper."""

    id: str  # its table of scores, in `corefkit.papers`
    title: str
    where: str  # the table that has its counts
    train: Counts  # how much the training part has
    test: Counts  # how much the test part has
    # How many links the test part has, which follows from recalls of MUC.
    key_links: int
    ceaf: tuple[str, ...]  # the models that CEAF prefers, according to the text
    # Kinds of mentions in percent, if they are printed.
    mention_types: Mapping[str, float]
    # For each model and metric, such as `muc.f1`, the number in percent.
    scores: Mapping[str, Mapping[str, float]]

    def f1(self, model: str, metric: str) -> float | None:
        """Return F1 in percent; None if it is not printed.

        >>> printed_dataset("table-3-ancora").f1("weak", "muc")
        53.75
        """
        column = metric if metric == _ONE_NUMBER else f"{metric}.f1"
        return self.scores[model].get(column)

    def links(self, model: str) -> int | None:
        """Compute how many links a model made, which follows from MUC.

        >>> printed_dataset("table-3-ontonotes").links("weak")
        946
        """
        recall, precision = (
            self.scores[model].get(f"muc.{name}") for name in ("recall", "precision")
        )
        if not recall or not precision:
            return None
        return round(round(recall * self.key_links / 100) * 100 / precision)


def printed_dataset(id: str) -> Dataset:
    """Find a dataset by the id of its table of scores."""
    known = _datasets()
    if id not in known:
        message = f"the paper has no table {id!r}"
        raise SettingsError(
            message, code="settings/unknown-value", hint=suggest(id, known)
        )
    return known[id]


@cache
def _datasets() -> dict[str, Dataset]:
    text = (files(__package__) / "paper.toml").read_text("utf-8")
    tables = {table.id: table for table in papers.load_paper(_PAPER).corpus_tables}
    return {
        values["id"]: Dataset(
            id=values["id"],
            title=values["title"],
            where=values["where"],
            train=Counts(*values["train"]),
            test=Counts(*values["test"]),
            key_links=tables[values["id"]].shares["muc.recall"],
            ceaf=tuple(values["ceaf"]),
            mention_types=values.get("mention_types", {}),
            scores={
                _model(row): {
                    column: float(number)
                    for column, number in cells.items()
                    if number != NOT_PRINTED
                }
                for row, cells in tables[values["id"]].rows.items()
            },
        )
        for values in tomllib.loads(text)["dataset"]
    }


def _model(row: str) -> str:
    """Name a model of the paper as the resolver does.

    >>> _model("5. super strong match"), _model("3. head match + pron")
    ('super_strong', 'head_match_pron')
    """
    words = row.partition(". ")[2].replace("+ ", "")
    if not words.startswith("head"):
        words = words.removesuffix(" match")
    return words.replace(" ", "_")
