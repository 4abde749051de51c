"""What is known of words: their gender and number, and what they mean.

    lexicon = load_lexicon("en", folder=Path("lexicon"))
    lexicon.genders["mother"], lexicon.wordnet.supertype("mother")

The modules, each importing only from those before it:

    reading     files, read whole
    wordnet     senses of nouns, and those of the database of `wn`
    princeton   those of WordNet's own files
    lists       gender, number and the like of words

Only short lists of words come with corefkit. WordNet is used if it is installed, unless
the user declines it, and so are the lists in a folder; what is missing is named, and
nothing is downloaded. The folder's files, all of them optional:

    wordnet-spa/wn-data-spa.tab   Spanish and French words for WordNet's synsets, as the
    wordnet-fra/wn-data-fra.tab   Open Multilingual Wordnet has them, or packed (.gz)
    gender-number/*.list          English words: male, female, neutral and plural ones
    demonyms/en.txt               places and the words for their people and things
"""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from cistell.languages import LANGUAGES
from cistell.lexicon.lists import (
    GENDER_LISTS,
    PLURAL_LIST,
    Pronoun,
    own_words,
    read_demonyms,
    with_listed,
)
from cistell.lexicon.princeton import (
    ENVIRONMENT,
    NO_WORDNET,
    PrincetonNouns,
    is_declined,
    wordnet_folder,
)
from cistell.lexicon.wordnet import (
    SUPERTYPES,
    WordNet,
    database_nouns,
    words_of_tab_file,
)
from corefkit.exceptions import SettingsError, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from cistell.lexicon.lists import WordLists
    from cistell.lexicon.wordnet import Nouns

__all__ = [
    "NO_WORDNET",
    "SUPERTYPES",
    "Lexicon",
    "Missing",
    "Pronoun",
    "WordNet",
    "load_lexicon",
]

_DECLINED = f"--wordnet {NO_WORDNET} or {ENVIRONMENT} says to do without it"
_MEANINGS = ("is_a_match", "supertype_match")
_GET_WORDNET = (
    "install Debian's wordnet-base, or set WNSEARCHDIR to a folder with index.noun and "
    "data.noun, or `pip install wn` and `python -m wn download omw-en`"
)
_HERE = "into the lexicon folder as {}"


class Missing(NamedTuple):
    """A resource that is missing."""

    resource: str  # what it is
    features: tuple[str, ...]  # the names of the features that need it
    hint: str  # how to get it
    declined: bool = False  # whether the user said to do without it


@dataclass(frozen=True, slots=True)
class Lexicon:
    """What is known of the words of a language; all words are in lower case."""

    language: str
    wordnet: WordNet | None  # what nouns mean; None if no WordNet was found
    # Of nouns, titles and given names: masculine, feminine or neuter.
    genders: Mapping[str, str]
    plurals: frozenset[str]
    # The place that a word belongs to, as "france" for "french".
    demonyms: Mapping[str, str]
    missing: tuple[Missing, ...]  # what was not found
    # What the form of a pronoun tells.
    pronouns: Mapping[str, Pronoun] = field(default_factory=dict)
    # The noun that stands for a name, by its entity type.
    concepts: Mapping[str, str] = field(default_factory=dict)

    def fingerprints(self) -> dict[str, str]:
        """Return a hash for each part, which tells it from those of other lexica."""
        return {
            "wordnet": self.wordnet.fingerprint if self.wordnet else NO_WORDNET,
            "genders": _digest(self.genders.items()),
            "plurals": _digest(self.plurals),
            "demonyms": _digest(self.demonyms.items()),
            "pronouns": _digest(self.pronouns.items()),
        }


def _digest(words: Iterable[object]) -> str:
    return sha256("\n".join(sorted(map(repr, words))).encode()).hexdigest()


def load_lexicon(
    language: str, *, folder: Path | None = None, wordnet: Path | str | None = None
) -> Lexicon:
    """Read what is known of the words of a language.

    Args:
        language: `en`, `es` or `fr`.
        folder: a folder of lists; corefkit's own words count more than these.
        wordnet: the folder of WordNet's files, index.noun and data.noun, or `none` to
            do without. By default, what COREFKIT_WORDNET says; without that, the usual
            places are searched, and then the database of `wn`.

    Raises:
        SettingsError: the language is unknown, or a folder does not exist.
        FormatError: a file is broken.

    >>> lexicon = load_lexicon("es")
    >>> lexicon.genders["actriz"], lexicon.pronouns["ellas"].number
    ('feminine', 'plural')
    """
    if language not in LANGUAGES:
        message = f"there are no words for the language {quoted(language)}"
        raise SettingsError(
            message,
            code="settings/unknown-value",
            hint=f"choose one of {', '.join(LANGUAGES)}",
        )
    if folder is not None and not folder.is_dir():
        message = "there is no such folder of word lists"
        hint = "name a folder with wordnet-spa, gender-number or demonyms in it"
        raise SettingsError(
            message, code="model/no-lexicon", place=str(folder), hint=hint
        )
    missing: list[Missing] = []
    meanings = _wordnet(language, folder, wordnet, missing)
    words = _words(language, folder, missing)
    return Lexicon(
        language,
        meanings,
        words.genders,
        words.plurals,
        _demonyms(language, folder, missing),
        tuple(missing),
        words.pronouns,
        words.concepts,
    )


def _wordnet(
    language: str,
    folder: Path | None,
    wordnet: Path | str | None,
    missing: list[Missing],
) -> WordNet | None:
    """Find WordNet, and the language's own words for it; record what is missing."""
    declined = is_declined(wordnet)
    nouns = None if declined else _nouns(language, wordnet)
    if nouns is None:
        hint = _DECLINED if declined else _GET_WORDNET
        missing.append(Missing("WordNet 3.0", _MEANINGS, hint, declined))
    code = LANGUAGES[language].wordnet
    if not code:
        return WordNet(nouns) if nouns else None
    name = f"wordnet-{code}/wn-data-{code}.tab"
    path = _present(folder, name) or _present(folder, f"{name}.gz")
    if path is None:
        hint = f"put the Open Multilingual Wordnet's file {_HERE.format(name)}"
        missing.append(Missing(name, _MEANINGS, hint))
    return WordNet(nouns, words_of_tab_file(path)) if nouns and path else None


def _nouns(language: str, named: Path | str | None) -> Nouns | None:
    place = wordnet_folder(named)
    return PrincetonNouns(place) if place else database_nouns(language)


def _words(language: str, folder: Path | None, missing: list[Missing]) -> WordLists:
    own = own_words(language)
    if language != "en":
        # The folder's lists of gender and number are of English words.
        return own
    names = (*GENDER_LISTS.values(), PLURAL_LIST)
    absent = [name for name in names if not _present(folder, name)]
    if absent:
        hint = f"put lists with a word on each line {_HERE.format(', '.join(absent))}"
        features = ("gender_match", "number_match")
        missing.append(Missing(", ".join(absent), features, hint))
    return own if folder is None else with_listed(own, folder)


def _demonyms(
    language: str, folder: Path | None, missing: list[Missing]
) -> dict[str, str]:
    name = f"demonyms/{language}.txt"
    path = _present(folder, name)
    if path is None:
        form = "lines of a place and its words, with tabs between,"
        hint = f"put {form} {_HERE.format(name)}"
        missing.append(Missing(name, ("string_match",), hint))
    return {} if path is None else read_demonyms(path)


def _present(folder: Path | None, name: str) -> Path | None:
    path = None if folder is None else folder / name
    return path if path is not None and path.is_file() else None
