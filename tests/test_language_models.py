"""The adapters in docs/language-models.md, with fakes of the evaluation libraries.

The fakes behave as documented: inspect_ai calls `scorer` functions for
each sample and `metric` functions with the scores of all; lm_eval calls
`process_results` for each document and the aggregation with the values of all.
`tests/integrations/test_language_models.py` runs the same code with the libraries.
"""

from __future__ import annotations

import asyncio
import sys
from dataclasses import dataclass
from types import ModuleType, SimpleNamespace

import pytest
from language_models import ANSWERS, EXPECTED, KEYS, PAGE, read_adapter

import corefkit


@dataclass
class Score:
    value: float
    answer: str | None = None
    metadata: dict | None = None


@pytest.fixture
def inspect_ai(monkeypatch):
    library = ModuleType("inspect_ai.scorer")
    library.Score = library.SampleScore = Score
    library.metric = lambda function: function
    library.scorer = lambda *, metrics: lambda function: function  # noqa: ARG005
    monkeypatch.setitem(sys.modules, "inspect_ai", ModuleType("inspect_ai"))
    monkeypatch.setitem(sys.modules, "inspect_ai.scorer", library)


@pytest.mark.usefixtures("inspect_ai")
def test_adapter_of_inspect_scores_all_samples():
    names = read_adapter("inspect-ai")
    scores = []
    for id, tagged in KEYS.items():
        state = SimpleNamespace(
            sample_id=id, output=SimpleNamespace(completion=ANSWERS[id])
        )
        target = SimpleNamespace(text=tagged)
        score = asyncio.run(names["coreference"]()(state, target))
        scores.append(SimpleNamespace(score=score))
    assert names["conll"]()(scores) == pytest.approx(EXPECTED, abs=1e-9)


def test_adapter_of_lm_eval_scores_all_documents():
    names = read_adapter("lm-eval")
    items = [
        names["process_results"]({"id": id, "tagged": tagged}, [ANSWERS[id]])["conll"]
        for id, tagged in KEYS.items()
    ]
    assert names["conll"](items) == pytest.approx(EXPECTED, abs=1e-9)


def test_expected_score_is_that_of_the_counts():
    key, response = (
        [
            corefkit.read_string(text, id=id, format="inline")
            for id, text in texts.items()
        ]
        for texts in (KEYS, ANSWERS)
    )
    result = corefkit.score(key, response, tokens="aligned", max_drift=1)
    assert result["b_cubed"].recall == pytest.approx(3 / 6)
    assert result["ceaf_e"].recall == pytest.approx(2 / 4)
    assert result["muc"].recall == pytest.approx(1 / 2)
    assert result.conll == pytest.approx(EXPECTED, abs=1e-9)
    row = result.drift["bob"]
    assert row["lost"] + row["changed"] == row["words"] - 1  # but for the full stop


def test_page_is_short():
    assert len(PAGE.read_text("utf-8").split()) <= 900
