"""Curves as text and as figures."""

from __future__ import annotations

import csv
import io
import json

import pytest
from kept import GOLDEN, check_golden

import corefkit
from corefkit.lab.curves import (
    COLUMNS,
    CURVE_WRITERS,
    make_figures,
    perturb,
    render_curves,
    render_curves_csv,
    render_curves_json,
)
from corefkit.lab.labels import list_partition_metrics, read_key
from corefkit.lab.perturbation import PERTURBATIONS, generate_pair
from corefkit.settings import DEFAULT_SETTINGS, VERSION

PAIR = read_key(["abcd", "efgh"], settings=DEFAULT_SETTINGS)
MOST_CURVES = 9


@pytest.fixture(scope="module")
def curves():
    kinds, metrics = ["split", "merge"], ["muc", "lea"]
    return perturb(PAIR, kinds=kinds, metrics=metrics, steps=3, seed=3)


@pytest.fixture(scope="module")
def everything():
    return perturb(generate_pair(2), steps=3)


@pytest.mark.kept
def test_table_has_a_row_a_metric_and_a_column_a_step(curves):
    check_golden(GOLDEN / "perturb.txt", f"{render_curves(curves)}\n")


def test_lines_of_tables_fit_a_terminal():
    text = render_curves(perturb(generate_pair(2), seed=1))
    assert max(map(len, text.splitlines()[:-1])) <= 88


def test_csv_has_a_row_for_each_point(curves):
    rows = list(csv.DictReader(io.StringIO(render_curves_csv(curves))))
    assert tuple(rows[0]) == COLUMNS
    assert len(rows) == len(curves.points) == 12
    first = rows[2]
    assert first["perturbation"] == "split"
    assert (first["step"], first["share"], first["metric"]) == ("1", "0.5", "muc")
    assert (first["recall"], first["precision"]) == ("0.5", "1.0")
    assert {row["seed"] for row in rows} == {"3"}
    assert {row["signature"] for row in rows} == {DEFAULT_SETTINGS.signature}


def test_csv_numbers_are_exact(everything):
    rows = csv.DictReader(io.StringIO(render_curves_csv(everything)))
    assert [float(row["f1"]) for row in rows] == [
        point.f1 for point in everything.points
    ]


def test_mean_has_no_recall_and_precision_in_csv(everything):
    rows = list(csv.DictReader(io.StringIO(render_curves_csv(everything))))
    means = [row for row in rows if row["metric"] == "conll"]
    assert {(row["recall"], row["precision"]) for row in means} == {("", "")}


def test_json_says_what_was_done(curves):
    values = json.loads(render_curves_json(curves))
    assert values["corefkit"] == VERSION
    assert values["signature"] == DEFAULT_SETTINGS.signature
    assert (values["seed"], values["shares"]) == (3, [0, 0.5, 1])
    split, _ = values["perturbations"]
    assert split["perturbation"] == "split"
    assert split["scores"]["muc"]["recall"] == [1, 0.5, 0]


@pytest.mark.parametrize("name", CURVE_WRITERS)
@pytest.mark.slow
def test_same_seed_gives_the_same_text(name):
    one, same = (
        CURVE_WRITERS[name](perturb(generate_pair(2, seed=7), steps=3, seed=7))
        for _ in range(2)
    )
    assert one == same


class TestFigures:
    def test_each_perturbation_has_one_of_metrics_and_one_of_variants(self, everything):
        names = [figure.name for figure in make_figures(everything)]
        assert [name for name in names if not name.endswith("-own")] == [
            f"{name}{ending}" for name in PERTURBATIONS for ending in ("", "-variants")
        ]

    def test_every_metric_is_drawn_and_no_panel_is_crowded(self, everything):
        for perturbation in PERTURBATIONS:
            names = {f"{perturbation}{end}" for end in ("", "-variants", "-own")}
            panels = [
                panel
                for figure in make_figures(everything)
                if figure.name in names
                for panel in figure.panels
            ]
            drawn = {name for panel in panels for name in panel.curves}
            assert drawn == {*list_partition_metrics(), "conll"}
            assert all(len(panel.curves) <= MOST_CURVES for panel in panels)

    def test_curves_are_f1_by_step(self, curves):
        figure, _ = make_figures(curves)
        assert figure.ticks == ["0%", "50%", "100%"]
        assert (figure.x_label, figure.y_label) == (
            "share of the key's links cut",
            "F1",
        )
        (panel,) = figure.panels
        assert panel.curves["muc"] == pytest.approx([1, 2 / 3, 0])

    def test_panel_without_a_metric_of_its_own_is_left_out(self):
        metrics = ["b_cubed", "b_cubed_sys"]
        found = make_figures(perturb(PAIR, kinds=["split"], metrics=metrics, steps=2))
        shown = {
            figure.name: [list(panel.curves) for panel in figure.panels]
            for figure in found
        }
        assert shown == {"split": [["b_cubed"]], "split-variants": [metrics]}

    def test_metric_of_ones_own_has_a_figure(self):
        own = corefkit.lea_with(len, name="lea_by_size")
        metrics = ["lea", own]
        found = make_figures(perturb(PAIR, kinds=["split"], metrics=metrics, steps=2))
        assert [figure.name for figure in found] == ["split", "split-own"]
        assert list(found[1].panels[0].curves) == ["lea_by_size"]
