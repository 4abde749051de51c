"""The public face: names that are true, documented, and shown at work."""

from __future__ import annotations

import doctest
import importlib
import inspect
import re

import pytest

import corefkit
from corefkit.settings import SETTINGS

KEYWORD_ONLY = inspect.Parameter.KEYWORD_ONLY
CALLABLE = [name for name in corefkit.__all__ if callable(getattr(corefkit, name))]
# An example of these would only show how to raise them; the parent's does.
NO_EXAMPLE = {"FormatError", "PairingError", "SettingsError"}


def test_public_names_exist():
    assert all(hasattr(corefkit, name) for name in corefkit.__all__)
    assert len(set(corefkit.__all__)) == len(corefkit.__all__)


def test_type_checkers_know_the_names():
    text = inspect.getsource(corefkit)
    homes = {
        name: match[1]
        for match in re.finditer(r"from (\S+) import (\([^)]*\)|.*)", text)
        for name in re.findall(r"(\w+) as \w+", match[2])
    }
    assert homes == corefkit._HOMES


def test_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="has no attribute 'scores'"):
        _ = corefkit.scores


def test_signature_contains_the_version():
    assert corefkit.Settings().signature.startswith(f"corefkit:{corefkit.__version__}|")


def test_public_names_have_docstrings():
    for name in CALLABLE:
        documentation = inspect.getdoc(getattr(corefkit, name))
        assert documentation, name
        first = documentation.splitlines()[0]
        assert first.endswith("."), name
        assert len(first) < 88, name


def test_public_names_have_examples_that_run():
    finder = doctest.DocTestFinder(recurse=False)
    without = {
        name
        for name in CALLABLE
        if not any(test.examples for test in finder.find(getattr(corefkit, name), name))
    }
    assert without == NO_EXAMPLE


def test_public_methods_have_docstrings():
    members = {
        f"{name}.{member}": value
        for name in CALLABLE
        if inspect.isclass(getattr(corefkit, name))
        for member, value in vars(getattr(corefkit, name)).items()
        if not member.startswith("_")
        and (inspect.isfunction(value) or isinstance(value, property))
    }
    assert {name for name, value in members.items() if not value.__doc__} == set()


SCORING = (
    *("score", "score_responses", "score_submissions"),
    *("explain", "compare", "make_report"),
)


@pytest.mark.parametrize("name", SCORING)
def test_settings_are_keyword_only_and_spelled_as_on_the_command_line(name):
    parameters = inspect.signature(getattr(corefkit, name)).parameters
    options = {part.name for part in parameters.values() if part.kind is KEYWORD_ONLY}
    assert len(parameters) == len(options) + 2
    assert next(iter(parameters)) == "key"
    settings = {row.name for row in SETTINGS.values() if row.is_option}
    assert {"settings", "preset", *settings} <= options


def test_explain_is_called_from_the_package_whatever_was_imported_before():
    importlib.import_module("corefkit.analysis.explain.scene")
    text = corefkit.explain(["abc"], ["ab"], metric="muc")
    assert text.startswith("MUC: response against key")
