"""The words that two versions of a text have in common, in the order of both.

Words that stand once in both texts are anchors. Between two anchors the same is done
again, and short stretches are compared word by word. So the work grows with the text,
and not with its square.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_SHORT = 200  # words of a stretch that is compared word by word
_DEEPEST = 20  # times that stretches are cut at anchors


def places(
    ours: Sequence[str], theirs: Sequence[str], *, least: float = 0.0
) -> dict[int, int]:
    """Find the words of their text in ours, by their numbers.

    There are none where the texts are less similar than `least`: the share of all words
    of both that are in common.

    >>> places("he saw the man".split(), "then he saw a man".split())
    {1: 0, 2: 1, 4: 3}
    """
    needed = least * (len(ours) + len(theirs)) / 2
    if (Counter(ours) & Counter(theirs)).total() < needed:
        return {}
    found: dict[int, int] = {}
    waiting = [(_Stretch(0, len(ours), 0, len(theirs)), 0)]
    while waiting:
        stretch, depth = waiting.pop()
        middle = stretch.trimmed(ours, theirs)
        found.update(stretch.around(middle))
        if middle.is_empty:
            continue
        if middle.is_short:
            found.update(_word_by_word(middle, ours, theirs))
        elif depth < _DEEPEST and (rows := _anchors(middle, ours, theirs)):
            found.update((other, one) for one, other in rows)
            waiting += [(part, depth + 1) for part in middle.between(rows)]
    return dict(sorted(found.items())) if len(found) >= needed else {}


class _Stretch(NamedTuple):
    """A part of both texts, from a first word to the word behind the last."""

    start: int
    end: int
    other_start: int
    other_end: int

    @property
    def is_empty(self) -> bool:
        return self.start == self.end or self.other_start == self.other_end

    @property
    def is_short(self) -> bool:
        return max(self.end - self.start, self.other_end - self.other_start) <= _SHORT

    def trimmed(self, ours: Sequence[str], theirs: Sequence[str]) -> _Stretch:
        """Leave out the words at both ends that are the same."""
        start, end, other_start, other_end = self
        while start < end and other_start < other_end:
            if ours[start] != theirs[other_start]:
                break
            start, other_start = start + 1, other_start + 1
        while start < end and other_start < other_end:
            if ours[end - 1] != theirs[other_end - 1]:
                break
            end, other_end = end - 1, other_end - 1
        return _Stretch(start, end, other_start, other_end)

    def around(self, middle: _Stretch) -> Iterator[tuple[int, int]]:
        """Pair the words of the other text that were left out with those of this."""
        before = range(self.start, middle.start)
        yield from zip(range(self.other_start, middle.other_start), before, strict=True)
        behind = range(middle.end, self.end)
        yield from zip(range(middle.other_end, self.other_end), behind, strict=True)

    def between(self, rows: Sequence[tuple[int, int]]) -> Iterator[_Stretch]:
        """Go through the parts between words that are known to be the same."""
        start, other_start = self.start, self.other_start
        for one, other in [*rows, (self.end, self.other_end)]:
            yield _Stretch(start, one, other_start, other)
            start, other_start = one + 1, other + 1


def _word_by_word(
    part: _Stretch, ours: Sequence[str], theirs: Sequence[str]
) -> Iterator[tuple[int, int]]:
    """Pair the words of a short stretch."""
    matcher = SequenceMatcher(
        None,
        ours[part.start : part.end],
        theirs[part.other_start : part.other_end],
        autojunk=False,
    )
    for block in matcher.get_matching_blocks():
        for step in range(block.size):
            yield part.other_start + block.b + step, part.start + block.a + step


def _anchors(
    part: _Stretch, ours: Sequence[str], theirs: Sequence[str]
) -> list[tuple[int, int]]:
    """Pair the words that stand once in both texts, as far as their order is one."""
    mine = _once(ours, part.start, part.end)
    others = _once(theirs, part.other_start, part.other_end)
    return _rising([(mine[word], others[word]) for word in mine if word in others])


def _once(words: Sequence[str], start: int, end: int) -> dict[str, int]:
    many = Counter(words[start:end])
    return {words[at]: at for at in range(start, end) if many[words[at]] == 1}


def _rising(rows: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Keep as many rows as can be whose second numbers rise as the first ones do.

    >>> _rising([(0, 4), (1, 0), (2, 1), (5, 3)])
    [(1, 0), (2, 1), (5, 3)]
    """
    lasts: list[int] = []  # the least last number of the rows kept, by how many
    at_last: list[int] = []
    before: list[int] = []
    for at, (_, other) in enumerate(rows):
        many = bisect_left(lasts, other)
        before.append(at_last[many - 1] if many else -1)
        lasts[many : many + 1] = [other]
        at_last[many : many + 1] = [at]
    kept: list[tuple[int, int]] = []
    at = at_last[-1] if at_last else -1
    while at >= 0:
        kept.append(rows[at])
        at = before[at]
    return kept[::-1]
