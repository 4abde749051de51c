"""Features of strings: heads, words, acronyms, frequency and distance."""

from __future__ import annotations

import numpy as np

from cistell.features.base import (
    NO_YES,
    Indices,
    Pairs,
    bin_names,
    binned,
    feature,
    same,
)
from cistell.needs import LEMMAS

_FREQUENCIES = (1, 2)
_SENTENCES = (0, 1, 2, 4, 10)
_MENTIONS = (1, 2, 4, 8, 16, 32)
_WORDS = (0, 1, 5, 20, 80, 300)


@feature(
    "strings",
    ("no", "yes", "first_pronoun", "second_pronoun", "pronouns", "same_pronoun"),
)
def head_match(pairs: Pairs) -> Indices:
    """Whether the heads have the same form; pronouns have values of their own.

    The head of a coordination are all its heads together. Pronouns are the same where
    they have the same form, or the same person, gender and number, as "he" and "his".
    Soon et al. 2001; the paper's strongest feature.
    """
    table, first, second = pairs.table, pairs.first, pairs.second
    equal = same(table.head_form[first], table.head_form[second])
    alike = equal | same(table.pronoun_form[first], table.pronoun_form[second])
    pronouns = table.pronoun[first], table.pronoun[second]
    return np.select(
        [pronouns[0] & pronouns[1], pronouns[0], pronouns[1]],
        [4 + alike.astype(np.int64), 2, 3],
        default=equal.astype(np.int64),
    )


@feature("strings", NO_YES)
def string_match(pairs: Pairs) -> Indices:
    """Whether the words are the same, determiners left out, and none is a pronoun.

    STR_MATCH of Soon et al. 2001.
    """
    table, first, second = pairs.table, pairs.first, pairs.second
    nouns = ~(table.pronoun[first] | table.pronoun[second])
    return same(table.text[first], table.text[second]) * nouns


@feature("strings", ("none", "some", "subset", "same"), needs=(LEMMAS,))
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
    own, initials = pairs.table.letters
    first, second = pairs.first, pairs.second
    return same(own[first], initials[second]) | same(own[second], initials[first])


@feature("strings", bin_names(_FREQUENCIES))
def frequency_first(pairs: Pairs) -> Indices:
    """How many mentions of the document have the head of the first."""
    return binned(pairs.table.frequency[pairs.first], _FREQUENCIES)


@feature("strings", bin_names(_FREQUENCIES))
def frequency_second(pairs: Pairs) -> Indices:
    """How many mentions of the document have the head of the second."""
    return binned(pairs.table.frequency[pairs.second], _FREQUENCIES)


@feature("strings", bin_names(_SENTENCES))
def sentence_distance(pairs: Pairs) -> Indices:
    """How many sentences the second comes after the first (DIST of Soon et al. 2001).

    A mention that goes over the end of a sentence may have its head after the second's.
    """
    sentence = pairs.table.sentence
    after = sentence[pairs.second] - sentence[pairs.first]
    return binned(np.maximum(after, 0), _SENTENCES)


@feature("strings", bin_names(_MENTIONS))
def mention_distance(pairs: Pairs) -> Indices:
    """How many mentions the second comes after the first."""
    return binned(pairs.second - pairs.first, _MENTIONS)


@feature("strings", bin_names(_WORDS))
def word_distance(pairs: Pairs) -> Indices:
    """How many words lie between the two; 0 where one is inside the other."""
    between = pairs.table.start[pairs.second] - pairs.table.end[pairs.first] - 1
    return binned(np.maximum(between, 0), _WORDS)
