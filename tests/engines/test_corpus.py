"""Entities across documents: the engine's table has the core's counts."""

from __future__ import annotations

import pyarrow as pa
import pytest
from engines.tables import (
    assert_counts,
    both,
    lists,
    mention_of,
    names,
    spans,
    table,
    told,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from raising import raises

import corefkit
from corefkit.engines import corpus_scope as ceaf
from corefkit.engines.duck import DuckDB


@pytest.fixture(scope="module")
def engine():
    duck = DuckDB()
    yield duck
    duck.close()


def score(key, response, engine, **settings):
    return corefkit.score(key, response, scope="corpus", engine=engine, **settings)


def assert_alike(core, found):
    assert_counts(core, found)
    assert found.notes == core.notes
    assert [*map(told, found.warnings)] == [*map(told, core.warnings)]
    assert found.documents == core.documents
    assert found.corpus.mentions == core.corpus.mentions
    assert found.corpus.entities == core.corpus.entities


@settings(max_examples=25)
@given(st.data())
def test_counts_equal_those_of_reading(engine, data):
    rows = data.draw(st.sampled_from((spans(), spans(heads=True), names())))
    key, response = (data.draw(lists(rows)) for _ in ("key", "response"))
    how = {
        "singletons": data.draw(st.sampled_from(("keep", "drop", "drop-response"))),
        "missing": data.draw(st.sampled_from(("empty", "skip", "error"))),
    }
    core, found = both(engine, table(key), table(response), scope="corpus", **how)
    if isinstance(core, Exception):
        assert (type(found), str(found)) == (type(core), str(core))
    else:
        assert_alike(core, found)


@settings(max_examples=25)
@given(lists(spans(), unique=False), lists(spans(), unique=False))
@pytest.mark.slow
def test_duplicate_mentions_are_noted_or_an_error(engine, key, response):
    # One document in common, so that all of it can be scored.
    key, response = (
        [row | {"document": "d"} for row in rows] for rows in (key, response)
    )
    several = [
        {
            mention_of(row)
            for row in rows
            if len({r["entity"] for r in rows if mention_of(r) == mention_of(row)}) > 1
        }
        for rows in (key, response)
    ]
    if any(several):
        count = len(several[0] or several[1])
        with pytest.raises(corefkit.FormatError, match=rf"^\w+: {count} mention"):
            score(table(key), table(response), engine)
        return
    core = score(table(key), table(response), None)
    assert_alike(core, score(table(key), table(response), engine))


KEY = {"document": ["a", "a", "b"], "entity": ["x", "x", "y"], "start": [0, 2, 4]}


def spans_table(**columns):
    return pa.table({**KEY, "end": KEY["start"], **columns})


@pytest.mark.parametrize("policy", ["error", "reference"])
@pytest.mark.parametrize("at", ["both", "alone"])
def test_number_of_duplicates_is_reported(engine, policy, at):
    starts = [0, 0, 4] if at == "both" else [9, 9, 4]
    response = spans_table(start=starts, end=starts)
    with raises(corefkit.FormatError, "format/repeated-mention") as raised:
        score(spans_table(), response, engine, repeated=policy)
    assert raised.value.message.startswith("1 mention ")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"start": [0, None, 4]}, "start is missing, expected the number of a token"),
        ({"start": [0, -2, 4]}, "start is '-2', expected the number of a token"),
        ({"end": [0, 1, 4]}, "the mention ends at token 1, before its start 2"),
        ({"entity": ["x", None, "y"]}, "the row has no entity"),
        ({"entity": ["x", "", "y"]}, "the row has no entity"),
        ({"document": ["a", None, "b"]}, "the row has no document"),
        ({"head": [0, 7, 4]}, "head 7 is not one of tokens 2 to 2"),
        ({"gaps": [None, "3", None]}, "1 rows have gaps"),
        ({"start": [0.0, 2.0, 4.0]}, "column 'start' has no whole numbers"),
    ],
)
def test_invalid_rows_are_an_error(engine, change, message):
    with pytest.raises(corefkit.FormatError, match="response") as caught:
        score(spans_table(), spans_table(**change), engine)
    assert caught.value.message.startswith(message)


def named_table(*mentions):
    count = len(mentions)
    columns = {"document": ["a"] * count, "entity": ["x"] * count}
    return pa.table({**columns, "mention": list(mentions)})


def test_spans_in_two_notations_are_an_error(engine):
    one, other = named_table("3-5", "rec"), named_table("[3, 5]", "rec")
    with pytest.raises(corefkit.FormatError, match="written as '3-5' and '\\[3, 5\\]'"):
        score(one, other, engine)
    with pytest.raises(corefkit.FormatError, match="written as '3' and '3-5'"):
        score(named_table("3"), named_table("3-3"), engine)
    assert score(other, other, engine)["muc"].f1 == 1


def test_metrics_that_require_mentions_are_an_error(engine):
    with pytest.raises(
        corefkit.SettingsError, match=r"^mor: this metric needs mentions"
    ):
        score(spans_table(), spans_table(), engine, metrics=["mor"])
    with pytest.raises(corefkit.SettingsError, match="match 'head' looks at mentions"):
        score(spans_table(), spans_table(), engine, match="head")


class TestCeaf:
    @pytest.fixture
    def knot(self):
        """Three entities a side, each sharing with two: no cell is without rival."""
        rows = [(k, r) for k in range(3) for r in (k, (k + 1) % 3) for _ in range(2)]
        sides = []
        for side in (0, 1):
            starts = list(range(len(rows)))
            entities = [f"e{row[side]}" for row in rows]
            columns = {"document": ["d"] * len(rows), "entity": entities}
            sides.append(pa.table({**columns, "start": starts, "end": starts}))
        return sides

    @pytest.fixture(autouse=True)
    def few(self, monkeypatch):
        monkeypatch.setattr(ceaf, "MAX_CELLS", 3)
        monkeypatch.setattr(ceaf, "MAX_REMAINING_CELLS", 3)

    def test_too_many_cells_are_an_error(self, engine, knot):
        message = "ceaf_m: of 6 pairs of entities, 6 are left to align"
        with pytest.raises(corefkit.SettingsError, match=message):
            score(*knot, engine)

    def test_cells_after_one_round_are_counted(self, engine):
        table = spans_table()
        assert score(table, table, engine)["ceaf_e"].f1 == 1
