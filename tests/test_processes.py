"""Several processes count what one counts, in every bit."""

from __future__ import annotations

import gzip
import multiprocessing
import os
import signal
import time
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefkit
from corefkit import processes
from corefkit.exceptions import CorefkitError
from corefkit.metrics import METRICS
from corefkit.processes import in_order

SETTINGS = [
    {},
    {"singletons": "drop"},
    {"average": "macro"},
    {"preset": "conll2012"},
    {"match": "head"},
    {"repeated": "first"},
]


def corpora(documents, *, seed):
    """Make a key and a response of many small documents."""
    random = np.random.default_rng(seed)
    sides = {}, {}
    for number in range(documents):
        size = int(random.integers(1, 12))
        for side in sides:
            entity = random.integers(0, 4, size)
            side[f"d{number}"] = [
                [(at, at) for at in np.flatnonzero(entity == each).tolist()]
                for each in range(4)
                if (entity == each).any()
            ]
    return sides


def written(sides, folder):
    """Write both sides as CoNLL-2012."""
    paths = []
    for name, side in zip(("key", "response"), sides, strict=True):
        paths.append(folder / f"{name}.conll")
        corefkit.write(side, paths[-1])
    return paths


def same(one, other):
    """Check that two results are the same in every bit."""
    assert one.documents == other.documents
    assert {**one.scores} == {**other.scores}
    for name, rows in one.counts.items():
        assert np.array_equal(rows, other.counts[name])
    assert np.array_equal(one.prints, other.prints)
    assert one.signature == other.signature
    assert (one.notes, one.warnings, one.missing, one.repetitions) == (
        other.notes,
        other.warnings,
        other.missing,
        other.repetitions,
    )


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
@pytest.mark.parametrize("kernel", ["auto", "off"])
def test_files_counted_by_processes_have_the_same_counts(
    tmp_path, monkeypatch, settings, kernel
):
    monkeypatch.setenv("COREFKIT_KERNEL", kernel)
    paths = written(corpora(40, seed=1), tmp_path)
    alone = corefkit.score(*paths, **settings)
    for jobs in (2, 5):
        same(alone, corefkit.score(*paths, jobs=jobs, **settings))


def test_more_processes_than_documents(tmp_path):
    paths = written(corpora(2, seed=2), tmp_path)
    same(corefkit.score(*paths), corefkit.score(*paths, jobs=9))


def test_inputs_in_memory_and_metrics_of_ones_own_are_not_sent():
    key, response = corpora(30, seed=3)
    own = replace(METRICS["muc"], name="own", count=lambda t: METRICS["muc"].count(t))
    given = {"metrics": ["b_cubed", own]}
    same(
        corefkit.score(key, response, **given),
        corefkit.score(key, response, jobs=2, **given),
    )


def test_mentions_that_are_names():
    key = {str(number): ["abc", "de"] for number in range(9)}
    response = {str(number): ["ab", "cde"] for number in range(9)}
    same(corefkit.score(key, response), corefkit.score(key, response, jobs=3))


def test_packed_files_are_read_by_all_processes(tmp_path):
    paths = written(corpora(60, seed=4), tmp_path)
    packed = []
    for path in paths:
        packed.append(path.with_suffix(".gz"))
        packed[-1].write_bytes(gzip.compress(path.read_bytes()))
    alone, many = (corefkit.score(*packed, jobs=jobs) for jobs in (1, 4))
    same(alone, many)


def test_missing_documents_repeats_and_notes_are_told_alike():
    key, response = corpora(24, seed=5)
    for number in (0, 7, 23):
        del response[f"d{number}"]
    for number in (3, 15):
        response[f"d{number}"] = [[(0, 0)], [(0, 0), (1, 1)]]
    same(corefkit.score(key, response), corefkit.score(key, response, jobs=4))


def test_several_responses_share_the_key_whose_repeats_count_once():
    key, response = corpora(20, seed=6)
    key["d1"] = [[(0, 0)], [(0, 0), (1, 1)]]
    together = corefkit.score_responses(key, [response, key])
    for one, other in zip(
        together, corefkit.score_responses(key, [response, key], jobs=3), strict=True
    ):
        same(one, other)


def test_a_broken_response_is_left_out_and_others_go_on(tmp_path):
    key, response = written(corpora(30, seed=7), tmp_path)
    broken = tmp_path / "broken.conll"
    lines = response.read_text().splitlines(keepends=True)
    at = next(
        row for row in range(len(lines) // 2, len(lines)) if lines[row].endswith(")\n")
    )
    lines[at] = lines[at].rstrip()[:-1] + "\n"
    broken.write_text("".join(lines))
    for jobs in (1, 3):
        one, other = corefkit.score_submissions(key, [broken, response], jobs=jobs)
        assert isinstance(one, corefkit.Refused)
        assert one.error.place.startswith(str(broken))
        same(other, corefkit.score(key, response))
    with pytest.raises(corefkit.FormatError) as alone:
        corefkit.score(key, broken)
    with pytest.raises(corefkit.FormatError) as many:
        corefkit.score(key, broken, jobs=3)
    assert str(alone.value) == str(many.value)


def test_a_process_that_dies_is_an_error_in_words(monkeypatch):
    def die(*_):
        os.kill(os.getpid(), signal.SIGKILL)

    monkeypatch.setattr(processes, "_counted_part", die)
    with pytest.raises(corefkit.CorefkitError, match=r"a process .* died"):
        corefkit.score(*corpora(8, seed=8), jobs=2)


@pytest.mark.parametrize("jobs", [0, -1, "2", 1.5])
def test_jobs_are_one_or_more(jobs):
    with pytest.raises(corefkit.SettingsError, match="1 or more"):
        corefkit.score(["ab"], ["ab"], jobs=jobs)


@given(st.lists(st.integers(0, 9), max_size=30), st.integers(1, 12))
def test_stretches_cover_all_documents_once(sizes, most):
    bounds = list(processes._stretches(sizes, most))
    assert len(bounds) <= most
    assert [row for pair in bounds for row in range(*pair)] == list(range(len(sizes)))
    assert all(first < last for first, last in bounds)


def endless(task):
    """Fail at once for one task, and never end for the others."""
    if task == 0:
        message = "the first cannot be done"
        raise CorefkitError(message)
    while True:
        time.sleep(0.01)


@pytest.mark.skipif(
    "fork" not in multiprocessing.get_all_start_methods(), reason="it cannot fork"
)
class TestInOrder:
    def test_nobody_waits_for_others_after_an_error(self):
        with pytest.raises(CorefkitError, match="the first cannot"):
            list(in_order(endless, range(3), jobs=3))
        assert multiprocessing.active_children() == []

    def test_nobody_waits_where_the_rest_is_not_wanted(self):
        rows = in_order(lambda task: task or endless(1), [5, 0], jobs=2)
        assert next(rows) == 5
        rows.close()
        assert multiprocessing.active_children() == []

    def test_tasks_are_taken_as_they_are_needed(self):
        taken = []

        def tasks():
            for number in range(100):
                taken.append(number)
                yield number

        rows = in_order(str, tasks(), jobs=2)
        assert next(rows) == "0"
        assert len(taken) < 20
        assert list(rows) == [str(number) for number in range(1, 100)]
