"""Steps of walk-throughs as values, and their output as text and HTML.

Their text can contain references to entities, mentions and places of the page: in HTML
these are links into the reader.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple, TypeAlias

from corefkit.tables.model import Fragment
from corefkit.tables.terminal import READING_WIDTH, align_rows, wrap_text

NO_BREAK = "\xa0"  # a blank at which lines do not break
_NAME_WIDTH = len("precision")
_MIN_WIDTH = 30  # of wrapped text
_MAX_STACKED = 60  # characters of a side of a stacked fraction


class Reference(NamedTuple):
    """A piece of text that refers to an entity, a mention, or a place of the page."""

    text: str
    key: int = 0  # the number of an entity of the key; 0 for none
    response: int = 0  # the same for the response
    mention: int | None = None  # the index of a mention
    anchor: str = ""  # the name of a place of the page


class FractionText(NamedTuple):
    """A fraction, both sides of which may be sums."""

    above: Text
    below: Text

    @property
    def is_long(self) -> bool:
        return max(len(format_plain(side)) for side in self) > _MAX_STACKED


Text: TypeAlias = "str | Reference | FractionText | tuple[Text, ...]"


@dataclass(frozen=True, slots=True)
class StepLine:
    """A sentence, or a label with its text."""

    text: Text
    label: Text = ""  # without line breaks
    indent: str = ""  # before the label, on a terminal
    later: str | None = None  # before further lines there; None: as wide as the label


@dataclass(frozen=True, slots=True)
class StepTable:
    """Rows of cells; the last cell of a row may be long."""

    cells: Sequence[Sequence[Text]]
    heads: Sequence[str] = ()  # only on a page
    caption: str = ""  # only on a page
    is_sortable: bool = False  # on a page


@dataclass(frozen=True, slots=True)
class Equation:
    """`name = formula = step = step`."""

    name: str
    steps: Sequence[Text]
    formula: str = ""

    def list_steps(self) -> list[Text]:
        """Return the steps of a page: duplicates are kept if they contain links."""
        steps = drop_duplicate_steps(self.steps)
        if self.steps[0] not in steps and _has_reference(self.steps[0]):
            steps.insert(0, self.steps[0])
        return [*([self.formula] if self.formula else []), *steps]


# A string is a line; an empty one separates paragraphs.
Step: TypeAlias = str | StepLine | StepTable | Equation


@dataclass(frozen=True, slots=True)
class WalkThrough(Fragment):
    """Steps about one document, or about all, as a part of a page."""

    steps: Sequence[Step]
    document: str | None = None  # the id for references; None for all documents
    places: Sequence[tuple[int, int]] = ()  # the bounds of each mention in the reader
    meanings: Sequence[str] = ()  # the words of each mention

    def to_html(self) -> str:
        from corefkit.tables.html import render_template

        steps = [step for step in self.steps if step and getattr(step, "cells", True)]
        html = render_template(
            "analysis/explain/templates/walkthrough.html",
            groups=[(is_list, [*rows]) for is_list, rows in groupby(steps, _is_item)],
            is_sum=_is_sum,
            find_link=self.find_link,
        )
        return html.strip()

    def find_link(self, reference: Reference) -> tuple[str, str]:
        """Return the address and the title of a reference; both may be empty."""
        from corefkit.report.reader_data import format_fragment

        text, key, response, mention, anchor = reference
        if anchor or self.document is None:
            return anchor and f"#{anchor}", ""
        title = f"K{key}" if key else f"R{response}" if response else ""
        if not title and mention is not None and self.meanings:
            title = self.meanings[mention]
        place = None if mention is None else self.places[mention]
        address = format_fragment(
            self.document, key=key, response=response, mention=place
        )
        return address, "" if title == text else title


def _is_item(step: Step) -> bool:
    return isinstance(step, StepLine) and bool(step.indent)


def _is_sum(text: Text) -> bool:
    return isinstance(text, tuple) and not isinstance(text, Reference | FractionText)


def _has_reference(text: Text) -> bool:
    if isinstance(text, Reference):
        return True
    return not isinstance(text, str) and any(map(_has_reference, text))


def format_plain(text: Text) -> str:
    """Convert a text to a string without references."""
    match text:
        case str():
            return text
        case Reference():
            return text.text
        case FractionText():
            return " / ".join(
                f"({format_plain(side)})" if _is_sum(side) else format_plain(side)
                for side in text
            )
        case _:
            return "".join(map(format_plain, text))


def join_list(
    items: Iterable[Text], *, omitted: int = 0, separator: str = ", "
) -> tuple[Text, ...]:
    """Join the items of a list, and add the number of omitted ones."""
    note = [f"…{NO_BREAK}{omitted}{NO_BREAK}more"] if omitted else []
    pieces: list[Text] = []
    for item in (*items, *note):
        pieces += [separator, item] if pieces else [item]
    return tuple(pieces)


def format_steps(steps: Iterable[Step]) -> Iterator[str]:
    """Iterate over the lines of steps on a terminal."""
    for step in steps:
        match step:
            case str():
                yield step
            case StepLine():
                first = step.indent + format_plain(step.label)
                later = " " * len(first) if step.later is None else step.later
                yield from _wrap(format_plain(step.text), first=first, later=later)
            case StepTable():
                rows = [[*map(format_plain, row)] for row in step.cells]
                for line in align_rows(rows, width=READING_WIDTH, min_width=_MIN_WIDTH):
                    yield line.replace(NO_BREAK, " ")
            case Equation():
                yield from _format_equation(step)


def drop_duplicate_steps(steps: Sequence[Text]) -> list[Text]:
    """Skip steps that only repeat the start of the next one."""
    texts = [
        format_plain(step).replace(" ", "").replace(NO_BREAK, "")
        for step in (*steps, "")
    ]
    return [
        step
        for step, text, following in zip(steps, texts, texts[1:], strict=False)
        if text != following.split("=")[0].split(",")[0]
    ]


def _wrap(text: str, *, first: str, later: str) -> list[str]:
    width = max(READING_WIDTH, len(later) + _MIN_WIDTH)
    lines = wrap_text(text, width=width, first=first, later=later)
    return [line.replace(NO_BREAK, " ") for line in lines]


def _format_equation(equation: Equation) -> Iterator[str]:
    steps = [*map(format_plain, drop_duplicate_steps(equation.steps))]
    text = " = ".join(steps)
    fits = _NAME_WIDTH + len(" = ") + len(text) <= READING_WIDTH
    lines = [equation.formula] if equation.formula else []
    lines += [text] if fits else [steps[0], " = ".join(steps[1:])]
    for number, line in enumerate(lines):
        start = f"{'' if number else equation.name:<{_NAME_WIDTH}} = "
        yield from _wrap(line, first=start, later=" " * (len(start) + 2))
