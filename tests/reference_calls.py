"""Ways to call the reference scorer, and its text in an order that does not change.

Perl goes through documents in an order that is another one in each run.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

METRICS = ("muc", "bcub", "ceafm", "ceafe", "blanc", "all")
# The path of scorer.pl, version 8.01, where somebody has it.
SCORER = os.environ.get("COREFKIT_REFERENCE_SCORER", "")
HAS_SCORER = bool(SCORER) and shutil.which("perl") is not None


def names_in(key: Path) -> list[str]:
    """Name the documents of a key."""
    return re.findall(r"^#begin document (.*)$", key.read_text("utf-8"), re.MULTILINE)


def filters(key: Path) -> Iterator[tuple[str, ...]]:
    """Go through what may stand behind the files: nothing, `none`, a document."""
    yield ()
    yield ("none",)
    for name in [*names_in(key), "no such document"]:
        yield (name,)


def printed_by_scorer(*words: str) -> tuple[int, str]:
    """Run the reference scorer."""
    done = subprocess.run(
        ["perl", SCORER, *words], capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout


def in_order(text: str) -> str:
    """Sort what each metric has of documents; the version line is left out.

    >>> one, two = (f"====> {name}:\\n====> {name}:\\nx\\n" for name in "ab")
    >>> ends = "\\n====== TOTALS =======\\n"
    >>> in_order(f"v\\n{one}{two}{ends}") == in_order(f"w\\n{two}{one}{ends}")
    True
    """
    parts = re.split(r"(\n====== TOTALS =======\n)", text.partition("\n")[2])
    return "".join(map(_sorted_documents, parts))


def _sorted_documents(text: str) -> str:
    # A document is read twice: from the key, and from the response.
    head, *reads = re.split(r"(?m)^(?=====> )", text)
    pairs = zip(reads[::2], reads[1::2], strict=True)
    return head + "".join(sorted(one + other for one, other in pairs))


def digest(texts: list[str]) -> str:
    """Shorten texts to what tells them apart."""
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:16]
