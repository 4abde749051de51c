"""Defaults of options that a project keeps in a file.

1.  The file is corefkit.toml, or pyproject.toml with a table `[tool.corefkit]`, of the
    working folder or else of the nearest folder above it in the same project: up to
    the closest folder with a repository, or else with a pyproject.toml. One file
    counts; corefkit.toml comes before pyproject.toml of the same folder.
2.  A key is the long name of an option. At the top stand those that many commands
    share: settings, `preset`, `metric` and `quiet`. The others stand in a table of
    their command, such as `[tool.corefkit.score]`, which comes before the top.
3.  The command line comes before the file. A preset puts aside the settings that come
    after it in this order, since it would not be that preset with them.
4.  A file says how to compute and show, never where to write: whoever works in a
    folder of somebody else's must not lose a file by it. Settings of a file, which
    change scores, are reported even if `quiet` is set.
5.  Whatever is unknown or wrong in the tables of the command in use is an error.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from corefkit.cli import COMMANDS, note, tell
from corefkit.cli.configuration_file import Found, found_in
from corefkit.cli.lab import COMMANDS as LAB
from corefkit.cli.options import named
from corefkit.exceptions import SettingsError
from corefkit.metrics.registry import find_metrics
from corefkit.settings import SETTINGS, resolve_settings
from corefkit.strings import suggest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from corefkit.cli.parsing import CommandParser

_OF_SETTINGS = (
    "preset",
    *(row.option[2:] for row in SETTINGS.values() if row.is_option),
)
SHARED = ("metric", *_OF_SETTINGS, "quiet")
WRITING = ("output", "counts", "corrected", "temp-directory", "fresh")
NOT_CONFIGURED = ("serve", "completion", "manual")
_PATHS = ("FILE", "FOLDER", "DIR", "MODEL")


class Defaults(NamedTuple):
    """The values of options that a file has for a command, by their destination."""

    path: str
    values: Mapping[str, object]
    names: Mapping[str, str]  # what the user calls the options

    def apply(self, arguments: argparse.Namespace) -> None:
        """Put values where the command line says nothing; keep which these are."""
        values = dict(self.values)
        # The text of the reference scorer means its preset.
        given = getattr(arguments, "preset", None) is not None
        if given or getattr(arguments, "output", None) == "reference":
            values = {name: values[name] for name in values if not _is_setting(name)}
        used = [name for name in values if getattr(arguments, name) is None]
        for name in used:
            setattr(arguments, name, values[name])
        arguments.configured = tuple(used)

    def tell(self, arguments: argparse.Namespace) -> None:
        """Report which options have values of the file.

        Settings change scores, so they are reported even if notes are not wanted.
        """
        names = [
            self.names[name]
            for name in arguments.configured
            if name != "quiet" and (_is_setting(name) or not arguments.quiet)
        ]
        if names:
            tell(f"note: options of {self.path}: {', '.join(names)}")


def defaults_for(
    paths: Iterable[str], name: str, parser: CommandParser
) -> Defaults | None:
    """Find the defaults of a command in the first file that has any.

    The parser no longer asks for what the file has, and leaves None where a command
    line says nothing.

    Args:
        paths: files to look at, the nearest first.
        name: the command, as in `lab perturb`.
        parser: its parser.

    Raises:
        SettingsError: something in the file is unknown or wrong.
    """
    if name in NOT_CONFIGURED:
        return None
    found = next(filter(None, map(found_in, paths)), None)
    if found is None:
        return None
    values: dict[str, object] = {}
    names: dict[str, str] = {}
    for keys, table in _tables(found, name.split(), parser).items():
        if "preset" in table:
            values = {dest: values[dest] for dest in values if not _is_setting(dest)}
        for key in table:
            action = _action(found, parser, key, keys)
            if action is not None:
                value = _value(found, parser, action, table[key], (*keys, key))
                values[action.dest], names[action.dest] = value, key
    for action in parser.actions():
        if action.dest in values:
            action.default, action.required = None, False
    return Defaults(found.path, values, names) if values else None


def put_settings_aside(arguments: argparse.Namespace) -> None:
    """Leave out the settings of a file, for scores that are stored with their own."""
    names = [name for name in arguments.configured if _is_setting(name)]
    for name in names:
        setattr(arguments, name, None)
    if names:
        note("stored scores keep their settings: those of the file do not count")


def _is_setting(dest: str) -> bool:
    return dest == "preset" or dest in SETTINGS


def _tables(
    found: Found, commands: Sequence[str], parser: CommandParser
) -> dict[tuple[str, ...], Mapping[str, object]]:
    """Find the tables that a command looks at: what commands share, and its own."""
    _check_top(found, commands, parser)
    _check_laboratory(found)
    shared = {key: found.tables[key] for key in SHARED if key in found.tables}
    table = found.tables
    for command in commands:
        table = table.get(command, {})
    return {(): shared, tuple(commands): table}


def _check_top(found: Found, commands: Sequence[str], parser: CommandParser) -> None:
    """Refuse what is neither an option that commands share nor a command."""
    for key, value in found.tables.items():
        is_command = key in COMMANDS and key not in NOT_CONFIGURED
        if key in SHARED or (is_command and isinstance(value, dict)):
            continue
        place = found.place(key)
        if isinstance(value, dict):
            hint = suggest(key, [one for one in COMMANDS if one not in NOT_CONFIGURED])
            message = f"unknown command {key!r}"
            if key in NOT_CONFIGURED:
                message = f"{key!r} takes no options from a file"
            raise SettingsError(
                message, code="settings/unknown-setting", place=place, hint=hint
            )
        message = f"{key!r} is no option that all commands share"
        hint = suggest(key, SHARED)
        if f"--{key}" in parser.known_options():
            header = ".".join((*found.above, *commands))
            hint = f"an option of one command stands in its table: [{header}]"
        raise SettingsError(
            message, code="settings/unknown-setting", place=place, hint=hint
        )


def _check_laboratory(found: Found) -> None:
    """Refuse what is none of its commands, or none with a table."""
    for key, value in found.tables.get("lab", {}).items():
        place = found.place("lab", key)
        if key not in LAB:
            message, hint = f"unknown command {key!r} of lab", suggest(key, LAB)
            raise SettingsError(
                message, code="settings/unknown-setting", place=place, hint=hint
            )
        if not isinstance(value, dict):
            message = f"{key!r} is a command, expected a table"
            header = ".".join((*found.above, "lab", key))
            raise SettingsError(
                message,
                code="settings/invalid-value",
                place=place,
                hint=f"begin it with [{header}]",
            )


def _action(
    found: Found, parser: CommandParser, key: str, keys: Sequence[str]
) -> argparse.Action | None:
    """Find the option of a key; None for one that commands share, but not this one."""
    place = found.place(*keys, key)
    if key in WRITING:
        message = f"a file cannot set --{key}, which says where to write"
        hint = f"take it out, and name it on the command line: --{key}"
        raise SettingsError(
            message, code="settings/not-in-file", place=place, hint=hint
        )
    options = parser.known_options()
    action = options.get(f"--{key}")
    if action is not None:
        # One metric alone, as `explain` takes it, is no matter of a project.
        several = _takes_several(action)
        return action if keys or key != "metric" or several else None
    if not keys:
        return None
    known = [option[2:] for option in options if option[2:] not in WRITING]
    message = f"{parser.prog} has no option --{key}"
    raise SettingsError(
        message, code="settings/unknown-setting", place=place, hint=suggest(key, known)
    )


def _value(
    found: Found,
    parser: CommandParser,
    action: argparse.Action,
    value: object,
    keys: Sequence[str],
) -> object:
    """Read a value as the command line would, or say what is wrong with it."""
    place, name = found.place(*keys), keys[-1]
    if action.nargs == 0:
        if not isinstance(value, bool):
            raise _wrong(place, name, value, "true or false")
        return value
    several = _takes_several(action)
    if action.nargs == "?" and value is True:
        return action.const
    listed = value if several and isinstance(value, list) else [value]
    folder = os.path.dirname(found.path)  # noqa: PTH120
    read: list[object] = []
    for one in listed:
        if isinstance(one, bool) or not isinstance(one, (str, int, float)):
            raise _wrong(place, name, one, "names or a name" if several else "a value")
        try:
            read.append(parser.value_of(action, _placed(action, str(one), folder)))
        except argparse.ArgumentError as error:
            message = f"{name}: {error.message}"
            raise SettingsError(
                message, code="settings/invalid-value", place=place
            ) from error
    value = read if several else read[0]
    _check_names(action.dest, value, place)
    return value


def _check_names(dest: str, value: object, place: str) -> None:
    """Refuse metrics and settings that commands would refuse, without a place."""
    try:
        if _is_setting(dest):
            resolve_settings(**{dest: value})  # type: ignore[arg-type]
        elif dest == "metric":
            words = value if isinstance(value, list) else [value]
            names = [name for word in words for name in str(word).split(",")]
            # Comparisons count errors too.
            find_metrics([name for name in names if "errors" not in name] or None)
    except SettingsError as error:
        error.place = place
        raise


def _takes_several(action: argparse.Action) -> bool:
    return isinstance(action, argparse._AppendAction)


def _placed(action: argparse.Action, text: str, folder: str) -> str:
    """Take a path from the folder of the file, if there is something of that name."""
    if action.type is not Path and action.metavar not in _PATHS:
        return text
    start, name = "", text
    if action.type is named and named(text).name != named(text).path:
        start, name = f"{named(text).name}=", named(text).path
    path = os.path.join(folder, name)  # noqa: PTH118
    return start + path if os.path.exists(path) else text  # noqa: PTH110


def _wrong(place: str, name: str, value: object, expected: str) -> SettingsError:
    return SettingsError(
        f"{name} is {value!r}, expected {expected}",
        code="settings/invalid-value",
        place=place,
    )
