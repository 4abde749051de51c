"""The page on features, held against the registry."""

from __future__ import annotations

import re

import pytest
from shared_files import ROOT

from cistell.paper.features import FEATURES, GROUPS, LANGUAGE_FEATURES

PAGE = ROOT / "docs" / "cistell" / "features.md"
NAME = re.compile(r"`([^`]+)`")


def rows(section):
    """Return the rows of the table under a heading, a list of cells each."""
    text = PAGE.read_text("utf-8")
    (part,) = re.findall(rf"^## {section}\n(.*?)(?=^## |\Z)", text, re.M | re.S)
    lines = [line for line in part.splitlines() if line.startswith("| ")]
    header, *others = (
        [cell.strip() for cell in line.split("|")[1:-1]] for line in lines
    )
    assert header == ["feature", "values", "description", "source", "languages"]
    return others


def documented(group):
    """Return each feature of a group as the page has it: values, and languages."""
    return {
        name: (tuple(NAME.findall(values)), languages.split(", "))
        for names, values, _, _, languages in rows(group.capitalize())
        for name in NAME.findall(names)
    }


def registered(group):
    return {
        name: (
            feature.values,
            [code for code, names in LANGUAGE_FEATURES.items() if name in names],
        )
        for name, feature in FEATURES.items()
        if feature.group == group
    }


@pytest.mark.parametrize("group", GROUPS)
def test_page_has_every_feature_with_its_values_and_languages(group):
    assert documented(group) == registered(group)


def test_page_says_of_every_feature_what_it_is_and_where_it_is_from():
    for group in GROUPS:
        for _, _, about, source, _ in rows(group.capitalize()):
            assert len(about) > 20
            assert source


def test_page_counts_the_features_of_each_language():
    text = PAGE.read_text("utf-8")
    counts = re.findall(r"^\| \w+ \(`(\w+)`\) \| (\d+) \|", text, re.M)
    expected = [(code, str(len(names))) for code, names in LANGUAGE_FEATURES.items()]
    assert counts == expected
