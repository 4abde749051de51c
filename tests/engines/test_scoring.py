"""An engine gives what reading the same tables gives."""

from __future__ import annotations

from importlib import import_module
from unittest import mock

import pyarrow as pa
import pytest
from engines.tables import assert_counts, assert_same, both, lists, names, spans, table
from hypothesis import given
from hypothesis import strategies as st
from shared_files import ROOT

import corefkit
from corefkit.engines import documents as counting
from corefkit.engines.duck import DuckDB

SINGLETONS = ("keep", "drop", "drop-key", "drop-response")


@pytest.fixture(scope="module")
def engine():
    duck = DuckDB()
    yield duck
    duck.close()


def assert_alike(one, other, *, reasons: bool = True):
    if isinstance(one, Exception):
        assert type(other) is type(one)
        assert str(other) == str(one)
    else:
        assert_same(one, other, reasons=reasons)


@given(st.data())
def test_documents_of_spans(engine, data):
    rows = spans(heads=data.draw(st.booleans()), gaps=data.draw(st.booleans()))
    key, response = (
        table(data.draw(lists(rows, unique=False))) for _ in ("key", "response")
    )
    settings = {
        "singletons": data.draw(st.sampled_from(SINGLETONS)),
        "repeated": data.draw(st.sampled_from(("first", "reference"))),
        "missing": data.draw(st.sampled_from(("empty", "skip", "error"))),
        "average": data.draw(st.sampled_from(("micro", "macro"))),
        "scope": data.draw(st.sampled_from(("document", "topic"))),
    }
    # Blocks of one document, and of all.
    with mock.patch.object(counting, "ROWS", data.draw(st.sampled_from((1, 1000)))):
        assert_alike(*both(engine, key, response, **settings))


def test_the_first_repeated_mention_is_named_whatever_the_blocks(engine, monkeypatch):
    """A document of the first block comes last in the key, and repeats a mention."""
    monkeypatch.setattr(counting, "ROWS", 1)
    key, response = (
        pa.table({"document": names, "entity": ["e"] * size, "mention": [0] * size})
        for names, size in (
            (["t/b", "u/a", "t/a"], 3),
            (["t/a", "t/a", "u/a", "u/a"], 4),
        )
    )
    core, found = both(engine, key, response)
    assert found.notes == core.notes
    assert found.notes[-1].endswith("row 2")


def test_incomplete_stream_does_not_block_the_engine(engine, monkeypatch):
    """Repeated mentions are counted again, in the order of rows."""
    monkeypatch.setattr(counting, "ROWS", 1)
    documents = [f"d{number}" for number in range(20) for _ in range(2)]
    rows = {"document": documents, "entity": ["y", "x"] * 20, "mention": [7] * 40}
    core, found = both(engine, pa.table(rows), pa.table(rows))
    assert_same(core, found)
    assert "20 repeated mentions" in found.notes[0]
    rows["entity"][38] = None
    core, found = both(engine, pa.table(rows), pa.table(rows))
    assert str(found) == str(core)
    assert "row 38: the row has no entity" in str(found)


@given(st.data())
def test_documents_by_other_matches(engine, data):
    rows = spans(heads=True, gaps=data.draw(st.booleans()))
    key, response = (table(data.draw(lists(rows))) for _ in ("key", "response"))
    match = data.draw(st.sampled_from(("head", "partial", "min")))
    assert_alike(*both(engine, key, response, match=match))


@given(lists(names(), unique=False), lists(names(), unique=False), st.data())
def test_documents_of_names(engine, key, response, data):
    scope = data.draw(st.sampled_from(("document", "topic")))
    # Whether mentions are names is seen in the documents that are looked at again.
    results = both(engine, table(key), table(response), scope=scope)
    assert_alike(*results, reasons=False)


@pytest.mark.slow
@pytest.mark.parametrize("scope", ["document", "corpus"])
@pytest.mark.parametrize("texts", [False, True], ids=["numbers", "texts"])
def test_a_million_mentions(tmp_path, scope, texts, monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    tables = import_module("tables").tables
    made = tables(tmp_path, 10**6, across=scope == "corpus", texts=texts)
    core = corefkit.score(*made, scope=scope)
    with DuckDB(memory="400MB", temp_directory=tmp_path / "aside") as engine:
        found = corefkit.score(*made, scope=scope, engine=engine)
    if scope == "document":
        assert_same(core, found)
    assert_counts(core, found)


def test_declared_mentions_are_rejected(engine):
    key = pa.table({"document": ["d"], "entity": [1], "mention": ["a"]})
    with pytest.raises(corefkit.SettingsError) as caught:
        corefkit.score(key, key, engine=engine, mentions="spans")
    assert caught.value.code == "settings/engine-with-mentions"
