"""The script for fish: one line for each option of each command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.cli.described import PROGRAM, SCORER, commands, families
from corefkit.cli.shells.values import (
    BEFORE_COMMANDS,
    COMMANDS,
    SCORER_METRICS,
    SCORER_NAMES,
    in_short,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from corefkit.cli.described import Argument, Command

_START = r"""# Completion of corefkit in fish, made by `corefkit completion fish`.

function __corefkit_at # COMMAND...: whether these words, and no others, are the command
    set -l words (commandline -opc)
    set -l last (math (count $argv) + 1)
    test (count $words) -ge $last; and test "$words[2..$last]" = "$argv"
end

function __corefkit_first # COMMAND...: whether the next word is the first behind them
    set -l words (commandline -opc)
    test (count $words) = (math (count $argv) + 1)
    and string match -q -- "$argv" "$words[2..-1]"
end

function __corefkit_some # WORD...: words with commas between
    set -l typed (commandline -ct | string replace -r -- '^--[^=]*=' '')
    set -l before (string match -r -- '^.*,' $typed)
    for word in $argv
        echo "$before$word"
    end
end
"""


def script() -> str:
    """Write the script."""
    return "\n".join([_START, *_program(), "", *_scorer(), ""])


def _program() -> Iterator[str]:
    start = f"complete -c {PROGRAM}"
    first = _called("__corefkit_first", "")
    yield f"{start} -f"
    yield from _offered(start, first, COMMANDS)
    for option, about in BEFORE_COMMANDS.items():
        yield f"{start} -n {first} -l {option[2:]} -d {_quoted(about)}"
    for name, below in families().items():
        yield from _offered(start, _called("__corefkit_first", name), below)
    for name, command in commands().items():
        yield from _command(f"{start} -n {_called('__corefkit_at', name)}", command)


def _scorer() -> Iterator[str]:
    start = f"complete -c {SCORER}"
    last = (
        "test (count (commandline -opc)) = 1",
        "test (count (commandline -opc)) = 4",
    )
    for when, words in zip(last, (SCORER_METRICS, SCORER_NAMES), strict=True):
        yield f"{start} -n {_quoted(when)} -f -a {_quoted(' '.join(words))}"


def _offered(start: str, when: str, known: Mapping[str, str]) -> Iterator[str]:
    """Offer commands, each with what it does."""
    for name, about in known.items():
        yield f"{start} -n {when} -a {name} -d {_quoted(about)}"


def _command(start: str, command: Command) -> Iterator[str]:
    for argument in command.options:
        names = " ".join(
            f"-l {one[2:]}" if one.startswith("--") else f"-s {one[1:]}"
            for one in argument.spellings
        )
        about = _quoted(in_short(argument.help))
        yield f"{start} {names}{_value(argument)} -d {about}"
    places = command.places
    if any(argument.paths for argument in places):
        yield f"{start} -F"
    for argument in places:
        if argument.words:
            yield f"{start} -a {_quoted(' '.join(argument.words))}"


def _value(argument: Argument) -> str:
    """Say what completes a value: words, files or both."""
    if not argument.metavar:
        return ""
    # -r: a value comes next; -f: no file is one; -F: a file is.
    files = " -F" if argument.paths else " -f"
    return f" -r{files}{_words(argument.words, commas=argument.commas)}"


def _words(words: Sequence[str], *, commas: bool) -> str:
    if not words:
        return ""
    listed = " ".join(words)
    return f" -a {_quoted(f'(__corefkit_some {listed})' if commas else listed)}"


def _called(function: str, name: str) -> str:
    return _quoted(f"{function} {name}".strip())


def _quoted(text: str) -> str:
    r"""Put a text between single quotes, as fish reads them.

    >>> print(_quoted("the papers' sets"))
    'the papers\' sets'
    """
    inside = text.replace("\\", "\\\\").replace("'", r"\'")
    return f"'{inside}'"
