"""What it takes to add to the laboratory: one row or one file, and every command runs.

A perturbation is a function and a row of `PERTURBATIONS`; a paper is a file and its
name in `PAPERS`. Each trial adds one at run time and changes nothing else.
"""

from __future__ import annotations

import json
import tomllib

import pytest

from corefkit import papers
from corefkit.cli import main
from corefkit.lab.perturbation import PERTURBATIONS, Perturbation

TOY_PAPER = """
short = "Toy"
authors = "Toy"
year = 2026
title = "On Toys"
venue = "Toys 2026"
not_here = "nothing."

[[table]]
id = "table-1"
where = "Table 1"
title = "A response"
fields = ["recall", "precision", "f1"]
decimals = 2
rule = "rounded"

[[table.row]]
label = "a"
key = "abc"
response = "ab"
erratum = "Toy-1"
[table.row.printed]
muc = "0.50 1.00 0.76"
[table.row.correct]
muc = "- - 0.67"

[[claim]]
id = "toys-1"
where = "Table 1"
says = "MUC is above zero"
operator = "above zero"
metrics = ["muc"]
sets = ["table-1/*"]

[[figure]]
id = "figure-1"
where = "Figure 1"
title = "Two responses"
x_label = "mentions"
ordered = true
source = "the paper"
key_sizes = "3"
responses = {"2" = "A2", "3" = "A3"}

[[erratum]]
id = "Toy-1"
kind = "wrong number"
where = "Table 1"
printed = "0.76"
correct = "0.67"
reason = "Twice 0.5 by 1.5."
"""


def backwards(pair, _, shares):
    """Drop the mentions of the key from the last to the first."""
    for share in shares:
        yield pair.key.keep(slice(0, round(len(pair.key) * (1 - share))))


@pytest.fixture
def toy_perturbation(monkeypatch):
    row = Perturbation(
        name="backwards",
        title="Mentions are dropped from the end",
        axis="share of the mentions dropped",
        start="key",
        end="the response is empty",
        source="a trial",
        responses=backwards,
    )
    monkeypatch.setitem(PERTURBATIONS, row.name, row)


@pytest.fixture
def toy_paper(monkeypatch):
    paper = papers.build_paper("toy-2026", tomllib.loads(TOY_PAPER))
    load = papers.load_paper
    monkeypatch.setattr(papers, "PAPERS", ("toy-2026", *papers.PAPERS))
    monkeypatch.setattr(
        papers, "load_paper", lambda name: paper if name == paper.name else load(name)
    )


@pytest.mark.usefixtures("toy_perturbation")
class TestPerturbation:
    WORDS = ("lab", "perturb", "--documents", "2", "--steps", "3")

    def test_every_output_has_it(self, capsys):
        for form in ("table", "csv", "json"):
            assert main([*self.WORDS, "--kind", "backwards", "--format", form]) == 0
            assert "backwards" in capsys.readouterr().out

    @pytest.mark.slow
    def test_it_is_among_all_and_drawn(self, capsys, tmp_path):
        assert main([*self.WORDS, "--metric", "lea", "-o", str(tmp_path)]) == 0
        assert "backwards: mentions are dropped from the end" in capsys.readouterr().out
        assert (tmp_path / "backwards.svg").exists()


@pytest.mark.usefixtures("toy_paper")
class TestPaper:
    def test_every_output_has_it(self, capsys):
        assert main(["lab", "reproduce", "--paper", "toy"]) == 0
        out = capsys.readouterr().out
        assert "1 erratum: 1 checked" in out
        assert "1 claim recomputed: 1 holds" in out
        assert "3 numbers recomputed: 2 exact" in out
        assert main(["lab", "reproduce", "--paper", "toy", "--format", "json"]) == 0
        (paper,) = json.loads(capsys.readouterr().out)["papers"]
        assert paper["cited"] == "Toy 2026"

    @pytest.mark.slow
    def test_it_has_pages_and_figures(self, tmp_path):
        assert main(["lab", "reproduce", "-o", str(tmp_path)]) == 0
        assert "On Toys" in (tmp_path / "index.html").read_text("utf-8")
        assert "On Toys" in (tmp_path / "reproduce.md").read_text("utf-8")
        assert (tmp_path / "toy-figure-1.svg").exists()
