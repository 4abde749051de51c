"""The metric of torchmetrics: alone, in collections, and in several processes."""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import corefkit

pytestmark = pytest.mark.integration
torch = pytest.importorskip("torch", reason="needs torch")
torchmetrics = pytest.importorskip("torchmetrics", reason="needs torchmetrics")

from integrations.gathering import KEY, RESPONSES  # noqa: E402

from corefkit.integrations.torch import CoreferenceMetric  # noqa: E402

WHOLE = corefkit.score([KEY] * len(RESPONSES), RESPONSES)


def values(scores):
    return {name: value.item() for name, value in scores.items()}


def updated(*responses, **keywords):
    metric = CoreferenceMetric(**keywords)
    for response in responses or RESPONSES:
        metric.update(preds=[response], target=[KEY])
    return metric


def test_scores_are_those_of_all_documents_at_once():
    assert values(updated().compute()) == WHOLE.to_flat()


def test_names_can_have_a_prefix():
    assert values(updated(prefix="val").compute()) == WHOLE.to_flat(prefix="val")


def test_batches_do_not_matter():
    metric = CoreferenceMetric()
    metric.update(RESPONSES[:2], [KEY, KEY])
    metric.update(RESPONSES[2:], [KEY, KEY, KEY])
    assert values(metric.compute()) == WHOLE.to_flat()


def test_response_comes_first_as_in_torchmetrics():
    metric = CoreferenceMetric(metrics="mentions")
    metric.update([[[(0, 1)]]], [[[(0, 1), (4, 4)]]])
    scores = values(metric.compute())
    assert (scores["mentions_recall"], scores["mentions_precision"]) == (0.5, 1)


def test_settings_and_options_are_told_apart():
    metric = updated(metrics="lea", singletons="drop", sync_on_compute=False)
    assert metric.sync_on_compute is False
    expected = corefkit.score(
        [KEY] * 5, RESPONSES, metrics="lea", singletons="drop"
    ).to_flat(separator="_")
    assert values(metric.compute()) == expected
    with pytest.raises(ValueError, match="singleton"):
        CoreferenceMetric(singleton="drop")
    with pytest.raises(corefkit.SettingsError):
        CoreferenceMetric(singletons="dorp")
    with pytest.raises(corefkit.SettingsError):
        CoreferenceMetric(metrics="mucc")


def test_tensors_are_spans():
    spans = torch.tensor([[0, 1], [4, 4]])
    metric = CoreferenceMetric()
    metric.update([[spans]], [[[(0, 1), (4, 4)]]])
    assert metric.compute()["lea_f1"] == 1


def test_documents_have_ids():
    metric = CoreferenceMetric()
    metric.update({"a": RESPONSES[0]}, {"a": KEY})
    metric.update({"b": RESPONSES[1]}, {"b": KEY})
    assert metric.evaluation().documents == ("a", "b")
    metric.update({"b": RESPONSES[1]}, {"b": KEY})
    with pytest.raises(corefkit.PairingError):
        metric.compute()


def test_empty_documents_are_counted():
    metric = CoreferenceMetric()
    metric.update([[], []], [[], []])
    metric.update([[]], [KEY])
    assert len(metric.evaluation().documents) == 3


def test_broken_update_counts_for_nothing():
    metric = updated()
    with pytest.raises(corefkit.FormatError, match="found one document"):
        metric.update(RESPONSES[0], KEY)
    with pytest.raises(corefkit.PairingError):
        metric.update(RESPONSES[:1], [KEY, KEY])
    assert len(metric.evaluation().documents) == len(RESPONSES)


def test_forward_gives_the_scores_of_the_batch():
    metric = CoreferenceMetric()
    for response in RESPONSES:
        alone = corefkit.score({"d": KEY}, {"d": response}).to_flat(separator="_")
        assert values(metric([response], [KEY])) == alone
    assert values(metric.compute()) == WHOLE.to_flat()


def test_reset_forgets():
    metric = updated()
    metric.reset()
    metric.update(RESPONSES[:1], [KEY])
    assert len(metric.evaluation().documents) == 1


@pytest.mark.filterwarnings("ignore:The ``compute`` method", "ignore:.* to score")
def test_without_documents_all_is_zero():
    scores = values(CoreferenceMetric().compute())
    assert set(scores) == set(WHOLE.to_flat())
    assert set(scores.values()) == {0}


@pytest.mark.parametrize(
    "copied",
    [
        lambda metric: metric.clone(),
        copy.deepcopy,
        lambda metric: pickle.loads(pickle.dumps(metric)),
    ],
    ids=["clone", "deepcopy", "pickle"],
)
def test_copies_go_on_alone(copied):
    metric = updated(*RESPONSES[:2])
    other = copied(metric)
    for response in RESPONSES[2:]:
        other.update([response], [KEY])
    assert values(other.compute()) == WHOLE.to_flat()
    assert len(metric.evaluation().documents) == 2


@pytest.mark.filterwarnings("ignore:The ``compute`` method")
def test_state_is_stored_where_it_is_asked_for():
    metric = updated()
    assert metric.state_dict() == {}
    metric.persistent(mode=True)
    other = CoreferenceMetric()
    other.persistent(mode=True)
    other.load_state_dict(metric.state_dict())
    assert values(other.compute()) == WHOLE.to_flat()


def test_state_is_merged():
    metric = updated(*RESPONSES[:2])
    metric.merge_state(updated(*RESPONSES[2:]))
    assert len(metric.evaluation().documents) == len(RESPONSES)


def test_types_of_other_metrics_do_not_touch_the_state():
    metric = updated().to("cpu").half().double().set_dtype(torch.float16)
    assert metric.dtype is torch.uint8
    assert {part.dtype for part in metric.counted} == {torch.uint8}
    assert values(metric.compute()) == WHOLE.to_flat()


def test_collection_keeps_other_settings_apart():
    collection = torchmetrics.MetricCollection(
        {
            "keep": CoreferenceMetric(metrics="lea"),
            "drop": CoreferenceMetric(metrics="lea", singletons="drop"),
            "again": CoreferenceMetric(metrics="lea"),
        },
        prefix="val_",
    )
    for response in RESPONSES:
        collection.update(preds=[response], target=[KEY])
    scores = values(collection.compute())
    for name in ("keep", "drop"):
        expected = corefkit.score([KEY] * 5, RESPONSES, metrics="lea", singletons=name)
        assert scores[f"val_{name}_lea_f1"] == expected["lea"].f1
    assert scores["val_again_lea_f1"] == scores["val_keep_lea_f1"]
    assert scores["val_drop_lea_f1"] != scores["val_keep_lea_f1"]


def test_metrics_of_ones_own():
    own = corefkit.lea_with(lambda entity: len(entity) ** 2, name="lea_square")
    metric = updated(metrics=[own])
    expected = corefkit.score([KEY] * 5, RESPONSES, metrics=[own])
    assert values(metric.compute()) == expected.to_flat(separator="_")


def test_collection_keeps_metrics_of_ones_own_apart():
    """Both are called `lea_own`, and count the same in the first batch."""
    collection = torchmetrics.MetricCollection(
        {
            "flat": CoreferenceMetric(metrics=[corefkit.lea_with(lambda _: 1)]),
            "size": CoreferenceMetric(metrics=[corefkit.lea_with(len)]),
        }
    )
    collection.update([[]], [[]])
    collection.update(RESPONSES, [KEY] * len(RESPONSES))
    scores = values(collection.compute())
    assert scores["size_lea_own_f1"] == WHOLE["lea"].f1
    assert scores["flat_lea_own_f1"] != scores["size_lea_own_f1"]


def test_what_misleads_is_a_warning():
    exclusive = [[(start, end + 1) for start, end in entity] for entity in KEY]
    metric = CoreferenceMetric()
    metric.update([exclusive], [KEY])
    metric.update([exclusive], [KEY])
    with pytest.warns(UserWarning, match="match the key's") as warned:
        metric.compute()
    assert [str(warning.message) for warning in warned] == [
        "response: 0 of its 10 mentions match the key's 10",
        "last batch: response: 0 of its 5 mentions match the key's 5: with its ends "
        "taken as exclusive, 100.0 % of mentions would match; `corefkit doctor` scores "
        "possible fixes",
    ]


@pytest.mark.filterwarnings("error")
def test_batches_in_which_nothing_is_found_are_usual():
    metric = CoreferenceMetric()
    assert metric([[]], [KEY])["lea_f1"] == 0
    metric(RESPONSES[:1], [KEY])
    metric.compute()


def test_window_of_the_last_updates():
    running = torchmetrics.wrappers.Running(CoreferenceMetric(), window=2)
    for response in RESPONSES:
        running.update([response], [KEY])
    last = corefkit.score([KEY] * 2, RESPONSES[-2:]).to_flat(separator="_")
    assert values(running.compute()) == last
    alone = CoreferenceMetric()
    running = torchmetrics.wrappers.Running(alone, window=2)
    for response in RESPONSES:
        running([response], [KEY])
    assert values(running.compute()) == last


@pytest.mark.filterwarnings(
    "ignore:.*has no mention to score", "ignore:.*match the key"
)
def test_best_of_several_epochs():
    collection = torchmetrics.MetricCollection([CoreferenceMetric(metrics="lea")])
    tracker = torchmetrics.wrappers.MetricTracker(collection, maximize=True)
    for response in RESPONSES:
        tracker.increment()
        tracker.update([response], [KEY])
    scores = [
        corefkit.score({"d": KEY}, {"d": response})["lea"].f1 for response in RESPONSES
    ]
    best, epoch = tracker.best_metric(return_step=True)
    assert best["lea_f1"] == max(scores)
    assert epoch["lea_f1"] == scores.index(max(scores))
    assert tracker.compute_all()["lea_f1"].tolist() == scores


def test_tensors_that_are_filled_up_are_refused():
    spans = torch.tensor([[0, 1], [4, 4], [-1, -1]])
    for mentions in (spans, spans.tolist(), list(map(tuple, spans.tolist()))):
        with pytest.raises(corefkit.FormatError, match="expected 0 <= first <= last"):
            CoreferenceMetric().update([[mentions]], [[mentions]])


def test_stored_state_of_others_is_refused():
    metric = updated(metrics="lea")
    metric.persistent(mode=True)
    for keywords in ({"metrics": "muc"}, {"metrics": "lea", "singletons": "drop"}):
        other = CoreferenceMetric(**keywords)
        other.load_state_dict(metric.state_dict())
        with pytest.raises(corefkit.SettingsError, match="expected"):
            other.evaluation()


def test_state_goes_through_a_file(tmp_path):
    metric = updated(*RESPONSES[:2])
    metric.persistent(mode=True)
    torch.save(metric.state_dict(), tmp_path / "state.pt")
    other = CoreferenceMetric()
    other.load_state_dict(torch.load(tmp_path / "state.pt", weights_only=True))
    other.update(RESPONSES[2:], [KEY] * 3)
    assert values(other.compute()) == WHOLE.to_flat()


def test_processes_gather_what_they_counted(tmp_path):
    """All of them compute the same; one that has no documents does too."""
    processes = 3
    store, script = tmp_path / "store", Path(__file__).with_name("gathering.py")
    running = [
        subprocess.Popen([sys.executable, script, str(rank), str(processes), store])
        for rank in range(processes)
    ]
    assert [process.wait(timeout=120) for process in running] == [0] * processes
    found = [
        json.loads(Path(f"{store}.{rank}").read_text("utf-8"))
        for rank in range(processes)
    ]
    expected = WHOLE.to_flat()
    muc = {name: value for name, value in expected.items() if name.startswith("muc")}
    more = corefkit.score(
        [KEY] * (5 + processes), [*RESPONSES, *RESPONSES[:1] * processes]
    )
    for rank, one in enumerate(found):
        assert one["scores"] == expected
        assert {name: one["both"][f"muc_{name}"] for name in muc} == muc
        assert one["documents"] == len(RESPONSES)
        assert one["signature"] == WHOLE.signature
        assert one["more"] == more["mentions"].recall
        assert (one["updates"] == 0) == (rank == processes - 1)
        assert one["own"] == [
            corefkit.score({"d": KEY}, {"d": response})["lea"].f1
            for response in RESPONSES[rank :: processes - 1][: one["updates"]]
        ]
