"""A check of what is counted: tokens that the key counts, and the response does not.

The response has no words to tell by. So the key's are counted in ways that people count
them, and the way is told by which most mentions meet.
"""

from __future__ import annotations

from functools import partial
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from corefkit.analysis.doctor.offsets import changed_bounds
from corefkit.model import Mention

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from corefkit.analysis.doctor.case import Case, Pair, Suspicion
    from corefkit.analysis.doctor.offsets import Change
    from corefkit.model import Document

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
