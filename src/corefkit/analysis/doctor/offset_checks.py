"""Checks of offsets: other units, other starting points, shifts, and borders.

tokens counted from elsewhere, exclusive ends; characters or word pieces as units;
tokens that the key counts and the response does not, tried in the ways that people
count them; offsets that are right at first and wrong from some token on; mentions
behind the text; mentions that lie inside those of the key, or around them.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from functools import partial
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from corefkit.analysis.doctor.case import (
    Suspicion,
    bounds,
    goes_beyond,
    mention_count,
    mentions_of,
    moved,
    same_mentions,
    with_mentions,
)
from corefkit.analysis.doctor.examination import counted, verb
from corefkit.exceptions import CorefkitError, quoted
from corefkit.model import Mention

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from corefkit.analysis.doctor.case import Bounds, Case, Pair
    from corefkit.model import Document

# How many times as long as in tokens a text seems to be, if something else is counted.
_PIECES = (1.02, 2.5)
_CHARACTERS = (3.0, 8.0)


def beyond_the_text(case: Case) -> Iterator[Suspicion]:
    """Mentions behind the last token of the key, in a response without words."""
    outside = sum(pair.beyond for pair in case.pairs)
    if not outside:
        return
    pairs = [pair for pair in case.pairs if pair.key.words and not pair.response.words]
    keys, responses = [pair.key for pair in pairs], [pair.response for pair in pairs]
    yield Suspicion(
        f"{counted(outside, 'mention')} of the response {verb(outside, 'ends', 'end')} "
        "behind the last token of the key's text",
        likely_units(keys, responses) or "count the tokens of the key, from 0",
        outside,
        is_certain=True,
    )


def likely_units(texts: Sequence[Document], documents: Sequence[Document]) -> str:
    """Guess by how far mentions reach what is counted in place of tokens."""
    rows = [
        (len(text.words), 1 + max(mention.end for mention in mentions_of(document)))
        for text, document in zip(texts, documents, strict=True)
        if document.entities and text.words
    ]
    tokens, reached = (sum(column) for column in zip(*rows, strict=True))
    times = reached / tokens
    if _PIECES[0] <= times <= _PIECES[1]:
        return (
            f"the text seems {times:.2f} times as long as in tokens: are its offsets "
            "those of word pieces? then turn each into the number of its word, as "
            "`word_ids()` of a tokenizer or a `subtoken_map` has it"
        )
    if _CHARACTERS[0] <= times <= _CHARACTERS[1]:
        return (
            f"the text seems {times:.2f} times as long as in tokens: are its offsets "
            "those of characters? then turn each into the number of its token"
        )
    return ""


if TYPE_CHECKING:
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


class _Layout(NamedTuple):
    """How the words of a text stand in its characters.

    Attributes:
        text: the layout in words.
        blank: characters between two words.
        line: characters between two sentences.
    """

    text: str
    blank: int
    line: int


_LAYOUTS = (
    _Layout("words set apart by blanks", 1, 1),
    _Layout("words set apart by blanks, and two characters between sentences", 1, 2),
    _Layout("words without blanks", 0, 0),
)
_ENDS = {"exclusive": 0, "inclusive": 1}


def by_character(case: Case) -> Iterator[Suspicion]:
    """Offsets of characters in place of tokens."""
    for layout in _LAYOUTS:
        for how, last in _ENDS.items():
            yield from changed_bounds(
                case,
                partial(_tokens_of, layout=layout, last=last),
                f"offsets of the response are characters, and not tokens (ends {how})",
                f"count tokens, not characters: the key's {layout.text} fit",
            )


def _tokens_of(pair: Pair, *, layout: _Layout, last: int) -> Change | None:
    """Make a function that finds the tokens of offsets of characters."""
    words = pair.key.words
    if not words:
        return None
    starts = _starts(pair.key, layout)
    first = {start: at for at, start in enumerate(starts)}
    behind = {
        start + len(word) - last: at
        for at, (start, word) in enumerate(zip(starts, words, strict=True))
    }

    def tokens(mention: Mention) -> Mention | None:
        start, end = first.get(mention.start), behind.get(mention.end)
        if start is None or end is None or end < start:
            return None
        return Mention(start, end)

    return tokens


def _starts(document: Document, layout: _Layout) -> Sequence[int]:
    """List the characters at which the words of a document begin.

    >>> from corefkit.model import Document
    >>> _starts(Document("d", (("I", "see"), ("Go",)), ()), _Layout("", 1, 2))
    [0, 2, 7]
    """
    words = document.words
    between = [layout.blank] * len(words)
    # Where there are empty nodes, they stand for no sentence of words.
    if layout.line != layout.blank and not document.empty:
        for end in accumulate(map(len, document.sentences)):
            between[end - 1] = layout.line
    lengths = [len(word) + more for word, more in zip(words, between, strict=True)]
    return [0, *accumulate(lengths)][:-1]


_CLITICS = (
    "'",
    "\N{RIGHT SINGLE QUOTATION MARK}",
    "n't",
    "n\N{RIGHT SINGLE QUOTATION MARK}t",
)


class _Way(NamedTuple):
    """A way to count.

    Attributes:
        text: what is counted otherwise.
        counts: says for each word of the key how many tokens it is.
        lead: tokens before the first.
    """

    text: str
    counts: Callable[[Document], Sequence[int]]
    lead: int = 0


def _without_marks(document: Document) -> Sequence[int]:
    return [int(any(map(str.isalnum, word))) for word in document.words]


def _without_clitics(document: Document) -> Sequence[int]:
    return [int(not word.casefold().startswith(_CLITICS)) for word in document.words]


def _at_blanks(document: Document) -> Sequence[int]:
    both = zip(_without_marks(document), _without_clitics(document), strict=True)
    return [min(pair) for pair in both]


def _more_in_sentences(document: Document, *, more: int) -> Sequence[int]:
    if document.empty:
        return ()
    counts: list[int] = []
    for sentence in document.sentences:
        counts += [1] * (len(sentence) - 1) + [1 + more]
    return counts


def _with_empty_nodes(document: Document) -> Sequence[int]:
    empty = set(document.empty)
    counts = [0]
    for token in range(sum(map(len, document.sentences)) if empty else 0):
        if token in empty:
            counts[-1] += 1
        else:
            counts.append(1)
    return counts[1:]


_WAYS = (
    _Way("without punctuation marks", _without_marks),
    _Way("with clitics as part of the word before, as in `don't`", _without_clitics),
    _Way("as the text is cut at its blanks", _at_blanks),
    _Way("with empty nodes", _with_empty_nodes),
    *(
        _Way(
            f"with {tokens} in each sentence",
            partial(_more_in_sentences, more=more),
            lead,
        )
        for tokens, more, lead in (
            ("one token more", 1, 0),
            ("one token more, in front,", 1, 1),
            ("two tokens more, such as `[CLS]` and `[SEP]`,", 2, 1),
        )
    ),
)


def other_count(case: Case) -> Iterator[Suspicion]:
    """Tokens that are counted in another way than the key's."""
    for way in _WAYS:
        for hanging in (False, True):
            yield from changed_bounds(
                case,
                partial(_change, way=way, hanging=hanging),
                f"tokens of the response are counted {way.text}",
                "count the tokens of the key, all of them and no other",
            )


def _change(pair: Pair, *, way: _Way, hanging: bool) -> Change | None:
    """Make a function that finds the words of the key that tokens are.

    Args:
        pair: the documents.
        way: how the response counts.
        hanging: whether a mention ends behind words that are no token of their own.
    """
    counts = way.counts(pair.key)
    if pair.response.words or all(count == 1 for count in counts):
        return None
    starts: dict[int, int] = {}
    ends: dict[int, int] = {}
    before = accumulate(counts, initial=way.lead)
    at = way.lead - 1
    for word, (first, count) in enumerate(zip(before, counts, strict=False)):
        if count:
            starts[first] = word
            ends[first] = word
            at = first
        elif hanging:
            ends[at] = word

    def words(mention: Mention) -> Mention | None:
        start, end = starts.get(mention.start), ends.get(mention.end)
        if start is None or end is None or end < start:
            return None
        return Mention(start, end)

    return words


_MET = 0.75  # of mentions that meet, from which on a document is not looked at
_MORE = 0.1  # of mentions, that must meet beyond those that do
_MOST = 0.6  # of mentions, that must meet then
_LEAST_MOVED = 5  # mentions that must meet then
_CHANGE = 8  # mentions that a change of the distance must be worth, against chance
_FARTHEST_DRIFT = 100  # tokens


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
    is_much = (
        met >= max(_LEAST_MOVED, _MOST * least) and met - pair.met >= _MORE * least
    )
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
        low = bisect_left(same, start - _FARTHEST_DRIFT)
        high = bisect_right(same, start + _FARTHEST_DRIFT)
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


_LEAST_NEAR = 3  # mentions that are worth a word
_SHARE = 0.05  # of mentions, that are worth a word
_HARDLY = 0.1  # of mentions that meet: less is chance
_HEADS_ONLY = 0.95  # of mentions with one word, in a response of heads
_FARTHEST_BORDER = 40  # tokens between starts, or ends, of mentions that nearly meet
_OFTEN = 0.15  # of mentions that nearly meet: a word that makes the difference


def boundaries(case: Case) -> Iterator[Suspicion]:
    """Mentions that miss each other by their bounds alone."""
    # Where nothing meets, mentions lie inside others by chance.
    if not case.settings.is_exact or case.share_met < _HARDLY:
        return
    nearly = [(pair, _nearly(pair)) for pair in case.pairs]
    many = sum(len(found) for _, found in nearly)
    if many < max(_LEAST_NEAR, _SHARE * case.mentions[1]):
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
        low = bisect_left(starts, mention.start - _FARTHEST_BORDER)
        high = bisect_right(starts, mention.start + _FARTHEST_BORDER)
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
    return starts * ends <= 0 and max(abs(starts), abs(ends)) <= _FARTHEST_BORDER


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
