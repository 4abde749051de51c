"""TSV and CSV tables by their numbered rules, and every way to break them."""

from __future__ import annotations

import gzip

import pytest
from files import conll, json_line, written
from formats import laws, reading
from formats.reading import everything, needs_samples, problems, spans
from hypothesis import given
from hypothesis import strategies as st
from raising import raises

import corefkit
from corefkit import FormatError
from corefkit.formats import detect_format, open_source, tsv
from corefkit.formats import files as bytefile
from corefkit.formats.files import BLOCK, ByteFile
from corefkit.formats.tsv import recognise

GOOD = "document\tentity\tstart\tend\nd\te\t0\t1\nd\te\t4\t4\nd\tf\t2\t2\n"


@pytest.fixture
def read(tmp_path):
    def read(text):
        return list(corefkit.read(written(tmp_path / "table.tsv", text)))

    return read


@pytest.fixture
def found(tmp_path):
    def found(text, **options):
        rows = problems(written(tmp_path / "table.tsv", text), **options)
        return [(problem.line, problem.code) for problem in rows]

    return found


WAYS = reading.ways(GOOD) | {
    "CRLF, no end": GOOD.replace("\n", "\r\n").removesuffix("\r\n"),
    "line ends of both kinds": GOOD.replace("\n", "\r\n", 2),
    "blank lines": f"\n\n{GOOD}\n\n",
    "blank lines between": GOOD.replace("\n", "\n \n\n"),
    "commas": GOOD.replace("\t", ","),
    "semicolons": GOOD.replace("\t", ";"),
    "blanks in front of cells": GOOD.replace("\t", ", "),
    "quotes": GOOD.replace("d\t", '"d"\t'),
    "letters": GOOD.replace("\td", "\tD").upper().lower(),
    "gzip": gzip.compress(GOOD.encode()),
}


@pytest.mark.parametrize("text", WAYS.values(), ids=WAYS)
def test_dialects_are_equivalent(read, found, text):
    (document,) = read(text)
    assert document.id == "d"
    assert [*spans(document).items()] == [("e", [(0, 1), (4, 4)]), ("f", [(2, 2)])]
    assert found(text) == []


def test_quoted_cells_contain_any_text(read):
    header = "document,entity,mention,text\n"
    (document,) = read(header + 'd,"a,b",x,"one ""two""\nthree, "\nd,"a,b",y,é\n')
    assert document.entities[0].id == "a,b"
    assert [mention.attributes["text"] for mention in document.entities[0]] == [
        'one "two"\nthree, ',
        "é",
    ]


def test_quotes_inside_a_cell_are_kept(read):
    (document,) = read('document\tentity\tmention\nd\te\tthe 5" disk\n')
    assert document.words == ('the 5" disk',)


def test_column_without_name_is_ignored(read):
    (document,) = read(",document,entity,mention\n0,d,e,x\n")
    assert document.entities[0].mentions[0].attributes == {"mention_name": "x"}


def test_delimiter_is_detected_from_the_header(read):
    (document,) = read("document;entity;mention;a,b\nd;e;x,y;1\n")
    assert document.words == ("x,y",)


def test_line_numbers_are_correct_after_multiline_cells(found):
    text = 'document,entity,mention\nd,e,"a\nb\nc"\nd,,x\n\nd,e,"y\nz"\n,e,x\n'
    assert found(text) == [
        (5, "format/invalid-record"),
        (9, "format/invalid-record"),
    ]


@pytest.mark.parametrize(
    ("block", "large_bytes"),
    [*((size, tsv._LARGE_BYTES) for size in (1, 100, BLOCK)), (1000, 0), (BLOCK, 0)],
)
def test_result_does_not_depend_on_blocks_or_pyarrow(
    read, found, monkeypatch, block, large_bytes
):
    rows = [f"doc{n % 40}\t{n % 3}\t{n}\t{n}" for n in range(400)]
    text = "\n".join([GOOD.partition("\n")[0], *rows])
    documents = read(text)
    monkeypatch.setattr(bytefile, "BLOCK", block)
    monkeypatch.setattr(tsv, "_LARGE_BYTES", large_bytes)
    assert everything(*read(text)) == everything(*documents)
    assert sum(len(entity) for one in documents for entity in one) == len(rows)
    odd = text.replace("\t10\t10\n", "\t 10\t10\n\n")
    assert everything(*read(odd)) == everything(*documents)
    quoted = text.replace("\t10\t10\n", '\t"10"\t10\n\n')
    assert everything(*read(quoted)) == everything(*documents)
    ((line, code),) = found(text.replace(rows[-1], "doc\te\tx\t3"))
    assert (line, code) == (401, "format/invalid-span")


def test_many_rows_in_quotes_are_read_in_blocks(read, monkeypatch):
    monkeypatch.setattr(tsv, "_BLOCK_ROWS", 2)
    rows = "".join(f'"d",e,{n}\n' for n in range(5))
    (document,) = read("document,entity,mention\n" + rows)
    assert [mention.start for mention in document.entities[0]] == [0, 1, 2, 3, 4]


BROKEN = {
    "too few cells": ("d\te\t5\n", "format/wrong-columns"),
    "too many": ("d\te\t5\t5\t\n", "format/wrong-columns"),
    "other delimiter": ("d,e,5,5\n", "format/wrong-columns"),
    "open quote": ('d\te\t5\t"5\n', "format/invalid-record"),
    "closed too early": ('d\te\t5\t"5"x\n', "format/invalid-record"),
    "long cell": (f"d\t{'e' * (1 << 18)}\t5\t \t\n", "format/invalid-record"),
    "bare return": ("d\te\r\t5\t5\n", "format/invalid-record"),
    "not UTF-8": (b"d\t\xff\t5\t5\n", "format/not-utf8"),
}


@pytest.mark.parametrize(("row", "code"), BROKEN.values(), ids=BROKEN)
def test_invalid_row_is_rejected(read, found, row, code):
    row = row if isinstance(row, bytes) else row.encode()
    text = GOOD.encode() + row
    assert found(text) == [(5, code)]
    with raises(FormatError, code, place="table.tsv:5") as refused:
        read(text)
    assert refused.value.hint


def test_rows_after_an_invalid_row_are_checked(found):
    assert [line for line, _ in found(GOOD + "d\nd\te\tx\t5\n\nd\te\t9\t5\n")] == [
        5,
        6,
        8,
    ]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("d\te\t0\t1\n", "format/invalid-header"),
        ("document\tstart\tend\nd\t0\t1\n", "format/invalid-header"),
        ("just text\n", "format/invalid-header"),
        (b"\xff\tentity\tmention\n", "format/not-utf8"),
        ("", "format/invalid-header"),
    ],
)
def test_file_without_header_is_rejected(found, tmp_path, text, code):
    assert found(text, format="tsv")[0] == (1, code)
    path = written(tmp_path / "file", text)
    with raises(FormatError, code, place="file:1"):
        open_source(path, format="tsv")


def test_header_alone_has_no_document(read, found):
    with raises(FormatError, "format/no-document", place="table.tsv"):
        read("document\tentity\tmention\n")
    code = "format/no-document"
    assert found("document\tentity\tmention\n") == [(None, code)]


class TestRecognise:
    @pytest.mark.parametrize(
        "head",
        [
            b"document\tentity\tmention\n",
            b"doc_id,start,end,cluster_id\n",
            b"Doc;Entity;Mention\r\nx",
            b'"document","entity","mention"',
            b"\r\n\ndocument,entity,mention,more",
            b"\tdocument\tentity\tmention\n0\t",
        ],
    )
    def test_own_files_are_recognised(self, head):
        assert recognise(head)

    @pytest.mark.parametrize(
        "head",
        [
            b"",
            b"\n",
            b"document entity mention\n",
            b"document\tentity\n",
            b'"document\tentity\tmention\n',
            b"PAR1\0\0",
            b"\xff\xfe\0d",
            b"ID\tText\tPronoun\n",
            conll("(1)").encode(),
            json_line("document, entity, mention", "ab", []).encode(),
        ],
    )
    def test_other_files_are_not_recognised(self, head):
        assert not recognise(head)

    @given(st.binary(max_size=200))
    def test_recognition_never_fails(self, head):
        recognise(head)
        recognise(b"document\tentity\tmention" + head)

    @needs_samples
    def test_samples_of_other_formats_are_not_recognised(self):
        assert reading.recognised_samples(recognise) == []

    def test_open_source_uses_recognition(self, tmp_path):
        with ByteFile(written(tmp_path / "x", GOOD)) as file:
            assert detect_format(file).name == "tsv"


def test_writer_writes_a_header():
    first = "document\tentity\tstart\tend\tgaps\thead\ttype\tmention_type\tmention_name"
    assert tsv.WRITER.header == f"{first}\tattributes\n"
    assert recognise(tsv.WRITER.header.encode())


def cut_off(content):
    return [content[:length] for length in range(len(content))]


def check(content):
    """Read and check a file whose format is found, and the same by its name."""
    for name in (None, "tsv"):
        laws.check_survives(name, {"file": content})


class TestAnyBytes:
    QUOTED = (
        'document,entity,start,end,head,gaps,text\n"d",e,0,5,1,2-3,"a\nb"\n'
        'd,"f ""g""",3,3,,,\né,e,1,1,,,x\n'
    )

    @pytest.mark.parametrize("good", [GOOD, QUOTED], ids=["plain", "quoted"])
    def test_truncated_file_is_read_or_rejected(self, good):
        for part in cut_off(good.encode()):
            check(part)

    @given(content=st.binary(max_size=100))
    def test_random_bytes_are_read_or_rejected(self, content):
        check(content)
        check(b"document,entity,mention\n" + content)
        check(b"document\tentity\tstart\tend\tgaps\thead\n" + content)

    @given(
        good=st.sampled_from([GOOD.encode(), QUOTED.encode()]),
        changes=st.lists(
            st.tuples(st.integers(0, 200), st.integers(0, 2), st.binary(max_size=3)),
            max_size=4,
        ),
    )
    def test_mutated_files_are_read_or_rejected(self, good, changes):
        for place, cut, put in changes:
            good = good[:place] + put + good[place + cut :]
        check(good)

    @given(text=st.text('abd01-;\t\n\r" ,', max_size=60))
    def test_rows_are_read_again_unchanged(self, text, tmp_path_factory):
        path = tmp_path_factory.getbasetemp() / "again"
        path.write_text("document\tentity\tmention\n" + text, "utf-8", newline="")
        try:
            documents = list(corefkit.read(path))
        except FormatError:
            return
        assert all(one.entities or not one.sentences for one in documents)
        assert corefkit.score(path, path)["mentions"].f1 in (0, 1)
