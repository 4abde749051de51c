"""Rows: what the linker's trees see of pairs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from resolver.lexica import table_of
from resolver.random_documents import documents
from resolver.trees import parsed

from cistell.linking.candidates import candidates_of
from cistell.linking.rows import ordered, rows_of
from cistell.linking.traits import traits_of
from cistell.linking.vocabulary import CLASSES, vocabulary_of, word_codes

NO_WORDS = dict.fromkeys(CLASSES, ())


def described(document, vocabulary=NO_WORDS):
    traits = traits_of(table_of(document))
    first, second = candidates_of(traits)
    return first, second, rows_of(traits, first, second, vocabulary)


def codes(*lines):
    """Return the columns of the last pair, by name."""
    _, _, rows = described(parsed(*lines))
    return dict(zip(rows.columns, rows.pairs[-1].tolist(), strict=True))


MILL = "[ the/2 mill/NOUN/0/root/Number=Sing ]m"
ANN = "[ Ann/PROPN/2/nsubj/Number=Sing ]a slept/VERB/0/root"


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ((MILL, MILL), {"heads": 3, "texts": 2, "contents": 1, "letters": 20}),
        ((MILL, "[ a/2 mill/NOUN/0/root ]m"), {"heads": 3, "texts": 1}),
        ((ANN, MILL), {"heads": 0, "texts": 0, "contents": 0, "name_ends": 0}),
        ((ANN, "[ she/0//root ]a"), {"genders": 2, "numbers": 1, "sentences": 1}),
        (
            (
                "[ old/ADJ/2/amod mill/NOUN/0/root ]m",
                "[ new/ADJ/2/amod mill/NOUN/0/root ]n",
            ),
            {"modifiers": 0, "modifiers_only_first": 1, "modifiers_only_second": 1},
        ),
        (
            ("[ Ann/PROPN/0/root Brown/PROPN/1/flat ]a", "[ Brown/PROPN/0/root ]a"),
            {"names": 1, "names_only_first": 1, "names_only_second": 0, "name_ends": 3},
        ),
        (
            ("[ 1912/NUM/0/root ]y", "[ 1913/NUM/0/root ]z"),
            {"numerals": 2},
        ),
        (
            ("[ Ann/PROPN/2/nsubj ]a saw/VERB/0/root [ herself/2 ]a",),
            {"governors": 2, "sentences": 0, "words": 9, "mentions": 6},
        ),
        (
            ("[ Ann/PROPN/4/nsubj ]a is/4 [ a/4 miller/NOUN/0/root ]m",),
            {"predicate": 1, "apposition": 0},
        ),
    ],
    ids=lambda value: " ".join(map(str, value))[:30],
)
def test_pair_has_the_codes(lines, expected):
    found = codes(*lines)
    assert {name: found[name] for name in expected} == expected


def test_rivals_are_the_candidates_between():
    lines = (
        ANN,
        "[ Clara/PROPN/2/nsubj/Number=Sing ]c slept/VERB/0/root",
        "[ she/0//root ]a",
    )
    first, second, rows = described(parsed(*lines))
    at = rows.columns.index("closer_agreeing")
    closer = dict(zip(zip(first, second, strict=True), rows.pairs[:, at], strict=True))
    assert (closer[0, 2], closer[1, 2]) == (1, 0)
    assert rows.alone[:, rows.columns.index("all_agreeing")].tolist() == [0, 1, 2]


def test_row_of_no_antecedent_tells_of_the_mention_alone():
    _, _, rows = described(parsed(MILL, MILL))
    alone = dict(zip(rows.columns, rows.alone[1].tolist(), strict=True))
    pair = dict(zip(rows.columns, rows.pairs[0].tolist(), strict=True))
    assert (alone["alone"], pair["alone"]) == (1, 0)
    assert alone["kind_second"] == pair["kind_second"] > 0
    assert alone["all_same_heads"] == pair["all_same_heads"] == 1
    assert alone["kind_first"] == alone["heads"] == alone["texts"] == 0


def test_frequent_words_have_codes_of_their_own():
    traits = traits_of(table_of(parsed(*["[ she/0//root ]s"] * 20, MILL)))
    vocabulary = vocabulary_of([traits])
    assert vocabulary["form"] == ("she",)
    assert vocabulary["determiner"] == ()
    assert word_codes(traits, vocabulary)["form"].tolist() == [1] * 20 + [0]


def test_words_are_not_ordered_and_counts_are():
    flags = dict(
        zip(
            ("form_first", "gender_second", "heads", "words"),
            [False] * 3 + [True],
            strict=True,
        )
    )
    assert dict(zip(flags, ordered(tuple(flags)).tolist(), strict=True)) == flags


@given(documents())
def test_rows_fit_pairs_and_mentions_of_any_document(document):
    first, _, rows = described(document)
    assert rows.pairs.shape == (len(first), len(rows.columns))
    assert rows.alone.shape == (len(table_of(document)), len(rows.columns))
    assert len({*rows.columns}) == len(rows.columns)
    assert rows.pairs.dtype == rows.alone.dtype == np.uint8


@given(documents())
def test_what_a_pair_is_does_not_hang_on_other_candidates(document):
    """All but the counts of rivals are the same when only some pairs are asked."""
    traits = traits_of(table_of(document))
    first, second = candidates_of(traits)
    rows = rows_of(traits, first, second, NO_WORDS)
    fewer = rows_of(traits, first[::2], second[::2], NO_WORDS)
    kept = [
        at
        for at, name in enumerate(rows.columns)
        if not name.startswith(("closer_", "all_"))
    ]
    np.testing.assert_array_equal(rows.pairs[::2][:, kept], fewer.pairs[:, kept])
