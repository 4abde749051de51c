"""Which words are quoted; a mark without a partner quotes nothing."""

from __future__ import annotations

import pytest

from corefkit.cistell.quotations import quoted_tokens
from corefkit.model import Document


def document(*lines, **layers):
    """Make a document of sentences; a layer is given word by word."""
    cells = {name: tuple(text.split()) for name, text in layers.items()}
    sentences = tuple(tuple(line.split()) for line in lines)
    return Document("d", sentences, (), layers=cells)


def quoted(one):
    """Return the words that are quoted, without the marks."""
    found = zip(one.tokens, quoted_tokens(one), strict=True)
    marks = {'"', "“", "”", "«", "»", "``", "''"}
    return " ".join(word for word, inside in found if inside and word not in marks)


STRAIGHT = ['" Go " now', 'He said : " Go . ', 'Now " . She left', "Nobody spoke ."]


def test_straight_marks_quote_by_turns_over_sentences():
    assert quoted(document(*STRAIGHT)) == "Go Go . Now"


@pytest.mark.parametrize("mark", ['"', "“", "«", "``", "''", "”"])
def test_mark_without_a_partner_quotes_nothing(mark):
    assert quoted(document(f"A {mark} door .", "Ann opened it .", "Bob left .")) == ""


def test_inches_do_not_quote_what_comes_after_them():
    one = document('A 6 " door .', "Ann opened it .", '" Go " , she said .')
    assert quoted(one) == "Go"


def test_title_after_a_year_is_no_inches():
    assert quoted(document('In 1998 " Ariel " sank .', '" Go " !')) == "Ariel Go"


def test_inches_that_are_tagged_as_a_noun_are_no_mark():
    one = document('A 6 " or 8 " door', upos="DET NUM NOUN CCONJ NUM NOUN NOUN")
    assert quoted(one) == ""


def test_stray_mark_leaves_the_pairs_of_other_sentences():
    one = document('Ann " left .', 'Bob said " Go " .', '" Stay " , said Eve .')
    assert quoted(one) == "Go Stay"


def test_blanks_tell_which_marks_open():
    one = document(
        'Ann " left .',
        '" Go " !',
        misc="_ SpaceAfter=No _ _ SpaceAfter=No SpaceAfter=No SpaceAfter=No _",
    )
    assert quoted(one) == "Go"


def test_tags_tell_which_marks_open():
    one = document("Ann “ Go “ left", xpos="NNP `` VB '' VBD")
    assert quoted(one) == "Go"


def test_mark_of_another_shape_closes():
    assert quoted(document('“ Go ! "', "Ann left .", "Bob slept .")) == "Go !"


def test_quotation_of_several_paragraphs_opens_each_of_them():
    one = document("“ Once Ann left .", "“ She had slept .", "“ Then ” , he said .")
    assert quoted(one) == "Once Ann left . She had slept . Then"


def test_opening_mark_inside_a_sentence_starts_anew():
    assert quoted(document("A “ door .", "Ann said “ Go ” .")) == "Go"
