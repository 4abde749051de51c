from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from resolver.taggers.evidences import read
from resolver.taggers.sentences import parsed

from cistell.evidence import Reading
from cistell.profiles import ENTITY_TYPES
from cistell.taggers.columns import described, vocabularies_of
from cistell.taggers.pages import KIND, TAG, page_of
from cistell.taggers.spans import NETWORK, RULE, Spans, candidate_spans

LINE = (
    "For/ADP/4/case the/DET/4/det/Definite=Def|PronType=Art two/NUM/4/nummod "
    "Goats/NOUN/8/obl/Number=Plur and/CCONJ/6/cc sheep/NOUN/4/conj they/PRON/8/nsubj "
    "cut/VERB/0/root/VerbForm=Fin hay/NOUN/8/obj"
)
GOATS, BOTH, HAY, LONG = (3, 1, 3), (3, 1, 5), (8, 8, 8), (3, 1, 8)


def features(document, *rows, reading=None, origin=RULE):
    """Describe spans `(head, first, last)` by the names and codes of their features."""
    page = page_of(reading or Reading(document))
    table = np.array(rows, np.intp).reshape(-1, 3)
    spans = Spans(*table.T, origin=np.full(len(rows), origin))
    found = described(page, spans, vocabularies_of([page]))
    return [dict(zip(found.names, row, strict=True)) for row in found.rows.tolist()]


def word(text, line=LINE):
    """Return the code of a form in the vocabulary of a line."""
    return vocabularies_of([page_of(Reading(parsed(line)))])["form"][text]


EXPECTED = [
    (GOATS, "tag", TAG["NOUN"]),
    (GOATS, "shape", 2),
    (HAY, "shape", 1),
    (GOATS, "parent's tag", TAG["VERB"]),
    (GOATS, "parent's side", 2),
    (HAY, "parent's side", 1),
    ((7, 0, 8), "parent's side", 0),
    ((7, 0, 8), "parent's tag", 0),
    (GOATS, "tag before", TAG["ADP"]),
    (GOATS, "form before", word("for")),
    (GOATS, "tag first", TAG["DET"]),
    (GOATS, "form last", word("goats")),
    (GOATS, "tag after", TAG["CCONJ"]),
    (BOTH, "tag after", TAG["PRON"]),
    (HAY, "tag after", 0),
    (GOATS, "tag two after", TAG["NOUN"]),
    (GOATS, "tag two before", 0),
    (HAY, "tag two before", TAG["PRON"]),
    (GOATS, "length", 2),
    (BOTH, "left of head", 2),
    (BOTH, "right of head", 2),
    (GOATS, "from start", 1),
    (GOATS, "to end", 5),
    (BOTH, "nouns", 2),
    (BOTH, "conjunctions", 1),
    (LONG, "verbs", 1),
    (LONG, "finite verbs", 1),
    ((7, 7, 7), "finite verbs after head", 1),
    (GOATS, "commas", 0),
    (GOATS, "words that hang outside", 1),
    (GOATS, "words cut off", 2),
    (BOTH, "words cut off", 1),
    (LONG, "words that hang outside", 1),
    (GOATS, "parent inside", 0),
    (LONG, "parent inside", 1),
    (GOATS, "left det", 1),
    (GOATS, "left case", 2),
    (GOATS, "right conj", 2),
    (BOTH, "right conj", 1),
    (BOTH, "right appos", 0),
    (GOATS, "determiner", word("the")),
    (GOATS, "preposition", word("for")),
    (HAY, "preposition", 0),
    (GOATS, "phrase before: relation", KIND["case"]),
    (GOATS, "phrase before: parent", 2),
    (GOATS, "phrase after: relation", KIND["conj"]),
    (GOATS, "phrase after: tag", TAG["NOUN"]),
    (BOTH, "phrase after: relation", KIND["nsubj"]),
    (BOTH, "phrase after: parent", 5),
    (BOTH, "last phrase: relation", KIND["obl"]),
    (BOTH, "last phrase: parent", 1),
    (HAY, "phrase after: relation", 0),
    (HAY, "phrase before: parent", 3),
    (GOATS, "head", 0),
]


@pytest.mark.parametrize(("span", "name", "code"), EXPECTED)
def test_feature_of_a_span(span, name, code):
    (found,) = features(parsed(LINE), span)
    assert found[name] == code


def test_names_are_different_and_each_has_a_column():
    page = page_of(Reading(parsed(LINE)))
    found = described(page, candidate_spans(page), vocabularies_of([page]))
    assert len({*found.names}) == len(found.names) == found.rows.shape[1]
    assert found.ordered.shape == (len(found.names),)
    assert found.rows.dtype == np.uint8


def test_document_without_words_is_described_by_no_rows():
    page = page_of(Reading(parsed()))
    found = described(page, candidate_spans(page), vocabularies_of([page]))
    assert len(found.rows) == 0


def test_words_that_training_did_not_have_are_0():
    page = page_of(Reading(parsed(LINE)))
    other = vocabularies_of([page_of(Reading(parsed("Dawn/NOUN/0/root")))])
    found = described(page, candidate_spans(page), other)
    lemma = found.rows[:, found.names.index("lemma")]
    assert not lemma.any()


def test_vocabularies_have_at_most_as_many_words_as_codes():
    words = " ".join(f"w{number}/NOUN/0/root" for number in range(300))
    page = page_of(Reading(parsed(words, "w7/NOUN/0/root")))
    forms = vocabularies_of([page])["form"]
    assert len(forms) == 255
    assert forms["w7"] == 1


REPEATED = (
    "goat/NOUN/2/compound milk/NOUN/0/root",
    "the/DET/2/det goat/NOUN/3/nsubj ate/VERB/0/root",
    "the/DET/2/det goat/NOUN/3/nsubj slept/VERB/0/root",
)


def test_what_a_document_repeats_is_counted():
    compound, second, third = features(
        parsed(*REPEATED), (0, 0, 0), (3, 2, 3), (6, 5, 6)
    )
    assert compound["same lemma"] == 3
    assert compound["same head"] == 2
    assert compound["same text"] == 1
    assert second["same text by rule"] == third["same text by rule"] == 2


def test_evidence_of_a_span():
    document = parsed(LINE)
    reading = read(document, (3, 1, 5, "animal"), (8, 8, 8, "plant"), sure=0.9)
    goats, both, hay = features(document, GOATS, BOTH, HAY, reading=reading)
    assert ENTITY_TYPES[both["type"]] == "animal"
    assert ENTITY_TYPES[hay["type"]] == "plant"
    assert both["end"] > 33 > goats["end"]
    assert both["start"] == goats["start"] > 33
    assert both["head"] > 33
    assert (both["rank"], goats["rank"], hay["rank"]) == (1, 2, 1)
    assert (both["below the best"], hay["below the best"]) == (1, 1)
    assert goats["below the best"] == 1 + round(4 * np.log(0.9 / (0.1 / 8)))
    assert both["closes"] > goats["closes"]
    assert both["mention"] <= both["span"] < both["end"]
    assert both["head elsewhere"] == 0


def test_heads_elsewhere_are_those_of_the_same_lemma():
    document = parsed(*REPEATED)
    reading = read(document, (3, 2, 3, "animal"), (6, 5, 6, "animal"), sure=0.9)
    compound, second = features(document, (0, 0, 0), (3, 2, 3), reading=reading)
    assert compound["head elsewhere"] > second["head elsewhere"] > 1


def test_origin_is_a_feature():
    (found,) = features(parsed(LINE), GOATS, origin=NETWORK)
    assert found["origin"] == NETWORK


TAGS = st.sampled_from(["NOUN", "PRON", "DET", "ADP", "PUNCT", "VERB"])
RELATIONS = st.sampled_from(["nmod", "acl", "conj", "punct", "det", "case", "obj"])
WORDS = st.lists(st.tuples(TAGS, st.integers(0, 8), RELATIONS), min_size=1, max_size=8)


@given(WORDS)
def test_arcs_and_counts_are_those_of_an_obvious_version(words):
    line = " ".join(f"w/{tag}/{head}/{kind}" for tag, head, kind in words)
    document = parsed("Dawn/NOUN/0/root", line)
    page = page_of(Reading(document))
    spans = candidate_spans(page)
    found = described(page, spans, vocabularies_of([page]))
    parents = page.tree.parents
    for row, head, first, last in zip(
        found.rows.tolist(), *(column.tolist() for column in spans[:3]), strict=True
    ):
        own = dict(zip(found.names, row, strict=True))
        inside = range(first, last + 1)
        outside = [at for at in range(len(parents)) if at not in inside]
        hanging = sum(parents[at] not in inside for at in inside)
        assert own["words that hang outside"] == hanging
        assert own["words cut off"] == sum(parents[at] in inside for at in outside)
        assert own["parent inside"] == (parents[head] in inside)
        assert own["nouns"] == sum(page.tree.tags[at] == "NOUN" for at in inside)
        for side, children in (
            ("left", [at for at in page.tree.children[head] if at <= head]),
            ("right", [at for at in page.tree.children[head] if at > head]),
        ):
            placed = {
                1 if at in inside else 2
                for at in children
                if page.tree.kinds[at] == "nmod"
            }
            assert own[f"{side} nmod"] == sum(placed)
