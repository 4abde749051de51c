"""The CoNLL mean of one document in plain Python, as resolvers carry it with them.

Three metrics, no checks, no files: what a loop costs that counts by itself.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corpus import Partition

Span = tuple[int, int]


def plain_conll(key: Partition, response: Partition) -> float:
    """Compute the mean F1 of MUC, B³ and CEAFe."""
    key_home, response_home = _homes(key), _homes(response)
    pairs = (
        (_muc(key, response_home), _muc(response, key_home)),
        (_b_cubed(key, response_home), _b_cubed(response, key_home)),
        _ceaf_e(key, response, response_home),
    )
    return sum(_f1(recall, precision) for recall, precision in pairs) / len(pairs)


def _homes(partition: Partition) -> dict[Span, int]:
    return {
        mention: number for number, entity in enumerate(partition) for mention in entity
    }


def _muc(ours: Partition, home: Mapping[Span, int]) -> float:
    kept = links = 0
    for entity in ours:
        found = [home[mention] for mention in entity if mention in home]
        kept += len(found) - len(set(found))
        links += len(entity) - 1
    return kept / links if links else 0.0


def _b_cubed(ours: Partition, home: Mapping[Span, int]) -> float:
    total = 0.0
    for entity in ours:
        shared = Counter(home[mention] for mention in entity if mention in home)
        total += sum(number * number for number in shared.values()) / len(entity)
    mentions = sum(map(len, ours))
    return total / mentions if mentions else 0.0


def _ceaf_e(
    key: Partition, response: Partition, home: Mapping[Span, int]
) -> tuple[float, float]:
    from scipy.optimize import linear_sum_assignment

    similarity = np.zeros((len(key), len(response)))
    for row, entity in enumerate(key):
        shared = Counter(home[mention] for mention in entity if mention in home)
        for column, number in shared.items():
            both = len(entity) + len(response[column])
            similarity[row, column] = 2 * number / both
    total = similarity[linear_sum_assignment(-similarity)].sum()
    return total / len(key), total / len(response)


def _f1(recall: float, precision: float) -> float:
    both = recall + precision
    return 2 * recall * precision / both if both else 0.0
