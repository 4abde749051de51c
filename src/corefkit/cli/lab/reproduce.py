"""`corefkit lab reproduce`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit import papers
from corefkit.cli import inform, note, tell
from corefkit.cli.options import add_folder_option, add_output_option
from corefkit.cli.writing import make_folder
from corefkit.exceptions import SettingsError
from corefkit.formats.output import check_folder
from corefkit.lab.figures import NO_FIGURES, can_draw, write_figure
from corefkit.lab.reproduce import csv_figure, reproduced
from corefkit.lab.reproduce.pages import REPRODUCTION_WRITERS, reproduction_page
from corefkit.results.records import save_text
from corefkit.tables.html import render_html_page
from corefkit.tables.markdown import render_markdown_page

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from pathlib import Path

    from corefkit.lab.reproduce import Reproduction
    from corefkit.papers import Paper

_PAPERS = "\n".join(f"  {name}" for name in papers.PAPERS)

HELP = f"""Recompute the numbers that five papers print for sets that they state.

Tables, figures and claims go to stdout, with each printed number beside the computed
one, and the errata at the end: what is wrong in the papers, and why. If a number is
neither reproduced nor a known erratum, the exit code is 1.

Three kinds of numbers are counted separately: those recomputed with corefkit's metrics;
those fitted, which rest on sets chosen to give them; and those only checked against
other numbers of a printed table, F1 against recall and precision, ranks against scores.

The papers:

{_PAPERS}"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "--paper",
        action="append",
        metavar="NAME",
        help="paper to recompute: its name or a part of it, such as `luo` or `2014`; "
        "repeat it for several (default: all)",
    )
    add_output_option(parser, REPRODUCTION_WRITERS, file=False)
    add_folder_option(
        parser, "index.html, reproduce.md, and the figures as CSV, SVG and PNG,"
    )


def run(arguments: argparse.Namespace) -> int:
    """Recompute, print and write."""
    if arguments.folder is not None:
        check_folder(arguments.folder)
    reproductions = [reproduced(paper) for paper in _papers(arguments.paper)]
    print(REPRODUCTION_WRITERS[arguments.output](reproductions))
    if arguments.folder is not None:
        _write(reproductions, arguments.folder)
    for reproduction in reproductions:
        for line in reproduction.differences():
            tell(f"differs: {line}")
    return 0 if all(found.succeeded for found in reproductions) else 1


def _papers(names: Sequence[str] | None) -> list[Paper]:
    """Load the papers of these names, or all."""
    loaded = [papers.load(name) for name in papers.PAPERS]
    if names is None:
        return loaded
    for name in names:
        if not any(_is_called(paper, name) for paper in loaded):
            message = f"unknown paper {name!r}"
            raise SettingsError(
                message,
                code="settings/unknown-value",
                hint=f"known are {', '.join(papers.PAPERS)}",
            )
    return [paper for paper in loaded if any(_is_called(paper, name) for name in names)]


def _is_called(paper: Paper, name: str) -> bool:
    lower = name.strip().lower()
    return lower in paper.name or lower == paper.short.lower()


def _write(reproductions: Sequence[Reproduction], folder: Path) -> None:
    """Write pages and figures, and say so in one line."""
    make_folder(folder)
    figures = [curves for found in reproductions for curves in found.figures]
    drawings: dict[str, Path] = {}
    for curves in figures:
        name = curves.figure.name
        save_text(folder / f"{name}.csv", csv_figure(curves))
        if can_draw():
            drawings[name], _ = write_figure(curves.figure, folder)
    page = reproduction_page(reproductions, drawings=drawings)
    save_text(folder / "reproduce.md", render_markdown_page(page))
    save_text(folder / "index.html", render_html_page(page))
    kinds = "CSV, SVG and PNG" if drawings else "CSV"
    more = f" and {len(figures)} figures ({kinds})" if figures else ""
    inform(f"wrote index.html, reproduce.md{more} to {folder}")
    if figures and not drawings:
        note(NO_FIGURES)
