"""Languages that the resolver knows, each with its features.

A language is a row of `LANGUAGES` and a file of words in `lexicon/words/`. English has
29 features, Spanish 34, as in Recasens and Hovy 2010, section 3.3, with the names of
`cistell.features`. The paper does not list them: the English ones fill its
groups after Soon et al. 2001, Ng and Cardie 2002 and Luo et al. 2004. Spanish has zero
subjects and gender on nouns, and no possessive phrase; French is in between.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from corefkit.exceptions import SettingsError, quoted

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Language:
    """A language and the features that describe its pairs of mentions."""

    code: str  # its code, as in `en`
    name: str
    features: tuple[str, ...]  # the names of its features
    # Whether gender tells what a thing is, as in English, and not how its noun is
    # inflected.
    natural_gender: bool
    # Its code in the Open Multilingual Wordnet; empty for English, which needs no words
    # beside WordNet's own.
    wordnet: str = ""


_COMMON = (
    *("head_match", "string_match", "substring_match", "acronym", "frequency_first"),
    *("frequency_second", "sentence_distance", "mention_distance", "word_distance"),
    *("mention_type_first", "mention_type_second", "pronoun_first", "pronoun_second"),
    *("coordination", "gender_match", "number_match", "person_match", "quotation"),
    *("nominal_predicate", "apposition", "relative_clause", "embedding"),
    *("function_first", "function_second", "entity_type_first", "entity_type_match"),
    *("is_a_match", "supertype_match"),
)
_GENDERED = (
    *("gender_match_pronoun", "gender_match_noun", "gender_match_person"),
    "pronoun_type_second",
)

LANGUAGES: Mapping[str, Language] = {
    "en": Language(
        "en", "English", (*_COMMON, "possessive_phrase"), natural_gender=True
    ),
    "es": Language(
        "es",
        "Spanish",
        (*_COMMON, *_GENDERED, "zero_first", "zero_second"),
        natural_gender=False,
        wordnet="spa",
    ),
    "fr": Language(
        "fr", "French", (*_COMMON, *_GENDERED), natural_gender=False, wordnet="fra"
    ),
}


def language_named(code: str) -> Language:
    """Find a language by its code.

    >>> [len(language_named(code).features) for code in ("en", "es", "fr")]
    [29, 34, 32]
    """
    if code not in LANGUAGES:
        names = (f"{known.code} ({known.name})" for known in LANGUAGES.values())
        message = f"there are no features for the language {quoted(code)}"
        raise SettingsError(
            message,
            code="settings/unknown-value",
            hint=f"choose one of {', '.join(names)}",
        )
    return LANGUAGES[code]
