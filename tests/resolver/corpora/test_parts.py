"""Documents cut to equal length: nothing but what lies over a cut goes lost."""

from __future__ import annotations

from itertools import accumulate, chain, pairwise

import pytest
from formats.reading import DATA, needs_data, spans
from hypothesis import given
from hypothesis import strategies as st

import corefkit
from cistell.studies.corpora.loss import Loss
from cistell.studies.corpora.parts import (
    OVER_A_CUT,
    is_masked,
    parts_of,
)
from corefkit import Bridge, Document, Entity, Mention, SettingsError

STORY = Document(
    "story",
    (("Ann", "left"), ("_", "rained"), ("She", "saw", "a", "mill"), ("It", "burned")),
    (
        Entity("ann", (Mention(0, 0, head=0), Mention(4, 4, head=4))),
        Entity(
            "mill",
            (
                Mention(6, 7, head=7, minimum=(7, 7), attributes={"type": "place"}),
                Mention(8, 8),
            ),
        ),
        Entity("all", (Mention(1, 5, gaps=((2, 4),)),), split=("ann", "mill")),
    ),
    empty=(2,),
    bridges=(
        Bridge(Mention(6, 7), "ann", Mention(0, 0), "owner"),
        Bridge(Mention(8, 8), "mill"),
    ),
    layers={"upos": tuple("abcdefghij")},
    comments=(("one",), (), ("three",), ("four",)),
)


def test_layers_comments_and_empty_nodes_follow():
    first, second, third = parts_of(STORY, 4).documents
    assert [part.id for part in (first, second, third)] == [
        "story/1",
        "story/2",
        "story/3",
    ]
    assert first.sentences == STORY.sentences[:2]
    assert (first.empty, second.empty) == ((2,), ())
    assert third.layers == {"upos": ("i", "j")}
    assert (first.comments, third.comments) == ((("one",), ()), (("four",),))


def test_entities_keep_their_ids_and_mentions_all_that_is_known():
    first, second, third = parts_of(STORY, 4).documents
    assert [entity.id for entity in first] == ["ann"]
    assert [entity.id for entity in second] == ["ann", "mill"]
    assert [entity.id for entity in third] == ["mill"]
    expected = Mention(2, 3, head=3, minimum=(3, 3), attributes={"type": "place"})
    (found,) = second.entities[1].mentions
    assert repr(found) == repr(expected)


def test_what_lies_over_a_cut_is_counted():
    assert parts_of(STORY, 4).loss == Loss(5, 4, 3, 4, dropped={OVER_A_CUT: 1})
    assert parts_of(STORY, 99).loss == Loss(5, 5, 3, 3)


def test_links_to_other_parts_are_dropped():
    first, second, third = parts_of(STORY, 4).documents
    assert (first.bridges, third.bridges) == ((), (Bridge(Mention(0, 0), "mill"),))
    # The entity has another mention here, not the one that the file names.
    assert second.bridges == (Bridge(Mention(2, 3), "ann", None, "owner"),)
    whole = parts_of(STORY, 99).documents[0]
    assert whole.bridges == STORY.bridges
    assert whole.entities[2].split == ("ann", "mill")
    mill_and_all = parts_of(STORY, 7).documents[0]
    assert mill_and_all.entities[2].split == ("ann", "mill")


def test_empty_nodes_are_no_words():
    assert len(parts_of(STORY, 3).documents[0].sentences) == 2


def test_long_sentence_is_a_part_of_its_own():
    sentences = (("a",), ("b",) * 9, ("c",))
    parts = parts_of(Document("d", sentences, ()), 3).documents
    assert [part.sentences for part in parts] == [(one,) for one in sentences]


def test_document_without_words_is_one_part():
    document = Document("d", (), (Entity("1", (Mention(3, 4),)),))
    (part,) = parts_of(document, 1).documents
    assert (part.id, part.entities) == ("d/1", document.entities)


@pytest.mark.parametrize("words", [0, -3])
def test_parts_have_words(words):
    with pytest.raises(SettingsError, match="cannot be made"):
        parts_of(STORY, words)


@st.composite
def documents(draw):
    """Draw a document with mentions inside sentences, and some over them."""
    lengths = draw(st.lists(st.integers(1, 5), min_size=1, max_size=8))
    sentences = tuple(tuple("w" * length) for length in lengths)
    token = st.integers(0, sum(lengths) - 1)
    spans = st.lists(st.tuples(token, token).map(sorted), max_size=6)
    entities = tuple(
        Entity(str(number), tuple(Mention(*span) for span in row))
        for number, row in enumerate(draw(st.lists(spans, max_size=3)))
    )
    layers = {"n": tuple(map(str, range(sum(lengths))))}
    return Document("d", sentences, entities, layers=layers)


@given(documents(), st.integers(1, 12))
def test_parts_together_are_the_document(document, words):
    parts, loss = parts_of(document, words)
    assert tuple(chain.from_iterable(part.sentences for part in parts)) == (
        document.sentences
    )
    numbers = chain.from_iterable(part.layers["n"] for part in parts)
    assert tuple(numbers) == document.layers["n"]
    sizes = [len(part.tokens) for part in parts]
    starts = list(accumulate(sizes, initial=0))
    found = sorted(
        (entity.id, start + one.start, start + one.end)
        for part, start in zip(parts, starts, strict=False)
        for entity in part
        for one in entity
    )
    whole = sorted((entity.id, *one) for entity in document for one in entity)
    bounds = {*starts}
    kept = [
        (name, start, end)
        for name, start, end in whole
        if not any(start < bound <= end for bound in bounds)
    ]
    assert found == kept
    assert loss.mentions_before - loss.mentions_after == len(whole) - len(kept)


@given(documents(), st.integers(1, 12))
def test_parts_are_as_long_as_they_may_be(document, words):
    parts = list(parts_of(document, words).documents)
    for part, following in pairwise(parts):
        assert len(part.tokens) + len(following.sentences[0]) > words
    for part in parts:
        assert len(part.tokens) <= words or len(part.sentences) == 1


def test_masked_documents_are_left_out():
    masked = Document("m", (("_", "___"), ("__",)), ())
    partly = Document("p", (("_", "mill"),), ())
    without_words = Document("w", (), ())
    assert is_masked(masked)
    rest = [partly, without_words]
    documents = [masked, partly, without_words]
    assert [document for document in documents if not is_masked(document)] == rest


@needs_data
@pytest.mark.slow
def test_gum_in_parts_of_300_words():
    path = DATA / "gum/gum-test.conllu"
    documents = [text for text in corefkit.read(path) if not is_masked(text)]
    parts = [parts_of(document, 300) for document in documents]
    loss = sum((one.loss for one in parts), Loss())
    assert len(documents) == 30
    assert sum(len(one.documents) for one in parts) == 114
    assert loss == Loss(7927, 7927, 4319, 4898)


@needs_data
def test_parts_are_written_and_read_again(tmp_path):
    path = DATA / "gum/gum-test.conllu"
    texts = [text for text in corefkit.read(path) if not is_masked(text)]
    parts = [part for text in texts[:2] for part in parts_of(text, 300).documents]
    corefkit.write(parts, tmp_path / "parts.conllu")
    again = list(corefkit.read(tmp_path / "parts.conllu"))
    assert [one.sentences for one in again] == [one.sentences for one in parts]
    assert [one.comments for one in again] == [one.comments for one in parts]
    assert [spans(one) for one in again] == [spans(one) for one in parts]
