"""`corefkit resolve --format text|html`: what was found, for people."""

from __future__ import annotations

import io
import re

import pytest

import corefkit
from corefkit.cli import main

WAY = ("--link", "head_match_pron", "--wordnet", "none")
EXAMPLE = ("resolve", "--example", *WAY)


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    # The model that comes with corefkit is hidden: its tagger may find a mention.
    monkeypatch.setattr("cistell.places._HERE", tmp_path / "nowhere")
    monkeypatch.setenv("COLUMNS", "80")

    def command(*words):
        code = main([*words])
        return code, *capsys.readouterr()

    return command


def test_text_goes_to_the_terminal(run):
    code, out, err = run(*EXAMPLE, "--format", "text")
    assert (code, err) == (0, "")
    assert out.startswith("(example/bridge); part 000\n=====")
    assert "[5 a flood] had swept away [5 its] middle arch ." in out
    assert "\x1b" not in out
    assert out.count("mentions, ") == 4
    assert out.endswith("\n")


def test_text_goes_to_a_file(run, tmp_path):
    code, out, err = run(*EXAMPLE, "--format", "text", "-o", "found.txt")
    assert (code, out) == (0, "")
    assert err == "written: 4 documents, 343 tokens, 109 mentions, 61 entities\n"
    printed = run(*EXAMPLE, "--format", "text")[1]
    assert (tmp_path / "found.txt").read_text("utf-8") == printed


def test_a_page_goes_to_a_file_or_out(run, tmp_path):
    code, out, _ = run(*EXAMPLE, "--format", "html", "-o", "found.html")
    assert (code, out) == (0, "")
    page = (tmp_path / "found.html").read_text("utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert "4 documents, 343 tokens, 109 mentions, 61 entities" in page
    assert 'id="reader-data"' in page
    assert run(*EXAMPLE, "--format", "html")[1] == page


def test_what_is_shown_is_what_is_written(run):
    run(*EXAMPLE, "-o", "found.conllu")
    printed = run(*EXAMPLE, "--format", "text")[1]
    read = list(corefkit.read("found.conllu"))
    assert corefkit.entities_text(read, width=80) + "\n" == printed


def test_text_is_shown_where_nothing_else_is_asked_for(run):
    assert run(*EXAMPLE) == run(*EXAMPLE, "--format", "text")


def test_a_format_without_a_place_goes_to_standard_output(run, tmp_path):
    run(*EXAMPLE, "-o", "found.conllu")
    code, out, _ = run(*EXAMPLE, "--to", "conllu")
    assert (code, out) == (0, (tmp_path / "found.conllu").read_text("utf-8"))


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--format", "html", "--to", "conllu"), 2, "are two outputs"),
        (("--format", "latex"), 2, "invalid choice: 'latex'"),
        (("--format", "html", "-o", "no/such/folder.html"), 1, "cannot be written"),
        (("--format", "text", "-o", "."), 1, "is a folder, expected a file"),
    ],
)
def test_what_cannot_be_is_said(run, words, code, said):
    found, out, err = run(*EXAMPLE, *words)
    assert (found, out) == (code, "")
    assert said in err


def test_the_input_is_never_replaced(run, tmp_path):
    corefkit.write(corefkit.read(corefkit.example.trees()), "in.conllu")
    before = (tmp_path / "in.conllu").read_bytes()
    words = ("resolve", "in.conllu", *WAY, "--format", "html", "-o", "in.conllu")
    code, _, err = run(*words)
    assert code == 2
    assert "is an input" in err
    assert (tmp_path / "in.conllu").read_bytes() == before


def test_no_mention_is_a_warning(run, tmp_path):
    (tmp_path / "none.conllu").write_text(
        "# newdoc id = d\n1\tRun\trun\tVERB\t_\t_\t0\troot\t_\t_\n\n", "utf-8"
    )
    code, out, err = run("resolve", "none.conllu", *WAY, "--format", "text")
    assert code == 0
    assert "0 mentions, 0 entities" in out
    assert "warning: no mention was found" in err


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({}, True),
        ({"NO_COLOR": "1"}, False),
        ({"NO_COLOR": ""}, True),
        ({"TERM": "dumb"}, False),
    ],
)
@pytest.mark.slow
def test_colours_are_for_terminals(monkeypatch, variables, expected):
    for name in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    terminal = Terminal()
    monkeypatch.setattr("sys.stdout", terminal)
    assert main([*EXAMPLE, "--format", "text"]) == 0
    assert bool(re.search(r"\x1b\[3\dm", terminal.getvalue())) is expected
