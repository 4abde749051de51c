"""Blocks of whole documents counted by the ordinary pipeline.

`CountDocuments` is a pure function of its rows, plain values in it and out of it: it
runs wherever an engine has rows, and may run again. What is wrong with the input comes
back as a block too, so that it is told in corefkit's own words.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow

    from corefkit.metrics.base import Metric
    from corefkit.settings import Settings


@dataclass(frozen=True, slots=True)
class CountDocuments:
    """Count rows that are ordered by what belongs together.

    Attributes:
        metrics: what is counted.
        settings: how.
    """

    metrics: tuple[Metric, ...]
    settings: Settings

    def __call__(
        self, batches: Iterator[pyarrow.RecordBatch]
    ) -> Iterator[pyarrow.RecordBatch]:
        """Return a row for each block of documents."""
        raise NotImplementedError
