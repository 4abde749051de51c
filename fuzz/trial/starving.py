"""Give the kernel less memory than it needs, request by request, until it has enough.

python -m trial.starving KERNEL FOLDER prints how many requests each format takes.
"""

from __future__ import annotations

import ctypes
import sys
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from seeds import seeds
from trial.trying import Trial

from corefkit.example import paths

if TYPE_CHECKING:
    from collections.abc import Callable

_FUNCTIONS: dict[str, tuple[object, ...]] = {
    "conll": (0,),
    "conllu": (),
}
_ROOM = 1 << 18
_MOST = 5000


def main(kernel: str, folder: str) -> None:
    """Try all formats that the kernel reads."""
    trial = Trial(Path(kernel), Random(0))
    library = ctypes.CDLL(kernel)
    library.trial_limit.argtypes = [ctypes.c_longlong]
    library.trial_live.restype = ctypes.c_longlong
    for name, more in _FUNCTIONS.items():
        content = _content(name, Path(folder, name))
        read = getattr(trial.kernel, f"read_{name}")
        requests, found = 0, None
        while found is None:
            library.trial_limit(requests)
            try:
                found = read(_filling(content), 0, *more, _ROOM)
            except MemoryError:
                pass
            finally:
                library.trial_limit(-1)
            left = library.trial_live()
            assert left == 0, f"{name}: {left} left after {requests} requests"
            requests += 1
            assert requests < _MOST, name
        sys.stdout.write(f"{name} {requests}\n")


def _content(name: str, folder: Path) -> bytes:
    """Write a plain file that is large enough for all that grows to do so."""
    if name == "conll":
        return paths()[0].read_bytes() * 40
    folder.mkdir()
    return b"".join(b"".join(case.values()) for case in seeds(name, folder))


def _filling(content: bytes) -> Callable[[memoryview], int]:
    rest = memoryview(content)

    def fill(room: memoryview) -> int:
        nonlocal rest
        size = min(len(room), len(rest))
        room[:size], rest = rest[:size], rest[size:]
        return size

    return fill


if __name__ == "__main__":
    main(*sys.argv[1:])
