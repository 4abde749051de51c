"""Defaults of options that a project keeps in corefkit.toml or pyproject.toml.

1.  The file is corefkit.toml, or pyproject.toml with a table `[tool.corefkit]`, of the
    working folder or of the nearest folder above it in the same project: up to the
    closest folder with a repository, or else with a pyproject.toml. One file counts;
    corefkit.toml comes before pyproject.toml of the same folder.
2.  A key is the long name of an option. The top level has those that many commands
    share: settings, `preset`, `metric` and `quiet`. The others are in a table of their
    command, such as `[tool.corefkit.score]`, which overrides the top level.
3.  The command line overrides the file. A preset drops the settings that come after it
    in this order, since it would not be that preset with them.
4.  A file decides how to compute and print, never where to write: nobody loses a file
    by working in a folder of somebody else. Settings of a file change scores, so they
    are reported even with `quiet`.
5.  An unknown key or an invalid value in the tables of the current command is an error.
"""

from __future__ import annotations

import argparse
import os
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from corefkit.cli.arguments import parse_named_path
from corefkit.cli.messages import print_message, print_note
from corefkit.exceptions import SettingsError
from corefkit.settings import SETTINGS, resolve_settings
from corefkit.strings import suggest

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from corefkit.cli.arguments import CommandParser

CONFIG_FILE, PROJECT_FILE = "corefkit.toml", "pyproject.toml"
SHARED_OPTIONS = (
    "metric",
    "preset",
    *(row.option[2:] for row in SETTINGS.values() if row.is_option),
    "quiet",
)
TARGET_OPTIONS = (
    *("output", "scores", "counts", "corrected", "temp-directory", "fresh"),
)
WITHOUT_CONFIG = ("serve", "help", "example", "completion", "cite")

_REPOSITORIES = (".git", ".hg")
# A table of tools, which is then parsed, or one of this tool.
_TOOL_TABLE = (
    rb"""(?m)^(?:\xef\xbb\xbf)?\s*(\[\s*)?["']?tool["']?\s*(\]|=|\.\s*["']?corefkit)"""
)
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_PATH_METAVARS = ("FILE", "FOLDER", "DIR", "MODEL")
_HINT = "fix the file, or ignore it with --no-config"


def find_config_files() -> list[str]:
    """List the files that can have defaults, the nearest first.

    Folders above the working folder count only inside its project.
    """
    paths: list[str] = []
    try:
        working = os.getcwd()  # noqa: PTH109 - pathlib slows down every start
    except OSError:  # it was removed
        return []
    for folder in _list_project_folders(working):
        for name in (CONFIG_FILE, PROJECT_FILE):
            path = os.path.join(folder, name)  # noqa: PTH118
            if os.path.isfile(path) and (name == CONFIG_FILE or _has_table(path)):  # noqa: PTH113
                paths.append(os.path.relpath(path))
    return paths


def _list_project_folders(working: str) -> list[str]:
    """List the folders from the working folder up to the root of its project.

    The root is the closest folder with a repository, or else with a pyproject.toml; the
    home folder is never the root of a folder below it. Without a root, only the working
    folder counts.
    """
    home = os.path.realpath(os.path.expanduser("~"))  # noqa: PTH111
    folders = [working]
    while (parent := os.path.dirname(folders[-1])) not in (folders[-1], home):  # noqa: PTH120
        folders.append(parent)
    for markers in (_REPOSITORIES, (PROJECT_FILE,)):
        for number, folder in enumerate(folders, start=1):
            if any(os.path.exists(os.path.join(folder, name)) for name in markers):  # noqa: PTH110, PTH118
                return folders[:number]
    return folders[:1]


def _has_table(path: str) -> bool:
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            content = file.read()
    except OSError:
        return False
    # A file in another encoding is read later, which reports the encoding.
    return content.startswith(_UTF16_MARKS) or bool(re.search(_TOOL_TABLE, content))


class ConfigTable(NamedTuple):
    """A table of a configuration file; its header is empty at the top of a file."""

    path: str
    header: str
    values: Mapping[str, Any]

    @property
    def place(self) -> str:
        """The file and the table, as messages name them."""
        return f"{self.path} [{self.header}]" if self.header else self.path


class Defaults(NamedTuple):
    """The defaults of one command, by the destinations of its options."""

    path: str
    values: Mapping[str, object]
    options: Mapping[str, str]  # the names of the options

    def apply(self, arguments: argparse.Namespace) -> None:
        """Set options that the command line omits, and their names as `configured`."""
        values = self.values
        # The output format of the reference scorer implies its preset.
        has_preset = getattr(arguments, "preset", None) is not None
        if has_preset or getattr(arguments, "output", None) == "reference":
            values = {name: values[name] for name in values if not _is_setting(name)}
        arguments.configured = [
            name for name in values if getattr(arguments, name) is None
        ]
        for name in arguments.configured:
            setattr(arguments, name, values[name])

    def report(self, arguments: argparse.Namespace) -> None:
        """Print the options that have values of the file.

        Settings change scores, so they are printed even with --quiet.
        """
        names = [
            self.options[name]
            for name in arguments.configured
            if name != "quiet" and (_is_setting(name) or not arguments.quiet)
        ]
        if names:
            print_message(f"note: options of {self.path}: {', '.join(names)}")


def load_defaults(
    paths: Iterable[str],
    name: str,
    parser: CommandParser,
    commands: Sequence[Collection[str]],
) -> Defaults | None:
    """Load the defaults of a command from the first file that has any.

    Options that the file sets get the default None in the parser and are no longer
    required; `Defaults.apply` fills them in.

    Args:
        paths: files to look at, the nearest first.
        name: the command, as in `lab perturb`.
        parser: its parser.
        commands: all commands; and for a command such as `lab perturb`, those of `lab`.

    Raises:
        SettingsError: a key is unknown or a value is invalid.
    """
    if name in WITHOUT_CONFIG:
        return None
    for path in paths:
        top = _read_config(path)
        if top is not None:
            break
    else:
        return None
    command_table = _find_command_table(top, name.split(), parser, commands)
    shared = {key: top.values[key] for key in SHARED_OPTIONS if key in top.values}
    values: dict[str, object] = {}
    options: dict[str, str] = {}
    for table in (top._replace(values=shared), command_table):
        if "preset" in table.values:
            values = {dest: values[dest] for dest in values if not _is_setting(dest)}
        for key, value in table.values.items():
            action = _find_option(
                table, key, parser, is_shared=table is not command_table
            )
            if action is not None:
                values[action.dest] = _parse_value(table, key, value, action, parser)
                options[action.dest] = key
    for action in parser.list_actions():
        if action.dest in values:
            action.default, action.required = None, False
    return Defaults(path, values, options) if values else None


def ignore_configured_settings(arguments: argparse.Namespace) -> None:
    """Remove the settings of the file, because stored scores have their own."""
    names = [name for name in arguments.configured if _is_setting(name)]
    for name in names:
        setattr(arguments, name, None)
    if names:
        print_note("stored scores keep their settings: those of the file are ignored")


def _is_setting(dest: str) -> bool:
    return dest == "preset" or dest in SETTINGS


def _read_config(path: str) -> ConfigTable | None:
    """Read the top-level table of a file; None if it has nothing for corefkit."""
    import tomllib

    try:
        with open(path, encoding="utf-8-sig") as file:  # noqa: PTH123
            content: Any = tomllib.loads(file.read())
    except tomllib.TOMLDecodeError as error:
        message = f"is not valid TOML: {error}"
        raise SettingsError(
            message, code="settings/not-toml", place=path, hint=_HINT
        ) from error
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8"
        message = f"cannot be read: {reason}"
        raise SettingsError(
            message, code="settings/unreadable", place=path, hint=_HINT
        ) from error
    if os.path.basename(path) == CONFIG_FILE:  # noqa: PTH119
        return ConfigTable(path, "", content)
    tool = content.get("tool", {})
    table = tool.get("corefkit", {}) if isinstance(tool, dict) else {}
    if not isinstance(table, dict) or not table:
        return None
    return ConfigTable(path, "tool.corefkit", table)


def _find_command_table(
    top: ConfigTable,
    words: Sequence[str],
    parser: CommandParser,
    commands: Sequence[Collection[str]],
) -> ConfigTable:
    """Find the table of a command, after a check of the keys at the top level."""
    header = ".".join([top.header, *words] if top.header else words)
    names = [name for name in commands[0] if name not in WITHOUT_CONFIG]
    for key, value in top.values.items():
        if key in SHARED_OPTIONS or (key in names and isinstance(value, dict)):
            continue
        if isinstance(value, dict):
            message, hint = f"unknown command {key!r}", suggest(key, names)
            if key in WITHOUT_CONFIG:
                message = f"{key!r} cannot be configured in a file"
        else:
            message = f"{key!r} is not an option that commands share"
            hint = suggest(key, SHARED_OPTIONS)
            if f"--{key}" in parser.list_options():
                hint = f"options of one command belong in its table: [{header}]"
        raise SettingsError(
            message, code="settings/unknown-setting", place=top.place, hint=hint
        )
    values: Any = top.values
    for word, siblings in zip(words, commands, strict=True):
        if values is not top.values:
            for key in {*values} - {*siblings}:
                message, hint = f"unknown command {key!r}", suggest(key, siblings)
                raise SettingsError(
                    message, code="settings/unknown-setting", place=top.place, hint=hint
                )
        values = values.get(word, {})
        if not isinstance(values, dict):
            message = f"{word!r} is a command, expected a table"
            raise SettingsError(
                message,
                code="settings/invalid-value",
                place=top.place,
                hint=f"write a table [{header}]",
            )
    return ConfigTable(top.path, header, values)


def _find_option(
    table: ConfigTable, key: str, parser: CommandParser, *, is_shared: bool
) -> argparse.Action | None:
    """Find the option of a key; None for a shared one that this command lacks."""
    if key in TARGET_OPTIONS:
        message = f"a file cannot set --{key}, which decides where to write"
        hint = f"remove it, and use --{key} on the command line"
        raise SettingsError(
            message, code="settings/not-in-file", place=table.place, hint=hint
        )
    options = parser.list_options()
    action = options.get(f"--{key}")
    if is_shared and action is not None and key == "metric":
        # A command that takes exactly one metric is not configured by the project.
        return action if _is_repeatable(action) else None
    if action is None and not is_shared:
        names = [name[2:] for name in options if name[2:] not in TARGET_OPTIONS]
        message = f"{parser.prog} has no option --{key}"
        raise SettingsError(
            message,
            code="settings/unknown-setting",
            place=table.place,
            hint=suggest(key, names),
        )
    return action


def _parse_value(
    table: ConfigTable,
    key: str,
    value: object,
    action: argparse.Action,
    parser: CommandParser,
) -> object:
    """Parse a value as the command line would."""

    def invalid(value: object, expected: str) -> SettingsError:
        return SettingsError(
            f"{key} is {value!r}, expected {expected}",
            code="settings/invalid-value",
            place=table.place,
        )

    if action.nargs == 0:
        if not isinstance(value, bool):
            raise invalid(value, "true or false")
        return value
    if action.nargs == "?" and value is True:
        return action.const
    is_list = _is_repeatable(action)
    parsed: list[object] = []
    for item in value if is_list and isinstance(value, list) else [value]:
        if isinstance(item, bool) or not isinstance(item, (str, int, float)):
            raise invalid(item, "names or a name" if is_list else "a value")
        text = _resolve_path(action, str(item), os.path.dirname(table.path))  # noqa: PTH120
        try:
            parsed.append(parser.parse_value(action, text))
        except argparse.ArgumentError as error:
            message = f"{key}: {error.message}"
            raise SettingsError(
                message, code="settings/invalid-value", place=table.place
            ) from error
    result = parsed if is_list else parsed[0]
    _check_names(action.dest, result, table.place)
    return result


def _check_names(dest: str, value: object, place: str) -> None:
    """Check metrics and settings now, so that the error names the file."""
    from corefkit.metrics.registry import find_metrics

    try:
        if _is_setting(dest):
            resolve_settings(**{dest: value})  # type: ignore[arg-type]
        elif dest == "metric":
            words = value if isinstance(value, list) else [value]
            names = [name for word in words for name in str(word).split(",")]
            # `compare` accepts counts of errors too.
            find_metrics([name for name in names if "errors" not in name] or None)
    except SettingsError as error:
        error.place = place
        raise


def _is_repeatable(action: argparse.Action) -> bool:
    return isinstance(action, argparse._AppendAction)


def _resolve_path(action: argparse.Action, text: str, folder: str) -> str:
    """Resolve a path relative to the folder of the file, if it exists there."""
    is_path = getattr(action.type, "__name__", "") == "Path"
    if not is_path and action.metavar not in _PATH_METAVARS:
        return text
    prefix, name = "", text
    if action.type is parse_named_path and parse_named_path(text).name != text:
        display_name, name = parse_named_path(text)
        prefix = f"{display_name}="
    path = os.path.join(folder, name)  # noqa: PTH118
    return prefix + path if os.path.exists(path) else text  # noqa: PTH110
