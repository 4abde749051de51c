"""Commands that cannot write, or are stopped while they write, as real processes."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

import corefkit
from corefkit.example import paths

KEY = str(paths()[0])
SOURCE = str(Path(corefkit.__file__).parents[1])
COMMAND = [sys.executable, "-m", "corefkit"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": SOURCE}
FULL = Path("/dev/full")

pytestmark = [
    pytest.mark.skipif(not FULL.exists(), reason="only on Linux"),
    pytest.mark.slow,  # a process each
]


def run(*words, **options):
    """Run a command; gives its exit code and what it said."""
    done = subprocess.run(
        [*COMMAND, *words],
        env=ENVIRONMENT,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        **options,
    )
    assert "Traceback" not in done.stderr
    assert "defect" not in done.stderr
    return done.returncode, done.stderr


def limited():
    """Let no file become larger than a few bytes, as on a disk that is nearly full."""
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (512, 512))


@pytest.mark.parametrize(
    "words",
    [
        ["--help"],
        ["--version"],
        ["score", "--help"],
        ["lab", "--help"],
        ["lab", "perturb", "--help"],
        ["score", "--example"],
        ["errors", "--example", "--list"],
        ["explain", "--example", "--metric", "muc"],
        ["stats", "--example"],
        ["validate", KEY],
        ["convert", KEY, "-", "--to", "jsonl"],
        ["report", "--example", "-o", "-", "--samples", "9"],
    ],
    ids=" ".join,
)
def test_printing_to_a_full_disk_is_an_error(words):
    with FULL.open("w") as full:
        code, said = run(*words, stdout=full)
    assert code == 1
    assert said.startswith("error: standard output")
    assert "No space left on device" in said


@pytest.mark.parametrize("words", [["--help"], ["score", "--help"]], ids=" ".join)
def test_help_that_nobody_reads_on_is_no_error(words):
    read_end, write_end = os.pipe()
    os.close(read_end)
    with os.fdopen(write_end, "wb") as gone:
        assert run(*words, stdout=gone) == (0, "")


@pytest.mark.parametrize(
    "words",
    [
        ["convert", KEY, "out.jsonl"],
        ["convert", KEY, "out.jsonl.gz"],
        ["convert", KEY, "out", "--to", "brat"],
        ["lab", "perturb", "--kind", "split", "--documents", "3", "-o", "out"],
        ["report", "--example", "-o", "out.html", "--samples", "9"],
    ],
    ids=lambda words: " ".join(words).replace(KEY, "KEY"),
)
def test_writing_to_a_full_disk_names_the_place(tmp_path, words):
    code, said = run(
        *words, cwd=tmp_path, stdout=subprocess.DEVNULL, preexec_fn=limited
    )
    assert code == 1
    line = next(line for line in said.splitlines() if "cannot be written" in line)
    assert line.startswith("error: out")
    assert line.endswith(": File too large")
    left = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert left == []
    assert list(tmp_path.glob(".*")) == []


def test_device_that_is_full_is_named():
    code, said = run("convert", KEY, str(FULL), "--to", "jsonl")
    assert (code, said) == (
        1,
        "error: /dev/full: cannot be written: No space left on device\n",
    )


@pytest.mark.parametrize("mask", [0o022, 0o077, 0o002])
def test_new_file_has_the_rights_that_all_new_files_have(tmp_path, mask):
    run("convert", KEY, "out.jsonl", cwd=tmp_path, preexec_fn=lambda: os.umask(mask))
    assert rights(tmp_path / "out.jsonl") == 0o666 & ~mask


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o755])
@pytest.mark.parametrize(
    ("words", "name"),
    [
        (["convert", KEY, "out.jsonl"], "out.jsonl"),
    ],
    ids=["convert"],
)
def test_file_that_is_replaced_keeps_its_rights(tmp_path, mode, words, name):
    out = tmp_path / name
    out.write_text("old")
    out.chmod(mode)
    (tmp_path / "link").symlink_to(name)
    assert run(*words, cwd=tmp_path)[0] == 0
    assert out.read_bytes() != b"old"
    assert rights(out) == mode
    assert (tmp_path / "link").is_symlink()


@pytest.mark.parametrize(
    "words",
    [
        ["convert", KEY, "out.jsonl"],
    ],
    ids=lambda words: words[0],
)
@pytest.mark.parametrize("linked", [False, True], ids=["file", "link"])
def test_read_only_file_is_not_replaced(tmp_path, words, linked):
    (tmp_path / "trees.conllu").write_bytes(
        Path(corefkit.__file__).parent.joinpath("example/trees.conllu").read_bytes()
    )
    out = tmp_path / ("real" if linked else "out.jsonl")
    out.write_text("old")
    out.chmod(0o444)
    if linked:
        (tmp_path / "out.jsonl").symlink_to("real")
    code, said = run(*words, cwd=tmp_path)
    assert code == 1
    assert "is read-only" in said
    assert (out.read_text(), rights(out)) == ("old", 0o444)


def test_read_only_file_in_a_folder_keeps_all_others_too(tmp_path):
    assert run("convert", KEY, "out", "--to", "brat", cwd=tmp_path)[0] == 0
    files = sorted((tmp_path / "out").iterdir())
    for file in files:
        file.write_text("old")
    files[-1].chmod(0o444)
    code, said = run("convert", KEY, "out", "--to", "brat", cwd=tmp_path)
    assert code == 1
    assert f"{files[-1].name}: is read-only" in said
    assert {file.read_text() for file in files} == {"old"}


def test_link_that_leads_in_a_circle_is_refused(tmp_path):
    (tmp_path / "out.jsonl").symlink_to("out.jsonl")
    code, said = run("convert", KEY, "out.jsonl", cwd=tmp_path)
    assert code == 1
    assert "is a circular link" in said


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_command_that_is_stopped_leaves_nothing_behind(tmp_path, name):
    number = getattr(signal, name)
    process = subprocess.Popen(
        [*COMMAND, "convert", "-", "out.jsonl"],
        env=ENVIRONMENT,
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # Tests that run in the background are started with some signals ignored.
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),
    )
    # It waits for the rest of its input, beside its place to write to.
    process.stdin.write(Path(KEY).read_bytes())
    process.stdin.flush()
    deadline = time.monotonic() + 60
    while not list(tmp_path.glob(".corefkit-*")) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert list(tmp_path.glob(".corefkit-*"))
    process.send_signal(number)
    _, said = process.communicate(timeout=60)
    assert (process.returncode, said) == (128 + number, b"")
    assert list(tmp_path.iterdir()) == []


def test_hang_up_that_is_ignored_stays_ignored(tmp_path):
    process = subprocess.Popen(
        [*COMMAND, "convert", "-", "out.jsonl"],
        env=ENVIRONMENT,
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),
    )
    process.stdin.write(Path(KEY).read_bytes())
    process.stdin.flush()
    process.send_signal(signal.SIGHUP)
    process.communicate(timeout=60)
    assert process.returncode == 0
    assert [path.name for path in tmp_path.iterdir()] == ["out.jsonl"]


def rights(path):
    return stat.S_IMODE(path.stat().st_mode)
