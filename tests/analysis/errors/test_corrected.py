"""Documents with errors repaired."""

from __future__ import annotations

from dataclasses import replace

import pytest

import corefkit
from corefkit.analysis.errors.error_analysis import KINDS
from corefkit.model import Document, Entity, Mention

STEPS = ("response", *KINDS)


def document(words, *entities, name="d", **fields):
    """Make a document of one sentence; entities are lists of mentions."""
    made = [Entity(str(n), tuple(members)) for n, members in enumerate(entities)]
    return Document(name, (tuple(words.split()),), tuple(made), **fields)


def corrected(key, response, **settings):
    (system,) = corefkit.errors(key, response, corrected=True, **settings).systems
    assert [*system.corrected] == [*STEPS]
    return system.corrected


ANN = Mention(0, 0, head=0, attributes={"mention_type": "NAM"})
SHE = Mention(2, 2, attributes={"mention_type": "PRO"})
MILL = Mention(4, 5, head=5, attributes={"type": "place"})
WORDS = "Ann and she saw the mill"
KEY = document(WORDS, [ANN, SHE], [MILL, Mention(1, 1)])


def test_mentions_keep_what_their_side_says_of_them():
    response = document(
        WORDS,
        [Mention(0, 0, attributes={"mention_type": "NOM"})],
        layers={"x": ("_",) * 6},
    )
    steps = corrected([KEY], [response])
    (before,) = steps["response"]
    assert before.entities[0].mentions[0].attributes == {"mention_type": "NOM"}
    (after,) = steps[KINDS[-1]]
    assert after.layers == response.layers
    known = {mention: mention for entity in after for mention in entity}
    assert known[SHE].attributes == SHE.attributes
    assert known[MILL].head == 5
    assert {frozenset(e) for e in after} == {frozenset(e) for e in KEY}


def test_documents_that_the_response_lacks_are_those_of_the_key():
    other = replace(KEY, id="e")
    steps = corrected([KEY, other], [document(WORDS)])
    assert [one.id for one in steps["response"]] == ["d", "e"]
    assert [len(one) for one in steps["response"]] == [0, 0]
    assert [one.sentences for one in steps["response"]] == [KEY.sentences] * 2
    assert [len(one) for one in steps[KINDS[-1]]] == [2, 2]


def test_words_come_from_the_side_that_has_them():
    (after,) = corrected([KEY], {"d": [[(0, 0), (2, 2)]]})["response"]
    assert after.sentences == KEY.sentences


def test_other_tokens_are_those_of_the_key():
    key = document("He can not go", [Mention(0, 0), Mention(1, 2)])
    response = document("He cannot go", [Mention(0, 0), Mention(1, 1)])
    (after,) = corrected([key], [response], tokens="characters")["response"]
    assert after.sentences == key.sentences
    assert [{*entity} for entity in after] == [{Mention(0, 0), Mention(1, 2)}]


def test_empty_nodes_that_only_one_side_has():
    key = document("a x b", [Mention(0, 0), Mention(2, 2)], empty=(1,))
    response = document("a b", [Mention(0, 0), Mention(1, 1)])
    for documents in corrected([key], [response]).values():
        scored = corefkit.score([key], documents)
        assert scored["muc"].f1 == 1


def test_joined_documents_are_corrected_together():
    key = [replace(KEY, id="d"), replace(KEY, id="e")]
    steps = corrected(key, [replace(KEY, id="d", entities=())], scope="corpus")
    assert [len(documents) for documents in steps.values()] == [1] * len(STEPS)


@pytest.mark.parametrize("step", STEPS)
def test_each_step_scores_as_the_ladder_says(step):
    wrong = document(
        WORDS, [ANN, MILL, Mention(3, 3)], [SHE, Mention(0, 1)], [Mention(5, 5)]
    )
    (system,) = corefkit.errors([KEY], [wrong], corrected=True).systems
    scored = corefkit.score([KEY], system.corrected[step])
    for metric in scored:
        assert scored[metric].f1 == pytest.approx(system.ladder[step][metric])
