"""The module for `evaluate`: loaded from its folder, without the network."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys

import pytest

import corefkit
from corefkit.integrations.huggingface import module

pytestmark = pytest.mark.integration
evaluate = pytest.importorskip("evaluate", reason="needs evaluate")

KEY = [[[0, 1], [4, 4], [6, 7]], [[2, 2], [9, 9]]]
RESPONSE = [[[0, 1], [4, 4]], [[2, 2], [9, 9]]]
WHOLE = corefkit.score([KEY, KEY, []], [RESPONSE, [], KEY])
LINES = ["d 0 0 Ann (1)", "d 0 1 saw -", "d 0 2 her (1)"]
PROCESS = f"""
import json, sys
import evaluate
from corefkit.integrations.huggingface import module

rank, folder = int(sys.argv[1]), sys.argv[2]
mine = [[{RESPONSE}, []], [{KEY}]][rank]
keys = [[{KEY}, {KEY}], [[]]][rank]
place = {{"num_process": 2, "process_id": rank, "experiment_id": "one"}}
coreference = evaluate.load(module(), cache_dir=folder, **place)
coreference.add_batch(predictions=mine, references=keys)
print(json.dumps(coreference.compute()))
"""


@pytest.fixture(autouse=True)
def offline(tmp_path, monkeypatch):
    """Keep all files of the library in a folder of the test, and the network away."""

    def refuse(_, address):
        pytest.fail(f"asked the network for {address}")

    monkeypatch.setattr("socket.socket.connect", refuse)
    monkeypatch.setattr("evaluate.config.HF_MODULES_CACHE", str(tmp_path / "modules"))
    monkeypatch.setattr("evaluate.config.HF_METRICS_CACHE", str(tmp_path / "metrics"))


@pytest.fixture
def coreference():
    return evaluate.load(module())


def test_compute(coreference):
    scores = coreference.compute(
        predictions=[RESPONSE, [], KEY], references=[KEY, KEY, []]
    )
    assert scores == {**WHOLE.to_flat(), "signature": WHOLE.signature}


def test_documents_are_added(coreference):
    coreference.add(prediction=RESPONSE, reference=KEY)
    coreference.add_batch(predictions=[[], KEY], references=[KEY, []])
    assert len(coreference) == 3
    assert coreference.compute()["lea_f1"] == WHOLE["lea"].f1


def test_first_document_may_be_empty(coreference):
    coreference.add_batch(predictions=[[], KEY], references=[[], KEY])
    assert coreference.compute()["lea_f1"] == 1


def test_metrics_and_settings(coreference):
    both = {"predictions": [RESPONSE], "references": [KEY]}
    scores = coreference.compute(**both, metrics="lea", singletons="drop")
    assert set(scores) == {"lea_recall", "lea_precision", "lea_f1", "signature"}
    assert "singletons:drop" in scores["signature"]
    with pytest.raises(
        corefkit.SettingsError, match="unknown setting 'keep_singletons'"
    ):
        coreference.compute(**both, keep_singletons=False)


def test_configuration_is_a_preset():
    loaded = evaluate.load(module(), "conll2012")
    scores = loaded.compute(predictions=[LINES], references=[LINES])
    assert "repeated:reference" in scores["signature"]
    with pytest.raises(corefkit.SettingsError, match="conll2021"):
        evaluate.load(module(), "conll2021")


def test_lines_of_conll(coreference):
    scores = coreference.compute(predictions=[LINES], references=[LINES])
    assert scores["conll_f1"] == 1
    coreference.add_batch(predictions=[LINES], references=[LINES])
    assert coreference.compute(metrics="muc")["muc_f1"] == 1


def test_arrays_and_tensors(coreference):
    numpy, torch = pytest.importorskip("numpy"), pytest.importorskip("torch")
    spans = [[0, 1], [4, 4]]
    scores = coreference.compute(
        predictions=[[numpy.array(spans)]], references=[[torch.tensor(spans)]]
    )
    assert scores["lea_f1"] == 1


def test_processes_gather_their_documents(tmp_path):
    """As `evaluate` does it: through files, and the first process has the scores."""
    running = [
        subprocess.Popen(
            [sys.executable, "-c", PROCESS, str(rank), tmp_path],
            env={**os.environ, "HF_HOME": str(tmp_path), "HF_HUB_OFFLINE": "1"},
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )
        for rank in (0, 1)
    ]
    first, second = (process.communicate(timeout=300)[0] for process in running)
    assert json.loads(first) == {**WHOLE.to_flat(), "signature": WHOLE.signature}
    assert json.loads(second) is None


def test_combination_with_others(coreference):
    both = evaluate.combine(
        {"one": coreference, "other": evaluate.load(module())}, force_prefix=True
    )
    scores = both.compute(predictions=[RESPONSE], references=[KEY])
    expected = corefkit.score(KEY, RESPONSE)["lea"].f1
    assert scores["one_lea_f1"] == scores["other_lea_f1"] == expected


def test_results_are_saved(coreference, tmp_path):
    scores = coreference.compute(predictions=[RESPONSE], references=[KEY])
    path = evaluate.save(tmp_path / "scores.json", **scores)
    assert '"conll_f1"' in path.read_text("utf-8")


def test_what_misleads_is_logged(coreference, caplog):
    logging.getLogger("evaluate").propagate = True
    coreference.compute(predictions=[[[[0, 2], [4, 5], [6, 8]]]], references=[KEY[:1]])
    logging.getLogger("evaluate").propagate = False
    assert "with its ends taken as exclusive" in caplog.text


@pytest.mark.parametrize(
    "wrong",
    [
        [[[5, 3]]],
        [[[-1, 2]]],
        [[[-100, -100]]],
        [[[0, 1, 2]]],
        [[[0, None]]],
        [[0, 1]],
        [[None]],
        [None],
        None,
    ],
    ids=str,
)
def test_other_shapes_are_refused(coreference, wrong):
    with pytest.raises((corefkit.CorefkitError, ValueError)):
        coreference.compute(predictions=[wrong], references=[KEY])


def test_description_is_shown(coreference):
    assert coreference.name == "coreference"
    assert "CoNLL-2012" in coreference.inputs_description
    assert coreference.license == "Apache-2.0"
