"""What DuckDB refuses, in corefkit's own words; DuckDB's error is the cause."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from corefkit.exceptions import CorefkitError, FormatError, SettingsError
from corefkit.strings.escaping import for_terminal

if TYPE_CHECKING:
    from collections.abc import Iterator

_SPILLS = "give it more with --memory, or room on disk with --temp-directory"
_FOLDER = "name a folder with room by --temp-directory, or give more with --memory"
_NO_ROOM = ("Failed to create directory", "duckdb_temp_", "No space left")


def first_line(error: BaseException) -> str:
    r"""Return the first line of what an error says, or its kind.

    >>> first_line(ValueError("no such\ncolumn"))
    'no such'
    """
    return for_terminal((str(error).splitlines() or [type(error).__name__])[0])


@contextmanager
def in_words(place: str, limit: str) -> Iterator[None]:
    """Turn what DuckDB refuses into corefkit's words, whatever kind of error it is."""
    try:
        yield
    except (CorefkitError, GeneratorExit, KeyboardInterrupt):
        raise
    except Exception as error:
        told = first_line(error)
        if "Out of Memory" in str(error) or isinstance(error, MemoryError):
            message = f"DuckDB needs more than {limit}: {told}"
            raise SettingsError(message, hint=_SPILLS) from error
        if "not suitable for replacement scan" in str(error):
            message = "DuckDB cannot read relations of two connections together"
            hint = "make key and response with one connection"
            raise SettingsError(message, hint=hint) from error
        if any(sign in str(error) for sign in _NO_ROOM):
            message = f"DuckDB cannot put on disk what does not fit: {told}"
            raise SettingsError(message, hint=_FOLDER) from error
        message = f"DuckDB cannot read this: {told}"
        hint = "is it Parquet, and whole?"
        raise FormatError(message, place=place, hint=hint) from error
