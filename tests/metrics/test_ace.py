"""ACE-value: worked examples, and a slow version that tries every map."""

from __future__ import annotations

from csv import DictReader
from itertools import permutations

import pytest
from builders import pairs
from files import written
from hypothesis import given
from hypothesis import strategies as st

import corefkit
from corefkit.results.score_table import side_by_side
from corefkit.results.stored_results import read_stored
from corefkit.weights import PRESET_WEIGHTS, parse_weights


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


def scored(key, response, weights="ace2005"):
    result = corefkit.score(key, response, metrics=["ace_value"], weights=weights)
    return result["ace_value"]


KEY = document(entity({0: "NAM", 1: "PRO"}, type="PER"), entity({2: "NOM"}, type="ORG"))


def numbers(score):
    return score.recall, score.precision, score.f1, score.value


@pytest.mark.parametrize("weights", PRESET_WEIGHTS)
def test_the_key_is_worth_100(weights):
    assert numbers(scored(KEY, KEY, weights)) == pytest.approx((1, 1, 1, 1))


def test_an_empty_response_is_worth_0():
    score = scored(KEY, corefkit.Document("d", (), ()))
    assert numbers(score) == (0, 0, 0, 0)
    assert score.undefined == ("precision",)


def test_a_response_can_be_worth_less_than_nothing():
    # By hand: the pair of the two PER is worth 1/1.1 - 0.75 * (1/1.5) * 0.5 = 0.659091,
    # the spurious name costs 0.75, and the key is worth 1 + 0.5.
    response = document(
        entity({0: "NAM", 2: "NOM"}, type="PER"), entity({3: "NAM"}, type="ORG")
    )
    score = scored(KEY, response)
    assert score.value == pytest.approx((1 / 1.1 - 0.25 - 0.75) / 1.5)
    assert score.recall == pytest.approx((1 / 1.1 - 0.25) / 1.5)
    assert score.precision == pytest.approx((1 / 1.1 - 0.25) / (1 + 0.75))


def test_f1_is_that_of_recall_and_precision():
    response = document(
        entity({0: "NAM", 2: "NOM"}, type="PER"), entity({3: "NAM"}, type="ORG")
    )
    recall, precision, f1, _ = numbers(scored(KEY, response))
    assert f1 == pytest.approx(2 * recall * precision / (recall + precision))
    nothing = scored(KEY, document(entity({9: "NAM"}, type="PER")))
    assert numbers(nothing) == pytest.approx((0, 0, 0, -0.75 / 1.5))


def test_without_levels():
    # v = 1, 0.04 and 0.2. The mention of the key's other entity is charged as any; the
    # spurious entity costs 0.75 * 1.
    response = document(
        entity({0: "NAM", 2: "NOM"}, type="PER"), entity({3: "NAM"}, type="ORG")
    )
    score = scored(KEY, response, "ace2005-original")
    assert score.value == pytest.approx((1 - 0.75 * 0.2 - 0.75) / (1.04 + 0.2))


@pytest.mark.parametrize("preset", ["ace2003", "ace2004"])
def test_a_preset_without_a_source_is_refused(preset):
    with pytest.raises(corefkit.SettingsError, match="unknown preset"):
        corefkit.score(KEY, KEY, metrics=["ace_value"], preset=preset)


class TestReports:
    """The value is shown beside recall, precision and F1, in every kind of report."""

    @pytest.fixture
    def results(self):
        response = document(entity({9: "NAM"}, type="PER"))
        names = ["muc", "ace_value"]
        key = {"one": KEY, "two": KEY}
        answers = {"one": KEY, "two": response}
        return corefkit.score(key, answers, metrics=names), corefkit.score(
            key, answers, metrics=names, average="macro"
        )

    def test_values_of_documents_are_averaged(self, results):
        micro, macro = results
        assert micro["ace_value"].value == pytest.approx((1.5 - 0.75) / 3)
        assert macro["ace_value"].value == pytest.approx((1 - 0.5) / 2)
        assert macro["muc"].value is None

    def test_table(self, results):
        text = side_by_side(results[:1])
        head, muc, ace, *_ = (line.split() for line in text.splitlines())
        assert head == ["Recall", "Precision", "F1", "Value"]
        assert len(muc) == 4
        assert ace == ["ACE-value", "50.00", "66.67", "57.14", "25.00"]

    def test_several_side_by_side(self, results):
        lines = side_by_side([results[0]] * 2).splitlines()
        assert lines[1].split() == ["R", "P", "F1", "Value"] * 2
        # The names stand above the last column of their group.
        ends = [lines[1].index("Value") + 5, lines[1].rindex("Value") + 5]
        names = [lines[0].index("1. response"), lines[0].index("2. response")]
        assert [name + len("1. response") for name in names] == ends

    def test_one_number_for_each(self, results):
        text = side_by_side([results[0]] * 4, per_document=True)
        assert text.startswith("F1, of ACE-value the value\n")
        assert "4. response  " in text
        assert text.splitlines()[2].split()[-1] == "25.00"
        assert "ACE-value by document" in text
        assert "two  " in text
        assert "-50.00" in text

    def test_markdown_and_latex(self, results):
        markdown = side_by_side(results[:1], format="markdown")
        assert "| Recall | Precision | F1 | Value |" in markdown
        assert "| ACE-value | 50.00 | 66.67 | 57.14 | 25.00 |" in markdown
        latex = side_by_side([results[0]] * 2, format="latex")
        assert r"\multicolumn{4}{c}{1. response}" in latex

    def test_csv(self, results):
        rows = list(DictReader(side_by_side(results[:1], format="csv").splitlines()))
        assert [row["value"] for row in rows] == ["", "0.25"]
        assert "value" not in side_by_side(
            [corefkit.score(["ab"], ["ab"])], format="csv"
        )

    def test_json_and_records(self, results):
        (micro, _) = results
        scores = micro.to_dict()["systems"][0]["scores"]
        assert scores["ace_value"]["value"] == pytest.approx(0.25)
        assert "value" not in scores["muc"]
        assert [row.get("value") for row in micro.to_records()] == [None, 0.25]

    def test_stored_and_read_again(self, results, tmp_path):
        for result in results:
            path = written(
                tmp_path / "stored.json", side_by_side([result], format="json")
            )
            (stored,) = read_stored(path)
            assert stored.scores == result.scores


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
    assert score.value == pytest.approx(factor)


def test_a_wrong_kind_counts_by_the_lesser_weight():
    key = document(entity({0: "NAM"}, type="PER"))
    score = scored(key, document(entity({0: "PRO"}, type="PER")))
    assert score.value == pytest.approx(0.1 * 0.9)


def test_generic_entities_of_the_key_are_worth_nothing():
    generic = entity({5: "NAM"}, type="PER", CLASS="GEN")
    with_it = document(*(one.mentions for one in KEY.entities), generic)
    assert scored(with_it, KEY).value == pytest.approx(1)
    assert scored(KEY, with_it).value == pytest.approx(1)


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
    assert scored(*sides).value == pytest.approx(1 if same else -0.75)


def slow_value(key, response, weights):
    """Try every map of entities; mentions are equal or not, so theirs is plain."""

    def worth(one):
        return weights.get_weight("mention_type", one.attributes)

    def scale(mentions):
        every = [worth(one) for one in mentions]
        return max(every) / sum(every) if weights.by_level and sum(every) else 1

    def weight(mentions):
        return weights.get_weight("type", mentions[0].attributes)

    def value(mentions):
        return weight(mentions) * scale(mentions) * sum(map(worth, mentions))

    def pair(k, r):
        twins = [(m, n) for m in k for n in r if m == n]
        if not twins:
            return None
        left = weights.get_share("type", k[0].attributes, r[0].attributes)
        gain = 0
        for m, n in twins:
            lost = 0.9 if m.attributes["type"] != n.attributes["type"] else 1
            lost *= weights.get_share("mention_type", m.attributes, n.attributes)
            gain += min(worth(m), worth(n)) * lost
        gain *= min(weight(k), weight(r)) * left * scale(k)
        charged = sum(worth(n) for n in r if n not in [twin for _, twin in twins])
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


@pytest.mark.parametrize("weights", PRESET_WEIGHTS)
@given(typed_pairs())
def test_as_the_slow_version(weights, sides):
    if not all(side.entities for side in sides):
        return
    lists = [[one.mentions for one in side.entities] for side in sides]
    expected = slow_value(*lists, parse_weights(weights))
    assert scored(*sides, weights).value == pytest.approx(expected)


def test_documents_add_up():
    other = document(entity({0: "NAM"}, type="ORG"))
    key = {"one": KEY, "two": other}
    response = {"one": KEY, "two": corefkit.Document("two", (), ())}
    result = corefkit.score(key, response, metrics=["ace_value"])
    assert result["ace_value"].value == pytest.approx(1.5 / 2.5)
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
