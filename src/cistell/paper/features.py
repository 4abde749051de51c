"""Features of pairs of mentions, in the paper's four groups.

English has 29 features, Spanish 34, as in section 3.3 of the paper, and French 32. The
paper does not list them: the English ones fill its groups after Soon et al. 2001, Ng
and Cardie 2002 and Luo et al. 2004. Spanish has zero subjects and gender on nouns, and
no possessive phrase; French is in between.

A feature has a closed list of values, so that a pair is a row of small numbers. To add
one, write a function with the decorator `feature`, and add its name to a language.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from cistell.mentions.lexicon import get_language
from cistell.mentions.profiles import (
    ENTITY_TYPES,
    FUNCTIONS,
    KINDS,
    NEUTER,
    UNKNOWN,
)
from cistell.paper.memory import Column
from corefkit import SettingsError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from cistell.mentions.lexicon import Lexicon
    from cistell.mentions.profiles import Flags, Ints, MentionTable
    from cistell.paper.memory import Codes

# For each pair the index of its value; a flag is an index into NO_YES.
Indices: TypeAlias = "Ints | Flags"
NO_YES = ("no", "yes")


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs of mentions of one document."""

    table: MentionTable
    first: Ints  # the number of the earlier mention of each pair
    second: Ints  # the number of the later one

    def __len__(self) -> int:
        """Count the pairs."""
        return len(self.first)


class Feature(NamedTuple):
    """A feature, which describes a pair of mentions by one of its values."""

    name: str
    group: str  # `strings`, `morphology`, `syntax` or `semantics`, as in the paper
    values: tuple[str, ...]
    indices: Callable[[Pairs], Indices]  # computes for each pair the index of its value
    needs_wordnet: bool = False


def feature(
    group: str, values: Sequence[str], *, needs_wordnet: bool = False
) -> Callable[[Callable[[Pairs], Indices]], Feature]:
    """Make a feature of a function, which gives it its name."""

    def made(indices: Callable[[Pairs], Indices]) -> Feature:
        return Feature(indices.__name__, group, tuple(values), indices, needs_wordnet)

    return made


def mark_both(first: Flags, second: Flags) -> Ints:
    """Return 0 where neither is true, 1 or 2 for the first or second alone, 3 for both.

    >>> mark_both(np.array([False, True]), np.array([True, True])).tolist()
    [2, 3]
    """
    codes: Ints = first.astype(np.int64) + 2 * second.astype(np.int64)
    return codes


OF_BOTH = ("neither", "first", "second", "both")


def compare_bits(first: Ints, second: Ints, unknown: int) -> Ints:
    """Compare sets of bits: `no`, `yes`, `compatible` or `unknown`, in this order."""
    codes: Ints = np.select(
        [
            (first == unknown) | (second == unknown),
            first & second == 0,
            first == second,
        ],
        [3, 0, 1],
        default=2,
    )
    return codes


AGREEMENT = ("no", "yes", "compatible", "unknown")


def match_known(first: Ints, second: Ints) -> Flags:
    """Return where numbers are the same and known (not -1)."""
    flags: Flags = (first == second) & (first >= 0)
    return flags


def find_bin(values: Ints, starts: Sequence[int]) -> Ints:
    """Find the last bin whose start each value reaches.

    >>> find_bin(np.array([0, 1, 4, 99]), (0, 1, 3)).tolist()
    [0, 1, 2, 2]
    """
    bins: Ints = np.searchsorted(np.array(starts), values, side="right") - 1
    return bins


def name_bins(starts: Sequence[int]) -> tuple[str, ...]:
    """Name bins by what falls into them.

    >>> name_bins((0, 1, 3))
    ('0', '1-2', '3+')
    """
    ends = [*(start - 1 for start in starts[1:]), None]
    return tuple(
        f"{start}+" if end is None else str(start) if end == start else f"{start}-{end}"
        for start, end in zip(starts, ends, strict=True)
    )


_FREQUENCIES = (1, 2)
_SENTENCES = (0, 1, 2, 4, 10)
_MENTIONS = (1, 2, 4, 8, 16, 32)
_WORDS = (0, 1, 5, 20, 80, 300)


@feature(
    "strings",
    ("no", "yes", "first_pronoun", "second_pronoun", "pronouns", "same_pronoun"),
)
def head_match(pairs: Pairs) -> Indices:
    """Whether the heads have the same form; pronouns have separate values.

    The head of a coordination are all its heads together. Pronouns are the same if
    they have the same form, or the same person, gender and number, as "he" and "his".
    Soon et al. 2001; the paper's strongest feature.
    """
    table, first, second = pairs.table, pairs.first, pairs.second
    equal = match_known(table.head_form[first], table.head_form[second])
    is_same = equal | match_known(table.pronoun_form[first], table.pronoun_form[second])
    pronouns = table.pronoun[first], table.pronoun[second]
    return np.select(
        [pronouns[0] & pronouns[1], pronouns[0], pronouns[1]],
        [4 + is_same.astype(np.int64), 2, 3],
        default=equal.astype(np.int64),
    )


@feature("strings", NO_YES)
def string_match(pairs: Pairs) -> Indices:
    """Whether the words are the same, determiners left out, and none is a pronoun.

    STR_MATCH of Soon et al. 2001.
    """
    table, first, second = pairs.table, pairs.first, pairs.second
    nouns = ~(table.pronoun[first] | table.pronoun[second])
    return match_known(table.text[first], table.text[second]) * nouns


@feature("strings", ("none", "some", "subset", "same"))
def substring_match(pairs: Pairs) -> Indices:
    """How the content words compare: none shared, some, all of one, or the same.

    Luo et al. 2004 compare substrings; words say the same without chance letters.
    """
    table, first, second = pairs.table, pairs.first, pairs.second
    shared = table.shared_contents(first, second)
    sizes = table.content_size[first], table.content_size[second]
    return np.select(
        [
            shared == 0,
            (shared == sizes[0]) & (shared == sizes[1]),
            (shared == sizes[0]) | (shared == sizes[1]),
        ],
        [0, 3, 2],
        default=1,
    )


@feature("strings", NO_YES)
def acronym(pairs: Pairs) -> Indices:
    """Whether one is the acronym of the other's capitalised words.

    A part of ALIAS of Soon et al. 2001.
    """
    acronyms, initials = pairs.table.letters
    first, second = pairs.first, pairs.second
    return match_known(acronyms[first], initials[second]) | match_known(
        acronyms[second], initials[first]
    )


@feature("strings", name_bins(_FREQUENCIES))
def frequency_first(pairs: Pairs) -> Indices:
    """How many mentions of the document have the head of the first."""
    return find_bin(pairs.table.frequency[pairs.first], _FREQUENCIES)


@feature("strings", name_bins(_FREQUENCIES))
def frequency_second(pairs: Pairs) -> Indices:
    """How many mentions of the document have the head of the second."""
    return find_bin(pairs.table.frequency[pairs.second], _FREQUENCIES)


@feature("strings", name_bins(_SENTENCES))
def sentence_distance(pairs: Pairs) -> Indices:
    """How many sentences the second comes after the first (DIST of Soon et al. 2001).

    A mention that goes over the end of a sentence may have its head after the second's.
    """
    sentence = pairs.table.sentence
    after = sentence[pairs.second] - sentence[pairs.first]
    return find_bin(np.maximum(after, 0), _SENTENCES)


@feature("strings", name_bins(_MENTIONS))
def mention_distance(pairs: Pairs) -> Indices:
    """How many mentions the second comes after the first."""
    return find_bin(pairs.second - pairs.first, _MENTIONS)


@feature("strings", name_bins(_WORDS))
def word_distance(pairs: Pairs) -> Indices:
    """How many words lie between the two; 0 if one is inside the other."""
    between = pairs.table.start[pairs.second] - pairs.table.end[pairs.first] - 1
    return find_bin(np.maximum(between, 0), _WORDS)


_ZERO = KINDS.index("zero_pronouns")
_NOT_APPLICABLE = len(AGREEMENT)
_PRONOUN_TYPES = ("none", *(kind for kind in KINDS if kind.endswith("_pronouns")))
# By the persons of the two: none, first, second, third; then by the speaker.
_PERSONS = (
    "no_pronoun",
    "first_or_second_and_noun",
    "third_and_noun",
    "both_third",
    "third_and_other",
    "both_first_same_speaker",
    "both_first_other_speaker",
    "both_second_same_speaker",
    "both_second_other_speaker",
    "first_and_second_same_speaker",
    "first_and_second_other_speaker",
)


@feature("morphology", KINDS)
def mention_type_first(pairs: Pairs) -> Indices:
    """The kind of the first mention, as in the paper's table 2."""
    return pairs.table.kind[pairs.first]


@feature("morphology", KINDS)
def mention_type_second(pairs: Pairs) -> Indices:
    """The kind of the second mention (DEF_NP and DEM_NP of Soon et al. 2001)."""
    return pairs.table.kind[pairs.second]


@feature("morphology", NO_YES)
def pronoun_first(pairs: Pairs) -> Indices:
    """Whether the first is a pronoun (I_PRONOUN of Soon et al. 2001)."""
    return pairs.table.pronoun[pairs.first]


@feature("morphology", NO_YES)
def pronoun_second(pairs: Pairs) -> Indices:
    """Whether the second is a pronoun (J_PRONOUN of Soon et al. 2001)."""
    return pairs.table.pronoun[pairs.second]


@feature("morphology", _PRONOUN_TYPES)
def pronoun_type_second(pairs: Pairs) -> Indices:
    """The kind of pronoun that the second is (PRONTYPE of Recasens and Hovy 2009)."""
    kind = pairs.table.kind[pairs.second]
    return np.where(pairs.table.pronoun[pairs.second], kind + 1, 0)


@feature("morphology", OF_BOTH)
def coordination(pairs: Pairs) -> Indices:
    """Which of the two is a coordination, as "Ann and Bob"."""
    joins = pairs.table.coordinated
    return mark_both(joins[pairs.first], joins[pairs.second])


@feature("morphology", NO_YES)
def possessive_phrase(pairs: Pairs) -> Indices:
    """Whether the second possesses something, as in "the mill's wheel"."""
    return pairs.table.possessive[pairs.second]


@feature("morphology", AGREEMENT)
def gender_match(pairs: Pairs) -> Indices:
    """Whether the genders agree; `compatible` if they may."""
    gender = pairs.table.gender
    return compare_bits(gender[pairs.first], gender[pairs.second], UNKNOWN)


@feature("morphology", (*AGREEMENT, "no_pronoun"))
def gender_match_pronoun(pairs: Pairs) -> Indices:
    """Whether the genders agree, if one is a pronoun."""
    pronoun = pairs.table.pronoun
    applies = pronoun[pairs.first] | pronoun[pairs.second]
    return np.where(applies, gender_match.indices(pairs), _NOT_APPLICABLE)


@feature("morphology", ("no", "yes", "compatible", "not_both_nouns"))
def gender_match_noun(pairs: Pairs) -> Indices:
    """Whether the genders of two nouns agree that are masculine or feminine."""
    pronoun, gender = pairs.table.pronoun, pairs.table.gender
    applies = ~(pronoun[pairs.first] | pronoun[pairs.second])
    applies &= ((gender[pairs.first] | gender[pairs.second]) & NEUTER) == 0
    return np.where(applies, gender_match.indices(pairs), 3)


@feature("morphology", (*AGREEMENT, "no_person"))
def gender_match_person(pairs: Pairs) -> Indices:
    """Whether the genders agree, if one is known to be a person."""
    human = pairs.table.human
    applies = human[pairs.first] | human[pairs.second]
    return np.where(applies, gender_match.indices(pairs), _NOT_APPLICABLE)


@feature("morphology", ("no", "yes", "unknown"))
def number_match(pairs: Pairs) -> Indices:
    """Whether both are singular, or both plural."""
    number = pairs.table.number
    first, second = number[pairs.first], number[pairs.second]
    equal = (first == second).astype(np.int64)
    return np.where((first == 0) | (second == 0), 2, equal)


@feature("morphology", _PERSONS)
def person_match(pairs: Pairs) -> Indices:
    """The persons of pronouns, and whether the speaker is the same.

    "I" and "I" are the same if the same person speaks, "I" and "you" if another does.
    """
    table, first, second = pairs.table, pairs.first, pairs.second
    persons = table.person[first], table.person[second]
    low, high = np.minimum(*persons), np.maximum(*persons)
    is_other = (table.speaker[first] != table.speaker[second]).astype(np.int64)
    codes: Ints = np.select(
        [
            high == 0,
            (low == 0) & (high == 3),
            low == 0,
            low == 3,
            high == 3,
            high == 1,
            low == 2,
        ],
        [0, 2, 1, 3, 4, 5 + is_other, 7 + is_other],
        default=9 + is_other,
    )
    return codes


@feature("morphology", NO_YES)
def zero_first(pairs: Pairs) -> Indices:
    """Whether the first is a subject that is left out (ELLIP)."""
    flags: Flags = pairs.table.kind[pairs.first] == _ZERO
    return flags


@feature("morphology", NO_YES)
def zero_second(pairs: Pairs) -> Indices:
    """Whether the second is a subject that is left out (ELLIP)."""
    flags: Flags = pairs.table.kind[pairs.second] == _ZERO
    return flags


@feature("syntax", NO_YES)
def nominal_predicate(pairs: Pairs) -> Indices:
    """Whether one is a predicate of the other, as in "Ann is a miller"."""
    subject, head = pairs.table.subject, pairs.table.head
    first, second = pairs.first, pairs.second
    flags: Flags = (subject[second] == head[first]) | (subject[first] == head[second])
    return flags


@feature("syntax", NO_YES)
def apposition(pairs: Pairs) -> Indices:
    """Whether one explains the other, as in "Ann, a miller"."""
    apposed, head = pairs.table.apposed, pairs.table.head
    first, second = pairs.first, pairs.second
    flags: Flags = (apposed[second] == head[first]) | (apposed[first] == head[second])
    return flags


@feature("syntax", NO_YES)
def relative_clause(pairs: Pairs) -> Indices:
    """Whether the second has a relative clause."""
    return pairs.table.relative[pairs.second]


@feature("syntax", NO_YES)
def embedding(pairs: Pairs) -> Indices:
    """Whether the second is inside the first.

    The first is never inside: of two that start together the longer comes first.
    """
    flags: Flags = pairs.table.end[pairs.second] <= pairs.table.end[pairs.first]
    return flags


@feature("syntax", FUNCTIONS)
def function_first(pairs: Pairs) -> Indices:
    """The grammatical function of the first."""
    return pairs.table.function[pairs.first]


@feature("syntax", FUNCTIONS)
def function_second(pairs: Pairs) -> Indices:
    """The grammatical function of the second."""
    return pairs.table.function[pairs.second]


@feature("syntax", OF_BOTH)
def quotation(pairs: Pairs) -> Indices:
    """Which of the two are in quotation marks."""
    quoted = pairs.table.quoted
    return mark_both(quoted[pairs.first], quoted[pairs.second])


_NONE = ENTITY_TYPES.index("none")


@feature("semantics", ENTITY_TYPES)
def entity_type_first(pairs: Pairs) -> Indices:
    """The entity type of the first mention."""
    return pairs.table.entity_type[pairs.first]


@feature("semantics", ("no", "yes", "one_unknown", "unknown"))
def entity_type_match(pairs: Pairs) -> Indices:
    """Whether the entity types are the same (SEMCLASS of Soon et al. 2001)."""
    kind = pairs.table.entity_type
    first, second = kind[pairs.first], kind[pairs.second]
    return np.select(
        [(first == _NONE) & (second == _NONE), (first == _NONE) | (second == _NONE)],
        [3, 2],
        default=(first == second).astype(np.int64),
    )


@feature(
    "semantics",
    (
        "none",
        "same",
        "synonym",
        "first_is_second",
        "second_is_first",
        "unknown",
        "pronoun",
    ),
    needs_wordnet=True,
)
def is_a_match(pairs: Pairs) -> Indices:
    """Whether one noun is a synonym of the other, or a kind of it.

    The first three senses of each in WordNet count; a name is looked up by its type.
    """
    table, first, second = pairs.table, pairs.first, pairs.second
    is_known, synonyms, kinds = table.kinships
    concept, other_concept = table.concept[first], table.concept[second]
    meant = (concept >= 0) & (other_concept >= 0)
    if not len(is_known):
        is_known = np.zeros(1, np.bool_)
    return np.select(
        [
            table.pronoun[first] | table.pronoun[second],
            ~meant | ~is_known[concept] | ~is_known[other_concept],
            concept == other_concept,
            synonyms(concept, other_concept) > 0,
            kinds(concept, other_concept) > 0,
            kinds(other_concept, concept) > 0,
        ],
        [6, 5, 1, 2, 3, 4],
        default=0,
    )


@feature("semantics", ("no", "yes", "unknown"), needs_wordnet=True)
def supertype_match(pairs: Pairs) -> Indices:
    """Whether both are the same kind of thing, as person, place or artifact.

    Of nouns it is WordNet's file of the first sense, of names their entity type.
    """
    supertype = pairs.table.supertype
    first, second = supertype[pairs.first], supertype[pairs.second]
    equal = (first == second).astype(np.int64)
    return np.where((first < 0) | (second < 0), 2, equal)


GROUPS = ("strings", "morphology", "syntax", "semantics")

FEATURES: Mapping[str, Feature] = {
    value.name: value
    for value in list(globals().values())
    if isinstance(value, Feature)
}
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
LANGUAGE_FEATURES: Mapping[str, tuple[str, ...]] = {
    "en": (*_COMMON, "possessive_phrase"),
    "es": (*_COMMON, *_GENDERED, "zero_first", "zero_second"),
    "fr": (*_COMMON, *_GENDERED),
}


def choose_features(
    language: str, *, only: Iterable[str] | None = None, without: Iterable[str] = ()
) -> tuple[Feature, ...]:
    """Return the features of a language, or some of them, by names or groups.

    >>> [len(choose_features(language)) for language in ("en", "es", "fr")]
    [29, 34, 32]
    >>> [feature.name for feature in choose_features("en", only=["semantics"])][:2]
    ['entity_type_first', 'entity_type_match']
    """
    names = LANGUAGE_FEATURES[get_language(language).code]
    selected = {*(names if only is None else _list_named(only, names))}
    selected -= {*_list_named(without, names)}
    if not selected:
        message = "no feature is left to describe pairs"
        hint = "exclude fewer features"
        raise SettingsError(message, code="settings/missing-value", hint=hint)
    return tuple(FEATURES[name] for name in names if name in selected)


def _list_named(words: Iterable[str], names: Sequence[str]) -> list[str]:
    selected: list[str] = []
    for word in words:
        if word in GROUPS:
            selected.extend(name for name in names if FEATURES[name].group == word)
        elif word in names:
            selected.append(word)
        else:
            message = f"unknown feature {word!r}"
            hint = f"choose from {', '.join((*GROUPS, *names))}"
            raise SettingsError(message, code="settings/unknown-value", hint=hint)
    return selected


def choose_usable_features(
    lexicon: Lexicon,
    *,
    only: Iterable[str] | None = None,
    without: Iterable[str] = (),
    note: Callable[[str], None] = lambda _: None,
) -> tuple[Feature, ...]:
    """Return the features of a language whose resources were found.

    Without WordNet, `is_a_match` and `supertype_match` are constant and are excluded;
    `note` is called with that, unless the user has disabled WordNet.
    """
    excluded = [*without]
    chosen = choose_features(lexicon.language.code, only=only, without=excluded)
    unusable = [feature.name for feature in chosen if feature.needs_wordnet]
    if lexicon.wordnet is not None or not unusable:
        return chosen
    missing = [row for row in lexicon.missing if {*unusable} & {*row.features}]
    if not any(row.declined for row in missing):
        resources = ", ".join(row.resource for row in missing)
        hints = "; ".join(row.hint for row in missing)
        note(f"not found: {resources}; excluded: {', '.join(unusable)}; {hints}")
    names = LANGUAGE_FEATURES[lexicon.language.code]
    unusable = [name for name in names if FEATURES[name].needs_wordnet]
    return choose_features(
        lexicon.language.code, only=only, without=excluded + unusable
    )


def list_columns(features: Sequence[Feature]) -> tuple[Column, ...]:
    """Return the names and values of features, as learners need them."""
    return tuple(Column(feature.name, feature.values) for feature in features)


def encode_pairs(pairs: Pairs, features: Sequence[Feature]) -> Codes:
    """Describe pairs: a row for each, a column for each feature."""
    codes = np.empty((len(pairs), len(features)), np.uint8)
    for column, feature in enumerate(features):
        codes[:, column] = feature.indices(pairs)
    return codes
