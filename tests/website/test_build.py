"""The site builds without a warning; what is wrong with a page fails the build."""

from __future__ import annotations

import json
import re
import zlib

import pytest
from site_builder import GROUP, built, git, published, run, small_project

import corefkit

pytestmark = [pytest.mark.slow, GROUP]

REPOSITORY = "https://github.com/corefkit/corefkit"


def test_the_site_builds_without_a_warning():
    _, said = built()
    assert "WARNING" not in said
    assert "Documentation built" in said


def test_the_reference_names_settings_as_help_does():
    site, _ = built()
    page = (site / "reference" / "api" / "index.html").read_text("utf-8")
    assert "blanc_rule" in page
    assert "Unpack" not in page
    assert ">field<" not in page


def test_the_reference_shows_no_private_name():
    site, _ = built()
    for page in (site / "reference").rglob("index.html"):
        signatures = re.findall(
            r'doc-signature highlight">(.*?)</div>', page.read_text("utf-8"), re.DOTALL
        )
        text = re.sub("<[^>]+>", "", "".join(signatures))
        assert re.findall(r"(?:: |= |\[|\| )_[A-Za-z]\w*", text) == [], page


def test_types_of_signatures_lead_to_what_they_are():
    site, _ = built()
    page = (site / "reference" / "api" / "index.html").read_text("utf-8")
    for name in ("Input", "Settings", "Metric", "Evaluation"):
        assert re.search(rf"<a [^>]*>{name}</a>", page), name


def test_every_public_name_can_be_linked_to_from_other_sites():
    site, _ = built()
    inventory = (site / "objects.inv").read_bytes().split(b"\n", 4)[4]
    names = {
        line.split()[0] for line in zlib.decompress(inventory).decode().splitlines()
    }
    assert {f"corefkit.{name}" for name in corefkit.__all__} <= names


@pytest.mark.parametrize(
    ("page", "name"),
    [
        ("tutorial", "muc.html"),
        ("tutorial", "mill.html"),
        ("report", "report.html"),
        ("cistell", "boat.html"),
        ("papers", "papers/index.html"),
    ],
)
def test_pages_show_what_their_commands_write(page, name):
    site, _ = built()
    text = (site / page / "index.html").read_text("utf-8")
    assert f'<iframe src="../gallery/{name}"' in text
    assert "<script" in (site / "gallery" / name).read_text("utf-8")


@pytest.mark.parametrize(
    ("page", "name"),
    [
        ("lab", "perturb/split.svg"),
        ("lab", "perturb/merge.svg"),
        ("papers", "papers/lea-figure-6.svg"),
    ],
)
def test_pages_show_the_figures_that_their_commands_draw(page, name):
    site, _ = built()
    text = (site / page / "index.html").read_text("utf-8")
    assert f'src="../gallery/{name}"' in text
    assert (site / "gallery" / name).exists()


@pytest.mark.parametrize(
    ("pages", "words"),
    [
        ({"index": "# a\n\n[b](b.md)\n"}, "'b.md', but the target is not found"),
        ({"index": "# a\n\n[b](#b)\n"}, "no such anchor"),
        ({"index": "# a\n\n<a href='b/'>b</a>\n"}, "b/: no such page"),
        ({"index": "# a\n", "b": "# b\n"}, 'not included in the "nav"'),
        ({"index": f"# a\n\n[b]({REPOSITORY}/blob/main/b)\n"}, "no such file"),
        ({"index": "# a\n\n![b](https://example.org/b.png)\n"}, "another place"),
        (
            {"index": "# a\n\n::: corefkit.scored\n"},
            "corefkit.scored could not be found",
        ),
    ],
    ids=["page", "anchor", "html", "nav", "repository", "picture", "name"],
)
def test_what_is_wrong_with_a_page_fails_the_build(tmp_path, pages, words):
    done = run("mkdocs", "build", cwd=small_project(tmp_path, **pages))
    assert done.returncode != 0
    assert words in done.stderr


def test_a_command_that_fails_fails_the_build(tmp_path):
    command = "$ corefkit report nowhere.conll key.conll -o a.html"
    link = "[a](https://corefkit.github.io/corefkit/latest/gallery/a.html)"
    page = f"# a\n\n```console\n{command}\n```\n\n{link}\n"
    project = small_project(tmp_path, index=page)
    done = run("mkdocs", "build", cwd=project)
    assert done.returncode != 0
    assert "nowhere.conll: cannot be read" in done.stderr


def test_versions_stand_beside_each_other(tmp_path):
    project = published(tmp_path, "0.1", "0.2")
    versions = json.loads(git(project, "show", "gh-pages:versions.json"))
    assert [(one["version"], one["aliases"]) for one in versions] == [
        ("0.2", ["latest"]),
        ("0.1", []),
    ]
    page = git(project, "show", "gh-pages:latest/index.html")
    assert '"provider": "mike"' in page
    assert 'href="https://corefkit.github.io/corefkit/latest/"' in page
    lost = git(project, "show", "gh-pages:latest/404.html")
    assert 'href="/corefkit/latest/assets/corefkit.css"' in lost
