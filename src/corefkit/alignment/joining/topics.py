"""The documents of topics, read from both sides.

How many tokens a document has may be known from the other side alone, so both are read
together: what one side asks for is kept until the other one does.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from corefkit.alignment.joining.columns import (
    joined_columns,
    lengths,
    texts,
    with_missing,
    words_before,
)
from corefkit.alignment.joining.documents import document_lengths, joined_documents
from corefkit.columns.identified import EntityCodes, identified
from corefkit.columns.of_documents import document_columns
from corefkit.exceptions import PairingError, quoted
from corefkit.syntax.empty_nodes import without_empty_nodes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefkit.alignment.pairing import Pair
    from corefkit.columns import Columns, Ints
    from corefkit.formats.source import Source
    from corefkit.model import Document
    from corefkit.settings import Settings

_KEPT = 4  # blocks of columns that one side has taken and the other has not


@dataclass(slots=True)
class Topics:
    """Documents of both sides, by topic."""

    key: Source
    response: Source
    members: Sequence[Sequence[Pair]]  # of each topic
    settings: Settings
    _codes: dict[str, EntityCodes] = field(
        default_factory=lambda: {"key": EntityCodes(), "response": EntityCodes()}
    )
    _kept: dict[tuple[str, tuple[int, ...]], Columns] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)
    # How many words of a topic are before each of its documents, by side and number.
    _before: dict[tuple[str, int], Ints] = field(default_factory=dict)

    def columns(self, role: str, numbers: Sequence[int]) -> Columns:
        """Read the mentions of some topics on one side, in the order asked for."""
        asked = tuple(numbers)
        with self._lock:
            if (role, asked) not in self._kept:
                ours, theirs = self._joined(numbers)
                self._kept["key", asked] = ours
                self._kept["response", asked] = theirs
            found = self._kept.pop((role, asked))
            # Nobody asks for the response where the key is alone.
            for old in list(self._kept)[:-_KEPT]:
                del self._kept[old]
        return found

    def _joined(self, numbers: Sequence[int]) -> tuple[Columns, Columns]:
        pairs = [pair for number in numbers for pair in self.members[number]]
        ours = [pair.key for pair in pairs]
        theirs = [pair.response for pair in pairs]
        there = [number for number in theirs if number is not None]
        key = identified(self.key, ours, self._codes["key"])
        response = key
        if self.key is not self.response:
            response = identified(self.response, there, self._codes["response"])
        if key is None or response is None:
            key_columns, response_columns = (
                document_columns([self.document(role, number) for number in numbers])
                for role in ("key", "response")
            )
            return key_columns, response_columns
        sizes = [len(self.members[number]) for number in numbers]
        topic = np.repeat(np.arange(len(sizes)), np.array(sizes, np.int64))
        our_texts = texts(key.columns)
        response, their_texts = with_missing(response, theirs, our_texts)
        length = lengths(our_texts, their_texts)
        if self.settings.reads_as_reference:
            wanted, found = length[0] - our_texts.empty, length[1] - their_texts.empty
            for row in np.flatnonzero(wanted != found).tolist():
                self._check_length(pairs[row], int(wanted[row]), int(found[row]))
        for role, side in (("key", our_texts), ("response", their_texts)):
            if side.known.all():
                parts = zip(numbers, words_before(side, topic), strict=True)
                self._before |= {(role, number): before for number, before in parts}
        return (
            joined_columns(key, our_texts, topic=topic, length=length[0]),
            joined_columns(response, their_texts, topic=topic, length=length[1]),
        )

    def member_with(self, role: str, number: int, word: int) -> tuple[Pair, int] | None:
        """Find the document of a topic that has a word, and its number in there.

        Returns None where words are not known, or not yet.
        """
        before = self._before.get((role, number))
        if before is None:
            return None
        row = int(np.searchsorted(before, word, side="right")) - 1
        return self.members[number][row], word - int(before[row])

    def document(self, role: str, number: int, name: str = "") -> Document:
        """Read the documents of a topic on one side as one."""
        members = [self._both(member) for member in self.members[number]]
        mine = 0 if role == "key" else 1
        length = [document_lengths(*pair) for pair in members]
        if self.settings.reads_as_reference:
            rows = zip(self.members[number], members, length, strict=True)
            for member, documents, counts in rows:
                wanted, found = (
                    tokens - len(document.empty)
                    for document, tokens in zip(documents, counts, strict=True)
                )
                self._check_length(member, wanted, found)
        return joined_documents(
            name, [pair[mine] for pair in members], [counts[mine] for counts in length]
        )

    def _both(self, member: Pair) -> tuple[Document, Document]:
        key = self.key.document(member.key)
        if member.response is None:
            bare = replace(key, entities=(), bridges=())
            return key, without_empty_nodes(bare)
        return key, self.response.document(member.response)

    def _check_length(self, member: Pair, wanted: int, found: int) -> None:
        """Refuse a text that would set the documents behind it at other tokens.

        Elsewhere texts are compared; the reference scorer does not compare them.
        """
        if wanted == found or member.response is None:
            return
        message = (
            f"document {quoted(self.key.ids[member.key])} has {found} tokens, "
            f"expected {wanted} as in {self.key.place(member.key)}"
        )
        hint = "documents of a topic are scored as one: they need the same text"
        place = self.response.place(member.response)
        raise PairingError(message, place=place, hint=hint)
