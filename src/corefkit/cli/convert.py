"""`corefkit convert IN OUT`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.cli import Line
from corefkit.cli.options import add_format_option, add_target_format_option
from corefkit.cli.writing import (
    STANDARD,
    check_target,
    target_format,
    tell_losses,
    write_all,
)
from corefkit.formats import FORMATS, read

if TYPE_CHECKING:
    import argparse

_ENDINGS = "\n".join(
    f"  {row.name:<{max(map(len, FORMATS))}}  {row.label:<26}  {' '.join(row.suffixes)}"
    for row in FORMATS.values()
)
HELP = f"""Write the documents of a file or folder in another format.

The format of IN is recognised from its content. The ending of OUT tells its format, or
--to names it. What that format cannot express is left out and listed on stderr. Formats
with one document per file need a folder as OUT. OUT is replaced only when everything is
written.

Formats that can be read and written, and the endings of their files:
{_ENDINGS}
OUT can also end in .gz, if its format is text in one file."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "source", metavar="IN", help="file or folder to read; `-` is standard input"
    )
    parser.add_argument(
        "target", metavar="OUT", help="file or folder to write; `-` is standard output"
    )
    add_format_option(parser)
    add_target_format_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Convert, and say what was written and what was lost."""
    source, target = arguments.source, arguments.target
    format = target_format(arguments.to, target)
    check_target([source], target, format)
    with Line() as line:
        # A line between the words that are written would be taken for one of them.
        share = None if target == STANDARD else line.share("converting")
        documents = read(source, format=arguments.format, progress=share)
        losses = write_all(documents, [source], target, format)
    tell_losses(losses)
    return 0
