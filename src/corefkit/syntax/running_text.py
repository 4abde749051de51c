"""Spaces and paragraphs of a text, as the annotation of its file has them.

CoNLL-U has spaces in `SpaceAfter=No`, of a word or a multiword range, or else in the
comment `text` of each sentence. Paragraphs begin at the comment `newpar`.
"""

from __future__ import annotations

import re
from itertools import islice, pairwise
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from corefkit.model import Document

_NO_SPACE = "SpaceAfter=No"
_RANGE = re.compile(r"(\d+)-(\d+)\t([^\t]*).*\t([^\t]*)")
_TEXT = re.compile(r"text[ \t]*=[ \t]?(.*)")
_PARAGRAPH = re.compile(r"newpar(?![\w-])")


class Layout(NamedTuple):
    """Spaces and paragraphs of a document, as far as they are known."""

    joined: Sequence[int] | None = None  # tokens without a space before; None: unknown
    paragraphs: Sequence[int] = ()  # sentences that begin one; empty: unknown

    def truncate(self, tokens: int, sentences: int) -> Layout:
        """Keep the first tokens and sentences."""
        return Layout(
            self.joined and [token for token in self.joined if token < tokens],
            [number for number in self.paragraphs if number < sentences],
        )


NO_LAYOUT = Layout()


class _Range(NamedTuple):
    tokens: Sequence[int]
    form: str
    misc: str


def read_layout(document: Document) -> Layout:
    """Read spaces and paragraphs from the layers and comments of a document.

    >>> from corefkit import Document
    >>> sentences = (("He", "left", "."), ("Why", "?"))
    >>> comments = (("newpar", "text = He left."), ("text = Why?",))
    >>> read_layout(Document("d", sentences, (), comments=comments))
    Layout(joined=[2, 4], paragraphs=[0])
    """
    comments = document.comments or ((),) * len(document.sentences)
    paragraphs = [
        number
        for number, lines in enumerate(comments)
        if any(map(_PARAGRAPH.match, lines))
    ]
    ranges = _find_ranges(document)
    misc = document.layers.get("misc", ())
    cells = [*misc, *(part.misc for part in ranges.values())]
    if any(_NO_SPACE in cell.split("|") for cell in cells if _NO_SPACE in cell):
        return Layout(_list_joined(document, ranges, misc), paragraphs)
    texts = [
        next((match[1] for match in map(_TEXT.match, lines) if match), "")
        for lines in comments
    ]
    if not any(texts):
        return Layout(None, paragraphs)
    return Layout([*_find_joined(document, ranges, texts)], paragraphs)


def _find_ranges(document: Document) -> dict[int, _Range]:
    """Find the multiword ranges, by their first words."""
    empty, words = set(document.empty), len(document.tokens)
    ranges = {}
    for token, line in enumerate(document.layers.get("mwt", ())):
        if match := _RANGE.match(line):
            size = int(match[2]) - int(match[1]) + 1
            tokens = (number for number in range(token, words) if number not in empty)
            ranges[token] = _Range([*islice(tokens, size)], match[3], match[4])
    return ranges


def _list_joined(
    document: Document, ranges: Mapping[int, _Range], misc: Sequence[str]
) -> list[int]:
    words, empty = document.tokens, set(document.empty)
    has_no_space = [_NO_SPACE in cell for cell in misc] or [False] * len(words)
    for tokens, form, range_misc in ranges.values():
        # `don't` is written for `do` and `n't`; `du` is not, for `de` and `le`.
        is_written = "".join(words[token] for token in tokens) == form
        for token in tokens:
            has_no_space[token] = is_written
        has_no_space[tokens[-1]] = _NO_SPACE in range_misc
    visible = (token for token in range(len(words)) if token not in empty)
    return [token for previous, token in pairwise(visible) if has_no_space[previous]]


def _find_joined(
    document: Document, ranges: Mapping[int, _Range], texts: Sequence[str]
) -> Iterator[int]:
    """Find the words of each sentence in its text, up to one that it lacks."""
    words, skipped = document.tokens, set(document.empty)
    first = 0
    for sentence, text in zip(document.sentences, texts, strict=False):
        position = 0
        for token, word in enumerate(sentence, first):
            if token in skipped:
                continue
            part = ranges.get(token, _Range([token], word, ""))
            start = text.find(part.form, position)
            if start < 0 or text[position:start].strip():
                break
            if position and start == position:
                yield token
            if "".join(words[number] for number in part.tokens) == part.form:
                yield from part.tokens[1:]
            skipped.update(part.tokens)
            position = start + len(part.form)
        first += len(sentence)
