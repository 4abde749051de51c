"""Files read with the kernel and without it, and what comes of both."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from alike import assert_same

from corefkit import FormatError
from corefkit.formats import open_source
from corefkit.kernel import VARIABLE, kernel

if TYPE_CHECKING:
    from pathlib import Path

needs_kernel = pytest.mark.skipif(
    kernel() is None, reason="the kernel was not built, or is off"
)


def filled_from(content: bytes):
    """Make a function that copies a text into memory, piece by piece."""
    place = 0

    def fill(room):
        nonlocal place
        part = content[place : place + len(room)]
        room[: len(part)] = part
        place += len(part)
        return len(part)

    return fill


def left_documents(path: Path, name: str) -> list[int]:
    """List the documents that the kernel does not take for plain."""
    source = open_source(path, format=name)
    source.close()
    return sorted(source._held.skipped)


def outcome(path: Path, name: str, *, response: bool = False):
    """Give ids, extents and columns of a file, or what is wrong with it."""
    try:
        source = open_source(path, format=name, response=response)
    except FormatError as error:
        return str(error)
    try:
        numbers = list(range(len(source.ids)))
        bounds = [
            (*extent, getattr(extent, "declared", None)) for extent in source.extents
        ]
        mixed = [*numbers[::-2], *numbers[1::2]]
        coded = source.read_columns(mixed, {})
        return (
            (bounds, same_ids(coded.code.tolist())),
            source.read_columns(numbers),
            source.read_columns(mixed),
            replace(coded, code=None),
        )
    except FormatError as error:
        return str(error)
    finally:
        source.close()


def same_ids(codes):
    """Number codes as they come: which of them are the same is all that they say."""
    seen = {}
    return [seen.setdefault(code, len(seen)) for code in codes]


def assert_read_alike(path: Path, name: str, *, response: bool = False) -> None:
    """Read a file with the kernel and without it, and compare what comes of it."""
    found = outcome(path, name, response=response)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, "off")
        wanted = outcome(path, name, response=response)
    if isinstance(wanted, str) or isinstance(found, str):
        assert found == wanted
        return
    assert found[0] == wanted[0]
    for ours, theirs in zip(found[1:], wanted[1:], strict=True):
        assert_same(ours, theirs)
