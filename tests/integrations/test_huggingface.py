"""What stands between other libraries and the scorer, without the libraries."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import corefkit
from corefkit import FormatError, PairingError
from corefkit.example import paths
from corefkit.integrations.huggingface import (
    entities_in,
    format_conll,
    module,
    score_batch,
)

LINES = ["d 0 0 Ann (1)", "d 0 1 saw -", "d 0 2 her (1)"]


def sentences_of(path):
    """Give a file as `evaluate`'s coval takes it: each sentence a list of lines."""
    blocks = Path(path).read_text("utf-8").split("\n\n")
    lines = [
        [line for line in block.splitlines() if not line.startswith("#")]
        for block in blocks
    ]
    return [sentence for sentence in lines if sentence]


def test_folder_has_what_the_hub_wants():
    folder = Path(module())
    assert {path.name for path in folder.iterdir() if path.is_file()} == {
        "README.md",
        "__init__.py",
        "coreference.py",
        "requirements.txt",
    }
    assert (folder / "README.md").read_text("utf-8").startswith("---\ntitle: ")


class TestEntities:
    def test_padding_is_left_out(self):
        rows = np.full((5, 3), -100)
        rows[:3] = [[0, 1, 3], [4, 4, 1], [6, 7, 3]]
        assert entities_in(rows) == [[(0, 1), (6, 7)], [(4, 4)]]
        assert entities_in(np.full((0, 3), -100)) == []

    def test_numbers_of_models_may_be_floats(self):
        assert entities_in(np.array([[0.0, 1.0, 2.0]])) == [[(0, 1)]]

    @pytest.mark.parametrize(
        "row",
        [[0, 1], [0.5, 1, 2], [3, 1, 2], [-1, 1, 2], [0, -100, 2], [0, 1, -100]],
        ids=str,
    )
    def test_other_rows_are_refused(self, row):
        with pytest.raises(FormatError, match="found the mention"):
            entities_in([row])


class TestLines:
    def test_scores_are_those_of_the_files(self):
        key, response, _ = paths()
        found = score_batch(sentences_of(response), sentences_of(key))
        expected = corefkit.score(key, response)
        assert found.scores == expected.scores
        assert found.documents == expected.documents

    @pytest.mark.parametrize(
        "settings", [{"preset": "conll2012"}, {"singletons": "drop"}], ids=str
    )
    def test_settings_are_those_of_files(self, settings):
        key, response, _ = paths()
        found = score_batch(sentences_of(response), sentences_of(key), **settings)
        assert found.scores == corefkit.score(key, response, **settings).scores

    def test_documents_are_told_apart(self):
        """Entities of two documents with the same number are two entities."""
        other = [line.replace("d 0", "e 0") for line in LINES]
        result = score_batch([LINES, other], [LINES, other], metrics="muc")
        assert result.documents == ("(d); part 000", "(e); part 000")
        assert result["muc"].recall_denominator == 2

    def test_sentences_of_a_document_may_stand_apart(self):
        other = ["e 0 0 It -"]
        text = format_conll([LINES[:1], other, LINES[1:]])
        assert text.index("saw") < text.index("It")

    def test_comments_and_blank_lines(self):
        lines = ["#begin document (d); part 000", *LINES, "", "#end document"]
        assert format_conll([lines]).splitlines()[1:4] == LINES
        assert score_batch([lines], [LINES])["lea"].f1 == 1

    def test_places_have_no_folder(self):
        broken = [*LINES[:2], "d 0 2 her (2"]
        with pytest.raises(FormatError) as caught:
            score_batch([broken], [LINES])
        assert caught.value.place == "predictions:4"
        with pytest.raises(PairingError) as other:
            score_batch([["e 0 0 Ann (1)"]], [LINES])
        assert str(other.value).startswith(
            "predictions: no document in common with ref"
        )

    def test_lists_that_became_strings_are_refused(self):
        with pytest.raises(
            FormatError, match="expected a line of CoNLL-2012"
        ) as caught:
            score_batch([["[0, 1]"]], [["[[0, 1]]"]])
        assert caught.value.hint == "a document is [[[first, last], ...], ...]"
