"""The parts of a paper's file, as values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from corefkit.lab.papers.partitions import KeyAndResponse

NOT_PRINTED = "-"
UNDEFINED = "undefined"  # printed as a dash: the denominator is 0

Rule = Literal["rounded", "truncated", "f1 of rounded"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """The numbers that a table prints for one key and response.

    Attributes:
        label: the paper's name for the response.
        sets: the key and the response.
        printed: for each metric, the printed numbers in the order of the fields.
        correct: the same, with the correct number in place of each wrong one.
        erratum: the id of the erratum about the wrong numbers.
        fits: the id of the erratum whose printed numbers the sets were chosen to give;
            empty if the sets, or their sizes, are the paper's own.
    """

    label: str
    sets: KeyAndResponse
    printed: Mapping[str, tuple[str, ...]]
    correct: Mapping[str, tuple[str, ...]]
    erratum: str = ""
    fits: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperTable:
    """A table, or numbers in the running text, on sets that the paper states.

    Attributes:
        id: its name among the parts of the paper.
        where: its place in the paper.
        title: what it shows.
        fields: the fields of a score that are printed, in their order.
        decimals: how many decimals the numbers have.
        percent: whether they are percentages.
        rule: how the authors shortened them.
        rows: one for each key and response.
    """

    id: str
    where: str
    title: str
    fields: Sequence[str]
    decimals: int
    percent: bool = False
    rule: Rule
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperFigure:
    """The sets behind a figure, by the ticks of its horizontal axis.

    Attributes:
        id: its name among the parts of the paper.
        where: its place in the paper.
        title: what it shows.
        x_label: the label of the horizontal axis.
        ordered: whether the ticks are steps of one quantity.
        source: where the sets come from.
        sets: a key and a response for each tick.
    """

    id: str
    where: str
    title: str
    x_label: str
    ordered: bool
    source: str
    sets: Mapping[str, KeyAndResponse]


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusTable:
    """A table of numbers on corpora, as printed.

    Attributes:
        id: its name among the parts of the paper.
        where: its place in the paper.
        title: what it shows.
        columns: metric and field, such as `muc.recall`, or other names of columns.
        decimals: how many decimals the numbers have.
        percent: whether they are percentages.
        rule: how the authors shortened them.
        rows: the numbers of each row, by column.
        shares: columns whose numbers are shares of a known whole.
        fitted: those of them whose whole was chosen so that they fit.
        errata: for each wrong number, by row and column, the correct one and the id of
            the erratum.
    """

    id: str
    where: str
    title: str
    columns: tuple[str, ...]
    decimals: int
    percent: bool = False
    rule: Rule
    rows: Mapping[str, Mapping[str, str]]
    shares: Mapping[str, int] = field(default_factory=dict)
    errata: Mapping[tuple[str, str], tuple[str, str]] = field(default_factory=dict)
    fitted: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """What a paper says, in a form that can be checked.

    Attributes:
        id: its name.
        where: its place in the paper.
        says: the claim in words.
        operator: how it is checked, see `corefkit.lab.reproduce.claims`.
        about: what the operator needs to know.
        erratum: the id of the erratum that says why the claim does not hold.
        against: what speaks against the claim then; nothing else may.
        fits: the id of the erratum of a stronger claim; this is the part that holds.
    """

    id: str
    where: str
    says: str
    operator: str
    about: Mapping[str, Any]
    erratum: str = ""
    against: tuple[str, ...] = ()
    fits: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """A score that shows an erratum if no printed number of a table does.

    Attributes:
        sets: the sets, by part and label, such as `table-1/System 1`.
        metric: the metric.
        field: the field of its score.
        percent: whether the numbers are percentages.
        printed: the score that would follow from what is printed.
        correct: the score that is computed.
    """

    sets: str
    metric: str
    printed: str
    correct: str
    field: str = "f1"
    percent: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Erratum:
    """What is wrong in a paper, what is correct, and why.

    Attributes:
        id: its name.
        kind: what kind of slip it is.
        where: its place in the paper.
        printed: what is printed.
        correct: what is correct.
        reason: why.
        checks: scores that show it, in addition to numbers and claims that name it.
        unchecked: why nothing can show it, if nothing does.
    """

    id: str
    kind: str
    where: str
    printed: str
    correct: str
    reason: str
    checks: tuple[Check, ...] = ()
    unchecked: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """What a paper prints.

    Attributes:
        name: the name of its file.
        short: the beginning of its errata's ids.
        authors: who wrote it.
        year: when it appeared.
        title: its title.
        venue: where it appeared.
        not_here: what cannot be recomputed, and why.
        tables: numbers on sets that the paper states.
        figures: figures on such sets.
        corpus_tables: numbers on corpora.
        claims: what the paper says about these.
        errata: what is known to be wrong.
    """

    name: str
    short: str
    authors: str
    year: int
    title: str
    venue: str
    not_here: str
    tables: tuple[PaperTable, ...]
    figures: tuple[PaperFigure, ...]
    corpus_tables: tuple[CorpusTable, ...]
    claims: tuple[Claim, ...]
    errata: tuple[Erratum, ...]

    @property
    def cited(self) -> str:
        """The paper as texts cite it."""
        first, several, _ = self.authors.partition(",")
        return f"{first}{' et al.' if several else ''} {self.year}"
