"""The ids of a table's entities as numbers, for entities across documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from corefkit.columns import runs
from corefkit.columns.identified import digit_codes
from corefkit.formats.tables.cells import Coded, Numbers, Texts

if TYPE_CHECKING:
    from corefkit.columns import Ints
    from corefkit.columns.identified import EntityCodes
    from corefkit.formats.tables.cells import Cells
    from corefkit.formats.tables.reading import OrderedRows
    from corefkit.formats.tables.tables import Frame, Roles


def entity_codes(
    frame: Frame, roles: Roles, ordered: OrderedRows, codes: EntityCodes
) -> Ints:
    """Number the ids of the entities of all documents, as the first row of each has it.

    Reading compared them by hashes, inside their documents; here they are compared as
    they stand, and their column is read again.
    """
    row = ordered.row[runs(ordered.entity).first]
    order = np.argsort(row)
    found = np.empty(len(row), np.int64)
    first = done = 0
    for (cells,) in frame.blocks([roles["entity"]]) if len(row) else ():
        behind = int(np.searchsorted(row, first + len(cells), sorter=order))
        asked = order[done:behind]
        found[asked] = _codes(cells, row[asked] - first, codes)
        first, done = first + len(cells), behind
    return found


def _codes(cells: Cells, rows: Ints, codes: EntityCodes) -> Ints:
    if isinstance(cells, Numbers):
        return codes.of_numbers(cells.values[rows])
    if isinstance(cells, Coded):
        return _codes(cells.values, cells.index[rows], codes)
    asked = Texts(cells.data, cells.start[rows], cells.length[rows])
    digits = asked.digits()
    found = digit_codes(digits, asked.length)
    other = np.flatnonzero(digits < 0)
    found[other] = codes.of_names(map(asked.text, other.tolist()))
    return found
