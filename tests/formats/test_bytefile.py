"""Files by offset: plain, packed, piped, and those that cannot be read."""

from __future__ import annotations

import gzip
import io
import os
import threading
from pathlib import Path
from unittest import mock

import pytest
from files import BYTE_ORDER_MARK, conll, corpus, written
from hypothesis import given
from hypothesis import strategies as st
from raising import raises

import corefkit
from corefkit.formats import files as bytefile
from corefkit.formats.files import ByteFile

TEXT = conll("(1 1) / (1)").encode()


@pytest.fixture
def path(tmp_path):
    return written(tmp_path / "file", TEXT)


@pytest.fixture
def piped(tmp_path):
    """Give the name of a pipe that somebody writes to."""
    threads = []

    def start(content):
        name = tmp_path / f"pipe{len(threads)}"
        os.mkfifo(name)
        threads.append(threading.Thread(target=name.write_bytes, args=(content,)))
        threads[-1].start()
        return str(name)

    yield start
    for thread in threads:
        thread.join(timeout=10)


def content(path):
    with ByteFile(path) as file:
        return file.read(0, file.size)


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzip"])
def test_file_is_read(tmp_path, pack):
    assert content(written(tmp_path / "file", pack(TEXT))) == TEXT


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzip"])
@pytest.mark.parametrize(
    "text", [b"", b"x", TEXT * 5000], ids=["empty", "short", "long"]
)
def test_pipe_is_read(piped, pack, text):
    assert content(piped(pack(text))) == text


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzip"])
def test_dash_is_standard_input(monkeypatch, pack):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(pack(TEXT))))
    assert content("-") == TEXT


def test_path_objects_are_read(path):
    assert content(Path(path)) == TEXT


def test_empty_file_is_read(tmp_path):
    assert content(written(tmp_path / "file", "")) == b""


@pytest.mark.parametrize(
    ("start", "text_start"), [(b"", 0), (BYTE_ORDER_MARK, 3), (BYTE_ORDER_MARK[:2], 0)]
)
def test_text_starts_after_a_byte_order_mark(tmp_path, start, text_start):
    with ByteFile(written(tmp_path / "file", start + TEXT)) as file:
        assert file.text_start == text_start


@given(st.lists(st.sampled_from([b"\n", b"a", b"bcd", b"\r\n"])), st.integers(1, 9))
def test_blocks_are_complete_lines_of_the_text(parts, size):
    text = b"".join(parts)
    file = mock.Mock(read=lambda start, end: text[start:end])
    with mock.patch.object(bytefile, "BLOCK", size):
        blocks = list(ByteFile.blocks(file, 0, len(text)))
    assert b"".join(blocks) == text
    assert all(block.endswith(b"\n") for block in blocks[:-1])
    assert b"" not in blocks


def test_lines_have_their_offsets(tmp_path):
    with ByteFile(written(tmp_path / "file", b"a\r\n\nbc")) as file:
        assert list(file.lines(0, file.size)) == [(0, b"a"), (3, b""), (4, b"bc")]
        assert list(file.lines(3, 5)) == [(3, b""), (4, b"b")]


@pytest.mark.parametrize("size", [1, 2, 1 << 20])
def test_line_numbers_count_from_one(tmp_path, monkeypatch, size):
    monkeypatch.setattr(bytefile, "BLOCK", size)
    with ByteFile(written(tmp_path / "file", b"a\n\nb")) as file:
        assert [file.line_number(offset) for offset in range(5)] == [1, 1, 2, 3, 3]
        assert file.format_place(3) == f"{file.name}:3"


class TestCannotBeRead:
    def refusal(self, path):
        with raises(corefkit.FormatError, "format/unreadable") as refused:
            ByteFile(path)
        assert refused.value.place == str(path)
        return refused.value.message

    def test_missing(self, tmp_path):
        assert "No such file" in self.refusal(tmp_path / "nothing")

    def test_directory(self, tmp_path):
        assert self.refusal(tmp_path) == "is a directory, expected a file"

    def test_no_permission(self, path, monkeypatch):
        # Tests may run as root, who may read everything.
        denied = PermissionError(13, "Permission denied")
        monkeypatch.setattr("builtins.open", mock.Mock(side_effect=denied))
        assert self.refusal(path) == "cannot be read: Permission denied"

    @pytest.mark.skipif(
        not hasattr(os, "geteuid") or os.geteuid() == 0, reason="as root"
    )
    def test_file_without_permission(self, path):
        Path(path).chmod(0)
        assert self.refusal(path) == "cannot be read: Permission denied"

    @pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="only on Linux")
    def test_device_that_fails(self):
        assert self.refusal("/proc/self/mem").startswith("cannot be read: ")

    def test_no_name(self):
        with raises(corefkit.FormatError, "format/unreadable", place=""):
            ByteFile("")

    @pytest.mark.parametrize(
        "broken",
        [
            pytest.param(gzip.compress(TEXT)[:-12], id="cut off"),
            pytest.param(gzip.compress(TEXT)[:2], id="two bytes"),
            pytest.param(gzip.compress(TEXT)[:12] + b"\xff" * 40, id="garbage"),
            pytest.param(gzip.compress(TEXT)[:-8] + b"\0" * 8, id="wrong checksum"),
            pytest.param(gzip.compress(TEXT) + b"more", id="something behind"),
        ],
    )
    def test_broken_gzip(self, tmp_path, broken):
        path = written(tmp_path / "file.gz", broken)
        assert self.refusal(path).startswith("cannot be read: ")

    def test_standard_input_twice(self, monkeypatch):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(TEXT)))
        ByteFile("-").close()
        assert self.refusal("-").startswith("cannot be read: ")


class Endless(io.RawIOBase):
    """A stream without an end, that counts what was read of it."""

    def __init__(self, start):
        self.rest, self.given = start, 0

    def readable(self):
        return True

    def readinto(self, buffer):
        part = (self.rest or b"x\n" * len(buffer))[: len(buffer)]
        self.rest = self.rest[len(part) :]
        buffer[: len(part)] = part
        self.given += len(part)
        return len(part)


@pytest.fixture
def endless(monkeypatch):
    """Give standard input that begins with something and never ends."""

    def start(content):
        stream = Endless(content)
        buffered = io.BufferedReader(stream)
        monkeypatch.setattr("sys.stdin", mock.Mock(closed=False, buffer=buffered))
        return stream

    return start


class TestEndlessInput:
    def test_unknown_format_is_rejected_by_its_first_bytes(self, endless):
        stream = endless(b"no format that is known ")
        with raises(corefkit.FormatError, "format/unknown-format", place="-:1"):
            corefkit.score("-", [])
        assert stream.given <= 2 * bytefile.BLOCK

    def test_known_format_is_copied_up_to_a_limit(self, endless, monkeypatch):
        monkeypatch.setattr(bytefile, "MAX_COPY_BYTES", 5 * bytefile.BLOCK)
        stream = endless(TEXT)
        with raises(corefkit.FormatError, "format/too-large", place="-"):
            corefkit.score("-", [])
        assert stream.given <= 7 * bytefile.BLOCK

    @pytest.mark.parametrize("to_pipe", [False, True], ids=["file", "pipe"])
    def test_gzip_bomb_is_rejected(self, tmp_path, piped, monkeypatch, to_pipe):
        monkeypatch.setattr(bytefile, "MAX_SAFE_BYTES", 2 * bytefile.BLOCK)
        bomb = gzip.compress(TEXT + b"0" * (16 * bytefile.BLOCK))
        path = piped(bomb) if to_pipe else written(tmp_path / "bomb.gz", bomb)
        reads = []
        plain = gzip.GzipFile.read

        def counted(self, size=-1):
            reads.append(size)
            return plain(self, size)

        monkeypatch.setattr(gzip.GzipFile, "read", counted)
        with raises(corefkit.FormatError, "format/too-large") as rejected:
            corefkit.score(path, [])
        assert rejected.value.place == path
        assert len(reads) <= 4

    def test_repetitive_text_is_not_a_bomb(self, tmp_path):
        text = TEXT * 5000
        path = written(tmp_path / "file.gz", gzip.compress(text))
        assert len(text) > bytefile.MAX_EXPANSION * Path(path).stat().st_size
        assert content(path) == text

    @pytest.mark.skipif(not Path("/dev/zero").exists(), reason="only on Unix")
    @pytest.mark.parametrize("name", ["/dev/zero", "-"])
    def test_device_is_rejected(self, monkeypatch, name):
        with Path("/dev/zero").open() as zero:
            monkeypatch.setattr("sys.stdin", zero)
            with raises(corefkit.FormatError, "format/unreadable", place=name):
                corefkit.score(name, [], format="conll")

    @pytest.mark.skipif(not Path("/dev/null").exists(), reason="only on Unix")
    def test_null_device_is_an_empty_file(self):
        assert content("/dev/null") == b""

    def test_full_temporary_folder_is_reported(self, piped, monkeypatch):
        full = mock.Mock(write=mock.Mock(side_effect=OSError(28, "No space left")))
        monkeypatch.setattr("tempfile.TemporaryFile", mock.Mock(return_value=full))
        monkeypatch.setattr("tempfile.gettempdir", lambda: "/aside")
        path = piped(TEXT)
        with raises(
            corefkit.FormatError, "environment/temporary-folder", place="pipe0"
        ) as refused:
            content(path)
        assert refused.value.message.startswith("cannot be copied to /aside: ")
        assert refused.value.message.endswith(": No space left")
        assert refused.value.place == path
        assert "TMPDIR" in refused.value.hint


@pytest.mark.parametrize("step", [1, 3, 64])
def test_line_numbers_do_not_depend_on_steps(monkeypatch, tmp_path, step):
    monkeypatch.setattr(bytefile, "_STEP", step)
    text = b"a\n\nbc\r\n" * 5 + b"d"
    path = tmp_path / "file"
    path.write_bytes(text)
    with ByteFile(path) as file:
        offsets = [*reversed(range(len(text) + 1)), *range(len(text) + 1)]
        found = [file.line_number(offset) for offset in offsets]
    assert found == [text[:offset].count(b"\n") + 1 for offset in offsets]


@pytest.mark.parametrize("go_through", [corefkit.read, corefkit.validate])
def test_bytes_read_are_linear_in_the_size(monkeypatch, tmp_path, go_through):
    monkeypatch.setattr(bytefile, "_STEP", 64)
    amounts = []
    plain = ByteFile.read
    taken = []

    def counted(self, start, end):
        part = plain(self, start, end)
        taken.append(len(part))
        return part

    monkeypatch.setattr(ByteFile, "read", counted)
    for documents in (50, 200):
        path = tmp_path / f"{documents}"
        path.write_text(corpus({f"d{n}": "(1) - (1 1) " * 5 for n in range(documents)}))
        taken.clear()
        list(go_through(path))
        amounts.append(sum(taken) / path.stat().st_size)
    assert amounts[1] < 1.2 * amounts[0]
