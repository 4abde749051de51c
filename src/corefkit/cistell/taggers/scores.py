"""How well a tagger finds mentions: recall, precision and F1 of spans and of heads.

Spans count where they are exactly those of the key. Heads count where the key has a
mention with the same head, whatever its span: many mentions of one head are one. The
heads of both sides are those of one tree, the key's where it has one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import numpy as np

from corefkit.cistell.taggers.trees import tree_of
from corefkit.exceptions import CorefkitError, PairingError, quoted
from corefkit.metrics.base import ratios
from corefkit.report.page import Column, Grid, cells, columns
from corefkit.report.scores import PARTS, SPACING
from corefkit.syntax.dependencies import head_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from collections.abc import Set as AbstractSet

    from corefkit.metrics.base import Score
    from corefkit.model import Document, Mention
    from corefkit.syntax.dependencies import Syntax


@dataclass(frozen=True, slots=True)
class TaggerScores:
    """Scores of a tagger over all documents together.

    Attributes:
        spans: those of exact spans.
        heads: those of heads only.
        documents: how many documents there are.
    """

    spans: Score
    heads: Score
    documents: int


def tagger_scores(
    key: Iterable[Document], response: Iterable[Document]
) -> TaggerScores:
    """Score the mentions of a response against those of a key.

    Args:
        key: documents with all their mentions.
        response: the same documents, in the same order, with those that were found.

    Raises:
        PairingError: they are not the same documents.
        CorefkitError: a document has no tree on either side.
    """
    spans, heads = np.zeros(4), np.zeros(4)
    documents = 0
    for one, other in _paired(key, response):
        wanted, found = _mentions(one), _mentions(other)
        syntax = _syntax(one, other)
        spans += _counts(wanted, found)
        heads += _counts(_heads(wanted, syntax), _heads(found, syntax))
        documents += 1
    return TaggerScores(ratios(spans), ratios(heads), documents)


def tagger_table(scores: Mapping[str, TaggerScores]) -> Grid:
    """Lay the scores of taggers side by side, one row for each, by its name.

    `corefkit.report` writes it for terminals, in Markdown or LaTeX.
    """
    rows = [
        (name, *_cells(one.spans), *_cells(one.heads)) for name, one in scores.items()
    ]
    heads = [
        Column(part, group=name) for name in ("exact spans", "heads") for part in PARTS
    ]
    return Grid((*columns([""]), *heads), cells(rows), "Mentions", spacing=SPACING)


def _paired(
    key: Iterable[Document], response: Iterable[Document]
) -> Iterator[tuple[Document, Document]]:
    for one, other in zip_longest(key, response):
        if one is None or other is None:
            side = "response" if other is None else "key"
            message = f"the {side} has fewer documents"
            raise PairingError(message, hint="tag every document of the key")
        if one.tokens != other.tokens:
            message = "key and response do not have the same tokens"
            place = f"document {quoted(one.id)}"
            hint = "tag the documents of the key, in their order"
            raise PairingError(message, place=place, hint=hint)
        yield one, other


def _mentions(document: Document) -> set[Mention]:
    # What files say of heads is left out: heads are found the same way on both sides.
    return {replace(mention, head=None) for entity in document for mention in entity}


def _syntax(key: Document, response: Document) -> Syntax:
    try:
        return tree_of(key).syntax(key)
    except CorefkitError:
        return tree_of(response).syntax(response)


def _heads(mentions: Iterable[Mention], syntax: Syntax) -> set[int]:
    return {head_of(mention, syntax) for mention in mentions}


def _counts(key: AbstractSet[Any], response: AbstractSet[Any]) -> list[int]:
    """Give numerator and denominator of recall, then of precision."""
    both = len(key & response)
    return [both, len(key), both, len(response)]


def _cells(score: Score) -> tuple[str, str, str]:
    shown = (score.recall, score.precision, score.f1)
    recall, precision, f1 = (f"{100 * part:.2f}" for part in shown)
    return recall, precision, f1
