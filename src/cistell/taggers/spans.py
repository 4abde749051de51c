"""Candidate spans: several for each head, of which a trained tagger picks.

Where a mention ends is the hardest question to a parser: it may attach a phrase or a
clause too high or too low. So each head has the spans of SM1, and beside them

1.  spans that end elsewhere: before or after each phrase that follows the head, be it
    attached to the head or to what hangs on it, and after the phrase behind these;
2.  spans that begin elsewhere: before each child on the left, up to a preposition;
3.  the spans that a network thinks most likely, where there is its evidence, which also
    tells words that are heads whatever their tags are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cistell.taggers.candidates import (
    is_head,
    partners_of,
    spans_of,
    trimmed,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cistell.taggers.pages import Numbers, Page, WordEvidence
    from corefkit.syntax.dependencies import Syntax

# Where a span comes from: a rule of SM1, another edge by the tree, or a network.
RULE, RIGHT, LEFT, NETWORK = range(4)

_STOPS = {"case", "cc", "mark", "cop", "aux", "nsubj", "csubj", "expl"}
_MOST_ENDS = 8
_MOST_STARTS = 4
_LEAST_HEAD = 0.1  # the least probability of a head that only a network proposes
_LEAST_EDGE = 0.03
_MOST_EDGES = 4
_MOST_PAIRS = 6


class Spans(NamedTuple):
    """Candidates: their heads, first and last words, and where they come from."""

    head: Numbers
    first: Numbers
    last: Numbers
    origin: Numbers


def candidate_spans(page: Page) -> Spans:
    """Find the candidates of a document, in the order of heads, each once a head."""
    tree = page.tree
    partners = partners_of(tree)
    evidence = page.evidence
    preferred = {} if evidence is None else _preferred(page, evidence)
    rows: list[tuple[int, int, int, int]] = []
    for head in range(len(tree.tags)):
        found: dict[tuple[int, int], int] = {}
        if is_head(tree, head, wide=True):
            for span, origin in _of_tree(tree, partners, head):
                found.setdefault(span, origin)
        for span in preferred.get(head, ()):
            found.setdefault(span, NETWORK)
        rows += [(head, *span, origin) for span, origin in found.items()]
    return Spans(*np.array(rows, np.intp).reshape(-1, 4).T.copy())


def _of_tree(
    tree: Syntax, partners: Mapping[int, int], head: int
) -> Iterator[tuple[tuple[int, int], int]]:
    """Find the spans of a head by its tree, those of SM1 first."""
    spans = list(spans_of(tree, head, wide=True))
    for span in spans:
        yield trimmed(tree, partners, head, *span), RULE
    if tree.features[head].find("Poss=Yes") >= 0 and tree.tags[head] in ("PRON", "DET"):
        return
    first, last = spans[0]
    for end in _ends(tree, head):
        yield trimmed(tree, partners, head, first, end), RIGHT
    for start in _starts(tree, head):
        yield trimmed(tree, partners, head, start, last), LEFT


def _ends(tree: Syntax, head: int) -> Iterator[int]:
    """Find where phrases begin and end that follow a head, nearest first."""
    ends = {head: None}
    word, reached = head, head
    while word >= 0 and len(ends) < _MOST_ENDS:
        deeper = -1
        for child in tree.children[word]:
            start, end = tree.stretches[child]
            if child < word or start != reached + 1:
                continue
            ends[start - 1] = None
            ends[end] = None
            deeper, reached = child, end
        word = deeper
        if deeper >= 0:
            reached = deeper
    yield from sorted(ends)[:_MOST_ENDS]
    beyond = tree.stretches[head][1] + 1
    if beyond <= tree.edges[head][1]:
        yield _highest_end(tree, beyond, head)


def _highest_end(tree: Syntax, word: int, head: int) -> int:
    """Find the end of the largest phrase that begins with a word, after a head."""
    start, end = tree.stretches[word]
    if start != word:
        return word
    while True:
        word = tree.parents[word]
        # Larger phrases end later; where they do not, the tree has a cycle.
        if word <= head or tree.stretches[word][0] != start:
            return end
        if tree.stretches[word][1] <= end:
            return end
        end = tree.stretches[word][1]


def _starts(tree: Syntax, head: int) -> Iterator[int]:
    """Find where a head's children on the left begin, nearest first."""
    reached = head
    found = 0
    yield head
    for child in reversed(tree.children[head]):
        if child > head or tree.stretches[child][1] != reached - 1:
            continue
        if tree.kinds[child] in _STOPS or found == _MOST_STARTS:
            return
        reached = tree.stretches[child][0]
        found += 1
        yield reached


def _preferred(page: Page, evidence: WordEvidence) -> dict[int, list[tuple[int, int]]]:
    """Find the spans that a network thinks most likely, for each likely head."""
    likely = np.flatnonzero(evidence.types[:, 0] <= 1 - _LEAST_HEAD)
    firsts, lasts = page.edges
    found: dict[int, list[tuple[int, int]]] = {}
    for head, first, last in zip(
        likely.tolist(), firsts[likely].tolist(), lasts[likely].tolist(), strict=True
    ):
        row = evidence.rows[head]
        starts = evidence.starts[row + first : row + head + 1]
        ends = evidence.ends[row + head : row + last + 1]
        pairs = [
            (start * end, first + at, head + to)
            for at, start in _best(starts)
            for to, end in _best(ends)
        ]
        pairs.sort(reverse=True)
        found[head] = [(start, end) for _, start, end in pairs[:_MOST_PAIRS]]
    return found


def _best(row: np.ndarray) -> list[tuple[int, float]]:
    """Return the likeliest places of a row, with their probabilities."""
    order = np.argsort(-row, kind="stable")[:_MOST_EDGES].tolist()
    kept = [(at, float(row[at])) for at in order]
    return [pair for at, pair in enumerate(kept) if not at or pair[1] >= _LEAST_EDGE]
