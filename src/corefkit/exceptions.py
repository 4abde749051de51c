"""The exceptions of corefkit, and the codes that identify them.

    CorefkitError
    ├── FormatError      a file is not what its format says
    ├── PairingError     key and response are not the same text
    └── SettingsError    an option is unknown or clashes with another

A message has a place, the value that was found and the one that was expected; a hint,
if there is one, says what to do.

Each kind of mistake has one code, of the shape `family/slug`. The families:

    format         the content of a file; the errors of `corefkit validate`
    input          Python objects that are passed to corefkit
    pairing        key and response, or several results, do not fit together
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

_OF_THE_MACHINE = (
    errno.EMFILE,
    errno.ENFILE,
    errno.ENOMEM,
    errno.ENOSPC,
    errno.EDQUOT,
)


class CorefkitError(Exception):
    """Say what is wrong with the input, where, and what to do about it.

    Attributes:
        message: the text without place and hint.
        code: identifies the kind of mistake, as in `format/unbalanced-bracket`; it is
            stable, while the wording of a message may change.
        place: the location, such as `file:line` or the name of an argument.
        hint: the next step.

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
        """Write place, message and hint as people read them."""
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
    """Quote a name of the input, cut if it is too long for a message.

    >>> quoted("a name"), quoted("x" * 99, most=3)
    ("'a name'", "'xxx...'")
    """
    return repr(text if len(text) <= most else f"{text[:most]}...")


class FormatError(CorefkitError):
    """A file is not what its format says."""


class PairingError(CorefkitError):
    """Key and response are not the same text."""


class SettingsError(CorefkitError):
    """An option is unknown or clashes with another."""


def reject_response(
    refusals: dict[int, CorefkitError] | None,
    number: int,
    error: CorefkitError | OSError,
) -> None:
    """Skip a response with an error, or raise the error.

    It is raised if no responses may be skipped, or if the number is 0, that of the key.
    """
    if refusals is None or number == 0:
        raise error
    refusals[number - 1] = convert_error(error)


def convert_error(error: CorefkitError | OSError) -> CorefkitError:
    """Return an error as the reason why one response is left out, and others go on.

    What the system refuses becomes what is wrong with a file. Raised is what leaving
    one out does not help against: settings that fit no response, and a machine that
    has no room left, or too many files open.

    >>> convert_error(FileNotFoundError(2, "No such file or directory", "a.conll"))
    FormatError('No such file or directory')
    """
    if isinstance(error, SettingsError) and error.place is None:
        raise error
    cause = error.__cause__ if isinstance(error, CorefkitError) else error
    if isinstance(cause, OSError) and cause.errno in _OF_THE_MACHINE:
        raise error
    if isinstance(error, CorefkitError):
        return error
    name = None if error.filename is None else os.fsdecode(error.filename)
    return FormatError(
        error.strerror or str(error), code="format/unreadable", place=name
    )


@dataclass(frozen=True, slots=True)
class Refused:
    """A response that could not be scored, while others were.

    >>> import corefkit
    >>> one, other = corefkit.score_submissions(["ab"], {"a": ["ab"], "b": 7})
    >>> one["muc"].f1, other.response, other.error.message
    (1.0, 'b', 'found 7, expected entities, each with its mentions')
    """

    response: str  # what the user called it
    error: CorefkitError

    @property
    def reason(self) -> str:
        """Where and why it was refused, and what to do, in one line."""
        return self.error.reason
