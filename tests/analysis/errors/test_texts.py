"""Texts of blocks: the key's first, however documents are put into blocks."""

from __future__ import annotations

import pytest
from descriptions import described
from files import written

import corefkit
from corefkit.alignment import pipeline
from corefkit.analysis.errors.mention_facts import MentionDescriber
from corefkit.analysis.errors.mentions import join_mentions
from corefkit.example import paths
from corefkit.model import Document, Entity, Mention
from corefkit.settings import Settings


def facts_by_document(key, responses, **settings):
    """Describe responses block by block; list what is known, by system and document."""
    describing, found = MentionDescriber(), {}
    with pipeline.open_runs(key, responses, settings=Settings(**settings)) as runs:
        for run, block in pipeline.iter_aligned_blocks(runs):
            table = join_mentions(block)
            known = describing.describe(run, block, table)
            for row in range(len(table)):
                number = block.key.numbers[table.document[row]]
                place = run.response.name, run.key.ids[number]
                found.setdefault(place, []).append(
                    (
                        table.mention(row),
                        int(known.type[row]),
                        known.pronoun[row],
                        known.text[row],
                        int(known.trimmed_start[row]),
                        int(known.sentence[row]),
                    )
                )
    return found, describing.sources


@pytest.mark.parametrize("size", [1, 3])
def test_blocks_change_nothing(size, monkeypatch):
    key, *responses = paths()
    whole = facts_by_document(key, responses)
    monkeypatch.setattr(pipeline, "_BLOCK_DOCUMENTS", size)
    assert facts_by_document(key, responses) == whole


@pytest.mark.parametrize("scope", ["document", "corpus"])
def test_joined_documents_have_the_words_of_all(scope):
    key, response, _ = paths()
    found, _ = facts_by_document(key, [response], scope=scope)
    assert len(found) == (4 if scope == "document" else 1)
    texts = sorted(text for rows in found.values() for *_, text, _, _ in rows)
    alone, _ = facts_by_document(key, [response])
    assert texts == sorted(text for rows in alone.values() for *_, text, _, _ in rows)


def document(words, *spans, layers=None):
    sentences = (tuple(words.split()),) if words else ()
    mentions = tuple(Mention(*span) for span in spans)
    entities = (Entity("1", mentions),)
    return Document("d", sentences, entities, layers=layers or {})


TAGS = {"xpos": ("PRP", "VBD", "NNP")}


@pytest.mark.parametrize(
    ("key", "response", "types"),
    [
        (
            document("She met Ann", (0, 0), (2, 2), layers=TAGS),
            document("She met Ann"),
            [0, 1],
        ),
        (
            document("She met Ann", (0, 0), (2, 2)),
            document("She met Ann", (0, 0), layers=TAGS),
            [0, 1],
        ),
        (
            document("", (0, 0), (2, 2)),
            document("She met Ann", (0, 0), layers=TAGS),
            [0, 1],
        ),
        (document("", (0, 0), (2, 2)), document("", (0, 0)), [-1, -1]),
        (
            document("", (0, 0), (9, 9)),
            document("She met Ann", (0, 0), layers=TAGS),
            [0, -1],
        ),
    ],
    ids=["key", "tags of the response", "words of it", "nobody", "beyond its end"],
)
def test_annotation_is_that_of_the_key_or_else_of_the_response(key, response, types):
    table, description, *_ = described(key, response)
    assert description.type.tolist() == types
    assert table.start.tolist() == [mention.start for mention in key.entities[0]]


def test_a_response_that_lacks_a_document_changes_nothing():
    key = {name: document("She met Ann", (0, 0), (2, 2)) for name in "ab"}
    response = {"a": key["a"]}
    _, description, *_ = described(key, response, language="en")
    assert description.type.tolist() == [0, -1] * 2


@pytest.mark.parametrize("as_folder", [False, True], ids=["files", "folders"])
def test_spans_are_not_words_if_the_response_lacks_the_document(tmp_path, as_folder):
    header = "document,entity,start,end\n"
    sides = []
    for name, rows in (
        ("key", "a,1,0,1\na,1,3,3\nb,1,4,4\nb,1,6,7\n"),
        ("response", "a,1,0,1\na,1,4,4\n"),
    ):
        folder = tmp_path / name
        folder.mkdir()
        file = written(folder / "file.csv", header + rows)
        sides.append(folder if as_folder else file)
    assert "trimming: none, since there are no words" in corefkit.errors(*sides).sources


def test_characters_that_both_sides_have_are_one_mention():
    key = document("She can not see Ann 's mill .", (0, 0), (4, 6), (4, 4))
    response = document("She cannot see Ann's mill .", (0, 0), (3, 3))
    table, description, *_ = described(
        key, response, tokens="characters", language="en"
    )
    assert description.text == ("she", "ann", "ann 's", "ann 's mill")
    rows = [int(row) for row in table.response_mention]
    assert [row >= 0 for row in rows] == [True, False, True, False]
    assert description.trimmed_end.tolist() == [0, 4, 4, 6]
