"""SemEval-2010 read by the kernel, compared with the reader in Python."""

from __future__ import annotations

import pytest
from formats import drawn
from formats.kernel_comparison import assert_read_alike, list_skipped, needs_kernel
from formats.reading import DATA, needs_data
from hypothesis import given
from hypothesis import strategies as st

from corefkit.formats import semeval
from corefkit.formats.files import ByteFile

pytestmark = needs_kernel


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


PLAIN = {
    "words": corpus(WORDED),
    "no words": corpus(WORDLESS),
    "from 0, ids with leading zeros": corpus(FROM_0),
    "several, one empty": corpus(WORDED, "", WORDLESS, FROM_0),
    "carriage returns": corpus(WORDED).replace("\n", "\r\n"),
    "comments": corpus(f"# note\n{WORDED}#2\n  # x\n"),
    "blanks": corpus(WORDED.replace("\t", "  ")),
    "letters beyond ASCII": corpus(WORDED.replace("saw", "sähe")),
    "long word": corpus(WORDED.replace("saw", "s" * 900)),
    "nested mentions of an entity": corpus("1\ta\t(1(1\n2\tb\t1)\n3\tc\t1)\n"),
    "crossing": corpus("1\ta\t(1|(2\n2\tb\t1)\n3\tc\t2)\n"),
    "bars alone": corpus("1\ta\t(1)\n2\tb\t|\n"),
    "repeated": corpus("1\ta\t(1)|(2)(1)\n"),
    "marks after blanks": corpus(WORDED).replace("#", " \t# "),
    "no id": corpus(WORDED).replace(" d0", ""),
    "id between blanks": corpus(WORDED).replace("document d0", "document \v d0 \t"),
    "no line end at the end": corpus(WORDED).rstrip(),
}
SKIPPED = {
    "long id": "1\ta\t(123456789012345678901)\n",
    "ids of GUM": "0\tAnn\t(person-7-Ada)\n1\t.\t_\n",
    "ids with letters": "1\ta\t(x\n2\tb\tx)\n",
    "starts at 2": "2\ta\t(1)\n",
    "missing number": "1\ta\t_\n3\tb\t_\n",
    "number with a leading zero": "1\ta\t_\n02\tb\t_\n",
    "not a number": "1\ta\t_\n2x\tb\t_\n",
    "large number": "1\ta\t_\n1234567890\tb\t_\n",
    "one column": "1\ta\t_\n2\n",
    "one column throughout": "1\n2\n",
    "some words": "1\ta\t_\n2\t_\n",
    "some words, later": "1\t_\n2\ta\t_\n",
    "left open": "1\ta\t(1\n",
    "never opened": "1\ta\t1)\n",
    "not a bracket": "1\ta\t((1)\n",
    "not UTF-8": "1\t\udcff\t_\n",
    "comment that is not UTF-8": "# \udcff\n1\ta\t_\n",
}
OTHER = {
    "document in a document": corpus(WORDED + "#begin document x\n"),
    "no end": corpus(WORDED).removesuffix("#end document d0\n"),
    "token outside": WORDED + corpus(WORDED),
    "longer marks": corpus(WORDED).replace("document", "documents"),
}


def write(folder, text):
    path = folder / "a.semeval"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    return path


@pytest.mark.parametrize("text", PLAIN.values(), ids=PLAIN)
def test_plain_documents_are_read_by_the_kernel(tmp_path, text):
    path = write(tmp_path, text)
    assert list_skipped(path, "semeval") == []
    assert_read_alike(path, "semeval")


@pytest.mark.parametrize("body", SKIPPED.values(), ids=SKIPPED)
def test_single_documents_are_left_to_python(tmp_path, body):
    path = write(tmp_path, corpus(WORDED, body, WORDLESS))
    assert list_skipped(path, "semeval") == [1]
    assert_read_alike(path, "semeval")


def test_header_that_is_not_utf8_is_left_to_python(tmp_path):
    path = write(tmp_path, corpus(WORDED).replace(" d0", " \udcff"))
    assert list_skipped(path, "semeval") == [0]
    assert_read_alike(path, "semeval")


@pytest.mark.parametrize("text", OTHER.values(), ids=OTHER)
def test_errors_outside_documents_are_the_same(tmp_path, text):
    assert_read_alike(write(tmp_path, text), "semeval")


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


@given(st.lists(bodies(), min_size=1, max_size=4))
def test_drawn_files_are_read_alike(tmp_path_factory, texts):
    path = write(tmp_path_factory.mktemp("drawn"), corpus(*texts))
    assert_read_alike(path, "semeval")


@given(drawn.damaged(corpus(WORDED, FROM_0, WORDLESS), b"()|0123456789\t\n #_-ab\xff"))
def test_damaged_files_are_read_alike(tmp_path_factory, content):
    path = tmp_path_factory.mktemp("damaged") / "a.semeval"
    path.write_bytes(content)
    assert_read_alike(path, "semeval")


@needs_data
@pytest.mark.slow
def test_samples_are_read_alike():
    count = 0
    for path in sorted((DATA / "semeval2010-en-responses").rglob("*"))[-40:]:
        if not path.is_file():
            continue
        with ByteFile(path) as file:
            is_semeval = semeval.recognise(file.head)
        if is_semeval:
            assert_read_alike(path, "semeval")
            count += 1
    assert count
