"""How the help of a command is laid out."""

from __future__ import annotations

import argparse
import re
import textwrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

MARGIN = 2  # columns that argparse leaves at the side
# Lines of which none is indented, as items of a list are.
_PARAGRAPH = r"(?m)^\S.*(?:\n\S.*)*"


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
        lines = re.sub(_PARAGRAPH, lambda match: match[0].replace("\n", " "), text)
        return textwrap.indent("\n".join(self._split_lines(lines, width)), indent)

    def _split_lines(self, text: str, width: int) -> list[str]:
        return [part for line in text.split("\n") for part in _wrapped(line, width)]


class Overview(argparse.RawDescriptionHelpFormatter):
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
