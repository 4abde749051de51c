"""Heads and minimum spans of mentions that have none, from trees of their documents."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from corefkit.alignment.blocks import CrowdedDocument, place_of_mention
from corefkit.alignment.matching.trees import Trees
from corefkit.columns import runs
from corefkit.columns.details import plain_details
from corefkit.exceptions import FormatError, quoted

if TYPE_CHECKING:
    from collections.abc import Callable

    from corefkit.alignment.blocks import Block, Numbers
    from corefkit.alignment.runs import Side
    from corefkit.columns import Columns, Flags
    from corefkit.formats.source import Source


def own_heads(side: Side, columns: Columns, numbers: Numbers) -> Columns:
    """Find heads in a side's own trees for mentions that lack them, where needed.

    Mentions of the key that still lack one are refused; those of the response may have
    one in the key's trees.
    """
    settings, source = side.settings, side.source
    if settings.by_minimum or (side.role == "response" and not settings.by_head):
        return columns
    try:
        columns = with_heads(
            columns, lambda row: sound_trees(source, numbers[row] or 0)
        )
    except CrowdedDocument as error:
        raise named_document(error, source, numbers) from error
    if side.role == "key":
        _refuse_headless(side, columns, numbers)
    return columns


def key_heads(side: Side, block: Block, key: Source, partners: Block) -> Columns:
    """Find heads in the key's trees for mentions of a response that has no trees."""

    def key_trees(row: int) -> Trees | None:
        count = block.read.token_count[row]
        same = count < 0 or count == partners.read.token_count[row]
        return sound_trees(key, partners.numbers[row] or 0) if same else None

    try:
        columns = with_heads(block.settled, key_trees)
    except CrowdedDocument as error:
        raise named_document(error, side.source, block.numbers) from error
    _refuse_headless(side, columns, block.numbers)
    return columns


def minimum_trees(side: Side, columns: Columns, numbers: Numbers) -> dict[int, Trees]:
    """Find the trees of documents whose mentions lack minima that are asked for.

    A mention without minimum is all minimum, as in MUC; refused are those among which
    none has one.
    """
    if not side.settings.by_minimum or side.role == "response":
        return {}
    missing = headless(columns)
    if columns.details is not None:
        missing &= columns.details.minimum_start < 0
    trees: dict[int, Trees] = {}
    for row in np.unique(columns.document[missing]).tolist():
        found = Trees.of(side.source.document(numbers[row] or 0))
        if found is not None:
            trees[row] = found
        else:
            side.lacking.minimum(_headless_mention(side, columns, numbers, row))
    return trees


def headless(columns: Columns) -> Flags:
    """Flag the mentions whose head is not known; one token is its own head."""
    missing: Flags = columns.start != columns.end
    if columns.details is not None:
        missing &= columns.details.head < 0
    return missing


def with_heads(columns: Columns, trees_of: Callable[[int], Trees | None]) -> Columns:
    """Find heads for mentions that lack them, in the trees of their documents.

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


def named_document(
    error: CrowdedDocument, source: Source, numbers: Numbers, having: str = ""
) -> FormatError:
    """Say which document of a block an error is about, and what it has."""
    number = numbers[error.document] or 0
    message = f"document {quoted(source.ids[number])}{having}: {error.message}"
    return FormatError(message, place=source.place(number), hint=error.hint)


def _refuse_headless(side: Side, columns: Columns, numbers: Numbers) -> None:
    missing = headless(columns)
    if missing.any():
        row = int(columns.document[missing][0])
        raise _headless_mention(side, columns, numbers, row)


def _headless_mention(
    side: Side, columns: Columns, numbers: Numbers, row: int
) -> FormatError:
    """Say that the first mention of a document lacks what the match asks for."""
    number, match = numbers[row] or 0, side.settings.match
    here = np.flatnonzero(headless(columns) & (columns.document == row))
    place = place_of_mention(side.source, number, columns, int(here[0]))
    what = "minimum span, head or tree" if match == "min" else "head"
    message = (
        f"a mention of document {quoted(side.source.ids[number])} has no {what}, which "
        f"--match {match} asks for"
    )
    hint = (
        "formats such as CoNLL-U have heads, and so has the parse column of "
        "CoNLL-2012; without, there is --match exact"
    )
    return FormatError(message, place=place, hint=hint)
