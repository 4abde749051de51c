"""`corefkit convert IN OUT`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.cli.options import add_format_option
from corefkit.cli.writing import check_target, tell_losses, write_all
from corefkit.formats import FORMATS, named, read
from corefkit.formats.writing import by_suffix

if TYPE_CHECKING:
    import argparse

_ENDINGS = "\n".join(
    f"  {row.name:<{max(map(len, FORMATS))}}  {row.label:<26}  {' '.join(row.suffixes)}"
    for row in FORMATS.values()
)
HELP = f"""Write the documents of a file or folder in another format.

The format of IN is recognised from its content; that of OUT is known by its ending, or
named with --to. What OUT's format cannot say is left out, and listed on stderr. Formats
with one document a file want a folder as OUT. OUT is replaced only when all is written.

Formats to read and to write, and the endings of their files:
{_ENDINGS}
OUT may end in .gz as well, where its format is text in one file."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "source", metavar="IN", help="file or folder to read; `-` is standard input"
    )
    parser.add_argument(
        "target", metavar="OUT", help="file or folder to write; `-` is standard output"
    )
    add_format_option(parser)
    parser.add_argument(
        "--to",
        metavar="FORMAT",
        help="format to write, if the ending of OUT does not say",
    )


def run(arguments: argparse.Namespace) -> int:
    """Read, write, and say what was written and what was lost."""
    source, target = arguments.source, arguments.target
    format = named(arguments.to) if arguments.to is not None else by_suffix(target)
    check_target([source], target, format)
    documents = read(source, format=arguments.format)
    losses = write_all(documents, [source], target, format)
    tell_losses(losses)
    return 0
