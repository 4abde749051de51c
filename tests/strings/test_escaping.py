"""Text of the input, made safe for where it is shown."""

from __future__ import annotations

import csv
import html
import io
import json
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from corefkit.results.records import format_csv, format_json
from corefkit.strings import (
    escape_csv,
    escape_html,
    escape_latex,
    escape_lines,
    escape_markdown,
    escape_terminal,
    quote_markdown_code,
)

# Half characters come from file names that are no UTF-8, and from JSON.
TEXTS = st.text(st.characters() | st.sampled_from("\x1b\n\r\t\u202e\ud800`'=<&|\\"))
FORMULA = re.compile(r"\s*[=+@\-\N{FULLWIDTH EQUALS SIGN}]")
NUMBER = re.compile(r"[-+]?[0-9.]+(e[-+]?[0-9]+)?", re.IGNORECASE)
EVERY = [escape_terminal, escape_markdown, escape_latex, escape_csv, escape_html]


@pytest.mark.parametrize("escape", EVERY)
@given(text=TEXTS)
def test_invisible_characters_are_escaped(escape, text):
    shown = escape(text)
    assert all(one.isprintable() or one.isspace() for one in shown)
    assert not set(shown) & set("\x1b\r\t\x85\u2028\u2029")
    assert "\n" not in shown or escape is escape_html
    shown.encode()


@pytest.mark.parametrize("text", ["", "story", "été 漢字 №7", "a\u00a0b", "日本\u3000"])
def test_visible_characters_are_kept(text):
    assert escape_terminal(text) == escape_csv(text) == escape_html(text) == text
    assert escape_lines(f"{text}\n{text}") == f"{text}\n{text}"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31m", r"\x1b[31m"),
        ("a\nb", r"a\nb"),
        ("a\u200bb\u202e", r"a\u200bb\u202e"),
        ("\udcff", r"\udcff"),
        ("\x9b2J\x7f", r"\x9b2J\x7f"),
        ("\N{LANGUAGE TAG}", r"\U000e0001"),
    ],
)
def test_invisible_characters_are_written_by_number(text, shown):
    assert escape_terminal(text) == shown


@given(TEXTS)
@example("=cmd()|' /C calc'!A0")
@example("\t=1")
@example("-2+3")
@example("'=1")
@example("\N{FULLWIDTH EQUALS SIGN}1")
def test_formulas_are_escaped_in_csv(text):
    ((cell, number),) = csv.reader(io.StringIO(format_csv([[text, -1.5]])))
    assert number == "-1.5"
    assert len(cell) < 2 or NUMBER.fullmatch(cell) or not FORMULA.match(cell)


@pytest.mark.parametrize("number", ["-1", "+.5", "1e-9", "-", "+", "-0.25"])
def test_numbers_and_signs_are_not_escaped(number):
    assert escape_csv(number) == number
    assert format_csv([[number, -0.5]]) == f"{number},-0.5"


@given(TEXTS)
def test_apostrophe_can_be_removed(text):
    shown = escape_csv(text)
    assert shown == escape_terminal(text) or shown == f"'{escape_terminal(text)}"


@given(
    st.tuples(TEXTS, TEXTS).filter(
        lambda pair: len(set(map(escape_terminal, pair))) == 2
    )
)
def test_different_texts_stay_different_in_csv(pair):
    assert escape_csv(pair[0]) != escape_csv(pair[1])


@given(TEXTS)
def test_html_is_escaped(text):
    assert html.unescape(escape_html(text)) == escape_lines(text)
    assert not set(escape_html(text)) & set("<>\"'")


@given(TEXTS)
def test_markdown_is_escaped(text):
    shown = escape_markdown(text)
    assert not set(shown) & set("<>")
    bare = re.sub(r"\\[\\`*_|\[\]~$]", "", shown)
    assert not set(bare) & set("\\`*_|[]~$")
    plain = html.unescape(re.sub(r"\\([\\`*_|\[\]~$])", r"\1", shown))
    assert plain == escape_terminal(text)


@given(st.text("ab`"))
def test_markdown_code_is_delimited(text):
    shown = quote_markdown_code(text)
    fence = re.match("`+", shown)[0]
    assert fence not in shown[len(fence) : -len(fence)] or not text.strip("`")


@given(TEXTS)
def test_latex_is_escaped(text):
    bare = re.sub(r"\\text\w+\{\}|\\[&%$#_{}]", "", escape_latex(text))
    assert not set(bare) & set('&%$#_{}~^\\<>|"')


@given(st.recursive(TEXTS | st.floats(allow_nan=False), st.lists, max_leaves=5))
def test_json_is_exact_and_printable(value):
    shown = format_json({"value": value})
    assert json.loads(shown) == {"value": value}
    assert all(one.isprintable() or one == "\n" for one in shown)
