"""The manual pages, made of what the parsers say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.cli import COMMANDS, COMMON
from corefkit.cli.described import PROGRAM, SCORER, commands
from corefkit.cli.roff import (
    bold,
    escaped,
    header,
    item,
    paragraphs,
    section,
    slanted,
    subsection,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from corefkit.cli.described import Argument, Command

_ABOUT = """Score coreference, compare systems, find errors, and resolve texts.

Every FILE, KEY and RESPONSE can be a file, a folder, or `-` for standard input; a
response can be given a name, as in NAME=PATH. Results go to standard output. Notes,
warnings, errors and progress go to standard error."""
_EXIT = {
    "0": "done",
    "1": "the input cannot be read or scored, or the output cannot be written",
    "2": "wrong usage: an unknown option, metric, preset, format or document",
    "129, 130, 143": "stopped by a signal; nothing is left half written",
}
_ENVIRONMENT = {
    "NO_COLOR": "no colours, if it is set and not empty",
    "FORCE_COLOR, CLICOLOR_FORCE": "colours even if the output is no terminal; "
    "NO_COLOR comes first",
    "COLUMNS": "the width of tables and help",
    "COREFKIT_MODEL": "the model that `corefkit resolve` uses",
    "COREFKIT_WORDNET": "the folder of WordNet, or `none`",
    "COREFKIT_TRACEBACK": "show where in the program a defect occurred, if it is set",
}
_FILES = {
    "corefkit.toml": "defaults of options, in this folder or one above",
    "pyproject.toml": "the same, in its table [tool.corefkit]",
}
_EXAMPLES = {
    "corefkit score key.conll response.conll": "Score a response.",
    "corefkit compare key.conll ours=a.conll theirs=b.conll": "Compare two systems.",
    "corefkit report key.conll a.conll b.conll -o report.html": "Make a page for a "
    "browser.",
}
_SITE = "https://corefkit.github.io/corefkit/"


def page() -> Iterator[str]:
    """Write corefkit(1)."""
    described = commands()
    yield from header(PROGRAM)
    yield from section("NAME", [rf"{PROGRAM} \- coreference evaluation"])
    yield from section("SYNOPSIS", _synopsis(described))
    yield from section("DESCRIPTION", paragraphs(_ABOUT))
    yield from section("COMMANDS", _items(COMMANDS))
    yield from section("OPTIONS OF EVERY COMMAND", _arguments(_shared(described)))
    for command in described.values():
        yield from section(escaped(command.name.upper()), _command(command))
    yield from section("EXIT STATUS", _items(_EXIT))
    yield from section("ENVIRONMENT", _items(_ENVIRONMENT))
    yield from section("FILES", _items(_FILES))
    yield from section("EXAMPLES", _items(_EXAMPLES))
    yield from section("SEE ALSO", [rf"{bold(SCORER)}(1)", ".PP", escaped(_SITE)])


def scorer_page() -> Iterator[str]:
    """Write corefkit-scorer(1)."""
    from corefkit.cli.scorer import USAGE

    usage, _, about = USAGE.strip().removeprefix("use: ").partition("\n\n")
    yield from header(SCORER)
    title = rf"{escaped(SCORER)} \- the arguments and the text of scorer.pl"
    yield from section("NAME", [title])
    yield from section("SYNOPSIS", [escaped(usage)])
    yield from section("DESCRIPTION", paragraphs(about))
    yield from section("SEE ALSO", [f"{bold(PROGRAM)}(1)", ".PP", escaped(_SITE)])


PAGES = {PROGRAM: page, SCORER: scorer_page}


def _synopsis(described: Mapping[str, Command]) -> Iterator[str]:
    for command in described.values():
        yield _usage(command)
        yield ".br"
    yield rf"{bold(PROGRAM)} {bold('--version')}"


def _usage(command: Command) -> str:
    needed = [
        f"{bold(one.spellings[0])} {slanted(one.metavar)}"
        for one in command.options
        if one.needed
    ]
    return " ".join(
        [
            bold(command.name),
            escaped("[OPTION...]"),
            *needed,
            *map(_place, command.places),
        ]
    )


def _place(argument: Argument) -> str:
    text = slanted(argument.metavar) + (" ..." if argument.repeated else "")
    return text if argument.needed else f"[{text}]"


def _items(texts: Mapping[str, str]) -> Iterator[str]:
    for word, text in texts.items():
        yield from item(bold(word), text)


def _shared(described: Mapping[str, Command]) -> list[Argument]:
    """List what every command takes."""
    first = next(iter(described.values()))
    asks = [one for one in first.options if _asks_for_help(one)]
    return [*asks, *first.groups[COMMON]]


def _asks_for_help(argument: Argument) -> bool:
    return "--help" in argument.spellings


def _command(command: Command) -> Iterator[str]:
    """Write what a command does, and its options without those of every command."""
    yield _usage(command)
    yield ".PP"
    yield from paragraphs(command.about)
    for title, arguments in command.groups.items():
        own = [one for one in arguments if not _asks_for_help(one)]
        if own and title != COMMON:
            yield subsection(title.removeprefix("positional "))
            yield from _arguments(own)


def _arguments(arguments: Iterable[Argument]) -> Iterator[str]:
    for one in arguments:
        yield from item(_tag(one), one.help)


def _tag(argument: Argument) -> str:
    value = slanted(argument.metavar)
    if not argument.spellings:
        return value
    names = ", ".join(map(bold, argument.spellings))
    if not argument.metavar:
        return names
    return f"{names} [{value}]" if argument.open else f"{names} {value}"
