"""Help: the overview, short and full help, settings, and the commands that inform."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from command_files import list_parsers

import corefkit
from corefkit.cli import COMMAND_GROUPS, COMMANDS
from corefkit.cli.arguments import SETTINGS_TITLE
from corefkit.example import paths, trees
from corefkit.settings import SETTINGS

PARSERS = list_parsers()
each_command = pytest.mark.parametrize("name", PARSERS)


@pytest.fixture(autouse=True)
def columns(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")


def test_overview_groups_the_commands(run):
    code, out, err = run("help")
    assert (code, err) == (0, "")
    assert run("--help") == run("-h") == (0, out, "")
    titles = re.findall(r"(?m)^(\w.*):$", out)
    assert titles == [*COMMAND_GROUPS]


def test_command_line_without_words_prints_the_overview(run):
    code, out, err = run()
    assert (code, out) == (2, "")
    assert err == run("help")[1]


def test_misspelled_version_has_a_hint(run):
    code, _, err = run("--versio")
    assert code == 2
    assert err.endswith("hint: did you mean --version?\n")


@each_command
def test_short_help_has_examples_and_common_options(run, name):
    code, out, err = run(*name.split(), "-h")
    assert (code, err) == (0, "")
    assert len(out.splitlines()) <= 40
    parser = PARSERS[name]
    options = {
        option for action in parser.list_actions() for option in action.option_strings
    }
    assert {*parser.common} <= options
    assert all(example in out for example in parser.examples)
    assert all(option in out for option in parser.common)


@each_command
def test_help_of_a_command_is_its_full_help(run, name):
    code, out, _ = run("help", *name.split())
    assert code == 0
    assert out == run(*name.split(), "--help")[1]


def test_full_help_of_score_fits_60_lines(run):
    assert len(run("score", "--help")[1].splitlines()) <= 60


def test_settings_are_explained_once(run):
    out = run("help", SETTINGS_TITLE)[1]
    for row in SETTINGS.values():
        if row.is_option:
            assert row.meaning in " ".join(out.split())
            assert row.meaning not in " ".join(run("score", "--help")[1].split())


def test_help_of_an_unknown_command_is_an_error(run):
    code, out, err = run("help", "scoer")
    assert (code, out) == (2, "")
    assert "did you mean 'score'?" in err


@pytest.mark.parametrize(
    "words",
    [
        shlex.split(example)
        for parser in PARSERS.values()
        for example in parser.examples
    ],
    ids=" ".join,
)
def test_example_is_a_valid_command_line(words):
    if {"|", ">", "<", ">>"} & {*words}:
        words = words[: min(words.index(sign) for sign in words if sign in "|<>>")]
    command = " ".join(words[1:3]) if words[1] == "lab" else words[1]
    PARSERS[command].parse_words(words[1 + len(command.split()) :])


@pytest.mark.usefixtures("folder")
def test_example_is_written(run):
    code, out, err = run("example", "new/example")
    assert code == 0
    assert out.splitlines() == [
        str(Path("new/example", path.name)) for path in (*paths(), trees())
    ]
    for path in (*paths(), trees()):
        copy = Path("new/example", path.name)
        assert copy.read_bytes() == path.read_bytes()
    words = err.strip().removeprefix("try: corefkit ").split()
    assert run(*words)[0] == 0


def test_example_does_not_replace_files(run, folder):
    before = (folder / "key.conll").read_bytes()
    code, out, err = run("example", ".")
    assert (code, out) == (2, "")
    assert "already exists" in err
    assert (folder / "key.conll").read_bytes() == before


def test_citation_names_the_version(run):
    code, out, _ = run("cite")
    assert code == 0
    assert out.startswith("@software{corefkit,\n")
    assert f"version = {{{corefkit.__version__}}}" in out


def test_every_command_is_in_a_group():
    assert sorted(COMMANDS) == sorted({name.split()[0] for name in PARSERS})
