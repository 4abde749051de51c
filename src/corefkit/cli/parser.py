"""The parser of command lines, and how it prints help."""

from __future__ import annotations

import argparse
import re
import sys
import textwrap
from typing import TYPE_CHECKING, NoReturn

from corefkit.strings.escaping import for_terminal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from _typeshed import SupportsWrite


# Lines of which none is indented, as items of a list are.
_PARAGRAPH = re.compile(r"^\S.*(?:\n\S.*)*", re.MULTILINE)


class CommandParser(argparse.ArgumentParser):
    """A parser that prints no word of the user's raw, and fails if it cannot print."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong with the command line, and exit."""
        super().error(for_terminal(message))

    def _print_message(
        self, message: str, file: SupportsWrite[str] | None = None
    ) -> None:
        out = file or sys.stderr
        if message and out is not None:
            out.write(message)


def overview(name: str, commands: Mapping[str, str], about: str) -> CommandParser:
    """Make a parser that only lists commands."""
    parser = CommandParser(
        prog=name,
        description=about,
        epilog=f"`{name} COMMAND --help` explains a command.",
        formatter_class=_Overview,
        allow_abbrev=False,
    )
    titled = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command, summary in commands.items():
        titled.add_parser(command, help=summary)
    return parser


class Help(argparse.HelpFormatter):
    """Fills texts to the width of the terminal, but keeps lists, which are indented.

    The usage line names what a command needs; the options are listed below.
    """

    def add_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Iterable[argparse._MutuallyExclusiveGroup],
        prefix: str | None = None,
    ) -> None:
        """Add the usage line."""
        needed = [one for one in actions if not one.option_strings or one.required]
        self._prog += " [OPTION...]"
        super().add_usage(usage, needed, groups, prefix)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        lines = _PARAGRAPH.sub(lambda match: match[0].replace("\n", " "), text)
        return textwrap.indent("\n".join(self._split_lines(lines, width)), indent)

    def _split_lines(self, text: str, width: int) -> list[str]:
        return [part for line in text.split("\n") for part in _wrapped(line, width)]


class _Overview(argparse.RawDescriptionHelpFormatter):
    """Leaves room for the longest command; argparse forgets that it indents them."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog)
        self._action_max_length = len("    train-parser")


def _wrapped(line: str, width: int) -> list[str]:
    """Wrap a line; an item of a list goes on under its own text."""
    item = re.match(r" +(?:\S+ {2,}|(?=.))", line)
    indent = 0 if item is None else len(item[0]) + 2 * item[0].isspace()
    return textwrap.wrap(
        line, width, subsequent_indent=" " * indent, break_on_hyphens=False
    ) or [""]
