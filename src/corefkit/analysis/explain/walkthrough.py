"""Steps of walk-throughs as values, and their output as text and HTML.

Steps are sentences, tables and equations. Pieces of their text can refer to entities,
mentions and places of the page: in HTML these are links into the reader.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from corefkit.tables.model import Fragment
from corefkit.tables.terminal import READING_WIDTH, align_rows, wrap_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from markupsafe import Markup

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
        """Return the steps of a page: duplicates are kept if they have links."""
        steps = drop_duplicate_steps(self.steps)
        if self.steps[0] not in steps and _has_reference(self.steps[0]):
            steps.insert(0, self.steps[0])
        return [*([self.formula] if self.formula else []), *steps]


@dataclass(frozen=True, slots=True)
class StepTitle:
    """A title, underlined on a terminal."""

    text: str


# A string is a line; an empty one separates paragraphs.
Step: TypeAlias = str | StepLine | StepTable | Equation | StepTitle


@dataclass(frozen=True, slots=True)
class WalkThrough(Fragment):
    """Steps about one document, or about all, as a part of a page.

    Attributes:
        steps: the steps.
        document: the id of the document that references are about; None for all.
        places: for each mention its first and last token in the reader.
        meanings: for each mention its words.
    """

    steps: Sequence[Step]
    document: str | None = None
    places: Sequence[tuple[int, int]] = ()
    meanings: Sequence[str] = ()

    def to_html(self) -> str:
        """Return the steps with links into the reader.

        >>> print(WalkThrough([StepLine(Reference("K1", key=1))], "d").to_html())
        <div class="walk">
        <p><a href="#d=d&amp;k=1">K1</a></p>
        </div>
        """
        from corefkit.tables.html import render_template

        steps = [step for step in self.steps if not _is_empty(step)]
        groups = [(is_list, [*rows]) for is_list, rows in groupby(steps, _is_list_item)]
        html = render_template(
            "analysis/explain/templates/walkthrough.html",
            groups=groups,
            inline=self._render,
        )
        return html.strip()

    def _render(self, text: Text) -> Markup:
        from markupsafe import Markup

        from corefkit.strings import escape_html

        match text:
            case str():
                return Markup(escape_html(text))
            case Reference():
                return self._render_reference(text)
            case FractionText():
                return self._render_fraction(text)
            case _:
                return Markup("").join(map(self._render, text))

    def _render_fraction(self, fraction: FractionText) -> Markup:
        """Render a stacked fraction, with the signs that a screen reader requires."""
        from markupsafe import Markup

        sides = [fraction.above, fraction.below]
        if max(len(format_plain(side)) for side in sides) > _MAX_STACKED:
            above, below = (self._render(add_parentheses(side)) for side in sides)
            return above + Markup(" / ") + below
        above, below = (
            self._render(side)
            if add_parentheses(side) is side
            else Markup("<i>(</i>{}<i>)</i>").format(self._render(side))
            for side in sides
        )
        return Markup(
            '<span class="over"><span>{}</span><i> / </i><span>{}</span></span>'
        ).format(above, below)

    def _render_reference(self, reference: Reference) -> Markup:
        from markupsafe import Markup

        from corefkit.report.reader_data import format_fragment
        from corefkit.strings import escape_html

        text = Markup(escape_html(reference.text))
        if reference.anchor:
            address = escape_html(f"#{reference.anchor}")
            return Markup('<a href="{}">{}</a>').format(Markup(address), text)
        if self.document is None:
            return text
        place = None if reference.mention is None else self.places[reference.mention]
        address = format_fragment(
            self.document,
            key=reference.key,
            response=reference.response,
            mention=place,
        )
        title = Markup("")
        if description := self._describe(reference):
            title = Markup(f' title="{escape_html(description)}"')
        link = Markup('<a href="{}"{}>{}</a>')
        return link.format(Markup(escape_html(address)), title, text)

    def _describe(self, reference: Reference) -> str:
        """Describe the entity or mention of a reference, unless its text does."""
        description = ""
        if reference.key or reference.response:
            is_key = bool(reference.key)
            description = f"K{reference.key}" if is_key else f"R{reference.response}"
        elif reference.mention is not None and self.meanings:
            description = self.meanings[reference.mention]
        return "" if description == reference.text else description


def _is_empty(step: Step) -> bool:
    return not step or (isinstance(step, StepTable) and not step.cells)


def _is_list_item(step: Step) -> bool:
    return isinstance(step, StepLine) and bool(step.indent)


def _has_reference(text: Text) -> bool:
    if isinstance(text, Reference):
        return True
    return not isinstance(text, str) and any(map(_has_reference, text))


def format_plain(text: Text) -> str:
    """Format a text without references.

    >>> format_plain(FractionText("1", ("2 + ", "3")))
    '1 / (2 + 3)'
    """
    match text:
        case str():
            return text
        case Reference():
            return text.text
        case FractionText():
            above, below = map(add_parentheses, text)
            return f"{format_plain(above)} / {format_plain(below)}"
        case _:
            return "".join(map(format_plain, text))


def add_parentheses(text: Text) -> Text:
    """Add parentheses to a sum; a single piece has none.

    >>> format_plain(add_parentheses(("1", " + ", "2"))), add_parentheses("1")
    ('(1 + 2)', '1')
    """
    is_sum = isinstance(text, tuple) and not isinstance(text, Reference | FractionText)
    return ("(", text, ")") if is_sum else text


def join_texts(texts: Iterable[Text], separator: str) -> tuple[Text, ...]:
    """Join texts; the result is empty if there are none.

    >>> join_texts(["a", "b"], ", "), join_texts([], ", ")
    (('a', ', ', 'b'), ())
    """
    pieces: list[Text] = []
    for text in texts:
        pieces += [separator, text] if pieces else [text]
    return tuple(pieces)


def format_steps(steps: Iterable[Step]) -> Iterator[str]:
    """Format steps for a terminal, line by line.

    >>> list(format_steps([StepTitle("LEA"), StepLine("one two", label="- ")]))
    ['LEA', '---', '- one two']
    """
    for step in steps:
        match step:
            case str():
                yield step
            case StepTitle():
                yield from (step.text, "-" * len(step.text))
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
    """Drop steps that only repeat the start of the next one.

    >>> drop_duplicate_steps(["1 / 2", "1/2 = 50.00%"])
    ['1/2 = 50.00%']
    """
    return [
        step
        for step, after in zip(steps, [*steps[1:], ""], strict=True)
        if _remove_blanks(step) != _remove_blanks(after).split("=")[0].split(",")[0]
    ]


def _remove_blanks(step: Text) -> str:
    return format_plain(step).replace(" ", "").replace(NO_BREAK, "")


def _wrap(text: str, *, first: str, later: str) -> list[str]:
    """Wrap a text into lines that start with `first` and with `later`."""
    width = max(READING_WIDTH, len(later) + _MIN_WIDTH)
    lines = wrap_text(text, width=width, first=first, later=later)
    return [line.replace(NO_BREAK, " ") for line in lines]


def _format_equation(equation: Equation) -> Iterator[str]:
    """Format `name = step = step` in one line, or with the first step separately."""
    steps = [*map(format_plain, drop_duplicate_steps(equation.steps))]
    text = " = ".join(steps)
    fits = _NAME_WIDTH + len(" = ") + len(text) <= READING_WIDTH
    lines = [equation.formula] if equation.formula else []
    lines += [text] if fits else [steps[0], " = ".join(steps[1:])]
    first, later = f"{equation.name:<{_NAME_WIDTH}} = ", f"{'':<{_NAME_WIDTH}} = "
    for number, line in enumerate(lines):
        start = later if number else first
        yield from _wrap(line, first=start, later=" " * (len(later) + 2))
