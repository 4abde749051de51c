"""Entities across documents: the documents of a topic, or all, taken as one.

Entities with the same id are one entity, whichever documents their mentions are in.
Cross-document corpora (ECB+) use ids in this way; asking for it with other files says
that their ids hold across documents too.
"""

from __future__ import annotations

from itertools import chain, islice
from typing import TYPE_CHECKING

from corefkit.alignment.joining.topics import Topics
from corefkit.exceptions import PairingError, quoted
from corefkit.settings import by_choice
from corefkit.strings.ids import canonical_id

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from corefkit.alignment.pairing import Pair
    from corefkit.columns import Columns
    from corefkit.formats.source import Source, Word
    from corefkit.model import Document
    from corefkit.settings import Settings


def scoped(
    key: Source, response: Source, pairs: Sequence[Pair], settings: Settings
) -> tuple[ScopedSource, ScopedSource]:
    """Take the documents of each topic, or all, as one, on both sides."""
    for side in (key, response):
        if getattr(side, "anonymous", False) and len(side.ids) > 1:
            message = "entities have no ids to know them by in other documents"
            hint = "give their ids: {document: {entity: [mention, ...], ...}, ...}"
            raise PairingError(message, place=side.name, hint=hint)
    members: Mapping[str, Sequence[Pair]] = {"corpus": pairs} if pairs else {}
    if by_choice(settings, "scope", {"topic": True, "corpus": False}):
        members = _by_topic(key, pairs)
    topics = Topics(key, response, list(members.values()), settings)
    return (
        ScopedSource("key", topics, list(members)),
        ScopedSource("response", topics, list(members)),
    )


def _by_topic(key: Source, pairs: Sequence[Pair]) -> Mapping[str, Sequence[Pair]]:
    topics: dict[str, list[Pair]] = {}
    for pair in pairs:
        try:
            name = topic(key.ids[pair.key])
        except PairingError:
            name = topic(key.ids[pair.key], key.place(pair.key))
        topics.setdefault(name, []).append(pair)
    return topics


def topic(document_id: str, place: str | None = None) -> str:
    """Find the topic of a document: its folder, or its id up to the first underscore.

    >>> topic("36/36_1ecb"), topic("36_1ecb"), topic("(36_1ecb); part 000")
    ('36', '36', '36')
    """
    name = canonical_id(document_id)
    folder, slash, _ = name.rpartition("/")
    if slash:
        return folder
    first, underscore, _ = name.partition("_")
    if not underscore:
        message = f"document {quoted(document_id)} names no topic"
        hint = "a topic is an id up to its last slash, or to its first underscore"
        raise PairingError(message, place=place, hint=hint)
    return first


class ScopedSource:
    """One side of a corpus, several of its documents taken as one.

    A document that the response lacks has the key's words there, and no mentions.
    """

    verbatim = False

    def __init__(self, role: str, topics: Topics, ids: Sequence[str]) -> None:
        self._role = role
        self._topics = topics
        self._sides = {"key": topics.key, "response": topics.response}
        self.name = self._sides[role].name
        self.ids = ids
        sizes = topics.key.sizes
        self.sizes = [
            sum(sizes[member.key] for member in members) for members in topics.members
        ]

    def close(self) -> None:
        """Leave the files to whoever opened them."""

    def place(self, number: int) -> str:
        """Say where the first document of a topic begins."""
        source, inside = self._first(self._topics.members[number][0])
        return source.place(inside)

    def columns(self, numbers: Sequence[int]) -> Columns:
        """Read the mentions of some topics, in the order asked for."""
        return self._topics.columns(self._role, numbers)

    def document(self, number: int) -> Document:
        """Read the documents of a topic as one."""
        return self._topics.document(self._role, number, self.ids[number])

    def is_running(self, number: int) -> bool:
        """Say whether a document of the topic is running text."""
        firsts = map(self._first, self._topics.members[number])
        return any(source.is_running(inside) for source, inside in firsts)

    def words(self, number: int) -> Iterator[Word]:
        """Go through the words of a topic's documents."""
        firsts = map(self._first, self._topics.members[number])
        return chain.from_iterable(source.words(inside) for source, inside in firsts)

    def word_at(self, number: int, word: int) -> Word | None:
        """Return a word of a topic; only those of its document are gone through."""
        found = self._topics.member_with(self._role, number, word)
        if found is None:
            return next(islice(self.words(number), word, None), None)
        source, inside = self._first(found[0])
        return next(islice(source.words(inside), found[1], None), None)

    def _first(self, member: Pair) -> tuple[Source, int]:
        if self._role == "response" and member.response is not None:
            return self._sides["response"], member.response
        return self._sides["key"], member.key
