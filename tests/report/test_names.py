"""Names of responses: short and unique."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefkit.tables.terminal import label_paths, measure_width, shorten_names

PRINTABLE = st.text(st.sampled_from("ab-_.é鍵ש\N{COMBINING ACUTE ACCENT}"), max_size=40)


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (["x/a.conll", "y/b.conll"], ["a.conll", "b.conll"]),
        (["x/a.conll", "y/a.conll"], ["x/a.conll", "y/a.conll"]),
        (["response"], ["response"]),
        (["response", "response"], ["1. response", "2. response"]),
    ],
)
def test_labels_are_file_names_if_unique(paths, names):
    assert label_paths(paths) == names


def test_middle_is_cut_out():
    assert shorten_names(["a-very-long-name.conll"], 12) == ["a-very…conll"]


@given(st.lists(PRINTABLE, unique=True, max_size=6), st.integers(12, 30))
def test_different_names_stay_different(names, limit):
    short = shorten_names(names, limit)
    assert len(set(short)) == len(names)
    for name, cut in zip(names, short, strict=True):
        assert measure_width(cut) <= measure_width(name) or cut == name


@given(PRINTABLE, st.integers(12, 30))
def test_single_name_keeps_to_the_limit(name, limit):
    (short,) = shorten_names([name], limit)
    assert measure_width(short) <= limit
    assert (short == name) == (measure_width(name) <= limit)


@pytest.mark.parametrize(
    "names",
    [
        ["system-1-of-the-great-paper.conll", "system-2-of-the-great-paper.conll"],
        ["a" * 30 + "x" + "b" * 30, "a" * 30 + "y" + "b" * 30],
        [f"(example/{name}); part 000" for name in ("lamps", "lines", "bridge")],
        [f"(nw/wsj/{at:02}/wsj_{at:04}); part {at % 3:03}" for at in range(350)],
        [f"{at}. a-response-in-memory-of-a-process" for at in range(1, 20)],
    ],
    ids=["start", "middle", "documents", "numbers", "numbered"],
)
def test_names_keep_the_part_that_distinguishes_them(names):
    short = shorten_names(names, 14)
    assert len(set(short)) == len(names)
    assert max(map(len, short)) == 14


def test_combining_marks_stay_with_their_letters():
    name = "e\N{COMBINING ACUTE ACCENT}" * 20
    (short,) = shorten_names([name], 13)
    before, after = short.split("…")
    assert before.startswith("e")
    assert before.count("e") == before.count("\N{COMBINING ACUTE ACCENT}")
    assert after.startswith("e")


def test_wide_letters_take_two_columns():
    (short,) = shorten_names(["鍵" * 20], 13)
    assert measure_width(short) == 13
