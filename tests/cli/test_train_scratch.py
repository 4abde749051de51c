"""`corefkit train --from-scratch FOLDER`, and what then works without options."""

from __future__ import annotations

from pathlib import Path

import pytest
from resolver.small_models import TEXT, small_resolver
from resolver.stories import written_stories
from shared_files import DATA

import corefkit
from cistell.corpora.parts import is_masked
from cistell.parsing.accuracy import raw_text
from cistell.resolver import Resolver
from cistell.scratch import Outcome
from cistell.scratch.corpus import corpus_at
from cistell.scratch.judging import Score
from cistell.scratch.steps import Progress
from corefkit.cli import main


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Run `corefkit` in a folder of its own; gives code, stdout and stderr."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))

    def command(*words):
        code = main([*words])
        return code, *capsys.readouterr()

    return command


def tales(**parts):
    Path("tales").mkdir()
    for part, count in parts.items():
        written_stories(f"tales/tales-{part}.conllu", count, seed=len(part))


@pytest.fixture
def trained(monkeypatch):
    """Stand in for the training, which takes long; it shows its progress."""

    def train(folder, options, *, show):
        show(Progress("learning", 1, 2, 0.0, None))
        show(Progress("learning", 1, 2, 0.25, 200.0))
        show(Progress("scoring", 2, 2, 0.9, 5.0))
        corpus = corpus_at(folder)
        scores = (Score("raw text", "CoNLL", 61.5),) if corpus.test else ()
        asked.append(options)
        return Outcome(small_resolver(), corpus, scores, {"learning": 130.0})

    asked = []
    monkeypatch.setattr("corefkit.cli.train_scratch.train_from_scratch", train)
    return asked


@pytest.mark.usefixtures("trained")
@pytest.mark.slow
def test_model_is_kept_where_resolve_finds_it(run):
    tales(train=2, test=1)
    code, out, err = run("train", "--from-scratch", "tales", "--wordnet", "none")
    assert code == 0, err
    assert err.startswith("error: 1 of 2: learning\n2 of 2: scoring\n")
    assert "raw text    CoNLL   61.50" in out
    assert "test part of tales" in out
    assert "en.model, trained in 2 minutes" in err
    assert "`corefkit resolve FILE` uses it from now on" in err
    Path("text.txt").write_text(TEXT)
    code, out, err = run("resolve", "text.txt")
    assert (code, err) == (0, "")
    assert out.startswith("text\n====\n")
    assert "Ann" in out


@pytest.mark.slow
def test_options_reach_the_training(run, trained):
    tales(train=2)
    words = ("--seed", "7", "--jobs", "3", "--epochs", "2", "--small", "-o", "m.model")
    code, out, err = run("train", "--from-scratch", "tales", *words)
    assert (code, out) == (0, "")
    (options,) = trained
    assert (options.seed, options.jobs, options.epochs) == (7, 3, 2)
    assert options.small
    assert options.context.entity_types == "all"
    assert "note: the corpus has no test part" in err
    assert "from now on" not in err
    assert Resolver.load("m.model")(TEXT).entities


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("none",), 2, "none: there is no such folder"),
        (("tales", "more.conllu"), 2, "takes a folder, and no other files"),
        (("tales", "--example"), 2, "takes a folder, and no other files"),
        (("tales", "--paper"), 2, "--from-scratch and --paper do not go together"),
        (("tales", "--learner", "ib1"), 2, "--from-scratch and --learner do not"),
        (("tales", "--no-tagger"), 2, "--from-scratch and --tagger do not"),
        (("tales", "--entity-types", "all"), 2, "and --entity-types do not"),
        (("tales", "--from", "conllu"), 2, "--from-scratch and --from do not"),
        (("tales", "--jobs", "0"), 2, "--jobs cannot be 0"),
        (("tales", "--epochs", "-1"), 2, "--epochs cannot be -1"),
        (("tales", "-o", "no/m.model"), 1, "no/m.model: cannot be written"),
        (("empty",), 2, "empty: there is no corpus here"),
    ],
)
def test_what_cannot_be_trained_is_told_at_once(run, words, code, message):
    tales(train=1)
    Path("empty").mkdir()
    found, out, err = run("train", "--from-scratch", *words)
    assert (found, out) == (code, "")
    assert message in err


@pytest.mark.parametrize("words", [("--jobs", "2"), ("--epochs", "2"), ("--small",)])
def test_its_options_need_it(run, words):
    tales(train=1)
    code, _, err = run("train", "tales/tales-train.conllu", "-o", "m.model", *words)
    assert code == 2
    assert f"{words[0]} goes with --from-scratch" in err


def tenth(part):
    path = DATA / "gum" / f"gum-{part}.conllu"
    if not path.exists():
        pytest.skip("GUM is not there")
    worded = [one for one in corefkit.read(path) if not is_masked(one)]
    return worded[:: 10 if part == "train" else 8]


@pytest.mark.slow
def test_one_command_trains_one_resolves_one_scores(run):
    """The three commands of the documentation, on a tenth of GUM."""
    pytest.importorskip("lightgbm")
    pytest.importorskip("ufal.udpipe")
    Path("gum").mkdir()
    for part in ("train", "dev", "test"):
        corefkit.write(tenth(part), f"gum/gum-{part}.conllu")
    Path("texts").mkdir()
    for document in tenth("test"):
        Path("texts", f"{document.id}.txt").write_text(raw_text(document), "utf-8")
    quick = ("--epochs", "3", "--jobs", "1", "--wordnet", "none")
    code, out, err = run("train", "--from-scratch", "gum", *quick)
    assert code == 0, err
    assert "raw text, sieve" in out
    code, _, err = run("resolve", "texts", "-o", "response.conllu")
    assert code == 0, err
    words = ("gum/gum-test.conllu", "response.conllu", "--tokens", "characters")
    code, out, err = run("score", *words)
    assert code == 0, err
    response = list(corefkit.read("response.conllu"))
    result = corefkit.score(tenth("test"), response, tokens="characters")
    # A tenth of the corpus and few epochs: far from good, and far from nothing.
    assert result["mentions"].f1 > 0.4
    assert result.conll > 0.25
    bare = corefkit.score(
        tenth("test"), response, singletons="drop", match="head", tokens="characters"
    )
    assert bare["muc"].f1 > 0.2
