"""Document ids and file names that are made to do harm, in every output of commands."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest
from files import json_line

from corefkit.analysis.compare.comparison_text import COMPARISON_WRITERS
from corefkit.analysis.errors.error_output import ERROR_WRITERS
from corefkit.analysis.statistics import STATISTICS_WRITERS
from corefkit.cli import main
from corefkit.lab.curves import CURVE_WRITERS
from corefkit.lab.diagnosis import DIAGNOSIS_WRITERS
from corefkit.results.score_table import WRITERS
from corefkit.settings import FORMAT_PRESETS

# An escape sequence, an end of a line, a turned direction, nothing that is seen.
UNSEEN = "\x1b[2J\n\r\u202e\u200b"
NAME = f"=cmd()|<script>alert(1)<_script>`$x${UNSEEN}&{{*}}%#\\"
IDS = [NAME, f"@sum(1)|{UNSEEN}<script>", "+1+1 <b>`", "-2*3", "\t=1"]


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Give key and two responses whose names and ids are all made to do harm."""
    monkeypatch.chdir(tmp_path)
    words = [UNSEEN, "<script>", "=1", "|", "a"]
    clusters = [[[0, 0], [1, 1]], [[2, 2], [3, 4]]]
    names = [f"{NAME}{number}.jsonl" for number in range(3)]
    for number, name in enumerate(names):
        entities = clusters[: 1 + number % 2]
        lines = [json_line(one, words, entities) for one in IDS]
        Path(name).write_text("".join(lines), "utf-8")
    return names


@pytest.fixture
def run(capsys):
    def command(*words):
        code = main(list(words))
        streams = capsys.readouterr()
        assert "defect" not in streams.err
        for text in streams:
            assert_seen(text)
        return code, streams.out, streams.err

    return command


def assert_seen(text):
    """See that a text has no character that a person cannot see."""
    # The reference scorer has tabs of its own.
    unseen = {one for one in text if not one.isprintable()} - set("\n\t\u00a0")
    assert not unseen, unseen


def assert_safe(text, format):
    """See that a text is what its format says, whatever the names in it."""
    CHECKS.get(format, lambda _: None)(text)


def check_csv(text):
    rows = list(csv.reader(io.StringIO(text)))
    assert len({len(row) for row in rows}) == 1
    assert len(rows) == len(text.splitlines())
    for cell in (cell for row in rows for cell in row):
        number = re.fullmatch(r"[-+]?[0-9.]+(e[-+]?[0-9]+)?", cell)
        assert number or not re.match(r"\s*[=+@\-]", cell)


def check_markdown(text):
    assert "<" not in text
    for block in text.strip().split("\n\n"):
        lines = block.split("\n") if block.startswith("|") else []
        bars = {len(re.findall(r"(?<!\\)\|", line)) for line in lines}
        assert len(bars) <= 1
        assert all("`" not in line.replace(r"\`", "") for line in lines)


def check_latex(text):
    for table in text.split(r"\begin{tabular}")[1:]:
        lines = [line for line in table.split("\n") if not line.startswith("%")]
        assert all("<" not in line and "|" not in line for line in lines)
        rows = [line for line in lines if line.endswith(r"\\")]
        cells = {row.count(" & ") for row in rows if "multicolumn" not in row}
        assert len(cells) == 1


def strings(value):
    if isinstance(value, str):
        yield value
    for one in value.values() if isinstance(value, dict) else ():
        yield from strings(one)
    for one in value if isinstance(value, list) else ():
        yield from strings(one)


CHECKS = {"csv": check_csv, "markdown": check_markdown, "latex": check_latex}


@pytest.mark.parametrize("several", [1, 2, 5])
@pytest.mark.parametrize("format", WRITERS)
def test_score(run, files, format, several):
    key, *responses = files
    if format in FORMAT_PRESETS:
        words = ["score", key, responses[0], "--format", format]
        code, out, _ = run(*words, "--preset", "conll2012")
    else:
        many = (responses * several)[:several]
        code, out, _ = run("score", key, *many, "--format", format, "--per-document")
    assert code == 0
    assert_safe(out, format)
    if format == "json":
        found = set(strings(json.loads(out)))
        assert {*IDS, *files[: 1 + min(several, 2)]} <= found


@pytest.mark.parametrize("several", [1, 2, 5, 9])
@pytest.mark.parametrize("format", COMPARISON_WRITERS)
def test_compare(run, files, format, several):
    key, *responses = files
    many = (responses * several)[:several]
    code, out, _ = run("compare", key, *many, "--format", format, "--samples", "99")
    assert code == 0
    assert_safe(re.sub("</?sup>", "", out), format)


@pytest.mark.parametrize("several", [1, 2, 5])
@pytest.mark.parametrize("more", [["--links"], ["--list"], ["--links", "--list"]])
@pytest.mark.parametrize("format", ERROR_WRITERS)
def test_errors(run, files, format, several, more):
    key, *responses = files
    many = (responses * several)[:several]
    code, out, _ = run("errors", key, *many, "--format", format, *more)
    assert code == 0
    assert_safe(out, format)
    if format == "json":
        assert {*IDS, *files[: 1 + min(several, 2)]} <= set(strings(json.loads(out)))


def test_corrected_responses_stay_in_their_folder(run, files, tmp_path):
    folder = tmp_path / "out"
    named = [f"..={files[2]}", f"...={files[2]}", f"{SYSTEMS[0]}={files[1]}"]
    run("errors", files[0], *named, "--corrected", str(folder))
    assert len([*folder.iterdir()]) == len(named)
    outside = {path.name for path in tmp_path.iterdir()} - {"out", *files}
    assert outside == set()


# Names of systems that are made to do harm, for `NAME=PATH`.
SYSTEMS = [f"@sum(1)|<script>`$x${UNSEEN}&{{*}}%#\\", f"+1 <b>{UNSEEN}"]


@pytest.mark.parametrize("several", [1, 2])
@pytest.mark.parametrize(
    "format", [name for name in WRITERS if name not in FORMAT_PRESETS]
)
def test_score_of_named_systems(run, files, format, several):
    key, *responses = files
    pairs = list(zip(SYSTEMS, responses, strict=True))[:several]
    words = [f"{name}={path}" for name, path in pairs]
    code, out, _ = run("score", key, *words, "--format", format, "--per-document")
    assert code == 0
    assert_safe(out, format)
    if format == "json":
        systems = [system["response"] for system in json.loads(out)["systems"]]
        assert systems == SYSTEMS[:several]


def test_other_commands_with_named_systems(run, files, monkeypatch):
    monkeypatch.setenv("COLUMNS", "400")  # wide enough for names in full
    named = [f"{SYSTEMS[0]}={files[1]}", f"{SYSTEMS[1]}={files[2]}"]
    for words in (
        ["explain", files[0], named[0], "--metric", "muc"],
        ["lab", "diagnose", files[0], named[0]],
        ["stats", *named],
    ):
        code, out, _ = run(*words)
        # A table shortens a long name in the middle.
        assert (code, "@sum(1)" in out) == (0, True)


def test_hostile_name_given_twice_is_refused(run, files):
    code, out, err = run("score", files[0], *[f"{SYSTEMS[0]}={files[1]}"] * 2)
    assert (code, out) == (2, "")
    assert "is given 2 times" in err


@pytest.mark.parametrize("format", STATISTICS_WRITERS)
def test_stats(run, files, format):
    code, out, _ = run("stats", *files, "--format", format)
    assert code == 0
    assert_safe(out, format)
    if format == "json":
        assert set(files) <= set(strings(json.loads(out)))


@pytest.mark.parametrize("format", DIAGNOSIS_WRITERS)
def test_diagnose(run, files, format):
    code, out, _ = run("lab", "diagnose", *files[:2], "--format", format)
    assert code == 0
    assert_safe(out, format)


@pytest.mark.parametrize("format", CURVE_WRITERS)
def test_perturb(run, files, format):
    code, out, _ = run(
        "lab",
        "perturb",
        *files[:2],
        "--steps",
        "2",
        "--metric",
        "muc",
        "--format",
        format,
        "--kind",
        "split",
    )
    assert code == 0
    assert_safe(out, format)


def test_explain(run, files):
    code, out, _ = run("explain", *files[:2], "--metric", "muc")
    assert code == 0
    assert out.count("Document ") == len(IDS)


def test_explain_of_an_unknown_document(run, files):
    code, _, err = run("explain", *files[:2], "--metric", "muc", "--document", NAME * 2)
    assert code == 2
    assert "unknown document" in err


def test_validate(run, files):
    code, out, _ = run("validate", *files)
    assert (code, out.count("\n")) == (0, len(files))


@pytest.mark.parametrize("command", [["validate"], ["score"], ["stats"], ["convert"]])
@pytest.mark.parametrize(
    "text", [None, "", "{", "#begin document x\n", '{"clusters": 1}']
)
def test_file_that_cannot_be_read(run, files, command, text):
    name = f"{NAME}.conll"
    if text is not None:
        Path(name).write_text(text, "utf-8")
    more = {"score": [files[0]], "convert": [f"out{UNSEEN}.jsonl"]}
    code, out, err = run(*command, name, *more.get(command[0], []))
    assert code == 1
    (said, *hint) = (out or err).split("\n\n")[0].rstrip("\n").split("\n")
    assert said.removeprefix("error: ").startswith("=cmd()|<script>")
    assert all(line.startswith(("  hint: ", "1 problem")) for line in hint)


def test_documents_that_do_not_pair(run, files):
    Path("other.jsonl").write_text(json_line("other", ["a"], [[[0, 0]]]), "utf-8")
    code, _, err = run("score", files[0], "other.jsonl", "--missing", "error")
    assert code == 1
    assert len(err.split("\n\nhint")[0].rstrip("\n").split("\n")) == 1


def test_notes_and_cautions(run, files):
    Path("other.jsonl").write_text(json_line(NAME, ["a"], [[[0, 0]]]), "utf-8")
    code, _, err = run("score", "other.jsonl", files[0])
    assert code in (0, 1)
    Path(f"{NAME}.json").write_text(run("score", *files[:2], "--format", "json")[1])
    beside = ["--average", "macro", "--beside", f"{NAME}.json"]
    code, _, err = run("score", *files, *beside)
    assert code == 0
    assert "warning: " in err


@pytest.mark.parametrize(
    "words",
    [
        ["score", NAME, NAME, NAME, f"--{NAME}"],
        [NAME],
        ["score", "--metric", NAME, NAME],
        ["score", NAME, NAME, "--preset", NAME],
        ["score", NAME, NAME, "--match", NAME],
        ["stats", NAME, "--from", NAME],
        ["convert", NAME, NAME],
        ["convert", NAME, "x", "--to", NAME],
        ["lab", "perturb", "--kind", NAME],
        ["lab", "reproduce", "--paper", NAME],
        ["report", NAME, NAME, "-o", f"{NAME}/{NAME}.html"],
        ["report", "--example", "-o", "x.html", "--baseline", NAME],
    ],
    ids=lambda words: " ".join(words)[:20].replace("\n", "").replace("\x1b", ""),
)
def test_words_of_the_command_line(run, tmp_path, monkeypatch, words):
    monkeypatch.chdir(tmp_path)
    code, out, _ = run(*words)
    assert (code > 0, out) == (True, "")
