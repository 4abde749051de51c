"""The texts of a block of documents, and what files say of mentions themselves.

Words, tags and trees are those of the key; where it has none, those of the response, if
its words are the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from corefkit.analysis.errors.languages import Language, Languages
from corefkit.analysis.errors.wording import Wording
from corefkit.formats.source import text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from corefkit.alignment.blocks import AlignedBlock
    from corefkit.alignment.runs import Run
    from corefkit.model import Document, Mention


class Text(NamedTuple):
    """One document, to be asked for mentions."""

    wording: Wording | None  # None where neither side has words
    language: Language
    whose: str  # whose words, tags and trees tell: `the key` or `the response`


class Texts:
    """The texts of a block; the key's documents are read once for all systems."""

    def __init__(self, language: str | None) -> None:
        self._languages = Languages(language)
        self._numbers: Sequence[int | None] | None = None
        self._key: list[Document] = []
        self._texts: dict[int, Text] = {}  # by row, where the key alone tells
        self._said: dict[int, Mapping[Mention, Mention]] = {}

    def of(self, run: Run, block: AlignedBlock, row: int) -> Text:
        """Find the text of a document of a block by its row."""
        self._open(run, block)
        if row in self._texts:
            return self._texts[row]
        text = self._of_key(run, row)
        if text.wording is not None and text.wording.has_annotation:
            self._texts[row] = text
            return text
        return self._of_response(run, block, row) or text

    def said(
        self, run: Run, block: AlignedBlock, row: int
    ) -> Mapping[Mention, Mention]:
        """Find what the key says of the mentions of a document."""
        self._open(run, block)
        if row not in self._said:
            self._said[row] = said_of_mentions(self._key[row])
        return self._said[row]

    def _open(self, run: Run, block: AlignedBlock) -> None:
        """Read the key's documents of a block; no others are kept."""
        if block.key.numbers is self._numbers:
            return
        self._numbers, source = block.key.numbers, run.key.source
        self._key = [text_of(source, number or 0) for number in self._numbers]
        self._texts, self._said = {}, {}

    def _of_key(self, run: Run, row: int) -> Text:
        document = self._key[row]
        if not document.sentences:
            return Text(None, Language(None, ""), "the key")
        language = self._languages.of(document, run.key.source)
        return Text(Wording(document, language.words), language, "the key")

    def _of_response(self, run: Run, block: AlignedBlock, row: int) -> Text | None:
        """Take words or annotation of the response, where the key has none.

        The words are the same, or they would have been refused or be compared by
        characters.
        """
        number, key = block.response.numbers[row], self._key[row]
        if number is None or row in block.other_tokens:
            return None
        response = text_of(run.response.source, number)
        if response.empty != key.empty or not response.sentences:
            return None
        words = key if key.sentences else response
        if len(response.tokens) != len(words.tokens):
            return None
        language = self._languages.of(response, run.response.source)
        wording = Wording(words, language.words, annotated=response)
        if key.sentences and not wording.has_annotation:
            return None
        return Text(wording, language, "the response")


def kinds_in_response(
    run: Run, block: AlignedBlock, row: int
) -> Mapping[Mention, Mention]:
    """Find the mentions of a document of the response whose kinds it names."""
    source, number = run.response.source, block.response.numbers[row]
    ask: Callable[[int], bool] | None = getattr(source, "may_name_kinds", None)
    if number is None or (ask is not None and not ask(number)):
        return {}
    return said_of_mentions(source.document(number))


def said_of_mentions(document: Document) -> Mapping[Mention, Mention]:
    """Find the mentions of a document of which it says a kind or a head.

    Of a mention that stands in two entities the first counts, as in scoring.

    >>> from corefkit.model import Document, Entity, Mention
    >>> mentions = Mention(0, 1, head=1), Mention(3, 3)
    >>> document = Document("d", (), (Entity("1", mentions),))
    >>> said_of_mentions(document)[Mention(0, 1)].head
    1
    """
    said: dict[Mention, Mention] = {}
    for entity in document.entities:
        for mention in entity.mentions:
            if mention.head is not None or "mention_type" in mention.attributes:
                said.setdefault(mention, mention)
    return said
