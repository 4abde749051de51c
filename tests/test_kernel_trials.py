"""The kernel under sanitizers: fuzzed for a few seconds, and without memory."""

from __future__ import annotations

import subprocess
import sys

import pytest
from shared_files import ROOT

FUZZ = ROOT / "fuzz"
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def kernel(tmp_path_factory):
    """Build the kernel for trials."""
    sys.path.insert(0, str(FUZZ))
    try:
        from trial import building
    finally:
        sys.path.remove(str(FUZZ))
    folder = tmp_path_factory.mktemp("kernel")
    if not building.can_build(folder):
        pytest.skip("gcc, its sanitizers, or the headers of Python are not installed")
    return building.built(folder), building.environment()


def run(*command, environment=None):
    done = subprocess.run(
        [sys.executable, *map(str, command)],
        cwd=FUZZ,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr[-4000:]}"
    return done.stdout


def test_short_fuzzing_has_no_findings(kernel, tmp_path):
    assert kernel
    told = run("fuzz_kernel.py", "--seconds", 5, "--findings", tmp_path)
    assert told.count(" 0 findings") == 3


def test_kernel_without_memory_releases_its_buffers(kernel, tmp_path):
    path, environment = kernel
    told = run("-m", "trial.starving", path, tmp_path, environment=environment)
    least = {"conll": 20, "conllu": 20}
    requests = dict(line.split() for line in told.splitlines())
    assert all(int(requests[name]) > many for name, many in least.items()), told
