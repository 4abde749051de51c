"""The adapters in docs/language-models.md, run with the evaluation libraries.

They need inspect_ai and lm_eval, which the locks do not have: install them into any
environment with the tests to run these. `tests/test_language_models.py` runs the same
code with fakes.
"""

from __future__ import annotations

import json

import pytest
from language_models import ANSWERS, EXPECTED, KEYS, read_adapter, read_task

pytestmark = [pytest.mark.integration, pytest.mark.filterwarnings("ignore")]


def test_inspect_scores_answers(tmp_path):
    inspect_ai = pytest.importorskip("inspect_ai")
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ModelOutput
    from inspect_ai.solver import solver

    @solver
    def copy_answer():
        async def solve(state, _):
            answer = ANSWERS[str(state.sample_id)]
            state.output = ModelOutput.from_content("mockllm/model", answer)
            return state

        return solve

    names = read_adapter("inspect-ai")
    samples = [Sample(id=id, input="tag this", target=KEYS[id]) for id in KEYS]
    task = inspect_ai.Task(
        dataset=samples, solver=copy_answer(), scorer=names["coreference"]()
    )
    (log,) = inspect_ai.eval(
        task,
        model="mockllm/model",
        log_dir=str(tmp_path),
        display="none",
    )
    assert log.status == "success", log.error
    (score,) = log.results.scores
    assert score.metrics["conll"].value == pytest.approx(EXPECTED, abs=1e-9)


def test_lm_eval_scores_answers(tmp_path):
    lm_eval = pytest.importorskip("lm_eval")
    from lm_eval.api.model import LM
    from lm_eval.tasks import TaskManager

    class Copier(LM):
        def generate_until(self, requests):
            return [ANSWERS[request.doc["id"]] for request in requests]

        def loglikelihood(self, requests):
            raise NotImplementedError

        def loglikelihood_rolling(self, requests):
            raise NotImplementedError

    rows = [{"id": id, "prompt": "tag", "text": "", "tagged": KEYS[id]} for id in KEYS]
    data = tmp_path / "data.jsonl"
    data.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    code, task = read_task()
    (tmp_path / "utils.py").write_text(code)
    source = (
        "dataset_path: json\ntest_split: test\n"
        f"dataset_kwargs:\n  data_files:\n    test: {data}\n"
    )
    (tmp_path / "coreference.yaml").write_text(task + source)
    results = lm_eval.simple_evaluate(
        Copier(),
        tasks=["coreference"],
        task_manager=TaskManager(include_path=str(tmp_path), include_defaults=False),
        bootstrap_iters=0,
    )
    scores = results["results"]["coreference"]
    assert scores["conll,none"] == pytest.approx(EXPECTED, abs=1e-9)
