"""Draws and swaps of units: the one place where the project resamples.

All systems, metrics and pairs share the same draws and the same swaps. They come in
blocks, units by samples, with a number for each unit and sample: how often it was
drawn, or 1 where a system keeps its own unit and 0 where it takes that of the other.
"""

from __future__ import annotations

import zlib
from hashlib import blake2b
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.random import Generator

    from corefkit.alignment.pipeline import Progress
    from corefkit.analysis.compare.sample import Measure, Sample
    from corefkit.columns import Floats, Ints

_ROUNDING = 1e-9
_BLOCK = 1000  # samples at a time
_CELLS = 2_000_000  # of a block, so that a block of many units stays small


def draws(
    units: Sequence[str],
    stratum: Sequence[int] | Ints = (),
    *,
    seed: int,
    samples: int,
) -> Iterator[Floats]:
    """Draw as many units as there are, with replacement, in blocks of samples.

    Units are drawn within their strata, where these are given. A draw depends on the
    seed and the names of the units, not on their order.

    >>> [block.sum(axis=0).tolist() for block in draws("ab", seed=0, samples=3)]
    [[2.0, 2.0, 2.0]]
    """
    order = np.array(sorted(range(len(units)), key=lambda at: units[at]), np.int64)
    numbers = np.zeros(len(units), np.int64) if len(stratum) == 0 else stratum
    of_sorted = np.asarray(numbers)[order]
    parts = [order[of_sorted == number] for number in np.unique(of_sorted)]
    sources = [_source([units[at] for at in part.tolist()], seed) for part in parts]
    for rows in _blocks(len(units), samples):
        block = np.empty((len(units), rows))
        for part, source in zip(parts, sources, strict=True):
            number = len(part)
            chances = np.full(number, 1 / number)
            block[part] = source.multinomial(number, chances, size=rows).T
        yield block


def _source(units: Sequence[str], seed: int) -> Generator:
    # Other units get other draws: nothing pairs them with these.
    return np.random.default_rng([seed, zlib.crc32(_bytes("\n".join(units)))])


def swaps(units: Sequence[str], *, seed: int, samples: int) -> Iterator[Floats]:
    """Toss a coin for each unit, in blocks of samples.

    The coins of a unit depend on the seed and its name alone: other units that come or
    go change nothing.

    >>> (one,) = swaps(["a", "b"], seed=0, samples=5)
    >>> (other,) = swaps(["c", "b"], seed=0, samples=5)
    >>> one.shape, one[1].tolist() == other[1].tolist()
    ((2, 5), True)
    """
    many = -(-samples // 8)
    coins = b"".join(_coins(unit, seed, many) for unit in units)
    packed = np.frombuffer(coins, np.uint8).reshape(len(units), many)
    first = 0
    for rows in _blocks(len(units), samples):
        last = first + -(-rows // 8)
        bits = np.unpackbits(packed[:, first:last], axis=1, count=rows)
        yield bits.astype(np.float64)
        first = last


def _coins(unit: str, seed: int, many: int) -> bytes:
    # Eight bytes, since names that share their number would always be swapped together.
    number = int.from_bytes(blake2b(_bytes(unit), digest_size=8).digest(), "big")
    return np.random.default_rng([seed, number]).bytes(many)


def _bytes(name: str) -> bytes:
    # A file's name may have letters that cannot be written.
    return name.encode("utf-8", "surrogatepass")


def all_swaps(units: int) -> Floats:
    """List half of all swaps: the others are these with the two systems changed.

    >>> all_swaps(3).astype(int).tolist()
    [[1, 1, 1, 1], [1, 0, 1, 0], [1, 1, 0, 0]]
    """
    if units == 0:
        return np.empty((0, 1))
    number = np.arange(2 ** (units - 1))
    # The first unit is never swapped.
    bits = [np.ones_like(number), *(~number >> at & 1 for at in range(units - 1))]
    return np.array(bits, np.float64)


def _blocks(units: int, samples: int) -> Iterator[int]:
    """Cut samples into blocks of whole bytes, smaller if units are many."""
    rows = max(8, min(_BLOCK, _CELLS // max(units, 1)) // 8 * 8)
    for first in range(0, samples, rows):
        yield min(rows, samples - first)


def sums(sample: Sample, blocks: Iterable[Floats]) -> Iterator[Floats]:
    """Add up the counts of units as often as blocks say: systems by columns by samples.

    Each column lies together in memory, which makes rows of them fast to score.
    """
    # One product for all systems takes half as long as one for each.
    columns = np.concatenate(sample.counts, axis=1).T.copy()
    for block in blocks:
        yield (columns @ block).reshape(len(sample.systems), -1, block.shape[1])


def drawn_scores(
    sample: Sample, *, seed: int, samples: int, progress: Progress | None = None
) -> tuple[Floats, Floats]:
    """Score every draw: measures by systems by draws.

    Returned beside: for each measure and system, the share of draws that have a ratio
    without denominator.
    """
    shape = len(sample.measures), len(sample.systems)
    scores, undefined = np.empty((*shape, samples)), np.zeros(shape)
    first = 0
    if progress is not None:
        progress(first, samples)  # what was shown before was another work
    blocks = draws(sample.units, sample.stratum, seed=seed, samples=samples)
    for block in sums(sample, blocks):
        last = first + block.shape[2]
        for system, counts in enumerate(block):
            for at, measure in enumerate(sample.measures):
                rows = counts[measure.columns].T
                scores[at, system, first:last] = measure.score(rows)
                if measure.undefined is not None:
                    undefined[at, system] += measure.undefined(rows).sum()
        first = last
        if progress is not None:
            progress(first, samples)
    return scores, undefined / max(samples, 1)


def swapped_differences(
    measure: Measure, moved: Floats, first: Floats, second: Floats
) -> Floats:
    """Compute the difference of two systems after swaps.

    `moved` has, for each of the measure's columns and each swap, how much the units
    that the first system kept count for it, less what they count for the second.
    `first` and `second` are the sums of both.
    """
    one = _cleared(second[:, None] + moved)
    other = _cleared(first[:, None] - moved)
    difference: Floats = measure.score(one.T) - measure.score(other.T)
    return difference


def _cleared(counts: Floats) -> Floats:
    """Clear what rounding has left of counts that cancel out: it has no ratio."""
    if counts.min(initial=1.0) < _ROUNDING:
        counts[np.abs(counts) < _ROUNDING] = 0.0
    return counts


def left_out(sample: Sample, measure: Measure) -> Floats:
    """Compute the scores without one unit, for each system and unit: the jackknife."""
    return np.array(
        [
            measure.score(_cleared(counts.sum(axis=0) - counts)[:, measure.columns])
            for counts in sample.counts
        ]
    )
