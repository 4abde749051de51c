"""What memory-based learners keep, and what they refuse."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from cistell.learners.pairs import skewed

from corefkit.cistell.learners.memory import memory_from, memory_of
from corefkit.exceptions import CorefkitError

PAIRS = skewed(0, 200)
MEMORY = memory_of(PAIRS)


def test_every_pair_has_its_vote():
    assert MEMORY.votes.sum(axis=0).tolist() == [
        int((~PAIRS.positive).sum()),
        int(PAIRS.positive.sum()),
    ]
    assert len(MEMORY.rows) == len(np.unique(PAIRS.rows, axis=0)) < len(PAIRS.rows)


def test_memory_is_read_as_it_was_written():
    again = memory_from(MEMORY.files(), PAIRS.columns)
    assert again.files() == MEMORY.files()
    assert again.by_name() == MEMORY.by_name()


@pytest.mark.parametrize(
    "change",
    [
        {"rows": MEMORY.rows[1:]},
        {"rows": MEMORY.rows + np.uint8(8)},
        {"rows": MEMORY.rows[:0], "votes": MEMORY.votes[:0]},
        {"votes": MEMORY.votes[1:]},
        {"votes": -MEMORY.votes},
        {"votes": 0 * MEMORY.votes},
        {"weights": MEMORY.weights[1:]},
        {"weights": -MEMORY.weights},
        {"weights": MEMORY.weights * np.nan},
        {"k": 0},
        {"k": "many"},
    ],
    ids=lambda change: " ".join(change),
)
def test_what_does_not_fit_is_damaged(change):
    with pytest.raises(CorefkitError, match="missing or damaged"):
        memory_from(replace(MEMORY, **change).files(), PAIRS.columns)


@pytest.mark.parametrize("body", [b"", b"{}", b"[]", b'{"k": {}}', b"\xff"])
def test_settings_that_are_none_are_damaged(body):
    with pytest.raises(CorefkitError, match=r"memory\.json is missing or damaged"):
        memory_from({**MEMORY.files(), "memory.json": body}, PAIRS.columns)
