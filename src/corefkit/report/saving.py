"""Pages as files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.formats.placing import replacing

if TYPE_CHECKING:
    import os


def save_text(path: str | os.PathLike[str], text: str) -> None:
    """Write a text; the file is replaced only when all of it is written.

    Raises:
        CorefkitError: the file cannot be written; it is as it was.
    """
    with replacing(path) as unfinished:
        unfinished.write_text(text, "utf-8", newline="\n")
