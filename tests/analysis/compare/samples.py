"""Samples made of small counts, for what must hold for any comparison."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from corefkit import METRICS
from corefkit.analysis.compare.procedure import Procedure
from corefkit.analysis.compare.sample import make_sample
from corefkit.metrics.metric import Metric
from corefkit.settings import Settings

# Few shuffles and draws, for tests that look at what stays the same.
QUICK = Procedure(samples=64)


def counts_of(found, expected, returned):
    """Make rows of four counts, found being the numerator of both ratios."""
    return np.stack([found, expected, found, returned], axis=1).astype(float)


def made(counts, *, units=None, metric="muc", **options):
    """Make a sample of one metric from the counts of systems, by their names."""
    rows = len(next(iter(counts.values())))
    chosen = metric if isinstance(metric, Metric) else METRICS[metric]
    return make_sample(
        {name: {chosen.name: np.array(found)} for name, found in counts.items()},
        metrics=[chosen],
        settings=options.pop("settings", Settings()),
        unit_of=units or [f"text {at}" for at in range(rows)],
        **options,
    )


@st.composite
def systems(draw, *, names="AB", min_units=1, max_units=7):
    """Draw the counts of systems on one key."""
    units = draw(st.integers(min_units, max_units))
    expected = np.array(
        draw(st.lists(st.integers(1, 9), min_size=units, max_size=units))
    )
    counts = {}
    for name in names:
        shares = st.lists(st.integers(0, 9), min_size=units, max_size=units)
        found = np.minimum(np.array(draw(shares)), expected)
        extra = np.array(draw(shares))
        counts[name] = counts_of(found, expected, found + extra)
    return counts


def random_systems(random, *, names="AB", units=40, spread=3):
    """Make counts of systems that differ by chance alone, larger units included."""
    expected = random.integers(5, 60, units)
    counts = {}
    for name in names:
        found = np.clip(
            (expected * 0.7 + random.normal(0, spread, units)).round(), 0, expected
        )
        counts[name] = counts_of(found, expected, found + random.integers(0, 9, units))
    return counts
