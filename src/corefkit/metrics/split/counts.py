"""The metrics counted on documents with split antecedents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import combinations, product
from math import fsum
from typing import NamedTuple, TypeAlias

import numpy as np

from corefkit.alignment.assignment import best_map
from corefkit.metrics import counted_as
from corefkit.metrics.base import Metric, f1, ratio
from corefkit.metrics.split.documents import (
    KEY,
    RESPONSE,
    SIDES,
    Cell,
    SplitDocument,
    Table,
)

_Weights: TypeAlias = Mapping[Cell, float]

# Enough to decide between maps that are equally good, too little for any other.
_A_LITTLE = 1e-9


def split_counts(metric: Metric, document: SplitDocument) -> list[float] | None:
    """Count a metric that scores split antecedents; for others there is None.

    >>> from corefkit import METRICS
    >>> entities = ["ab", "cd", "e", "fg"]
    >>> document = SplitDocument(entities, entities, {3: [0, 1]}, {3: [0, 1, 2]})
    >>> [round(count, 4) for count in split_counts(METRICS["muc"], document)]
    [4.0, 4, 3.6667, 4]
    """
    name = counted_as(metric)
    if name == "blanc":
        return _blanc(document)
    if name not in _COUNTS:
        return None
    count = _COUNTS[name]
    return count(document.table, _credits(document, _AMONG.get(name, count)))


class _Credit(NamedTuple):
    """What a pair of split antecedents counts; `credit[side]` is a side's own."""

    recall: float
    precision: float
    f1: float


_Credits: TypeAlias = Mapping[Cell, _Credit]
_Count: TypeAlias = Callable[[Table, _Credits], list[float]]
_Half: TypeAlias = Callable[[Table, _Weights, int], tuple[float, float]]


def _credits(
    document: SplitDocument, among: _Count, *, equal_first: bool = False
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
        credit = _credit(part, among(part, {}))
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
    rows = [[weights.get((one, other), 0.0) for other in response] for one in key]
    chosen = linear_sum_assignment(np.array(rows), maximize=True)
    cells = [(key[one], response[other]) for one, other in zip(*chosen, strict=True)]
    return [cell for cell in cells if cell in weights]


def _halves(table: Table, credits: _Credits, half: _Half) -> list[float]:
    """Count recall from the entities of the key, precision from the response's."""
    counts: list[float] = []
    for side in SIDES:
        weights = {cell: credit[side] for cell, credit in credits.items()}
        counts.extend(half(table, weights, side))
    return counts


def _muc(table: Table, weights: _Weights, side: int) -> tuple[float, float]:
    correct = fsum(
        shared - 1 + weights.get(cell, 0) for cell, shared in table.shared.items()
    )
    return correct, sum(size - 1 for size in table.size[side].values())


def _muc_among(table: Table, weights: _Weights, side: int) -> tuple[float, float]:
    correct, links = _muc(table, weights, side)
    same = sum(table.sizes(cell) == (1, 1) for cell in table.shared)
    singletons = sum(size == 1 for size in table.size[side].values())
    return correct + same, links + singletons


def _b_cubed(table: Table, weights: _Weights, side: int) -> tuple[float, float]:
    common = _common(table.shared, weights)
    correct = fsum(
        both**2 / table.size[side][cell[side]] for cell, both in common.items()
    )
    return correct, sum(table.size[side].values())


def _lea(table: Table, weights: _Weights, side: int) -> tuple[float, float]:
    links = dict.fromkeys(table.size[side], 0.0)
    for cell, shared in table.shared.items():
        own = table.sizes(cell) == (1, 1)
        links[cell[side]] += _links([shared]) + shared * weights.get(cell, 0) + own
    resolved = fsum(
        size * (links[number] / max(_links([size]), 1))
        for number, size in table.size[side].items()
    )
    return resolved, sum(table.size[side].values())


def _ceaf_m(table: Table, credits: _Credits) -> list[float]:
    total = _best_total(_common(table.shared, _f1_weights(credits)))
    key, response = (sum(sizes.values()) for sizes in table.size)
    return [total, key, total, response]


def _ceaf_e(table: Table, credits: _Credits) -> list[float]:
    common = _common(table.shared, _f1_weights(credits))
    total = _best_total(
        {cell: 2.0 * both / sum(table.sizes(cell)) for cell, both in common.items()}
    )
    key, response = map(len, table.size)
    return [total, key, total, response]


def _best_total(weights: _Weights) -> float:
    """Add up the weights of the best one-to-one map of key to response entities."""
    row, column = np.array(list(weights), np.int64).reshape(-1, 2).T
    weight = np.array(list(weights.values()), np.float64)
    return fsum(weight[best_map(row, column, weight)])


def _blanc(document: SplitDocument) -> list[float]:
    # Unequal split antecedents may have the same coreference links: the map of equal
    # ones is to be found among those that are as good.
    links, others = (
        count(document.table, _credits(document, count, equal_first=True))
        for count in (_coreference, _non_coreference)
    )
    key, response = (
        sum(sizes.values()) - len(antecedents)
        for sizes, antecedents in zip(
            document.table.size, document.antecedents, strict=True
        )
    )
    return [*links, *others, sum(document.table.shared.values()), key, response]


def _coreference(table: Table, credits: _Credits) -> list[float]:
    both = _links(table.shared.values())
    for cell, credit in credits.items():
        both += table.shared.get(cell, 0) * credit.f1
    key, response = (_links(sizes.values()) for sizes in table.size)
    return [both, key, both, response]


def _non_coreference(table: Table, credits: _Credits) -> list[float]:
    found: tuple[Counter[int], Counter[int]] = Counter(), Counter()
    for cell, shared in table.shared.items():
        for side in SIDES:
            found[side][cell[side]] += shared
    mentions = found[KEY].total()
    both = _links([mentions]) + _links(table.shared.values())
    both -= sum(_links(counts.values()) for counts in found)
    for cell, credit in credits.items():
        near = sum(found[side][cell[side]] for side in SIDES)
        both += (mentions - near + table.shared.get(cell, 0)) * credit.f1
    # No entity has two split antecedents, so any two of them are not coreferent.
    both += fsum(one.f1 * other.f1 for one, other in combinations(credits.values(), 2))
    key, response = (
        _links([sum(sizes.values())]) - _links(sizes.values()) for sizes in table.size
    )
    return [both, key, both, response]


def _f1_weights(credits: _Credits) -> dict[Cell, float]:
    return {cell: credit.f1 for cell, credit in credits.items()}


def _common(shared: Mapping[Cell, int], weights: _Weights) -> dict[Cell, float]:
    """Give what two entities have in common, the paired split antecedents included."""
    cells = sorted({*shared, *weights})
    return {cell: shared.get(cell, 0) + weights.get(cell, 0) for cell in cells}


def _links(sizes: Iterable[int]) -> float:
    return sum(size * (size - 1) / 2 for size in sizes)


_COUNTS: Mapping[str | None, _Count] = {
    "muc": partial(_halves, half=_muc),
    "b_cubed": partial(_halves, half=_b_cubed),
    "ceaf_m": _ceaf_m,
    "ceaf_e": _ceaf_e,
    "lea": partial(_halves, half=_lea),
}
SCORED = ("muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc", "lea")
# What scores split antecedents, where it is not the metric as it is.
_AMONG: Mapping[str | None, _Count] = {"muc": partial(_halves, half=_muc_among)}
