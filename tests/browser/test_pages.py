"""Pages without a reader: they open, obey their policy, and everybody can read them."""

from __future__ import annotations

import pytest
from browser.looking import faults, shoot

from corefkit.cli import main
from corefkit.tables.html import render_html_page
from corefkit.tables.model import (
    Bars,
    Bullet,
    Bullets,
    Cell,
    Column,
    Emphasis,
    Heading,
    Note,
    Page,
    Paragraph,
    Share,
    Table,
)

pytestmark = pytest.mark.browser

KINDS = ("exact", "fits", "truncated", "f1_of_rounded", "erratum", "differs")
PARTS = (
    Heading(2, "Everything", "everything"),
    Paragraph("A paragraph with `code`."),
    Note("corefkit:1.2.3|match:exact", is_code=True),
    Table(
        (Column("Metric", "left"), Column("F1", group="A"), Column("F1", group="B")),
        (
            (Cell("MUC"), Cell("60.47", emphasis=Emphasis.BEST, above="ab"), Cell("1")),
            (Cell("LEA"), Cell("2", mark="*", meaning="rounded"), Cell("3")),
            *((Cell(kind), Cell("4", kind=kind), Cell("5")) for kind in KINDS),
        ),
        "A caption.",
        ("A note.",),
    ),
    Bullets((Bullet("What it says.", "Word", ("A line.",)),), "Title", "Text", "End"),
    Bars((("A", tuple(Share(kind, kind, 1) for kind in KINDS)),)),
)


@pytest.fixture(scope="module")
def laboratory(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lab")
    assert main(["lab", "reproduce", "-o", str(folder)]) == 0
    return folder / "index.html"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_part_of_a_page_can_be_read(open_page, scheme):
    page = open_page(render_html_page(Page("T", (), PARTS, "x")), color_scheme=scheme)
    assert page.locator("table tbody tr").count() == 2 + len(KINDS)
    shoot(page, f"parts-{scheme}")
    assert faults(page) == []


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_of_the_laboratory_can_be_read(open_page, laboratory, scheme):
    page = open_page(laboratory, color_scheme=scheme)
    assert page.locator("h1").count() == 1
    shoot(page, f"laboratory-{scheme}")
    assert faults(page) == []
