from __future__ import annotations

import pytest
from cistell.taggers.sentences import parsed

from corefkit.cistell.taggers.filtering import span_features
from corefkit.cistell.trees import word_tree

LINE = (
    "For/ADP/4/case the/DET/4/det/Definite=Def|PronType=Art two/NUM/4/nummod "
    "Goats/NOUN/8/obl/Number=Plur and/CCONJ/6/cc sheep/NOUN/4/conj they/PRON/8/nsubj "
    "cut/VERB/0/root hay/NOUN/8/obj"
)


def _tree(document):
    return word_tree(document)[1]


PLAIN, BOTH = (1, 3, 3), (1, 5, 3)

EXPECTED = {
    "tag=NOUN": PLAIN,
    "relation=obl": PLAIN,
    "tag and relation=NOUN obl": PLAIN,
    "capital=NOUN True": PLAIN,
    "lemma=goats": PLAIN,
    "feature=Number=Plur": PLAIN,
    "feature and relation=Number=Plur obl": PLAIN,
    "parent's tag=VERB": PLAIN,
    "parent's relation=root": PLAIN,
    "parent's lemma=cut": PLAIN,
    "relation and parent's tag=obl VERB": PLAIN,
    "before=ADP": PLAIN,
    "after=CCONJ": PLAIN,
    "after=PRON": BOTH,
    "last=NOUN": PLAIN,
    "length=3": PLAIN,
    "length=5": BOTH,
    "variant=none": PLAIN,
    "variant=conj": BOTH,
    "inside=left nummod": PLAIN,
    "outside=right conj": PLAIN,
    "outside=left case": PLAIN,
    "inside=right conj": BOTH,
    "determiner=Definite=Def|PronType=Art": PLAIN,
    "preposition=for": PLAIN,
    "before=start": (0, 3, 3),
    "after=end": (8, 8, 8),
    "determiner=none": (8, 8, 8),
    "preposition=none": (8, 8, 8),
    "parent's tag=none": (7, 7, 7),
}


@pytest.mark.parametrize(("name", "span"), EXPECTED.items(), ids=EXPECTED)
def test_feature_of_a_span(name, span):
    assert name in span_features(_tree(parsed(LINE)), *span)


def test_features_are_twenty():
    found = span_features(_tree(parsed(LINE)), *PLAIN)
    assert len({name.partition("=")[0] for name in found}) == 20


def test_possessor_is_a_determiner():
    tree = _tree(parsed("Ada/PROPN/2/nmod:poss loom/NOUN/0/root"))
    assert "determiner=possessive" in span_features(tree, 0, 1, 1)


@pytest.mark.parametrize(("words", "length"), [(7, 7), (8, 16), (15, 16), (16, 32)])
def test_long_spans_are_counted_together(words, length):
    line = " ".join(["w/NOUN/0/root", *["w/X/1/flat"] * (words - 1)])
    assert f"length={length}" in span_features(_tree(parsed(line)), 0, words - 1, 0)
