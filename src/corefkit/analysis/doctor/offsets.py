"""Checks of offsets: tokens counted in another way, and columns other than read."""

from __future__ import annotations

import os
from collections import Counter
from functools import partial
from itertools import accumulate
from typing import TYPE_CHECKING, TypeAlias

from corefkit.alignment.meeting.cells import bracketed, token_rows
from corefkit.analysis.doctor.case import Suspicion
from corefkit.analysis.doctor.spans import (
    bounds,
    changed_document,
    goes_beyond,
    mention_count,
    mentions_of,
    moved,
    same_mentions,
    with_mentions,
)
from corefkit.analysis.doctor.words import counted
from corefkit.exceptions import CorefkitError
from corefkit.formats.inputs import open_inputs
from corefkit.model import Entity, Mention

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from corefkit.analysis.doctor.case import Case, Pair
    from corefkit.model import Document

    Change: TypeAlias = Callable[[Mention], Mention | None]

_FEW = 0.3  # of mentions that meet, from which on a document is not looked at again
_MUCH = 0.3  # of mentions, that must meet beyond those that do
_LEAST = 5  # mentions that must meet
_FARTHEST = 60  # tokens by which mentions are moved as they are
# By how much starts and ends are moved, and what that means.
_MOVES = {
    (-1, -1): "its tokens are counted from 1",
    (0, -1): "its ends are exclusive: they are the token behind the mention",
    (-1, -2): "its tokens are counted from 1, and its ends are exclusive",
    (1, 1): "its tokens are one too low, as if the key's were counted from 1",
    (0, 1): "its ends are one too low, as if the key's were exclusive",
    (-1, 0): "its starts are one too high",
    (1, 0): "its starts are one too low",
}


def other_bounds(case: Case) -> Iterator[Suspicion]:
    """Mentions that meet once starts and ends are moved by a few tokens."""
    pairs = _hardly_meeting(case)
    if not pairs:
        return
    steps = range(1, _FARTHEST + 1)
    moves = [*_MOVES, *((by, by) for n in steps[1:] for by in (-n, n))]
    met: Counter[tuple[int, int]] = Counter()
    for pair in pairs:
        theirs = bounds(pair.response)
        for start, end in moves:
            there = [(first + start, last + end) for first, last in theirs]
            met[start, end] += pair.met_by(there)
    # The first of equal ones: what is likely stands in front.
    best = max(moves, key=lambda move: met[move])
    if not _convincing(pairs, met[best]):
        return
    start, end = best
    changed = {
        case.number_of(pair.response): with_mentions(
            pair.response, lambda one: moved(one, start, end)
        )
        for pair in pairs
    }
    what = _MOVES.get(best) or f"its tokens are {abs(start)} too {_high(start)}"
    yield Suspicion(
        f"{what} (in {counted(len(pairs), 'document')})",
        _move_in_words(start, end),
        sum(mention_count(pair.response) for pair in pairs),
        _moved_case(case, changed),
    )


def _high(move: int) -> str:
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


def _hardly_meeting(case: Case) -> list[Pair]:
    """List the documents that both sides have, and whose mentions hardly meet."""
    return [
        pair
        for pair in case.pairs
        if pair.met < _FEW * _fewest([pair]) and pair.comparable
    ]


def _fewest(pairs: Sequence[Pair]) -> int:
    ours = sum(mention_count(pair.key) for pair in pairs)
    return min(ours, sum(mention_count(pair.response) for pair in pairs))


def _convincing(pairs: Sequence[Pair], met: int) -> bool:
    """Say whether so many mentions cannot have met by chance."""
    more = met - sum(pair.met for pair in pairs)
    return met >= _LEAST and more >= _MUCH * _fewest(pairs)


def _moved_case(case: Case, changed: Mapping[int, Document]) -> Case:
    """Exchange documents; spans that went beyond the text are no error any more."""
    beyond = any(map(goes_beyond, case.response))
    mended = case.with_response(changed)
    still = any(map(goes_beyond, mended.response))
    return case.with_response(changed, errors=still or not beyond)


def _changed_bounds(
    case: Case, change: Callable[[Pair], Change | None], text: str, fix: str
) -> Iterator[Suspicion]:
    """Try another way to read the bounds of all documents that hardly meet."""
    changes = [(pair, change(pair)) for pair in _hardly_meeting(case)]
    known = [(pair, how) for pair, how in changes if how is not None]
    changed = {
        case.number_of(pair.response): with_mentions(pair.response, how)
        for pair, how in known
    }
    pairs = [pair for pair, _ in known]
    met = sum(
        pair.met_by(bounds(changed[case.number_of(pair.response)])) for pair in pairs
    )
    if pairs and _convincing(pairs, met):
        many = sum(mention_count(pair.response) for pair in pairs)
        yield Suspicion(text, fix, many, _moved_case(case, changed))


def through_the_file(case: Case) -> Iterator[Suspicion]:
    """Tokens that are counted through all documents, and not in each anew."""
    lengths = [len(pair.key.words) for pair in case.pairs]
    starts = dict(
        zip(map(id, case.pairs), accumulate(lengths, initial=0), strict=False)
    )
    yield from _changed_bounds(
        case,
        lambda pair: lambda one: moved(one, -starts[id(pair)], -starts[id(pair)]),
        "its tokens are counted through the whole file, and not in each document anew",
        "subtract from each mention the tokens of the documents before its own",
    )


def by_character(case: Case) -> Iterator[Suspicion]:
    """Offsets of characters in place of tokens, the words set apart by blanks."""
    for last, how in ((0, "exclusive"), (1, "inclusive")):
        yield from _changed_bounds(
            case,
            partial(_by_characters, last=last),
            f"its offsets are characters, and not tokens (ends {how})",
            "count tokens, not characters: the key's words, set apart by blanks, fit",
        )


def _by_characters(pair: Pair, *, last: int) -> Change | None:
    return _from_characters(pair.key.words, last)


def _from_characters(words: Sequence[str], last: int) -> Change | None:
    """Make a function that finds the tokens of offsets of characters."""
    if not words:
        return None
    behind = [end + number for number, end in enumerate(accumulate(map(len, words)))]
    starts = {
        end - len(word): at
        for at, (end, word) in enumerate(zip(behind, words, strict=True))
    }
    ends = {end - last: at for at, end in enumerate(behind)}

    def tokens(mention: Mention) -> Mention | None:
        start, end = starts.get(mention.start), ends.get(mention.end)
        if start is None or end is None or end < start:
            return None
        return Mention(start, end)

    return tokens


def in_each_sentence(case: Case) -> Iterator[Suspicion]:
    """Tokens that are counted in each sentence anew: which one is meant is lost."""
    pairs = [pair for pair in _hardly_meeting(case) if len(pair.key.sentences) > 1]
    fitting = [
        same_mentions(_in_sentences(pair.key), bounds(pair.response)) for pair in pairs
    ]
    met = sum(fitting)
    # Small numbers fit by chance: nearly all must, and none may lie further behind.
    if not pairs or not _convincing(pairs, met) or met < 0.7 * _fewest(pairs):
        return
    for pair in pairs:
        longest = max(map(len, pair.key.sentences))
        if any(mention.end >= longest for mention in mentions_of(pair.response)):
            return
    yield Suspicion(
        "its tokens are counted in each sentence anew, and not through the document",
        "add to each mention the tokens of the sentences before its own; which sentence"
        " is meant is not in the file, so the score after cannot be measured",
        sum(mention_count(pair.response) for pair in pairs),
    )


def _in_sentences(document: Document) -> list[tuple[int, int]]:
    lengths = map(len, document.sentences)
    starts = [0, *accumulate(lengths)]
    found = []
    for start, end in bounds(document):
        first = max(begin for begin in starts if begin <= max(start, 0))
        found.append((start - first, end - first))
    return found


def other_column(case: Case) -> Iterator[Suspicion]:
    """Brackets in another column than the one that was read."""
    if case.share_met >= _FEW:
        return
    if not any(case.mentions):  # the key's column with most brackets was meant
        found = max(_columns(case, 0), key=lambda one: one[1].mentions[0], default=None)
        if found is not None and found[1].mentions[0]:
            yield _in_column(*found, side=0)._replace(is_certain=True)
        return
    for side in (0, 1):
        for place, mended in _columns(case, side):
            more = mended.met - case.met
            if mended.met >= _LEAST and more >= _MUCH * min(mended.mentions):
                yield _in_column(place, mended, side=side)


def _columns(case: Case, side: int) -> Iterator[tuple[tuple[int, int], Case]]:
    """Read a side by each of its columns, counted from the end, of so many."""
    documents, rows = case.side(side), _rows(case, side)
    if len(rows) != len(documents) or any(one.empty for one in documents):
        return
    width = min((len(row) for lines in rows for row in lines), default=0)
    for column in range(1, width + 1):
        read = tuple(
            _with_column(document, [row[-column] for row in lines])
            for document, lines in zip(documents, rows, strict=True)
        )
        if any(read) and [*map(bounds, read)] != [*map(bounds, documents)]:
            yield (column, width), case.with_side(side, read)


def _in_column(place: tuple[int, int], mended: Case, *, side: int) -> Suspicion:
    column, width = place
    called = "last" if column == 1 else f"{column} from the end"
    return Suspicion(
        f"coreference of {mended.names[side]} stands in another column than "
        f"the one that is read: column {width + 1 - column} of {width}",
        f"move column {width + 1 - column} ({called}) to the end of the line"
        if column > 1
        else "leave the column where the format has it",
        mended.mentions[side],
        mended,
    )


def _rows(case: Case, side: int) -> list[list[list[str]]]:
    """Read the columns of a side that is a file; none where it is not."""
    given = case.inputs[side]
    if not isinstance(given, str | os.PathLike) or os.fspath(given) == "-":
        return []
    reference = case.settings.reads_as_reference
    try:
        with open_inputs(given, [], format=case.format, reference=reference) as opened:
            return token_rows(opened[0], range(len(opened[0].ids)))
    except CorefkitError:
        return []


def _with_column(document: Document, cells: Sequence[str]) -> Document:
    groups: dict[str, list[Mention]] = {}
    for name, start, end in bracketed(cells):
        groups.setdefault(name, []).append(Mention(start, end))
    entities = tuple(Entity(name, tuple(group)) for name, group in groups.items())
    return changed_document(document, entities=entities)
