"""Every command that the list of the papers names runs."""

from __future__ import annotations

import shlex

import pytest
from resolver.stories import write_study_corpora

import cistell.cli
import corefkit.cli
import corefkit.cli.scorer
from corefkit.example import paths, trees
from corefkit.papers import PAPERS, list_experiments, load_paper

STATES = {"recomputed", "checked", "open data", "software", "impossible"}
EXPERIMENTS = [row for name in PAPERS for row in list_experiments(load_paper(name))]
COMMANDS = sorted({row.command for row in EXPERIMENTS if row.command})


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return write_study_corpora(tmp_path_factory.mktemp("data"))


def test_every_experiment_has_a_command_or_a_reason():
    for row in EXPERIMENTS:
        assert row.state in STATES
        assert bool(row.command) != (row.state == "impossible")
        assert row.note or row.state in ("recomputed", "checked")


@pytest.mark.parametrize(
    "command",
    [
        # The ordinary run has the studies in tests/resolver.
        pytest.param(command, marks=[pytest.mark.slow] * ("study" in command))
        for command in COMMANDS
    ],
)
def test_command_runs(command, data, tmp_path, capsys, monkeypatch):
    if "preprocessing" in command:
        pytest.skip("automatic trees require models of UDPipe")
    # Without word lists of the machine.
    monkeypatch.setenv("COREFKIT_WORDNET", "none")
    key, response, _ = map(str, paths())
    values = {
        "KEY": key,
        "RESPONSE": response,
        "FOLDER": str(data),
        "PAGE": str(tmp_path / "page.html"),
        "FILE": str(trees()),
        "TRAIN": str(trees()),
    }
    program, *words = [values.get(word, word) for word in shlex.split(command)]
    run = {
        "corefkit": corefkit.cli.main,
        "corefkit-scorer": corefkit.cli.scorer.run,
        "cistell": cistell.cli.main,
    }[program]
    assert run(words) == 0
    assert capsys.readouterr().out


@pytest.mark.parametrize("name", PAPERS)
def test_list_of_a_paper_has_all_its_experiments(name, capsys):
    assert corefkit.cli.main(["lab", "papers", name]) == 0
    text = " ".join(capsys.readouterr().out.split())
    for row in list_experiments(load_paper(name)):
        assert row.where in text


def test_unknown_paper_is_rejected(capsys):
    assert corefkit.cli.main(["lab", "papers", "nobody"]) == 2
    assert "luo-2005" in capsys.readouterr().err
