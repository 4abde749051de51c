"""Spark does what an engine must: open, project, run statements, gather documents."""

from __future__ import annotations

import pickle

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from corefkit.engines.spark import Spark
from corefkit.exceptions import CorefkitError, FormatError

FILES = ("folder/a.parquet", "folder/entity=7/b c%20d.parquet")
ROWS = pa.table({"Doc": ["b", "a", "b", None], "entity": [1, 2, 3, 4]})


class Listed:
    """List the rows of each partition, as a block."""

    def __call__(self, batches):
        rows = [row for batch in batches for row in batch.to_pylist()]
        yield pa.record_batch({"block": pa.array([pickle.dumps(rows)], "binary")})


def blocks(found):
    return [
        pickle.loads(block)
        for batch in found
        for block in batch.column("block").to_pylist()
    ]


def test_opens_data_frames(session):
    engine = Spark()
    relation = engine.open(session.createDataFrame(ROWS), "key")
    assert (relation.name, dict(relation.columns)) == (
        "key",
        {"Doc": "text", "entity": "integer"},
    )


@pytest.mark.parametrize("name", ["one.parquet", "folder", "folder/*/*.parquet"])
def test_opens_parquet(session, tmp_path, name):
    (tmp_path / "folder" / "entity=7").mkdir(parents=True)
    (tmp_path / "folder" / "README").write_text("no table", "utf-8")
    for path in ("one.parquet", *FILES):
        pq.write_table(ROWS, tmp_path / path)
    path = str(tmp_path / name)
    engine = Spark()
    engine.open(session.createDataFrame(ROWS), "key")  # whose session it then has
    relation = engine.open(path, "response")
    assert relation.name == path
    assert dict(relation.columns) == {"Doc": "text", "entity": "integer"}
    taken = engine.project(relation, {"entity": "entity"})
    found = pa.Table.from_batches(
        engine.query("select entity, place from {rows} order by place", {"rows": taken})
    )
    files = {"one.parquet": [path], "folder": [str(tmp_path / f) for f in FILES]}.get(
        name, [path.replace("*/*", "entity=7/b c%20d")]
    )
    assert found["entity"].to_pylist() == [1, 2, 3, 4] * len(files)
    assert [relation.where(place) for place in found["place"].to_pylist()] == [
        f"{file}:{row}" for file in files for row in (1, 2, 3, 4)
    ]


def test_projects_columns_and_runs_statements(session):
    engine = Spark()
    frame = session.createDataFrame(
        pa.table({"a.b`c": pa.array([1, 2], "int16"), "Start": ["x", None]})
    )
    relation = engine.open(frame, "key")
    taken = engine.project(relation, {"entity": "a.b`c", "document": "Start"})
    assert dict(taken.columns) == {"entity": "integer", "document": "text"}
    found = pa.Table.from_batches(
        engine.query("select * from {rows} order by entity", {"rows": taken})
    )
    assert found.to_pydict() == {"entity": [1, 2], "document": ["x", None]}
    assert found.schema.field("entity").type == pa.int64()


def test_holds_small_tables(session):
    engine = Spark()
    engine.open(session.createDataFrame(ROWS), "key")
    one = pa.table({"document": ["a"]})
    held = engine.hold(pa.concat_tables([one, one.slice(1), one]), "wanted")
    found = pa.Table.from_batches(
        engine.query("select count(*) as n from {wanted}", {"wanted": held})
    )
    assert found.to_pydict() == {"n": [2]}


@pytest.mark.parametrize("partitions", [None, 1, 6, 11])
def test_gathers_documents(session, partitions):
    numbers = list(range(500))
    rows = pa.table(
        {"document": [f"d{n % 37}" for n in numbers], "side": [n % 2 for n in numbers]}
    )
    engine = Spark(partitions=partitions)
    relation = engine.open(session.createDataFrame(rows), "key")
    found = blocks(
        engine.count_groups(
            "select document as together, side from {rows}",
            {"rows": relation},
            Listed(),
            together=("together", "side"),
        )
    )
    if partitions:
        assert len(found) == partitions
    seen = [[row["together"] for row in part] for part in found]
    assert sum(map(len, seen)) == 500
    together = [set(part) for part in seen]
    assert sum(map(len, together)) == len(set().union(*together)) == 37
    for part in found:
        assert part == sorted(part, key=lambda row: (row["together"], row["side"]))


def test_texts_are_compared_by_their_bytes(session):
    frame = session.sql(
        "select collate(x, 'UTF8_LCASE') as x from values ('a'), ('A') as t(x)"
    )
    engine = Spark()
    relation = engine.project(engine.open(frame, "key"), {"document": "x"})
    (batch,) = engine.query(
        "select count(distinct document) as n from {rows}", {"rows": relation}
    )
    assert batch.to_pydict() == {"n": [2]}


def test_foreign_session_stays_open(session):
    engine = Spark()
    engine.open(session.createDataFrame(ROWS), "key")
    engine.close()
    assert session.range(3).count() == 3


def test_two_sessions_are_an_error(classic, connect):
    engine = Spark()
    engine.open(classic.createDataFrame(ROWS), "key")
    with pytest.raises(CorefkitError, match="belong to two sessions"):
        engine.open(connect.createDataFrame(ROWS), "response")


@pytest.mark.parametrize(
    ("side", "words"),
    [
        ("empty", "found no complete Parquet file"),
        ("broken.parquet", "found no complete Parquet file"),
    ],
)
@pytest.mark.usefixtures("classic")
def test_invalid_parquet_is_an_error(tmp_path, side, words):
    (tmp_path / "empty").mkdir()
    (tmp_path / "broken.parquet").write_bytes(b"PAR1 and nothing else")
    with pytest.raises(FormatError, match=words) as caught:
        Spark().open(str(tmp_path / side), "key")
    assert caught.value.place == str(tmp_path / side)
    assert caught.value.__cause__ is not None


@pytest.mark.usefixtures("classic")
def test_unsupported_input_is_an_error():
    with pytest.raises(FormatError, match="found dict, expected a table"):
        Spark().open({"d": ["ab"]}, "key")


@pytest.mark.usefixtures("classic")
@pytest.mark.parametrize("side", ["none.parquet", "none/*.parquet"])
def test_a_path_without_files(tmp_path, side):
    with pytest.raises(FileNotFoundError) as caught:
        Spark().open(str(tmp_path / side), "key")
    assert caught.value.filename == str(tmp_path / side)


@pytest.mark.usefixtures("classic")
def test_files_of_one_table_may_differ_in_columns_but_not_in_types(tmp_path):
    rows = {"document": ["d"], "entity": [1], "start": [0], "end": [2]}
    for number, more in enumerate(({}, {"gaps": ["1-1"]})):
        pq.write_table(pa.table({**rows, **more}), tmp_path / f"{number}.parquet")
    assert "gaps" in Spark().open(str(tmp_path), "key").columns
    pq.write_table(pa.table({**rows, "entity": [1.5]}), tmp_path / "2.parquet")
    with pytest.raises(FormatError, match="of the same name and of different types"):
        Spark().open(str(tmp_path), "key")


def test_nan_is_missing_and_zero_has_no_sign(session):
    rows = [("d", -0.0), ("d", 0.0), ("d", float("nan"))]
    engine = Spark()
    relation = engine.open(session.createDataFrame(rows, ["doc", "entity"]), "key")
    taken = engine.project(relation, {"entity": "entity"})
    batches = engine.query("select cast(entity as string) e from {t}", {"t": taken})
    found = [row["e"] for batch in batches for row in batch.to_pylist()]
    assert sorted(found, key=str) == ["0.0", "0.0", None]
