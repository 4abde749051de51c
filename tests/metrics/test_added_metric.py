"""A metric is added to a copy of the repository, and no test of the suite fails."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# The steps of docs/development/extending.md, "Add a metric".
FILE = '''"""Exact entities: those that both sides contain, as in CEAF with phi1."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.metrics.standard import add_by_document

if TYPE_CHECKING:
    from corefkit.alignment.overlap import Overlap
    from corefkit.arrays.columns import Counts


def trial(table: Overlap) -> Counts:
    """Count the entities that both sides contain, for each document.

        recall = entities in both / entities of the key

    A side without entities makes its ratio undefined.

    Source: Luo 2005, whose phi1 compares entities in this way.

    >>> from corefkit import overlap
    >>> trial(overlap(["ab", "c"], ["ab"])).tolist()
    [[1, 2, 1, 1]]
    """
    is_equal = (table.shared == table.key_size) & (
        table.shared == table.response_size
    )
    shared = is_equal * 1, table.document
    return add_by_document(
        table,
        shared,
        ((table.key.size > 0) * 1, table.key.document),
        shared,
        ((table.response.size > 0) * 1, table.response.document),
    )
'''
ROW = '        _make_row("trial", "Trial", _LUO, walk="none has been written"),\n'
SLOW = '''

def trial(key: Partition, response: Partition) -> Counts:
    """Entities that both sides contain."""
    shared = len({*map(frozenset, key)} & {*map(frozenset, response)})
    return Counts(shared, len(key), shared, len(response))


SLOW_COUNTS = {**SLOW_COUNTS, "trial": trial}
'''


def copy_repository(folder: Path) -> Path:
    """Copy the files of the repository, along with the built kernel."""
    tracked = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    built = [path.relative_to(ROOT) for path in (ROOT / "src").rglob("*.so")]
    for name in {*map(Path, tracked), *built}:
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    return folder


def add_metric(folder: Path) -> None:
    package = folder / "src" / "corefkit" / "metrics"
    (package / "trial.py").write_text(FILE, "utf-8")
    registry = package / "registry.py"
    head, bracket, rest = registry.read_text("utf-8").partition("    ]\n)\n")
    registry.write_text(head + ROW + bracket + rest, "utf-8")
    with (folder / "tests" / "slow_metrics.py").open("a", encoding="utf-8") as file:
        file.write(SLOW)


def run_pytest(folder: Path, *arguments: str, **environment: str) -> str:
    """Run the tests of the copy, with its sources; return the output if they fail."""
    environment |= {"PYTHONPATH": str(folder / "src")}
    result = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    if result.returncode == 0:
        return ""
    lines = result.stdout.splitlines()
    failed = [line for line in lines if line.startswith(("FAILED", "ERROR", "E "))]
    return "\n".join(failed or lines[-20:]) or f"exit code {result.returncode}"


@pytest.mark.slow
def test_metric_is_added_without_breaking_a_test(tmp_path):
    folder = copy_repository(tmp_path / "copy")
    add_metric(folder)
    assert not run_pytest(folder, "-m", "kept", COREFKIT_REWRITE="1")
    rows = (folder / "tests" / "conformance.toml").read_text("utf-8")
    assert "\ntrial = { recall = " in rows
    assert "| `trial` |" in (folder / "docs" / "metrics.md").read_text("utf-8")
    # The ordinary run: the slow one would contain this test again.
    usual = "not slow and not browser and not engine and not integration"
    assert not run_pytest(folder, "-n", "2", "-m", usual)
