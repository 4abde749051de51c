"""The engine that a command line asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.cli.score import ENGINES
from corefkit.exceptions import SettingsError

if TYPE_CHECKING:
    import argparse

    from corefkit.engines.base import Engine


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
