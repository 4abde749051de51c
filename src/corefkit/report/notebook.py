"""Results as HTML in notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from html import escape
from itertools import accumulate

from corefkit.model import Document
from corefkit.report.assembly import Report
from corefkit.report.reader_data import (
    Reader,
    build_documents_reader,
    convert_document,
    encode_reader,
    truncate_document,
)
from corefkit.strings import escape_html
from corefkit.tables.html import read_asset, render_html, render_html_page
from corefkit.tables.model import Bullets, Cell, Note, Page, Paragraph, Part, Table


def render_fragment(parts: Iterable[Part], *, warnings: Iterable[str] = ()) -> str:
    """Render parts for a cell of a notebook, with long tables cut."""
    warning_lines = [
        Paragraph(f"Warning: {text}", is_literal=True) for text in warnings
    ]
    html = render_html([*shorten_parts(parts), *warning_lines])
    return f"{open_fragment()}{html}\n</div>"


def open_fragment() -> str:
    """Return the opening tag with a style that applies to its content only."""
    return f'<div class="corefkit"><style>\n{read_asset("notebook.css")}</style>\n'


MAX_TOKENS = 20_000  # of a document
MAX_DATA = 2_000_000  # characters of JSON
_MIN_HEIGHT, _MAX_HEIGHT, _REPORT_HEIGHT = 280, 640, 720  # pixels
# Approximate heights of the controls and of a line of text.
_HEAD_HEIGHT, _LINE_HEIGHT, _TOKENS_A_LINE = 170, 50, 14


def show_document(document: Document) -> str:
    """Render a document with the reader; a long document is truncated."""
    full = convert_document(document)
    shown = truncate_document(full, MAX_TOKENS)
    total, tokens = (sum(map(len, part.sentences)) for part in (full, shown))
    intro = []
    if tokens < total:
        mentions = len(full.spans) - len(shown.spans)
        text = (
            f"This is the beginning: {total - tokens:,} of {total:,} tokens are left "
            f"out, and {mentions:,} of {len(full.spans):,} mentions"
        )
        intro.append(Paragraph(text, is_literal=True))
    reader = build_documents_reader([shown])
    page = Page(document.id, tuple(intro), (reader,), "_repr_html_")
    lines = sum(1 + len(row) // _TOKENS_A_LINE for row in shown.sentences)
    height = min(_MAX_HEIGHT, max(_MIN_HEIGHT, _HEAD_HEIGHT + lines * _LINE_HEIGHT))
    title = f"Document {document.id}"
    html = render_html_page(page)
    return wrap_frame(html, title=title, height=height, kind="inside one")


def show_report(report: Report) -> str:
    """Render the page of a report with a limited number of documents."""
    from corefkit.report.report_page import build_report_page

    page = limit_reader(build_report_page(report), limit=MAX_DATA)
    title = f"Report on {', '.join(report.systems)}"
    return wrap_frame(render_html_page(page), title=title, height=_REPORT_HEIGHT)


def limit_reader(page: Page, *, limit: int) -> Page:
    """Skip the last documents of the reader if the data are too large."""
    for index, part in enumerate(page.parts):
        if not isinstance(part, Reader):
            continue
        head, *lines = encode_reader(part).split("\n")
        sizes = accumulate((1 + len(line) for line in lines), initial=3 + len(head))
        fitting = sum(size <= limit for size in sizes) - 1
        if fitting < len(part.documents):
            text = (
                f"The reader has the first {fitting:,} of {len(part.documents):,} "
                'documents here; `report.save("report.html")` has all'
            )
            limited = replace(part, documents=part.documents[:fitting])
            parts = *page.parts[:index], limited, *page.parts[index + 1 :]
            page = replace(page, intro=(Paragraph(text), *page.intro), parts=parts)
    return page


def wrap_frame(page: str, *, title: str, height: int, kind: str = "inside") -> str:
    """Embed a page in a frame; the class `kind` of its body selects the style."""
    page = page.replace("<body>", f'<body class="{kind}">', 1)
    return (
        f'{open_fragment()}<iframe sandbox="allow-scripts" '
        f'title="{escape_html(title)}" height="{height}" '
        f'srcdoc="{escape(page)}"></iframe>\n</div>'
    )


MAX_ROWS = 60
MAX_COLUMNS = 30
MAX_LINES = 60  # items of a list, and consecutive notes
_ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"
_HINT = "`to_frame()` has all"


def shorten_parts(parts: Iterable[Part]) -> Iterator[Part]:
    """Truncate long tables and lists, with a note on each."""
    notes = 0
    for part in parts:
        notes = notes + 1 if isinstance(part, Note) else 0
        match part:
            case Table():
                yield _truncate_table(part)
            case Bullets() if len(part.items) > MAX_LINES:
                end = _note_cut(len(part.items), "items", limit=MAX_LINES)
                yield part._replace(
                    items=part.items[:MAX_LINES],
                    end=". ".join(filter(None, [end, part.end])),
                )
            case Note() if notes > MAX_LINES and not part.is_code:
                if notes == MAX_LINES + 1:
                    yield Note("The lines that follow are left out")
            case _:
                yield part


def _truncate_table(table: Table) -> Table:
    columns, rows, notes = table.columns, table.rows, [*table.notes]
    if len(columns) > MAX_COLUMNS:
        notes.append(_note_cut(len(columns), "columns", limit=MAX_COLUMNS))
        columns = columns[:MAX_COLUMNS]
        rows = tuple(row[:MAX_COLUMNS] for row in rows)
    if len(rows) > MAX_ROWS:
        notes.append(_note_cut(len(rows), "rows", limit=MAX_ROWS))
        gap = tuple(Cell(_ELLIPSIS) for _ in columns)
        rows = (*rows[: MAX_ROWS // 2], gap, *rows[-(MAX_ROWS // 2) :])
    return replace(table, columns=columns, rows=rows, notes=tuple(notes))


def _note_cut(count: int, noun: str, *, limit: int) -> str:
    return f"{count - limit:,} of {count:,} {noun} are left out: {_HINT}"
