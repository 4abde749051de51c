"""The exceptions of corefkit, and the codes that identify them.

    CorefkitError
    ├── FormatError      a file or Python value is invalid
    ├── PairingError     key and response do not have the same documents or text
    └── SettingsError    a setting or option is unknown, or conflicts with another

A message contains the value that was found and the one that was expected; the optional
hint is an instruction.

Each kind of error has one code, `family/slug`. The families are:

    format         the content of a file; the errors of `corefkit validate`
    input          Python objects that are passed to corefkit
    pairing        key and response, or several results, that do not match
    settings       settings, metrics, options of a command, configuration files
    engine         DuckDB and Spark, and limits on the size of a corpus
    model          models of the resolver, their training data and word lists
    request        requests to `corefkit serve`
    environment    missing packages, files that cannot be written, the machine
"""

from __future__ import annotations

import copyreg
import errno
import os
from dataclasses import dataclass
from typing import Any

from corefkit.strings import escape_lines, escape_terminal

_SYSTEM_LIMITS = (
    errno.EMFILE,
    errno.ENFILE,
    errno.ENOMEM,
    errno.ENOSPC,
    errno.EDQUOT,
)


class CorefkitError(Exception):
    """The base class of all errors that users can correct.

    Attributes:
        message: the text without place and hint.
        code: the kind of error, as in `format/unbalanced-bracket`; it is stable,
            unlike messages.
        place: the location, such as `file:line` or the name of an argument.
        hint: how to correct the error.

    >>> error = FormatError(
    ...     "no such bracket",
    ...     code="format/unbalanced-bracket",
    ...     place="key.conll:7",
    ...     hint="close it",
    ... )
    >>> print(error)
    key.conll:7: no such bracket
    <BLANKLINE>
    hint: close it
    >>> error.code
    'format/unbalanced-bracket'
    """

    def __init__(
        self,
        message: str,
        *,
        code: str,
        place: str | None = None,
        hint: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.place = place
        self.hint = hint

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the attributes too: by default, only positional arguments are kept."""
        make = copyreg.__newobj__  # type: ignore[attr-defined]
        return make, (type(self), *self.args), self.__dict__

    def __str__(self) -> str:
        text = f"{self.place}: {self.message}" if self.place else self.message
        hint = f"\n\nhint: {escape_lines(self.hint)}" if self.hint else ""
        return escape_terminal(text) + hint

    @property
    def reason(self) -> str:
        """Place, message and hint in one line, for tables and lists of problems.

        >>> code = "format/unbalanced-bracket"
        >>> FormatError("not closed", code=code, place="a:7", hint="close it").reason
        'a:7: not closed (close it)'
        """
        text = f"{self.place}: {self.message}" if self.place else self.message
        return " ".join(f"{text} ({self.hint})".split() if self.hint else text.split())


def quoted(text: str, *, most: int = 80) -> str:
    """Quote a name of the input, cut if it is too long for a message."""
    return repr(text if len(text) <= most else f"{text[:most]}...")


class FormatError(CorefkitError):
    """A file or Python value is invalid."""


class PairingError(CorefkitError):
    """Key and response do not have the same documents or text."""


class SettingsError(CorefkitError):
    """A setting or option is unknown, or conflicts with another."""


def reject_response(
    refusals: dict[int, CorefkitError] | None,
    number: int,
    error: CorefkitError | OSError,
) -> None:
    """Add the error of a response to `refusals`, or raise it."""
    if refusals is None or number == 0:  # the key
        raise error
    refusals[number - 1] = convert_error(error)


def convert_error(error: CorefkitError | OSError) -> CorefkitError:
    """Convert an error to the reason for which a response is skipped.

    Errors that concern all responses are raised again: invalid settings, and system
    limits such as memory, disk space and open files.
    """
    if isinstance(error, SettingsError) and error.place is None:
        raise error
    cause = error.__cause__ if isinstance(error, CorefkitError) else error
    if isinstance(cause, OSError) and cause.errno in _SYSTEM_LIMITS:
        raise error
    if isinstance(error, CorefkitError):
        return error
    name = None if error.filename is None else os.fsdecode(error.filename)
    return FormatError(
        error.strerror or str(error), code="format/unreadable", place=name
    )


@dataclass(frozen=True, slots=True)
class Refused:
    """A response that could not be scored.

    Attributes:
        response: its display name.
        error: the error.

    >>> import corefkit
    >>> first, second = corefkit.score_submissions(["ab"], {"a": ["ab"], "b": 7})
    >>> first["muc"].f1, second.response, second.error.message
    (1.0, 'b', 'found 7, expected entities, each with its mentions')
    """

    response: str
    error: CorefkitError

    @property
    def reason(self) -> str:
        """The place, message and hint of the error, in one line."""
        return self.error.reason
