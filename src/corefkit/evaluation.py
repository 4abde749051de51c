"""What scoring returns: counts of every document, and scores made of them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from corefkit.columns import Columns
from corefkit.columns.prints import NO_PRINTS, document_prints
from corefkit.columns.sums import checked_count
from corefkit.corpus.declaration import NOTHING_DECLARED, Declaration
from corefkit.metrics import CONLL
from corefkit.metrics.documents import DocumentScores as DocumentScores
from corefkit.metrics.documents import not_computed
from corefkit.metrics.means import averaged, conll_mean
from corefkit.strings.escaping import for_terminal

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from corefkit.columns import Counts, Hashes
    from corefkit.corpus.fingerprint import Fingerprint
    from corefkit.metrics.base import Metric, Score
    from corefkit.report.records import Value
    from corefkit.settings import Settings

# Sums below this are exact in 63 bits, however they were rounded on the way.
_LARGE = 2.0**62


@dataclass(frozen=True, repr=False, eq=False)
class Evaluation:
    """One response scored against the key.

    Attributes:
        key: what the user called the key.
        response: what the user called the response.
        settings: what was computed.
        metrics: the metrics, in the order they were asked for.
        documents: the ids of the scored documents, in the order of the key.
        counts: for each metric its counts, one row a document: integers (int64) where
            all of them are, or else floats.
        notes: what a user should know about the input, one sentence each.
        repetitions: what the reference scorer prints about repeated mentions, where its
            policy is followed.
        key_read: rows of `prints`, or the mentions of the key as read that they are
            made from.
        declared: what key and response declare of the corpus.
        warnings: why the scores may not say what they should: mentions or words of a
            side that do not meet the other's, with the likely reason.
        missing: the ids of the scored documents that the response lacks.

    >>> import corefkit
    >>> result = corefkit.score(["abc", "defg"], ["ab", "cd", "fghi"])
    >>> round(result["muc"].f1, 4), round(result.conll, 4)
    (0.4, 0.4582)
    """

    key: str
    response: str
    settings: Settings
    metrics: tuple[Metric, ...]
    documents: tuple[str, ...]
    counts: Mapping[str, Counts]
    notes: tuple[str, ...] = ()
    repetitions: tuple[str, ...] = ()
    key_read: Sequence[Hashes | Columns] = ()
    declared: Declaration = NOTHING_DECLARED
    warnings: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> Score:
        """Return the score of one metric, or the CoNLL mean, over all documents.

        Under `average="macro"`, recall, precision and F1 are the means of the
        documents', and the counts are still the sums.
        """
        if name in self.scores:
            return self.scores[name]
        if name == "conll" and self._has_conll:
            return conll_mean([self.scores[part] for part in CONLL])
        metric = self._metric(name)
        if metric is None:
            raise not_computed(name, self)
        return self.scores[metric.name]

    @property
    def _has_conll(self) -> bool:
        return all([part in self.counts for part in CONLL])

    def _metric(self, name: object) -> Metric | None:
        called = (metric for metric in self.metrics if metric.is_called(name))
        return next(called, None)

    def __iter__(self) -> Iterator[str]:
        """Go through the names of the metrics."""
        return (metric.name for metric in self.metrics)

    def __contains__(self, name: object) -> bool:
        """Say whether a metric, or the CoNLL mean, was computed."""
        return (name == "conll" and self._has_conll) or self._metric(name) is not None

    def __str__(self) -> str:
        """Return the table that `corefkit score` prints, and what it warns of."""
        # Local: reports stand to the right of scoring, and few results are printed.
        from corefkit.report import WRITERS

        warnings = [f"warning: {for_terminal(warning)}" for warning in self.warnings]
        return "\n".join([WRITERS["table"]([self]), *warnings])

    def _repr_html_(self) -> str:
        from corefkit.report.notebook import evaluation_html

        return evaluation_html(self)

    def __repr__(self) -> str:
        """Name what was scored, and how."""
        return f"<Evaluation of {self.response!r}: {self.signature}>"

    @cached_property
    def scores(self) -> Mapping[str, Score]:
        """The score of every metric."""
        totals = [added_up(self.counts[metric.name]) for metric in self.metrics]
        scores = {
            metric.name: metric.score(total, self.settings)
            for metric, total in zip(self.metrics, totals, strict=True)
        }
        if not self.settings.is_macro or not self.documents:
            return scores
        # Imported here because few results are averaged, and every start would pay.
        from corefkit.metrics.many import scores_in_mean

        return {
            metric.name: averaged(
                scores[metric.name],
                scores_in_mean(metric, self.counts[metric.name], self.settings),
            )
            for metric in self.metrics
        }

    @cached_property
    def conll(self) -> float | None:
        """The mean F1 of MUC, B³ and CEAFe; None unless all three were computed."""
        return self["conll"].f1 if "conll" in self else None

    @property
    def signature(self) -> str:
        """The settings in one line, to be cited with the scores."""
        return self.settings.signature

    @property
    def changed(self) -> dict[str, str]:
        """The settings that are not the default, by name."""
        return self.settings.changed

    @cached_property
    def prints(self) -> Hashes:
        """What the corpus is known by, one row a document."""
        return np.concatenate([NO_PRINTS, *map(print_rows, self.key_read)])

    @cached_property
    def corpus(self) -> Fingerprint:
        """What the scores were computed on."""
        # Imported here because few results are asked, and every start would pay.
        from corefkit.corpus.fingerprint import corpus_print

        return replace(corpus_print(self.prints), declared=self.declared)

    @property
    def labels(self) -> dict[str, str]:
        """How tables call each metric."""
        return {metric.name: metric.label for metric in self.metrics}

    @property
    def document_count(self) -> int:
        """How many documents were scored."""
        return len(self.documents)

    @cached_property
    def per_document(self) -> Sequence[DocumentScores]:
        """The scores of each document, made when they are looked at."""
        # Imported here because few results are looked at so closely.
        from corefkit.metrics.rows import DocumentRows, ScoredRows

        columns = {
            metric.name: ScoredRows(metric, self.counts[metric.name], self.settings)
            for metric in self.metrics
        }
        return DocumentRows(self.documents, columns)

    def to_dict(self, *, per_document: bool = False) -> dict[str, Value]:
        """Return what `corefkit score --format json` prints, as plain values."""
        from corefkit.report.records import json_values

        return json_values([self], per_document=per_document)

    def to_flat(self, *, prefix: str = "", separator: str = "/") -> dict[str, float]:
        """Return one number for each name: what loggers of experiments take.

        Each metric has recall, precision and F1, and a value if it has one; the CoNLL
        score has its F1. A ratio that is undefined is 0, as in tables.

        Args:
            prefix: what stands in front of all names, as `val`.
            separator: what stands between the parts of a name.

        >>> import corefkit
        >>> result = corefkit.score(["abc"], ["ab"], metrics=["muc"])
        >>> result.to_flat(prefix="val")["val/muc/recall"]
        0.5
        """
        from corefkit.report.flat import flat_values

        return flat_values(self, prefix=prefix, separator=separator)

    def to_records(self, *, per_document: bool = False) -> list[dict[str, Value]]:
        """Return a record for each metric, or document and metric: data frame rows.

        >>> import corefkit
        >>> result = corefkit.score(["abc"], ["ab"], metrics=["muc"])
        >>> result.to_records()[0]["recall"]
        0.5
        """
        from corefkit.report.records import record

        ends: dict[str, Value] = {"signature": self.signature}
        if not per_document:
            return [
                record(self.response, name, score) | ends
                for name, score in self.scores.items()
            ]
        return [
            {"document": row.document, **record(self.response, name, row[name]), **ends}
            for row in self.per_document
            for name in self
        ]

    def to_frame(
        self, *, per_document: bool = False, library: str | None = None
    ) -> Any:
        """Return a data frame: a row for each metric, or document and metric.

        BLANC's two kinds of links and the CoNLL score have rows too. `library` is
        `pandas` or `polars`; by default pandas, or Polars without it.

        >>> import corefkit
        >>> result = corefkit.score(["abc"], ["ab"], metrics=["muc"])
        >>> result.to_frame()["recall"].to_list()
        [0.5]
        """
        from corefkit.report.frames.evaluations import evaluation_frame

        return evaluation_frame(self, per_document=per_document, library=library)


def print_rows(key_read: Hashes | Columns) -> Hashes:
    """Return rows of `Evaluation.prints`, made of mentions where they are not yet."""
    return document_prints(key_read) if isinstance(key_read, Columns) else key_read


def added_up(rows: Counts) -> Counts:
    """Add the counts of documents up, whose order makes no difference.

    >>> added_up(np.array([[1e16, 1.0], [1.0, 1.0], [1.0, 1.0]])).tolist()
    [1.0000000000000002e+16, 3.0]
    """
    if len(rows) == 1:
        only: Counts = rows[0]
        return only
    if rows.dtype.kind == "f":
        return np.array([math.fsum(column) for column in rows.T.tolist()])
    totals: Counts = rows.sum(axis=0)
    if rows.sum(axis=0, dtype=np.float64).max() > _LARGE:
        return np.array([checked_count(sum(column)) for column in rows.T.tolist()])
    return totals
