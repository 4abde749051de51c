"""Statistics of corpora for people and programs: one column, or record, for each."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from corefkit.report.grids import Column, Grid, Spacing, cells, columns
from corefkit.report.latex import latex_text
from corefkit.report.markdown import markdown_text
from corefkit.report.names import names_of
from corefkit.report.records import csv_rows, readable_json
from corefkit.report.terminal import terminal_text
from corefkit.settings import VERSION
from corefkit.syntax.mention_types import MENTION_TYPES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from corefkit.analysis.statistics import Statistics
    from corefkit.report.page import Part

Corpora: TypeAlias = "Sequence[tuple[str, Statistics]]"
Number: TypeAlias = int | float | None

UNKNOWN = "-"
_INDENT = 2

# The labels of counts and means; those with two blanks are parts of the one above.
_LABELS = {
    "documents": "Documents",
    "sentences": "Sentences",
    "words": "Words",
    "empty_nodes": "Empty nodes",
    "mentions": "Mentions",
    "discontinuous_mentions": "  Discontinuous mentions",
    "zero_mentions": "  Zero mentions",
    "nested_mentions": "  Nested mentions",
    "mean_mention_length": "Mean mention length in words",
    "entities": "Entities",
    "singleton_entities": "  Singleton entities",
    "multi_mention_entities": "  Multi-mention entities",
    "mean_entity_size": "Mean entity size",
    "mean_multi_mention_entity_size": "Mean multi-mention entity size",
    "largest_entity": "Largest entity",
    "non_referring_entities": "Non-referring entities",
    "split_antecedents": "Split antecedents",
    "bridging_anaphors": "Bridging anaphors",
}
_SHARES = {
    "singleton_entities": "singleton_share",
    "multi_mention_entities": "multi_mention_share",
}
_OF_ENTITIES = "    % of entities"
_MENTION_TYPES = "Mention types, % of mentions"
_TYPE_LABELS = {"misc": "Misc."}


class Line(NamedTuple):
    """A statistic of one corpus; None where it is not known. The share is up to 1."""

    name: str
    value: Number
    share: float | None = None


def statistics_as(write: Callable[[Iterable[Part]], str]) -> Callable[[Corpora], str]:
    """Make a writer of statistics from a writer of pages.

    >>> from corefkit.analysis.statistics import Statistics
    >>> from corefkit.report.terminal import terminal_text
    >>> write = statistics_as(terminal_text)
    >>> text = write([("a.conll", Statistics(1200, 19000, 350000))])
    >>> text.splitlines()[3]
    'Words                           350,000'
    """
    return lambda corpora: write([statistics_grid(corpora)])


def json_statistics(corpora: Corpora) -> str:
    """Write a record for each corpus; what is not known is null."""
    records = [
        {"corpus": name, **statistics_record(counts)} for name, counts in corpora
    ]
    return readable_json({"corefkit": VERSION, "corpora": records})


def statistics_record(counts: Statistics) -> dict[str, Number]:
    """Return the statistics of one corpus by name, shares after what they are of.

    >>> from corefkit.analysis.statistics import Statistics
    >>> statistics_record(Statistics(entities=4, singleton_entities=1))[
    ...     "singleton_entities_share"
    ... ]
    0.25
    """
    record: dict[str, Number] = {}
    for line in _lines(counts):
        record[line.name] = line.value
        if line.name in _SHARES or line.name in MENTION_TYPES:
            record[f"{line.name}_share"] = line.share
    return record


def csv_statistics(corpora: Corpora) -> str:
    """Write one row for each corpus and statistic; what is not known is empty."""
    rows = [(name, *line) for name, counts in corpora for line in _lines(counts)]
    return csv_rows([("corpus", "statistic", "value", "share"), *rows])


STATISTICS_WRITERS: Mapping[str, Callable[[Corpora], str]] = {
    "table": statistics_as(terminal_text),
    "json": json_statistics,
    "csv": csv_statistics,
    "markdown": statistics_as(markdown_text),
    "latex": statistics_as(latex_text),
}


def _lines(counts: Statistics) -> Iterator[Line]:
    for name in _LABELS:
        share = getattr(counts, _SHARES[name]) if name in _SHARES else None
        yield Line(name, getattr(counts, name), share)
    for name in MENTION_TYPES:
        known = counts.mention_types.get(name) if counts.typed_mentions else None
        yield Line(name, known, counts.type_share(name))


def statistics_grid(corpora: Corpora) -> Grid:
    """Set statistics out, a column for each corpus."""
    of_corpora = [list(_lines(counts)) for _, counts in corpora]
    rows = []
    for name, *lines in zip([*_LABELS, *MENTION_TYPES], *of_corpora, strict=True):
        shares = [_percent(line.share) for line in lines]
        if name in MENTION_TYPES:
            rows.append((_type_label(name), *shares))
            continue
        rows.append((_LABELS[name], *(_number(line.value) for line in lines)))
        if name in _SHARES:
            rows.append((_OF_ENTITIES, *shares))
    rows.insert(-len(MENTION_TYPES), (_MENTION_TYPES, *[""] * len(corpora)))
    names = names_of([path for path, _ in corpora])
    heads = [Column(name, is_name=True) for name in names]
    return Grid((*columns([""]), *heads), cells(rows), spacing=Spacing(marks=1))


def _type_label(name: str) -> str:
    """Label a kind of mentions, indented below the kind that it is a part of.

    >>> _type_label("definite_nps"), _type_label("possessive_nps")
    ('  Definite NPs', '    Possessive NPs')
    """
    label = name.replace("_", " ").capitalize().replace("nps", "NPs")
    depth = 1 if MENTION_TYPES[name] is None else 2
    return " " * _INDENT * depth + _TYPE_LABELS.get(name, label)


def _number(value: Number) -> str:
    if value is None:
        return UNKNOWN
    return f"{value:,}" if isinstance(value, int) else f"{value:,.2f}"


def _percent(share: float | None) -> str:
    return UNKNOWN if share is None else f"{100 * share:.2f}"
