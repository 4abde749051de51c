"""Completion: the shipped scripts, and what shells offer with them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest
from command_files import (
    FILE_METAVARS,
    FREE_METAVARS,
    FREE_OPTIONS,
    list_parsers,
    list_values,
    write_completion,
)
from kept import check_text

from corefkit.cli import COMMANDS, main
from corefkit.cli.information import SHELL_FILES, SHELLS
from corefkit.cli.lab import COMMANDS as LAB
from corefkit.formats import FORMATS, READ_ONLY
from corefkit.lab.perturbation import PERTURBATIONS
from corefkit.metrics.registry import list_metric_names
from corefkit.settings import PRESETS, SETTINGS

FILES = ["careful.conll", "key.conll"]

# What is typed, and what is offered for its last word.
OFFERED = {
    "command": ("corefkit s", ["score", "serve", "stats", "suite"]),
    "every command": ("corefkit ", [*COMMANDS]),
    "option before commands": ("corefkit --v", ["--version"]),
    "command of the laboratory": ("corefkit lab ", [*LAB]),
    "option": (
        "corefkit score --me",
        ["--memory", "--mentions", "--metric", "--metrics"],
    ),
    "option of the laboratory": ("corefkit lab perturb --ki", ["--kind"]),
    "option after a file": ("corefkit validate key.conll --sev", ["--severity"]),
    "choice": ("corefkit score --match ", [*SETTINGS["match"].choices]),
    "metric": ("corefkit score --metric ", [*list_metric_names(), "all"]),
    "preset": ("corefkit compare --preset ", [*PRESETS]),
    "format": ("corefkit stats --from ", [*FORMATS, *READ_ONLY]),
    "perturbation": ("corefkit lab perturb --kind ", [*PERTURBATIONS]),
    "shell": ("corefkit completion ", ["bash", "fish", "zsh"]),
    "file": ("corefkit score k", ["key.conll"]),
    "second file": ("corefkit score key.conll c", ["careful.conll"]),
    "file to write": ("corefkit score -o k", ["key.conll"]),
}

BASH = r"""
source "$1"
line=$2
words=($line)
[[ $line == *' ' ]] && words+=('')
COMP_WORDS=("${words[@]}") COMP_CWORD=$((${#words[@]} - 1))
function=$(complete -p "${words[0]}")
function=${function##*-F }
"${function%% *}" "${words[0]}" "${words[COMP_CWORD]}" "${words[COMP_CWORD - 1]}"
printf '%s\n' "${COMPREPLY[@]}"
"""
# Prints what `compadd` would offer for the line that is typed.
ZSH = r"""
PS1=
fpath=($SCRIPTS $fpath)
autoload -Uz compinit && compinit -u -D
compadd() {
    if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return; fi
    local -a hits
    builtin compadd -O hits "$@"
    (($#hits)) && print -rl -- $hits >>offered
    builtin compadd "$@"
}
finish() { exit; }
zle -N finish
bindkey '^I' complete-word
bindkey '^X' finish
"""
FISH = 'source "$argv[1]"; complete -C "$argv[2]"'


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name in FILES:
        (tmp_path / name).touch()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    return tmp_path


def list_offers(shell, line, folder):
    script = SHELL_FILES / SHELLS[shell]
    if shell == "zsh":
        pytest.importorskip("pty", reason="needs terminals of Unix")
        (folder / "offered").touch()
        (folder / ".zshrc").write_text(ZSH)
        # A process of its own, since forking one that has threads is an error.
        code = "import pty, sys; pty.spawn(sys.argv[1:])"
        variables = {"ZDOTDIR": ".", "TERM": "xterm", "SCRIPTS": str(SHELL_FILES)}
        subprocess.run(
            [sys.executable, "-c", code, "zsh", "-d", "-i"],
            input=f"{line}\t\x18".encode(),
            env={**os.environ, **variables},
            capture_output=True,
            timeout=60,
            check=False,
        )
        return (folder / "offered").read_text("utf-8").splitlines()
    words = {
        "bash": ["--norc", "-c", BASH, "bash"],
        "fish": ["--no-config", "-c", FISH],
    }
    done = subprocess.run(
        [shell, *words[shell], script, line],
        capture_output=True,
        text=True,
        check=True,
    )
    return [row.partition("\t")[0] for row in done.stdout.splitlines() if row]


@pytest.mark.kept
@pytest.mark.parametrize("shell", SHELLS)
def test_shipped_script_is_generated_from_the_parsers(shell):
    check_text(SHELL_FILES / SHELLS[shell], write_completion(shell))


@pytest.mark.parametrize("shell", SHELLS)
def test_command_prints_the_script(shell, capsys):
    assert main(["completion", shell]) == 0
    assert capsys.readouterr().out == (SHELL_FILES / SHELLS[shell]).read_text("utf-8")


@pytest.mark.parametrize(
    "shell",
    [
        # Other interactive shells take long to start.
        pytest.param(name, marks=[] if name == "bash" else pytest.mark.slow)
        for name in SHELLS
    ],
)
@pytest.mark.parametrize(("line", "words"), OFFERED.values(), ids=OFFERED)
def test_shell_offers(shell, line, words, folder):
    if shutil.which(shell) is None:
        pytest.skip(f"needs {shell}")
    offers = {offer.removeprefix("./") for offer in list_offers(shell, line, folder)}
    assert offers >= {*words}
    if words != [*COMMANDS]:
        assert not offers - {*words} - {*FILES}


def test_every_value_is_listed_or_a_file_or_free():
    """A new option that takes names has a row in `VALUES`."""
    for name, parser in list_parsers().items():
        for action in parser.list_actions():
            if action.nargs == 0:
                continue
            is_free = action.metavar in FREE_METAVARS
            is_free |= bool({*action.option_strings} & FREE_OPTIONS)
            is_known = list_values(name, action) or action.metavar in FILE_METAVARS
            assert is_known or is_free, (name, action.option_strings, action.metavar)


def test_scripts_do_not_run_python():
    for name in SHELLS.values():
        assert "python" not in (SHELL_FILES / name).read_text("utf-8").lower()
