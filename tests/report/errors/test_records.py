"""Error analyses as plain values."""

from __future__ import annotations

import csv
import io
import json

from hypothesis import given
from hypothesis import strategies as st
from made_analyses import (
    DIVIDED,
    EXTRA,
    MISSING,
    SIGNATURE,
    analysis,
    error,
    link,
    system,
)

from corefkit.analysis.errors.error_analysis import KINDS
from corefkit.analysis.errors.error_output import ERROR_WRITERS
from corefkit.model import Mention
from corefkit.results.records import format_json


def test_json_has_the_shape_that_scripts_rely_on():
    values = analysis(system("A", DIVIDED, recall=[link((6, 6), (0, 0))])).to_dict()
    assert list(values) == ["corefkit", "signature", "key", "systems"]
    (one,) = values["systems"]
    assert one["response"] == "A"
    assert one["counts"] == dict.fromkeys(KINDS, 0) | {"divided": 1}
    assert list(one["ladder"]) == ["response", *KINDS]
    assert list(one["alone"]) == list(one["all_but"]) == [*KINDS]
    assert one["ladder"]["response"] == {"lea": 0.5, "conll": 0.51}
    recall = one["links"]["recall"]
    assert (recall["edges"], recall["errors"], recall["rate"]) == (20, 1, 0.05)
    assert recall["by_types"] == {"pronoun-name": 1}
    assert recall["breakdowns"]["types"]["name-name"] == {
        "edges": 4,
        "errors": 0,
        "rate": 0,
    }
    (document,) = one["documents"]
    assert document["document"] == "d"
    assert document["counts"]["divided"] == 1
    assert document["errors"] == [
        {
            "id": "d#divided#6-6",
            "kind": "divided",
            "mentions": [[6, 6]],
            "entity": [[0, 0], [6, 6]],
            "types": ["pronoun"],
        }
    ]
    assert document["links"]["recall"][0]["anaphor"] == [6, 6]


def test_json_goes_through_json():
    found = analysis(system("A", error("divided", frozenset("a"))))
    assert json.loads(ERROR_WRITERS["json"](found)) == found.to_dict()


def test_gaps_are_lists_of_spans_and_names_stay():
    scattered = error("divided", Mention.of([2, 4]), 7, "b")
    values = analysis(system("A", scattered)).to_dict()
    (one,) = values["systems"][0]["documents"][0]["errors"]
    assert one["mentions"] == [[[2, 2], [4, 4]], 7, "b"]


def test_refused_notes_and_sources_are_there_where_there_are_any():
    found = analysis(
        system("A"),
        refused={"b": "is empty"},
        notes=("n",),
        warnings=("w",),
        sources=("s",),
    )
    values = found.to_dict()
    assert values["refused"] == [{"response": "b", "reason": "is empty"}]
    assert [values[name] for name in ("notes", "warnings", "sources")] == [
        ["n"],
        ["w"],
        ["s"],
    ]


def test_several_systems_share_errors_in_json():
    across = analysis(
        system("A", EXTRA, DIVIDED), system("B", DIVIDED, MISSING)
    ).to_dict()["across"]
    assert across["systems"] == ["A", "B"]
    assert across["by_number"]["divided"] == {"1": 0, "2": 1}
    assert across["common"]["errors"] == [DIVIDED.id]
    assert [only["errors"] for only in across["only"]] == [[EXTRA.id], [MISSING.id]]
    assert across["changes"]["fixed"]["by_kind"]["extra_mention"] == 1
    assert across["changes"]["fixed"]["by_type"]["nominal"] == 1


def test_three_systems_have_no_changes():
    found = analysis(*[system(name, EXTRA) for name in "ABC"]).to_dict()
    assert "changes" not in found["across"]


def test_records_have_a_row_for_each_error():
    records = analysis(system("A", EXTRA, DIVIDED), system("B", MISSING)).to_records()
    assert [(row["response"], row["id"]) for row in records] == [
        ("A", EXTRA.id),
        ("A", DIVIDED.id),
        ("B", MISSING.id),
    ]
    assert records[0]["signature"] == SIGNATURE


def test_csv_has_every_number():
    found = analysis(
        system("A", DIVIDED, recall=[link((6, 6), (0, 0))]), refused={"=b": "is empty"}
    )
    rows = list(csv.DictReader(io.StringIO(ERROR_WRITERS["csv"](found))))
    by_name = {
        (row["view"], row["document"], row["name"], row["class"]): row for row in rows
    }
    assert by_name["count", "", "divided", ""]["value"] == "1"
    assert by_name["count", "d", "divided", ""]["value"] == "1"
    assert by_name["ladder", "", "response", "lea"]["value"] == "0.5"
    assert by_name["all_but", "", "span", "conll"]["value"] == "0.96"
    assert by_name["recall", "", "types", "pronoun-name"]["edges"] == "16"
    assert by_name["recall", "", "all", ""]["rate"] == "0.05"
    assert rows[-1]["response"] == "'=b"
    assert rows[-1]["name"] == "is empty"
    assert all(None not in row for row in rows)


def test_csv_has_what_systems_share():
    found = analysis(system("A", EXTRA, DIVIDED), system("B", DIVIDED))
    rows = list(csv.DictReader(io.StringIO(ERROR_WRITERS["csv"](found))))
    shared = {
        (row["view"], row["name"], row["class"]): row["value"]
        for row in rows
        if not row["response"]
    }
    assert shared["by_number", "divided", "2"] == "1"
    assert shared["fixed", "extra_mention", ""] == "1"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
)


@given(value=JSON, levels=st.integers(0, 5))
def test_json_of_some_levels_is_the_same_json(value, levels):
    text = format_json(value, levels=levels)
    assert json.loads(text) == value
    assert all(line.isprintable() for line in text.split("\n"))


def test_json_has_a_line_for_each_error():
    text = ERROR_WRITERS["json"](analysis(system("A", EXTRA, DIVIDED)))
    lines = [line for line in text.split("\n") if '"id": "d#' in line]
    assert len(lines) == 2


def test_repr_names_systems():
    assert repr(analysis(system("A"))) == f"<ErrorAnalysis of 'A': {SIGNATURE}>"


def test_str_is_the_table_and_warnings():
    found = analysis(system("A"), warnings=("mentions hardly meet",))
    assert str(found).splitlines()[-1] == "warning: mentions hardly meet"
