"""Files broken at random: refused in words, or scored; never a defect."""

from __future__ import annotations

import contextlib
import io
import tempfile
from pathlib import Path

import pytest
from files import conll, json_line
from hypothesis import given, note, settings
from hypothesis import strategies as st

from corefkit import validate
from corefkit.cli import main

ORIGINALS = {
    "conll": conll("(1 1)|(2) - / (2|(1) - 2)", name="(a);")
    + conll("(1) (1)", name="(b);"),
    "jsonl": json_line("a", ["The", "cat", "é"], [[[0, 1], [2, 2]], [[0, 0]]])
    + json_line("b", ["It", "sat"], [[[0, 0], [1, 1]]]),
}
# Bytes that mean something in one of the formats, and some that mean nothing anywhere.
BYTES = [
    b"(",
    b")",
    b"|",
    b"-",
    b"0",
    b"7",
    b"\t",
    b" ",
    b"\n",
    b"\r",
    b"#",
    b"\\",
    b'"',
]
BYTES += [
    b"[",
    b"]",
    b"{",
    b"}",
    b",",
    b":",
    b"",
    b"\0",
    b"\x1c",
    b"\xff",
    b"\xef\xbb\xbf",
]
BYTES += [
    b"\n\n",
    b"#end document\n",
    b"#begin document (x);\n",
    b"null",
    b"1e9",
    b"\xc3",
]

each_original = pytest.mark.parametrize("original", ORIGINALS)
options = pytest.mark.parametrize(
    "options", [(), ("--preset=conll2012",)], ids=["", "conll2012"]
)


@st.composite
def mutated(draw, name):
    """Replace some stretches of a file; short ones mostly, now and then a long one."""
    content = ORIGINALS[name].encode()
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(content)))
        length = draw(st.sampled_from([0, 1, 1, 2, 5, 40]))
        new = draw(st.sampled_from(BYTES) | st.binary(max_size=3))
        content = content[:start] + new + content[start + length :]
    note(content)
    return content


@contextlib.contextmanager
def files(name, content):
    """Write the original and a mutation of it."""
    with tempfile.TemporaryDirectory() as folder:
        original, mutation = Path(folder, "original"), Path(folder, "mutation")
        original.write_text(ORIGINALS[name])
        mutation.write_bytes(content)
        yield str(original), str(mutation)


def run(*words):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(words)
    return code, out.getvalue(), err.getvalue()


def check(words, mutation):
    """Run a command that must work or say what is wrong with the mutation."""
    code, out, err = run(*words)
    assert code in (0, 1), err
    assert "defect" not in err
    if code:
        assert out == ""
        assert mutation in err
    return err


@options
@each_original
@given(data=st.data())
@settings(max_examples=100)
@pytest.mark.slow
def test_mutation_is_scored_or_refused(data, original, options):
    with files(original, data.draw(mutated(original))) as (key, mutation):
        messages = [
            check(("score", *sides, *options), mutation)
            for sides in ((key, mutation), (mutation, key), (mutation, mutation))
        ]
    if not options:
        # The plain reader must see what the reader of blocks has stumbled over.
        assert not any(
            "as the reference scorer reads" in message for message in messages
        )


@each_original
@given(data=st.data())
def test_validate_finds_what_scoring_refuses(data, original):
    with files(original, data.draw(mutated(original))) as (_, mutation):
        found = {problem.severity for problem in validate(mutation)}
        refused = int("error" in found)
        assert run("score", mutation, mutation)[0] == refused
        assert run("validate", mutation)[0] == int(bool(found - {"note"}))
        assert run("validate", "--severity", "error", mutation)[0] == refused
