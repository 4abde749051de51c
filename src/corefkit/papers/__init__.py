"""The papers as data: printed numbers, claims and errata.

Each paper is a file with these parts:

    table          numbers of sets that the paper states, metric by metric, as printed
    figure         the sets of a figure; its curves are computed
    corpus_table   numbers of corpora that are not available; some follow from others
    claim          a statement of the paper, in a form that can be checked
    erratum        a known error, its reason and its evidence
    experiment     an experiment that needs corpora or software, and a command for it

`fits` and `fitted` mark sets, wholes and claims that were chosen so that a number fits
or the claim holds.

Source: the papers themselves; `corefkit.papers.partitions` describes our notation
for sets.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field, fields
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Literal

from corefkit.papers.partitions import parse_letters, parse_sizes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from corefkit.papers.partitions import KeyAndResponse

# In the order of reports, the newest first.
PAPERS = (
    "moosavi-strube-2016",
    "pradhan-et-al-2014",
    "cai-strube-2010",
    "recasens-hovy-2010",
    "luo-2005",
)

NOT_PRINTED = "-"
UNDEFINED = "undefined"  # printed as a dash: the denominator is 0

Rule = Literal["rounded", "truncated", "f1 of rounded"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRow:
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
    rows: tuple[TableRow, ...]  # one for each key and response


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperFigure:
    """The sets of a figure, by the ticks of its horizontal axis."""

    id: str
    where: str
    title: str
    x_label: str
    ordered: bool  # whether the ticks are steps of one quantity
    source: str  # the origin of the sets
    sets: Mapping[str, KeyAndResponse]  # by tick
    has_links: bool = False  # whether the share of correct links is also a curve


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
    # Columns whose numbers are shares of a known total.
    shares: Mapping[str, int] = field(default_factory=dict)
    # For each wrong number, by row and column, the correct one and the id of the
    # erratum.
    errata: Mapping[tuple[str, str], tuple[str, str]] = field(default_factory=dict)
    # Columns of shares whose total was chosen so that they fit.
    fitted: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A statement of a paper, in a form that can be checked."""

    id: str
    where: str  # its place in the paper
    says: str
    operator: str  # see `corefkit.lab.claims`
    about: Mapping[str, Any]  # the arguments of the operator
    erratum: str = ""  # the id of the one that says why it does not hold
    against: tuple[str, ...] = ()  # its expected counterexamples then
    # The id of the erratum of a stronger claim; this is the part that holds.
    fits: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ErratumCheck:
    """A score that shows an erratum if no printed number of a table does."""

    sets: str  # by part and label, such as `table-1/System 1`
    metric: str
    printed: str  # the score that the printed numbers imply
    correct: str  # the computed score
    field: str = "f1"
    percent: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Erratum:
    """An error in a paper, its correction, and the reason."""

    id: str
    kind: str  # of slip
    where: str  # its place in the paper
    printed: str
    correct: str
    reason: str
    checks: tuple[
        ErratumCheck, ...
    ] = ()  # in addition to numbers and claims that name it
    unchecked: str = ""  # why nothing can show it, if nothing does


@dataclass(frozen=True, slots=True, kw_only=True)
class Experiment:
    """A part of a paper, and how to run it."""

    where: str  # its place in the paper
    title: str
    # `recomputed`, `checked` against other printed numbers, `open data`, `software` to
    # use on your own data, or `impossible`
    state: str
    command: str = ""
    note: str = ""  # the corpora in place of the paper's, or why it is impossible


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """The numbers, claims and errata of a paper."""

    name: str  # of its file
    short: str  # the beginning of its errata's ids
    authors: str
    year: int
    title: str
    venue: str
    not_here: str  # the numbers that cannot be recomputed, and the reason
    tables: tuple[PaperTable, ...]  # on sets that the paper states
    figures: tuple[PaperFigure, ...]  # on sets that the paper states
    corpus_tables: tuple[CorpusTable, ...]
    claims: tuple[Claim, ...]
    errata: tuple[Erratum, ...]
    experiments: tuple[Experiment, ...]  # those that need corpora or software

    @property
    def cited(self) -> str:
        """The paper as texts cite it."""
        first, several, _ = self.authors.partition(",")
        return f"{first}{' et al.' if several else ''} {self.year}"


def list_experiments(paper: Paper) -> list[Experiment]:
    """Return all tables, figures, claims and experiments of a paper, with commands.

    >>> list_experiments(load_paper("luo-2005"))[-1].command
    'cistell study sweep --data FOLDER -o PAGE'
    """
    command = f"corefkit lab reproduce --paper {paper.name}"
    parts: tuple[PaperTable | PaperFigure, ...] = (*paper.tables, *paper.figures)
    rows = [
        Experiment(where=p.where, title=p.title, state="recomputed", command=command)
        for p in parts
    ]
    rows += [
        Experiment(where=part.where, title=part.title, state="checked", command=command)
        for part in paper.corpus_tables
    ]
    if paper.claims:
        count = len(paper.claims)
        title = f"{count} claim{'' if count == 1 else 's'}"
        rows.append(
            Experiment(where="Text", title=title, state="recomputed", command=command)
        )
    return [*rows, *paper.experiments]


def load_paper(name: str) -> Paper:
    """Read the file of a paper.

    >>> load_paper("luo-2005").cited, len(load_paper("luo-2005").tables)
    ('Luo 2005', 6)
    """
    text = (files(__package__) / f"{name}.toml").read_text("utf-8")
    return build_paper(name, tomllib.loads(text))


def build_paper(name: str, data: Mapping[str, Any]) -> Paper:
    """Build a paper from the data of its file."""
    return Paper(
        name=name,
        **{key: value for key, value in data.items() if not isinstance(value, list)},
        tables=tuple(
            PaperTable(**_omit(table, "row"), rows=tuple(map(_build_row, table["row"])))
            for table in data.get("table", ())
        ),
        figures=tuple(map(_build_figure, data.get("figure", ()))),
        corpus_tables=tuple(map(_build_corpus_table, data.get("corpus_table", ()))),
        claims=tuple(map(_build_claim, data.get("claim", ()))),
        errata=tuple(
            Erratum(
                **_omit(row, "check"),
                checks=tuple(ErratumCheck(**check) for check in row.get("check", ())),
            )
            for row in data["erratum"]
        ),
        experiments=tuple(Experiment(**row) for row in data.get("experiment", ())),
    )


def _omit(data: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in data.items() if name not in names}


def _build_row(data: Mapping[str, Any]) -> TableRow:
    if "key_sizes" in data:
        sets = parse_sizes(data["key_sizes"], data["response"])
    else:
        sets = parse_letters(data["key"], data["response"])
    return TableRow(
        **_omit(data, "key_sizes", "key", "response", "printed", "correct"),
        sets=sets,
        printed=_split_numbers(data["printed"]),
        correct=_split_numbers(data.get("correct", {})),
    )


def _split_numbers(data: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    return {metric: tuple(text.split()) for metric, text in data.items()}


def _build_figure(data: Mapping[str, Any]) -> PaperFigure:
    return PaperFigure(
        **_omit(data, "key_sizes", "responses"),
        sets={
            tick: parse_sizes(data["key_sizes"], response)
            for tick, response in data["responses"].items()
        },
    )


def _build_corpus_table(data: Mapping[str, Any]) -> CorpusTable:
    columns = tuple(data["columns"].split())
    return CorpusTable(
        **_omit(data, "columns", "rows", "errata", "fitted"),
        columns=columns,
        rows={
            row: dict(zip(columns, text.split(), strict=True))
            for row, text in data["rows"].items()
        },
        errata={
            (row, column): (correct, wrong["erratum"])
            for row, wrong in data.get("errata", {}).items()
            for column, correct in wrong.items()
            if column != "erratum"
        },
        fitted=frozenset(data.get("fitted", ())),
    )


def _build_claim(data: Mapping[str, Any]) -> Claim:
    names = {field.name for field in fields(Claim)} & data.keys()
    return Claim(
        **{name: data[name] for name in names - {"against"}},
        against=tuple(data.get("against", ())),
        about=_omit(data, *names),
    )
