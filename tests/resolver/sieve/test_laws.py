"""What holds for the sieve on any document."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from resolver.lexica import table_of
from resolver.random_documents import documents
from resolver.trees import parsed

from cistell.sieve import PASSES, resolve_by_sieve, scene
from cistell.sieve.scene import make_scene
from corefkit.model import Document, Entity, Mention

LANGUAGES = st.sampled_from(["en", "es", "fr"])


@given(documents(), LANGUAGES)
def test_every_mention_has_an_entity_numbered_in_the_order_of_the_text(
    document, language
):
    table = table_of(document, language=language)
    numbers = resolve_by_sieve(table).tolist()
    assert len(numbers) == len(table)
    assert list(dict.fromkeys(numbers)) == list(range(len({*numbers})))


@given(documents(), LANGUAGES)
def test_passes_only_merge(document, language):
    table = table_of(document, language=language)
    before = list(range(len(table)))
    for count in range(len(PASSES) + 1):
        after = resolve_by_sieve(table, passes=PASSES[:count]).tolist()
        # What was one entity is one still.
        assert len({*zip(before, after, strict=True)}) == len({*before})
        before = after


@given(documents())
def test_entities_of_the_document_do_not_matter(document):
    alone = [
        Entity(str(number), (mention,))
        for number, mention in enumerate(
            mention for entity in document for mention in entity
        )
    ]
    expected = resolve_by_sieve(table_of(document)).tolist()
    without = replace(document, entities=tuple(alone))
    assert resolve_by_sieve(table_of(without)).tolist() == expected


def test_document_without_words_has_no_entities():
    assert resolve_by_sieve(table_of(Document("d", (), ()))).tolist() == []


@pytest.mark.parametrize("count", [100, 1000])
def test_mention_is_compared_with_so_many_others_however_long_the_text_is(count):
    """A head that comes again and again makes no more work for each mention."""
    lines = [
        f"[ the/3 m{at}/ADJ/3/amod mill/NOUN/0/root/Number=Sing ]"
        for at in range(count)
    ]
    seen = make_scene(table_of(parsed(*lines)))
    assert len(seen.near(seen.by_head["mill"], count - 1)) == min(
        count - 1, scene._NEAREST
    )


def test_cycle_is_no_endless_loop():
    layers = {
        "upos": ("NOUN", "PRON", "NOUN"),
        "feats": ("_", "PronType=Rel", "_"),
        "head": ("2", "3", "2"),
        "deprel": ("conj", "conj", "conj"),
    }
    mentions = tuple(Entity(str(at), (Mention(at, at),)) for at in range(3))
    words = (("mill", "which", "house"),)
    table = table_of(Document("d", words, mentions, layers=layers))
    assert resolve_by_sieve(table).tolist() == [0, 1, 2]
