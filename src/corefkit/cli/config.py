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
4.  A file decides how to compute and print, never where to write: no file is lost
    by working in another person's folder. Settings of a file change scores, so they
    are reported even with `quiet`.
5.  An unknown key or an invalid value in the tables of the current command is an error.
"""

from __future__ import annotations

import argparse
import os
import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from corefkit.cli.arguments import parse_named_path
from corefkit.cli.messages import print_message, print_note
from corefkit.exceptions import SettingsError
from corefkit.settings import FORMAT_PRESETS, SETTINGS, resolve_settings
from corefkit.strings import suggest

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

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
_PATH_METAVARS = ("FILE", "FOLDER", "DIR", "MODEL")
_HINT = "fix the file, or ignore it with --no-config"


def find_config_files() -> list[str]:
    """List the files that can contain defaults, the nearest first."""
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
    """List the folders from the working folder up to the root of its project."""
    # The home folder is never the root of a folder below it.
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
    return b"\0" in content or bool(re.search(_TOOL_TABLE, content))


class ConfigTable(NamedTuple):
    """A table of a configuration file; its header is empty at the top of a file."""

    path: str
    header: str
    values: Mapping[str, Any]

    @property
    def place(self) -> str:
        return f"{self.path} [{self.header}]" if self.header else self.path

    def reject(
        self,
        message: str,
        *,
        code: str = "settings/invalid-value",
        hint: str | None = None,
    ) -> NoReturn:
        raise SettingsError(message, code=code, place=self.place, hint=hint)


class Configuration(NamedTuple):
    """Options of a file that a command line omits, by their destinations."""

    path: str
    keys: Mapping[str, str]
    words: Sequence[str]  # the options as words of a command line

    def report(self, *, quiet: bool) -> None:
        """Print the options; settings change scores and are printed even if quiet."""
        keys = [
            key
            for dest, key in self.keys.items()
            if dest != "quiet" and (_is_setting(dest) or not quiet)
        ]
        if keys:
            print_message(f"note: options of {self.path}: {', '.join(keys)}")


def load_configuration(
    name: str,
    words: Sequence[str],
    parser: CommandParser,
    commands: Sequence[Collection[str]],
) -> Configuration | None:
    """Load the options of a command from the first file that contains any."""
    if name in WITHOUT_CONFIG:
        return None
    tables = map(_read_table, find_config_files())
    top = next((table for table in tables if table is not None), None)
    if top is None:
        return None
    table = _find_command_table(top, name.split(), parser, commands)
    shared = {key: top.values[key] for key in SHARED_OPTIONS if key in top.values}
    options: dict[str, tuple[str, list[str]]] = {}
    for is_shared, current in ((True, top._replace(values=shared)), (False, table)):
        if "preset" in current.values:
            options = {dest: options[dest] for dest in options if not _is_setting(dest)}
        for key, value in current.values.items():
            action = _find_option(current, key, parser, is_shared=is_shared)
            if action is not None:
                arguments = _format_option(current, key, value, action, parser)
                options[action.dest] = key, arguments
    dests = parser.list_dests(words)
    has_preset = "preset" in dests or any(
        ("--format", name) in pairwise(words) or f"--format={name}" in words
        for name in FORMAT_PRESETS
    )
    if has_preset:
        dests |= {dest for dest in options if _is_setting(dest)}
    chosen = {dest: options[dest] for dest in options if dest not in dests}
    return Configuration(
        top.path,
        {dest: key for dest, (key, _) in chosen.items()},
        [word for _, arguments in chosen.values() for word in arguments],
    )


def ignore_configured_settings(arguments: argparse.Namespace) -> None:
    """Remove the settings of the file, because stored scores have their own."""
    names = [name for name in arguments.configured if _is_setting(name)]
    for name in names:
        setattr(arguments, name, None)
    if names:
        print_note("stored scores keep their settings: those of the file are ignored")


def _is_setting(dest: str) -> bool:
    return dest == "preset" or dest in SETTINGS


def _read_table(path: str) -> ConfigTable | None:
    """Read the top-level table of a file; None if it has nothing for corefkit."""
    import tomllib

    is_project = os.path.basename(path) == PROJECT_FILE  # noqa: PTH119
    file_table = ConfigTable(path, "", {})
    try:
        with open(path, encoding="utf-8-sig") as file:  # noqa: PTH123
            content: Any = tomllib.loads(file.read())
    except tomllib.TOMLDecodeError as error:
        message, code = f"is not valid TOML: {error}", "settings/not-toml"
        file_table.reject(message, code=code, hint=_HINT)
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8"
        message, code = f"cannot be read: {reason}", "settings/unreadable"
        file_table.reject(message, code=code, hint=_HINT)
    if not is_project:
        return file_table._replace(values=content)
    for key in ("tool", "corefkit"):
        content = content.get(key) if isinstance(content, dict) else None
    has_values = isinstance(content, dict) and content
    return ConfigTable(path, "tool.corefkit", content) if has_values else None


def _find_command_table(
    top: ConfigTable,
    words: Sequence[str],
    parser: CommandParser,
    commands: Sequence[Collection[str]],
) -> ConfigTable:
    """Find the table of a command, after a check of the keys above it."""
    header = ".".join([top.header, *words] if top.header else words)
    values, code = top.values, "settings/unknown-setting"
    for level, (word, siblings) in enumerate(zip(words, commands, strict=True)):
        names = [name for name in siblings if name not in WITHOUT_CONFIG]
        for key, value in values.items():
            is_table = isinstance(value, dict)
            if (key in names and (is_table or level)) or (
                key in SHARED_OPTIONS and not level
            ):
                continue
            message, hint = f"unknown command {key!r}", suggest(key, names)
            if key in WITHOUT_CONFIG and is_table:
                message = f"{key!r} cannot be configured in a file"
            elif not is_table and not level:
                message = f"{key!r} is not an option that commands share"
                hint = suggest(key, SHARED_OPTIONS)
                if f"--{key}" in parser.list_options():
                    hint = f"options of one command belong in its table: [{header}]"
            top.reject(message, code=code, hint=hint)
        values = values.get(word, {})
        if not isinstance(values, dict):
            message = f"{word!r} is a command, expected a table"
            top.reject(message, hint=f"write a table [{header}]")
    return ConfigTable(top.path, header, values)


def _find_option(
    table: ConfigTable, key: str, parser: CommandParser, *, is_shared: bool
) -> argparse.Action | None:
    """Find the option of a key; None for a shared one that this command lacks."""
    if key in TARGET_OPTIONS:
        message = f"a file cannot set --{key}, which decides where to write"
        hint = f"remove it, and use --{key} on the command line"
        table.reject(message, code="settings/not-in-file", hint=hint)
    options = parser.list_options()
    action = options.get(f"--{key}")
    if is_shared and key == "metric" and not _is_repeatable(action):
        # A command that takes exactly one metric is not configured by the project.
        return None
    if action is None and not is_shared:
        names = [name[2:] for name in options if name[2:] not in TARGET_OPTIONS]
        message = f"{parser.prog} has no option --{key}"
        hint = suggest(key, names)
        table.reject(message, code="settings/unknown-setting", hint=hint)
    return action


def _format_option(
    table: ConfigTable,
    key: str,
    value: object,
    action: argparse.Action,
    parser: CommandParser,
) -> list[str]:
    if action.nargs == 0:
        if not isinstance(value, bool):
            table.reject(f"{key} is {value!r}, expected true or false")
        return [f"--{key}"] * value
    if action.nargs == "?" and value is True:
        return [f"--{key}="]
    is_list = _is_repeatable(action)
    words = []
    for item in value if is_list and isinstance(value, list) else [value]:
        if isinstance(item, bool) or not isinstance(item, (str, int, float)):
            expected = "names or a name" if is_list else "a value"
            table.reject(f"{key} is {item!r}, expected {expected}")
        text = _resolve_path(action, str(item), os.path.dirname(table.path))  # noqa: PTH120
        try:
            parser.parse_value(action, text)
            _check_names(action.dest, text)
        except argparse.ArgumentError as error:
            table.reject(f"{key}: {error.message}")
        except SettingsError as error:
            error.place = table.place
            raise
        words.append(f"--{key}={text}")
    return words


def _check_names(dest: str, text: str) -> None:
    """Check metrics and settings now, so that the error names the file."""
    from corefkit.metrics.registry import find_metrics

    if _is_setting(dest):
        resolve_settings(**{dest: text})  # type: ignore[arg-type]
    elif dest == "metric":
        # `compare` accepts counts of errors too.
        names = [name for name in text.split(",") if "errors" not in name]
        find_metrics(names or None)


def _is_repeatable(action: argparse.Action | None) -> bool:
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
