"""Gradients against finite differences, with all weights and with dropping."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array

from cistell.network.encoder import Inputs, Rates, encode, through_encoder
from cistell.network.layers import IGNORED
from cistell.network.packing import Packed
from cistell.network.questions import Losses, Questions
from cistell.network.sizes import Sizes, first_weights, shapes_of

SIZES = Sizes(
    word=4, pieces=3, buckets=6, hidden=3, arc=4, relation=3, pointer=3, label=4
)
COUNTS = {"word": 7, "tag": 5, "lemma": 3, "type": 4, "relation": 4}
LENGTHS = [5, 3, 3, 1]
WORDS = sum(LENGTHS)


def batch(chance):
    """Draw inputs and right answers."""
    packed = Packed(LENGTHS)
    shares = chance.random((WORDS, SIZES.buckets)) * (chance.random((WORDS, 6)) < 0.5)
    inputs = Inputs(packed, chance.integers(0, 7, WORDS), csr_array(shares))
    places = chance.integers(0, 100, (3, WORDS)) % packed.lengths[packed.sentence]
    known = chance.random((3, WORDS)) < 0.7
    arcs = np.where(known[0], places[0] + 1, 0)
    targets = {
        name: chance.integers(0, COUNTS[name], WORDS) for name in ("tag", "type")
    }
    targets |= {
        "lemma": chance.integers(IGNORED, COUNTS["lemma"], WORDS),
        "arc": arcs,
        "parent": packed.parents(arcs),
        "relation": np.where(known[0], chance.integers(0, 4, WORDS), IGNORED),
        "start": np.where(known[1], places[1], IGNORED),
        "end": np.where(known[2], places[2], IGNORED),
    }
    return inputs, targets


@pytest.mark.parametrize("rates", [None, Rates()], ids=["whole", "dropping"])
@pytest.mark.slow
def test_gradients_are_those_of_finite_differences(rates):
    chance = np.random.default_rng(1)
    weights = first_weights(shapes_of(SIZES, COUNTS), chance, dtype=np.float64)
    weights.flat[:] = chance.normal(0, 0.4, weights.flat.shape)
    inputs, targets = batch(chance)

    def total(gradients):
        """Compute the loss, dropping the same each time."""
        again = np.random.default_rng(2)
        encoded = encode(weights, SIZES, inputs, chance=again, rates=rates)
        losses = Losses(Questions(weights, SIZES, encoded), targets, gradients)
        through_encoder(weights, gradients, SIZES, encoded, losses.delta)
        return losses.total

    gradients = weights.like()
    total(gradients)
    for name, part in weights.items():
        values, slope = part.reshape(-1), gradients[name].reshape(-1)
        assert np.any(slope), name
        for place in chance.permutation(len(values))[:8]:
            kept, step = values[place], 1e-5
            values[place] = kept + step
            above = total(weights.like())
            values[place] = kept - step
            below = total(weights.like())
            values[place] = kept
            expected = (above - below) / (2 * step)
            assert slope[place] == pytest.approx(expected, abs=1e-8), name
