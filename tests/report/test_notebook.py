"""What notebooks show: fragments with a style of their own, never too long."""

import re
from html.parser import HTMLParser

import pytest

import corefkit
from corefkit.example import paths
from corefkit.report.notebook import (
    MAX_COLUMNS,
    MAX_ROWS,
    render_fragment,
    shorten_parts,
)
from corefkit.tables.html import read_asset
from corefkit.tables.model import (
    Bullet,
    Bullets,
    Note,
    Paragraph,
    Table,
    make_columns,
    make_rows,
)

KEY, CAREFUL, GREEDY = paths()
HOSTILE = "<script>alert(1)&\u2028\u202e\x1b[2J"


class Elements(HTMLParser):
    """The tags and the text of a render_fragment."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.open, self.attributes, self.text = [], [], [], ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += attributes
        if tag not in ("br", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def shown(value):
    html = value._repr_html_()
    elements = Elements(html)
    assert elements.open == []
    assert html.startswith('<div class="corefkit"><style>')
    assert html.endswith("</div>")
    assert html == value._repr_html_()
    return elements


def test_an_evaluation_is_its_table():
    result = corefkit.score(KEY, CAREFUL)
    elements = shown(result)
    assert f"{100 * result['lea'].f1:.2f}" in elements.text
    assert result.signature in elements.text
    assert elements.tags.count("table") == 1


def test_a_warning_is_shown():
    result = corefkit.score([[(0, 1), (3, 4)]], [[(1, 2), (4, 5)]])
    assert result.warnings
    assert result.warnings[0] in shown(result).text


def test_a_comparison_is_its_page():
    systems = {"careful": CAREFUL, "greedy": GREEDY}
    comparison = corefkit.compare(KEY, systems, samples=99)
    text = shown(comparison).text
    assert "careful" in text
    assert comparison.signature in text
    assert "--metric" in str(comparison)
    assert "--metric" not in text
    assert "to_frame(pairs=True)" in text


def test_an_analysis_is_its_tables():
    analysis = corefkit.errors(KEY, {"careful": CAREFUL, "greedy": GREEDY})
    text = shown(analysis).text
    assert "Conflated" in text
    assert analysis.signature in text


def test_statistics_are_a_table():
    text = shown(corefkit.statistics_of(corefkit.read(KEY))).text
    assert "Singleton entities" in text
    assert "343" in text


@pytest.mark.parametrize("make", [corefkit.compare, corefkit.errors])
def test_names_are_never_markup(make):
    key = {HOSTILE: ["abc"], "b": ["de"]}
    value = make(key, {f"{HOSTILE}A": {HOSTILE: ["ab"], "b": []}, "other": key})
    elements = shown(value)
    assert "script" not in elements.tags
    assert "<script>alert(1)&" in elements.text
    assert "\x1b" not in value._repr_html_()


def test_the_style_reaches_nothing_else():
    style = re.sub(r"@media[^{]+\{|/\*.*?\*/", "", read_asset("notebook.css"))
    selectors = [
        one.strip()
        for block in re.findall(r"([^{}]+)\{[^{}]*\}", style)
        for one in block.split(",")
    ]
    assert len(selectors) > 10
    assert all(".corefkit" in one for one in selectors), selectors
    assert "<" not in style


def grid(rows, many_columns=2):
    heads = [f"c{number}" for number in range(many_columns)]
    body = ([f"r{row}", *["1"] * (many_columns - 1)] for row in range(rows))
    return Table(make_columns(heads), make_rows(body))


def test_short_tables_stay_as_they_are():
    table = grid(MAX_ROWS, MAX_COLUMNS)
    assert list(shorten_parts([table])) == [table]


def test_long_tables_show_both_ends_and_say_what_is_left_out():
    (table,) = shorten_parts([grid(1000)])
    names = [row[0].text for row in table.rows]
    assert names[0] == "r0"
    assert names[-1] == "r999"
    assert len(names) == MAX_ROWS + 1
    assert table.notes == ("940 of 1,000 rows are left out: `to_frame()` has all",)


def test_wide_tables_are_cut():
    (table,) = shorten_parts([grid(2, 100)])
    assert {len(row) for row in table.rows} == {len(table.columns)} == {MAX_COLUMNS}
    assert "70 of 100 columns are left out" in table.notes[0]


def test_long_lists_are_cut():
    items = Bullets(tuple(Bullet(str(number)) for number in range(100)))
    (short,) = shorten_parts([items])
    assert len(short.items) == 60
    assert "40 of 100 items are left out" in short.end


def test_notes_without_end_are_cut_but_the_signature_stays():
    notes = [Note(f"n{number}") for number in range(100)]
    found = list(shorten_parts([*notes, Note("signature", is_code=True)]))
    assert len(found) == 62
    assert found[-2].text == "The lines that follow are left out"
    assert found[-1].text == "signature"


def test_a_comparison_of_many_systems_stays_small():
    key = {"one": ["abc"], "two": ["de"]}
    systems = {f"system {number}": key for number in range(100)}
    # With a baseline there are as many pairs as systems, and not their square.
    found = corefkit.compare(
        key, systems, metrics="muc", samples=9, baseline="system 0"
    )
    html = found._repr_html_()
    assert "are left out" in html
    assert len(html) < 200_000


def test_a_fragment_has_its_parts_and_warnings():
    html = render_fragment([Paragraph("one")], warnings=["a <b>"])
    assert "<p>one</p>" in html
    assert "<p>Warning: a &lt;b&gt;</p>" in html
