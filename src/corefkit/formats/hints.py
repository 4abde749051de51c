"""What a file looks like that is in no format known here: a hint for its owner."""

from __future__ import annotations

import re

_CELL = re.compile(rb"[-_*]|\(?[^\s()|]+\)|\([^\s()|]+(?:\||\(|$).*|(?:.*\|.*[()].*)")
_ROWS = 50  # that are looked at
_DELIMITERS = ("\t", ",", ";")


def looks_like(head: bytes) -> str:
    r"""Say what the first bytes of a file look like, and what to do about it.

    >>> looks_like(b"d\t0\t0\tAnn\t(1)\nd\t0\t1\tsaw\t-\n")
    "a CoNLL-2012 document begins with '#begin document (id); part 000'"
    >>> looks_like(b"ID\tText\nv-1\tShe saw her.\n")  # doctest: +ELLIPSIS
    "this looks like a table: found columns 'ID', 'Text', expected document, entity, ...
    """
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "this looks like UTF-16; save the file as UTF-8"
    if b"\0" in head:
        return "this looks like a binary file"
    lines = [line for line in head.split(b"\n")[:_ROWS] if line.strip()]
    if _have_cells([line for line in lines if not line.startswith(b"#")]):
        return "a CoNLL-2012 document begins with '#begin document (id); part 000'"
    fault = _table_fault(lines[0]) if lines else None
    if fault is not None:
        return f"this looks like a table: {fault}"
    return "name the format with --from, or see `corefkit validate --help`"


def _have_cells(lines: list[bytes]) -> bool:
    """Return whether most lines have columns, and brackets or none in the last."""
    cells = [line.split()[-1] for line in lines if len(line.split()) > 1]
    brackets = [_CELL.fullmatch(cell) is not None for cell in cells]
    return sum(brackets) * 2 > len(lines)


def _table_fault(line: bytes) -> str | None:
    """Say which columns a table would need, where the first line names any."""
    from corefkit.formats.tables.tables import column_fault

    header = line.decode("utf-8", "replace").strip("\r")
    for delimiter in _DELIMITERS:
        columns = [column.strip() for column in header.split(delimiter)]
        named = all(re.fullmatch(r"[^\W\d][\w .-]*", column) for column in columns)
        if len(columns) > 1 and named and len(set(columns)) == len(columns):
            return column_fault(columns)
    return None
