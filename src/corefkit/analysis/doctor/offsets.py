"""Checks of offsets: tokens that are counted from elsewhere, and exclusive ends."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from itertools import accumulate
from typing import TYPE_CHECKING, TypeAlias

from corefkit.analysis.doctor.case import Suspicion
from corefkit.analysis.doctor.spans import (
    bounds,
    goes_beyond,
    mention_count,
    mentions_of,
    moved,
    same_mentions,
    with_mentions,
)
from corefkit.analysis.doctor.wording import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from corefkit.analysis.doctor.case import Case, Pair
    from corefkit.model import Document, Mention

    Change: TypeAlias = Callable[[Mention], Mention | None]

_FEW = 0.3  # of mentions that meet, from which on a document is not looked at again
_MUCH = 0.3  # of mentions, that must meet beyond those that do
_LEAST = 5  # mentions that must meet
_ENOUGH = 10  # mentions of a document, that tell by themselves
_PLENTY = 4000  # mentions, on which what is likely is tried before all others
_FARTHEST = 60  # tokens by which mentions are moved as they are
# By how much starts and ends are moved, and what that means.
_MOVES = {
    (-1, -1): "tokens of the response are counted from 1",
    (0, -1): "ends of the response are exclusive: the token behind the mention",
    (-1, -2): "tokens of the response are counted from 1, and its ends are exclusive",
    (1, 1): "tokens of the response are one too low, or the key's are counted from 1",
    (0, 1): "ends of the response are one too low, or the key's are exclusive",
    (1, 2): "tokens of the key are counted from 1, and its ends are exclusive",
    (-1, 0): "starts of the response are one too high",
    (1, 0): "starts of the response are one too low",
}


def other_bounds(case: Case) -> Iterator[Suspicion]:
    """Mentions that meet once starts and ends are moved by a few tokens."""
    pairs = hardly_meeting(case)
    if not pairs:
        return
    steps = range(1, _FARTHEST + 1)
    moves = [*_MOVES, *((by, by) for n in steps[1:] for by in (-n, n))]
    met: Counter[tuple[int, int]] = Counter()
    for pair in _sample(pairs):
        theirs = bounds(pair.response)[:_PLENTY]
        for start, end in moves:
            there = [(first + start, last + end) for first, last in theirs]
            met[start, end] += pair.met_by(there)
    # The first of equal ones: what is likely stands in front.
    start, end = best = max(moves, key=lambda move: met[move])
    what = (
        _MOVES.get(best)
        or f"tokens of the response are {abs(start)} too {high_or_low(start)}"
    )
    yield from changed_bounds(
        case,
        lambda _: lambda one: moved(one, start, end),
        what,
        _move_in_words(start, end),
    )


def high_or_low(move: int) -> str:
    """Say where tokens are that a move mends."""
    return "high" if move < 0 else "low"


def _move_in_words(start: int, end: int) -> str:
    """Say how starts and ends are changed.

    >>> _move_in_words(-1, -1)
    'subtract 1 from the start and the end of each mention of the response'
    >>> _move_in_words(0, -1)
    'subtract 1 from the end of each mention of the response'
    """
    parts: dict[int, list[str]] = {}
    for by, name in ((start, "the start"), (end, "the end")):
        if by:
            parts.setdefault(by, []).append(name)
    words = [
        f"{'subtract' if by < 0 else 'add'} {abs(by)} {'from' if by < 0 else 'to'} "
        f"{' and '.join(names)}"
        for by, names in parts.items()
    ]
    return f"{', '.join(words)} of each mention of the response"


def hardly_meeting(case: Case) -> list[Pair]:
    """List the documents that both sides have, and whose mentions hardly meet."""
    return [
        pair
        for pair in case.pairs
        if pair.met < _FEW * fewest([pair]) and pair.comparable
    ]


def fewest(pairs: Sequence[Pair]) -> int:
    """Count the mentions of the side that has fewer."""
    ours = sum(mention_count(pair.key) for pair in pairs)
    return min(ours, sum(mention_count(pair.response) for pair in pairs))


def _sample(pairs: Sequence[Pair]) -> list[Pair]:
    """Choose the first documents, as many as are needed to tell chance from change."""
    before = accumulate((fewest([pair]) for pair in pairs), initial=0)
    return [pair for pair, many in zip(pairs, before, strict=False) if many < _PLENTY]


def _convincing(tried: Sequence[tuple[Pair, Document]]) -> bool:
    """Say whether more mentions meet in changed documents than can by chance."""
    pairs = [pair for pair, _ in tried]
    met = sum(pair.met_by(bounds(changed)) for pair, changed in tried)
    return _is_much(pairs, met)


def _is_much(pairs: Sequence[Pair], met: int) -> bool:
    more = met - sum(pair.met for pair in pairs)
    return met >= _LEAST and more >= _MUCH * fewest(pairs)


def moved_case(case: Case, changed: Mapping[int, Document]) -> Case:
    """Exchange documents; spans that went beyond the text are no error any more."""
    beyond = any(map(goes_beyond, case.response))
    mended = case.with_response(changed)
    still = any(map(goes_beyond, mended.response))
    return case.with_response(changed, errors=still or not beyond)


def changed_bounds(
    case: Case, change: Callable[[Pair], Change | None], text: str, fix: str
) -> Iterator[Suspicion]:
    """Try another way to read the bounds of all documents that hardly meet.

    Args:
        case: the case.
        change: makes of a pair the function that changes its mentions, or None.
        text: what was found, if most mentions then meet.
        fix: what mends it.
    """
    pairs = hardly_meeting(case)
    sample = _sample(pairs)
    tried = _changed(sample, change)
    if not _convincing(tried):
        return
    tried += _changed(pairs[len(sample) :], change)
    helped = [(pair, document) for pair, document in tried if _may_help(pair, document)]
    changed = {case.number_of(pair.response): one for pair, one in helped}
    yield Suspicion(
        f"{text} (in {counted(len(helped), 'document')})",
        fix,
        sum(mention_count(pair.response) for pair, _ in helped),
        moved_case(case, changed),
    )


def _changed(
    pairs: Sequence[Pair], change: Callable[[Pair], Change | None]
) -> list[tuple[Pair, Document]]:
    """Change the documents for which there is a way."""
    return [
        (pair, with_mentions(pair.response, how))
        for pair in pairs
        if (how := change(pair))
    ]


def _may_help(pair: Pair, changed: Document) -> bool:
    """Say whether a change may hold for a document: few mentions tell nothing."""
    most = fewest([pair])
    return most < _ENOUGH or pair.met_by(bounds(changed)) >= _FEW * most


def through_the_file(case: Case) -> Iterator[Suspicion]:
    """Tokens that are counted through all documents, and not in each anew."""
    lengths = [len(pair.key.words) for pair in case.pairs]
    starts = dict(
        zip(map(id, case.pairs), accumulate(lengths, initial=0), strict=False)
    )
    yield from changed_bounds(
        case,
        lambda pair: lambda one: moved(one, -starts[id(pair)], -starts[id(pair)]),
        "tokens of the response are counted through the whole file, and not in each "
        "document anew",
        "subtract from each mention the tokens of the documents before its own",
    )


def in_each_sentence(case: Case) -> Iterator[Suspicion]:
    """Tokens that are counted in each sentence anew: which one is meant is lost."""
    pairs = [pair for pair in hardly_meeting(case) if len(pair.key.sentences) > 1]
    fitting = [
        same_mentions(_in_sentences(pair.key), bounds(pair.response)) for pair in pairs
    ]
    met = sum(fitting)
    # Small numbers fit by chance: nearly all must, and none may lie further behind.
    if not pairs or not _is_much(pairs, met) or met < 0.7 * fewest(pairs):
        return
    for pair in pairs:
        longest = max(map(len, pair.key.sentences))
        if any(mention.end >= longest for mention in mentions_of(pair.response)):
            return
    yield Suspicion(
        "tokens of the response are counted in each sentence anew, and not through the "
        "document",
        "add to each mention the tokens of the sentences before its own; which sentence"
        " is meant is not in the file, so the score after cannot be measured",
        sum(mention_count(pair.response) for pair in pairs),
        is_certain=True,
    )


def _in_sentences(document: Document) -> list[tuple[int, int]]:
    starts = [0, *accumulate(map(len, document.sentences))]
    found = []
    for start, end in bounds(document):
        first = starts[bisect_right(starts, max(start, 0)) - 1]
        found.append((start - first, end - first))
    return found
