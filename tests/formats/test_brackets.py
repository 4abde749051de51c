"""Brackets: cells taken apart, brackets paired, and written again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from raising import raises

from corefkit import Document, Entity, FormatError, Mention
from corefkit.formats.brackets import (
    DIGITS,
    NAMES,
    TEXTS,
    OpenBrackets,
    Part,
    format_brackets,
    format_entity_cells,
)
from corefkit.formats.problems import Faults

spans = st.tuples(st.integers(0, 5), st.integers(0, 5)).map(
    lambda ends: (min(ends), max(ends))
)
partitions = st.lists(st.lists(spans, min_size=1, max_size=4, unique=True), max_size=4)


@pytest.mark.parametrize(
    ("cell", "items"),
    [
        ("(1)", [("1", True, True)]),
        ("(1", [("1", True, False)]),
        ("1)", [("1", False, True)]),
        ("", []),
        ("|", []),
        ("-", []),
        ("_", []),
        ("*", []),
        ("--", None),
        ("(1|2)", [("1", True, False), ("2", False, True)]),
        ("(1(2)3)", [("1", True, False), ("2", True, True), ("3", False, True)]),
        ("1", None),
        ("(", None),
        ("()", None),
        ("(1)x", None),
        ("(1 )", None),
        ("(٣)", None),
        (f"({'1' * 30})", [("1" * 30, True, True)]),
    ],
)
def test_cells_of_digits(cell, items):
    assert DIGITS.parse_cell(cell) == items


@pytest.mark.parametrize(
    ("cell", "items"),
    [
        ("(1)2)", [("1", True, True), ("2", False, True)]),
        ("(a-1|b)", [("a-1", True, False), ("b", False, True)]),
        ("()", None),
        ("arg2", None),
        ("(a)b", None),
    ],
)
def test_cells_of_names(cell, items):
    assert NAMES.parse_cell(cell) == items


@pytest.mark.parametrize(
    ("cell", "items"),
    [
        ("(a|b=c)", [("a|b=c", True, True)]),
        ("(a)", [("a", True, True)]),
        (")", [("", False, True)]),
        ("(", [("", True, False)]),
        ("a(b)c", [("a", False, False), ("b", True, True), ("c", False, False)]),
        ("(a\nb)", [("a\nb", True, True)]),
    ],
)
def test_text_without_a_bracket_is_an_item(cell, items):
    assert TEXTS.split_cell(cell) == items


@given(st.text("()|1a\n", max_size=12))
def test_every_character_is_in_one_item(cell):
    for notation in (DIGITS, NAMES, TEXTS):
        written = "".join(
            f"{'(' * opens}{text}{')' * closes}"
            for text, opens, closes in notation.split_cell(cell)
        )
        assert written == (cell if notation is TEXTS else cell.replace("|", ""))


class TestOpenBrackets:
    def test_last_bracket_of_a_name_closes_first(self):
        brackets = OpenBrackets(Faults("file"))
        for line, name in enumerate("abab", 1):
            brackets.open(name, line, line)
        assert [brackets.close(name, 5) for name in "aabb"] == [3, 1, 4, 2]

    def test_closing_bracket_without_a_name_closes_the_last_one(self):
        brackets = OpenBrackets(Faults("file"))
        for line, name in enumerate(["a", "", "b", "a"], 1):
            brackets.open(name, line, line)
        assert brackets.close("a", 5) == 4
        assert [brackets.close("", 5) for _ in "123"] == [3, 2, 1]

    @pytest.mark.parametrize(
        ("name", "label"),
        [("a", "entity a"), ("a\n", r"entity 'a\n'"), ("", "a mention")],
    )
    def test_closing_bracket_without_opening_is_an_error(self, name, label):
        brackets = OpenBrackets(Faults("file"))
        code = "format/unbalanced-bracket"
        with raises(FormatError, code, place="file:7") as refused:
            brackets.close(name, 7)
        assert refused.value.message.startswith(f"{label} closes here")

    def test_second_closing_bracket_is_reported(self):
        problems = []
        brackets = OpenBrackets(Faults("file", problems))
        brackets.open("a", 1, "a")
        assert [brackets.close(name, 2) for name in ("a", "a", "")] == ["a", None, None]
        assert len(problems) == 2

    def test_open_brackets_are_reported_in_order(self):
        problems = []
        brackets = OpenBrackets(Faults("file", problems), label=str.upper)
        for line, name in enumerate(["b", "a", "", "b"], 1):
            brackets.open(name, line, line)
        brackets.close("a", 5)
        brackets.report_open(9)
        assert [(one.line, one.code) for one in problems] == [
            (1, "format/unbalanced-bracket"),
            (3, "format/unbalanced-bracket"),
            (4, "format/unbalanced-bracket"),
        ]
        assert {one.hint for one in problems} == {"the document ends at line 9"}


class TestWriting:
    @given(partitions)
    def test_written_cells_are_read_back(self, partition):
        entities = tuple(
            Entity(str(number), tuple(Mention(*span) for span in row))
            for number, row in enumerate(partition)
        )
        cells = format_entity_cells(Document("d", (), entities), "[0-9]+")
        brackets = OpenBrackets(Faults("file"))
        found = {}
        for token, cell in sorted(cells.items()):
            for name, opens, closes in DIGITS.parse_cell(cell):
                if opens:
                    found.setdefault(name, [])
                    brackets.open(name, 1, token)
                if closes:
                    found[name].append((brackets.close(name, 1), token))
        brackets.report_open(1)
        firsts = [min(start for start, _ in row) for row in partition]
        # Spans of an entity that cross pair otherwise, but cover the same tokens.
        for name, row in found.items():
            starts, ends = (sorted(side) for side in zip(*row, strict=True))
            wanted = zip(*partition[int(name)], strict=True)
            assert [starts, ends] == [sorted(side) for side in wanted]
        if firsts == sorted(firsts):
            assert list(found) == [str(number) for number in range(len(partition))]

    def test_brackets_close_in_the_reverse_order_of_opening(self):
        parts = [Part(0, 2, "a", "A"), Part(0, 2, "b", "B"), Part(1, 2, "c", "C")]
        assert format_brackets(parts) == {0: "(a(b", 1: "(c", 2: "C)B)A)"}

    def test_longest_opens_first(self):
        parts = [Part(0, 0, "a", "a"), Part(0, 1, "b", "b"), Part(0, 2, "c", "c")]
        assert format_brackets(parts)[0] == "(c(b(a)"

    @pytest.mark.parametrize(
        ("ranks", "cell"),
        [
            ([(0, 0), (1, 0)], "(a)(b"),
            ([(1, 0), (0, 0)], "(b(a)"),
            ([(0, 1), (1, 1)], "(b(a)"),
            ([(0, 1), (0, 2)], "(a)(b"),
            ([None, (1, 0)], "(b(a)"),
        ],
    )
    def test_order_that_reading_keeps_goes_first(self, ranks, cell):
        parts = [Part(0, 0, "a", "a", ranks[0]), Part(0, 1, "b", "b", ranks[1])]
        assert format_brackets(parts)[0] == cell

    def test_single_tokens_inside_closing_brackets(self):
        parts = [Part(0, 1, "a", "a"), Part(1, 1, "b", "b")]
        assert format_brackets(parts)[1] == "a)(b)"
        assert format_brackets(parts, singles_inside=True)[1] == "(b)a)"
        parts.append(Part(1, 2, "c", "c"))
        assert format_brackets(parts, singles_inside=True)[1] == "a)(c(b)"

    @pytest.mark.parametrize("names", [("a", "2"), ("1", "1")], ids=["letter", "twice"])
    def test_invalid_ids_become_numbers(self, names):
        entities = tuple(Entity(name, (Mention(0, 0),)) for name in names)
        assert format_entity_cells(Document("d", (), entities), "[0-9]+") == {
            0: "(0)|(1)"
        }
