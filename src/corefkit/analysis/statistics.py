"""What a corpus holds: documents, words, entities, mentions and kinds of mentions.

Counts are those of the papers' tables of corpora; `corefkit.syntax.mention_types` has
the kinds of mentions. Outputs have one column, or record, for each corpus.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from corefkit.formats import read
from corefkit.results.frames import make_frame
from corefkit.results.records import format_csv, format_json
from corefkit.settings import VERSION
from corefkit.syntax.mention_types import MENTION_TYPES, find_mention_types
from corefkit.tables.latex import render_latex
from corefkit.tables.markdown import render_markdown
from corefkit.tables.model import Column, Table, make_columns, make_rows
from corefkit.tables.terminal import label_paths, render_terminal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from corefkit.formats.inputs import Input
    from corefkit.model import Document, Mention
    from corefkit.tables.model import Part


@dataclass(frozen=True, slots=True)
class Statistics:
    """Counts over documents; those of several corpora add up.

    Attributes:
        documents: how many there are.
        sentences: how many there are; None where a document comes without words.
        words: tokens without empty nodes; None where a document comes without words.
        empty_nodes: tokens that are not said.
        mentions: mentions of entities that refer.
        discontinuous_mentions: those with gaps.
        zero_mentions: those of empty nodes alone.
        nested_mentions: those that lie between the ends of another, longer one.
        mention_words: the words of all mentions together.
        entities: entities that refer.
        singleton_entities: those of one mention.
        largest_entity: how many mentions the largest has.
        non_referring_entities: those that do not refer, and are not counted above.
        split_antecedents: entities whose antecedent is several others together.
        bridging_anaphors: mentions that are understood through another entity.
        typed_mentions: mentions whose kind is known.
        mention_types: how many of them are of each kind of `MENTION_TYPES`.

    >>> from corefkit.model import Document, Entity, Mention
    >>> entity = Entity("1", (Mention(0, 0), Mention(2, 3)))
    >>> counts = statistics_of(
    ...     [Document("d", (("Ann", "saw", "her", "self"),), (entity,))]
    ... )
    >>> counts.words, counts.mentions, (counts + counts).mentions
    (4, 2, 4)
    """

    documents: int = 0
    sentences: int | None = 0
    words: int | None = 0
    empty_nodes: int = 0
    mentions: int = 0
    discontinuous_mentions: int = 0
    zero_mentions: int = 0
    nested_mentions: int = 0
    mention_words: int = 0
    entities: int = 0
    singleton_entities: int = 0
    largest_entity: int = 0
    non_referring_entities: int = 0
    split_antecedents: int = 0
    bridging_anaphors: int = 0
    typed_mentions: int = 0
    mention_types: Mapping[str, int] = field(default_factory=dict)

    def __add__(self, other: Statistics) -> Statistics:
        """Count both together; what one of the two does not know is not known."""
        return Statistics(
            **{
                count.name: _ADDED.get(count.name, _sum)(
                    getattr(self, count.name), getattr(other, count.name)
                )
                for count in fields(self)
            }
        )

    def _repr_html_(self) -> str:
        from corefkit.report.notebook import statistics_html

        return statistics_html(self)

    @property
    def multi_mention_entities(self) -> int:
        """Entities of two mentions or more."""
        return self.entities - self.singleton_entities

    @property
    def singleton_share(self) -> float | None:
        """The share of entities that have one mention."""
        return _ratio(self.singleton_entities, self.entities)

    @property
    def multi_mention_share(self) -> float | None:
        """The share of entities that have two mentions or more."""
        return _ratio(self.multi_mention_entities, self.entities)

    @property
    def mean_entity_size(self) -> float | None:
        """Mentions for each entity."""
        return _ratio(self.mentions, self.entities)

    @property
    def mean_multi_mention_entity_size(self) -> float | None:
        """Mentions for each entity that has two or more."""
        mentions = self.mentions - self.singleton_entities
        return _ratio(mentions, self.multi_mention_entities)

    @property
    def mean_mention_length(self) -> float | None:
        """Words for each mention that has any: zero mentions are left out."""
        return _ratio(self.mention_words, self.mentions - self.zero_mentions)

    def type_share(self, name: str) -> float | None:
        """Compute the share of a kind among the mentions whose kind is known."""
        return _ratio(self.mention_types.get(name, 0), self.typed_mentions)

    def to_frame(self, *, library: str | None = None) -> Any:
        """Return a data frame of one row, so that those of several corpora stack.

        Args:
            library: `pandas` or `polars`; by default pandas, or Polars without it.

        Raises:
            CorefkitError: the library is not installed.

        >>> frame = Statistics(entities=4, singleton_entities=1).to_frame()
        >>> frame["singleton_entities_share"].to_list()
        [0.25]
        """
        return statistics_frame(self, library=library)


def statistics_of(documents: Input) -> Statistics:
    """Count what documents hold, one after the other.

    They come as `corefkit.read` takes or gives them.

    >>> from corefkit import read
    >>> from corefkit.example import paths
    >>> counts = statistics_of(read(paths()[0]))
    >>> counts.documents, counts.words, counts.mentions, counts.singleton_entities
    (4, 343, 109, 25)
    """
    return sum(map(_of_document, read(documents)), Statistics())


def _sum(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one + other


def _added_types(one: Mapping[str, int], other: Mapping[str, int]) -> Mapping[str, int]:
    return {
        name: one.get(name, 0) + other.get(name, 0) for name in (one or other or ())
    }


_ADDED: Mapping[str, Callable[..., Any]] = {
    "largest_entity": max,
    "mention_types": _added_types,
}


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _of_document(document: Document) -> Statistics:
    named = [entity for entity in document.entities if entity.mentions]
    entities = [entity for entity in named if entity.referring]
    mentions = [mention for entity in entities for mention in entity.mentions]
    empty = sorted(document.empty)
    lengths = [_length(mention, empty) for mention in mentions]
    # A document without words that has mentions has words that are not known.
    worded = bool(document.sentences or not named)
    tokens = sum(map(len, document.sentences))
    types = find_mention_types(document, mentions)
    return Statistics(
        documents=1,
        sentences=len(document.sentences) if worded else None,
        words=tokens - len(empty) if worded else None,
        empty_nodes=len(empty),
        mentions=len(mentions),
        discontinuous_mentions=sum(bool(mention.gaps) for mention in mentions),
        zero_mentions=lengths.count(0),
        nested_mentions=_nested(mentions),
        mention_words=sum(lengths),
        entities=len(entities),
        singleton_entities=sum(len(entity) == 1 for entity in entities),
        largest_entity=max(map(len, entities), default=0),
        non_referring_entities=len(named) - len(entities),
        split_antecedents=sum(bool(entity.split) for entity in entities),
        bridging_anaphors=len({bridge.anaphor for bridge in document.bridges}),
        typed_mentions=0 if types is None else len(types),
        mention_types={} if types is None else _counted(types),
    )


def _length(mention: Mention, empty: Sequence[int]) -> int:
    return sum(
        end + 1 - start - bisect_right(empty, end) + bisect_left(empty, start)
        for start, end in mention.parts
    )


def _nested(mentions: Iterable[Mention]) -> int:
    spans = Counter((mention.start, mention.end) for mention in mentions)
    nested, furthest = 0, -1
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        nested += spans[start, end] if end <= furthest else 0
        furthest = max(furthest, end)
    return nested


def _counted(types: Iterable[str]) -> dict[str, int]:
    counts = Counter(types)
    groups = {name: MENTION_TYPES[name] for name in counts}
    for name, group in groups.items():
        if group is not None:
            counts[group] += counts[name]
    return {name: counts[name] for name in MENTION_TYPES}


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

    >>> from corefkit.tables.terminal import render_terminal
    >>> write = statistics_as(render_terminal)
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
    return format_json({"corefkit": VERSION, "corpora": records})


def statistics_record(counts: Statistics) -> dict[str, Number]:
    """Return the statistics of one corpus by name, shares after what they are of.

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
    return format_csv([("corpus", "statistic", "value", "share"), *rows])


STATISTICS_WRITERS: Mapping[str, Callable[[Corpora], str]] = {
    "table": statistics_as(render_terminal),
    "json": json_statistics,
    "csv": csv_statistics,
    "markdown": statistics_as(render_markdown),
    "latex": statistics_as(render_latex),
}


def _lines(counts: Statistics) -> Iterator[Line]:
    for name in _LABELS:
        share = getattr(counts, _SHARES[name]) if name in _SHARES else None
        yield Line(name, getattr(counts, name), share)
    for name in MENTION_TYPES:
        known = counts.mention_types.get(name) if counts.typed_mentions else None
        yield Line(name, known, counts.type_share(name))


def statistics_grid(corpora: Corpora) -> Table:
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
    names = label_paths([path for path, _ in corpora])
    heads = [Column(name, is_name=True) for name in names]
    return Table((*make_columns([""]), *heads), make_rows(rows), mark_width=1)


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


def statistics_frame(counts: Statistics, *, library: str | None = None) -> Any:
    """Make a frame of one row: counts, means, and shares up to 1."""
    record = statistics_record(counts)
    schema: dict[str, Any] = {
        name: "number"
        if name.startswith("mean_") or name.endswith("_share")
        else "count, if known"
        for name in record
    }
    return make_frame([record], schema, library)
