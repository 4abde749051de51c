"""The nouns of WordNet 3.0, from the files that Princeton and Debian distribute.

    index.noun   a line for each word: its synsets, the most frequent sense first
    data.noun    a line for each synset, whose number is the byte where it starts
    noun.exc     irregular plurals and their singulars
    cntlist.rev  how often each sense of a word is in tagged texts

Lines are parsed when they are needed: most words are never looked up.

Source: the manual pages wndb(5WN), lexnames(5WN), cntlist(5WN), senseidx(5WN) and
morphy(7WN) of WordNet 3.0.
"""

from __future__ import annotations

import hashlib
import os
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from cistell.lexicon.reading import contents, text
from cistell.lexicon.wordnet import SUPERTYPES, Synset, supertype_of
from corefkit.exceptions import FormatError, SettingsError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

Parsed = TypeVar("Parsed")
# In place of a folder: do without WordNet.
NO_WORDNET = "none"
ENVIRONMENT = "COREFKIT_WORDNET"
# Where packages put WordNet.
PACKAGED = (Path("/usr/share/wordnet"), Path("/usr/local/share/wordnet"))
# Lexicographer files by their numbers; those of nouns are 3 to 28.
_FILES = ("", "", "", "tops", *SUPERTYPES[:-1])
# The endings of regular plurals and of their singulars.
_ENDINGS = (
    *(("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh")),
    *(("men", "man"), ("ies", "y"), ("s", "")),
)
_HINT = "fetch WordNet 3.0 again, as Debian's wordnet-base has it"


def is_declined(named: Path | str | None) -> bool:
    """Return whether the user wants to do without WordNet, even if it is installed."""
    return _chosen(named) == NO_WORDNET


def wordnet_folder(named: Path | str | None) -> Path | None:
    """Find the folder of WordNet's files: the one that is named, or a usual place.

    COREFKIT_WORDNET names a folder, or `none`, if `named` does not. The usual places
    are, in this order, the folder that WNSEARCHDIR names, `dict` in the one that WNHOME
    names, and where packages put them.
    """
    chosen = _chosen(named)
    if chosen == NO_WORDNET:
        return None
    if not chosen:
        return next(filter(_has_nouns, _usual_places()), None)
    folder = Path(chosen)
    if not _has_nouns(folder):
        message = "there is no WordNet here: index.noun and data.noun are missing"
        hint = (
            "name the folder that has both, as /usr/share/wordnet of wordnet-base, or "
            f"say `{NO_WORDNET}` to do without"
        )
        raise SettingsError(
            message, code="model/no-lexicon", place=str(folder), hint=hint
        )
    return folder


def _chosen(named: Path | str | None) -> str:
    return os.environ.get(ENVIRONMENT, "") if named is None else str(named)


def _has_nouns(folder: Path) -> bool:
    return all((folder / name).is_file() for name in ("index.noun", "data.noun"))


def _usual_places() -> Iterator[Path]:
    if named := os.environ.get("WNSEARCHDIR"):
        yield Path(named)
    if home := os.environ.get("WNHOME"):
        yield Path(home) / "dict"
    yield from PACKAGED


def regular_singulars(word: str) -> Iterator[str]:
    """Go through the words of which a word may be the plural.

    >>> list(regular_singulars("foxes"))
    ['fox', 'foxe']
    """
    for ending, singular in _ENDINGS:
        if word.endswith(ending) and len(word) > len(ending) + 1:
            yield word.removesuffix(ending) + singular


class PrincetonNouns:
    """Nouns and their synsets, from a folder with WordNet's files."""

    def __init__(self, folder: Path) -> None:
        self._index_file, self._data_file = folder / "index.noun", folder / "data.noun"
        self._index = _first_words(self._index_file)
        self._data = contents(self._data_file)
        if not self._data.endswith(b"\n"):
            raise _broken(self._data_file, "the file ends inside a line")
        self._exceptions = folder / "noun.exc"
        listed = self._exceptions.is_file()
        self._singulars = _first_words(self._exceptions) if listed else {}
        self._counts_file = folder / "cntlist.rev"

    def words(self) -> Iterable[str]:
        """Go through the words that are known, irregular plurals among them."""
        return self._index.keys() | self._singulars.keys()

    def senses(self, word: str) -> tuple[int, ...]:
        """Return the synsets of a word, or of its singular."""
        found = next(filter(self._index.__contains__, self._readings(word)), None)
        if found is None:
            return ()
        fields = self._index[found].split()
        try:
            # part of speech, synsets, pointers ..., the numbers of the synsets
            return tuple(map(int, fields[-int(fields[1]) :]))
        except (IndexError, ValueError) as error:
            message = f"the line of {found!r} does not list synsets"
            raise _broken(self._index_file, message) from error

    def _readings(self, word: str) -> Iterator[str]:
        yield word
        yield from self._singulars.get(word, "").split()
        yield from regular_singulars(word)

    def synset(self, sense: int) -> Synset:
        """Return the synset that starts at a byte of data.noun."""
        return self._parsed(sense, _synset)

    def frequency(self, sense: int) -> int:
        """Return how often a synset is in tagged texts; 0 if unknown."""
        return sum(
            int(self._counts[key].split()[1])
            for key in self._parsed(sense, _keys)
            if key in self._counts
        )

    @cached_property
    def fingerprint(self) -> str:
        """A hash of the bytes of its files."""
        files = (self._index_file, self._data_file, self._exceptions, self._counts_file)
        digest = hashlib.sha256()
        for path in files:
            body = contents(path) if path.is_file() else b""
            digest.update(f"{path.name} {len(body)}\n".encode() + body)
        return digest.hexdigest()

    @cached_property
    def _counts(self) -> dict[str, str]:
        return _first_words(self._counts_file) if self._counts_file.is_file() else {}

    def _parsed(self, sense: int, parse: Callable[[list[str]], Parsed]) -> Parsed:
        start = f"{sense:08} ".encode()
        if not self._data.startswith(start, sense):
            message = f"no synset {sense:08} starts at byte {sense}"
            raise _broken(self._data_file, message)
        line = self._data[sense : self._data.index(b"\n", sense)].decode(
            "utf-8", "replace"
        )
        try:
            return parse(line.partition(" | ")[0].split())
        except (IndexError, ValueError) as error:
            message = f"the line of synset {sense:08} is not as WordNet writes it"
            raise _broken(self._data_file, message) from error


def _synset(fields: list[str]) -> Synset:
    # number, file, part of speech, words (hexadecimal), each word and its number,
    # pointers, each pointer as symbol, synset, part of speech and words
    pointers = 4 + 2 * int(fields[3], 16)
    first = pointers + 1
    hypernyms = tuple(
        int(fields[at + 1])
        for at in range(first, first + 4 * int(fields[pointers]), 4)
        if fields[at] in ("@", "@i")
    )
    return Synset(supertype_of(_FILES[int(fields[1])], fields[4:pointers:2]), hypernyms)


def _keys(fields: list[str]) -> list[str]:
    """Return the keys of a synset's words, as cntlist.rev calls them."""
    return [
        f"{fields[at].lower()}%1:{fields[1]}:{int(fields[at + 1], 16):02}::"
        for at in range(4, 4 + 2 * int(fields[3], 16), 2)
    ]


def _first_words(path: Path) -> dict[str, str]:
    """Return what follows the first word of each line; the licence is indented."""
    lines = (line for line in text(path).splitlines() if not line.startswith(" "))
    try:
        return dict(line.split(" ", 1) for line in lines)
    except ValueError as error:
        message = "a line has one word only, expected a word and more"
        raise _broken(path, message) from error


def _broken(path: Path, message: str) -> FormatError:
    return FormatError(
        message, code="model/invalid-lexicon", place=str(path), hint=_HINT
    )
