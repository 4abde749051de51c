"""TiMBL in its own process: what it decides, keeps, and does when things go wrong."""

from __future__ import annotations

import sys
import tempfile

import numpy as np
import pytest
from resolver.learners.pairs import TimblItself, assert_same, instances_of, skewed

from cistell.learners import timbl, timbl_worker
from cistell.learners.ib1 import load_ib1
from cistell.learners.timbl import (
    INSTANCES,
    PROBE,
    WEIGHTS,
    learn_timbl,
    load_timbl,
)
from corefkit.exceptions import CorefkitError, SettingsError

pytest.importorskip("timblapi")

PAIRS = skewed(0, 700)
ROWS = skewed(1, 1500, positive=0.5).rows


@pytest.fixture(scope="module")
def classifier():
    return learn_timbl(PAIRS)


def bits(decisions):
    return [
        array.tobytes()
        for array in (decisions.positive, decisions.distance, decisions.probability)
    ]


def test_decisions_are_those_of_the_binding(classifier):
    found = classifier.decide(ROWS)
    assert bits(found) == bits(TimblItself(PAIRS).decide(ROWS))
    assert 0 < found.positive.mean() < 1


@pytest.mark.parametrize("cores", [1, 3])
@pytest.mark.slow
def test_chunks_are_shared_among_cores_and_no_answer_is_lost(
    classifier, monkeypatch, cores
):
    monkeypatch.setattr(timbl, "_cores", lambda: cores)
    rows = skewed(2, 20_000, positive=0.5).rows
    assert len(np.unique(rows, axis=0)) > 3 * timbl_worker._CHUNK
    assert bits(classifier.decide(rows)) == bits(
        load_ib1(classifier.files(), PAIRS.columns).decide(rows)
    )
    assert bits(classifier.decide(ROWS)) == bits(TimblItself(PAIRS).decide(ROWS))


def test_weights_are_gain_ratios(classifier):
    expected = TimblItself(PAIRS).weights
    assert list(classifier.weights.values()) == pytest.approx(expected, rel=1e-9)
    assert list(classifier.weights) == [column.name for column in PAIRS.columns]


def test_model_decides_the_same_when_it_is_loaded(classifier):
    loaded = load_timbl(classifier.files(), PAIRS.columns)
    assert bits(loaded.decide(ROWS)) == bits(classifier.decide(ROWS))
    assert loaded.files() == classifier.files()
    assert loaded.weights == classifier.weights


def test_same_pairs_give_the_same_bytes(classifier):
    assert learn_timbl(PAIRS, seed=1).files() == classifier.files()


def test_ib1_takes_over_what_timbl_keeps(classifier):
    taken = load_ib1(classifier.files(), PAIRS.columns)
    assert_same(taken.decide(ROWS), classifier.decide(ROWS))


@pytest.mark.parametrize(
    "options", [{"metric": "value-difference", "decay": "inverse"}]
)
def test_other_options_are_kept(options):
    classifier = learn_timbl(PAIRS, k=5, **options)
    loaded = load_timbl(classifier.files(), PAIRS.columns)
    found = loaded.decide(ROWS)
    assert bits(found) == bits(classifier.decide(ROWS))
    assert bits(found) != bits(learn_timbl(PAIRS, k=5).decide(ROWS))
    with pytest.raises(CorefkitError, match="value-difference"):
        load_ib1(classifier.files(), PAIRS.columns)


@pytest.mark.parametrize("options", [{"metric": "cosine"}, {"decay": "slow"}])
def test_unknown_options_are_refused(options):
    with pytest.raises(SettingsError, match=r"has no '(cosine|slow)'"):
        learn_timbl(PAIRS, **options)


def test_feature_with_one_value_is_no_hindrance():
    instances = instances_of([[0, 0], [0, 0], [0, 0]], [True, False, False])
    found = learn_timbl(instances).decide(np.array([[0, 1]], dtype=np.uint8))
    assert (found.positive.tolist(), found.distance.tolist()) == ([False], [0.0])


def test_no_rows_give_no_decisions(classifier):
    assert len(classifier.decide(ROWS[:0]).positive) == 0


def test_nothing_is_printed(capfd):
    learn_timbl(PAIRS).decide(ROWS[:10])
    assert capfd.readouterr() == ("", "")


def test_batch_leaves_no_file(classifier, monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    classifier.decide(ROWS)
    assert list(tmp_path.iterdir()) == []


class TestDamage:
    """The sha256 of a model file would find all of this: here TiMBL itself sees it."""

    def damaged(self, classifier, part, body):
        with pytest.raises(CorefkitError) as error:
            load_timbl({**classifier.files(), part: body}, PAIRS.columns)
        assert "train it again" in error.value.hint
        return error.value.message

    @pytest.mark.parametrize("share", [0.0, 0.002, 0.1, 0.5, 0.9, 0.999])
    def test_instances_that_end_early(self, classifier, share):
        body = classifier.files()[INSTANCES]
        cut = body[: int(share * len(body))]
        assert "TiMBL" in self.damaged(classifier, INSTANCES, cut)

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            (b"# Permutation: < ", b"# Permutation: < 99, "),
            (b"# Version 4", b"# Version 1"),
            (b"{", b"["),
            (b"\n]", b"\n"),
            (b"\n2\tp", b"\n2\tq"),
        ],
    )
    def test_instances_that_were_altered(self, classifier, old, new):
        body = classifier.files()[INSTANCES]
        assert old in body
        self.damaged(classifier, INSTANCES, body.replace(old, new, 1))

    def test_instances_of_another_model(self, classifier):
        other = learn_timbl(skewed(9, 700)).files()[INSTANCES]
        message = self.damaged(classifier, INSTANCES, other)
        assert message == f"the model's part {INSTANCES} is missing or damaged"

    def test_weights_of_another_model(self, classifier):
        other = learn_timbl(skewed(9, 700)).files()[WEIGHTS]
        self.damaged(classifier, WEIGHTS, other)

    def test_weights_that_are_none(self, classifier):
        message = self.damaged(classifier, WEIGHTS, b"no weights")
        assert message.startswith("TiMBL cannot read the instances of this model; it")

    @pytest.mark.parametrize("part", [INSTANCES, WEIGHTS, PROBE, "memory.json"])
    def test_missing_part(self, classifier, part):
        files = {**classifier.files()}
        del files[part]
        with pytest.raises(CorefkitError, match=f"{part} is missing"):
            load_timbl(files, PAIRS.columns)


def test_process_that_stops_is_an_error(classifier):
    with pytest.raises(CorefkitError, match="stopped while it was deciding; it said"):
        classifier.decide(ROWS[:, :3])


def test_failure_to_learn_is_an_error(monkeypatch):
    monkeypatch.setattr(sys, "executable", "false")
    with pytest.raises(CorefkitError, match="TiMBL failed to learn") as error:
        learn_timbl(PAIRS)
    assert "ib1" in error.value.hint


def test_missing_binding_is_named(monkeypatch, classifier):
    monkeypatch.setitem(sys.modules, "timblapi", None)
    for call in (
        lambda: load_timbl(classifier.files(), PAIRS.columns),
        lambda: learn_timbl(PAIRS),
    ):
        with pytest.raises(CorefkitError, match="not installed") as error:
            call()
        assert "corefkit[timbl]" in error.value.hint


def test_crash_is_an_error_in_words(classifier, monkeypatch, tmp_path):
    crashing = "import os\nclass TimblAPI:\n    def __init__(self, *_): os.abort()\n"
    (tmp_path / "timblapi.py").write_text(crashing)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(CorefkitError, match="cannot read the instances") as error:
        classifier.decide(ROWS)
    assert "train it again" in error.value.hint
