"""Errors of responses and their costs: kinds of errors, links, and repairs.

Blocks of documents are analysed one by one, all systems together. Only the errors of
the documents are kept, the counts of their links, and rows of counts for the metrics
whose F1 measures the cost of errors.

Rules for the response that `errors` accepts:

1.  A value that is not a mapping is one response, as for `corefkit.score`. Lists of
    files are rejected: lists of strings would be partitions.
2.  A mapping to paths contains several responses by name.
3.  A JSON object in the format of JSON lines, and a mapping with the id of a document
    of the key among its names, is one response: document ids to documents.
4.  Any other mapping contains several responses by name, unless its values are
    partitions and the documents of the key have ids: these are not responses to such a
    key, and might be documents under wrong ids, so they are rejected.
5.  So is a mapping with a name of a document of the key whose value has such names
    again: it might be one response, or a system of that name.

To pass a single response that might be mistaken for several, name it:
`{"A": response}`.
"""

from __future__ import annotations

import gc
import os
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Unpack, cast

import numpy as np

from corefkit.alignment.pipeline import Progress, Run, iter_aligned_blocks, open_runs
from corefkit.alignment.scored_mentions import AlignedBlock
from corefkit.analysis.errors.error_analysis import (
    ERROR_LABELS,
    KINDS,
    LINKS,
    PRONOUN,
    DocumentErrors,
    DocumentText,
    ErrorAnalysis,
    SystemErrors,
)
from corefkit.analysis.errors.kinds import (
    OPERATIONS,
    KindErrors,
    find_errors_by_kind,
    find_span_errors,
    list_errors,
)
from corefkit.analysis.errors.layers import Layers, iter_layers
from corefkit.analysis.errors.links import (
    ANTECEDENTS,
    LinkCounts,
    add_counts,
    build_trees,
    count_edges,
    list_link_errors,
)
from corefkit.analysis.errors.mention_facts import MentionDescriber
from corefkit.analysis.errors.mentions import (
    MentionFacts,
    MentionTable,
    join_mentions,
    keep_first_duplicates,
)
from corefkit.analysis.errors.repairs import (
    ALL_BUT,
    ALONE,
    LADDER,
    RepairCosts,
    apply_repair,
    build_corrected_document,
    list_repaired_entities,
    read_base_document,
)
from corefkit.arrays.columns import Floats, Ints
from corefkit.evaluation import Evaluation
from corefkit.exceptions import CorefkitError, FormatError, quoted
from corefkit.formats import Input, open_inputs
from corefkit.metrics.metric import Metric
from corefkit.metrics.registry import find_metrics
from corefkit.metrics.split import iter_split_documents
from corefkit.model import Document
from corefkit.results.stored_results import StoredScores
from corefkit.settings import (
    Keywords,
    Settings,
    check_known,
    expand_settings,
    resolve_settings,
)
from corefkit.strings import normalize_id
from corefkit.tally import SIDES

_SINGLETONS = ("extra_entity", "missing_entity")
_LINE = re.compile(r":\d+$")
# A mapping with one of these names is an object of JSON lines.
_JSON_NAMES = frozenset({"doc_key", "clusters", "predicted_clusters"})
_SHAPES_HINT = (
    "one response is {document: partition, ...}, several are {name: response, ...}"
)
_DUPLICATES_NOTE = (
    "repeated mentions are kept in the first of their entities here, and F1 is counted "
    "so: how the reference scorer would count them after a repair is not defined"
)
_SPLIT_NOTE = (
    "split antecedents are left out here, and F1 is counted so: what becomes of them "
    "in a repair is not defined"
)


@dataclass(frozen=True, slots=True)
class ErrorOptions:
    """Options of an analysis other than the settings of the score."""

    metrics: tuple[Metric, ...]  # whose F1 shows what errors cost
    antecedents: str = ANTECEDENTS[0]
    language: str | None = None  # of the text; detected by default
    strata: str | None = None  # `genre`, or a pattern on document ids
    corrected: bool = False  # keep the documents of each step of the ladder
    places: bool = False  # locate words in files, for lists
    layers: bool = False  # keep mentions and errors for pages
    links: bool = True  # count links
    details: bool = True  # keep single errors and links, and the words of documents

    def __post_init__(self) -> None:
        message = f"unknown antecedents {self.antecedents!r}"
        check_known(self.antecedents, ANTECEDENTS, message)
        if self.strata is not None:
            # Comparisons, which most analyses do not import, have the same strata.
            from corefkit.analysis.compare.procedure import Procedure

            Procedure(strata=self.strata)

    def format_signature(self, settings: Settings) -> str:
        """Format the settings in one line, with the options that are not defaults."""
        signature = settings.signature
        if self.antecedents != ANTECEDENTS[0]:
            signature += f"|antecedents:{self.antecedents}"
        if self.language is not None:
            signature += f"|language:{self.language}"
        return signature


@expand_settings
def errors(
    key: Input,
    response: Input | Mapping[str, Input],
    *,
    repair: str | Iterable[str | Metric] | None = None,
    antecedents: str = ANTECEDENTS[0],
    language: str | None = None,
    strata: str | None = None,
    corrected: bool = False,
    skip_broken: bool = False,
    format: str | None = None,
    progress: Progress | None = None,
    **keywords: Unpack[Keywords],
) -> ErrorAnalysis:
    """Return the errors of responses, and their cost.

    Args:
        key: as for `corefkit.score`.
        response: the same; a mapping of names to responses contains several. A mapping
            with an id of the key's documents among its names is one response.
        repair: the metrics whose F1 shows what errors cost, by name or as objects; the
            default set and the CoNLL mean if not given.
        antecedents: the earlier mention that a link goes to: `accessibility` for the
            last name, else the last nominal, but the closest mention for pronouns;
            `closest` for the closest of all.
        language: the language of the text, such as `en`, for its pronouns and articles;
            detected by default.
        strata: `genre`, or a regular expression that is searched in document ids, and
            whose first group is the stratum; links are counted by stratum too.
        corrected: whether to keep the documents of each step of the ladder.
        skip_broken: whether to skip responses that cannot be analysed, and list them in
            `refused`.
        format: the format of files; detected by default.
        progress: called repeatedly with the amount of work done, and in total.
        keywords: the settings, as for `corefkit.score`.

    >>> analysis = errors(["abc", "de"], {"A": ["ab", "cde"], "B": ["abc"]})
    >>> [system.counts["conflated"] for system in analysis.systems]
    [1, 0]
    >>> analysis.across.changes["introduced"].by_kind["missing_entity"]
    1
    >>> [error.id for error in analysis.systems[0].documents[0].errors]
    ['document#conflated#d', 'document#divided#c']
    """
    if isinstance(key, Iterator):
        key = list(key)
    by_name = name_responses(key, response, format=format)
    return find_errors(
        key,
        [response] if by_name is None else [*by_name.values()],
        names=None if by_name is None else [*by_name],
        options=ErrorOptions(
            find_metrics(repair), antecedents, language, strata, corrected=corrected
        ),
        settings=resolve_settings(**keywords),
        skip_broken=skip_broken,
        format=format,
        progress=progress,
    )


def find_errors(
    key: Input,
    responses: Sequence[Input],
    *,
    names: Sequence[str] | None,
    options: ErrorOptions,
    settings: Settings,
    skip_broken: bool = False,
    format: str | None = None,
    progress: Progress | None = None,
) -> ErrorAnalysis:
    """Return the errors of responses, which have display names or are named by file."""
    refusals: dict[int, CorefkitError] | None = {} if skip_broken else None
    with (
        disable_gc(),
        open_runs(
            key,
            responses,
            settings=keep_first_duplicates(settings),
            format=format,
            refusals=refusals,
        ) as runs,
    ):
        if progress is not None:
            progress(0, 1)  # resets the progress of earlier work
        paths = [_get_label(response, "response") for response in responses]
        sources = {run.number: run.response.name for run in runs}
        labels = names or dict(enumerate(paths)) | sources
        finder = ErrorFinder(
            labels, options, settings, {} if refusals is None else refusals
        )
        for _ in finder.watch(runs, iter_aligned_blocks(runs, progress=progress)):
            pass  # nothing else is counted
        analysis = cast("ErrorAnalysis", finder.analysis)
        return analysis if runs else replace(analysis, key=_get_label(key, "key"))


class ErrorFinder:
    """Finds errors in blocks that may be scored as well, and sets `analysis`."""

    def __init__(
        self,
        labels: Mapping[int, str] | Sequence[str],
        options: ErrorOptions,
        settings: Settings,
        refusals: Mapping[int, CorefkitError],
    ) -> None:
        self.labels, self.options, self.settings = labels, options, settings
        self.refusals = refusals
        self.analysis: ErrorAnalysis | None = None
        self._describer = MentionDescriber(
            language=options.language, has_texts=options.links
        )
        self._texts: dict[str, DocumentText] = {}
        self._collectors: dict[int, _ErrorCollector] = {}

    def watch(
        self, runs: Sequence[Run], blocks: Iterable[tuple[Run, AlignedBlock]]
    ) -> Iterator[tuple[Run, AlignedBlock]]:
        """Analyse blocks as they pass; reject responses that cannot be analysed."""
        for run in runs:
            collector = _ErrorCollector(run, self.options, self._describer, self._texts)
            # Ids of the key are not an error of a response.
            collector.find_strata(run.documents)
            self._collectors[run.number] = collector
        for run, block in blocks:
            try:
                self._collectors[run.number].add(block)
            except (CorefkitError, OSError) as error:
                run.reject(error)
            else:
                yield run, block
        self.analysis = self._build_analysis(runs)

    def _build_analysis(self, runs: Sequence[Run]) -> ErrorAnalysis:
        # Local: comparisons import the counts of errors.
        from corefkit.analysis.compare.systems import (
            add_system_name,
            make_unique_names,
            replace_default_name,
        )

        self._describer.drop_documents()
        labels = self.labels
        collectors = [
            self._collectors[run.number] for run in runs if not run.is_rejected
        ]
        systems = [
            collector.build_result(labels[collector.run.number])
            for collector in collectors
        ]
        notes, warnings = (
            [
                replace_default_name(text, labels[collector.run.number])
                for collector in collectors
                for text in getattr(collector.run, name)
            ]
            for name in ("notes", "warnings")
        )
        effective, more_notes = _find_effective_settings(self.settings, collectors)
        reasons = [
            add_system_name(error, labels[number]).reason
            for number, error in self.refusals.items()
        ]
        rejected = [labels[number] for number in self.refusals]
        names = make_unique_names(rejected, are_names=True)
        return ErrorAnalysis(
            runs[0].key.name if runs else "key",
            self.options.format_signature(effective),
            tuple(systems),
            self._describer.sources,
            dict(zip(names, reasons, strict=True)),
            tuple(dict.fromkeys([*notes, *more_notes])),
            tuple(dict.fromkeys(warnings)),
            self._texts,
        )


@contextmanager
def disable_gc() -> Iterator[None]:
    """Disable the garbage collector, because all objects of an analysis are kept."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@dataclass(slots=True)
class _ErrorCollector:
    """Collects the errors of one response; responses share the words of documents."""

    run: Run
    options: ErrorOptions
    describer: MentionDescriber
    texts: dict[str, DocumentText]
    documents: list[DocumentErrors] = field(default_factory=list)
    links: dict[str, list[LinkCounts]] = field(default_factory=dict)
    sums: Counter[str] = field(default_factory=Counter)
    corrected: dict[str, list[Document]] = field(default_factory=dict)
    layers: list[Layers] = field(default_factory=list)
    costs: RepairCosts = field(init=False)
    has_split: bool = False  # whether split antecedents were ignored

    def __post_init__(self) -> None:
        self.costs = RepairCosts(self.options.metrics, self.run.settings)
        self.links = {side: [] for side in LINKS}

    def add(self, block: AlignedBlock) -> None:
        names = [self.run.key.ids[number or 0] for number in block.key.numbers]
        table, facts, kinds = _analyse_block(self.run, block, self.describer)
        trees = []
        if self.options.links:
            strata, antecedents = self.find_strata(names), self.options.antecedents
            for side, parts in self.links.items():
                edges = build_trees(
                    table, facts.type, side=side, antecedents=antecedents
                )
                parts.append(
                    count_edges(table, facts, edges, documents=names, strata=strata)
                )
                trees.append(edges)
        details: list[tuple[Any, ...]] = [()] * len(names)
        if self.options.details:
            for row, name in enumerate(names):
                if name not in self.texts or not self.texts[name].tokens:
                    self.texts[name] = self._read_text(block, row)
            words = [self.texts[name].tokens for name in names]
            rows = list_errors(kinds, names, facts, words.__getitem__)
            errors = (tuple([error for error, _ in document]) for document in rows)
            links = (
                list_link_errors(table, facts, tree, documents=names) for tree in trees
            )
            details = list(zip(errors, *links, strict=True))
            if self.options.layers:
                error_rows = [[row for _, row in document] for document in rows]
                self.layers += iter_layers(block, table, error_rows, trees)
        mentions = block.table.mentions.key.document
        sizes = np.bincount(mentions, minlength=len(names)).tolist()
        rows_of_counts = kinds.counts.tolist()
        self.documents += [
            DocumentErrors(name, size, dict(zip(KINDS, counts, strict=True)), *parts)
            for name, size, counts, parts in zip(
                names, sizes, rows_of_counts, details, strict=True
            )
        ]
        for labels, counts in (
            (_SINGLETONS, kinds.singletons),
            (OPERATIONS, kinds.operations),
        ):
            sums = counts.sum(axis=0).tolist()
            self.sums.update(dict(zip(labels, sums, strict=True)))
        self.sums["kept_apart"] += kinds.count_extra_anchors()
        self.costs.add(block, kinds)
        if self.run.settings.scores_split and not self.has_split:
            self.has_split = any(iter_split_documents(block.table.mentions))
        if self.options.corrected:
            self._add_corrected(block, kinds)

    def find_strata(self, documents: Sequence[str]) -> list[str] | None:
        if self.options.strata is None:
            return None
        # Few analyses have strata.
        from corefkit.analysis.compare.sample import find_strata

        return find_strata(documents, self.options.strata)

    def _read_text(self, block: AlignedBlock, row: int) -> DocumentText:
        text = self.describer.read_text(self.run, block, row)
        if not self.options.places or not text.tokens:
            return text
        words = list(self.run.key.iter_words(block.key.numbers[row] or 0))
        empty = sorted(text.empty)
        has_lines = bool(words) and _LINE.search(words[0].place)
        if not has_lines or len(words) + len(empty) != len(text.tokens):
            return text  # documents in memory have no places
        # Empty nodes, which have no line, have the places of the next words.
        numbers = [
            token - bisect_left(empty, token) for token in range(len(text.tokens))
        ]
        places = [words[min(number, len(words) - 1)].place for number in numbers]
        return replace(text, places=places)

    def _add_corrected(self, block: AlignedBlock, kinds: KindErrors) -> None:
        bases = [
            read_base_document(self.run, block, row)
            for row in range(len(block.key.numbers))
        ]
        for step, repair in LADDER.items():
            repaired = apply_repair(kinds, repair)
            entities = list_repaired_entities(kinds.original, repaired)
            self.corrected.setdefault(step, []).extend(
                build_corrected_document(*base, document_entities)
                for base, document_entities in zip(bases, entities, strict=True)
            )

    def build_result(self, name: str) -> SystemErrors:
        settings = self.run.effective_settings
        return SystemErrors(
            name,
            tuple(self.documents),
            ladder=self.costs.score(LADDER, settings),
            alone=self.costs.score(ALONE, settings),
            all_but=self.costs.score(ALL_BUT, settings),
            singletons={kind: self.sums[kind] for kind in _SINGLETONS},
            recall=add_counts(self.links["recall"]),
            precision=add_counts(self.links["precision"]),
            operations={name: self.sums[name] for name in OPERATIONS},
            kept_apart=self.sums["kept_apart"],
            corrected=self.corrected,
            layers=self.layers,
        )


def _analyse_block(
    run: Run, block: AlignedBlock, describer: MentionDescriber
) -> tuple[MentionTable, MentionFacts, KindErrors]:
    table = join_mentions(block)
    facts = describer.describe(run, block, table)
    table = replace(table, is_pronoun=facts.type == PRONOUN)
    return table, facts, find_errors_by_kind(table, find_span_errors(table, facts))


def _get_label(source: Input, role: str) -> str:
    return os.fspath(source) if isinstance(source, str | os.PathLike) else role


def _find_effective_settings(
    settings: Settings, collectors: Sequence[_ErrorCollector]
) -> tuple[Settings, list[str]]:
    """Return the settings that were applied, and notes on those that were replaced."""
    if not collectors:
        return settings, []
    effective, notes = collectors[0].run.effective_settings, []
    has_duplicates = any(
        collector.run.tally.totals[f"repeated/{side}"]
        for collector in collectors
        for side in SIDES
    )
    if settings.counts_copies and has_duplicates:
        notes.append(_DUPLICATES_NOTE)
    else:
        effective = replace(effective, repeated=settings.repeated)
    if any(collector.has_split for collector in collectors):
        effective = replace(effective, split="ignore")
        notes.append(_SPLIT_NOTE)
    return effective, notes


def count_errors(
    key: Input,
    responses: Sequence[Input],
    *,
    settings: Settings,
    language: str | None = None,
    format: str | None = None,
    refusals: dict[int, CorefkitError] | None = None,
    progress: Progress | None = None,
) -> dict[int, dict[str, Floats]]:
    """Return counts of each response by name; like those of metrics, they add up."""
    describer = MentionDescriber(language=language, has_texts=False)
    with open_runs(
        key,
        responses,
        settings=keep_first_duplicates(settings),
        format=format,
        refusals=refusals,
    ) as runs:
        parts: dict[int, list[Ints]] = {run.number: [] for run in runs}
        for run, block in iter_aligned_blocks(runs, progress=progress):
            try:
                parts[run.number].append(_count_block(run, block, describer))
            except (CorefkitError, OSError) as error:
                run.reject(error)
        numbers = [run.number for run in runs if not run.is_rejected]
    counts = {}
    for number in numbers:
        columns = np.concatenate(parts[number]).astype(np.float64)
        counts[number] = {
            name: columns[:, [column]] for column, name in enumerate(ERROR_LABELS)
        }
    return counts


def _count_block(run: Run, block: AlignedBlock, describer: MentionDescriber) -> Ints:
    """Count the errors of each document of a block, in the order of `ERROR_LABELS`."""
    table, facts, kinds = _analyse_block(run, block, describer)
    counts = kinds.counts
    links = []
    for side in LINKS:
        edges = build_trees(table, facts.type, side=side)
        document = table.document[edges.anaphor[edges.is_wrong]]
        links.append(np.bincount(document, minlength=table.documents))
    return np.concatenate(
        (counts.sum(axis=1, keepdims=True), counts, np.stack(links, axis=1)), axis=1
    )


def name_responses(
    key: Input, response: object, *, format: str | None = None
) -> dict[str, Input] | None:
    """Return several responses by name, or None for one, by the rules above."""
    values = [*response.values()] if isinstance(response, Mapping) else [response]
    if any(isinstance(value, Evaluation | StoredScores) for value in (key, *values)):
        message = "found scores, in which no errors can be found"
        raise FormatError(
            message,
            code="settings/stored-scores",
            hint="give the key and the response themselves",
        )
    # Lists of strings would be read as partitions.
    if isinstance(response, list | tuple) and any(map(is_file, response)):
        message = "found a list of files, expected one response, or several by name"
        hint = "{'ours': 'ours.conll', 'theirs': 'theirs.conll'}"
        raise _make_shape_error(message, hint)
    if not isinstance(response, Mapping) or not response:
        return None
    by_name = {str(name): value for name, value in response.items()}
    if len(by_name) < len(response):
        message = "two responses or documents have the same name"
        raise _make_shape_error(message, code="input/duplicate-name")
    responses = cast("dict[str, Input]", by_name)
    are_paths = [isinstance(value, str | os.PathLike) for value in by_name.values()]
    # Systems may have the names of fields of JSON lines, but only if all are files.
    if not all(are_paths) and not _JSON_NAMES.isdisjoint(by_name):
        return None
    if any(are_paths):
        return responses
    ids = {normalize_id(name) for name in _read_ids(key, format)}
    documents = [name for name in by_name if normalize_id(name) in ids]
    for name in documents:
        value = by_name[name]
        names = map(normalize_id, map(str, value if isinstance(value, Mapping) else ()))
        if not ids.isdisjoint(names):
            message = f"{quoted(name)} is a document of the key, and has documents"
            raise _make_shape_error(message)
    if documents:
        return None
    for name, value in by_name.items():
        # An empty value is not a document under a wrong id.
        if _is_partition(value) and value and not _is_partition(key):
            message = (
                f"{quoted(name)} is not a document of the key, and its value is not a "
                "response to the key"
            )
            raise _make_shape_error(message)
    return responses


def _make_shape_error(
    message: str, hint: str = _SHAPES_HINT, code: str = "input/wrong-shape"
) -> FormatError:
    return FormatError(message, code=code, place="response", hint=hint)


def is_file(entity: object) -> bool:
    """Return whether a value is a file instead of an entity of letters."""
    if not isinstance(entity, str):
        return isinstance(entity, os.PathLike)
    # Unlike `Path.is_file`, this accepts strings that are too long for a path.
    return "." in entity and os.path.isfile(entity)  # noqa: PTH113


def _read_ids(key: Input, format: str | None) -> Sequence[str]:
    """Return the ids of the key's documents; none if they depend on the response."""
    try:
        with open_inputs(key, [], format=format, reference=False) as (source, _):
            return list(source.ids)
    except FormatError:
        if isinstance(key, str | os.PathLike):
            raise
        return []


def _is_partition(value: object) -> bool:
    if not isinstance(value, list | tuple | Set | Iterator):
        return False
    return not any(isinstance(part, Document | Mapping) for part in value)
