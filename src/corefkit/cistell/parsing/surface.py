"""Documents as they are written: tokens with the blanks between them, and raw text."""

from __future__ import annotations

from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corefkit.model import Document

_FORM, _MISC = 1, 9


class Token(NamedTuple):
    """A token as it is written, and whether a blank follows it."""

    form: str
    blank: bool

    @property
    def size(self) -> int:
        """How many characters it has, not counting blanks inside it."""
        return len("".join(self.form.split()))


def raw_text(document: Document) -> str:
    r"""Write the text of a document, blank lines before its later paragraphs.

    Blanks are where MISC does not say `SpaceAfter=No`, and new paragraphs where a
    comment says `newpar`.

    >>> from corefkit.model import Document
    >>> layers = {"misc": ("SpaceAfter=No", "_", "SpaceAfter=No", "_")}
    >>> comments = (), ("newpar",)
    >>> sentences = ("Go", "!"), ("Run", "!")
    >>> raw_text(Document("d", sentences, (), layers=layers, comments=comments))
    'Go!\n\nRun!'
    """
    texts: list[str] = []
    comments = document.comments or ((),) * len(document.sentences)
    for sentence, above in zip(surface(document), comments, strict=True):
        if texts and any(_begins_paragraph(comment) for comment in above):
            texts.append("\n\n")
        texts.extend(form + " " * blank for form, blank in sentence)
    return "".join(texts).replace(" \n", "\n").rstrip(" ")


def _begins_paragraph(comment: str) -> bool:
    return comment.split("=")[0].split()[:1] == ["newpar"]


def surface(document: Document) -> Iterator[list[Token]]:
    """Go through the sentences of a document, multiword tokens as they are written."""
    empty = set(document.empty)
    misc, ranges = document.layers.get("misc"), document.layers.get("mwt")
    first = 0
    for sentence in document.sentences:
        tokens: list[Token] = []
        hidden = 0  # words of a multiword token that are still to come
        for token, word in enumerate(sentence, first):
            if token in empty:
                continue
            if ranges and ranges[token]:
                row = ranges[token].split("\t")
                begin, _, end = row[0].partition("-")
                hidden = int(end) - int(begin) + 1
                tokens.append(Token(row[_FORM], _blank(row[_MISC])))
            elif not hidden:
                tokens.append(Token(word, not misc or _blank(misc[token])))
            hidden = max(hidden - 1, 0)
        first += len(sentence)
        yield tokens


def _blank(misc: str) -> bool:
    return "SpaceAfter=No" not in misc.split("|")


def spans(sizes: Iterable[int]) -> set[tuple[int, int]]:
    """Return where things of these sizes begin and end, one after the other.

    >>> sorted(spans([2, 1]))
    [(0, 2), (2, 3)]
    """
    return set(pairwise(accumulate(sizes, initial=0)))
