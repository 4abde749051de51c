"""The Python of the page on training loops: each block runs, libraries played."""

from __future__ import annotations

import pickle
import re
import subprocess
import sys
from multiprocessing import get_context
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

    result = run("def validate(").validate(Model(), BATCHES)
    assert result.scores == WHOLE.scores


def test_several_processes(distributed, monkeypatch):
    data = ModuleType("torch.utils.data")
    data.DistributedSampler = PaddingSampler
    monkeypatch.setitem(sys.modules, "torch.utils", ModuleType("torch.utils"))
    monkeypatch.setitem(sys.modules, "torch.utils.data", data)
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


class PaddingSampler:
    """Repeat documents as `DistributedSampler` does without shuffling."""

    def __init__(self, documents, *, shuffle):
        assert not shuffle
        distributed = sys.modules["torch.distributed"]
        rank, size = distributed.get_rank(), distributed.get_world_size()
        padded = [*range(len(documents))]
        padded += padded[: -len(documents) % size]
        self.indices = padded[rank::size]

    def __iter__(self):
        return iter(self.indices)


class Gathering(ModuleType):
    """Gather objects of real processes over pipes, in the order of their ranks."""

    def __init__(self, rank, size, queues):
        super().__init__("torch.distributed")
        self.rank, self.size, self.queues = rank, size, queues

    def get_rank(self):
        return self.rank

    def get_world_size(self):
        return self.size

    def all_gather_object(self, objects, mine):
        for queue in self.queues:
            queue.put((self.rank, mine))
        sent = dict(self.queues[self.rank].get(timeout=60) for _ in self.queues)
        objects[:] = [sent[rank] for rank in range(self.size)]


def validate_in_process(rank, size, queues, results):
    torch, data = ModuleType("torch"), ModuleType("torch.utils.data")
    torch.distributed = Gathering(rank, size, queues)
    data.DistributedSampler = PaddingSampler
    sys.modules["torch"] = torch
    sys.modules["torch.distributed"] = torch.distributed
    sys.modules["torch.utils"] = ModuleType("torch.utils")
    sys.modules["torch.utils.data"] = data
    validate = run("def validate_distributed").validate_distributed
    result = validate(lambda _: RESPONSE, FIVE)
    results.put((sorted(result.documents), result.scores["muc"].f1, result.conll))


FIVE = [{"id": f"d{n}", "clusters": KEY if n % 2 else RESPONSE} for n in range(5)]


def test_five_documents_on_two_processes():
    context = get_context("fork")
    queues, results = [context.Queue(), context.Queue()], context.Queue()
    processes = [
        context.Process(target=validate_in_process, args=(rank, 2, queues, results))
        for rank in range(2)
    ]
    for process in processes:
        process.start()
    found = [results.get(timeout=60) for _ in processes]
    for process in processes:
        process.join()
    expected = corefkit.score(
        {each["id"]: each["clusters"] for each in FIVE},
        {each["id"]: RESPONSE for each in FIVE},
    )
    names = [each["id"] for each in FIVE]
    assert found == [(names, expected["muc"].f1, expected.conll)] * 2


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
