"""The words of CoNLL-2012 documents and their layers alone, whole columns at once.

Most documents are plain: their lines have words, and neither comments nor control
characters stand among them. Others are read line by line.
"""

from __future__ import annotations

from itertools import accumulate, groupby, pairwise
from typing import TYPE_CHECKING

from corefkit.formats.conll.columns import WORD_COLUMN
from corefkit.formats.conll.rows import (
    FEWEST_COLUMNS,
    LAYERS,
    NOTHING,
    document_text,
    token_rows,
)
from corefkit.model import Document

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefkit.formats.bytefile import ByteFile
    from corefkit.formats.conll.extents import ConllExtent

# What stands between columns too, but hardly ever does.
_ODD_BLANKS = bytes({*range(ord(" "))} - {*b"\t\n\r\v\f"})


def words_alone(file: ByteFile, extent: ConllExtent, *, reference: bool) -> Document:
    """Read the words of a document and their layers, and leave out its entities."""
    document = _plain(extent.id, file.read(extent.body, extent.end))
    if document is not None:
        return document
    return document_text(extent.id, list(token_rows(file, extent, reference=reference)))


def _plain(name: str, body: bytes) -> Document | None:
    """Read a document at once; None if it is not plain."""
    if len(body.translate(None, _ODD_BLANKS)) < len(body):
        return None
    lines = [line.split() for line in body.split(b"\n")]
    rows = [line for line in lines if line]
    fewest = min(map(len, rows), default=0)
    if fewest < FEWEST_COLUMNS or not rows[0][2][:1].isdigit():
        return None
    if any(first.startswith(b"#") for first in {row[0] for row in rows}):
        return None
    kept = {"": WORD_COLUMN}
    kept |= {layer: column for layer, column in LAYERS.items() if column < fewest - 1}
    try:
        cells = {layer: _decoded(rows, column) for layer, column in kept.items()}
    except UnicodeDecodeError:
        return None
    words = cells.pop("")
    lengths = [len(list(group)) for there, group in groupby(lines, bool) if there]
    bounds = pairwise([0, *accumulate(lengths)])
    return Document(
        name,
        tuple(tuple(words[first:last]) for first, last in bounds),
        (),
        layers={
            layer: tuple(row) for layer, row in cells.items() if not {*row} <= NOTHING
        },
    )


def _decoded(rows: Sequence[Sequence[bytes]], column: int) -> list[str]:
    cells = b"\n".join([row[column] for row in rows])
    return cells.decode("utf-8").split("\n")
