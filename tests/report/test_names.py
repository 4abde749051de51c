"""Names: short, and never two alike."""

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
def test_paths_are_named_by_file_unless_two_are_alike(paths, names):
    assert label_paths(paths) == names


def test_middle_is_cut_out():
    assert shorten_names(["a-very-long-name.conll"], 12) == ["a-very…conll"]


@given(st.lists(PRINTABLE, unique=True, max_size=6), st.integers(12, 30))
def test_different_names_stay_different(names, limit):
    short = shorten_names(names, limit, width=measure_width)
    assert len(set(short)) == len(names)
    for name, cut in zip(names, short, strict=True):
        assert measure_width(cut) <= measure_width(name) or cut == name


@given(PRINTABLE, st.integers(12, 30))
def test_one_name_keeps_to_the_limit(name, limit):
    (short,) = shorten_names([name], limit, width=measure_width)
    assert measure_width(short) <= max(limit, 0)
    assert (short == name) == (measure_width(name) <= limit)


@pytest.mark.parametrize(
    "names",
    [
        ["system-1-of-the-great-paper.conll", "system-2-of-the-great-paper.conll"],
        ["a" * 30 + "x" + "b" * 30, "a" * 30 + "y" + "b" * 30],
        ["a" * 15 + "…" + "b" * 15, "a" * 15 + "c" + "b" * 15],
    ],
    ids=["start", "middle", "sign of the cut"],
)
def test_names_that_differ_where_they_are_cut_are_cut_elsewhere(names):
    short = shorten_names(names, 14)
    assert len(set(short)) == 2
    assert all("…" in name for name in short)


def test_combining_marks_stay_with_their_letters():
    name = "e\N{COMBINING ACUTE ACCENT}" * 20
    (short,) = shorten_names([name], 13, width=measure_width)
    before, after = short.split("…")
    assert before.startswith("e")
    assert before.count("e") == before.count("\N{COMBINING ACUTE ACCENT}")
    assert after.startswith("e")


def test_letters_of_two_columns_are_counted_so():
    (short,) = shorten_names(["鍵" * 20], 13, width=measure_width)
    assert measure_width(short) == 13


def test_ending_that_all_share_is_left_out_first():
    names = ["the-first-of-all.conll", "second.conll"]
    assert shorten_names(names, 16) == ["the-first-of-all", "second"]
    assert shorten_names(names, 22) == names
    assert shorten_names(["the-first-of-all.conll", "second.json"], 16) != [
        "the-first-of-all",
        "second",
    ]


def test_names_that_share_both_ends_keep_what_differs():
    names = [f"(example/{name}); part 000" for name in ("lamps", "lines", "bridge")]
    assert shorten_names(names, 12) == ["…lamps…", "…lines…", "…bridge…"]


def test_numbers_of_names_are_no_endings():
    names = [f"{number}. a-response-in-memory" for number in (1, 2)]
    assert all("a" in name for name in shorten_names(names, 12))


def test_documents_that_differ_in_the_middle_keep_it():
    names = [f"(nw/wsj/{at:02}/wsj_{at:04}); part {at % 3:03}" for at in range(350)]
    short = shorten_names(names, 14)
    assert len(set(short)) == 350
    assert max(map(len, short)) == 14
    assert all(f"{at:04}" in name for at, name in enumerate(short))


def test_names_with_numbers_are_told_apart_without_them():
    names = [f"{at}. team-{20 - at:02}-of-a-university.conll" for at in range(1, 20)]
    short = shorten_names(names, 15)
    assert max(map(len, short)) <= 15
    assert len({name.partition(". ")[2] for name in short}) == len(names)


def test_numbers_tell_names_apart_where_there_is_no_room():
    names = [f"{at}. {'a' * 30}{at:02}{'b' * 30}" for at in range(10, 13)]
    short = shorten_names(names, 13)
    assert max(map(len, short)) <= 13
    assert len({*short}) == 3
