"""Which candidates are mentions, given how likely each is one.

Candidates are taken from the likeliest on, down to a threshold. A head has one mention;
a further one (of a coordination, of an apposition) must be likelier. A mention never
crosses another: of two that overlap, one lies inside the other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cistell.taggers.spans import Spans
    from corefkit.arrays.columns import Floats


class Thresholds(NamedTuple):
    """The least probability of a head's first mention, and of a further one."""

    first: float = 0.4
    further: float = 0.6


def chosen(spans: Spans, probabilities: Floats, thresholds: Thresholds) -> list[int]:
    """Return the numbers of the candidates that are mentions, in the order of the text.

    >>> from cistell.taggers.spans import Spans
    >>> rows = np.array([(1, 0, 1), (1, 0, 4), (3, 1, 4), (3, 3, 4), (3, 3, 3)])
    >>> spans = Spans(*rows.T, origin=np.zeros(5, np.intp))
    >>> chosen(spans, np.array([0.9, 0.5, 0.8, 0.7, 0.65]), Thresholds(0.4, 0.6))
    [0, 3, 4]

    The second is a further one of its head and not likely enough; the third crosses
    the first.
    """
    likely = np.flatnonzero(probabilities >= thresholds.first)
    order = likely[np.argsort(-probabilities[likely], kind="stable")]
    rows = zip(
        order.tolist(),
        spans.head[order].tolist(),
        spans.first[order].tolist(),
        spans.last[order].tolist(),
        (probabilities[order] >= thresholds.further).tolist(),
        strict=True,
    )
    taken: dict[tuple[int, int], int] = {}
    heads: set[int] = set()
    over: dict[int, list[tuple[int, int]]] = {}  # the spans that have each word
    for number, head, first, last, surely in rows:
        known = (first, last) in taken or (head in heads and not surely)
        if known or _crosses(first, last, over):
            continue
        taken[first, last] = number
        heads.add(head)
        for word in range(first, last + 1):
            over.setdefault(word, []).append((first, last))
    return [taken[span] for span in sorted(taken, key=lambda span: (span[0], -span[1]))]


def _crosses(first: int, last: int, over: dict[int, list[tuple[int, int]]]) -> bool:
    """Return whether a span crosses one that has its first or its last word."""
    return any(
        start < first and end < last for start, end in over.get(first, ())
    ) or any(start > first and end > last for start, end in over.get(last, ()))


_STEPS = tuple(step / 100 for step in range(20, 71, 2))


def best_thresholds(
    documents: Iterable[tuple[Spans, Floats, set[tuple[int, int]]]],
) -> Thresholds:
    """Find the thresholds with the best F1 of mentions.

    Args:
        documents: candidates, their probabilities, and the spans of the key.
    """
    table = list(documents)

    def f1(thresholds: Thresholds) -> float:
        both = size = 0
        for spans, probabilities, key in table:
            found = chosen(spans, probabilities, thresholds)
            first, last = spans.first[found].tolist(), spans.last[found].tolist()
            both += len({*zip(first, last, strict=True)} & key)
            size += len(found) + len(key)
        return 2 * both / max(size, 1)

    best = max((Thresholds(step, max(step, 0.6)) for step in _STEPS), key=f1)
    further = [step for step in (*_STEPS, 0.8, 0.9) if step >= best.first]
    return max((best._replace(further=step) for step in further), key=f1)
