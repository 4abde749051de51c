"""What scoring keeps of documents: rows of counts, and what was noted on the way.

A tally is plain values. Parts of a corpus may be counted by other processes, engines or
machines: their tallies, taken together in the order of the documents, are the tally of
the whole.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from corefkit.alignment.blocks import CrowdedDocument, one_document, referring
from corefkit.alignment.pipeline import aligned_blocks
from corefkit.columns import Columns
from corefkit.columns.prints import document_prints
from corefkit.corpus.declaration import (
    NOTHING_DECLARED,
    clashes,
    declared_in,
    scored_on,
)
from corefkit.evaluation import Evaluation, print_rows
from corefkit.exceptions import CorefkitError, quoted
from corefkit.formats.source import comments_above

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from corefkit.alignment.blocks import AlignedBlock
    from corefkit.alignment.pipeline import Progress
    from corefkit.alignment.runs import Run
    from corefkit.columns import Counts, Hashes
    from corefkit.corpus.declaration import Declaration
    from corefkit.metrics.base import Metric


_NOTHING = NOTHING_DECLARED, NOTHING_DECLARED


@dataclass(slots=True, eq=False)
class Tally:
    """The counts of one response, a row a document, so far."""

    metrics: tuple[Metric, ...]
    rows: list[dict[str, Counts]] = field(default_factory=list)  # a block each
    key_read: list[Hashes | Columns] = field(default_factory=list)
    repetitions: list[str] = field(default_factory=list)
    unknown_to_reference: dict[str, None] = field(default_factory=dict)

    def add(self, run: Run, block: AlignedBlock, key_read: Hashes | Columns) -> None:
        """Count all metrics for a block of documents."""
        try:
            counts = {metric.name: metric.count(block.table) for metric in self.metrics}
        except CrowdedDocument as error:
            raise run.named(error, block.key, block.response) from error
        if run.settings.counts_copies:
            self._count_copies(run, counts, block)
        if run.settings.scores_split:
            # Imported here because few scores ask for it, and every start would pay.
            from corefkit.metrics.split import split_counts, split_documents

            for document, listed in split_documents(block.table.mentions):
                for metric in self.metrics:
                    row = split_counts(metric, listed)
                    if row is not None:
                        _put(counts, metric, document, row)
        self.rows.append(counts)
        self.key_read.append(key_read)

    def _count_copies(
        self, run: Run, counts: dict[str, Counts], block: AlignedBlock
    ) -> None:
        """Count documents that repeat mentions again, as the reference scorer does."""
        # Imported here because few documents repeat mentions.
        from corefkit.metrics.reference import (
            check_settings,
            reference_counts,
            repetition_messages,
        )
        from corefkit.metrics.reference.listed import ListedDocument, listings

        sides = block.key, block.response
        for document in np.flatnonzero(sides[0].copies | sides[1].copies).tolist():
            number = block.key.numbers[document] or 0
            check_settings(run.settings, place=run.key.source.place(number))
            alone = [one_document(referring(side.read), document) for side in sides]
            key, response, spans = listings(*alone)
            # Both sides number their mentions in one list, of which each has its part.
            names = max((side.read.names or () for side in sides), key=len) or None
            self.repetitions += repetition_messages(key, response, spans, names)
            listed = ListedDocument(key, response)
            for metric in self.metrics:
                row = reference_counts(metric, listed)
                if row is None:
                    self.unknown_to_reference[metric.name] = None
                else:
                    _put(counts, metric, document, row)

    def take(self, other: Tally) -> None:
        """Take the counts of other documents, behind these."""
        self.rows += other.rows
        self.key_read += other.key_read
        self.repetitions += other.repetitions
        self.unknown_to_reference |= other.unknown_to_reference

    def join(self) -> None:
        """Make one block of all, so that many small ones take no more room."""
        if self.rows:
            self.rows = [self.counts]
            self.key_read = [np.concatenate(list(map(print_rows, self.key_read)))]

    @property
    def counts(self) -> dict[str, Counts]:
        """The counts of each metric, one row a document."""
        if len(self.rows) == 1:
            return self.rows[0]
        return {
            name: np.concatenate([block[name] for block in self.rows])
            for name in self.rows[0]
        }

    def evaluation(self, run: Run) -> Evaluation:
        """Put the counts of all blocks of a run together."""
        settings, documents = run.effective_settings, run.documents
        notes, missing, warnings = run.notes, run.missing, run.warnings
        declared, clashing = self._declared(run)
        return Evaluation(
            run.key.source.name,
            run.response.source.name,
            settings,
            self.metrics,
            documents,
            self.counts,
            (*notes, *self.notes, *clashing),
            tuple(self.repetitions),
            self.key_read,
            declared,
            warnings,
            missing,
        )

    def _declared(self, run: Run) -> tuple[Declaration, list[str]]:
        """Find what the files declare of their corpus, and where they disagree."""
        ours, theirs = found = declared_by(run, self.key_read)
        if found is _NOTHING:
            return NOTHING_DECLARED, []
        name = run.response.source.name
        clashing = [f"{name}: {clash}" for clash in clashes(ours, theirs)]
        return scored_on(ours, theirs), clashing

    @property
    def notes(self) -> list[str]:
        """What a user should know of the metrics, one sentence each."""
        if not self.unknown_to_reference:
            return []
        names = ", ".join(map(quoted, self.unknown_to_reference))
        note = "not known to the reference scorer, repeated mentions are kept in the"
        return [f"{names}: {note} first of their entities"]


def _put(
    counts: dict[str, Counts], metric: Metric, document: int, row: list[float]
) -> None:
    """Replace the counts of a document; integers make room for fractions."""
    rows = counts[metric.name]
    if rows.dtype.kind != "f" and any(count % 1 for count in row):
        rows = counts[metric.name] = rows.astype(np.float64)
    rows[document] = row


def counted_runs(
    runs: Sequence[Run], metrics: tuple[Metric, ...], progress: Progress | None = None
) -> dict[int, Tally]:
    """Count the metrics of each run, by its number."""
    tallies = {run.number: Tally(metrics) for run in runs}
    count_blocks(tallies, aligned_blocks(runs, progress=progress))
    return tallies


def count_blocks(
    tallies: Mapping[int, Tally], blocks: Iterable[tuple[Run, AlignedBlock]]
) -> None:
    """Count the metrics of each run for blocks of its documents."""
    last: Columns | None = None
    for run, block in blocks:
        if block.key_read is not last:
            # As read: what settings leave out is still of the corpus. Mentions that
            # are names have no hashes, and their rows are made when asked for.
            key_read = last = block.key_read
            prints = key_read if key_read.names else document_prints(key_read)
        try:
            tallies[run.number].add(run, block, prints)
        except (CorefkitError, OSError) as error:
            run.refuse(error)


def declared_by(
    run: Run, key_read: Sequence[Hashes | Columns]
) -> tuple[Declaration, Declaration]:
    """Read what key and response declare of their corpus above their first documents.

    Without words there are no comments above them.
    """
    rows = [part for part in key_read if not isinstance(part, Columns)]
    if not any(part[:, 0].any() for part in rows):
        return _NOTHING
    comments = [list(comments_above(source)) for source in run.inputs]
    if not any(comments):
        return _NOTHING
    return declared_in(comments[0]), declared_in(comments[1])
