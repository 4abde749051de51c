"""Corpus statistics: documents, words, entities, mentions and types of mentions.

The counts are those of corpus tables in papers; `corefkit.syntax.mention_types` has the
types of mentions. Outputs have one column, or record, for each corpus.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, TypeAlias

from corefkit.formats import Input, read
from corefkit.model import Document, Mention
from corefkit.results.frames import make_frame
from corefkit.results.records import format_csv, format_json
from corefkit.settings import VERSION
from corefkit.syntax.mention_types import MENTION_TYPES, find_mention_types
from corefkit.tables.latex import render_latex
from corefkit.tables.markdown import render_markdown
from corefkit.tables.model import Column, Table, make_columns, make_rows
from corefkit.tables.terminal import label_paths, render_terminal


@dataclass(frozen=True, slots=True)
class Statistics:
    """Counts over documents; those of several corpora add up.

    Attributes:
        documents: the number of documents.
        sentences: the number of sentences; None if a document has no words.
        words: tokens without empty nodes; None if a document has no words.
        empty_nodes: tokens that are not pronounced.
        mentions: mentions of referring entities.
        discontinuous_mentions: mentions with gaps.
        zero_mentions: mentions that consist of empty nodes.
        nested_mentions: mentions inside a longer one.
        mention_words: the words of all mentions together.
        entities: referring entities.
        singleton_entities: entities with one mention.
        largest_entity: the number of mentions of the largest entity.
        non_referring_entities: entities that do not refer, not counted above.
        split_antecedents: entities whose antecedent is several others together.
        bridging_anaphors: mentions that depend on another entity.
        typed_mentions: mentions of a known type.
        mention_types: the number of mentions of each type of `MENTION_TYPES`.

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
        """Add the counts of two corpora; a count that one of them lacks is None."""
        sums: dict[str, Any] = {}
        for name in (count.name for count in fields(self)):
            first, second = getattr(self, name), getattr(other, name)
            if name == "largest_entity":
                sums[name] = max(first, second)
            elif name == "mention_types":
                sums[name] = {
                    kind: first.get(kind, 0) + second.get(kind, 0)
                    for kind in first or second
                }
            else:
                is_known = first is not None and second is not None
                sums[name] = first + second if is_known else None
        return Statistics(**sums)

    def _repr_html_(self) -> str:
        from corefkit.report.notebook import render_fragment

        return render_fragment([build_statistics_table([("Corpus", self)])])

    @property
    def multi_mention_entities(self) -> int:
        """Entities of two mentions or more."""
        return self.entities - self.singleton_entities

    @property
    def singleton_share(self) -> float | None:
        """The share of entities with one mention."""
        return _divide(self.singleton_entities, self.entities)

    @property
    def multi_mention_share(self) -> float | None:
        """The share of entities with two mentions or more."""
        return _divide(self.multi_mention_entities, self.entities)

    @property
    def mean_entity_size(self) -> float | None:
        """The mean number of mentions of an entity."""
        return _divide(self.mentions, self.entities)

    @property
    def mean_multi_mention_entity_size(self) -> float | None:
        """The mean number of mentions of an entity with two or more."""
        mentions = self.mentions - self.singleton_entities
        return _divide(mentions, self.multi_mention_entities)

    @property
    def mean_mention_length(self) -> float | None:
        """The mean number of words of a mention, without zero mentions."""
        return _divide(self.mention_words, self.mentions - self.zero_mentions)

    def type_share(self, name: str) -> float | None:
        """Return the share of a type among the mentions of a known type."""
        return _divide(self.mention_types.get(name, 0), self.typed_mentions)

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
        record = make_statistics_record(self)
        schema: dict[str, Any] = {
            name: "number"
            if name.startswith("mean_") or name.endswith("_share")
            else "count, if known"
            for name in record
        }
        return make_frame([record], schema, library)


def statistics_of(documents: Input) -> Statistics:
    """Count the contents of documents, or of anything that `corefkit.read` reads.

    >>> from corefkit import read
    >>> from corefkit.example import paths
    >>> counts = statistics_of(read(paths()[0]))
    >>> counts.documents, counts.words, counts.mentions, counts.singleton_entities
    (4, 343, 109, 25)
    """
    return sum(map(_count_document, read(documents)), Statistics())


def _divide(part: int, total: int) -> float | None:
    return part / total if total else None


def _count_document(document: Document) -> Statistics:
    mentioned = [entity for entity in document.entities if entity.mentions]
    entities = [entity for entity in mentioned if entity.referring]
    mentions = [mention for entity in entities for mention in entity.mentions]
    empty = sorted(document.empty)
    lengths = [_count_words(mention, empty) for mention in mentions]
    # The words of a document with mentions but without words are unknown.
    has_words = bool(document.sentences or not mentioned)
    tokens = sum(map(len, document.sentences))
    types = find_mention_types(document, mentions)
    return Statistics(
        documents=1,
        sentences=len(document.sentences) if has_words else None,
        words=tokens - len(empty) if has_words else None,
        empty_nodes=len(empty),
        mentions=len(mentions),
        discontinuous_mentions=sum(bool(mention.gaps) for mention in mentions),
        zero_mentions=lengths.count(0),
        nested_mentions=_count_nested(mentions),
        mention_words=sum(lengths),
        entities=len(entities),
        singleton_entities=sum(len(entity) == 1 for entity in entities),
        largest_entity=max(map(len, entities), default=0),
        non_referring_entities=len(mentioned) - len(entities),
        split_antecedents=sum(bool(entity.split) for entity in entities),
        bridging_anaphors=len({bridge.anaphor for bridge in document.bridges}),
        typed_mentions=0 if types is None else len(types),
        mention_types={} if types is None else _count_types(types),
    )


def _count_words(mention: Mention, empty: Sequence[int]) -> int:
    return sum(
        end + 1 - start - bisect_right(empty, end) + bisect_left(empty, start)
        for start, end in mention.parts
    )


def _count_nested(mentions: Iterable[Mention]) -> int:
    spans = Counter((mention.start, mention.end) for mention in mentions)
    nested, furthest = 0, -1
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        nested += spans[start, end] if end <= furthest else 0
        furthest = max(furthest, end)
    return nested


def _count_types(types: Iterable[str]) -> dict[str, int]:
    counts = Counter(types)
    for name in [*counts]:
        if (group := MENTION_TYPES[name]) is not None:
            counts[group] += counts[name]
    return {name: counts[name] for name in MENTION_TYPES}


Corpora: TypeAlias = "Sequence[tuple[str, Statistics]]"
Number: TypeAlias = int | float | None

UNKNOWN = "-"

# Labels of counts and means; indented ones are parts of the one above.
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


def _render_json(corpora: Corpora) -> str:
    records = [
        {"corpus": name, **make_statistics_record(counts)} for name, counts in corpora
    ]
    return format_json({"corefkit": VERSION, "corpora": records})


def make_statistics_record(counts: Statistics) -> dict[str, Number]:
    """Return the statistics of one corpus by name; shares follow their counts."""
    record: dict[str, Number] = {}
    for name, value, share in _iter_statistics(counts):
        record[name] = value
        if name in _SHARES or name in MENTION_TYPES:
            record[f"{name}_share"] = share
    return record


def _render_csv(corpora: Corpora) -> str:
    rows = [
        (name, *line) for name, counts in corpora for line in _iter_statistics(counts)
    ]
    return format_csv([("corpus", "statistic", "value", "share"), *rows])


STATISTICS_WRITERS: Mapping[str, Callable[[Corpora], str]] = {
    "table": lambda corpora: render_terminal([build_statistics_table(corpora)]),
    "json": _render_json,
    "csv": _render_csv,
    "markdown": lambda corpora: render_markdown([build_statistics_table(corpora)]),
    "latex": lambda corpora: render_latex([build_statistics_table(corpora)]),
}


def _iter_statistics(counts: Statistics) -> Iterator[tuple[str, Number, float | None]]:
    for name in _LABELS:
        share = getattr(counts, _SHARES[name]) if name in _SHARES else None
        yield name, getattr(counts, name), share
    for name in MENTION_TYPES:
        count = counts.mention_types.get(name) if counts.typed_mentions else None
        yield name, count, counts.type_share(name)


def build_statistics_table(corpora: Corpora) -> Table:
    """Build the table of statistics, with a column for each corpus."""
    columns = [list(_iter_statistics(counts)) for _, counts in corpora]
    rows = []
    for name, *statistics in zip([*_LABELS, *MENTION_TYPES], *columns, strict=True):
        shares = [_format_percent(share) for _, _, share in statistics]
        if name in MENTION_TYPES:
            rows.append((_label_type(name), *shares))
            continue
        numbers = [_format_number(value) for _, value, _ in statistics]
        rows.append((_LABELS[name], *numbers))
        if name in _SHARES:
            rows.append(("    % of entities", *shares))
    head = ("Mention types, % of mentions", *[""] * len(corpora))
    rows.insert(-len(MENTION_TYPES), head)
    names = label_paths([path for path, _ in corpora])
    heads = [Column(name, is_name=True) for name in names]
    return Table((*make_columns([""]), *heads), make_rows(rows), mark_width=1)


def _label_type(name: str) -> str:
    """Return the label of a type of mentions, indented below its supertype."""
    label = name.replace("_", " ").capitalize().replace("nps", "NPs")
    indent = "  " if MENTION_TYPES[name] is None else "    "
    return indent + {"misc": "Misc."}.get(name, label)


def _format_number(value: Number) -> str:
    if value is None:
        return UNKNOWN
    return f"{value:,}" if isinstance(value, int) else f"{value:,.2f}"


def _format_percent(share: float | None) -> str:
    return UNKNOWN if share is None else f"{100 * share:.2f}"
