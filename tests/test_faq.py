"""The page of questions: all that users complain of has an entry, and each entry runs.

What the entries show is run by `test_docs.py` (commands) and as doctests (Python).
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from test_docs import headings

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "faq.md"
COMPLAINTS = ROOT.parent / "shared" / "spec" / "user-pains.md"

_NUMBER = re.compile(r"^(\d+)\. ", re.MULTILINE)
_HEADING = re.compile(r"^### (.*)$", re.MULTILINE)
_COMMAND = re.compile(r"^\$ corefkit(-scorer)? \S", re.MULTILINE)
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def entries() -> dict[str, str]:
    """Part the page into entries: the text below each question, by its heading."""
    _, *parts = _HEADING.split(PAGE.read_text("utf-8"))
    titles, texts = parts[::2], parts[1::2]
    return dict(zip(titles, (text.split("\n## ")[0] for text in texts), strict=True))


ENTRIES = entries()
each_entry = pytest.mark.parametrize("title", ENTRIES)


def prose(text: str) -> str:
    return _BLOCK.sub("", text)


def test_entries_are_numbered_from_1_to_41():
    assert [_NUMBER.match(title)[1] for title in ENTRIES] == [
        str(number) for number in range(1, 42)
    ]


def test_every_complaint_of_users_has_an_entry():
    if not COMPLAINTS.exists():
        pytest.skip("needs ../shared: what users of today's scorers complain of")
    listed, _, _ = COMPLAINTS.read_text("utf-8").partition("\n# ")
    _, *below = listed.split("\n", 1)
    numbers = _NUMBER.findall("".join(below))
    assert [_NUMBER.match(title)[1] for title in ENTRIES] == numbers


def runs(language: str, block: str) -> bool:
    """Say whether a block is run as a test, and asks something of corefkit."""
    if language == "console":
        return _COMMAND.search(block) is not None
    return language == "pycon" and ">>> " in block and "corefkit" in block


@each_entry
def test_every_entry_has_a_block_that_runs(title):
    blocks = _BLOCK.findall(ENTRIES[title])
    assert any(runs(language, block) for language, block in blocks), title
    assert {language for language, _ in blocks} <= {"console", "pycon"}


@each_entry
def test_every_entry_is_short_and_says_where_more_stands(title):
    answer, more = prose(ENTRIES[title]).strip().rsplit("\n\nMore: ", 1)
    assert 1 <= len(re.findall(r"[.?](?=\s|$)", answer.strip())) <= 4
    assert len(answer) < 480
    assert re.search(r"\]\([^)#]+\.md", more)


def test_every_entry_is_linked_from_the_top():
    top, _, _ = PAGE.read_text("utf-8").partition("\n## ")
    linked = re.findall(r"\]\(#([^)]*)\)", top)
    assert len(set(linked)) == len(linked)
    anchors = {anchor for anchor in headings(PAGE) if re.match(r"\d+-", anchor)}
    assert {anchor for anchor in linked if re.match(r"\d+-", anchor)} == anchors
    assert len(anchors) == len(ENTRIES)


@each_entry
def test_anchor_of_a_question_is_the_same_wherever_it_is_built(title):
    """Sites and forges agree where words are parted by single blanks and hyphens."""
    assert title.isascii()
    kept = re.sub(r"[^\w\s-]", "", title)
    assert "  " not in kept
    assert "`" not in title
