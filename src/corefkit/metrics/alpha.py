"""Krippendorff's α: how far two annotators agree beyond chance.

The units are the mentions of both annotators. The value that an annotator gives to a
mention is a set: the entity that holds it, or the mention alone where the annotator has
no such mention. Two sets agree in full, in part or not at all:

    `alpha`       1 if they are equal, 2/3 if one holds the other, 1/3 if they share
                  mentions, 0 otherwise (Passonneau 2004)
    `alpha_masi`  the same, times shared mentions / mentions of either (MASI,
                  Passonneau 2006)

One minus that is the distance of the two sets, and

    α = 1 - observed distance / expected distance

The observed distance is the mean over units. The expected one is the mean over all
pairs of values, whoever gave them to whatever mention; sets of two documents share no
mention, and are as far apart as can be.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from corefkit.columns.sums import sums
from corefkit.metrics.base import Score, ratio, ratios, rows
from corefkit.settings import DEFAULT_SETTINGS, Settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from corefkit.alignment.table import Overlap
    from corefkit.columns import Floats, Ints

    Agreement: TypeAlias = Callable[
        [Floats | Ints, Floats | Ints, Floats | Ints], Floats
    ]


def alpha(table: Overlap) -> Floats:
    """Count the agreement of two annotators for each document.

    Five counts: the agreement of all units and how many they are, twice, as agreement
    has one direction only; and the agreement of all pairs of values, in either order
    and each with itself.

    Source: Passonneau 2004, after Krippendorff 1980.

    >>> from corefkit import overlap
    >>> table = overlap(["ab", "cd"], ["ab", "c", "d"])
    >>> alpha(table).round(4).tolist()
    [[3.3333, 4.0, 3.3333, 4.0, 27.3333]]
    """
    return _counted(table, monotonicity)


def alpha_masi(table: Overlap) -> Floats:
    """Count the agreement by MASI, which also asks how many mentions are shared.

    The counts are those of `alpha`.

    Source: Passonneau 2006.

    >>> from corefkit import overlap
    >>> table = overlap(["ab", "cd"], ["ab", "c", "d"])
    >>> alpha_masi(table).round(4).tolist()
    [[2.6667, 4.0, 2.6667, 4.0, 24.6667]]
    """
    return _counted(table, masi)


def monotonicity(
    shared: Floats | Ints, first: Floats | Ints, second: Floats | Ints
) -> Floats:
    """Tell how far sets agree that share so many members, by their sizes.

    >>> shared, size = np.array([2, 2, 1, 0]), np.array([2, 2, 3, 3])
    >>> monotonicity(shared, size, np.array([2, 4, 2, 2])).round(2).tolist()
    [1.0, 0.67, 0.33, 0.0]
    """
    least, most = np.minimum(first, second), np.maximum(first, second)
    steps = (shared > 0) + (shared == least) * 1 + (shared == most)
    agreement: Floats = np.where(shared > 0, steps, 0) / 3
    return agreement


def masi(shared: Floats | Ints, first: Floats | Ints, second: Floats | Ints) -> Floats:
    """Weigh how far sets agree by the share of members that they have in common.

    >>> masi(np.array([2]), np.array([2]), np.array([4])).round(4).tolist()
    [0.3333]
    """
    jaccard: Floats = shared / (first + second - shared)
    return jaccard * monotonicity(shared, first, second)


def alpha_score(counts: Floats, settings: Settings = DEFAULT_SETTINGS, /) -> Score:
    """Score the counts of α, which is the value of the score.

    Recall, precision and F1 are the observed agreement, which chance has a part in. If
    all values are one set there is nothing to agree on: α is undefined, and 0.

    >>> score = alpha_score(np.array([10 / 3, 4, 10 / 3, 4, 82 / 3]))
    >>> round(score.f1, 4), round(score.value, 4)
    (0.8333, 0.7455)
    """
    del settings  # the same for all of them
    agreement, units, _, _, pairs = counts.tolist()
    observed = replace(ratios(counts[:4]), counts=tuple(counts.tolist()))
    # Each unit has two values; a value is not paired with itself.
    values = 2 * units
    distance = values * values - pairs
    if units < 1 or distance <= 1e-9 * values * values:
        return replace(observed, value=0.0, undefined=(*observed.undefined, "value"))
    expected = distance / (values * (values - 1))
    return replace(observed, value=1 - ratio(units - agreement, units) / expected)


def _counted(table: Overlap, agreement: Agreement) -> Floats:
    cells = agreement(table.shared, table.key_size, table.response_size)
    products = 2.0 * table.key_size * table.response_size * cells
    units = table.by_document(table.shared, table.document)
    observed = table.by_document(table.shared * cells, table.document)
    pairs = table.by_document(products, table.document)
    for side, entity in (
        (table.key, table.key_entity),
        (table.response, table.response_entity),
    ):
        # Mentions that the other annotator lacks, where each is a set of its own: it
        # is paired with itself and, in either order, with all values of its entity.
        alone = side.size - sums(table.shared, entity, len(side))
        ones = np.ones(len(side))
        agreed = alone * agreement(ones, side.size, ones)
        own = 1.0 * side.size * side.size + alone + 2 * side.size * agreed
        units += table.by_document(alone, side.document)
        observed += table.by_document(agreed, side.document)
        pairs += table.by_document(own, side.document)
    return rows(observed, units, observed, units, pairs)
