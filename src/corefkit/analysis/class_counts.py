"""Counts by class of mention, entity or document.

Documents have classes by the key: the counts of a class are those of its documents.
Otherwise each scored mention has a class, and there are two rules.

1.  `mentions`: each mention adds its share of a metric to its class. Recall counts the
    mentions of the key, precision those of the response. So the counts of all classes
    add up to those of the metric. Only some metrics are sums over mentions.
2.  `entities`: an entity has the class of most of its mentions; of several, that of the
    first in the text. Each class is aligned and counted with its entities alone.

A mention whose class cannot be determined has the class `unknown`.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefkit.alignment.pipeline import build_table
from corefkit.analysis.compare.sample import find_genre
from corefkit.analysis.errors.error_analysis import TYPES
from corefkit.analysis.errors.mention_facts import MentionDescriber, has_tokens
from corefkit.analysis.errors.mentions import join_mentions
from corefkit.classes import CLASSES, UNKNOWN, find_class, sort_classes
from corefkit.evaluation import ClassCounts, evaluate_runs
from corefkit.exceptions import CorefkitError, FormatError, SettingsError
from corefkit.metrics.mention_shares import MentionOrder
from corefkit.metrics.standard import add_by_group, to_rows
from corefkit.model import Mention
from corefkit.strings import normalize_id

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from corefkit.alignment.pipeline import Progress, Run
    from corefkit.alignment.scored_mentions import AlignedBlock, Block
    from corefkit.analysis.errors.mentions import MentionFacts, MentionTable
    from corefkit.arrays.columns import Counts, Flags, Ints
    from corefkit.evaluation import Blocks, Evaluation, Watch
    from corefkit.metrics.metric import Metric
    from corefkit.model import Document
    from corefkit.settings import Settings

_FIRST = CLASSES["distance"].values[0]
# The lower limits of all values but the first.
_LIMITS: Mapping[str, Sequence[int]] = {
    "size": (2, 3, 5, 10),
    "spread": (1, 100, 500, 2000),
    "distance": (0, 10, 25, 100),
    "position": (1, 2, 3),
    "length": (500, 1000, 2000, 5000),
}
_NO_SPEAKERS = {"", "-", "_"}
_META = "meta::"  # before the metadata of GUM
# What metrics need that is not about the entities of a class alone.
_OTHER_NEEDS = {"their bridging relations", "whether they refer"}


class ClassCounter:
    """Counts the classes of blocks on their way to being scored."""

    def __init__(
        self, settings: Settings, metrics: Sequence[Metric], *, is_explicit: bool
    ) -> None:
        self.settings, self.row = settings, find_class(settings.by)
        _check_settings(settings, is_of_documents=self.row.is_of_documents)
        self.metrics, self.notes = tuple(metrics), tuple[str, ...]()
        if not self.row.is_of_documents:
            self.metrics, self.notes = _select_metrics(
                settings, metrics, is_explicit=is_explicit
            )
        self._describer = MentionDescriber(has_texts=False)
        self._texts = _KeyTexts()
        self._parts: dict[int, list[_BlockCounts]] = defaultdict(list)

    def evaluate(
        self,
        runs: Sequence[Run],
        metrics: tuple[Metric, ...],
        progress: Progress | None = None,
        watch: Watch | None = None,
    ) -> dict[int, Evaluation]:
        """Return evaluations with classes, by response."""

        def watch_classes(runs: Sequence[Run], blocks: Blocks) -> Blocks:
            blocks = self._watch(runs, blocks)
            return blocks if watch is None else watch(runs, blocks)

        evaluations = evaluate_runs(runs, metrics, progress, watch_classes)
        return {
            number: replace(
                evaluation,
                notes=(*evaluation.notes, *self.notes),
                class_counts=self._join_counts(self._parts[number]),
            )
            for number, evaluation in evaluations.items()
        }

    def _watch(self, runs: Sequence[Run], blocks: Blocks) -> Blocks:
        """Count blocks as they pass; reject responses that cannot be counted."""
        for run, block in blocks:
            try:
                self._parts[run.number].append(self._count_block(run, block))
            except (CorefkitError, OSError) as error:
                run.reject(error)
            else:
                yield run, block
        self._describer.drop_documents()
        for run in runs:
            names = {name for part in self._parts[run.number] for name in part.used}
            if names == {UNKNOWN} and not run.is_rejected:
                message = f"no {self.row.name!r} is known, by which scores are divided"
                code, place = "format/missing-class", run.key.name
                run.reject(
                    FormatError(message, code=code, place=place, hint=self.row.hint)
                )

    def _join_counts(self, parts: Sequence[_BlockCounts]) -> ClassCounts:
        names = sort_classes(self.row.name, chain(*(part.used for part in parts)))
        codes = {name: code for code, name in enumerate(names)}
        class_of = [
            np.array([codes.get(name, -1) for name in part.names])[part.class_of]
            for part in parts
        ]
        counts = None
        if not self.row.is_of_documents:
            counts = {
                metric.name: np.concatenate(
                    [part.counts[metric.name] for part in parts]
                )
                for metric in (self.metrics if parts else ())
            }
        none = np.empty(0, np.int64)
        return ClassCounts(
            self.settings,
            self.metrics,
            tuple(names),
            np.concatenate([none, *(part.document for part in parts)]),
            np.concatenate([none, *class_of]),
            counts,
        )

    def _count_block(self, run: Run, block: AlignedBlock) -> _BlockCounts:
        # The tally has the documents of this block already.
        first = len(run.tally.documents) - len(block.key.numbers)
        if self.row.is_of_documents:
            labels = _label_texts(self._classify_documents(run, block))
            document = first + np.arange(len(labels.key))
            return _BlockCounts(document, labels.key, labels.names)
        has_copies = (block.key.copies + block.response.copies).any()
        if run.settings.counts_copies and has_copies:
            message = "duplicate mentions counted as the reference scorer does have no "
            message += "share of a score"
            hint = "--repeated first scores the first of them"
            raise SettingsError(message, code="settings/conflict", hint=hint)
        mentions = _BlockMentions(
            run, block, join_mentions(block), self._describer, self._texts
        )
        labels = ASSIGN[self.row.name](mentions)
        count = _count_entities if self.settings.keeps_entities else _count_mentions
        counts = count(mentions, labels, self.metrics)
        counts.document += first
        return counts

    def _classify_documents(self, run: Run, block: AlignedBlock) -> list[str]:
        if self.row.name == "length":
            words = block.key_read.token_count
            codes = _bin(np.maximum(words, 0), "length")
            names = self.row.values
            return [
                names[code] if count >= 0 else UNKNOWN
                for code, count in zip(codes.tolist(), words.tolist(), strict=True)
            ]
        labels = []
        for number in block.key.numbers:
            label = None
            if self.row.name == "genre":
                label = find_genre(normalize_id(run.key.ids[number or 0]))
            if label is None and not run.key.has_names:
                label = self._texts.find_metadata(run, number or 0, self.row.name)
            labels.append(label or UNKNOWN)
        return labels


def _check_settings(settings: Settings, *, is_of_documents: bool) -> None:
    """Reject settings under which classes are not defined."""
    problem, by = "", settings.class_name
    has_metadata = by == "speaker" or (is_of_documents and by != "length")
    if settings.joins_documents and has_metadata:
        problem = "documents that are joined have no common metadata"
        hint = "leave out --scope"
    elif settings.scores_key_mentions and settings.keeps_entities:
        problem = "a class alone has no mentions of the key that others match"
        hint = "--by-rule mentions, or leave out --mentions"
    elif settings.scores_split and not is_of_documents:
        problem, hint = "split antecedents have no class", "--split ignore"
    elif (
        settings.is_macro and settings.undefined_as is not None and not is_of_documents
    ):
        problem = "documents without mentions of a class would count in its mean"
        hint = "--undefined skip leaves them out"
    if problem:
        raise SettingsError(problem, code="settings/conflict", hint=hint)


def _select_metrics(
    settings: Settings, metrics: Sequence[Metric], *, is_explicit: bool
) -> tuple[tuple[Metric, ...], tuple[str, ...]]:
    """Select the metrics that the rule supports; the notes report the others."""
    if settings.keeps_entities:
        supported = [each for each in metrics if each.needs not in _OTHER_NEEDS]
        reason, hint = "links and mentions outside of entities have no class", "omit it"
    else:
        supported = [each for each in metrics if each.shares is not None]
        reason = "rule `mentions` requires sums over mentions"
        hint = "--by-rule entities scores the entities of each class"
    names = [metric.name for metric in metrics if metric not in supported]
    if names and (is_explicit or not supported):
        message = f"{', '.join(names)} cannot be scored by class: {reason}"
        raise SettingsError(message, code="settings/unsupported-metric", hint=hint)
    note = f"not scored by class: {', '.join(names)}: {reason}; {hint}"
    return tuple(supported), (note,) if names else ()


@dataclass(slots=True)
class _BlockCounts:
    """The counts of a block: a row for each document and class that it has."""

    document: Ints
    class_of: Ints
    names: Sequence[str]  # of classes
    counts: Mapping[str, Counts] = field(default_factory=dict)  # of each metric

    @property
    def used(self) -> set[str]:
        """The names of the classes that a document has."""
        return {self.names[code] for code in np.unique(self.class_of).tolist()}


class _Labels(NamedTuple):
    """The class of each row of a mention table on each side, and their names."""

    names: Sequence[str]
    key: Ints
    response: Ints


class _KeyTexts:
    """Metadata and speakers of documents of the key, which responses share."""

    def __init__(self) -> None:
        self._metadata: dict[tuple[int, int], str | None] = {}
        self._speakers: dict[tuple[int, int], Sequence[str]] = {}
        self._types: tuple[Block | None, Sequence[str]] = None, ()

    def read_key_types(self, block: Block) -> Sequence[str]:
        """Read the types of a block of the key once for all responses."""
        if self._types[0] is not block:
            self._types = block, _read_types(block)
        return self._types[1]

    def find_metadata(self, run: Run, number: int, name: str) -> str | None:
        """Return the first value of a comment `name = value`."""
        place = id(run.key), number
        if place not in self._metadata:
            comments = chain(*run.key.read_text(number).comments)
            pairs = (comment.partition("=") for comment in comments)
            values = (
                value.strip()
                for head, _, value in pairs
                if head.strip() in (name, f"{_META}{name}")
            )
            self._metadata[place] = next(values, None)
        return self._metadata[place]

    def find_speakers(self, run: Run, number: int) -> Sequence[str]:
        """Return the speaker of each token; none if they are unknown."""
        place = id(run.key), number
        if place not in self._speakers:
            if len(self._speakers) > 1 << 12:
                self._speakers.clear()
            self._speakers[place] = _list_speakers(run.key.read_text(number))
        return self._speakers[place]


def _list_speakers(document: Document) -> Sequence[str]:
    if "speaker" in document.layers:
        return document.layers["speaker"]
    speakers: list[str] = []
    for sentence, comments in zip(
        document.sentences,
        document.comments or ((),) * len(document.sentences),
        strict=True,
    ):
        pairs = (comment.partition("=") for comment in comments)
        values = (
            value.strip() for name, _, value in pairs if name.strip() == "speaker"
        )
        speakers += [next(values, "")] * len(sentence)
    return speakers


@dataclass
class _BlockMentions:
    """The mentions of a block in the order of the text."""

    run: Run
    block: AlignedBlock
    table: MentionTable
    describer: MentionDescriber
    texts: _KeyTexts

    @cached_property
    def facts(self) -> MentionFacts:
        return self.describer.describe(self.run, self.block, self.table)

    @cached_property
    def has_tokens(self) -> bool:
        return has_tokens(self.run, self.table)

    @property
    def entities(self) -> tuple[tuple[Ints, Ints], ...]:
        """The entity of each row, -1 if the side lacks it, and the sizes of all."""
        overlap = self.block.table
        return (
            (self.table.key_entity, overlap.key.size),
            (self.table.response_entity, overlap.response.size),
        )


# Classes: one function each, which labels the rows of a block.


def _bin(values: Ints, name: str) -> Ints:
    return np.digitize(values, _LIMITS[name])


def _label_values(name: str, *codes: Ints, is_unknown: Flags | bool = False) -> _Labels:
    """Label rows by values of a class; one array of codes serves both sides."""
    names = *CLASSES[name].values, UNKNOWN
    key, response = (
        np.where(is_unknown, len(names) - 1, side) for side in (codes[0], codes[-1])
    )
    return _Labels(names, key, response)


def _label_texts(key: Sequence[str], response: Sequence[str] | None = None) -> _Labels:
    """Label rows by texts; empty ones are unknown."""
    texts = [
        text or UNKNOWN for text in (*key, *(key if response is None else response))
    ]
    names = [*dict.fromkeys(texts)]
    codes = {name: code for code, name in enumerate(names)}
    numbers = np.array([codes[text] for text in texts], np.int64)
    return _Labels(names, numbers[: len(key)], numbers[len(key) :])


def _assign_kind(mentions: _BlockMentions) -> _Labels:
    facts, values = mentions.facts, CLASSES["kind"].values
    codes = np.array([values.index(type) for type in TYPES])[facts.type]
    is_zero = np.array([pronoun == "zero" for pronoun in facts.pronoun], np.bool_)
    codes = np.where(is_zero, values.index("zero"), codes)
    return _label_values("kind", codes, is_unknown=facts.type < 0)


def _assign_type(mentions: _BlockMentions) -> _Labels:
    table, (key_block, response_block, *_) = mentions.table, mentions.block
    key, response = (
        [types[number] if number >= 0 else "" for number in numbers.tolist()]
        for types, numbers in (
            (mentions.texts.read_key_types(key_block), table.key_mention),
            (_read_types(response_block), table.response_mention),
        )
    )
    pairs = zip(response, key, strict=True)
    return _label_texts(key, [own or matched for own, matched in pairs])


def _read_types(block: Block) -> list[str]:
    """Read the entity type of each scored mention; empty if it has none."""
    columns = block.scored_read
    if columns.names is not None:
        return [""] * len(columns.entity)
    gapped = set() if columns.details is None else {*columns.details.gap.tolist()}
    starts, ends = columns.start.tolist(), columns.end.tolist()
    types: list[str] = []
    for number, last in zip(block.numbers, columns.bounds["mention"][1:], strict=True):
        rows = range(len(types), int(last))
        document = None if number is None else block.source.read_document(number)
        by_mention = {
            mention: mention.attributes.get("type", "")
            # Of duplicates the first one is scored.
            for entity in reversed(document.entities if document else ())
            for mention in reversed(entity.mentions)
        }
        for row in rows:
            is_gapped = row in gapped
            mention = (
                columns.mention(row) if is_gapped else Mention(starts[row], ends[row])
            )
            types.append(by_mention.get(mention, ""))
    return types


def _assign_upos(mentions: _BlockMentions) -> _Labels:
    return _label_texts([tag.strip("_") for tag in mentions.facts.tag])


def _assign_size(mentions: _BlockMentions) -> _Labels:
    # Rows that a side lacks have the number -1.
    codes = [
        _bin(np.append(size, 0)[entity], "size") for entity, size in mentions.entities
    ]
    return _label_values("size", *codes)


def _assign_spread(mentions: _BlockMentions) -> _Labels:
    codes, start = [], mentions.table.start
    for entity, size in mentions.entities:
        low = np.full(len(size) + 1, np.iinfo(np.int64).max)
        high = np.zeros(len(size) + 1, np.int64)
        np.minimum.at(low, entity, start)
        np.maximum.at(high, entity, start)
        codes.append(_bin((high - low)[entity], "spread"))
    return _label_values("spread", *codes, is_unknown=not mentions.has_tokens)


def _assign_distance(mentions: _BlockMentions) -> _Labels:
    codes, start = [], mentions.table.start
    for entity, _ in mentions.entities:
        rows = np.argsort(entity, kind="stable")
        is_anaphor = entity[rows][1:] == entity[rows][:-1]
        distance = np.full(len(rows), -1)
        distance[rows[1:][is_anaphor]] = np.diff(start[rows])[is_anaphor]
        codes.append(_bin(distance, "distance"))
    return _label_values("distance", *codes, is_unknown=not mentions.has_tokens)


def _assign_speaker(mentions: _BlockMentions) -> _Labels:
    labels = [""] * len(mentions.table)
    if not mentions.has_tokens or mentions.run.key.has_names:
        return _label_texts(labels)
    numbers = mentions.block.key.numbers
    rows = zip(
        mentions.table.document.tolist(), mentions.table.start.tolist(), strict=True
    )
    for row, (document, start) in enumerate(rows):
        number = numbers[document] or 0
        speakers = mentions.texts.find_speakers(mentions.run, number)
        if start < len(speakers) and speakers[start] not in _NO_SPEAKERS:
            labels[row] = speakers[start]
    return _label_texts(labels)


def _assign_position(mentions: _BlockMentions) -> _Labels:
    key, table = mentions.block.key_read, mentions.table
    tokens = (key.token_count + key.empty_counts)[table.document]
    is_unknown = (key.token_count[table.document] < 0) | ~np.bool_(mentions.has_tokens)
    quarter = 4 * table.start // np.maximum(tokens, 1)
    return _label_values("position", _bin(quarter, "position"), is_unknown=is_unknown)


ASSIGN: Mapping[str, Callable[[_BlockMentions], _Labels]] = {
    "kind": _assign_kind,
    "type": _assign_type,
    "upos": _assign_upos,
    "size": _assign_size,
    "spread": _assign_spread,
    "distance": _assign_distance,
    "speaker": _assign_speaker,
    "position": _assign_position,
}


# Rules: counts of labelled mentions.


def _count_mentions(
    mentions: _BlockMentions, labels: _Labels, metrics: Sequence[Metric]
) -> _BlockCounts:
    """Add the shares of mentions to the classes of their documents."""
    table, overlap = mentions.table, mentions.block.table
    in_key, in_response = table.key_mention >= 0, table.response_mention >= 0
    is_pair = in_key & in_response
    width = max(len(overlap.response), 1)
    cells = overlap.key_entity * width + overlap.response_entity
    cell = table.key_entity[is_pair] * width + table.response_entity[is_pair]
    order = MentionOrder(
        np.searchsorted(cells, cell),
        table.key_entity[in_key],
        table.response_entity[in_response],
    )
    classes = len(labels.names)
    key = (table.document * classes + labels.key)[in_key]
    response = (table.document * classes + labels.response)[in_response]
    groups, group = np.unique(np.concatenate((key, response)), return_inverse=True)
    key_group, response_group = group[: len(key)], group[len(key) :]
    key_pair = key_group[is_pair[in_key]]
    response_pair = response_group[is_pair[in_response]]
    counts = {}
    for metric in metrics:
        assert metric.shares is not None, "metrics without shares are not selected"
        shares = metric.shares(overlap, order)
        row_groups = key_pair, key_group, response_pair, response_group
        counts[metric.name] = to_rows(
            *(
                add_by_group(values, group, len(groups))
                for values, group in zip(shares, row_groups, strict=True)
            )
        )
    document, class_of = np.divmod(groups, classes)
    return _BlockCounts(document, class_of, labels.names, counts)


def _count_entities(
    mentions: _BlockMentions, labels: _Labels, metrics: Sequence[Metric]
) -> _BlockCounts:
    """Count the entities of each class alone."""
    table, (key, response, *_) = mentions.table, mentions.block
    ignored = labels.names.index(_FIRST) if _FIRST in labels.names else -1
    flags = []
    for side, entity, mention, codes in (
        (key, table.key_entity, table.key_mention, labels.key),
        (response, table.response_entity, table.response_mention, labels.response),
    ):
        rows = mention >= 0
        elected = np.zeros(len(side.scored.entity_document), np.int64)
        _elect_classes(elected, entity[rows], codes[rows], ignored=ignored)
        flags.append(elected[side.scored.entity])
    parts: dict[str, list[Counts]] = {metric.name: [] for metric in metrics}
    documents: list[Ints] = []
    present = np.unique(np.concatenate(flags))
    for code in present.tolist():
        sides = key.keep(flags[0] == code), response.keep(flags[1] == code)
        document = np.unique(np.concatenate([side.scored.document for side in sides]))
        filtered = build_table(*sides, mentions.run.settings)
        for metric in metrics:
            parts[metric.name].append(metric.count(filtered)[document])
        documents.append(document)
    if not documents:
        parts = {
            metric.name: [metric.count(mentions.block.table)[:0]] for metric in metrics
        }
    return _BlockCounts(
        np.concatenate([np.empty(0, np.int64), *documents]),
        np.repeat(present, [len(document) for document in documents]),
        labels.names,
        {name: np.concatenate(rows) for name, rows in parts.items()},
    )


def _elect_classes(elected: Ints, entity: Ints, code: Ints, *, ignored: int) -> None:
    """Set the class of each entity to that of most of its mentions.

    Mentions are in the order of the text. The ignored class has the fewest votes.
    """
    width = int(code.max(initial=0)) + 1
    votes, first, size = np.unique(
        entity * width + code, return_index=True, return_counts=True
    )
    owner, candidate = np.divmod(votes, width)
    size[candidate == ignored] = 0
    order = np.lexsort((-first, size, owner))
    elected[owner[order]] = candidate[order]  # the last one of each entity stays
