"""Names of systems, in results and in messages about them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from corefkit.exceptions import CorefkitError, FormatError
from corefkit.report.names import names_of

if TYPE_CHECKING:
    from collections.abc import Sequence

_UNNAMED = re.compile(r"^response(?=:|$)")


def own_names(labels: Sequence[str], *, as_given: bool) -> list[str]:
    """Give every system a name of its own: as given, or by its file.

    >>> own_names(["runs/a.conll", "runs/b.conll"], as_given=False)
    ['a.conll', 'b.conll']
    >>> own_names(["x:a.conll", "x:a.conll"], as_given=True)
    ['1. x:a.conll', '2. x:a.conll']
    """
    if not as_given:
        return names_of(labels)
    if len(set(labels)) < len(labels):
        return [f"{number}. {label}" for number, label in enumerate(labels, 1)]
    return list(labels)


def renamed(text: str, name: str) -> str:
    """Name what is in memory, which scoring can only call a response.

    >>> renamed("response: lacks document 'd'", "ours")
    "ours: lacks document 'd'"
    """
    return _UNNAMED.sub(lambda _: name, text)


def about(error: CorefkitError, name: str) -> CorefkitError:
    """Let an error name the system that it is about."""
    if error.place is None:
        return error
    place = renamed(error.place, name)
    return type(error)(error.message, place=place, hint=error.hint)


def nothing_scored(errors: Sequence[CorefkitError]) -> CorefkitError:
    """Put the errors of all responses together, none of which can be scored."""
    if len(errors) == 1:
        return errors[0]
    reasons = "; ".join(error.reason for error in errors)
    return FormatError(f"none of {len(errors)} responses can be scored: {reasons}")
