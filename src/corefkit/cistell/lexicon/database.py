"""The nouns of an English wordnet in the database of the package `wn`.

It is used if WordNet's own files are not found, and only if it is there already:
nothing is downloaded. `omw-en` is WordNet 3.0, whose synsets the words of other
languages refer to; `oewn`, the Open English Wordnet, has other numbers, and so works
for English alone.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from corefkit.cistell.lexicon.wordnet import Synset, supertype_of
from corefkit.exceptions import FormatError

_WORDNET_30 = ("omw-en", "omw-en30")
_OTHERS = ("oewn",)


def database_nouns(language: str) -> DatabaseNouns | None:
    """Return the nouns of `wn`'s database; None if it has none for the language."""
    try:
        wn = import_module("wn")
    except ImportError:
        return None
    # Checked first, since `wn` makes an empty database if there is none.
    if not wn.config.database_path.is_file():
        return None
    from sqlite3 import Error

    try:
        # Of several versions, the one that was added last.
        known = {lexicon.id: lexicon.specifier() for lexicon in wn.lexicons()}
        for name in (*_WORDNET_30, *(_OTHERS if language == "en" else ())):
            if name in known:
                return DatabaseNouns(name, wn.Wordnet(known[name], expand=""))
    except (wn.Error, Error) as error:
        message = f"cannot be read: {error}"
        raise _broken(wn, message) from error
    return None


class DatabaseNouns:
    """Nouns and their synsets, from a lexicon of `wn`."""

    def __init__(self, name: str, wordnet: Any) -> None:
        self._name, self._wordnet = name, wordnet

    @property
    def fingerprint(self) -> str:
        """The name and version of the lexicon."""
        return ", ".join(lexicon.specifier() for lexicon in self._wordnet.lexicons())

    def senses(self, word: str) -> tuple[int, ...]:
        """Return the synsets of a word, as the lexicon orders them."""
        found = self._wordnet.synsets(word.replace("_", " "), pos="n")
        return tuple(_number(synset) for synset in found)

    def synset(self, sense: int) -> Synset:
        """Return a synset by its number."""
        found = self._found(sense)
        # Older lexicons name the file where Dublin Core names subjects.
        file = found.lexfile() or found.metadata().get("subject") or ""
        name = file.removeprefix("noun.").lower()
        words = found.lemmas() if name == "tops" else ()
        return Synset(supertype_of(name, words), tuple(map(_number, found.hypernyms())))

    def frequency(self, sense: int) -> int:
        """Return how often a synset is in tagged texts; 0 if unknown."""
        senses = self._found(sense).senses()
        return sum(int(count) for word in senses for count in word.counts())

    def _found(self, sense: int) -> Any:
        wn = import_module("wn")
        id = f"{self._name}-{sense:08}-n"
        try:
            return self._wordnet.synset(id)
        except wn.Error as error:
            message = f"there is no synset {id}"
            raise _broken(wn, message) from error


def _number(synset: Any) -> int:
    return int(synset.id.rsplit("-", 2)[1])


def _broken(wn: Any, message: str) -> FormatError:
    hint = "make the database again, as by `python -m wn download omw-en`"
    return FormatError(message, place=str(wn.config.database_path), hint=hint)
