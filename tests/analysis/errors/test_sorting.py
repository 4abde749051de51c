"""What tables of errors are sorted by."""

from __future__ import annotations

import pytest
from made_analyses import DIVIDED, EXTRA, analysis, system

from corefkit import SettingsError
from corefkit.analysis.errors.error_analysis import KINDS, parse_error_order
from corefkit.results.score_table import Order

METRICS = ["muc", "b_cubed", "ceaf_e", "lea"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("before", ["", "errors."])
def test_kinds_are_called_as_in_compare_or_for_short(kind, before):
    found = parse_error_order(before + kind.replace("_", "-"), METRICS)
    assert found == Order(f"errors.{kind}")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("errors", "errors"),
        ("name", "name"),
        ("b3", "b_cubed"),
        ("lea.f1", "lea"),
        ("conll", "conll"),
    ],
)
def test_metrics_and_names(text, name):
    assert parse_error_order(text, METRICS) == Order(name)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("lea.recall", "only F1 is computed"),
        ("blanc", "--repair names others"),
        ("divded", "did you mean 'divided'"),
        ("recall_links", "known are name"),
        ("errors.recall_links", "known are name"),
    ],
)
def test_what_cannot_be_sorted_by_is_refused(text, message):
    with pytest.raises(SettingsError) as caught:
        parse_error_order(text, METRICS)
    assert message in str(caught.value)


def test_sorting_changes_no_result():
    found = analysis(system("B", EXTRA, DIVIDED), system("A", DIVIDED))
    other = found.sorted_by("errors")
    assert other.order == Order("errors")
    assert other.to_dict() == found.to_dict()
    assert other.systems == found.systems
