"""House rules that a machine can check: small rooms, signs that lead somewhere."""

from __future__ import annotations

import ast
import importlib
import re
from pathlib import Path

import pytest
from shared_files import ROOT

import corefkit

SOURCE = Path(corefkit.__file__).parent
FILES = sorted(SOURCE.rglob("*.py"))
IDS = [str(path.relative_to(SOURCE)) for path in FILES]
PAGES = [
    ROOT / "CONTRIBUTING.md",
    ROOT / "README.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]

LONGEST_FILE = 300
LONGEST_FUNCTION = 40
# Files that are one table, and may be longer.
TABLES: dict[str, str] = {}


def functions(path):
    """Go through the functions of a file: names, and lines without docstrings."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = node.end_lineno - node.lineno + 1
            if ast.get_docstring(node) is not None:
                docstring = node.body[0]
                lines -= docstring.end_lineno - docstring.lineno + 1
            yield node.name, lines


@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_no_function_is_long(path):
    long = {name: lines for name, lines in functions(path) if lines > LONGEST_FUNCTION}
    assert long == {}


def test_only_tables_are_long_files():
    lines = {
        name: len(path.read_text("utf-8").splitlines())
        for name, path in zip(IDS, FILES, strict=True)
    }
    long = {name for name, number in lines.items() if number > LONGEST_FILE}
    assert long == set(TABLES)


def leads_somewhere(name):
    """Say whether a dotted name is a module, or an attribute of one."""
    module, _, attribute = name.rpartition(".")
    try:
        importlib.import_module(name)
    except ModuleNotFoundError:
        pass
    else:
        return True
    if not module:
        return False
    try:
        found = importlib.import_module(module)
    except ModuleNotFoundError:
        return False
    return hasattr(found, attribute)


@pytest.mark.parametrize("page", PAGES, ids=[path.name for path in PAGES])
def test_paths_in_pages_are_there(page):
    text = page.read_text("utf-8")
    named = set(
        re.findall(r"\b(?:src/corefkit|tests|benchmarks|fuzz)/[\w./-]*\w", text)
    )
    assert {path for path in named if not (ROOT / path).exists()} == set()


@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_module_names_in_docstrings_are_there(path):
    tree = ast.parse(path.read_text("utf-8"))
    texts = [
        ast.get_docstring(node) or ""
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
    ]
    named = set().union(
        *(re.findall(r"`(corefkit(?:\.[a-z_]\w*)+)`", text) for text in texts)
    )
    assert {name for name in named if not leads_somewhere(name)} == set()


def test_tests_mirror_the_source():
    """Every folder of tests is a folder of the source, data aside.

    Those in a browser are about pages, whichever room makes them; those of the website
    and of publishing are about what stands around the source.
    """
    tests = ROOT / "tests"
    folders = {path.parent.relative_to(tests) for path in tests.rglob("test_*.py")}
    folders -= {Path("browser"), Path("website"), Path("publishing")}
    assert {folder for folder in folders if not (SOURCE / folder).is_dir()} == set()


def test_rooms_of_the_glossary_are_there():
    text = (ROOT / "docs" / "glossary.md").read_text("utf-8")
    rooms = set(re.findall(r"`(\w+/[\w/]*(?:\.py)?)`", text))
    assert len(rooms) > 20
    missing = {
        room
        for room in rooms
        if not ((SOURCE / room).exists() or (ROOT / room).exists())
    }
    assert missing == set()
