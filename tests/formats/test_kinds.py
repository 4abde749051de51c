"""Kinds of problems: each has a name, a severity, and is in the table."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import corefkit.formats
from corefkit.formats import problems as kinds
from corefkit.formats.problems import KINDS, SEVERITIES, ProblemKind

FOLDER = Path(corefkit.formats.__file__).parent


def test_every_kind_is_in_the_table():
    rows = [kind for kind in vars(kinds).values() if isinstance(kind, ProblemKind)]
    finer = [kind for kind in rows if kind not in KINDS.values()]
    assert len(rows) - len(finer) == len(KINDS)
    assert {kind.name for kind in finer} == {kinds.MALFORMED.name}


def test_codes_of_kinds_are_distinct():
    codes = [one.code for one in vars(kinds).values() if isinstance(one, ProblemKind)]
    assert len(codes) == len(set(codes))
    assert all(re.fullmatch("format/[a-z0-9]+(-[a-z0-9]+)*", code) for code in codes)


def test_every_kind_is_used():
    rows = {name for name, one in vars(kinds).items() if isinstance(one, ProblemKind)}
    used = set()
    for path in FOLDER.rglob("*.py"):
        if path.name != "kinds.py":
            tree = ast.walk(ast.parse(path.read_text("utf-8")))
            used |= {one.id for one in tree if isinstance(one, ast.Name)}
            tree = ast.walk(ast.parse(path.read_text("utf-8")))
            used |= {one.attr for one in tree if isinstance(one, ast.Attribute)}
            used |= set(
                re.findall(r"kind: ProblemKind = (\w+)", path.read_text("utf-8"))
            )
    assert rows <= used


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_kind_has_a_valid_name(kind):
    assert re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", kind.name)
    assert kind.severity in SEVERITIES
    assert kind.meaning
    assert not kind.meaning.endswith(".")


def test_severities_are_in_order():
    assert SEVERITIES == ("error", "warning", "note")
