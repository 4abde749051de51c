"""LEA and CEAF with mentions by their worth, against slow versions."""

from __future__ import annotations

from itertools import combinations, permutations

import pytest
from builders import pairs
from hypothesis import given
from hypothesis import strategies as st

import corefkit
from corefkit.weights import parse_weights

TYPES = ("PER", "ORG", "LOC")
KINDS = ("NAM", "NOM", "PRO")
WEIGHTS = (
    "type:PER=1,ORG=0.5,other=0",
    "mention_type:NAM=1,NOM=0.5,PRO=0.1",
    "type:ORG=3;type_confusion:PER/ORG=0.5,other=0",
    "ace2005-original",
    "ace2005",
)
NAMES = ("lea_weighted", "ceaf_m_weighted", "ceaf_e_weighted")


def as_document(partition, attributes):
    return corefkit.Document(
        "d",
        (),
        tuple(
            corefkit.Entity(
                str(number),
                tuple(
                    corefkit.Mention(one, one, attributes=attributes[one])
                    for one in entity
                ),
            )
            for number, entity in enumerate(partition)
        ),
    )


attribute_maps = st.fixed_dictionaries(
    {"type": st.sampled_from(TYPES), "mention_type": st.sampled_from(KINDS)}
)


@st.composite
def weighed_pairs(draw):
    key, response = draw(pairs())
    mentions = sorted({one for side in (key, response) for e in side for one in e})
    sides = [{one: draw(attribute_maps) for one in mentions} for _ in range(2)]
    return key, response, *sides


def slow_ceaf(key, response, worth, left, *, by_size):
    def alike(one, other, sides=("key", "response")):
        both = set(one) & set(other)
        total = sum(
            min(worth[sides[0]][m], worth[sides[1]][m])
            * (left[m] if sides == ("key", "response") else 1)
            for m in both
        )
        if not by_size:
            return total
        whole = sum(worth[sides[0]][m] for m in one)
        whole += sum(worth[sides[1]][m] for m in other)
        return 2 * total / whole if whole else 0

    few, many = sorted((key, response), key=len)
    swapped = few is not key
    best = max(
        (
            sum(
                alike(b, a) if swapped else alike(a, b)
                for a, b in zip(few, chosen, strict=True)
            )
            for chosen in permutations(many, len(few))
        ),
        default=0,
    )
    own = [
        sum(alike(e, e, (s, s)) for e in side)
        for s, side in (("key", key), ("response", response))
    ]
    return [best, own[0], best, own[1]]


def slow_lea(side, other, worth):
    resolved = whole = 0
    together = {frozenset(link) for e in other for link in combinations(e, 2)}
    alone = {e[0] for e in other if len(e) == 1}
    for entity in side:
        importance = sum(worth[m] for m in entity)
        links = [frozenset(link) for link in combinations(entity, 2)]
        if links:
            share = sum(link in together for link in links) / len(links)
        else:
            share = entity[0] in alone
        resolved += importance * share
        whole += importance
    return [resolved, whole]


@pytest.mark.parametrize("line", WEIGHTS)
@given(weighed_pairs())
def test_as_the_slow_versions(line, drawn):
    key, response, key_attributes, response_attributes = drawn
    if not key or not response:
        return
    key, response = key[:5], response[:5]
    weights = parse_weights(line)
    worth = {
        "key": {m: weights.compute_worth(one) for m, one in key_attributes.items()},
        "response": {
            m: weights.compute_worth(one) for m, one in response_attributes.items()
        },
    }
    left = {
        m: weights.compute_share(key_attributes[m], response_attributes[m])
        for m in worth["key"]
    }
    result = corefkit.score(
        as_document(key, key_attributes),
        as_document(response, response_attributes),
        metrics=NAMES,
        weights=line,
    )
    counts = {name: result.counts[name][0].tolist() for name in NAMES}
    assert counts["lea_weighted"] == pytest.approx(
        slow_lea(key, response, worth["key"])
        + slow_lea(response, key, worth["response"])
    )
    for name, by_size in (("ceaf_m_weighted", False), ("ceaf_e_weighted", True)):
        slow = slow_ceaf(key, response, worth, left, by_size=by_size)
        assert counts[name] == pytest.approx(slow)


@given(weighed_pairs())
def test_where_all_weigh_1_they_are_the_plain_metrics(drawn):
    key, response, attributes, _ = drawn
    sides = (as_document(key, attributes), as_document(response, attributes))
    plain = ("lea", "ceaf_m", "ceaf_e")
    result = corefkit.score(*sides, metrics=[*plain, *NAMES], weights="type:PER=1")
    for one, name in zip(plain, NAMES, strict=True):
        assert result.counts[name] == pytest.approx(result.counts[one])


def test_plain_partitions_have_no_types():
    with pytest.raises(corefkit.FormatError, match="no mention has an entity type"):
        corefkit.score(["ab"], ["ab"], metrics=["lea_weighted"])


def test_a_table_of_partitions_has_no_types():
    table = corefkit.overlap(["ab"], ["ab"])
    with pytest.raises(corefkit.SettingsError, match="have no types to weigh them by"):
        corefkit.SUPPLEMENTS["ceaf_m_weighted"].count(table)


def test_it_is_said_which_side_lacks_what():
    full, bare = (
        as_document([[0, 1]], {0: attributes, 1: attributes})
        for attributes in ({"type": "PER", "mention_type": "NAM"}, {"type": "PER"})
    )
    with pytest.raises(corefkit.FormatError) as refused:
        corefkit.score(full, bare, metrics=["ceaf_e_weighted"])
    assert refused.value.place == "response, document 'd'"
    assert "no mention has a kind (NAM, NOM or PRO)" in str(refused.value)
    assert "remove `mention_type` from the weights" in str(refused.value)


def test_an_empty_response_is_worth_nothing():
    key = as_document([[0, 1]], {one: {"type": "PER"} for one in (0, 1)})
    empty = corefkit.Document("d", (), ())
    result = corefkit.score(key, empty, metrics=NAMES, weights="type:PER=2")
    assert result.counts["lea_weighted"].tolist() == [[0, 4, 0, 0]]
    assert result.counts["ceaf_m_weighted"].tolist() == [[0, 4, 0, 0]]
    assert result.counts["ceaf_e_weighted"].tolist() == [[0, 1, 0, 0]]
