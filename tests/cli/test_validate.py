"""`corefkit validate`: severities, exit codes, lines and JSON."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path

import pytest
from files import conll, written

from corefkit import __version__
from corefkit.cli import main
from corefkit.formats import files as bytefile

SOUND = conll("(1) - (1)")
NOTE = conll("(1) (2) (2)")
WARNING = conll("(1)|(2) (1) (2)")
ERROR = conll("(1) (2 (1)")
CONTENTS = {"sound": SOUND, "note": NOTE, "warning": WARNING, "error": ERROR}
UNSEEN = "\x1b[2J\n\u202e"


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Run the command beside files of each severity; gives code, stdout and stderr."""
    monkeypatch.chdir(tmp_path)
    for name, content in CONTENTS.items():
        written(Path(name), content)

    def command(*words):
        code = main(["validate", *words])
        streams = capsys.readouterr()
        assert "defect" not in streams.err
        return code, streams.out, streams.err

    return command


@pytest.mark.parametrize(
    ("least", "codes"),
    [
        (None, (0, 0, 1, 1)),
        ("warning", (0, 0, 1, 1)),
        ("note", (0, 0, 1, 1)),
        ("error", (0, 0, 0, 1)),
    ],
)
def test_exit_code_tells_of_what_is_listed(run, least, codes):
    words = ("--severity", least) if least else ()
    for output in ("table", "json"):
        found = [run(name, *words, "--format", output)[0] for name in CONTENTS]
        assert tuple(found) == codes


def test_notes_are_counted_and_not_listed(run):
    assert run("note", "sound") == (
        0,
        "note: ok\nsound: ok\n",
        "not listed: 1 note (singletons); see it with --severity note\n",
    )


def test_notes_are_listed_on_request(run):
    code, out, err = run("note", "--severity", "note")
    first, hint, ok, count = out.splitlines()
    assert (code, err) == (0, "")
    assert first == "note: note: 1 of 2 entities are singletons"
    assert hint.startswith("  hint: OntoNotes has none")
    assert (ok, count) == ("note: ok", "1 problem: 1 note (singletons)")


def test_warnings_are_left_out_on_request(run):
    code, out, err = run("warning", "error", "--severity", "error")
    assert code == 1
    assert out.splitlines() == [
        "warning: ok",
        "error:3: entity 2 opens here and is never closed",
        "  hint: the document ends at line 5",
        "1 problem: 1 error (unpaired-bracket)",
    ]
    told = "not listed: 1 warning (repeated-mention); see it with --severity warning"
    assert err == f"{told}\n"


def test_lines_say_the_severity_unless_it_is_an_error(run):
    _, out, _ = run("warning", "error")
    assert "warning:2: warning: mention of tokens 0 to 0 of document" in out
    assert "error:3: entity 2 opens here" in out
    assert out.splitlines()[-1] == (
        "2 problems: 1 error (unpaired-bracket), 1 warning (repeated-mention)"
    )


def test_kinds_are_counted_most_frequent_first(run):
    written(Path("many"), conll("(1)|(2) (1 (1) 1) (2)|(1)|(3 3)|(4 4)|(4"))
    *_, count = run("many", "--severity", "note")[1].splitlines()
    assert count == (
        "4 problems: 1 error (unpaired-bracket), 2 warnings (repeated-mention), "
        "1 note (nested-mention)"
    )


class TestJson:
    def read(self, run, *words):
        code, out, err = run(*words, "--format", "json")
        assert err == ""
        return code, json.loads(out)

    def test_has_every_file(self, run):
        code, found = self.read(run, *CONTENTS, "nowhere")
        assert code == 1
        assert found["corefkit"] == __version__
        assert list(found) == ["corefkit", "files"]
        assert [one["file"] for one in found["files"]] == [*CONTENTS, "nowhere"]
        assert [one["ok"] for one in found["files"]] == [True, True] + [False] * 3
        formats = [one["format"] for one in found["files"]]
        assert formats == ["conll"] * 4 + [None]

    def test_has_every_field_of_a_problem(self, run):
        _, found = self.read(run, "error")
        assert found["files"][0]["problems"] == [
            {
                "file": "error",
                "line": 3,
                "severity": "error",
                "kind": "unpaired-bracket",
                "code": "format/unbalanced-bracket",
                "message": "entity 2 opens here and is never closed",
                "hint": "the document ends at line 5",
            }
        ]

    def test_counts_what_it_does_not_list(self, run):
        _, found = self.read(run, "note", "warning", "--severity", "error")
        assert [one["problems"] for one in found["files"]] == [[], []]
        assert [one["counts"] for one in found["files"]] == [
            {"error": 0, "warning": 0, "note": 1},
            {"error": 0, "warning": 1, "note": 0},
        ]
        assert [one["ok"] for one in found["files"]] == [True, True]

    def test_lists_notes_on_request(self, run):
        _, found = self.read(run, "note", "--severity", "note")
        (problem,) = found["files"][0]["problems"]
        assert (problem["severity"], problem["line"]) == ("note", None)

    def test_of_a_folder_names_the_files(self, run):
        Path("folder").mkdir()
        written(Path("folder", "a.conll"), ERROR)
        written(Path("folder", "b.conll"), conll("1)", name="(b);"))
        _, found = self.read(run, "folder")
        (folder,) = found["files"]
        assert (folder["file"], folder["format"]) == ("folder", "conll")
        files = [one["file"] for one in folder["problems"]]
        assert files == [str(Path("folder", name)) for name in ("a.conll", "b.conll")]

    def test_of_a_folder_of_several_formats_names_none(self, run):
        Path("folder").mkdir()
        written(Path("folder", "a.conll"), SOUND)
        line = '{"doc_key": "j", "clusters": [[[0, 0], [1, 1]]]}\n'
        written(Path("folder", "b.jsonl"), line)
        code, found = self.read(run, "folder")
        assert (code, found["files"][0]["format"]) == (0, None)

    def test_each_long_mention_of_a_table_has_its_line(self, run):
        rows = ["d,1,0,0", "d,2,5,104", "d,3,110,210", "d,3,400,400", "e,1,3,200"]
        written(Path("table.csv"), "\n".join(["document,entity,start,end", *rows, ""]))
        _, found = self.read(run, "table.csv", "--severity", "note")
        (file,) = found["files"]
        problems = [(problem["line"], problem["kind"]) for problem in file["problems"]]
        assert problems == [(4, "long-mention"), (6, "long-mention")]

    def test_shows_nothing_that_is_not_seen(self, run):
        name = f"a{UNSEEN}.conll"
        written(Path(name), conll("(1", name=f"(d{UNSEEN.strip()});"))
        code, out, _ = run(name, "--format", "json")
        assert code == 1
        assert all(line.isprintable() for line in out.splitlines())
        assert json.loads(out)["files"][0]["file"] == name


def test_lines_show_nothing_that_is_not_seen(run):
    name = f"a{UNSEEN}.conll"
    written(Path(name), conll("(1)|(2)"))
    code, out, _ = run(name, "--severity", "note")
    assert code == 1
    assert all(line.isprintable() for line in out.splitlines())


def test_packed_file(run):
    written(Path("packed.gz"), gzip.compress(ERROR.encode()))
    code, out, _ = run("packed.gz")
    assert code == 1
    assert out.startswith("packed.gz:3: entity 2 opens here")


@pytest.mark.parametrize("output", ["table", "json"])
def test_standard_input(run, monkeypatch, output):
    monkeypatch.setattr(bytefile, "_read_inputs", [])
    stream = io.TextIOWrapper(io.BytesIO(ERROR.encode()))
    monkeypatch.setattr("sys.stdin", stream)
    code, out, _ = run("-", "--format", output)
    assert code == 1
    assert "entity 2 opens here and is never closed" in out


def test_unknown_severity_is_wrong_usage(run):
    code, _, err = run("sound", "--severity", "fatal")
    assert code == 2
    assert "'error', 'warning', 'note'" in err


def test_unknown_format_is_wrong_usage(run):
    code, out, err = run("sound", "--from", "conl")
    assert (code, out) == (2, "")
    assert "unknown format 'conl'" in err
