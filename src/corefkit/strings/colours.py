"""Colours and bold letters on a terminal: whether they are wanted, and how they look.

They are off unless a command turns them on: no function of Python writes them by
itself. What is wanted is found out here and nowhere else:

1.  `NO_COLOR`, set and not empty: no colours (https://no-color.org).
2.  `FORCE_COLOR`, set and not empty, or `CLICOLOR_FORCE`, set and not 0: colours.
3.  Otherwise a terminal has them, unless it is called `dumb`.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import TextIO

_PLAIN = "\x1b[0m"
_BOLD, _DIM, _RED = 1, 2, 31
# What a line can begin with, and its colour.
_WORDS = {"error": "1;31", "warning": "1;33", "note": "36", "hint": "32"}
_WORD = rf"\b({'|'.join(_WORDS)}):"
_START = rf"(?m)^((?:  |corefkit[\w -]*: )?){_WORD}"
_CODES = r"\x1b\[[\d;]*m"

_are_on = False  # on standard output; set by each command line


def wanted(stream: TextIO | None) -> bool:
    """Tell whether the user wants colours on a stream."""
    told = os.environ.get
    if stream is None or told("NO_COLOR"):
        return False
    if told("FORCE_COLOR") or told("CLICOLOR_FORCE", "0") not in ("", "0"):
        return True
    return told("TERM") != "dumb" and stream.isatty()


def turn(on: bool) -> bool:
    """Turn colours of what is printed on or off; tell whether they were on."""
    global _are_on
    before, _are_on = _are_on, on
    return before


def are_on() -> bool:
    """Tell whether what is printed has colours."""
    return _are_on


def bold(text: str) -> str:
    """Write a text in bold letters, if colours are on."""
    return _styled(text, _BOLD)


def dim(text: str) -> str:
    """Write a text in faint letters, if colours are on."""
    return _styled(text, _DIM)


def red(text: str) -> str:
    """Write a text in red, if colours are on."""
    return _styled(text, _RED)


def _styled(text: str, code: int) -> str:
    """Style a text, but not the blanks around it, which lines may lose at their end."""
    inside = text.strip(" ")
    if not _are_on or not inside:
        return text
    start = len(text) - len(text.lstrip(" "))
    end = " " * (len(text) - start - len(inside))
    return f"{' ' * start}\x1b[{code}m{inside}{_PLAIN}{end}"


def without_codes(text: str) -> str:
    r"""Take colours out of a text, for its width.

    >>> without_codes("\x1b[1m60.47\x1b[0m")
    '60.47'
    """
    return re.sub(_CODES, "", text) if "\x1b" in text else text


def message(text: str, *, on: bool) -> str:
    r"""Colour the words that say what kind of message a line is.

    >>> message("warning: few mentions match", on=True)
    '\x1b[1;33mwarning:\x1b[0m few mentions match'
    """
    if not on:
        return text
    return re.sub(_START, lambda found: found[1] + _painted(found[2]), text)


def problem(text: str, *, on: bool) -> str:
    r"""Do the same to a problem of a file, which begins with its place.

    >>> problem("key.conll:3: note: singletons", on=True)
    'key.conll:3: \x1b[36mnote:\x1b[0m singletons'
    """
    if not on:
        return text
    place = rf"^(.*?:\d+: |.*?: ){_WORD}"
    coloured = re.sub(place, lambda found: found[1] + _painted(found[2]), text)
    return message(coloured, on=True)


def _painted(word: str) -> str:
    return f"\x1b[{_WORDS[word]}m{word}:{_PLAIN}"
