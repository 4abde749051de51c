"""`corefkit validate FILE...`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.cli.options import add_format_option, check_standard_input
from corefkit.exceptions import FormatError
from corefkit.formats import problems
from corefkit.strings.escaping import for_terminal

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from corefkit.formats.faults import Problem

HELP = """List all problems of files, each with file:line and a hint.

The exit code is 0 if there are none, and 1 otherwise."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "files", metavar="FILE", nargs="+", help="file or folder to check"
    )
    add_format_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Check and print."""
    check_standard_input(arguments.files)
    total = 0
    for file in arguments.files:
        before = total
        for problem in _problems(file, arguments.format):
            print(problem)
            total += 1
        if total == before:
            print(f"{for_terminal(file)}: ok")
    if total:
        print(f"{total} problem{'s' if total > 1 else ''}")
    return int(total > 0)


def _problems(file: str, format: str | None) -> Iterator[Problem | FormatError]:
    # A file that cannot be opened is one problem of one file, not the end of the rest.
    try:
        yield from problems(file, format=format)
    except FormatError as error:
        yield error
