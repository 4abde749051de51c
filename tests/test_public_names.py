"""The public face: names that are true, documented, and shown at work."""

from __future__ import annotations

import doctest
import importlib
import inspect

import pytest

import corefkit

CALLABLE = [name for name in corefkit.__all__ if callable(getattr(corefkit, name))]
# An example of these would only show how to raise them; the parent's does.
NO_EXAMPLE = {"FormatError", "PairingError", "SettingsError"}


def kind(name):
    """Sort as ruff does: constants, classes, functions."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2, name)


def test_all_is_sorted():
    assert corefkit.__all__ == sorted(corefkit.__all__, key=kind)


def test_all_is_true():
    assert all(hasattr(corefkit, name) for name in corefkit.__all__)
    assert len(set(corefkit.__all__)) == len(corefkit.__all__)


def test_all_names_have_one_home():
    homes = [name for names in corefkit._HOMES.values() for name in names]
    assert sorted(homes) == sorted(corefkit.__all__)


def test_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="has no attribute 'scores'"):
        _ = corefkit.scores


def test_version_is_that_of_the_signature():
    assert corefkit.Settings().signature.startswith(f"corefkit:{corefkit.__version__}|")


@pytest.mark.parametrize("name", CALLABLE)
def test_public_name_has_a_docstring(name):
    documentation = inspect.getdoc(getattr(corefkit, name))
    assert documentation
    first = documentation.splitlines()[0]
    assert first.endswith(".")
    assert len(first) < 88


@pytest.mark.parametrize("name", [name for name in CALLABLE if name not in NO_EXAMPLE])
def test_public_name_has_an_example_that_runs(name):
    value = getattr(corefkit, name)
    tests = doctest.DocTestFinder(recurse=False).find(value, name)
    assert any(test.examples for test in tests)


@pytest.mark.parametrize("name", CALLABLE)
def test_public_methods_have_docstrings(name):
    value = getattr(corefkit, name)
    if not inspect.isclass(value):
        return
    own = [
        (member, function)
        for member, function in vars(value).items()
        if not member.startswith("_")
        and (inspect.isfunction(function) or isinstance(function, property))
    ]
    assert all(function.__doc__ for _, function in own)


OWN_OPTIONS = {
    "score": {"metrics", "format", "engine", "jobs"},
    "score_responses": {"metrics", "format", "progress", "engine", "jobs"},
    "score_submissions": {"metrics", "format", "progress", "engine", "jobs"},
    "explain": {"metric", "document", "as_html", "format"},
    "compare": {
        *("metrics", "statistic", "unit", "units", "test", "samples", "seed", "alpha"),
        *("correction", "interval", "baseline", "alternative", "strata"),
        *("skip_broken", "format", "progress"),
    },
    "make_report": {
        *("metrics", "statistic", "unit", "units", "test", "samples", "seed", "alpha"),
        *("correction", "interval", "baseline", "alternative", "strata"),
        *("antecedents", "language", "skip_broken", "format", "progress"),
    },
}


@pytest.mark.parametrize("name", OWN_OPTIONS)
def test_settings_are_keyword_only_and_spelled_as_on_the_command_line(name):
    parameters = inspect.signature(getattr(corefkit, name)).parameters
    options = [one.name for one in parameters.values() if one.kind is one.KEYWORD_ONLY]
    assert len(parameters) == len(options) + 2
    assert next(iter(parameters)) == "key"
    assert set(options) - OWN_OPTIONS[name] == {
        "settings",
        "preset",
        "match",
        "zeros",
        "split",
        "scope",
        "tokens",
        "singletons",
        "repeated",
        "missing",
        "blanc_rule",
        "average",
        "undefined",
        "weights",
    }


def test_explain_is_called_from_the_package_whatever_was_imported_before():
    importlib.import_module("corefkit.analysis.explain.scene")
    text = corefkit.explain(["abc"], ["ab"], metric="muc")
    assert text.startswith("MUC: response against key")
