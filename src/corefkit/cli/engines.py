"""The engine that a command line asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.engines import ENGINES
from corefkit.engines.scoring import make_engine
from corefkit.exceptions import SettingsError

if TYPE_CHECKING:
    import argparse

    from corefkit.engines import Engine


def engine_given(arguments: argparse.Namespace) -> Engine | None:
    """Make the engine of a command line; None where it names none."""
    if arguments.engine is None:
        for option in ("memory", "temp_directory"):
            if getattr(arguments, option):
                message = f"--{option.replace('_', '-')} is for engines"
                hint = f"name one: --engine {' or --engine '.join(ENGINES)}"
                raise SettingsError(message, code="settings/missing-value", hint=hint)
        return None
    return make_engine(
        arguments.engine,
        memory=arguments.memory,
        temp_directory=arguments.temp_directory,
    )
