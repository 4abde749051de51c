"""Lists of words: corefkit's own, and those of a lexicon folder.

Its own are short, with a file for each language (`words/en.toml`). They have, in lower
case and separated by blanks:

    plurals       words that are plural, or have no singular
    titles        by gender; without the full stop that may follow them
    nouns         by gender: kin and roles that tell the sex, and in English some things
    names         by gender: common given names
    pronouns      personal, possessive and reflexive ones, by gender, number and person
                  of what they refer to (for a possessive, the owner); `-` is unknown
    concepts      by entity type: the noun that stands for a name of that type
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, replace
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

from cistell.lexicon.reading import rows
from corefkit.exceptions import FormatError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

# The lists of English words in a lexicon folder, by the gender they tell.
GENDER_LISTS: Mapping[str, str] = {
    "masculine": "gender-number/male.list",
    "feminine": "gender-number/female.list",
    "neuter": "gender-number/neutral.list",
}
PLURAL_LIST = "gender-number/plural.list"


class Pronoun(NamedTuple):
    """What the form of a pronoun tells; empty where it tells nothing."""

    gender: str  # `masculine`, `feminine` or `neuter`
    number: str  # `singular` or `plural`
    person: str  # `1`, `2` or `3`


@dataclass(frozen=True, slots=True)
class WordLists:
    """Words of a language."""

    genders: Mapping[str, str]  # of nouns, titles and given names
    plurals: frozenset[str]
    pronouns: Mapping[str, Pronoun]  # what each form tells
    concepts: Mapping[str, str]  # the noun that stands for a name, by its entity type


def own_words(language: str) -> WordLists:
    """Read the words that corefkit has for a language.

    >>> own_words("fr").pronouns["elle"]
    Pronoun(gender='feminine', number='singular', person='3')
    """
    path = files(__package__) / "words" / f"{language}.toml"
    data = tomllib.loads(path.read_text("utf-8"))
    titles = {
        gender: f"{words} {' '.join(f'{word}.' for word in words.split())}"
        for gender, words in data["titles"].items()
    }
    return WordLists(
        {
            word: gender
            for group in (titles, data["nouns"], data["names"])
            for gender, words in group.items()
            for word in _spellings(words)
        },
        frozenset(_spellings(data["plurals"])),
        {
            form: Pronoun(*facts.replace("-", "").split(" "))
            for facts, forms in data["pronouns"].items()
            for form in _spellings(forms)
        },
        data["concepts"],
    )


def _spellings(words: str) -> Iterator[str]:
    """Return each word, also as it is written with a typographic apostrophe."""
    for word in words.split():
        yield word
        if "'" in word:
            yield word.replace("'", "\N{RIGHT SINGLE QUOTATION MARK}")


def with_listed(own: WordLists, folder: Path) -> WordLists:
    """Add the English lists of a folder; where the two disagree, corefkit's own count.

    Its own nouns, titles and names are singular. A missing list is empty, and a word in
    the lists of several genders is left out.
    """
    genders: dict[str, str] = {}
    unclear: set[str] = set()
    for gender, name in GENDER_LISTS.items():
        for word in _listed(folder / name):
            if genders.setdefault(word, gender) != gender:
                unclear.add(word)
    clear = {word: gender for word, gender in genders.items() if word not in unclear}
    plurals = frozenset(_listed(folder / PLURAL_LIST)) - own.genders.keys()
    return replace(own, genders={**clear, **own.genders}, plurals=own.plurals | plurals)


def _listed(path: Path) -> Iterator[str]:
    if path.is_file():
        for _, fields in rows(path):
            yield fields[0].lower()


def read_demonyms(path: Path) -> dict[str, str]:
    """Read places and their demonyms, such as "France" and "French".

    A line is a place and its words, separated by tabs. A word that belongs to several
    places counts for the first.
    """
    found: dict[str, str] = {}
    for line, (place, *words) in rows(path):
        if not place:
            message = "the line names no place"
            hint = "a line is a place and its words, with tabs between"
            raise FormatError(
                message, code="model/invalid-lexicon", place=f"{path}:{line}", hint=hint
            )
        for word in filter(None, words):
            found.setdefault(word.lower(), place.lower())
    return found
