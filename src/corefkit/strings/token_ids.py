"""Tokens of a sentence by the ids that CoNLL-U gives them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def sentence_ids(tokens: Iterable[int], empty: set[int]) -> dict[str, int]:
    """Return the tokens of a sentence by their CoNLL-U ids.

    >>> sentence_ids(range(4, 7), {5})
    {'1': 4, '1.1': 5, '2': 6}
    """
    ids: dict[str, int] = {}
    word = node = 0
    for token in tokens:
        if token in empty:
            node += 1
            ids[f"{word}.{node}"] = token
        else:
            word, node = word + 1, 0
            ids[str(word)] = token
    return ids


def enhanced(cell: str) -> Iterator[tuple[str, str]]:
    """Iterate over CoNLL-U's enhanced dependencies: ids of parents, and relations.

    >>> list(enhanced("3:nsubj|5:nsubj:pass"))
    [('3', 'nsubj'), ('5', 'nsubj:pass')]
    """
    if cell != "_":
        for dependency in cell.split("|"):
            parent, _, relation = dependency.partition(":")
            yield parent, relation
