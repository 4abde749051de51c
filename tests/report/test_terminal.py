"""Pages for a terminal: widths, and what is done where there is little room."""

from __future__ import annotations

import dataclasses
import io

import pytest
from builders import letters
from hypothesis import given
from hypothesis import strategies as st

import corefkit
from corefkit.results.score_table import WRITERS
from corefkit.strings import get_width
from corefkit.tables.model import (
    Bars,
    Bullet,
    Bullets,
    Cell,
    Column,
    Drawing,
    Heading,
    Note,
    Paragraph,
    Table,
    make_columns,
    make_rows,
)
from corefkit.tables.terminal import (
    get_reading_width,
    measure_width,
    render_terminal,
    wrap_text,
)

LONG = "a-very-long-name-of-a-system-with-many-words"


def widest(text):
    return max(map(measure_width, text.splitlines()))


class TestWidth:
    def test_is_80_where_nothing_says_it(self):
        assert (get_width(), get_reading_width()) == (80, 88)

    @pytest.mark.parametrize(("columns", "width"), [("120", 120), ("", 80), ("x", 80)])
    def test_environment_says_it(self, monkeypatch, columns, width):
        monkeypatch.setenv("COLUMNS", columns)
        assert get_width() == width

    def test_text_is_never_wider_than_pages(self, monkeypatch):
        monkeypatch.setenv("COLUMNS", "200")
        assert get_reading_width() == 88
        monkeypatch.setenv("COLUMNS", "60")
        assert get_reading_width() == 60

    def test_terminal_without_a_size_has_80(self, monkeypatch):
        class Terminal(io.StringIO):
            def isatty(self):
                return True

        monkeypatch.setattr("sys.stdout", Terminal())
        assert get_width() == 80


def test_letters_of_two_columns_and_of_none_do_not_make_up_for_each_other():
    text = "鍵鍵鍵 鍵鍵鍵 " + "a\N{COMBINING ACUTE ACCENT} " * 6
    assert measure_width(text) == len(text)
    assert max(map(measure_width, wrap_text(text, width=8))) <= 8


def test_wide_letters_are_wrapped_where_they_end():
    assert wrap_text("鍵 鍵鍵 a\N{COMBINING ACUTE ACCENT}b", width=7, first="- ") == [
        "- 鍵",
        "鍵鍵 a\N{COMBINING ACUTE ACCENT}b",
    ]
    assert wrap_text("鍵鍵鍵", width=4, later="  ") == ["鍵鍵鍵"]


@pytest.mark.parametrize(
    ("text", "width"),
    [
        ("B³", 2),
        ("φ3", 2),
        ("鍵.conll", 8),
        ("e\N{COMBINING ACUTE ACCENT}", 1),
        ("שלום", 4),
        ("", 0),
    ],
)
def test_columns_of_a_text(text, width):
    assert measure_width(text) == width


class TestParts:
    def test_notes_stand_together_and_all_else_apart(self):
        parts = [Paragraph("p"), Note("a"), Note("b"), Paragraph("q")]
        assert render_terminal(parts) == "p\n\na\nb\n\nq"

    def test_headings_are_underlined_by_what_they_take(self):
        parts = [Heading(2, "鍵", "key"), Heading(3, "sub", "sub")]
        assert render_terminal(parts) == "鍵\n==\n\nsub\n---"

    def test_lists_are_aligned_and_say_what_to_see(self):
        items = (
            Bullet("text", "no", ("more",)),
            Bullet("other", "maybe", see=("X-1", "X-2")),
        )
        assert render_terminal([Bullets(items)]).splitlines() == [
            "no     text",
            "       more",
            "maybe  other: X-1, X-2",
        ]

    def test_lists_with_a_title_are_indented(self):
        part = Bullets((Bullet("text", "no"),), "Title", "what it is.", "The end.")
        assert render_terminal([part]).splitlines() == [
            "Title: what it is.",
            "  no  text",
            "  The end.",
        ]

    def test_figures_and_bars_leave_no_gap(self):
        parts = [Paragraph("a"), Drawing("f", None), Bars(()), Paragraph("b")]
        assert render_terminal(parts) == "a\n\nb"

    @pytest.mark.parametrize(
        "part",
        [
            Paragraph("x\x1b[2J"),
            Note("x\x1b[2J"),
            Heading(2, "x\x1b[2J", "x"),
            Bullets(
                (Bullet("x\x1b[2J", "x\x1b", ("x\x1b",)),), "x\x1b", "x\x1b", "x\x1b"
            ),
            Table(
                (Column("x\x1b", "left"), Column("x\x1b", group="x\x1b")),
                make_rows([["x\x1b", "x\x1b"]]),
                "x\x1b",
                ("x\x1b",),
            ),
        ],
        ids=lambda part: type(part).__name__,
    )
    def test_nothing_invisible_is_printed(self, part):
        text = render_terminal([part])
        assert "\x1b" not in text
        assert r"\x1b" in text


class TestGrid:
    def test_marks_stand_behind_numbers(self):
        rows = ((Cell("a"), Cell("1.00", "*")), (Cell("b"), Cell("12.00")))
        grid = Table(make_columns(["", "F1"]), rows, notes=("* undefined",))
        assert render_terminal([grid]).splitlines() == [
            "      F1",
            "a   1.00*",
            "b  12.00",
            "* undefined",
        ]

    def test_wide_letters_keep_columns_in_line(self):
        grid = Table(make_columns(["", "F1"]), make_rows([["鍵", "1"], ["key", "2"]]))
        assert render_terminal([grid]).splitlines() == ["     F1", "鍵    1", "key   2"]

    def test_names_above_columns_end_with_the_last(self):
        heads = (Column("", "left"), Column("R", group="a"), Column("F1", group="a"))
        grid = Table(heads, make_rows([["x", "1.00", "2.00"]]), mark_width=1)
        above, head, row = render_terminal([grid]).splitlines()
        assert above.index("a") + 1 == len(head) == len(row)

    def test_least_width_puts_grids_in_line(self):
        grids = [
            Table(make_columns(["", "F1"]), make_rows([["x", cell]]), min_width=6)
            for cell in ("1", "100.00")
        ]
        lines = render_terminal(grids).splitlines()
        assert lines[0] == lines[3]

    def test_last_column_of_words_is_wrapped(self):
        heads = (Column("", "left"), Column(""), Column("", "left"))
        grid = Table(heads, make_rows([["a", "1", "one two three four"]]))
        assert render_terminal([grid], width=18).splitlines() == [
            "a  1  one two",
            "      three four",
        ]

    @pytest.mark.parametrize(
        ("width", "lines"),
        [
            (40, ["a-very-long-na…th-many-words  1  one two"]),
            (20, ["a-very…words  1  one", "                 two"]),
        ],
    )
    def test_names_are_cut_before_words_are_wrapped(self, width, lines):
        heads = (Column("", "left"), Column(""), Column("", "left"))
        grid = Table(heads, make_rows([[LONG, "1", "one two"]]), first="names")
        assert render_terminal([grid], width=width).splitlines() == lines

    def test_sentences_get_lines_of_their_own(self):
        grid = Table(
            make_columns(["Response", "F1", "computed"]),
            make_rows(
                [["a sentence that is long", "1.0", "1.00"], ["", "2.0", "2.00"]]
            ),
            first="sentences",
        )
        assert render_terminal([grid], width=30).splitlines() == [
            "Response",
            "   F1  computed",
            "a sentence that is long",
            "  1.0      1.00",
            "  2.0      2.00",
        ]

    def test_sentences_are_cut_where_even_this_is_too_wide(self):
        heads = make_columns(["Response", *(f"M{number}" for number in range(20))])
        rows = make_rows([["a sentence that is long", *["100.00"] * 20]])
        text = render_terminal([Table(heads, rows, first="sentences")], width=60)
        assert widest(text) <= 60
        assert text.count("100.00") == 20
        assert text.count("a sentence…t is long") == text.count("Response") > 1

    def test_grid_without_rows_has_its_heads(self):
        assert render_terminal([Table(make_columns(["Name", "F1"]), ())]) == "Name  F1"

    @given(
        st.lists(
            st.text(st.sampled_from("abc鍵é-"), min_size=1, max_size=50),
            unique=True,
            min_size=1,
            max_size=5,
        ),
        st.integers(1, 30),
        st.integers(70, 100),
    )
    def test_grids_of_names_fit(self, names, count, width):
        heads = [
            *make_columns([""]),
            *(Column(f"M{number}") for number in range(count)),
        ]
        rows = make_rows((name, *["100.00"] * count) for name in names)
        text = render_terminal([Table(tuple(heads), rows, first="names")], width=width)
        short = {line.split("100.00")[0] for line in text.splitlines() if "100" in line}
        assert widest(text) <= width
        assert text.count("100.00") == count * len(names)
        assert len(short) == len(names)


def scored(*names, key=None, **options):
    key = key or {"one": letters("abc defg"), "two": letters("a")}
    result = corefkit.score(key, key, **options)
    return [dataclasses.replace(result, response=name) for name in names]


class TestScores:
    @pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 20])
    @pytest.mark.parametrize("per_document", [False, True], ids=["", "documents"])
    @pytest.mark.parametrize("metrics", [None, corefkit.METRICS, corefkit.VARIANTS])
    def test_tables_fit_80_columns(self, count, per_document, metrics):
        results = scored(*(f"{LONG}-{n}.conll" for n in range(count)), metrics=metrics)
        *lines, signature = WRITERS["table"](
            results, per_document=per_document
        ).splitlines()
        tables = [line for line in lines if "by document" not in line]
        assert widest("\n".join(tables)) <= 80
        assert signature == results[0].signature

    @pytest.mark.parametrize("width", ["1", "20", "60"])
    def test_narrow_terminals_lose_nothing(self, monkeypatch, width):
        monkeypatch.setenv("COLUMNS", width)
        text = WRITERS["table"](scored("a", "b", "c", "d", metrics=["muc", "lea"]))
        assert text.count("100.00") == 8

    def test_five_systems_have_a_row_each_in_80_columns(self):
        results = scored(*(f"{LONG}-{n}.conll" for n in range(5)))
        lines = WRITERS["table"](results).splitlines()
        assert lines[1].split() == [
            *["Mentions", "MUC", "B³", "CEAFm", "CEAFe", "BLANC", "LEA", "CoNLL"]
        ]
        names = [line.split()[0] for line in lines[2:7]]
        assert len(set(names)) == 5
        assert all("…" in name for name in names)

    def test_many_metrics_have_a_row_each(self):
        names = [*corefkit.METRICS, *corefkit.VARIANTS]
        lines = WRITERS["table"](scored("a", "b", "c", "d", "e", metrics=names))
        assert lines.splitlines()[1].split() == ["a", "b", "c", "d", "e"]

    @pytest.mark.parametrize("format", ["json", "csv", "markdown", "latex"])
    @pytest.mark.parametrize("count", [2, 5])
    def test_names_are_whole_in_other_formats(self, format, count):
        results = scored(*(f"{LONG}-{n}.conll" for n in range(count)))
        text = WRITERS[format](results)
        assert all(result.response in text for result in results)
        assert "…" not in text

    def test_wide_terminal_shows_all(self, monkeypatch):
        monkeypatch.setenv("COLUMNS", "200")
        results = scored(*(f"{LONG}-{n}.conll" for n in range(5)))
        text = WRITERS["table"](results)
        assert all(result.response in text for result in results)
        assert "CEAFm (φ3)" in text

    def test_long_ids_of_documents_are_told_apart(self):
        key = {f"corpus/{'x' * 60}/part-{n}/{'y' * 60}": ["ab"] for n in range(12)}
        text = WRITERS["table"](scored("r", key=key), per_document=True)
        rows = [line for line in text.splitlines() if "…" in line]
        assert len({row.split()[0] for row in rows}) == 12


class TestLongWords:
    PATH = "deep/" * 13 + "nowhere.conll:3:"

    def test_get_a_line_of_their_own_below_the_word_of_an_item(self):
        items = (
            Bullet(f"{self.PATH} no bracket", "bad.conll"),
            Bullet("is empty", "b"),
        )
        lines = render_terminal(
            [Bullets(items, "Left out", "two")], width=86
        ).splitlines()
        assert lines == [
            "Left out: two",
            "  bad.conll",
            f"    {self.PATH}",
            "    no bracket",
            "  b          is empty",
        ]

    def test_stay_whole_so_that_they_can_be_copied(self):
        items = Bullets((Bullet(f"{self.PATH} no bracket", "bad.conll"),))
        assert f"  {self.PATH}" in render_terminal([items], width=40).splitlines()
