"""Looks of curves: different without colour, and in colour for everybody."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from corefkit.lab.drawing import choose_looks
from corefkit.metrics.registry import (
    METRICS,
    SUPPLEMENTS,
    VARIANTS,
    get_label,
    list_metric_names,
)

NAMES = list_metric_names()
LOOKS = choose_looks(NAMES)
COLOURS = sorted({look["color"] for look in LOOKS.values()})
# One of each family.
PLAIN = ("mentions", "muc", "b_cubed", "ceaf_m", "ceaf_e", "ceaf_phi1", "blanc", "lea")

# How people see linear RGB who lack one kind of cones: Machado, Oliveira and Fernandes
# (2009), severity 1.
SIGHT = {
    "all cones": np.eye(3),
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "tritanopia": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}
LUMINANCE = np.array([0.2126, 0.7152, 0.0722])


def linear(colour):
    """Convert a colour such as #FF0000 to linear RGB."""
    shares = np.array([int(colour[place : place + 2], 16) for place in (1, 3, 5)]) / 255
    return np.where(
        shares <= 0.04045, shares / 12.92, ((shares + 0.055) / 1.055) ** 2.4
    )


def seen(colour, sight):
    """Convert a colour as somebody sees it to CIELAB; its distances are perceptual."""
    to_xyz = np.array(
        [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    )
    xyz = to_xyz @ np.clip(sight @ linear(colour), 0, 1) / (0.9505, 1, 1.089)
    x, y, z = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def without_colour(look):
    """Return what remains of a look in grey print: shape, filling, dashes."""
    is_empty = look["markerfacecolor"] == "white"
    return look["marker"], look["fillstyle"], is_empty, look["linestyle"]


def test_no_two_metrics_differ_by_colour_alone():
    assert len({without_colour(look) for look in LOOKS.values()}) == len(NAMES)


@pytest.mark.parametrize("colour", COLOURS)
def test_colours_stand_out_from_white(colour):
    contrast = 1.05 / (0.05 + LUMINANCE @ linear(colour))
    assert contrast >= 3


@pytest.mark.parametrize("sight", SIGHT)
def test_families_differ_in_colour_for_everybody(sight):
    colours = {
        name: seen(LOOKS[name]["color"], SIGHT[sight]) for name in (*PLAIN, "conll")
    }
    for one, other in combinations(colours, 2):
        assert np.linalg.norm(colours[one] - colours[other]) > 15, (one, other)


def test_families_differ_in_the_shape_of_markers():
    assert len({LOOKS[name]["marker"] for name in PLAIN}) == len(PLAIN)


@pytest.mark.parametrize(
    "name", [*VARIANTS, "ceaf_m_links", "ceaf_e_graded", "lea_weighted"]
)
def test_variants_have_colour_and_shape_of_their_metric(name):
    plain = LOOKS[name.rpartition("_")[0]]
    assert LOOKS[name]["color"] == plain["color"]
    assert LOOKS[name]["marker"] == plain["marker"]
    assert LOOKS[name]["linestyle"] != plain["linestyle"]
    assert without_colour(LOOKS[name]) != without_colour(plain)


def test_look_of_a_metric_is_the_same_in_every_figure():
    assert choose_looks(["own", "lea", "zeros"])["lea"] == LOOKS["lea"]
    assert choose_looks(["zeros"])["zeros"] == LOOKS["zeros"]


def test_curves_of_ones_own_get_looks_of_their_own():
    own = [f"system {number}" for number in range(15)]
    looks = choose_looks([*NAMES, *own])
    names = [*NAMES, *own]
    assert len({without_colour(look) for look in looks.values()}) == len(names)
    assert looks["system 0"]["linestyle"] == "solid"


def test_many_curves_of_ones_own_all_have_some_look():
    looks = choose_looks([f"system {number}" for number in range(100)])
    assert all("marker" in look for look in looks.values())


def test_labels_are_those_of_tables():
    for metrics in (METRICS, VARIANTS, SUPPLEMENTS):
        for name, metric in metrics.items():
            assert get_label(name) == metric.label
    assert get_label("conll") == "CoNLL"
