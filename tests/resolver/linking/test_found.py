"""Found mentions with the entities of the key."""

from __future__ import annotations

from resolver.trees import parsed

from cistell.linking.found import with_found
from corefkit.model import Mention

# Ann and Bob saw the old mill; it burned.
STORY = parsed(
    "[ [ Ann/PROPN/4/nsubj ]a and/3 [ Bob/PROPN/1/conj ]b ]both saw/VERB/0/root "
    "[ the/7 old/ADJ/7/amod mill/NOUN/4/obj ]m",
    "[ it/2 ]m burned/VERB/0/root",
)


def entities(*spans):
    found = with_found(STORY, [Mention(*span) for span in spans])
    return [[(one.start, one.end) for one in entity] for entity in found]


def test_mentions_with_the_same_words_keep_their_entity():
    assert entities((4, 6), (7, 7), (0, 0)) == [[(4, 6), (7, 7)], [(0, 0)]]


def test_mention_with_the_same_head_takes_the_entity_of_one_that_was_missed():
    assert entities((5, 6), (7, 7)) == [[(5, 6), (7, 7)]]


def test_mention_with_the_head_of_one_that_was_found_is_alone():
    assert entities((4, 6), (5, 6), (7, 7)) == [[(4, 6), (7, 7)], [(5, 6)]]


def test_of_two_with_the_same_head_the_most_alike_is_taken():
    # "Ann and" is nearer to "Ann" than to "Ann and Bob".
    document = with_found(STORY, [Mention(0, 1), Mention(2, 2)])
    assert [len(entity) for entity in document] == [1, 1]
    both = parsed(
        "[ [ Ann/PROPN/4/nsubj ]a and/3 [ Bob/PROPN/1/conj ]b ]both saw/VERB/0/root",
        "[ she/2 ]a slept/VERB/0/root",
    )
    found = with_found(both, [Mention(0, 1), Mention(4, 4)])
    assert [len(entity) for entity in found] == [2]


def test_mention_of_nothing_is_alone():
    assert entities((3, 3), (8, 8)) == [[(3, 3)], [(8, 8)]]


def test_words_and_layers_stay():
    found = with_found(STORY, [Mention(0, 0)])
    assert (found.sentences, found.layers) == (STORY.sentences, STORY.layers)
