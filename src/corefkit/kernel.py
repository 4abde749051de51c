"""Interface to the compiled kernel, which is optional.

The kernel reads plain files in one pass. Without it numpy reads CoNLL-2012, and Python
CoNLL-U and JSON lines, to the same columns. `COREFKIT_KERNEL` decides when corefkit
runs: `auto`, the default, uses it where it was built; `off` does not; `require` refuses
to read without it.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

from corefkit.exceptions import SettingsError

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

if TYPE_CHECKING:
    # Fills a block of memory as far as there is text, and says how far.
    ReadInto: TypeAlias = Callable[[memoryview], int]

VARIABLE = "COREFKIT_KERNEL"
_WAYS = ("auto", "require", "off")
_HOW = "install corefkit where a C compiler is, or set COREFKIT_KERNEL=auto"


class Kernel(Protocol):
    """What the kernel has; each function may return None, and then Python reads.

    The functions fetch text by `readinto`, which begins at an offset of its file, into
    a block of memory with room for a number of bytes. A CoNLL-2012 file is plain or is
    not, by lines longer than the block too; of other files, single documents are not.
    """

    def read_conll(
        self, readinto: ReadInto, offset: int, reference: bool, room: int, /
    ) -> tuple[bytes, ...] | None:
        """Read a CoNLL-2012 file, as the reference scorer does or as we do."""

    def read_conllu(
        self, readinto: ReadInto, offset: int, room: int, /
    ) -> tuple[bytes, ...] | None:
        """Read a CoNLL-U file; documents that are not plain are only marked."""

    def read_jsonl(
        self, readinto: ReadInto, offset: int, response: bool, room: int, /
    ) -> tuple[bytes, ...] | None:
        """Read JSON lines, as a response or not; some documents are only marked."""


def kernel() -> Kernel | None:
    """Return the kernel; None where it is not there, or not wanted.

    Raises:
        SettingsError: it is required and not there.
    """
    way = _way()
    found = None if way == "off" else _found()
    if found is None and way == "require":
        message = f"{VARIABLE} is 'require', but the kernel was not built"
        raise SettingsError(message, code="environment/no-kernel", hint=_HOW)
    return found


def in_words() -> str:
    """Say whether the kernel is there, for `corefkit --version`.

    >>> in_words() in ("with kernel", "kernel off", "without kernel")
    True
    """
    if _way() == "off":
        return "kernel off"
    return "with kernel" if _found() else "without kernel"


def _way() -> str:
    way = os.environ.get(VARIABLE) or "auto"
    if way not in _WAYS:
        message = f"{VARIABLE} is {way!r}, expected one of {', '.join(_WAYS)}"
        raise SettingsError(message, code="settings/invalid-value")
    return way


def _found() -> Kernel | None:
    try:
        return cast("Kernel", import_module("corefkit._kernel"))
    except ImportError:
        return None
