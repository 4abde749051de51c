"""The rows of claims on scores."""

from __future__ import annotations

import numpy as np
import pytest

from cistell.studies.claims import catalogue
from cistell.studies.claims.base import (
    Claim,
    about_equal,
    above,
    little_above,
)

VALUES = list(vars(catalogue).values())
CLAIMS = [
    *(value for value in VALUES if isinstance(value, Claim)),
    *catalogue.RANKINGS,
    *catalogue.SCHEMES,
]


def test_every_claim_says_what_and_where():
    assert len(CLAIMS) >= 14
    for claim in CLAIMS:
        assert claim.says
        assert claim.where.startswith(("section", "Table"))


def test_ids_name_one_claim_each():
    says = {}
    for claim in CLAIMS:
        says.setdefault(claim.id, set()).add(claim.says)
    twice = {id for id, sentences in says.items() if len(sentences) > 1}
    # Gold or automatic trees are better, as the paper has it for the dataset.
    assert twice == {"preprocessing"}


@pytest.mark.parametrize(
    ("margin", "meets", "misses"),
    [(above, [1, 9], [-1]), (little_above, [-9, 2], [4]), (about_equal, [-2, 2], [-4])],
)
def test_margin_is_above_0_where_a_difference_meets_the_claim(margin, meets, misses):
    assert (margin(np.array(meets)) > 0).all()
    assert (margin(np.array(misses)) < 0).all()
