"""What one mention tells of itself: gender, number, person, function and the like.

Gender is a set of bits, those that it may be: unknown is all three. So "the doctor",
who is a man or a woman but no thing, agrees with "she" and not with "it".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from corefkit.cistell.languages import Language
    from corefkit.cistell.lexicon import Lexicon
    from corefkit.cistell.words import Words
    from corefkit.model import Mention

MASCULINE, FEMININE, NEUTER = 1, 2, 4
PERSON, UNKNOWN = MASCULINE | FEMININE, MASCULINE | FEMININE | NEUTER
SINGULAR, PLURAL = 1, 2

_BITS = {"Masc": MASCULINE, "Fem": FEMININE, "Neut": NEUTER, "Com": PERSON}
_NAMED_BITS = {"masculine": MASCULINE, "feminine": FEMININE}

# Entity types as corpora call them, in the words of GUM.
ENTITY_TYPES = (
    "none",
    "person",
    "organization",
    "place",
    "object",
    "event",
    "time",
    "abstract",
    "substance",
    "animal",
    "plant",
    "other",
)
_TYPES: Mapping[str, str] = {
    **{name: name for name in ENTITY_TYPES},
    **dict.fromkeys(("per", "pers", "individual"), "person"),
    **dict.fromkeys(("org", "organisation", "group", "norp"), "organization"),
    **dict.fromkeys(("loc", "gpe", "fac", "location", "facility", "geo"), "place"),
    **dict.fromkeys(("product", "work_of_art", "weapon", "vehicle", "veh"), "object"),
    **dict.fromkeys(("wea", "building", "art"), "object"),
    **dict.fromkeys(("date", "duration"), "time"),
    **dict.fromkeys(("language", "law", "number", "money", "percent"), "abstract"),
}
# The supertype of a name, in the words of WordNet's lexicographer files.
TYPE_SUPERTYPES: Mapping[str, str] = {
    "person": "person",
    "organization": "group",
    "place": "location",
    "object": "artifact",
    "event": "event",
    "time": "time",
    "substance": "substance",
    "animal": "animal",
    "plant": "plant",
}
# What a name of a type means, as a noun of each language.
TYPE_CONCEPTS: Mapping[str, Mapping[str, str]] = {
    "en": {
        **{one: one for one in ("person", "organization", "event", "animal", "plant")},
        "place": "location",
        "object": "artifact",
    },
    "es": {
        "person": "persona",
        "organization": "organización",
        "place": "lugar",
        "object": "objeto",
        "event": "acontecimiento",
        "animal": "animal",
        "plant": "planta",
    },
    "fr": {
        "person": "personne",
        "organization": "organisation",
        "place": "lieu",
        "object": "objet",
        "event": "événement",
        "animal": "animal",
        "plant": "plante",
    },
}
# Grammatical functions, as coarse as serves the nearest neighbour best: fourteen of
# UD's relations scored lower on the development part of OntoGUM.
FUNCTIONS = ("other", "subject", "object")
_FUNCTION: Mapping[str, str] = {
    **dict.fromkeys(("nsubj", "csubj", "expl"), "subject"),
    **dict.fromkeys(("obj", "iobj"), "object"),
}
_MODIFIERS = ("NOUN", "PROPN", "ADJ", "NUM", "X", "SYM")
# What belongs to a name, and what is inflected as its noun; others hang on it too.
_OF_NAME = ("flat", "flat:name", "compound", "appos", "nmod:desc")
_INFLECTED = ("det", "amod")


def entity_type(mention: Mention) -> str:
    """Give the type of a mention's entity in one inventory; `none` if unknown.

    >>> from corefkit.model import Mention
    >>> entity_type(Mention(0, 0, attributes={"type": "PER"}))
    'person'
    """
    given = mention.attributes.get("type", "").lower()
    return _TYPES.get(given, "other") if given else "none"


def function_of(head: int, words: Words) -> str:
    """Give the grammatical function of a mention's head."""
    relation = words.syntax.relations[head]
    return _FUNCTION.get(relation.partition(":")[0], "other")


def conjuncts(mention: Mention, head: int, words: Words) -> tuple[int, ...]:
    """Give the heads that a coordination joins, the mention's own first."""
    relations = words.syntax.relations
    return head, *(
        token
        for token in words.children[head]
        if relations[token] == "conj" and mention.start <= token <= mention.end
    )


def gender_bits(
    head: int,
    words: Words,
    *,
    language: Language,
    lexicon: Lexicon,
    supertype: str,
) -> int:
    """Give the genders that a mention may have."""
    features = words.features[head]
    given = _bits(features.get("Gender", ()))
    if given:
        return given
    if words.syntax.tags[head] in ("PRON", "DET"):
        return _pronoun_bits(features, supertype)
    if not language.natural_gender:
        given = _bits(
            gender
            for token in words.children[head]
            if words.syntax.relations[token] in _INFLECTED
            for gender in words.features[token].get("Gender", ())
        )
        return given or _listed(head, words, lexicon) or UNKNOWN
    if supertype not in ("", "person"):
        return NEUTER
    return _listed(head, words, lexicon) or (PERSON if supertype else UNKNOWN)


def _pronoun_bits(features: Mapping[str, list[str]], supertype: str) -> int:
    first_or_second = {"1", "2"} & {*features.get("Person", ())}
    return PERSON if first_or_second or supertype == "person" else UNKNOWN


def pronoun_supertype(features: Mapping[str, list[str]], language: Language) -> str:
    """Say what kind of thing a pronoun speaks of: a person, or nobody knows.

    Those who speak and are spoken to are persons; "he" and "she" are where gender
    tells what a thing is.
    """
    sexes = {"Masc", "Fem"} & {*features.get("Gender", ())}
    person = {*features.get("Person", ())}
    if {"1", "2"} & person or (language.natural_gender and sexes):
        return "person"
    return ""


def _bits(genders: Iterable[str]) -> int:
    found = 0
    for one in genders:
        found |= _BITS.get(one, 0)
    return found


def _listed(head: int, words: Words, lexicon: Lexicon) -> int:
    """Look up a noun, or a name with its titles and given names before it.

    Lists of names call many a noun neuter or a man's name: a noun is looked up alone.
    """
    tags, relations = words.syntax.tags, words.syntax.relations
    tokens = [head]
    if tags[head] == "PROPN":
        near = (
            one
            for one in words.children[head]
            if tags[one] in ("PROPN", "NOUN") and relations[one] in _OF_NAME
        )
        tokens = sorted((*near, head))
    for token in tokens:
        form = words.forms[token].lower().rstrip(".")
        found = lexicon.genders.get(form) or lexicon.genders.get(words.lemmas[token])
        if found in ("masculine", "feminine"):
            return _NAMED_BITS[found]
    return 0


def number_of(head: int, heads: Sequence[int], words: Words, lexicon: Lexicon) -> int:
    """Give whether a mention is singular or plural; 0 where that is unknown."""
    if len(heads) > 1:
        return PLURAL
    given = words.features[head].get("Number") or ()
    if "Plur" in given:
        return PLURAL
    if "Sing" in given:
        return SINGULAR
    return PLURAL if words.forms[head].lower() in lexicon.plurals else 0


def person_of(head: int, words: Words) -> int:
    """Give the grammatical person of a pronoun, 1 to 3; 0 if there is none."""
    given = words.features[head].get("Person") or ()
    return int(given[0]) if given and given[0] in ("1", "2", "3") else 0


def subject_of(head: int, words: Words) -> int:
    """Give the subject that a nominal predicate is said of, or -1.

    A noun with a preposition says where or how the subject is ("is near the station"),
    one that is denied what it is not: neither is said of it.
    """
    if words.child(head, "cop") < 0 or _is_marked(head, words):
        return -1
    return words.child(head, "nsubj")


def _is_marked(head: int, words: Words) -> bool:
    """Say whether a noun has a preposition, a possessive mark, or is denied."""
    return any(
        words.syntax.relations[token].split(":")[0] == "case"
        or "Neg" in words.features[token].get("Polarity", ())
        for token in words.children[head]
    )


def apposed_to(head: int, words: Words) -> int:
    """Give the token that an apposition explains, or -1."""
    if words.syntax.relations[head].split(":")[0] == "appos":
        return words.syntax.parents[head]
    return -1


def has_relative_clause(mention: Mention, head: int, words: Words) -> bool:
    """Say whether a relative clause modifies a mention's head."""
    for token in words.children[head]:
        relation = words.syntax.relations[token]
        if mention.start <= token <= mention.end and (
            relation == "acl:relcl" or (relation == "acl" and _relative(token, words))
        ):
            return True
    return False


def _relative(verb: int, words: Words) -> bool:
    return any(
        "Rel" in words.features[token].get("PronType", ())
        for token in words.children[verb]
    )


def is_possessive_phrase(mention: Mention, head: int, words: Words) -> bool:
    """Say whether a mention possesses, as in "the mill's wheel", or "her"."""
    return words.syntax.relations[head] == "nmod:poss" or any(
        words.forms[token].lower() in ("'s", "\u2019s", "'", "\u2019")
        and mention.start <= token <= mention.end + 1
        for token in words.children[head]
    )


def text_of(
    mention: Mention, words: Words, demonyms: Mapping[str, str] | None = None
) -> str:
    """Give the words of a mention without determiners, marks and a final 's.

    Words for what is of a place are that place, where a table of demonyms has them.

    >>> from corefkit.cistell.words import words_of
    >>> from corefkit.model import Document, Mention
    >>> layers = {"xpos": ("DT", "NNP", "NN"), "head": ("3", "3", "0")}
    >>> layers["deprel"] = ("det", "compound", "root")
    >>> mill = Document("d", (("The", "Dutch", "mill"),), (), layers=layers)
    >>> text_of(Mention(0, 2), words_of(mill))
    'dutch mill'
    """
    tags = words.syntax.tags
    tokens = mention.tokens
    kept = [
        words.forms[token].lower()
        for token in tokens
        if tags[token] not in ("DET", "PUNCT", "PART")
    ]
    if demonyms:
        kept = [demonyms.get(word, word) for word in kept]
    return " ".join(kept or [words.forms[token].lower() for token in tokens])


def content_words(mention: Mention, words: Words) -> list[str]:
    """Give the lemmas of nouns, names, adjectives and numbers of a mention."""
    tags = words.syntax.tags
    return [
        words.lemmas[token] for token in mention.tokens if tags[token] in _MODIFIERS
    ]


def initials(mention: Mention, words: Words) -> str:
    """Give the first letters of a mention's capitalised words.

    A mention of one word has none: it may be an acronym, not what one stands for. A
    determiner does not count, though a sentence may start with it.
    """
    tags = words.syntax.tags
    capitals = [
        words.forms[token][0]
        for token in mention.tokens
        if words.forms[token][:1].isupper() and tags[token] != "DET"
    ]
    return "".join(capitals) if len(capitals) > 1 else ""


def acronym(mention: Mention, words: Words) -> str:
    """Give the letters of a mention that is one word of capitals; else nothing.

    Full stops between letters do not count, nor does a determiner before it.
    """
    tags = words.syntax.tags
    own = [
        words.forms[token]
        for token in mention.tokens
        if tags[token] not in ("DET", "PART", "PUNCT")
    ]
    letters = own[0].replace(".", "") if len(own) == 1 else ""
    return letters if len(letters) > 1 and letters.isupper() else ""
