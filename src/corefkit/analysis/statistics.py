"""Corpus statistics: documents, words, entities, mentions and types of mentions.

The counts are those of corpus tables in papers, and of `udapi corefud.Stats`;
`corefkit.syntax.mention_types` has the types of mentions. Outputs have one column, or
record, for each corpus.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from itertools import accumulate, islice
from typing import Any, TypeAlias

from corefkit.exceptions import SettingsError
from corefkit.formats import Input, read
from corefkit.model import Document, Entity, Mention
from corefkit.results.frames import make_frame
from corefkit.results.records import format_csv, format_json
from corefkit.settings import VERSION
from corefkit.strings import iter_dependencies, map_conllu_ids, suggest
from corefkit.syntax.dependencies import build_syntax, find_head
from corefkit.syntax.mention_types import MENTION_TYPES, find_mention_types
from corefkit.tables.latex import render_latex
from corefkit.tables.markdown import render_markdown
from corefkit.tables.model import Column, Table, make_columns, make_rows
from corefkit.tables.terminal import label_paths, render_terminal

# The entities that are counted, by their numbers of mentions.
SINGLETONS: Mapping[str, Callable[[int], bool]] = {
    "keep": lambda size: size > 0,
    "drop": lambda size: size > 1,
    "only": lambda size: size == 1,
}
# Parts of speech of heads that have a separate row, and the names of their counts.
_TAGS = ("NOUN", "PRON", "PROPN", "DET", "ADJ", "VERB", "ADV", "NUM")
HEAD_TAGS = {**{tag: f"head_{tag}" for tag in _TAGS}, "_": "head_none"}


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
        mentions_with_empty_nodes: mentions that have an empty node.
        non_treelet_mentions: mentions of which several tokens depend on others outside;
            None if a document with mentions has no tree.
        mention_words: the words of all mentions together.
        entities: referring entities.
        singleton_entities: entities with one mention.
        largest_entity: the number of mentions of the largest entity.
        non_referring_entities: entities that do not refer, not counted above.
        split_antecedents: entities whose antecedent is several others together.
        bridging_anaphors: mentions that depend on another entity.
        typed_mentions: mentions of a known type.
        mention_types: the number of mentions of each type of `MENTION_TYPES`.
        entity_sizes: the number of entities by their number of mentions.
        entity_ranges: the number of entities by the number of tokens from the head of
            their first mention to that of the last one.
        mention_lengths: the number of mentions by their number of words.
        head_tags: the number of mentions by the part of speech of their head, if known.

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
    mentions_with_empty_nodes: int = 0
    non_treelet_mentions: int | None = 0
    mention_words: int = 0
    entities: int = 0
    singleton_entities: int = 0
    largest_entity: int = 0
    non_referring_entities: int = 0
    split_antecedents: int = 0
    bridging_anaphors: int = 0
    typed_mentions: int = 0
    mention_types: Mapping[str, int] = field(default_factory=dict)
    entity_sizes: Mapping[int, int] = field(default_factory=dict)
    entity_ranges: Mapping[int, int] = field(default_factory=dict)
    mention_lengths: Mapping[int, int] = field(default_factory=dict)
    head_tags: Mapping[str, int] = field(default_factory=dict)

    def __add__(self, other: Statistics) -> Statistics:
        """Add the counts of two corpora; a count that one of them lacks is None."""
        sums: dict[str, Any] = {}
        for name in (count.name for count in fields(self)):
            first, second = getattr(self, name), getattr(other, name)
            if name == "largest_entity":
                sums[name] = max(first, second)
            elif isinstance(first, Mapping):
                sums[name] = {
                    key: first.get(key, 0) + second.get(key, 0)
                    for key in {**first, **second}
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

    @property
    def mean_length_with_zeros(self) -> float | None:
        """The mean number of words of a mention, where zero mentions have none."""
        return _divide(self.mention_words, self.mentions)

    @property
    def longest_mention(self) -> int:
        """The number of words of the longest mention."""
        return max(self.mention_lengths, default=0)

    @property
    def mentions_per_1000_words(self) -> float | None:
        """The number of mentions in 1,000 words."""
        return None if self.words is None else _divide(1000 * self.mentions, self.words)

    @property
    def entities_per_1000_words(self) -> float | None:
        """The number of entities in 1,000 words."""
        return None if self.words is None else _divide(1000 * self.entities, self.words)

    @property
    def entity_range_p95(self) -> int | None:
        """The range of entities that 95 % of them do not exceed."""
        rank = int(0.95 * (self.entities - 1))
        tokens = sorted(self.entity_ranges)
        totals = [*accumulate(self.entity_ranges[number] for number in tokens)]
        return tokens[bisect_right(totals, rank)] if tokens else None

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


def statistics_of(documents: Input, *, singletons: str = "keep") -> Statistics:
    """Count the contents of documents, or of anything that `corefkit.read` reads.

    Args:
        documents: the documents.
        singletons: `keep` counts all entities, `drop` those of several mentions, and
            `only` those of one mention.

    Raises:
        SettingsError: `singletons` has another value.

    >>> from corefkit import read
    >>> from corefkit.example import paths
    >>> counts = statistics_of(read(paths()[0]))
    >>> counts.documents, counts.words, counts.mentions, counts.singleton_entities
    (4, 343, 109, 25)
    """
    if singletons not in SINGLETONS:
        message = f"unknown value {singletons!r} for 'singletons'"
        hint = suggest(singletons, SINGLETONS)
        raise SettingsError(message, code="settings/unknown-value", hint=hint)
    is_counted = SINGLETONS[singletons]
    counts = (_count_document(document, is_counted) for document in read(documents))
    return sum(counts, Statistics())


def _divide(part: int, total: int) -> float | None:
    return part / total if total else None


def _count_document(
    document: Document, is_counted: Callable[[int], bool]
) -> Statistics:
    mentioned = [entity for entity in document.entities if is_counted(len(entity))]
    entities = [entity for entity in mentioned if entity.referring]
    mentions = [mention for entity in entities for mention in entity.mentions]
    empty = sorted(document.empty)
    lengths = [_count_words(mention, empty) for mention in mentions]
    # The words of a document with mentions but without words are unknown.
    has_words = bool(document.sentences or not mentioned)
    tokens = sum(map(len, document.sentences))
    types = find_mention_types(document, mentions)
    heads = _find_heads(document, mentions)
    tags = document.layers.get("upos", ())
    return Statistics(
        documents=1,
        sentences=len(document.sentences) if has_words else None,
        words=tokens - len(empty) if has_words else None,
        empty_nodes=len(empty),
        mentions=len(mentions),
        discontinuous_mentions=sum(bool(mention.gaps) for mention in mentions),
        zero_mentions=lengths.count(0),
        nested_mentions=_count_nested(mentions),
        mentions_with_empty_nodes=sum(
            length < _count_words(mention)
            for mention, length in zip(mentions, lengths, strict=True)
        )
        if empty
        else 0,
        non_treelet_mentions=_count_non_treelets(document, mentions),
        mention_words=sum(lengths),
        entities=len(entities),
        singleton_entities=sum(len(entity) == 1 for entity in entities),
        largest_entity=max(map(len, entities), default=0),
        non_referring_entities=len(mentioned) - len(entities),
        split_antecedents=sum(bool(entity.split) for entity in entities),
        bridging_anaphors=len({bridge.anaphor for bridge in document.bridges}),
        typed_mentions=0 if types is None else len(types),
        mention_types={} if types is None else _count_types(types),
        entity_sizes=Counter(map(len, entities)),
        entity_ranges=Counter(_measure_range(entity, heads) for entity in entities),
        mention_lengths=Counter(lengths),
        head_tags=Counter(tags[heads[mention]] for mention in mentions if tags),
    )


def _find_heads(document: Document, mentions: Iterable[Mention]) -> dict[Mention, int]:
    """Return the heads of mentions; without syntax, they can be their first tokens."""
    syntax = build_syntax(document)
    heads = {}
    for mention in mentions:
        head = find_head(mention, syntax) if syntax is not None else mention.head
        heads[mention] = mention.start if head is None else head
    return heads


def _measure_range(entity: Entity, heads: Mapping[Mention, int]) -> int:
    """Return the tokens from the head of the first mention to that of the last one.

    Of mentions that start at the same token, the longest is first.
    """
    order = sorted(entity, key=lambda row: (row.start, -_count_words(row), row.end))
    return heads[order[-1]] - heads[order[0]]


def _count_non_treelets(document: Document, mentions: Iterable[Mention]) -> int | None:
    """Count mentions with several tokens whose parents are not in the mention."""
    rows = [mention for mention in mentions if mention.start < mention.end]
    if not rows:
        return 0
    if "head" not in document.layers:
        return None
    words = document.layers["head"]
    nodes = document.layers.get("deps", words)
    empty = set(document.empty)
    parents: list[set[int]] = []
    for sentence in document.sentences:
        tokens = range(len(parents), len(parents) + len(sentence))
        ids = map_conllu_ids(tokens, empty)
        for token in tokens:
            cells = [words[token]]
            if token in empty:
                cells = [parent for parent, _ in iter_dependencies(nodes[token])]
            parents.append({ids.get(cell, -1) for cell in cells})
    return sum(not _is_treelet(mention, parents) for mention in rows)


def _is_treelet(mention: Mention, parents: Sequence[set[int]]) -> bool:
    """Return whether at most one token has all its parents outside the mention."""
    tops = (
        token
        for first, last in mention.parts
        for token in range(first, last + 1)
        if not any(
            start <= parent <= end
            for parent in parents[token]
            for start, end in mention.parts
        )
    )
    return len([*islice(tops, 2)]) < 2


def _count_words(mention: Mention, empty: Sequence[int] = ()) -> int:
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
    "mean_length_with_zeros": "  Including zero mentions",
    "longest_mention": "Longest mention in words",
    "mentions_per_1000_words": "Mentions per 1,000 words",
    "entities": "Entities",
    "singleton_entities": "  Singleton entities",
    "multi_mention_entities": "  Multi-mention entities",
    "mean_entity_size": "Mean entity size",
    "mean_multi_mention_entity_size": "Mean multi-mention entity size",
    "largest_entity": "Largest entity",
    "entity_range_p95": "Entity range, 95th percentile",
    "entities_per_1000_words": "Entities per 1,000 words",
    "non_referring_entities": "Non-referring entities",
    "split_antecedents": "Split antecedents",
    "bridging_anaphors": "Bridging anaphors",
}
_SHARES = {
    "singleton_entities": "singleton_share",
    "multi_mention_entities": "multi_mention_share",
}
_LAST_BIN = 5  # with all larger numbers


def _count_bins(name: str, counts: Mapping[int, int], first: int) -> dict[str, int]:
    """Count numbers from `first` on in bins, by their names."""
    names = [f"{name}_{number}" for number in range(first, _LAST_BIN)]
    bins = dict.fromkeys([*names, f"{name}_{_LAST_BIN}_or_more"], 0)
    for number, count in counts.items():
        bins[[*bins][min(number, _LAST_BIN) - first]] += count
    return bins


def _count_heads(counts: Statistics) -> dict[str, int]:
    named = dict.fromkeys([*HEAD_TAGS.values(), "head_other"], 0)
    for tag, count in counts.head_tags.items():
        named[HEAD_TAGS.get(tag, "head_other")] += count
    return named


# Parts of a total: the heading, the counts by name, and the total.
_PARTS: Mapping[str, Callable[[Statistics], tuple[Mapping[str, int | None], int]]] = {
    "Mention forms, % of mentions": lambda counts: (
        {
            "mentions_with_gaps": counts.discontinuous_mentions,
            "mentions_with_empty_nodes": counts.mentions_with_empty_nodes,
            "non_treelet_mentions": counts.non_treelet_mentions,
        },
        counts.mentions,
    ),
    "Entity sizes, % of entities": lambda counts: (
        _count_bins("entity_size", counts.entity_sizes, 1),
        sum(counts.entity_sizes.values()),
    ),
    "Mention lengths, % of mentions": lambda counts: (
        _count_bins("mention_length", counts.mention_lengths, 0),
        sum(counts.mention_lengths.values()),
    ),
    "Head tags, % of mentions": lambda counts: (
        _count_heads(counts),
        sum(counts.head_tags.values()),
    ),
    "Mention types, % of mentions": lambda counts: (
        dict.fromkeys(MENTION_TYPES, 0) | dict(counts.mention_types),
        counts.typed_mentions,
    ),
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
        if name in _SHARES or name not in _LABELS:
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
    for count_parts in _PARTS.values():
        parts, total = count_parts(counts)
        for name, count in parts.items():
            share = None if count is None else _divide(count, total)
            yield name, None if share is None else count, share


def build_statistics_table(corpora: Corpora) -> Table:
    """Build the table of statistics, with a column for each corpus."""
    columns = [list(_iter_statistics(counts)) for _, counts in corpora]
    headings = {
        next(iter(count_parts(Statistics())[0])): heading
        for heading, count_parts in _PARTS.items()
    }
    rows = []
    for cells in zip(*columns, strict=True):
        name = cells[0][0]
        shares = [_format_percent(share) for _, _, share in cells]
        if name in headings and {*shares} != {UNKNOWN}:
            rows.append((headings[name], *[""] * len(corpora)))
        if name not in _LABELS:
            rows += [(_label_part(name), *shares)] if {*shares} != {UNKNOWN} else []
            continue
        rows.append((_LABELS[name], *(_format_number(value) for _, value, _ in cells)))
        if name in _SHARES:
            rows.append(("    % of entities", *shares))
    names = label_paths([path for path, _ in corpora])
    heads = [Column(name, is_name=True) for name in names]
    return Table((*make_columns([""]), *heads), make_rows(rows), mark_width=1)


def _label_part(name: str) -> str:
    """Return the label of a part, indented; subtypes are indented further."""
    label = name.replace("_", " ").replace("nps", "NPs")
    indent = "  " if MENTION_TYPES.get(name) is None else "    "
    return indent + {"misc": "Misc."}.get(name, label[0].upper() + label[1:])


def _format_number(value: Number) -> str:
    if value is None:
        return UNKNOWN
    return f"{value:,}" if isinstance(value, int) else f"{value:,.2f}"


def _format_percent(share: float | None) -> str:
    return UNKNOWN if share is None else f"{100 * share:.2f}"
