"""Mentions that were found, in the entities of the corpus."""

from __future__ import annotations

from corefkit.cistell.scratch.labelling import labelled
from corefkit.model import Document, Entity, Mention

WORDS = ("a", "cat", "saw", "a", "dog", "and", "it", "ran", ".")
CAT, DOG, IT = Mention(0, 1, head=1), Mention(3, 4, head=4), Mention(6, 6, head=6)


def spans(document):
    return [[(mention.start, mention.end) for mention in one] for one in document]


def story(*entities):
    return Document("d", (WORDS,), entities)


def test_spans_and_then_heads_tell_the_entity():
    document = story(Entity("x", (CAT, IT)), Entity("y", (DOG,)))
    short = Mention(4, 4, head=4)
    found = labelled(document, [CAT, short, IT, Mention(7, 7, head=7)])
    assert spans(found) == [[(0, 1), (6, 6)], [(4, 4)], [(7, 7)]]


def test_a_head_whose_mention_was_found_tells_nothing():
    document = story(Entity("x", (CAT, IT)))
    longer = Mention(0, 4, head=1)
    assert spans(labelled(document, [CAT, longer])) == [[(0, 1)], [(0, 4)]]


def test_one_mention_is_taken_once():
    document = story(Entity("x", (DOG, IT)))
    parts = [Mention(4, 4, head=4), Mention(4, 5, head=4)]
    assert spans(labelled(document, [*parts, IT])) == [[(4, 4), (6, 6)], [(4, 5)]]


def test_what_does_not_refer_is_alone():
    document = story(Entity("x", (CAT, IT), referring=False))
    assert spans(labelled(document, [CAT, IT])) == [[(0, 1)], [(6, 6)]]


def test_types_that_were_found_are_kept():
    typed = Mention(0, 1, head=1, attributes={"type": "animal"})
    (entity,) = labelled(story(Entity("x", (CAT,))), [typed])
    assert entity.mentions[0].attributes == {"type": "animal"}
