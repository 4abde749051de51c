"""Arguments of commands: the parser, its help, and options that commands share."""

from __future__ import annotations

import argparse
import os
import re
import sys
import textwrap
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, TypeAlias, cast

from corefkit.cli.messages import EXIT_USAGE
from corefkit.exceptions import SettingsError
from corefkit.settings import PRESETS, SETTINGS, is_choice
from corefkit.strings import (
    escape_terminal,
    find_nearest,
    get_width,
    highlight_message,
    should_colour,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from _typeshed import SupportsWrite

    from corefkit.settings import Keywords

NO_CONFIG = "--no-config"
COMMON_TITLE = "every command"
SETTINGS_TITLE = "settings"

_PIPES = ("/dev/stdin", "/dev/fd/0")
_MARGIN = 2  # columns that argparse leaves free on the right
# Consecutive lines that are not indented as the items of a list are.
_PARAGRAPH = r"(?m)^\S.*(?:\n\S.*)*"
_FORMAT_OPTION = """
--from FORMAT: format of the files (default: detected); `corefkit convert --help` lists
  the formats
"""
_NAMED_FILE = "NAME=PATH gives it a name"
_Parser: TypeAlias = "argparse.ArgumentParser | argparse._ArgumentGroup"


class Command(NamedTuple):
    description: str
    add_arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]
    examples: Sequence[str] = ()
    common: Sequence[str] = ()  # the options that `-h` shows
    summary: str = ""  # of a command that is not in `COMMAND_GROUPS`


class CommandParser(argparse.ArgumentParser):
    """A parser with a short and a full help, and with hints for misspelled words.

    It escapes the words of the user in messages.
    """

    examples: Sequence[str] = ()
    common: Sequence[str] = ()

    def __init__(self, **options: Any) -> None:
        # argparse would import much to find the width, and once for each option.
        formatter = partial(HelpFormatter, width=get_width() - _MARGIN)
        super().__init__(
            formatter_class=formatter, allow_abbrev=False, add_help=False, **options
        )
        self._positionals.title = "arguments"
        self.color = False  # Python 3.14 colours help by its own rules

    @classmethod
    def from_command(cls, prog: str, command: Command) -> CommandParser:
        parser = cls(prog=prog, description=command.description)
        parser.examples, parser.common = command.examples, command.common
        command.add_arguments(parser)
        group = parser.add_argument_group(COMMON_TITLE)
        group.add_argument(
            "-h",
            "--help",
            action=_HelpAction,
            nargs=0,
            default=argparse.SUPPRESS,
            help="show the common options (-h) or all options (--help)",
        )
        group.add_argument(
            "-q",
            "--quiet",
            action="store_true",
            help="hide notes and progress, but not warnings and errors",
        )
        group.add_argument(
            NO_CONFIG,
            action="store_true",
            help="ignore corefkit.toml and pyproject.toml",
        )
        return parser

    def parse_words(
        self, words: Sequence[str], options: Sequence[str] = ()
    ) -> argparse.Namespace:
        """Parse words; files and options may be mixed, files only follow `--`."""
        end = words.index("--") if "--" in words else len(words)
        self._reject_unknown_options(words[:end])
        # argparse loses `--` if options and files are mixed.
        files = [
            f"./{word}" if word.startswith("-") and word != "-" else word
            for word in words[end + 1 :]
        ]
        return self.parse_intermixed_args([*words[:end], *options, *files])

    def list_dests(self, words: Sequence[str]) -> set[str]:
        end = words.index("--") if "--" in words else len(words)
        options = (word.partition("=")[0] for word in words[:end])
        return {
            self._option_string_actions[option].dest
            for option in options
            if option in self._option_string_actions
        }

    def list_options(self) -> dict[str, argparse.Action]:
        """List the long options except `--help`, `--no-config` and negations."""
        return {
            name: action
            for name, action in self._option_string_actions.items()
            if name.startswith("--")
            and name not in ("--help", NO_CONFIG)
            and not (
                name.startswith("--no-") and f"--{name[5:]}" in action.option_strings
            )
        }

    def list_actions(self) -> Sequence[argparse.Action]:
        return self._actions

    def list_groups(self) -> dict[str, list[argparse.Action]]:
        return {
            str(group.title): group._group_actions
            for group in self._action_groups
            if group._group_actions
        }

    def parse_value(self, action: argparse.Action, text: str) -> object:
        """Parse one value of an option; raise ArgumentError if it is invalid."""
        value: object = self._get_value(action, text)
        self._check_value(action, value)
        return value

    def list_input_files(self, arguments: argparse.Namespace) -> list[str]:
        files: list[str] = []
        for action in self._actions:
            value = getattr(arguments, action.dest, None)
            for item in value if isinstance(value, list) else [value]:
                # An option reads a file only if it accepts NAME=PATH.
                path = None if action.option_strings else item
                paths = getattr(item, "paths", [path])
                files += [path for path in paths if isinstance(path, str)]
        return files

    def format_help(self) -> str:
        """Format the full help; settings are only listed."""
        formatter = self._start_help(self.description)
        for group in self._action_groups:
            formatter.start_section(group.title)
            formatter.add_text(group.description)
            if group.title != SETTINGS_TITLE:
                formatter.add_arguments(group._group_actions)
            formatter.end_section()
        return formatter.format_help()

    def format_short_help(self) -> str:
        """Format usage, purpose, examples and common options."""
        formatter = self._start_help((self.description or "").partition("\n\n")[0])
        arguments = [action for action in self._actions if not action.option_strings]
        common = [
            action
            for action in self._actions
            if {*self.common} & {*action.option_strings}
        ]
        for title, actions in (("arguments", arguments), ("common options", common)):
            formatter.start_section(title)
            formatter.add_arguments(actions)
            formatter.end_section()
        settings = ", `corefkit help settings` the settings"
        has_settings = any(action.dest == "preset" for action in self._actions)
        formatter.add_text(
            f"`{self.prog} --help` shows all options{settings if has_settings else ''}."
        )
        return formatter.format_help()

    def error(self, message: str, *, hint: str = "") -> NoReturn:
        if sys.stderr is not None:  # if closed, argparse would write to stdout
            usage = self.format_usage()
            end = f"\n\nhint: {escape_terminal(hint)}" if hint else ""
            text = f"{usage}error: {escape_terminal(message)}{end}\n"
            self._print_message(text, sys.stderr)
        self.exit(EXIT_USAGE)

    def _start_help(self, description: str | None) -> argparse.HelpFormatter:
        formatter = self._get_formatter()
        formatter.add_usage(self.usage, self._actions, self._mutually_exclusive_groups)
        formatter.add_text(description)
        if self.examples:
            lines = [f"  {example}" for example in self.examples]
            formatter.add_text("\n".join(["examples:", *lines]))
        return formatter

    def _reject_unknown_options(self, words: Sequence[str]) -> None:
        """Report an unknown option first: arguments may be missing because of it."""
        options = self._option_string_actions
        for word in words:
            option = word.partition("=")[0]
            if option.startswith("--") and " " not in option and option not in options:
                nearest = find_nearest(option, options)
                hint = f"did you mean {nearest}?" if nearest else ""
                self.error(f"unrecognized arguments: {option}", hint=hint)

    def _check_value(self, action: argparse.Action, value: object) -> None:
        choices = [str(choice) for choice in action.choices or ()]
        if action.choices is None or is_choice(str(value), choices):
            return
        nearest = find_nearest(str(value), choices)
        question = f"did you mean {nearest!r}? " if nearest else ""
        listing = ", ".join(map(repr, choices))
        message = f"invalid choice: {value!r} ({question}choose from {listing})"
        raise argparse.ArgumentError(action, message)

    def _print_message(
        self, message: str, file: SupportsWrite[str] | None = None
    ) -> None:
        out: Any = file or sys.stderr
        if message and out is not None:
            on = out is sys.stderr and should_colour(out)
            out.write(highlight_message(message, on=on))


class _HelpAction(argparse.Action):
    """Print the short help for `-h` and the full one for `--help`, and exit."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        del namespace, values
        assert isinstance(parser, CommandParser)
        is_short = option_string == "-h"
        text = parser.format_short_help() if is_short else parser.format_help()
        parser._print_message(text, sys.stdout)
        parser.exit()


class HelpFormatter(argparse.HelpFormatter):
    """Fills paragraphs to the width of the terminal and keeps indented lists."""

    def add_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Iterable[argparse._MutuallyExclusiveGroup],
        prefix: str | None = None,
    ) -> None:
        """Add the usage line with required options; sections list the others."""
        required = [
            action for action in actions if not action.option_strings or action.required
        ]
        self._prog += " [OPTION...]"
        super().add_usage(usage, required, groups, prefix)

    def _format_action_invocation(self, action: argparse.Action) -> str:
        """List the names of an option and then its value, as Python 3.13 does."""
        if not action.option_strings or action.nargs == 0:
            return super()._format_action_invocation(action)
        default = self._get_default_metavar_for_optional(action)
        value = self._format_args(action, default)
        return f"{', '.join(action.option_strings)} {value}"

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        lines = re.sub(_PARAGRAPH, lambda match: match[0].replace("\n", " "), text)
        return textwrap.indent("\n".join(self._split_lines(lines, width)), indent)

    def _split_lines(self, text: str, width: int) -> list[str]:
        return [part for line in text.split("\n") for part in _wrap_line(line, width)]


def _wrap_line(line: str, width: int) -> list[str]:
    """Wrap a line; the item of a list continues below its own text."""
    item = re.match(r" +(?:[\w.-]+ {2,}|(?=.))", line)
    indent = 0 if item is None else len(item[0]) + 2 * item[0].isspace()
    return textwrap.wrap(
        line, width, subsequent_indent=" " * indent, break_on_hyphens=False
    ) or [""]


def format_overview(
    prog: str, about: str, groups: Mapping[str, Mapping[str, str]]
) -> str:
    width = max(len(name) for commands in groups.values() for name in commands)
    lines = [f"usage: {prog} COMMAND [ARGUMENT...]", "", about]
    for title, commands in groups.items():
        lines += ["", f"{title}:"]
        lines += [f"  {name:<{width}}  {text}" for name, text in commands.items()]
    lines += [
        "",
        f"`{prog} COMMAND -h` shows examples and common options, `--help` all.",
    ]
    return "\n".join(lines) + "\n"


def format_settings_help() -> str:
    """Format every setting with its choices and their meaning."""
    parser = CommandParser(prog="corefkit")
    add_settings_options(parser, weights=True, classes=True)
    formatter = parser._get_formatter()
    formatter.add_text(
        "Settings change scores, and the signature of each score contains them. Every "
        "command that scores accepts them as options. Set defaults of a project in "
        "corefkit.toml or pyproject.toml."
    )
    formatter.start_section(SETTINGS_TITLE)
    formatter.add_arguments(parser.list_groups()[SETTINGS_TITLE])
    formatter.end_section()
    return formatter.format_help()


class NamedPath(NamedTuple):
    """A file or folder and its display name."""

    name: str
    path: str

    @property
    def paths(self) -> list[str]:
        """The paths of several runs, as in `NAME=PATH,PATH`; otherwise, the path."""
        is_single = self.name == self.path or os.path.exists(self.path)  # noqa: PTH110
        return [self.path] if is_single else self.path.split(",")


def parse_named_path(word: str) -> NamedPath:
    """Parse `NAME=PATH`, or a path, which is then its own name."""
    name, _, path = word.partition("=")
    # Not Path.exists, which raises for words that cannot be a path.
    is_path = not path or name in ("", ".") or "/" in name or os.path.exists(word)  # noqa: PTH110
    return NamedPath(word, word) if is_path else NamedPath(name, path)


def parse_names(word: str) -> list[str]:
    names = [name for name in word.split(",") if name]
    if not names:
        message = "expected one name or more, separated by commas"
        raise argparse.ArgumentTypeError(message)
    return names


def check_files(files: Sequence[NamedPath], *, key: str | None = None) -> None:
    """Reject duplicate names, and standard input if it is named twice."""
    code = "settings/duplicate-name"
    if any(file.name != file.path for file in files):
        for name, count in Counter(file.name for file in files).items():
            if count > 1:
                message = f"the name {name!r} is given {count} times, expected once"
                hint = "name each as NAME=PATH"
                raise SettingsError(message, code=code, hint=hint)
    # A file that standard input is redirected from can be opened again, a pipe cannot.
    pipes = {"-"} | {path for path in _PIPES if not os.path.isfile(path)}  # noqa: PTH113
    paths = [path for file in files for path in file.paths]
    if sum(path in pipes for path in (key, *paths)) > 1:
        message = "standard input is named twice, but can be read only once"
        hint = "specify a file for one of the two"
        raise SettingsError(message, code=code, hint=hint)


def add_inputs(
    parser: argparse.ArgumentParser,
    *,
    several: bool,
    purpose: str = "shown side by side",
) -> None:
    """Add KEY, RESPONSE and `--example`; `purpose` is that of several responses."""
    parser.add_argument(
        "key", metavar="KEY", nargs="?", help="file or folder with the key"
    )
    suffix = f"; several are {purpose}" if several else ""
    parser.add_argument(
        "responses",
        metavar="RESPONSE",
        nargs="*" if several else "?",
        type=parse_named_path,
        help=f"file or folder with a response; {_NAMED_FILE}{suffix}",
    )
    _add_example_option(parser)


def add_corpora(parser: argparse.ArgumentParser) -> None:
    """Add FILE, which accepts a name, and `--example`."""
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="*",
        type=parse_named_path,
        help=f"file or folder of a corpus; {_NAMED_FILE}; several are shown side by "
        "side",
    )
    _add_example_option(parser)


def _add_example_option(parser: argparse.ArgumentParser) -> None:
    add_options(parser, "--example: use the bundled example corpus instead of files")


def get_inputs(arguments: argparse.Namespace) -> tuple[str, list[NamedPath]]:
    """Return the key and the responses of a command line."""
    words = arguments.responses or []
    responses = [words] if isinstance(words, NamedPath) else list(words)
    key = arguments.key
    has_files = key is not None or bool(responses)
    if not (arguments.example or (key is not None and responses)):
        _reject_missing_files("a key and a response are required")
    if arguments.example:
        key, *responses = _list_examples(has_files=has_files)
        return key.path, responses
    check_files(responses, key=key)
    return key, responses


def get_corpora(arguments: argparse.Namespace) -> list[NamedPath]:
    if not (arguments.example or arguments.files):
        _reject_missing_files("a file is required")
    if arguments.example:
        return _list_examples(has_files=bool(arguments.files))
    check_files(arguments.files)
    return list(arguments.files)


def _reject_missing_files(message: str) -> NoReturn:
    hint = "name files or folders, or use --example"
    raise SettingsError(message, code="settings/missing-value", hint=hint)


def _list_examples(*, has_files: bool) -> list[NamedPath]:
    from corefkit.example import paths

    if has_files:
        message, hint = "--example comes with its own files", "leave out the files"
        raise SettingsError(
            message, code="settings/conflict", hint=f"{hint}, or --example"
        )
    return [NamedPath(str(path), str(path)) for path in paths()]


def add_settings_options(
    parser: argparse.ArgumentParser, *, weights: bool = False, classes: bool = False
) -> None:
    """Add the preset, an option for each setting, and `--from`."""
    omitted = set() if weights else {"weights"}
    if not (weights and classes):  # only scores and their comparison have windows
        omitted.add("window")
    rows = [
        row for row in SETTINGS.values() if row.is_option and row.name not in omitted
    ]
    if classes:
        rows += [SETTINGS["by"], SETTINGS["by_rule"]]
    names = ", ".join(["--preset", *(row.option for row in rows)])
    group = parser.add_argument_group(
        SETTINGS_TITLE, f"{names}; `corefkit help settings` explains them"
    )
    add_options(group, f"--preset NAME: settings to start from: {', '.join(PRESETS)}")
    for row in rows:
        group.add_argument(
            row.option,
            dest=row.name,
            metavar=row.metavar,
            choices=row.choices or None,
            help=row.help,
        )
    add_format_option(parser)


def get_settings(arguments: argparse.Namespace) -> Keywords:
    """Return the preset and the settings of a command line; None if not set."""
    names = ("preset", *SETTINGS)
    return cast("Keywords", {name: getattr(arguments, name, None) for name in names})


def add_options(parser: _Parser, text: str, **more: Any) -> None:
    """Add the options of a text, such as `--memory SIZE: memory of the engine`."""
    for row in re.split(r"\n(?=-)", text.strip()):
        head, _, meaning = row.partition(": ")
        words = head.replace(",", "").split()
        names = [word for word in words if word.startswith("-")]
        long_name = names[-1][2:].replace("-", "_")
        keywords: dict[str, Any] = dict(more.get(long_name, {}))
        if len(words) > len(names):
            keywords["metavar"] = words[-1]
        else:
            keywords["action"] = "store_true"
        parser.add_argument(*names, help=" ".join(meaning.split()), **keywords)


def add_number_option(parser: _Parser, option: str, default: int, meaning: str) -> None:
    text = f"{meaning} (default: {default})"
    parser.add_argument(option, type=int, default=default, metavar="N", help=text)


def add_choice_option(
    parser: _Parser,
    option: str,
    choices: Iterable[str],
    meaning: str,
    *,
    default: str = "",
    **more: Any,
) -> None:
    """Add an option with a fixed set of values; the default is the first one."""
    names = list(choices)
    default = default or names[0]
    first, *lines = meaning.split("\n")
    text = "\n".join([f"{first} (default: {default})", *lines])
    parser.add_argument(
        option,
        choices=names,
        default=default,
        metavar="|".join(names),
        help=text,
        **more,
    )


def add_names_option(
    parser: _Parser, option: str, meaning: str, *, default: str = "all"
) -> None:
    """Add an option that accepts names, separated by commas."""
    keywords = {"action": "extend", "type": parse_names}
    names, every = option, ""
    if option == "--metric":
        names, every = "--metric, --metrics", ", or `all`"
    text = (
        f"{names} NAME: {meaning}; repeat it, or separate names by commas{every} "
        f"(default: {default})"
    )
    last = names.rpartition("--")[2]
    add_options(parser, text, **{last: keywords})


def add_metrics_option(parser: _Parser, meaning: str, defaults: Iterable[str]) -> None:
    """Add `--metric`, whose default is some metrics and the CoNLL mean."""
    default = f"{','.join(defaults)} and the CoNLL mean"
    add_names_option(parser, "--metric", meaning, default=default)


def add_format_option(parser: argparse.ArgumentParser) -> None:
    """Add `--from`."""
    add_options(parser, _FORMAT_OPTION, **{"from": {"dest": "format"}})


def add_output_option(
    parser: argparse.ArgumentParser,
    writers: Iterable[str],
    *,
    more: str = "",  # help for `--format`
    file: bool = True,  # whether to add `-o`, which `corefkit.cli` handles
) -> None:
    """Add `--format`, whose first writer is the default, and `-o`."""
    add_choice_option(
        parser, "--format", writers, f"output format{more}", dest="output"
    )
    if file:
        add_file_option(parser)


def add_file_option(parser: argparse.ArgumentParser) -> None:
    """Add `-o FILE`, which redirects stdout."""
    text = "-o, --output FILE: file to write (default: standard output)"
    add_options(parser, text, output={"dest": "target_file"})


def add_folder_option(parser: argparse.ArgumentParser, files: str) -> None:
    """Add `-o FOLDER`."""
    from pathlib import Path

    text = f"-o, --output FOLDER: also write {files} to this folder"
    add_options(parser, text, output={"dest": "folder", "type": Path})
