"""What stands for the tokens of a document: words, numbers, or names of mentions."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, cast

from corefkit.analysis.errors.mentions import is_span, label_of_name, order_of_names
from corefkit.report.reader.documents import MOST_UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from corefkit.analysis.errors.error_analysis import DocumentText
    from corefkit.analysis.errors.layers import Place
    from corefkit.report.reader.values import Parts


class Spelling(NamedTuple):
    """The tokens of a document as they are shown.

    Attributes:
        sentences: what stands for each token.
        parts: finds the tokens of a mention among them by its place.
        has_words: whether `sentences` are words.
        is_named: whether they are names of mentions.
    """

    sentences: Sequence[Sequence[str]]
    parts: Callable[[Place], Parts]
    has_words: bool = True
    is_named: bool = False


def spelling_of(
    text: DocumentText, places: Sequence[Place], *, is_named: bool
) -> Spelling:
    """Find what stands for the tokens of a document.

    Args:
        text: its words, where they are known.
        places: where its mentions stand, on all sides.
        is_named: whether places are names.

    >>> from corefkit.analysis.errors.error_analysis import DocumentText
    >>> named = spelling_of(DocumentText(), ["b", "a"], is_named=True)
    >>> named.sentences, named.parts("b")
    ((('a', 'b'),), ((1, 1),))
    >>> spelling_of(DocumentText(), [((1, 2),)], is_named=False).sentences
    (('0', '1', '2'),)
    """
    if is_named and not all(map(is_span, places)):
        return _of_names(places)
    find = _parts_of_span if is_named else _as_it_is
    found = [find(place) for place in places]
    last = max((parts[-1][1] for parts in found), default=-1)
    if text.tokens and last < len(text.tokens):
        bounds = pairwise([*text.sentences, len(text.tokens)])
        return Spelling(
            [text.tokens[first:end] for first, end in bounds if first < end], find
        )
    if last < MOST_UNKNOWN:
        sentence = tuple(map(str, range(last + 1)))
        return Spelling((sentence,) if sentence else (), find, has_words=False)
    return _of_bounds(found, find)


def _as_it_is(place: Place) -> Parts:
    return cast("Parts", place)


def _parts_of_span(place: Place) -> Parts:
    first, last = cast("tuple[int, int]", place)
    return ((int(first), int(last)),)


def _of_names(names: Sequence[Hashable]) -> Spelling:
    order = order_of_names(names)
    token = {names[row]: number for number, row in enumerate(order)}
    labels = tuple([label_of_name(names[row]) for row in order])
    return Spelling(
        (labels,),
        lambda place: ((token[place], token[place]),),
        has_words=False,
        is_named=True,
    )


def _of_bounds(found: Sequence[Parts], find: Callable[[Place], Parts]) -> Spelling:
    """Show only tokens at which parts of mentions begin or end."""
    there = sorted({bound for parts in found for part in parts for bound in part})
    number = {token: row for row, token in enumerate(there)}

    def parts_there(place: Place) -> Parts:
        return tuple([(number[first], number[last]) for first, last in find(place)])

    return Spelling((tuple(map(str, there)),), parts_there, has_words=False)
