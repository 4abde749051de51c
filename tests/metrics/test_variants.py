"""The system-mention variants: the papers' tables, and the facts that follow."""

from __future__ import annotations

import numpy as np
import pytest
from builders import COUNTS, close_to, counts, label_lists, labelled, letters, pairs
from hypothesis import given
from hypothesis import strategies as st
from slow_metrics import mentions_of

import corefkit
from corefkit.metrics.variants import RECIPES, Alteration, apply_alterations

VARIANTS = tuple(corefkit.VARIANTS)
PLAIN = {
    name: next(plain for plain in ("b_cubed", "ceaf_m", "ceaf_e") if plain in name)
    for name in VARIANTS
}

# Recall and precision as printed in Cai and Strube 2010. Tables 13 and 15 begin with
# what Tables 12 and 14 have second.
PRINTED = {
    "Table 1 System 1": ("abc", "abd", {
        "b_cubed_0": (0.444, 1.0),
        "b_cubed_all": (0.556, 0.556),
        "b_cubed_rn": (0.556, 0.556),
        "b_cubed_sys": (0.556, 0.667),
        "ceaf_m_sys": (0.667, 0.5),
    }),
    "Table 1 System 2": ("abc", "abde", {
        "b_cubed_0": (0.444, 1.0),
        "b_cubed_all": (0.556, 0.375),
        "b_cubed_rn": (0.556, 0.375),
        "b_cubed_sys": (0.556, 0.5),
        "ceaf_m_sys": (0.667, 0.4),
    }),
    "Table 2 System 2": ("abc", "abd c", {
        "b_cubed_all": (0.556, 0.667),
        "b_cubed_rn": (0.556, 0.667),
        "b_cubed_sys": (0.556, 0.667),
        "ceaf_m_sys": (0.667, 0.5),
    }),
    "Table 3 System 1": ("ab", "abd", {
        "b_cubed_all": (1.0, 0.556),
        "b_cubed_rn": (1.0, 0.556),
        "b_cubed_sys": (1.0, 0.556),
        "ceaf_m_sys": (1.0, 0.667),
    }),
    "Table 3 System 2": ("ab", "abd i j k", {
        "b_cubed_all": (1.0, 0.778),
        "b_cubed_rn": (1.0, 0.556),
        "b_cubed_sys": (1.0, 0.556),
        "ceaf_m_sys": (1.0, 0.667),
    }),
    "section 2.2.2": ("abc", "abd ij", {"b_cubed_sys": (0.556, 0.611)}),
    "Tables 4 and 6 System 1": ("abc", "ab c i j", {
        "ceaf_m": (0.667, 0.4),
        "b_cubed_sys": (0.556, 1.0),
        "ceaf_m_sys": (0.667, 0.667),
        "ceaf_e_sys": (0.8, 0.4),
    }),
    "Tables 4 and 6 System 2": ("abc", "ab ij c", {
        "ceaf_m": (0.667, 0.4),
        "b_cubed_sys": (0.556, 0.8),
        "ceaf_m_sys": (0.667, 0.6),
        "ceaf_e_sys": (0.8, 0.489),
    }),
    "Table 5 System 1": ("abc", "ab ij kl c", {
        "ceaf_m_rn": (0.667, 0.286),
        "b_cubed_sys": (0.556, 0.714),
        "ceaf_m_sys": (0.667, 0.571),
    }),
    "Table 5 System 2": ("abc", "ab ijkl c", {
        "ceaf_m_rn": (0.667, 0.286),
        "b_cubed_sys": (0.556, 0.571),
        "ceaf_m_sys": (0.667, 0.429),
    }),
    **{
        f"Table {table} {response}": ("abcde", response, {"b_cubed_sys": printed})
        for table, rows in {
            12: {
                "ab ij": (0.28, 0.857),
                "abc ij": (0.44, 0.857),
                "abcd ij": (0.68, 0.857),
                "abcde ij": (1.0, 0.857),
            },
            13: {
                "abc ijk": (0.44, 0.75),
                "abc ijkl": (0.44, 0.667),
                "abc ijklm": (0.44, 0.6),
            },
            14: {
                "abij": (0.28, 0.643),
                "abcij": (0.44, 0.6),
                "abcdij": (0.68, 0.571),
                "abcdeij": (1.0, 0.551),
            },
            15: {
                "abcijk": (0.44, 0.5),
                "abcijkl": (0.44, 0.429),
                "abcijklm": (0.44, 0.375),
            },
        }.items()
        for response, printed in rows.items()
    },
}  # fmt: skip


def score(key, response):
    return corefkit.score(
        key, response, metrics=["b_cubed", "ceaf_m", "ceaf_e", *VARIANTS]
    )


@st.composite
def pairs_of_the_same_mentions(draw):
    """Draw two partitions without twinless mentions."""
    mentions = draw(st.integers(0, 12))
    return tuple(
        labelled([label + 1 for label in draw(label_lists(mentions))]) for _ in "kr"
    )


@pytest.mark.parametrize(
    ("key", "response", "printed"), PRINTED.values(), ids=PRINTED.keys()
)
def test_score_rounds_to_the_printed_one(key, response, printed):
    result = score(letters(key), letters(response))
    assert {
        name: (round(result[name].recall, 3), round(result[name].precision, 3))
        for name in printed
    } == printed


def test_slip_of_section_2_3_3_is_none_of_ours():
    # The response of the text has a d that neither its sum nor Table 4 has.
    assert score(["abc"], letters("abd ij c"))["ceaf_m_sys"].precision == 0.5
    assert score(["abc"], letters("ab ij c"))["ceaf_m_sys"].precision == 0.6


def test_every_variant_has_a_recipe_and_a_row():
    assert tuple(RECIPES) == VARIANTS


class TestFacts:
    """What follows from the definitions, whatever key and response."""

    @given(pairs(20))
    def test_recalls_of_b_cubed_are_equal_but_that_of_0_which_is_lower(self, pair):
        result = score(*pair)
        recalls = [result[f"b_cubed_{one}"].recall for one in ("all", "rn", "sys")]
        assert recalls == pytest.approx([recalls[0]] * 3, rel=1e-9)
        assert result["b_cubed_0"].recall <= recalls[0] + 1e-9

    @given(pairs(20))
    def test_precision_of_rn_is_the_lowest(self, pair):
        result = score(*pair)
        lowest = result["b_cubed_rn"].precision - 1e-9
        assert result["b_cubed_sys"].precision >= lowest
        assert result["b_cubed_all"].precision >= lowest

    @given(pairs(20))
    def test_precision_of_sys_is_that_of_rn_and_one_for_each_missing(self, pair):
        key, response = pair
        result = score(key, response)
        missing = len(mentions_of(key) - mentions_of(response))
        rn, both = result["b_cubed_rn"], result["b_cubed_sys"]
        assert both.precision_numerator == pytest.approx(
            rn.precision_numerator + missing, rel=1e-9
        )
        assert both.precision_denominator == rn.precision_denominator + missing

    @pytest.mark.parametrize("plain", ["ceaf_m", "ceaf_e"])
    @given(pairs(20))
    def test_recall_of_rn_is_that_of_plain_ceaf(self, plain, pair):
        result = score(*pair)
        assert result[f"{plain}_rn"].recall == pytest.approx(
            result[plain].recall, rel=1e-9
        )

    @given(pairs_of_the_same_mentions())
    def test_all_are_the_plain_metric_where_the_mentions_are_the_same(self, pair):
        result = score(*pair)
        for name, plain in PLAIN.items():
            assert counts_of(result[name]) == counts_of(result[plain]), name

    @given(pairs(20))
    def test_lone_spurious_mentions_change_neither_rn_nor_sys(self, pair):
        key, response = pair
        names = [name for name in VARIANTS if name.endswith(("rn", "sys"))]
        spurious = [[f"spurious {number}"] for number in range(3)]
        assert counts(score(key, [*response, *spurious]), names) == close_to(
            counts(score(key, response), names)
        )

    @given(pairs(20))
    def test_lone_missing_mentions_change_nothing_of_sys_if_they_are_found(self, pair):
        key, response = pair
        names = [name for name in VARIANTS if name.endswith("sys")]
        found = [[one] for one in mentions_of(key) - mentions_of(response)]
        assert counts(score(key, [*response, *found]), names) == close_to(
            counts(score(key, response), names)
        )


class TestEmptyResponse:
    @given(pairs(20))
    def test_scores_as_all_key_mentions_alone_under_sys(self, pair):
        key, _ = pair
        names = [name for name in VARIANTS if name.endswith("sys")]
        alone = [[mention] for mention in mentions_of(key)]
        assert counts(score(key, []), names) == close_to(
            counts(score(key, alone), names)
        )

    def test_is_precise_in_b_cubed_and_has_recall_under_sys(self):
        result = score(letters("abc de"), [])
        assert result["b_cubed_sys"].precision == 1
        assert result["b_cubed_sys"].recall == pytest.approx(2 / 5)
        # CEAF aligns one mention of each key entity, and leaves three over.
        assert result["ceaf_m_sys"].precision == pytest.approx(2 / 5)
        assert result["ceaf_m_sys"].recall == pytest.approx(2 / 5)

    @pytest.mark.parametrize("name", [one for one in VARIANTS if "sys" not in one])
    def test_has_no_precision_under_the_others(self, name):
        assert score(letters("abc de"), [])[name].undefined == ("precision",)

    @pytest.mark.parametrize("name", VARIANTS)
    def test_empty_key_has_no_recall(self, name):
        assert "recall" in score([], letters("abc de"))[name].undefined


class TestAltered:
    @pytest.mark.parametrize("name", VARIANTS)
    @given(pair=pairs(20))
    def test_cells_stay_in_order_and_fill_no_entity_over_its_size(self, name, pair):
        for alterations in RECIPES[name]:
            table = apply_alterations(corefkit.overlap(*pair), alterations)
            cells = np.stack((table.key_entity, table.response_entity))
            assert (np.diff(table.key_entity) >= 0).all()
            assert np.unique(cells, axis=1).shape == cells.shape
            assert (table.shared > 0).all()
            assert (table.shared <= table.key_size).all()
            assert (table.shared <= table.response_size).all()

    @given(pairs(20))
    def test_sys_leaves_no_twinless_mention(self, pair):
        for alterations in RECIPES["b_cubed_sys"]:
            table = apply_alterations(corefkit.overlap(*pair), alterations)
            assert table.key.size.sum() == table.shared.sum()
            assert table.response.size.sum() == table.shared.sum()

    def test_entities_have_sizes_but_no_mentions(self):
        table = apply_alterations(
            corefkit.overlap(["ab"], ["ac"]), (Alteration.ADD_TO_KEY,)
        )
        with pytest.raises(corefkit.SettingsError, match="entity 1"):
            table.key.members(1)


def counts_of(one) -> list[float]:
    return [getattr(one, field) for field in COUNTS]
