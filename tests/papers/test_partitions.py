"""The notation of the papers' sets."""

from __future__ import annotations

import pytest

from corefkit.papers.partitions import parse_letters, parse_sizes


def sizes(partition):
    return [len(entity) for entity in partition]


def test_letters_are_mentions_and_blanks_part_entities():
    sets = parse_letters("abc d", "ab")
    assert sets.key == (("a", "b", "c"), ("d",))
    assert sets.response == (("a", "b"),)


def test_sizes_make_a_key():
    assert sizes(parse_sizes("20 10*2 4", "").key) == [20, 10, 10, 4]


def test_no_mention_is_taken_twice():
    sets = parse_sizes("5 3", "A2 A2B AB2x2 x")
    taken = [mention for entity in sets.response for mention in entity]
    assert len(set(taken)) == len(taken) == 11
    assert {*taken} >= {mention for entity in sets.key for mention in entity}


def test_the_rest_is_what_is_not_named_and_whole():
    sets = parse_sizes("3 2*3", "C *")
    assert sets.response == (sets.key[2][:1], sets.key[0], sets.key[1], sets.key[3])


def test_singletons_are_all_mentions_alone():
    sets = parse_sizes("2 1*30", "singletons")
    assert sizes(sets.response) == [1] * 32
    assert {mention for (mention,) in sets.response} == {
        mention for entity in sets.key for mention in entity
    }


def test_entities_after_the_last_letter_differ_too():
    (*_, last, very_last) = parse_sizes("2*28", "").key
    assert not {*last} & {*very_last}


@pytest.mark.parametrize("response", ["A4", "A2 A2", "B"])
def test_more_than_the_key_has_is_refused(response):
    with pytest.raises(ValueError, match=r"more of [AB] than the key has"):
        parse_sizes("3", response)


@pytest.mark.parametrize("response", ["a", "A-1", "2A", "A1+B1"])
def test_what_is_no_count_is_refused(response):
    with pytest.raises(ValueError, match="not made of names of entities and counts"):
        parse_sizes("3 3", response)
