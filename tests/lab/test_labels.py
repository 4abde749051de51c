"""Sides in labels: how they are altered, what is read, and how they are scored."""

from __future__ import annotations

import io
import os
import sys
import threading

import numpy as np
import pytest
from builders import corpora, scores
from files import conll, written
from hypothesis import given

import corefkit
from corefkit.lab.labels import (
    EntityLabels,
    adapt_settings,
    drop_singletons,
    evaluate_labels,
    find_partition_metrics,
    join_labels,
    list_partition_metrics,
    read_key,
    read_pair,
)
from corefkit.settings import DEFAULT_SETTINGS, Settings

SIDE = EntityLabels(
    np.array([4, 0, 9, 2]), np.array([7, 3, 7, 3]), np.array([1, 0, 1, 0]), 3
)
COUNTED = list_partition_metrics()


def read(key, response, **settings):
    return read_pair(key, response, settings=Settings(**settings))


class TestLabels:
    def test_columns_are_ordered_by_document_and_entity(self):
        columns = SIDE.columns()
        assert columns.entity.tolist() == [0, 0, 1, 1]
        assert columns.start.tolist() == columns.end.tolist() == [0, 2, 4, 9]
        assert columns.entity_document.tolist() == [0, 1]
        assert columns.documents == 3

    def test_mentions_are_kept_by_flags(self):
        kept = SIDE.keep(SIDE.mention > 2)
        assert kept.mention.tolist() == [4, 9]
        assert (len(kept), kept.document_count) == (2, 3)

    def test_mentions_move_to_other_entities(self):
        moved = SIDE.relabel(np.array([1, 1, 2, 3]))
        assert moved.mention.tolist() == SIDE.mention.tolist()
        assert moved.columns().entity.tolist() == [0, 1, 2, 3]

    def test_sides_are_joined(self):
        more = EntityLabels(np.array([5]), np.array([3]), np.array([0]), 3)
        both = join_labels([SIDE, more])
        assert both.mention.tolist() == [4, 0, 9, 2, 5]
        assert (len(both), both.document_count) == (5, 3)

    def test_empty_side_has_empty_columns(self):
        none = SIDE.keep(np.zeros(4, np.bool_)).columns()
        assert (len(none.entity), len(none.entity_document)) == (0, 0)
        assert none.documents == 3


class TestReadPair:
    def test_same_mention_has_the_same_number(self):
        pair = read({"a": ["xy", "z"], "b": ["x"]}, {"a": ["zq"], "b": ["xy"]})
        assert pair.key.document_count == 2
        twins = set(pair.key.mention.tolist()) & set(pair.response.mention.tolist())
        assert len(twins) == 2
        assert len({*pair.key.mention.tolist(), *pair.response.mention.tolist()}) == 6

    def test_numbers_differ_beyond_a_block_of_documents(self):
        many = {str(number): ["ab"] for number in range(4100)}
        pair = read(many, many)
        assert len(np.unique(pair.key.mention)) == len(pair.key) == 8200
        assert len(np.unique(pair.key.entity)) == 4100
        assert (np.diff(pair.key.document) >= 0).all()

    def test_mentions_match_as_the_settings_say(self, tmp_path):
        key = written(tmp_path / "key.conll", conll("(1 1) (2) (1) (2) (3)"))
        response = written(tmp_path / "response.conll", conll("(1 1) (2) (1) - (3)"))
        assert len(read(key, response).key) == 5
        dropped = read(key, response, singletons="drop")
        assert (len(dropped.key), len(dropped.response)) == (4, 2)

    def test_document_that_the_response_lacks_is_empty_or_skipped(self):
        key, response = {"a": ["xy"], "b": ["xy"]}, {"a": ["xy"]}
        assert read(key, response).key.document_count == 2
        skipped = read(key, response, missing="skip")
        assert (skipped.key.document_count, len(skipped.key)) == (1, 2)

    def test_names_and_notes_come_along(self, tmp_path):
        key = written(tmp_path / "key.conll", conll("(1)|(2) (1)"))
        pair = read(key, key)
        assert pair.names == (key, key)
        assert "1 repeated mention" in pair.notes[0]

    def test_corpus_without_documents_is_empty(self):
        pair = read({}, {})
        assert (len(pair.key), pair.key.document_count) == (0, 0)


class TestReadKey:
    def test_response_is_the_key(self):
        pair = read_key(["ab", "c"], settings=DEFAULT_SETTINGS)
        assert pair.response is pair.key

    def test_note_is_there_once(self, tmp_path):
        key = written(tmp_path / "key.conll", conll("(1)|(2) (1)"))
        assert len(read_key(key, settings=DEFAULT_SETTINGS).notes) == 1

    def test_mention_needs_no_head_to_be_itself(self, tmp_path):
        key = written(tmp_path / "key.conll", conll("(1 1) (1)"))
        assert len(read_key(key, settings=Settings(match="head")).key) == 2

    def test_standard_input_is_read_once(self, monkeypatch):
        text = io.TextIOWrapper(io.BytesIO(conll("(1) (1)").encode()))
        monkeypatch.setattr(sys, "stdin", text)
        assert len(read_key("-", settings=DEFAULT_SETTINGS).key) == 2

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no pipes")
    def test_pipe_is_read_once(self, tmp_path):
        pipe = tmp_path / "pipe"
        os.mkfifo(pipe)
        writer = threading.Thread(target=pipe.write_text, args=(conll("(1) (1)"),))
        writer.start()
        assert len(read_key(pipe, settings=DEFAULT_SETTINGS).key) == 2
        writer.join()


@given(corpora())
def test_scores_are_those_of_plain_scoring(corpus):
    pair = read_pair(*corpus, settings=DEFAULT_SETTINGS)
    found = evaluate_labels(
        pair.key,
        pair.response,
        metrics=find_partition_metrics(list_partition_metrics()),
    )
    assert scores(found, list_partition_metrics()) == pytest.approx(
        scores(
            corefkit.score(*corpus, metrics=list_partition_metrics()),
            list_partition_metrics(),
        ),
        rel=1e-9,
    )


@pytest.mark.parametrize(
    "given_settings", [{"average": "macro"}, {"blanc_rule": "both"}], ids=str
)
def test_scores_follow_the_settings(given_settings):
    corpus = {"a": ["ab", "c"], "b": ["xyz"]}, {"a": ["a", "bc"], "b": ["xy"]}
    settings = Settings(**given_settings)
    pair = read_pair(*corpus, settings=settings)
    metrics = find_partition_metrics(["blanc", "lea"])
    found = evaluate_labels(pair.key, pair.response, metrics=metrics, settings=settings)
    plain = corefkit.score(*corpus, metrics=metrics, **given_settings)
    assert scores(found, ["blanc", "lea"]) == pytest.approx(
        scores(plain, ["blanc", "lea"]), rel=1e-9
    )
    assert found.signature == plain.signature


def test_scores_are_those_of_plain_scoring_beyond_a_block_of_documents():
    many = {str(number): ["ab"] for number in range(4100)}
    pair = read_pair(many, many, settings=DEFAULT_SETTINGS)
    result = evaluate_labels(
        pair.key,
        pair.response,
        metrics=find_partition_metrics(list_partition_metrics()),
    )
    assert result["muc"].recall_numerator == 4100


@pytest.mark.parametrize("name", corefkit.SUPPLEMENTS)
def test_metrics_that_need_more_than_entities_are_refused(name):
    with pytest.raises(corefkit.SettingsError, match=f"'{name}' needs more than"):
        find_partition_metrics([name])


def test_own_metrics_are_taken():
    own = corefkit.lea_with(lambda _: 1.0)
    assert find_partition_metrics(["muc", own]) == (corefkit.METRICS["muc"], own)


def test_split_antecedents_are_refused():
    with pytest.raises(corefkit.SettingsError, match="no split antecedents"):
        adapt_settings(corefkit.PRESETS["ua"])


@pytest.mark.parametrize(
    ("singletons", "left"),
    [
        ("keep", [4, 0, 9]),
        ("drop", [4, 9]),
        ("drop-response", [4, 9]),
        ("drop-key", [4, 0, 9]),
    ],
)
def test_singletons_go_where_the_settings_drop_them(singletons, left):
    side = EntityLabels(np.array([4, 0, 9]), np.array([7, 3, 7]), np.zeros(3, int), 1)
    kept = drop_singletons(side, Settings(singletons=singletons))
    assert kept.mention.tolist() == left
