"""Scores in windows of tokens, and the curve of their lengths."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefkit
from corefkit.analysis.window_curve import CURVE_WRITERS
from corefkit.cli import main
from corefkit.exceptions import SettingsError

TOKENS = 40
spans = st.tuples(st.integers(0, TOKENS - 4), st.integers(0, 3)).map(
    lambda span: (span[0], span[0] + span[1])
)


@st.composite
def partitions(draw):
    mentions = draw(st.lists(spans, max_size=14, unique=True))
    entities = {}
    for mention in mentions:
        entities.setdefault(draw(st.integers(0, 4)), []).append(mention)
    return [*entities.values()]


def split(partition, window):
    """Split a document into files, as a slow and obvious version of windows."""
    documents = {str(number): [] for number in range(-(-TOKENS // window))}
    for entity in partition:
        parts = {}
        for first, last in entity:
            number, start = divmod(first, window)
            span = start, start + last - first
            parts.setdefault(str(number), []).append(span)
        for number, part in parts.items():
            documents[number].append(part)
    return documents


@given(partitions(), partitions(), st.integers(1, TOKENS), st.booleans())
def test_windows_are_scored_as_files_would_be(key, response, window, drops):
    settings = {"singletons": "drop" if drops else "keep"}
    whole = corefkit.score({"d": key}, {"d": response}, window=window, **settings)
    files = corefkit.score(split(key, window), split(response, window), **settings)
    for metric in whole:
        assert whole[metric] == files[metric]


@given(partitions(), partitions())
def test_a_window_of_all_tokens_is_the_document(key, response):
    plain = corefkit.score({"d": key}, {"d": response})
    whole = corefkit.score({"d": key}, {"d": response}, window=TOKENS)
    assert dict(whole.scores) == dict(plain.scores)


def make_lines(documents):
    return [
        {"doc_key": name, "sentences": [["w"] * TOKENS], "clusters": entities}
        for name, entities in documents.items()
    ]


@given(partitions(), partitions(), st.integers(1, TOKENS))
def test_every_mention_counts_once(key, response, window):
    plain = corefkit.score({"d": key}, {"d": response}, metrics="mentions")
    windows = corefkit.score(
        {"d": key}, {"d": response}, metrics="mentions", window=window
    )
    assert windows["mentions"] == plain["mentions"]


@given(partitions(), partitions(), st.integers(1, TOKENS))
def test_matched_mentions_share_the_window_of_the_key_mention(key, response, window):
    """Mentions with the same head match across the edge of a window."""

    def make_document(partition):
        mentions = {}
        for number, entity in enumerate(partition):
            for first, last in entity:
                mentions.setdefault(
                    last, (number, corefkit.Mention(first, last, head=last))
                )
        entities = {}
        for number, mention in mentions.values():
            entities.setdefault(number, []).append(mention)
        words = (tuple(f"w{token}" for token in range(TOKENS)),)
        parts = [
            corefkit.Entity(str(number), tuple(part))
            for number, part in entities.items()
        ]
        return corefkit.Document("d", words, tuple(parts))

    sides = [make_document(key)], [make_document(response)]
    settings = {"match": "head", "metrics": "mentions"}
    plain = corefkit.score(*sides, **settings)
    windows = corefkit.score(*sides, window=window, **settings)
    assert windows["mentions"] == plain["mentions"]


def test_rule_that_drops_mentions_at_window_starts_counts_fewer():
    """BookCoref's own rule, which this one does not follow: see docs/classes.md."""
    key = {"d": [[(start, start) for start in range(0, TOKENS, 5)]]}
    result = corefkit.score(key, key, metrics="mentions", window=10)
    assert result["mentions"].recall_denominator == 8
    dropped = [span for span in key["d"][0] if span[0] % 10]
    assert len(dropped) == 4


def test_signature_names_the_window():
    result = corefkit.score({"d": [[(0, 0)]]}, {"d": [[(0, 0)]]}, window="0500")
    assert result.signature.endswith("|window:500")
    assert result.settings.window == "500"


@pytest.mark.parametrize("window", ["x", "0", "-3", "1.5", 0, -1, ""])
def test_invalid_windows_are_rejected(window):
    with pytest.raises(SettingsError) as caught:
        corefkit.score({"d": [[(0, 0)]]}, {"d": [[(0, 0)]]}, window=window)
    assert caught.value.code == "settings/invalid-value"


@pytest.mark.parametrize(
    "settings",
    [{"by": "size"}, {"scope": "corpus"}, {"split": "score", "metrics": "muc"}],
)
def test_settings_without_windows_are_rejected(settings):
    with pytest.raises(SettingsError) as caught:
        corefkit.score({"d": [[(0, 0)]]}, {"d": [[(0, 0)]]}, window=10, **settings)
    assert caught.value.code == "settings/conflict"


@pytest.mark.parametrize("analyse", [corefkit.errors, corefkit.explain])
def test_analyses_of_full_documents_reject_windows(analyse):
    with pytest.raises(SettingsError) as caught:
        analyse({"d": [[(0, 0)]]}, {"d": [[(0, 0)]]}, window=10)
    assert caught.value.code == "settings/conflict"


def test_report_rejects_windows():
    """Its errors are those of full documents, so its scores must be too."""
    with pytest.raises(SettingsError) as caught:
        corefkit.make_report({"d": [[(0, 0)]]}, {"A": {"d": [[(0, 0)]]}}, window=10)
    assert caught.value.code == "settings/conflict"


def test_evaluator_rejects_windows():
    with pytest.raises(SettingsError):
        corefkit.Evaluator(window=10)


def test_names_have_no_windows():
    with pytest.raises(SettingsError) as caught:
        corefkit.score(["abc"], ["ab"], window=10)
    assert caught.value.code == "settings/conflict"


@pytest.fixture
def book(tmp_path):
    random = np.random.default_rng(5)
    tokens = 3000
    entities = [[] for _ in range(30)]
    for start in range(0, tokens, 6):
        entities[random.integers(30)].append([start, start])
    chopped = [part for entity in entities for part in (entity[:9], entity[9:]) if part]
    paths = []
    for name, clusters in (("key", entities), ("response", chopped)):
        line = {"doc_key": "b", "sentences": [["w"] * tokens], "clusters": clusters}
        paths.append(tmp_path / f"{name}.jsonl")
        paths[-1].write_text(json.dumps(line), "utf-8")
    return [*map(str, paths)]


def test_curve_has_windows_up_to_the_longest_document(book):
    key, response = book
    curve = corefkit.score_windows(key, {"A": response, "B": key})
    assert [*curve.evaluations] == [500, 1000, 2000, None]
    scores = [first.conll for first, _ in curve.evaluations.values()]
    assert scores == sorted(scores, reverse=True)
    assert all(second.conll == 1 for _, second in curve.evaluations.values())
    assert len(curve.to_records()) == 4 * 2 * 8


def test_command_prints_the_curve(book, capsys, tmp_path):
    key, response = book
    for name in CURVE_WRITERS:
        if name == "html":
            continue
        words = ["score", key, f"A={response}", "--window-curve", "--format", name]
        assert main(words) == 0
        assert "2,000" in capsys.readouterr().out.replace("2000", "2,000")
    page = tmp_path / "curve.html"
    assert main(["score", key, response, "--window-curve", "-o", str(page)]) == 0
    assert "<svg" in page.read_text("utf-8")
    assert main(["score", key, response, "--window-curve", "--window", "9"]) == 2


def test_windows_of_systems_are_compared(book, capsys):
    key, response = book
    words = ["compare", key, response, key, "--window", "500", "--samples", "50"]
    assert main(words) == 0
    assert "window:500" in capsys.readouterr().out
