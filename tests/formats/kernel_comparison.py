"""Files read with the kernel and without it, and the results compared."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from alike import assert_same

from corefkit import FormatError
from corefkit.formats import open_source
from corefkit.formats.files import VARIABLE, load_kernel

if TYPE_CHECKING:
    from pathlib import Path

needs_kernel = pytest.mark.skipif(
    load_kernel() is None, reason="the kernel was not built, or is off"
)


def make_readinto(content: bytes, step: int = 1 << 18):
    """Return a function that copies a text into memory, part by part."""
    offset = 0

    def readinto(room):
        nonlocal offset
        part = content[offset : offset + min(step, len(room))]
        room[: len(part)] = part
        offset += len(part)
        return len(part)

    return readinto


def list_skipped(path: Path, name: str, **options: bool) -> list[int] | None:
    """List the documents that the kernel skips; None if it skips the file."""
    source = open_source(path, format=name, **options)
    source.close()
    return None if source._held is None else sorted(source._held.skipped)


def read_all(path: Path, name: str, **options: bool):
    """Return ids, extents and columns of a file, or its error."""
    try:
        source = open_source(path, format=name, **options)
    except FormatError as error:
        return str(error)
    try:
        numbers = list(range(len(source.ids)))
        extents = [
            (*extent, getattr(extent, "declared", None)) for extent in source.extents
        ]
        shuffled = [*numbers[::-2], *numbers[1::2]]
        coded = source.read_columns(shuffled, {})
        return (
            (extents, [] if coded.code is None else rank_codes(coded.code.tolist())),
            source.read_columns(numbers),
            source.read_columns(shuffled),
            source.read_columns(numbers[1:]),
            replace(coded, code=None),
        )
    except FormatError as error:
        return str(error)
    finally:
        source.close()


def rank_codes(codes):
    """Number codes by their first use: only equality of codes has a meaning."""
    ranks = {}
    return [ranks.setdefault(code, len(ranks)) for code in codes]


def assert_read_alike(path: Path, name: str, **options: bool) -> None:
    """Assert that a file is the same with the kernel and without it."""
    result = read_all(path, name, **options)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, "off")
        expected = read_all(path, name, **options)
    if isinstance(expected, str) or isinstance(result, str):
        assert result == expected
        return
    assert result[0] == expected[0]
    for columns, expected_columns in zip(result[1:], expected[1:], strict=True):
        assert_same(columns, expected_columns)
