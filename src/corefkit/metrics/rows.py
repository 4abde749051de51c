"""Scores of single documents, made of their counts when somebody looks at them.

A corpus of many small documents has few rows of counts that differ: those that are the
same share their score.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from corefkit.metrics.documents import DocumentScores

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from corefkit.columns import Floats
    from corefkit.metrics.base import Metric, Score
    from corefkit.settings import Settings

_MOST = 1 << 14  # scores that are kept to be shared
_BLOCK = 1 << 10  # rows that are looked at together


@dataclass(frozen=True, slots=True, eq=False)
class ScoredRows:
    """The scores of a metric's rows of counts.

    >>> from corefkit import METRICS, Settings
    >>> counts = np.array([[2.0, 5.0, 2.0, 4.0], [2.0, 5.0, 2.0, 4.0]])
    >>> first, second = ScoredRows(METRICS["muc"], counts, Settings())
    >>> first.recall, first is second
    (0.4, True)
    """

    metric: Metric
    counts: Floats
    settings: Settings
    _known: dict[bytes, Score] = field(default_factory=dict)

    def __getitem__(self, row: int) -> Score:
        """Score one row."""
        counts = self.counts[row]
        return self._score(counts.tobytes(), counts)

    def __iter__(self) -> Iterator[Score]:
        """Go through the scores of all rows."""
        for first in range(0, len(self.counts), _BLOCK):
            block = np.ascontiguousarray(self.counts[first : first + _BLOCK])
            width = block.itemsize * block.shape[1]
            data = block.tobytes()
            for row, counts in enumerate(block):
                yield self._score(data[row * width : (row + 1) * width], counts)

    def _score(self, key: bytes, counts: Floats) -> Score:
        score = self._known.get(key)
        if score is None:
            if len(self._known) >= _MOST:
                self._known.clear()
            score = self._known[key] = self.metric.score(counts, self.settings)
        return score


class DocumentRows(Sequence[DocumentScores]):
    """The scores of documents, in order; no more of them are in memory than are used.

    >>> import corefkit
    >>> rows = corefkit.score({"d": ["abc"], "e": ["a"]}, {"d": ["ab"]}).per_document
    >>> len(rows), rows[-1].document, [row["muc"].recall for row in rows]
    (2, 'e', [0.5, 0.0])
    """

    def __init__(
        self, documents: Sequence[str], columns: Mapping[str, ScoredRows]
    ) -> None:
        self._documents, self._columns = documents, columns

    def __len__(self) -> int:
        """Count the documents."""
        return len(self._documents)

    @overload
    def __getitem__(self, number: int) -> DocumentScores: ...
    @overload
    def __getitem__(self, number: slice) -> tuple[DocumentScores, ...]: ...
    def __getitem__(self, number: int | slice) -> Any:
        """Return the scores of one document, or of some."""
        if isinstance(number, slice):
            return tuple([self[row] for row in range(len(self))[number]])
        document = self._documents[number]
        scores = {name: column[number] for name, column in self._columns.items()}
        return DocumentScores(document, scores)

    def __iter__(self) -> Iterator[DocumentScores]:
        """Go through the scores of all documents."""
        names = list(self._columns)
        columns = self._columns.values()
        for document, *scores in zip(self._documents, *columns, strict=True):
            yield DocumentScores(document, dict(zip(names, scores, strict=True)))

    def __eq__(self, other: object) -> bool:
        """Say whether another sequence has the same scores."""
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]  # as lists have none
