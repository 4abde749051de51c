"""The kernel in wheels and installs: built where a compiler is, else left out."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

import pytest
from shared_files import ROOT

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        importlib.util.find_spec("hatchling") is None, reason="needs hatchling"
    ),
]
needs_compiler = pytest.mark.skipif(
    not any(map(shutil.which, ("cc", "gcc", "clang")))
    or not Path(sysconfig.get_path("include"), "Python.h").exists(),
    reason="needs a C compiler, and the headers of Python",
)
BUILT = "corefkit/_kernel.abi3.so"
PARTS = (
    "pyproject.toml",
    "hatch_build.py",
    "hatch_readme.py",
    "README.md",
    "LICENSE",
    ".gitignore",
)
BROKEN = {"CC": "/bin/false"}


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """Copy what a build needs, without what earlier ones left."""
    folder = tmp_path_factory.mktemp("project")
    for part in PARTS:
        shutil.copy(ROOT / part, folder / part)
    left = shutil.ignore_patterns("__pycache__", "_kernel*.so", "_kernel*.pyd")
    shutil.copytree(ROOT / "src", folder / "src", ignore=left)
    return folder


def run(*command, cwd, **variables):
    """Run a command with the kernel's variable as said, and return what came of it."""
    clean = {name: value for name, value in os.environ.items() if name != "CC"}
    return subprocess.run(
        command,
        cwd=cwd,
        env={**clean, "COREFKIT_KERNEL": "auto", **variables},
        capture_output=True,
        text=True,
    )


def build(project, target, folder, **variables):
    """Build a wheel or an sdist; None where that fails."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", folder]
    done = run(*map(str, command), cwd=project, **variables)
    return None if done.returncode else next(iter(Path(folder).iterdir()))


def names(archive):
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as opened:
            return set(opened.namelist())
    with tarfile.open(archive) as opened:
        return {name.partition("/")[2] for name in opened.getnames()}


@needs_compiler
def test_wheel_has_the_kernel_and_not_its_source(project, tmp_path):
    wheel = build(project, "wheel", tmp_path, COREFKIT_KERNEL="require")
    assert "-cp311-abi3-" in wheel.name
    assert BUILT in names(wheel)
    assert not [name for name in names(wheel) if name.endswith((".c", ".h"))]


def test_wheel_is_pure_without_a_compiler(project, tmp_path):
    wheel = build(project, "wheel", tmp_path, **BROKEN)
    assert wheel.name.endswith("-py3-none-any.whl")
    assert BUILT not in names(wheel)


def test_wheel_is_pure_where_the_kernel_is_off(project, tmp_path):
    wheel = build(project, "wheel", tmp_path, COREFKIT_KERNEL="off")
    assert wheel.name.endswith("-py3-none-any.whl")


@pytest.mark.parametrize(
    "variables", [{**BROKEN, "COREFKIT_KERNEL": "require"}, {"COREFKIT_KERNEL": "yes"}]
)
def test_build_fails_where_it_must(project, tmp_path, variables):
    assert build(project, "wheel", tmp_path, **variables) is None


@needs_compiler
def test_sdist_has_all_that_the_kernel_is_built_from(project, tmp_path):
    sdist = build(project, "sdist", tmp_path / "sdist")
    source = {path.relative_to(ROOT).as_posix() for path in (ROOT / "src").rglob("*.h")}
    assert source | {"hatch_build.py", "src/corefkit/_kernel.c"} <= names(sdist)
    assert f"src/{BUILT}" not in names(sdist)
    with tarfile.open(sdist) as opened:
        opened.extractall(tmp_path, filter="data")
    unpacked = tmp_path / sdist.name.removesuffix(".tar.gz")
    assert BUILT in names(build(unpacked, "wheel", tmp_path / "wheel"))


@needs_compiler
def test_installed_wheel_tells_of_the_kernel(project, tmp_path):
    wheel = build(project, "wheel", tmp_path / "wheel")
    target = tmp_path / "target"
    with zipfile.ZipFile(wheel) as opened:
        opened.extractall(target)
    version = (sys.executable, "-m", "corefkit", "--version")
    where = {"PYTHONPATH": str(target)}
    assert "(with kernel)" in run(*version, cwd=tmp_path, **where).stdout
    (target / BUILT).unlink()
    assert "(without kernel)" in run(*version, cwd=tmp_path, **where).stdout
    score = (sys.executable, "-m", "corefkit", "score", "--example")
    done = run(*score, cwd=tmp_path, **where, COREFKIT_KERNEL="require")
    assert done.returncode == 2
    assert "the kernel was not built" in done.stderr
    assert run(*score, cwd=tmp_path, **where).returncode == 0


@needs_compiler
def test_editable_install_builds_in_place_and_forgets_what_is_old(project):
    built = project / "src" / BUILT
    pip = (sys.executable, "-m", "pip", "install", "--no-deps", "--no-build-isolation")
    editable = (*pip, "--quiet", "--target", str(project / "target"), "--editable", ".")
    for variables, there in (({}, True), (BROKEN, False), ({}, True)):
        done = run(*editable, cwd=project, **variables)
        assert done.returncode == 0, done.stderr
        assert built.exists() == there
        shutil.rmtree(project / "target")
    off = run(*editable, cwd=project, COREFKIT_KERNEL="off")
    assert off.returncode == 0, off.stderr
    assert not built.exists()
