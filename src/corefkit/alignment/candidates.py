"""Candidate pairs of mentions that may match although their tokens differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from corefkit.alignment.assignment import solve_assignment
from corefkit.alignment.scored_mentions import CrowdedDocument
from corefkit.arrays.columns import expand_runs, sort_indices

if TYPE_CHECKING:
    from corefkit.alignment.matching import Positions
    from corefkit.arrays.columns import Flags, Floats, Ints

# The mentions of key and response that are not aligned yet.
Free: TypeAlias = "tuple[Flags, Flags]"

# Added to the weight of equal mentions, so that they are preferred if totals are equal.
_TIE = 2.0**-30
_MAX_DENSE = 1 << 22  # cells of a matrix that may be dense
# The maximum number of pairs in a document, and of pairs per mention: real mentions are
# nested a few levels deep, and have far fewer.
MAX_PAIRS, _MAX_PAIRS_PER_MENTION = 1 << 20, 100
_NESTED = "pairs of key and response mentions overlap or lie around one head"
_HINT = (
    "such mentions lie one in another: look for brackets that never close; `--match "
    "exact`, without the metrics that compare overlaps, looks at no pairs"
)


class Alignment(NamedTuple):
    """A one-to-one map: the numbers of the key and response mentions that match."""

    key: Ints
    response: Ints

    @classmethod
    def empty(cls) -> Alignment:
        return cls(np.empty(0, np.int64), np.empty(0, np.int64))

    def join(self, other: Alignment) -> Alignment:
        return Alignment(*map(np.concatenate, zip(self, other, strict=True)))


class MentionPairs(NamedTuple):
    """Pairs of mentions that may match, with positive weights."""

    key: Ints
    response: Ints
    weight: Floats

    def take(self, rows: Ints) -> MentionPairs:
        return MentionPairs(self.key[rows], self.response[rows], self.weight[rows])

    @property
    def have_no_rival(self) -> Flags:
        """Flag the pairs of which neither mention is in another pair."""
        flags: Flags = (np.bincount(self.key, minlength=1)[self.key] == 1) & (
            np.bincount(self.response, minlength=1)[self.response] == 1
        )
        return flags

    def join(self, other: MentionPairs) -> MentionPairs:
        parts = zip(self, other, strict=True)
        return MentionPairs(*(np.concatenate(part) for part in parts))


def choose_pairs(
    pairs: MentionPairs, key: Positions, response: Positions, free: Free
) -> Alignment:
    """Choose pairs one to one so that their total weight is largest.

    Pairs without rivals are chosen at once. The others are chosen in the order of the
    text from all free mentions of a document, which settles ties.
    """
    has_no_rival = pairs.have_no_rival
    if has_no_rival.all():
        return Alignment(pairs.key, pairs.response)
    document = key.columns.document
    is_unclear = np.zeros(key.columns.documents, np.bool_)
    is_unclear[document[pairs.key[~has_no_rival]]] = True
    is_clear = ~is_unclear[document[pairs.key]]
    parts = [Alignment(pairs.key[is_clear], pairs.response[is_clear])]
    for number in np.flatnonzero(is_unclear).tolist():
        in_document = pairs.take(np.flatnonzero(document[pairs.key] == number))
        keys = _sort_by_text(key, free[0], number)
        responses = _sort_by_text(response, free[1], number)
        parts.append(_choose_in_document(in_document, keys, responses))
    return Alignment(*map(np.concatenate, zip(*parts, strict=True)))


def choose_all_pairs(
    pairs: MentionPairs, key: Positions, response: Positions
) -> Alignment:
    """Choose pairs one to one, of which those with rivals are few.

    In contrast to `choose_pairs`, mentions without rivals cannot settle ties.
    """
    has_no_rival = pairs.have_no_rival
    clear, unclear = (
        pairs.take(np.flatnonzero(flags)) for flags in (has_no_rival, ~has_no_rival)
    )
    free = np.zeros(len(key.start), np.bool_), np.zeros(len(response.start), np.bool_)
    free[0][unclear.key], free[1][unclear.response] = True, True
    chosen = choose_pairs(unclear, key, response, free)
    return Alignment(clear.key, clear.response).join(chosen)


def _choose_in_document(pairs: MentionPairs, keys: Ints, responses: Ints) -> Alignment:
    if len(keys) * len(responses) > _MAX_DENSE:
        pairs = pairs.take(np.argsort(pairs.key, kind="stable"))
        cells = solve_assignment(pairs.key, pairs.response, pairs.weight)
        return Alignment(pairs.key[cells], pairs.response[cells])
    from scipy.optimize import linear_sum_assignment

    row_of = {mention: row for row, mention in enumerate(keys.tolist())}
    column_of = {mention: column for column, mention in enumerate(responses.tolist())}
    weight = np.zeros((len(keys), len(responses)))
    row = [row_of[mention] for mention in pairs.key.tolist()]
    column = [column_of[mention] for mention in pairs.response.tolist()]
    weight[row, column] = pairs.weight
    rows, columns = linear_sum_assignment(weight, maximize=True)
    is_pair = weight[rows, columns] > 0
    return Alignment(keys[rows[is_pair]], responses[columns[is_pair]])


def _sort_by_text(side: Positions, free: Flags, document: int) -> Ints:
    mentions = np.flatnonzero(free & (side.columns.document == document))
    size = side.size()[mentions]
    return mentions[np.lexsort((size, side.end[mentions], side.start[mentions]))]


def check_pairs(
    key: Positions,
    response: Positions,
    document: Ints,  # of each mention
    size: Ints,  # the number of its possible partners
    *,
    description: str = _NESTED,
    hint: str = _HINT,
) -> None:
    """Raise CrowdedDocument if a document has too many pairs to be weighed."""
    documents = key.columns.documents
    pairs = np.bincount(document, size, documents)
    mentions = sum(
        np.bincount(side.columns.document, minlength=documents)
        for side in (key, response)
    )
    limit = np.maximum(mentions * _MAX_PAIRS_PER_MENTION, MAX_PAIRS)
    if np.any(pairs > limit):
        number = int(np.argmax(pairs - limit))
        message = (
            f"{int(pairs[number]):,} {description}, "
            f"expected at most {int(limit[number]):,} in a document"
        )
        raise CrowdedDocument(message, document=number, hint=hint)


def check_lengths(document: int, start: Ints, end: Ints) -> None:
    """Raise CrowdedDocument if mentions of a document have too many words in all."""
    # A tree is built for each mention, nested or not.
    total = int((end - start + 1).sum())
    limit = max(len(start) * _MAX_PAIRS_PER_MENTION, MAX_PAIRS)
    if total > limit:
        message = (
            f"its mentions have {total:,} words to look up in trees, "
            f"expected at most {limit:,} in a document"
        )
        raise CrowdedDocument(message, document=document, hint=_HINT)


def find_head_positions(side: Positions) -> Ints:
    """Return the position of each head; -1 if unknown. One token is its own head."""
    columns = side.columns
    head = np.full(len(columns.start), -1, np.int64)
    if columns.details is not None:
        head = side.of(columns.document, columns.details.head)
    return np.where((head < 0) & (columns.start == columns.end), side.start, head)


def pair_by_anchor(
    key: Positions, response: Positions, free: Free, anchors: tuple[Ints, Ints]
) -> MentionPairs:
    """Pair free mentions with the same anchor (a head or minimum span; -1 is none)."""
    keys, responses = (
        np.flatnonzero(flags & (anchor >= 0))
        for flags, anchor in zip(free, anchors, strict=True)
    )
    key_anchor, response_anchor = anchors[0][keys], anchors[1][responses]
    mention, partner = _pair_by_range(
        key, keys, response, responses, response_anchor, key_anchor, key_anchor
    )
    return weigh_pairs(key, response, mention, partner)


def _pair_by_range(
    outer: Positions,
    mentions: Ints,
    inner: Positions,
    partners: Ints,
    value: Ints,
    low: Ints,
    high: Ints,
) -> tuple[Ints, Ints]:
    """Pair mentions in their documents with partners whose value is in their range."""
    inner_document = inner.columns.document[partners]
    mention, row = _find_in_range(
        outer, mentions, inner, inner_document, value, low, high
    )
    return mention, partners[row]


def _find_in_range(
    outer: Positions,
    mentions: Ints,
    inner: Positions,
    inner_document: Ints,
    value: Ints,
    low: Ints,
    high: Ints,
) -> tuple[Ints, Ints]:
    """Pair mentions in their documents with the rows of values in their range."""
    width = int(max(value.max(initial=0), high.max(initial=0))) + 2
    code = inner_document * width + value
    document = outer.columns.document[mentions]
    order = sort_indices(code)
    first = np.searchsorted(code[order], document * width + low, "left")
    end = np.searchsorted(code[order], document * width + high, "right")
    size = np.maximum(end - first, 0)
    check_pairs(outer, inner, document, size)
    return np.repeat(mentions, size), order[expand_runs(first, size)]


def pair_by_core(
    key: Positions, response: Positions, free: Free, *, minimum: bool
) -> MentionPairs:
    """Pair key mentions with response mentions inside them that contain their head.

    With `minimum` the response must contain the minimum of the key mention, and its
    head only if it has no minimum.
    """
    first = last = find_head_positions(key)
    if minimum and key.columns.details is not None:
        details, document = key.columns.details, key.columns.document
        has_minimum = details.minimum_start >= 0
        first = np.where(has_minimum, key.of(document, details.minimum_start), first)
        last = np.where(has_minimum, key.of(document, details.minimum_end), last)
    keys, responses = np.flatnonzero(free[0] & (first >= 0)), np.flatnonzero(free[1])
    # Candidates start between the start of the key mention and that of its core.
    mention, partner = _pair_by_range(
        key,
        keys,
        response,
        responses,
        response.start[responses],
        key.start[keys],
        first[keys],
    )
    fits = (response.end[partner] >= last[mention]) & (
        response.end[partner] <= key.end[mention]
    )
    # For pairs without scattered mentions, the bounds are enough.
    for pair in _find_scattered(key, response, mention, partner):
        number = int(mention[pair])
        positions = key.set_of(number)
        bounds = range(int(first[number]), int(last[number]) + 1)
        core = {position for position in positions if position in bounds}
        fits[pair] &= core <= response.set_of(int(partner[pair])) <= positions
    return weigh_pairs(key, response, mention[fits], partner[fits])


def pair_by_first_part(key: Positions, response: Positions, free: Free) -> MentionPairs:
    """Pair key mentions with response mentions of which a part is in their first part.

    Mentions that are one empty node match only by their position.
    """
    keys, responses = (
        flags & ~((side.start == side.end) & side.are_empty(np.arange(len(flags))))
        for flags, side in zip(free, (key, response), strict=True)
    )
    owner, _, end = _list_parts(key)
    first_end = end[np.searchsorted(owner, np.arange(len(key.start)))]
    owner, start, end = _list_parts(response)
    is_free = responses[owner]
    owner, start, end = owner[is_free], start[is_free], end[is_free]
    document = response.columns.document[owner]
    rows = np.flatnonzero(keys)
    mention, part = _find_in_range(
        key, rows, response, document, start, key.start[rows], first_end[rows]
    )
    fits = end[part] <= first_end[mention]
    pairs = np.stack((mention[fits], owner[part[fits]]))
    return weigh_pairs(key, response, *np.unique(pairs, axis=1))


def _list_parts(side: Positions) -> tuple[Ints, Ints, Ints]:
    """Return the mention, the start and the end of each contiguous part of mentions."""
    columns, details = side.columns, side.columns.details
    mentions = np.arange(len(columns.start))
    owner, start, end = mentions, columns.start, columns.end
    if details is not None and len(details.gap):
        # A gap ends a part before it, and starts one after it.
        owner = np.concatenate((mentions, details.gap))
        order = np.argsort(owner, kind="stable")
        start = np.concatenate((columns.start, details.gap_end + 1))[order]
        owner = owner[order]
        ends = np.concatenate((details.gap, mentions))
        end = np.concatenate((details.gap_start - 1, columns.end))
        end = end[np.argsort(ends, kind="stable")]
    document = columns.document[owner]
    return owner, side.of(document, start), side.of(document, end)


def pair_by_overlap(
    key: Positions, response: Positions, free: Free, *, threshold: float
) -> MentionPairs:
    """Pair free mentions that share at least a part of all tokens of the two."""
    mention, partner, shared = pair_overlapping(key, response)
    sizes = key.size()[mention] + response.size()[partner]
    overlap = shared / (sizes - shared)
    fits = free[0][mention] & free[1][partner] & (overlap >= threshold)
    pairs = MentionPairs(mention, partner, overlap + _TIE * (overlap == 1))
    return pairs.take(np.flatnonzero(fits))


def weigh_pairs(
    key: Positions, response: Positions, mention: Ints, partner: Ints
) -> MentionPairs:
    """Weigh pairs by the share of the tokens of the key mention that both contain."""
    shared = count_shared_tokens(key, response, mention, partner)
    pairs = MentionPairs(mention, partner, shared / key.size()[mention])
    return pairs.take(np.flatnonzero(shared > 0))


def count_shared_tokens(
    key: Positions, response: Positions, mention: Ints, partner: Ints
) -> Floats:
    """Count the tokens that the two mentions of each pair have in common."""
    start = np.maximum(key.start[mention], response.start[partner])
    end = np.minimum(key.end[mention], response.end[partner])
    shared: Floats = np.maximum((end - start) // key.stride + 1, 0).astype(float)
    if key.stride > 1:
        # A single empty node is shared only with itself, or with scattered mentions.
        is_empty = key.are_empty(mention) | response.are_empty(partner)
        is_same = (key.start[mention] == response.start[partner]) & (
            key.end[mention] == response.end[partner]
        )
        shared[is_empty] = is_same[is_empty]
    for row in _find_scattered(key, response, mention, partner):
        common = key.set_of(int(mention[row])) & response.set_of(int(partner[row]))
        shared[row] = len(common)
    return shared


def pair_overlapping(key: Positions, response: Positions) -> MentionPairs:
    """Pair the mentions that share tokens, weighed by how many, by key mention."""
    keys, responses = np.arange(len(key.start)), np.arange(len(response.start))
    # If two spans overlap, one of them starts inside the other.
    mentions, partners = zip(
        _pair_by_range(
            key, keys, response, responses, response.start, key.start, key.end
        ),
        _pair_by_range(
            response, responses, key, keys, key.start, response.start + 1, response.end
        )[::-1],
        strict=True,
    )
    mention, partner = np.concatenate(mentions), np.concatenate(partners)
    shared = count_shared_tokens(key, response, mention, partner)
    order = sort_indices(mention)
    return MentionPairs(mention, partner, shared).take(order[shared[order] > 0])


def _find_scattered(
    key: Positions, response: Positions, mention: Ints, partner: Ints
) -> list[int]:
    if not key.scattered and not response.scattered:
        return []
    flags = np.isin(mention, list(key.scattered))
    flags |= np.isin(partner, list(response.scattered))
    return np.flatnonzero(flags).tolist()
