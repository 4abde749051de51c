"""Completion scripts and manual pages, generated from the parsers of the commands.

They are kept in the repository and shipped: `python3 dev.py rewrite` rewrites them.
Nothing here is needed to run corefkit.
"""

from __future__ import annotations

import argparse
import os
import re
from typing import TYPE_CHECKING

from corefkit.classes import CLASSES
from corefkit.cli import ABOUT, COMMANDS, PROGRAM, load_commands
from corefkit.cli.arguments import (
    COMMON_TITLE,
    SETTINGS_TITLE,
    CommandParser,
    add_settings_options,
)
from corefkit.cli.scorer import USAGE
from corefkit.settings import VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

SCORER = "corefkit-scorer"
SITE = "https://corefkit.github.io/corefkit/"

# The metavariables of files and folders.
FILE_METAVARS = (
    *("FILE", "FOLDER", "DIR", "MODEL", "OUT", "RUN", "IN", "TREEBANK", "STUDY"),
    *("KEY", "RESPONSE", "SUITE"),
)
# The metavariables and options of values that only the user knows.
FREE_METAVARS = (
    *("N", "SIZE", "LEVEL", "SHARE", "ADDRESS", "ID", "CODE", "NAME=VALUE", "REGEX"),
)
FREE_OPTIONS = {"--baseline", "--known-as", "--submit-only"}

SECTIONS: Mapping[str, Mapping[str, str]] = {
    "EXIT STATUS": {
        "0": "done",
        "1": "the input cannot be read or scored, or the output cannot be written",
        "2": "wrong usage: an unknown option, metric, preset, format or document",
        "129, 130, 143": "stopped by a signal; no unfinished file remains",
    },
    "ENVIRONMENT": {
        "NO_COLOR": "no colours, if it is set and not empty",
        "FORCE_COLOR, CLICOLOR_FORCE": "colours even if the output is not a terminal; "
        "NO_COLOR comes first",
        "COLUMNS": "width of tables and help",
        "COREFKIT_TRACEBACK": "if it is set, a defect shows its traceback",
    },
    "FILES": {
        "corefkit.toml": "defaults of options, in this folder or a parent folder",
        "pyproject.toml": "the same, in its table [tool.corefkit]",
    },
}


def list_parsers() -> dict[str, CommandParser]:
    """List the parsers of all commands, by their words such as `lab perturb`."""
    return {
        name: CommandParser.from_command(f"{PROGRAM} {name}", command)
        for name, command in load_commands().items()
    }


def list_values(name: str, action: argparse.Action) -> list[str]:
    """List the values of an option or argument; empty if it takes free text."""
    if action.nargs == 0 or action.type is int:
        return []
    long = next((one for one in action.option_strings if one[:2] == "--"), action.dest)
    find = VALUES.get(f"{name} {long}", VALUES.get(long))
    return [*map(str, action.choices or (find() if find else ()))]


def write_completion(shell: str) -> str:
    """Write the completion script of a shell."""
    import shtab

    parsers = list_parsers()
    tree = _build_tree(parsers, _add_values)
    tree.prog = PROGRAM
    script = shtab.complete(tree, shell).rstrip()
    if shell == "zsh":  # a colon ends a part of an option there
        actions = [one for parser in parsers.values() for one in parser.list_actions()]
        choices = {str(choice) for one in actions for choice in one.choices or ()}
        for choice in choices:
            if ":" in choice:
                script = script.replace(choice, choice.replace(":", r"\:"))
    return f"{script}\n"


def write_manual() -> str:
    """Write corefkit(1)."""
    from argparse_manpage.manpage import Manpage

    os.environ["COLUMNS"] = "80"
    parsers = list_parsers()
    common = parsers["score"].list_groups()[COMMON_TITLE]
    tree = _build_tree(parsers, _hide_shared)
    settings = CommandParser(prog=PROGRAM)
    add_settings_options(settings, weights=True, classes=True)
    page = Manpage(tree, _manpage_data(), format="single-commands-section")
    page.description, page.date = "coreference evaluation", ""
    for title, actions in (
        ("options of every command", common),
        (SETTINGS_TITLE, settings.list_groups()[SETTINGS_TITLE]),
    ):
        lines = [line for one in actions for line in page.mf._format_action(one)]
        tree._manpage.append({"heading": title, "content": "\n".join(lines)})
    for title, items in SECTIONS.items():
        lines = [
            f".TP\n\\fB{_escape(item)}\\fR\n{_escape(items[item])}" for item in items
        ]
        tree._manpage.append({"heading": title, "content": "\n".join(lines)})
    _add_links(tree, SCORER)
    return _to_ascii(str(page))


def write_scorer_manual() -> str:
    """Write corefkit-scorer(1)."""
    from argparse_manpage.manpage import Manpage

    os.environ["COLUMNS"] = "80"
    usage, _, about = USAGE.strip().removeprefix("use: ").partition("\n\n")
    parser = CommandParser(prog=SCORER, usage=usage, description=about)
    page = Manpage(parser, _manpage_data())
    page.description, page.date = "the arguments and the output of scorer.pl", ""
    page.synopsis = usage.split()
    _add_links(parser, PROGRAM)
    return _to_ascii(str(page))


def _build_tree(
    parsers: Mapping[str, CommandParser],
    adapt: Callable[[str, CommandParser], None],
) -> CommandParser:
    """Build one parser with all commands as subcommands."""
    tree = CommandParser(
        prog=PROGRAM, description=ABOUT, usage=f"{PROGRAM} COMMAND [ARGUMENT...]"
    )
    tree.add_argument("--help", action="help", help="show the commands")
    tree.add_argument("--version", action="version", help="show the version")
    commands = tree.add_subparsers(title="commands", metavar="COMMAND")
    families: dict[str, argparse._SubParsersAction[CommandParser]] = {}
    for name, parser in parsers.items():
        family, _, part = name.rpartition(" ")
        target = commands
        if family:
            if family not in families:
                branch = commands.add_parser(family, help=COMMANDS[family])
                branch.usage = f"{PROGRAM} {family} COMMAND [ARGUMENT...]"
                families[family] = branch.add_subparsers(metavar="COMMAND")
            target = families[family]
        adapt(name, parser)
        summary = load_commands()[name].summary or COMMANDS[name]
        target.add_parser(part, help=summary)
        target.choices[part] = target._name_parser_map[part] = parser
    return tree


def _add_values(name: str, parser: CommandParser) -> None:
    """Tell shtab which values and files to offer."""
    import shtab

    for action in parser.list_actions():
        values = list_values(name, action)
        if values:
            action.choices = values
        elif action.metavar == "DIR" or action.metavar == "FOLDER":
            action.complete = shtab.DIRECTORY
        elif action.metavar in FILE_METAVARS:
            action.complete = shtab.FILE
        # The first line is enough for a list of completions.
        action.help = re.split(r"[;:(\n]", action.help or "", maxsplit=1)[0].strip()


def _hide_shared(_: str, parser: CommandParser) -> None:
    """Hide what the manual page explains once: settings and common options."""
    for title, actions in parser.list_groups().items():
        for action in actions:
            if title == COMMON_TITLE or (
                title == SETTINGS_TITLE and action.dest != "preset"
            ):
                action.help = argparse.SUPPRESS


def _manpage_data() -> dict[str, object]:
    return {
        "project_name": "corefkit",
        "version": VERSION,
        "manual_title": "User Commands",
        "url": SITE,
    }


def _add_links(parser: CommandParser, other: str) -> None:
    parser._manpage.append(
        {"heading": "see also", "content": rf"\fB{_escape(other)}\fR(1)"}
    )


def _escape(text: str) -> str:
    return text.replace("\\", r"\e").replace("-", r"\-")


def _to_ascii(text: str) -> str:
    """Write non-ASCII characters as escapes of roff."""
    return re.sub(r"[^\x00-\x7f]", lambda match: rf"\[u{ord(match[0]):04X}]", text)


def _list_metrics() -> list[str]:
    from corefkit.metrics.registry import list_metric_names

    return list_metric_names()


def _list_explained() -> list[str]:
    from corefkit.analysis.explain.metric_steps import list_explained_metrics

    return [*list_explained_metrics(), "conll"]


def _list_error_kinds() -> list[str]:
    from corefkit.analysis.errors.error_analysis import KINDS, LINKS

    return [*KINDS, *LINKS]


def _list_formats() -> list[str]:
    from corefkit.formats import FORMATS

    return [*FORMATS]


def _list_source_formats() -> list[str]:
    from corefkit.formats import READ_ONLY

    return [*_list_formats(), *READ_ONLY]


def _list_presets() -> Iterable[str]:
    from corefkit.settings import PRESETS

    return PRESETS


def _list_weights() -> Iterable[str]:
    from corefkit.weights import PRESET_WEIGHTS

    return PRESET_WEIGHTS


def _list_perturbations() -> Iterable[str]:
    from corefkit.lab.perturbation import PERTURBATIONS

    return PERTURBATIONS


def _list_papers() -> Iterable[str]:
    from corefkit.papers import PAPERS

    return PAPERS


# The values of options and arguments, also of one command only.
VALUES: Mapping[str, Callable[[], Iterable[str]]] = {
    "--metric": lambda: [*_list_metrics(), "all"],
    "explain --metric": _list_explained,
    "--repair": _list_metrics,
    "--sort": lambda: ["name", *_list_metrics()],
    "errors --sort": lambda: ["name", "errors", *_list_error_kinds(), *_list_metrics()],
    "--list": _list_error_kinds,
    "--preset": _list_presets,
    "--weights": _list_weights,
    "--from": _list_source_formats,
    "--to": _list_formats,
    "--strata": lambda: ["genre"],
    "--by": lambda: [*CLASSES],
    "--kind": _list_perturbations,
    "lab papers paper": _list_papers,
    "--paper": _list_papers,
    "topic": lambda: [*COMMANDS, SETTINGS_TITLE],
}
