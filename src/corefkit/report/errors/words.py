"""The words of errors: mentions in their contexts, and where they stand."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

from corefkit.model import Mention

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefkit.analysis.errors.analysis import DocumentText, MentionId

_AROUND = 4  # words shown before and behind a mention
_LONGEST = 10  # words of a mention that are shown
_MOST = 3  # mentions of an error that are shown


def words_of(text: DocumentText | None) -> DocumentWords:
    """Give the words of a document; those that are not known are none."""
    if text is None:
        return DocumentWords()
    return DocumentWords(text.tokens, text.sentences, text.places)


@dataclass(frozen=True, slots=True)
class DocumentWords:
    """The words of a document, as lists show them.

    Attributes:
        tokens: its tokens; none where they are not known.
        sentences: the first token of each sentence.
        places: where each token stands; none where nobody asked.
    """

    tokens: Sequence[str] = ()
    sentences: Sequence[int] = ()
    places: Sequence[str] = ()

    def of(self, kind: str, mentions: Sequence[MentionId]) -> str:
        """Write the mentions of an error of a kind, the first in its context."""
        mention, *others = mentions
        said = self._in_context(mention)
        if kind == "span" and others:
            return f"{said}, in the key {self._bracketed(others[0])}"
        kept = [self._bracketed(other) for other in others[: _MOST - 1]]
        more = len(others) - len(kept)
        return ", ".join([said, *kept, *([f"{more} more"] * bool(more))])

    def place(self, mention: MentionId) -> str:
        """Say where a mention begins, as well as that is known."""
        if not isinstance(mention, Mention):
            return ""
        if mention.start < len(self.places):
            return self.places[mention.start]
        token = f"token {mention.start}"
        if not len(self.sentences):
            return token
        sentence = bisect_right(self.sentences, mention.start)
        return f"sentence {sentence}, {token}"

    def _in_context(self, mention: MentionId) -> str:
        """Write a mention in brackets among the words of its sentence around it."""
        said = self._bracketed(mention)
        if not isinstance(mention, Mention) or mention.end >= len(self.tokens):
            return said
        first, last = self.sentence(mention)
        before = self.tokens[max(first, mention.start - _AROUND) : mention.start]
        behind = self.tokens[mention.end + 1 : min(last, mention.end + 1 + _AROUND)]
        return " ".join([*before, said, *behind])

    def sentence(self, mention: Mention) -> tuple[int, int]:
        """Give the first token of a mention's sentence, and the one behind its last."""
        here = bisect_right(self.sentences, mention.start) - 1
        first = self.sentences[here] if here >= 0 else 0
        ends = [*self.sentences[here + 1 : here + 2], len(self.tokens)]
        return first, max(ends[0], mention.end + 1)

    def has(self, mention: MentionId) -> bool:
        """Say whether the words of a mention are known."""
        return isinstance(mention, Mention) and mention.end < len(self.tokens)

    def _bracketed(self, mention: MentionId) -> str:
        return f"[{self.said(mention)}]"

    def said(self, mention: MentionId) -> str:
        """Write the words of a mention, the middle of long ones left out."""
        if not isinstance(mention, Mention):
            return str(mention)
        if mention.end >= len(self.tokens):
            return ",".join(f"{start}-{end}" for start, end in mention.parts)
        words: list[str] = []
        for start, end in mention.parts:
            words += [*(["..."] if words else []), *self.tokens[start : end + 1]]
        if len(words) > _LONGEST:
            half = _LONGEST // 2
            words = [*words[:half], "...", *words[-half:]]
        return " ".join(words)
