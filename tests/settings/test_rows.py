"""A setting is one row: all else is made from it, or agrees with it."""

from __future__ import annotations

import argparse
import ast
import inspect
import re
from dataclasses import dataclass, fields
from pathlib import Path

import pytest
from raising import raises

import corefkit
from corefkit import Settings, SettingsError
from corefkit.cli import main
from corefkit.cli.arguments import add_settings_options, get_settings
from corefkit.settings import SETTINGS, Keywords, Setting, expand_settings

ROOT = Path(__file__).resolve().parents[2]
FUNCTIONS = [corefkit.score, corefkit.score_responses, corefkit.explain]
OPTIONS = [row for row in SETTINGS.values() if row.is_option]
STARTS = ["settings", "preset"]
names = pytest.mark.parametrize("row", SETTINGS.values(), ids=lambda row: row.name)
options = pytest.mark.parametrize("row", OPTIONS, ids=lambda row: row.name)


def flat(text):
    return " ".join(text.split())


def help_of(capsys, *words):
    assert main([*words, "--help"]) == 0
    return flat(capsys.readouterr().out)


@names
def test_text_is_plain(row):
    for text in (row.meaning, *row.choices.values()):
        assert text[0].islower()
        assert not text.endswith(".")
        assert ";" not in text


def test_typed_keywords_match_the_options():
    assert list(Keywords.__annotations__) == [*STARTS, *(row.name for row in OPTIONS)]
    for name in Keywords.__annotations__:
        expected = "Settings | None" if name == "settings" else "str | None"
        if name in SETTINGS:
            expected = SETTINGS[name].annotation
        assert Keywords.__annotations__[name].__forward_arg__ == expected


@names
def test_settings_have_a_typed_field_with_the_default(row):
    (field,) = (field for field in fields(Settings) if field.name == row.name)
    assert (field.type, field.default) == ("str", row.default)
    assert f"{row.name}: {row.meaning}" in flat(Settings.__doc__)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_functions_accept_and_document_all_options(function):
    parameters = inspect.signature(function).parameters
    expected = [*STARTS, *(row.name for row in OPTIONS)]
    assert [name for name in parameters if name in Keywords.__annotations__] == expected
    text = flat(function.__doc__)
    assert "keywords:" not in text
    for row in OPTIONS:
        assert f" {row.name}: {row.text}." in text


@pytest.mark.parametrize(
    "command", [["score"], ["explain"], ["lab", "diagnose"], ["lab", "perturb"]]
)
@options
def test_commands_have_the_option(capsys, command, row):
    text = help_of(capsys, *command)
    is_listed = {"weights": command[0] != "lab", "window": command == ["score"]}
    is_shown = re.search(rf"{row.option}(?![\w-])", text) is not None
    assert is_shown == is_listed.get(row.name, True)


@options
def test_help_of_settings_explains_the_option(capsys, row):
    assert main(["help", "settings"]) == 0
    text = flat(capsys.readouterr().out)
    assert f"{row.option} {row.metavar} {flat(row.help)}" in text


def test_other_settings_are_not_those_of_all_functions():
    others = [row.name for row in SETTINGS.values() if not row.is_option]
    assert others == ["reading", "by", "by_rule"]
    with raises(SettingsError, "settings/unknown-setting", place=None):
        corefkit.errors(["a"], ["a"], by="kind")
    assert main(["score", "--example", "--reading", "strict"]) == 2
    with raises(SettingsError, "settings/unknown-setting", place=None) as refused:
        corefkit.score(["a"], ["a"], reading="strict")
    assert "'reading'" in refused.value.message


def test_documentation_has_the_signature_of_score():
    text = (ROOT / "docs/python.md").read_text("utf-8")
    shown = re.search(
        r"corefkit\.score\(key, response, \*, (.*?)\)\n\n", text, re.DOTALL
    )
    parameters = inspect.signature(corefkit.score).parameters.values()
    keywords = [one.name for one in parameters if one.kind is one.KEYWORD_ONLY]
    assert flat(shown[1]) == ", ".join(f"{name}=None" for name in keywords)


@pytest.fixture
def toy(monkeypatch):
    """Add a setting by one row."""

    @dataclass(frozen=True)
    class Toy(Settings):
        quarter_rule: str = Setting(
            "how quarters are handled",
            {"round": "they are rounded", "keep": "they stay"},
            signed="quarter",
        ).make_field()

    (field,) = (field for field in fields(Toy) if field.name == "quarter_rule")
    row = field.metadata["setting"].bind(field.name)
    monkeypatch.setitem(SETTINGS, field.name, row)
    return Toy


def test_setting_is_added_by_one_row(toy):
    assert toy().signature == Settings.signature.func(toy())
    assert "quarter" not in toy().signature
    changed = toy(quarter_rule="keep")
    assert changed.signature.endswith("|quarter:keep")
    assert changed.changed == {"quarter_rule": "keep"}
    with raises(SettingsError, "settings/unknown-value", place=None) as refused:
        toy(quarter_rule="kept")
    assert refused.value.hint == "did you mean 'keep'? known are round, keep"

    parser = argparse.ArgumentParser()
    add_settings_options(parser)
    assert "they are rounded (default) keep: they stay" in flat(parser.format_help())
    arguments = parser.parse_args(["--quarter-rule", "keep"])
    assert get_settings(arguments)["quarter_rule"] == "keep"

    @expand_settings
    def counted(**keywords):
        """Count.

        Args:
            keywords: the settings.
        """

    assert "quarter_rule" in inspect.signature(counted).parameters
    assert "quarter_rule: how quarters are handled. `round`" in flat(counted.__doc__)


@pytest.mark.slow
def test_values_are_looked_up_and_never_compared():
    """A comparison has an `else`, in which a new value would be taken for another."""
    source = Path(corefkit.__file__).parent
    found = [
        f"{path.relative_to(source)}: {ast.unparse(node)}"
        for path in sorted(source.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Compare)
        and isinstance(node.left, ast.Attribute)
        and node.left.attr in SETTINGS
        and ast.unparse(node.left.value).split(".")[-1] == "settings"
    ]
    assert found == []
