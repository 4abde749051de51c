"""Walk-throughs as HTML: text is never markup, and what it stands for is a link."""

from corefkit.analysis.explain.walkthrough import (
    Equation,
    FractionText,
    Reference,
    StepLine,
    StepTable,
    WalkThrough,
)

HOSTILE = "<script>alert(1)</script> & \u2028 \x1b[2J \u202e"


def html(*steps, **about):
    return WalkThrough(steps, **about).to_html()


def test_text_of_the_input_is_never_markup():
    written = html(
        HOSTILE,
        StepLine(HOSTILE, HOSTILE),
        StepTable([[HOSTILE, Reference(HOSTILE, mention=0)]], [HOSTILE], HOSTILE),
        Equation(HOSTILE, [HOSTILE], HOSTILE),
        document=HOSTILE,
        places=[(0, 1)],
        meanings=[HOSTILE],
    )
    assert "<script" not in written
    assert not {"\u2028", "\x1b", "\u202e"} & {*written}


def test_references_link_into_the_reader():
    told = StepLine(
        (
            Reference("K1", key=1),
            Reference("R2", response=2),
            Reference("m1", mention=0),
            Reference("2²/3", key=3, mention=0),
            Reference("d", anchor="document-1"),
        )
    )
    written = html(told, document="a b", places=[(3, 5)], meanings=["she"])
    assert written.count("<a ") == 5
    for link in (
        '<a href="#d=a+b&amp;k=1">K1</a>',
        '<a href="#d=a+b&amp;r=2">R2</a>',
        '<a href="#d=a+b&amp;m=3-5" title="she">m1</a>',
        '<a href="#d=a+b&amp;m=3-5&amp;k=3" title="K3">2²/3</a>',
        '<a href="#document-1">d</a>',
    ):
        assert link in written


def test_without_a_document_there_is_nothing_to_link_to():
    assert "<a" not in html(StepLine(Reference("K1", key=1)))


def test_fraction_is_stacked_but_reads_as_one_line():
    stacked = html(
        Equation("recall", [FractionText(("1", " + ", "2"), "4"), "3/4 = 75.00%"])
    )
    assert "<i>(</i>1 + 2<i>)</i></span><i> / </i><span>4" in stacked
    assert "= <b>3/4 = 75.00%</b>" in stacked
    long = html(Equation("recall", [FractionText(("1",) * 100, "4")]))
    assert f"({'1' * 100}) / 4" in long


def test_step_that_the_next_repeats_is_left_out_unless_it_is_a_link():
    plain = html(Equation("f1", [FractionText("1", "2"), "1/2 = 50.00%"]))
    linked = html(
        Equation("f1", [FractionText(Reference("1", key=1), "2"), "1/2 = 50.00%"]),
        document="d",
    )
    assert 'class="over"' not in plain
    assert 'class="over"' in linked


def test_rows_without_cells_are_no_table():
    assert "table" not in html(StepTable([], ["a"]))
