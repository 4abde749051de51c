"""Scores by Spark are those of the core, whatever the settings and the partitions."""

from __future__ import annotations

import pyarrow as pa
import pytest
from engines.spark.made import by_document, exactly, scored, tables

import corefkit
from corefkit.engines.spark import SparkEngine

SETTINGS = [
    {},
    {"singletons": "drop"},
    {"average": "macro"},
    {"missing": "skip"},
    {"blanc": "common"},
    {"preset": "conll12"},
    {"metrics": ["muc", "lea"]},
]


@pytest.fixture(scope="module")
def made():
    """Make tables with documents on one side only, and rows of nulls."""
    key, response = tables(90, 12, seed=1)
    only = response.schema
    extra = pa.table(
        {
            "document": ["only"] * 2,
            "start": [0, 1],
            "end": [0, 1],
            "entity": ["r0", "r0"],
        },
        only,
    )
    bare = pa.table(
        {
            name: pa.array(
                ["bare" if name == "document" else None], only.field(name).type
            )
            for name in only.names
        }
    )
    missing = key.slice(0, 30).set_column(0, "document", pa.array(["lost"] * 30))
    return pa.concat_tables([key, missing, bare]), pa.concat_tables([response, bare])


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_settings(classic, made, settings):
    frames = [classic.createDataFrame(side) for side in made]
    found = scored(SparkEngine(), *frames, **settings)
    assert by_document(found) == by_document(corefkit.score(*made, **settings))


@pytest.mark.parametrize("partitions", [1, 6, 11])
def test_partitions(session, made, partitions):
    frames = [session.createDataFrame(side) for side in made]
    found = scored(SparkEngine(partitions=partitions), *frames)
    assert exactly(found) == exactly(scored(SparkEngine(), *frames))
    assert by_document(found) == by_document(corefkit.score(*made))
