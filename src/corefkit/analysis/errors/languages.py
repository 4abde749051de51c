"""The languages of documents, whose articles and pronouns are then known."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import TYPE_CHECKING, NamedTuple

from corefkit.syntax.closed_words import (
    closed_words,
    guessed_language,
    language_code,
    named_language,
)
from corefkit.syntax.tagsets import are_penn

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from corefkit.model import Document
    from corefkit.syntax.closed_words import ClosedWords

_SHORT = 300  # words of documents that are too short to guess their language
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
    the frequent words of the document tell, or those of all where it is short.

    >>> from corefkit.model import Document
    >>> document = Document("d", (("Das", "ist", "der", "Hund"),), ())
    >>> Languages().of(document, "a.conll", [document]).in_words
    'German (guessed)'
    >>> Languages("en").of(document, "a.conll", [document]).in_words
    'English'
    """

    def __init__(self, given: str | None = None) -> None:
        self._given = None if given is None else _named(given)
        self._all: tuple[Sequence[Document], str | None] = (), None

    def of(self, document: Document, file: str, beside: Sequence[Document]) -> Language:
        """Find the language of a document of a file; `beside` are those around it."""
        if self._given is not None:
            return self._given
        if name := named_language(document):
            return _named(name)
        treebank = _TREEBANK.fullmatch(PurePath(file).name)
        if treebank is not None and treebank[1] in closed_words():
            return _named(treebank[1])
        if are_penn(document.layers.get("xpos", ())):
            return _named("en")
        code = self._guessed(document, beside)
        return Language(None, "") if code is None else _named(code, guessed=True)

    def _guessed(self, document: Document, beside: Sequence[Document]) -> str | None:
        words = document.words
        own = guessed_language(words)
        if own is not None and len(words) >= _SHORT:
            return own
        if self._all[0] is not beside:
            self._all = beside, guessed_language(_words(beside))
        return self._all[1] or own


def _words(documents: Iterable[Document]) -> Iterable[str]:
    return (word for document in documents for word in document.words)


def _named(language: str, *, guessed: bool = False) -> Language:
    code = language_code(language)
    if code is None:
        return Language(None, language)
    words = closed_words()[code]
    return Language(words, words.name, guessed)
