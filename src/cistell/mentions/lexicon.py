"""Languages and their words: gender, number, demonyms, and senses of nouns.

    lexicon = load_lexicon("en", folder=Path("lexicon"))
    lexicon.genders["mother"], lexicon.wordnet.supertype("mother")

Short word lists come with cistell, a TOML file for each language. They have, in lower
case and separated by blanks:

    plurals       words that are plural, or have no singular
    titles        by gender; without the full stop that may follow them
    nouns         by gender: kin and roles, and in English some things
    names         by gender: common given names
    pronouns      personal, possessive and reflexive ones, by gender, number and person
                  of their referent (for a possessive, the owner); `-` is unknown
    concepts      by entity type: the noun that a name of this type is looked up by

WordNet is used if it is installed. A lexicon folder may provide more lists, all
optional:

    wordnet-spa/wn-data-spa.tab   Spanish and French words of WordNet's synsets, from
    wordnet-fra/wn-data-fra.tab   the Open Multilingual Wordnet (may be gzipped)
    gender-number/*.list          English words: male, female, neutral and plural ones
    demonyms/en.txt               places and the words for their people and things

Missing resources are reported, and nothing is downloaded.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

from cistell.mentions.wordnet import (
    ENVIRONMENT,
    NO_WORDNET,
    PrincetonNouns,
    WordNet,
    find_database_nouns,
    find_wordnet_folder,
    is_declined,
    iter_rows,
    read_tab_file,
)
from corefkit import FormatError, SettingsError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path


class Language(NamedTuple):
    """A language: its code, name, and properties that features depend on.

    Attributes:
        code: as in `en`.
        name: its English name.
        has_natural_gender: whether gender is natural, as in English, instead of
            grammatical.
        wordnet: its code in the Open Multilingual Wordnet; empty for English.
    """

    code: str
    name: str
    has_natural_gender: bool
    wordnet: str = ""


LANGUAGES: Mapping[str, Language] = {
    "en": Language("en", "English", has_natural_gender=True),
    "es": Language("es", "Spanish", has_natural_gender=False, wordnet="spa"),
    "fr": Language("fr", "French", has_natural_gender=False, wordnet="fra"),
}

# Word lists of English in a lexicon folder, by gender.
_GENDER_LISTS: Mapping[str, str] = {
    "masculine": "gender-number/male.list",
    "feminine": "gender-number/female.list",
    "neuter": "gender-number/neutral.list",
}
_PLURAL_LIST = "gender-number/plural.list"
_SENSE_FEATURES = ("is_a_match", "supertype_match")
_DECLINED = f"--wordnet {NO_WORDNET} or {ENVIRONMENT} disables it"
_GET_WORDNET = (
    "install Debian's wordnet-base, or set WNSEARCHDIR to a folder with index.noun and "
    "data.noun, or `pip install wn` and `python -m wn download omw-en`"
)


class Pronoun(NamedTuple):
    """Gender, number and person of a pronoun's referent; empty if unknown."""

    gender: str
    number: str
    person: str


class MissingResource(NamedTuple):
    """A resource that was not found.

    Attributes:
        resource: its name.
        features: the names of the features that require it.
        hint: how to get it.
        declined: whether the user disabled it.
    """

    resource: str
    features: tuple[str, ...]
    hint: str
    declined: bool = False


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The words of a language, in lower case.

    Attributes:
        language: the language.
        wordnet: senses of nouns; None if WordNet was not found or is disabled.
        genders: masculine, feminine or neuter, of nouns, titles and given names.
        plurals: words that are plural.
        demonyms: the place of a word, as "france" of "french".
        missing: resources that were not found.
        pronouns: the properties of the forms of pronouns.
        concepts: the noun that a name is looked up by, by its entity type.
    """

    language: Language
    wordnet: WordNet | None
    genders: Mapping[str, str]
    plurals: frozenset[str]
    demonyms: Mapping[str, str]
    missing: tuple[MissingResource, ...] = ()
    pronouns: Mapping[str, Pronoun] = field(default_factory=dict)
    concepts: Mapping[str, str] = field(default_factory=dict)

    def hash_parts(self) -> dict[str, str]:
        """Return a hash of each part, to identify the lexicon in caches and reports."""
        return {
            "wordnet": self.wordnet.fingerprint if self.wordnet else NO_WORDNET,
            "genders": _hash_words(self.genders.items()),
            "plurals": _hash_words(self.plurals),
            "demonyms": _hash_words(self.demonyms.items()),
            "pronouns": _hash_words(self.pronouns.items()),
        }


def _hash_words(words: Iterable[object]) -> str:
    return sha256("\n".join(sorted(map(repr, words))).encode()).hexdigest()


def get_language(code: str) -> Language:
    """Return a language by its code."""
    if code not in LANGUAGES:
        names = (f"{row.code} ({row.name})" for row in LANGUAGES.values())
        message = f"unsupported language {code!r}"
        hint = f"choose one of {', '.join(names)}"
        raise SettingsError(message, code="settings/unknown-value", hint=hint)
    return LANGUAGES[code]


def read_word_lists(language: str = "en") -> dict[str, Any]:
    """Parse the word lists of a language that are included in cistell."""
    path = files("cistell.mentions") / "lexicon_words" / f"{language}.toml"
    return tomllib.loads(path.read_text("utf-8"))


def load_lexicon(
    language: str, *, folder: Path | None = None, wordnet: Path | str | None = None
) -> Lexicon:
    """Load the lexicon of a language.

    Args:
        language: `en`, `es` or `fr`.
        folder: a folder with additional lists; the lists of cistell override them.
        wordnet: the folder of WordNet's files, index.noun and data.noun, or `none` to
            disable it. By default the environment variable COREFKIT_WORDNET, then the
            usual places, then the database of `wn`.

    Raises:
        SettingsError: the language is unknown, or a folder does not exist.
        FormatError: a file is invalid.

    >>> lexicon = load_lexicon("es")
    >>> lexicon.genders["actriz"], lexicon.pronouns["ellas"].number
    ('feminine', 'plural')
    """
    chosen = get_language(language)
    if folder is not None and not folder.is_dir():
        message = "the folder of word lists does not exist"
        hint = "name a folder with wordnet-spa, gender-number or demonyms in it"
        raise SettingsError(
            message, code="model/no-lexicon", place=str(folder), hint=hint
        )
    missing: list[MissingResource] = []
    senses = _find_wordnet(chosen, folder, wordnet, missing)
    lists = read_word_lists(language)
    genders = {
        word: gender
        for name in ("titles", "nouns", "names")
        for gender, words in lists[name].items()
        for word in _list_spellings(words, is_title=name == "titles")
    }
    plurals = frozenset(_list_spellings(lists["plurals"]))
    if language == "en":
        genders, plurals = _add_folder_lists(genders, plurals, folder, missing)
    pronouns = {
        form: Pronoun(*values.replace("-", "").split(" "))
        for values, forms in lists["pronouns"].items()
        for form in _list_spellings(forms)
    }
    name = f"demonyms/{language}.txt"
    path = _find_file(folder, name)
    if path is None:
        hint = f"copy it into the lexicon folder as {name}: a place and its words"
        hint += " on each line, separated by tabs"
        missing.append(MissingResource(name, ("string_match",), hint))
    return Lexicon(
        chosen,
        senses,
        genders,
        plurals,
        read_demonyms(path) if path else {},
        tuple(missing),
        pronouns,
        lists["concepts"],
    )


def _list_spellings(words: str, *, is_title: bool = False) -> Iterator[str]:
    """Yield words with and without typographic apostrophes; titles with a full stop."""
    for word in words.split():
        yield word
        if is_title:
            yield f"{word}."
        if "'" in word:
            yield word.replace("'", "\N{RIGHT SINGLE QUOTATION MARK}")


def _find_wordnet(
    language: Language,
    folder: Path | None,
    wordnet: Path | str | None,
    missing: list[MissingResource],
) -> WordNet | None:
    """Load WordNet and the words of the language, and report missing resources."""
    declined = is_declined(wordnet)
    nouns = None
    if not declined:
        place = find_wordnet_folder(wordnet)
        nouns = PrincetonNouns(place) if place else find_database_nouns(language.code)
    if nouns is None:
        hint = _DECLINED if declined else _GET_WORDNET
        missing.append(MissingResource("WordNet 3.0", _SENSE_FEATURES, hint, declined))
    if not (code := language.wordnet):
        return WordNet(nouns) if nouns else None
    name = f"wordnet-{code}/wn-data-{code}.tab"
    path = _find_file(folder, name) or _find_file(folder, f"{name}.gz")
    if path is None:
        hint = f"copy the file of the Open Multilingual Wordnet to {name} in the folder"
        missing.append(MissingResource(name, _SENSE_FEATURES, hint))
    return WordNet(nouns, read_tab_file(path)) if nouns and path else None


def _add_folder_lists(
    genders: dict[str, str],
    plurals: frozenset[str],
    folder: Path | None,
    missing: list[MissingResource],
) -> tuple[dict[str, str], frozenset[str]]:
    """Add the English lists of a folder; the lists of cistell override them.

    Words that the lists contain with several genders are ignored.
    """
    names = (*_GENDER_LISTS.values(), _PLURAL_LIST)
    if absent := [name for name in names if not _find_file(folder, name)]:
        hint = f"copy lists with a word per line into the folder: {', '.join(absent)}"
        features = ("gender_match", "number_match")
        missing.append(MissingResource(", ".join(absent), features, hint))
    added: dict[str, str] = {}
    ambiguous: set[str] = set()
    for gender, name in _GENDER_LISTS.items():
        for word in _read_words(folder, name):
            if added.setdefault(word, gender) != gender:
                ambiguous.add(word)
    added = {word: added[word] for word in added if word not in ambiguous}
    added_plurals = frozenset(_read_words(folder, _PLURAL_LIST)) - genders.keys()
    return {**added, **genders}, plurals | added_plurals


def _read_words(folder: Path | None, name: str) -> Iterator[str]:
    if path := _find_file(folder, name):
        for _, cells in iter_rows(path):
            yield cells[0].lower()


def _find_file(folder: Path | None, name: str) -> Path | None:
    path = None if folder is None else folder / name
    return path if path is not None and path.is_file() else None


def read_demonyms(path: Path) -> dict[str, str]:
    """Parse places and their demonyms, such as "France" and "French".

    A line is a place and its words, separated by tabs. A word that belongs to several
    places counts for the first.
    """
    places: dict[str, str] = {}
    for line, (place, *words) in iter_rows(path):
        if not place:
            message = "the line has no place"
            hint = "a line is a place and its words, separated by tabs"
            raise FormatError(
                message, code="model/invalid-lexicon", place=f"{path}:{line}", hint=hint
            )
        for word in filter(None, words):
            places.setdefault(word.lower(), place.lower())
    return places
