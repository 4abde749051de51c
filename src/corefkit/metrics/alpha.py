"""Krippendorff's α: the agreement of two annotators beyond chance.

The units are the mentions of both annotators. The value that an annotator gives to a
mention is a set: the entity that contains it, or the mention alone if the annotator has
no such mention. Two sets agree in full, in part or not at all:

    `alpha`       1 if they are equal, 2/3 if one contains the other, 1/3 if they share
                  mentions, 0 otherwise (Passonneau 2004)
    `alpha_masi`  the same, times shared mentions / mentions of either (MASI,
                  Passonneau 2006)

One minus that is the distance of the two sets, and

    α = 1 - observed distance / expected distance

The observed distance is the mean over units. The expected distance is the mean over all
pairs of values, of any annotators and mentions; sets of two documents share no mention,
and have the largest distance.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from corefkit.metrics.metric import Formula, Ratios, compute_ratios, divide
from corefkit.metrics.standard import add_by_document, add_by_group, to_rows
from corefkit.settings import DEFAULT_SETTINGS, Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from corefkit.alignment.overlap import Overlap
    from corefkit.arrays.columns import Counts, Floats

    Agreement: TypeAlias = Callable[[Counts, Counts, Counts], Floats]

MIN_DISTANCE = 1e-9  # below this share of all pairs, rounding makes the distance


def alpha(table: Overlap) -> Floats:
    """Count the agreement of two annotators for each document.

    Five counts: the agreement of all units and the number of units, both twice, as
    agreement has no direction; and the agreement of all pairs of values, in either
    order and each with itself.

    Source: Passonneau 2004, after Krippendorff 1980.

    >>> from corefkit import overlap
    >>> table = overlap(["ab", "cd"], ["ab", "c", "d"])
    >>> alpha(table).round(4).tolist()
    [[3.3333, 4.0, 3.3333, 4.0, 27.3333]]
    """
    return _count_agreement(table, compare_monotonicity)


def alpha_masi(table: Overlap) -> Floats:
    """Count the agreement by MASI, which depends on the number of shared mentions too.

    The counts are those of `alpha`.

    Source: Passonneau 2006.

    >>> from corefkit import overlap
    >>> table = overlap(["ab", "cd"], ["ab", "c", "d"])
    >>> alpha_masi(table).round(4).tolist()
    [[2.6667, 4.0, 2.6667, 4.0, 24.6667]]
    """
    return _count_agreement(table, compare_masi)


def compare_monotonicity(shared: Counts, first: Counts, second: Counts) -> Floats:
    """Compute the agreement of two sets from their sizes and the shared size."""
    smaller, larger = np.minimum(first, second), np.maximum(first, second)
    steps = (shared > 0) + (shared == smaller) * 1 + (shared == larger)
    return np.where(shared > 0, steps, 0) / 3


def compare_masi(shared: Counts, first: Counts, second: Counts) -> Floats:
    """Weigh the agreement of sets by the share of members that they have in common."""
    jaccard: Floats = shared / (first + second - shared)
    return jaccard * compare_monotonicity(shared, first, second)


def _count_agreement(table: Overlap, agreement: Agreement) -> Floats:
    cells = agreement(table.shared, table.key_size, table.response_size)
    products = 2.0 * table.key_size * table.response_size * cells
    values = [table.shared, table.shared * cells, products]
    counts = add_by_document(table, *((row, table.document) for row in values))
    for side, entity in (
        (table.key, table.key_entity),
        (table.response, table.response_entity),
    ):
        # Mentions that the other annotator lacks, each a set there: it is paired with
        # itself and, in either order, with all values of its entity.
        unmatched = side.size - add_by_group(table.shared, entity, len(side))
        ones = np.ones(len(side))
        agreed = unmatched * agreement(ones, side.size, ones)
        own_pairs = 1.0 * side.size * side.size + unmatched + 2 * side.size * agreed
        values = [unmatched, agreed, own_pairs]
        counts = counts + add_by_document(
            table, *((row, side.document) for row in values)
        )
    units, observed, pairs = counts.T
    return to_rows(observed, units, observed, units, pairs)


def compute_alpha_ratios(
    counts: Sequence[Any], settings: Settings = DEFAULT_SETTINGS
) -> Ratios:
    """Compute α, which is the value of the score.

    Recall, precision and F1 are the observed agreement, part of which is chance. If
    all values are one set, there is nothing to agree on: α is undefined, and 0.
    """
    agreement, units, pairs = counts[0], counts[1], counts[4]
    # Each unit has two values; a value is not paired with itself.
    values = 2 * units
    distance = values * values - pairs
    no_value = (units < 1) | (distance <= MIN_DISTANCE * values * values)
    defined = no_value == 0
    expected = divide(distance * defined, values * (values - 1) * defined)
    observed = divide(units - agreement, units)
    value = (1 - divide(observed, expected)) * defined
    ratios = compute_ratios(counts[:4], settings)
    return ratios._replace(value=value, no_value=no_value)


score_alpha = Formula(compute_alpha_ratios)
