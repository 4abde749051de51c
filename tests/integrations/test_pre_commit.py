"""The pre-commit hook: which files it is for, and the real pre-commit that runs it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys

import pytest
from shared_files import ROOT

from corefkit.example import paths

# What pip asks for where it builds the package.
PACKAGE = (
    ".pre-commit-hooks.yaml",
    "LICENSE",
    "README.md",
    "pyproject.toml",
    *(path.name for path in ROOT.glob("hatch_*.py")),
    "src",
)
_NO_NETWORK = "NewConnectionError|NameResolutionError|Could not fetch URL"
BROKEN = "#begin document (x); part 000\nx 0 0 a (1\n#end document\n"


def hook():
    """Read the one hook; each of its values is one line."""
    text = (ROOT / ".pre-commit-hooks.yaml").read_text("utf-8")
    assert text.count("- id:") == 1
    return dict(re.findall(r"^[- ] (\w+): (.*)$", text, re.MULTILINE))


def test_files_are_known_by_endings_that_only_annotation_has():
    pattern = re.compile(hook()["files"])
    for name in (
        "key.conll",
        "dev.v4_gold_conll",
        "a/b.conllu.gz",
        "x.apf.xml",
        "x.tbf.xml",
        "x.webanno.tsv",
    ):
        assert pattern.search(name), name
    for name in ("x.tsv", "x.xml", "data.jsonl", "x.conll.py", "README.md", "x.conllx"):
        assert not pattern.search(name), name


def test_the_command_is_one_of_the_package():
    assert hook()["id"] == "corefkit-validate"
    assert hook()["language"] == "python"
    assert hook()["entry"] == "corefkit validate"


def run(*command, cwd, **variables):
    done = subprocess.run(
        command,
        cwd=cwd,
        env={**os.environ, **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    if done.returncode and re.search(_NO_NETWORK, done.stdout):
        pytest.skip("no package index can be reached")
    return done


def git(*words, cwd):
    who = ("-c", "user.name=someone", "-c", "user.email=someone@example.org")
    done = run("git", *who, *words, cwd=cwd)
    assert done.returncode == 0, done.stdout
    return done.stdout.strip()


def repository(folder):
    """Make the content of a folder a repository with one commit."""
    git("init", "--quiet", cwd=folder)
    git("add", "--all", cwd=folder)
    git("commit", "--quiet", "--message", "all", cwd=folder)
    return git("rev-parse", "HEAD", cwd=folder)


@pytest.fixture(scope="module")
def pre_commit(tmp_path_factory):
    """Install pre-commit into an environment of its own."""
    folder = tmp_path_factory.mktemp("pre-commit")
    run(sys.executable, "-m", "venv", "environment", cwd=folder)
    python = folder / "environment" / "bin" / "python"
    done = run(python, "-m", "pip", "install", "--quiet", "pre-commit", cwd=folder)
    assert done.returncode == 0, done.stdout
    return python


@pytest.mark.integration
@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_pre_commit_refuses_a_broken_file(pre_commit, tmp_path):
    here, there = tmp_path / "corefkit", tmp_path / "corpus"
    for name in PACKAGE:
        source = ROOT / name
        copy = shutil.copytree if source.is_dir() else shutil.copy
        here.mkdir(exist_ok=True)
        copy(source, here / name)
    commit = repository(here)
    there.mkdir()
    for path in paths():
        shutil.copy(path, there)
    (there / "notes.txt").write_text("no annotation\n")
    (there / ".pre-commit-config.yaml").write_text(
        f"repos:\n- repo: {here}\n  rev: {commit}\n"
        "  hooks:\n  - id: corefkit-validate\n    args: [--severity, error]\n"
    )
    repository(there)

    def checked():
        words = ("-m", "pre_commit", "run", "--all-files", "--color", "never")
        home = {"PRE_COMMIT_HOME": str(tmp_path / "home")}
        return run(pre_commit, *words, cwd=there, **home)

    sound = checked()
    assert sound.returncode == 0, sound.stdout
    assert re.search(r"corefkit validate\.+Passed", sound.stdout)
    (there / "broken.conll").write_text(BROKEN)
    git("add", "broken.conll", cwd=there)
    refused = checked()
    assert refused.returncode == 1
    assert "broken.conll:2: " in refused.stdout
    assert "hint: " in refused.stdout
