"""Defaults of options from `corefkit.toml` and `pyproject.toml`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from command_files import list_parsers

import corefkit
from corefkit.cli.config import (
    SHARED_OPTIONS,
    TARGET_OPTIONS,
    WITHOUT_CONFIG,
    find_config_files,
)

PAIR = ["key.conll", "careful.conll"]


pytestmark = pytest.mark.usefixtures("folder")


@pytest.fixture
def project(folder):
    """Write `pyproject.toml`, below a table of somebody else's."""

    def write(text, name="pyproject.toml"):
        above = "" if name == "corefkit.toml" else '[project]\nname = "thesis"\n\n'
        (folder / name).write_text(above + text, "utf-8")

    return write


def settings_in(out):
    """List the settings of the signature of JSON."""
    return dict(part.split(":") for part in json.loads(out)["signature"].split("|"))


def scored(run, *words):
    code, out, err = run("score", *PAIR, "--format", "json", *words)
    assert code == 0, err
    return json.loads(out), settings_in(out), err


BROKEN_PLACES = ("pyproject.toml", "corefkit.toml")


class TestEncodings:
    @pytest.mark.parametrize("name", BROKEN_PLACES)
    @pytest.mark.parametrize("end", ["\n", "\r\n"])
    def test_a_mark_of_some_editors_changes_nothing(self, run, folder, name, end):
        above = "[tool.corefkit]\n" if name == "pyproject.toml" else ""
        text = f'{above}singletons = "drop"\n'.replace("\n", end)
        (folder / name).write_bytes(text.encode("utf-8-sig"))
        _, settings, err = scored(run)
        assert settings["singletons"] == "drop"
        assert err == f"note: options of {name}: singletons\n"

    @pytest.mark.parametrize("name", BROKEN_PLACES)
    def test_another_encoding_is_said(self, run, folder, name):
        above = "[tool.corefkit]\n" if name == "pyproject.toml" else ""
        text = f'{above}singletons = "drop"\n'
        (folder / name).write_bytes(text.encode("utf-16"))
        code, out, err = run("score", *PAIR)
        assert (code, out) == (2, "")
        assert err.startswith(f"error: {name}: cannot be read: it is not UTF-8\n")

    def test_a_wrong_file_does_not_stop_what_takes_nothing_from_it(self, run, folder):
        (folder / "corefkit.toml").write_text("no TOML")
        for words in (["completion", "bash"], ["cite"]):
            assert run(*words)[0] == 0


class TestWhichFile:
    def test_without_a_file_nothing_changes(self, run):
        assert find_config_files() == []
        assert run("score", *PAIR) == run("score", *PAIR, "--no-config")

    def test_the_project_file(self, run, project):
        project('[tool.corefkit]\nsingletons = "drop"\n')
        _, settings, err = scored(run)
        assert settings["singletons"] == "drop"
        assert err == "note: options of pyproject.toml: singletons\n"

    def test_the_own_file_has_no_tables_above(self, run, project):
        project('singletons = "drop"\n[score]\nmetric = "lea"\n', "corefkit.toml")
        found, settings, err = scored(run)
        assert settings["singletons"] == "drop"
        assert [*found["systems"][0]["scores"]] == ["lea"]
        assert err == "note: options of corefkit.toml: singletons, metric\n"

    def test_the_own_file_comes_first(self, run, project):
        project('[tool.corefkit]\nsingletons = "drop"\naverage = "macro"\n')
        project('average = "micro"\n', "corefkit.toml")
        _, settings, err = scored(run)
        assert settings["singletons"] == "keep"
        assert "corefkit.toml: average" in err

    def test_the_nearest_folder_counts(self, run, project, folder, monkeypatch):
        project('[tool.corefkit]\nsingletons = "drop"\n')
        below = folder / "a" / "b"
        below.mkdir(parents=True)
        monkeypatch.chdir(below)
        files = [str(folder / name) for name in PAIR]
        _, out, err = run("score", *files, "--format", "json")
        assert settings_in(out)["singletons"] == "drop"
        assert "../../pyproject.toml: singletons" in err
        (folder / "a" / "corefkit.toml").write_text('average = "macro"\n')
        _, out, err = run("score", *files, "--format", "json")
        assert settings_in(out)["singletons"] == "keep"
        assert settings_in(out)["average"] == "macro"

    @pytest.mark.parametrize("marker", [".git", ".hg", "pyproject.toml"])
    @pytest.mark.parametrize("is_inside", [True, False])
    def test_a_parent_folder_counts_only_inside_its_project(
        self, folder, monkeypatch, marker, is_inside
    ):
        below = folder / "project" / "results"
        below.mkdir(parents=True)
        (folder / "corefkit.toml").write_text('singletons = "drop"\n')
        (folder / marker if is_inside else folder / "project" / marker).touch()
        monkeypatch.chdir(below)
        expected = [str(Path("..", "..", "corefkit.toml"))] if is_inside else []
        assert find_config_files() == expected

    def test_a_repository_can_have_several_project_files(self, folder, monkeypatch):
        (folder / ".git").mkdir()
        (folder / "corefkit.toml").write_text('singletons = "drop"\n')
        below = folder / "package"
        below.mkdir()
        (below / "pyproject.toml").write_text('[project]\nname = "thesis"\n')
        monkeypatch.chdir(below)
        assert find_config_files() == [str(Path("..", "corefkit.toml"))]

    def test_outside_a_project_only_the_working_folder_counts(
        self, folder, monkeypatch
    ):
        (folder / "corefkit.toml").write_text('singletons = "drop"\n')
        assert find_config_files() == ["corefkit.toml"]
        (folder / "below").mkdir()
        monkeypatch.chdir(folder / "below")
        assert find_config_files() == []

    def test_the_home_folder_is_not_a_project(self, folder, monkeypatch):
        monkeypatch.setenv("HOME", str(folder))
        (folder / ".git").mkdir()
        (folder / "corefkit.toml").write_text('singletons = "drop"\n')
        assert find_config_files() == ["corefkit.toml"]
        (folder / "below").mkdir()
        monkeypatch.chdir(folder / "below")
        assert find_config_files() == []

    @pytest.mark.parametrize(
        "text",
        [
            "",
            '[tool.other]\nsingletons = "drop"\n',
            '[tool.corefkitten]\nsingletons = "drop"\n',
            '[project.scripts]\ncorefkit = "x"\n',
            "[tool]\nother = 3\n",
        ],
    )
    def test_a_project_file_without_the_table_is_passed_over(
        self, run, project, folder, text, monkeypatch
    ):
        (folder / ".git").mkdir()
        project('[tool.corefkit]\nsingletons = "drop"\n')
        below = folder / "below"
        below.mkdir()
        (below / "pyproject.toml").write_text(text)
        monkeypatch.chdir(below)
        files = [str(folder / name) for name in PAIR]
        _, out, _ = run("score", *files, "--format", "json")
        assert settings_in(out)["singletons"] == "drop"

    @pytest.mark.parametrize(
        "text",
        [
            '[ tool . "corefkit" ]\nsingletons = "drop"\n',
            '[tool]\ncorefkit.singletons = "drop"\n',
            '[tool]\ncorefkit = { singletons = "drop" }\n',
            "['tool'.corefkit]\nsingletons = 'drop'\n",
        ],
    )
    def test_every_way_to_write_the_table_is_seen(self, run, project, text):
        project(text)
        assert scored(run)[1]["singletons"] == "drop"

    def test_a_dotted_table_of_tools_is_seen(self, run, folder):
        (folder / "pyproject.toml").write_text('tool.corefkit.singletons = "drop"\n')
        assert scored(run)[1]["singletons"] == "drop"

    def test_it_can_be_left_out(self, run, project):
        project('[tool.corefkit]\nsingletons = "drop"\nnonsense = 1\n')
        assert scored(run, "--no-config")[1]["singletons"] == "keep"

    def test_help_does_without_it(self, run, project):
        project("[tool.corefkit]\nnonsense = 1\n")
        assert run("score", "--help")[0] == 0

    def test_python_never_reads_it(self, project):
        project('[tool.corefkit]\nsingletons = "drop"\n')
        assert "singletons:keep" in corefkit.score(*PAIR).signature

    def test_a_folder_that_was_removed_has_none(self, folder, monkeypatch):
        gone = folder / "gone"
        gone.mkdir()
        monkeypatch.chdir(gone)
        gone.rmdir()
        assert find_config_files() == []

    def test_nothing_more_is_loaded_where_there_is_none(self, folder):
        code = (
            "import sys; from corefkit.cli import main; main(sys.argv[1:]);"
            "print([name for name in sys.modules if 'configuration' in name"
            " or name == 'tomllib'])"
        )
        done = subprocess.run(
            [sys.executable, "-c", code, "score", *PAIR, "-o", "out.txt"],
            cwd=folder,
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout == "[]\n"


class TestOrder:
    TEXT = """[tool.corefkit]
metric = ["muc", "lea"]
average = "macro"

[tool.corefkit.score]
average = "micro"
per-document = true

[tool.corefkit.compare]
samples = 20
"""

    def test_the_table_of_the_command_comes_before_the_top(self, run, project):
        project(self.TEXT)
        found, settings, err = scored(run)
        assert settings["average"] == "micro"
        assert "per_document" in found["systems"][0]
        assert err.endswith(
            "options of pyproject.toml: metric, average, per-document\n"
        )

    def test_other_commands_have_the_top_and_their_own(self, run, project):
        project(self.TEXT)
        code, out, _ = run("compare", *PAIR, "greedy.conll", "--format", "json")
        assert code == 0
        assert [*json.loads(out)["metrics"]] == ["muc", "lea"]
        assert settings_in(out) | {"average": "macro", "samples": "20"} == settings_in(
            out
        )

    def test_a_command_without_such_options_ignores_the_top(self, run, project):
        project(self.TEXT)
        assert run("stats", "key.conll") == run("stats", "key.conll", "--no-config")

    def test_the_command_line_comes_before_all(self, run, project):
        project(self.TEXT)
        found, settings, err = scored(run, "--metric", "b3", "--average", "macro")
        assert [*found["systems"][0]["scores"]] == ["b_cubed"]
        assert settings["average"] == "macro"
        assert err == "note: options of pyproject.toml: per-document\n"

    def test_metrics_of_the_project_do_not_select_one_to_explain(self, run, project):
        project(self.TEXT)
        words = ["explain", *PAIR]
        assert run(*words)[1] == run(*words, "--average", "macro", "--no-config")[1]

    def test_what_a_command_needs_can_come_from_the_file(self, run, project):
        project('[tool.corefkit.explain]\nmetric = "lea"\n')
        code, out, _ = run("explain", *PAIR)
        assert code == 0
        assert "LEA" in out

    def test_commands_of_the_laboratory_have_tables_below(self, run, project):
        project("[tool.corefkit.lab.perturb]\nsteps = 2\nkind = ['split']\n")
        words = ["lab", "perturb", "key.conll", "--format", "csv", "--metric", "muc"]
        assert (
            run(*words)[1]
            == run(*words, "--steps", "2", "--kind", "split", "--no-config")[1]
        )

    def test_quiet_is_for_all_commands(self, run, project):
        project('[tool.corefkit]\nquiet = true\nmetric = "muc"\n')
        found, _, err = scored(run)
        assert ([*found["systems"][0]["scores"]], err) == (["muc"], "")

    @pytest.mark.parametrize("words", [[], ["--quiet"]])
    @pytest.mark.parametrize("setting", ['singletons = "drop"', 'preset = "ua"'])
    def test_settings_are_reported_even_if_quiet(self, run, project, words, setting):
        project(f'[tool.corefkit]\nquiet = true\nmetric = "muc"\n{setting}\n')
        err = scored(run, *words)[2]
        assert f"note: options of pyproject.toml: {setting.split()[0]}\n" in err


class TestPresets:
    def test_a_preset_of_the_file(self, run, project):
        project('[tool.corefkit]\npreset = "ua"\nmatch = "exact"\n')
        assert scored(run)[1]["split"] == "score"

    def test_a_setting_of_the_command_line_refines_it(self, run, project):
        project('[tool.corefkit]\npreset = "ua"\n')
        settings = scored(run, "--split", "ignore")[1]
        assert settings["zeros"] == "drop"
        assert "split" not in settings

    def test_one_of_the_command_line_puts_settings_of_the_file_aside(
        self, run, project
    ):
        project('[tool.corefkit]\nsingletons = "drop"\naverage = "macro"\n')
        with_file = scored(run, "--preset", "conll2012")
        assert with_file[1:] == scored(run, "--preset", "conll2012", "--no-config")[1:]

    def test_one_of_a_command_puts_settings_of_the_top_aside(self, run, project):
        project(
            '[tool.corefkit]\nsingletons = "drop"\nmetric = "muc"\n'
            '[tool.corefkit.score]\npreset = "ua"\naverage = "macro"\n'
        )
        _, settings, err = scored(run)
        assert settings["singletons"] == "keep"
        assert settings["average"] == "macro"
        assert err.endswith(": metric, preset, average\n")

    @pytest.mark.parametrize("text", ['preset = "ua"', 'singletons = "drop"'])
    def test_the_text_of_the_reference_scorer_is_its_preset(self, run, project, text):
        project(f"[tool.corefkit]\n{text}\n")
        words = ["score", *PAIR, "--format", "reference"]
        assert run(*words) == run(*words, "--no-config")


class TestStoredScores:
    @pytest.fixture(autouse=True)
    def stored(self, run, project):
        for name in ("careful", "greedy"):
            words = ["--format", "json", "--per-document", "-o", f"{name}.json"]
            assert run("score", "key.conll", f"{name}.conll", *words)[0] == 0
        project('[tool.corefkit]\nsingletons = "drop"\nmetric = "lea"\n')

    @pytest.mark.parametrize(
        "words",
        [
            ["score", "--beside", "careful.json"],
            ["compare", "careful.json", "greedy.json"],
            ["compare", "key.conll", "careful.json", "greedy.json"],
        ],
        ids=" ".join,
    )
    def test_they_keep_their_settings(self, run, words):
        code, out, err = run(*words)
        assert code == 0, err
        assert "singletons:keep" in out
        assert "those of the file are ignored" in err

    def test_settings_of_the_command_line_are_refused_still(self, run):
        code, _, err = run("score", "--beside", "careful.json", "--singletons", "drop")
        assert code == 2
        assert "keep the settings" in err


WRONG = {
    "invalid TOML": (
        "[tool.corefkit]\nmetric = = 3\n",
        "pyproject.toml: is not valid TOML",
    ),
    "unknown option": (
        '[tool.corefkit]\nmatch = "head"\nsingleton = "drop"\n',
        "[tool.corefkit]: 'singleton' is not an option that commands share\n\n"
        "hint: did you mean 'singletons'?",
    ),
    "option of one command": (
        "[tool.corefkit]\nper-document = true\n",
        "belong in its table: [tool.corefkit.score]",
    ),
    "unknown option of a command": (
        "[tool.corefkit.score]\nper_document = true\n",
        "pyproject.toml [tool.corefkit.score]: corefkit score has no option "
        "--per_document\n\nhint: did you mean 'per-document'?",
    ),
    "unknown command": (
        "[tool.corefkit.scores]\nper-document = true\n",
        "unknown command 'scores'\n\nhint: did you mean 'score'?",
    ),
    "command that is not a table": (
        '[tool.corefkit]\nscore = "lea"\n',
        "'score' is not an option",
    ),
    "server": (
        '[tool.corefkit.serve]\nhost = "0.0.0.0"\n',
        "'serve' cannot be configured in a file",
    ),
    "choice": (
        '[tool.corefkit]\nsingletons = "dorp"\n',
        "singletons: invalid choice: 'dorp' (did you mean 'drop'?",
    ),
    "metric": (
        '[tool.corefkit]\nmetric = ["muc", "leaf"]\n',
        "[tool.corefkit]: unknown metric 'leaf'\n\nhint: did you mean 'lea'?",
    ),
    "preset": (
        '[tool.corefkit]\npreset = "conll12"\n',
        "[tool.corefkit]: unknown preset 'conll12'",
    ),
    "weights": ('[tool.corefkit]\nweights = "x=y"\n', "[tool.corefkit]: "),
    "string for a switch": (
        '[tool.corefkit.score]\nper-document = "yes"\n',
        "per-document is 'yes', expected true or false",
    ),
    "switch for a string": (
        "[tool.corefkit]\nmatch = true\n",
        "match is True, expected a value",
    ),
    "list for a string": (
        '[tool.corefkit]\nmatch = ["head"]\n',
        "match is ['head'], expected a value",
    ),
    "table for names": (
        "[tool.corefkit]\nmetric = [{}]\n",
        "metric is {}, expected names or a name",
    ),
    "help": ("[tool.corefkit.score]\nhelp = true\n", "has no option --help"),
    "no configuration": ("[tool.corefkit.score]\nno-config = true\n", "no option"),
}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[tool.corefkit.lab.pertub]\nsteps = 2\n", "did you mean 'perturb'?"),
        ("[tool.corefkit.lab]\nperturb = 2\n", "'perturb' is a command, expected a"),
    ],
)
def test_wrong_table_of_the_laboratory_is_an_error(run, project, text, message):
    project(text)
    code, out, err = run("lab", "perturb")
    assert (code, out) == (2, "")
    assert message in err


@pytest.mark.parametrize("value", ["'two'", "1.5"])
def test_number_must_be_an_integer(run, project, value):
    project(f"[tool.corefkit.compare]\nsamples = {value}\n")
    code, out, err = run("compare", *PAIR)
    assert (code, out) == (2, "")
    value = value.strip("'")
    assert f"[tool.corefkit.compare]: samples: invalid int value: {value!r}" in err


@pytest.mark.parametrize(("text", "said"), WRONG.values(), ids=WRONG)
def test_error_names_the_table(run, project, text, said):
    project(text)
    code, out, err = run("score", *PAIR)
    assert (code, out) == (2, "")
    assert said in err


@pytest.mark.parametrize("key", TARGET_OPTIONS)
def test_a_file_never_says_where_to_write(run, project, folder, key):
    (folder / "precious.txt").write_text("mine")
    project(f'[tool.corefkit.score]\n{key} = "precious.txt"\n')
    code, _, err = run("score", *PAIR)
    assert code == 2
    assert f"a file cannot set --{key}" in err
    assert (folder / "precious.txt").read_text() == "mine"


def test_text_of_the_file_is_safe_to_show(run, project):
    project('[tool.corefkit]\n"\\u001b[31m" = 1\n')
    _, _, err = run("score", *PAIR)
    assert "\x1b" not in err


def test_a_file_that_cannot_be_read_is_said(run, folder):
    (folder / "corefkit.toml").write_bytes(b'metric = "\xff"\n')
    code, _, err = run("score", *PAIR)
    assert code == 2
    assert err.startswith("error: corefkit.toml: cannot be read: ")


def test_paths_start_from_the_folder_of_the_file(run, project, folder, monkeypatch):
    assert run("score", *PAIR, "--format", "json", "-o", "kept.json")[0] == 0
    project('[tool.corefkit.score]\nbeside = ["old=kept.json"]\nmetric = "muc"\n')
    below = folder / "below"
    below.mkdir()
    monkeypatch.chdir(below)
    code, out, err = run("score", "../key.conll", "../greedy.conll")
    assert code == 0, err
    assert "old" in out


def test_shared_options_are_those_of_several_commands():
    options = [parser.list_options() for parser in list_parsers().values()]
    for key in SHARED_OPTIONS:
        assert sum(f"--{key}" in names for names in options) > 1, key


def test_every_option_that_names_a_target_is_rejected():
    names = {
        name[2:]
        for command, parser in list_parsers().items()
        if command not in WITHOUT_CONFIG
        for name, action in parser.list_options().items()
        if "writ" in str(action.help)
    }
    # These decide how something is written whose target is named elsewhere.
    others = {"to", "format", "metric", "metrics", "beside", "from"}
    assert names - others <= {*TARGET_OPTIONS}
