"""Progress: on a terminal, after a while, with the time left, and gone at the end."""

from __future__ import annotations

import io
import re
from types import SimpleNamespace

import pytest

from corefkit.cli import messages
from corefkit.cli.messages import ProgressLine, print_note, set_quiet
from corefkit.strings import remove_colours


class Terminal(io.StringIO):
    def isatty(self):
        return True


class Clock:
    """A clock that goes by a step whenever it is asked."""

    def __init__(self):
        self.now, self.step = 0.0, 10.0

    def monotonic(self):
        self.now += self.step
        return self.now


@pytest.fixture(autouse=True)
def loud():
    yield
    set_quiet(False)


@pytest.fixture
def attached(monkeypatch):
    """Return a function that puts a stream in place of stderr."""

    def attach(stream):
        # Not `sys.stderr`, which pytest itself puts in place once a test begins.
        streams = SimpleNamespace(stdout=None, stderr=stream)
        monkeypatch.setattr(messages, "sys", streams)
        return stream

    return attach


@pytest.fixture
def terminal(attached):
    return attached(Terminal())


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(messages, "time", clock)
    return clock


def texts(stream):
    """List what the line said, one text after the other."""
    return [text for text in re.split(r"\r *", stream.getvalue()) if text]


def on_screen(stream):
    """Give the rows that are left, as a terminal shows them."""
    rows = []
    for row in remove_colours(stream.getvalue()).split("\n"):
        cells = []
        for piece in row.split("\r"):
            cells[: len(piece)] = piece
        rows.append("".join(cells).rstrip())
    return rows


def work(*works, steps=((1, 4), (2, 4), (4, 4))):
    with ProgressLine() as line:
        show = line.track(*works)
        for done, total in steps:
            show(done, total)


def test_share_and_time_left_are_shown_and_wiped_away(terminal):
    work("scoring")
    assert texts(terminal) == [
        "scoring:  25%, 30 seconds left",
        "scoring:  50%, 20 seconds left",
        "scoring: 100%",
    ]
    assert on_screen(terminal) == [""]


def test_long_work_is_told_in_minutes(terminal, clock):
    clock.step = 100
    work("scoring", steps=[(1, 10)])
    assert texts(terminal) == ["scoring:  10%, 15 minutes left"]


def test_nothing_is_said_of_the_time_before_it_is_known(terminal):
    work("scoring", steps=[(1, 1000)])
    assert texts(terminal) == ["scoring:   0%"]


def test_the_next_work_has_its_own_time(terminal):
    steps = [(1, 2), (2, 2), (1, 10), (2, 10), (3, 10)]
    work("scoring", "shuffling", steps=steps)
    assert texts(terminal)[1:] == [
        "scoring: 100%",
        "shuffling:  10%",
        "shuffling:  20%, 1 minute left",
        "shuffling:  30%, 1 minute left",
    ]


def test_it_is_not_written_too_often(terminal, clock):
    clock.step = 0.02
    clock.now = 0
    with ProgressLine() as line:
        show = line.track("scoring")
        for done in range(1000):
            show(done, 1000)
    shown = texts(terminal)
    assert 100 < len(shown) < 250


def test_short_work_shows_nothing(terminal, clock):
    clock.step = 0.01
    work("scoring")
    assert terminal.getvalue() == ""


def test_nothing_is_shown_elsewhere(attached):
    stream = attached(io.StringIO())
    work("scoring")
    assert stream.getvalue() == ""


def test_nothing_is_shown_with_quiet(terminal):
    set_quiet(True)
    work("scoring")
    assert terminal.getvalue() == ""


def test_a_closed_stream_is_no_error(attached):
    attached(None)
    work("scoring")


def test_no_work_is_no_division_by_zero(terminal):
    work("scoring", steps=[(0, 0)])
    assert texts(terminal) == ["scoring:   0%"]


def test_a_note_stands_above_the_line(terminal):
    with ProgressLine() as line:
        show = line.track("training")
        show(1, 4)
        print_note("something was left out")
        show(2, 4)
    assert on_screen(terminal) == ["note: something was left out", ""]


def test_a_line_keeps_to_the_terminal(terminal, monkeypatch):
    monkeypatch.setenv("COLUMNS", "20")
    work("a work with a name that is much too long")
    assert max(map(len, texts(terminal))) == 19
    assert on_screen(terminal) == [""]


def test_files_count_by_their_size(terminal, tmp_path):
    (tmp_path / "large").write_bytes(b"x" * 8999)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "small").write_bytes(b"x" * 998)
    with ProgressLine() as line:
        paths = [str(tmp_path / name) for name in ("large", "folder", "absent")]
        large, folder, absent = line.track_files("reading", paths)
        for share in (large, folder, absent):
            share(1, 2)
            share(2, 2)
    shares = [text.partition(",")[0] for text in texts(terminal)]
    assert shares == [
        "reading:  44%",
        "reading:  89%",
        "reading:  94%",
        "reading:  99%",
        "reading: 100%",
    ]
