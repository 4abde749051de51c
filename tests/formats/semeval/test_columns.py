"""Columns of SemEval-2010 are those of its documents, and are read without objects."""

from __future__ import annotations

from functools import partial

import pytest
from formats import drawn
from formats.plain import check_columns
from hypothesis import given
from hypothesis import strategies as st
from shared_files import DATA

import corefkit
from corefkit.formats import files as bytefile
from corefkit.formats import semeval
from corefkit.formats.files import ByteFile
from corefkit.formats.semeval import READER

SAMPLES = [
    path
    for folder in ("semeval2010-en-responses", "formats")
    for path in sorted((DATA / folder).rglob("*"))[-40:]
    if path.is_file()
]


check = partial(check_columns, semeval)


def corpus(*bodies):
    return "".join(
        f"#begin document d{number}\n{body}#end document d{number}\n"
        for number, body in enumerate(bodies)
    )


WORDED = "1\tAnn\t(7\n2\tsaw\t_\n3\ther\t(8)7)\n4\tBob\t(9)\n\n1\tHe\t(9)\n"
WORDLESS = "1\t(3\n2\t(3)\n3\t3)\n"
FROM_0 = "0\tAnn\t(007)\n1\tleft\t_\n\n2\tshe\t(7)\n0\tYes\t-\n"


@pytest.fixture
def file(tmp_path):
    def write(text, *, encoding="utf-8"):
        path = tmp_path / "a.semeval"
        path.write_bytes(text if isinstance(text, bytes) else text.encode(encoding))
        return path

    return write


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(corpus(WORDED), id="words"),
        pytest.param(corpus(WORDLESS), id="no words"),
        pytest.param(corpus(FROM_0), id="from 0, zeros in front of ids"),
        pytest.param(corpus(WORDED, "", WORDLESS, FROM_0), id="several, one empty"),
        pytest.param(corpus(WORDED).replace("\n", "\r\n"), id="line ends of Windows"),
        pytest.param(corpus(f"# note\n{WORDED}#2\n"), id="comments"),
        pytest.param(corpus(WORDED.replace("\t", "  ")), id="blanks"),
        pytest.param(corpus(WORDED.replace("saw", "sähe")), id="letters beyond ASCII"),
        pytest.param(corpus(WORDED.replace("saw", "s" * 900)), id="long word"),
        pytest.param(corpus("1\ta\t(123456789012345678901)\n"), id="long id"),
        pytest.param(corpus("0\tAnn\t(person-7-Ada)\n1\t.\t_\n"), id="GUM"),
        pytest.param(corpus("1\ta\t(x\n2\tb\tx)\n", WORDED), id="ids with letters"),
        pytest.param(corpus("1\ta\t(1(1\n2\tb\t1)\n3\tc\t1)\n"), id="nested alike"),
        pytest.param(corpus("1\ta\t(1|(2\n2\tb\t1)\n3\tc\t2)\n"), id="crossing"),
        pytest.param(corpus("1\ta\t(1)\n2\tb\t|\n"), id="bars alone"),
        pytest.param(corpus("1\ta\t(1)|(2)(1)\n"), id="repeated"),
        pytest.param(corpus("2\ta\t(1)\n"), id="starts at 2"),
        pytest.param(corpus("1\ta\t_\n3\tb\t_\n"), id="a number is missing"),
        pytest.param(corpus("1\ta\t_\n02\tb\t_\n"), id="a zero in front of a number"),
        pytest.param(corpus("1\ta\t_\n2x\tb\t_\n"), id="no number"),
        pytest.param(corpus("1\ta\t_\n2\n"), id="one column"),
        pytest.param(corpus("1\n2\n"), id="one column throughout"),
        pytest.param(corpus("1\ta\t_\n2\t_\n"), id="some words"),
        pytest.param(corpus("1\t_\n2\ta\t_\n"), id="some words, later"),
        pytest.param(corpus("1\ta\t(1\n"), id="left open"),
        pytest.param(corpus("1\ta\t1)\n"), id="never opened"),
        pytest.param(corpus("1\ta\t((1)\n"), id="no bracket"),
        pytest.param(corpus(WORDED, "1\ta\t(1\n"), id="sound, then broken"),
        pytest.param(corpus("1\ta\t_\n1234567890\tb\t_\n"), id="large number"),
    ],
)
def test_columns_are_those_of_documents(text, file):
    check(file(text))


def test_what_is_no_utf8_is_refused_alike(file):
    check(file(corpus(WORDED.replace("saw", "sähe")).encode("latin-1")))


def test_documents_come_in_any_order(file):
    path = file(corpus(WORDED, WORDLESS, "1\ta\t(x)\n", FROM_0))
    for numbers in ([3, 0], [2, 1, 0], [1], []):
        check(path, numbers)


WORDS = st.sampled_from(["a", "Ann", "é", "x" * 20, "(1)", "_"])
CELLS = st.sampled_from(
    [
        *("_", "_", "-", "*", "(1", "1)", "(1)", "(2", "2)", "(1|(2", "2)|1)"),
        *("(01)", "(1(1)1)", "|", "(x)", "1", "(1)2"),
    ]
)
NUMBERS = st.sampled_from([*["next"] * 12, "again", "0", "1", "x", "01"])
GAPS = st.sampled_from([*[""] * 6, "\n", "# note\n", " \n"])


@st.composite
def bodies(draw):
    columns = draw(st.sampled_from([2, 3, 3, 3, 4, 19]))
    number, lines = draw(st.sampled_from([1, 1, 0])), []
    first = number
    for _ in range(draw(st.integers(0, 8))):
        how = draw(NUMBERS)
        number = {"next": number, "again": first}.get(how, how)
        fields = [str(number), draw(WORDS), *["_"] * 17][: columns - 1]
        lines.append("\t".join([*fields, draw(CELLS)]) + "\n" + draw(GAPS))
        number = number + 1 if isinstance(number, int) else first
    return "".join(lines)


@given(st.lists(bodies(), min_size=1, max_size=4), st.integers(1, 60))
def test_whatever_documents_say_columns_say(tmp_path_factory, texts, block):
    path = tmp_path_factory.mktemp("drawn") / "a.semeval"
    path.write_text(corpus(*texts), "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        check(path)
        patch.setattr(bytefile, "BLOCK", block)
        check(path)


@given(drawn.damaged(corpus(WORDED, FROM_0, WORDLESS), b"()|0123456789\t\n #_-ab\xff"))
def test_damaged_files_are_read_or_refused_alike(tmp_path_factory, content):
    path = tmp_path_factory.mktemp("damaged") / "a.semeval"
    path.write_bytes(content)
    check(path)


@pytest.mark.parametrize("block", [1, 40, bytefile.BLOCK])
def test_plain_documents_are_read_without_objects(file, monkeypatch, block):
    def refuse(*_):
        message = "a plain document is read line by line"
        raise AssertionError(message)

    monkeypatch.setattr(semeval, "_tokens", refuse)
    monkeypatch.setattr(bytefile, "BLOCK", block)
    path = file(corpus(WORDED, WORDLESS, FROM_0))
    result = corefkit.score(path, path, metrics=["mentions"])
    assert result["mentions"].recall_denominator == 8


def test_one_odd_document_leaves_the_others_plain(file, monkeypatch):
    tokens, read = semeval._tokens, []

    def counted(file, extent, faults):
        read.append(extent.id)
        return tokens(file, extent, faults)

    monkeypatch.setattr(semeval, "_tokens", counted)
    path = file(corpus(WORDED, "1\ta\t(x)\n", WORDLESS))
    with ByteFile(path) as opened:
        READER.open(opened, False, False).read_columns([0, 1, 2])
    assert read == ["d1"]


@pytest.mark.skipif(not SAMPLES, reason="needs shared/data")
@pytest.mark.slow
def test_columns_of_real_files_are_those_of_their_documents():
    tried = 0
    for path in SAMPLES:
        with ByteFile(path) as file:
            known = semeval.recognise(file.head)
        if known:
            check(path)
            tried += 1
    assert tried
