"""DuckDB: what it opens, and what it refuses in words."""

from __future__ import annotations

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from engines.tables import assert_same
from pyarrow import parquet

import corefkit
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


def test_files_are_scored_as_when_they_are_read(files):
    assert_same(corefkit.score(*files), corefkit.score(*files, engine="duckdb"))


def test_order_of_files_settles_repeated_mentions(tmp_path):
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


def test_rows_without_order_do_not_settle_repeated_mentions():
    connection = duckdb.connect()
    rows = "select 'a' as document, unnest(['x', 'y']) as entity, 0 as mention"
    side = connection.sql(rows)
    with pytest.raises(
        corefkit.FormatError, match="2 mentions stand in several entiti"
    ):
        corefkit.score(side, side, engine="duckdb")


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
def test_what_is_wrong_with_a_table(response, error, message):
    with pytest.raises(error, match="response") as caught:
        corefkit.score(pa.table(KEY), response, engine="duckdb")
    assert caught.value.message.startswith(message)


def test_documents_may_be_numbers():
    key, response = (changed(doc=[1, 1, 1, 2, 2, 3]) for _ in range(2))
    assert_same(
        corefkit.score(key, response), corefkit.score(key, response, engine="duckdb")
    )


def test_ids_in_other_spellings_meet():
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


def test_unknown_engine_is_refused(files):
    with pytest.raises(corefkit.SettingsError, match="unknown engine 'duck'"):
        corefkit.score(*files, engine="duck")
    with pytest.raises(corefkit.SettingsError, match="an engine reads Parquet"):
        corefkit.score(*files, engine="duckdb", format="conll")


def test_types_of_mentions_come_along():
    columns = {"type": ["PER"] * 6, "mention_type": ["NAM"] * 6}
    key, response = changed(**columns), changed(**columns)
    for metric in ("ace_value", "lea_weighted", "mor"):
        assert_same(
            corefkit.score(key, response, metrics=[metric]),
            corefkit.score(key, response, metrics=[metric], engine="duckdb"),
        )


def test_progress_goes_from_the_engine_to_the_counts(files, monkeypatch):
    monkeypatch.setattr("corefkit.engines.duck._PAUSE", 1e-4)
    told = []
    with DuckDB() as engine:
        how = {"engine": engine, "progress": lambda *share: told.append(share)}
        corefkit.score_responses(files[0], [files[1]], **how)
    assert told[-1] == (22, 22)  # the rows of both sides, and as much for the engine
    assert all(0 <= done <= total for done, total in told)
