"""Senses of nouns in WordNet 3.0, with their supertypes and hypernyms.

Two sources are supported: the files of Princeton and Debian, and the database of `wn`:

    index.noun   a line per word: its synsets, the most frequent sense first
    data.noun    a line per synset, whose number is the byte at which it starts
    noun.exc     irregular plurals and their singulars
    cntlist.rev  how often each sense of a word occurs in tagged texts

Lines are parsed on demand, because most words are never looked up.

Source: the manual pages wndb(5WN), lexnames(5WN), cntlist(5WN), senseidx(5WN) and
morphy(7WN) of WordNet 3.0.
"""

from __future__ import annotations

import gzip
import os
import zlib
from functools import cached_property
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

from corefkit import FormatError, SettingsError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

# WordNet's lexicographer files of nouns; `tops` has the most general concepts.
SUPERTYPES = (
    *("act", "animal", "artifact", "attribute", "body", "cognition", "communication"),
    *("event", "feeling", "food", "group", "location", "motive", "object", "person"),
    *("phenomenon", "plant", "possession", "process", "quantity", "relation", "shape"),
    *("state", "substance", "time", "tops"),
)


class Synset(NamedTuple):
    """A meaning."""

    supertype: str  # one of `SUPERTYPES`; empty if unknown
    hypernyms: tuple[int, ...]  # the synsets that it is a kind or an instance of


class Nouns(Protocol):
    """The interface that `WordNet` requires of a source of nouns and synsets."""

    @property
    def fingerprint(self) -> str:
        """A hash of the source, or its name and version."""

    def words(self) -> Iterable[str]:
        """Return the indexed words, including irregular plurals."""

    def senses(self, word: str) -> tuple[int, ...]:
        """Return the synsets of an English word, the most frequent sense first."""

    def synset(self, sense: int) -> Synset:
        """Return a synset by its number."""

    def frequency(self, sense: int) -> int:
        """Return the frequency of a synset in English texts."""


class WordNet:
    """Nouns, their senses, and supertypes of senses.

    For other languages than English, words are read by `read_tab_file`.
    """

    def __init__(
        self, nouns: Nouns, words: Mapping[str, tuple[int, ...]] | None = None
    ) -> None:
        self._nouns = nouns
        self._words = words
        self._senses: dict[str, tuple[int, ...]] = {}
        self._synsets: dict[int, Synset] = {}
        self._ancestors: dict[int, frozenset[int]] = {}

    @property
    def fingerprint(self) -> str:
        """A hash that includes the words of another language."""
        words = None if self._words is None else sorted(self._words.items())
        return sha256(f"{self._nouns.fingerprint}\n{words}".encode()).hexdigest()

    def senses(self, lemma: str, most: int = 3) -> tuple[int, ...]:
        """Return the first senses of a noun; an unknown noun returns an empty tuple."""
        senses = self._senses.get(lemma)
        if senses is None:
            word = make_key(lemma)
            if self._words is None:
                senses = self._nouns.senses(word)
            else:
                unsorted = self._words.get(word, ())
                senses = tuple(
                    sorted(unsorted, key=self._nouns.frequency, reverse=True)
                )
            self._senses[lemma] = senses
        return senses[:most]

    def ancestors(self, sense: int) -> frozenset[int]:
        """Return all hypernyms of a sense, direct and indirect, without the sense."""
        ancestors = self._ancestors.get(sense)
        if ancestors is None:
            above: set[int] = set()
            waiting = [sense]
            while waiting:
                higher = {*self._get_synset(waiting.pop()).hypernyms} - above
                above |= higher
                waiting.extend(higher)
            ancestors = self._ancestors[sense] = frozenset(above - {sense})
        return ancestors

    def supertype(self, lemma: str) -> str:
        """Return the supertype of a noun, by its first sense.

        Returns one of `SUPERTYPES`, such as "person" or "location"; an empty string if
        the noun is unknown.
        """
        senses = self.senses(lemma, 1)
        return self._get_synset(senses[0]).supertype if senses else ""

    def _get_synset(self, sense: int) -> Synset:
        if sense not in self._synsets:
            self._synsets[sense] = self._nouns.synset(sense)
        return self._synsets[sense]


def get_supertype(file: str, words: Sequence[str]) -> str:
    """Return the supertype of a synset, by its lexicographer file and its words.

    The concepts that files are named after are in the file `tops`, and count to the
    files that they name.

    >>> get_supertype("person", ["king"]), get_supertype("tops", ["person", "somebody"])
    ('person', 'person')
    """
    if file == "tops":
        return next((word for word in words if word in SUPERTYPES), file)
    return file if file in SUPERTYPES else ""


def make_key(word: str) -> str:
    """Convert a word to the spelling of WordNet's index.

    >>> make_key("Ice cream")
    'ice_cream'
    """
    return word.lower().replace(" ", "_")


def read_tab_file(path: Path) -> dict[str, tuple[int, ...]]:
    """Parse the nouns of a language from a file of the Open Multilingual Wordnet.

    A line is `02084071-n`, `lemma` or `fra:lemma`, and a word, separated by tabs.
    Other parts of speech, definitions and examples are ignored.
    """
    senses_of: dict[str, dict[int, None]] = {}
    for line, fields in iter_rows(path):
        number, _, kind = fields[0].partition("-")
        if len(fields) < 3 or not (number.isdecimal() and kind):
            message = f"found {' '.join(fields)!r}, expected a synset and a word"
            hint = "a line is as `02084071-n`, `lemma` and a word, with tabs between"
            raise FormatError(
                message, code="model/invalid-lexicon", place=f"{path}:{line}", hint=hint
            )
        if kind == "n" and fields[1].rpartition(":")[2] == "lemma":
            # A dict preserves the order of the file and ignores duplicate synsets.
            senses_of.setdefault(make_key(fields[2]), {})[int(number)] = None
    return {word: tuple(senses) for word, senses in senses_of.items()}


_WORDNET_30 = ("omw-en", "omw-en30")
_OTHERS = ("oewn",)


def find_database_nouns(language: str) -> DatabaseNouns | None:
    """Return the nouns of `wn`'s database; None if it has none for the language.

    It is the fallback if WordNet's own files are not found; nothing is downloaded.
    `omw-en` is WordNet 3.0, whose synsets the words of other languages refer to;
    `oewn`, the Open English Wordnet, has other numbers, and works for English alone.
    """
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
        specifiers = {lexicon.id: lexicon.specifier() for lexicon in wn.lexicons()}
        for name in (*_WORDNET_30, *(_OTHERS if language == "en" else ())):
            if name in specifiers:
                return DatabaseNouns(name, wn.Wordnet(specifiers[name], expand=""))
    except (wn.Error, Error) as error:
        message = f"cannot be read: {error}"
        path = wn.config.database_path
        raise _make_error(path, message, _DATABASE_HINT) from error
    return None


class DatabaseNouns:
    """Nouns and their synsets, from a lexicon of `wn`."""

    def __init__(self, name: str, wordnet: Any) -> None:
        self._name, self._wordnet = name, wordnet

    @property
    def fingerprint(self) -> str:
        """The name and version of the lexicon."""
        return ", ".join(lexicon.specifier() for lexicon in self._wordnet.lexicons())

    def words(self) -> Iterable[str]:
        """Return the indexed words."""
        return {make_key(word.lemma()) for word in self._wordnet.words(pos="n")}

    def senses(self, word: str) -> tuple[int, ...]:
        """Return the synsets of a word, as the lexicon orders them."""
        synsets = self._wordnet.synsets(word.replace("_", " "), pos="n")
        return tuple(map(_get_number, synsets))

    def synset(self, sense: int) -> Synset:
        """Return a synset by its number."""
        entry = self._look_up(sense)
        # Older lexicons have the file as the subject of Dublin Core.
        file = entry.lexfile() or entry.metadata().get("subject") or ""
        name = file.removeprefix("noun.").lower()
        words = entry.lemmas() if name == "tops" else ()
        return Synset(
            get_supertype(name, words), tuple(map(_get_number, entry.hypernyms()))
        )

    def frequency(self, sense: int) -> int:
        """Return the frequency of a synset in tagged texts, 0 if unknown."""
        senses = self._look_up(sense).senses()
        return sum(int(count) for word in senses for count in word.counts())

    def _look_up(self, sense: int) -> Any:
        wn = import_module("wn")
        id = f"{self._name}-{sense:08}-n"
        try:
            return self._wordnet.synset(id)
        except wn.Error as error:
            message = f"there is no synset {id}"
            raise _make_error(
                wn.config.database_path, message, _DATABASE_HINT
            ) from error


def _get_number(synset: Any) -> int:
    return int(synset.id.rsplit("-", 2)[1])


Parsed = TypeVar("Parsed")
# Specified in place of a folder, this disables WordNet.
NO_WORDNET = "none"
ENVIRONMENT = "COREFKIT_WORDNET"
# Default locations of common packages.
PACKAGED = (Path("/usr/share/wordnet"), Path("/usr/local/share/wordnet"))
# Lexicographer files by their numbers; those of nouns are 3 to 28.
_FILES = ("", "", "", "tops", *SUPERTYPES[:-1])
# The endings of regular plurals and of their singulars.
_ENDINGS = (
    *(("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh")),
    *(("men", "man"), ("ies", "y"), ("s", "")),
)
_HINT = "install WordNet 3.0 again, such as Debian's wordnet-base"
_DATABASE_HINT = "create the database again: `python -m wn download omw-en`"


def is_declined(folder_name: Path | str | None) -> bool:
    """Return whether the user has disabled WordNet, even if it is installed."""
    return _choose_folder(folder_name) == NO_WORDNET


def find_wordnet_folder(folder_name: Path | str | None) -> Path | None:
    """Return the folder of WordNet's files: the specified one, or a default location.

    If `folder_name` is None, the environment variable COREFKIT_WORDNET is used. The
    default locations are, in this order, WNSEARCHDIR, `dict` in WNHOME, and the folders
    of common packages.

    Raises:
        SettingsError: the specified folder does not contain WordNet.
    """
    chosen = _choose_folder(folder_name)
    if chosen == NO_WORDNET:
        return None
    if not chosen:
        return next(filter(_has_nouns, _iter_usual_places()), None)
    folder = Path(chosen)
    if not _has_nouns(folder):
        message = "WordNet is missing: the folder has no index.noun and data.noun"
        hint = (
            "specify their folder, such as /usr/share/wordnet of wordnet-base, or "
            f"`{NO_WORDNET}` to disable it"
        )
        raise SettingsError(
            message, code="model/no-lexicon", place=str(folder), hint=hint
        )
    return folder


def _choose_folder(folder_name: Path | str | None) -> str:
    return os.environ.get(ENVIRONMENT, "") if folder_name is None else str(folder_name)


def _has_nouns(folder: Path) -> bool:
    return all((folder / name).is_file() for name in ("index.noun", "data.noun"))


def _iter_usual_places() -> Iterator[Path]:
    if search_folder := os.environ.get("WNSEARCHDIR"):
        yield Path(search_folder)
    if home := os.environ.get("WNHOME"):
        yield Path(home) / "dict"
    yield from PACKAGED


def iter_singulars(word: str) -> Iterator[str]:
    """Iterate over possible singulars of a word.

    >>> list(iter_singulars("foxes"))
    ['fox', 'foxe']
    """
    for ending, singular in _ENDINGS:
        if word.endswith(ending) and len(word) > len(ending) + 1:
            yield word.removesuffix(ending) + singular


class PrincetonNouns:
    """Nouns and their synsets, from a folder with WordNet's files."""

    def __init__(self, folder: Path) -> None:
        self._index_file, self._data_file = folder / "index.noun", folder / "data.noun"
        self._index = _read_by_first_word(self._index_file)
        self._data = read_bytes(self._data_file)
        if not self._data.endswith(b"\n"):
            raise _make_error(self._data_file, "the file ends inside a line")
        self._exceptions = folder / "noun.exc"
        listed = self._exceptions.is_file()
        self._singulars = _read_by_first_word(self._exceptions) if listed else {}
        self._counts_file = folder / "cntlist.rev"

    def words(self) -> Iterable[str]:
        """Return the indexed words, including irregular plurals."""
        return self._index.keys() | self._singulars.keys()

    def senses(self, word: str) -> tuple[int, ...]:
        """Return the synsets of a word, or of its singular."""
        base_form = next(
            filter(self._index.__contains__, self._iter_base_forms(word)), None
        )
        if base_form is None:
            return ()
        fields = self._index[base_form].split()
        try:
            # part of speech, synsets, pointers ..., the numbers of the synsets
            return tuple(map(int, fields[-int(fields[1]) :]))
        except (IndexError, ValueError) as error:
            message = f"the line of {base_form!r} does not list synsets"
            raise _make_error(self._index_file, message) from error

    def _iter_base_forms(self, word: str) -> Iterator[str]:
        yield word
        yield from self._singulars.get(word, "").split()
        yield from iter_singulars(word)

    def synset(self, sense: int) -> Synset:
        """Return the synset that starts at a byte of data.noun."""
        return self._parse_line(sense, _parse_synset)

    def frequency(self, sense: int) -> int:
        """Return the frequency of a synset in tagged texts, 0 if unknown."""
        return sum(
            int(self._counts[key].split()[1])
            for key in self._parse_line(sense, _list_keys)
            if key in self._counts
        )

    @cached_property
    def fingerprint(self) -> str:
        """A hash computed from the bytes of its files."""
        files = (self._index_file, self._data_file, self._exceptions, self._counts_file)
        digest = sha256()
        for path in files:
            body = read_bytes(path) if path.is_file() else b""
            digest.update(f"{path.name} {len(body)}\n".encode() + body)
        return digest.hexdigest()

    @cached_property
    def _counts(self) -> dict[str, str]:
        return (
            _read_by_first_word(self._counts_file)
            if self._counts_file.is_file()
            else {}
        )

    def _parse_line(self, sense: int, parse: Callable[[list[str]], Parsed]) -> Parsed:
        start = f"{sense:08} ".encode()
        if not self._data.startswith(start, sense):
            message = f"no synset {sense:08} starts at byte {sense}"
            raise _make_error(self._data_file, message)
        line = self._data[sense : self._data.index(b"\n", sense)].decode(
            "utf-8", "replace"
        )
        try:
            return parse(line.partition(" | ")[0].split())
        except (IndexError, ValueError) as error:
            message = f"the line of synset {sense:08} is not as WordNet writes it"
            raise _make_error(self._data_file, message) from error


def _parse_synset(fields: list[str]) -> Synset:
    # number, file, part of speech, words (hexadecimal), each word and its number,
    # pointers, each pointer as symbol, synset, part of speech and words
    pointers = 4 + 2 * int(fields[3], 16)
    first = pointers + 1
    hypernyms = tuple(
        int(fields[at + 1])
        for at in range(first, first + 4 * int(fields[pointers]), 4)
        if fields[at] in ("@", "@i")
    )
    return Synset(
        get_supertype(_FILES[int(fields[1])], fields[4:pointers:2]), hypernyms
    )


def _list_keys(fields: list[str]) -> list[str]:
    """Return the keys of a synset's words, as cntlist.rev calls them."""
    return [
        f"{fields[at].lower()}%1:{fields[1]}:{int(fields[at + 1], 16):02}::"
        for at in range(4, 4 + 2 * int(fields[3], 16), 2)
    ]


def _read_by_first_word(path: Path) -> dict[str, str]:
    """Return the text after the first word of each line; the licence is indented."""
    lines = (line for line in read_text(path).splitlines() if not line.startswith(" "))
    try:
        return dict(line.split(" ", 1) for line in lines)
    except ValueError as error:
        message = "a line has one word only, expected a word and more"
        raise _make_error(path, message) from error


def _make_error(path: Path, message: str, hint: str = _HINT) -> FormatError:
    code = "model/invalid-lexicon"
    return FormatError(message, code=code, place=str(path), hint=hint)


def read_bytes(path: Path) -> bytes:
    """Read a file, decompressed if it is gzipped."""
    try:
        body = path.read_bytes()
        return gzip.decompress(body) if path.suffix == ".gz" else body
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or str(error)
        hint = "copy the file again, or check that you may read it"
        raise _make_error(path, f"cannot be read: {reason}", hint) from error


def read_text(path: Path) -> str:
    """Read a text file encoded in UTF-8, decompressed if it is gzipped."""
    body = read_bytes(path)
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = body.count(b"\n", 0, error.start) + 1
        place = Path(f"{path}:{line}")
        message = "the line has bytes that are not UTF-8"
        raise _make_error(place, message, "save the file as UTF-8") from error


def iter_rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield the line number and the tab-separated fields of each line.

    Blank lines and comments, which start with `#`, are skipped.
    """
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if line.strip() and not line.startswith("#"):
            yield number, [field.strip() for field in line.split("\t")]
