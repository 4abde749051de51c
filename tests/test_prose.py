"""The prose check of `dev.py lint`: rules, extraction of prose, and the ratchet."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest
from shared_files import ROOT


@pytest.fixture(scope="module")
def prose():
    spec = importlib.util.spec_from_file_location("prose", ROOT / "tools" / "prose.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# A sentence for each rule, in the order of the rules.
FORBIDDEN = {
    "told, tells": "The user is told once.",
    "stands": "The version stands in the signature.",
    "asks": "A metric that asks for heads.",
    "beside, behind": "Put it beside the key.",
    "whole": "The whole file is read.",
    "alike, likewise, anew": "Both sides are read alike.",
    "mend": "Mend the file.",
    "refuse": "The file is refused.",
    "nobody, whoever": "Nobody reads this.",
    "in words": "An error in words.",
    "of its own": "A process of its own.",
    "is no": "The entity is no mention.",
    "headless what": "Return what the file contains.",
    "where for if": "None where there is a kernel.",
}
ALLOWED = [
    "There is no key.",
    "The value is None.",
    "It is no longer read.",
    "Spans are whole numbers.",
    "Select the place where mentions begin.",
    "Pass `what is` as code.",
]


def list_rules(prose, text, name="page.md"):
    return [match.rule for match in prose.find_matches(text, Path(name), "src")]


def test_every_rule_finds_its_example(prose):
    assert list(FORBIDDEN) == list(prose.RULES)
    for rule, sentence in FORBIDDEN.items():
        assert list_rules(prose, sentence) == [rule]


@pytest.mark.parametrize("sentence", ALLOWED)
def test_standard_phrase_is_allowed(prose, sentence):
    assert list_rules(prose, sentence) == []


def test_blocks_of_code_are_ignored(prose):
    page = "Text.\n```console\nwhat is told\n```\n    what is told\n\nThe whole file.\n"
    (match,) = prose.find_matches(page, Path("a.md"), "docs")
    assert (match.rule, match.place) == ("whole", "a.md:7")


SOURCE = '''"""Score the whole file.

    >>> print("the whole file")
"""

# The whole table.
message = "the whole document"
name = "whole"
'''


def test_docstrings_comments_and_messages_are_read(prose):
    places = [match.place for match in prose.find_matches(SOURCE, Path("a.py"), "src")]
    assert sorted(places) == ["a.py:1", "a.py:6", "a.py:7"]


def test_strings_outside_the_source_are_data(prose):
    matches = prose.find_matches(SOURCE, Path("a.py"), "tests")
    assert sorted(match.place for match in matches) == ["a.py:1", "a.py:6"]


def test_counts_above_a_limit_are_listed(prose):
    matches = list(prose.find_matches("The whole, whole file.", Path("a.md"), "docs"))
    assert prose.list_excess(matches, {"docs": {"whole": 2}}) == []
    first, *places = prose.list_excess(matches, {"docs": {"whole": 1}})
    assert first == "docs: whole: 2, at most 1 are allowed"
    assert places == ["  a.md:1: whole"] * 2
    assert prose.list_excess(matches, {})[0].endswith("at most 0 are allowed")


def test_update_never_raises_a_limit(prose):
    matches = list(prose.find_matches("The whole, whole file.", Path("a.md"), "docs"))
    assert '"whole" = 2\n' in prose.format_limits(matches, {})
    assert '"whole" = 1\n' in prose.format_limits(matches, {"docs": {"whole": 1}})
    assert "whole" not in prose.format_limits([], {"docs": {"whole": 1}})
