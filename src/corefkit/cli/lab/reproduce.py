"""`corefkit lab reproduce`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from corefkit.cli.options import add_output_option
from corefkit.cli.telling import note, tell
from corefkit.cli.writing import make_folder, write_file
from corefkit.exceptions import SettingsError
from corefkit.formats.placing import check_folder
from corefkit.lab import papers
from corefkit.lab.figures import NO_FIGURES, can_draw, write_figure
from corefkit.lab.reproduce import csv_figure, reproduced
from corefkit.lab.reproduce.pages import reproduction_page
from corefkit.lab.reproduce.pages.records import REPRODUCTION_WRITERS
from corefkit.report.html import html_page
from corefkit.report.markdown import markdown_page

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from corefkit.lab.papers.values import Paper
    from corefkit.lab.reproduce import Reproduction

_PAPERS = "\n".join(f"  {name}" for name in papers.PAPERS)

HELP = f"""Recompute what five papers print of sets that they state.

Their tables, figures and claims go to stdout, each printed number beside the computed
one, and at the end the errata: what is wrong in the papers, and why. Where a number is
neither reproduced nor a known erratum, the exit code is 1.

Counted apart are: what is recomputed with corefkit's metrics; what was fitted, for it
rests on sets that were chosen so that it comes out; and what is only checked against
other numbers of a printed table, F1 against recall and precision, ranks against scores.

The papers:

{_PAPERS}"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "--paper",
        action="append",
        metavar="NAME",
        help="only this paper: its name or a part of it, such as `luo` or `2014`; "
        "repeat it for several (default: all)",
    )
    add_output_option(parser, REPRODUCTION_WRITERS)
    parser.add_argument(
        "-o",
        "--output",
        dest="folder",
        type=Path,
        metavar="FOLDER",
        help="write pages there, index.html and reproduce.md, and the figures, as CSV, "
        "SVG and PNG",
    )


def run(arguments: argparse.Namespace) -> int:
    """Recompute, print and write."""
    if arguments.folder is not None:
        check_folder(arguments.folder)
    found = [reproduced(paper) for paper in _wanted(arguments.paper)]
    print(REPRODUCTION_WRITERS[arguments.output](found))
    if arguments.folder is not None:
        _write(found, arguments.folder)
    for line in (line for one in found for line in one.differences()):
        tell(f"differs: {line}")
    return 0 if all(one.succeeded for one in found) else 1


def _wanted(names: Sequence[str] | None) -> list[Paper]:
    every = [papers.load(name) for name in papers.PAPERS]
    if names is None:
        return every
    for name in names:
        if not any(_is_called(paper, name) for paper in every):
            message = f"no paper is called {name!r}"
            raise SettingsError(message, hint=f"known are {', '.join(papers.PAPERS)}")
    return [paper for paper in every if any(_is_called(paper, one) for one in names)]


def _is_called(paper: Paper, name: str) -> bool:
    spelling = name.strip().lower()
    return spelling in paper.name or spelling == paper.short.lower()


def _write(found: Sequence[Reproduction], folder: Path) -> None:
    """Write pages and figures, and say so in one line."""
    make_folder(folder)
    figures = [curves for one in found for curves in one.figures]
    drawings: dict[str, Path] = {}
    for curves in figures:
        name = curves.figure.name
        write_file(folder / f"{name}.csv", csv_figure(curves))
        if can_draw():
            drawings[name], _ = write_figure(curves.figure, folder)
    page = reproduction_page(found, drawings=drawings)
    write_file(folder / "reproduce.md", markdown_page(page))
    write_file(folder / "index.html", html_page(page))
    kinds = "CSV, SVG and PNG" if drawings else "CSV"
    more = f" and {len(figures)} figures ({kinds})" if figures else ""
    tell(f"wrote index.html, reproduce.md{more} to {folder}")
    if figures and not drawings:
        note(NO_FIGURES)
