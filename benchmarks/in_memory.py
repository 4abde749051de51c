"""Times of calls in memory, each in turn with what it is compared with."""

from __future__ import annotations

import time
import timeit
from collections import Counter
from typing import TYPE_CHECKING

import corpus
import numpy as np
from plain_metrics import plain_conll

if TYPE_CHECKING:
    from collections.abc import Callable

UPDATES = 1_024  # four blocks of documents
LARGEST_DENSE = 2_000  # entities; a dense table of 5,000 takes half a minute
QUICK, LONG = 0.005, 5.0  # seconds


def call_times(mentions: int) -> list[float]:
    """Time a call with two partitions, and B³ in plain Python."""
    import corefkit

    key, response = corpus.partitions(mentions)
    return least_time(
        lambda: corefkit.score(key, response).conll,
        lambda: plain_b_cubed(key, response),
        rounds=50,
    )


def loop_times(mentions: int) -> dict[str, float]:
    """Time what a loop calls for one document, and the CoNLL mean in plain Python.

    An update is timed together with the counting that it puts off, over many.
    """
    import corefkit

    key, response = corpus.partitions(mentions)
    many, alone = corefkit.Evaluator(), corefkit.Evaluator()

    def compute() -> float | None:
        alone.reset()
        alone.update(key, response)
        return alone.compute().conll

    calls: dict[str, Callable[[], object]] = {
        "update": lambda: many.update(key, response),
        "update and compute": compute,
        "score": lambda: corefkit.score(key, response).conll,
        "plain": lambda: plain_conll(key, response),
    }
    found = [calls[name]() for name in ("update and compute", "score", "plain")]
    assert np.allclose(found, found[0]), found
    often = dict.fromkeys(calls, UPDATES // 8) | {"update": UPDATES}
    best = dict.fromkeys(calls, float("inf"))
    for _ in range(9):
        for name, call in calls.items():
            timer = timeit.Timer(call, timer=time.process_time)
            best[name] = min(best[name], timer.timeit(often[name]) / often[name])
    return best


def plain_b_cubed(key: corpus.Partition, response: corpus.Partition) -> float:
    """Compute the F1 of B³ in the obvious way."""

    def share(ours: corpus.Partition, others: corpus.Partition) -> float:
        home = {mention: entity for entity in others for mention in entity}
        total = 0.0
        for entity in ours:
            shared = Counter(id(home[mention]) for mention in entity if mention in home)
            total += sum(number**2 for number in shared.values()) / len(entity)
        return total / sum(map(len, ours))

    recall, precision = share(key, response), share(response, key)
    return 2 * recall * precision / (recall + precision)


def alignment_times(kind: str, size: int) -> tuple[int, dict[str, float]]:
    """Time the solvers on a table of φ4, of a kind that `corpus` makes.

    Returns:
        The number of entities, and the seconds of each solver by its name.
    """
    from corefkit.alignment.assignment import solve_assignment

    entities = getattr(corpus, kind)(size)
    key_size, response_size = (np.bincount(side) for side in entities)
    width = len(response_size)
    cells, shared = np.unique(entities[0] * width + entities[1], return_counts=True)
    row, column = np.divmod(cells, width)
    weight = 2.0 * shared / (key_size[row] + response_size[column])
    shape = len(key_size), width
    ways: dict[str, Callable[[], corpus.Ints]] = {}
    ways["ours"] = lambda: solve_assignment(row, column, weight)
    ways["sparse"] = lambda: by_sparse(row, column, weight, shape)
    if max(shape) <= LARGEST_DENSE:
        ways["dense"] = lambda: by_dense(row, column, weight, shape)
    totals = [weight[way()].sum() for way in ways.values()]
    assert np.allclose(totals, totals[0]), totals
    times = least_time(*ways.values(), rounds=3)
    return max(shape), dict(zip(ways, times, strict=True))


def by_sparse(
    row: corpus.Ints, column: corpus.Ints, weight: corpus.Floats, shape: tuple[int, int]
) -> corpus.Ints:
    """Align with scipy's sparse solver; a column of its own lets a row go without."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    rows, columns = shape
    own = np.arange(rows)
    cost = np.concatenate((weight.max() - weight + 1, np.full(rows, weight.max() + 1)))
    places = np.concatenate((row, own)), np.concatenate((column, columns + own))
    matrix = csr_array((cost, places), shape=(rows, columns + rows))
    _, given = min_weight_full_bipartite_matching(matrix)
    return np.flatnonzero(given[row] == column)


def by_dense(
    row: corpus.Ints, column: corpus.Ints, weight: corpus.Floats, shape: tuple[int, int]
) -> corpus.Ints:
    """Align with scipy's dense solver."""
    from scipy.optimize import linear_sum_assignment

    matrix = np.zeros(shape)
    matrix[row, column] = weight
    given = np.full(shape[0], -1)
    rows, columns = linear_sum_assignment(matrix, maximize=True)
    given[rows] = columns
    return np.flatnonzero(given[row] == column)


def least_time(*calls: Callable[[], object], rounds: int) -> list[float]:
    """Time calls in turn, quick ones many times; long ones run for one round."""
    timers = [timeit.Timer(call) for call in calls]
    runs = [[timer.timeit(1) for timer in timers]]
    often = [max(1, int(QUICK / (seconds + 1e-9))) for seconds in runs[0]]
    for _ in range(rounds if sum(runs[0]) < LONG else 0):
        pairs = zip(timers, often, strict=True)
        runs.append([timer.timeit(times) / times for timer, times in pairs])
    return [min(seconds) for seconds in zip(*runs, strict=True)]
