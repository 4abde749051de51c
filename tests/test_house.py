"""House rules that a machine can check: paths and names in texts exist."""

from __future__ import annotations

import ast
import importlib
import re

from shared_files import ROOT
from source_trees import FILES, GROUP, SOURCE, parse_source

pytestmark = GROUP

PAGES = [
    ROOT / "CONTRIBUTING.md",
    ROOT / "README.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]


def is_importable(name):
    """Return whether a dotted name is a module or an attribute of one."""
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
        parent = importlib.import_module(module)
    except ModuleNotFoundError:
        return False
    return hasattr(parent, attribute)


def test_paths_in_pages_exist():
    pattern = r"(?<![\w/])(?:src|tests|web|benchmarks|fuzz|tools)/[\w./-]*\w"
    missing = {
        (page.name, path)
        for page in PAGES
        for path in re.findall(pattern, page.read_text("utf-8"))
        if not (ROOT / path).exists()
    }
    assert missing == set()


def test_module_names_in_docstrings_exist():
    named = {
        (str(path.relative_to(SOURCE)), name)
        for path in FILES
        for node in ast.walk(parse_source(path))
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        for name in re.findall(
            r"`(corefkit(?:\.[a-z_]\w*)+)`", ast.get_docstring(node) or ""
        )
    }
    assert named
    assert {(path, name) for path, name in named if not is_importable(name)} == set()


def test_modules_named_in_the_development_pages_exist():
    pages = (ROOT / "docs" / "development").glob("*.md")
    text = "".join(page.read_text("utf-8") for page in pages)
    paths = set(re.findall(r"`((?:\w+/)+(?:\w+\.\w+)?|\w+\.py)`", text))
    assert len(paths) > 40
    missing = {
        path
        for path in paths
        if not any((base / path).exists() for base in (SOURCE, SOURCE.parent, ROOT))
    }
    assert missing == set()
