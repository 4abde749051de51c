"""The command `corefkit train`."""

from __future__ import annotations

from pathlib import Path

import pytest
from resolver.stories import stories, written_stories

import corefkit
from cistell.modelfile import load_model
from corefkit.cli import main
from corefkit.model import Document


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Run `corefkit train` in a folder of its own; gives code, stdout and stderr."""
    monkeypatch.chdir(tmp_path)
    written_stories("train.conllu", 12)
    written_stories("dev.conllu", 4, seed=1)

    def command(*words):
        code = main(["train", *words])
        return code, *capsys.readouterr()

    return command


def test_a_model_says_what_it_was_trained_on(run):
    words = ("--learner", "ib1", "--no-tagger")
    code, out, err = run("train.conllu", "-o", "m.model", *words)
    assert (code, out) == (0, "")
    assert "written: m.model, ib1 trained on 12 documents, " in err
    model = load_model("m.model")
    assert (model.language, model.learner, model.tagger) == ("en", "ib1", None)
    assert model.corpus["documents"] == 12
    assert model.training["sampling"]["scheme"] == "every"
    assert model.training["pairs"] > model.training["coreferent_pairs"] > 0


@pytest.mark.parametrize("learner", ["timbl", "ib1", "logistic", "boosting"])
@pytest.mark.slow
def test_same_seed_same_bytes(run, learner):
    for name in ("one.model", "two.model"):
        words = ("--learner", learner, "--seed", "3", "--tagger")
        assert run("train.conllu", "-o", name, *words)[0] == 0
    assert Path("one.model").read_bytes() == Path("two.model").read_bytes()


@pytest.mark.slow
def test_another_seed_is_another_sample(run):
    written_stories("more.conllu", 40)
    for seed in ("1", "2"):
        words = ("--learner", "ib1", "--seed", seed, "--negatives", "1")
        run("more.conllu", "-o", f"{seed}.model", *words)
    assert Path("1.model").read_bytes() != Path("2.model").read_bytes()


@pytest.mark.slow
def test_features_can_be_chosen_and_left_out(run):
    run(
        *("train.conllu", "-o", "m.model", "--learner", "ib1"),
        *("--features", "strings,gender_match", "--without", "acronym"),
    )
    names = [column.name for column in load_model("m.model").columns]
    assert "head_match" in names
    assert "gender_match" in names
    assert "acronym" not in names
    assert "is_a_match" not in names


@pytest.mark.slow
def test_thresholds_are_picked_on_what_is_held_out(run):
    run("train.conllu", "-o", "m.model", "--learner", "ib1", "--heldout", "dev.conllu")
    thresholds = load_model("m.model").training["thresholds"]
    assert set(thresholds) == {"strong", "super_strong", "best", "weak"}
    assert all(0 < value < 2 for value in thresholds.values())


def test_features_are_ranked_without_a_model(run):
    code, out, err = run("train.conllu", "--rank-features", "--learner", "ib1")
    assert code == 0, err
    lines = out.splitlines()
    assert lines[0].split("  ")[0] == "Feature"
    ratios = [float(line.split()[3]) for line in lines[1:] if len(line.split()) == 5]
    assert ratios == sorted(ratios, reverse=True)
    assert len(ratios) in (27, 29)
    assert "held-out pairs with all features: " in lines[-1]
    assert not list(Path().glob("*.model"))


def test_a_single_document_has_ranks_and_nothing_held_out(run):
    written_stories("one.conllu", 1)
    code, out, _ = run("one.conllu", "--rank-features", "--learner", "ib1")
    assert code == 0
    assert "held-out" not in out
    assert all(line.endswith("-") for line in out.splitlines()[1:])


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("train.conllu", "-o", "m.model", "--seed", "-1"), 2, "seed cannot be -1"),
        (("train.conllu", "-o", "m.model", "--negatives", "-3"), 2, "negatives cannot"),
        (("train.conllu",), 2, "a file for the model is needed"),
        (("none.conllu", "-o", "m.model"), 1, "none.conllu"),
        (
            ("train.conllu", "-o", "m.model", "--without", "moon"),
            2,
            "no feature 'moon'",
        ),
        (("train.conllu", "-o", "m.model", "--language", "la"), 2, "invalid choice"),
        (("train.conllu", "-o", "no/m.model", "--learner", "ib1"), 1, "no/m.model"),
        (("alone.conllu", "-o", "m.model", "--learner", "ib1"), 1, "nothing to learn"),
        (("bare.conllu", "-o", "m.model", "--learner", "ib1"), 1, "no tags and trees"),
    ],
)
def test_what_cannot_be_trained_is_told_and_leaves_nothing(run, words, code, message):
    apart = [
        Document(one.id, one.sentences, one.entities[:1], layers=one.layers)
        for one in stories(1)
    ]
    alone = [
        Document(
            one.id,
            one.sentences,
            tuple(type(e)(e.id, e.mentions[:1]) for e in one.entities),
            layers=one.layers,
        )
        for one in apart
    ]
    corefkit.write(alone, "alone.conllu")
    bare = [Document(one.id, one.sentences, one.entities) for one in stories(1)]
    corefkit.write(bare, "bare.conllu")
    before = sorted(Path().rglob("*"))
    found, out, err = run(*words)
    assert (found, out) == (code, "")
    assert message in err
    assert sorted(Path().rglob("*")) == before


def test_masked_documents_are_left_out_with_a_note(run):
    masked = [
        Document(
            "masked",
            tuple(tuple("_" * len(word) for word in line) for line in one.sentences),
            one.entities,
            layers=one.layers,
        )
        for one in stories(1)
    ]
    corefkit.write([*stories(6), *masked], "some.conllu")
    code, _, err = run("some.conllu", "-o", "m.model", "--learner", "ib1")
    assert code == 0
    assert "note: 1 masked document left out: masked\n" in err
    assert load_model("m.model").training["documents"] == 6
