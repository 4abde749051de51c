r"""The script for bash, 3.2 and newer.

Where nothing is offered, bash completes files. Bash splits words at `=`, so a path
behind `NAME=` is a word of its own, and so is a value behind `--option=`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.cli.described import PROGRAM, SCORER, commands, families
from corefkit.cli.shells.values import (
    BEFORE_COMMANDS,
    COMMANDS,
    SCORER_METRICS,
    SCORER_NAMES,
    quoted,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from corefkit.cli.described import Argument, Command

_SCRIPT = r"""# Completion of corefkit in bash, made by `corefkit completion bash`.

_corefkit_offer() { # WORDS: offer those that begin with the word, and no files
    COMPREPLY=($(compgen -W "$1" -- "$word"))
    compopt +o default 2>/dev/null
}

_corefkit_offer_some() { # WORDS: the same, with commas between
    if [[ $word == *,* ]]; then
        COMPREPLY=($(compgen -P "${word%,*}," -W "$1" -- "${word##*,}"))
    else
        COMPREPLY=($(compgen -W "$1" -- "$word"))
    fi
    compopt +o default 2>/dev/null
}

_corefkit_offer_or_files() { # WORDS: offer those, or files if none begins so
    COMPREPLY=($(compgen -W "$1" -- "$word"))
}

_corefkit() {
    local IFS=$' \t\n'
    local word=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]}
    local command=${COMP_WORDS[1]} one
    COMPREPLY=()
    if [[ $word == = ]]; then
        word=
    elif [[ $option == = ]]; then
        option=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    if ((COMP_CWORD == 1)); then
        if [[ $word == -* ]]; then
            _corefkit_offer @BEFORE@
        else
            _corefkit_offer @COMMANDS@
        fi
        return
    fi
    case $command in
@FAMILIES@
    esac
    for one in "${COMP_WORDS[@]:1:COMP_CWORD - 1}"; do
        if [[ $one == -- ]]; then return; fi
    done
    case "$command $option" in
@VALUES@
    esac
    if [[ $word == -* ]]; then
        case $command in
@OPTIONS@
        esac
        return
    fi
    case $command in
@PLACES@
    esac
}

_corefkit_scorer() {
    local IFS=$' \t\n'
    local word=${COMP_WORDS[COMP_CWORD]}
    COMPREPLY=()
    case $COMP_CWORD in
        1) _corefkit_offer @METRICS@ ;;
        4) _corefkit_offer @NAMES@ ;;
    esac
}

complete -o default -F _corefkit @PROGRAM@
complete -o default -F _corefkit_scorer @SCORER@
"""


def script() -> str:
    """Write the script."""
    described = commands()
    parts = {
        "COMMANDS": _words(COMMANDS),
        "BEFORE": _words(BEFORE_COMMANDS),
        "FAMILIES": _lines(_families()),
        "VALUES": _lines(_values(described), returns=True),
        "OPTIONS": _lines(_options(described), depth=12),
        "PLACES": _lines(_places(described)),
        "METRICS": _words(SCORER_METRICS),
        "NAMES": _words(SCORER_NAMES),
        "PROGRAM": PROGRAM,
        "SCORER": SCORER,
    }
    text = _SCRIPT
    for name, part in parts.items():
        text = text.replace(f"@{name}@", part)
    return text


def _words(words: Iterable[str]) -> str:
    return quoted(" ".join(words))


def _lines(
    cases: Mapping[str, Iterable[str]], *, depth: int = 8, returns: bool = False
) -> str:
    """Write the branches of a `case`: what to do, and for which words."""
    indent, end = " " * depth, "; return" if returns else ""
    lines = []
    for action, patterns in cases.items():
        choice = " | ".join(patterns)
        lines.append(f"{indent}{choice})\n{indent}    {action}{end} ;;")
    return "\n".join(lines)


def _families() -> dict[str, list[str]]:
    return {
        f'command="{name} ${{COMP_WORDS[2]}}"; if ((COMP_CWORD == 2)); then '
        f"_corefkit_offer {_words(below)}; return; fi": [name]
        for name, below in families().items()
    }


def _values(described: Mapping[str, Command]) -> dict[str, list[str]]:
    """Find what is offered behind each option that takes a value."""
    cases: dict[str, list[str]] = {}
    for name, command in described.items():
        for argument in command.options:
            if argument.metavar:
                patterns = [quoted(f"{name} {one}") for one in argument.spellings]
                cases.setdefault(_offer(argument), []).extend(patterns)
    return cases


def _options(described: Mapping[str, Command]) -> dict[str, list[str]]:
    cases: dict[str, list[str]] = {}
    for name, command in described.items():
        known = [one for option in command.options for one in option.spellings]
        cases.setdefault(f"_corefkit_offer {_words(known)}", []).append(quoted(name))
    return cases


def _places(described: Mapping[str, Command]) -> dict[str, list[str]]:
    """Find what is offered where no option stands; files where nothing is said."""
    cases: dict[str, list[str]] = {}
    for name, command in described.items():
        for argument in command.places:
            if argument.words or not argument.paths:
                cases.setdefault(_offer(argument), []).append(quoted(name))
    return cases


def _offer(argument: Argument) -> str:
    words = _words(argument.words)
    if argument.paths:
        return f"_corefkit_offer_or_files {words}" if argument.words else ":"
    if argument.commas:
        return f"_corefkit_offer_some {words}"
    return f"_corefkit_offer {words}"
