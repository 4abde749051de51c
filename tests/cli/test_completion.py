"""Completion: real shells are asked what they would offer."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

from corefkit.cli import COMMANDS, main
from corefkit.cli.completion import SHELLS
from corefkit.cli.described import commands
from corefkit.cli.lab import COMMANDS as LAB
from corefkit.formats import FORMATS, READ_ONLY
from corefkit.lab.perturb.perturbations import PERTURBATIONS
from corefkit.metrics.registry import list_metric_names
from corefkit.settings import PRESETS

FILES = ["a b.conll", "careful.conll", "key.conll", "été.conll"]

# What is typed, and what is offered for its last word.
OFFERED = {
    "a command": ("corefkit s", ["score", "serve", "stats"]),
    "every command": ("corefkit ", [*COMMANDS]),
    "an option before commands": ("corefkit --v", ["--version"]),
    "a command of the laboratory": ("corefkit lab ", [*LAB]),
    "an option": ("corefkit score --me", ["--memory", "--metric", "--metrics"]),
    "an option of the laboratory": ("corefkit lab perturb --ki", ["--kind"]),
    "an option behind a file": ("corefkit validate key.conll --sev", ["--severity"]),
    "a choice": ("corefkit score --match ", ["exact", "head", "min", "partial"]),
    "a metric": ("corefkit score --metric ", [*list_metric_names(), "all"]),
    "a metric of the laboratory": ("corefkit lab diagnose --metrics bla", ["blanc"]),
    "a preset": ("corefkit compare --preset ", [*PRESETS]),
    "a format": ("corefkit stats --from ", [*FORMATS, *READ_ONLY]),
    "a kind of change": ("corefkit lab perturb --kind ", [*PERTURBATIONS]),
    "a kind of error": ("corefkit errors --list di", ["divided"]),
    "a shell": ("corefkit completion ", ["bash", "fish", "zsh"]),
    "a page": ("corefkit manual corefkit-", ["corefkit-scorer"]),
    "a study": ("corefkit experiment l", ["language"]),
    "a model": ("corefkit resolve --model si", ["sieve"]),
    "a file": ("corefkit score k", ["key.conll"]),
    "a second file": ("corefkit score key.conll c", ["careful.conll"]),
    "a file to write": ("corefkit score -o k", ["key.conll"]),
    "a file behind dashes": ("corefkit score -- k", ["key.conll"]),
    "nothing for a number": ("corefkit resolve --jobs ", []),
    "nothing for a wrong choice": ("corefkit score --match k", []),
    "a metric of the scorer": ("corefkit-scorer c", ["ceafe", "ceafm"]),
    "a key of the scorer": ("corefkit-scorer all k", ["key.conll"]),
    "a name of the scorer": ("corefkit-scorer all key.conll key.conll n", ["none"]),
}
# The same where shells write what is offered in their own ways: what is typed, what
# they make of it.
COMPLETED = {
    "a list": ("corefkit score --metric muc,bla", "corefkit score --metric muc,blanc"),
    "behind =": ("corefkit score --match=hea", "corefkit score --match=head"),
    "a list behind =": ("corefkit score --metric=muc,bla", "--metric=muc,blanc"),
    "a name": ("corefkit score key.conll ours=ca", "ours=careful.conll"),
    "other letters": ("corefkit score é", "corefkit score été.conll"),
}

ZSH = r"""
PS1=
autoload -Uz compinit && compinit -u -D
source ./script
compadd() {
    if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return; fi
    local -a hits
    builtin compadd -O hits "$@"
    (($#hits)) && print -rl -- $hits >>offered
    builtin compadd "$@"
}
finish() { print -r -- "$BUFFER" >line; exit; }
zle -N finish
bindkey '^I' complete-word
bindkey '^X' finish
"""
BASH = r"""
PS1=
bind 'set bell-style none'
source ./script
finish() { printf '%s\n' "$READLINE_LINE" >line; exit; }
bind -x '"\C-x": finish'
"""
BASH_OFFERED = r"""
source ./script
line=$1
words=($line)
[[ $line == *' ' ]] && words+=('')
COMP_WORDS=("${words[@]}") COMP_CWORD=$((${#words[@]} - 1))
found=$(complete -p "${words[0]}")
function=${found##*-F }
default=yes
compopt() { [[ "$*" == '+o default' ]] && default=; }
"${function%% *}" "${words[0]}" "${words[COMP_CWORD]}" "${words[COMP_CWORD - 1]}"
if ((${#COMPREPLY[@]} == 0)) && [[ $default ]]; then
    compgen -f -- "${words[COMP_CWORD]}"
fi
printf '%s\n' "${COMPREPLY[@]}"
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    for name in FILES:
        (tmp_path / name).touch()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    return tmp_path


@pytest.fixture(scope="module")
def scripts():
    return {shell: write() for shell, write in SHELLS.items()}


@pytest.fixture
def shell(request, folder, scripts):
    """Put the script of a shell into the folder."""
    if shutil.which(request.param) is None:
        pytest.skip(f"needs {request.param}")
    (folder / "script").write_text(scripts[request.param], "utf-8")
    return request.param


# Interactive shells take long to start; bash runs ordinarily.
every_shell = pytest.mark.parametrize(
    "shell",
    [
        pytest.param(name, marks=[] if name == "bash" else pytest.mark.slow)
        for name in SHELLS
    ],
    indirect=True,
)


def typed(words, keys):
    """Run a shell in a terminal of its own, type, and wait until it ends."""
    pytest.importorskip("pty", reason="needs terminals of Unix")
    # A process of its own, since to fork one that has threads is a mistake.
    code = "import pty, sys; pty.spawn(sys.argv[1:])"
    variables = {"ZDOTDIR": ".", "TERM": "xterm", "HISTFILE": "/dev/null"}
    subprocess.run(
        [sys.executable, "-c", code, *words],
        input=keys.encode(),
        env={**os.environ, **variables},
        capture_output=True,
        timeout=60,
        check=False,
    )


def fish(line):
    code = 'source script; complete -C "$argv"'
    done = subprocess.run(
        ["fish", "--no-config", "-c", code, line],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    return [row.partition("\t")[0] for row in done.stdout.splitlines()]


def offered(shell, line, folder):
    """List what a shell offers for the last word of a line."""
    if shell == "fish":
        return fish(line)
    if shell == "zsh":
        (folder / "offered").touch()
        (folder / ".zshrc").write_text(ZSH)
        typed(["zsh", "-d", "-i"], f"{line}\t\x18")
        return (folder / "offered").read_text("utf-8").splitlines()
    done = subprocess.run(
        ["bash", "--norc", "-c", BASH_OFFERED, "bash", line],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    return [row for row in done.stdout.splitlines() if row]


def completed(shell, line, folder):
    """Give the line after Tab."""
    if shell == "fish":
        (last,) = fish(line)
        return f"{line.rpartition(' ')[0]} {last}"
    if shell == "zsh":
        (folder / ".zshrc").write_text(ZSH)
        typed(["zsh", "-d", "-i"], f"{line}\t\x18")
    else:
        (folder / ".bashrc").write_text(BASH)
        typed(["bash", "--rcfile", ".bashrc", "-i"], f"{line}\t\x18")
    # A list goes on with a comma, which vanishes at the next blank.
    return (folder / "line").read_text("utf-8").strip("\n ,")


@every_shell
@pytest.mark.parametrize(("line", "words"), OFFERED.values(), ids=OFFERED)
def test_a_shell_offers(shell, line, words, folder):
    assert sorted(set(offered(shell, line, folder))) == sorted(words)


@every_shell
@pytest.mark.parametrize(("line", "whole"), COMPLETED.values(), ids=COMPLETED)
def test_a_shell_completes(shell, line, whole, folder):
    assert completed(shell, line, folder).endswith(whole)


@pytest.mark.parametrize("shell", ["bash", "fish"], indirect=True)
def test_every_option_of_every_command_is_offered(shell):
    for name, command in commands().items():
        known = {
            one
            for option in command.options
            for one in option.spellings
            if one.startswith("--")
        }
        found = offered(shell, f"corefkit {name} --", None)
        assert {one for one in found if one.startswith("--")} == known


def test_the_command_prints_the_script(scripts, capsys):
    for shell, script in scripts.items():
        assert main(["completion", shell]) == 0
        assert capsys.readouterr().out == script


# Options whose values only the user knows: numbers, names of systems, and so on.
FREE_NAMES = ("N", "SIZE", "LEVEL", "ADDRESS", "ID", "CODE")
FREE = ("--baseline", "--known-as")


def test_every_value_is_words_or_files_or_free():
    """A new option that takes names has a row in `WORDS`."""
    for name, command in commands().items():
        for option in (*command.options, *command.places):
            free = option.metavar in FREE_NAMES or {*option.spellings} & {*FREE}
            known = bool(option.words or option.paths)
            assert not option.metavar or known != bool(free), (name, option)


def test_words_have_nothing_that_a_shell_would_read():
    for command in commands().values():
        for option in (*command.options, *command.places):
            for word in option.words:
                assert set(word) <= set("abcdefghijklmnopqrstuvwxyz0123456789_-+."), (
                    word
                )


def test_a_script_asks_no_python(scripts):
    for script in scripts.values():
        assert "python" not in script.lower()
