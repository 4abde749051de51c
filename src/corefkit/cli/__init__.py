"""The command `corefkit`: parse, call, print. The only place that prints or exits.

A command is a module with `HELP`, `add_arguments(parser)` and `run(arguments)`, and a
row in `COMMANDS`; only the one asked for is imported.
"""

from __future__ import annotations

import argparse
import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING

from corefkit.exceptions import CorefkitError, SettingsError
from corefkit.settings import VERSION

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

COMMANDS: Mapping[str, str] = {
    "score": "score one or more responses against a key",
    "explain": "show how a metric's score comes about, step by step",
    "validate": "list everything that is wrong with files",
}

DONE, CANNOT_BE_SCORED, WRONG_USAGE, INTERRUPTED = 0, 1, 2, 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line and give its exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        arguments = _parser(words).parse_args(words)
        code: int = arguments.run(arguments)
        sys.stdout.flush()
    except SystemExit as stop:  # argparse has printed help or what is wrong
        return int(stop.code or 0)
    except CorefkitError as error:
        print(error, file=sys.stderr)
        return WRONG_USAGE if isinstance(error, SettingsError) else CANNOT_BE_SCORED
    except BrokenPipeError:
        # Whoever read our output has gone; nothing is left to flush to.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:  # no traceback ever reaches a user
        if os.environ.get("COREFKIT_TRACEBACK"):
            raise
        print(f"corefkit: {type(error).__name__}: {error}", file=sys.stderr)
        print(
            "\nhint: this is a defect of corefkit; please report it with the output of "
            "the same command after `export COREFKIT_TRACEBACK=1`",
            file=sys.stderr,
        )
        return CANNOT_BE_SCORED
    return code


def main_and_exit() -> None:
    """Run the command line of this process and leave it."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal without Unicode shows a question mark, not a traceback.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    sys.exit(main())


def _parser(words: Sequence[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="corefkit",
        description="Coreference evaluation, exact to the papers and official scorers.",
        epilog="`corefkit COMMAND --help` tells about a command.",
    )
    parser.add_argument("--version", action="version", version=f"corefkit {VERSION}")
    commands = parser.add_subparsers(
        title="commands", metavar="COMMAND", dest="command", required=True
    )
    asked = next((word for word in words if not word.startswith("-")), None)
    for name, summary in COMMANDS.items():
        if name != asked:
            commands.add_parser(name, help=summary)
            continue
        module = import_module(f"corefkit.cli.{name}")
        command = commands.add_parser(
            name,
            help=summary,
            description=module.HELP,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.add_arguments(command)
        command.set_defaults(run=module.run)
    return parser
