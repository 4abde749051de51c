"""What responses are called, and what one response is."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import corefkit
from corefkit.example import paths
from corefkit.report.assembly import name_inputs

KEY, CAREFUL, GREEDY = paths()


@pytest.mark.parametrize("make", [str, Path])
def test_files_are_called_by_their_names_without_endings(make):
    one = name_inputs(KEY, make(CAREFUL))
    assert {name: os.fspath(path) for name, path in one.items()} == {
        "careful": str(CAREFUL)
    }
    several = name_inputs(KEY, [make(CAREFUL), make(GREEDY)])
    assert [*several] == ["careful", "greedy"]


def test_a_file_twice_is_told_apart():
    names = [*name_inputs(KEY, [CAREFUL, CAREFUL])]
    assert [name.partition(" ")[0] for name in names] == ["1.", "2."]


def test_a_file_that_is_not_there_stands_beside_one_that_is():
    with pytest.raises(corefkit.FormatError, match=r"nowhere\.conll: cannot be read"):
        corefkit.make_report(KEY, [str(CAREFUL), "nowhere.conll"])


@pytest.mark.parametrize(
    "response", [["ab"], {"d": ["ab"]}, [["a", "b"]], [corefkit.Document("d", (), ())]]
)
def test_what_has_no_name_is_the_response(response):
    key = response if isinstance(response, dict) else ["abc"]
    assert [*name_inputs(key, response)] == ["response"]


@pytest.mark.parametrize(
    ("responses", "said"),
    [
        ({" ": ["ab"]}, "a system has no name"),
        (corefkit.score(["ab"], ["ab"]), "found scores"),
        ({"A": corefkit.score(["ab"], ["ab"])}, "found scores"),
        ([str(CAREFUL), ["ab"]], "found a list of files"),
    ],
)
def test_what_is_no_response(responses, said):
    with pytest.raises(corefkit.CorefkitError, match=said):
        name_inputs(["abc"], responses)
