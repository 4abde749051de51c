"""Mentions of documents with trees: one record per mention, and arrays of them.

Gender is encoded as a set of bits, one for each possible gender; unknown is all three.
So "the doctor", who is a man or a woman but not a thing, agrees with "she" and not with
"it".

The properties of `MentionTable` are arrays with an entry for each mention: features and
baselines compare pairs by indexing these arrays. Attributes are computed once per
mention, not once per pair.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy import sparse

from cistell.mentions.words import read_words
from corefkit import SettingsError
from corefkit.syntax.dependencies import find_head
from corefkit.syntax.mention_types import find_mention_types

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from cistell.mentions.lexicon import Language, Lexicon
    from cistell.mentions.wordnet import WordNet
    from cistell.mentions.words import Words
    from corefkit import Document, Mention
    from corefkit.syntax.dependencies import Syntax

    Ints = NDArray[np.int64]
    Flags = NDArray[np.bool_]

MASCULINE, FEMININE, NEUTER = 1, 2, 4
PERSON, UNKNOWN = MASCULINE | FEMININE, MASCULINE | FEMININE | NEUTER
SINGULAR, PLURAL = 1, 2

_BITS = {"Masc": MASCULINE, "Fem": FEMININE, "Neut": NEUTER, "Com": PERSON}
_NAMED_BITS = {"masculine": MASCULINE, "feminine": FEMININE}

# Coarse grammatical functions: with fourteen of UD's relations, a memory-based learner
# scored lower on the development part of OntoGUM.
FUNCTIONS = ("other", "subject", "object")
_FUNCTION: Mapping[str, str] = {
    **dict.fromkeys(("nsubj", "csubj", "expl"), "subject"),
    **dict.fromkeys(("obj", "iobj"), "object"),
}
_MODIFIERS = ("NOUN", "PROPN", "ADJ", "NUM", "X", "SYM")
# Relations of the parts of a name, and of words inflected as its noun.
_OF_NAME = ("flat", "flat:name", "compound", "appos", "nmod:desc")
_INFLECTED = ("det", "amod")


def get_function(head: int, syntax: Syntax) -> str:
    """Return the grammatical function of a mention's head."""
    return _FUNCTION.get(syntax.kinds[head], "other")


def find_conjuncts(mention: Mention, head: int, syntax: Syntax) -> tuple[int, ...]:
    """Return the heads that a coordination joins, the mention's own first."""
    return head, *(
        token
        for token in syntax.children[head]
        if syntax.relations[token] == "conj" and mention.start <= token <= mention.end
    )


def find_gender(
    head: int, words: Words, *, language: Language, lexicon: Lexicon, supertype: str
) -> int:
    """Compute the genders that a mention may have, encoded as bits."""
    features, syntax = words.features[head], words.syntax
    gender = _join_genders(features.get("Gender", ()))
    if gender:
        return gender
    if syntax.tags[head] in ("PRON", "DET"):
        return _find_pronoun_gender(features, supertype)
    if not language.has_natural_gender:
        gender = _join_genders(
            name
            for token in syntax.children[head]
            if syntax.relations[token] in _INFLECTED
            for name in words.features[token].get("Gender", ())
        )
        return gender or _look_up_gender(head, syntax, lexicon) or UNKNOWN
    if supertype not in ("", "person"):
        return NEUTER
    return _look_up_gender(head, syntax, lexicon) or (PERSON if supertype else UNKNOWN)


def _find_pronoun_gender(features: Mapping[str, list[str]], supertype: str) -> int:
    first_or_second = {"1", "2"} & {*features.get("Person", ())}
    return PERSON if first_or_second or supertype == "person" else UNKNOWN


def find_pronoun_supertype(
    features: Mapping[str, list[str]], language: Language
) -> str:
    """Return `person` if a pronoun must refer to a person, else an empty string.

    First and second person always do; "he" and "she" do in languages with natural
    gender.
    """
    sexes = {"Masc", "Fem"} & {*features.get("Gender", ())}
    person = {*features.get("Person", ())}
    if {"1", "2"} & person or (language.has_natural_gender and sexes):
        return "person"
    return ""


def _join_genders(genders: Iterable[str]) -> int:
    bits = 0
    for gender in genders:
        bits |= _BITS.get(gender, 0)
    return bits


def _look_up_gender(head: int, syntax: Syntax, lexicon: Lexicon) -> int:
    """Return the gender of a noun, or of a name with its titles and given names.

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


def find_number(head: int, heads: Sequence[int], words: Words, lexicon: Lexicon) -> int:
    """Return whether a mention is singular or plural; 0 if that is unknown."""
    if len(heads) > 1:
        return PLURAL
    numbers = words.features[head].get("Number") or ()
    if "Plur" in numbers:
        return PLURAL
    if "Sing" in numbers:
        return SINGULAR
    return PLURAL if words.syntax.forms[head].lower() in lexicon.plurals else 0


def get_person(head: int, words: Words) -> int:
    """Return the grammatical person of a pronoun, 1 to 3; 0 if it has none."""
    persons = words.features[head].get("Person") or ("",)
    return int(persons[0]) if persons[0] in ("1", "2", "3") else 0


def find_subject(head: int, words: Words) -> int:
    """Return the subject that a nominal predicate describes, or -1.

    A noun with a preposition ("is near the station") and a negated noun do not describe
    the subject.
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


def find_apposed(head: int, syntax: Syntax) -> int:
    """Return the token that an apposition explains, or -1."""
    return syntax.parents[head] if syntax.kinds[head] == "appos" else -1


def has_relative_clause(mention: Mention, head: int, words: Words) -> bool:
    """Return whether a relative clause modifies a mention's head."""
    for token in words.syntax.children[head]:
        relation = words.syntax.relations[token]
        if mention.start <= token <= mention.end and (
            relation == "acl:relcl"
            or (relation == "acl" and _has_relative_pronoun(token, words))
        ):
            return True
    return False


def _has_relative_pronoun(verb: int, words: Words) -> bool:
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


def normalize_text(
    mention: Mention, syntax: Syntax, demonyms: Mapping[str, str] | None = None
) -> str:
    """Return the words of a mention without determiners, marks and a final 's.

    A table of demonyms replaces words such as "Dutch" by the place they belong to.

    >>> from corefkit.syntax.dependencies import build_syntax
    >>> from corefkit.model import Document, Mention
    >>> layers = {"xpos": ("DT", "NNP", "NN"), "head": ("3", "3", "0")}
    >>> layers["deprel"] = ("det", "compound", "root")
    >>> mill = Document("d", (("The", "Dutch", "mill"),), (), layers=layers)
    >>> normalize_text(Mention(0, 2), build_syntax(mill))
    'dutch mill'
    """
    tags = syntax.tags
    tokens = mention.tokens
    words = [
        syntax.forms[token].lower()
        for token in tokens
        if tags[token] not in ("DET", "PUNCT", "PART")
    ]
    if demonyms:
        words = [demonyms.get(word, word) for word in words]
    return " ".join(words or [syntax.forms[token].lower() for token in tokens])


def list_content_words(mention: Mention, syntax: Syntax) -> list[str]:
    """Return the lemmas of the nouns, names, adjectives and numbers of a mention."""
    tags = syntax.tags
    return [
        syntax.lemmas[token] for token in mention.tokens if tags[token] in _MODIFIERS
    ]


def join_initials(mention: Mention, syntax: Syntax) -> str:
    """Return the initials of a mention's capitalised words.

    A mention of one word returns no initials: it may be an acronym, but not the name of
    one. Determiners are ignored, even at the start of a sentence.
    """
    tags = syntax.tags
    capitals = [
        syntax.forms[token][0]
        for token in mention.tokens
        if syntax.forms[token][:1].isupper() and tags[token] != "DET"
    ]
    return "".join(capitals) if len(capitals) > 1 else ""


def find_acronym(mention: Mention, syntax: Syntax) -> str:
    """Return the letters of a mention that is one word of capitals; else nothing.

    Full stops between the letters and determiners before them are ignored.
    """
    tags = syntax.tags
    forms = [
        syntax.forms[token]
        for token in mention.tokens
        if tags[token] not in ("DET", "PART", "PUNCT")
    ]
    letters = forms[0].replace(".", "") if len(forms) == 1 else ""
    return letters if len(letters) > 1 and letters.isupper() else ""


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


def get_entity_type(mention: Mention) -> str:
    """Return the type of a mention's entity; `none` if the corpus has none.

    >>> from corefkit.model import Mention
    >>> get_entity_type(Mention(0, 0, attributes={"type": "PER"}))
    'person'
    """
    name = mention.attributes.get("type", "").lower()
    return _TYPES.get(name, "other") if name else "none"


# Mentions whose entity types are used: a named entity recognizer provides no others.
TYPED = ("names", "all", "none")


class Context(NamedTuple):
    """Word lists and options that attributes of mentions are computed with.

    Attributes:
        lexicon: the words of the language of the documents.
        entity_types: mentions whose entity types are used: `names`, `all` or `none`.
    """

    lexicon: Lexicon
    entity_types: str = "names"

    @property
    def language(self) -> Language:
        """The language of the documents."""
        return self.lexicon.language


def make_context(lexicon: Lexicon, entity_types: str) -> Context:
    """Return a context; raises `SettingsError` if the option is invalid."""
    if entity_types not in TYPED:
        message = f"unknown value {entity_types!r} of entity types"
        hint = f"choose one of {', '.join(TYPED)}"
        raise SettingsError(message, code="settings/unknown-value", hint=hint)
    return Context(lexicon, entity_types)


@dataclass(frozen=True, slots=True)
class Profile:
    """The attributes of one mention."""

    mention: Mention
    head: int  # the token of its head
    sentence: int  # the number of its sentence
    kind: str  # its kind, as in `syntax.mention_types`, or `reflexive_pronouns`
    gender: int  # the genders that it may have, as bits of `facts`
    number: int  # 1 for singular, 2 for plural, 0 if unknown
    person: int  # its grammatical person, 0 if it has none
    entity_type: str  # one of `ENTITY_TYPES`
    function: str  # one of `FUNCTIONS`
    supertype: str  # the kind of thing it is, as WordNet calls it; empty if unknown
    concept: str  # the noun that its head is looked up by; empty if none
    head_forms: tuple[str, ...]  # its head in lower case; all heads of a coordination
    head_lemmas: tuple[str, ...]  # the lemmas of these
    text: str  # its words without determiners
    contents: frozenset[str]  # the lemmas of its content words
    acronym: str  # its letters, if it is an acronym
    initials: str  # the acronym that it would have
    possessive: bool  # whether it possesses something
    relative: bool  # whether it has a relative clause
    quoted: bool  # whether it is in quotation marks
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


def describe_mentions(
    document: Document, mentions: Iterable[Mention], context: Context
) -> list[Profile]:
    """Compute the attributes of mentions, in the order of the text.

    If two start at the same token, the longer comes first. The document must have tags
    and trees.
    """
    ordered = sorted(
        mentions, key=lambda mention: (mention.start, -mention.end, mention.gaps)
    )
    words = read_words(document, context.lexicon.pronouns)
    # Corpora specify heads by different rules: all are computed from the tree.
    headless = [replace(mention, head=None) for mention in ordered]
    kinds = find_mention_types(document, headless) or []
    return [
        _describe_mention(mention, kind, words, context)
        for mention, kind in zip(ordered, kinds, strict=bool(kinds))
    ]


def _describe_mention(
    mention: Mention, kind: str, words: Words, context: Context
) -> Profile:
    syntax = words.syntax
    head = find_head(replace(mention, head=None), syntax)
    heads = find_conjuncts(mention, head, syntax)
    if kind == "personal_pronouns" and "Yes" in words.features[head].get("Reflex", ()):
        kind = "reflexive_pronouns"
    type_ = _get_visible_type(mention, syntax.tags[head], context)
    supertype = _find_supertype(head, kind, type_, words, context)
    return Profile(
        mention,
        head,
        sentence=words.sentence[head],
        kind=kind,
        gender=_find_gender_of_heads(heads, words, supertype, context),
        number=find_number(head, heads, words, context.lexicon),
        person=get_person(head, words) if kind.endswith("_pronouns") else 0,
        entity_type=type_,
        function=get_function(head, syntax),
        supertype=supertype,
        concept=_find_concept(head, kind, type_, words, context),
        head_forms=tuple(syntax.forms[token].lower() for token in heads),
        head_lemmas=tuple(syntax.lemmas[token] for token in heads),
        text=normalize_text(mention, syntax, context.lexicon.demonyms),
        contents=frozenset(list_content_words(mention, syntax)),
        acronym=find_acronym(mention, syntax),
        initials=join_initials(mention, syntax),
        possessive=is_possessive_phrase(mention, head, syntax),
        relative=has_relative_clause(mention, head, words),
        quoted=words.quoted[head],
        speaker=words.speaker[head],
        subject=find_subject(head, words),
        apposed=find_apposed(head, syntax),
    )


def _find_gender_of_heads(
    heads: Sequence[int], words: Words, supertype: str, context: Context
) -> int:
    if len(heads) > 1:
        return UNKNOWN
    return find_gender(
        heads[0],
        words,
        language=context.language,
        lexicon=context.lexicon,
        supertype=supertype,
    )


def _get_visible_type(mention: Mention, tag: str, context: Context) -> str:
    visible = context.entity_types == "all" or (
        context.entity_types == "names" and tag == "PROPN"
    )
    return get_entity_type(mention) if visible else "none"


def _find_concept(
    head: int, kind: str, type_: str, words: Words, context: Context
) -> str:
    """Return the noun that a head is looked up by; for names, by type."""
    if kind.endswith("_pronouns"):
        return ""
    if words.syntax.tags[head] == "PROPN":
        return context.lexicon.concepts.get(type_, "")
    return words.syntax.lemmas[head]


def _find_supertype(
    head: int, kind: str, type_: str, words: Words, context: Context
) -> str:
    if type_ in TYPE_SUPERTYPES:
        return TYPE_SUPERTYPES[type_]
    if kind.endswith("_pronouns"):
        return find_pronoun_supertype(words.features[head], context.language)
    wordnet = context.lexicon.wordnet
    if wordnet is None or words.syntax.tags[head] == "PROPN":
        return ""
    return wordnet.supertype(words.syntax.lemmas[head])


# Kinds of mentions, pronouns first.
KINDS = (
    *("personal_pronouns", "zero_pronouns", "possessive_pronouns"),
    *("demonstrative_pronouns", "relative_pronouns", "reflexive_pronouns"),
    *("other_pronouns", "definite_nps", "possessive_nps", "indefinite_nps"),
    *("demonstrative_nps", "bare_nps", "proper_nouns", "numerals", "clauses", "others"),
)


def _make_integers(value: Callable[[Profile], int]) -> cached_property[Ints]:
    return cached_property(
        lambda table: np.fromiter(map(value, table.profiles), np.int64, len(table))
    )


def _make_flags(value: Callable[[Profile], bool]) -> cached_property[Flags]:
    return cached_property(
        lambda table: np.fromiter(map(value, table.profiles), np.bool_, len(table))
    )


def _make_numbers(value: Callable[[Profile], Hashable]) -> cached_property[Ints]:
    return cached_property(lambda table: _number_values(map(value, table.profiles), {}))


@dataclass(frozen=True)
class MentionTable:
    """The mentions of a document in the order of the text.

    The properties are arrays with an entry for each mention, named as in `Profile`:
    numbers and flags as specified there, indices into a list of names, or codes that
    are equal if the values are. -1 is a missing value.
    """

    document: Document
    profiles: tuple[Profile, ...]
    wordnet: WordNet | None

    def __len__(self) -> int:
        """Count the mentions."""
        return len(self.profiles)

    start = _make_integers(lambda profile: profile.mention.start)
    end = _make_integers(lambda profile: profile.mention.end)
    head = _make_integers(lambda profile: profile.head)
    sentence = _make_integers(lambda profile: profile.sentence)
    kind = _make_integers(lambda profile: KINDS.index(profile.kind))
    pronoun = _make_flags(lambda profile: profile.pronoun)
    gender = _make_integers(lambda profile: profile.gender)
    number = _make_integers(lambda profile: profile.number)
    person = _make_integers(lambda profile: profile.person)
    # A number for each person, gender and number that pronouns have.
    pronoun_form = _make_numbers(
        lambda profile: (
            (profile.person, profile.gender, profile.number)
            if profile.pronoun and profile.person
            else ()
        )
    )
    entity_type = _make_integers(
        lambda profile: ENTITY_TYPES.index(profile.entity_type)
    )
    function = _make_integers(lambda profile: FUNCTIONS.index(profile.function))
    supertype = _make_numbers(lambda profile: profile.supertype)
    human = _make_flags(lambda profile: profile.supertype == "person")
    head_form = _make_numbers(lambda profile: profile.head_forms)
    head_lemma = _make_numbers(lambda profile: profile.head_lemmas)
    text = _make_numbers(lambda profile: profile.text)

    @cached_property
    def frequency(self) -> Ints:
        """The number of mentions of the document with the same head."""
        return np.bincount(self.head_form, minlength=1)[self.head_form]

    @cached_property
    def letters(self) -> tuple[Ints, Ints]:
        """A number for each acronym that it is, and for that of its initials."""
        numbers: dict[Hashable, int] = {}
        return (
            _number_values((profile.acronym for profile in self.profiles), numbers),
            _number_values((profile.initials for profile in self.profiles), numbers),
        )

    coordinated = _make_flags(lambda profile: profile.coordinated)
    possessive = _make_flags(lambda profile: profile.possessive)
    relative = _make_flags(lambda profile: profile.relative)
    quoted = _make_flags(lambda profile: profile.quoted)
    speaker = _make_numbers(lambda profile: profile.speaker)
    subject = _make_integers(lambda profile: profile.subject)
    apposed = _make_integers(lambda profile: profile.apposed)
    content_size = _make_integers(lambda profile: len(profile.contents))

    @cached_property
    def shared_contents(self) -> PairCounts:
        """The number of content words that two mentions share."""
        rows = _make_incidence([profile.contents for profile in self.profiles])
        return PairCounts.of(rows @ rows.T)

    # The number of the noun that a head is looked up by: a row of `kinships`.
    concept = _make_numbers(lambda profile: profile.concept)

    @cached_property
    def kinships(self) -> tuple[Flags, PairCounts, PairCounts]:
        """Relations of concepts in WordNet.

        Returns:
            Whether WordNet contains each concept; the number of senses that two share;
            and how many senses of the second are hypernyms of the first.
        """
        wordnet = self.wordnet
        names = (profile.concept for profile in self.profiles)
        concepts = dict.fromkeys(filter(None, names))
        senses = [wordnet.senses(concept) if wordnet else () for concept in concepts]
        above = [
            {higher for sense in row for higher in wordnet.ancestors(sense)}
            if wordnet
            else ()
            for row in senses
        ]
        numbers = _number_distinct(senses)
        direct = _make_incidence(senses, numbers)
        hypernyms = _make_incidence(above, numbers)
        return (
            np.array([bool(row) for row in senses], np.bool_),
            PairCounts.of(direct @ direct.T),
            PairCounts.of(hypernyms @ direct.T),
        )


@dataclass(frozen=True, slots=True)
class PairCounts:
    """A sparse matrix of counts, with an index for fast lookups of pairs."""

    size: int  # how many things there are
    keys: Ints  # the pairs that have a number, as one key each, in order
    values: Ints  # their numbers

    @classmethod
    def of(cls, matrix: sparse.csr_array) -> PairCounts:
        """Convert a sparse matrix."""
        cells = matrix.tocoo()
        keys = cells.row.astype(np.int64) * matrix.shape[1] + cells.col
        order = np.argsort(keys)
        return cls(matrix.shape[1], keys[order], cells.data[order].astype(np.int64))

    def __call__(self, first: Ints, second: Ints) -> Ints:
        """Return the counts of pairs.

        >>> counts = PairCounts.of(sparse.csr_array(np.array([[0, 2], [2, 0]])))
        >>> counts(np.array([0, 1, 1]), np.array([1, 0, 1])).tolist()
        [2, 2, 0]
        """
        if not len(self.keys):
            return np.zeros(len(first), np.int64)
        asked = first * self.size + second
        at = np.minimum(np.searchsorted(self.keys, asked), len(self.keys) - 1)
        return np.where(self.keys[at] == asked, self.values[at], 0)


def make_table(
    document: Document, mentions: Iterable[Mention], context: Context
) -> MentionTable:
    """Compute the attributes of mentions of a document, as a table."""
    profiles = describe_mentions(document, mentions, context)
    return MentionTable(document, tuple(profiles), context.lexicon.wordnet)


def _number_values(values: Iterable[Hashable], numbers: dict[Hashable, int]) -> Ints:
    """Encode values as indices in order of appearance; -1 for empty ones."""
    codes = [
        numbers.setdefault(value, len(numbers)) if value else -1 for value in values
    ]
    return np.array(codes, np.int64)


def _number_distinct(rows: Iterable[Iterable[Hashable]]) -> dict[Hashable, int]:
    values = dict.fromkeys(value for row in rows for value in row)
    return {value: at for at, value in enumerate(values)}


def _make_incidence(
    rows: Sequence[Iterable[Hashable]], numbers: Mapping[Hashable, int] | None = None
) -> sparse.csr_array:
    """Encode rows of values as a sparse matrix with a column for each value."""
    numbers = _number_distinct(rows) if numbers is None else numbers
    pairs = [
        (row, numbers[value])
        for row, values in enumerate(rows)
        for value in values
        if value in numbers
    ]
    cells = np.array(pairs, np.int64).reshape(-1, 2)
    ones = np.ones(len(pairs), np.int16)
    shape = (len(rows), max(len(numbers), 1))
    return sparse.csr_array((ones, (cells[:, 0], cells[:, 1])), shape=shape)


def list_annotated(document: Document) -> dict[Mention, Hashable]:
    """Return each mention with a key of its entity.

    A duplicate mention belongs to the first of its entities; a mention that does not
    refer is a singleton. Keys are indices, because ids such as `NOCOREF` are used by
    several singletons.

    >>> from corefkit.model import Document, Entity, Mention
    >>> alone = [Entity("NOCOREF", (Mention(at, at),)) for at in (0, 2)]
    >>> keys = list_annotated(Document("d", (("Ann", "or", "Bob"),), tuple(alone)))
    >>> list(keys.values())
    [0, 1]
    """
    keys: dict[Mention, Hashable] = {}
    for number, entity in enumerate(document.entities):
        for mention in entity.mentions:
            keys.setdefault(mention, number if entity.referring else mention)
    return keys


def make_annotated_table(
    document: Document, context: Context
) -> tuple[MentionTable, Ints]:
    """Return the annotated mentions as a table, and the index of the entity of each."""
    entities = list_annotated(document)
    table = make_table(document, entities, context)
    numbers: dict[Hashable, int] = {}
    entity = [
        numbers.setdefault(entities[profile.mention], len(numbers))
        for profile in table.profiles
    ]
    return table, np.array(entity, np.int64)
