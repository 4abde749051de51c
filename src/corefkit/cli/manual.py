"""`corefkit manual [PAGE]`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.cli import DONE, options
from corefkit.cli.described import PROGRAM, SCORER
from corefkit.cli.manual_pages import PAGES

if TYPE_CHECKING:
    import argparse

HELP = f"""Print a manual page, which has every command and option.

PAGE is `{PROGRAM}`, or `{SCORER}`, the command with the arguments of the reference
scorer. To read it:

  corefkit manual -o corefkit.1
  man ./corefkit.1

A package of corefkit brings both pages: `man corefkit` shows them where man looks."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "page",
        metavar="PAGE",
        nargs="?",
        choices=tuple(PAGES),
        default=PROGRAM,
        help=f"{' or '.join(PAGES)} (default: {PROGRAM})",
    )
    options.add_file_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the page."""
    for line in PAGES[arguments.page]():
        print(line)
    return DONE
