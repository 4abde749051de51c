from __future__ import annotations

from dataclasses import replace

import pytest
from cistell.taggers.sentences import parsed

import corefkit
from corefkit.cistell.taggers import tagger_scores, tagger_table
from corefkit.model import Document, Entity, Mention
from corefkit.report.markdown import markdown_text
from corefkit.report.terminal import terminal_text

LINE = "The/DET/2/det lid/NOUN/0/root of/ADP/4/case jam/NOUN/2/nmod fell/VERB/2/acl"


def score(key, response):
    return tagger_scores(
        [parsed(LINE, mentions=key)], [parsed(LINE, mentions=response)]
    )


def test_spans_count_where_they_are_exact():
    scores = score([(0, 4), (3, 3)], [(0, 3), (3, 3), (4, 4)])
    assert (scores.spans.recall, scores.spans.precision) == (1 / 2, 1 / 3)
    assert scores.spans.f1 == pytest.approx(2 / 5, rel=1e-12)


def test_heads_count_whatever_the_span():
    scores = score([(0, 4), (3, 3)], [(0, 3), (3, 3), (4, 4)])
    assert (scores.heads.recall, scores.heads.precision) == (1, 2 / 3)


def test_mentions_of_one_head_count_once():
    scores = score([(0, 4)], [(0, 1), (0, 3), (0, 4)])
    assert (scores.heads.precision, scores.spans.precision) == (1, 1 / 3)


def test_documents_are_counted_together():
    key = [parsed(LINE, mentions=[(0, 4)]), parsed(LINE, mentions=[(3, 3)])]
    response = [parsed(LINE), parsed(LINE, mentions=[(3, 3)])]
    scores = tagger_scores(key, response)
    assert (scores.spans.recall, scores.spans.precision, scores.documents) == (
        0.5,
        1,
        2,
    )


def test_heads_that_a_file_names_do_not_matter():
    document = parsed(LINE)
    named = Entity("1", (Mention(0, 3, head=3),))
    key = replace(document, entities=(named,))
    scores = tagger_scores([key], [parsed(LINE, mentions=[(0, 1)])])
    assert scores.heads.recall == 1


def test_heads_are_those_of_the_key():
    # By its own tree the response would have another head than the key.
    other = "The/DET/0/root lid/NOUN/1/nmod of/ADP/4/case jam/NOUN/2/nmod x/X/2/acl"
    response = parsed(other.replace("x/X", "fell/X"), mentions=[(0, 1)])
    scores = tagger_scores([parsed(LINE, mentions=[(0, 3)])], [response])
    assert scores.heads.recall == 1


def test_tree_of_the_response_will_do():
    response = parsed(LINE, mentions=[(0, 1)])
    key = Document("d", response.sentences, (Entity("1", (Mention(0, 3),)),))
    assert tagger_scores([key], [response]).heads.recall == 1


def test_no_tree_on_either_side_is_refused():
    document = Document("d", (("Dawn",),), ())
    with pytest.raises(corefkit.CorefkitError, match="no tree"):
        tagger_scores([document], [document])


def test_no_documents_have_undefined_scores():
    scores = tagger_scores([], [])
    assert scores.spans.undefined == ("recall", "precision")


@pytest.mark.parametrize(("key", "side"), [(2, "response"), (0, "key")])
def test_documents_must_be_as_many(key, side):
    with pytest.raises(corefkit.PairingError, match=f"the {side} has fewer"):
        tagger_scores([parsed(LINE)] * key, [parsed(LINE)])


def test_other_tokens_are_refused():
    with pytest.raises(corefkit.PairingError, match=r"'d': .* same tokens"):
        tagger_scores([parsed(LINE)], [parsed(LINE.replace("jam", "tea"))])


def test_table_has_a_row_for_each_tagger():
    table = tagger_table({"SM1": score([(0, 4), (3, 3)], [(0, 3), (3, 3), (4, 4)])})
    assert terminal_text([table]).splitlines() == [
        "Mentions",
        "                    exact spans                        heads",
        "     Recall   Precision      F1   Recall   Precision      F1",
        "SM1   50.00       33.33   40.00   100.00       66.67   80.00",
    ]
    cells = markdown_text([table]).splitlines()[-1].strip("|").split("|")
    assert [cell.strip() for cell in cells] == [
        "SM1",
        *("50.00", "33.33", "40.00"),
        *("100.00", "66.67", "80.00"),
    ]
