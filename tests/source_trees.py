"""The source files of the package and their syntax trees, parsed once per process."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

import corefkit

SOURCE = Path(corefkit.__file__).parent
FILES = sorted(SOURCE.rglob("*.py"))
RESOLVER_FILES = sorted((SOURCE.parent / "cistell").rglob("*.py"))
# Parsing takes seconds: one process runs all tests of the trees.
GROUP = pytest.mark.xdist_group("source trees")


@cache
def parse_source(path):
    return ast.parse(path.read_text("utf-8"))
