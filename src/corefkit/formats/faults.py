"""What is wrong with an input: one reporter for reading and for validating.

A reader reports to `Faults` whatever it finds, and goes on as well as it can. When a
file is read for scoring, the first fatal fault is raised; when it is validated, all of
them are kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from corefkit.exceptions import FormatError, quoted
from corefkit.strings.escaping import for_terminal

NOT_UTF8 = "save the file as UTF-8"
_LONGEST_ID = 40  # that messages show unquoted


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with a file, as `corefkit validate` prints it.

    What is not fatal can be scored, by the policy that the settings state.
    """

    file: str
    line: int
    message: str
    hint: str | None = None
    fatal: bool = True

    def __str__(self) -> str:
        """Return place and message in one line, and the hint in the next."""
        text = for_terminal(f"{self.file}:{self.line}: {self.message}")
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
    """The faults of one input: kept in a list, or the first fatal one raised.

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
    # Where to keep the faults; without it the first fatal one is raised.
    problems: list[Problem] | None = None

    @property
    def name(self) -> str:
        """What the user called the input."""
        return self.source if isinstance(self.source, str) else self.source.name

    @property
    def kept(self) -> list[Problem]:
        """The faults so far in the order of their lines; none where they are raised."""
        return sorted(self.problems or (), key=lambda problem: problem.line)

    def __call__(
        self, line: int, message: str, hint: str | None = None, *, fatal: bool = True
    ) -> None:
        """Report what is wrong with a line."""
        if self.problems is not None:
            self.problems.append(Problem(self.name, line, message, hint, fatal))
        elif fatal:
            raise FormatError(message, place=f"{self.name}:{line}", hint=hint)

    def at(
        self,
        position: int,
        message: str,
        hint: str | None = None,
        *,
        fatal: bool = True,
    ) -> None:
        """Report what is wrong at a byte offset of a file, or in a row of a table."""
        assert not isinstance(self.source, str), "a mere name has no positions"
        if self.problems is not None:
            self(self.source.line_number(position), message, hint, fatal=fatal)
        elif fatal:
            raise FormatError(message, place=self.source.place(position), hint=hint)

    def of(self, name: str) -> Faults:
        """Return the reporter for another file that is read along with this one."""
        return Faults(name, self.problems)

    def not_utf8(self, line: int, byte: int) -> None:
        """Report that a byte of a line, counted from 1, is not UTF-8."""
        self(line, f"byte {byte} of the line is not UTF-8", NOT_UTF8)

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
        self(line, f"mention {mention} is {where}", hint, fatal=False)

    def repeated_document(self, line: int, document_id: str, earlier: int) -> None:
        """Report that the id of a document was that of one at an earlier line."""
        message = f"document {quoted(document_id)} is repeated"
        self(line, message, f"it first begins at line {earlier}")


def readable(entity_id: str) -> str:
    r"""Word an id for a message: as it is where it fits, else quoted.

    >>> readable("e7"), readable("a\tb"), readable("")
    ('e7', "'a\\tb'", "''")
    """
    fits = entity_id.isprintable() and 0 < len(entity_id) <= _LONGEST_ID
    return entity_id if fits else quoted(entity_id)
