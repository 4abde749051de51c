"""Walk-throughs of the variants: altered sides in words, as sets and as tables."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from builders import letters, pairs
from hypothesis import given
from hypothesis import strategies as st

import corefkit
from corefkit.analysis.explain import explain
from corefkit.analysis.explain.metric_steps import list_altered_scenes
from corefkit.analysis.explain.scene import build_scene
from corefkit.formats.in_memory import make_partition_sources
from corefkit.metrics.variants import RECIPES, Alteration, apply_alterations

# Cai and Strube 2010, section 2.2.2.
EXAMPLE = letters("abc"), letters("abd ij")


def scene(key, response):
    sides = make_partition_sources({"": key}, {"": response})
    return build_scene(*(side.read_columns([0]) for side in sides), ())


def sides_listed(text: str) -> list[list[str]]:
    """Read the lists of altered entities: one for recall and precision, or for each."""
    blocks = re.findall(r"Key and response then are:\n((?:  .*\n)+)", text)
    return [[line.strip() for line in block.splitlines()] for block in blocks]


class TestPaper:
    """The algorithm of Cai and Strube 2010 on their own example."""

    text = explain(*EXAMPLE, metric="b_cubed_sys")

    def test_twinless_mentions_are_listed_first(self):
        expected = (
            "twinless:\n  of the key: c\n  of the response: d, i, j\n\nFor recall:"
        )
        assert expected in self.text

    def test_sides_are_those_of_the_paper(self):
        assert sides_listed(self.text) == [
            ["K1 = {a, b, c}", "R1 = {a, b}", "R3 = {c}"],
            [
                "K1 = {a, b, c}",
                "K2 = {d}",
                "K3 = {i}",
                "K4 = {j}",
                "R1 = {a, b, d}",
                "R2 = {i, j}",
                "R3 = {c}",
            ],
        ]

    def test_counts_are_those_of_the_paper(self):
        assert "= 1/3 * (2²/3 + 1²/3) = 5/3 / 3 = 5/9 = 55.56%\n" in self.text
        shares = "2²/3 + 1²/3 + 1²/2 + 1²/2 + 1²/1"
        assert f"= 1/6 * ({shares}) = 11/3 / 6 = 11/18 = 61.11%\n" in self.text

    def test_what_is_done_is_said_with_the_mentions(self):
        assert [re.sub(r"\s+", " ", one) for one in self.steps()] == [
            "Drop all twinless response mentions: d, i, j. Only the key's mentions are "
            "scored.",
            "Add each twinless key mention to the response, alone: c. Each then counts "
            "as found, but linked to nothing.",
            "Drop response entities that are one twinless mention: none.",
            "Add each twinless response mention to the key, alone: d, i, j. Every link "
            "to one of them then is a wrong one.",
            "Add each twinless key mention to the response, alone: c. Each then counts "
            "as found, but linked to nothing.",
        ]

    def steps(self) -> list[str]:
        return re.findall(r"^  \d\. (.*(?:\n     .*)*)", self.text, re.MULTILINE)

    def test_recall_works_on_the_key_and_precision_on_the_response(self):
        recall, precision = self.text.split("For precision:")
        assert re.findall(r"^  (\w+)  \d in ", recall, re.MULTILINE) == ["K1"]
        assert re.findall(r"^  (\w+)  \d in ", precision, re.MULTILINE) == [
            "R1",
            "R2",
            "R3",
        ]


def test_ceaf_is_aligned_for_recall_and_for_precision():
    # Cai and Strube 2010, section 2.3.3, with the response of their Table 4.
    text = explain(letters("abc"), letters("ab ij c"), metric="ceaf_m_sys")
    recall, precision = text.split("For precision:")
    aligned = re.compile(r"^  φ3\((\w+,\w+)\) .* aligned ", re.MULTILINE)
    assert aligned.findall(recall) == ["K1,R1"]
    assert aligned.findall(precision) == ["K1,R1", "K2,R2"]
    assert "= (2 + 1) / (2 + 2 + 1) = 3/5 = 60.00%\n" in text


@pytest.mark.parametrize("metric", ["b_cubed_0", "ceaf_m_rn", "ceaf_e_rn"])
def test_variant_that_alters_both_alike_is_told_once(metric):
    text = explain(*EXAMPLE, metric=metric)
    assert len(sides_listed(text)) == 1
    assert "\nFor recall and precision:\n" in text


@pytest.mark.parametrize("metric", RECIPES)
def test_same_mentions_leave_nothing_to_alter(metric):
    text = explain(letters("abc d"), letters("ab cd"), metric=metric)
    assert "\nBoth sides have the same mentions: nothing is altered.\n" in text
    plain = explain(letters("abc d"), letters("ab cd"), metric=metric.rsplit("_", 1)[0])
    assert text.splitlines()[-6:] == plain.splitlines()[-6:]


class TestNames:
    """Entities keep their names, and no name is used again."""

    @pytest.mark.parametrize(
        ("response", "expected"),
        [
            ("i abd", ["R2 = {a, b, d}", "R3 = {c}"]),
            ("abd i", ["R1 = {a, b, d}", "R3 = {c}"]),
            ("i j", ["R3 = {a}", "R4 = {b}", "R5 = {c}"]),
        ],
        ids=["first", "last", "all"],
    )
    def test_dropped_entity_leaves_a_gap(self, response, expected):
        text = explain(letters("abc"), letters(response), metric="b_cubed_sys")
        _, for_precision = sides_listed(text)
        assert [line for line in for_precision if line[0] == "R"] == expected

    def test_side_without_entities_says_so(self):
        text = explain(letters("abc"), letters("i j"), metric="ceaf_m_rn")
        assert sides_listed(text) == [["K1 = {a, b, c}", "no R"]]

    def test_names_of_many_entities_stand_in_line(self):
        response = [[number] for number in range(9)]
        text = explain([range(12)], response, metric="b_cubed_all")
        (for_recall, _) = sides_listed(text)
        assert for_recall[1] == "R1  = {0}"
        assert for_recall[-1] == "R12 = {11}"

    @pytest.mark.parametrize("metric", RECIPES)
    @given(pair=pairs())
    def test_original_entities_keep_theirs(self, metric, pair):
        before = scene(*pair)
        for alterations in RECIPES[metric]:
            after = list_altered_scenes(before, alterations)[-1]
            for one, other in zip(before.directions, after.directions, strict=True):
                named = {
                    one[0].name(entity): set(mentions)
                    for entity, mentions in enumerate(one[0].entities)
                }
                names = list(map(other[0].name, range(len(other[0].entities))))
                assert len(set(names)) == len(names)
                for name, mentions in zip(names, other[0].entities, strict=True):
                    assert set(mentions) <= named.get(name, set(mentions))
                    assert name in named or len(mentions) == 1


@given(pairs(16), st.lists(st.sampled_from(Alteration), max_size=4))
def test_sets_and_tables_are_altered_alike(pair, alterations):
    before = scene(*pair)
    after = list_altered_scenes(before, alterations)[-1]
    expected = apply_alterations(corefkit.overlap(*pair), tuple(alterations))
    assert in_any_order(after.table, after, before) == in_any_order(
        expected, after, before
    )


def in_any_order(table, after, before):
    """Describe a table, the entities that were added to it in whatever order."""
    kept = [
        sum(number <= len(old.entities) for number in new.numbers)
        for (new, _), (old, _) in zip(after.directions, before.directions, strict=True)
    ]
    cells = zip(
        table.key_entity.tolist(),
        table.response_entity.tolist(),
        table.shared.tolist(),
        strict=True,
    )
    return (
        table.key.size.tolist(),
        table.response.size.tolist(),
        Counter(
            (min(key, kept[0]), min(response, kept[1]), shared)
            for key, response, shared in cells
        ),
    )
