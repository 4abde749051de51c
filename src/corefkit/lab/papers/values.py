"""What a file on a paper has in it, as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corefkit.lab.papers.partitions import Sets

NOT_PRINTED = "-"
UNDEFINED = "undefined"  # printed as a dash: there is nothing to divide by

Rule = Literal["rounded", "truncated", "f1 of rounded"]


@dataclass(frozen=True, slots=True)
class Row:
    """What a table prints of one key and response.

    Attributes:
        label: how the paper calls the response.
        sets: the key and the response.
        printed: for each metric, the printed numbers in the order of the fields.
        correct: likewise, what stands for the wrong ones among them.
        erratum: the id of the erratum that tells of these.
        fits: the id of the erratum whose printed numbers the sets were chosen to give;
            empty where the sets, or their sizes, are the paper's.
    """

    label: str
    sets: Sets
    printed: Mapping[str, tuple[str, ...]]
    correct: Mapping[str, tuple[str, ...]]
    erratum: str
    fits: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table, or numbers in the running text, of sets that the paper states.

    Attributes:
        id: its name among the parts of the paper.
        where: where it stands.
        title: what it shows.
        fields: the fields of a score that are printed, in their order.
        decimals: how many decimals the numbers have.
        percent: whether they are percentages.
        rule: how the paper's authors made them shorter.
        rows: one for each key and response.
    """

    id: str
    where: str
    title: str
    fields: tuple[str, ...]
    decimals: int
    percent: bool
    rule: Rule
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class PaperFigure:
    """The sets behind a figure, by the ticks of its horizontal axis.

    Attributes:
        id: its name among the parts of the paper.
        where: where it stands.
        title: what it shows.
        x_label: what the horizontal axis says.
        ordered: whether the ticks are steps of one quantity.
        source: where the sets are from.
        sets: for each tick a key and a response.
    """

    id: str
    where: str
    title: str
    x_label: str
    ordered: bool
    source: str
    sets: Mapping[str, Sets]


@dataclass(frozen=True, slots=True)
class CorpusTable:
    """A table of numbers that rest on corpora, as printed.

    Attributes:
        id: its name among the parts of the paper.
        where: where it stands.
        title: what it shows.
        columns: metric and field, such as `muc.recall`, or what else a column has.
        decimals: how many decimals the numbers have.
        percent: whether they are percentages.
        rule: how they were made shorter.
        rows: for each row its numbers, by column.
        shares: columns whose numbers are shares of a known whole.
        fitted: those of them whose whole was chosen so that they fit.
        errata: for each wrong number, by row and column, the right one and the id of
            the erratum.
    """

    id: str
    where: str
    title: str
    columns: tuple[str, ...]
    decimals: int
    percent: bool
    rule: Rule
    rows: Mapping[str, Mapping[str, str]]
    shares: Mapping[str, int]
    errata: Mapping[tuple[str, str], tuple[str, str]]
    fitted: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Claim:
    """What a paper says, in a form that can be checked.

    Attributes:
        id: its name.
        where: where it stands.
        says: the claim in words.
        operator: what is checked, see `corefkit.lab.reproduce.claims`.
        about: what the operator asks for.
        erratum: the id of the erratum that tells why it does not hold, if it does not.
        against: what speaks against it then, and nothing else may.
        fits: the id of the erratum of a stronger claim, of which this is what holds.
    """

    id: str
    where: str
    says: str
    operator: str
    about: Mapping[str, Any]
    erratum: str
    against: tuple[str, ...] = ()
    fits: str = ""


@dataclass(frozen=True, slots=True)
class Check:
    """A score that shows an erratum which no printed number of a table shows.

    Attributes:
        sets: the sets, by part and label, such as `table-1/System 1`.
        metric: the metric.
        field: the field of its score.
        percent: whether the numbers are percentages.
        printed: what it would be by what is printed.
        correct: what it is.
    """

    sets: str
    metric: str
    printed: str
    correct: str
    field: str = "f1"
    percent: bool = False


@dataclass(frozen=True, slots=True)
class Erratum:
    """What is wrong in a paper, what is right, and why.

    Attributes:
        id: its name.
        kind: what kind of slip it is.
        where: where it stands.
        printed: what is printed.
        correct: what is right.
        reason: why.
        checks: scores that show it, beside the numbers and claims that name it.
        unchecked: why nothing can show it, where nothing does.
    """

    id: str
    kind: str
    where: str
    printed: str
    correct: str
    reason: str
    checks: tuple[Check, ...] = ()
    unchecked: str = ""


@dataclass(frozen=True, slots=True)
class Paper:
    """What a paper prints.

    Attributes:
        name: the name of its file.
        short: what its errata's ids start with.
        authors: who wrote it.
        year: when it appeared.
        title: its title.
        venue: where it appeared.
        not_here: what of it cannot be recomputed, and why.
        tables: numbers of stated sets.
        figures: figures over stated sets.
        corpus_tables: numbers of corpora.
        claims: what it says of these.
        errata: what is known to be wrong.
    """

    name: str
    short: str
    authors: str
    year: int
    title: str
    venue: str
    not_here: str
    tables: tuple[Table, ...]
    figures: tuple[PaperFigure, ...]
    corpus_tables: tuple[CorpusTable, ...]
    claims: tuple[Claim, ...]
    errata: tuple[Erratum, ...]

    @property
    def cited(self) -> str:
        """The paper as texts cite it."""
        first, several, _ = self.authors.partition(",")
        return f"{first}{' et al.' if several else ''} {self.year}"
