"""One response, or several by name."""

from __future__ import annotations

from pathlib import Path

import pytest

import corefkit
from corefkit.analysis.errors import name_responses
from corefkit.example import paths
from corefkit.model import Document, Entity, Mention

DOCUMENT = Document("d", (("Ann", "left"),), (Entity("1", (Mention(0, 0),)),))
KEY = {"d": ["abc"], "e": ["fg"]}


@pytest.mark.parametrize(
    ("key", "response"),
    [
        (["abc"], ["ab"]),
        (KEY, {"d": ["ab"], "e": ["fg"]}),
        (KEY, {"d": ["ab"]}),
        (KEY, {"d": ["ab"], "other": ["x"]}),
        (KEY, {"d": {"1": ["a", "b"]}}),
        ([DOCUMENT], {"d": DOCUMENT}),
        ([DOCUMENT], [DOCUMENT]),
        ([DOCUMENT], {"doc_key": "d", "clusters": [[[0, 0]]]}),
        ("key.conll", "response.conll"),
        ("key.conll", Path("response.conll")),
        (["abc"], {"document": ["ab"]}),
        (["abc"], {}),
    ],
)
def test_one_response(key, response):
    assert name_responses(key, response) is None


@pytest.mark.parametrize(
    ("key", "response"),
    [
        (["abc"], {"A": ["ab"], "B": ["abc"]}),
        (["abc"], {"A": [(0, 1)]}),
        ([["abc"], ["de"]], {"A": [["ab"], ["de"]]}),
        (KEY, {"A": {"d": ["ab"]}, "B": {"e": ["fg"]}}),
        ([DOCUMENT], {"A": [DOCUMENT]}),
        ([DOCUMENT], {"A": DOCUMENT}),
        ([DOCUMENT], {"A": [DOCUMENT], "B": []}),
        ("key.conll", {"A": "a.conll", "B": Path("b.conll")}),
        # Paths are no documents, whatever they are called.
        (KEY, {"d": "a.conll"}),
    ],
)
def test_several_responses(key, response):
    assert name_responses(key, response) == response


def test_data_frames_are_responses():
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    frame = pandas.DataFrame({"document": ["d"], "entity": [1], "mention": ["a"]})
    assert name_responses(frame, {"A": frame})["A"] is frame


def test_the_documents_of_a_file_are_known():
    key = str(paths()[0])
    document = next(corefkit.read(key))
    assert name_responses(key, {document.id: document}) is None
    assert name_responses(key, {"example/bridge_0": document}) is None
    assert name_responses(key, {"A": [document]}) == {"A": [document]}


def test_partitions_under_names_that_the_key_lacks_are_refused():
    with pytest.raises(corefkit.FormatError, match="'D' is not a document of the key"):
        name_responses(KEY, {"D": ["ab"]})


def test_a_system_that_is_called_like_a_document_is_refused():
    with pytest.raises(corefkit.FormatError, match="'d' is a document of the key, and"):
        name_responses(KEY, {"d": {"d": ["ab"]}})


def test_a_key_that_cannot_be_read_is_told():
    with pytest.raises((corefkit.FormatError, OSError)):
        name_responses("no-such-file.conll", {"A": [DOCUMENT]})


SCORES = corefkit.score(["abc"], ["ab"])
FILE = paths()[1]


@pytest.mark.parametrize(
    ("key", "response", "message"),
    [
        (["abc"], SCORES, "found scores"),
        (["abc"], {"A": SCORES}, "found scores"),
        (SCORES, ["abc"], "found scores"),
        ("key.conll", [FILE, FILE], "found a list of files"),
        ("key.conll", [str(FILE)], "found a list of files"),
        ("key.conll", {1: FILE, "1": FILE}, "have the same name"),
    ],
)
def test_what_would_be_taken_for_something_else_is_refused(key, response, message):
    with pytest.raises(corefkit.FormatError, match=message):
        name_responses(key, response)


@pytest.mark.parametrize("name", ["clusters", "doc_key", "predicted_clusters"])
def test_files_may_be_called_as_fields_of_json_lines(name):
    given = {name: "a.conll", "B": Path("b.conll")}
    assert name_responses("key.conll", given) == given
