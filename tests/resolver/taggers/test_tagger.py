from __future__ import annotations

import json
import sys

import numpy as np
import pytest
from resolver.taggers.evidences import read
from resolver.taggers.sentences import parsed, texts

import corefkit
from cistell.evidence import Reading
from cistell.profiles import ENTITY_TYPES
from cistell.taggers import MentionTagger, learn_tagger, tagged
from corefkit.model import Document, Mention

# In this corpus goats are mentions, and hay never is.
LINE = "Goats/NOUN/2/nsubj eat/VERB/0/root dry/ADJ/4/amod hay/NOUN/2/obj"
SPANS = [(0, 0)]
MAN = (
    "the/DET/2/det man/NOUN/0/root who/PRON/4/nsubj/PronType=Rel slept/VERB/2/acl:relcl"
)


def corpus(line=LINE, mentions=SPANS, size=40):
    return [Reading(parsed(line, mentions=mentions)) for _ in range(size)]


@pytest.fixture(scope="module")
def learned():
    return learn_tagger(corpus())


@pytest.fixture(scope="module")
def tagger(learned):
    return learned.tagger


def test_tagger_learns_what_the_corpus_annotates(tagger):
    document = parsed(LINE)
    assert texts(document, tagger.mentions(Reading(document))) == ["Goats"]


def test_tagger_learns_where_mentions_end():
    learned = learn_tagger(corpus(MAN, [(0, 1), (2, 2)]))
    document = parsed(MAN)
    found = learned.tagger.mentions(Reading(document))
    assert texts(document, found) == ["the man", "who"]
    assert [mention.head for mention in found] == [1, 2]


def test_mentions_of_the_training_part_are_found_by_others():
    # Half the corpus annotates goats, half hay; each is found by what the other taught.
    readings = [
        Reading(parsed(LINE, mentions=[(2, 3)] if at % 2 else [(0, 0)]))
        for at in range(80)
    ]
    learned = learn_tagger(readings, folds=2)
    found = [[(one.start, one.end) for one in own] for own in learned.mentions]
    assert found[0] == found[2] == [(2, 3)]
    assert found[1] == found[3] == [(0, 0)]


def test_same_readings_give_the_same_bytes(tagger):
    assert learn_tagger(corpus()).tagger.files() == tagger.files()


def test_tagger_is_the_same_after_saving(tagger):
    loaded = MentionTagger.load(tagger.files())
    assert loaded.files() == tagger.files()
    reading = Reading(parsed(LINE))
    assert loaded.mentions(reading) == tagger.mentions(reading)


def test_progress_is_told():
    told = []
    learn_tagger(corpus(size=40), folds=2, progress=lambda *step: told.append(step))
    assert told == [(0, 3), (1, 3), (2, 3), (3, 3)]


def test_empty_nodes_are_mentions(tagger):
    document = parsed(f"*/PRON {LINE}")
    assert tagger.mentions(Reading(document)) == [Mention(0, 0), Mention(1, 1)]


def test_document_without_words_has_no_mentions(tagger):
    assert tagger.mentions(Reading(Document("d", (), ()))) == []


def test_tagged_document_has_one_entity_for_each_mention(tagger):
    document = parsed(LINE, mentions=[(1, 1), (2, 2)])
    found = tagged(document, tagger=tagger)
    assert [entity.mentions for entity in found] == [(Mention(0, 0),)]
    assert found.layers == document.layers


# What a network tells: the trees say nothing of which noun is a mention.
EITHER = "Goats/NOUN/2/obj eat/VERB/0/root hay/NOUN/2/obj"


def either(at, **options):
    head = 2 * (at % 2)
    document = parsed(EITHER, mentions=[(head, head)])
    return read(document, (head, head, head, "animal"), **options)


@pytest.fixture(scope="module")
def weighing():
    return learn_tagger([either(at) for at in range(80)]).tagger


@pytest.mark.slow
def test_tagger_weighs_the_evidence_of_a_network(weighing):
    assert weighing.mentions(either(0)) == [Mention(0, 0)]
    assert weighing.mentions(either(1)) == [Mention(2, 2)]


def test_mentions_have_the_type_that_a_network_thinks_likeliest(weighing):
    (mention,) = weighing.mentions(either(1))
    assert mention.attributes["type"] == "animal"


def test_mentions_tell_how_sure_the_tagger_is(weighing):
    (mention,) = weighing.mentions(either(1))
    assert 50 < int(mention.attributes["certainty"]) <= 100
    likely = list(map(int, mention.attributes["types"].split()))
    assert likely.index(max(likely)) == ENTITY_TYPES.index("animal") - 1


def test_types_are_told_even_if_the_tagger_does_not_weigh_evidence(tagger):
    document = parsed(LINE)
    (mention,) = tagger.mentions(read(document, (0, 0, 0, "animal")))
    assert mention.attributes["type"] == "animal"
    (bare,) = tagger.mentions(Reading(document))
    assert "type" not in bare.attributes


def test_evidence_that_is_missing_is_told(weighing):
    with pytest.raises(corefkit.CorefkitError, match="with a network") as why:
        weighing.mentions(Reading(parsed(EITHER)))
    assert why.value.place == "d"
    assert MentionTagger.load(weighing.files()).weighs


def test_readings_with_and_without_evidence_are_not_mixed():
    with pytest.raises(corefkit.CorefkitError, match="some not"):
        learn_tagger([either(0), Reading(parsed(EITHER, mentions=[(0, 0)]))])


def test_empty_nodes_do_not_shift_the_evidence(weighing):
    document = parsed(f"*/PRON {EITHER}")
    found = weighing.mentions(read(document, (3, 3, 3, "plant")))
    assert found == [Mention(0, 0), Mention(3, 3)]


@pytest.mark.parametrize(
    "mentions", [[], [(0, 0), (0, 1), (2, 3), (3, 3)]], ids=["none", "all"]
)
def test_nothing_is_learned_where_all_spans_are_alike(mentions):
    with pytest.raises(
        corefkit.CorefkitError, match="a tagger cannot be trained"
    ) as why:
        learn_tagger(corpus(mentions=mentions))
    assert "annotated" in why.value.hint


def test_nothing_is_learned_of_nothing():
    with pytest.raises(corefkit.CorefkitError, match="cannot be trained"):
        learn_tagger([])


def test_missing_library_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "lightgbm", None)
    with pytest.raises(corefkit.CorefkitError, match="LightGBM"):
        learn_tagger(corpus())


def test_applying_takes_no_library(tagger, monkeypatch):
    for name in ("lightgbm", "sklearn", "scipy"):
        monkeypatch.setitem(sys.modules, name, None)
    assert len(MentionTagger.load(tagger.files()).mentions(Reading(parsed(LINE)))) == 1


@pytest.mark.parametrize(
    "change",
    [
        {"tagger.json": None},
        {"tagger.json": b"{"},
        {"tagger.json": b"[]"},
        {"tagger.json": b"\xff"},
        {"trees.nodes.bin": None},
        {"trees.values.bin": b"123"},
    ],
    ids=lambda change: "".join(f"{name} {body!r}" for name, body in change.items()),
)
def test_damaged_tagger_is_refused(tagger, change):
    files = {**tagger.files(), **change}
    with pytest.raises(corefkit.CorefkitError, match="damaged"):
        MentionTagger.load({name: body for name, body in files.items() if body})


def test_tagger_of_other_features_is_refused(tagger):
    about = json.loads(tagger.files()["tagger.json"])
    gain = np.append(tagger.trees.gain, 0.0)
    files = {
        **tagger.files(),
        "tagger.json": json.dumps({**about, "width": len(gain)}).encode(),
        "trees.gain.bin": gain.astype("<f8").tobytes(),
    }
    with pytest.raises(corefkit.CorefkitError, match="features of spans"):
        MentionTagger.load(files).mentions(Reading(parsed(LINE)))
