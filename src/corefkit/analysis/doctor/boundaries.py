"""A check of bounds: mentions that lie inside those of the key, or around them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING

from corefkit.analysis.doctor.case import Suspicion
from corefkit.analysis.doctor.spans import bounds, mentions_of, with_mentions
from corefkit.analysis.doctor.wording import counted, verb
from corefkit.exceptions import CorefkitError, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corefkit.analysis.doctor.case import Case, Pair
    from corefkit.model import Mention

_LEAST = 3  # mentions that are worth a word
_SHARE = 0.05  # of mentions, that are worth a word
_HARDLY = 0.1  # of mentions that meet: less is chance
_HEADS_ONLY = 0.95  # of mentions with one word, in a response of heads
_FARTHEST = 40  # tokens between starts, or ends, of mentions that nearly meet
_OFTEN = 0.15  # of mentions that nearly meet: a word that makes the difference


def boundaries(case: Case) -> Iterator[Suspicion]:
    """Mentions that miss each other by their bounds alone."""
    # Where nothing meets, mentions lie inside others by chance.
    if not case.settings.is_exact or case.share_met < _HARDLY:
        return
    nearly = [(pair, _nearly(pair)) for pair in case.pairs]
    many = sum(len(found) for _, found in nearly)
    if many < max(_LEAST, _SHARE * case.mentions[1]):
        return
    text = (
        f"{counted(many, 'mention')} of the response {verb(many, 'misses', 'miss')} a "
        "mention of the key by bounds alone: one lies inside the other"
        f"{_words_between(nearly, many)}"
    )
    single = sum(
        start == end for pair in case.pairs for start, end in bounds(pair.response)
    )
    if single >= _HEADS_ONLY * case.mentions[1]:
        text = f"the response has words in place of phrases, heads perhaps: {text}"
    by_head = case.with_settings(match="head")
    if isinstance(by_head.result, CorefkitError):
        fix = "compare bounds with those of the key; scores after are with the key's"
        yield Suspicion(text, fix, many, _with_bounds(case, nearly))
    else:
        fix = "`--match head` compares heads; `--match partial` is stricter"
        yield Suspicion(text, fix, many, by_head)


def _nearly(pair: Pair) -> dict[Mention, Mention]:
    """Pair mentions of the response with those of the key that they nearly are."""
    if not pair.same_words or pair.key.empty or pair.response.empty:
        return {}
    ours, theirs = set(mentions_of(pair.key)), set(mentions_of(pair.response))
    free = sorted(ours - theirs)
    starts = [mention.start for mention in free]
    taken: set[int] = set()
    found: dict[Mention, Mention] = {}
    for mention in sorted(theirs - ours):
        low = bisect_left(starts, mention.start - _FARTHEST)
        high = bisect_right(starts, mention.start + _FARTHEST)
        inside = [
            at
            for at in range(low, high)
            if at not in taken and _is_inside(mention, free[at])
        ]
        if inside:
            nearest = min(inside, key=lambda at: _distance(mention, free[at]))
            found[mention] = free[nearest]
            taken.add(nearest)
    return found


def _is_inside(one: Mention, other: Mention) -> bool:
    """Say whether one of two mentions lies inside the other, and not too deep."""
    starts, ends = one.start - other.start, one.end - other.end
    return starts * ends <= 0 and max(abs(starts), abs(ends)) <= _FARTHEST


def _distance(one: Mention, other: Mention) -> int:
    return abs(one.start - other.start) + abs(one.end - other.end)


def _words_between(
    nearly: Iterable[tuple[Pair, dict[Mention, Mention]]], many: int
) -> str:
    """Name the words that most often make the difference."""
    edges: Counter[tuple[str, str, str]] = Counter()
    for pair, found in nearly:
        words = pair.key.words or pair.response.words
        for mention, wanted in found.items() if words else ():
            for side, first, last in (
                ("at the start", mention.start, wanted.start),
                ("at the end", wanted.end + 1, mention.end + 1),
            ):
                what = "lacks" if first > last else "adds"
                if first != last and max(first, last) <= len(words):
                    edges[what, words[min(first, last)].casefold(), side] += 1
    often = [row for row in edges.most_common(2) if row[1] >= _OFTEN * many]
    shown = [
        f"{what} {quoted(word)} {side} ({number:,})"
        for (what, word, side), number in often
    ]
    return f". Most often it {' or '.join(shown)}" if shown else ""


def _with_bounds(
    case: Case, nearly: Iterable[tuple[Pair, dict[Mention, Mention]]]
) -> Case:
    changed = {
        case.number_of(pair.response): with_mentions(
            pair.response, partial(_or_itself, among=found)
        )
        for pair, found in nearly
        if found
    }
    return case.with_response(changed)


def _or_itself(mention: Mention, *, among: dict[Mention, Mention]) -> Mention:
    return among.get(mention, mention)
