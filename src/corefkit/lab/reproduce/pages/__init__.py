"""The report on recomputed papers, for terminals and as pages of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.lab.reproduce.pages.counting import bars, overview, summary_items
from corefkit.lab.reproduce.pages.report import LEGEND, TITLE, errata_parts, parts_of
from corefkit.report.page import Page, Paragraph
from corefkit.report.terminal import reading_width, terminal_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from corefkit.lab.reproduce import Reproduction
    from corefkit.report.page import Part


def plain_reproductions(reproductions: Sequence[Reproduction]) -> str:
    """Write the papers for a terminal, at the end their errata and some counts."""
    parts: list[Part] = [Paragraph(LEGEND)]
    for reproduction in reproductions:
        parts += parts_of(reproduction, is_whole=False)
    parts += [*errata_parts(reproductions), summary_items(reproductions)]
    return terminal_text(parts, width=reading_width())


def reproduction_page(
    reproductions: Sequence[Reproduction], *, drawings: Mapping[str, Path]
) -> Page:
    """Make a page of the papers.

    Args:
        reproductions: the papers.
        drawings: for each figure that was drawn, by name, its SVG.
    """
    parts: list[Part] = [overview(reproductions), bars(reproductions)]
    for reproduction in reproductions:
        parts += parts_of(reproduction, is_whole=True, drawings=drawings)
    return Page(
        TITLE,
        (summary_items(reproductions), Paragraph(LEGEND)),
        (*parts, *errata_parts(reproductions)),
        "corefkit lab reproduce",
    )
