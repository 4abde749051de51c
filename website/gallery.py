"""The gallery: what the commands of docs/gallery.md write, while the site is built.

A line of a `console` block that starts with `$ corefkit` is run in a folder with the
example corpus; a file that `$ cat` shows is written first if it is not there. All files
that the commands write are published under gallery/.
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

from corefkit.example import paths, trees

if TYPE_CHECKING:
    from collections.abc import Iterator

_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_STEP = re.compile(r"^\$ (?P<command>.*)\n(?P<output>(?:(?!\$ ).*\n)*)", re.MULTILINE)


def commands(page: str) -> Iterator[tuple[list[str], str]]:
    r"""Go through the commands of a page: their words, and what the page shows below.

    >>> list(commands("```console\n$ cat a.txt\nAnn ran.\n$ corefkit stats a\n```\n"))
    [(['cat', 'a.txt'], 'Ann ran.\n'), (['corefkit', 'stats', 'a'], '')]
    """
    for block in _BLOCK.finditer(page):
        for step in _STEP.finditer(block[1]):
            yield shlex.split(step["command"], comments=True), step["output"]


@cache
def made(page: str) -> Path:
    """Run the commands of a page, once, and return the folder with what they wrote."""
    folder = Path(mkdtemp(prefix="corefkit-gallery-"))
    given = [folder / path.name for path in (*paths(), trees())]
    for path in (*paths(), trees()):
        shutil.copy(path, folder)
    for words, output in commands(page):
        run(words, output, folder)
    for path in given:
        path.unlink()
    return folder


def run(words: list[str], output: str, folder: Path) -> None:
    """Run one command of the page; what fails is an error with what it printed."""
    if words[0] == "cat":
        file = folder / words[1]
        if not file.exists():
            file.write_text(output, "utf-8")
        return
    if words[0] not in ("corefkit", "cistell"):
        return
    done = subprocess.run(
        [str(Path(sys.executable).with_name(words[0])), *words[1:]],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
    )
    if done.returncode:
        message = f"{shlex.join(words)} failed:\n{done.stdout[-2000:]}{done.stderr}"
        raise RuntimeError(message)


def environment() -> dict[str, str]:
    """Copy the environment, without a model or settings of whoever builds the site."""
    own = {"COREFKIT_MODEL", "XDG_DATA_HOME"}
    kept = {name: value for name, value in os.environ.items() if name not in own}
    return {**kept, "XDG_DATA_HOME": "/nowhere"}


def files(page: str) -> Iterator[tuple[str, Path]]:
    """Go through what the commands of a page wrote: path in the site, and file."""
    folder = made(page)
    for path in sorted(folder.rglob("*")):
        # MkDocs would make a page of Markdown, beside that of the command itself.
        if path.is_file() and path.suffix != ".md":
            yield f"gallery/{path.relative_to(folder).as_posix()}", path
