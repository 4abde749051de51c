"""Checks of offsets: other units, other starting points, shifts, and boundaries.

Most faults are a way to count tokens. Each way is a *remapping*: a function that
converts the offsets of the response in a document to tokens of the key. All remappings
are tried in one loop, and yield a suspicion if most mentions match after them.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import accumulate
from typing import NamedTuple, TypeAlias

from corefkit.analysis.doctor.case import (
    Bounds,
    Case,
    DocumentPair,
    Suspicion,
    count_beyond_text,
    count_mentions,
    iter_mentions,
    list_bounds,
    move_mention,
    replace_mentions,
)
from corefkit.analysis.doctor.examination import choose_verb
from corefkit.exceptions import CorefkitError, quoted
from corefkit.model import Document, Mention
from corefkit.strings import format_count

# Converts the bounds of a mention of the response; None if they do not fit.
_Convert: TypeAlias = "Callable[[Bounds], Bounds | None]"
# The bounds of each word of the key in the units of the response; None if it has none.
_Units: TypeAlias = "Sequence[Bounds | None]"
_CountUnits: TypeAlias = "Callable[[Document], _Units]"
# Mentions of the response, and the mentions of the key inside or around them.
_Near: TypeAlias = "Mapping[Mention, Mention]"

# The length of a text by its mentions, relative to its tokens, if other units are
# counted.
_UNITS = (
    ("word pieces", (1.02, 2.5), "word, with `word_ids()` of a tokenizer"),
    ("characters", (3.0, 8.0), "token"),
)
_MAX_MATCH_SHARE = 0.3  # documents with a higher share are not remapped
_MIN_MATCH_GAIN = 0.3  # of mentions that match after a remapping
_MIN_MATCHES = 5  # mentions that match
_MIN_INFORMATIVE = 10  # mentions of a document that are sufficient evidence
_SAMPLE_MENTIONS = 4000  # with which remappings are tried first
_MAX_SHIFT = 60  # tokens
# By how much starts and ends are moved, and why.
_MOVES = {
    (-1, -1): "tokens of the response are counted from 1",
    (0, -1): "ends of the response are exclusive: the token after the mention",
    (-1, -2): "tokens of the response are counted from 1, and its ends are exclusive",
    (1, 1): "tokens of the response are one too low, or the key's are counted from 1",
    (0, 1): "ends of the response are one too low, or the key's are exclusive",
    (1, 2): "tokens of the key are counted from 1, and its ends are exclusive",
    (-1, 0): "starts of the response are one too high",
    (1, 0): "starts of the response are one too low",
} | {
    (step, step): f"tokens of the response are {size} too {direction}"
    for size in range(2, _MAX_SHIFT + 1)
    for step, direction in ((-size, "high"), (size, "low"))
}
_MIN_NEAR = 3  # mentions that differ by bounds
_MIN_NEAR_SHARE = 0.05  # of the mentions of the response
_MIN_MATCH_SHARE = 0.1  # below it, mentions overlap by chance
_HEAD_SHARE = 0.95  # of mentions with one word, in a response of heads
_MAX_DISTANCE = 40  # tokens between the bounds of such mentions
_MIN_WORD_SHARE = 0.15  # of mentions with the same word at their bounds


def check_beyond(case: Case) -> Iterator[Suspicion]:
    """Find mentions after the last token of the key, in a response without words."""
    beyond = sum(pair.beyond for pair in case.pairs)
    if not beyond:
        return
    pairs = [pair for pair in case.pairs if pair.key.words and not pair.response.words]
    unit = describe_unit([p.key for p in pairs], [p.response for p in pairs])
    yield Suspicion(
        f"{format_count(beyond, 'mention')} of the response "
        f"{choose_verb(beyond, 'ends', 'end')} after the last token of the key's text",
        unit or "count the tokens of the key, from 0",
        beyond,
        is_certain=True,
    )


def describe_unit(texts: Sequence[Document], documents: Sequence[Document]) -> str:
    """Describe the unit of offsets, by how far mentions reach; empty if unclear."""
    rows = [
        (len(text.words), 1 + max(mention.end for mention in iter_mentions(document)))
        for text, document in zip(texts, documents, strict=True)
        if document.entities and text.words
    ]
    tokens, reach = (sum(column) for column in zip(*rows, strict=True))
    ratio = reach / tokens
    for name, (low, high), fix in _UNITS:
        if low <= ratio <= high:
            return (
                f"the text seems {ratio:.2f} times as long as in tokens: if its "
                f"offsets are those of {name}, convert each to the number of its {fix}"
            )
    return ""


class Remapping(NamedTuple):
    """A way to convert the offsets of a response."""

    text: str
    fix: str
    # Returns the function that converts the mentions of a document, or None if it would
    # change nothing.
    convert: Callable[[DocumentPair], _Convert | None]


def _move_bounds(bounds: Bounds, *, start: int, end: int) -> Bounds | None:
    first, last = bounds[0] + start, bounds[1] + end
    return (first, last) if 0 <= first <= last else None


def _describe_move(start: int, end: int) -> str:
    edges = {"the start": start, "the end": end}
    if start == end:
        edges = {"the start and the end": start}
    parts = [
        f"subtract {-step} from {edge}" if step < 0 else f"add {step} to {edge}"
        for edge, step in edges.items()
        if step
    ]
    return f"{', '.join(parts)} of each mention of the response"


def _convert_units(pair: DocumentPair, *, count_units: _CountUnits) -> _Convert | None:
    units = count_units(pair.key)
    if pair.response.words or all(
        unit == (word, word) for word, unit in enumerate(units)
    ):
        return None
    starts = {unit[0]: word for word, unit in enumerate(units) if unit is not None}
    ends = {unit[1]: word for word, unit in enumerate(units) if unit is not None}

    def convert(bounds: Bounds) -> Bounds | None:
        start, end = starts.get(bounds[0]), ends.get(bounds[1])
        return None if start is None or end is None or end < start else (start, end)

    return convert


def _count_characters(document: Document, *, last: int) -> _Units:
    """Count characters, with a blank between words; `last` is 1 for inclusive ends."""
    lengths = [len(word) for word in document.words]
    starts = accumulate([length + 1 for length in lengths], initial=0)
    return [
        (start, start + length - last)
        for start, length in zip(starts, lengths, strict=False)
    ]


def _count_empty_nodes(document: Document) -> _Units:
    """Count empty nodes, of which words of the key are those between them."""
    empty = {*document.empty}
    tokens = range(sum(map(len, document.sentences)) if empty else 0)
    return [(token, token) for token in tokens if token not in empty]


def _count_special_tokens(document: Document) -> _Units:
    """Count a special token of a language model before and after each sentence."""
    units: list[Bounds | None] = []
    first = 1
    for sentence in () if document.empty else document.sentences:
        units += [(token, token) for token in range(first, first + len(sentence))]
        first += len(sentence) + 2
    return units


# Units that a response counts instead of the tokens of the key.
_UNIT_COUNTS: Mapping[str, _CountUnits] = {
    "characters (ends exclusive)": partial(_count_characters, last=0),
    "characters (ends inclusive)": partial(_count_characters, last=1),
    "empty nodes, too": _count_empty_nodes,
    "`[CLS]` and `[SEP]` in each sentence, too": _count_special_tokens,
}


def _list_remappings(case: Case) -> list[Remapping]:
    """Return the remappings, the most likely first."""
    moves = [_make_move(text, *move) for move, text in _MOVES.items()]
    units = [
        Remapping(
            f"offsets of the response count {name}",
            "count the tokens of the key, all of them and no others",
            partial(_convert_units, count_units=count_units),
        )
        for name, count_units in _UNIT_COUNTS.items()
    ]
    lengths = accumulate((len(pair.key.words) for pair in case.pairs), initial=0)
    offsets = dict(zip(map(id, case.pairs), lengths, strict=False))

    def subtract_offset(pair: DocumentPair) -> _Convert:
        offset = offsets[id(pair)]
        return partial(_move_bounds, start=-offset, end=-offset)

    through = Remapping(
        "tokens of the response are counted through the entire file instead of each "
        "document",
        "subtract from each mention the tokens of the documents before its own",
        subtract_offset,
    )
    return [*moves, *units, through]


def _make_move(text: str, start: int, end: int) -> Remapping:
    convert = partial(_move_bounds, start=start, end=end)
    return Remapping(text, _describe_move(start, end), lambda _: convert)


def check_offsets(case: Case) -> Iterator[Suspicion]:
    """Find remappings with which most mentions match."""
    pairs = [
        pair
        for pair in case.pairs
        if pair.matches < _MAX_MATCH_SHARE * pair.fewest
        and (pair.has_same_words or pair.has_same_characters)
    ]
    # The first documents, as many as distinguish a fault from chance.
    mentions_before = accumulate((pair.fewest for pair in pairs), initial=0)
    sample = [
        pair
        for pair, mentions in zip(pairs, mentions_before, strict=False)
        if mentions < _SAMPLE_MENTIONS
    ]
    counts = {
        remapping: sum(_count_remapped(pair, remapping) for pair in sample)
        for remapping in _list_remappings(case)
    }
    # Of equal ones, the first is the most likely.
    remapping = max(counts, key=counts.__getitem__)
    gain = counts[remapping] - sum(pair.matches for pair in sample)
    min_gain = _MIN_MATCH_GAIN * sum(pair.fewest for pair in sample)
    if counts[remapping] < _MIN_MATCHES or gain < min_gain:
        return
    fixed = []
    for pair in pairs:
        if convert := remapping.convert(pair):
            document = _convert_document(pair.response, convert)
            matches = pair.count_matches(list_bounds(document))
            is_small = pair.fewest < _MIN_INFORMATIVE
            if is_small or matches >= _MAX_MATCH_SHARE * pair.fewest:
                fixed.append((pair.response, document))
    # Mentions that are inside the text after a remapping are not an error any more.
    had_beyond = any(map(count_beyond_text, case.response.documents))
    fixed_case = case.replace_responses(fixed)
    if had_beyond and not any(map(count_beyond_text, fixed_case.response.documents)):
        fixed_case = case.replace_responses(fixed, keeps_error=False)
    yield Suspicion(
        f"{remapping.text} (in {format_count(len(fixed), 'document')})",
        remapping.fix,
        count_mentions(document for document, _ in fixed),
        fixed_case,
    )


def _count_remapped(pair: DocumentPair, remapping: Remapping) -> int:
    convert = remapping.convert(pair)
    if convert is None:
        return pair.matches
    if pair.response.empty:
        document = _convert_document(pair.response, convert)
        return pair.count_matches(list_bounds(document))
    # Then tokens are words.
    return pair.count_matches(filter(None, map(convert, list_bounds(pair.response))))


def _convert_document(document: Document, convert: _Convert) -> Document:
    def convert_mention(mention: Mention) -> Mention | None:
        bounds = convert((mention.start, mention.end))
        if bounds is None:
            return None
        return move_mention(mention, bounds[0] - mention.start, bounds[1] - mention.end)

    return replace_mentions(document, convert_mention)


def check_boundaries(case: Case) -> Iterator[Suspicion]:
    """Find mentions that do not match only because of their bounds."""
    if not case.settings.is_exact or case.match_share < _MIN_MATCH_SHARE:
        return
    near = [(pair, _pair_near_mentions(pair)) for pair in case.pairs]
    count = sum(len(partners) for _, partners in near)
    total = case.mentions["response"]
    if count < max(_MIN_NEAR, _MIN_NEAR_SHARE * total):
        return
    text = (
        f"{format_count(count, 'mention')} of the response "
        f"{choose_verb(count, 'differs', 'differ')} from a mention of the key only in "
        f"bounds: one is inside the other{_describe_words(near, count)}"
    )
    documents = case.list_paired("response")
    bounds = [bound for document in documents for bound in list_bounds(document)]
    if sum(start == end for start, end in bounds) >= _HEAD_SHARE * total:
        text = f"the response has words instead of phrases, perhaps heads: {text}"
    fixed = case.replace_settings(match="head")
    fix = "`--match head` compares heads; `--match partial` is stricter"
    if isinstance(fixed.result, CorefkitError):
        fix = "compare bounds with those of the key; scores after are with the key's"
        fixed = case.replace_responses(
            (pair.response, _replace_bounds(pair.response, partners))
            for pair, partners in near
            if partners
        )
    yield Suspicion(text, fix, count, fixed)


def _replace_bounds(document: Document, partners: _Near) -> Document:
    return replace_mentions(document, lambda mention: partners.get(mention, mention))


def _pair_near_mentions(pair: DocumentPair) -> _Near:
    """Pair mentions of the response with key mentions inside or around them."""
    if not pair.has_same_words or pair.key.empty or pair.response.empty:
        return {}
    key, response = {*iter_mentions(pair.key)}, {*iter_mentions(pair.response)}
    free = sorted(key - response)
    starts = [mention.start for mention in free]
    used: set[int] = set()
    partners: dict[Mention, Mention] = {}
    for mention in sorted(response - key):
        distances: dict[int, int] = {}
        low = bisect_left(starts, mention.start - _MAX_DISTANCE)
        for index in range(low, bisect_right(starts, mention.start + _MAX_DISTANCE)):
            start = mention.start - free[index].start
            end = mention.end - free[index].end
            is_inside = start * end <= 0 and abs(end) <= _MAX_DISTANCE
            if is_inside and index not in used:
                distances[index] = abs(start) + abs(end)
        if distances:
            nearest = min(distances, key=distances.__getitem__)
            partners[mention] = free[nearest]
            used.add(nearest)
    return partners


def _describe_words(near: Sequence[tuple[DocumentPair, _Near]], count: int) -> str:
    edges: Counter[tuple[str, str, str]] = Counter()
    for pair, partners in near:
        words = pair.key.words or pair.response.words
        for mention, partner in partners.items() if words else ():
            for side, first, last in (
                ("at the start", mention.start, partner.start),
                ("at the end", partner.end + 1, mention.end + 1),
            ):
                verb = "lacks" if first > last else "adds"
                if first != last and max(first, last) <= len(words):
                    edges[verb, words[min(first, last)].casefold(), side] += 1
    parts = [
        f"{verb} {quoted(word)} {side} ({number:,})"
        for (verb, word, side), number in edges.most_common(2)
        if number >= _MIN_WORD_SHARE * count
    ]
    return f". Most often it {' or '.join(parts)}" if parts else ""
