"""Thresholds picked on held-out documents."""

from __future__ import annotations

import numpy as np
import pytest
from cistell.stories import stories

from corefkit.cistell.features import chosen_features
from corefkit.cistell.languages import language_named
from corefkit.cistell.learners.base import Decisions
from corefkit.cistell.lexicon import load_lexicon
from corefkit.cistell.models import LINKINGS
from corefkit.cistell.profiles import Context
from corefkit.cistell.tuning import picked_thresholds

FEATURES = chosen_features("en", only=["head_match", "string_match"])
_OTHER_HEAD, _SAME_WORDS = 0, 1


class Sure:
    """Calls nouns coreferent, those with the same words at a smaller distance."""

    def decide(self, rows):
        same = rows[:, 1] == _SAME_WORDS
        return Decisions(
            same | (rows[:, 0] == _OTHER_HEAD),
            np.where(same, 0.1, 0.5),
            np.where(same, 0.9, 0.5),
        )


@pytest.fixture(scope="module")
def context():
    return Context(language_named("en"), load_lexicon("en"))


def test_wrong_decisions_are_left_out(context):
    picked = picked_thresholds(
        stories(6), LINKINGS, Sure(), features=FEATURES, context=context
    )
    assert set(picked) == set(LINKINGS)
    assert all(0.1 < one < 0.5 for one in picked.values())


def test_documents_without_pairs_have_a_threshold_all_the_same(context):
    picked = picked_thresholds([], LINKINGS, Sure(), features=FEATURES, context=context)
    assert set(picked) == set(LINKINGS)
