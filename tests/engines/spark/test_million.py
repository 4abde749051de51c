"""A million mentions a side: Spark gives what the core gives."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest
from engines.spark.made import exactly, scored

import corefkit
from corefkit.engines.spark import Spark

TABLES = Path(__file__).parents[3] / "benchmarks" / "tables.py"
MENTIONS = 10**6


@pytest.fixture(scope="module")
def make():
    found = importlib.util.spec_from_file_location("benchmark_tables", TABLES)
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module.tables


@pytest.mark.usefixtures("classic")
def test_documents(make, tmp_path):
    paths = make(tmp_path, MENTIONS)
    found = scored(Spark(), *paths)
    assert found.document_count == 8065
    assert exactly(found) == exactly(corefkit.score(*paths))


@pytest.mark.usefixtures("classic")
def test_entities_across_documents(make, tmp_path):
    paths = make(tmp_path, MENTIONS, across=True)
    found = scored(Spark(), *paths, scope="corpus")
    expected = corefkit.score(*paths, scope="corpus")
    for name in expected:
        rows, same = found.counts[name], expected.counts[name]
        assert rows.tolist() == [pytest.approx(row, rel=1e-12, abs=0) for row in same]
