"""Heads found in constituency trees."""

from __future__ import annotations

import pytest
from formats.reading import DATA, needs_data

import corefkit
from corefkit.alignment.matching.head_rules import broken_cell, tree_heads
from corefkit.alignment.matching.trees import Trees


def trees(text):
    """Read `word/TAG/brackets` set apart by blanks."""
    words, tags, brackets = zip(
        *(part.split("/") for part in text.split()), strict=True
    )
    return Trees(brackets, words, tags)


def head(text, start=0, end=None):
    tree = trees(text)
    last = len(tree.words) - 1 if end is None else end
    (found,) = tree_heads(tree, [(start, last)])
    return tree.words[found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the/DT/(NP* old/JJ/* mill/NN/*)", "mill"),
        ("the/DT/(NP(NP* mill/NN/*) by/IN/(PP* it/PRP/(NP*)))", "mill"),
        ("Ann/NNP/(NP(NP* 's/POS/*) mill/NN/*)", "mill"),
        ("Ann/NNP/(NP* 's/POS/*)", "Ann"),
        ("Ann/NNP/(NP(NP*) and/CC/* Bob/NNP/(NP*))", "Ann"),
        ("Mr./NNP/(NP* Brown/NNP/*)", "Brown"),
        ("her/PRP$/(NP*)", "her"),
        ("five/CD/(NP*)", "five"),
        ("the/DT/(NP* rich/JJ/*)", "rich"),
        ("$/$/(NP(QP* 5/CD/* million/CD/*))", "$"),
        ("Ann/NNP/(NP-SBJ(NP-TTL*) ,/,/* the/DT/(NP* nurse/NN/*) ,/,/*)", "Ann"),
        ("to/TO/(S(VP* go/VB/(VP*)))", "to"),
        ("he/PRP/(S(NP*) left/VBD/(VP*))", "left"),
        ("by/IN/(PP* it/PRP/(NP*))", "by"),
        ("who/WP/(SBAR(WHNP*) left/VBD/(S(VP*)))", "who"),
        ("well/RB/(ADVP* ,/,/*)", "well"),
        ("oh/UH/(INTJ* ,/,/*)", "oh"),
    ],
)
def test_head_is_found_by_the_rules_of_collins(text, expected):
    assert head(text) == expected


MILL = (
    "The/DT/(TOP(S(NP(NP* old/JJ/* mill/NN/*) by/IN/(PP* the/DT/(NP* river/NN/*))) "
    "burnt/VBD/(VP*) ././*))"
)


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        (0, 5, "mill"),
        (0, 2, "mill"),
        (1, 2, "mill"),  # a part of a phrase
        (0, 3, "mill"),  # a phrase and a word of the next
        (4, 5, "river"),
        (0, 7, "burnt"),
        (5, 6, "river"),  # parts of two phrases
    ],
)
def test_mention_that_is_no_phrase_has_the_head_of_its_parts(start, end, expected):
    assert head(MILL, start, end) == expected


def test_chinese_phrases_end_in_their_heads():
    text = "Beijing/NR/(IP(NP(NP*) city/NN/(NP*)) go/VV/(VP*) le/AS/*)"
    assert head(text, 0, 1) == "city"


@pytest.mark.parametrize("tag", ["NOUN", "-", "nc0s000"])
def test_other_tags_give_no_head(tag):
    tree = Trees(("(NP*", "*)"), ("the", "mill"), (tag, tag))
    assert tree_heads(tree, [(0, 1)]) is None


@pytest.mark.parametrize(
    ("cells", "token"),
    [
        ("(NP* *)", None),
        ("(NP* - *)", None),
        ("(NP* *) *)", 2),
        ("(NP* *", 1),
        ("(NP* x)", 1),
        ("(NP* **)", 1),
        ("*(NP *)", 0),
    ],
)
def test_broken_brackets_are_found(cells, token):
    cells = cells.split()
    assert broken_cell(Trees(cells, cells, cells)) == token


@needs_data
def test_heads_of_ontogum_are_mostly_those_of_its_dependencies():
    folder = DATA / "ontogum"
    dependencies = {one.id: one for one in corefkit.read(folder / "ontogum-dev.conllu")}
    same = every = 0
    for document in corefkit.read(folder / "conll2012" / "ontogum-dev.v4_gold_conll"):
        other = dependencies[document.id.partition("(")[2].partition(")")[0]]
        if other.words != document.tokens or other.empty:
            continue
        known = {(one.start, one.end): one.head for entity in other for one in entity}
        spans = [(one.start, one.end) for entity in document for one in entity]
        spans = [span for span in spans if span in known and span[0] < span[1]]
        found = tree_heads(Trees.of(document), spans)
        same += sum(known[span] == one for span, one in zip(spans, found, strict=True))
        every += len(spans)
    # Names begin with their heads in UD, and end with them in Collins.
    assert every > 1000
    assert same > 0.9 * every
