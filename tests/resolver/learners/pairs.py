"""Pairs to learn from, invented, and what TiMBL itself says of them."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
from hypothesis import strategies as st

from cistell.paper.memory import Column, Decisions, Instances

VALUES = tuple("abcdefgh")


def instances_of(rows, positive):
    """Name columns by their places; each has all values that the tests use."""
    rows = np.array(rows, dtype=np.uint8)
    columns = tuple(Column(f"f{at}", VALUES) for at in range(rows.shape[1]))
    return Instances(columns, rows, np.array(positive, dtype=np.bool_))


def skewed(seed, number, *, positive=0.1):
    """Draw pairs as real ones are: some features say much, most little, one nothing."""
    random = np.random.default_rng(seed)
    coreferent = random.random(number) < positive
    columns = []
    for at, size in enumerate((2, 3, 2, 4, 6, 8, 3, 7, 2, 8)):
        share = 1 / np.arange(1, size + 1) ** random.uniform(0.5, 2.0)
        drawn = random.choice(size, number, p=share / share.sum())
        tells = coreferent & (random.random(number) < 0.9 / 2**at)
        columns.append(np.where(tells, size - 1, drawn))
    columns.append(np.zeros(number))
    return instances_of(np.stack(columns, axis=1), coreferent)


@st.composite
def instance_sets(draw):
    """Draw a few rows of both classes, and rows to decide, some with unseen values."""
    width = draw(st.integers(1, 4))
    row = st.tuples(*[st.integers(0, 2)] * width)
    labelled = st.tuples(row, st.booleans())
    pairs = draw(st.lists(labelled, min_size=2, max_size=30))
    pairs += [(draw(row), True), (draw(row), False)]
    asked = st.tuples(*[st.integers(0, 3)] * width)
    rows = draw(st.lists(asked, min_size=1, max_size=20))
    learned = instances_of(*zip(*pairs, strict=True))
    return learned, np.array(rows, dtype=np.uint8)


class TimblItself:
    """TiMBL through its binding, without anything of corefkit in between."""

    def __init__(self, instances, *, k=1):
        import timblapi

        options = f"-a0 -mO -wgr -k{k} -F Tabbed +v+db +v+di +vs"
        self.timbl = timblapi.TimblAPI(options, "")
        with tempfile.TemporaryDirectory() as name:
            train, weights = Path(name) / "train", Path(name) / "weights"
            classes = np.where(instances.positive, "yes", "no")
            lines = np.char.add(_lines(instances.rows), classes)
            train.write_text("\n".join(lines) + "\n", "ascii")
            assert self.timbl.learn(str(train))
            assert self.timbl.saveWeights(str(weights))
            text = weights.read_text("ascii")
        lines = text.partition("# gr\n")[2].partition("\n#\n")[0].split("\n")[1:]
        self.weights = [float(line.split("\t")[1]) for line in lines]

    def decide(self, rows):
        positive, distance, probability = [], [], []
        for line in _lines(rows):
            done, name, votes, far = self.timbl.classify3(f"{line}?", False, 0)
            assert done
            positive.append(name == "yes")
            distance.append(far)
            probability.append(votes.get("yes", 0) / sum(votes.values()))
        return Decisions(*map(np.array, (positive, distance, probability)))


def _lines(rows):
    return ["".join(f"v{code}\t" for code in row) for row in rows.tolist()]


def assert_same(found, expected):
    """Hold decisions against others: classes and votes alike, distances to 1e-12."""
    np.testing.assert_array_equal(found.positive, expected.positive)
    np.testing.assert_array_equal(found.probability, expected.probability)
    np.testing.assert_allclose(found.distance, expected.distance, rtol=0, atol=1e-12)
