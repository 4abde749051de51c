"""What commands take, as plain values: for completion by shells, and for the manual.

It is read from the parsers, so that both say what the commands do. What a parser does
not know, which names an option takes, stands in a table here.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, NamedTuple

from corefkit.cli import COMMANDS, module_of, parser_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from corefkit.cli.parsing import CommandParser

PROGRAM, SCORER = "corefkit", "corefkit-scorer"

# How files and folders are called.
PATHS = ("FILE", "FOLDER", "DIR", "MODEL", "OUT", "RUN", "IN", "TREEBANK", "STUDY")
NAMED_PATHS = ("KEY", "RESPONSE")
# Options that take several names with commas between.
_COMMAS = (
    *("--metric", "--repair", "--kind", "--features", "--without"),
    *("--parts", "--list"),
)


class Argument(NamedTuple):
    """An option of a command, or a file or word that it takes."""

    spellings: tuple[str, ...]  # empty if it is no option
    metavar: str  # what stands for its value; empty if it takes none
    help: str
    needed: bool
    repeated: bool
    open: bool  # whether the value can be left out
    words: tuple[str, ...] = ()  # values that are known
    commas: bool = False  # whether several values can stand with commas between
    paths: bool = False  # whether files are values


class Command(NamedTuple):
    """A command, and what it takes."""

    name: str  # as in `corefkit lab perturb`
    summary: str
    about: str
    groups: Mapping[str, tuple[Argument, ...]]  # by their title

    @property
    def options(self) -> list[Argument]:
        """All options."""
        return [one for one in self._arguments if one.spellings]

    @property
    def places(self) -> list[Argument]:
        """All that is no option, in order."""
        return [one for one in self._arguments if not one.spellings]

    @property
    def _arguments(self) -> Iterator[Argument]:
        return (one for arguments in self.groups.values() for one in arguments)


def commands() -> dict[str, Command]:
    """Describe every command, those of `lab` too, by its words behind `corefkit`."""
    return {command.name.partition(" ")[2]: command for command in _below(PROGRAM)}


def families() -> dict[str, Mapping[str, str]]:
    """List commands that have commands of their own, with these and their summaries."""
    modules = {name: module_of(f"{PROGRAM} {name}") for name in COMMANDS}
    return {
        name: module.COMMANDS
        for name, module in modules.items()
        if hasattr(module, "COMMANDS")
    }


def _below(name: str, known: Mapping[str, str] = COMMANDS) -> Iterator[Command]:
    for word, summary in known.items():
        module = module_of(f"{name} {word}")
        if hasattr(module, "COMMANDS"):
            yield from _below(f"{name} {word}", module.COMMANDS)
        else:
            yield _described(parser_of(f"{name} {word}", module), summary)


def _described(parser: CommandParser, summary: str) -> Command:
    words = _known_words()
    command = parser.prog.partition(" ")[2]
    groups = {
        title: tuple(_argument(action, command, words) for action in actions)
        for title, actions in parser.titled_actions().items()
    }
    return Command(parser.prog, summary, parser.description or "", groups)


def _argument(
    action: argparse.Action, command: str, known: Mapping[str, Iterable[str]]
) -> Argument:
    spellings = tuple(action.option_strings)
    name = next((one for one in spellings if one.startswith("--")), action.dest)
    metavar = str(action.metavar or "|".join(map(str, action.choices or ())))
    takes = action.nargs != 0
    repeated = isinstance(action, argparse._AppendAction)
    words: Iterable[str] = ()
    if takes and action.type is not int:
        names = known.get(f"{command} {name}", known.get(name, ()))
        words = map(str, action.choices or names)
    # argparse would put values for %: what is behind a number is a percentage.
    about = (action.help or "").replace("%%", "%")
    return Argument(
        spellings,
        metavar if takes else "",
        about,
        needed=action.required if spellings else action.nargs in (None, "+"),
        repeated=repeated or action.nargs in ("*", "+"),
        open=action.nargs == "?",
        words=tuple(words),
        commas=name in _COMMAS and (repeated or action.nargs == "?"),
        paths=metavar in (*PATHS, *NAMED_PATHS),
    )


def _known_words() -> dict[str, Iterable[str]]:
    """List the names that options take, where parsers know none.

    A command before the option means this option of that command alone.
    """
    return {name: find() for name, find in WORDS.items()}


def _metrics() -> list[str]:
    from corefkit.metrics.registry import list_metric_names

    return list_metric_names()


def _with_all() -> list[str]:
    from corefkit.metrics.registry import ALL

    return [*_metrics(), ALL]


def _explained() -> list[str]:
    from corefkit.analysis.explain.metric_steps import explained_names

    return [*explained_names(), "conll"]


def _error_kinds() -> list[str]:
    from corefkit.analysis.errors.error_analysis import KINDS, LINKS

    return [*KINDS, *LINKS]


def _presets() -> Iterable[str]:
    from corefkit.settings import PRESETS

    return PRESETS


def _formats() -> Iterable[str]:
    from corefkit.formats import FORMATS

    return FORMATS


def _formats_to_read() -> list[str]:
    from corefkit.formats import READ_ONLY

    return [*_formats(), *READ_ONLY]


def _weights() -> Iterable[str]:
    from corefkit.weights import PRESET_WEIGHTS

    return PRESET_WEIGHTS


def _perturbations() -> Iterable[str]:
    from corefkit.lab.perturb.perturbations import PERTURBATIONS

    return PERTURBATIONS


def _papers() -> Iterable[str]:
    from corefkit.papers import PAPERS

    return PAPERS


def _features() -> list[str]:
    from cistell.features import FEATURES, GROUPS

    return [*GROUPS, *FEATURES]


def _parser_parts() -> Iterable[str]:
    from cistell.parsing.udpipe import PARTS

    return PARTS


def _studies() -> Iterable[str]:
    from cistell.experiment.study import STUDIES

    return STUDIES


WORDS: Mapping[str, Callable[[], Iterable[str]]] = {
    "--metric": _with_all,
    "explain --metric": _explained,
    "--repair": _metrics,
    "--sort": lambda: ["name", *_metrics()],
    "errors --sort": lambda: ["name", "errors", *_error_kinds(), *_metrics()],
    "--list": _error_kinds,
    "--preset": _presets,
    "--weights": _weights,
    "--from": _formats_to_read,
    "--to": _formats,
    "--strata": lambda: ["genre"],
    "--kind": _perturbations,
    "--paper": _papers,
    "--features": _features,
    "--without": _features,
    "--parts": _parser_parts,
    "--model": lambda: ["sieve"],
    "--wordnet": lambda: ["none"],
    "--threshold": lambda: ["heldout"],
    "study": _studies,
}
