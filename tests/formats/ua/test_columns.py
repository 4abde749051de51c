"""Columns of Universal Anaphora files are those of their documents.

Only lines that say something of mentions become Python text.
"""

from __future__ import annotations

from functools import partial

import pytest
from formats import drawn
from formats.plain import check_columns
from hypothesis import given
from hypothesis import strategies as st

import corefkit
from corefkit.formats import files as bytefile
from corefkit.formats import ua
from corefkit.formats import ua as columns
from corefkit.formats.files import ByteFile
from corefkit.formats.ua import READER, WRITER

check = partial(check_columns, ua)
A, B = "(EntityID=1|MarkableID=a", "(EntityID=2|MarkableID=b"


def row(number, word, identity="_", *others):
    """Write a token line; `others` are the columns behind that of identity."""
    return "\t".join([str(number), word, *["_"] * 8, identity, *others]) + "\n"


def body(*cells):
    """Write a sentence from its identity cells."""
    return "".join(row(number, f"w{number}", cell) for number, cell in enumerate(cells))


def corpus(*bodies):
    return WRITER.header + "".join(
        f"# newdoc id = d{number}\n# sent_id = 1\n{text}\n"
        for number, text in enumerate(bodies)
    )


PLAIN = (
    row(1, "Ann", f"{A}|Min=1|SemType=dn)", "_", "_", "_", "_")
    + row(2, "saw")
    + row(3, "the", f"{B}|Min=3,4")
    + row(4, "sea", ")")
    + "\n"
    + row(5, "She", "(EntityID=1|MarkableID=c)")
)
RICH = (
    row(1, "the", B)
    + row(2, "sea", ")", "(MarkableID=b|Rel=of|EntityAnchor=1)")
    + row(3, "and", "(EntityID=1|MarkableID=a|ElementOf=3")
    + row(4, "its")
    + row(5, "sand", f"a){B.replace('=b', '=e')}-Pseudo)".replace("-Pseudo", ""))
    + row(6, "they", "(EntityID=3|MarkableID=d)(EntityID=4-Pseudo|MarkableID=p)")
    + row(7, "gap", A + "|Min=3)")
)


@pytest.fixture
def file(tmp_path):
    def write(text):
        path = tmp_path / "a.ua"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(corpus(PLAIN), id="plain"),
        pytest.param(corpus(RICH), id="bridges, splits, gaps, not referring"),
        pytest.param(corpus(PLAIN, RICH, "", PLAIN), id="several, one empty"),
        pytest.param(PLAIN, id="no header, no name"),
        pytest.param(corpus(PLAIN).replace("\n", "\r\n"), id="line ends of Windows"),
        pytest.param(corpus(PLAIN.replace("\t", "  ")), id="blanks"),
        pytest.param(corpus(PLAIN.replace("saw", "sähe")), id="letters beyond ASCII"),
        pytest.param(corpus(PLAIN.replace("saw", "_")), id="a word is unknown"),
        pytest.param(corpus(body("_", f"{A})").replace("w", "_")), id="other words"),
        pytest.param(
            corpus("".join(row(n, "_", c) for n, c in enumerate(["_", f"{A})"]))),
            id="words are unknown",
        ),
        pytest.param(corpus(PLAIN + row("5.1", "zero", f"{B})")), id="empty node"),
        pytest.param(corpus(PLAIN + row("6-7", "two")), id="line that is no token"),
        pytest.param(corpus(PLAIN + row("x", "w")), id="no number"),
        pytest.param(corpus(PLAIN + "6\tw\t_\n"), id="columns are missing"),
        pytest.param(corpus(body(f"{A}|Min=9)", "_")), id="minimum outside"),
        pytest.param(corpus(body(f"{A}|Min=x)", "_")), id="no minimum"),
        pytest.param(corpus(body(f"{A}|ElementOf=9)", "_")), id="part of nothing"),
        pytest.param(corpus(body("(EntityID=%28x%29)", "_")), id="escapes"),
        pytest.param(corpus(body(f"{A}@{B}", "a)", "b)")), id="crossing"),
        pytest.param(
            corpus(
                body(f"{A})", f"{B})")
                + row(3, "of", "_", "(MarkableID=b|Rel=of|EntityAnchor=1)")
            ),
            id="a bridge at no bracket",
        ),
        pytest.param(corpus(body(A, "_")), id="left open"),
        pytest.param(corpus(body("_", "a)")), id="never opened"),
        pytest.param(corpus(body("(MarkableID=a)")), id="no entity"),
        pytest.param(corpus(body("x")), id="no bracket"),
        pytest.param(corpus(PLAIN, body(A), RICH), id="broken in the middle"),
    ],
)
def test_columns_are_those_of_documents(text, file):
    check(file(text))


def test_what_is_no_utf8_is_refused_alike(file):
    check(file(corpus(PLAIN.replace("saw", "sähe")).encode("latin-1")))


def test_documents_come_in_any_order(file):
    path = file(corpus(PLAIN, RICH, PLAIN + row("5.1", "zero"), PLAIN))
    for numbers in ([3, 0], [2, 1, 0], [1], []):
        check(path, numbers)


@given(
    drawn.damaged(corpus(PLAIN, RICH), b"()|=0123456789\t\n #_-@,%.ab\xff\0"),
    st.integers(1, 200),
)
def test_damaged_files_are_read_or_refused_alike(tmp_path_factory, content, block):
    path = tmp_path_factory.mktemp("damaged") / "a.ua"
    path.write_bytes(content)
    with pytest.MonkeyPatch.context() as patch:
        check(path)
        patch.setattr(bytefile, "BLOCK", block)
        check(path)


@pytest.mark.parametrize("block", [1, 300, bytefile.BLOCK])
def test_only_lines_with_cells_become_text(file, monkeypatch, block):
    def refuse(*_):
        message = "a plain document is read line by line"
        raise AssertionError(message)

    made, token = [], columns.Token
    monkeypatch.setattr(ua, "_tokens", refuse)
    monkeypatch.setattr(bytefile, "BLOCK", block)
    monkeypatch.setattr(
        columns, "Token", lambda *values: made.append(values) or token(*values)
    )
    silent = "".join(row(number, f"w{number}") for number in range(6, 200))
    path = file(corpus(PLAIN + silent, RICH))
    result = corefkit.score(path, path, metrics=["mentions"])
    assert result["mentions"].f1 == 1
    assert len(made) == 2 * (4 + 6)


def test_one_odd_document_leaves_the_others_plain(file, monkeypatch):
    tokens, read = ua._tokens, []

    def counted(file, extent, faults):
        read.append(extent.id)
        return tokens(file, extent, faults)

    monkeypatch.setattr(ua, "_tokens", counted)
    path = file(corpus(PLAIN, PLAIN + row("5.1", "zero"), PLAIN))
    with ByteFile(path) as opened:
        READER.open(opened, False, False).read_columns([0, 1, 2])
    assert read == ["d1"]
