"""The small model that comes with corefkit."""

from __future__ import annotations

import pytest

from cistell import Resolver, places

MODEL = places._HERE / "en.model"
TEXT = (
    "Apple Inc. announced a phone on Monday. Apple's shares rose, and Apple smiled.\n"
    "\nAnn Brown had lost her hat. She asked Tom, but he could not find the hat."
)


@pytest.fixture(scope="module")
def resolver():
    pytest.importorskip("ufal.udpipe", reason="UDPipe, which finds words, is missing")
    return Resolver.load(MODEL)


def test_it_is_small_and_its_card_says_what_it_is(resolver):
    assert MODEL.stat().st_size < 5_000_000
    card = str(resolver.card)
    assert "genres: academic, bio, court, interview, news, voyage" in card
    assert "CC BY-SA" in card
    assert resolver.card.needs == ()
    assert dict(resolver.card.scores)["raw text: CoNLL"] > 50


def test_it_resolves_text_without_wordnet(resolver):
    document = resolver(TEXT)
    texts = [{document.text(mention) for mention in entity} for entity in document]

    def together(*names):
        return any({*names} <= entity for entity in texts)

    assert together("Apple Inc.", "Apple 's", "Apple")
    assert together("Ann Brown", "her", "She")
    assert together("Tom", "he")
    assert together("her hat", "the hat")


def test_no_mention_goes_over_a_clause(resolver):
    document = resolver("On Mill Street, the siblings were worried.")
    texts = {document.text(mention) for entity in document for mention in entity}
    assert {"Mill Street", "the siblings"} <= texts
    assert not any("Street ," in text for text in texts)


def test_same_text_gives_the_same_entities_alone_and_in_a_batch(resolver):
    alone = resolver(TEXT).entities
    assert [one.entities for one in resolver([TEXT, TEXT])] == [alone, alone]
    assert resolver("").entities == ()
