"""What is wrong with an input: one reporter for reading and for validating.

A reader reports to `Faults` whatever it finds, and goes on as well as it can. When a
file is read for scoring, the first error is raised; when it is validated, all problems
are kept. `corefkit.formats.kinds` has the kinds of problems and their severities.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from corefkit.exceptions import FormatError, quoted
from corefkit.formats.kinds import (
    ERROR,
    MALFORMED,
    NOT_UTF8,
    REPEATED_DOCUMENT,
    REPEATED_MENTION,
    Kind,
)
from corefkit.strings.escaping import for_terminal

if TYPE_CHECKING:
    from collections.abc import Iterable

SAVE_AS_UTF8 = "save the file as UTF-8"
_LONGEST_ID = 40  # that messages show unquoted


@dataclass(frozen=True, slots=True)
class Problem:
    r"""One thing that is wrong with a file, or odd, or only unusual.

    Attributes:
        file: what the user calls the file, or the path of one in a folder.
        line: its line, counted from 1; None where it is about the whole file.
        message: what was found, and what was expected.
        hint: what to do about it, or what scoring does; None where there is no more to
            say.
        severity: `error`, `warning` or `note`.
        kind: the name of its kind, as in `repeated-mention`.

    >>> print(Problem("key.conll", 7, "no such bracket", "close it"))
    key.conll:7: no such bracket
      hint: close it
    >>> print(Problem("key.conll", None, "it is odd", severity="warning"))
    key.conll: warning: it is odd
    """

    file: str
    line: int | None
    message: str
    hint: str | None = None
    severity: str = ERROR
    kind: str = "malformed"

    def __str__(self) -> str:
        """Return place and message in one line, and the hint in the next.

        What is no error says so.
        """
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        word = "" if self.severity == ERROR else f"{self.severity}: "
        text = for_terminal(f"{place}: {word}{self.message}")
        return f"{text}\n  hint: {for_terminal(self.hint)}" if self.hint else text


class Located(Protocol):
    """An input that knows its lines: a file by byte offsets, a table by rows."""

    @property
    def name(self) -> str:
        """What the user called this input."""

    def line_number(self, position: int, /) -> int:
        """Return the line of an offset or a row."""

    def place(self, position: int, /) -> str:
        """Word an offset or a row as `file:line`."""


@dataclass(frozen=True, slots=True)
class Faults:
    """The faults of one input: kept in a list, or the first error raised.

    >>> faults = Faults("key.conll", [])
    >>> faults(7, "no such bracket", "close it")
    >>> print(*faults.kept)
    key.conll:7: no such bracket
      hint: close it
    >>> Faults("key.conll")(7, "no such bracket")
    Traceback (most recent call last):
        ...
    corefkit.exceptions.FormatError: key.conll:7: no such bracket
    """

    source: Located | str  # the input, or its name where lines are all that is told
    # Where to keep the faults; without it the first error is raised.
    problems: list[Problem] | None = None

    @property
    def name(self) -> str:
        """What the user called the input."""
        return self.source if isinstance(self.source, str) else self.source.name

    @property
    def kept(self) -> list[Problem]:
        """The faults so far in the order of their lines; none where they are raised."""
        return in_order(self.problems or ())

    def __call__(
        self,
        line: int | None,
        message: str,
        hint: str | None = None,
        *,
        kind: Kind = MALFORMED,
    ) -> None:
        """Report what is wrong with a line, or odd; None stands for the whole file."""
        if self.problems is not None:
            self.problems.append(
                Problem(self.name, line, message, hint, kind.severity, kind.name)
            )
        elif kind.severity == ERROR:
            place = self.name if line is None else f"{self.name}:{line}"
            raise FormatError(message, place=place, hint=hint)

    def at(
        self,
        position: int,
        message: str,
        hint: str | None = None,
        *,
        kind: Kind = MALFORMED,
    ) -> None:
        """Report what is wrong at a byte offset of a file, or in a row of a table."""
        assert not isinstance(self.source, str), "a mere name has no positions"
        if self.problems is not None:
            self(self.source.line_number(position), message, hint, kind=kind)
        elif kind.severity == ERROR:
            raise FormatError(message, place=self.source.place(position), hint=hint)

    def of(self, name: str) -> Faults:
        """Return the reporter for another file that is read along with this one."""
        return Faults(name, self.problems)

    def not_utf8(self, line: int, byte: int) -> None:
        """Report that a byte of a line, counted from 1, is not UTF-8."""
        message = f"byte {byte} of the line is not UTF-8"
        self(line, message, SAVE_AS_UTF8, kind=NOT_UTF8)

    def repeated_mention(
        self, line: int, mention: str, entity: str, earlier: str
    ) -> None:
        """Report that a mention is in an entity, and was in another or the same before.

        >>> faults = Faults("key.conll", [])
        >>> faults.repeated_mention(7, "of tokens 0 to 2", "5", "3")
        >>> faults.kept[0].message
        'mention of tokens 0 to 2 is in entity 5 and in entity 3'
        """
        where = f"in entity {readable(entity)} and in entity {readable(earlier)}"
        if entity == earlier:
            where = f"twice in entity {readable(entity)}"
        hint = "scoring keeps the first of them (--repeated first)"
        self(line, f"mention {mention} is {where}", hint, kind=REPEATED_MENTION)

    def repeated_document(self, line: int, document_id: str, earlier: int) -> None:
        """Report that the id of a document was that of one at an earlier line."""
        message = f"document {quoted(document_id)} is repeated"
        hint = f"it first begins at line {earlier}"
        self(line, message, hint, kind=REPEATED_DOCUMENT)


def has_errors(problems: Iterable[Problem]) -> bool:
    """Return whether any of some problems is an error.

    >>> has_errors([Problem("key.conll", 7, "it is odd", severity="note")])
    False
    """
    return any(problem.severity == ERROR for problem in problems)


def in_order(problems: Iterable[Problem]) -> list[Problem]:
    """Sort problems by their lines; those of a whole file come first."""
    return sorted(problems, key=lambda problem: problem.line or 0)


def readable(entity_id: str) -> str:
    r"""Word an id for a message: as it is where it fits, else quoted.

    >>> readable("e7"), readable("a\tb"), readable("")
    ('e7', "'a\\tb'", "''")
    """
    fits = entity_id.isprintable() and 0 < len(entity_id) <= _LONGEST_ID
    return entity_id if fits else quoted(entity_id)
