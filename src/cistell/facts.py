"""What one mention tells of itself: gender, number, person, function and the like.

Gender is a set of bits, one for each gender that is possible; unknown is all three. So
"the doctor", who is a man or a woman but not a thing, agrees with "she" and not with
"it".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cistell.languages import Language
    from cistell.lexicon import Lexicon
    from cistell.words import Words
    from corefkit.model import Mention
    from corefkit.syntax.dependencies import Syntax

MASCULINE, FEMININE, NEUTER = 1, 2, 4
PERSON, UNKNOWN = MASCULINE | FEMININE, MASCULINE | FEMININE | NEUTER
SINGULAR, PLURAL = 1, 2

_BITS = {"Masc": MASCULINE, "Fem": FEMININE, "Neut": NEUTER, "Com": PERSON}
_NAMED_BITS = {"masculine": MASCULINE, "feminine": FEMININE}

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


def function_of(head: int, syntax: Syntax) -> str:
    """Return the grammatical function of a mention's head."""
    return _FUNCTION.get(syntax.kinds[head], "other")


def conjuncts(mention: Mention, head: int, syntax: Syntax) -> tuple[int, ...]:
    """Return the heads that a coordination joins, the mention's own first."""
    return head, *(
        token
        for token in syntax.children[head]
        if syntax.relations[token] == "conj" and mention.start <= token <= mention.end
    )


def gender_bits(
    head: int, words: Words, *, language: Language, lexicon: Lexicon, supertype: str
) -> int:
    """Return the genders that a mention may have."""
    features, syntax = words.features[head], words.syntax
    gender = _bits(features.get("Gender", ()))
    if gender:
        return gender
    if syntax.tags[head] in ("PRON", "DET"):
        return _pronoun_bits(features, supertype)
    if not language.natural_gender:
        gender = _bits(
            name
            for token in syntax.children[head]
            if syntax.relations[token] in _INFLECTED
            for name in words.features[token].get("Gender", ())
        )
        return gender or _listed(head, syntax, lexicon) or UNKNOWN
    if supertype not in ("", "person"):
        return NEUTER
    return _listed(head, syntax, lexicon) or (PERSON if supertype else UNKNOWN)


def _pronoun_bits(features: Mapping[str, list[str]], supertype: str) -> int:
    first_or_second = {"1", "2"} & {*features.get("Person", ())}
    return PERSON if first_or_second or supertype == "person" else UNKNOWN


def pronoun_supertype(features: Mapping[str, list[str]], language: Language) -> str:
    """Return `person` if a pronoun must refer to a person; else nothing.

    First and second person always do; "he" and "she" do in languages with natural
    gender.
    """
    sexes = {"Masc", "Fem"} & {*features.get("Gender", ())}
    person = {*features.get("Person", ())}
    if {"1", "2"} & person or (language.natural_gender and sexes):
        return "person"
    return ""


def _bits(genders: Iterable[str]) -> int:
    bits = 0
    for gender in genders:
        bits |= _BITS.get(gender, 0)
    return bits


def _listed(head: int, syntax: Syntax, lexicon: Lexicon) -> int:
    """Look up a noun, or a name with the titles and given names before it.

    A noun is looked up alone: lists of names have many nouns, as neuter or as the name
    of a man.
    """
    tokens = [head]
    if syntax.tags[head] == "PROPN":
        tokens += (
            token
            for token in syntax.children[head]
            if syntax.tags[token] in ("PROPN", "NOUN")
            and syntax.relations[token] in _OF_NAME
        )
    for token in sorted(tokens):
        form = syntax.forms[token].lower().rstrip(".")
        gender = lexicon.genders.get(form) or lexicon.genders.get(syntax.lemmas[token])
        if gender in ("masculine", "feminine"):
            return _NAMED_BITS[gender]
    return 0


def number_of(head: int, heads: Sequence[int], words: Words, lexicon: Lexicon) -> int:
    """Return whether a mention is singular or plural; 0 if that is unknown."""
    if len(heads) > 1:
        return PLURAL
    numbers = words.features[head].get("Number") or ()
    if "Plur" in numbers:
        return PLURAL
    if "Sing" in numbers:
        return SINGULAR
    return PLURAL if words.syntax.forms[head].lower() in lexicon.plurals else 0


def person_of(head: int, words: Words) -> int:
    """Return the grammatical person of a pronoun, 1 to 3; 0 if it has none."""
    persons = words.features[head].get("Person") or ("",)
    return int(persons[0]) if persons[0] in ("1", "2", "3") else 0


def subject_of(head: int, words: Words) -> int:
    """Return the subject that a nominal predicate describes, or -1.

    A noun with a preposition tells where or how the subject is ("is near the station"),
    and a negated noun what it is not: neither describes the subject.
    """
    if words.syntax.child(head, "cop") < 0 or _is_marked(head, words):
        return -1
    return words.syntax.child(head, "nsubj")


def _is_marked(head: int, words: Words) -> bool:
    """Return whether a noun has a preposition, a possessive mark or a negation."""
    return any(
        words.syntax.kinds[token] == "case"
        or "Neg" in words.features[token].get("Polarity", ())
        for token in words.syntax.children[head]
    )


def apposed_to(head: int, syntax: Syntax) -> int:
    """Return the token that an apposition explains, or -1."""
    return syntax.parents[head] if syntax.kinds[head] == "appos" else -1


def has_relative_clause(mention: Mention, head: int, words: Words) -> bool:
    """Return whether a relative clause modifies a mention's head."""
    for token in words.syntax.children[head]:
        relation = words.syntax.relations[token]
        if mention.start <= token <= mention.end and (
            relation == "acl:relcl" or (relation == "acl" and _relative(token, words))
        ):
            return True
    return False


def _relative(verb: int, words: Words) -> bool:
    return any(
        "Rel" in words.features[token].get("PronType", ())
        for token in words.syntax.children[verb]
    )


def is_possessive_phrase(mention: Mention, head: int, syntax: Syntax) -> bool:
    """Return whether a mention possesses something: "the mill's wheel", "her"."""
    return syntax.relations[head] == "nmod:poss" or any(
        syntax.forms[token].lower() in ("'s", "\u2019s", "'", "\u2019")
        and mention.start <= token <= mention.end + 1
        for token in syntax.children[head]
    )


def text_of(
    mention: Mention, syntax: Syntax, demonyms: Mapping[str, str] | None = None
) -> str:
    """Return the words of a mention without determiners, marks and a final 's.

    A table of demonyms replaces words such as "Dutch" by the place they belong to.

    >>> from corefkit.syntax.dependencies import build_syntax
    >>> from corefkit.model import Document, Mention
    >>> layers = {"xpos": ("DT", "NNP", "NN"), "head": ("3", "3", "0")}
    >>> layers["deprel"] = ("det", "compound", "root")
    >>> mill = Document("d", (("The", "Dutch", "mill"),), (), layers=layers)
    >>> text_of(Mention(0, 2), build_syntax(mill))
    'dutch mill'
    """
    tags = syntax.tags
    tokens = mention.tokens
    kept = [
        syntax.forms[token].lower()
        for token in tokens
        if tags[token] not in ("DET", "PUNCT", "PART")
    ]
    if demonyms:
        kept = [demonyms.get(word, word) for word in kept]
    return " ".join(kept or [syntax.forms[token].lower() for token in tokens])


def content_words(mention: Mention, syntax: Syntax) -> list[str]:
    """Return the lemmas of the nouns, names, adjectives and numbers of a mention."""
    tags = syntax.tags
    return [
        syntax.lemmas[token] for token in mention.tokens if tags[token] in _MODIFIERS
    ]


def initials(mention: Mention, syntax: Syntax) -> str:
    """Return the first letters of a mention's capitalised words.

    A mention of one word has none: it may be an acronym, but not what one stands for.
    Determiners do not count, even at the start of a sentence.
    """
    tags = syntax.tags
    capitals = [
        syntax.forms[token][0]
        for token in mention.tokens
        if syntax.forms[token][:1].isupper() and tags[token] != "DET"
    ]
    return "".join(capitals) if len(capitals) > 1 else ""


def acronym(mention: Mention, syntax: Syntax) -> str:
    """Return the letters of a mention that is one word of capitals; else nothing.

    Full stops between the letters and determiners before them do not count.
    """
    tags = syntax.tags
    own = [
        syntax.forms[token]
        for token in mention.tokens
        if tags[token] not in ("DET", "PART", "PUNCT")
    ]
    letters = own[0].replace(".", "") if len(own) == 1 else ""
    return letters if len(letters) > 1 and letters.isupper() else ""
