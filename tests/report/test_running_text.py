"""Spaces and paragraphs of the file reach the reader; others are left to it."""

from __future__ import annotations

import json

import pytest

import corefkit
from corefkit.report.entity_text import entities_html
from corefkit.syntax.running_text import read_layout

ROW = "{}\t{}\t_\t_\t_\t_\t0\t_\t_\t{}\n"


def read_conllu(tmp_path, *sentences):
    """Read sentences, each of comments and of rows of id, form and MISC."""
    path = tmp_path / "text.conllu"
    lines = ["# newdoc id = d\n# global.Entity = eid-etype-head-other\n"]
    for comments, rows in sentences:
        lines += [f"# {comment}\n" for comment in comments]
        lines += [ROW.format(*row) for row in rows]
        lines.append("\n")
    path.write_text("".join(lines), "utf-8")
    return path


HELLO = [
    (1, "Ann", "SpaceAfter=No|Entity=(e1-person-1-)"),
    (2, ",", "_"),
    (3, "go", "_"),
]
DONT = [
    (1, "I", "_"),
    ("2-3", "don't", "SpaceAfter=No"),
    (2, "do", "_"),
    (3, "n't", "_"),
    (4, ".", "_"),
]
DU = [
    (1, "loin", "_"),
    ("2-3", "du", "_"),
    (2, "de", "_"),
    (3, "le", "_"),
    (4, "?", "_"),
]


@pytest.mark.parametrize(
    ("sentences", "joined", "paragraphs"),
    [
        ([((), HELLO)], [1], []),
        ([((), DONT)], [2, 3], []),
        ([(("text = loin du ?",), DU)], [], []),
        ([(("text = loin du?",), DU)], [3], []),
        ([(("text = other",), DU)], [], []),
        ([((), DU)], None, []),
        ([(("newpar",), DU), ((), DU), (("newpar id = p2",), DU)], None, [0, 2]),
        ([(("newpar_block = list",), DU)], None, []),
        ([((), [(1, "A", "_"), (2, ".", "SpaceAfter=No")]), ((), DONT)], [2, 4, 5], []),
        (
            [((), [(1, "go", "SpaceAfter=No"), ("1.1", "_", "_"), (2, "!", "_")])],
            [2],
            [],
        ),
    ],
    ids=[
        *("word", "range", "text", "joined-text", "other-text", "unknown"),
        *("paragraphs", "block", "across-sentences", "empty-node"),
    ],
)
def test_conllu_has_spaces_and_paragraphs(tmp_path, sentences, joined, paragraphs):
    (document,) = corefkit.read(read_conllu(tmp_path, *sentences))
    assert read_layout(document) == (joined, paragraphs)


def read_page(html):
    start = html.index('<script type="application/json"')
    data = html[html.index(">", start) + 1 : html.index("</script>", start)]
    return json.loads(data)["documents"][0]


def test_report_has_the_layout_of_the_key(tmp_path):
    path = read_conllu(tmp_path, (("newpar",), HELLO), ((), DONT))
    report = corefkit.make_report(path, path, samples=10)
    for html in (report.to_html(), entities_html(path)):
        document = read_page(html)
        # As differences: tokens 1, 5 and 6.
        assert document["joined"] == [1, 4, 1]
        assert document["paragraphs"] == [0]


def test_unknown_spaces_are_left_out_but_not_a_text_without_any(tmp_path):
    unknown = read_conllu(tmp_path, ((), DU))
    assert {"joined", "paragraphs"}.isdisjoint(read_page(entities_html(unknown)))
    apart = read_conllu(tmp_path, (("text = loin du ?",), DU))
    assert read_page(entities_html(apart))["joined"] == []


def test_example_is_quoted_with_the_spaces_of_the_file(tmp_path):
    path = read_conllu(tmp_path, ((), HELLO))
    other = tmp_path / "response.conllu"
    other.write_text(path.read_text("utf-8").replace("Entity=(e1-person-1-)", "X=Y"))
    html = corefkit.make_report(path, other, samples=10).to_html()
    assert "</mark>, go" in html


def test_example_is_named_with_the_spaces_of_the_file(tmp_path):
    rows = [(1, "Ann", "SpaceAfter=No|Entity=(e1-person-1-"), (2, "'s", "Entity=e1)")]
    path = read_conllu(tmp_path, ((), rows), ((), DU))
    other = tmp_path / "response.conllu"
    other.write_text(path.read_text("utf-8").replace("Entity=", "X="))
    html = corefkit.make_report(path, other, samples=10).to_html()
    assert "does not have “Ann&#x27;s”" in html
