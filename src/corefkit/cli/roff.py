"""Manual pages: the few macros of man(7) that they need, in plain ASCII."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from corefkit.settings import VERSION

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_PARAGRAPHS = r"\n{2,}"


def header(name: str) -> list[str]:
    """Begin a page of commands; its date is left out, since its version tells."""
    return [rf'.TH {name.upper()} 1 "" "corefkit {VERSION}" "User Commands"', ".nh"]


def section(title: str, *parts: Iterable[str]) -> Iterator[str]:
    """Write a section."""
    yield f".SH {title}"
    for part in parts:
        yield from part


def subsection(title: str) -> str:
    """Write the title of a part of a section."""
    return f".SS {escaped(title)}"


def paragraphs(text: str) -> Iterator[str]:
    """Write paragraphs; lines of lists, which are indented, stay lines."""
    for number, paragraph in enumerate(re.split(_PARAGRAPHS, text.strip("\n"))):
        if number:
            yield ".PP"
        yield from _lines(paragraph.split("\n"))


def _lines(lines: Iterable[str]) -> Iterator[str]:
    listed = False
    for line in lines:
        if line.startswith(" ") != listed:
            listed = not listed
            yield ".nf" if listed else ".fi"
        yield escaped(line)
    if listed:
        yield ".fi"


def item(tag: str, text: str) -> Iterator[str]:
    """Write an item: what it is, and indented below what it means."""
    yield ".TP"
    yield tag
    first, *others = text.split("\n")
    yield escaped(first)
    for line in others:
        yield ".br"
        yield escaped(line.strip())


def bold(text: str) -> str:
    r"""Write a word as it is typed.

    >>> print(bold("--per-document"))
    \fB\-\-per\-document\fR
    """
    return rf"\fB{escaped(text)}\fR"


def slanted(text: str) -> str:
    """Write a word that something stands for."""
    return rf"\fI{escaped(text)}\fR"


def escaped(text: str) -> str:
    r"""Write a text so that nothing in it is a command of roff.

    >>> print(escaped(".br B\N{SUPERSCRIPT THREE} a-b"))
    \&.br B\[u00B3] a\-b
    """
    safe = text.replace("\\", r"\e").replace("-", r"\-").replace("`", r"\(ga")
    safe = re.sub(r"[^\x00-\x7f]", lambda match: rf"\[u{ord(match[0]):04X}]", safe)
    return rf"\&{safe}" if safe.startswith((".", "'")) else safe
