"""How words of a command line are read, and how its help is laid out.

Files with defaults are only looked for here: few projects have one, and every start
would pay to read it.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import textwrap
from typing import TYPE_CHECKING, Any, NoReturn

from corefkit import strings as colours
from corefkit.strings import escape_terminal, find_nearest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from _typeshed import SupportsWrite

OWN_FILE, SHARED_FILE = "corefkit.toml", "pyproject.toml"
_REPOSITORIES = (".git", ".hg")
# A table of tools, whose rest is looked at when it is parsed, or one of this tool.
_TOOL = (
    rb"""(?m)^(?:\xef\xbb\xbf)?\s*(\[\s*)?["']?tool["']?\s*(\]|=|\.\s*["']?corefkit)"""
)
_OTHER_ENCODINGS = (b"\xff\xfe", b"\xfe\xff")  # marks of UTF-16
NO_CONFIGURATION = "--no-config"
MARGIN = 2  # columns that argparse leaves at the side
# Lines of which none is indented, as items of a list are.
_PARAGRAPH = r"(?m)^\S.*(?:\n\S.*)*"


class CommandParser(argparse.ArgumentParser):
    """A parser that prints no word of the user's raw, and fails if it cannot print.

    It offers the nearest option, command or value in place of one that is unknown.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        # From Python 3.14 on, argparse colours its help by rules of its own.
        self.color = False

    def parse_words(self, words: Sequence[str]) -> argparse.Namespace:
        """Read words; files and options may stand in any order.

        What stands behind `--` is a file, even if it begins with a dash.
        """
        end = words.index("--") if "--" in words else len(words)
        self._refuse_unknown(words[:end])
        # argparse forgets the dashes where options may stand anywhere.
        files = [
            f"./{word}" if word.startswith("-") and word != "-" else word
            for word in words[end + 1 :]
        ]
        return self.parse_intermixed_args([*words[:end], *files])

    def known_options(self) -> dict[str, argparse.Action]:
        """List the options that have a long name, without those that deny another."""
        return {
            name: action
            for name, action in self._option_string_actions.items()
            if name.startswith("--")
            and name not in ("--help", NO_CONFIGURATION)
            and not (
                name.startswith("--no-") and f"--{name[5:]}" in action.option_strings
            )
        }

    def actions(self) -> Sequence[argparse.Action]:
        """List options and files, in the order of the help."""
        return self._actions

    def titled_actions(self) -> dict[str, list[argparse.Action]]:
        """List options and files by the title of their group, without empty groups."""
        return {
            str(group.title): group._group_actions
            for group in self._action_groups
            if group._group_actions
        }

    def value_of(self, action: argparse.Action, text: str) -> object:
        """Read one value of an option, or say in an `ArgumentError` what is wrong."""
        value: object = self._get_value(action, text)
        self._check_value(action, value)
        return value

    def list_or_refuse(self, words: Sequence[str]) -> NoReturn:
        """Print the commands or what is wrong with their first word, and exit."""
        first = next(iter(words), "")
        if first.startswith("-") and first not in self._option_string_actions:
            hint = f"options stand after the command: {self.prog} COMMAND {first}"
            self.error(f"unrecognized arguments: {first}", hint=hint)
        self.parse_args(words)
        raise AssertionError(words)  # known commands do not come here

    def files_in(self, arguments: argparse.Namespace) -> list[str]:
        """List the files that the words of a command line name to be read."""
        found: list[str] = []
        for action in self._actions:
            value = getattr(arguments, action.dest, None)
            for one in value if isinstance(value, list) else [value]:
                # A file that can have a name has a path, whether it is an option's.
                path = getattr(one, "path", None if action.option_strings else one)
                found += [path] if isinstance(path, str) else []
        return found

    def error(self, message: str, *, hint: str = "") -> NoReturn:
        """Say what is wrong with the command line, and exit."""
        if sys.stderr is None:  # it was closed; argparse would write to stdout
            self.exit(2)
        end = f"\n\nhint: {escape_terminal(hint)}" if hint else ""
        super().error(escape_terminal(message) + end)

    def _refuse_unknown(self, words: Sequence[str]) -> None:
        """Refuse unknown options first: what they leave missing is no other mistake."""
        known = self._option_string_actions
        for word in words:
            option = word.partition("=")[0]
            if option.startswith("--") and " " not in option and option not in known:
                offer = find_nearest(option, known)
                hint = f"did you mean {offer}?" if offer else ""
                self.error(f"unrecognized arguments: {option}", hint=hint)

    def _check_value(self, action: argparse.Action, value: object) -> None:
        if action.choices is None or value in action.choices:
            return
        choices = [str(choice) for choice in action.choices]
        offer = find_nearest(str(value), choices)
        question = f"did you mean {offer!r}? " if offer else ""
        listed = ", ".join(map(repr, choices))
        message = f"invalid choice: {value!r} ({question}choose from {listed})"
        raise argparse.ArgumentError(action, message)

    def _print_message(
        self, message: str, file: SupportsWrite[str] | None = None
    ) -> None:
        out: Any = file or sys.stderr
        if message and out is not None:
            on = out is sys.stderr and colours.should_colour(out)
            out.write(colours.highlight_message(message, on=on))


def configuration_files() -> list[str]:
    """List the files that may have defaults of options, the nearest first.

    Folders above the working folder count only inside its project.
    """
    paths: list[str] = []
    try:
        working = os.getcwd()  # noqa: PTH109 - without pathlib, every start is quicker
    except OSError:  # it was removed
        return []
    for folder in _project_folders(working):
        for name in (OWN_FILE, SHARED_FILE):
            path = os.path.join(folder, name)  # noqa: PTH118
            if os.path.isfile(path) and (name == OWN_FILE or _has_tool(path)):  # noqa: PTH113
                paths.append(os.path.relpath(path))
    return paths


def _project_folders(working: str) -> list[str]:
    """List the folders from the working folder up to the root of its project.

    The root is the closest folder with a repository, or else with a pyproject.toml; the
    home folder is never the root of a folder below it. Without a root, only the working
    folder counts.
    """
    home = os.path.realpath(os.path.expanduser("~"))  # noqa: PTH111
    folders = [working]
    while (above := os.path.dirname(folders[-1])) not in (folders[-1], home):  # noqa: PTH120
        folders.append(above)
    for markers in (_REPOSITORIES, (SHARED_FILE,)):
        for number, folder in enumerate(folders, start=1):
            if any(os.path.exists(os.path.join(folder, name)) for name in markers):  # noqa: PTH110, PTH118
                return folders[:number]
    return folders[:1]


def _has_tool(path: str) -> bool:
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            content = file.read()
    except OSError:
        return False
    # What is in another encoding is looked at, so that the user hears of it.
    return content.startswith(_OTHER_ENCODINGS) or bool(re.search(_TOOL, content))


def overview(name: str, commands: Mapping[str, str], about: str) -> CommandParser:
    """Make a parser that only lists commands."""
    parser = CommandParser(
        prog=name,
        description=about,
        epilog=f"`{name} COMMAND --help` explains a command.",
        formatter_class=Overview,
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
        lines = re.sub(_PARAGRAPH, lambda match: match[0].replace("\n", " "), text)
        return textwrap.indent("\n".join(self._split_lines(lines, width)), indent)

    def _split_lines(self, text: str, width: int) -> list[str]:
        return [part for line in text.split("\n") for part in _wrapped(line, width)]


class Overview(argparse.RawDescriptionHelpFormatter):
    """Leaves room for the longest command; argparse forgets that it indents them."""

    def __init__(self, prog: str, **options: Any) -> None:
        super().__init__(prog, **options)
        self._action_max_length = len("    train-parser")


def _wrapped(line: str, width: int) -> list[str]:
    """Wrap a line; an item of a list goes on under its own text."""
    item = re.match(r" +(?:\S+ {2,}|(?=.))", line)
    indent = 0 if item is None else len(item[0]) + 2 * item[0].isspace()
    return textwrap.wrap(
        line, width, subsequent_indent=" " * indent, break_on_hyphens=False
    ) or [""]
