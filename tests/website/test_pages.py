"""What the site makes of the Markdown of its pages."""

from __future__ import annotations

import ast
import importlib
import re
from pathlib import Path

import pytest
from shared_files import ROOT

import cistell
import corefkit

DOCS = ROOT / "docs"
PAGES = sorted(path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md"))
CONFIGURATION = (ROOT / "mkdocs.yml").read_text("utf-8")
REFERENCE = "".join(path.read_text("utf-8") for path in (DOCS / "reference").iterdir())


@pytest.fixture
def pages():
    import pages

    return pages


def test_every_page_stands_in_the_navigation_once():
    navigation = CONFIGURATION.partition("\nnav:")[2]
    entries = re.findall(r"^ *- (?:.*: )?(\S+\.md)$", navigation, re.MULTILINE)
    assert sorted(entries) == PAGES


def test_addresses_are_those_of_the_project(pages):
    assert f"repo_url: {pages.REPOSITORY}\n" in CONFIGURATION
    assert f"site_url: {pages.PUBLISHED.removesuffix('latest/')}\n" in CONFIGURATION


def public_names():
    """List the names that users import, with their packages."""
    for package in (corefkit, cistell):
        for name in package.__all__:
            yield f"{package.__name__}.{name}"
    folder = Path(corefkit.__file__).parent / "integrations"
    for path in folder.glob("[!_]*.py"):
        # The libraries that they need may be missing.
        for node in ast.parse(path.read_text("utf-8")).body:
            name = getattr(node, "name", "_")
            if not name.startswith("_"):
                yield f"corefkit.integrations.{path.stem}.{name}"


def documented(pages, text):
    return re.findall(r"^::: (\S+)$", pages.with_reference(text), re.MULTILINE)


def test_the_reference_has_every_public_name_once(pages):
    found = documented(pages, REFERENCE)
    assert len(found) == len({*found})
    public = {*public_names()}
    assert public <= {*found}
    # The types in signatures and results are named by the module that defines them.
    for name in {*found} - public:
        module, _, short = name.rpartition(".")
        text = Path(importlib.import_module(module).__file__).read_text("utf-8")
        assert re.search(rf"^class {short}\b|^{short}\b.* = ", text, re.MULTILINE)


def test_headings_of_the_reference_are_anchors_once(pages):
    page = "".join(f"## {name}\n\n`a.{name}`\n\n" for name in ("a", "A"))
    assert re.findall('id="(.*)"', pages.with_reference(page)) == [
        "a",
        "a-1",
    ]


def test_code_blocks_stay_as_they_are(pages):
    block = f"```console\n$ cat a\n| `a\\|b` | {pages.PUBLISHED}gallery/a.svg |\n```\n"
    assert pages.for_the_site(block, "a.md") == block
    assert (
        pages.for_the_site(f"{block}\n| `a\\|b` |\n", "a.md") == f"{block}\n| `a|b` |\n"
    )


def test_a_line_with_a_page_of_the_gallery_shows_it(pages):
    line = f"[The page]({pages.PUBLISHED}gallery/report.html)\n"
    shown = pages.for_the_site(line, "report.md")
    assert shown.startswith("[The page](gallery/report.html)")
    assert '<iframe src="../gallery/report.html" title="The page"' in shown
    beside = f"See [the page]({pages.PUBLISHED}gallery/report.html).\n"
    assert (
        pages.for_the_site(beside, "report.md")
        == "See [the page](gallery/report.html).\n"
    )


def test_a_line_with_a_place_on_a_page_opens_it_there(pages):
    line = f"[The text]({pages.PUBLISHED}gallery/report.html#d=a%2Fb&s=2)\n"
    shown = pages.for_the_site(line, "report.md")
    assert '<iframe src="../gallery/report.html#d=a%2Fb&s=2"' in shown
