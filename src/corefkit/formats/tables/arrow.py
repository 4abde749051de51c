"""Arrow arrays as cells of tables; pyarrow is imported when it is used."""

from __future__ import annotations

from contextlib import contextmanager
from functools import cached_property
from importlib import import_module
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from corefkit.exceptions import FormatError
from corefkit.formats.tables.cells import Numbers, Texts, cell_text, texts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from corefkit.columns import Ints
    from corefkit.formats.tables.cells import Cells


def pyarrow(place: str, *parts: str) -> Any:
    """Import pyarrow or a part of it, or say how to install it.

    Args:
        place: the input that needs it.
        parts: the names of the part.
    """
    try:
        return import_module(".".join(("pyarrow", *parts)))
    except ImportError as error:
        message = "this needs pyarrow, which is not installed"
        hint = 'install it with pip install "corefkit[tables]"'
        raise FormatError(message, place=place, hint=hint) from error


@contextmanager
def refusing(place: str) -> Iterator[None]:
    """Turn pyarrow's errors about a broken table into a `FormatError`."""
    arrow = pyarrow(place).ArrowException
    kinds = arrow, OSError, ValueError, LookupError, RuntimeError, MemoryError
    try:
        yield
    except kinds as error:
        words = str(error).splitlines() or [type(error).__name__]
        message = f"cannot be read as a table: {words[0]}"
        hint = "is it whole? write it anew, or as TSV"
        raise FormatError(message, place=place, hint=hint) from error


def arrow_cells(array: Any, place: str) -> Cells:
    """Make cells of an Arrow array, without Python strings for text."""
    types = pyarrow(place).types
    with refusing(place):
        if types.is_dictionary(array.type):
            array = array.dictionary_decode()
        if types.is_signed_integer(array.type):
            missing = array.is_null().to_numpy(zero_copy_only=False)
            return Numbers(array.fill_null(0).to_numpy().astype(np.int64), missing)
        kinds = types.is_string, types.is_large_string, types.is_string_view
        if any(is_text(array.type) for is_text in kinds):
            return _texts(array)
        return texts([cell_text(value) for value in array.to_pylist()])


def _texts(array: Any) -> Texts:
    array.validate(full=True)  # all bytes are UTF-8
    array = array.cast("large_string")
    _, offsets, data = array.buffers()
    if data is None:
        return texts([""] * len(array))
    bounds = np.frombuffer(offsets, np.int64)[array.offset :][: len(array) + 1]
    length = np.diff(bounds)
    if array.null_count:
        length[array.is_null().to_numpy(zero_copy_only=False)] = 0
    first, last = int(bounds[0]), int(bounds[-1])
    text = data.slice(first, last - first).to_pybytes()
    return Texts(text, bounds[:-1] - first, length)


class ArrowRows:
    """The rows of an Arrow table, by number.

    Args:
        table: gives the table, when it is first needed.
        place: what to call it in messages.
    """

    def __init__(self, table: Callable[[], Any], place: str) -> None:
        self._table, self._place = table, place
        self._lock = Lock()  # one thread reads ahead while another asks for types

    def __call__(self, numbers: Ints) -> list[tuple[object, ...]]:
        """Return some rows, in the order asked for."""
        with self._lock, refusing(self._place):
            rows = pyarrow(self._place).array(numbers)
            cells = [column.take(rows).to_pylist() for column in self._columns]
        return list(zip(*cells, strict=True))

    @cached_property
    def _columns(self) -> list[Any]:
        is_view = pyarrow(self._place).types.is_string_view
        # Views cannot be taken from, and one chunk is taken from faster than many.
        return [
            column.cast("large_string") if is_view(column.type) else column
            for column in self._table().combine_chunks().columns
        ]
