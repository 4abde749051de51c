"""Files broken at random: refused in words, or scored; never a defect."""

from __future__ import annotations

import contextlib
import io
import tempfile
from pathlib import Path

import pytest
from files import json_line
from hypothesis import given, note, settings
from hypothesis import strategies as st

import corefkit
from corefkit.cli import main
from corefkit.example import paths

KEY, CAREFUL, _ = paths()
DOCUMENTS = list(corefkit.read(KEY))[:2]
CONLL = b"".join(CAREFUL.read_bytes().partition(b"#end document\n")[:2])
JSONL = "".join(
    json_line(
        document.id,
        document.tokens,
        [[list(mention) for mention in entity] for entity in document],
    )
    for document in DOCUMENTS
).encode()

# Bytes that mean something in one of the formats, and some that mean nothing anywhere.
BYTES = [b"(", b")", b"|", b"-", b"0", b"7", b"\t", b" ", b"\n", b"\r", b"#", b"\\", b'"']
BYTES += [b"[", b"]", b"{", b"}", b",", b":", b"", b"\0", b"\x1c", b"\xff", b"\xef\xbb\xbf"]
BYTES += [b"\n\n", b"#end document\n", b"#begin document (x);\n", b"null", b"1e9", b"\xc3"]
PATIENT = settings(max_examples=200)


@st.composite
def mutated(draw, content):
    """Replace some stretches of a file; short ones mostly, now and then a long one."""
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(content)))
        length = draw(st.sampled_from([0, 1, 1, 2, 5, 40, 4000]))
        new = draw(st.sampled_from(BYTES) | st.binary(max_size=3))
        content = content[:start] + new + content[start + length :]
    return content


def run(*words):
    streams = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(streams[0]), contextlib.redirect_stderr(streams[1]):
        code = main(list(words))
    return code, *(stream.getvalue() for stream in streams)


def check(content, folder, *options):
    """Score and validate a file on both sides."""
    path = Path(folder, "file")
    path.write_bytes(content)
    note(content)
    for words in (
        ("score", str(KEY), str(path), *options),
        ("score", str(path), str(CAREFUL), *options),
        ("score", str(path), str(path), *options),
        ("validate", str(path)),
        ("explain", str(path), str(path), "--metric", "muc"),
    ):
        code, out, err = run(*words)
        assert code in (0, 1), (words, err)
        assert "defect" not in err, (words, err)
        assert "Traceback" not in err, (words, err)
        if code == 1 and words[0] == "score":
            assert out == ""
            assert str(path) in err
            if "--preset" not in words:
                assert "as the reference scorer reads" not in err
    return run("score", str(path), str(path))[0], run("validate", str(path))


@pytest.mark.parametrize("options", [(), ("--preset", "conll2012")], ids=["", "conll2012"])
@given(data=st.data())
@PATIENT
def test_mutated_conll_is_scored_or_refused(data, options):
    content = data.draw(mutated(CONLL))
    with tempfile.TemporaryDirectory() as folder:
        check(content, folder, *options)


@given(data=st.data())
@PATIENT
def test_mutated_json_lines_are_scored_or_refused(data):
    content = data.draw(mutated(JSONL))
    with tempfile.TemporaryDirectory() as folder:
        check(content, folder)


@pytest.mark.parametrize("original", [CONLL, JSONL], ids=["conll", "jsonl"])
@given(data=st.data())
def test_validate_agrees_with_score(data, original):
    content = data.draw(mutated(original))
    with tempfile.TemporaryDirectory() as folder:
        score_code, (validate_code, out, _) = check(content, folder)
    # Repeated mentions are scored by the policy; everything else is refused.
    fatal = [
        line
        for line in out.splitlines()
        if line.startswith("/") and "stands in entity" not in line
    ]
    assert (score_code == 1) == (validate_code == 1 and len(fatal) > int("ok" in out))
