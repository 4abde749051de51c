"""The card of a model, as values and as text."""

from __future__ import annotations

import json

import pytest

from cistell.card import Card
from cistell.cards import card_of
from cistell.features import chosen_features
from cistell.loading import context_for
from corefkit.model import Document

CARD = Card(
    "a trial",
    ("tales: 2 documents", "poems: 1 document"),
    ("CC BY 4.0",),
    ("WordNet 3.0",),
    {"raw text: CoNLL": 61.5, "given trees: CoNLL": 70.25},
)


def test_values_come_back_in_their_order():
    kept = json.dumps(CARD.to_dict(), sort_keys=True)
    found = Card.from_dict(json.loads(kept))
    assert found == CARD
    assert list(found.scores) == list(CARD.scores)


def test_text_has_a_line_for_each_thing():
    assert str(CARD).splitlines() == [
        "a trial",
        "trained on   tales: 2 documents",
        "             poems: 1 document",
        "licence      CC BY 4.0",
        'needs        UDPipe for plain text: pip install "corefkit[cistell]"',
        "             WordNet 3.0",
        "scores       raw text: CoNLL     61.50",
        "             given trees: CoNLL  70.25",
    ]


@pytest.mark.parametrize(
    "change",
    [{"scores": {"a": 1}}, {"scores": [["a"]]}, {"needs": "all"}, {"licences": None}],
)
def test_other_values_are_refused(change):
    with pytest.raises((AttributeError, KeyError, TypeError, ValueError)):
        Card.from_dict({**CARD.to_dict(), **change})


def test_what_a_model_uses_beside_itself_is_named(tmp_path):
    (tmp_path / "demonyms").mkdir()
    (tmp_path / "demonyms/en.txt").write_text("Denmark\tDanish\n")
    documents = [Document("d", (("Go", "!"),), ())]
    needs = {}
    for folder in (None, tmp_path):
        context = context_for("en", lexicon=folder, wordnet="none")
        card = card_of(
            "a trial",
            documents,
            name="tales",
            context=context,
            features=chosen_features("en"),
        )
        needs[folder] = card.needs
    assert needs == {None: (), tmp_path: ("list of demonyms (--lexicon)",)}
    assert card.trained_on == ("tales: 1 documents, 2 words",)
