"""The profile of a mention: all that the resolver knows of it, in plain values."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from cistell import facts
from cistell.languages import language_named
from cistell.words import words_of
from corefkit.exceptions import SettingsError
from corefkit.strings import suggest
from corefkit.syntax.dependencies import find_head
from corefkit.syntax.mention_types import find_mention_types

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cistell.languages import Language
    from cistell.lexicon import Lexicon
    from cistell.words import Words
    from corefkit.model import Document, Mention


# Entity types as corpora call them, in the words of GUM.
ENTITY_TYPES = (
    *("none", "person", "organization", "place", "object", "event", "time"),
    *("abstract", "substance", "animal", "plant", "other"),
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
# The supertype of a name of a type, as WordNet's lexicographer files call it.
TYPE_SUPERTYPES: Mapping[str, str] = {
    **{name: name for name in ("person", "event", "time", "substance", "animal")},
    **{"plant": "plant", "organization": "group"},
    **{"place": "location", "object": "artifact"},
}


def entity_type(mention: Mention) -> str:
    """Return the type of a mention's entity; `none` if the corpus tells none.

    >>> from corefkit.model import Mention
    >>> entity_type(Mention(0, 0, attributes={"type": "PER"}))
    'person'
    """
    name = mention.attributes.get("type", "").lower()
    return _TYPES.get(name, "other") if name else "none"


# Which mentions show their entity types: a tagger of names knows no others.
TYPED = ("names", "all", "none")


class Context(NamedTuple):
    """What mentions are described with."""

    language: Language  # the language of the documents
    lexicon: Lexicon  # what is known of words
    # Which mentions show their type: `names`, `all` or `none`.
    entity_types: str = "names"


def context_of(lexicon: Lexicon, entity_types: str) -> Context:
    """Make a context for the language of a lexicon; check the entity types."""
    if entity_types not in TYPED:
        message = f"entity types cannot be looked at on {entity_types!r}"
        raise SettingsError(
            message, code="settings/unknown-value", hint=suggest(entity_types, TYPED)
        )
    return Context(language_named(lexicon.language), lexicon, entity_types)


@dataclass(frozen=True, slots=True)
class Profile:
    """What is known of one mention."""

    mention: Mention
    head: int  # the token of its head
    sentence: int  # the number of its sentence
    kind: str  # its kind, as in `syntax.mention_types`, or `reflexive_pronouns`
    gender: int  # the genders that it may have, as bits of `facts`
    number: int  # 1 for singular, 2 for plural, 0 if unknown
    person: int  # its grammatical person, 0 if it has none
    entity_type: str  # one of `ENTITY_TYPES`
    function: str  # one of `facts.FUNCTIONS`
    supertype: str  # the kind of thing it is, as WordNet calls it; empty if unknown
    concept: str  # the noun that its head stands for; empty if there is none
    head_forms: tuple[str, ...]  # its head in lower case; all heads of a coordination
    head_lemmas: tuple[str, ...]  # the lemmas of these
    text: str  # its words without determiners
    contents: frozenset[str]  # the lemmas of its content words
    acronym: str  # its letters, if it is an acronym
    initials: str  # the acronym that it would have
    possessive: bool  # whether it possesses something
    relative: bool  # whether it has a relative clause
    quoted: bool  # whether it stands in quotation marks
    speaker: str  # who says it; empty if unknown
    subject: int  # the token that it describes as a predicate; -1 if none
    apposed: int  # the token that it is an apposition to; -1 if none

    @property
    def coordinated(self) -> bool:
        """Whether it is a coordination."""
        return len(self.head_forms) > 1

    @property
    def pronoun(self) -> bool:
        """Whether it is a pronoun; zero subjects are pronouns."""
        return self.kind.endswith("_pronouns")


def profiles_of(
    document: Document, mentions: Iterable[Mention], context: Context
) -> list[Profile]:
    """Describe mentions of a document, in the order of the text.

    Of two that start together the longer comes first. The document must have tags and
    trees.
    """
    ordered = sorted(
        mentions, key=lambda mention: (mention.start, -mention.end, mention.gaps)
    )
    words = words_of(document, context.lexicon.pronouns)
    # Corpora name heads by rules of their own; here all heads come from the tree.
    headless = [replace(mention, head=None) for mention in ordered]
    kinds = find_mention_types(document, headless) or []
    return [
        _profile(mention, kind, words, context)
        for mention, kind in zip(ordered, kinds, strict=bool(kinds))
    ]


def _profile(mention: Mention, kind: str, words: Words, context: Context) -> Profile:
    syntax = words.syntax
    head = find_head(replace(mention, head=None), syntax)
    heads = facts.conjuncts(mention, head, syntax)
    if kind == "personal_pronouns" and "Yes" in words.features[head].get("Reflex", ()):
        kind = "reflexive_pronouns"
    type_ = _type(mention, syntax.tags[head], context)
    supertype = _supertype(head, kind, type_, words, context)
    return Profile(
        mention,
        head,
        sentence=words.sentence[head],
        kind=kind,
        gender=_gender(heads, words, supertype, context),
        number=facts.number_of(head, heads, words, context.lexicon),
        person=facts.person_of(head, words) if kind.endswith("_pronouns") else 0,
        entity_type=type_,
        function=facts.function_of(head, syntax),
        supertype=supertype,
        concept=_concept(head, kind, type_, words, context),
        head_forms=tuple(syntax.forms[token].lower() for token in heads),
        head_lemmas=tuple(syntax.lemmas[token] for token in heads),
        text=facts.text_of(mention, syntax, context.lexicon.demonyms),
        contents=frozenset(facts.content_words(mention, syntax)),
        acronym=facts.acronym(mention, syntax),
        initials=facts.initials(mention, syntax),
        possessive=facts.is_possessive_phrase(mention, head, syntax),
        relative=facts.has_relative_clause(mention, head, words),
        quoted=words.quoted[head],
        speaker=words.speaker[head],
        subject=facts.subject_of(head, words),
        apposed=facts.apposed_to(head, syntax),
    )


def _gender(
    heads: Sequence[int], words: Words, supertype: str, context: Context
) -> int:
    if len(heads) > 1:
        return facts.UNKNOWN
    return facts.gender_bits(
        heads[0],
        words,
        language=context.language,
        lexicon=context.lexicon,
        supertype=supertype,
    )


def _type(mention: Mention, tag: str, context: Context) -> str:
    visible = context.entity_types == "all" or (
        context.entity_types == "names" and tag == "PROPN"
    )
    return entity_type(mention) if visible else "none"


def _concept(head: int, kind: str, type_: str, words: Words, context: Context) -> str:
    """Return the noun that a head stands for; a name stands for its type."""
    if kind.endswith("_pronouns"):
        return ""
    if words.syntax.tags[head] == "PROPN":
        return context.lexicon.concepts.get(type_, "")
    return words.syntax.lemmas[head]


def _supertype(head: int, kind: str, type_: str, words: Words, context: Context) -> str:
    if type_ in TYPE_SUPERTYPES:
        return TYPE_SUPERTYPES[type_]
    if kind.endswith("_pronouns"):
        return facts.pronoun_supertype(words.features[head], context.language)
    wordnet = context.lexicon.wordnet
    if wordnet is None or words.syntax.tags[head] == "PROPN":
        return ""
    return wordnet.supertype(words.syntax.lemmas[head])
