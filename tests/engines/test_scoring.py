"""An engine gives what reading the same tables gives, in every bit."""

from __future__ import annotations

import pytest
from engines.tables import assert_same, lists, names, spans, table
from hypothesis import given
from hypothesis import strategies as st

import corefkit
from corefkit.engines.duck import DuckDB

SINGLETONS = ("keep", "drop", "drop-key", "drop-response")


@pytest.fixture(scope="module")
def engine():
    duck = DuckDB()
    yield duck
    duck.close()


def both(engine, key, response, **settings):
    """Score tables by reading them and by an engine; errors are results too."""
    found = []
    for used in (None, engine):
        try:
            found.append(corefkit.score(key, response, engine=used, **settings))
        except corefkit.CorefkitError as error:
            found.append(error)
    return found


def assert_alike(one, other):
    if isinstance(one, Exception):
        assert type(other) is type(one)
        assert str(other) == str(one)
    else:
        assert_same(one, other)


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
    assert_alike(*both(engine, table(key), table(response), scope=scope))
