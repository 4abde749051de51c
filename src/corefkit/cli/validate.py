"""`corefkit validate FILE...`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.cli import Line, inform, options
from corefkit.formats.problems import SEVERITIES, WARNING
from corefkit.formats.validation import (
    format_counts,
    format_hidden_counts,
    validate_path,
)
from corefkit.settings import VERSION
from corefkit.strings import has_colours, highlight_problem

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from corefkit.formats.validation import Validation

HELP = """List all problems of files, each with file:line and a hint.

A problem has one of three severities:

  error    the file cannot be scored
  warning  it can be scored, but probably something else was meant
  note     it is only unusual; listed with --severity note

In the list, a warning or a note says that it is one. A file without errors and warnings
is ok. The exit code is 0 if all files are ok, and 1 otherwise.

What is not listed does not count: with --severity error the exit code tells whether the
files can be scored."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "files", metavar="FILE", nargs="+", help="file or folder to check"
    )
    parser.add_argument(
        "--severity",
        choices=SEVERITIES,
        default=WARNING,
        metavar="|".join(SEVERITIES),
        help=f"list problems of this severity, and graver ones (default: {WARNING})",
    )
    options.add_output_option(parser, ("table", "json"))
    options.add_format_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Check and print."""
    options.check_standard_input(arguments.files)
    least, as_lines = arguments.severity, arguments.output == "table"
    founds = []
    with Line() as line:
        shares = line.shares("checking", arguments.files)
        for file, share in zip(arguments.files, shares, strict=True):
            found = validate_path(file, format=arguments.format, progress=share)
            founds.append(found)
            if as_lines:  # at once, since the next file may take a while
                line.put("")
                for text in found.format_lines(least=least):
                    print(highlight_problem(text, on=has_colours()))
    if as_lines:
        _print_counts(founds, least)
    else:
        print(_json(founds, least))
    return int(not all(found.is_ok(least=least) for found in founds))


def _print_counts(founds: Sequence[Validation], least: str) -> None:
    if count := format_counts(founds, least=least):
        print(count)
    if count := format_hidden_counts(founds, least=least):
        inform(count)


def _json(founds: Sequence[Validation], least: str) -> str:
    # Imported here because only JSON needs it, and lines would wait for it.
    from corefkit.results.records import format_json

    files = [found.to_dict(least=least) for found in founds]
    return format_json({"corefkit": VERSION, "files": files})
