"""An engine gives what reading the same tables gives."""

from __future__ import annotations

from importlib import import_module

import pytest
from engines.tables import assert_counts, assert_same, both, lists, names, spans, table
from hypothesis import given
from hypothesis import strategies as st
from shared_files import ROOT

import corefkit
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
    assert_alike(*both(engine, key, response, **settings))


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
