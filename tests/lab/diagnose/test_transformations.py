"""Responses made better or worse on purpose, in letters and on random corpora."""

from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np
import pytest
from builders import corpora
from hypothesis import given

from corefkit.lab.diagnosis import (
    TRANSFORMATIONS,
    add_wrong_entities,
    add_wrong_pairs,
    flag_incorrectly_resolved,
    flag_unlinked,
    merge_documents,
    remove_wrong_links,
    split_into_singletons,
)
from corefkit.lab.labels import EntityLabels, read_pair
from corefkit.settings import DEFAULT_SETTINGS


def labels(text: str, *, documents: int = 1) -> EntityLabels:
    """Read entities in letters, apart by blanks; documents are apart by bars."""
    parts = [part.split() for part in text.split("|")]
    rows = [
        (ord(letter), 100 * number + place, number)
        for number, document in enumerate(parts)
        for place, entity in enumerate(document)
        for letter in entity
    ]
    columns = np.array(rows, np.int64).reshape(-1, 3).T
    return EntityLabels(*columns, max(documents, len(parts)))


def written(side: EntityLabels) -> str:
    """Write entities in letters, each document's in the order of the alphabet."""
    found: dict[int, list[str]] = {number: [] for number in range(side.document_count)}
    for members in entities(side):
        document = {side.document[place] for place in members}
        assert len(document) == 1, "an entity in two documents"
        found[document.pop()].append(
            "".join(sorted(chr(side.mention[place]) for place in members))
        )
    return " | ".join(" ".join(sorted(document)) for document in found.values())


def entities(side: EntityLabels) -> list[list[int]]:
    """List the positions of each entity's mentions."""
    found: dict[int, list[int]] = defaultdict(list)
    for place, entity in enumerate(side.entity.tolist()):
        found[entity].append(place)
    return list(found.values())


def flagged(side: EntityLabels, flags) -> str:
    return "".join(chr(mention) for mention in side.mention[flags])


@pytest.mark.parametrize(
    ("key", "response", "unlinked", "wrong"),
    [
        ("abc de", "abc de", "", ""),
        ("abc de", "abd c", "dc", "d"),
        ("abc de", "ad be c", "adbec", "adbe"),
        ("ab c", "ac b", "ab", "a"),  # c is a key singleton
        ("ab cd", "ax bc", "abc", "abc"),  # links to a spurious mention are wrong too
        ("abc", "a", "a", ""),  # what it is coreferent with is missing
        ("ab | cd", "ab | c d", "cd", ""),
        ("ab", "xy", "", ""),
        ("", "ab", "", ""),
    ],
)
def test_mentions_without_correct_link(key, response, unlinked, wrong):
    key, response = labels(key), labels(response)
    assert flagged(response, flag_unlinked(key, response)) == unlinked
    assert flagged(response, flag_incorrectly_resolved(key, response)) == wrong


@pytest.mark.parametrize(
    ("key", "response", "expected"),
    [
        ("abc de", "abd c", "ab c"),
        ("abc de", "ad be c", "c"),
        ("ab c", "ac b", "b c"),
        ("abc", "abc", "abc"),
        ("ab | cd ef", "ab | ce df", "ab | "),
        ("ab", "", ""),
    ],
)
def test_more_precise_leaves_incorrectly_resolved_mentions_out(key, response, expected):
    assert written(remove_wrong_links(labels(key), labels(response))) == expected


@pytest.mark.parametrize(
    ("key", "response", "expected"),
    [
        ("ab cd", "", "ac bd"),
        ("abcd ef", "", "ae bf"),  # c and d find nobody
        ("ab cd ef", "", "ad be cf"),
        ("abc d e", "x", "ad be x"),
        ("abc", "ab", "ab"),  # one alone
        ("abcd", "ab", "ab"),  # coreferent
        ("ab cd", "ab cd", "ab cd"),
        ("ab | cd", "a | c", "a | c"),  # never across documents
        ("ab cd | ef gh", "xy", "ac bd xy | eg fh"),
    ],
)
def test_less_precise_a_pairs_missing_mentions(key, response, expected):
    key = labels(key)
    response = labels(response, documents=key.document_count)
    assert written(add_wrong_pairs(key, response)) == expected


@pytest.mark.parametrize(
    ("key", "response", "expected"),
    [
        ("ab cd", "", "ac bd"),
        ("abcd ef g", "", "aeg bf"),  # c and d would stand alone
        ("ab c d", "x", "acd x"),
        ("abcd", "ab", "ab"),
        ("ab cd", "a c", "a bd c"),
        ("ab cd | ef gh", "xy", "ac bd xy | eg fh"),
        ("ab | cd", "", " | "),
    ],
)
def test_less_precise_b_takes_one_of_each_key_entity(key, response, expected):
    key = labels(key)
    response = labels(response, documents=key.document_count)
    assert written(add_wrong_entities(key, response)) == expected


def test_boundary_responses():
    response = labels("abc de | fg h")
    assert written(split_into_singletons(response, response)) == "a b c d e | f g h"
    assert written(merge_documents(response, response)) == "abcde | fgh"
    none = labels("")
    assert written(split_into_singletons(none, none)) == ""
    assert written(merge_documents(none, none)) == ""


def test_same_input_gives_the_same_response():
    key, response = labels("abcd efg hi j"), labels("xy")
    shuffled = EntityLabels(key.mention[::-1], key.entity[::-1], key.document[::-1], 1)
    for altered in (add_wrong_pairs, add_wrong_entities):
        assert written(altered(key, response)) == written(altered(shuffled, response))


def pair_of(corpus) -> tuple[EntityLabels, EntityLabels]:
    pair = read_pair(*corpus, settings=DEFAULT_SETTINGS)
    return pair.key, pair.response


def missing_groups(key: EntityLabels, response: EntityLabels) -> dict[int, list[int]]:
    """Count, for each document, the missing mentions of each key entity; most first."""
    there = set(response.mention.tolist())
    counts: dict[int, Counter[int]] = defaultdict(Counter)
    for row in zip(
        *(column.tolist() for column in (key.mention, key.entity, key.document)),
        strict=True,
    ):
        if row[0] not in there:
            counts[row[2]][row[1]] += 1
    return {number: sorted(found.values())[::-1] for number, found in counts.items()}


def added_entities(response: EntityLabels, after: EntityLabels) -> list[list[int]]:
    """Check that a response is there unchanged, and give the mentions added to it."""
    for one in ("mention", "entity", "document"):
        before = getattr(response, one).tolist()
        assert getattr(after, one)[: len(response)].tolist() == before
    rest = [
        [after.mention[place] for place in members if place >= len(response)]
        for members in entities(after)
    ]
    added = [members for members in rest if members]
    assert all(
        len(one) in {0, len(two)}
        for one, two in zip(rest, entities(after), strict=True)
    )
    return added


@given(corpora())
def test_response_stays_a_partition_of_documents(corpus):
    key, response = pair_of(corpus)
    for transformation in TRANSFORMATIONS.values():
        after = transformation.apply(key, response)
        assert after.document_count == response.document_count
        assert len(np.unique(after.mention)) == len(after)
        home = dict(
            zip(
                [*key.mention.tolist(), *response.mention.tolist()],
                [*key.document.tolist(), *response.document.tolist()],
                strict=True,
            )
        )
        assert after.document.tolist() == [
            home[mention] for mention in after.mention.tolist()
        ]
        for members in entities(after):
            assert len({after.document[place] for place in members}) == 1


@given(corpora())
def test_links_decide_what_is_incorrectly_resolved(corpus):
    key, response = pair_of(corpus)

    def links(side):
        found = defaultdict(set)
        for members in entities(side):
            names = {side.mention[place] for place in members}
            for name in names:
                found[name] = names - {name}
        return found

    in_key, in_response = links(key), links(response)
    wrong = [
        bool(
            in_key[name] and in_response[name] and not in_key[name] & in_response[name]
        )
        for name in response.mention
    ]
    assert flag_incorrectly_resolved(key, response).tolist() == wrong
    unlinked = [
        bool(in_key[name] and not in_key[name] & in_response[name])
        for name in response.mention
    ]
    assert flag_unlinked(key, response).tolist() == unlinked


@given(corpora())
def test_less_precise_a_makes_as_many_wrong_pairs_as_there_can_be(corpus):
    key, response = pair_of(corpus)
    after = add_wrong_pairs(key, response)
    added = added_entities(response, after)
    entity = dict(zip(key.mention.tolist(), key.entity.tolist(), strict=True))
    assert all(
        len({entity[mention] for mention in pair}) == len(pair) == 2 for pair in added
    )
    assert not {mention for pair in added for mention in pair} & {
        *response.mention.tolist()
    }
    most = sum(
        min(sum(groups) // 2, sum(groups[1:]))
        for groups in missing_groups(key, response).values()
    )
    assert len(added) == most


@given(corpora())
def test_less_precise_b_makes_wrong_entities_of_all_that_can_be_mixed(corpus):
    key, response = pair_of(corpus)
    after = add_wrong_entities(key, response)
    added = added_entities(response, after)
    entity = dict(zip(key.mention.tolist(), key.entity.tolist(), strict=True))
    assert all(
        len({entity[mention] for mention in names}) == len(names) > 1 for names in added
    )
    groups = missing_groups(key, response).values()
    # As many as the second largest group has; of the largest, that many are used.
    assert len(added) == sum(group[1] for group in groups if len(group) > 1)
    used = sum(sum(group[1:]) + group[1] for group in groups if len(group) > 1)
    assert sum(map(len, added)) == used


@given(corpora())
def test_sizes_are_those_of_entities(corpus):
    side = pair_of(corpus)[0]
    count = Counter(side.entity.tolist())
    assert side.get_entity_sizes().tolist() == [
        count[entity] for entity in side.entity.tolist()
    ]
