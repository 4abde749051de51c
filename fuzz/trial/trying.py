"""One input read with the kernel and without it: the same must come of both."""

from __future__ import annotations

import ctypes
import importlib.util
import os
import sys
from dataclasses import fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from corefkit.arrays.columns import Columns, make_default_details
from corefkit.exceptions import FormatError
from corefkit.formats import open_source
from corefkit.formats.files import VARIABLE

if TYPE_CHECKING:
    from pathlib import Path
    from random import Random

_MOST_REQUESTS = 60  # of a small file for memory


class Trial:
    """A kernel built for trials, whose blocks and memory are drawn at random."""

    def __init__(self, path: Path, random: Random) -> None:
        spec = importlib.util.spec_from_file_location("corefkit._kernel", path)
        assert spec is not None
        assert spec.loader is not None
        self.kernel = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(self.kernel)
        self.VERSION = self.kernel.VERSION
        self._library = ctypes.CDLL(str(path))
        self._library.trial_new_ways.restype = ctypes.c_long
        self._library.trial_live.restype = ctypes.c_longlong
        self._library.trial_limit.argtypes = [ctypes.c_longlong]
        self._random = random
        self.read = self.plain = 0  # how often the kernel read, and did not give up
        self.starved = False  # whether there is little memory
        sys.modules["corefkit._kernel"] = self  # type: ignore[assignment]

    def __getattr__(self, name: str) -> Any:
        """Return a function of the kernel, with other blocks than it is asked for."""
        function = getattr(self.kernel, name)

        def called(readinto: Any, *middle: Any) -> Any:
            *between, room = middle
            how = self._random.random()
            if how < 0.5:
                room = self._random.randint(1, max(room, 1))
            step = self._random.randint(1, 9) if how < 0.2 else room

            def fill(block: memoryview) -> int:
                return int(readinto(block[:step]))

            return self._called(function, fill, *between, room)

        return called

    def _called(self, function: Any, *arguments: Any) -> Any:
        before = self._library.trial_live()
        limit = self._random.randrange(_MOST_REQUESTS) if self.starved else -1
        self._library.trial_limit(limit)
        try:
            found = function(*arguments)
        finally:
            self._library.trial_limit(-1)
            left = self._library.trial_live() - before
            assert left == 0, f"{left} pieces of memory are not given back"
        self.read += 1
        self.plain += found is not None
        return found

    def new_ways(self) -> int:
        """Count the ways through the kernel that were never taken before."""
        return int(self._library.trial_new_ways())


def difference(path: Path, name: str, **how: bool) -> str | None:
    """Read a file with the kernel and without it; say what is not the same."""
    os.environ[VARIABLE] = "auto"
    found = _outcome(path, name, **how)
    os.environ[VARIABLE] = "off"
    wanted = _outcome(path, name, **how)
    os.environ[VARIABLE] = "auto"
    for part, one, other in zip(
        ("ids", "columns", "mixed"), found, wanted, strict=True
    ):
        where = _differ(one, other, part)
        if where:
            return f"{where}\n\nwith the kernel:\n{one}\n\nwithout it:\n{other}"
    return None


def _outcome(path: Path, name: str, **how: bool) -> tuple[object, object, object]:
    """Return ids and places of documents, and columns; or what is wrong."""
    try:
        source = open_source(path, format=name, **how)
    except FormatError as error:
        return str(error), None, None
    try:
        numbers = list(range(len(source.ids)))
        listed = [
            (source.ids[number], source.format_place(number)) for number in numbers
        ]
        listed.append((str(source.sizes), ""))
        mixed = [*numbers[::-2], *numbers[1::2]]
        return listed, source.read_columns(numbers), source.read_columns(mixed)
    except FormatError as error:
        return listed, str(error), None
    finally:
        source.close()


def _differ(one: Any, other: Any, where: str) -> str:
    """Name the first array that differs; details that say nothing may be missing."""
    if isinstance(one, Columns) and isinstance(other, Columns):
        one, other = (
            replace(side, details=side.details or make_default_details(side))
            for side in (one, other)
        )
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        same = one.dtype == other.dtype and np.array_equal(one, other)
        return "" if same else where
    if is_dataclass(one) and type(one) is type(other):
        found = (
            _differ(getattr(one, each.name), getattr(other, each.name), each.name)
            for each in fields(one)
        )
        return next(filter(None, found), "")
    return "" if type(one) is type(other) and one == other else where
