"""How candidates are ranked: the share of a mention's true antecedents is made large.

The rows of a mention are its candidates, and one for "no antecedent". Their scores s
make shares p = exp(s) / sum of exp(s) over the rows. A row is right if the candidate is
coreferent; where none is, "no antecedent" is. What is learned makes

    - log (sum of p over the right rows)

small, so that it is enough to find one antecedent (Durrett and Klein 2013, without
their costs of errors).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from corefkit.cistell.learners.growing import Objective
    from corefkit.columns import Flags, Floats, Ints

# A second derivative of nothing would let scores run away.
_FLATTEST = 1e-4


def antecedent_objective(starts: Ints, right: Flags) -> Objective:
    """Return the objective for rows in groups, of which `starts` has the first rows.

    Every group has a right row.

    >>> objective = antecedent_objective(np.array([0]), np.array([True, False]))
    >>> objective(np.zeros(2))[0].tolist()
    [-0.5, 0.5]
    """
    sizes = np.diff(starts, append=len(right))

    def shares(weight: Floats) -> Floats:
        found: Floats = weight / np.repeat(np.add.reduceat(weight, starts), sizes)
        return found

    def objective(score: Floats) -> tuple[Floats, Floats]:
        highest = np.repeat(np.maximum.reduceat(score, starts), sizes)
        share = shares(np.exp(score - highest))
        # The largest of the right rows is taken for 0: none of them is lost.
        among = np.where(right, score, -np.inf)
        best = np.repeat(np.maximum.reduceat(among, starts), sizes)
        curvature = np.maximum(share * (1 - share), _FLATTEST)
        return share - shares(np.exp(among - best)), 2 * curvature

    return objective
