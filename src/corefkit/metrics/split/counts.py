"""The metrics counted on documents with split antecedents.

Each is the metric as it is, on a table where entities share a split antecedent in part.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from itertools import combinations, product
from math import fsum, prod
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from corefkit.metrics.b_cubed import b_cubed
from corefkit.metrics.base import f1, halves, ratio, shared_links
from corefkit.metrics.blanc import blanc
from corefkit.metrics.ceaf import ceaf_e, ceaf_m
from corefkit.metrics.lea import lea
from corefkit.metrics.muc import muc
from corefkit.metrics.split import KEY, RESPONSE, SIDES, SplitDocument, Table

if TYPE_CHECKING:
    from corefkit.alignment.table import Overlap
    from corefkit.columns import Floats
    from corefkit.metrics.base import Counter as CountFunction
    from corefkit.metrics.small import Cell

_Weights: TypeAlias = Mapping["Cell", float]

# Enough to decide between maps that are equally good, too little for any other.
_A_LITTLE = 1e-9


class _Credit(NamedTuple):
    """What a pair of split antecedents counts; `credit[side]` is a side's own."""

    recall: float
    precision: float
    f1: float


_Credits: TypeAlias = Mapping["Cell", _Credit]


def muc_counts(document: SplitDocument) -> Floats:
    """Count MUC: a split antecedent adds to links of entities that share mentions."""
    table = document.table

    def count(weights: _Weights) -> Floats:
        cells = table.shared.items()
        kept = {cell: shared + weights.get(cell, 0) for cell, shared in cells}
        return muc(table.overlap(kept))

    return _both_halves(count, _credits(document, _muc_among))


def _muc_among(table: Overlap) -> Floats:
    """Count MUC with one link for a singleton, to itself."""
    both = (table.key_size == 1) & (table.response_size == 1)
    key, response = table.key.size == 1, table.response.size == 1
    counts: Floats = muc(table)
    counts += [flags.sum() for flags in (both, key, both, response)]
    return counts


def b_cubed_counts(document: SplitDocument) -> Floats:
    """Count B³: a split antecedent is shared in part."""
    return _both_halves(
        lambda weights: b_cubed(_with_antecedents(document.table, weights)),
        _credits(document, b_cubed),
    )


def lea_counts(document: SplitDocument) -> Floats:
    """Count LEA: the links of a split antecedent are resolved in part."""
    table = document.table.overlap()

    def count(weights: _Weights) -> Floats:
        links = shared_links(table.shared, table.key_size, table.response_size)
        # The table has its cells in this order.
        parts = [weights.get(cell, 0.0) for cell in sorted(document.table.shared)]
        return lea(table, resolved=links + table.shared * np.array(parts))

    return _both_halves(count, _credits(document, lea))


def blanc_counts(document: SplitDocument) -> Floats:
    """Count BLANC: the links of a split antecedent are found in part.

    Unequal split antecedents may have the same coreference links: the map of equal ones
    is to be found among those that are as good.
    """
    links, others = (
        {
            cell: credit.f1
            for cell, credit in _credits(document, kind, equal_first=True).items()
        }
        for kind in (_coreference, _non_coreference)
    )
    counts = blanc(document.table.overlap()).astype(np.float64)
    counts[:, [0, 2]] += sum(
        document.table.shared.get(cell, 0) * weight for cell, weight in links.items()
    )
    counts[:, [4, 6]] += _non_coreferent(document.table, others)
    # A split antecedent is no mention.
    counts[:, 9:] -= [len(antecedents) for antecedents in document.antecedents]
    return counts


def _coreference(table: Overlap) -> Floats:
    return blanc(table)[:, :4]


def _non_coreference(table: Overlap) -> Floats:
    return blanc(table)[:, 4:8]


def _non_coreferent(table: Table, weights: _Weights) -> float:
    """Count the links of split antecedents to members of neither of their entities."""
    found: tuple[Counter[int], Counter[int]] = Counter(), Counter()
    for cell, shared in table.shared.items():
        for side in SIDES:
            found[side][cell[side]] += shared
    mentions = found[KEY].total()
    both = 0.0
    for cell, weight in weights.items():
        near = sum(found[side][cell[side]] for side in SIDES)
        both += (mentions - near + table.shared.get(cell, 0)) * weight
    # No entity has two split antecedents, so any two of them are not coreferent.
    return both + fsum(map(prod, combinations(weights.values(), 2)))


def _both_halves(count: Callable[[_Weights], Floats], credits: _Credits) -> Floats:
    """Count recall with the credits of the key's side, precision with the other's."""
    recall, precision = (
        count({cell: credit[side] for cell, credit in credits.items()})
        for side in SIDES
    )
    return halves(recall, precision)


def _aligned(document: SplitDocument, count: CountFunction) -> Floats:
    """Count CEAF: a split antecedent is shared in part."""
    weights = {cell: credit.f1 for cell, credit in _credits(document, count).items()}
    return count(_with_antecedents(document.table, weights))


ceaf_m_counts = partial(_aligned, count=ceaf_m)
ceaf_e_counts = partial(_aligned, count=ceaf_e)


def _with_antecedents(table: Table, weights: _Weights) -> Overlap:
    """Make the table of what entities share, paired split antecedents included."""
    cells = {*table.shared, *weights}
    shared = {cell: table.shared.get(cell, 0) + weights.get(cell, 0) for cell in cells}
    return table.overlap(shared)


def _credits(
    document: SplitDocument, among: CountFunction, *, equal_first: bool = False
) -> dict[Cell, _Credit]:
    """Pair the split antecedents; each pair stands under its two entities."""
    credits, weights = {}, {}
    for cell in product(*document.antecedents):
        key, response = cell
        part = document.table.part(
            document.antecedents[KEY][key], document.antecedents[RESPONSE][response]
        )
        if not part.shared:
            continue
        credit = _credit(part, among(part.overlap())[0].tolist())
        if credit.f1 > 0:
            credits[cell] = credit
            bonus = _A_LITTLE if equal_first and part.is_equal() else 0.0
            weights[cell] = credit.f1 + bonus
    return {cell: credits[cell] for cell in _pairs(document, weights)}


def _credit(part: Table, counts: list[float]) -> _Credit:
    if not (counts[1] or counts[3]):
        # Only BLANC comes here, where there is no link of a kind.
        same = float(part.is_equal())
        return _Credit(same, same, same)
    recall, precision = ratio(*counts[:2]), ratio(*counts[2:])
    return _Credit(recall, precision, f1(recall, precision))


def _pairs(document: SplitDocument, weights: _Weights) -> list[Cell]:
    keys, responses = ({cell[side] for cell in weights} for side in SIDES)
    if len(keys) == len(responses) == len(weights):
        # No two want the same; and scipy.optimize takes long to import.
        return list(weights)
    from scipy.optimize import linear_sum_assignment

    key, response = map(list, document.antecedents)
    rows = [[weights.get((k, r), 0.0) for r in response] for k in key]
    chosen = linear_sum_assignment(np.array(rows), maximize=True)
    cells = [(key[k], response[r]) for k, r in zip(*chosen, strict=True)]
    return [cell for cell in cells if cell in weights]
