"""The README, in a clone and as a package index shows it."""

from __future__ import annotations

import email
import importlib.util
import os
import re
import tomllib
import zipfile
from html.parser import HTMLParser

import pytest
from shared_files import ROOT

pytest.importorskip("hatchling")

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
URLS = PROJECT["urls"]
README = (ROOT / "README.md").read_text("utf-8")
LINK = re.compile(r"\]\(([^)\s]+)\)")


@pytest.fixture(scope="module")
def hook():
    place = ROOT / "hatch_readme.py"
    spec = importlib.util.spec_from_file_location("hatch_readme", place)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("link", "address"),
    [
        ("docs/metrics.md", "S/metrics/"),
        ("docs/metrics.md#blanc", "S/metrics/#blanc"),
        ("docs/cistell/linker.md", "S/cistell/linker/"),
        ("docs/index.md", "S/"),
        ("docs/from/index.md#coval", "S/from/#coval"),
        ("docs/reindex.md", "S/reindex/"),
        ("docs/tutorial.ipynb", "R/docs/tutorial.ipynb"),
        ("CHANGELOG.md", "R/CHANGELOG.md"),
        ("https://example.org/docs/a.md", "https://example.org/docs/a.md"),
        ("mailto:someone@example.org", "mailto:someone@example.org"),
        ("#try-it", "#try-it"),
    ],
)
def test_link_leads_to_site_or_repository(hook, link, address):
    text = f"see [this]({link}), and so on"
    expected = f"see [this]({address}), and so on"
    assert hook.absolute(text, site="S/", repository="R/") == expected


def test_links_in_blocks_of_code_stay(hook):
    text = "[a](b.md)\n```python\ncalls[0](b)\n```\n[c](d.md)\n"
    expected = "[a](R/b.md)\n```python\ncalls[0](b)\n```\n[c](R/d.md)\n"
    assert hook.absolute(text, site="S/", repository="R/") == expected


def test_picture_is_that_of_the_repository(hook):
    text = "![a report](docs/figures/report.png)"
    expected = "![a report](https://host/raw/v1/docs/figures/report.png)"
    address = "https://host/blob/v1/"
    assert hook.absolute(text, site="S/", repository=address) == expected


def test_index_shows_no_relative_link(hook):
    metadata = {"urls": URLS, "version": "1.2.3"}
    hook.ReadmeHook(str(ROOT), {}).update(metadata)
    readme = metadata["readme"]
    assert readme["content-type"] == "text/markdown"
    prose = re.sub(r"(?ms)^```.*?^```", "", readme["text"])
    links = LINK.findall(prose)
    assert len(links) > 30
    assert [link for link in links if not link.startswith(("https://", "#"))] == []
    assert "https://corefkit.github.io/corefkit/1.2/metrics/" in links
    assert f"{URLS['Repository']}/blob/v1.2.3/CONTRIBUTING.md" in links


class Addresses(HTMLParser):
    """Collects where a page leads to, and where its pictures come from."""

    def __init__(self):
        super().__init__()
        self.links, self.pictures = [], []

    def handle_starttag(self, _, attrs):
        self.links += [value for name, value in attrs if name == "href"]
        self.pictures += [value for name, value in attrs if name == "src"]


@pytest.mark.slow
def test_page_of_the_index_leads_nowhere_wrong(wheels):
    """Render what the wheel has, as the index does."""
    if "COREFKIT_DIST" not in os.environ:
        pytest.importorskip("readme_renderer")
    from readme_renderer.markdown import render

    for wheel in wheels:
        with zipfile.ZipFile(wheel) as opened:
            (name,) = (name for name in opened.namelist() if name.endswith("/METADATA"))
            metadata = email.message_from_bytes(opened.read(name))
        page = Addresses()
        page.feed(render(metadata.get_payload(decode=True).decode()))
        assert len(page.links) > 30
        leads = ("https://", "#user-content-")  # the second are those of headings
        assert [link for link in page.links if not link.startswith(leads)] == []
        assert all(link.startswith("https://") for link in page.pictures)
        assert not any("/blob/" in link for link in page.pictures)


def test_clone_has_what_the_readme_links_to():
    links = [link for link in LINK.findall(README) if "://" not in link]
    missing = [link for link in links if not (ROOT / link.partition("#")[0]).exists()]
    assert missing == []


def test_badges_are_about_this_project_and_there_are_few():
    badges = re.findall(r"\[!\[[^\]]+\]\(([^)]+)\)\]\(([^)]+)\)", README)
    assert 1 <= len(badges) <= 3
    classifiers = PROJECT["classifiers"]
    supported = [
        one.split()[-1] for one in classifiers if re.search(r"Python :: 3\.\d+$", one)
    ]
    for picture, target in badges:
        workflow = re.search(r"actions/workflows/(\w+\.yml)/badge\.svg", picture)
        if workflow:
            assert picture.startswith(URLS["Repository"])
            assert target.startswith(URLS["Repository"])
            assert (ROOT / ".github/workflows" / workflow[1]).exists()
        else:
            first, *_, last = supported
            assert picture.endswith(f"/badge/python-{first}%20to%20{last}-blue")
            assert (ROOT / target.partition("#")[0]).exists()
