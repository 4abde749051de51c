"""`corefkit score --format corefud`: the lines of the CorefUD scorer."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import corefkit
from corefkit.cli import main
from corefkit.results.corefud_text import COREFUD_NAMES

KEY = """\
# newdoc id = walk
# global.Entity = eid-etype-head-other
1\tAna\t_\t_\t_\t_\t2\tnsubj\t_\tEntity=(e1-person-1)
2\tsold\t_\t_\t_\t_\t0\troot\t_\t_
3\ther\t_\t_\t_\t_\t4\tdet\t_\tEntity=(e2-object-2(e1-person-1)
4\tmill\t_\t_\t_\t_\t2\tobj\t_\tEntity=e2)

1\tIt\t_\t_\t_\t_\t2\tnsubj\t_\tEntity=(e2-object-1)
2\tburned\t_\t_\t_\t_\t0\troot\t_\t_

"""
# The scorer finds e1 and not e2, one link of two.
OUTPUT = """\
The scorer is evaluating coreferential mentions, zeros (using dependent match method) \
using head match evaluation setting.
The following metrics will be evaluated: muc, bcub, ceafe, zero

muc
Recall: 50.00  Precision: 100.00  F1: 66.67
bcub
Recall: 50.00  Precision: 100.00  F1: 66.67
ceafe
Recall: 50.00  Precision: 100.00  F1: 66.67
zero
Recall: 0.00  Precision: 0.00  F1: 0.00
CoNLL score: 66.67
"""


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("key.conllu").write_text(KEY, "utf-8")
    Path("response.conllu").write_text(
        re.sub(r"\(e2-object-[12]|e2\)", "", KEY)
        .replace("Entity=\n", "_\n")
        .replace("Entity=)\n", "_\n"),
        "utf-8",
    )

    def command(*words):
        files = ("key.conllu", "response.conllu")
        code = main(["score", *files, "--format", "corefud", *words])
        return code, *capsys.readouterr()

    return command


def test_lines_are_those_of_the_scorer(run):
    code, out, err = run("--metric", "muc,bcub,ceafe,zero")
    assert (code, out) == (0, OUTPUT)
    assert err == f"{corefkit.PRESETS['crac2026'].signature}\n"


@pytest.mark.parametrize("words", [(), ("--metric", "all")])
def test_default_metrics_are_those_of_the_scorer(run, words):
    _, out, _ = run(*words)
    assert re.findall(r"^[a-z]+$", out, re.MULTILINE) == [*COREFUD_NAMES.values()]
    assert re.search(r"^CoNLL score: 66\.67$", out, re.MULTILINE)


def test_conll_score_needs_its_three_metrics(run):
    assert "CoNLL" not in run("--metric", "muc,lea")[1]


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (
            ("--singletons", "keep"),
            "coreferential mentions, singletons, zeros (using dependent match method) "
            "using head",
        ),
        (
            ("--preset", "crac2022"),
            "coreferential mentions, zeros (using linear match method) "
            "using partial-corefud",
        ),
        (("--match", "exact", "--zeros", "drop"), "coreferential mentions using exact"),
    ],
)
def test_first_line_has_the_settings(run, words, line):
    first, *_ = run(*words)[1].splitlines()
    assert first == f"The scorer is evaluating {line} match evaluation setting."


@pytest.mark.parametrize(
    "words",
    [("--per-document",), ("--average", "macro"), ("--metric", "b_cubed_0")],
)
def test_scores_that_the_scorer_lacks_are_rejected(run, words):
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert "corefud format" in err


def test_preset_of_a_configuration_file_is_ignored(run):
    Path("corefkit.toml").write_text('[score]\npreset = "conll2012"\n', "utf-8")
    assert run()[2].endswith(f"{corefkit.PRESETS['crac2026'].signature}\n")
