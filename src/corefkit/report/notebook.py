"""Results as HTML in notebooks."""

from __future__ import annotations

from dataclasses import replace
from html import escape
from itertools import accumulate
from typing import TYPE_CHECKING

from corefkit.report.reader_data import (
    Reader,
    build_documents_reader,
    convert_document,
    encode_reader,
    truncate_document,
)
from corefkit.strings import escape_html
from corefkit.tables.html import read_asset, render_html, render_html_page
from corefkit.tables.model import Bullets, Cell, Note, Page, Paragraph, Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corefkit.analysis.compare.comparison import Comparison
    from corefkit.analysis.errors.error_analysis import ErrorAnalysis
    from corefkit.analysis.statistics import Statistics
    from corefkit.evaluation import Evaluation
    from corefkit.model import Document
    from corefkit.report.assembly import Report
    from corefkit.report.reader_data import ReaderDocument
    from corefkit.tables.model import Part


_ALL_OF_IT = "to_frame() has all metrics and systems, to_frame(pairs=True) all pairs"


def evaluation_html(result: Evaluation) -> str:
    """Show the scores of a response."""
    from corefkit.results.score_table import build_score_page

    return fragment(build_score_page([result]), warnings=result.warnings)


def comparison_html(comparison: Comparison) -> str:
    """Show a comparison."""
    from corefkit.analysis.compare.comparison_text import build_comparison_page

    parts = build_comparison_page(comparison, names_options=False)
    return fragment([*parts, Note(_ALL_OF_IT)], warnings=comparison.warnings)


def errors_html(analysis: ErrorAnalysis) -> str:
    """Show the errors of responses."""
    from corefkit.analysis.errors.error_output import build_error_page

    return fragment(build_error_page(analysis), warnings=analysis.warnings)


def statistics_html(counts: Statistics) -> str:
    """Show what a corpus holds."""
    from corefkit.analysis.statistics import build_statistics_table

    return fragment([build_statistics_table([("Corpus", counts)])])


def fragment(parts: Iterable[Part], *, warnings: Iterable[str] = ()) -> str:
    r"""Write parts for a cell of a notebook, the longest tables cut short.

    >>> from corefkit.tables.model import Paragraph
    >>> print(fragment([Paragraph("a < b")]).partition("</style>\n")[2])
    <p>a &lt; b</p>
    </div>
    """
    told = [Paragraph(f"Warning: {text}", is_literal=True) for text in warnings]
    inside = render_html([*shortened(parts), *told])
    return f"{opening()}{inside}\n</div>"


def opening() -> str:
    """Open a fragment: the style applies to what is inside and to nothing else."""
    return f'<div class="corefkit"><style>\n{read_asset("notebook.css")}</style>\n'


MOST_TOKENS = 20_000  # of a document; a novel has five times as many
MOST_DATA = 2_000_000  # letters of the data of a report's documents
_LEAST_HEIGHT, _MOST_HEIGHT, _REPORT_HEIGHT = 280, 640, 720  # pixels
# Roughly: search and title, and lines with layers of underlines.
_HEAD_HEIGHT, _LINE_HEIGHT, _TOKENS_A_LINE = 170, 50, 14


def document_html(document: Document) -> str:
    """Show a document in the reader; of a very long one, the beginning.

    >>> from corefkit.model import Document
    >>> html = document_html(Document("<b>", (("Ann", "left"),), ()))
    >>> "<iframe" in html, "<b>" in html
    (True, False)
    """
    whole = convert_document(document)
    shown = truncate_document(whole, MOST_TOKENS)
    # The reader says what it shows; only what is left out stands above it.
    notes = (Paragraph(line, is_literal=True) for line in _list_omissions(whole, shown))
    page = Page(
        title=document.id,
        intro=tuple(notes),
        parts=(build_documents_reader([shown]),),
        made_by="_repr_html_",
    )
    lines = sum(1 + len(row) // _TOKENS_A_LINE for row in shown.sentences)
    height = min(_MOST_HEIGHT, max(_LEAST_HEIGHT, _HEAD_HEIGHT + lines * _LINE_HEIGHT))
    title = f"Document {document.id}"
    return framed(render_html_page(page), title=title, height=height, kind="inside one")


def report_html(report: Report) -> str:
    """Show the page of a report; of very many documents, the first."""
    from corefkit.report.report_page import build_report_page

    page = shortened_page(build_report_page(report), most=MOST_DATA)
    title = f"Report on {', '.join(report.systems)}"
    return framed(render_html_page(page), title=title, height=_REPORT_HEIGHT)


def shortened_page(page: Page, *, most: int) -> Page:
    """Leave out the last documents of a page's reader if their data is too large.

    >>> from corefkit.report.reader_data import Reader, ReaderDocument
    >>> documents = tuple(ReaderDocument(f"d{n}", [["a"] * 50], (), ()) for n in (1, 2))
    >>> page = Page("t", (), (Reader("key", (), documents),), "corefkit")
    >>> print(shortened_page(page, most=500).intro[0].text)
    The reader has the first 1 of 2 documents here; `report.save("report.html")` has all
    """
    parts: list[Part] = []
    notes: list[Part] = []
    for part in page.parts:
        kept = part
        if isinstance(part, Reader) and len(encode_reader(part)) > most:
            kept = replace(part, documents=_first(part, most))
            notes.append(
                Paragraph(
                    f"The reader has the first {len(kept.documents):,} of "
                    f"{len(part.documents):,} documents here; "
                    '`report.save("report.html")` has all'
                )
            )
        parts.append(kept)
    return replace(page, intro=(*notes, *page.intro), parts=tuple(parts))


def _first(reader: Reader, most: int) -> tuple[ReaderDocument, ...]:
    sizes = (
        len(encode_reader(replace(reader, documents=(one,))))
        for one in reader.documents
    )
    return tuple(
        document
        for document, size in zip(reader.documents, accumulate(sizes), strict=True)
        if size <= most
    )


def _list_omissions(whole: ReaderDocument, shown: ReaderDocument) -> Iterator[str]:
    if _tokens(shown) < _tokens(whole):
        mentions = len(whole.spans) - len(shown.spans)
        yield (
            f"This is the beginning: {_tokens(whole) - _tokens(shown):,} of "
            f"{_tokens(whole):,} tokens are left out, and {mentions:,} of "
            f"{len(whole.spans):,} mentions"
        )


def _tokens(shown: ReaderDocument) -> int:
    return sum(map(len, shown.sentences))


def framed(page: str, *, title: str, height: int, kind: str = "inside") -> str:
    """Put a whole page into a frame of some height, which people can drag taller.

    The page is told by a class of its body that it has little room; one of a single
    document leaves out what surrounds the reader.
    """
    page = page.replace("<body>", f'<body class="{kind}">', 1)
    return (
        f'{opening()}<iframe sandbox="allow-scripts" title="{escape_html(title)}" '
        f'height="{height}" srcdoc="{escape(page)}"></iframe>\n</div>'
    )


MOST_ROWS = 60
MOST_COLUMNS = 30
MOST_LINES = 60  # items of a list, and notes in a row
_LEFT_OUT = "\N{HORIZONTAL ELLIPSIS}"
_WHERE = "`to_frame()` has all"


def shortened(parts: Iterable[Part]) -> Iterator[Part]:
    """Cut tables and lists that are too long, with a note on each.

    >>> from corefkit.tables.model import make_rows, make_columns
    >>> rows = make_rows([str(number), "x"] for number in range(1000))
    >>> (grid,) = shortened([Table(make_columns(["", "F1"]), rows)])
    >>> len(grid.rows), grid.notes
    (61, ('940 of 1,000 rows are left out: `to_frame()` has all',))
    """
    notes = 0
    for part in parts:
        notes = notes + 1 if isinstance(part, Note) else 0
        match part:
            case Table():
                yield _fewer_rows(_fewer_columns(part))
            case Bullets() if len(part.items) > MOST_LINES:
                end = _count_omitted(len(part.items), "items", most=MOST_LINES)
                yield replace(
                    part,
                    items=part.items[:MOST_LINES],
                    end=". ".join(filter(None, [end, part.end])),
                )
            case Note() if notes > MOST_LINES and not part.is_code:
                if notes == MOST_LINES + 1:
                    yield Note("The lines that follow are left out")
            case _:
                yield part


def _fewer_rows(grid: Table) -> Table:
    rows = grid.rows
    if len(rows) <= MOST_ROWS:
        return grid
    half = MOST_ROWS // 2
    between = (tuple(Cell(_LEFT_OUT) for _ in grid.columns),)
    return replace(
        grid,
        rows=(*rows[:half], *between, *rows[-half:]),
        notes=(*grid.notes, _count_omitted(len(rows), "rows", most=MOST_ROWS)),
    )


def _fewer_columns(grid: Table) -> Table:
    many = len(grid.columns)
    if many <= MOST_COLUMNS:
        return grid
    return replace(
        grid,
        columns=grid.columns[:MOST_COLUMNS],
        rows=tuple(row[:MOST_COLUMNS] for row in grid.rows),
        notes=(*grid.notes, _count_omitted(many, "columns", most=MOST_COLUMNS)),
    )


def _count_omitted(many: int, what: str, *, most: int) -> str:
    return f"{many - most:,} of {many:,} {what} are left out: {_WHERE}"
