"""Where `corefkit score --counts` writes to."""

from __future__ import annotations

import glob
from pathlib import Path
from typing import TYPE_CHECKING

from corefkit.cli.writing import refuse_to_replace
from corefkit.formats.frames import import_pyarrow
from corefkit.formats.output import check_writable

if TYPE_CHECKING:
    from collections.abc import Sequence


def check_counts(target: str, inputs: Sequence[str]) -> None:
    """Refuse what could not be written, or would replace an input, before scoring."""
    import_pyarrow(target)
    check_writable(target)
    # An engine takes globs too.
    named = [file for path in inputs for file in glob.glob(path, recursive=True)]  # noqa: PTH207
    refuse_to_replace([*inputs, *named], Path(target))
