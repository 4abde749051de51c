"""The edit script: responses with some kinds of errors repaired, and their scores.

Each error has its edit, and kinds are repaired in one order:

    span             the response mention gets the key mention's tokens
    conflated        the piece becomes a separate entity
    extra mention    it is removed
    extra entity     its extra mentions are removed
    divided          the entity that contains the piece by now is merged with that of
                     the key entity's anchor; a missing anchor is added to it
    missing mention  it is added to the entity of its anchor; if that is not there, of
                     the earliest mention of its key entity that is
    missing entity   its missing mentions are added the same way, or as a new entity

Whenever an edit leaves an entity with one mention, and the key lacks that, it goes too:
the anchors that are not separate errors. With all kinds repaired the response is the
key.

Errors are found once, with span errors repaired. If these are not to be repaired, a
response mention goes along with the key mention that it is paired with, and keeps its
own tokens.

A document's counts depend only on which of the kinds that it has are repaired, so each
such choice is counted once, and all of them together are one overlap table. The
response as it is has the counts of its score. Settings that leave mentions out do so
once, before errors are searched: singletons that a repair makes stay.

Corrected documents have the words of the response if its tokens are the key's, else
those of the key. Mentions keep the attributes of their side. Bridging and split
antecedents, which no kind repairs, are left out, and so are mentions that the settings
leave out.

Source: Kummerfeld and Klein 2013, whose program leaves those anchors behind.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from corefkit.alignment.overlap import Entities, Overlap
from corefkit.analysis.errors.error_analysis import KINDS
from corefkit.analysis.errors.kinds import Groups, earliest
from corefkit.arrays.columns import compute_offsets, sort_indices
from corefkit.evaluation import Evaluation
from corefkit.exceptions import SettingsError
from corefkit.metrics.metric import compute_mean
from corefkit.metrics.registry import CONLL
from corefkit.metrics.scores import collect_mean_scores
from corefkit.model import Document, Entity, Mention

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from corefkit.alignment.pipeline import Run
    from corefkit.alignment.scored_mentions import AlignedBlock
    from corefkit.analysis.errors.error_analysis import Scores
    from corefkit.analysis.errors.kinds import Kinds
    from corefkit.analysis.errors.mentions import Joined
    from corefkit.arrays.columns import Flags, Floats, Ints
    from corefkit.metrics.metric import Metric
    from corefkit.settings import Settings

# The kinds that are repaired, by the names of states. The ladder repairs one kind more
# at a time.
LADDER: Mapping[str, frozenset[str]] = {
    "response": frozenset(),
    **{kind: frozenset(KINDS[: number + 1]) for number, kind in enumerate(KINDS)},
}
ALONE: Mapping[str, frozenset[str]] = {kind: frozenset({kind}) for kind in KINDS}
ALL_BUT: Mapping[str, frozenset[str]] = {
    kind: frozenset(KINDS) - {kind} for kind in KINDS
}


def repaired(kinds: Kinds, which: Collection[str]) -> Ints:
    """Repair some kinds of errors: the entity of each mention then, -1 for no one.

    Entities that the response has keep their numbers; others have numbers above these.
    The rows are those of `kinds.before`.
    """
    state = _State(kinds)
    for kind in KINDS[1:]:
        if kind in which:
            _EDITS[kind](state)
    entity, spans = state.entity, kinds.spans
    if "span" not in which:
        entity[spans.response] = entity[spans.key]
        entity[spans.key] = -1
    return entity


class _State:
    """The response so far: an entity for each mention that it has."""

    def __init__(self, kinds: Kinds) -> None:
        self.kinds = kinds
        self.entity = kinds.table.response_entity.copy()
        # Numbers of new entities: one for each piece, then one for each key entity.
        self.of_piece = len(kinds.response.size)
        self.of_key = self.of_piece + len(kinds.pieces.size)
        self.many = self.of_key + len(kinds.key.size)

    def split_pieces(self) -> None:
        """Make conflated pieces entities of their own."""
        piece, apart = self.kinds.pieces, self.kinds.response.apart
        rows = _flagged(piece.of, apart)
        self.entity[rows] = self.of_piece + piece.of[rows]
        self._clear(piece.response[apart])

    def remove_mentions(self) -> None:
        """Remove extra mentions."""
        self._remove(np.flatnonzero(self.kinds.response.alone))

    def remove_entities(self) -> None:
        """Remove the extra mentions of extra entities."""
        side, table = self.kinds.response, self.kinds.table
        rows = _flagged(table.response_entity, side.whole)
        self._remove(rows[side.lacking[rows]])

    def _remove(self, rows: Ints) -> None:
        touched = self.entity[rows]
        self.entity[rows] = -1
        self._clear(touched[touched >= 0])

    def _clear(self, touched: Ints) -> None:
        """Remove what an edit left of entities, if that is one extra mention."""
        there = self.entity[self.entity >= 0]
        single = np.zeros(self.many, np.bool_)
        single[touched] = True
        single &= np.bincount(there, minlength=self.many) == 1
        extra = np.flatnonzero(self.kinds.response.lacking & (self.entity >= 0))
        self.entity[extra[single[self.entity[extra]]]] = -1

    def join_pieces(self) -> None:
        """Join divided pieces with the anchors of their key entities."""
        pieces, key = self.kinds.pieces, self.kinds.key
        of_key = pieces.key[key.apart]
        anchor = key.anchor[of_key]
        missing = self.entity[anchor] < 0
        self.entity[anchor[missing]] = self.of_key + of_key[missing]
        first = self.entity[pieces.first[key.apart]]
        number = _united(first, self.entity[anchor], self.many)
        there = self.entity >= 0
        self.entity[there] = number[self.entity[there]]

    def add_mentions(self) -> None:
        """Add missing mentions."""
        self._add(np.flatnonzero(self.kinds.key.alone))

    def add_entities(self) -> None:
        """Add the missing mentions of missing entities."""
        rows = _flagged(self.kinds.table.key_entity, self.kinds.key.whole)
        self._add(rows[self.entity[rows] < 0])

    def _add(self, rows: Ints) -> None:
        key, entity = self.kinds.key, self.kinds.table.key_entity
        there = np.flatnonzero((entity >= 0) & (self.entity >= 0))
        first = earliest(entity, there, len(key.size))
        first = np.where(self.entity[key.anchor] >= 0, key.anchor, first)
        new = self.of_key + np.arange(len(first))
        home = np.where(first < 0, new, self.entity[first])
        self.entity[rows] = home[entity[rows]]


_EDITS: Mapping[str, Callable[[_State], None]] = {
    "conflated": _State.split_pieces,
    "extra_mention": _State.remove_mentions,
    "extra_entity": _State.remove_entities,
    "divided": _State.join_pieces,
    "missing_mention": _State.add_mentions,
    "missing_entity": _State.add_entities,
}


def _flagged(group: Ints, flags: Flags) -> Ints:
    """Find the rows whose group is flagged."""
    rows = np.flatnonzero(group >= 0)
    return rows[flags[group[rows]]]


def _united(first: Ints, second: Ints, many: int) -> Ints:
    """Join groups in pairs, and what hangs together by these: the least number of each.

    >>> _united(np.array([4, 1]), np.array([3, 4]), 5).tolist()
    [0, 1, 2, 1, 1]
    """
    least = np.arange(many)
    while True:
        one, other = least[first], least[second]
        if np.array_equal(one, other):
            return least
        np.minimum.at(least, np.maximum(one, other), np.minimum(one, other))
        while not np.array_equal(least, least[least]):
            least = least[least]


def entities_of_state(table: Joined, entity: Ints) -> list[list[tuple[Hashable, ...]]]:
    """List the entities of each document, by their first mentions.

    Args:
        table: the mentions, as they were joined.
        entity: the entity of each, as `repaired` gives it.
    """
    groups = Groups(entity)
    found: list[list[tuple[Hashable, ...]]] = [[] for _ in range(table.documents)]
    there = np.flatnonzero(entity >= 0)
    first = np.sort(there[np.unique(entity[there], return_index=True)[1]])
    for row in first.tolist():
        rows = groups.rows(int(entity[row]))
        mentions = tuple([table.mention(member) for member in rows])
        found[int(table.document[row])].append(mentions)
    return found


_Members: TypeAlias = Callable[[int], tuple[Hashable, ...]]


class _Part(NamedTuple):
    """Some documents with the same kinds repaired, their entities numbered anew."""

    documents: int
    key: Ints  # the key's entities, by their numbers in the joined table
    key_document: Ints
    response_document: Ints
    response_size: Ints
    cells: tuple[Ints, Ints, Ints]  # key entity, response entity, mentions shared


def table_of_repairs(
    kinds: Kinds,
    repairs: Sequence[tuple[Collection[str], Flags]],
    *,
    named: bool = False,
) -> Overlap:
    """Build one table of documents with errors repaired.

    Args:
        kinds: the errors.
        repairs: kinds to repair, and which documents are wanted with these repaired.
            They stand in the table in this order.
        named: whether the table knows the mentions of its entities.
    """
    parts = [_part(kinds, *repair) for repair in repairs]
    documents = compute_offsets(part.documents for part in parts)
    keys = compute_offsets(len(part.key) for part in parts)
    responses = compute_offsets(len(part.response_size) for part in parts)
    key = np.concatenate([part.key for part in parts])
    key_cell, response_cell, shared = zip(*(part.cells for part in parts), strict=True)
    ours = Entities(
        _moved([part.key_document for part in parts], documents), kinds.key.size[key]
    )
    theirs = Entities(
        _moved([part.response_document for part in parts], documents),
        np.concatenate([part.response_size for part in parts]),
    )
    if named:
        ours = replace(ours, members=_members_of_key(kinds, key))
        of_response = _members_of_responses(kinds, repairs, responses)
        theirs = replace(theirs, members=of_response)
    return Overlap(
        documents[-1],
        ours,
        theirs,
        _moved(key_cell, keys),
        _moved(response_cell, responses),
        np.concatenate(shared),
    )


def _part(kinds: Kinds, which: Collection[str], wanted: Flags) -> _Part:
    table = kinds.table
    number = np.cumsum(wanted) - 1
    rows, entity, home = _entities_of_rows(kinds, which, wanted)
    keys = np.flatnonzero(wanted[kinds.key.document])
    key_number = np.full(len(kinds.key.size) + 1, -1, np.int64)  # the last is of -1
    key_number[keys] = np.arange(len(keys))
    key = key_number[table.key_entity[rows]]
    both, width = key >= 0, max(len(home), 1)
    cells, shared = np.unique(key[both] * width + entity[both], return_counts=True)
    return _Part(
        int(wanted.sum()),
        keys,
        number[kinds.key.document[keys]],
        number[home],
        np.bincount(entity, minlength=len(home)),
        (*np.divmod(cells, width), shared),
    )


def _entities_of_rows(
    kinds: Kinds, which: Collection[str], wanted: Flags
) -> tuple[Ints, Ints, Ints]:
    """Find the rows of a repaired response, their entities, and these' documents.

    Entities are numbered by document.
    """
    entity, document = repaired(kinds, which), kinds.table.document
    rows = np.flatnonzero(wanted[document] & (entity >= 0))
    home = np.full(int(entity.max(initial=-1)) + 1, -1, np.int64)
    home[entity[rows]] = document[rows]
    there = np.flatnonzero(home >= 0)
    there = there[sort_indices(home[there])]
    number = np.empty(len(home), np.int64)
    number[there] = np.arange(len(there))
    return rows, number[entity[rows]], home[there]


def _moved(parts: Sequence[Ints], offsets: Sequence[int]) -> Ints:
    """Put numbers one behind the other, each part counted on from those before."""
    pairs = zip(parts, offsets, strict=False)
    return np.concatenate([part + offset for part, offset in pairs])


def _members_of_key(kinds: Kinds, key: Ints) -> _Members:
    """Look up mentions of the key's entities, when they are asked for."""

    @cache
    def groups() -> Groups:
        return Groups(kinds.table.key_entity)

    def members(entity: int) -> tuple[Hashable, ...]:
        rows = groups().rows(int(key[entity]))
        return tuple([kinds.before.mention(row) for row in rows])

    return members


def _members_of_responses(
    kinds: Kinds,
    repairs: Sequence[tuple[Collection[str], Flags]],
    first: Sequence[int],
) -> _Members:
    """Look up mentions of repaired entities, which are made again when asked for."""

    @cache
    def found(part: int) -> tuple[Ints, Groups]:
        rows, entity, _ = _entities_of_rows(kinds, *repairs[part])
        return rows, Groups(entity)

    def members(entity: int) -> tuple[Hashable, ...]:
        part = bisect_right(first, entity) - 1
        rows, groups = found(part)
        inside = groups.rows(entity - first[part])
        return tuple([kinds.before.mention(int(rows[row])) for row in inside])

    return members


_LARGEST = 1 << 20  # mentions that are counted at a time, if there are several repairs

# Kinds that are repaired.
Repair: TypeAlias = frozenset[str]
REPAIRS: tuple[Repair, ...] = tuple(
    dict.fromkeys([*LADDER.values(), *ALONE.values(), *ALL_BUT.values()])
)


@dataclass(slots=True)
class Costs:
    """The counts of one response under some repairs, a row a document, so far.

    >>> from corefkit.alignment.pipeline import iter_aligned_blocks, open_runs
    >>> from corefkit.analysis.errors.mentions import joined
    >>> from corefkit.analysis.errors.kinds import kinds_of_errors
    >>> from corefkit.analysis.errors.kinds import no_span_errors
    >>> from corefkit.metrics.registry import find_metrics
    >>> from corefkit.settings import DEFAULT_SETTINGS
    >>> costs = Costs(find_metrics("b_cubed"), DEFAULT_SETTINGS)
    >>> key, response = ["abc", "de"], ["ab", "cd"]
    >>> with open_runs(key, [response], settings=DEFAULT_SETTINGS) as opened:
    ...     for _, block in iter_aligned_blocks(opened):
    ...         costs.add(block, kinds_of_errors(joined(block), no_span_errors()))
    >>> ladder = costs.scores(LADDER)
    >>> {name: round(ladder[name]["b_cubed"], 4) for name in ("response", "conflated")}
    {'response': 0.5493, 'conflated': 0.6047}
    >>> {name: round(ladder[name]["b_cubed"], 4) for name in ("divided", KINDS[-1])}
    {'divided': 0.8235, 'missing_entity': 1.0}
    """

    metrics: tuple[Metric, ...]
    settings: Settings
    repairs: Sequence[Repair] = REPAIRS
    counts: dict[Repair, list[Mapping[str, Floats]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse metrics that need more than entities."""
        for metric in self.metrics:
            if metric.needs:
                message = (
                    f"{metric.name!r} needs more of mentions than their entities, "
                    f"{metric.needs}, which repaired responses do not have"
                )
                raise SettingsError(
                    message,
                    code="settings/unsupported-metric",
                    hint="choose others for --repair",
                )

    def add(self, block: AlignedBlock, kinds: Kinds) -> None:
        """Count all repairs of a block of documents."""
        choices = _choices(kinds, self.repairs)
        parts: dict[str, list[Floats]] = {metric.name: [] for metric in self.metrics}
        tables = _tables(kinds, choices, named=self.settings.is_exact)
        for table in chain([block.table], tables):
            for metric in self.metrics:
                parts[metric.name].append(metric.count(table))
        counts = {name: np.concatenate(found) for name, found in parts.items()}
        for repair, rows in zip(choices.repairs, choices.rows, strict=True):
            chosen = {name: counts[name][rows] for name in counts}
            self.counts.setdefault(repair, []).append(chosen)

    def scores(
        self, states: Mapping[str, Repair], settings: Settings | None = None
    ) -> dict[str, Scores]:
        """Score states: a number by metric, and the CoNLL mean if its parts are there.

        The number is F1, or the value of a metric that has one.

        Args:
            states: the repairs by name, such as `LADDER`.
            settings: how counts are scored, if otherwise than it was said before.
        """
        settings = settings or self.settings
        return {name: self._scores(states[name], settings) for name in states}

    def _scores(self, repair: Repair, settings: Settings) -> Scores:
        blocks = self.counts[repair]
        counts = {
            metric.name: np.concatenate([block[metric.name] for block in blocks])
            for metric in self.metrics
        }
        documents = len(counts[self.metrics[0].name])
        if settings.is_macro and documents:
            return _averaged(self.metrics, counts, settings)
        scored = Evaluation("", "", settings, self.metrics, ("",) * documents, counts)
        found = {
            name: score.f1 if score.value is None else score.value
            for name, score in scored.scores.items()
        }
        return found if scored.conll is None else {**found, "conll": scored.conll}


def _averaged(
    metrics: Iterable[Metric], counts: Mapping[str, Floats], settings: Settings
) -> Scores:
    """Average the scores of documents, as an evaluation does, but all at once."""
    found = {}
    for metric in metrics:
        scores = collect_mean_scores(metric, counts[metric.name], settings)
        values, counts_in = scores["value" if "value" in scores else "f1"]
        found[metric.name] = compute_mean(values[counts_in].tolist())
    if all(part in found for part in CONLL):
        found["conll"] = compute_mean([found[part] for part in CONLL])
    return found


class _Choices(NamedTuple):
    """Which documents are counted anew, and where the counts of each repair are.

    Row d is document d of the response; those behind are documents of some repair, in
    the order of repairs and then of documents.
    """

    repairs: Sequence[Repair]
    new: list[Flags]  # by repair: the documents that it is the first to change so
    rows: list[Ints]  # by repair: the row of each document


def _choices(kinds: Kinds, repairs: Iterable[Repair]) -> _Choices:
    documents = kinds.table.documents
    has = (kinds.counts > 0) @ (1 << np.arange(len(KINDS)))
    # The row of each document with each choice of its kinds repaired.
    row = np.full((documents, 1 << len(KINDS)), -1, np.int64)
    row[:, 0] = np.arange(documents)
    each, many = np.arange(documents), documents
    found = _Choices(list(repairs), [], [])
    for repair in found.repairs:
        bits = sum(1 << KINDS.index(kind) for kind in repair)
        new: Flags = row[each, has & bits] < 0
        row[new, (has & bits)[new]] = many + np.arange(int(new.sum()))
        many += int(new.sum())
        found.new.append(new)
        found.rows.append(row[each, has & bits])
    return found


def _tables(kinds: Kinds, choices: _Choices, *, named: bool) -> Iterator[Overlap]:
    """Build tables of what is counted anew, some repairs at a time."""
    pairs = zip(choices.repairs, choices.new, strict=True)
    wanted = [(repair, new) for repair, new in pairs if new.any()]
    together = max(_LARGEST // max(len(kinds.table), 1), 1)
    for first in range(0, len(wanted), together):
        part = wanted[first : first + together]
        yield table_of_repairs(kinds, part, named=named)


def base_document(run: Run, block: AlignedBlock, row: int) -> tuple[Document, Document]:
    """Return the document to be corrected, without entities, and the known mentions.

    Raises:
        SettingsError: the mentions are names and have no text to stand in.
    """
    if block.table.mentions.key.names is not None:
        message = "mentions that are names cannot be written as documents"
        hint = "give files or documents, whose mentions are spans of tokens"
        raise SettingsError(message, code="input/not-a-span", hint=hint)
    number, partner = block.key.numbers[row], block.response.numbers[row]
    key = run.key.read_document(number or 0)
    if partner is None:
        return _bare(key), key
    response = run.response.read_document(partner)
    worded = response.sentences or not key.sentences
    if row in block.differences or response.empty != key.empty or not worded:
        # Mentions have the key's tokens; its words go with them.
        return _bare(key, id=response.id), key
    both = Document(response.id, (), (*response.entities, *key.entities))
    return _bare(response), both


def _bare(document: Document, *, id: str | None = None) -> Document:
    return Document(
        id or document.id,
        document.sentences,
        (),
        document.empty,
        layers=document.layers,
        comments=document.comments,
        origin=document.origin,
    )


def corrected_document(
    base: Document, known: Document, entities: Sequence[Sequence[Hashable]]
) -> Document:
    """Put entities into a document; mentions get all that is known of them.

    >>> key = Document(
    ...     "d", (("Ann", "left"),), (Entity("1", (Mention(0, 0, head=0),)),)
    ... )
    >>> corrected_document(_bare(key), key, [[Mention(0, 0)]]).entities[0].mentions[0]
    Mention(start=0, end=0, head=0)
    """
    mentions: dict[Hashable, Mention] = {}
    for entity in known.entities:
        for mention in entity.mentions:
            mentions.setdefault(mention, mention)
    found = [
        Entity(
            str(number),
            tuple(
                mentions.get(mention, mention)
                for mention in members
                if isinstance(mention, Mention)
            ),
        )
        for number, members in enumerate(entities)
    ]
    return Document(
        base.id,
        base.sentences,
        tuple(found),
        base.empty,
        layers=base.layers,
        comments=base.comments,
        origin=base.origin,
    )
