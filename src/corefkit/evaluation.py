"""Evaluation: the counts of every document, and the scores computed from them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from corefkit.alignment.pipeline import iter_aligned_blocks, locate_crowd
from corefkit.alignment.scored_mentions import CrowdedDocument, drop_non_referring
from corefkit.arrays.columns import Columns
from corefkit.arrays.hashing import NO_FINGERPRINTS, compute_fingerprints
from corefkit.corpus import (
    NOTHING_DECLARED,
    Declaration,
    format_declaration,
    list_conflicts,
    merge_declarations,
    parse_declaration,
)
from corefkit.exceptions import CorefkitError, quoted
from corefkit.metrics.metric import (
    LazyImport,
    average_conll,
    count_document,
    make_key_error,
)
from corefkit.metrics.registry import CONLL, METRICS
from corefkit.metrics.standard import check_count
from corefkit.strings import escape_terminal
from corefkit.tally import SIDES, compute_prints

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import TypeAlias

    from corefkit.alignment.overlap import Overlap
    from corefkit.alignment.pipeline import Progress, Run
    from corefkit.alignment.scored_mentions import AlignedBlock
    from corefkit.arrays.columns import Counts, Hashes, Ints
    from corefkit.corpus import Fingerprint
    from corefkit.metrics.metric import Metric, Score
    from corefkit.metrics.scores import DocumentScores
    from corefkit.results.records import Value
    from corefkit.settings import Settings
    from corefkit.tally import Tally

    Blocks: TypeAlias = Iterator[tuple[Run, AlignedBlock]]
    # Analyses blocks on their way to being counted.
    Watch: TypeAlias = Callable[[Sequence[Run], Blocks], Blocks]

_COUNT_WINDOWS = LazyImport("corefkit.analysis.windows", "count_windows")
# Sums below this are exact in 63 bits, however they were rounded on the way.
_LARGE = 2.0**62
# Mentions of a block whose overlap table is kept for counting on demand, and whose key
# is kept for the fingerprint.
_MAX_LAZY_MENTIONS = 1 << 12
_MAX_KEPT_MENTIONS = 1 << 16


@dataclass(frozen=True, repr=False, eq=False)
class Evaluation:
    """One response scored against the key.

    Attributes:
        key: the display name of the key.
        response: the display name of the response.
        settings: the settings of scoring.
        metrics: the metrics, in the order of the request.
        documents: the ids of the scored documents, in the order of the key.
        counts: the counts of each metric, one row a document: int64 if all of them are
            integers, float64 otherwise.
        notes: notes on the input for users, one sentence each.
        repetitions: the lines of the reference scorer on repeated mentions, if they
            are counted as by that scorer.
        key_read: rows of `prints`, or the mentions of the key as read that they are
            computed from.
        declared: what key and response declare about the corpus.
        warnings: why the scores may be misleading: mentions or words of a side that do
            not match the other side, with the likely reason.
        missing: the ids of the scored documents that the response lacks.
        class_counts: the counts by class, if they were requested.
        drift: with aligned words, how each document differs from the key: numbers of
            words, repaired brackets, and mentions without a place.

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
    class_counts: ClassCounts | None = None
    drift: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Score:
        """Return the score of one metric, or the CoNLL mean, over all documents.

        With `average="macro"`, recall, precision and F1 are the means of those of the
        documents, and the counts are still the sums.
        """
        metric = self._find_metric(name)
        if metric is not None:
            return self._compute_scores([metric])[metric.name]
        if name == "conll" and self._has_conll:
            parts = [metric for metric in self.metrics if metric.name in CONLL]
            scores = self._compute_scores(parts)
            return average_conll([scores[part] for part in CONLL])
        raise make_key_error(name, self)

    @property
    def _has_conll(self) -> bool:
        return all([part in self.counts for part in CONLL])

    def _find_metric(self, name: object) -> Metric | None:
        for metric in self.metrics:
            if metric.name == name or name in metric.aliases:
                return metric
        return None

    def __iter__(self) -> Iterator[str]:
        return (metric.name for metric in self.metrics)

    def __contains__(self, name: object) -> bool:
        has_mean = name == "conll" and self._has_conll
        return has_mean or self._find_metric(name) is not None

    def __str__(self) -> str:
        """Return the table that `corefkit score` prints, and the warnings."""
        from corefkit.results.score_table import WRITERS

        warnings = [f"warning: {escape_terminal(warning)}" for warning in self.warnings]
        return "\n".join([WRITERS["table"]([self]), *warnings])

    def _repr_html_(self) -> str:
        from corefkit.report.notebook import render_fragment
        from corefkit.results.score_table import build_score_page

        return render_fragment(build_score_page([self]), warnings=self.warnings)

    def __repr__(self) -> str:
        return f"<Evaluation of {self.response!r}: {self.signature}>"

    def __getstate__(self) -> dict[str, Any]:
        """Pickle the prints instead of the mentions that they are computed from."""
        return self.__dict__ | {"key_read": (self.prints,)}

    @cached_property
    def scores(self) -> Mapping[str, Score]:
        """The score of every metric."""
        scores = self._compute_scores(self.metrics)
        return {metric.name: scores[metric.name] for metric in self.metrics}

    @cached_property
    def _computed(self) -> dict[str, Score]:
        """The scores that were requested so far, by the name of the metric."""
        return {}

    def _compute_scores(self, metrics: Sequence[Metric]) -> Mapping[str, Score]:
        """Compute the scores of some metrics; return all that were computed."""
        computed, settings = self._computed, self.settings
        missing = [metric for metric in metrics if metric.name not in computed]
        totals = [add_rows(self.counts[metric.name]) for metric in missing]
        for metric, total in zip(missing, totals, strict=True):
            score = metric.score(total, settings)
            if settings.is_macro and self.documents:
                from corefkit.metrics.scores import average_scores, collect_mean_scores

                counts = self.counts[metric.name]
                means = collect_mean_scores(metric, counts, settings)
                score = average_scores(score, means)
            computed[metric.name] = score
        return computed

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
        """Hashes and sizes that identify the corpus, one row a document."""
        return np.concatenate([NO_FINGERPRINTS, *map(compute_prints, self.key_read)])

    @cached_property
    def corpus(self) -> Fingerprint:
        """The fingerprint of the corpus that was scored."""
        from corefkit.corpus import combine_fingerprints

        return replace(combine_fingerprints(self.prints), declared=self.declared)

    @property
    def labels(self) -> dict[str, str]:
        """The heading of each metric in tables, by name."""
        return {metric.name: metric.label for metric in self.metrics}

    @property
    def document_count(self) -> int:
        """The number of scored documents."""
        return len(self.documents)

    @cached_property
    def per_document(self) -> Sequence[DocumentScores]:
        """The scores of each document, computed on access."""
        from corefkit.metrics.scores import DocumentRows

        return DocumentRows(self.documents, self.metrics, self.counts, self.settings)

    @cached_property
    def classes(self) -> Mapping[str, Evaluation]:
        """The scores of each class, if they were requested by `by`.

        >>> import corefkit
        >>> result = corefkit.score(["abc", "d"], ["ab", "cd"], by="size")
        >>> {name: part["muc"].recall for name, part in result.classes.items()}
        {'1': 0.0, '2': 0.0, '3-4': 0.5}
        """
        names = self.class_counts.names if self.class_counts is not None else ()
        return {name: self.select_class(name) for name in names}

    def select_class(self, name: str) -> Evaluation:
        """Return the evaluation of a class; without counts if nothing is in it."""
        classes = self.class_counts
        assert classes is not None, "the scores were not computed by class"
        number = classes.names.index(name) if name in classes.names else -1
        rows = np.flatnonzero(classes.class_of == number)
        settings = replace(
            self.settings, by=classes.settings.by, by_rule=classes.settings.by_rule
        )
        part = replace(self, settings=settings, class_counts=None)
        documents = classes.document[rows]
        if classes.counts is not None:
            counts = ClassRows(classes.counts, rows, documents, len(self.documents))
            metrics = [each for each in classes.metrics if each.name in self.counts]
            return replace(part, metrics=tuple(metrics), counts=counts)
        ids = [self.documents[document] for document in documents.tolist()]
        return replace(
            part,
            documents=tuple(ids),
            counts={name: self.counts[name][documents] for name in self.counts},
            key_read=(self.prints[documents],),
            missing=tuple(name for name in ids if name in {*self.missing}),
        )

    def to_dict(self, *, per_document: bool = False) -> dict[str, Value]:
        """Return what `corefkit score --format json` prints, as plain values."""
        from corefkit.results.records import dump_results

        return dump_results([self], per_document=per_document)

    def to_flat(self, *, prefix: str = "", separator: str = "/") -> dict[str, float]:
        """Return one number for each name, for experiment loggers.

        Each metric has recall, precision and F1, and a value if it has one, as in
        `muc_f1`; the CoNLL score is `conll_f1`. An undefined ratio is 0, as in tables.

        Args:
            prefix: the prefix of all names, such as `val`.
            separator: the separator after the prefix.

        >>> import corefkit
        >>> result = corefkit.score(["abc"], ["ab"], metrics=["muc"])
        >>> result.to_flat(prefix="val")["val/muc_recall"]
        0.5
        """
        from corefkit.results.records import flatten_scores

        return flatten_scores(self, prefix=prefix, separator=separator)

    def to_records(self, *, per_document: bool = False) -> list[dict[str, Value]]:
        """Return a record for each metric, or document and metric: data frame rows.

        If there are classes, those of metrics have `class`, which is None for all.

        >>> import corefkit
        >>> result = corefkit.score(["abc"], ["ab"], metrics=["muc"])
        >>> result.to_records()[0]["recall"]
        0.5
        """
        from corefkit.results.records import flatten_score

        ends: dict[str, Value] = {"signature": self.signature}
        if not per_document:
            records = [
                flatten_score(self.response, name, score) | ends
                for name, score in self.scores.items()
            ]
            if not self.classes:
                return records
            return [{"class": None, **record} for record in records] + [
                {"class": name, **record}
                for name, part in self.classes.items()
                for record in part.to_records()
            ]
        return [
            {
                "document": row.document,
                **flatten_score(self.response, name, row[name]),
                **ends,
            }
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
        from corefkit.results.frames import make_evaluation_frame

        return make_evaluation_frame(self, per_document=per_document, library=library)


@dataclass(frozen=True, slots=True, eq=False)
class ClassCounts:
    """Counts by class: a row for each document and class that it has.

    Attributes:
        settings: the settings with the classes and the rule.
        metrics: the metrics that are counted by class.
        names: the classes, in the order of tables.
        document: the document of each row, by number.
        class_of: the class of each row, by number.
        counts: the counts of each metric; None if documents have classes, of which the
            counts are known.
    """

    settings: Settings
    metrics: tuple[Metric, ...]
    names: tuple[str, ...]
    document: Ints
    class_of: Ints
    counts: Mapping[str, Counts] | None


class ClassRows(Mapping[str, Any]):
    """The counts of a class in all documents, which would take much room."""

    def __init__(
        self, counts: Mapping[str, Counts], rows: Ints, document: Ints, size: int
    ) -> None:
        self._counts, self._rows = counts, rows
        self._document, self._size = document, size

    def __getitem__(self, name: str) -> Counts:
        rows = self._counts[name]
        counts = np.zeros((self._size, *rows.shape[1:]), rows.dtype)
        counts[self._document] = rows[self._rows]
        return counts

    def __iter__(self) -> Iterator[str]:
        return iter(self._counts)

    def __len__(self) -> int:
        return len(self._counts)


class LazyCounts(Mapping[str, Any]):
    """Counts of a block of documents, computed when a metric is first looked up."""

    def __init__(self, table: Overlap, metrics: Iterable[Metric]) -> None:
        self._table: Overlap | None = table
        self._metrics = {metric.name: metric for metric in metrics}
        self._counts: dict[str, Counts] = {}

    def __getitem__(self, name: str) -> Counts:
        table = self._table  # before the counts: another thread may release it
        counts = self._counts.get(name)
        if counts is None:
            metric = self._metrics[name]
            assert table is not None, "it is kept until all metrics are counted"
            counts = self._counts[name] = metric.count(table)
            if len(self._counts) == len(self._metrics):
                self._table = None
        return counts

    def __contains__(self, name: object) -> bool:
        return name in self._metrics

    def __iter__(self) -> Iterator[str]:
        return iter(self._metrics)

    def __len__(self) -> int:
        return len(self._metrics)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the counts of all metrics."""
        return dict, (dict(self),)


def evaluate_runs(
    runs: Sequence[Run],
    metrics: tuple[Metric, ...],
    progress: Progress | None = None,
    watch: Watch | None = None,
) -> dict[int, Evaluation]:
    """Count metrics for all documents of some runs; return evaluations by response."""
    count_runs(runs, metrics, progress, lazily=True, watch=watch)
    evaluations = {}
    for run in runs:
        if run.refusals and run.is_rejected:
            continue
        evaluation = evaluate(run.tally, metrics, run.settings)
        if run.window is not None:
            settings = replace(evaluation.settings, window=str(run.window))
            evaluation = replace(evaluation, settings=settings)
        try:
            warnings = run.warnings
        except (CorefkitError, OSError) as error:
            run.reject(error)
            continue
        if warnings:
            evaluation = replace(evaluation, warnings=warnings)
        evaluations[run.number] = evaluation
    return evaluations


def count_runs(
    runs: Sequence[Run],
    metrics: Sequence[Metric],
    progress: Progress | None = None,
    *,
    lazily: bool = False,
    watch: Watch | None = None,
) -> None:
    """Count metrics for all documents of some runs, into their tallies.

    Counting small blocks `lazily` may be deferred until the counts are looked up.
    """
    with closing(iter_aligned_blocks(runs, progress=progress)) as blocks:
        watched = blocks if watch is None else watch(runs, blocks)
        count_blocks(watched, metrics, lazily=lazily)
    for run in runs:
        if run.refusals and run.is_rejected:
            continue
        try:
            _note_declarations(run)
        except (CorefkitError, OSError) as error:
            run.reject(error)


def count_blocks(
    blocks: Iterable[tuple[Run, AlignedBlock]],
    metrics: Sequence[Metric],
    *,
    lazily: bool = False,
) -> None:
    """Count metrics for blocks of documents, into the tallies of their runs."""
    last: Columns | None = None
    for run, block in blocks:
        try:
            if lazily and _can_defer_counting(run, block, metrics):
                run.tally.counts.append(LazyCounts(block.table, metrics))
            else:
                run.tally.counts.append(_count_block(run, block, metrics))
        except (CorefkitError, OSError) as error:
            run.reject(error)
        # Of the key as read: mentions that settings leave out belong to the corpus too.
        # Those of a single small block are computed on demand.
        key, prints = block.key_read, run.tally.prints
        if not prints and len(key.start) <= _MAX_KEPT_MENTIONS:
            prints.append(key)
            continue
        prints[-1:] = map(compute_prints, prints[-1:])
        if key is not last:
            last, rows = key, compute_fingerprints(key)
        prints.append(rows)


def _can_defer_counting(
    run: Run, block: AlignedBlock, metrics: Sequence[Metric]
) -> bool:
    """Return whether a block is small, in memory, and counting it cannot fail."""
    settings = run.settings
    if run.window is not None:
        return False
    if block.key.read.names is None or block.response.read.names is None:
        return False
    if not settings.is_exact or settings.counts_copies or settings.scores_split:
        return False
    if len(block.key.read.start) + len(block.response.read.start) > _MAX_LAZY_MENTIONS:
        return False
    return all(
        [metric.default and METRICS.get(metric.name) is metric for metric in metrics]
    )


def _count_block(
    run: Run, block: AlignedBlock, metrics: Sequence[Metric]
) -> dict[str, Counts]:
    if run.window is not None:
        windows: dict[str, Counts] = _COUNT_WINDOWS(run, block, metrics, run.window)
        return windows
    try:
        counts = {metric.name: metric.count(block.table) for metric in metrics}
    except CrowdedDocument as error:
        raise locate_crowd(error, block.key, block.response) from error
    if run.settings.counts_copies:
        _count_repeats(run, block, metrics, counts)
    if run.settings.scores_split:
        from corefkit.metrics.split import iter_split_documents

        for document, listed in iter_split_documents(block.table.mentions):
            for metric in metrics:
                row = count_document(metric.split, listed)
                _replace_row(counts, metric, document, row)
    return counts


def _count_repeats(
    run: Run,
    block: AlignedBlock,
    metrics: Sequence[Metric],
    counts: dict[str, Counts],
) -> None:
    """Count documents that repeat mentions again, as the reference scorer does."""
    sides = block.key, block.response
    documents = np.flatnonzero(sides[0].copies | sides[1].copies).tolist()
    if not documents:
        return
    from corefkit.metrics.reference import (
        ListedDocument,
        check_reference_settings,
        format_repetitions,
        list_mentions,
    )

    run.tally.totals["listed"] += len(documents)
    for document in documents:
        number = block.key.numbers[document] or 0
        check_reference_settings(run.settings, place=run.key.format_place(number))
        key, response, spans = list_mentions(
            *(
                drop_non_referring(side.read).take_documents([document])
                for side in sides
            )
        )
        # Both sides number their mentions in one list, of which each has its part.
        names = max((side.read.names or () for side in sides), key=len) or None
        run.tally.repetitions += format_repetitions(key, response, spans, names)
        listed = ListedDocument(key, response)
        for metric in metrics:
            row = count_document(metric.reference, listed)
            _replace_row(counts, metric, document, row)


def _replace_row(
    counts: dict[str, Counts], metric: Metric, document: int, row: list[float] | None
) -> None:
    """Replace the counts of a document; integers become floats for fractions."""
    if row is None:
        return
    rows = counts[metric.name]
    if rows.dtype.kind != "f" and any(count % 1 for count in row):
        rows = counts[metric.name] = rows.astype(np.float64)
    rows[document] = row


def _note_declarations(run: Run) -> None:
    """Note the corpus that key and response declare above their first documents."""
    if not any(map(_has_words, run.tally.prints)):
        return  # without words there are no comments above them
    for role, source in zip(SIDES, run.inputs, strict=True):
        line, comments = "", list(source.iter_comments())
        if comments:
            line = format_declaration(parse_declaration(comments))
        run.tally.firsts[f"declares/{role}"] = "", line


def _has_words(prints: Hashes | Columns) -> bool:
    hashes = prints.text_hash if isinstance(prints, Columns) else prints[:, 0]
    return bool(hashes.any())


def evaluate(
    tally: Tally,
    metrics: tuple[Metric, ...],
    settings: Settings,
    warnings: tuple[str, ...] = (),
) -> Evaluation:
    """Create the evaluation from the counts and notes of all documents."""
    key, response = tally.names
    notes, declaration = list[str](), NOTHING_DECLARED
    effective_settings = settings
    if (
        tally.firsts
        or tally.notes
        or tally.key_only
        or tally.response_only
        or tally.drift
    ):
        notes = tally.describe(settings)
        effective_settings = tally.find_effective_settings(settings)
    if tally.totals["listed"]:
        unknown = [
            quoted(metric.name)
            for metric in metrics
            if isinstance(metric.reference, str)
        ]
        if unknown:
            notes.append(
                f"{', '.join(unknown)}: not known to the reference scorer, repeated "
                "mentions are kept in the first of their entities"
            )
    declares = [tally.firsts.get(f"declares/{side}", ("", ""))[1] for side in SIDES]
    if any(declares):
        declarations = [parse_declaration([line]) for line in declares]
        declaration = merge_declarations(*declarations)
        notes += [f"{response}: {clash}" for clash in list_conflicts(*declarations)]
    is_scored = not (settings.skips_missing or settings.joins_documents)
    return Evaluation(
        key,
        response,
        effective_settings,
        metrics,
        tuple(tally.documents),
        tally.counts[0] if len(tally.counts) == 1 else tally.joined_counts,
        tuple(notes),
        tuple(tally.repetitions),
        list(tally.prints),
        declaration,
        warnings,
        tuple(tally.key_only) if is_scored else (),
        drift=dict(tally.drift),
    )


def add_rows(rows: Counts) -> Counts:
    """Add up the counts of documents; their order has no effect."""
    if len(rows) == 1:
        only: Counts = rows[0]
        return only
    if rows.dtype.kind == "f":
        return np.array([math.fsum(column) for column in rows.T.tolist()])
    totals: Counts = rows.sum(axis=0)
    if rows.sum(axis=0, dtype=np.float64).max() > _LARGE:
        return np.array([check_count(sum(column)) for column in rows.T.tolist()])
    return totals
