"""The parts of a paper's file, as values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from corefkit.papers.partitions import KeyAndResponse

NOT_PRINTED = "-"
UNDEFINED = "undefined"  # printed as a dash: the denominator is 0

Rule = Literal["rounded", "truncated", "f1 of rounded"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """The numbers that a table prints for one key and response."""

    label: str  # the paper's name for the response
    sets: KeyAndResponse
    printed: Mapping[str, tuple[str, ...]]  # by metric, in the order of the fields
    correct: Mapping[str, tuple[str, ...]]  # the same, with each wrong number corrected
    erratum: str = ""  # the id of the one about the wrong numbers
    # The id of the erratum whose printed numbers the sets were chosen to give; empty if
    # the sets, or their sizes, are the paper's own.
    fits: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperTable:
    """A table, or numbers in the running text, on sets that the paper states."""

    id: str  # its name among the parts of the paper
    where: str  # its place in the paper
    title: str
    fields: Sequence[str]  # of a score, in the order in which they are printed
    decimals: int
    percent: bool = False
    rule: Rule  # how the authors shortened the numbers
    rows: tuple[Row, ...]  # one for each key and response


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperFigure:
    """The sets behind a figure, by the ticks of its horizontal axis."""

    id: str
    where: str
    title: str
    x_label: str
    ordered: bool  # whether the ticks are steps of one quantity
    source: str  # where the sets come from
    sets: Mapping[str, KeyAndResponse]  # by tick


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusTable:
    """A table of numbers on corpora, as printed."""

    id: str
    where: str
    title: str
    columns: tuple[str, ...]  # metric and field, such as `muc.recall`, or other names
    decimals: int
    percent: bool = False
    rule: Rule
    rows: Mapping[str, Mapping[str, str]]  # by row and column
    # Columns whose numbers are shares of a known whole.
    shares: Mapping[str, int] = field(default_factory=dict)
    # For each wrong number, by row and column, the correct one and the id of the
    # erratum.
    errata: Mapping[tuple[str, str], tuple[str, str]] = field(default_factory=dict)
    # Columns of shares whose whole was chosen so that they fit.
    fitted: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """What a paper says, in a form that can be checked."""

    id: str
    where: str  # its place in the paper
    says: str
    operator: str  # see `corefkit.lab.reproduce.claims`
    about: Mapping[str, Any]  # what the operator needs to know
    erratum: str = ""  # the id of the one that says why it does not hold
    against: tuple[str, ...] = ()  # what speaks against it then; nothing else may
    # The id of the erratum of a stronger claim; this is the part that holds.
    fits: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """A score that shows an erratum if no printed number of a table does."""

    sets: str  # by part and label, such as `table-1/System 1`
    metric: str
    printed: str  # what would follow from what is printed
    correct: str  # what is computed
    field: str = "f1"
    percent: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Erratum:
    """What is wrong in a paper, what is correct, and why."""

    id: str
    kind: str  # of slip
    where: str  # its place in the paper
    printed: str
    correct: str
    reason: str
    checks: tuple[Check, ...] = ()  # in addition to numbers and claims that name it
    unchecked: str = ""  # why nothing can show it, if nothing does


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """What a paper prints."""

    name: str  # of its file
    short: str  # the beginning of its errata's ids
    authors: str
    year: int
    title: str
    venue: str
    not_here: str  # what cannot be recomputed, and why
    tables: tuple[PaperTable, ...]  # on sets that the paper states
    figures: tuple[PaperFigure, ...]  # likewise
    corpus_tables: tuple[CorpusTable, ...]
    claims: tuple[Claim, ...]
    errata: tuple[Erratum, ...]

    @property
    def cited(self) -> str:
        """The paper as texts cite it."""
        first, several, _ = self.authors.partition(",")
        return f"{first}{' et al.' if several else ''} {self.year}"
