"""ACE-value: worked examples, and a slow version that tries every map."""

from __future__ import annotations

from itertools import permutations

import pytest
from builders import pairs
from hypothesis import given, settings
from hypothesis import strategies as st

import corefkit
from corefkit.weights import weights_of


def entity(kinds, **attributes):
    """An entity: the token and kind of each mention, and attributes of them all."""
    return tuple(
        corefkit.Mention(at, at, attributes={"mention_type": kind, **attributes})
        for at, kind in kinds.items()
    )


def document(*entities):
    return corefkit.Document(
        "d",
        (),
        tuple(corefkit.Entity(str(n), one) for n, one in enumerate(entities)),
    )


def scored(key, response, preset="ace2005"):
    result = corefkit.score(key, response, metrics=["ace_value"], preset=preset)
    return result["ace_value"]


KEY = document(entity({0: "NAM", 1: "PRO"}, type="PER"), entity({2: "NOM"}, type="ORG"))


def test_the_key_is_worth_100():
    for preset in ("ace2003", "ace2004", "ace2005"):
        score = scored(KEY, KEY, preset)
        assert (score.recall, score.precision, score.f1) == pytest.approx((1, 1, 1))


def test_an_empty_response_is_worth_0():
    score = scored(KEY, corefkit.Document("d", (), ()))
    assert (score.recall, score.precision, score.f1) == (0, 0, 0)
    assert score.undefined == ("precision",)


def test_a_response_can_be_worth_less_than_nothing():
    # By hand: the pair of the two PER is worth 1/1.1 - 0.75 * (1/1.5) * 0.5 = 0.659091,
    # the spurious name costs 0.75, and the key is worth 1 + 0.5.
    response = document(
        entity({0: "NAM", 2: "NOM"}, type="PER"), entity({3: "NAM"}, type="ORG")
    )
    score = scored(KEY, response)
    assert score.f1 == pytest.approx((1 / 1.1 - 0.25 - 0.75) / 1.5)
    assert score.recall == pytest.approx((1 / 1.1 - 0.25) / 1.5)
    assert score.precision == pytest.approx((1 / 1.1 - 0.25) / (1 + 0.75))


def test_without_levels_and_with_types_of_2004():
    # E(PER) = 1, E(ORG) = 0.5; v = 1, 0.04 and 0.2. The mention of the key's other
    # entity is not charged (W_cr = 0); the spurious entity costs 0.75 * 0.5 * 1.
    response = document(
        entity({0: "NAM", 2: "NOM"}, type="PER"), entity({3: "NAM"}, type="ORG")
    )
    score = scored(KEY, response, "ace2004")
    assert score.f1 == pytest.approx((1 - 0.375) / (1.04 + 0.5 * 0.2))


@pytest.mark.parametrize(
    ("attributes", "factor"),
    [
        # A wrong type is a wrong role of the mention too.
        ({"type": "ORG"}, 0.5 * 0.9),
        ({"type": "ORG", "ROLE": "PER"}, 0.5),
        ({"type": "PER", "SUBTYPE": "Group"}, 0.9),
        ({"type": "PER", "CLASS": "GEN"}, 0.0),
        ({"type": "PER", "METONYMY_MENTION": "TRUE"}, 0.9),
    ],
)
def test_every_wrong_attribute_costs(attributes, factor):
    key = document(entity({0: "NAM"}, type="PER"))
    score = scored(key, document(entity({0: "NAM"}, **attributes)))
    assert score.f1 == pytest.approx(factor)


def test_a_wrong_kind_counts_by_the_lesser_weight():
    key = document(entity({0: "NAM"}, type="PER"))
    score = scored(key, document(entity({0: "PRO"}, type="PER")))
    assert score.f1 == pytest.approx(0.1 * 0.9)


def test_generic_entities_of_the_key_are_worth_nothing():
    generic = entity({5: "NAM"}, type="PER", CLASS="GEN")
    with_it = document(*(one.mentions for one in KEY.entities), generic)
    assert scored(with_it, KEY).f1 == pytest.approx(1)
    assert scored(KEY, with_it).f1 == pytest.approx(1)


@pytest.mark.parametrize(
    ("key", "response", "same"),
    [
        # 3 of 10 tokens are enough, 2 of 10 are not.
        (corefkit.Mention(0, 9), corefkit.Mention(7, 9), True),
        (corefkit.Mention(0, 9), corefkit.Mention(8, 9), False),
        # Heads decide where they are known.
        (corefkit.Mention(0, 9, minimum=(4, 5)), corefkit.Mention(4, 5), True),
        (corefkit.Mention(0, 9, minimum=(4, 5)), corefkit.Mention(6, 9), False),
        (corefkit.Mention(0, 9, head=4), corefkit.Mention(2, 4, head=4), True),
        (corefkit.Mention(0, 9, head=4), corefkit.Mention(0, 9, head=5), False),
    ],
)
def test_mentions_are_the_same_where_heads_overlap(key, response, same):
    attributes = {"type": "PER", "mention_type": "NAM"}
    sides = [
        document(
            (
                corefkit.Mention(
                    one.start,
                    one.end,
                    head=one.head,
                    minimum=one.minimum,
                    attributes=attributes,
                ),
            )
        )
        for one in (key, response)
    ]
    assert scored(*sides).f1 == pytest.approx(1 if same else -0.75)


def slow_value(key, response, weights):
    """Try every map of entities; mentions are equal or not, so theirs is plain."""

    def worth(one):
        return weights.of_mention_type(one.attributes)

    def scale(mentions):
        every = [worth(one) for one in mentions]
        return max(every) / sum(every) if weights.by_level and sum(every) else 1

    def weight(mentions):
        return weights.of_type(mentions[0].attributes)

    def value(mentions):
        return weight(mentions) * scale(mentions) * sum(map(worth, mentions))

    def pair(k, r):
        twins = [(m, n) for m in k for n in r if m == n]
        if not twins:
            return None
        left = weights.left_of_type(k[0].attributes, r[0].attributes)
        gain = 0
        for m, n in twins:
            lost = 0.9 if m.attributes["type"] != n.attributes["type"] else 1
            lost *= weights.left_of_mention_type(m.attributes, n.attributes)
            gain += min(worth(m), worth(n)) * lost
        gain *= min(weight(k), weight(r)) * left * scale(k)
        everywhere = {m for one in key for m in one}
        charged = sum(
            worth(n) * (weights.misplaced if n in everywhere else 1)
            for n in r
            if n not in [twin for _, twin in twins]
        )
        return gain - 0.75 * weight(r) * scale(r) * charged

    best = None
    padded = [*response, *[None] * len(key)]
    for chosen in permutations(padded, len(key)):
        total = 0
        for k, r in zip(key, chosen, strict=True):
            if r is not None:
                found = pair(k, r)
                if found is None:
                    break
                total += found
        else:
            alone = [r for r in response if not any(r is one for one in chosen)]
            total -= 0.75 * sum(map(value, alone))
            best = total if best is None else max(best, total)
    whole = sum(map(value, key))
    return best / whole if whole else 0


@st.composite
def typed_pairs(draw):
    sides = []
    for partition in draw(pairs()):
        entities = []
        for one in partition[:3]:
            kinds = {at: draw(st.sampled_from(("NAM", "NOM", "PRO"))) for at in one}
            entities.append(entity(kinds, type=draw(st.sampled_from(("PER", "ORG")))))
        sides.append(document(*entities))
    return sides


@pytest.mark.parametrize("preset", ["ace2004", "ace2005"])
@settings(max_examples=60)
@given(typed_pairs())
def test_as_the_slow_version(preset, sides):
    if not all(side.entities for side in sides):
        return
    lists = [[one.mentions for one in side.entities] for side in sides]
    expected = slow_value(*lists, weights_of(preset))
    assert scored(*sides, preset).f1 == pytest.approx(expected)


def test_documents_add_up():
    other = document(entity({0: "NAM"}, type="ORG"))
    key = {"one": KEY, "two": other}
    response = {"one": KEY, "two": corefkit.Document("two", (), ())}
    result = corefkit.score(key, response, metrics=["ace_value"])
    assert result["ace_value"].f1 == pytest.approx(1.5 / 2.5)
    assert len(result.per_document) == 2


def test_entities_of_worthless_mentions_are_worth_nothing():
    key = document(
        entity({0: "PRO", 1: "PRO"}, type="PER"), entity({2: "NAM"}, type="PER")
    )
    result = corefkit.score(
        key, key, metrics=["ace_value"], weights="mention_type:NAM=1,PRO=0"
    )
    score = result["ace_value"]
    assert (score.recall_numerator, score.recall_denominator) == (1, 1)
    assert (score.recall, score.precision) == (1, 1)
