"""CoNLL-2012 files that the kernel reads at once: all documents, in one pass.

What it does not take for plain, it leaves to `conll_extents` and `coded_columns`, whose
columns are the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefkit.columns import Columns
from corefkit.columns.held import Held, numbers_of

if TYPE_CHECKING:
    from corefkit.columns import Ints
    from corefkit.formats.bytefile import ByteFile
    from corefkit.kernel import Kernel


class WholeFile(NamedTuple):
    """The documents of a file: ids, offsets, and their columns."""

    ids: list[str]
    start: Ints  # where the first line of each begins
    body: Ints  # where its tokens begin
    end: Ints  # where its last line begins
    held: Held


def read_whole(kernel: Kernel, file: ByteFile, *, reference: bool) -> WholeFile | None:
    """Read a file by the kernel; None where it is not plain."""
    fill, room = file.stream()
    read = kernel.read_conll(fill, file.text_start, reference, room)
    if read is None:
        return None
    names, *rows = read
    of_documents, (code, *of_mentions) = numbers_of(rows[:7]), numbers_of(rows[7:])
    start, body, end, tokens, hashes, entities, mentions = of_documents
    entity, first, last = of_mentions
    document = np.repeat(np.arange(len(start)), np.diff(entities))
    prints = hashes.view(np.uint64)
    columns = Columns(entity, first, last, document, tokens, prints)
    held = Held(columns, entities, mentions, code)
    return WholeFile(_decoded(names), start, body, end, held)


def _decoded(names: bytes) -> list[str]:
    # No name reaches into the next, whatever its bytes: all are decoded at once.
    return names.decode("utf-8", "backslashreplace").split("\n")[:-1]
