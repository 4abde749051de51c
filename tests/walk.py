"""The walk of a call: which files of the package it enters, and how often it changes.

Counted are the calls of functions in the package, modules' own bodies left out. A
change is a call into another file than that of the last call.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NamedTuple

import corefkit

SOURCE = str(Path(corefkit.__file__).parent)


class Walk(NamedTuple):
    """The files that a call enters, and the file of each change, in order."""

    files: set[str]
    changes: list[str]


def walk(call):
    """Follow a call that was made once before, so that all is imported."""
    call()
    changes = []

    def note(frame, event, _argument):
        code = frame.f_code
        if event != "call" or code.co_name == "<module>":
            return
        if not code.co_filename.startswith(SOURCE):
            return
        file = code.co_filename[len(SOURCE) + 1 :]
        if not changes or changes[-1] != file:
            changes.append(file)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(before)
    return Walk(set(changes), changes)
