"""Scoring: documents in blocks through pairing, matching, table and metrics.

Only a block of documents is in memory at a time; rows of counts are what stays of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias, Unpack

import numpy as np

from corefkit.alignment.meeting import Meeting, Sides, warnings
from corefkit.alignment.pairing import pair_documents
from corefkit.alignment.scope import scoped
from corefkit.alignment.sides import (
    Block,
    Side,
    entity_lists,
    naming_documents,
    read_ahead,
    tree_anchors,
)
from corefkit.alignment.table import overlap_table
from corefkit.alignment.texts import Read, compare_texts, effective_settings
from corefkit.corpus.declaration import clashes, declared_by, scored_on
from corefkit.corpus.fingerprint import NO_PRINTS, document_prints
from corefkit.evaluation import Evaluation
from corefkit.exceptions import quoted
from corefkit.formats.inputs import open_inputs
from corefkit.metrics import chosen_metrics
from corefkit.metrics.reference import (
    ListedDocument,
    check_settings,
    reference_counts,
    repetition_messages,
)
from corefkit.metrics.split import check_metrics, split_counts, split_documents
from corefkit.settings.keywords import Keywords, names_settings, settings_from

if TYPE_CHECKING:
    from corefkit.alignment.table import Overlap
    from corefkit.columns import Floats, Hashes
    from corefkit.formats.inputs import Input
    from corefkit.formats.source import Source
    from corefkit.metrics.base import Metric
    from corefkit.settings import Settings

Progress: TypeAlias = Callable[[int, int], None]


@names_settings
def score(
    key: Input,
    response: Input,
    *,
    metrics: str | Iterable[str | Metric] | None = None,
    format: str | None = None,
    **keywords: Unpack[Keywords],
) -> Evaluation:
    """Score a response against the key.

    Args:
        key: a file, documents that `corefkit.read` gave, a partition (an iterable of
            entities, each an iterable of mentions), a list of partitions, a mapping of
            document ids to partitions, objects of JSON lines, or a table;
            `corefkit.formats.memory.shapes` has all shapes.
        response: likewise; beside a file, mentions in memory are spans
            `(first token, last token)`.
        metrics: names or `Metric` values; the default set if not given.
        keywords: the settings, by name.
        format: the format of files; recognised if not given.

    >>> import corefkit
    >>> result = corefkit.score(["abc", "defg"], ["ab", "cd", "fghi"])
    >>> round(result["b_cubed"].f1, 4)
    0.4545
    """
    (evaluation,) = score_responses(
        key, [response], metrics=metrics, format=format, **keywords
    )
    return evaluation


@names_settings
def score_responses(
    key: Input,
    responses: Iterable[Input] | Mapping[str, Input],
    *,
    metrics: str | Iterable[str | Metric] | None = None,
    format: str | None = None,
    progress: Progress | None = None,
    **keywords: Unpack[Keywords],
) -> list[Evaluation]:
    """Score several responses against one key, which is read once.

    Args:
        key: as for `score`.
        responses: each as for `score`; in a mapping, the names they are shown by.
        metrics: names or `Metric` values; the default set if not given.
        format: the format of files; recognised if not given.
        progress: called now and then with the work done and the whole work.
        keywords: the settings, as for `score`.

    >>> both = score_responses(["abc"], [["ab"], ["abc"]], singletons="drop")
    >>> [evaluation["lea"].f1 for evaluation in both]
    [0.5, 1.0]
    >>> [named.response for named in score_responses(["abc"], {"base": ["ab"]})]
    ['base']
    """
    if isinstance(responses, Mapping):
        unnamed = score_responses(
            key,
            list(responses.values()),
            metrics=metrics,
            format=format,
            progress=progress,
            **keywords,
        )
        return [
            replace(evaluation, response=name)
            for name, evaluation in zip(responses, unnamed, strict=True)
        ]
    settings = settings_from(**keywords)
    settings.check()
    wanted = chosen_metrics(metrics)
    if settings.scores_split:
        check_metrics(wanted)
    reference = settings.reads_as_reference
    inputs = open_inputs(key, responses, format=format, reference=reference)
    with inputs as (key_source, sources):
        if settings.joins_documents:
            found = [
                _scoped_evaluation(key_source, source, wanted, settings, progress)
                for source in sources
            ]
        else:
            found = _evaluations(key_source, sources, wanted, settings, progress)
        return _declared(found, key_source, sources)


def _declared(
    evaluations: Sequence[Evaluation], key: Source, sources: Sequence[Source]
) -> list[Evaluation]:
    """Let the scores carry what the files declare of their corpus."""
    if not any(evaluation.prints[:, 0].any() for evaluation in evaluations):
        return list(evaluations)  # no words, and so no comments above them
    ours = declared_by(key)
    found = []
    for evaluation, source in zip(evaluations, sources, strict=True):
        theirs = declared_by(source)
        notes = [f"{source.name}: {clash}" for clash in clashes(ours, theirs)]
        found.append(
            replace(
                evaluation,
                declared=scored_on(ours, theirs),
                notes=(*evaluation.notes, *notes),
            )
        )
    return found


def _scoped_evaluation(
    key: Source,
    response: Source,
    metrics: tuple[Metric, ...],
    settings: Settings,
    progress: Progress | None,
) -> Evaluation:
    pairs, notes = pair_documents(key, response, settings)
    sides = scoped(key, response, pairs, settings)
    (evaluation,) = _evaluations(sides[0], [sides[1]], metrics, settings, progress)
    return replace(evaluation, notes=(*notes, *evaluation.notes))


def _evaluations(
    key_source: Source,
    sources: Sequence[Source],
    metrics: tuple[Metric, ...],
    settings: Settings,
    progress: Progress | None,
) -> list[Evaluation]:
    runs = [_start(key_source, source, metrics, settings) for source in sources]
    # The key is read once for all, but what of it is scored may depend on the response:
    # names that a CoNLL file tells apart may be one to another format.
    alike: dict[tuple[int, ...], list[_Run]] = {}
    for run in runs:
        alike.setdefault(tuple(run.numbers), []).append(run)
    for group in alike.values():
        _count(group, settings, progress)
    return [run.evaluation() for run in runs]


def _count(runs: Sequence[_Run], settings: Settings, progress: Progress | None) -> None:
    """Count what responses have of the same documents of the key."""
    key_side = Side(runs[0].key, "key")
    prints: list[Hashes] = []
    for key, responses in _blocks(key_side, runs[0].numbers, runs, settings, progress):
        # As read: what settings leave out is still of the corpus.
        prints.append(document_prints(key.read))
        for run, response in zip(runs, responses, strict=True):
            run.count(key, response)
    key_side.check()
    for run in runs:
        run.side.check()
        run.key_notes = key_side.notes(settings)
        run.prints = np.concatenate(prints)


def _blocks(
    key_side: Side,
    numbers: Sequence[int],
    runs: Sequence[_Run],
    settings: Settings,
    progress: Progress | None = None,
) -> Iterator[tuple[Block, list[Block]]]:
    """Read key and responses block by block, and say how far it is."""
    sizes = [key_side.source.sizes[number] for number in numbers]
    done, total = 0, sum(sizes)
    for first, last, (key, *responses) in read_ahead(
        [(key_side, numbers), *((run.side, run.partners) for run in runs)],
        sizes,
        settings,
    ):
        yield key, responses
        done += sum(sizes[first:last])
        if progress is not None:
            progress(done, total)


@dataclass(frozen=True, slots=True)
class Aligned:
    """Key and response with their mentions aligned, and nothing counted yet.

    Attributes:
        key: what the user called the key.
        response: what the user called the response.
        documents: the ids of the documents, in the order of the key.
        tables: the overlap tables, a block of documents each.
        notes: what a user should know about the input, one sentence each.
        warnings: where mentions hardly meet, and why, one sentence each.
    """

    key: str
    response: str
    documents: tuple[str, ...]
    tables: tuple[Overlap, ...]
    notes: tuple[str, ...]
    warnings: tuple[str, ...] = ()


def aligned(
    key: Input, response: Input | None, *, settings: Settings, format: str | None = None
) -> Aligned:
    """Read key and response whole and align their mentions, as scoring does.

    For those who go on with the tables; who wants scores takes less memory by `score`.
    Without a response the key is read, once, and stands for it: each mention is itself,
    whatever else would match.

    >>> from corefkit.settings import Settings
    >>> found = aligned(["abc"], ["ab", "d"], settings=Settings())
    >>> [table.shared.tolist() for table in found.tables]
    [[2]]
    """
    if response is None:
        settings = replace(settings, match="exact")
    responses = [] if response is None else [response]
    reference = settings.reads_as_reference
    inputs = open_inputs(key, responses, format=format, reference=reference)
    with inputs as (key_source, sources):
        source = sources[0] if sources else key_source
        sides: tuple[Source, Source] = key_source, source
        notes: list[str] = []
        if settings.joins_documents:
            pairs, notes = pair_documents(key_source, source, settings)
            sides = scoped(key_source, source, pairs, settings)
        run = _start(sides[0], sides[1], (), settings)
        if settings.skips_missing:
            pairs_there = zip(run.numbers, run.partners, strict=True)
            there = [pair for pair in pairs_there if pair[1] is not None]
            run.numbers = [one for one, _ in there]
            run.partners = [one for _, one in there]
        key_side = Side(sides[0], "key")
        runs = [run] if sources else []
        tables = [
            run.named_table(*run.same_text(block, *(responses or [block])))
            for block, responses in _blocks(key_side, run.numbers, runs, settings)
        ]
        key_side.check()
        run.key_notes = key_side.notes(settings)
        return Aligned(
            key_source.name,
            source.name,
            tuple(sides[0].ids[number] for number in run.numbers),
            tuple(tables),
            (*notes, *run.every_note()),
            run.warnings() if sources else (),
        )


def _start(
    key: Source, response: Source, metrics: tuple[Metric, ...], settings: Settings
) -> _Run:
    pairs, notes = pair_documents(key, response, settings)
    return _Run(
        key,
        Side(response, "response"),
        [pair.key for pair in pairs],
        [pair.response for pair in pairs],
        metrics,
        settings,
        notes,
    )


@dataclass(slots=True)
class _Run:
    """The scoring of one response: its documents, and the counts so far."""

    key: Source
    side: Side
    numbers: list[int]
    partners: list[int | None]
    metrics: tuple[Metric, ...]
    settings: Settings
    notes: list[str]
    rows: list[dict[str, Floats]] = field(default_factory=list)
    repetitions: list[str] = field(default_factory=list)
    text_notes: dict[str, str] = field(default_factory=dict)
    key_notes: list[str] = field(default_factory=list)
    prints: Hashes = field(default_factory=lambda: NO_PRINTS)
    otherwise: dict[str, None] = field(default_factory=dict)
    meeting: Meeting = field(default_factory=Meeting)

    def count(self, key: Block, response: Block) -> None:
        """Count all metrics for a block of documents."""
        with naming_documents(self.key, key, response):
            self._count(key, response)

    def _count(self, key: Block, response: Block) -> None:
        key, response = self.same_text(key, response)
        overlap = self.table(key, response)
        counts = {metric.name: metric.count(overlap) for metric in self.metrics}
        if self.settings.counts_copies:
            for document in np.flatnonzero(key.repeats | response.repeats).tolist():
                self._recount(counts, key, response, document)
        if self.settings.scores_split:
            for document, listed in split_documents(overlap.mentions):
                for metric in self.metrics:
                    row = split_counts(metric, listed)
                    if row is not None:
                        counts[metric.name][document] = row
        self.rows.append(counts)

    def named_table(self, key: Block, response: Block) -> Overlap:
        """Build the overlap table; an error says which document it is about."""
        with naming_documents(self.key, key, response):
            return self.table(key, response)

    def table(self, key: Block, response: Block) -> Overlap:
        """Build the overlap table of a block of documents."""
        overlap = overlap_table(
            key.settled,
            response.settled,
            settings=self.settings,
            as_read=(key.read, response.read),
            anchors=tree_anchors(key, response),
            attributes=(key.attributes, response.attributes),
        )
        self.meeting.add(key, response, both=len(overlap.mentions.alignment.key))
        return overlap

    def same_text(self, key: Block, response: Block) -> tuple[Block, Block]:
        """See that both sides have the same text, or let them go by characters."""
        comparison = compare_texts(
            Read(self.key, key.numbers, key.read),
            Read(self.side.source, response.numbers, response.read),
            self.settings,
        )
        self.text_notes = {**comparison.notes, **self.text_notes}
        response = self.side.headed(response, self.key, key, self.settings)
        for key_characters, response_characters in comparison.moves:
            key = key.moved(key_characters)
            response = response.moved(response_characters)
        return key, response

    def _recount(
        self, counts: dict[str, Floats], key: Block, response: Block, document: int
    ) -> None:
        check_settings(self.settings, place=self.key.place(key.numbers[document] or 0))
        lists = [entity_lists(side.read, document) for side in (key, response)]
        self.repetitions.extend(repetition_messages(*lists))
        listed = ListedDocument(*lists)
        for metric in self.metrics:
            row = reference_counts(metric, listed)
            if row is None:
                self.otherwise[metric.name] = None
            else:
                counts[metric.name][document] = row

    def evaluation(self) -> Evaluation:
        """Put the counts of all blocks together."""
        documents = [self.key.ids[number] for number in self.numbers]
        prints = self.prints
        counts = {
            metric.name: np.concatenate([block[metric.name] for block in self.rows])
            for metric in self.metrics
        }
        if self.settings.skips_missing:
            there = np.array([number is not None for number in self.partners], np.bool_)
            counts = {name: rows[there] for name, rows in counts.items()}
            documents = [documents[row] for row in np.flatnonzero(there)]
            prints = prints[there]
        return Evaluation(
            self.key.name,
            self.side.source.name,
            effective_settings(self.settings, self.text_notes),
            self.metrics,
            tuple(documents),
            counts,
            self.every_note(),
            tuple(self.repetitions),
            prints,
            warnings=self.warnings(),
        )

    def warnings(self) -> tuple[str, ...]:
        """Say where mentions hardly meet, once all is counted, and why."""
        sides = self.key, self.side.source, self.numbers, self.partners
        return warnings(self.meeting, Sides(*sides, self.settings))

    def every_note(self) -> tuple[str, ...]:
        """Give what was noted of both sides."""
        texts = (self.text_notes[kind] for kind in sorted(self.text_notes))
        side_notes = self.side.notes(self.settings)
        notes = (*self.notes, *texts, *self.key_notes, *side_notes)
        if not self.otherwise:
            return notes
        names = ", ".join(map(quoted, self.otherwise))
        told = "not known to the reference scorer, repeated mentions are kept in the"
        return (*notes, f"{names}: {told} first of their entities")
