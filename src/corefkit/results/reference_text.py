"""The text that the reference scorer v8.01 prints, for totals and for documents.

Scripts that parse it keep working: names, order, blank lines, numbers with 15 digits,
and percentages cut off, not rounded, after the second decimal. If requested, it prints
of each document its mentions in key and response, repeated mentions, matched mentions,
and the counts of the metric.
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
from corefkit.formats.inputs import open_inputs
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
    from collections.abc import Iterator, Sequence

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

_RULE = "-" * 74


def render_reference_text(
    results: Sequence[Scored],
    *,
    per_document: bool = False,
    ranking: Ranking | None = None,
    refused: Sequence[Refused] = (),
) -> str:
    r"""Write what the reference scorer prints; the version line names corefkit.

    >>> import corefkit
    >>> result = corefkit.score(["abc"], ["ab"], metrics=["mentions", "muc"])
    >>> render_reference_text([result]).splitlines()[7]
    'Coreference: Recall: (1 / 2) 50%\tPrecision: (1 / 1) 100%\tF1: 66.66%'
    """
    del ranking  # of one response
    if len(results) != 1 or refused or per_document:
        message = "the reference scorer's text has room for one response, in total only"
        raise SettingsError(
            message, code="settings/conflict", hint="--format json or csv take more"
        )
    (evaluation,) = results
    if not isinstance(evaluation, Evaluation):
        message = "the reference scorer's text is made of files, not of stored results"
        raise SettingsError(
            message,
            code="settings/conflict",
            hint="leave out --beside, or --format reference",
        )
    if evaluation.settings.is_macro:
        message = "the reference scorer's text has micro averages only"
        raise SettingsError(
            message,
            code="settings/conflict",
            hint="leave out --average, or --format reference",
        )
    for name in evaluation:
        if name != "mentions" and name not in REFERENCE_NAMES:
            message = f"the reference scorer's text has no metric {name!r}"
            raise SettingsError(
                message,
                code="settings/unsupported-metric",
                hint=f"it has {', '.join(REFERENCE_NAMES)}",
            )
    lines = [format_version()]
    for name in REFERENCE_NAMES:
        if name in evaluation:
            lines += format_metric_heading(name)
            lines += map(escape_terminal, evaluation.repetitions)
            lines += format_totals(evaluation, name)
    return "\n".join(lines)


def select_reference_metrics(names: Sequence[str] | None = None) -> list[Metric]:
    """Choose metrics for the reference scorer's text: its `all` if none are named.

    Mentions come first, and sums are made as it makes them.
    """
    named = METRICS_OF_ALL if names is None else names
    return apply_reference_order(find_metrics(["mentions", *named]))


def format_version() -> str:
    """Name the version whose text this is, and who wrote it."""
    return f"version: 8.01 corefkit {VERSION}"


def escape_name(name: str) -> str:
    r"""Write the name of a document; a tab in it stays, as in the file.

    >>> escape_name("a\tb\x1b")
    'a\tb\\x1b'
    """
    return "\t".join(map(escape_terminal, name.split("\t")))


def format_metric_heading(name: str) -> list[str]:
    """Write what stands above each metric where several are shown."""
    return ["", f"METRIC {REFERENCE_NAMES[name]}:"]


def format_totals(evaluation: Evaluation, name: str) -> list[str]:
    """Write the totals of a metric, below those of mentions."""
    mentions, score = (
        metric.score(add_in_order(evaluation.counts[metric.name]), evaluation.settings)
        for called in ("mentions", name)
        for metric in evaluation.metrics
        if metric.name == called
    )
    return [
        *("", "====== TOTALS ======="),
        *format_ratios("Identification of Mentions: ", mentions),
        *_totals(score),
    ]


def _totals(score: Score) -> list[str]:
    if score.coreference is None or score.non_coreference is None:
        return format_ratios("Coreference: ", score)
    recall, precision = f"{score.recall:.15g}", f"{score.precision:.15g}"
    return [
        "",
        "Coreference:",
        *format_ratios("Coreference links: ", score.coreference),
        *format_ratios("Non-coreference links: ", score.non_coreference),
        _line("BLANC: ", f"{recall} / 1", f"{precision} / 1", score),
        _RULE,
    ]


def format_ratios(label: str, score: Score) -> list[str]:
    """Write recall, precision and F1 with their counts, and a rule below."""
    recall = f"{score.recall_numerator:.15g} / {score.recall_denominator:.15g}"
    precision = f"{score.precision_numerator:.15g} / {score.precision_denominator:.15g}"
    return [_line(label, recall, precision, score), _RULE]


def _line(label: str, recall: str, precision: str, score: Score) -> str:
    return (
        f"{label}Recall: ({recall}) {_cut(score.recall)}%"
        f"\tPrecision: ({precision}) {_cut(score.precision)}%"
        f"\tF1: {_cut(score.f1)}%"
    )


def _cut(score: float) -> str:
    """Cut a percentage off after two decimals, as Perl prints it.

    >>> _cut(2 / 3), _cut(0.57), _cut(0.55), _cut(1.0)
    ('66.66', '56.99', '55', '100')
    """
    return f"{int(score * 10000) / 100:.15g}"


_SETTINGS = PRESETS["conll2012"]
IN_RESPONSE = "Repeated mention in the response: "


@dataclass(frozen=True)
class ReferenceRun:
    """Scores, and the sources of their documents while these are open.

    Attributes:
        evaluation: the scores, with the counts of each document.
        sources: key and response.
        numbers: for each document its numbers there; None where one lacks it.
        notes: what a user should know and the text does not say, one sentence each.
    """

    evaluation: Evaluation
    sources: tuple[Source, Source]
    numbers: Sequence[tuple[int | None, int | None]]
    notes: tuple[str, ...]

    @cached_property
    def pairs(self) -> list[Pair]:
        """The documents as they are listed."""
        # Imported here because totals do not ask, and every start would pay.

        key, response = self.sources
        return [
            Pair(read_side(key, ours), read_side(response, theirs))
            for ours, theirs in self.numbers
        ]

    @property
    def repeated(self) -> int:
        """How many mentions of the response are repeated and in the key."""
        lines = self.evaluation.repetitions
        return sum(line.startswith(IN_RESPONSE) for line in lines)

    @property
    def has_empty_entity(self) -> bool:
        """Whether no mention of an entity of the key closes before its file ends."""
        if not self.sources[0].is_cut_off:
            return False
        listings = [pair.key.listing for pair in self.pairs]
        return not all(entity for listing in listings for entity in listing.entities)


@contextmanager
def open_reference_run(
    key: str, response: str, *, metrics: Sequence[str], document: str | None = None
) -> Iterator[ReferenceRun]:
    """Score all documents, or one; sources are open until the end.

    >>> from corefkit.example import paths
    >>> key, response, _ = map(str, paths())
    >>> name = "(example/bridge); part 000"
    >>> with open_reference_run(key, response, metrics=["muc"], document=name) as found:
    ...     print(*found.pairs[0].key.listing.entities[0])
    (0, 3) (34, 35) (56, 56) (75, 75)
    """
    if document is not None:
        inputs = open_inputs(key, [response], format=None, reference=True)
        with inputs as (source, others):
            yield _one_document((source, others[0]), metrics, document)
        return
    with open_runs(key, [response], settings=_SETTINGS) as runs:
        (run,) = runs
        evaluation = evaluate_runs(runs, tuple(select_reference_metrics(metrics)))[0]
        numbers = list(zip(run.numbers, run.partners, strict=True))
        notes = (*_beside_text(evaluation), *_notes_of(run.inputs))
        yield ReferenceRun(evaluation, run.inputs, numbers, notes)


def _one_document(
    sources: tuple[Source, Source], metrics: Sequence[str], name: str
) -> ReferenceRun:
    """Score a document by its name; of several with this name, the first."""
    key, response = sources
    ours, theirs = (_number(source, name) for source in sources)
    evaluation = score(
        [_document(key, ours, name)],
        [_document(response, theirs, name)],
        metrics=select_reference_metrics(metrics),
        preset="conll2012",
    )
    notes = _beside_text(evaluation)
    for source in sources:
        many = list(source.ids).count(name)
        if many > 1:
            notes.append(
                f"{source.name}: {many} documents are called {quoted(name)}, the first "
                "one is scored; where all documents are scored, the last one counts"
            )
        elif not many:
            notes.append(_not_there(source, name))
    notes += _notes_of(sources)
    return ReferenceRun(evaluation, sources, [(ours, theirs)], tuple(notes))


def _number(source: Source, name: str) -> int | None:
    ids = list(source.ids)
    return ids.index(name) if name in ids else None


def _document(source: Source, number: int | None, name: str) -> Document:
    if number is not None:
        return source.read_document(number)
    # Imported here because few runs lack the document that they name.
    from corefkit.model import Document

    return Document(name, (), (), origin="conll")


def _not_there(source: Source, name: str) -> str:
    """Say that a document is not there, and what the nearest one is called."""
    # Imported here because only mistakes need it and every start would pay.
    from difflib import get_close_matches

    nearest = get_close_matches(name, source.ids, n=1, cutoff=0)
    found = f"; did you mean {quoted(nearest[0])}?" if nearest else ""
    return (
        f"{source.name}: no document is called {quoted(name)}, scored as empty{found}"
    )


def _beside_text(evaluation: Evaluation) -> list[str]:
    """Choose the notes that add to the text, which shows repeated mentions itself."""
    if not evaluation.repetitions:
        return list(evaluation.notes)
    told = f", {COUNTED_AS_REFERENCE}: see "
    return [note for note in evaluation.notes if told not in note]


def _notes_of(sources: Sequence[Source]) -> Iterator[str]:
    """Say of files what the reference scorer does not."""
    for source in dict.fromkeys(sources):
        if not source.ids:
            yield f"{source.name}: has no document"
        if _is_marked(source):
            yield (
                f"{source.name}: begins with a byte-order mark, behind which the "
                "reference scorer does not see that a document begins"
            )
        if source.is_cut_off:
            yield (
                f"{source.name}: the file ends inside its last document; brackets that "
                "are still open there are left out"
            )


def _is_marked(source: Source) -> bool:
    """Return whether a file of the reference scorer's format has a byte-order mark."""
    return source.verbatim and source.file is not None and source.file.text_start > 0


_NOTHING = ReferenceListing()


@dataclass(frozen=True, slots=True)
class Side:
    """A document as one side has it; a side that lacks it has neither name."""

    name: str = ""
    listing: ReferenceListing = _NOTHING

    def lines(self) -> Iterator[str]:
        """Write what was read."""
        yield f"====> {self.name}:"
        for text in self.listing.discarded:
            yield f"Discarded {text}"
        yield f"File {self.name}:"
        for number, entity in enumerate(self.listing.entities):
            spans = "".join(f" ({start},{end})" for start, end in entity)
            yield f"Entity {number}:{spans}"


def read_side(source: Source, number: int | None) -> Side:
    """Read a document as the reference scorer lists it.

    Of other formats than its own, it would be given what they hold as CoNLL-2012.
    """
    if number is None:
        return Side()
    name = escape_name(source.ids[number])
    return Side(name, source.read_listing(number))


@dataclass(frozen=True, slots=True)
class Pair:
    """A document of the key, and of the response."""

    key: Side
    response: Side

    @property
    def repeated(self) -> list[str]:
        """The lines about repeated mentions."""
        return format_repeated_mentions(self.key.listing, self.response.listing)


def format_repeated_mentions(
    key: ReferenceListing, response: ReferenceListing
) -> list[str]:
    """Write the lines about repeated mentions, those of the key first.

    >>> one = ReferenceListing((((0, 1), (3, 3)),))
    >>> both = ReferenceListing((((3, 3),), ((3, 3),)))
    >>> format_repeated_mentions(one, both)
    ['Repeated mention in the response: 3, 3 11']
    """
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
    evaluation: Evaluation, row: int, name: str, key: Side
) -> list[str]:
    """Write the counts of a document: mentions, then a metric if it is no BLANC."""
    found, expected, _, returned = map(int, evaluation.counts["mentions"][row].tolist())
    # An id that is given again is one more that was invented.
    again = sum(map(len, key.listing.entities)) - expected
    lines = [
        f"Total key mentions: {expected}",
        f"Total response mentions: {returned}",
        f"Strictly correct identified mentions: {found}",
        "Partially correct identified mentions: 0",
        f"No identified: {expected - found}",
        f"Invented: {again + returned - found}",
    ]
    if name != "blanc":
        lines += format_ratios("", evaluation.per_document[row][name])
    return lines
