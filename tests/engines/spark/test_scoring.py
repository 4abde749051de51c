"""Scores by Spark are those of the core, whatever the settings and the partitions."""

from __future__ import annotations

import re
from importlib import import_module

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from engines.spark.made import by_document, exactly, scored, tables
from shared_files import ROOT

import corefkit
from corefkit.engines.spark import Spark
from corefkit.exceptions import CorefkitError

SETTINGS = [
    {},
    {"singletons": "drop-response", "average": "macro"},
    {"missing": "skip", "blanc_rule": "links"},
    {"preset": "conll2012", "metrics": ["muc", "lea"]},
    {"match": "head"},
    {"match": "partial", "repeated": "error"},
]


@pytest.fixture(scope="module")
def made():
    """Make tables with heads and gaps, a document of one side, and rows of nulls."""
    sides = []
    for side, more in zip(tables(90, 12, seed=1), (["lost"] * 30, []), strict=True):
        wide = side.set_column(2, "end", pa.compute.add(side["end"], 2))
        wide = wide.append_column("head", wide["start"])
        gaps = [
            f"{start + 1}-{start + 1}" if start % 7 == 0 else None
            for start in wide["start"].to_pylist()
        ]
        wide = wide.append_column("gaps", pa.array(gaps, "string"))
        names = pa.array(more, "string")
        extra = wide.slice(0, len(more)).set_column(0, "document", names)
        cells = {name: [None] for name in wide.column_names} | {"document": ["bare"]}
        whole = pa.concat_tables([wide, extra, pa.table(cells, wide.schema)])
        sides.append(whole.combine_chunks())  # Spark stops at a chunk without rows
    return sides


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_settings(classic, made, settings):
    frames = [classic.createDataFrame(side) for side in made]
    found = scored(Spark(), *frames, **settings)
    expected = corefkit.score(*made, **settings)
    assert by_document(found) == by_document(expected)
    assert found.signature == expected.signature
    assert found.notes == expected.notes


@pytest.mark.parametrize("partitions", [1, 6, 11])
def test_partitions(session, made, partitions):
    frames = [session.createDataFrame(side) for side in made]
    found = scored(Spark(partitions=partitions), *frames)
    assert by_document(found) == by_document(corefkit.score(*made))


def test_empty_partitions(classic):
    sides = [
        pa.table({"document": ["d"] * 2, "mention": ["x", "y"], "entity": side})
        for side in ([1, 1], [1, 2])
    ]
    frames = [classic.createDataFrame(side) for side in sides]
    found = scored(Spark(partitions=11), *frames)
    assert by_document(found) == by_document(corefkit.score(*sides))


def test_the_first_of_several_entities(classic, tmp_path):
    """Rows of files have an order, on which the score depends."""
    key, response = tables(40, 12, seed=2)
    again = response.set_column(3, "entity", pa.array(["again"] * len(response)))
    files = (
        [key.slice(0, 300), key.slice(300)],
        [response.slice(0, 99), again, response.slice(99)],
    )
    for name, parts in zip(("key", "response"), files, strict=True):
        (tmp_path / name).mkdir()
        for number, part in enumerate(parts):
            pq.write_table(part, tmp_path / name / f"{number}.parquet")
    whole = [pa.concat_tables(parts) for parts in files]
    paths = [str(tmp_path / name) for name in ("key", "response")]
    found = scored(Spark(), *paths)
    assert by_document(found) == by_document(corefkit.score(*whole))
    frames = [classic.createDataFrame(side) for side in whole]
    with pytest.raises(CorefkitError, match="rows without an order"):
        scored(Spark(), *frames)
    with pytest.raises(CorefkitError, match="rows without an order"):
        scored(Spark(), paths[0], frames[1])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"entity": None}, "found columns 'document', 'start', 'end', expected"),
        ({"document": list(range(30))}, "documents are whole numbers, and texts in"),
        ({"entity": [None] * 30}, "the row has no entity"),
        ({"document": [None] * 30}, "the row has no document"),
        ({"end": [0] * 30}, "the mention ends at token 0, before its start"),
        ({"document": [1.5] * 30}, "has neither texts nor whole numbers"),
        ({"document": ["other"] * 30}, "no document in common"),
    ],
    ids=lambda change: "-".join(change) if isinstance(change, dict) else "",
)
def test_invalid_input_is_an_error_without_a_score(session, change, words):
    key = tables(5, 12, seed=3)[0].slice(40, 30)
    changed = key
    for name, cells in change.items():
        at = changed.column_names.index(name)
        changed = (
            changed.remove_column(at)
            if cells is None
            else changed.set_column(
                at, name, pa.array(cells, "string" if cells[0] is None else None)
            )
        )
    frames = [session.createDataFrame(side) for side in (key, changed)]
    with pytest.raises(CorefkitError, match=words):
        scored(Spark(), *frames)


@pytest.mark.usefixtures("classic")
@pytest.mark.parametrize("scope", ["document", "corpus"])
def test_a_million_mentions(tmp_path, scope, monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    make = import_module("tables").tables
    paths = make(tmp_path, 10**6, across=scope == "corpus")
    found = scored(Spark(), *paths, scope=scope)
    expected = corefkit.score(*paths, scope=scope)
    if scope == "document":
        assert exactly(found) == exactly(expected)
    for name in expected:
        rows, same = found.counts[name], expected.counts[name]
        assert rows.tolist() == [pytest.approx(row, rel=1e-12, abs=0) for row in same]


def test_example_of_the_documentation_runs(session):
    page = (ROOT / "docs" / "engines.md").read_text("utf-8")
    section = page.partition("### Data frames\n")[2]
    code = re.search(r"^```python\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    exec(code[1], {"spark": session})
