from __future__ import annotations

import io
import json
import re

import pytest

from corefkit.cli import main
from corefkit.example import paths

KEY, CAREFUL, _ = map(str, paths())


def test_nothing_found(capsys):
    assert main(["doctor", KEY, f"base={CAREFUL}"]) == 0
    printed = capsys.readouterr()
    assert printed.out.split()[:2] == ["base", "against"]
    assert "Nothing found in " in printed.out
    assert printed.err == ""


def test_json(capsys):
    assert main(["doctor", "--example", "--format", "json"]) == 0
    values = json.loads(capsys.readouterr().out)
    assert values["findings"] == []
    assert values["scores"]["conll"] == pytest.approx(0.6843, abs=5e-5)


def test_findings_go_to_a_file(tmp_path, capsys):
    target = tmp_path / "found.md"
    words = ["doctor", KEY, KEY, "--format", "markdown", "-o", str(target)]
    assert main(words) == 0
    assert capsys.readouterr().out == ""
    assert "- **1.** Key and response are the same file." in target.read_text("utf-8")


def test_settings_are_those_of_the_score(capsys):
    assert main(["doctor", KEY, CAREFUL, "--singletons", "drop"]) == 0
    assert "|singletons:drop|" in capsys.readouterr().out


def test_response_that_score_refuses_is_examined(tmp_path, capsys):
    text = paths()[1].read_text("utf-8").replace("(example/", "(run/")
    response = tmp_path / "response.conll"
    response.write_text(text, "utf-8")
    assert main(["score", KEY, str(response)]) == 1
    capsys.readouterr()
    assert main(["doctor", KEY, str(response)]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert "cannot be scored" in printed
    assert "4 documents of the response have another name than in the key" in printed
    assert "after: CoNLL 68.43, Mentions 84.21" in printed


def test_file_that_is_not_there(capsys):
    assert main(["doctor", KEY, "nowhere.conll"]) == 1
    assert "nowhere.conll: cannot be read" in capsys.readouterr().err


def test_one_file_alone_is_wrong_usage(capsys):
    assert main(["doctor", KEY]) == 2
    assert "a key and a response are required" in capsys.readouterr().err


def changed(line, *, name=None, word=None, cell=None):
    """Change a line of the response: its document's name, its words, or a cell more."""
    if line.startswith("#") or not line:
        return line.replace("(example/", f"({name}/") if name else line
    columns = line.split()
    columns[3] = word or columns[3]
    return "\t".join([*columns, *([cell] if cell else [])])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"name": "run"}, "finds renamed documents"),
        ({"word": "x"}, "scores possible fixes"),
        ({"cell": "-"}, "scores possible fixes"),
    ],
    ids=["names", "words", "column"],
)
def test_score_names_the_doctor_where_something_is_wrong(
    tmp_path, capsys, change, said
):
    lines = paths()[1].read_text("utf-8").splitlines()
    response = tmp_path / "response.conll"
    rows = [changed(line, **change) for line in lines]
    response.write_text("\n".join([*rows, ""]), "utf-8")
    main(["score", KEY, str(response)])
    assert f"`corefkit doctor` {said}" in capsys.readouterr().err


def test_score_does_not_name_the_doctor_where_all_is_well(capsys):
    assert main(["score", KEY, CAREFUL]) == 0
    assert "doctor" not in capsys.readouterr().err


def test_what_comes_through_a_pipe_is_examined(monkeypatch, capsys):
    text = paths()[1].read_bytes().replace(b"(example/", b"(run/")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text)))
    assert main(["doctor", KEY, "-"]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert "4 documents of the response have another name" in printed


def test_response_without_mentions_is_a_finding(tmp_path, capsys):
    lines = paths()[1].read_text("utf-8").splitlines()
    rows = [
        line if line.startswith("#") else re.sub(r"\S+$", "-", line) for line in lines
    ]
    response = tmp_path / "response.conll"
    response.write_text("\n".join([*rows, ""]), "utf-8")
    assert main(["doctor", KEY, str(response)]) == 0
    printed = capsys.readouterr().out
    assert "The response has no mention in its 4 documents." in printed
