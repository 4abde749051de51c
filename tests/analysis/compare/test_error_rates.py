"""How often tests and intervals are wrong: simulated systems on simulated texts."""

from __future__ import annotations

import numpy as np
import pytest

import corefkit
from corefkit.analysis.compare.judging import compare_sample
from corefkit.analysis.compare.procedure import Procedure
from corefkit.analysis.compare.sample import make_sample
from corefkit.settings import Settings

METRICS = ("b_cubed", "muc", "ceaf_e", "lea")


def partition(labels):
    entities = {}
    for mention, label in enumerate(labels):
        entities.setdefault(label, []).append(mention)
    return list(entities.values())


def document(random, worse):
    """Make a key and two responses, the second of which moves more mentions."""
    mentions = int(random.lognormal(3, 0.5)) + 4
    key = random.zipf(1.7, mentions) % 12
    hard = random.beta(2, 8)
    responses = []
    for chance in (hard, hard + worse):
        moved = random.random(mentions) < chance
        labels = np.where(moved, random.integers(0, 12, mentions), key)
        responses.append(partition(labels.tolist()))
    return partition(key.tolist()), *responses


def population(documents, *, worse=0.03):
    """Count the documents of two systems."""
    random = np.random.default_rng(8)
    made = [document(random, worse) for _ in range(documents)]
    key, *responses = (
        {f"text {at}": sides[which] for at, sides in enumerate(made)}
        for which in range(3)
    )
    return [
        corefkit.score(key, response, metrics=METRICS).counts for response in responses
    ]


def results(counts, *, seed, samples=1_000):
    """Compare two systems that are given by their counts."""
    units = [f"text {at}" for at in range(len(counts[0]["lea"]))]
    sample = make_sample(
        dict(zip("AB", counts, strict=True)),
        metrics=[corefkit.METRICS[name] for name in METRICS],
        settings=Settings(),
        unit_of=units,
    )
    return compare_sample(sample, Procedure(seed=seed, samples=samples))


@pytest.mark.slow
@pytest.mark.parametrize(("units", "samples"), [(6, 8), (12, 8), (30, 999)])
def test_at_most_one_in_twenty_pairs_of_equals_differs(units, samples):
    """Systems whose texts are swapped at random are equally good."""
    random = np.random.default_rng(units)
    counts = population(units, worse=0.1)
    found = []
    for seed in range(1_000):
        keep = random.random((units, 1)) < 0.5
        swapped = [
            {name: np.where(keep, one[name], other[name]) for name in METRICS}
            for one, other in (counts, counts[::-1])
        ]
        metrics = results(swapped, seed=seed, samples=samples)
        found.append([metric.pairs[0].p for metric in metrics])
    rates = (np.array(found) <= 0.05).mean(axis=0)
    assert rates.max() <= 0.065
    if units > 10:
        # It does find something: a test that never does is no test.
        assert rates.min() >= 0.03


@pytest.mark.slow
def test_expanded_intervals_of_twenty_texts_cover_what_they_say():
    random = np.random.default_rng(20)
    counts = population(64)
    (*truth,) = results(counts, seed=0, samples=8)
    covered = {kind: [] for kind in ("expanded", "percentile")}
    for seed in range(500):
        drawn = random.integers(0, 64, 20)
        own = [{name: rows[drawn] for name, rows in one.items()} for one in counts]
        for metric, whole in zip(results(own, seed=seed), truth, strict=True):
            values = [
                (metric.systems[0].intervals, whole.systems[0].score),
                (metric.pairs[0].intervals, whole.pairs[0].difference),
            ]
            for kind, found in covered.items():
                found += [
                    made[kind].low <= value <= made[kind].high for made, value in values
                ]
    expanded, percentile = (np.mean(covered[kind]) for kind in covered)
    assert 0.92 <= expanded <= 0.97
    # The reason for expanding them.
    assert percentile < expanded - 0.01
