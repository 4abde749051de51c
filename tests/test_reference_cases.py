"""Cases that the reference scorer v8.01 itself has scored, number by number.

`data/reference_cases.json` was made by running it (and its LEA branch) on small files
that show one oddity each, or several; only those are kept whose output does not change
from run to run. The texts are what it printed for `all KEY RESPONSE none`.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from files import written

import corefkit
from corefkit.cli import main

CASES = json.loads(
    (Path(__file__).parent / "data" / "reference_cases.json").read_text()
)
NAMES = {
    "mentions": "mentions",
    "muc": "muc",
    "bcub": "b_cubed",
    "ceafm": "ceaf_m",
    "ceafe": "ceaf_e",
    "lea": "lea",
}
HALVES = {
    "Coreference links": "coreference",
    "Non-coreference links": "non_coreference",
}

# Cases in which corefkit reads otherwise than the reference scorer, and how.
OTHERWISE = {
    "b1333": "a byte-order mark is skipped; there it hides the first document",
    "b2939": "a line of one control character is blank; there it is a token",
}

each_case = pytest.mark.parametrize(
    "case",
    [
        pytest.param(
            case,
            id=f"{case['case']} {' '.join(case['tags'])}",
            marks=[pytest.mark.xfail(reason=OTHERWISE[case["case"]])]
            if case["case"] in OTHERWISE
            else [],
        )
        for case in CASES
    ],
)


@pytest.fixture
def files(case, tmp_path):
    """Write the two files of a case, bytes that are not UTF-8 included."""
    return [
        written(tmp_path / side, case[side].encode("utf-8", "surrogateescape"))
        for side in ("key", "response")
    ]


def four(counts):
    """Take the counts of a printed line: the percentages follow from them."""
    recall, recall_of, _, precision, precision_of, _, _ = counts
    return pytest.approx(
        [recall, recall_of, precision, precision_of], rel=1e-9, abs=1e-9
    )


def counts(score):
    return [
        score.recall_numerator,
        score.recall_denominator,
        score.precision_numerator,
        score.precision_denominator,
    ]


@each_case
def test_preset_gives_its_counts(case, files):
    metrics = [*NAMES.values(), "blanc"]
    result = corefkit.score(*files, metrics=metrics, preset="conll2012")
    expected = case["expected"]
    for theirs, ours in NAMES.items():
        assert counts(result[ours]) == four(expected[theirs]), ours
    blanc = result["blanc"]
    for theirs, half in HALVES.items():
        assert counts(getattr(blanc, half)) == four(expected["blanc"][theirs]), half
    recall, _, _, precision, *_ = expected["blanc"]["BLANC"]
    assert (blanc.recall, blanc.precision) == pytest.approx(
        (recall, precision), rel=1e-9, abs=1e-9
    )


def parts(text):
    """Split a text into lines without their numbers, and the numbers.

    Lines about repeated mentions come in the order of documents, which is random there.
    """
    lines, numbers, repeated = [], [], []
    for line in text.splitlines():
        if line.startswith("Repeated mention"):
            repeated.append(line)
            continue
        if repeated:
            lines.append(sorted(repeated))
            repeated = []
        numbers += map(float, re.findall(r"[\d.]+(?:e-?\d+)?", line))
        lines.append(re.sub(r"[\d.]+(?:e-?\d+)?", "#", line))
    return lines, numbers


@each_case
def test_text_is_the_same(case, files, capsys):
    code = main(["score", *files, "--format", "reference"])
    text = capsys.readouterr().out
    assert code == 0
    version, _, rest = text.partition("\n")
    assert version.startswith("version: 8.01 ")
    lines, numbers = parts(rest)
    expected_lines, expected_numbers = parts(case["text"])
    assert lines == expected_lines
    assert numbers == pytest.approx(expected_numbers, rel=1e-9, abs=1e-9)
