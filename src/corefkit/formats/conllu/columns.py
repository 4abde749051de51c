"""CoNLL-U text to columns, a block of bytes at a time.

Lines, tabs, `Entity` values and their brackets are found by comparisons over the whole
block and looked at together, as in `conll.columns`; the rules are those in
`formats.conllu.conllu`. What is rare is not done here: a document with discontinuous
mentions, escapes, blanks in words, or anything that breaks a rule raises `Irregular`,
and is read the slow way, which also says what is wrong.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from corefkit.columns import Columns, join_columns
from corefkit.columns.details import plain_details
from corefkit.formats.bytefile import BLOCK
from corefkit.formats.conllu import brackets, lines, links
from corefkit.formats.conllu.lines import Irregular
from corefkit.formats.documents import DocumentSource
from corefkit.formats.pairing import Unbalanced, paired_brackets
from corefkit.formats.source import Word

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefkit.columns import Ints
    from corefkit.columns.details import Details
    from corefkit.columns.words import Text


class ConlluSource(DocumentSource):
    """The documents of a CoNLL-U file, their mentions read in blocks."""

    def columns(self, numbers: Sequence[int]) -> Columns:
        """Read the mentions of some documents, in the order asked for."""
        parts: list[Columns] = []
        for block in _blocks(numbers, self.sizes):
            try:
                parts.append(self._regular(block))
            except Irregular:
                parts.extend(map(self._alone, block))
        return join_columns(parts)

    def words(self, number: int) -> Iterator[Word]:
        """Yield the words of a document with their places.

        The annotation is not read: a line may have any amount of it.
        """
        extent = self.extents[number]
        first = self.file.line_number(extent.start)
        sentence, tokens = 0, False
        numbered = enumerate(self.file.lines(extent.start, extent.end), first)
        for place, (_, line) in numbered:
            name, _, rest = line.partition(b"\t")
            if not line.strip(b" \t"):
                sentence, tokens = sentence + tokens, False
            elif name[:1] != b"#" and b"-" not in name:
                tokens = True
                if b"." not in name:
                    form = rest[: rest.find(b"\t")].decode(errors="replace")
                    yield Word(form, f"{self.name}:{place}", sentence)

    def may_name_kinds(self, number: int) -> bool:
        """Return whether mentions of a document may have a `mention_type`."""
        extent = self.extents[number]
        declared = getattr(extent, "declared", None) or ""
        # Names may have escapes, but nobody escapes letters.
        body = self.file.read(extent.start, extent.end)
        return "mention" in declared or b"mention" in body

    def _alone(self, number: int) -> Columns:
        try:
            return self._regular([number])
        except Irregular:
            return super().columns([number])

    def _regular(self, numbers: Sequence[int]) -> Columns:
        extents = [self.extents[number] for number in numbers]
        bodies = [self.file.read(extent.start, extent.end) for extent in extents]
        return conllu_columns(
            bodies, [getattr(extent, "declared", None) for extent in extents]
        )


def _blocks(numbers: Sequence[int], sizes: Sequence[int]) -> Iterator[list[int]]:
    block: list[int] = []
    size = 0
    for number in numbers:
        block.append(number)
        size += sizes[number]
        if size >= BLOCK:
            yield block
            block, size = [], 0
    if block:
        yield block


def conllu_columns(bodies: Sequence[bytes], declared: Sequence[str | None]) -> Columns:
    """Read the mentions of documents; `declared` is the `global.Entity` before each.

    Raises:
        Irregular: where a document is to be read the slow way.
    """
    block = lines.block_of(bodies, declared)
    tokens = lines.token_lines(block)
    prints, counts = lines.word_hashes(block, tokens)
    values = brackets.entity_values(block, tokens)
    pieces = brackets.bracket_pieces(block, tokens, values)
    nobody = np.zeros(len(bodies), np.bool_)
    try:
        paired = paired_brackets(pieces.brackets, may_stay_open=nobody)
    except Unbalanced:
        raise Irregular from None
    token = pieces.brackets.token
    columns = Columns(
        paired.entity,
        token[paired.begin],
        token[paired.finish],
        paired.entity_document,
        counts,
        prints,
    )
    details = _details(block, tokens, columns, values.text, pieces, paired.begin)
    return replace(columns, details=details)


def _details(
    block: lines.Block,
    tokens: lines.Tokens,
    columns: Columns,
    text: Text,
    pieces: brackets.Pieces,
    begin: Ints,
) -> Details:
    """Read what is known of mentions beside their spans; brackets `begin` open them."""
    start, end, document = columns.start, columns.end, columns.document
    length = end - start + 1
    inside = pieces.start[begin], pieces.end[begin]
    head, (first, last) = brackets.positions(block, text, document, *inside, length)
    unknown = np.flatnonzero(head == 0)
    head += start - 1
    if len(unknown):
        spans = document[unknown], start[unknown], end[unknown]
        head[unknown] = links.tree_heads(block, tokens, *spans)
    split, bridge = links.links(block, tokens, columns, begin, pieces.name[begin])
    return replace(
        plain_details(columns),
        head=head,
        minimum_start=np.where(first > 0, start + first - 1, -1),
        minimum_end=np.where(first > 0, start + last - 1, -1),
        empties=links.empty_nodes(block, tokens),
        split=split,
        bridge=bridge,
    )
