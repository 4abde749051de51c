"""What is known of a few words, in three languages, so that tests need no WordNet."""

from __future__ import annotations

from resolver.trees import every_mention

from cistell.mentions.lexicon import (
    Lexicon,
    Pronoun,
    WordNet,
    get_language,
    read_word_lists,
)
from cistell.mentions.profiles import Context, make_table
from cistell.mentions.wordnet import Synset

# Meanings: English, Spanish and French words for each, its supertype, those above it.
MEANINGS = {
    1: ("artifact", "objeto", "objet", "artifact", ()),
    2: ("building edifice", "edificio", "bâtiment", "artifact", (1,)),
    3: ("mill", "molino", "moulin", "artifact", (2,)),
    4: ("person", "persona", "personne", "person", ()),
    5: ("woman", "mujer", "femme", "person", (4,)),
    6: ("miller", "molinera", "meunière", "person", (4,)),
    7: ("location", "lugar", "lieu", "location", ()),
    8: ("village", "pueblo", "village", "location", (7,)),
    # "mill" has this sense after the other, and "bank" both of its own.
    9: ("mill bank", "banco", "banque", "group", ()),
    10: ("bank shore", "orilla", "rive", "object", ()),
}
GENDERS = {
    "en": {"mrs": "feminine", "ann": "feminine", "bob": "masculine", "ship": "neuter"},
    "es": {"ana": "feminine", "pedro": "masculine"},
    "fr": {"anne": "feminine", "pierre": "masculine"},
}
PRONOUNS = {
    "en": {"she": Pronoun("feminine", "singular", "3")},
    "es": {"su": Pronoun("", "", "3"), "sus": Pronoun("", "", "3")},
    "fr": {
        "ses": Pronoun("", "singular", "3"),
        "sa": Pronoun("", "singular", "3"),
        "la": Pronoun("feminine", "singular", "3"),
    },
}


class Nouns:
    """A WordNet of the meanings above."""

    fingerprint = "a few words"

    def senses(self, word):
        return _words(0).get(word, ())

    def synset(self, sense):
        *_, supertype, above = MEANINGS[sense]
        return Synset(supertype, above)

    def frequency(self, sense):
        return -sense


def _words(column):
    found = {}
    for sense, meaning in MEANINGS.items():
        for word in meaning[column].split():
            found[word] = (*found.get(word, ()), sense)
    return found


def lexicon(language, *, wordnet=True, missing=()):
    """Return what is known of the words of a language."""
    column = ("en", "es", "fr").index(language)
    own = None if language == "en" else _words(column)
    return Lexicon(
        get_language(language),
        WordNet(Nouns(), own) if wordnet else None,
        GENDERS[language],
        frozenset(["scissors"] if language == "en" else ["gafas"]),
        {"danish": "denmark"} if language == "en" else {},
        missing,
        pronouns=PRONOUNS[language],
        concepts=read_word_lists(language)["concepts"],
    )


def context(language="en", *, wordnet=True, entity_types="names"):
    """Return what mentions of a language are looked at with."""
    words = lexicon(language, wordnet=wordnet)
    return Context(words, entity_types)


def table_of(document, language="en", **options):
    """Look at all mentions of a document."""
    return make_table(document, every_mention(document), context(language, **options))
