"""Inputs of the fuzz job: a file, and the files that belong to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from corefkit.formats import FORMATS

if TYPE_CHECKING:
    from pathlib import Path

# The bytes of each file by the ending of its name, as `.ann` and `.txt`.
Case: TypeAlias = dict[str, bytes]

STEM = "story"  # some formats call the document as the file


def main_ending(case: Case, name: str) -> str:
    """Return the ending of the file that is read; the others belong to it."""
    return next(ending for ending in case if ending in FORMATS[name].suffixes)


def save(case: Case, name: str, folder: Path) -> Path:
    """Write the files of a case, and nothing else of that name; return the main one."""
    for old in folder.glob(f"{STEM}.*"):
        old.unlink()
    for ending, content in case.items():
        (folder / f"{STEM}{ending}").write_bytes(content)
    return folder / f"{STEM}{main_ending(case, name)}"


def load(folder: Path) -> Case:
    """Read the files of a case."""
    found = sorted(folder.glob(f"{STEM}.*"))
    return {path.name.removeprefix(STEM): path.read_bytes() for path in found}
