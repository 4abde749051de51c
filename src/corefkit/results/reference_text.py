"""The output of the reference scorer v8.01, for totals and for documents.

Scripts that parse it keep working: names, order, blank lines, numbers with 15 digits,
and percentages truncated after two decimals. On request it has, for each document, the
mentions of key and response, repeated mentions, matched mentions, and the counts of the
metric.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from corefkit.alignment.pipeline import open_runs
from corefkit.evaluation import Evaluation, evaluate_runs
from corefkit.exceptions import SettingsError, quoted
from corefkit.formats import open_inputs
from corefkit.formats.source import ReferenceListing
from corefkit.metrics.reference import (
    Listing,
    add_in_order,
    apply_reference_order,
    format_repetitions,
)
from corefkit.metrics.registry import find_metrics
from corefkit.scoring import score
from corefkit.settings import PRESETS, VERSION
from corefkit.strings import escape_terminal
from corefkit.tally import COUNTED_AS_REFERENCE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from corefkit.exceptions import Refused
    from corefkit.formats.source import Source
    from corefkit.metrics.metric import Metric, Score
    from corefkit.model import Document
    from corefkit.results.score_table import Ranking
    from corefkit.results.stored_results import Scored

# The reference scorer's names of the metrics, in the order of its `all`. Only its LEA
# branch has `lea`. Its `all` is that of version 8.01, since scripts parse this text.
REFERENCE_NAMES = {
    "muc": "muc",
    "b_cubed": "bcub",
    "ceaf_m": "ceafm",
    "ceaf_e": "ceafe",
    "blanc": "blanc",
    "lea": "lea",
}
METRICS_OF_ALL = tuple(name for name in REFERENCE_NAMES if name != "lea")
IN_RESPONSE = "Repeated mention in the response: "
_RULE = "-" * 74
_SETTINGS = PRESETS["conll2012"]
_EMPTY_LISTING = ReferenceListing()


def render_reference_text(
    results: Sequence[Scored],
    *,
    per_document: bool = False,
    ranking: Ranking | None = None,
    refused: Sequence[Refused] = (),
) -> str:
    r"""Return the output of the reference scorer; the first line names corefkit."""
    del ranking  # of a single response
    evaluation = get_evaluation(
        results,
        "reference",
        REFERENCE_NAMES,
        has_totals_only=not (refused or per_document),
    )
    lines = [format_version()]
    for name in REFERENCE_NAMES:
        if name in evaluation:
            lines += format_metric_heading(name)
            lines += map(escape_terminal, evaluation.repetitions)
            lines += format_totals(evaluation, name)
    return "\n".join(lines)


def get_evaluation(
    results: Sequence[Scored],
    format: str,
    names: Iterable[str],
    *,
    has_totals_only: bool,
) -> Evaluation:
    """Return the only result; SettingsError if the text of a scorer cannot have it."""
    evaluation = results[0] if results else None
    problem = hint = ""
    if len(results) != 1 or not has_totals_only:
        problem = "supports one response, and totals only"
        hint = "--format json and csv support several"
    elif not isinstance(evaluation, Evaluation):
        problem = "requires files, not stored results"
        hint = f"leave out --beside, or --format {format}"
    elif evaluation.settings.is_macro:
        problem = "supports micro averages only"
        hint = f"leave out --average, or --format {format}"
    if problem or not isinstance(evaluation, Evaluation):
        message = f"the {format} format {problem}"
        raise SettingsError(message, code="settings/conflict", hint=hint)
    for name in evaluation:
        if name != "mentions" and name not in names:
            message = f"the {format} format does not support metric {name!r}"
            hint = f"it supports {', '.join(names)}"
            raise SettingsError(message, code="settings/unsupported-metric", hint=hint)
    return evaluation


def select_reference_metrics(names: Sequence[str] | None = None) -> list[Metric]:
    """Return the mentions and metrics with the sums of the reference scorer."""
    selected = METRICS_OF_ALL if names is None else names
    return apply_reference_order(find_metrics(["mentions", *selected]))


def format_version() -> str:
    """Return the line with the version of the reference scorer and of corefkit."""
    return f"version: 8.01 corefkit {VERSION}"


def escape_name(name: str) -> str:
    """Escape the name of a document, except for tabs."""
    return "\t".join(map(escape_terminal, name.split("\t")))


def format_metric_heading(name: str) -> list[str]:
    return ["", f"METRIC {REFERENCE_NAMES[name]}:"]


def format_totals(evaluation: Evaluation, name: str) -> list[str]:
    mentions, score = (
        metric.score(add_in_order(evaluation.counts[metric.name]), evaluation.settings)
        for metric_name in ("mentions", name)
        for metric in evaluation.metrics
        if metric.name == metric_name
    )
    lines = ["", "====== TOTALS ======="]
    lines += format_ratios("Identification of Mentions: ", mentions)
    if score.coreference is None or score.non_coreference is None:
        return lines + format_ratios("Coreference: ", score)
    recall, precision = f"{score.recall:.15g}", f"{score.precision:.15g}"
    return [
        *lines,
        "",
        "Coreference:",
        *format_ratios("Coreference links: ", score.coreference),
        *format_ratios("Non-coreference links: ", score.non_coreference),
        _format_line("BLANC: ", f"{recall} / 1", f"{precision} / 1", score),
        _RULE,
    ]


def format_ratios(label: str, score: Score) -> list[str]:
    """Return recall, precision and F1 with their counts, and a rule."""
    recall = f"{score.recall_numerator:.15g} / {score.recall_denominator:.15g}"
    precision = f"{score.precision_numerator:.15g} / {score.precision_denominator:.15g}"
    return [_format_line(label, recall, precision, score), _RULE]


def _format_line(label: str, recall: str, precision: str, score: Score) -> str:
    return (
        f"{label}Recall: ({recall}) {_truncate(score.recall)}%"
        f"\tPrecision: ({precision}) {_truncate(score.precision)}%"
        f"\tF1: {_truncate(score.f1)}%"
    )


def _truncate(score: float) -> str:
    """Truncate a percentage after two decimals, as Perl prints it."""
    return f"{int(score * 10000) / 100:.15g}"


@dataclass(frozen=True, slots=True)
class DocumentListing:
    """A document of one side as listed; without a name if the side lacks it."""

    name: str = ""
    listing: ReferenceListing = _EMPTY_LISTING

    def lines(self) -> Iterator[str]:
        yield f"====> {self.name}:"
        for text in self.listing.discarded:
            yield f"Discarded {text}"
        yield f"File {self.name}:"
        for number, entity in enumerate(self.listing.entities):
            spans = "".join(f" ({start},{end})" for start, end in entity)
            yield f"Entity {number}:{spans}"


@dataclass(frozen=True)
class ReferenceRun:
    """Scores, and the sources of their documents while these are open."""

    evaluation: Evaluation  # the scores, with the counts of each document
    sources: tuple[Source, Source]  # key and response
    # for each document its numbers there; None if one lacks it
    numbers: Sequence[tuple[int | None, int | None]]
    # notes about the input that the text does not have, one sentence each
    notes: tuple[str, ...]

    @cached_property
    def pairs(self) -> list[tuple[DocumentListing, DocumentListing]]:
        """The documents of key and response as listed."""
        key, response = self.sources
        return [
            (_list_document(key, key_number), _list_document(response, response_number))
            for key_number, response_number in self.numbers
        ]

    @property
    def repeated(self) -> int:
        """The number of repeated mentions of the response that are in the key."""
        lines = self.evaluation.repetitions
        return sum(line.startswith(IN_RESPONSE) for line in lines)

    @property
    def has_empty_entity(self) -> bool:
        """Whether no mention of an entity of the key closes before its file ends."""
        if not self.sources[0].is_cut_off:
            return False
        listings = [key.listing for key, _ in self.pairs]
        return not all(entity for listing in listings for entity in listing.entities)


@contextmanager
def open_reference_run(
    key: str, response: str, *, metrics: Sequence[str], document: str | None = None
) -> Iterator[ReferenceRun]:
    """Score all documents, or one; the sources are open in the `with` block."""
    if document is not None:
        inputs = open_inputs(key, [response], format=None, reference=True)
        with inputs as (source, responses):
            yield _score_document((source, responses[0]), metrics, document)
        return
    with open_runs(key, [response], settings=_SETTINGS) as runs:
        (run,) = runs
        evaluation = evaluate_runs(runs, tuple(select_reference_metrics(metrics)))[0]
        numbers = list(zip(run.numbers, run.partners, strict=True))
        notes = (*_select_notes(evaluation), *_describe_sources(run.inputs))
        yield ReferenceRun(evaluation, run.inputs, numbers, notes)


def _score_document(
    sources: tuple[Source, Source], metrics: Sequence[str], name: str
) -> ReferenceRun:
    """Score a document by its name; the first of duplicate names."""
    key, response = sources
    ids = [list(source.ids) for source in sources]
    key_number, response_number = (
        names.index(name) if name in names else None for names in ids
    )
    evaluation = score(
        [_read_document(key, key_number, name)],
        [_read_document(response, response_number, name)],
        metrics=select_reference_metrics(metrics),
        preset="conll2012",
    )
    notes = _select_notes(evaluation)
    for source, names in zip(sources, ids, strict=True):
        count = names.count(name)
        if count > 1:
            notes.append(
                f"{source.name}: {count} documents are called {quoted(name)}, the "
                "first one is scored; if all documents are scored, the last one counts"
            )
        elif not count:
            notes.append(_describe_missing(source, name))
    notes += _describe_sources(sources)
    numbers = [(key_number, response_number)]
    return ReferenceRun(evaluation, sources, numbers, tuple(notes))


def _read_document(source: Source, number: int | None, name: str) -> Document:
    if number is not None:
        return source.read_document(number)
    from corefkit.model import Document

    return Document(name, (), (), origin="conll")


def _describe_missing(source: Source, name: str) -> str:
    from difflib import get_close_matches

    nearest = get_close_matches(name, source.ids, n=1, cutoff=0)
    hint = f"; did you mean {quoted(nearest[0])}?" if nearest else ""
    return f"{source.name}: no document is called {quoted(name)}, scored as empty{hint}"


def _select_notes(evaluation: Evaluation) -> list[str]:
    """Select the notes that the text does not have: it lists repeated mentions."""
    if not evaluation.repetitions:
        return list(evaluation.notes)
    about_repeated = f", {COUNTED_AS_REFERENCE}: see "
    return [note for note in evaluation.notes if about_repeated not in note]


def _describe_sources(sources: Sequence[Source]) -> Iterator[str]:
    """Describe properties of files that the reference scorer does not report."""
    for source in dict.fromkeys(sources):
        if not source.ids:
            yield f"{source.name}: has no document"
        if source.verbatim and source.file is not None and source.file.text_start > 0:
            yield (
                f"{source.name}: begins with a byte-order mark, so the reference "
                "scorer does not recognise the start of its first document"
            )
        if source.is_cut_off:
            yield (
                f"{source.name}: the file ends inside its last document; brackets that "
                "are still open there are left out"
            )


def _list_document(source: Source, number: int | None) -> DocumentListing:
    """List a document as the reference scorer would read it from CoNLL-2012."""
    if number is None:
        return DocumentListing()
    return DocumentListing(escape_name(source.ids[number]), source.read_listing(number))


def format_repeated_mentions(
    key: ReferenceListing, response: ReferenceListing
) -> list[str]:
    """Return the lines about repeated mentions, those of the key first."""
    numbers: dict[tuple[int, int], int] = {}
    sides = []
    for entities, _ in (key, response):
        mentions = [
            numbers.setdefault(span, len(numbers))
            for span in chain.from_iterable(entities)
        ]
        entity = np.repeat(np.arange(len(entities)), [*map(len, entities)])
        sides.append(Listing(entity, np.array(mentions, np.int64)))
    spans = np.array([*numbers], np.int64).reshape(-1, 2)
    return format_repetitions(sides[0], sides[1], spans)


def format_document_counts(
    evaluation: Evaluation, row: int, name: str, key: DocumentListing
) -> list[str]:
    """Return the counts of mentions of a document, and of a metric except BLANC."""
    matched, expected, _, returned = map(
        int, evaluation.counts["mentions"][row].tolist()
    )
    # The reference scorer counts repeated ids of the key as invented.
    repeated = sum(map(len, key.listing.entities)) - expected
    lines = [
        f"Total key mentions: {expected}",
        f"Total response mentions: {returned}",
        f"Strictly correct identified mentions: {matched}",
        "Partially correct identified mentions: 0",
        f"No identified: {expected - matched}",
        f"Invented: {repeated + returned - matched}",
    ]
    if name != "blanc":
        lines += format_ratios("", evaluation.per_document[row][name])
    return lines
