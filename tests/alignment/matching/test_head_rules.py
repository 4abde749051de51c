"""Heads found in constituency trees."""

from __future__ import annotations

import pytest
from formats.reading import DATA, needs_data

import corefkit
from corefkit.alignment.trees import Trees, find_broken_cell, make_head_finder


def trees(text):
    """Read `word/TAG/brackets` set apart by blanks."""
    words, tags, brackets = zip(
        *(part.split("/") for part in text.split()), strict=True
    )
    return Trees(brackets, words, tags)


def head(text, start=0, end=None):
    tree = trees(text)
    last = len(tree.words) - 1 if end is None else end
    return tree.words[make_head_finder(tree)(start, last)]


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


# Collins (1999), appendix A: phrase, search direction, labels of the head by priority.
COLLINS = """
ADJP left NNS QP NN $ ADVP JJ VBN VBG ADJP JJR NP JJS DT FW RBR RBS SBAR RB
ADVP right RB RBR RBS FW ADVP TO CD JJR JJ IN NP JJS NN
CONJP right CC RB IN
FRAG right
PP right IN TO VBG VBN RP FW
PRT right RP
QP left $ IN NNS NN JJ RB DT CD NCD QP JJR JJS
RRC right VP NP ADVP ADJP PP
S left TO IN VP S SBAR ADJP UCP NP
SBAR left WHNP WHPP WHADVP WHADJP IN DT S SQ SINV SBAR FRAG
SBARQ left SQ S SINV SBARQ FRAG
SINV left VBZ VBD VBP VB MD VP S SINV ADJP NP
SQ left VBZ VBD VBP VB MD VP SQ
UCP right
VP left TO VBD VBN MD VBZ VB VBG VBP VP ADJP NN NNS NP
WHADVP right CC WRB
WHPP right IN TO FW
"""
PHRASES = (
    "ADJP ADVP FRAG NP PP QP S SBAR SBARQ SINV SQ UCP VP WHADJP WHADVP WHNP WHPP X"
)


def phrase(kind, labels):
    """Write a phrase of words, or phrases of one word, that are named by position."""
    cells = ["*" if label not in PHRASES.split() else f"({label}*)" for label in labels]
    cells = [f"({kind}{cells[0]}", *cells[1:-1], f"{cells[-1]})"]
    tags = ["NN" if label in PHRASES.split() else label for label in labels]
    return " ".join(
        f"{position}/{tag}/{cell}"
        for position, (tag, cell) in enumerate(zip(tags, cells, strict=True))
    )


@pytest.mark.parametrize("rule", COLLINS.split("\n")[1:-1])
def test_head_follows_the_table_of_collins(rule):
    kind, direction, *labels = rule.split()
    for position, label in enumerate(labels):
        others = ["X", *labels[position + 1 :]]
        parts = [*others, label, "X", label, *others]
        expected = len(others) + (2 if direction == "right" else 0)
        assert head(phrase(kind, parts)) == str(expected), label
    assert head(phrase(kind, "XX")) == ("1" if direction == "right" else "0")


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
    assert make_head_finder(tree) is None


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
    assert find_broken_cell(Trees(cells, cells, cells)) == token


@needs_data
@pytest.mark.slow
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
        find_head = make_head_finder(Trees.of(document))
        found = [find_head(*span) for span in spans]
        same += sum(known[span] == one for span, one in zip(spans, found, strict=True))
        every += len(spans)
    # Names begin with their heads in UD, and end with them in Collins.
    assert every > 1000
    assert same > 0.9 * every
