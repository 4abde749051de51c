"""The report as Markdown, LaTeX, a page of HTML, and for a terminal."""

from __future__ import annotations

from importlib.resources import files
from string import Template
from typing import TYPE_CHECKING

from corefkit.cistell.experiment.pages.report import (
    how,
    report_parts,
    summary_parts,
    tally,
)
from corefkit.cistell.experiment.paper import CITED
from corefkit.lab.reproduce.pages.html import html_parts, page_style
from corefkit.lab.reproduce.pages.markdown import markdown_part
from corefkit.lab.reproduce.pages.parts import Grid, Heading, Picture
from corefkit.lab.reproduce.pages.plain import plain_part
from corefkit.report.markdown import escaped
from corefkit.report.table import Table, latex_lines
from corefkit.settings import VERSION
from corefkit.strings.escaping import (
    for_html,
    for_latex,
    for_lines,
    for_markdown,
    for_terminal,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefkit.cistell.experiment.claims.base import Finding
    from corefkit.cistell.experiment.results import Results


def plain_summary(results: Results, findings: Sequence[Finding]) -> str:
    """Lay the scores in short and the claims out for a terminal."""
    blocks = [plain_part(part) for part in summary_parts(results, findings)]
    return for_lines("\n\n".join([*blocks, f"{tally(findings)}."]))


def markdown_report(results: Results, findings: Sequence[Finding]) -> str:
    """Write the whole report as Markdown."""
    blocks = [
        f"# {for_markdown(_title(results))}",
        escaped(results.study.about.strip()),
        f"corefkit {VERSION}. {how(results)} {tally(findings)}.",
    ]
    parts = report_parts(results, findings)
    blocks += [markdown_part(part) for part in parts if not isinstance(part, Picture)]
    return "\n\n".join(blocks) + "\n"


def html_report(results: Results, findings: Sequence[Finding]) -> str:
    """Write the whole report as one page that needs nothing beside it."""
    parts = list(report_parts(results, findings))
    links = [
        f'<a href="#{part.anchor}">{for_html(part.text)}</a>'
        for part in parts
        if isinstance(part, Heading) and part.level == 2
    ]
    template = Template((files(__package__) / "page.html").read_text("utf-8"))
    return template.substitute(
        title=for_html(_title(results)),
        style=page_style(),
        counts=for_html(tally(findings)),
        about=for_html(results.study.about.strip()),
        how=for_html(how(results)),
        links="\n".join(links),
        parts="\n".join(html_parts(parts)),
        version=for_html(VERSION),
    )


def latex_tables(results: Results, findings: Sequence[Finding]) -> str:
    """Write all tables as LaTeX; the rules are those of the package booktabs."""
    lines = [
        f"% {for_terminal(_title(results))}, by corefkit {VERSION}",
        r"% \usepackage{booktabs}",
    ]
    captions: list[str] = []
    for part in report_parts(results, findings):
        match part:
            case Heading():
                captions = [*captions[: part.level - 2], part.text]
            case Grid():
                lines += ["", *_latex_table(part, ". ".join(captions))]
            case _:
                pass
    return "\n".join(lines) + "\n"


def _latex_table(grid: Grid, caption: str) -> Iterator[str]:
    rows = tuple(tuple(cell.text for cell in row) for row in grid.rows)
    yield r"\begin{table}"
    yield r"\centering\footnotesize"
    yield from latex_lines(Table("", ((), grid.head), rows))
    yield f"\\caption{{{for_latex(caption).replace('³', '$^3$')}}}"
    yield r"\end{table}"


def _title(results: Results) -> str:
    return f"{results.study.title}: a study after {CITED}"
