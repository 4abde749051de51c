"""Progress: on a terminal, after a while, and gone at the end."""

from __future__ import annotations

import io

import pytest

from corefkit.cli import Line, telling


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(telling, "_PATIENCE", -1)


def shown(monkeypatch, stream):
    monkeypatch.setattr("sys.stderr", stream)
    with Line() as line:
        show = line.share("scoring")
        show(1, 4)
        show(4, 4)
    return stream.getvalue()


@pytest.mark.usefixtures("impatient")
def test_share_is_shown_on_a_terminal_and_wiped_away(monkeypatch):
    text = shown(monkeypatch, Terminal())
    assert "25%" in text
    assert "100%" in text
    assert text.endswith(" \r")


@pytest.mark.usefixtures("impatient")
def test_nothing_is_shown_elsewhere(monkeypatch):
    assert shown(monkeypatch, io.StringIO()) == ""


def test_nothing_is_shown_for_short_work(monkeypatch):
    monkeypatch.setattr(telling, "_PATIENCE", 1e9)
    assert shown(monkeypatch, Terminal()) == ""


@pytest.mark.usefixtures("impatient")
def test_no_work_is_no_division_by_zero(monkeypatch):
    monkeypatch.setattr("sys.stderr", Terminal())
    with Line() as line:
        line.share("scoring")(0, 0)
