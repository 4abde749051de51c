"""Heads of mentions that have none, found in the trees of their documents."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from corefkit.alignment.matching.trees import Trees
from corefkit.columns import plain_details, runs
from corefkit.exceptions import FormatError, quoted

if TYPE_CHECKING:
    from collections.abc import Callable

    from corefkit.columns import Columns, Flags
    from corefkit.formats.source import Source


def headless(columns: Columns) -> Flags:
    """Flag the mentions whose head is not known; one token is its own head."""
    missing: Flags = columns.start != columns.end
    if columns.details is not None:
        missing &= columns.details.head < 0
    return missing


def with_heads(columns: Columns, trees_of: Callable[[int], Trees | None]) -> Columns:
    """Give heads to mentions that lack them, from the trees of their documents.

    Those of documents without trees, or whose trees do not tell, stay without.
    """
    missing = np.flatnonzero(headless(columns))
    if not len(missing):
        return columns
    from corefkit.alignment.matching.candidates import check_lengths
    from corefkit.alignment.matching.head_rules import tree_heads

    details = columns.details or plain_details(columns)
    head = details.head.copy()
    document = columns.document[missing]
    for first, size in zip(*runs(document), strict=True):
        trees = trees_of(int(document[first]))
        mentions = missing[first : first + size]
        start, end = columns.start[mentions], columns.end[mentions]
        if trees is None or end.max() >= len(trees.brackets):
            continue
        check_lengths(int(document[first]), start, end)
        found = tree_heads(trees, zip(start.tolist(), end.tolist(), strict=True))
        if found is not None:
            head[mentions] = found
    return replace(columns, details=replace(details, head=head))


def sound_trees(source: Source, number: int) -> Trees | None:
    """Read the trees of a document, if it has any; refuse those that are broken."""
    from corefkit.alignment.matching.head_rules import broken_cell

    trees = Trees.of(source.document(number))
    token = None if trees is None else broken_cell(trees)
    if trees is None or token is None:
        return trees
    word = next(islice(source.words(number), token, None), None)
    message = (
        f"the brackets of the parse column of document {quoted(source.ids[number])} "
        f"break here, at {quoted(trees.brackets[token])}"
    )
    hint = "heads are found in its trees, as in '(NP*', '*', '*)'; or --match exact"
    place = word.place if word else source.place(number)
    raise FormatError(message, place=place, hint=hint)
