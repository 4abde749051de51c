"""What a terminal shows of a comparison, compared with kept files."""

from __future__ import annotations

from dataclasses import replace
from math import nan

import pytest
from comparisons import FIVE, METRICS, SHAPES, TWENTY, TWO, made
from hypothesis import given
from hypothesis import strategies as st
from kept import GOLDEN, check_golden

import corefkit
from corefkit.analysis.compare.comparison_text import (
    COMPARISON_WRITERS,
    build_comparison_page,
    select_detailed,
)
from corefkit.tables.html import render_html_page
from corefkit.tables.latex import render_latex
from corefkit.tables.markdown import render_markdown
from corefkit.tables.model import Page
from corefkit.tables.terminal import measure_width, render_terminal

KEPT = GOLDEN / "comparison"
SHOWN = {f"table-{name}.txt": ("table", name) for name in SHAPES}
SHOWN |= {
    f"{format}-{name}.{suffix}": (format, name)
    for format, suffix in {"markdown": "md", "latex": "tex", "csv": "csv"}.items()
    for name in ("one", "two", "five", "five-lea", "baseline-lea", "five-refused")
}
SHOWN |= {
    "markdown-hostile.md": ("markdown", "hostile"),
    "latex-hostile.tex": ("latex", "hostile"),
    "latex-twenty.tex": ("latex", "twenty"),
    "latex-many.tex": ("latex", "many"),
    "csv-hostile.csv": ("csv", "hostile"),
    "markdown-five-sorted.md": ("markdown", "five-sorted"),
    "csv-five-strata.csv": ("csv", "five-strata"),
}
table = COMPARISON_WRITERS["table"]
each_shape = pytest.mark.parametrize("comparison", SHAPES.values(), ids=SHAPES)


@pytest.mark.kept
@pytest.mark.parametrize("name", SHOWN)
def test_output_is_the_kept_one(name):
    format, shape = SHOWN[name]
    check_golden(KEPT / name, COMPARISON_WRITERS[format](SHAPES[shape]) + "\n")


def test_every_kept_file_is_compared():
    assert {file.name for file in KEPT.iterdir()} == set(SHOWN)


@each_shape
@pytest.mark.parametrize("width", [60, 80, 132])
def test_no_line_is_wider_than_the_terminal(comparison, width):
    *lines, signature = render_terminal(
        build_comparison_page(comparison), width=width
    ).splitlines()
    assert signature == comparison.signature
    assert max(map(measure_width, lines)) <= width


@pytest.mark.parametrize("start", ["", "runs/", "shared-task-2026-submission-"])
def test_five_systems_are_in_one_piece_in_80_columns(start):
    lines = table(made({f"{start}{name}": FIVE[name] for name in FIVE})).splitlines()
    # Each metric has one line; a table in pieces would have more.
    assert sum(line.startswith("MUC ") for line in lines) == 1
    assert max(map(measure_width, lines[:-1])) <= 80


def test_overview_of_twenty_systems_is_split_in_80_columns():
    lines = table(made(TWENTY)).splitlines()
    starts = [line.split()[0] for line in lines if line.startswith("submission-")]
    assert sorted(starts) == sorted([*TWENTY, *TWENTY])
    ranked = [line for line in lines if "submission-07  " in line]
    assert any(line.endswith("16-20") for line in ranked)


@each_shape
@pytest.mark.parametrize("write", [render_markdown, render_latex])
def test_any_writer_takes_the_page(comparison, write):
    parts = build_comparison_page(comparison)
    assert comparison.signature in write(parts)
    page = Page("Systems", (), tuple(parts), "corefkit compare")
    assert render_html_page(page).count("<script") == 1  # its own


class TestDetails:
    """Which metrics have details beside the overview."""

    @pytest.mark.parametrize(
        ("metrics", "shown"),
        [
            (["lea"], ["lea"]),
            (["lea", "muc", "blanc"], ["lea", "muc", "blanc"]),
            (["lea", "muc", "blanc", "mentions"], []),
            (["muc", "b_cubed", "ceaf_e", "conll"], ["conll"]),
            (["muc", "b_cubed", "ceaf_e", "lea", "conll"], ["lea", "conll"]),
        ],
    )
    def test_few_are_shown(self, metrics, shown):
        assert select_detailed(made(TWO, metrics=metrics)) == shown

    def test_only_conll_is_by_default(self):
        assert select_detailed(made(FIVE)) == ["conll"]
        assert "`--metric lea` shows LEA in detail" in table(made(FIVE))

    def test_of_many_without_conll_none_is(self):
        names = ["mentions", "lea", "blanc", "muc"]
        text = table(made(FIVE, metrics=names))
        assert "W/T/L" not in text
        assert "`--metric blanc`" in text


class TestMarks:
    def test_few_units_give_no_star_but_the_reason(self):
        text = table(SHAPES["five-few"])
        assert "7.21°" in text
        assert "*" not in text
        assert "only 7 texts differ, so adjusted p is at least" in text

    def test_few_samples_are_another_reason(self):
        comparison = made(FIVE, metrics=["lea"], samples=99)
        (lea,) = comparison.metrics.values()
        pairs = [
            replace(pair, can_be_significant=False, is_significant=False)
            for pair in lea.pairs
        ]
        changed = replace(lea, pairs=tuple(pairs))
        text = " ".join(table(replace(comparison, metrics={"lea": changed})).split())
        assert (
            "° cannot be significant: there are only 99 shuffles, so adjusted p is at "
            "least 0.1: take more --samples"
        ) in text

    @pytest.mark.parametrize("scores", [TWO, FIVE])
    def test_p_that_cannot_be_computed_has_a_reason_too(self, scores):
        comparison = made(scores, metrics=["lea", "muc"], test="t", units=1, differ=1)
        metrics = {
            name: replace(
                metric,
                pairs=tuple(
                    replace(pair, p=nan, p_adjusted=nan, is_exact=False, intervals={})
                    for pair in metric.pairs
                ),
            )
            for name, metric in comparison.metrics.items()
        }
        text = table(replace(comparison, metrics=metrics))
        assert "° cannot be significant: there is no p, as nothing varies" in text
        assert "nan" not in text
        assert "shuffles" not in text

    def test_rank_that_is_better_than_one_above_is_marked(self):
        text = table(SHAPES["inverted"])
        assert "3 c  50.00  [47.00, 53.00]     1†  ab" in text
        assert "† differs from fewer systems above it" in text
        assert "†" not in table(SHAPES["five"])

    def test_only_marks_that_are_there_are_explained(self):
        text = table(SHAPES["two-lea"])
        assert not {"*", "°", "~", "†"} & {*text}
        assert "rank" not in text.replace("randomization", "")

    def test_borderline_is_marked(self):
        text = table(SHAPES["borderline"])
        assert "1.00*~" in text
        assert "~ borderline: more --samples" in text

    def test_better_and_worse_than_the_baseline(self):
        scores = {"good": 0.7, "base": 0.6, "bad": 0.5, "like": 0.6}
        text = table(made(scores, baseline="base", metrics=["muc", "lea"]))
        row = next(line.split() for line in text.splitlines() if line[:3] == "MUC")
        assert row == ["MUC", "78.00+", "68.00", "68.00", "58.00-"]
        assert "+ - significantly better, worse than base" in text


class TestPairs:
    def test_p_stands_there_once_where_nothing_is_adjusted(self):
        text = table(made(FIVE, metrics=["lea"], correction="none"))
        assert "adj" not in text

    def test_better_one_comes_first(self):
        rows = [
            " ".join(line.split()) for line in table(SHAPES["five-lea"]).split("\n")
        ]
        assert "1 \N{MINUS SIGN} 5 7.21* [6.01, 8.41] <0.0001 0.0010 20/12/0" in rows
        errors = table(SHAPES["errors"])
        assert "1 \N{MINUS SIGN} 5    -65*    [-71, -59]" in errors


class TestTwo:
    def test_what_goes_unseen_is_told_without_significance_only(self):
        assert "Differences below 1.80 points would mostly not be detected" in table(
            SHAPES["two-lea"]
        )
        assert "detected" not in table(SHAPES["two"])

    @pytest.mark.parametrize("baseline", TWO)
    def test_difference_is_that_to_the_baseline(self, baseline):
        sign = "-" if baseline == "runs/careful.conll" else "+"
        text = table(made(TWO, metrics=["lea", "muc"], baseline=baseline))
        assert text.count(f"{sign}6.55*") == 1
        name = "greedy 54.88" if sign == "-" else "careful 61.43"
        assert f"LEA F1: {name} [" in text

    def test_identical_systems(self):
        text = table(SHAPES["identical"])
        assert "0.00             -  1.0000  0/32/0" in text
        assert "a and b are identical: same counts in every text" in text
        assert "detected" not in text


def test_value_in_place_of_f1_is_named():
    comparison = made(FIVE, metrics=["muc", "lea"])
    lea = replace(comparison.metrics["lea"], label="α (of sets)", statistic="value")
    both = replace(comparison, metrics={**comparison.metrics, "lea": lea})
    text = table(both)
    assert "F1, of α the value and rank (#), best MUC first" in text
    assert "\nα (of sets), best first\n" in text
    alone = table(replace(comparison, metrics={"lea": lea}))
    assert "randomization test of value" in " ".join(alone.split())


def test_t_test_is_not_said_to_test_the_scores_shown():
    text = " ".join(table(SHAPES["t"]).split())
    assert "on the mean over documents, as in Cai and Strube (2010), not on" in text


def test_refused_submissions_are_named_with_the_reason():
    text = table(SHAPES["five-refused"])
    assert "Not compared: 2 submissions that cannot be scored" in text
    assert "gone.conll    no such file" in text


names = st.text("abXY-_.0漢é\u0301\x1b", min_size=1, max_size=24)


@given(
    scores=st.dictionaries(
        names, st.integers(200, 800).map(lambda n: n / 1000), min_size=1, max_size=12
    ),
    metrics=st.sampled_from([["lea"], ["lea", "muc"], [*METRICS], ["errors.divided"]]),
    differ=st.integers(0, 20),
    has_baseline=st.booleans(),
    width=st.integers(60, 140),
)
def test_any_comparison_fits_any_terminal(scores, metrics, differ, has_baseline, width):
    first, *others = scores
    baseline = first if has_baseline and others else None
    comparison = made(scores, metrics=metrics, differ=differ, baseline=baseline)
    *lines, signature = render_terminal(
        build_comparison_page(comparison), width=width
    ).splitlines()
    assert signature == comparison.signature
    assert max(map(measure_width, lines)) <= width
    for write in COMPARISON_WRITERS.values():
        assert "\x1b" not in write(comparison)


def test_response_that_equals_the_key_is_reported_as_identical():
    key = {name: ["abc", "de"] for name in "1234"}
    comparison = corefkit.compare(key, {"A": key}, metrics="lea,muc", samples=50)
    text = table(comparison)
    assert "[100.00, 100.00]" not in text
    assert "A is identical to the key: it has no intervals" in text
