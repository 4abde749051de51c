"""The script for zsh, by its own function `_arguments`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from corefkit.cli.described import (
    NAMED_PATHS,
    PROGRAM,
    SCORER,
    commands,
    families,
)
from corefkit.cli.shells.values import (
    BEFORE_COMMANDS,
    COMMANDS,
    SCORER_METRICS,
    SCORER_NAMES,
    in_short,
    quoted,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corefkit.cli.described import Argument, Command

_SCRIPT = r"""#compdef @PROGRAM@ @SCORER@
# Completion of corefkit in zsh, made by `corefkit completion zsh`.

_corefkit_named() { # a file, also behind NAME=
    compset -P 1 '[^/]#='
    _files
}

_corefkit_or_files() { # WORD...: words, or a file
    _alternative "words:word:($*)" 'files:file:_files'
}

_corefkit_some() { # WORD...: words with commas between
    _sequence compadd - "$@"
}

_corefkit_among() { # NAME COMMAND:SUMMARY...
    local -a known
    known=("${@:2}")
    _describe -t commands "$1" known
}

_corefkit() {
    local curcontext=$curcontext command
    if [[ $service == @SCORER@ ]]; then
        _arguments '1:metric:(@METRICS@)' '2:key:_files' '3:response:_files' \
            '4:name of a document:(@NAMES@)'
        return
    fi
    if ((CURRENT == 2)); then
        _corefkit_among command @COMMANDS@
        [[ $PREFIX == -* ]] && compadd -- @BEFORE@
        return
    fi
    command=$words[2]
    shift words
    ((CURRENT--))
    case $command in
@FAMILIES@
    esac
    case $command in
@CASES@
    esac
}

if [[ $funcstack[1] == _corefkit ]]; then
    _corefkit "$@"
else
    compdef _corefkit @PROGRAM@ @SCORER@
fi
"""
_FAMILY = r"""        @NAME@)
            if ((CURRENT == 2)); then
                _corefkit_among command @BELOW@
                return
            fi
            command="@NAME@ $words[2]"
            shift words
            ((CURRENT--)) ;;"""


def script() -> str:
    """Write the script."""
    below = [
        _FAMILY.replace("@NAME@", name).replace("@BELOW@", _summaries(known))
        for name, known in families().items()
    ]
    parts = {
        "COMMANDS": _summaries(COMMANDS),
        "BEFORE": " ".join(BEFORE_COMMANDS),
        "FAMILIES": "\n".join(below),
        "CASES": "\n".join(_case(*item) for item in commands().items()),
        "METRICS": " ".join(SCORER_METRICS),
        "NAMES": " ".join(SCORER_NAMES),
        "PROGRAM": PROGRAM,
        "SCORER": SCORER,
    }
    text = _SCRIPT
    for name, part in parts.items():
        text = text.replace(f"@{name}@", part)
    return text


def _summaries(known: Mapping[str, str]) -> str:
    return " ".join(quoted(f"{name}:{about}") for name, about in known.items())


def _case(name: str, command: Command) -> str:
    specs = [_option(argument) for argument in command.options]
    specs += [
        _place(number, argument) for number, argument in enumerate(command.places, 1)
    ]
    lines = " \\\n                ".join(["_arguments -S", *specs])
    return f"        {quoted(name)})\n            {lines} ;;"


def _option(argument: Argument) -> str:
    """Write an option as `_arguments` takes it."""
    takes = bool(argument.metavar)
    spellings = [_ending(one) if takes else one for one in argument.spellings]
    about = re.sub(r"([\[\]:\\])", r"\\\1", in_short(argument.help))
    value = f":{_value(argument)}" if takes else ""
    if takes and argument.open:
        value = f":{value}"
    others = " ".join(argument.spellings)
    before = quoted("*" if argument.repeated else f"({others})")
    many = spellings[0] if len(spellings) == 1 else f"{{{','.join(spellings)}}}"
    return f"{before}{many}{quoted(f'[{about}]{value}')}"


def _ending(spelling: str) -> str:
    """Say that a value stands behind `=` or in the next word."""
    return f"{spelling}=" if spelling.startswith("--") else f"{spelling}+"


def _place(number: int, argument: Argument) -> str:
    where = "*" if argument.repeated else number
    return quoted(f"{where}:{_value(argument)}")


def _value(argument: Argument) -> str:
    """Write what a value is called and what completes it."""
    name = argument.metavar.replace(":", r"\:")
    words = " ".join(argument.words)
    if argument.paths and argument.words:
        action = f"_corefkit_or_files {words}"
    elif argument.metavar in NAMED_PATHS or "NAME=PATH" in argument.help:
        action = "_corefkit_named"
    elif argument.paths:
        action = "_files"
    elif argument.commas:
        action = f"_corefkit_some {words}"
    else:
        return f"{name}:({words})" if words else f"{name}: "
    # A blank before it: it is called as it stands.
    return f"{name}: {action}"
