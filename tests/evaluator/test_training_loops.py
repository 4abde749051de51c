"""The Python of the page on training loops: each block runs, libraries played."""

from __future__ import annotations

import pickle
import re
import subprocess
import sys
from types import ModuleType, SimpleNamespace

import pytest
from shared_files import ROOT

import corefkit

PAGE = ROOT / "docs" / "training-loops.md"
KEY = [[(0, 1), (2, 2)], [(4, 5), (7, 8), (9, 9)]]
RESPONSE = [[(0, 1), (2, 2), (4, 5)], [(9, 9)]]
BATCHES = [
    {"ids": ["a", "b"], "clusters": [KEY, KEY]},
    {"ids": ["c"], "clusters": [RESPONSE]},
]
WHOLE = corefkit.score(
    {"a": KEY, "b": KEY, "c": RESPONSE}, {"a": RESPONSE, "b": RESPONSE, "c": RESPONSE}
)


def block(part):
    """Find the block of the page that has some words in it."""
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text("utf-8"), re.M | re.S)
    (found,) = [text for text in blocks if part in text]
    return found


def predicted(batch):
    """Be a model: it finds the same in each document."""
    return [RESPONSE for _ in batch["ids"]]


class Distributed(ModuleType):
    """Be `torch.distributed`, with the states that other processes send."""

    others: tuple = ()

    def get_world_size(self):
        return 1 + len(self.others)

    def all_gather_object(self, objects, mine):
        objects[:] = [pickle.loads(pickle.dumps(one)) for one in (mine, *self.others)]


@pytest.fixture
def distributed(monkeypatch):
    torch, module = ModuleType("torch"), Distributed("torch.distributed")
    torch.distributed, torch.no_grad = module, lambda: lambda function: function
    monkeypatch.setitem(sys.modules, "torch", torch)
    monkeypatch.setitem(sys.modules, "torch.distributed", module)
    return module


def run(part, names=None):
    """Run a block, and return its names."""
    space = dict(names or {})
    exec(compile(block(part), str(PAGE), "exec"), space)
    return SimpleNamespace(**space)


@pytest.mark.usefixtures("distributed")
def test_validation():
    class Model:
        def eval(self):
            self.asked = True

        def __call__(self, batch):
            return predicted(batch)

    result = run("def validate").validate(Model(), BATCHES)
    assert result.scores == WHOLE.scores


def test_several_processes(distributed):
    evaluators = [corefkit.Evaluator() for _ in BATCHES]
    for evaluator, batch in zip(evaluators, BATCHES, strict=True):
        evaluator.update(
            dict(zip(batch["ids"], batch["clusters"], strict=True)),
            dict(zip(batch["ids"], predicted(batch), strict=True)),
        )
    distributed.others = (evaluators[1].state,)
    result = run("def merged").merged(evaluators[0]).compute()
    assert result.documents == WHOLE.documents
    assert result.scores == WHOLE.scores


def test_lightning():
    logged = {}

    class Module(run("class Validation", {"merged": lambda one: one}).Validation):
        def __call__(self, batch):
            return predicted(batch)

        def log_dict(self, values):
            logged.update(values)

    module = Module()
    module.on_validation_epoch_start()
    for number, batch in enumerate(BATCHES):
        module.validation_step(batch, number)
    module.on_validation_epoch_end()
    assert logged["val_conll_f1"] == WHOLE.conll


def test_trainer():
    names = run("def compute_metrics", {"decoded": lambda prediction: prediction})
    for _ in range(2):  # epochs
        assert names.compute_metrics(({"a": KEY}, {"a": RESPONSE}), False) == {}
        rest = {"b": KEY, "c": RESPONSE}, {"b": RESPONSE, "c": RESPONSE}
        found = names.compute_metrics(rest, compute_result=True)
        assert found["conll_f1"] == WHOLE.conll


@pytest.mark.slow
def test_multiprocessing(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(block("import Pool"), "utf-8")
    done = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, check=True
    )
    assert done.stdout == "1.0\n"
