"""Parquet tables: every kind of column, and files that are none."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from decimal import Decimal

import pytest
from files import json_line, written
from formats import laws
from formats.reading import problems, spans
from hypothesis import given
from hypothesis import strategies as st
from raising import raises

import corefkit
from corefkit import Document, Entity, FormatError, Mention
from corefkit.formats import detect_format, open_source
from corefkit.formats import frames as parquet
from corefkit.formats.files import ByteFile
from corefkit.formats.frames import convert_arrow_errors, recognise
from corefkit.formats.output import write

pa = pytest.importorskip("pyarrow", reason="Parquet needs pyarrow")
pq = pytest.importorskip("pyarrow.parquet", reason="Parquet needs pyarrow")

ROWS = {"document": ["d"] * 3, "entity": ["e", "e", "f"], "mention": ["1-2", "4", "x"]}


def packed(columns, **options):
    """Write columns as a Parquet file, in memory."""
    out = io.BytesIO()
    pq.write_table(pa.table(columns), out, **options)
    return out.getvalue()


@pytest.fixture
def read(tmp_path):
    def read(columns, **options):
        path = written(tmp_path / "table.parquet", packed(columns, **options))
        return list(corefkit.read(path))

    return read


@pytest.fixture
def found(tmp_path):
    def found(columns):
        rows = problems(written(tmp_path / "table.parquet", packed(columns)))
        return [(problem.line, problem.code) for problem in rows]

    return found


@pytest.mark.parametrize(
    "kind",
    [
        pa.int8(),
        pa.int64(),
        pa.uint64(),
        pa.float32(),
        pa.float64(),
        pa.string(),
        pa.large_string(),
        pa.string_view(),
        pa.dictionary(pa.int8(), pa.int64()),
        pa.decimal128(5, 0),
    ],
    ids=str,
)
def test_numbers_of_any_type_are_read(read, kind):
    if kind == pa.string_view() and int(pa.__version__.partition(".")[0]) < 21:
        pytest.skip("this pyarrow writes no string_view to Parquet")

    def column(*values):
        if kind.id == pa.dictionary(pa.int8(), pa.int64()).id:
            return pa.array(values, kind.value_type).dictionary_encode()
        if "string" in str(kind):
            return pa.array(list(map(str, values)), kind)
        if "decimal" in str(kind):
            return pa.array([Decimal(value) for value in values], kind)
        return pa.array(values).cast(kind)

    columns = {
        "document": column(7, 7, 8, 7),
        "entity": column(1, 2, 1, 1),
        "start": column(0, 3, 5, 9),
        "end": column(1, 3, 6, 9),
    }
    one, other = read(columns)
    assert (one.id, spans(one)) == ("7", {"1": [(0, 1), (9, 9)], "2": [(3, 3)]})
    assert (other.id, spans(other)) == ("8", {"1": [(5, 6)]})


@pytest.mark.parametrize(
    "kind", [pa.int64(), pa.uint16(), pa.float64(), pa.string()], ids=str
)
def test_missing_values_of_any_type_are_read(found, kind):
    numbers = pa.array([None, 0, 0, 0]).cast(kind)
    columns = {
        "document": pa.array([0, None, 0, 0]).cast(kind),
        "entity": pa.array([0, 0, None, 0]).cast(kind),
        "start": numbers,
        "end": pa.array([0, 0, 0, 0]).cast(kind),
    }
    assert found(columns) == [
        (1, "format/invalid-span"),
        (2, "format/invalid-record"),
        (3, "format/invalid-record"),
    ]


def test_column_of_nulls_is_ignored(read):
    columns = ROWS | {"head": pa.nulls(3), "type": pa.nulls(3, pa.string())}
    (document,) = read(columns)
    assert document.words == ("1-2", "4", "x")


def test_attributes_of_any_type_are_formatted(read):
    columns = ROWS | {"score": [0.5, 2.0, None], "list": [[1], None, []]}
    (document,) = read(columns)
    found = [
        {name: value for name, value in mention.attributes.items() if name in columns}
        for entity in document
        for mention in entity
    ]
    assert found == [{"score": "0.5", "list": "[1]"}, {"score": "2"}, {"list": "[]"}]


def test_result_does_not_depend_on_blocks(read, monkeypatch):
    count = 50
    columns = {
        "document": [f"d{n % 3}" for n in range(count)],
        "entity": [
            f"é{n % 4}" if n % 5 else f"long name {n % 4}" for n in range(count)
        ],
        "mention": list(range(count)),
    }
    expected = read(columns)
    monkeypatch.setattr(parquet, "_BLOCK_ROWS", 7)
    assert read(columns, row_group_size=10) == expected
    assert sum(len(entity) for one in expected for entity in one) == count


def test_columns_keep_the_order_of_the_file(read):
    (document,) = read(
        {"end": [2], "text": ["x"], "cluster": ["e"], "start": [1], "Doc": ["d"]}
    )
    assert (document.id, spans(document)) == ("d", {"e": [(1, 2)]})


def test_problems_give_the_row(found, read):
    columns = {
        "document": ["d", "d"],
        "entity": ["e", "e"],
        "start": [0, 5],
        "end": [0, 3],
    }
    code = "format/invalid-span"
    assert found(columns) == [(2, code)]
    with raises(FormatError, "format/invalid-span", place="table.parquet:2") as refused:
        read(columns)
    assert refused.value.place.endswith("table.parquet:2")


def test_missing_columns_are_reported(found):
    ((line, code),) = found({"document": ["d"], "cluster": ["e"]})
    assert line == 1
    assert code == "format/invalid-header"


def test_pipe_and_gzip_are_read(tmp_path):
    import gzip

    path = tmp_path / "table.gz"
    path.write_bytes(gzip.compress(packed(ROWS)))
    (document,) = corefkit.read(path)
    assert document.words == ("1-2", "4", "x")
    command = [sys.executable, "-m", "corefkit", "validate", "-"]
    done = subprocess.run(command, input=packed(ROWS), capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (0, b"-: ok\n")


def test_scores_against_json_lines(tmp_path):
    columns = {"document": ["d"] * 2, "entity": [1, 1], "start": [0, 3], "end": [1, 3]}
    table = written(tmp_path / "a", packed(columns))
    lines = written(tmp_path / "b", json_line("d", "abcd", [[[0, 1], [3, 3]]]))
    for files in ((table, lines), (lines, table)):
        scores = corefkit.score(*files).scores.values()
        assert {score.f1 for score in scores} == {1.0}


class TestRecognise:
    def test_own_files_are_recognised(self, tmp_path):
        assert recognise(packed(ROWS))
        with ByteFile(written(tmp_path / "x", packed(ROWS))) as file:
            assert detect_format(file).name == "parquet"

    @pytest.mark.parametrize("head", [b"", b"PAR", b"PARE\0", b"x PAR1", b"ARROW1"])
    def test_other_files_are_not_recognised(self, head):
        assert not recognise(head)


def test_text_that_is_not_utf8_is_rejected(read):
    broken = pa.array([b"\xff", b"a", b"b"]).view(pa.string())
    with raises(FormatError, "format/invalid-table", place="table.parquet"):
        read(ROWS | {"entity": broken})


def test_broken_attributes_are_reported_by_validation(tmp_path):
    good = packed(ROWS | {"note": ["quaint"] * 3}, use_dictionary=False)
    assert b"quaint" in good
    path = written(tmp_path / "table.parquet", good.replace(b"quaint", b"quain\xff"))
    assert corefkit.score(path, path, metrics="mentions")["mentions"].f1 == 1
    told = r"cannot be read as a table: .*(?i:utf)"
    with raises(FormatError, "format/invalid-table", place="table.parquet"):
        list(corefkit.read(path))
    (problem,) = problems(path)
    assert re.match(told, problem.message)
    assert (problem.severity, problem.kind) == ("error", "unreadable")


def test_errors_of_pyarrow_are_one_printable_line():
    broken = ValueError("unknown type: \x0f\nand more")
    with (
        raises(FormatError, "format/invalid-table", place="file") as refused,
        convert_arrow_errors("file"),
    ):
        raise broken
    assert refused.value.message.endswith(r"unknown type: \x0f")


def test_writer_supports_standard_output(tmp_path):
    code = (
        "from corefkit import Document\n"
        "from corefkit.formats.output import write\n"
        "write([Document('d', (), ())], '-', format='parquet')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    (document,) = corefkit.read(written(tmp_path / "file", done.stdout))
    assert document.id == "d"


def test_surrogates_are_escaped(tmp_path):
    path = tmp_path / "file.parquet"
    write([Document("a \ud83d", (), ())], path)
    (document,) = corefkit.read(path)
    assert document.id == r"a \ud83d"


def test_column_types_are_the_same_in_all_files(tmp_path):
    path = tmp_path / "file.parquet"
    write([Document("d", (), (Entity("e", (Mention(0, 1, head=1),)),))], path)
    kinds = {field.name: str(field.type) for field in pq.read_schema(path)}
    assert kinds.pop("start") == kinds.pop("end") == kinds.pop("head") == "int64"
    assert set(kinds.values()) == {"string"}


def test_missing_pyarrow_is_reported(tmp_path, monkeypatch):
    path = written(tmp_path / "file.parquet", packed(ROWS))
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with raises(
        FormatError, "environment/missing-package", place="file.parquet"
    ) as refused:
        open_source(path)
    assert refused.value.place == path
    assert refused.value.hint == 'install it with pip install "corefkit[tables]"'
    (problem,) = problems(path)
    assert (problem.message, problem.hint) == (
        refused.value.message,
        refused.value.hint,
    )


class TestAnyBytes:
    GOOD = packed(ROWS | {"head": [1, None, None], "other": ["a", "b", None]})

    @given(content=st.binary(max_size=50))
    def test_random_bytes_are_read_or_rejected(self, content):
        for whole in (content, b"PAR1" + content + b"PAR1"):
            laws.check_survives("parquet", {"file": whole})

    @given(
        changes=st.lists(
            st.tuples(
                st.integers(4, len(GOOD)), st.integers(0, 2), st.binary(max_size=3)
            ),
            max_size=3,
        )
    )
    def test_mutated_files_are_read_or_rejected(self, changes):
        good = self.GOOD
        for place, cut, put in changes:
            good = good[:place] + put + good[place + cut :]
        laws.check_survives("parquet", {"file": good})

    def test_truncated_file_is_rejected(self, tmp_path):
        path = written(tmp_path / "file", self.GOOD[:-20])
        with raises(FormatError, "format/invalid-table", place="file"):
            corefkit.score(path, path)


@pytest.mark.parametrize("row_group_size", [7, 100, 1 << 20])
def test_columns_with_dictionaries_are_read_like_plain_text(
    read, monkeypatch, row_group_size
):
    """Blocks of a row group share a dictionary, those of another have their own."""
    monkeypatch.setattr(parquet, "_BLOCK_ROWS", 10)
    rows = range(400)
    columns = {
        "document": [f"d{row * 7 % 5 + row // 200}" for row in rows],
        "entity": [f"e{row * 3 % 4}" for row in rows],
        "start": list(rows),
        "end": list(rows),
    }
    plain = read(columns, use_dictionary=False)
    assert read(columns, row_group_size=row_group_size) == plain
    assert [document.id for document in plain] == ["d0", "d2", "d4", "d1", "d3", "d5"]
