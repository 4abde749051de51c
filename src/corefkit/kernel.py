"""Interface to the compiled kernel, which is optional.

The kernel reads plain files of CoNLL-2012, SemEval-2010 and CoNLL-U in one pass.
Without it, Python reads the same columns. The variable `COREFKIT_KERNEL` selects it:
`auto`, the default, uses the kernel if it was built; `off` does not; `require` raises
an error without it.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, cast

from corefkit.exceptions import SettingsError

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    # Fills a block of memory with text, and returns the number of bytes.
    ReadInto: TypeAlias = Callable[[memoryview], int]

VARIABLE = "COREFKIT_KERNEL"
_MODES = ("auto", "require", "off")
_HINT = "install corefkit where a C compiler is, or set COREFKIT_KERNEL=auto"
_VERSION = 4  # of the interface; a kernel built from other sources is ignored


class Kernel(Protocol):
    """The functions of the kernel.

    They fetch text into a block of some size by `readinto`, from an offset of the file.
    Documents that are not plain are only marked. They return None if memory runs out,
    or if the documents cannot be told apart; then Python reads the file.
    """

    def read_conll(
        self, readinto: ReadInto, offset: int, dialect: int, room: int, /
    ) -> tuple[Any, ...] | None:
        """Read CoNLL-2012 (0, or 1 as the reference scorer does) or SemEval (2)."""

    def read_conllu(
        self, readinto: ReadInto, offset: int, room: int, /
    ) -> tuple[bytes, ...] | None:
        """Read a CoNLL-U file."""


def kernel() -> Kernel | None:
    """Return the kernel; None if it was not built or is disabled.

    Raises:
        SettingsError: it is required and was not built.
    """
    mode = _read_mode()
    built = None if mode == "off" else _import_kernel()
    if built is None and mode == "require":
        message = f"{VARIABLE} is 'require', but the kernel was not built"
        raise SettingsError(message, code="environment/no-kernel", hint=_HINT)
    return built


def describe_kernel() -> str:
    """Describe whether the kernel is used, for `corefkit --version`.

    >>> describe_kernel() in ("with kernel", "kernel off", "without kernel")
    True
    """
    if _read_mode() == "off":
        return "kernel off"
    return "with kernel" if _import_kernel() else "without kernel"


def _read_mode() -> str:
    mode = os.environ.get(VARIABLE) or "auto"
    if mode not in _MODES:
        message = f"{VARIABLE} is {mode!r}, expected one of {', '.join(_MODES)}"
        raise SettingsError(message, code="settings/invalid-value")
    return mode


def _import_kernel() -> Kernel | None:
    try:
        module = import_module("corefkit._kernel")
    except ImportError:
        return None
    return cast("Kernel", module) if getattr(module, "VERSION", 1) == _VERSION else None
