"""Baskets: what the sieve makes of pairs, and of the candidates' entities."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from resolver.lexica import table_of
from resolver.random_documents import documents
from resolver.trees import parsed

from cistell.linking.baskets import (
    Baskets,
    basket_columns,
    baskets_of,
    sieved_columns,
)
from cistell.linking.candidates import candidates_of
from cistell.linking.traits import traits_of
from cistell.sieve import sieve

ANN = "[ Ann/PROPN/2/nsubj/Number=Sing ]a slept/VERB/0/root"
SHE = "[ she/2/nsubj ]a left/VERB/0/root"
MILL = "[ the/2 mill/NOUN/0/root/Number=Sing ]m"


def columns(*lines):
    """Return the columns of the last pair, by name."""
    traits = traits_of(table_of(parsed(*lines)))
    first, second = candidates_of(traits)
    found = basket_columns(traits, baskets_of(traits.table), first, second)
    return {name: int(codes[-1]) for name, codes in found.items()}


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ((ANN, ANN), {"together": 3, "basket_heads": 1, "basket_texts": 1}),
        ((ANN, SHE), {"together": 1, "basket_heads": 0, "basket_genders": 2}),
        ((MILL, SHE), {"together": 0, "basket_numbers": 1}),
        # "She" is Ann: so a third mention with the name meets it in her entity.
        ((ANN, SHE, ANN), {"together": 1, "basket_heads": 2 - 1, "basket_nouns": 9}),
    ],
)
def test_columns_tell_of_the_entity_of_a_candidate(lines, expected):
    found = columns(*lines)
    assert {name: found[name] for name in expected} == expected


def test_mentions_tell_how_surely_the_sieve_links_them():
    baskets = Baskets(*map(np.array, ([0, 1, 2], [0, 0, 2], [0, 0, 0])))
    found = sieved_columns(baskets)
    assert found["sieved"].tolist() == [0, 2, 1]
    assert len({*found["basket"].tolist()}) == 1


@given(documents())
def test_columns_are_as_counted_one_by_one(document):
    traits = traits_of(table_of(document))
    first, second = candidates_of(traits)
    baskets = baskets_of(traits.table)
    assert baskets.all.tolist() == sieve(traits.table).tolist()
    found = basket_columns(traits, baskets, first, second)
    heads, entity = traits.table.head_form.tolist(), baskets.all.tolist()
    for pair, (one, other) in enumerate(zip(first, second, strict=True)):
        members = [at for at, own in enumerate(entity) if own == entity[one]]
        same = [at for at in members if at != other and heads[at] == heads[other]]
        assert found["basket_heads"][pair] == (len(same) if heads[other] >= 0 else 0)
        latest = max(at for at in members if at < other)
        assert (found["basket_latest"][pair] == 6) == (other - latest == 1)
