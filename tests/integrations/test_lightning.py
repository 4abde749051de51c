"""Lightning's own Trainer, which starts a process for each device."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import corefkit

pytestmark = pytest.mark.integration
pytest.importorskip("lightning", reason="needs lightning")

from integrations.gathering import KEY, RESPONSES  # noqa: E402
from integrations.validating import PROCESSES  # noqa: E402


@pytest.fixture
def validated(tmp_path):
    """Validate in processes, and tell what each of them found."""
    here = Path(__file__)

    def run(way):
        done = subprocess.run(
            [sys.executable, here.with_name("validating.py"), tmp_path / "store", way],
            env={**os.environ, "PYTHONPATH": str(here.parents[1])},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stdout
        files = [tmp_path / f"store.{rank}" for rank in range(PROCESSES)]
        return [json.loads(file.read_text("utf-8")) for file in files]

    return run


def test_all_processes_log_the_scores_of_all_documents(validated):
    """One process has three documents, the other two."""
    names = map(str, range(len(RESPONSES)))
    responses = dict(zip(names, RESPONSES, strict=True))
    expected = corefkit.score(dict.fromkeys(responses, KEY), responses)
    for found in validated("taken"):
        assert found == pytest.approx(expected.to_flat(separator="_"), rel=1e-6)


def test_documents_that_the_sampler_repeats_are_refused(validated):
    for found in validated("sampled"):
        assert found == {"refused": "document '0' is repeated"}
