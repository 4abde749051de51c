"""`corefkit validate FILE...`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.cli.options import add_format_option, named_once
from corefkit.exceptions import FormatError
from corefkit.formats import problems
from corefkit.strings.escaping import for_terminal

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from corefkit.formats.faults import Problem

HELP = """List everything that is wrong with files, each with file:line and a hint.

Exit code 0: nothing found; 1: something was."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "files", metavar="FILE", nargs="+", help="file or folder to check"
    )
    add_format_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Check and print."""
    named_once(arguments.files)
    found = 0
    for file in arguments.files:
        before = found
        for problem in _problems(file, arguments.format):
            print(problem)
            found += 1
        if found == before:
            print(f"{for_terminal(file)}: ok")
    if found:
        print(f"{found} problem{'s' if found > 1 else ''}")
    return int(found > 0)


def _problems(file: str, format: str | None) -> Iterator[Problem | FormatError]:
    # A file that cannot be opened is one problem of one file, not the end of the rest.
    try:
        yield from problems(file, format=format)
    except FormatError as error:
        yield error
