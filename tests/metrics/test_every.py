"""All metrics at once: none is left out without a word, and none differs for it."""

from __future__ import annotations

import shutil

import pytest

import corefkit
from corefkit.cli import main
from corefkit.example import paths, trees
from corefkit.metrics.registry import iter_metrics, list_metric_names, select_metrics
from corefkit.settings import PRESETS, Settings

KEY, CAREFUL, GREEDY = map(str, paths())
WEIGHED = ["ceaf_m_weighted", "ceaf_e_weighted", "lea_weighted", "ace_value"]
NOT_THERE = [
    *("zeros", "bridging_anaphora", "bridging_mentions", "bridging_entities"),
    "non_referring",
]


def left_out(notes):
    """List the metrics that notes say are left out."""
    said = [note for note in notes if note.startswith("not scored: ")]
    return [name for note in said for name in note.split(": ")[1].split(", ")]


@pytest.mark.parametrize("preset", [None, *PRESETS])
def test_every_metric_is_scored_or_said_to_be_left_out(preset):
    settings = PRESETS[preset] if preset else Settings()
    metrics, notes = select_metrics("all", settings, {"preset": preset})
    names = [metric.name for metric in metrics]
    every = [metric.name for metric in iter_metrics()]
    assert sorted([*names, *left_out(notes)]) == sorted(every)
    assert names == [name for name in every if name in names]


def test_what_an_input_lacks_is_left_out_and_said():
    result = corefkit.score(KEY, CAREFUL, metrics="all")
    assert left_out(result.notes) == [*WEIGHED, *NOT_THERE]
    others = {*list_metric_names()} - {*WEIGHED, *NOT_THERE, "conll"}
    assert {*result} == others
    assert result.conll == corefkit.score(KEY, CAREFUL).conll


def test_counts_and_notes_are_those_of_the_metrics_that_are_left():
    sides = {"a": ["ab", "bc"], "b": ["de"]}, {"a": ["abc"]}
    result = corefkit.score(*sides, metrics="all")
    assert {*result.counts} == {*result.scores}
    notes = corefkit.score(*sides).notes
    assert notes
    assert result.notes[: len(notes)] == notes


def test_scores_are_those_of_each_metric_alone():
    result = corefkit.score(KEY, GREEDY, metrics=["all"])
    for name in result:
        assert result[name] == corefkit.score(KEY, GREEDY, metrics=[name])[name]


def test_what_one_response_has_is_shown_for_all():
    key = {"d": ["ab", "c"]}
    both = corefkit.score_responses(key, [{"d": ["ab"]}, {"d": ["abc"]}], metrics="all")
    assert [*both[0]] == [*both[1]]


def test_weights_that_are_named_are_used():
    attributes = {"type": "PER", "mention_type": "NAM"}
    mentions = (corefkit.Mention(n, n, attributes=attributes) for n in (1, 2))
    document = corefkit.Document("d", (), (corefkit.Entity("1", tuple(mentions)),))
    for keyword in ({"weights": "ace2005"}, {"preset": "ace2005"}):
        result = corefkit.score(document, document, metrics="all", **keyword)
        assert [result[name].f1 for name in WEIGHED] == [1, 1, 1, 1]
        assert not {*WEIGHED} & {*left_out(result.notes)}


@pytest.mark.parametrize("words", ["all,ace_value", ["ace_value", "all"]])
def test_a_metric_that_is_named_beside_is_not_left_out(words):
    metrics, notes = select_metrics(words, Settings(), {})
    assert [metric.name for metric in metrics].count("ace_value") == 1
    assert "ace_value" not in left_out(notes)


def test_an_evaluator_takes_all_that_settings_allow():
    evaluator = corefkit.Evaluator(metrics="all")
    evaluator.update(["ab"], ["ab"])
    assert evaluator.compute()["lea"].f1 == 1
    with pytest.raises(corefkit.SettingsError, match="no metric was requested"):
        corefkit.Evaluator(metrics=[])


@pytest.mark.parametrize(
    "words",
    [
        ["compare", "--samples", "10"],
        ["report", "-o", "report.html"],
        ["score", "--sort", "alpha"],
        ["score", "--format", "json", "--per-document"],
    ],
    ids=" ".join,
)
def test_commands_say_what_is_left_out(words, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    command, *options = words
    assert main([command, KEY, CAREFUL, GREEDY, "--metric", "all", *options]) == 0
    assert f"not scored: {', '.join(WEIGHED)}: they need" in capsys.readouterr().err


def test_trees_with_more_in_them_have_more_metrics(capsys):
    assert main(["score", str(trees()), str(trees()), "--metric", "all"]) == 0
    assert "MOR" in capsys.readouterr().out


def test_stored_results_are_compared_by_what_they_have(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for path, metrics in ((CAREFUL, "muc,lea"), (GREEDY, "lea")):
        shutil.copy(path, tmp_path)
        name = f"{metrics}.json"
        words = ["--metric", metrics, "--format", "json", "--per-document"]
        assert main(["score", KEY, path, *words, "-o", name]) == 0
    assert main(["compare", "muc,lea.json", "lea.json", "--metric", "all"]) == 0
    assert "not every result has muc" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["diagnose", "perturb"])
def test_the_laboratory_has_all_that_partitions_allow(command, capsys):
    words = ["--steps", "2", "--kind", "split"] if command == "perturb" else [CAREFUL]
    assert main(["lab", command, KEY, *words, "--metric", "all"]) == 0
    assert "B³sys" in capsys.readouterr().out


def test_the_reference_text_has_what_the_reference_scorer_calls_all(capsys):
    words = ["score", KEY, CAREFUL, "--format", "reference"]
    assert main(words) == 0
    usual = capsys.readouterr()
    assert main([*words, "--metric", "all"]) == 0
    assert capsys.readouterr() == usual
