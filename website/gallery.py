"""The gallery: pages and figures that commands of the documentation write.

If a page links to `gallery/NAME` of the published site, its `corefkit` and `cistell`
commands that write NAME, or a folder with it, run while the site is built, in a folder
with the example corpus. A file that `$ cat` shows is written first. Linked files are
published under gallery/, and so is the folder of a linked `index.html`.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING

from pages import PUBLISHED

from corefkit.example import paths, trees

if TYPE_CHECKING:
    from collections.abc import Iterator

_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_STEP = re.compile(r"^\$ (?P<command>.*)\n(?P<output>(?:(?!\$ ).*\n)*)", re.MULTILINE)
_LINKED = re.compile(rf"\]\({re.escape(PUBLISHED)}gallery/([\w./-]+)")


def list_linked(page: str) -> list[str]:
    """List the files of the gallery that a page links to.

    >>> list_linked(
    ...     f"[a]({PUBLISHED}gallery/a.html#b), ![c]({PUBLISHED}gallery/c/d.svg)"
    ... )
    ['a.html', 'c/d.svg']
    """
    return list(dict.fromkeys(_LINKED.findall(page)))


def parse_commands(page: str) -> Iterator[tuple[list[str], str]]:
    r"""Parse the commands of a page: their words, and the output below each.

    >>> list(
    ...     parse_commands(
    ...         "```console\n$ cat a.txt\nAnn ran.\n$ corefkit stats a\n```\n"
    ...     )
    ... )
    [(['cat', 'a.txt'], 'Ann ran.\n'), (['corefkit', 'stats', 'a'], '')]
    """
    for block in _BLOCK.finditer(page):
        for step in _STEP.finditer(block[1]):
            yield shlex.split(step["command"], comments=True), step["output"]


@cache
def run_page(page: str) -> Path:
    """Run the commands of a page that write linked files; return their folder."""
    folder = Path(mkdtemp(prefix="corefkit-gallery-"))
    for path in (*paths(), trees()):
        shutil.copy(path, folder)
    targets = {linked.partition("/")[0] for linked in list_linked(page)}
    for words, output in parse_commands(page):
        if words[0] == "cat":
            file = folder / words[1]
            if not file.exists():
                file.parent.mkdir(exist_ok=True)
                file.write_text(output, "utf-8")
        elif words[0] in ("corefkit", "cistell") and targets.intersection(words):
            run_command(words, folder)
    return folder


def run_command(words: list[str], folder: Path) -> None:
    """Run a command in a folder; if it fails, raise an error with its output."""
    done = subprocess.run(
        [str(Path(sys.executable).with_name(words[0])), *words[1:]],
        cwd=folder,
        env=build_environment(),
        capture_output=True,
        text=True,
    )
    if done.returncode:
        message = f"{shlex.join(words)} failed:\n{done.stdout[-2000:]}{done.stderr}"
        raise RuntimeError(message)


def build_environment() -> dict[str, str]:
    """Copy the environment, without models and settings of the user."""
    own = {"COREFKIT_MODEL", "XDG_DATA_HOME"}
    kept = {name: value for name, value in os.environ.items() if name not in own}
    return {**kept, "XDG_DATA_HOME": "/nowhere"}


def list_files(page: str) -> Iterator[tuple[str, Path]]:
    """List the published files of a page: path in the site, and file.

    A linked file that no command of the page writes belongs to another page.
    """
    linked = list_linked(page)
    if not linked:
        return
    folder = run_page(page)
    for name in linked:
        file = folder / name
        files = file.parent.rglob("*") if file.name == "index.html" else [file]
        for path in sorted(files):
            # MkDocs would make a page of Markdown.
            if path.is_file() and path.suffix != ".md":
                yield f"gallery/{path.relative_to(folder).as_posix()}", path
