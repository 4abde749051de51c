"""WordNet: what nouns mean, and what kinds of things they name.

A sense is a synset, known by its number. A language other than English has words of
its own for the synsets of the English WordNet 3.0 (Open Multilingual Wordnet), which
relates them to each other. The most frequent sense of a word comes first. For words of
other languages frequencies are unknown: their senses are ordered by how often English
texts have them, in any words, and then as in their file.
"""

from __future__ import annotations

from hashlib import sha256
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from cistell.lexicon.reading import rows
from corefkit.exceptions import FormatError, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path


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
    """Where nouns and synsets come from."""

    @property
    def fingerprint(self) -> str:
        """A hash, or a name and version."""

    def words(self) -> Iterable[str]:
        """Go through the words that are known, irregular plurals among them."""

    def senses(self, word: str) -> tuple[int, ...]:
        """Return the synsets of an English word, the most frequent sense first."""

    def synset(self, sense: int) -> Synset:
        """Return a synset by its number."""

    def frequency(self, sense: int) -> int:
        """Return how often a synset is in English texts."""


class WordNet:
    """Nouns, their senses, and what these are kinds of.

    Another language has its own words, as `words_of_tab_file` returns them.
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
        """Return the first senses of a noun; none if it is unknown."""
        found = self._senses.get(lemma)
        if found is None:
            word = key_of(lemma)
            if self._words is None:
                found = self._nouns.senses(word)
            else:
                own = self._words.get(word, ())
                found = tuple(sorted(own, key=self._nouns.frequency, reverse=True))
            self._senses[lemma] = found
        return found[:most]

    def ancestors(self, sense: int) -> frozenset[int]:
        """Return all that a sense is a kind or an instance of, without itself."""
        found = self._ancestors.get(sense)
        if found is None:
            above: set[int] = set()
            waiting = [sense]
            while waiting:
                higher = {*self._synset(waiting.pop()).hypernyms} - above
                above |= higher
                waiting.extend(higher)
            found = self._ancestors[sense] = frozenset(above - {sense})
        return found

    def supertype(self, lemma: str) -> str:
        """Return the kind of thing a noun names, by its first sense.

        It is one of `SUPERTYPES`, as "person" or "location", or empty if unknown.
        """
        senses = self.senses(lemma, 1)
        return self._synset(senses[0]).supertype if senses else ""

    def kinds(self) -> dict[str, tuple[str, ...]]:
        """Return the kinds of things that each single word names.

        They are the supertypes of its first senses, each once; words of several words
        are left out. That takes a second or more: there are many words.
        """
        words = self._nouns.words() if self._words is None else self._words
        found = {}
        for word in sorted(word for word in words if "_" not in word):
            supertypes = [self._synset(sense).supertype for sense in self.senses(word)]
            found[word] = tuple(dict.fromkeys(filter(None, supertypes)))
        return {word: kinds for word, kinds in found.items() if kinds}

    def _synset(self, sense: int) -> Synset:
        found = self._synsets.get(sense)
        if found is None:
            found = self._synsets[sense] = self._nouns.synset(sense)
        return found


def supertype_of(file: str, words: Sequence[str]) -> str:
    """Return the supertype of a synset, by its lexicographer file and its words.

    The concepts that files are named after are in the file `tops`, and count to the
    files that they name.

    >>> supertype_of("person", ["king"]), supertype_of("tops", ["person", "somebody"])
    ('person', 'person')
    """
    if file == "tops":
        return next((word for word in words if word in SUPERTYPES), file)
    return file if file in SUPERTYPES else ""


def key_of(word: str) -> str:
    """Write a word as WordNet's files do.

    >>> key_of("Ice cream")
    'ice_cream'
    """
    return word.lower().replace(" ", "_")


def words_of_tab_file(path: Path) -> dict[str, tuple[int, ...]]:
    """Read the nouns of a language, as the Open Multilingual Wordnet has them.

    A line is `02084071-n`, `lemma` or `fra:lemma`, and a word, separated by tabs.
    Other parts of speech, definitions and examples are skipped.
    """
    found: dict[str, dict[int, None]] = {}
    for line, fields in rows(path):
        number, _, kind = fields[0].partition("-")
        if len(fields) < 3 or not (number.isdecimal() and kind):
            message = f"found {quoted(' '.join(fields))}, expected a synset and a word"
            hint = "a line is as `02084071-n`, `lemma` and a word, with tabs between"
            raise FormatError(
                message, code="model/invalid-lexicon", place=f"{path}:{line}", hint=hint
            )
        if kind == "n" and fields[1].rpartition(":")[2] == "lemma":
            # A dict keeps the order of the file, and each synset once.
            found.setdefault(key_of(fields[2]), {})[int(number)] = None
    return {word: tuple(senses) for word, senses in found.items()}


_WORDNET_30 = ("omw-en", "omw-en30")
_OTHERS = ("oewn",)


def database_nouns(language: str) -> DatabaseNouns | None:
    """Return the nouns of `wn`'s database; None if it has none for the language.

    It is used if WordNet's own files are not found, and only if it is there already.
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

    def words(self) -> Iterable[str]:
        """Go through the words that are known."""
        return {key_of(word.lemma()) for word in self._wordnet.words(pos="n")}

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
    return FormatError(
        message,
        code="model/invalid-lexicon",
        place=str(wn.config.database_path),
        hint=hint,
    )
