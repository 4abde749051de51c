"""The tables of options on the page of commands are generated from the parsers."""

from __future__ import annotations

import re
from argparse import SUPPRESS

import pytest
from command_files import list_parsers
from kept import check_section, markdown_table
from shared_files import ROOT

from corefkit.cli.arguments import COMMON_TITLE

PAGE = ROOT / "docs" / "cli.md"
GROUPS = {name: parser.list_groups() for name, parser in list_parsers().items()}
# `cite` has no options.
COMMANDS = [name for name in GROUPS if name != "cite"]
# Groups of one command; the other groups are the same in several commands.
PLAIN = ("arguments", "options")

each_command = pytest.mark.parametrize("name", COMMANDS)


def option_cell(action):
    value = action.metavar or "|".join(map(str, action.choices or ()))
    if action.nargs == 0:
        value = ""
    elif action.nargs == "?" and action.option_strings:
        value = f"[{value}]"
    elif action.nargs in ("*", "+"):
        value = f"{value}..."
    *others, last = action.option_strings or [""]
    return ", ".join(f"`{text}`" for text in (*others, f"{last} {value}".strip()))


def meaning_cell(action):
    """Write the help in one line, with the choices if it lacks them."""
    text, *values = (action.help or "").replace("%%", "%").split("\n")
    if values:
        # Each is a value and its meaning.
        listed = (re.sub(r"^ *(\S+):", r"`\1`:", value) for value in values)
        text = f"{text}. {'; '.join(listed)}"
    choices = [str(choice) for choice in action.choices or ()]
    if not all(choice in f"{option_cell(action)} {text}" for choice in choices):
        text = f"{text}; one of {', '.join(choices)}"
    return f"{text}; required" if action.option_strings and action.required else text


def row(action):
    return option_cell(action), meaning_cell(action)


def table(rows):
    return markdown_table(("option", "meaning"), rows)


def rows_of(name):
    """List the rows of a command; groups of an earlier command are only named."""
    for title, actions in GROUPS[name].items():
        own = [row(action) for action in actions]
        first = next(other for other in COMMANDS if title in GROUPS[other])
        earlier = [row(action) for action in GROUPS[first][title]]
        if title == COMMON_TITLE:
            continue
        if title in PLAIN or first == name or not {*own} <= {*earlier}:
            yield from own
        else:
            options = ", ".join(f"`{action.option_strings[-1]}`" for action in actions)
            anchor = f"#corefkit-{first.replace(' ', '-')}"
            yield options, f"as for [`corefkit {first}`]({anchor})"


@pytest.mark.kept
@each_command
def test_table_is_generated_from_the_parser(name):
    check_section(PAGE, f"options of {name}", table(rows_of(name)))


@pytest.mark.kept
def test_options_of_every_command_have_a_table():
    rows = [row(action) for action in GROUPS[COMMANDS[0]][COMMON_TITLE]]
    check_section(PAGE, "options of every command", table(rows))
    for groups in GROUPS.values():
        assert [row(action) for action in groups[COMMON_TITLE]] == rows


@each_command
def test_help_states_the_default(name):
    for action in (action for group in GROUPS[name].values() for action in group):
        if action.default not in (None, False, [], SUPPRESS):
            stated = rf"\(default: {re.escape(str(action.default))}[,)]"
            assert re.search(stated, action.help), action.option_strings
