"""A check of offsets that are right at first, and wrong from some token on."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from corefkit.analysis.doctor.case import Suspicion
from corefkit.analysis.doctor.offsets import fewest, high_or_low, moved_case
from corefkit.analysis.doctor.spans import bounds, moved, with_mentions
from corefkit.analysis.doctor.wording import counted
from corefkit.exceptions import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from corefkit.analysis.doctor.case import Case, Pair
    from corefkit.analysis.doctor.spans import Bounds
    from corefkit.model import Mention

_MET = 0.75  # of mentions that meet, from which on a document is not looked at
_MORE = 0.1  # of mentions, that must meet beyond those that do
_MOST = 0.6  # of mentions, that must meet then
_LEAST = 5  # mentions that must meet then
_CHANGE = 8  # mentions that a change of the distance must be worth, against chance
_FARTHEST = 100  # tokens


def shifted_from_a_token(case: Case) -> Iterator[Suspicion]:
    """Mentions that meet once all behind some token are moved."""
    found: dict[int, Mapping[Bounds, int]] = {}
    many, shown = 0, ""
    for pair in case.pairs:
        moves = _moves(pair)
        if not moves:
            continue
        found[case.number_of(pair.response)] = moves
        many += sum(move != 0 for move in moves.values())
        shown = shown or f"{_first_change(moves)} of {quoted(pair.key.id)} on"
    if not found:
        return
    changed = {
        number: with_mentions(case.response[number], partial(_moved, moves=moves))
        for number, moves in found.items()
    }
    yield Suspicion(
        f"tokens of the response are {shown} (the distance changes inside the text in "
        f"{counted(len(found), 'document')})",
        "compare the texts there: a token, a line or a sentence was added or lost",
        many,
        moved_case(case, changed),
    )


def _first_change(moves: Mapping[Bounds, int]) -> str:
    """Say by how much tokens are wrong, and from which on."""
    rows = sorted(moves.items())
    first, *_ = [
        (start, move) for (_, one), ((start, _), move) in pairwise(rows) if one != move
    ] or [(rows[0][0][0], rows[0][1])]
    start, move = first
    return f"{abs(move)} too {high_or_low(move)} from about token {start}"


def _moved(mention: Mention, *, moves: Mapping[Bounds, int]) -> Mention | None:
    by = moves[mention.start, mention.end]
    return moved(mention, by, by)


def _moves(pair: Pair) -> Mapping[Bounds, int]:
    """Find by how much to move each mention; empty where that helps little."""
    least = fewest([pair])
    if pair.response.words or pair.key.empty or not least or pair.met >= _MET * least:
        return {}
    theirs = sorted(set(bounds(pair.response)))
    moves = dict(zip(theirs, _path(theirs, bounds(pair.key)), strict=True))
    there = [(start + by, end + by) for (start, end), by in moves.items()]
    met = pair.met_by(there)
    is_much = met >= max(_LEAST, _MOST * least) and met - pair.met >= _MORE * least
    return moves if is_much and len(set(moves.values())) > 1 else {}


class _Step(NamedTuple):
    """A mention that meets if it is moved so, and the best before it."""

    score: float
    at: int
    move: int
    before: _Step | None


def _path(theirs: Sequence[Bounds], ours: Sequence[Bounds]) -> list[int]:
    """Choose a move for each mention so that most meet, with few changes of it.

    The best way to end with each move is kept. It goes on where the next mention meets
    with the same move; or from the best way of all, at the price of a change.

    >>> _path([(0, 0), (5, 6)], [(0, 0), (4, 5)])
    [0, 0]
    """
    starts: dict[int, list[int]] = {}
    for start, end in sorted(set(ours)):
        starts.setdefault(end - start, []).append(start)
    begin = _Step(0.0, -1, 0, None)
    best = begin
    ways = {0: begin}
    for at, (start, end) in enumerate(theirs):
        same = starts.get(end - start, [])
        low = bisect_left(same, start - _FARTHEST)
        high = bisect_right(same, start + _FARTHEST)
        found = []
        for first in same[low:high]:
            move = first - start
            way = ways.get(move)
            if way is None or way.score < best.score - _CHANGE:
                found.append(_Step(best.score - _CHANGE + 1, at, move, best))
            else:
                found.append(_Step(way.score + 1, at, move, way))
        for step in found:
            ways[step.move] = step
        best = max([best, *found], key=lambda step: step.score)
    return _along(best, len(theirs))


def _along(step: _Step | None, many: int) -> list[int]:
    """Give each mention the move of the next step that it lies on the way to."""
    moves = [0 if step is None else step.move] * many
    while step is not None and step.at >= 0:
        before = step.before
        start = 0 if before is None else before.at + 1
        for at in range(start, step.at + 1):
            moves[at] = step.move
        step = before
    return moves
