"""The languages of documents, whose articles and pronouns are then known."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING, NamedTuple

from corefkit.exceptions import SettingsError
from corefkit.formats.source import text_of
from corefkit.syntax.closed_words import (
    closed_words,
    guessed_language,
    language_code,
    named_language,
)
from corefkit.syntax.tagsets import are_penn

if TYPE_CHECKING:
    from corefkit.formats.source import Source
    from corefkit.model import Document
    from corefkit.syntax.closed_words import ClosedWords

_SHORT = 300  # words of documents that are too short to guess their language
_MANY = 5000  # words that are enough to guess the language of a corpus
_TREEBANK = re.compile(r"([a-z]{2,3})_[^.]+\.conllu(?:\.gz)?")


class Language(NamedTuple):
    """The language of a document: its words, where there is a list, and its name."""

    words: ClosedWords | None
    name: str  # empty where it is not known
    guessed: bool = False

    @property
    def in_words(self) -> str:
        """Say which language it is."""
        return f"{self.name} (guessed)" if self.guessed else self.name


class Languages:
    """Finds the languages of documents.

    It is the first of these that is known: the one that a user gives; the one that the
    comments of a document name; the first letters of a CoNLL-U file, as in
    `es_ancora.conllu`; English, where tags are those of the Penn Treebank; the one that
    the frequent words of the document tell, or where it is short, those of the first
    documents of its source.

    >>> from corefkit.formats.memory.memory import MemorySource
    >>> from corefkit.model import Document
    >>> document = Document("d", (("Das", "ist", "der", "Hund"),), ())
    >>> source = MemorySource("key", {"d": document})
    >>> Languages().of(document, source).in_words
    'German (guessed)'
    >>> Languages("en").of(document, source).in_words
    'English'
    """

    def __init__(self, given: str | None = None) -> None:
        self._given = None if given is None else _named(given)
        self._guesses: dict[Source, str | None] = {}

    def of(self, document: Document, source: Source) -> Language:
        """Find the language of a document of a source."""
        if self._given is not None:
            return self._given
        if name := named_language(document):
            return _named(name)
        treebank = _TREEBANK.fullmatch(PurePath(source.name).name)
        if treebank is not None and treebank[1] in closed_words():
            return _named(treebank[1])
        if are_penn(document.layers.get("xpos", ())):
            return _named("en")
        code = self._guessed(document, source)
        return Language(None, "") if code is None else _named(code, guessed=True)

    def _guessed(self, document: Document, source: Source) -> str | None:
        words = document.words
        own = guessed_language(words)
        if own is not None and len(words) >= _SHORT:
            return own
        if source not in self._guesses:
            self._guesses[source] = guessed_language(_first_words(source))
        return self._guesses[source] or own


def _first_words(source: Source) -> list[str]:
    words: list[str] = []
    for number in range(len(source.ids)):
        words += text_of(source, number).words
        if len(words) >= _MANY:
            break
    return words


def _named(language: object, *, guessed: bool = False) -> Language:
    if not isinstance(language, str):
        message = f"found {language!r} for 'language', expected a code or a name"
        raise SettingsError(message, hint="'en' or 'English'")
    code = language_code(language)
    if code is None:
        return Language(None, language)
    words = closed_words()[code]
    if guessed:
        # A guess may be wrong, and hardly another language has the articles of English.
        english = closed_words()["en"]
        words = replace(
            words,
            leading=words.leading | english.leading,
            trailing=words.trailing | english.trailing,
        )
    return Language(words, words.name, guessed)
