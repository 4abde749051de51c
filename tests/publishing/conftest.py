"""What is published, built once for all tests of a process.

`COREFKIT_DIST` names a folder whose files are looked at instead: those to be published.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from shared_files import ROOT


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """Give the folder with the sdist and the wheels."""
    named = os.environ.get("COREFKIT_DIST")
    if named:
        return Path(named)
    pytest.importorskip("hatchling")
    folder = tmp_path_factory.mktemp("dist")
    for way in ("auto", "off"):
        command = [sys.executable, "-m", "hatchling", "build", "-d", str(folder)]
        variables = {**os.environ, "COREFKIT_KERNEL": way}
        subprocess.run(
            command, cwd=ROOT, env=variables, check=True, capture_output=True
        )
    command = [*command[:-1], str(folder / "cistell"), "-t", "wheel"]
    subprocess.run(
        command, cwd=ROOT / "packaging" / "cistell", check=True, capture_output=True
    )
    return folder


@pytest.fixture(scope="session")
def wheels(folder):
    """Give the wheels, the pure one among them."""
    found = sorted(folder.glob("*.whl"))
    assert any(path.name.endswith("-py3-none-any.whl") for path in found)
    return found


@pytest.fixture(scope="session")
def sdist(folder):
    """Give the one sdist."""
    (found,) = folder.glob("*.tar.gz")
    return found
