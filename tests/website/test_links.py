"""The checker of links: every way to lead nowhere is found, and nothing else is."""

from __future__ import annotations

import doctest

import pytest
from shared_files import ROOT

REPOSITORY = "https://github.com/corefkit/corefkit"


@pytest.fixture
def links():
    import links

    return links


@pytest.fixture
def dead(links, tmp_path):
    """Make a site whose front page has a link, and say what is wrong with it."""

    def checked(tag):
        pages = {
            "index.html": f"<h1 id='top'>corefkit</h1>\n{tag}",
            "a/index.html": "<h2 id='größe'>a</h2><a name='old'></a>",
            "gallery/report.html": "<h1>report</h1>",
            "picture.svg": "<svg/>",
        }
        for name, text in pages.items():
            path = tmp_path / "site" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        (tmp_path / "beside.html").touch()
        return links.dead_links(tmp_path / "site")

    return checked


@pytest.mark.parametrize(
    "tag",
    [
        "<a href='#top'>",
        "<a href='a/'>",
        "<a href='a/#gr%C3%B6%C3%9Fe'>",
        "<a href='a/index.html#old'>",
        "<a href='.'>",
        "<a href='gallery/report.html#d=story'>",
        "<a href='https://corefkit.github.io/corefkit/a/#old'>",
        "<a href='/corefkit/a/'>",
        "<img src='picture.svg'>",
        "<img src='data:image/png;base64,AAAA'>",
        "<a href='https://aclanthology.org/P14-2006/'>",
        "<a href='mailto:ann@example.org'>",
        f"<a href='{REPOSITORY}'>",
        f"<a href='{REPOSITORY}/issues'>",
        f"<a href='{REPOSITORY}/blob/main/README.md#install'>",
        f"<a href='{REPOSITORY}/edit/main/docs/index.md'>",
    ],
)
def test_links_that_lead_somewhere(dead, tag):
    assert dead(tag) == []


@pytest.mark.parametrize(
    ("tag", "reason"),
    [
        ("<a href='b/'>", "no such page"),
        ("<a href='a/x.html'>", "no such page"),
        ("<a href='gallery/'>", "no such page"),
        ("<a href='../beside.html'>", "no such page"),
        ("<a href='#bottom'>", "no such anchor"),
        ("<a href='a/#new'>", "no such anchor"),
        ("<a href='https://corefkit.github.io/corefkit/b/'>", "no such page"),
        ("<a href='/corefkit/b/'>", "no such page"),
        ("<img src='lost.svg'>", "no such page"),
        ("<script src='https://cdn.example.org/a.js'>", "loaded from another place"),
        ("<script src='//cdn.example.org/a.js'>", "loaded from another place"),
        (
            "<link rel='stylesheet' href='https://fonts.example.org/a.css'>",
            "loaded from another place",
        ),
        ("<a href='https://nowhere'>", "no address"),
        ("<a href='htps://example.org'>", "no address"),
        ("<a href='mailto:ann'>", "no address"),
        (
            f"<a href='{REPOSITORY}/blob/main/LOST.md'>",
            "no such file in the repository",
        ),
        (f"<a href='{REPOSITORY}/blob/main/README.md#lost'>", "no such heading there"),
    ],
)
def test_links_that_lead_nowhere(dead, tag, reason):
    (line,) = dead(tag)
    assert line.startswith("index.html:2: ")
    assert line.endswith(f": {reason}")


def test_examples_of_the_modules_run():
    import gallery
    import links
    import pages

    for module in (gallery, links, pages):
        found = doctest.testmod(module)
        assert found.attempted
        assert not found.failed


def test_links_of_all_pages_to_the_repository_lead_somewhere(links):
    for page in (ROOT / "docs").rglob("*.md"):
        for rest in links.in_repository(page.read_text("utf-8")):
            assert links.repository_fault(rest) is None, f"{page.name}: {rest}"
