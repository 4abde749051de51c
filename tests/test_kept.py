"""The switch that rewrites kept outputs: it rewrites, and comparing still fails."""

from __future__ import annotations

import doctest
import re
import shutil
import subprocess
import sys

import pytest
from kept import (
    check_golden,
    check_section,
    check_text,
    hide_version,
    show_version,
    update_example,
    update_lines,
)
from shared_files import ROOT

from corefkit.settings import VERSION

TESTS = ROOT / "tests"
SECTION = "# Page\n\n<!-- generated: rows -->\n\n{}\n<!-- end -->\n\nEnd.\n"


@pytest.fixture
def rewriting(monkeypatch):
    monkeypatch.setenv("COREFKIT_REWRITE", "1")


@pytest.fixture(autouse=True)
def comparing(monkeypatch):
    monkeypatch.delenv("COREFKIT_REWRITE", raising=False)


def test_versions_of_the_program_are_hidden():
    text = f'corefkit:{VERSION}|match "corefkit": "{VERSION}" corefkit {VERSION}.'
    hidden = 'corefkit:VERSION|match "corefkit": "VERSION" corefkit VERSION.'
    assert hide_version(text) == hidden


@pytest.mark.parametrize("text", ["corefkit:0.0.1|", f"numpy {VERSION}", "corefkit 1"])
def test_other_versions_are_not_hidden(text):
    assert hide_version(text) == text


def test_old_versions_become_the_current_one():
    old = "corefkit:0.0.1.dev2|match:exact, Python 3.11.7."
    assert show_version(old) == f"corefkit:{VERSION}|match:exact, Python 3.11.7."


def test_wrong_text_fails(tmp_path):
    path = tmp_path / "kept.txt"
    path.write_text("one\n", "utf-8")
    check_text(path, "one\n")
    with pytest.raises(AssertionError):
        check_text(path, "two\n")
    assert path.read_text("utf-8") == "one\n"


def test_golden_file_is_rewritten_without_the_version(tmp_path, monkeypatch):
    path = tmp_path / "folder" / "kept.txt"
    with monkeypatch.context() as patch:
        patch.setenv("COREFKIT_REWRITE", "1")
        check_golden(path, f"corefkit:{VERSION}|match:exact\n")
    assert path.read_text("utf-8") == "corefkit:VERSION|match:exact\n"
    check_golden(path, f"corefkit:{VERSION}|match:exact\n")
    with pytest.raises(AssertionError):
        check_golden(path, f"corefkit:{VERSION}|match:head\n")
    with pytest.raises(AssertionError):
        check_golden(path, "corefkit:0.0.1|match:exact\n")


def test_only_the_section_is_rewritten(tmp_path, monkeypatch):
    page = tmp_path / "page.md"
    page.write_text(SECTION.format("old\n"), "utf-8")
    with pytest.raises(AssertionError):
        check_section(page, "rows", "new\n")
    with monkeypatch.context() as patch:
        patch.setenv("COREFKIT_REWRITE", "1")
        check_section(page, "rows", "new\n")
    assert page.read_text("utf-8") == SECTION.format("new\n")
    check_section(page, "rows", "new\n")


@pytest.mark.usefixtures("rewriting")
@pytest.mark.parametrize("text", ["", "<!-- generated: rows -->\n\nold\n"])
def test_page_without_both_markers_is_left(tmp_path, text):
    page = tmp_path / "page.md"
    page.write_text(text, "utf-8")
    with pytest.raises(AssertionError, match="expected"):
        check_section(page, "rows", "new\n")
    assert page.read_text("utf-8") == text


@pytest.mark.parametrize(
    ("kept", "actual", "expected"),
    [
        ("a b", "a c", "a c"),
        ("...", "a b", "..."),
        ("a ... error:1", "a b c error:2", "a ... error:2"),
        ("... key:1 ...", "x key:2 y z", "... key:2 ..."),
        ("a ... d", "a d", "a ... d"),
        ("a b", "a new b", "a new b"),
        ("a old b ...", "a b c", "a b ..."),
    ],
)
def test_ellipses_stay(kept, actual, expected):
    assert update_lines(kept.split(), actual.split()) == expected.split()


@pytest.mark.parametrize(
    ("source", "want", "got", "expected"),
    [
        (">>> f()", "1\n", "2\n\n3\n", "2 <BLANKLINE> 3"),
        (">>> f()  # doctest: +ELLIPSIS", "a...z\nold\n", "abz\nnew\n", "a...z new"),
        (">>> f()", "a...z\n", "abz\n", "abz"),
        (">>> f()  # doctest: +ELLIPSIS", "old:...\n", "new:1\n2\n", "new:1 ..."),
        (">>> f()  # doctest: +ELLIPSIS", "old\nab...\n", "new\nabc\nd\n", "new ab..."),
        (
            ">>> f()  # doctest: +ELLIPSIS",
            "corefkit:0.0.1|a...\n",
            f"corefkit:{VERSION}|ab\nc\n",
            f"corefkit:{VERSION}|a...",
        ),
    ],
)
def test_example_shows_the_actual_output(source, want, got, expected):
    (example,) = doctest.DocTestParser().get_examples(f"{source}\n{want}")
    assert update_example(example, got) == expected.split()


def test_traceback_of_an_example_stays_short():
    short = "Traceback (most recent call last):\n    ...\nValueError: "
    (example,) = doctest.DocTestParser().get_examples(f">>> f()\n{short}old\n")
    long = short.replace("    ...\n", '  File "x", line 1\n    f()\n')
    assert update_example(example, f"{long}new\nlines\n") == [
        *f"{short}new".splitlines(),
        "lines",
    ]


MODULE = '''def double(text):
    """Repeat a text.

    >>> double("a")
    {first}
    >>> double("\\\\n")
    {second}
    """
    return text + text


class Text:
    @property
    def tripled(self):
        """Repeat a text twice.

        >>> (
        ...     Text().tripled
        ... )
        {fifth}
        """
        return "bbb"


def half(text):
    r"""Cut a text.

    >>> half("a\\nb\\n")
    {third}
    >>> print(half("one\\ntwo\\n..."))
    {fourth}
    """
    return text[: len(text) // 2]
'''
PAGE = """# Page

```pycon
>>> import corefkit
>>> corefkit.score(["ab"], ["ab"], metrics=["muc"]).signature
'corefkit:{version}|match:exact|singletons:keep|repeated:first|missing:empty|blanc:key|average:micro'

```
"""
TEST = """import pytest
from kept import check_golden, GOLDEN


@pytest.mark.kept
def test_output():
    check_golden(GOLDEN / "kept.txt", "actual")


def test_other():
    raise AssertionError
"""


@pytest.fixture
def project(tmp_path):
    """Write a project with each sort of kept output, all of them wrong."""
    for name in ("pyproject.toml", "conftest.py"):
        shutil.copy(ROOT / name, tmp_path)
    for name in ("src", "tests/data", "docs"):
        (tmp_path / name).mkdir(parents=True)
    shutil.copy(TESTS / "kept.py", tmp_path / "tests")
    wrong = MODULE.format(
        first="'a'", second="1", third="2\n    3", fourth="4", fifth=5
    )
    (tmp_path / "src" / "doubling.py").write_text(wrong, "utf-8")
    (tmp_path / "docs" / "page.md").write_text(PAGE.format(version="0.0.1"), "utf-8")
    (tmp_path / "tests" / "test_toy.py").write_text(TEST, "utf-8")
    (tmp_path / "tests" / "data" / "kept.txt").write_text("wrong", "utf-8")
    return tmp_path


def run_tests(project):
    """Run the tests of kept outputs; gives how many have each outcome."""
    command = [sys.executable, "-m", "pytest", "-q", "-m", "kept"]
    paths = ["src", "tests", "docs"]
    ran = subprocess.run(
        [*command, *paths], cwd=project, capture_output=True, text=True, check=False
    )
    counts = re.findall(r"(\d+) (passed|failed|deselected)", ran.stdout)
    return {outcome: int(count) for count, outcome in counts}


@pytest.mark.slow
def test_one_run_rewrites_everything(project, monkeypatch):
    compared = run_tests(project)
    assert compared["failed"] == 4
    with monkeypatch.context() as patch:
        patch.setenv("COREFKIT_REWRITE", "1")
        assert "failed" not in run_tests(project)
    right = MODULE.format(
        first="'aa'",
        second=r"'\\n\\n'",
        third=r"'a\n'",
        fourth="one\n    t",
        fifth="'bbb'",
    )
    assert (project / "src" / "doubling.py").read_text("utf-8") == right
    shown = (project / "docs" / "page.md").read_text("utf-8")
    assert shown == PAGE.format(version=VERSION)
    assert (project / "tests" / "data" / "kept.txt").read_text("utf-8") == "actual"
    after = run_tests(project)
    assert "failed" not in after
    assert after["deselected"] == compared["deselected"]


def test_modules_that_check_kept_outputs_mark_them():
    texts = {path: path.read_text("utf-8") for path in TESTS.rglob("test_*.py")}
    users = {path: text for path, text in texts.items() if "from kept import" in text}
    unmarked = [path for path, text in users.items() if "mark.kept" not in text]
    assert unmarked == []
