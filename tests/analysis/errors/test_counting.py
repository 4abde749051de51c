"""Numbers of errors as what systems are compared by."""

from __future__ import annotations

import numpy as np
import pytest

import corefkit
from corefkit.analysis.errors import count_errors
from corefkit.analysis.errors.error_analysis import (
    ERROR_LABELS,
    KINDS,
    find_error_labels,
    is_error_count,
)
from corefkit.example import paths
from corefkit.settings import DEFAULT_SETTINGS, resolve_settings

KEY, CAREFUL, GREEDY = map(str, paths())


@pytest.mark.parametrize("settings", [{}, {"singletons": "drop"}, {"scope": "corpus"}])
def test_counts_are_those_of_the_analysis(settings):
    chosen = resolve_settings(**settings)
    found = count_errors(KEY, [CAREFUL, GREEDY], settings=chosen)
    analysis = corefkit.errors(KEY, {"A": CAREFUL, "B": GREEDY}, **settings)
    for counts, system in zip(found.values(), analysis.systems, strict=True):
        for kind in KINDS:
            rows = [[document.counts[kind]] for document in system.documents]
            assert counts[f"errors.{kind}"].tolist() == rows
        totals = [[sum(document.counts.values())] for document in system.documents]
        assert counts["errors"].tolist() == totals
        for side, links in (("recall", system.recall), ("precision", system.precision)):
            assert counts[f"errors.{side}_links"].sum() == links.errors


def test_rows_are_those_of_the_evaluation():
    (evaluation,) = corefkit.score_responses(KEY, [GREEDY])
    (counts,) = count_errors(KEY, [GREEDY], settings=DEFAULT_SETTINGS).values()
    assert [*counts] == [*ERROR_LABELS]
    for rows in counts.values():
        assert rows.shape == (len(evaluation.documents), 1)
        assert rows.dtype == np.float64
    muc = evaluation.counts["muc"]
    assert (
        counts["errors.recall_links"][:, 0].tolist() == (muc[:, 1] - muc[:, 0]).tolist()
    )


def test_broken_responses_are_left_out_or_raise(tmp_path):
    missing = str(tmp_path / "none.conll")
    refusals = {}
    found = count_errors(
        KEY, [missing, CAREFUL], settings=DEFAULT_SETTINGS, refusals=refusals
    )
    assert [*found] == [1]
    assert [*refusals] == [0]
    with pytest.raises((corefkit.CorefkitError, OSError)):
        count_errors(KEY, [missing], settings=DEFAULT_SETTINGS)


def test_names_are_read_as_metrics_are():
    assert find_error_labels(["Errors.Missing-Mention"]) == {
        "errors.missing_mention": "Missing mention errors"
    }
    assert is_error_count("errors.nothing")
    assert not is_error_count("error")
    with pytest.raises(
        corefkit.SettingsError, match=r"unknown metric 'errors\.nothing'"
    ):
        find_error_labels(["errors.nothing"])
