"""DuckDB: what it opens, and what it refuses in words."""

from __future__ import annotations

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from engines.tables import assert_same
from pyarrow import parquet
from raising import raises

import corefkit
from corefkit.engines import PLACE
from corefkit.engines.duck import DuckDB

KEY = {
    "doc": ["a", "a", "a", "b", "b", "c"],
    "cluster": ["1", "1", "2", "1", "1", "1"],
    "start": [0, 3, 5, 0, 2, 1],
    "end": [1, 3, 6, 0, 2, 1],
}
RESPONSE = {
    "doc": ["b", "b", "a", "a", "d"],
    "cluster": [9, 9, 7, 7, 1],
    "start": [0, 2, 0, 5, 0],
    "end": [0, 2, 1, 6, 0],
}


@pytest.fixture
def files(tmp_path):
    paths = tmp_path / "key.parquet", tmp_path / "response.parquet"
    for path, columns in zip(paths, (KEY, RESPONSE), strict=True):
        parquet.write_table(pa.table(columns), path)
    return [str(path) for path in paths]


def test_scores_of_files_equal_those_of_read_documents(files):
    assert_same(corefkit.score(*files), corefkit.score(*files, engine="duckdb"))


def test_first_file_takes_precedence_for_duplicate_mentions(tmp_path):
    folder = tmp_path / "parts"
    folder.mkdir()
    rows = [("a", "y", 0, 0), ("a", "x", 0, 0), ("a", "x", 2, 2), ("a", "y", 5, 5)]
    for number, part in enumerate((rows[:1], rows[1:])):
        columns = zip(*part, strict=True)
        names = ("document", "entity", "start", "end")
        made = pa.table(dict(zip(names, map(list, columns), strict=True)))
        parquet.write_table(made, folder / f"part-{number}.parquet")
    (folder / "_SUCCESS").write_text("")
    names = ("document", "entity", "start", "end")
    whole = pa.table({n: [r[at] for r in rows] for at, n in enumerate(names)})
    core = corefkit.score(whole, whole)
    for path in (folder, folder / "*.parquet"):
        found = corefkit.score(path, path, engine="duckdb")
        assert {k: v.tolist() for k, v in found.counts.items()} == {
            k: v.tolist() for k, v in core.counts.items()
        }
        assert found.notes[0].endswith("part-0.parquet:1")


@pytest.mark.parametrize(
    "made",
    [pa.table, pd.DataFrame, pl.DataFrame, pl.LazyFrame],
    ids=["arrow", "pandas", "polars", "lazy polars"],
)
def test_data_frames(made):
    key, response = made(KEY), made(RESPONSE)
    core = corefkit.score(key, response)
    assert_same(core, corefkit.score(key, response, engine="duckdb"))


def test_relations_of_a_connection(files):
    connection = duckdb.connect()
    sides = [connection.sql(f"from '{file}' where doc <> 'z'") for file in files]
    found = corefkit.score(*sides, engine="duckdb")
    core = corefkit.score(*files)
    assert found.scores == core.scores
    mixed = corefkit.score(files[0], sides[1], engine="duckdb")
    assert mixed.scores == core.scores
    with pytest.raises(corefkit.SettingsError, match="has its own limits"):
        corefkit.score(*sides, engine=DuckDB(memory="1GB"))
    other = duckdb.connect().sql("select 'a' as doc, 1 as cluster, 1 as mention")
    with pytest.raises(corefkit.SettingsError, match="relations of two connections"):
        corefkit.score(sides[0], other, engine="duckdb")


def test_documents_are_in_the_order_of_the_table_or_else_of_their_ids(tmp_path):
    # Neither order is that of the numbers of rows.
    documents = ["m", "m", "m", "z", "a", "a"]
    columns = {"document": documents, "entity": [1] * 6, "mention": [0, 1, 2] * 2}
    path = tmp_path / "key.parquet"
    parquet.write_table(pa.table(columns), path)
    ordered = corefkit.score(path, path, engine="duckdb")
    assert ordered.documents == ("m", "z", "a")
    relation = duckdb.connect().sql(f"from '{path}'")
    assert corefkit.score(relation, relation, engine="duckdb").documents == (*"amz",)


@pytest.mark.parametrize("prefix", ["", " "], ids=["same ids", "other spellings"])
def test_places_of_rows_are_not_read_to_explain_a_mismatch(monkeypatch, prefix):
    statements = []
    query = DuckDB.query

    def record(self, sql, relations):
        statements.append(sql)
        return query(self, sql, relations)

    monkeypatch.setattr(DuckDB, "query", record)
    ends = {name: [at + 1 for at in KEY[name]] for name in ("start", "end")}
    documents = [prefix + name for name in KEY["doc"]]
    shifted = pa.table({**KEY, "doc": documents, **ends})
    (warning,) = corefkit.score(pa.table(KEY), shifted, engine="duckdb").warnings
    assert "with its tokens counted from 1" in warning
    of_mentions = [sql for sql in statements if "start_at" in sql]
    assert of_mentions
    assert not [sql for sql in of_mentions if PLACE in sql]


def test_duplicate_mentions_of_rows_without_order_are_an_error():
    connection = duckdb.connect()
    rows = "select 'a' as document, unnest(['x', 'y']) as entity, 0 as mention"
    side = connection.sql(rows)
    with raises(corefkit.FormatError, "format/repeated-mention") as raised:
        corefkit.score(side, side, engine="duckdb")
    assert raised.value.message.startswith("2 mentions ")


def test_several_responses_and_one_that_is_broken(files, tmp_path):
    broken = tmp_path / "broken.parquet"
    broken.write_bytes(b"PAR1 and no more")
    both = corefkit.score_submissions(files[0], [files[1], broken], engine="duckdb")
    assert both[0].scores == corefkit.score(*files).scores
    assert "DuckDB cannot read this" in both[1].reason
    with pytest.raises(corefkit.FormatError, match=r"broken.parquet: DuckDB cannot"):
        corefkit.score_submissions(broken, files, engine="duckdb")


def changed(**columns):
    return pa.table({**KEY, **columns})


@pytest.mark.parametrize(
    ("response", "error", "message"),
    [
        (changed().slice(0, 0), corefkit.FormatError, "the table has no row"),
        (changed().drop(["cluster"]), corefkit.FormatError, "found columns 'doc'"),
        (
            changed(doc=[1, 1, 1, 2, 2, 3]),
            corefkit.PairingError,
            "documents are whole numbers, and texts in key",
        ),
        (
            changed(doc=[0.5] * 6),
            corefkit.FormatError,
            "column 'doc' has neither texts nor whole numbers",
        ),
        (
            changed(doc=["a", "", "a", "b", "b", "c"]),
            corefkit.FormatError,
            "the row has no document",
        ),
        (
            changed(start=[0, 3, 5, 0, 2, None]),
            corefkit.FormatError,
            "start is missing, expected the number of a token",
        ),
        (changed(doc=["z"] * 6), corefkit.PairingError, "no document in common"),
        (object(), corefkit.FormatError, "found object, which DuckDB does not read"),
    ],
)
def test_invalid_tables_are_errors(response, error, message):
    with pytest.raises(error, match="response") as caught:
        corefkit.score(pa.table(KEY), response, engine="duckdb")
    assert caught.value.message.startswith(message)


def test_documents_may_be_numbers():
    key, response = (changed(doc=[1, 1, 1, 2, 2, 3]) for _ in range(2))
    assert_same(
        corefkit.score(key, response), corefkit.score(key, response, engine="duckdb")
    )


def test_equivalent_ids_are_repeated():
    key = changed(
        doc=["(a); part 000", "(a); part 000", "(a); part 000", "b", "b", "c"]
    )
    response = changed(doc=["a_0", "a_0", "a_0", " b", " b", "x"])
    for scope in ("document", "corpus"):
        core = corefkit.score(key, response, scope=scope)
        found = corefkit.score(key, response, scope=scope, engine="duckdb")
        assert found.counts["muc"].tolist() == core.counts["muc"].tolist()
        assert found.notes == core.notes


def test_a_limit_below_the_data_is_an_error_and_no_number(files):
    with pytest.raises(
        corefkit.SettingsError, match="DuckDB needs more than 1,000 byt"
    ):
        corefkit.score(*files, engine=DuckDB(memory=1000))
    with pytest.raises(corefkit.SettingsError, match="memory is 'much', expected a nu"):
        corefkit.score(*files, engine=DuckDB(memory="much"))


def test_unknown_engine_is_an_error(files):
    with pytest.raises(corefkit.SettingsError, match="unknown engine 'duck'"):
        corefkit.score(*files, engine="duck")
    with pytest.raises(corefkit.SettingsError, match="engine is 3, expected an eng"):
        corefkit.score(*files, engine=3)
    with pytest.raises(corefkit.SettingsError, match="an engine reads Parquet"):
        corefkit.score(*files, engine="duckdb", format="conll")


def test_types_of_mentions_are_counted():
    columns = {"type": ["PER"] * 6, "mention_type": ["NAM"] * 6}
    key, response = changed(**columns), changed(**columns)
    for metric in ("ace_value", "lea_weighted", "mor"):
        assert_same(
            corefkit.score(key, response, metrics=[metric]),
            corefkit.score(key, response, metrics=[metric], engine="duckdb"),
        )


def test_progress_goes_from_the_engine_to_the_counts(files, monkeypatch):
    monkeypatch.setattr("corefkit.engines.duck._LOOK_S", 1e-4)
    told = []
    with DuckDB() as engine:
        how = {"engine": engine, "progress": lambda *share: told.append(share)}
        corefkit.score_responses(files[0], [files[1]], **how)
    assert told[-1] == (22, 22)  # the rows of both sides, and as much for the engine
    assert all(0 <= done <= total for done, total in told)


ROWS = {
    "document": ["a", "a", "b", "b"],
    "entity": ["x", "x", "y", "y"],
    "start": [0, 4, 0, 4],
    "end": [2, 4, 2, 4],
}


@pytest.fixture
def parts(tmp_path):
    """Write tables to the files of a folder, by their names."""

    def write(**tables):
        for name, columns in tables.items():
            path = tmp_path / "parts" / f"{name.replace('__', '/')}.parquet"
            path.parent.mkdir(parents=True, exist_ok=True)
            parquet.write_table(pa.table(columns), path)
        return tmp_path / "parts"

    return write


def taken(first, last, **others):
    return {name: cells[first:last] for name, cells in {**ROWS, **others}.items()}


@pytest.mark.parametrize(
    "names", [("place",), ("file_row_number", "file_index"), ("side", "together")]
)
def test_column_names_may_equal_those_of_engines(tmp_path, names):
    others = {name: [3, 2, 1, 0] for name in names}
    others["start"], others["end"] = [0, 0, 1, 4], [2, 2, 2, 4]
    parquet.write_table(pa.table({**ROWS, **others}), tmp_path / "key.parquet")
    for side in (str(tmp_path / "key.parquet"), pa.table({**ROWS, **others})):
        expected = corefkit.score(side, side)
        found = corefkit.score(side, side, engine="duckdb")
        if "file_index" not in names:  # then rows of files have no order
            assert_same(expected, found)
        assert found.scores == expected.scores


def test_a_column_may_be_in_some_files_only(parts):
    folder = parts(a=taken(0, 2), b=taken(2, 4) | {"gaps": ["1-1", None]})
    response = pa.table(ROWS)
    whole = pa.table({**ROWS, "gaps": [None, None, "1-1", None]})
    expected = corefkit.score(whole, response)
    found = corefkit.score(folder, response, engine="duckdb")
    assert found["mentions"].recall == 0.75
    assert {name: rows.tolist() for name, rows in found.counts.items()} == {
        name: rows.tolist() for name, rows in expected.counts.items()
    }


@pytest.mark.parametrize(
    ("column", "cells"), [("entity", [1.2, 1.4]), ("document", [1.0, 1.0])]
)
def test_incompatible_types_of_files_are_an_error(parts, column, cells):
    folder = parts(a=taken(0, 2) | {column: [1, 2]}, b=taken(2, 4) | {column: cells})
    with pytest.raises(corefkit.FormatError, match="is DOUBLE, and BIGINT in "):
        corefkit.score(folder, pa.table(ROWS), engine="duckdb")


def test_tokens_of_another_type_are_not_rounded(parts):
    folder = parts(a=taken(0, 2), b=taken(2, 4, start=[0, 0, 0.0, 3.6]))
    with pytest.raises(corefkit.FormatError, match=r"b\.parquet:2: start is '3\.6'"):
        corefkit.score(folder, pa.table(ROWS), engine="duckdb")


def test_parts_of_paths_are_not_columns(parts):
    folder = parts(entity=taken(0, 0), **{"entity=7__a": taken(0, 4)})
    found = corefkit.score(folder, pa.table(ROWS), engine="duckdb")
    assert found["muc"].f1 == 1
    assert not found.notes


def test_unfinished_files_in_a_folder_are_ignored(parts):
    folder = parts(a=taken(0, 4), _temporary__0__b=taken(0, 2))
    assert not corefkit.score(folder, pa.table(ROWS), engine="duckdb").notes


def test_names_of_files_are_not_globs(parts):
    folder = parts(**{"a*": taken(0, 4), "aa": taken(0, 4)})
    found = corefkit.score(folder / "a*.parquet", pa.table(ROWS), engine="duckdb")
    assert not found.notes


def test_two_columns_of_one_name(tmp_path):
    table = pa.table({**ROWS, "Entity": ROWS["start"]})
    parquet.write_table(table, tmp_path / "key.parquet")
    for key in (table, tmp_path / "key.parquet"):
        with raises(corefkit.FormatError, "input/invalid-columns"):
            corefkit.score(key, pa.table(ROWS), engine="duckdb")


@pytest.mark.parametrize("scope", ["document", "corpus"])
def test_nan_is_not_an_entity_and_zero_has_no_sign(tmp_path, scope):
    key, wrong = tmp_path / "key.parquet", tmp_path / "wrong.parquet"
    parquet.write_table(pa.table({**ROWS, "entity": [0.0, -0.0, 1.0, 1.0]}), key)
    nan = float("nan")
    parquet.write_table(pa.table({**ROWS, "entity": [1.0, 1.0, 2.0, nan]}), wrong)
    response = pa.table(ROWS)
    found = corefkit.score(key, response, engine="duckdb", scope=scope)
    assert found["muc"].f1 == 1
    with pytest.raises(corefkit.FormatError, match=r"wrong.parquet:4: the row has no"):
        corefkit.score(wrong, response, engine="duckdb", scope=scope)


def test_across_documents_heads_are_checked_whatever_their_type():
    for head in (["9"] * 4, [9.0] * 4, ["x"] * 4):
        key = pa.table({**ROWS, "head": head})
        with pytest.raises(corefkit.FormatError, match="head"):
            corefkit.score(key, pa.table(ROWS), engine="duckdb", scope="corpus")


def test_across_documents_entities_that_are_lists():
    key = pa.table({**ROWS, "entity": [[1], [1], [2], [2]]})
    with pytest.raises(corefkit.FormatError, match="which is not compared"):
        corefkit.score(key, pa.table(ROWS), engine="duckdb", scope="corpus")


def test_temporary_folder_that_cannot_be_made_is_an_error(tmp_path):
    (tmp_path / "file").write_text("", "utf-8")
    rows = {name: [*cells] * 100_000 for name, cells in ROWS.items()}
    rows["document"] = [f"document {number}" for number in range(400_000)]
    engine = DuckDB(memory="20MB", temp_directory=tmp_path / "file")
    # Older versions stop before they look at the folder.
    with engine, pytest.raises(corefkit.SettingsError) as raised:
        corefkit.score(pa.table(rows), pa.table(rows), engine=engine)
    assert raised.value.code in ("engine/no-disk-space", "engine/out-of-memory")


@pytest.mark.parametrize("scope", ["document", "topic", "corpus"])
def test_texts_are_compared_by_their_bytes(scope):
    rows = {**ROWS, "document": ["t/A", "t/A", "t/a", "t/a"]}
    fewer = {name: cells[:3] for name, cells in rows.items()}
    other = {**rows, "document": ["t/A", "t/A", "t/b", "t/b"]}
    connection = duckdb.connect()
    connection.execute("set default_collation = 'nocase'")
    key = connection.from_arrow(pa.table(rows))
    for table in map(pa.table, (fewer, other)):
        expected = corefkit.score(pa.table(rows), table, scope=scope)
        response = connection.from_arrow(table)
        found = corefkit.score(key, response, engine="duckdb", scope=scope)
        assert {name: rows.tolist() for name, rows in found.counts.items()} == {
            name: rows.tolist() for name, rows in expected.counts.items()
        }
