"""`corefkit-scorer` beside the reference scorer: exit code and whole text.

`data/reference_calls.json` keeps what `scorer.pl` 8.01 printed, shortened to a digest;
only the version line and the order of documents are left out of it. With
COREFKIT_REFERENCE_SCORER=path/to/scorer.pl, and for `lea` COREFKIT_LEA_SCORER with the
path of its LEA branch (9.0.0-alpha), it is run too, and `python3 dev.py rewrite` keeps
its output.
"""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from files import written
from kept import is_rewriting
from reference_calls import (
    METRICS,
    PAIRS,
    Printed,
    digest,
    filters,
    find_scorer,
    in_order,
    keep,
    kept,
    printed_by_scorer,
)
from shared_files import SHARED

from corefkit.cli import main
from corefkit.cli.scorer import run

CASES = SHARED / "conformance" / "reference"
NAMES = sorted(path.stem for path in CASES.glob("*.key"))

# CI runs all cases; the ordinary run takes one of five and all small ones.
ORDINARY = {*NAMES[::5], *PAIRS}

each_call = pytest.mark.parametrize(
    ("case", "metric"),
    [
        pytest.param(*call, marks=() if call[0] in ORDINARY else pytest.mark.slow)
        for call in product([*NAMES, *PAIRS], METRICS)
    ],
)


@pytest.fixture
def files(case, tmp_path):
    """Find or write the key and the response of a case."""
    if case not in PAIRS:
        return str(CASES / f"{case}.key"), str(CASES / f"{case}.response")
    key, response = PAIRS[case]
    return written(tmp_path / "key", key), written(tmp_path / "response", response)


@pytest.fixture
def printed(capsys):
    """Run a command line; return its exit code and text."""

    def called(*words):
        code = main(list(words), run)
        return Printed(code, in_order(capsys.readouterr().out))

    return called


def given(call, metric, files):
    """Call a scorer with each filter of documents."""
    content = Path(files[0]).read_bytes().decode("utf-8")
    return [call(metric, *files, *names) for names in filters(content)]


@pytest.mark.skipif(not NAMES, reason="the reference cases are not beside the project")
def test_there_are_sixty_cases():
    assert len(NAMES) == 60


@pytest.mark.kept
@each_call
def test_same_as_kept(case, metric, files, printed):
    if is_rewriting() and find_scorer(metric):
        keep(case, metric, digest(given(printed_by_scorer, metric, files)))
    assert digest(given(printed, metric, files)) == kept(case, metric)


@pytest.mark.slow
@each_call
def test_same_as_printed_beside(metric, files, printed):
    """The texts themselves, so that a difference can be read."""
    if not find_scorer(metric):
        pytest.skip("no variable names the scorer of this metric")
    ours, theirs = (given(call, metric, files) for call in (printed, printed_by_scorer))
    assert ours == theirs
