"""Partitions for the tests, and their scores as dictionaries.

Partitions come from letters, from a matrix of shared mentions, and at random.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import strategies as st

from corefkit.corpus import format_declaration

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefkit import Document
    from corefkit.corpus import Declaration

    Partition = list[list[int]]
    Matrix = Sequence[Sequence[int]]

FIELDS = ("recall", "precision", "f1")
COUNTS = (
    "recall_numerator",
    "recall_denominator",
    "precision_numerator",
    "precision_denominator",
)


def letters(text: str) -> list[str]:
    """Read a partition in letters: blanks between entities, a letter for each mention.

    >>> letters("abc defg")
    ['abc', 'defg']
    """
    return text.split()


def partitions_sharing(
    shared: Matrix,
) -> tuple[list[list[tuple[int, int, int]]], list[list[tuple[int, int, int]]]]:
    """Build key and response entities that share as many mentions as the matrix says.

    Row i is key entity i, column j response entity j; no mention is twinless, and rows
    and columns of zeros build no entity.

    >>> partitions_sharing([[2, 0], [0, 1]])[0]
    [[(0, 0, 0), (0, 0, 1)], [(1, 1, 0)]]
    """
    key: dict[int, list[tuple[int, int, int]]] = {}
    response: dict[int, list[tuple[int, int, int]]] = {}
    for i, row in enumerate(shared):
        for j, count in enumerate(row):
            for mention in ((i, j, n) for n in range(count)):
                key.setdefault(i, []).append(mention)
                response.setdefault(j, []).append(mention)
    return list(key.values()), [response[j] for j in sorted(response)]


def labelled(labels: Sequence[int]) -> Partition:
    """Put mention i into the entity of the i-th label; label 0 leaves it out.

    >>> labelled([1, 0, 2, 1])
    [[0, 3], [2]]
    """
    entities: dict[int, list[int]] = {}
    for mention, label in enumerate(labels):
        if label:
            entities.setdefault(label, []).append(mention)
    return list(entities.values())


def set_declaration(document: Document, declaration: Declaration) -> Document:
    """Declare the corpus of a document with sentences."""
    first, *following = document.comments or ((),) * len(document.sentences)
    comments = (format_declaration(declaration), *first), *following
    return replace(document, comments=comments)


def label_lists(mentions: int) -> st.SearchStrategy[list[int]]:
    """Draw a label for each mention, from few or many entities and the label 0."""
    return st.integers(1, max(1, mentions)).flatmap(
        lambda entities: st.lists(
            st.integers(0, entities), min_size=mentions, max_size=mentions
        )
    )


@st.composite
def partitions(draw: st.DrawFn, max_mentions: int = 12) -> Partition:
    """Draw a partition: empty, singletons, one entity and all between."""
    return labelled(draw(label_lists(draw(st.integers(0, max_mentions)))))


@st.composite
def pairs(draw: st.DrawFn, max_mentions: int = 12) -> tuple[Partition, Partition]:
    """Draw a key and a response over one pool of mentions.

    The response is drawn independently, or by changing some labels of the key. Either
    side may be empty, and label 0 makes twinless mentions on both.
    """
    mentions = draw(st.integers(0, max_mentions))
    key_labels = draw(label_lists(mentions))
    response_labels = draw(label_lists(mentions))
    if draw(st.booleans()):
        kept = draw(st.lists(st.booleans(), min_size=mentions, max_size=mentions))
        response_labels = [
            key_label if keep else response_label
            for key_label, response_label, keep in zip(
                key_labels, response_labels, kept, strict=True
            )
        ]
    return labelled(key_labels), labelled(response_labels)


@st.composite
def corpora(
    draw: st.DrawFn, max_documents: int = 5
) -> tuple[dict[str, Partition], dict[str, Partition]]:
    """Draw a key corpus and a response corpus with the same document ids."""
    documents = draw(st.lists(pairs(8), min_size=1, max_size=max_documents))
    key = {f"document {n}": pair[0] for n, pair in enumerate(documents)}
    response = {f"document {n}": pair[1] for n, pair in enumerate(documents)}
    return key, response


def scores(result, names) -> dict[str, float]:
    """Collect recall, precision and F1 of some metrics, to compare them at once."""
    return {
        f"{name} {field}": getattr(result[name], field)
        for name in names
        for field in FIELDS
    }


def counts(result, names) -> dict[str, float]:
    """Collect the four counts of some metrics; BLANC has four for each kind of link."""
    parts = {name: result[name] for name in names if name != "blanc"}
    if "blanc" in names:
        parts["blanc coreference"] = result["blanc"].coreference
        parts["blanc non_coreference"] = result["blanc"].non_coreference
    return {
        f"{name} {field}": getattr(part, field)
        for name, part in parts.items()
        for field in COUNTS
    }


def close_to(values) -> object:
    """Expect exact values, up to the last digits of a float."""
    return pytest.approx(
        {name: float(value) for name, value in values.items()}, rel=1e-9
    )
