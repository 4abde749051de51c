"""BookNLP's tables: the numbered rules of the format, and errors."""

from __future__ import annotations

import pytest
from formats import reading
from formats.examples import BOOKNLP, BOOKNLP_TOKENS

HEADER = BOOKNLP.partition("\n")[0]


@pytest.fixture
def put(tmp_path):
    def put_files(mentions=BOOKNLP, tokens=BOOKNLP_TOKENS):
        files = {"x.tokens": tokens, "x.entities": mentions}
        return reading.put_in(tmp_path, files)

    return put_files


read, found = reading.reads_one("booknlp"), reading.finds("booknlp")


def test_mentions_have_tokens_entities_and_types(read):
    document = read()
    assert document.id == "x"
    assert document.sentences == (("Ann", "'s", "aunt", "left"), ("She", "ran"))
    assert reading.spans(document) == {"7": [(0, 0)], "12": [(0, 2), (4, 4)]}
    assert document.entities[1].mentions[1].attributes == {
        "type": "PER",
        "mention_type": "PRON",
    }


def test_other_columns_of_tokens_are_ignored(read):
    lines = [f"0\t{line}" for line in BOOKNLP_TOKENS.splitlines()]
    tokens = "\n".join(["paragraph_ID" + lines[0][1:], *lines[1:]])
    assert read(tokens=tokens).sentences == read().sentences


@pytest.mark.parametrize(
    ("row", "code"),
    [
        ("7\t0\t6\tPROP\tPER\tAnn", "format/invalid-span"),
        ("7\t1\t0\tPROP\tPER\tAnn", "format/invalid-span"),
        ("7\t-1\t0\tPROP\tPER\tAnn", "format/invalid-span"),
        ("7\t0\t1\tPROP\tPER\tAnn", "format/different-text"),
        ("7\t0\t0\tPROP\tPER", "format/wrong-columns"),
    ],
)
def test_invalid_mention_is_an_error(put, row, code):
    (problem,) = reading.problems(put(f"{HEADER}\n{row}\n"), format="booknlp")[-1:]
    assert (problem.code, problem.severity) == (code, "error")


def test_tokens_are_numbered_in_order(put):
    tokens = BOOKNLP_TOKENS.replace("\t3\tleft", "\t4\tleft")
    path = put(tokens=tokens)
    problem = reading.problems(path, format="booknlp")[0]
    assert (problem.file, problem.line) == (path.replace(".entities", ".tokens"), 5)
