"""Checks of offsets: other units, other starting points, shifts, and boundaries.

Most faults are a way to count tokens. Each way is a *remapping*: a function that
converts the offsets of the response in a document to tokens of the key. All remappings
are tried in one loop, and yield a suspicion if most mentions match after them.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from functools import partial
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from corefkit.analysis.doctor.case import (
    DocumentPair,
    Suspicion,
    count_beyond_text,
    iter_mentions,
    list_bounds,
    move_mention,
    replace_mentions,
)
from corefkit.analysis.doctor.examination import choose_verb, format_count
from corefkit.exceptions import CorefkitError, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from corefkit.analysis.doctor.case import Bounds, Case
    from corefkit.model import Document, Mention

# Converts the bounds of a mention of the response; None if they do not fit.
_Convert: TypeAlias = "Callable[[Bounds], Bounds | None]"

# The length of a text by its mentions, relative to its tokens, if other units are
# counted.
_PIECES = (1.02, 2.5)
_CHARACTERS = (3.0, 8.0)
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
    for name, (low, high), fix in (
        ("word pieces", _PIECES, "word, with `word_ids()` of a tokenizer"),
        ("characters", _CHARACTERS, "token"),
    ):
        if low <= ratio <= high:
            return (
                f"the text seems {ratio:.2f} times as long as in tokens: if its "
                f"offsets are those of {name}, convert each to the number of its {fix}"
            )
    return ""


class Remapping(NamedTuple):
    """A way to convert the offsets of a response.

    Attributes:
        text: the description of the fault.
        fix: how to fix it.
        convert: returns the function that converts the mentions of a document, or None
            if it would change nothing.
    """

    text: str
    fix: str
    convert: Callable[[DocumentPair], _Convert | None]


def _shift(start: int, end: int) -> Remapping:
    direction = "high" if start < 0 else "low"
    text = f"tokens of the response are {abs(start)} too {direction}"
    return Remapping(
        _MOVES.get((start, end), text),
        _describe_move(start, end),
        lambda _: partial(_move_bounds, start=start, end=end),
    )


def _move_bounds(bounds: Bounds, *, start: int, end: int) -> Bounds | None:
    first, last = bounds[0] + start, bounds[1] + end
    return (first, last) if 0 <= first <= last else None


def _describe_move(start: int, end: int) -> str:
    """Describe how starts and ends are changed.

    >>> _describe_move(-1, -1)
    'subtract 1 from the start and the end of each mention of the response'
    >>> _describe_move(0, -1)
    'subtract 1 from the end of each mention of the response'
    """
    names: dict[int, list[str]] = {}
    for step, name in ((start, "the start"), (end, "the end")):
        if step:
            names.setdefault(step, []).append(name)
    parts = [
        f"subtract {-step} from {' and '.join(edges)}"
        if step < 0
        else f"add {step} to {' and '.join(edges)}"
        for step, edges in names.items()
    ]
    return f"{', '.join(parts)} of each mention of the response"


# Returns the first and last unit of each word, None if it is not a unit by itself.
_CountUnits: TypeAlias = "Callable[[Document], Sequence[tuple[int, int] | None]]"


def _convert_units(pair: DocumentPair, *, count: _CountUnits) -> _Convert | None:
    """Return the function that finds the words of mentions in other units."""
    units = count(pair.key)
    if not units or pair.response.words:
        return None
    if all(unit == (word, word) for word, unit in enumerate(units)):
        return None
    starts: dict[int, int] = {}
    ends: dict[int, int] = {}
    for word, unit in enumerate(units):
        if unit is not None:
            starts[unit[0]], ends[unit[1]] = word, word

    def convert(bounds: Bounds) -> Bounds | None:
        start, end = starts.get(bounds[0]), ends.get(bounds[1])
        return None if start is None or end is None or end < start else (start, end)

    return convert


def _convert_document(document: Document, convert: _Convert) -> Document:
    def convert_mention(mention: Mention) -> Mention | None:
        bounds = convert((mention.start, mention.end))
        if bounds is None:
            return None
        return move_mention(mention, bounds[0] - mention.start, bounds[1] - mention.end)

    return replace_mentions(document, convert_mention)


def _count_characters(
    document: Document, *, last: int, line: int
) -> list[tuple[int, int] | None]:
    """Count characters, with a blank between words.

    Args:
        document: the words.
        last: 1 if the ends of mentions are inclusive, 0 if they are exclusive.
        line: the number of characters between sentences.
    """
    gaps = [1] * len(document.words)
    if not document.empty:
        for end in accumulate(map(len, document.sentences)):
            gaps[end - 1] = line
    lengths = [len(word) for word in document.words]
    sizes = [length + gap for length, gap in zip(lengths, gaps, strict=True)]
    starts = accumulate(sizes, initial=0)
    return [
        (start, start + length - last)
        for start, length in zip(starts, lengths, strict=False)
    ]


def _count_without_punctuation(document: Document) -> list[tuple[int, int] | None]:
    is_word = [any(map(str.isalnum, word)) for word in document.words]
    numbers = accumulate(is_word, initial=0)
    return [
        (number, number) if flag else None
        for number, flag in zip(numbers, is_word, strict=False)
    ]


def _count_empty_nodes(document: Document) -> list[tuple[int, int] | None]:
    """Count empty nodes, of which words of the key are those between them."""
    empty = {*document.empty}
    tokens = range(sum(map(len, document.sentences)) if empty else 0)
    return [(token, token) for token in tokens if token not in empty]


def _count_special_tokens(
    document: Document, *, before: int, after: int
) -> list[tuple[int, int] | None]:
    """Count special tokens of a language model around each sentence."""
    if document.empty:
        return []
    units: list[tuple[int, int] | None] = []
    number = 0
    for sentence in document.sentences:
        number += before
        units += [(number + word, number + word) for word in range(len(sentence))]
        number += len(sentence) + after
    return units


_COUNT_FIX = "count the tokens of the key, all of them and no others"
_REMAPPINGS = (
    *(_shift(*move) for move in _MOVES),
    *(_shift(by, by) for step in range(2, _MAX_SHIFT + 1) for by in (-step, step)),
    *(
        Remapping(
            f"offsets of the response are characters instead of tokens (ends {kind})",
            "count tokens instead of characters",
            partial(
                _convert_units,
                count=partial(_count_characters, last=last, line=line),
            ),
        )
        for line in (1, 2)
        for kind, last in (("exclusive", 0), ("inclusive", 1))
    ),
    *(
        Remapping(
            f"tokens of the response are counted {text}",
            _COUNT_FIX,
            partial(_convert_units, count=count),
        )
        for text, count in (
            ("without punctuation marks", _count_without_punctuation),
            ("with empty nodes", _count_empty_nodes),
            (
                "with one token more in each sentence",
                partial(_count_special_tokens, before=0, after=1),
            ),
            (
                "with two tokens more in each sentence, such as `[CLS]` and `[SEP]`",
                partial(_count_special_tokens, before=1, after=1),
            ),
        )
    ),
)


def check_offsets(case: Case) -> Iterator[Suspicion]:
    """Find remappings with which most mentions match."""
    pairs = [
        pair
        for pair in case.pairs
        if pair.matches < _MAX_MATCH_SHARE * pair.fewest
        and (pair.has_same_words or pair.has_same_characters)
    ]
    if not pairs:
        return
    sample = _select_sample(pairs)
    best: tuple[int, Remapping] | None = None
    for remapping in (*_REMAPPINGS, _remap_file(case)):
        matches = _count_remapped(sample, remapping)
        # Of equal ones, the first is the most likely.
        if best is None or matches > best[0]:
            best = matches, remapping
    if best is None or not _is_convincing(sample, best[0]):
        return
    remapping = best[1]
    fixed = {}
    mentions = 0
    for pair in pairs:
        convert = remapping.convert(pair)
        if convert is None:
            continue
        document = _convert_document(pair.response, convert)
        matches = pair.count_matches(list_bounds(document))
        is_small = pair.fewest < _MIN_INFORMATIVE
        if is_small or matches >= _MAX_MATCH_SHARE * pair.fewest:
            fixed[case.find_index(pair.response)] = document
            mentions += len(list_bounds(pair.response))
    # Mentions that are inside the text after a remapping are not an error any more.
    had_beyond = any(map(count_beyond_text, case.response))
    fixed_case = case.replace_response(fixed)
    if had_beyond and not any(map(count_beyond_text, fixed_case.response)):
        fixed_case = case.replace_response(fixed, keeps_error=False)
    yield Suspicion(
        f"{remapping.text} (in {format_count(len(fixed), 'document')})",
        remapping.fix,
        mentions,
        fixed_case,
    )


def _select_sample(pairs: Sequence[DocumentPair]) -> list[DocumentPair]:
    """Select the first documents, as many as distinguish a fault from chance."""
    mentions_before = accumulate((pair.fewest for pair in pairs), initial=0)
    return [
        pair
        for pair, mentions in zip(pairs, mentions_before, strict=False)
        if mentions < _SAMPLE_MENTIONS
    ]


def _count_remapped(pairs: Sequence[DocumentPair], remapping: Remapping) -> int:
    """Count the mentions that match after a remapping."""
    matches = 0
    for pair in pairs:
        convert = remapping.convert(pair)
        if convert is None:
            matches += pair.matches
        elif pair.response.empty:
            document = _convert_document(pair.response, convert)
            matches += pair.count_matches(list_bounds(document))
        else:  # then tokens are words
            bounds = map(convert, list_bounds(pair.response))
            matches += pair.count_matches(filter(None, bounds))
    return matches


def _is_convincing(pairs: Sequence[DocumentPair], matches: int) -> bool:
    gain = matches - sum(pair.matches for pair in pairs)
    fewest = sum(pair.fewest for pair in pairs)
    return matches >= _MIN_MATCHES and gain >= _MIN_MATCH_GAIN * fewest


def _remap_file(case: Case) -> Remapping:
    """Return the remapping of tokens that are counted through all documents."""
    lengths = [len(pair.key.words) for pair in case.pairs]
    offsets = dict(
        zip(map(id, case.pairs), accumulate(lengths, initial=0), strict=False)
    )

    def convert(pair: DocumentPair) -> _Convert | None:
        offset = offsets[id(pair)]
        return partial(_move_bounds, start=-offset, end=-offset)

    return Remapping(
        "tokens of the response are counted through the whole file instead of each "
        "document",
        "subtract from each mention the tokens of the documents before its own",
        convert,
    )


def check_boundaries(case: Case) -> Iterator[Suspicion]:
    """Find mentions that do not match only because of their bounds."""
    if not case.settings.is_exact or case.match_share < _MIN_MATCH_SHARE:
        return
    near = [(pair, _pair_near_mentions(pair)) for pair in case.pairs]
    count = sum(len(partners) for _, partners in near)
    if count < max(_MIN_NEAR, _MIN_NEAR_SHARE * case.mentions[1]):
        return
    text = (
        f"{format_count(count, 'mention')} of the response "
        f"{choose_verb(count, 'differs', 'differ')} from a mention of the key only in "
        f"bounds: one is inside the other{_describe_words(near, count)}"
    )
    single = sum(
        start == end for pair in case.pairs for start, end in list_bounds(pair.response)
    )
    if single >= _HEAD_SHARE * case.mentions[1]:
        text = f"the response has words instead of phrases, perhaps heads: {text}"
    by_head = case.replace_settings(match="head")
    fix = "`--match head` compares heads; `--match partial` is stricter"
    if isinstance(by_head.result, CorefkitError):
        fix = "compare bounds with those of the key; scores after are with the key's"
        yield Suspicion(text, fix, count, _replace_bounds(case, near))
    else:
        yield Suspicion(text, fix, count, by_head)


def _pair_near_mentions(pair: DocumentPair) -> dict[Mention, Mention]:
    """Pair mentions of the response with key mentions inside or around them."""
    if not pair.has_same_words or pair.key.empty or pair.response.empty:
        return {}
    key, response = {*iter_mentions(pair.key)}, {*iter_mentions(pair.response)}
    free = sorted(key - response)
    starts = [mention.start for mention in free]
    used: set[int] = set()
    partners: dict[Mention, Mention] = {}
    for mention in sorted(response - key):
        low = bisect_left(starts, mention.start - _MAX_DISTANCE)
        high = bisect_right(starts, mention.start + _MAX_DISTANCE)
        distances = {
            index: distance
            for index in range(low, high)
            if index not in used
            and (distance := _measure_distance(mention, free[index])) is not None
        }
        if distances:
            nearest = min(distances, key=distances.__getitem__)
            partners[mention] = free[nearest]
            used.add(nearest)
    return partners


def _measure_distance(first: Mention, second: Mention) -> int | None:
    """Measure the distance of two mentions; None unless one is inside the other."""
    start, end = first.start - second.start, first.end - second.end
    if start * end > 0 or max(abs(start), abs(end)) > _MAX_DISTANCE:
        return None
    return abs(start) + abs(end)


def _describe_words(
    near: Iterable[tuple[DocumentPair, Mapping[Mention, Mention]]], count: int
) -> str:
    """Describe the most frequent words by which mentions differ."""
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
    frequent = [
        row for row in edges.most_common(2) if row[1] >= _MIN_WORD_SHARE * count
    ]
    parts = [
        f"{verb} {quoted(word)} {side} ({number:,})"
        for (verb, word, side), number in frequent
    ]
    return f". Most often it {' or '.join(parts)}" if parts else ""


def _get_partner(mention: Mention, *, partners: Mapping[Mention, Mention]) -> Mention:
    return partners.get(mention, mention)


def _replace_bounds(
    case: Case, near: Iterable[tuple[DocumentPair, Mapping[Mention, Mention]]]
) -> Case:
    documents = {}
    for pair, partners in near:
        if partners:
            documents[case.find_index(pair.response)] = replace_mentions(
                pair.response, partial(_get_partner, partners=partners)
            )
    return case.replace_response(documents)
