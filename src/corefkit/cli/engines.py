"""The options of engines, and of what only tables can have."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

from corefkit.exceptions import SettingsError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from corefkit.engines.base import Engine

ENGINES = ("duckdb", "spark")
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([KMGT]?)(i?)B?", re.IGNORECASE)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add `--engine` and the options that go with it."""
    group = parser.add_argument_group("tables that outgrow memory (docs/engines.md)")
    group.add_argument(
        "--engine",
        choices=ENGINES,
        metavar="|".join(ENGINES),
        help="read Parquet (files, folders, globs) with this engine",
    )
    group.add_argument(
        "--memory", metavar="SIZE", help="memory of the engine, as in 800MB or 4GB"
    )
    group.add_argument(
        "--temp-directory",
        metavar="FOLDER",
        help="where the engine puts what does not fit (default: the system's folder)",
    )
    group.add_argument(
        "--ceaf-bounds",
        action="store_true",
        help="where too many entities are to be aligned, give bounds of CEAF",
    )
    group.add_argument(
        "--counts",
        metavar="FILE",
        help="write the counts of each document to this Parquet file, for `compare`; "
        "works without an engine too",
    )


def engine_given(arguments: argparse.Namespace) -> Engine | None:
    """Make the engine of a command line; None where it names none."""
    if arguments.engine is None:
        for option in ("memory", "temp_directory", "ceaf_bounds"):
            if getattr(arguments, option):
                message = f"--{option.replace('_', '-')} is for engines"
                hint = f"name one: --engine {' or --engine '.join(ENGINES)}"
                raise SettingsError(message, hint=hint)
        return None
    memory = None if arguments.memory is None else size(arguments.memory)
    if arguments.engine == "duckdb":
        from corefkit.engines.duck import DuckDB

        folder = arguments.temp_directory
        return DuckDB(memory, folder, ceaf_bounds=arguments.ceaf_bounds)
    from corefkit.engines.spark import SparkEngine

    return SparkEngine(
        memory=memory,
        temporary=arguments.temp_directory,
        ceaf_bounds=arguments.ceaf_bounds,
    )


@contextmanager
def closing(engine: Engine | None) -> Iterator[None]:
    """Close an engine in the end, if there is one."""
    try:
        yield
    finally:
        if engine is not None:
            engine.close()


def size(text: str) -> int:
    """Read a number of bytes.

    >>> size("800MB"), size("1.5 GiB"), size("4g")
    (800000000, 1610612736, 4000000000)
    """
    match = _SIZE.fullmatch(text.strip())
    if match is None or not float(match[1]):
        message = f"--memory is {text!r}, expected a size"
        raise SettingsError(message, hint="write it as in 800MB, 4GB or 1.5GiB")
    power = " KMGT".index(match[2].upper() or " ")
    return int(float(match[1]) * (1024 if match[3] else 1000) ** power)
