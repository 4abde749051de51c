"""Results that were stored as JSON, read back."""

from __future__ import annotations

import contextlib
import gzip
import json
import re
import tempfile
import warnings
from pathlib import Path

import pytest
from builders import letters
from files import written
from hypothesis import given, settings
from hypothesis import strategies as st

import corefkit
from corefkit.results.records import render_csv, render_json
from corefkit.results.score_table import WRITERS
from corefkit.results.stored_results import is_stored, read_stored

KEY = {"one": letters("abc defg"), "two": letters("a")}
RESPONSE = {"one": letters("ab cd fghi")}
ALL = [*corefkit.METRICS, *corefkit.VARIANTS]


@pytest.fixture
def evaluations():
    return corefkit.score_responses(
        KEY, [RESPONSE, KEY], settings=corefkit.Settings(), metrics=ALL
    )


@pytest.fixture
def store(tmp_path):
    def stored(results, **options):
        name = written(tmp_path / "stored.json", render_json(results, **options))
        return name, read_stored(name)

    return stored


@pytest.mark.parametrize("per_document", [False, True])
def test_all_that_was_stored_is_read_back(evaluations, store, per_document):
    _, found = store(evaluations, per_document=per_document)
    for stored, evaluation in zip(found, evaluations, strict=True):
        for name in ("key", "signature", "corpus", "document_count", "scores"):
            assert getattr(stored, name) == getattr(evaluation, name)
        assert stored.labels == evaluation.labels
        assert stored.conll == evaluation.conll
        assert stored.notes == evaluation.notes
        assert stored.per_document == (evaluation.per_document if per_document else ())


def test_macro_averages_are_read_back(store):
    macro = corefkit.score(KEY, RESPONSE, average="macro")
    _, (stored,) = store([macro])
    assert stored.scores == macro.scores
    assert "macro-averaged" in WRITERS["table"]([stored])


def test_ceaf_above_one_of_repeated_mentions_is_read_back(store):
    key = ["aab", "cd"]
    result = corefkit.score(key, key, preset="conll2012")
    assert result["ceaf_m"].precision == 1.25
    _, (stored,) = store([result], per_document=True)
    assert stored.scores == result.scores


def test_one_response_has_the_name_of_its_file(evaluations, store):
    name, (stored,) = store(evaluations[:1])
    assert stored.response == name


def test_several_responses_have_their_names_too(evaluations, store):
    name, found = store(evaluations)
    assert [one.response for one in found] == [f"{name}:response"] * 2


def test_storing_again_changes_no_score(evaluations, store):
    _, once = store(evaluations[:1], per_document=True)
    before = json.loads(render_json(once, per_document=True))
    _, twice = store(once, per_document=True)
    assert json.loads(render_json(twice, per_document=True)) == before


def test_results_of_other_settings_keep_their_own_signature(evaluations, store):
    macro = corefkit.score(KEY, RESPONSE, average="macro", metrics=["muc"])
    name, found = store([evaluations[0], macro])
    assert [one.signature for one in found] == [
        evaluations[0].signature,
        macro.signature,
    ]
    systems = json.loads(render_json(found))["systems"]
    assert ["signature" in system for system in systems] == [False, True]
    assert name in render_csv(found)


def test_only_some_metrics(evaluations, store):
    _, (stored, _) = store(evaluations, per_document=True)
    cut = stored.only(["lea", "muc", "zeros"])
    assert list(cut.scores) == list(cut.labels) == ["lea", "muc"]
    assert cut.conll is None
    assert [list(row.scores) for row in cut.per_document] == [["lea", "muc"]] * 2
    assert stored.only(ALL).conll == stored.conll


def test_metric_that_somebody_made_is_called_by_its_name(store):
    made = corefkit.lea_with(len, name="lea_flat")
    _, (stored,) = store([corefkit.score(["abc"], ["ab"], metrics=[made])])
    assert stored.labels == {"lea_flat": "lea_flat"}


def test_result_without_a_corpus_has_an_unknown_one(evaluations, tmp_path):
    data = json.loads(render_json(evaluations[:1]))
    del data["systems"][0]["corpus"]
    (stored,) = read_stored(written(tmp_path / "old.json", json.dumps(data)))
    assert stored.corpus == corefkit.Fingerprint(documents=2)


def test_packed_file(evaluations, tmp_path):
    packed = gzip.compress(render_json(evaluations[:1]).encode())
    (stored,) = read_stored(written(tmp_path / "stored.json.gz", packed))
    assert stored.scores == evaluations[0].scores


class TestRefused:
    def refused(self, tmp_path, content):
        name = written(tmp_path / "bad.json", content)
        with pytest.raises(corefkit.FormatError, match="has no scores") as error:
            read_stored(name)
        assert error.value.place == name

    @pytest.mark.parametrize(
        "content",
        ["", "{", "[]", "7", "{}", '{"systems": []}', '{"systems": [7]}', b"\xff{"],
        ids=str,
    )
    def test_what_is_no_result(self, tmp_path, content):
        self.refused(tmp_path, content)

    @pytest.mark.parametrize(
        ("place", "value"),
        [
            (("signature",), 7),
            (("key",), None),
            (("systems", 0, "response"), ["a"]),
            (("systems", 0, "documents"), "4"),
            (("systems", 0, "corpus"), "same"),
            (("systems", 0, "conll"), "high"),
            (("systems", 0, "notes"), 7),
            (("systems", 0, "scores"), []),
            (("systems", 0, "scores", "muc"), 0.5),
            (("systems", 0, "scores", "muc", "recall"), "0.5"),
            (("systems", 0, "scores", "muc", "undefined"), [1]),
            (("systems", 0, "scores", "blanc", "coreference"), {}),
            (("systems", 0, "documents"), True),
            (("systems", 0, "documents"), -1),
            (("systems", 0, "notes"), "a text"),
            (("systems", 0, "conll"), 10**400),
            (("systems", 0, "scores", "muc", "recall"), 10**400),
            (("systems", 0, "scores", "muc", "recall"), 7),
            (("systems", 0, "scores", "muc", "precision"), -0.5),
            (("systems", 0, "scores", "muc", "f1"), float("nan")),
            (("systems", 0, "scores", "muc", "recall_numerator"), float("inf")),
            (("systems", 0, "scores", "muc", "f1"), None),
        ],
        ids=str,
    )
    def test_value_of_another_kind(self, tmp_path, evaluations, place, value):
        data = json.loads(render_json(evaluations[:1]))
        inside = data
        for step in place[:-1]:
            inside = inside[step]
        inside[place[-1]] = value
        self.refused(tmp_path, json.dumps(data))

    def test_place_of_what_is_wrong_is_told(self, tmp_path, evaluations):
        data = json.loads(render_json(evaluations[:1], per_document=True))
        del data["systems"][0]["per_document"][1]["scores"]["lea"]
        path = written(tmp_path / "bad.json", json.dumps(data))
        with pytest.raises(corefkit.FormatError) as refused:
            read_stored(path)
        place = r"systems\.0\.per_document\.1\.scores\.lea is missing$"
        assert re.search(place, refused.value.message)

    def test_metric_that_is_there_twice(self, tmp_path, evaluations):
        text = render_json(evaluations[:1]).replace('"b_cubed": {', '"muc": {')
        self.refused(tmp_path, text)

    @pytest.mark.parametrize("number", ["NaN", "Infinity", "1e400", "9" * 5000])
    def test_number_that_is_none(self, tmp_path, evaluations, number):
        text = re.sub(r'"f1": [0-9.]+', f'"f1": {number}', render_json(evaluations[:1]))
        self.refused(tmp_path, text)

    def test_nested_too_deep(self, tmp_path):
        self.refused(tmp_path, '{"systems": ' + "[" * 100_000 + "]" * 100_000 + "}")

    def test_file_that_is_not_there(self, tmp_path):
        with pytest.raises(corefkit.FormatError, match="cannot be read"):
            read_stored(tmp_path / "nowhere.json")


# Values that nobody stored, in place of any that are.
STRANGE = st.one_of(
    st.none(),
    st.booleans(),
    st.sampled_from([0, 1, -1, 10**400]),
    st.floats(),
    st.text(max_size=3),
    st.sampled_from(["\x1b[2J", "muc", [], {}, [[]], {"muc": 1}]),
)


@st.composite
def damaged(draw, value):
    """Draw a value with another somewhere inside, or with something gone."""
    if not isinstance(value, dict | list) or not value or draw(st.integers(0, 9)) == 0:
        return draw(STRANGE)
    places = list(value) if isinstance(value, dict) else range(len(value))
    place = draw(st.sampled_from(places))
    copy = value.copy()
    what = draw(st.integers(0, 9))
    if what == 0:
        del copy[place]
    elif what == 1 and isinstance(value, dict):
        copy[draw(st.text(max_size=3))] = copy.pop(place)
    else:
        copy[place] = draw(damaged(value[place]))
    return copy


@settings(max_examples=150, deadline=None)
@given(st.data(), st.sampled_from(list(WRITERS)), st.booleans())
@pytest.mark.slow
def test_damaged_file_beside_is_shown_or_refused_in_words(data, format, per_document):
    result = corefkit.score(KEY, RESPONSE, metrics=["muc", "blanc", "lea"])
    good = json.loads(render_json([result, result], per_document=True))
    text = json.dumps(data.draw(damaged(good)))
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        path = written(Path(folder) / "stored.json", text)
        with contextlib.suppress(corefkit.CorefkitError):
            corefkit.side_by_side(
                [path, path], format=format, per_document=per_document
            )
            for one in read_stored(path):
                one.only(one.scores)


def test_whole_rows_of_documents_are_read_back(store):
    result = corefkit.score(KEY, RESPONSE, metrics=["blanc", "muc"])
    _, (found,) = store([result], per_document=True)
    rows = [document["blanc"].counts for document in found.per_document]
    assert rows == [tuple(row) for row in result.counts["blanc"].tolist()]
    assert [document["muc"].counts for document in found.per_document] == [(), ()]
    assert found.missing == result.missing == ("two",)


def test_plain_json_has_no_rows(evaluations):
    assert '"counts"' not in render_json(evaluations)
    assert '"counts"' not in render_csv(evaluations, per_document=True)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ('{"corefkit": "1.2.3", "systems": []}', True),
        ('\ufeff {\n "corefkit" : "1.2.3"', True),
        ('{"systems": [], "key": "k", "corefkit": "1.2.3"}', True),
        ('{"doc_key": "corefkit", "clusters": [], "systems": 1}', False),
        ('{"doc_key": "a", "clusters": []}\n{"systems": 1, "corefkit": 2}', False),
        ("#begin document (corefkit); part 000\n", False),
        ("", False),
        ('["corefkit", "systems"]', False),
    ],
    ids=["own", "mark", "sorted", "words", "lines", "conll", "empty", "list"],
)
def test_stored_results_are_known_by_their_content(tmp_path, content, expected):
    assert is_stored(written(tmp_path / "file", content)) is expected


def test_only_files_are_looked_into(tmp_path):
    assert not is_stored("-")
    assert not is_stored(tmp_path)
    assert not is_stored(tmp_path / "nowhere.json")
    assert not is_stored("\0")
