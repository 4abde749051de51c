"""Features of candidate spans that tell what a network thinks of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cistell.taggers.columns import Feature
    from cistell.taggers.pages import Numbers, Page, WordEvidence
    from cistell.taggers.spans import Spans
    from corefkit.arrays.columns import Floats

_NAMES = (
    *("head", "type", "type's share", "start", "end", "span", "mention"),
    *("below the best", "rank", "begins", "closes", "head elsewhere"),
)
_TINY = 1e-9


def evidence_features(page: Page, spans: Spans) -> Iterator[Feature]:
    """Describe candidates by the evidence of a network; all 0 where there is none."""
    evidence = page.evidence
    if evidence is None or not len(spans.head):
        nothing = np.zeros(len(spans.head), np.intp)
        columns = dict.fromkeys(_NAMES, nothing)
    else:
        columns = _columns(page, spans, evidence)
    for name in _NAMES:
        yield name, name != "type", columns[name]


def _columns(page: Page, spans: Spans, evidence: WordEvidence) -> dict[str, Numbers]:
    types = evidence.types[spans.head].astype(np.float64)
    head = 1 - types[:, 0]
    row = evidence.rows[spans.head]
    start = evidence.starts[row + spans.first].astype(np.float64)
    end = evidence.ends[row + spans.last].astype(np.float64)
    both = np.log(start + _TINY) + np.log(end + _TINY)
    best, rank = _compared(both, spans.head)
    begins, closes = _expected(page, evidence)
    return {
        "head": _odds(head),
        "type": types[:, 1:].argmax(axis=1) + 1,
        "type's share": _odds(types[:, 1:].max(axis=1) / (head + _TINY)),
        "start": _odds(start),
        "end": _odds(end),
        "span": _odds(start * end),
        "mention": _odds(head * start * end),
        "below the best": _steps(4 * (best - both)),
        "rank": 1 + rank,
        "begins": _steps(8 * begins[spans.first]),
        "closes": _steps(8 * closes[spans.last]),
        "head elsewhere": _elsewhere(page, evidence)[spans.head],
    }


def _odds(probability: Floats) -> Numbers:
    """Return codes from 1 to 65 for probabilities, by their odds.

    >>> _odds(np.array([0.0, 0.5, 1.0]))
    array([ 1, 33, 65])
    """
    inside = np.clip(probability, 1e-6, 1 - 1e-6)
    odds = np.log(inside) - np.log1p(-inside)
    codes: Numbers = np.clip(np.rint(4 * odds) + 33, 1, 65).astype(np.intp)
    return codes


def _steps(values: Floats) -> Numbers:
    """Return codes from 1 to 65 for values from 0 on."""
    codes: Numbers = 1 + np.clip(np.rint(values), 0, 64).astype(np.intp)
    return codes


def _compared(values: Floats, heads: Numbers) -> tuple[Floats, Numbers]:
    """Return the largest value of each one's head, and the rank among these, from 0.

    Candidates of a head are neighbours.
    """
    starts = np.flatnonzero(np.diff(heads, prepend=-1))
    sizes = np.diff(starts, append=len(heads))
    best = np.repeat(np.maximum.reduceat(values, starts), sizes)
    ranks = np.empty(len(heads), np.intp)
    order = np.lexsort((-values, heads))
    ranks[order] = np.arange(len(heads)) - np.repeat(starts, sizes)
    return best, ranks


def _expected(page: Page, evidence: WordEvidence) -> tuple[Floats, Floats]:
    """Return how many mentions are expected to begin and to end with each word."""
    first, last = page.edges
    begins, closes = np.zeros(len(first)), np.zeros(len(first))
    heads = 1 - evidence.types[:, 0]
    for start in np.unique(first).tolist():
        words = slice(start, int(last[start]) + 1)
        size = words.stop - start
        place = int(evidence.rows[start]) + start
        square = slice(place, place + size * size)
        begins[words] = heads[words] @ evidence.starts[square].reshape(size, size)
        closes[words] = heads[words] @ evidence.ends[square].reshape(size, size)
    return begins, closes


def _elsewhere(page: Page, evidence: WordEvidence) -> Numbers:
    """Tell how likely words with the same lemma are heads; 0 if there are no others."""
    _, lemma = np.unique(np.array(page.tree.lemmas), return_inverse=True)
    heads = 1 - evidence.types[:, 0].astype(np.float64)
    others = np.bincount(lemma)[lemma] - 1
    share = (np.bincount(lemma, heads)[lemma] - heads) / np.maximum(others, 1)
    return np.where(others > 0, _odds(share), 0)
