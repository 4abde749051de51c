"""The options of engines, and of what only tables can have."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from corefkit.exceptions import SettingsError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from corefkit.engines.base import Engine

ENGINES = ("duckdb", "spark")


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
    limits = {
        "memory": arguments.memory,
        "temp_directory": arguments.temp_directory,
        "ceaf_bounds": arguments.ceaf_bounds,
    }
    if arguments.engine == "duckdb":
        from corefkit.engines.duck import DuckDB

        return DuckDB(**limits)
    from corefkit.engines.spark import Spark

    return Spark(**limits)


@contextmanager
def closing(engine: Engine | None) -> Iterator[None]:
    """Close an engine in the end, if there is one."""
    try:
        yield
    finally:
        if engine is not None:
            engine.close()
