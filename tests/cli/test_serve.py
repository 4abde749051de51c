"""`corefkit serve`: what it says when it cannot start."""

from __future__ import annotations

import socket

import pytest

from corefkit.cli import main, serve


@pytest.fixture
def words(tmp_path):
    return ["serve", "--database", str(tmp_path / "runs.sqlite")]


def test_a_port_that_is_taken(words, capsys, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main([*words, "--port", str(port)]) == 1
    err = capsys.readouterr().err
    assert f"127.0.0.1:{port}: cannot listen: Address already in use" in err
    assert "--port names another port" in err
    assert [*tmp_path.iterdir()] == []


def test_a_host_that_is_none(words, capsys):
    assert main([*words, "--host", "no.such.host.invalid"]) == 1
    assert "cannot listen" in capsys.readouterr().err


def test_a_missing_extra(words, capsys, monkeypatch):
    monkeypatch.setattr(serve, "find_spec", lambda _: None)
    assert main(words) == 1
    err = capsys.readouterr().err
    assert "the server requires starlette, uvicorn and python-multipart" in err
    assert "pip install 'corefkit[serve]'" in err


def test_a_file_that_is_no_database(words, capsys, tmp_path):
    (tmp_path / "runs.sqlite").write_text("once upon a time " * 99)
    assert main([*words, "--port", "0"]) == 1
    assert "cannot be used as a file of runs" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["runs.sqlite"]


@pytest.mark.parametrize(
    "more",
    [
        ["--file-limit", "0"],
        ["--file-limit", "9999"],
        ["--at-once", "-1"],
        ["--port", "99999"],
        ["--port", "x"],
        ["somewhere"],
    ],
)
def test_wrong_usage(words, more, capsys):
    assert main([*words, *more]) == 2
    assert capsys.readouterr().err
