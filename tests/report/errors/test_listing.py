"""Errors listed, one a line."""

from __future__ import annotations

import csv
import io

from made_analyses import (
    DIVIDED,
    EXTRA,
    MISSING,
    SIGNATURE,
    TEXT,
    TWICE,
    analysis,
    error,
    link,
    system,
)

from corefkit.analysis.errors.error_analysis import DocumentText, ErrorAnalysis
from corefkit.analysis.errors.error_output import ERROR_WRITERS, iter_listed_errors
from corefkit.model import Mention


def lines(found, *kinds):
    return ERROR_WRITERS["table"](found, listed=kinds).splitlines()


def words(one, text=TEXT):
    found = ErrorAnalysis(
        "k", "s", (system("A", one),), texts={"d": text} if text else {}
    )
    (line,) = iter_listed_errors(found, [one.kind])
    return line.place, line.words, line.first


def test_each_error_has_a_line():
    found = analysis(system("A", TWICE, EXTRA, DIVIDED, MISSING))
    assert lines(found, "conflated", "divided") == [
        'key.conll:4: conflated: Ann met [the old baker] ., [him] | entity of "Ann" | '
        "d#conflated#2-4",
        'key.conll:8: divided: [She] gave him a coin | entity of "Ann" | d#divided#6-6',
        "",
        "2 errors",
        "",
        SIGNATURE,
    ]


def test_no_error_is_said():
    assert lines(analysis(system("A", EXTRA)), "span")[0] == "0 errors"


def test_links_are_listed_with_their_antecedents():
    found = analysis(system("A", recall=[link((6, 6), (0, 0))]))
    assert lines(found, "recall")[0] == (
        'key.conll:8: missing link: [She] gave him a coin | antecedent "Ann" | '
        "d#recall#6-6"
    )


def test_several_systems_say_who_makes_an_error():
    found = analysis(system("A", EXTRA, DIVIDED), system("B", DIVIDED))
    made_by = [
        (line.response, line.made_by)
        for line in iter_listed_errors(found, ["divided", "extra_mention"])
    ]
    assert made_by == [("A", "only A"), ("A, B", "both")]


def test_two_of_three_are_named():
    found = analysis(
        *[
            system(name, *more)
            for name, more in [("A", [EXTRA]), ("B", []), ("C", [EXTRA])]
        ]
    )
    assert {line.made_by for line in iter_listed_errors(found, ["extra_mention"])} == {
        "A, C"
    }


def test_span_errors_show_both_spans():
    span = error("span", (3, 4), (2, 4))
    assert words(span)[1] == "Ann met the [old baker] ., in the key [the old baker]"


def test_context_stays_in_the_sentence():
    assert words(error("extra_mention", (6, 6)))[1] == "[She] gave him a coin"
    assert words(error("extra_mention", (4, 4)))[1] == "Ann met the old [baker] ."


def test_places_are_as_good_as_known():
    one = error("extra_mention", (8, 8))
    assert words(one)[0] == "key.conll:10"
    assert (
        words(one, DocumentText(TEXT.tokens, TEXT.sentences))[0]
        == "sentence 2, token 8"
    )
    assert words(one, DocumentText(TEXT.tokens))[0] == "token 8"
    assert words(one, None) == ("token 8", "[8-8]", "8-8")


def test_names_stand_for_themselves():
    assert words(error("extra_mention", "a", entity=["b", "a"]), None) == (
        "",
        "[a]",
        "b",
    )


def test_gaps_are_shown():
    scattered = error("extra_mention", Mention.of([2, 4]))
    assert words(scattered)[1] == "Ann met [the ... baker] ."


def test_first_mentions_are_quoted_completely():
    long = DocumentText([f"w{n}" for n in range(40)], (0,))
    one = error("divided", *[(n, n) for n in range(30, 35)], (0, 29))
    assert (
        words(one, long)[1]
        == "w26 w27 w28 w29 [w30] w31 w32 w33 w34, [w31], [w32], 3 more"
    )
    whole = " ".join(f"w{n}" for n in range(30))
    assert words(error("divided", (0, 29)), long)[1] == f"[{whole}] w30 w31 w32 w33"


def test_hostile_words_are_visible():
    bad = DocumentText(["a\x1b[2J", "=cmd()", "\u202e"], (0,))
    found = ErrorAnalysis(
        "k", "s", (system("A", error("divided", (0, 2))),), texts={"d": bad}
    )
    shown = ERROR_WRITERS["table"](found, listed=("divided",))
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert "a\\x1b[2J =cmd() \\u202e" in shown
    assert "<" not in ERROR_WRITERS["markdown"](
        ErrorAnalysis(
            "k",
            "s",
            (system("<b>", error("divided", (0, 0)), document="d"),),
            texts={"d": DocumentText(["<script>"], (0,))},
        ),
        listed=("divided",),
    )


def test_csv_lists_errors():
    found = analysis(system("A", DIVIDED), system("B"))
    rows = list(
        csv.DictReader(io.StringIO(ERROR_WRITERS["csv"](found, listed=("divided",))))
    )
    assert rows == [
        {
            "response": "A",
            "document": "d",
            "place": "key.conll:8",
            "kind": "divided",
            "words": "[She] gave him a coin",
            "first": "Ann",
            "made_by": "only A",
            "id": "d#divided#6-6",
        }
    ]


def test_markdown_lists_errors_in_a_table():
    shown = ERROR_WRITERS["markdown"](
        analysis(system("A", DIVIDED)), listed=("divided",)
    )
    assert "| d | key.conll:8 | Divided |" in shown
