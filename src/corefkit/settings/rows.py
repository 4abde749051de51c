"""What a row of a setting says, and the texts made from it."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from corefkit.exceptions import SettingsError
from corefkit.strings.nearest import suggest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

_WIDTH = 80  # columns of a docstring, its indentation included
_PLACEHOLDERS = ("keywords: ", "fields: ")


# Not in slots: texts are made once.
@dataclass(frozen=True)
class Setting:
    """One setting.

    Attributes:
        meaning: what it decides, as a phrase.
        choices: the values it can have, the default first, and what each means; empty
            if its value is free text.
        default: the default of free text.
        form: how to write free text, for help and hints.
        check: return free text written in one way, or refuse it.
        sign: write a value for the signature, so that no part of it reads as another
            setting.
        signed: its name in the signature, if that is not its own.
        always_signed: whether the signature names it even if it has its default.
        is_option: whether users can set it; if not, only presets do.
        name: its name: a field of `Settings`, a keyword and, with hyphens, an option.
    """

    meaning: str
    choices: Mapping[str, str] = field(default_factory=dict)
    _: KW_ONLY
    default: str = ""
    form: str = ""
    check: Callable[[str], str] = str
    sign: Callable[[str], str] = str
    signed: str = ""
    always_signed: bool = False
    is_option: bool = True
    name: str = ""

    def field(self) -> Any:
        """Make the field of `Settings` that declares this setting."""
        return field(default=self.named("").default, metadata={"setting": self})

    def named(self, name: str) -> Setting:
        """Fill in the name, and what follows from it and from the choices."""
        default = self.default or next(iter(self.choices))
        return replace(self, name=name, default=default, signed=self.signed or name)

    def checked(self, value: object) -> str:
        """Return a value as settings keep it, or refuse it.

        >>> from corefkit.settings import SETTINGS
        >>> SETTINGS["average"].checked("macro")
        'macro'
        """
        if not isinstance(value, str) or (self.choices and value not in self.choices):
            message = f"unknown value {value!r} for {self.name!r}"
            hint = suggest(str(value), self.choices) if self.choices else self.form
            raise SettingsError(message, hint=hint)
        return self.check(value)

    @cached_property
    def option(self) -> str:
        """The option of the command.

        >>> from corefkit.settings import SETTINGS
        >>> SETTINGS["blanc_rule"].option
        '--blanc-rule'
        """
        return f"--{self.name.replace('_', '-')}"

    @cached_property
    def metavar(self) -> str:
        """What stands for the value in help texts and in the documentation."""
        return "|".join(self.choices) or self.name.upper()

    @cached_property
    def help(self) -> str:
        """What the setting decides, and what each value means on a line of its own.

        >>> from corefkit.settings import SETTINGS
        >>> print(SETTINGS["average"].help)
        how documents are combined
          micro: their counts are added (default)
          macro: their scores are averaged
        """
        if not self.choices:
            return f"{self.meaning}: {self.form} (default: {self.default})"
        return "\n  ".join([self.meaning, *self._values("")])

    @cached_property
    def text(self) -> str:
        """The same in one line, for docstrings and the documentation.

        >>> from corefkit.settings import SETTINGS
        >>> SETTINGS["average"].text
        'how documents are combined. `micro`: their counts are added (default); \
`macro`: their scores are averaged'
        """
        if not self.choices:
            return f"{self.meaning}: {self.form}"
        return f"{self.meaning}. {'; '.join(self._values('`'))}"

    def _values(self, quote: str) -> list[str]:
        return [
            f"{quote}{value}{quote}: {meaning}"
            + (" (default)" if value == self.default else "")
            for value, meaning in self.choices.items()
        ]


def documented(doc: str | None, rows: Iterable[tuple[str, str]]) -> str | None:
    """List names and texts in place of a docstring's line `keywords:` or `fields:`.

    >>> print(
    ...     documented("    keywords: see there.", [("match", "one"), ("zeros", "2")])
    ... )
        match: one.
        zeros: 2.
    """
    if doc is None:  # Python was asked to leave docstrings out
        return None
    lines = doc.split("\n")
    for at, line in enumerate(lines):
        if line.lstrip().startswith(_PLACEHOLDERS):
            indent = line[: -len(line.lstrip())]
            behind = at + 1
            while behind < len(lines) and lines[behind].startswith(f"{indent} "):
                behind += 1
            listed = [_filled(f"{name}: {text}.", indent) for name, text in rows]
            return "\n".join([*lines[:at], *listed, *lines[behind:]])
    return doc


def _filled(text: str, indent: str) -> str:
    """Break a text into lines, of which all but the first stand further in.

    The module `textwrap` takes ten times as long, and every start would pay.
    """
    lines, line = list[str](), indent
    for word in text.split():
        if len(line) + len(word) > _WIDTH:
            lines.append(line.rstrip())
            line = f"{indent}    "
        line += f"{word} "
    return "\n".join([*lines, line.rstrip()])
