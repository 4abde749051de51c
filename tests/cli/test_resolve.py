"""The command `corefkit resolve`."""

from __future__ import annotations

import json
import shutil
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from resolver.stories import stories, written_stories

import corefkit
from corefkit.cli import main
from corefkit.corpus import read_declaration
from corefkit.model import Document


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A folder with stories, and a model trained with them."""
    folder = tmp_path_factory.mktemp("trained")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)  # the model records the names of its files
        patch.setattr("cistell.places._HERE", folder / "nowhere")
        written_stories("train.conllu", 20)
        written_stories("test.conllu", 5, seed=9)
        words = ["train", "train.conllu", "-o", "m.model", "--learner", "ib1"]
        assert main([*words, "--tagger", "--heldout", "test.conllu"]) == 0
    return folder


@pytest.fixture
def run(trained, tmp_path, monkeypatch, capsys):
    """Run `corefkit` in a folder with a model; gives code, stdout and stderr.

    The model that comes with corefkit is hidden.
    """
    shutil.copytree(trained, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("cistell.places._HERE", tmp_path / "nowhere")
    capsys.readouterr()  # the first test also trains the model

    def command(*words):
        code = main([*words])
        return code, *capsys.readouterr()

    return command


def partition(path):
    return {
        document.id: sorted(sorted(map(tuple, entity)) for entity in document)
        for document in corefkit.read(path)
    }


@pytest.mark.parametrize(
    "link", ["strong", "super_strong", "best", "weak", "head_match_pron"]
)
@pytest.mark.slow
def test_resolves_better_than_nothing(run, link):
    words = ("resolve", "test.conllu", "-o", "out.conllu", "--model", "m.model")
    code, out, err = run(*words, "--link", link)
    assert (code, out) == (0, "")
    assert "written: 5 documents, " in err
    assert corefkit.score("test.conllu", "out.conllu", metrics="muc")["muc"].f1 > 0.6


def test_the_entities_of_the_file_are_not_looked_at(run):
    alone = [
        Document(
            one.id,
            one.sentences,
            tuple(
                type(entity)(f"{entity.id}{at}", (mention,))
                for entity in one
                for at, mention in enumerate(entity)
            ),
            layers=one.layers,
        )
        for one in corefkit.read("test.conllu")
    ]
    corefkit.write(alone, "alone.conllu")
    for name in ("test", "alone"):
        run(
            "resolve",
            f"{name}.conllu",
            "-o",
            f"{name}.out.conllu",
            "--model",
            "m.model",
        )
    assert partition("test.out.conllu") == partition("alone.out.conllu")


def test_baselines_need_no_model(run):
    run("resolve", "test.conllu", "-o", "out.conllu", "--link", "all_singletons")
    result = corefkit.score("test.conllu", "out.conllu", metrics="b_cubed,muc")
    assert result["b_cubed"].precision == 1
    assert result["muc"].recall == 0


def test_same_input_same_bytes(run):
    for name in ("one", "two"):
        run("resolve", "test.conllu", "-o", f"{name}.conllu", "--model", "m.model")
    assert Path("one.conllu").read_bytes() == Path("two.conllu").read_bytes()


@pytest.mark.parametrize("mentions", ["sm1", "sm2"])
def test_mentions_are_found_where_there_are_none(run, mentions):
    bare = [
        Document(one.id, one.sentences, (), layers=one.layers)
        for one in corefkit.read("test.conllu")
    ]
    corefkit.write(bare, "bare.conllu")
    words = ("--model", "m.model", "--mentions", mentions)
    code, _, err = run("resolve", "bare.conllu", "-o", "out.conllu", *words)
    assert code == 0, err
    (first, *_) = corefkit.read("out.conllu")
    assert read_declaration(first).mentions == mentions
    result = corefkit.score("test.conllu", "out.conllu", metrics="mentions,muc")
    assert result["mentions"].recall > 0.9
    assert result["muc"].f1 > 0.5


def test_the_output_declares_its_mentions(run):
    run("resolve", "test.conllu", "-o", "out.conllu", "--model", "m.model")
    assert read_declaration(next(iter(corefkit.read("out.conllu")))).mentions == "gold"


def test_other_formats_can_be_written(run):
    run("resolve", "test.conllu", "-o", "out.jsonl", "--model", "m.model")
    assert len(list(corefkit.read("out.jsonl"))) == 5


def test_options_change_the_linking(run):
    found = {}
    for name, words in {
        "none": (),
        "strict": ("--threshold", "0"),
        "picked": ("--threshold", "heldout"),
        "loose": ("--check", "none", "--merge"),
    }.items():
        words = ("--model", "m.model", "--link", "weak", *words)
        assert run("resolve", "test.conllu", "-o", f"{name}.conllu", *words)[0] == 0
        found[name] = sum(len(one) for one in corefkit.read(f"{name}.conllu"))
    mentions = sum(len(e) for one in corefkit.read("test.conllu") for e in one)
    assert found["strict"] == mentions
    assert found["loose"] <= found["none"] <= found["picked"] <= mentions


@pytest.mark.parametrize("count", [0, 1])
def test_documents_with_hardly_any_mention(run, count):
    few = [
        Document(
            one.id,
            one.sentences,
            tuple(type(e)(e.id, e.mentions[:1]) for e in one.entities[:count]),
            layers=one.layers,
        )
        for one in stories(1)
    ]
    corefkit.write(few, "few.conllu")
    words = ("--model", "m.model", "--mentions", "gold")
    code, _, err = run("resolve", "few.conllu", "-o", "out.conllu", *words)
    assert code == 0
    assert ("warning: no mention was found" in err) is (count == 0)
    assert [len(one) for one in corefkit.read("out.conllu")] == [count]


@pytest.mark.slow
def test_model_that_looks_at_types_tells_that_found_mentions_have_none(run):
    words = ("train", "train.conllu", "-o", "typed.model", "--learner", "ib1")
    assert run(*words, "--tagger", "--entity-types", "all")[0] == 0
    words = ("resolve", "test.conllu", "-o", "out.conllu", "--model", "typed.model")
    code, _, err = run(*words, "--mentions", "sm2")
    assert code == 0
    assert "note: the model looks at entity types, and 0 of" in err
    assert "--entity-types none" in err
    assert "looks at" not in run(*words)[2]


def test_lemmas_that_are_not_there_are_told(run):
    layers = ("upos", "feats", "head", "deprel")
    bare = [
        replace(one, layers={name: one.layers[name] for name in layers})
        for one in corefkit.read("test.conllu")
    ]
    corefkit.write(bare, "bare.conllu")
    words = ("resolve", "bare.conllu", "-o", "out.conllu", "--link", "head_match")
    assert "looks at" not in run(*words)[2]
    assert "note: --link head_match looks at lemmas" in run(*words, "--lemmas")[2]


def test_missing_wordnet_is_told_where_a_baseline_asks_it(run, monkeypatch):
    monkeypatch.delenv("COREFKIT_WORDNET", raising=False)
    monkeypatch.setattr("cistell.lexicon.wordnet_folder", lambda _: None)
    monkeypatch.setattr("cistell.lexicon.database_nouns", lambda _: None)
    words = ("resolve", "test.conllu", "-o", "out.conllu", "--link")
    assert "WordNet" not in run(*words, "head_match")[2]
    assert "note: WordNet 3.0 is missing" in run(*words, "head_match_pron")[2]
    declined = ("--wordnet", "none")
    assert "WordNet" not in run(*words, "head_match_pron", *declined)[2]


def test_sieve_links_where_no_model_is(run):
    code, _, err = run("resolve", "test.conllu", "-o", "out.conllu")
    assert code == 0
    assert "note: there is no trained model here, so the sieve links" in err
    words = ("--model", "sieve")
    code, _, err = run("resolve", "test.conllu", "-o", "named.conllu", *words)
    assert (code, "no trained model" in err) == (0, False)
    assert partition("out.conllu") == partition("named.conllu")
    assert corefkit.score("test.conllu", "out.conllu", metrics="muc")["muc"].f1 > 0.5


def test_default_model_is_used(run, monkeypatch):
    monkeypatch.setenv("COREFKIT_MODEL", "m.model")
    run("resolve", "test.conllu", "-o", "out.conllu")
    monkeypatch.delenv("COREFKIT_MODEL")
    run("resolve", "test.conllu", "-o", "named.conllu", "--model", "m.model")
    assert Path("out.conllu").read_bytes() == Path("named.conllu").read_bytes()


def test_card_is_printed_alone(run):
    code, out, err = run("resolve", "--card", "--model", "m.model")
    assert (code, err) == (0, "")
    assert "trained on   train.conllu: 20 documents" in out


def test_paper_is_best_with_every_decision(run):
    for name, words in (("paper", ("--paper",)), ("best", ("--link", "best"))):
        words = ("--model", "m.model", *words)
        assert run("resolve", "test.conllu", "-o", f"{name}.conllu", *words)[0] == 0
    assert Path("paper.conllu").read_bytes() == Path("best.conllu").read_bytes()


def changed(source, target, **values):
    """Copy a model, with other values in its description."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            body = old.read(name)
            if name == "model.json":
                body = json.dumps({**json.loads(body), **values}).encode()
            new.writestr(name, body)


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("test.conllu", "-o", "out.conllu", "--paper"), 2, "there is no model"),
        (("text.txt", "-o", "out.conllu"), 2, "there is no model"),
        (
            ("text.txt", "-o", "out.conllu", "--model", "sieve"),
            2,
            "no model that has a parser is here",
        ),
        (
            ("test.conllu", "-o", "o.conllu", "--model", "sieve", "--link", "weak"),
            2,
            "are two ways",
        ),
        (
            ("test.conllu", "-o", "o.conllu", "--model", "sieve", "--threshold", "1"),
            2,
            "--threshold is for models of pairs",
        ),
        (("test.conllu", "-o", "out.conllu", "--model", "none"), 1, "none"),
        (
            ("test.conllu", "-o", "out.conllu", "--model", "test.conllu"),
            1,
            "not a model",
        ),
        (("test.conllu", "-o", "out.conllu", "--model", "newer"), 1, "newer"),
        (("test.conllu", "-o", "out.conllu", "--model", "moon"), 1, "moon"),
        (("test.conllu", "-o", "out.conllu", "--model", "latin"), 1, "'la'"),
        (("test.conllu", "-o", "out.conllu", "--model", "cut"), 1, "cut"),
        (("test.conllu", "-o", "test.conllu", "--model", "m.model"), 2, "is an input"),
        (("test.conllu", "-o", "out.moon", "--model", "m.model"), 2, "ending"),
        (("text.txt", "-o", "out.conllu", "--model", "m.model"), 2, "has no parser"),
        (("texts", "-o", "out.conllu", "--model", "m.model"), 2, "has no parser"),
        (
            (
                "test.conllu",
                "-o",
                "out.conllu",
                "--model",
                "m.model",
                "--threshold",
                "x",
            ),
            2,
            "expected a distance",
        ),
        (
            ("bare.conllu", "-o", "out.conllu", "--link", "head_match"),
            1,
            "no tags and trees",
        ),
    ],
)
def test_what_cannot_be_resolved_is_told_and_leaves_nothing(run, words, code, message):
    Path("text.txt").write_text("Ann sold her mill.\n")
    Path("texts").mkdir()
    Path("texts/text.txt").write_text("Ann sold her mill.\n")
    changed("m.model", "newer", format=99)
    changed("m.model", "moon", columns=[{"name": "moon", "values": ["full"]}])
    changed("m.model", "latin", language="la")
    Path("cut").write_bytes(Path("m.model").read_bytes()[:500])
    bare = [Document(one.id, one.sentences, one.entities) for one in stories(1)]
    corefkit.write(bare, "bare.conllu")
    before = contents()
    found, out, err = run("resolve", *words)
    assert (found, out) == (code, "")
    assert message in err
    assert "hint: " in err
    assert contents() == before


def contents():
    return {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()}
