"""The site, built once for all tests that look at it, and small ones to break."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import pytest
from shared_files import ROOT

# One process of the tests builds it, and has all tests that look at it.
GROUP = pytest.mark.xdist_group("site")


def need_mkdocs():
    if importlib.util.find_spec("mkdocs") is None:
        pytest.skip("MkDocs is not installed: `python3 dev.py docs build` brings it")


def run(*words, cwd=ROOT, **variables):
    """Run a program of the environment, and return what came of it."""
    programs = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    quiet = {"PATH": programs, "NO_MKDOCS_2_WARNING": "1"}
    return subprocess.run(
        [shutil.which(words[0], path=programs), *map(str, words[1:])],
        cwd=cwd,
        env={**os.environ, **quiet, **variables},
        capture_output=True,
        text=True,
    )


@cache
def built():
    """Build the site of the project; return its folder, and what the build said."""
    need_mkdocs()
    folder = Path(mkdtemp(prefix="corefkit-site-")) / "corefkit"
    done = run("mkdocs", "build", "--site-dir", folder)
    assert done.returncode == 0, done.stderr
    return folder, done.stderr


def small_project(folder, **pages):
    """Make a project whose site has the given pages, and build it as ours is built."""
    need_mkdocs()
    folder.mkdir(exist_ok=True)
    for path in ROOT.iterdir():
        if path.name not in ("docs", "website", "mkdocs.yml", "site", ".git"):
            (folder / path.name).symlink_to(path)
    shutil.copytree(ROOT / "website", folder / "website")
    (folder / "docs").mkdir()
    for name, text in pages.items():
        (folder / "docs" / f"{name}.md").write_text(text, "utf-8")
    settings = (ROOT / "mkdocs.yml").read_text("utf-8").partition("\nnav:")[0]
    (folder / "mkdocs.yml").write_text(f"{settings}\nnav: [index.md]\n", "utf-8")
    return folder


def git(folder, *words):
    """Run git in a folder, as somebody, and return what it printed."""
    identity = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    done = subprocess.run(
        ["git", *identity, *words], cwd=folder, check=True, capture_output=True
    )
    return done.stdout.decode()


def published(folder, *versions):
    """Make a project of one page, and publish it on its branch in some versions."""
    project = small_project(folder, index="# corefkit\n")
    git(project, "init", "--initial-branch", "main")
    git(project, "add", "mkdocs.yml")
    git(project, "commit", "--message", "a page")
    who = {"GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.org"}
    deployed = [("deploy", "--update-aliases", one, "latest") for one in versions]
    for words in (*deployed, ("set-default", "latest")):
        done = run("mike", *words, cwd=project, **who)
        assert done.returncode == 0, done.stderr
    return project
