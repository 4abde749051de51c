"""The reference scorer's text: numbers as Perl prints them."""

from __future__ import annotations

import pytest

import corefkit
from corefkit.results.reference_text import METRICS_OF_ALL, render_reference_text

METRICS = ["mentions", *METRICS_OF_ALL]


def lines(key, response):
    return render_reference_text(
        [corefkit.score(key, response, metrics=METRICS)]
    ).splitlines()


def test_metrics_come_in_the_order_of_all():
    heads = [line for line in lines(["ab"], ["ab"]) if line.startswith("METRIC")]
    assert heads == [
        f"METRIC {name}:" for name in ("muc", "bcub", "ceafm", "ceafe", "blanc")
    ]


def test_version_line_names_the_version_reproduced():
    assert lines(["ab"], ["ab"])[0] == f"version: 8.01 corefkit {corefkit.__version__}"


@pytest.mark.parametrize(
    ("key", "response", "line"),
    [
        (["ab"], ["ab"], "Recall: (1 / 1) 100%\tPrecision: (1 / 1) 100%\tF1: 100%"),
        (["abcd"], ["abc"], "Recall: (2 / 3) 66.66%\tPrecision: (2 / 2) 100%\tF1: 80%"),
        (["a"], ["a"], "Recall: (0 / 0) 0%\tPrecision: (0 / 0) 0%\tF1: 0%"),
    ],
)
def test_muc_line(key, response, line):
    assert f"Coreference: {line}" in lines(key, response)


def test_fractions_have_fifteen_digits():
    text = "\n".join(lines(["abc", "d"], ["ab", "cd"]))
    assert "(2.66666666666667 / 4) 66.66%" in text


def test_blanc_is_out_of_one():
    *_, line, rule = lines(["abc", "defg"], ["ab", "cd", "fghi"])
    assert line.startswith("BLANC: Recall: (0.444444444444444 / 1) 44.44%")
    assert rule == "-" * 74


def test_one_response_in_total_only():
    result = corefkit.score(["a"], ["a"], metrics=METRICS)
    for arguments in (([result, result], False), ([result], True)):
        with pytest.raises(corefkit.SettingsError, match="supports one response"):
            render_reference_text(arguments[0], per_document=arguments[1])
