"""Brackets and words in another column than the one that was read."""

from __future__ import annotations

import re
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from corefkit.alignment.meeting.trials import Trial
from corefkit.exceptions import FormatError
from corefkit.formats.bytefile import ByteFile

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from corefkit.alignment.meeting.trials import Spans
    from corefkit.formats.source import Source

_ENTITY = re.compile(r"(?:^|\|)Entity=([^|]*)")
_BRACKET = re.compile(r"\(([^()|]*)|([^()|]*)\)")
_NOTHING = ("-", "_", "*", "")
_TABS = 9  # of CoNLL-U
_LEAST_WORDS = 0.9  # of all, that make a column one of words


def token_rows(source: Source, numbers: Sequence[int]) -> list[list[list[str]]]:
    """Read the columns of the lines on which the tokens of documents stand.

    Documents that are in no file, or in one that is gone, have none.
    """
    lines: dict[str, set[int]] = {}
    places: list[list[tuple[str, int]]] = []
    for number in numbers:
        here = [_place(word.place) for word in source.words(number)]
        places.append([place for place in here if place is not None])
        for file, line in places[-1]:
            lines.setdefault(file, set()).add(line)
    rows = {file: _rows(source, file, wanted) for file, wanted in lines.items()}
    return [
        [rows[file][line] for file, line in here if line in rows[file]]
        for here in places
    ]


def _place(place: str) -> tuple[str, int] | None:
    file, _, line = place.rpartition(":")
    return (file, int(line)) if file and line.isdigit() else None


def _rows(source: Source, name: str, lines: set[int]) -> Mapping[int, list[str]]:
    # What came through a pipe is only where its source has put it.
    opened = getattr(source, "file", None)
    if isinstance(opened, ByteFile) and opened.name == name:
        return _picked(opened, lines)
    if not Path(name).is_file():
        return {}
    try:
        with ByteFile(name) as file:
            return _picked(file, lines)
    except FormatError:
        return {}


def _picked(file: ByteFile, lines: set[int]) -> dict[int, list[str]]:
    numbered = enumerate(file.lines(file.text_start, file.size), start=1)
    return {
        number: _columns(line.decode("utf-8", "replace"))
        for number, (_, line) in islice(numbered, max(lines, default=0))
        if number in lines
    }


def _columns(line: str) -> list[str]:
    # Many columns are set apart by tabs alone; else by blanks too.
    return line.split("\t") if line.count("\t") >= _TABS else line.split()


def in_other_column(
    spans: Spans, rows: Sequence[Sequence[Sequence[str]]], whose: str
) -> Iterator[Trial]:
    """Try the brackets of every column against the mentions of the other side."""
    wanted = Counter(spans.rows())
    for place, called in _places(rows):
        found = Counter(
            (number, start, end)
            for number, document in enumerate(rows)
            for _, start, end in bracketed([row[place] for row in document])
        )
        least = min(found.total(), wanted.total())
        if least:
            share = (found & wanted).total() / least
            yield Trial(share, f"with coreference in column {called} of {whose},")


def column_of_brackets(rows: Sequence[Sequence[Sequence[str]]]) -> str | None:
    """Name the column whose brackets make the most mentions, if there is one.

    >>> column_of_brackets([[["Ann", "(7)", "-"], ["slept", "-", "-"]]])
    '2 of 3'
    """
    found = Counter(
        called
        for place, called in _places(rows)
        for document in rows
        for _ in bracketed([row[place] for row in document])
    )
    return max(found, key=lambda called: found[called], default=None)


def _places(rows: Sequence[Sequence[Sequence[str]]]) -> Iterator[tuple[int, str]]:
    """Go through the columns that all rows have, each with what it is called."""
    widths = [len(row) for document in rows for row in document]
    width, widest = min(widths, default=0), max(widths, default=0)
    for place in range(width):
        # Lines of other lengths have their last columns in common.
        if width < widest:
            yield -place - 1, f"{place + 1} from the end"
        else:
            yield place, f"{place + 1} of {width}"


def bracketed(cells: Sequence[str]) -> Iterator[tuple[str, int, int]]:
    """Go through the spans of a column whose brackets pair, with their entities.

    >>> [*bracketed(["(7", "-", "(8)|7)"])]
    [('8', 2, 2), ('7', 0, 2)]
    """
    if not _is_coreference(cells):
        return
    opened: dict[str, list[int]] = {}
    last: list[str] = []
    for token, cell in enumerate(cells):
        if cell in _NOTHING or not ("(" in cell or ")" in cell):
            continue
        entity = _ENTITY.search(cell)
        for bracket in _BRACKET.finditer(entity[1] if entity else cell):
            if bracket[1] is not None:
                name = bracket[1].partition("-")[0] if entity else bracket[1]
                opened.setdefault(name, []).append(token)
                last.append(name)
                continue
            name = bracket[2] or (last[-1] if last else "")
            if opened.get(name):
                yield name, opened[name].pop(), token
                last.reverse()
                last.remove(name)
                last.reverse()


def _is_coreference(cells: Sequence[str]) -> bool:
    """Tell brackets of entities from those of phrases and names, as in `(NP*`."""
    full = [cell for cell in cells if "(" in cell]
    numbered = sum(any(letter.isdigit() for letter in cell) for cell in full)
    return numbered * 2 > len(full) and not any("*" in cell for cell in full)


def column_of_words(
    rows: Sequence[Sequence[Sequence[str]]], words: Sequence[Sequence[str]]
) -> int | None:
    """Find the column, counted from 1, that has the words of the other side."""
    pairs = [
        (row, word)
        for document, tokens in zip(rows, words, strict=True)
        if len(document) == len(tokens)
        for row, word in zip(document, tokens, strict=True)
    ]
    width = min((len(row) for row, _ in pairs), default=0)
    for place in range(width):
        same = np.mean([row[place] == word for row, word in pairs])
        if same >= _LEAST_WORDS:
            return place + 1
    return None
