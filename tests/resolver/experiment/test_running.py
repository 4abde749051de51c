"""A small study run from end to end."""

from __future__ import annotations

import shutil

import pytest
from resolver.experiment.made import data_folder
from resolver.lexicon.conftest import write_wordnet

import corefkit
from cistell.experiment.claims import across_findings
from cistell.experiment.running import Listener, run_study
from cistell.experiment.setting_run import RunOptions
from cistell.experiment.study import load_study
from cistell.experiment.systems import METRICS
from cistell.modelfile import load_model
from corefkit.exceptions import CorefkitError, SettingsError
from corefkit.results.stored_results import read_stored


class Heard:
    """Keeps what a run tells."""

    def __init__(self):
        self.notes, self.begun, self.ended = [], [], []

    @property
    def listener(self):
        return Listener(
            self.notes.append,
            lambda *step: self.begun.append(step),
            lambda *step: self.ended.append(step),
        )


def run_in(path, data, **options):
    heard = Heard()
    study = load_study(str(data / "stories.toml"))
    results, _ = run_study(
        study,
        RunOptions(data, **({"words": 12} | options)),
        path,
        listener=heard.listener,
    )
    return results, heard


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return data_folder(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="module")
def made(data, tmp_path_factory):
    path = tmp_path_factory.mktemp("runs") / "run"
    return path, *run_in(path, data)


def test_every_system_of_every_setting_is_scored(made):
    _, results, _ = made
    first, second = results.settings
    assert [one.setting.name for one in results.settings] == ["tales", "typed"]
    assert len(first.systems) == 4 + 5 + 4 + 3
    assert len(second.systems) == 4 + 5 + 4 + 3
    assert first.systems["ib1-weak"].links >= first.systems["ib1-strong"].links > 0
    assert first.systems["logistic-best"].f1("lea") > 0


def test_scores_are_those_of_the_files(made):
    path, results, _ = made
    for one in results.settings:
        key = path / f"corpora/{one.setting.name}-test.conllu"
        for name, scored in one.systems.items():
            response = path / f"responses/{one.setting.name}-{name}.conllu"
            evaluation = corefkit.score(key, response, metrics=METRICS)
            for metric in METRICS:
                score = scored.score(metric)
                assert evaluation[metric].f1 == pytest.approx(score.f1, rel=1e-9)
                assert score.interval.low <= score.f1 <= score.interval.high
            assert evaluation.corpus == one.corpus
            (stored,) = read_stored(path / f"scores/{one.setting.name}-{name}.json")
            assert stored.scores == evaluation.scores


def test_scores_declare_their_corpus(made):
    _, results, _ = made
    declared = [one.corpus.declared.to_dict() for one in results.settings]
    assert declared[1] == {
        "scheme": "ace",
        "mentions": "gold",
        "preprocessing": "gold",
        "split": "test",
        "parts": "12",
    }
    assert corefkit.differences(*(one.corpus for one in results.settings))


def test_models_can_be_loaded(made):
    path, results, _ = made
    models = sorted((path / "models").glob("*.model"))
    names = ["tales-ib1", "tales-logistic", "tales-third-ib1"]
    assert [one.stem for one in models if one.stem.startswith("tales")] == names
    whole, third = (load_model(path / f"models/{names[at]}.model") for at in (0, 2))
    pairs = results.settings[0].pairs
    assert whole.training["pairs"] == pairs.pairs > third.training["pairs"]
    assert whole.training["coreferent_pairs"] == pairs.coreferent
    # ib1 weighs features by their gain ratios.
    assert whole.classifier.weights == pytest.approx(dict(pairs.gain_ratios))


def test_variant_looks_at_other_types(made):
    path, results, _ = made
    types = [
        load_model(path / f"models/typed{name}-ib1.model").training["entity_types"]
        for name in ("", "-all-types")
    ]
    assert types == ["names", "all"]
    second = results.settings[1]
    assert second.variant_pairs["all-types"].gain_ratios != second.pairs.gain_ratios


def test_what_is_not_there_is_noted_and_left_out(made):
    _, results, heard = made
    absent = "Absent tales is left out: absent.conllu is not in the folder of data"
    assert heard.notes[0] == "The tales are short."
    assert heard.notes[1] == f"{absent}; write some"
    assert list(results.notes) == heard.notes


@pytest.mark.slow
def test_second_run_tells_what_the_first_told(data, tmp_path, monkeypatch):
    monkeypatch.delenv("COREFKIT_WORDNET", raising=False)
    monkeypatch.setattr("cistell.lexicon.wordnet_folder", lambda _: None)
    monkeypatch.setattr("cistell.lexicon.database_nouns", lambda _: None)
    first, heard = run_in(tmp_path / "run", data)
    assert any("WordNet 3.0 is missing" in line for line in heard.notes)
    again, reheard = run_in(tmp_path / "run", data)
    assert {done for *_, done in reheard.ended} == {False}
    assert again.notes == first.notes
    assert reheard.notes == heard.notes


@pytest.mark.slow
def test_another_wordnet_is_another_run(data, tmp_path):
    for name, change in (("one", ""), ("other", "goose%1:05:00:: 1 9\n")):
        write_wordnet(tmp_path / name)
        with (tmp_path / name / "cntlist.rev").open("a", encoding="utf-8") as file:
            file.write(change)
    run_in(tmp_path / "run", data, wordnet=tmp_path / "one")
    with pytest.raises(SettingsError, match=r"lexicon\.en\.wordnet is another"):
        run_in(tmp_path / "run", data, wordnet=tmp_path / "other")


def test_second_run_finds_all_done(made, data):
    path, results, heard = made
    again, reheard = run_in(path, data)
    assert len(heard.begun) == len(heard.ended) == len(reheard.ended)
    assert {done for *_, done in heard.ended} == {True}
    assert {done for *_, done in reheard.ended} == {False}
    assert again.settings[0].systems["ib1-best"].f1("muc") == results.settings[
        0
    ].systems["ib1-best"].f1("muc")


def test_interrupted_run_goes_on(made, data, tmp_path):
    path, *_ = made
    copied = tmp_path / "run"
    shutil.copytree(path, copied)
    (copied / "steps/typed.ib1.resolve.json").unlink()
    (copied / "responses/typed-ib1-weak.conllu").unlink()
    _, heard = run_in(copied, data)
    redone = [about for _, _, about, done in heard.ended if done]
    assert redone == ["typed: resolving by IB1"]
    weak = "responses/typed-ib1-weak.conllu"
    assert (copied / weak).read_bytes() == (path / weak).read_bytes()


@pytest.mark.slow
def test_same_seed_gives_the_same_bytes(made, data, tmp_path):
    path, *_ = made
    run_in(tmp_path / "run", data)
    every = [one.relative_to(path) for one in path.rglob("*") if one.is_file()]
    for name in every:
        if name.name != "log.txt":
            other = tmp_path / "run" / name
            assert other.read_bytes() == (path / name).read_bytes(), name


def test_other_seed_is_another_run(made, data):
    path, *_ = made
    with pytest.raises(SettingsError, match="seed is 1, was 0"):
        run_in(path, data, seed=1)


def test_changed_corpus_is_another_run(made, data, tmp_path):
    path, *_ = made
    shutil.copytree(data, tmp_path / "data")
    with (tmp_path / "data/tales-test.conllu").open("a", encoding="utf-8") as file:
        file.write("# newdoc id = more\n1\tYes\t_\t_\t_\t_\t0\t_\t_\t_\n\n")
    with pytest.raises(SettingsError, match=r"data\.tales-test\.conllu is another"):
        run_in(path, tmp_path / "data")


def test_missing_data_are_told_before_anything_is_written(data, tmp_path):
    study = load_study(str(data / "stories.toml"))
    (tmp_path / "empty").mkdir()
    for folder, error, message in (
        ("none", SettingsError, "no such folder of data"),
        ("empty", CorefkitError, "is not in the folder of data"),
    ):
        options = RunOptions(tmp_path / folder)
        with pytest.raises(error, match=message):
            run_study(study, options, tmp_path / "run", listener=Listener())
    assert not (tmp_path / "run").exists()


PARSED = """
title = "Parsed"
about = "Trees of two kinds."
learners = ["ib1", "logistic"]
"""


@pytest.mark.slow
def test_parser_is_trained_where_none_is_given(data, tmp_path):
    pytest.importorskip("ufal.udpipe")
    setting = """
[[setting]]
name = "{0}"
title = "{0}"
language = "en"
preprocessing = "{0}"
learners = ["ib1"]
[setting.train]
entities = "tales-train.conllu"
[setting.test]
entities = "tales-test.conllu"
"""
    text = PARSED + setting.format("gold") + setting.format("udpipe")
    (tmp_path / "parsed.toml").write_text(text, "utf-8")
    study = load_study(str(tmp_path / "parsed.toml"))
    heard = Heard()
    results, _ = run_study(
        study, RunOptions(data), tmp_path / "run", listener=heard.listener
    )
    gold, automatic = results.settings
    steps = [about for _, _, about in heard.begun]
    assert steps.count("training a parser with tales-train.conllu") == 1
    assert (tmp_path / "run/models/parser-en.udpipe").is_file()
    assert automatic.corpus.declared.preprocessing == "udpipe"
    assert automatic.test.loss.mentions_before == gold.test.loss.mentions_after
    assert not automatic.modern()
    found = {one.claim for one in across_findings(results)}
    assert found == {"preprocessing"}
    # The parser of the run is as good as one that is given.
    parser = tmp_path / "run/models/parser-en.udpipe"
    again, _ = run_study(
        study,
        RunOptions(data, parsers=(parser,)),
        tmp_path / "again",
        listener=Listener(),
    )
    assert again.settings[1].test.statistics == automatic.test.statistics
