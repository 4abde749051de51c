"""Calls from several threads and processes return the results of single calls."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
import sys
import threading
import warnings
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest
from neural.random_models import make_resolver

import corefkit
from corefkit import Evaluator
from corefkit import strings as colours

THREADS = 8
INPUTS = 4  # different inputs, so that mixed-up calls show


@pytest.fixture(autouse=True)
def switch_threads_often():
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Write pairs of a key and a response, each pair with other mentions."""
    folder = tmp_path_factory.mktemp("pairs")
    pairs = []
    for seed in range(INPUTS):
        random = np.random.default_rng(seed)
        pair = []
        for role in ("key", "response"):
            documents = {}
            for number in range(6 + seed):
                entity = random.integers(0, 5, 20 + seed)
                documents[f"d{number}"] = [
                    [(at, at) for at in np.flatnonzero(entity == each).tolist()]
                    for each in range(5)
                    if (entity == each).any()
                ]
            pair.append(str(folder / f"{seed}.{role}.conll"))
            corefkit.write(documents, pair[-1])
        pairs.append(tuple(pair))
    return pairs


def score_files(pair):
    return freeze(corefkit.score(*pair))


def score_memory(pair):
    key, response = ([*corefkit.read(path)] for path in pair)
    return freeze(corefkit.score(key, response))


def freeze(result):
    """Return everything that a result holds, in a form that can be compared."""
    counts = {name: rows.tolist() for name, rows in result.counts.items()}
    scores = {**result.scores}
    return result.documents, counts, scores, result.prints.tolist(), result.notes


def compare_files(pair):
    key, response = pair
    return str(corefkit.compare(key, [response, key], samples=50))


def analyse_errors(pair):
    return str(corefkit.errors(*pair))


def write_report(pair):
    key, response = pair
    return corefkit.make_report(key, {"system": response}, samples=50).to_html()


def explain_files(pair):
    return str(corefkit.explain(*pair, metric="muc"))


def examine_files(pair):
    return str(corefkit.doctor(*pair))


def read_files(pair):
    return [list(corefkit.read(path)) for path in pair]


CALLS = [
    score_files,
    score_memory,
    compare_files,
    analyse_errors,
    write_report,
    explain_files,
    examine_files,
    read_files,
]
QUICK_CALLS = (score_files, score_memory, read_files)


def run_in_threads(function, arguments):
    """Call a function from threads that start at the same moment."""
    barrier = threading.Barrier(THREADS)

    def start(number):
        barrier.wait()
        return [function(argument) for argument in roll(arguments, number)]

    with ThreadPoolExecutor(THREADS) as threads:
        return list(threads.map(start, range(THREADS)))


def roll(items, number):
    at = number % len(items)
    return [*items[at:], *items[:at]]


@pytest.mark.parametrize(
    "call",
    [
        call if call in QUICK_CALLS else pytest.param(call, marks=pytest.mark.slow)
        for call in CALLS
    ],
)
def test_threads_return_the_results_of_single_calls(call, files):
    expected = [call(pair) for pair in files]
    for number, results in enumerate(run_in_threads(call, files)):
        assert results == roll(expected, number)


@pytest.mark.slow
@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes_return_the_results_of_single_calls(call, method, files):
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip("the system lacks this start method")
    expected = [call(pair) for pair in files]
    context = multiprocessing.get_context(method)
    with ProcessPoolExecutor(2, mp_context=context) as pool:
        assert list(pool.map(call, files)) == expected


@pytest.mark.skipif(
    "fork" not in multiprocessing.get_all_start_methods(), reason="it cannot fork"
)
def test_process_forked_while_a_thread_scores_is_not_blocked():
    entered, resumed = threading.Semaphore(0), threading.Semaphore(0)

    class Name:
        def __hash__(self):
            entered.release()
            resumed.acquire()
            return 7

        def __eq__(self, other):
            return self is other

    def fork():
        child = context.Process(
            target=corefkit.score,
            args=(["abc"], ["ab"]),
            kwargs={"metrics": "muc"},
            daemon=True,
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # a thread runs
            child.start()
        child.join(60)
        child.kill()
        child.join()
        return child.exitcode

    corefkit.score(["abc"], ["ab"], metrics="muc")  # imports all modules
    context = multiprocessing.get_context("fork")
    name = Name()
    thread = threading.Thread(target=corefkit.score, args=([[name]], [[name]]))
    thread.start()
    codes = []
    while thread.is_alive():
        if entered.acquire(timeout=0.1):
            try:
                codes.append(fork())
            finally:
                resumed.release()
    assert set(codes) == {0}


class TestEvaluator:
    def test_threads_share_one_evaluator(self):
        evaluator = Evaluator()

        def update(number):
            for at in range(500):
                name = f"{number}-{at}"
                evaluator.update(["abc", "de"], ["ab", "cde"], document=name)

        with ThreadPoolExecutor(THREADS) as threads:
            list(threads.map(update, range(THREADS)))
        result = evaluator.compute()
        names = {f"{number}-{at}" for number in range(THREADS) for at in range(500)}
        assert evaluator.document_count == len(result.documents) == len(names)
        assert set(result.documents) == names
        key = {name: ["abc", "de"] for name in result.documents}
        response = {name: ["ab", "cde"] for name in result.documents}
        assert freeze(result)[:3] == freeze(corefkit.score(key, response))[:3]

    def test_documents_without_ids_are_numbered_once(self):
        evaluator = Evaluator(metrics="muc")

        def update(_):
            for _ in range(300):
                evaluator.update(["abc"], ["ab"])

        with ThreadPoolExecutor(THREADS) as threads:
            list(threads.map(update, range(THREADS)))
        numbers = tuple(map(str, range(300 * THREADS)))
        assert evaluator.compute().documents == numbers

    def test_compute_scores_complete_updates(self):
        evaluator = Evaluator(metrics="muc")

        def update(number):
            for at in range(300):
                batch = {f"{number}-{at}{letter}": ["abc"] for letter in "xy"}
                evaluator.update(batch, batch)

        with ThreadPoolExecutor(THREADS) as threads:
            updates = [threads.submit(update, number) for number in range(THREADS)]
            while not all(each.done() for each in updates):
                result = evaluator.compute()
                assert len(result.documents) % 2 == 0
                assert len({*result.documents}) == len(result.documents)
                if result.documents:
                    assert len(result.counts["muc"]) == len(result.documents)
            for each in updates:
                each.result()
        assert evaluator.document_count == 600 * THREADS

    def test_one_evaluator_for_each_thread(self, files):
        def evaluate(pair):
            evaluator = Evaluator()
            key, response = ([*corefkit.read(path)] for path in pair)
            for ours, theirs in zip(key, response, strict=True):
                evaluator.update([ours], [theirs])
            return freeze(evaluator.compute())

        expected = [evaluate(pair) for pair in files]
        for number, results in enumerate(run_in_threads(evaluate, files)):
            assert results == roll(expected, number)

    def test_evaluators_are_merged_into_each_other(self):
        for _ in range(50):
            first, second = Evaluator(metrics="muc"), Evaluator(metrics="muc")
            first.update(["abc"], ["ab"])
            second.update(["de"], ["de"])
            pairs = [(first, second), (second, first)]
            with ThreadPoolExecutor(2) as threads:
                list(threads.map(lambda pair: pair[0].merge(pair[1]), pairs))
            assert {first.document_count, second.document_count} == {2, 3}

    def test_updates_after_a_merge_leave_the_other_alone(self):
        evaluator, other = Evaluator(metrics="muc"), Evaluator(metrics="muc")
        other.update(["abc"], ["ab"], document="a")
        evaluator.merge(other)
        evaluator.update(["de"], ["de"], document="b")
        evaluator.compute()
        assert set(other._sample.key) == {"a"}
        assert other.compute().documents == ("a",)

    def test_lock_is_not_copied(self):
        evaluator = Evaluator(metrics="muc")
        evaluator.update(["abc"], ["ab"])
        for made in (pickle.loads(pickle.dumps(evaluator)), copy.deepcopy(evaluator)):
            made.update(["de"], ["de"])
            assert (evaluator.document_count, made.document_count) == (1, 2)
            assert made._lock is not evaluator._lock


def test_colours_of_a_command_do_not_reach_other_threads():
    before = colours.set_colours(True)
    try:
        with ThreadPoolExecutor(1) as threads:
            assert threads.submit(colours.bold, "60.47").result() == "60.47"
        assert colours.bold("60.47") != "60.47"
    finally:
        colours.set_colours(before)


TEXTS = [
    "Ann met Bob. She gave him a book, and he thanked her for it.",
    "The mill burned down. Its owner wept, but the firemen saved her house.",
    "The Smiths moved to Leeds. They like the city, which they know well.",
]


def test_threads_share_one_resolver():
    expected = [make_resolver().resolve_text(text) for text in TEXTS]
    shared = make_resolver()
    for number, results in enumerate(run_in_threads(shared.resolve_text, TEXTS)):
        assert results == roll(expected, number)
