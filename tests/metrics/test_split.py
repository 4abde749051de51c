"""Split antecedents: cases worked out by hand, and laws."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from builders import labelled, letters, pairs
from hypothesis import given
from hypothesis import strategies as st

import corefkit
from corefkit import METRICS, SUPPLEMENTS, VARIANTS, Metric, SettingsError, overlap
from corefkit.metrics.metric import count_document, score_ratios
from corefkit.metrics.split import SplitDocument

NAMES = ("muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc", "lea")
EVERY = {**METRICS, **VARIANTS, **SUPPLEMENTS}
# What looks at mentions, or at pairs of them, but never at the members of an entity: a
# split antecedent is none of these.
UNTOUCHED = [name for name, metric in EVERY.items() if metric.split is None]


def document(key, key_split, response, response_split):
    """Build a document from partitions in letters."""
    return SplitDocument(letters(key), letters(response), key_split, response_split)


def split_counts(name, sides):
    return count_document(EVERY[name].split, sides)


def approximately(row):
    return pytest.approx([float(count) for count in row], rel=1e-9, abs=1e-12)


def split_rows(*sides):
    return {name: split_counts(name, SplitDocument(*sides)) for name in NAMES}


def ordinary_rows(key, response):
    table = overlap(key, response)
    return {name: METRICS[name].count(table)[0].tolist() for name in NAMES}


def assert_same(rows, expected, *, counts=11):
    for name in NAMES:
        assert rows[name][:counts] == approximately(expected[name][:counts]), name


CASES = {
    # The antecedent {a b} is found, {c} is not. The entities of both sides have 2, 1
    # and 3 members.
    "antecedent missed": (
        ("ab c de", {2: [0, 1]}, "ab c de", {2: [0]}),
        {
            # Recall 1/2: the link a-b is found, that of c to itself is not.
            "muc": [1 + 0 + (1 + 1 / 2), 3, 1 + 0 + (1 + 1), 3],
            # Recall 2/3, of three mentions.
            "b_cubed": [2 + 1 + (2 + 2 / 3) ** 2 / 3, 6, 2 + 1 + 3**2 / 3, 6],
            # Recall 2/3, precision 1, F1 4/5.
            "ceaf_m": [2 + 1 + (2 + 4 / 5), 6, 2 + 1 + (2 + 4 / 5), 6],
            # Recall 1/2, precision 1, F1 2/3.
            "ceaf_e": [1 + 1 + (2 + 2 / 3) / 3, 3, 1 + 1 + (2 + 2 / 3) / 3, 3],
            # The link a-b is all there is, F1 1. The response has none of the other
            # kind, F1 0, so only mentions count: 10 pairs but for a-b and d-e.
            "blanc": [4, 4, 4, 4, 8, 11, 8, 11, 5, 5, 5],
            # Recall 2/3: the entity of two mentions is resolved, the singleton is not.
            "lea": [2 + 1 + 3 * (1 + 2 * 2 / 3) / 3, 6, 2 + 1 + 3, 6],
        },
    ),
    # {a b c} against {a b} {d}; the entities have 3, 1, 2 and 2, 1, 1, 2 members.
    "antecedents in part": (
        ("abc d e", {2: [0]}, "ab c d e", {3: [0, 2]}),
        {
            # Recall 1 of 2 links, precision 1 of 2.
            "muc": [1 + 0 + (0 + 1 / 2), 3, 1 + 0 + (0 + 1 / 2), 2],
            # Recall 4/3 of 3, precision 2 of 3.
            "b_cubed": [
                (4 + 1) / 3 + 1 + (1 + 4 / 9) ** 2 / 2,
                6,
                4 / 2 + 1 + 1 + (1 + 2 / 3) ** 2 / 2,
                6,
            ],
            # 2 of 3 mentions on both sides.
            "ceaf_m": [2 + 1 + (1 + 2 / 3), 6, 2 + 1 + (1 + 2 / 3), 6],
            # The similarity is 4/5: recall 4/5 of 1, precision of 2, F1 8/15.
            "ceaf_e": [
                4 / 5 + 1 + 2 * (1 + 8 / 15) / 4,
                3,
                4 / 5 + 1 + 2 * (1 + 8 / 15) / 4,
                4,
            ],
            # Coreference links: 1 of 3 and 1 of 1, F1 1/2. The key has no other link
            # among the antecedents, F1 0. Neither side has a or b with d, a..d with e.
            "blanc": [
                *[1 + 1 / 2, 4, 1 + 1 / 2, 2],
                *[7, 11, 7, 13],
                *[5, 5, 5],
            ],
            # 1 of 3 links for recall; 2 of 3 mentions for precision.
            "lea": [
                3 * 1 / 3 + 1 + 2 * (1 / 3),
                6,
                2 + 0 + 1 + 2 * (2 / 3),
                6,
            ],
        },
    ),
    # The same split antecedent, for c and d in the key, for e and f in the response.
    "given to another anaphor": (
        ("a b cd ef", {2: [0, 1]}, "a b cd ef", {3: [0, 1]}),
        {
            "muc": [1 + 1, 3, 1 + 1, 3],
            "b_cubed": [1 + 1 + (4 + 1) / 3 + 4 / 2, 7] * 2,
            "ceaf_m": [1 + 1 + 2 + 2, 7] * 2,
            "ceaf_e": [1 + 1 + 4 / 5 + 4 / 5, 4] * 2,
            # 15 pairs of mentions but for c-d and e-f, and the two pairs of the split
            # antecedent with a and with b.
            "blanc": [2, 4, 2, 4, 13 + 2, 17, 13 + 2, 17, 6, 6, 6],
            "lea": [1 + 1 + 3 * 1 / 3 + 2, 7] * 2,
        },
    ),
    # {b c} of e belongs to {b c} of d, so {a b} of d to {a c} of e, with 1/2, though
    # each has as much in common with the one of its own anaphor.
    "paired for the largest total": (
        ("a b c d e", {3: [0, 1], 4: [1, 2]}, "a b c d e", {3: [1, 2], 4: [0, 2]}),
        {
            "muc": [0, 2, 0, 2],
            "b_cubed": [3 + (1 + 1 / 4) / 2 + (1 + 1) / 2, 7] * 2,
            "ceaf_m": [3 + 1 + 1, 7] * 2,
            "ceaf_e": [3 + 2 / 4 + 2 / 4, 5] * 2,
            # {a b} and {a c} have no link in common. {b c} stands apart from a, b and c
            # in both sides.
            "blanc": [0, 2, 0, 2, 10 + 3, 19, 10 + 3, 19, 5, 5, 5],
            "lea": [3 + 0, 7] * 2,
        },
    ),
    # {a} {b} {c} has three links that are not coreferent, {a} {b} one: F1 1/2, twice.
    # The two split antecedents of a side are not coreferent either.
    "two in part": (
        (
            *("a b c d e f g h", {6: [0, 1, 2], 7: [3, 4, 5]}),
            *("a b c d e f g h", {6: [0, 1], 7: [3, 4]}),
        ),
        {
            "blanc": [
                *[0, 2, 0, 2],
                *[28 + 7 / 2 + 7 / 2 + 1 / 4, 43, 28 + 7 / 2 + 7 / 2 + 1 / 4, 43],
                *[8, 8, 8],
            ]
        },
    ),
    "none in the response": (
        ("a b cd", {2: [0, 1]}, "a b cd", {}),
        {
            "muc": [1, 2, 1, 1],
            "b_cubed": [1 + 1 + 4 / 3, 5, 4, 4],
            "ceaf_m": [4, 5, 4, 4],
            "ceaf_e": [1 + 1 + 4 / 5, 3, 1 + 1 + 4 / 5, 3],
            "blanc": [1, 3, 1, 1, 5, 7, 5, 5, 4, 4, 4],
            "lea": [1 + 1 + 3 * 1 / 3, 5, 4, 4],
        },
    ),
    # {a b} {c} and {a b} {d} have the same coreference links; with {a b} {d} in both
    # sides, it is this that counts.
    "equal pair before another as good": (
        ("ab c d e f", {3: [0, 1], 4: [0, 2]}, "ab c d e f", {4: [0, 2]}),
        {"blanc": [1 + 1, 3, 1 + 1, 2, 14 + 5, 25, 14 + 5, 19, 6, 6, 6]},
    ),
}


@pytest.mark.parametrize(("sides", "expected"), CASES.values(), ids=CASES)
def test_split_counts_by_hand(sides, expected):
    rows = {name: split_counts(name, document(*sides)) for name in expected}
    assert rows == {name: approximately(row) for name, row in expected.items()}


def they(*names, ann=(0, 0), minimum=None):
    """Ann met Bob and Eve, and they, who are some of them, danced."""
    first = corefkit.Mention(*ann, minimum=minimum)
    people = {
        "Ann": first,
        "Bob": corefkit.Mention(3, 3),
        "Eve": corefkit.Mention(5, 5),
    }
    entities = [corefkit.Entity(name, (one,)) for name, one in people.items()]
    anaphor = corefkit.Entity("they", (corefkit.Mention(7, 7),), split=names)
    words = ("young", "Ann", "met", "Bob", "and", "Eve", ".", "They", "danced", ".")
    return corefkit.Document("d", (words,), (*entities, anaphor))


class TestEveryMetric:
    """Under `split="score"` a metric scores split antecedents, or is refused."""

    SIDES = they("Ann", "Bob", "Eve"), they("Ann", "Bob")

    def test_those_that_score_them_are_those_of_the_paper(self):
        assert [name for name in EVERY if callable(EVERY[name].split)] == [*NAMES]

    @pytest.mark.parametrize("name", NAMES)
    def test_scores_them(self, name):
        scored = {
            split: corefkit.score(*self.SIDES, metrics=[name], split=split)[name].recall
            for split in ("ignore", "score")
        }
        assert scored["score"] != scored["ignore"]
        assert split_counts(name, document("a b", {1: [0]}, "a b", {})) is not None

    @pytest.mark.parametrize("name", UNTOUCHED)
    def test_has_nothing_to_do_with_them(self, name):
        one, other = (
            corefkit.score(*self.SIDES, metrics=[name], split=split)[name]
            for split in ("ignore", "score")
        )
        assert one == other

    @pytest.mark.parametrize(
        "name", [name for name in EVERY if name not in (*NAMES, *UNTOUCHED)]
    )
    def test_is_refused_before_anything_is_read(self, name):
        with pytest.raises(SettingsError) as refused:
            corefkit.score("nowhere.conll", "nowhere", metrics=[name], split="score")
        assert f"'{name}' does not score split antecedents" in str(refused.value)
        assert refused.value.hint.startswith("muc, b_cubed, ceaf_m, ceaf_e, blanc, lea")

    @pytest.mark.parametrize("name", ["mine", "muc"])
    def test_metric_of_the_users_own_is_refused_whatever_its_name(self, name):
        own = Metric(
            name, "Mine", lambda table: METRICS["muc"].count(table), score_ratios
        )
        with pytest.raises(SettingsError, match="does not score split antecedents"):
            corefkit.score(*self.SIDES, metrics=[own], split="score")
        assert corefkit.score(*self.SIDES, metrics=[own])[name] is not None

    def test_metric_with_another_name_scores_them_too(self):
        renamed = dataclasses.replace(METRICS["lea"], name="mine")
        result = corefkit.score(*self.SIDES, metrics=[renamed, "lea"], split="score")
        assert result["mine"] == result["lea"]

    def test_preset_ua_scores_the_default_metrics(self):
        assert set(corefkit.score(*self.SIDES, preset="ua")) == {"mentions", *NAMES}


@pytest.mark.parametrize("name", NAMES)
def test_split_antecedents_that_are_equal_by_minimum_spans_count_whole(name):
    # The Universal Anaphora scorer gives BLANC 1/2 here.
    key = they("Ann", "Bob", ann=(0, 1), minimum=(1, 1))
    response = they("Ann", "Bob", ann=(1, 1))
    result = corefkit.score(key, response, preset="ua", match="min", metrics=[name])
    assert (result[name].recall, result[name].precision, result[name].f1) == (1, 1, 1)


class TestAntecedents:
    def found(self, entities, split):
        return SplitDocument(letters(entities), [], split, {}).antecedents[0]

    def test_split_antecedent_of_an_antecedent_takes_its_place(self):
        assert self.found("a b c d e", {4: [3, 2], 3: [0, 1]}) == {
            3: {0, 1},
            4: {0, 1, 2},
        }

    def test_circles_end(self):
        assert self.found("a b", {0: [1], 1: [0]}) == {}
        assert self.found("a", {0: [0]}) == {}
        assert self.found("a b c", {1: [2, 0], 2: [1, 2]}) == {1: {0}}

    def test_entities_without_mentions_are_left_out(self):
        split = {1: [0], 2: [0, 1], 3: [2]}
        left = SplitDocument([[], "a", "b", []], [], split, {})
        assert left.antecedents[0] == {2: {1}}
        assert left.table.size[0] == {1: 1, 2: 2}

    def test_empty_split_is_none(self):
        assert self.found("a b", {1: []}) == {}


def test_entities_with_equal_split_antecedents_are_one():
    apart = (letters("a b c d"), letters("a b cd"), {2: [0, 1], 3: [1, 0]}, {2: [0, 1]})
    together = (apart[1], apart[1], apart[3], apart[3])
    assert split_rows(*apart) == split_rows(*together)


@pytest.mark.parametrize("name", NAMES)
def test_order_of_mentions_plays_no_part(name):
    one = document("ab c def", {2: [0, 1]}, "ab c def", {2: [0]})
    other = document("ba c fde", {2: [1, 0]}, "ab c efd", {2: [0]})
    assert split_counts(name, one) == split_counts(name, other)


@given(pairs())
def test_without_split_antecedents_counts_are_the_ordinary_ones(pair):
    assert_same(split_rows(*pair, {}, {}), ordinary_rows(*pair))


@st.composite
def splits(draw, entities, most=3):
    """Draw split antecedents of some entities, circles included."""
    if not entities:
        return {}
    number = st.integers(0, len(entities) - 1)
    antecedents = st.lists(number, max_size=3)
    return draw(st.dictionaries(number, antecedents, max_size=most))


@st.composite
def documents(draw, most=3):
    """Draw the sides of a document whose entities may have split antecedents."""
    key, response = draw(pairs())
    return key, response, draw(splits(key, most)), draw(splits(response, most))


@given(documents())
def test_scores_are_in_range(sides):
    for name, row in split_rows(*sides).items():
        score = METRICS[name].score(np.array(row, float))
        for value in (score.recall, score.precision, score.f1):
            assert 0 <= value <= 1 + 1e-9, name


@given(documents())
def test_identical_sides_are_all_correct(sides):
    key, _, split, _ = sides
    for name, row in split_rows(key, key, split, split).items():
        assert row[0::2][:2] == approximately(row[1::2][:2]), name
        if name == "blanc":
            assert row[4:8:2] == approximately(row[5:8:2])


# With more of them several maps may be best, and swapping may choose another.
@given(documents(most=1))
def test_swapping_the_sides_swaps_recall_and_precision(sides):
    key, response, key_split, response_split = sides
    rows = split_rows(*sides)
    for name, row in split_rows(response, key, response_split, key_split).items():
        row[:4] = row[2:4] + row[:2]
        if name == "blanc":
            row[4:8] = row[6:8] + row[4:6]
            row[9:] = row[10], row[9]
        assert row == approximately(rows[name]), name


@st.composite
def anaphors(draw):
    """Draw two partitions, and an entity of each."""
    key, response = draw(pairs().filter(all))
    number = draw(st.integers(0, len(key) - 1))
    other = draw(st.integers(0, len(response) - 1))
    return key, response, number, other


def with_members(pair, antecedents, members):
    """Put entities at the end, and one more member into an entity of each side."""
    key, response, number, other = pair
    key = [*(list(entity) for entity in key), *antecedents]
    response = [*(list(entity) for entity in response), *antecedents]
    key[number].append(members[0])
    response[other].append(members[1])
    return key, response


@given(anaphors(), st.permutations(range(3)))
def test_equal_split_antecedents_count_as_a_mention_of_both_sides(pair, order):
    key, response, number, other = pair
    antecedents = letters("uv w xyz")
    rows = split_rows(
        [*key, *antecedents],
        [*response, *(antecedents[one] for one in order)],
        {number: [len(key), len(key) + 1]},
        {other: [len(response) + order.index(0), len(response) + order.index(1)]},
    )
    expected = ordinary_rows(*with_members(pair, antecedents, ("both", "both")))
    assert_same(rows, expected, counts=8)


@given(anaphors())
def test_unlike_split_antecedents_count_as_mentions_of_one_side(pair):
    key, response, number, other = pair
    antecedents = letters("uv w xyz")
    rows = split_rows(
        [*key, *antecedents],
        [*response, *antecedents],
        {number: [len(key), len(key) + 1]},
        {other: [len(response) + 2]},
    )
    expected = ordinary_rows(*with_members(pair, antecedents, ("key", "response")))
    assert_same(rows, expected, counts=8)


def test_many_split_antecedents_take_no_long():
    key = labelled([1 + number // 2 for number in range(400)])
    split = {number: [number - 100, number - 99] for number in range(100, 160)}
    row = split_counts("lea", SplitDocument(key, key, split, split))
    assert row == approximately([460, 460, 460, 460])
