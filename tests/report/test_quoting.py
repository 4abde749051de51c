"""Quotations: the words that people would write, and what stands out."""

from __future__ import annotations

from corefkit import Mention
from corefkit.analysis.errors.error_output import DocumentText
from corefkit.report.findings import quote_mentions


def words_of(*sentences):
    tokens, starts = [], []
    for sentence in sentences:
        starts.append(len(tokens))
        tokens += sentence.split()
    return DocumentText(tokens, starts)


def join_runs(runs):
    return "".join(f"[{text}]" if mark else text for text, mark in runs)


def test_blanks_stand_where_people_write_them():
    words = words_of('" Halden ( a town ) , " she said , " won \'t wait . "')
    text = join_runs(quote_mentions(words, Mention(8, 8)))
    assert text == '"Halden (a town)," [she] said, "won \'t wait."'.replace(
        "n 't", "n't"
    )


def test_two_mentions_stand_out_in_the_order_of_the_text():
    words = words_of("Anna slept .", "Then she woke .")
    pieces = quote_mentions(words, Mention(4, 4), Mention(0, 0))
    assert pieces == [
        ("Anna", "other"),
        (" slept. Then", ""),
        (" ", ""),
        ("she", "this"),
        (" woke.", ""),
    ]


def test_what_is_far_away_is_left_out():
    words = words_of("Anna slept .", *["It rained ."] * 20, "Then she woke .")
    text = join_runs(quote_mentions(words, Mention(64, 64), Mention(0, 0)))
    assert text == "[Anna] slept. … Then [she] woke."


def test_long_sentences_are_cut_on_both_sides():
    words = words_of(" ".join(f"w{n}" for n in range(60)))
    text = join_runs(quote_mentions(words, Mention(30, 30)))
    assert text.startswith("… w18 ")
    assert text.endswith(" w42 …")


def test_a_mention_inside_another_stands_out_alone():
    words = words_of("the mayor of Halden slept .")
    assert join_runs(quote_mentions(words, Mention(3, 3), Mention(0, 3))) == (
        "the mayor of [Halden] slept."
    )


def test_without_words_there_is_no_quotation():
    assert quote_mentions(DocumentText(), Mention(0, 0)) == []
    assert quote_mentions(words_of("a b"), "a") == []
