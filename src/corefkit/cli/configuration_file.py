"""The file in which a project keeps defaults of options, and the lines of its keys."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from corefkit.cli.parsing import OWN_FILE
from corefkit.exceptions import SettingsError

if TYPE_CHECKING:
    from collections.abc import Mapping

_INSTEAD = "mend the file, or leave it out with --no-config"


class Found(NamedTuple):
    """The tables of a file, and what their place is."""

    path: str
    tables: Mapping[str, Any]
    above: tuple[str, ...]  # the tables that they stand in
    lines: Mapping[tuple[str, ...], int]

    def place(self, *keys: str) -> str:
        """Name the file, and the line of a key if it is found."""
        whole = (*self.above, *keys)
        known = [self.lines.get(whole[:end]) for end in range(len(whole), 0, -1)]
        line = next((number for number in known if number), None)
        return self.path if line is None else f"{self.path}:{line}"


def found_in(path: str) -> Found | None:
    """Read a file; None if it has nothing for corefkit.

    Raises:
        SettingsError: it cannot be read, or is no TOML.
    """
    import tomllib

    try:
        text = Path(path).read_text("utf-8-sig")  # some editors begin with a mark
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        what, _, where = str(error).rpartition(" (at ")
        line = where.removeprefix("line ").partition(",")[0]
        place = f"{path}:{line}" if line.isdecimal() else path
        message = f"is not TOML: {what or error}"
        raise SettingsError(
            message, code="settings/not-toml", place=place, hint=_INSTEAD
        ) from error
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not UTF-8"
        message = f"cannot be read: {why}"
        raise SettingsError(
            message, code="settings/unreadable", place=path, hint=_INSTEAD
        ) from error
    above = () if Path(path).name == OWN_FILE else ("tool", "corefkit")
    for key in above:
        content = content.get(key, {}) if isinstance(content, dict) else {}
    if not isinstance(content, dict) or (above and not content):
        return None
    return Found(path, content, above, _lines(text))


def _lines(text: str) -> dict[tuple[str, ...], int]:
    r"""Find the line of each table and key, as far as lines tell.

    >>> lines = _lines("[tool.corefkit]\nmetric = 1\nscore.format = 2\n")
    >>> lines["tool", "corefkit", "metric"]
    2
    >>> lines["tool", "corefkit", "score", "format"]
    3
    """
    found: dict[tuple[str, ...], int] = {}
    table: tuple[str, ...] = ()
    for number, line in enumerate(text.split("\n"), start=1):
        if line.lstrip().startswith("["):
            table = _keys(line.strip().strip("[").partition("]")[0])
            found.setdefault(table, number)
        elif "=" in line:
            found.setdefault((*table, *_keys(line.partition("=")[0])), number)
    return found


def _keys(text: str) -> tuple[str, ...]:
    return tuple(word.strip(" \t\"'") for word in text.split("."))
