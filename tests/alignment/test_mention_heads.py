"""CoNLL-2012 files with a parse column have heads."""

from __future__ import annotations

import numpy as np
import pytest
from files import json_line, written

import corefkit
from corefkit.alignment.trees import fill_heads, mark_headless

MILL = """#begin document (mill); part 000
mill  0  0  The    DT   (S(NP(NP*   -  -  -  -  *  (1
mill  0  1  old    JJ   *           -  -  -  -  *  -
mill  0  2  mill   NN   *)          -  -  -  -  *  -
mill  0  3  by     IN   (PP*        -  -  -  -  *  -
mill  0  4  the    DT   (NP*        -  -  -  -  *  (2
mill  0  5  river  NN   *)))        -  -  -  -  *  1)|2)
mill  0  6  burnt  VBD  (VP*)       -  -  -  -  *  -
mill  0  7  .      .    *)          -  -  -  -  *  -
#end document
"""
WORDS = ["The", "old", "mill", "by", "the", "river", "burnt", "."]


@pytest.fixture
def key(tmp_path):
    return written(tmp_path / "key.conll", MILL)


def short(tmp_path, *spans, words=WORDS):
    line = json_line("mill_0", words, [[list(span)] for span in spans])
    return written(tmp_path / "response.jsonl", line)


@pytest.mark.parametrize("match", ["head", "partial", "min"])
def test_mentions_match_by_the_heads_of_the_parse_column(key, tmp_path, match):
    response = short(tmp_path, (0, 2), (5, 5))
    assert corefkit.score(key, response)["mentions"].f1 == 0
    assert corefkit.score(key, response, match=match)["mentions"].f1 == 1


def test_response_has_its_own_trees_where_it_has_any(key, tmp_path):
    # To it "old" is the noun.
    text = MILL.replace("old    JJ", "old    NN").replace("mill   NN", "mill   JJ")
    response = written(tmp_path / "own.conll", text)
    result = corefkit.score(key, response, match="head")
    assert result["mentions"].recall_numerator == 1  # "the river"


def test_explain_uses_the_heads_too(key, tmp_path):
    from corefkit.analysis.explain import explain

    text = explain(key, short(tmp_path, (0, 2), (5, 5)), metric="b_cubed", match="head")
    assert "100.00%" in text


def test_documents_in_memory_have_heads_in_their_trees(key):
    (document,) = corefkit.read(key)
    result = corefkit.score(document, {"mill_0": [[(1, 2)]]}, match="head")
    assert result["mentions"].precision == 1


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("(PP*        -", "(PP         -", 5),
        ("*)))        -", "*))))))     -", 7),
        ("(VP*)       -", "(VP*        -", 9),
    ],
)
def test_broken_parse_column_is_refused_in_words(key, tmp_path, old, new, line):
    broken = written(tmp_path / "broken.conll", MILL.replace(old, new))
    assert corefkit.score(broken, key)["mentions"].f1 == 1
    with pytest.raises(corefkit.FormatError, match="brackets of the parse") as refused:
        corefkit.score(broken, key, match="head")
    assert refused.value.place == f"{broken}:{line}"
    assert "--match exact" in refused.value.hint


def test_tags_of_no_known_set_are_refused(tmp_path):
    text = MILL
    for tag in ("DT ", "JJ ", "NN ", "IN ", "VBD"):
        text = text.replace(f" {tag} ", " X   ")
    path = written(tmp_path / "x.conll", text)
    with pytest.raises(corefkit.FormatError, match="has no head"):
        corefkit.score(path, path, match="head")


def test_heads_are_asked_for_once_a_document():
    asked = []
    mentions = [corefkit.Mention(0, 1), corefkit.Mention(2, 3), corefkit.Mention(4, 4)]
    document = corefkit.Document(
        "d",
        (),
        tuple(
            corefkit.Entity(str(number), (one,)) for number, one in enumerate(mentions)
        ),
    )
    from corefkit.arrays.building import build_columns

    columns = build_columns([document, document])
    assert mark_headless(columns).tolist() == [True, True, False] * 2
    assert fill_heads(columns, asked.append).details.head.tolist() == [-1] * 6
    assert asked == [0, 1]
    assert np.array_equal(columns.start, [0, 2, 4] * 2)
