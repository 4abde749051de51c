"""`make_report`: scores, comparison, errors and documents of responses."""

from __future__ import annotations

import math
import os
from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, Unpack, cast

from corefkit.analysis.compare import compare_systems
from corefkit.analysis.compare.procedure import Procedure
from corefkit.analysis.compare.systems import (
    ScoringOptions,
    gather_systems,
    materialize,
    parse_request,
)
from corefkit.analysis.errors import ErrorOptions, find_errors, is_file, name_responses
from corefkit.analysis.errors.error_analysis import LINKS, DocumentText
from corefkit.analysis.errors.links import ANTECEDENTS
from corefkit.analysis.errors.mentions import format_name, is_span, sort_names
from corefkit.evaluation import Evaluation
from corefkit.exceptions import CorefkitError, FormatError, Refused, SettingsError
from corefkit.metrics.metric import list_undefined
from corefkit.metrics.registry import find_metrics, get_label
from corefkit.report.reader_data import (
    MAX_UNKNOWN_TOKENS,
    NO_TWIN,
    Reader,
    ReaderDocument,
    ReaderError,
    ReaderLink,
    ReaderResponse,
)
from corefkit.results.records import render_json, save_text
from corefkit.results.stored_results import is_stored
from corefkit.settings import Keywords, expand_settings, resolve_settings
from corefkit.tables.terminal import label_paths, strip_suffixes

if TYPE_CHECKING:
    from collections.abc import (
        Callable,
        Hashable,
        Iterable,
        Iterator,
        Mapping,
        Sequence,
    )

    from corefkit.alignment.pipeline import Progress
    from corefkit.analysis.compare.comparison import Comparison
    from corefkit.analysis.compare.systems import Systems
    from corefkit.analysis.errors.error_analysis import DocumentErrors, ErrorAnalysis
    from corefkit.analysis.errors.layers import Layers, Place
    from corefkit.formats import Input
    from corefkit.metrics.metric import Metric, Score
    from corefkit.report.reader_data import Parts

MAX_PAGE_MENTIONS = 100_000  # of key and responses, whose texts the page includes


@dataclass(frozen=True, repr=False)
class Report:
    """Scores, comparison, errors and documents of one or more responses.

    Attributes:
        key: the display name of the key.
        systems: the names of the systems, in the order of input; all other attributes
            have the same systems in the same order.
        evaluations: the scores of each system.
        comparison: the comparison of the systems; for one system, its intervals.
        analysis: the errors of each system.
        reader: the documents.
        refused: the reason for each response that could not be scored.
        notes: notes on the input, one sentence each.
        warnings: reasons to doubt the results, one sentence each.

    >>> import corefkit
    >>> report = corefkit.make_report({"d": ["abc", "de"]}, {"A": {"d": ["ab", "cde"]}})
    >>> report.analysis.systems[0].counts["conflated"]
    1
    >>> report.to_html().split()[0]
    '<!DOCTYPE'
    """

    key: str
    systems: tuple[str, ...]
    evaluations: tuple[Evaluation, ...]
    comparison: Comparison
    analysis: ErrorAnalysis
    reader: Reader
    refused: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def __repr__(self) -> str:
        """Return the names of the systems and the signature."""
        return f"<Report on {', '.join(self.systems)}: {self.comparison.signature}>"

    def _repr_html_(self) -> str:
        from corefkit.report.notebook import show_report

        return show_report(self)

    def to_html(self) -> str:
        """Return the page that `corefkit report` writes."""
        from corefkit.report.report_page import build_report_page
        from corefkit.tables.html import render_html_page

        return render_html_page(build_report_page(self))

    def render_scores(self) -> str:
        """Return the scores of all documents as JSON for `corefkit compare`."""
        rejected = [
            Refused(name, CorefkitError(reason, code="pairing/nothing-scored"))
            for name, reason in self.refused.items()
        ]
        return render_json(self.evaluations, per_document=True, refused=rejected)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file, which is replaced only when it is complete.

        Raises:
            CorefkitError: the file cannot be written; it is unchanged.
        """
        save_text(path, self.to_html())


@expand_settings
def make_report(
    key: Input,
    responses: Input | Mapping[str, Input] | Iterable[str | os.PathLike[str]],
    *,
    metrics: str | Iterable[str | Metric] | None = None,
    statistic: str = "f1",
    unit: str = "text",
    units: Mapping[str, str] | None = None,
    test: str = "randomization",
    samples: int = 10_000,
    seed: int = 0,
    alpha: float = 0.05,
    correction: str = "holm",
    interval: str = "expanded",
    baseline: str | None = None,
    alternative: str = "two-sided",
    strata: str | None = None,
    antecedents: str = ANTECEDENTS[0],
    language: str | None = None,
    full: bool = False,
    skip_broken: bool = False,
    format: str | None = None,
    progress: Progress | None = None,
    **keywords: Unpack[Keywords],
) -> Report:
    """Report scores, comparison, errors and documents of one or more responses.

    Args:
        key: as for `corefkit.score`.
        responses: one response; or several, as a mapping of names to responses or a
            list of files. A mapping whose names include the id of a document of the
            key is one response.
        metrics: names or `Metric` values; by default the default set and the CoNLL
            mean.
        statistic: as for `corefkit.compare`, like all arguments up to `strata`.
        unit: as for `corefkit.compare`.
        units: as for `corefkit.compare`.
        test: as for `corefkit.compare`.
        samples: as for `corefkit.compare`.
        seed: as for `corefkit.compare`.
        alpha: as for `corefkit.compare`.
        correction: as for `corefkit.compare`.
        interval: as for `corefkit.compare`.
        baseline: as for `corefkit.compare`.
        alternative: as for `corefkit.compare`.
        strata: as for `corefkit.compare`; links are counted by stratum, too.
        antecedents: as for `corefkit.errors`.
        language: as for `corefkit.errors`.
        full: include the texts of all documents; by default, a page includes texts up
            to 100,000 mentions of key and responses, and scores of the other documents.
        skip_broken: skip responses that cannot be scored; `refused` has the reasons.
        format: the format of files; recognised by default.
        progress: called with the work done and the total work.
        keywords: the settings, as for `corefkit.score`.

    >>> import corefkit
    >>> from corefkit.example import paths
    >>> key, careful, greedy = paths()
    >>> report = corefkit.make_report(key, {"careful": careful, "greedy": greedy})
    >>> report.systems, len(report.reader.documents)
    (('careful', 'greedy'), 4)
    >>> report.save("report.html")  # doctest: +SKIP
    """
    procedure = Procedure(
        *(statistic, unit, test, samples, seed, alpha, correction, interval),
        *(baseline, alternative, strata),
    )
    request = parse_request(metrics)
    key = materialize(key)
    # Repaired responses have only entities; some metrics need more.
    repaired = tuple(metric for metric in request.scored if not metric.needs)
    options = ErrorOptions(
        repaired or find_metrics(None), antecedents, language, strata, layers=True
    )
    named = name_inputs(key, materialize(responses), format=format)
    scoring = ScoringOptions(request, format, progress, skip_broken, keywords)
    systems = gather_systems(key, named, scoring)
    analysis = find_errors(
        key,
        [named[name] for name in systems.results],
        names=[*systems.results],
        options=options,
        settings=resolve_settings(**keywords),
        skip_broken=skip_broken,
        format=format,
        progress=progress,
    )
    systems = _remove_rejected(systems, analysis)
    comparison = compare_systems(
        systems, procedure, request=request, units=units, progress=progress
    )
    results = systems.results.values()
    evaluations = tuple(one for one in results if isinstance(one, Evaluation))
    limit = None if full else MAX_PAGE_MENTIONS
    reader = build_reader(analysis, evaluations, max_mentions=limit)
    notes = *comparison.notes, *analysis.notes, *_note_unrepaired(evaluations)
    warnings = *_warn_different(evaluations), *comparison.warnings, *analysis.warnings
    return Report(
        comparison.key,
        comparison.systems,
        evaluations,
        comparison,
        analysis,
        reader,
        comparison.refused,
        tuple(dict.fromkeys([*notes, *_note_omitted(reader)])),
        tuple(dict.fromkeys(warnings)),
    )


def _remove_rejected(systems: Systems, analysis: ErrorAnalysis) -> Systems:
    """Remove systems that were scored but whose errors cannot be analysed."""
    refused = analysis.refused
    if not refused:
        return systems
    results = {
        name: result for name, result in systems.results.items() if name not in refused
    }
    if not results:
        message = f"no response can be analysed: {'; '.join(refused.values())}"
        raise FormatError(message, code="pairing/nothing-scored")
    return replace(systems, results=results, refused={**systems.refused, **refused})


def _warn_different(evaluations: Sequence[Evaluation]) -> list[str]:
    if len({evaluation.documents for evaluation in evaluations}) == 1:
        return []
    return [
        "scores are of the documents that no response lacks; errors are of all "
        "documents that a response has"
    ]


def _note_unrepaired(evaluations: Sequence[Evaluation]) -> list[str]:
    metrics = {
        metric: None for evaluation in evaluations for metric in evaluation.metrics
    }
    return [
        f"{metric.label}: the cost of errors is unknown, because repaired responses "
        "have entities only"
        for metric in metrics
        if metric.needs
    ]


def _note_omitted(reader: Reader) -> list[str]:
    omitted = sum(document.is_omitted for document in reader.documents)
    if not omitted:
        return []
    return [
        f"the texts of {omitted:,} of {len(reader.documents):,} documents are omitted "
        "to keep the page small; the option --full includes all texts"
    ]


_DEFAULT_NAME = "response"


def name_inputs(
    key: Input, responses: object, *, format: str | None = None
) -> Mapping[str, Input]:
    """Return the responses by name: the names of a mapping, or those of the files.

    >>> name_inputs(["abc"], ["ab"])
    {'response': ['ab']}
    >>> name_inputs(["abc"], {"A": ["ab"], "B": ["bc"]})
    {'A': ['ab'], 'B': ['bc']}
    """
    inputs: dict[str, Input]
    is_file_name = isinstance(responses, str | os.PathLike)
    if is_file_name or _are_files(responses):
        paths = [responses] if is_file_name else responses
        files = [os.fspath(path) for path in cast("list[str]", paths)]
        inputs = {**dict(zip(strip_suffixes(label_paths(files)), files, strict=True))}
    else:
        named = name_responses(key, responses, format=format)
        inputs = {_DEFAULT_NAME: cast("Input", responses)} if named is None else named
    for name, response in inputs.items():
        if not name.strip():
            message = "a system has no name"
            raise SettingsError(
                message,
                code="input/unnamed-response",
                hint="{'ours': response, 'theirs': response}",
            )
        if isinstance(response, str | os.PathLike) and is_stored(response):
            message = "has scores, but no mentions, which a report shows"
            raise FormatError(
                message,
                code="settings/stored-scores",
                place=os.fspath(response),
                hint="give the response itself",
            )
    return inputs


def _are_files(responses: object) -> bool:
    """Distinguish a list of files from a partition whose mentions are letters."""
    if not isinstance(responses, list | tuple) or not any(map(is_file, responses)):
        return False
    return all(isinstance(path, str | os.PathLike) for path in responses)


_NO_TEXT = DocumentText()
_KINDS_OF_RESPONSE = frozenset({"conflated", "extra_mention", "extra_entity"})


class _SystemDocument(NamedTuple):
    """The errors of one system in one document, and its mentions."""

    errors: DocumentErrors
    layers: Layers
    positions: Positions


def build_reader(
    analysis: ErrorAnalysis,
    evaluations: Sequence[Evaluation],
    *,
    max_mentions: int | None = None,
) -> Reader:
    """Build the reader of the documents of some systems.

    Args:
        analysis: the errors of the systems, with layers.
        evaluations: the scores of the systems, in the same order.
        max_mentions: omit the texts of documents from the one on whose mentions exceed
            this number in total; no limit if None.
    """
    systems = [
        {
            errors.document: (errors, layers)
            for errors, layers in zip(system.documents, system.layers, strict=True)
        }
        for system in analysis.systems
    ]
    metrics = [*dict.fromkeys(name for scores in evaluations for name in scores)]
    if any("conll" in scores for scores in evaluations):
        metrics.append("conll")
    scores = [_tabulate_scores(evaluation, metrics) for evaluation in evaluations]
    no_scores = (None,) * len(metrics)
    made_by = _count_makers(analysis)
    # A system may lack documents.
    order = {
        id: layers.number
        for documents in systems
        for id, (_, layers) in documents.items()
    }
    documents: list[ReaderDocument] = []
    mentions = 0
    for id in sorted(order, key=order.__getitem__):
        values = [by_document.get(id, no_scores) for by_document in scores]
        found = [documents_of_system.get(id) for documents_of_system in systems]
        mentions += sum(len(entry[1].places) for entry in found if entry is not None)
        if max_mentions is not None and mentions > max_mentions and documents:
            documents.append(_omit_text(id, found, values))
            continue
        entries = [
            None if entry is None else _SystemDocument(*entry, locate_rows(entry[1]))
            for entry in found
        ]
        text = analysis.texts.get(id, _NO_TEXT)
        documents.append(
            _build_document(id, text, entries, values, made_by.get(id, {}))
        )
    names = strip_suffixes([system.response for system in analysis.systems])
    return Reader("key", tuple(names), tuple(documents), tuple(map(get_label, metrics)))


def _omit_text(
    id: str,
    found: Sequence[object | None],
    scores: Sequence[Sequence[float | None]],
) -> ReaderDocument:
    responses = [
        ReaderResponse((), is_missing=entry is None, scores=values)
        for entry, values in zip(found, scores, strict=True)
    ]
    return ReaderDocument(id, (), (), (), responses, is_omitted=True)


def _tabulate_scores(
    evaluation: Evaluation, metrics: Sequence[str]
) -> dict[str, tuple[float | None, ...]]:
    return {
        row.document: tuple(_get_number(row[name]) for name in metrics)
        for row in evaluation.per_document
    }


def _get_number(score: Score) -> float | None:
    """Return the number that tables show, None if it is undefined."""
    name = "f1" if score.value is None else "value"
    value: float = getattr(score, name)
    is_undefined = name in list_undefined(score) or not math.isfinite(value)
    return None if is_undefined else value


def _count_makers(analysis: ErrorAnalysis) -> dict[str, dict[tuple[int, str], int]]:
    """Count the systems that make each error, by document, then system and id."""
    if len(analysis.systems) < 2:
        return {}
    counts: dict[str, dict[tuple[int, str], int]] = {}
    for error in analysis.across.errors:
        of_document = counts.setdefault(error.document, {})
        for system, id in error.ids.items():
            of_document[system, id] = len(error.ids)
    return counts


def _build_document(
    id: str,
    text: DocumentText,
    systems: Sequence[_SystemDocument | None],
    scores: Sequence[Sequence[float | None]],
    made_by: Mapping[tuple[int, str], int],
) -> ReaderDocument:
    present = [system for system in systems if system is not None]
    # A dict keeps the order; that of a set would differ between runs.
    positions = dict.fromkeys(
        position
        for system in present
        for side in (system.positions.key, system.positions.response)
        for position in side.values()
    )
    is_named = any(system.layers.is_named for system in present)
    places = [*dict.fromkeys(place for place, _ in positions)]
    tokens = choose_tokens(text, places, is_named=is_named)
    parts = {position: tokens.locate(position[0]) for position in positions}

    def sort_key(position: Position) -> tuple[int, int, Parts, int]:
        spans = parts[position]
        return spans[0][0], spans[-1][1], spans, position[1]

    order = sorted(positions, key=sort_key)
    number = {position: span for span, position in enumerate(order)}
    first = present[0]
    key_entities, _ = _number_entities(first.layers.key, first.positions.key, number)
    responses = [
        ReaderResponse([0] * len(order), is_missing=True, scores=values)
        if system is None
        else _build_response(system, number, values, index, made_by)
        for index, (system, values) in enumerate(zip(systems, scores, strict=True))
    ]
    return ReaderDocument(
        id,
        tokens.sentences,
        [parts[position] for position in order],
        key_entities,
        responses,
        text.empty if tokens.has_words else (),
        tokens.has_words,
        tokens.is_named,
    )


def _number_entities(
    entities: Sequence[int],
    positions: Mapping[int, Position],
    number: Mapping[Position, int],
) -> tuple[list[int], dict[int, int]]:
    """Number the entities of a side in the order of their first mentions.

    Returns the number for each span, 0 for none, and for each entity.
    """
    by_span = [0] * len(number)
    numbers: dict[int, int] = {}
    spans = sorted((number[position], row) for row, position in positions.items())
    for span, row in spans:
        by_span[span] = numbers.setdefault(entities[row], len(numbers) + 1)
    return by_span, numbers


def _build_response(
    system: _SystemDocument,
    number: Mapping[Position, int],
    scores: Sequence[float | None],
    index: int,
    made_by: Mapping[tuple[int, str], int],
) -> ReaderResponse:
    layers, positions = system.layers, system.positions
    _, key_numbers = _number_entities(layers.key, positions.key, number)
    entities, numbers = _number_entities(layers.response, positions.response, number)
    rows = range(len(layers.places))
    span_of = [number[positions.get(row)] for row in rows]
    errors = [
        ReaderError(
            error.kind,
            tuple([span_of[row] for row in error_rows]),
            (numbers if error.kind in _KINDS_OF_RESPONSE else key_numbers)[entity],
            next(iter(error.types), ""),
            made_by.get((index, error.id), 1),
        )
        for error, (error_rows, entity) in zip(
            system.errors.errors, layers.errors, strict=True
        )
    ]
    twins = {
        number[positions.response[row]]: number[positions.key[row]]
        for row in layers.own
    }
    twins |= {number[positions.response[row]]: NO_TWIN for row in positions.unmatched}
    return ReaderResponse(
        entities,
        dict(sorted(twins.items())),
        errors,
        [*_iter_links(system, span_of, index, made_by)],
        layers.is_missing,
        scores,
    )


def _iter_links(
    system: _SystemDocument,
    span_of: Sequence[int],
    index: int,
    made_by: Mapping[tuple[int, str], int],
) -> Iterator[ReaderLink]:
    errors, rows = system.errors, iter(system.layers.links)
    kinds = zip(LINKS, (errors.recall_links, errors.precision_links), strict=True)
    for kind, links in kinds:
        for link in links:
            anaphor, antecedent = next(rows)
            yield ReaderLink(
                kind,
                span_of[anaphor],
                span_of[antecedent],
                link.types[0],
                link.distance,
                link.entity_size,
                link.cause,
                made_by.get((index, link.id), 1),
            )


# A place, and a number that distinguishes mentions at the same place.
Position: TypeAlias = "tuple[Place, int]"


@dataclass(frozen=True, slots=True)
class Positions:
    """Positions of the rows of a system's layers.

    Attributes:
        key: the position of each row that the key has.
        response: the position of each row that the response has.
        unmatched: rows of the response at the place of a key mention that they are not
            matched with.
    """

    key: Mapping[int, Position] = field(default_factory=dict)
    response: Mapping[int, Position] = field(default_factory=dict)
    unmatched: Sequence[int] = ()

    def get(self, row: int) -> Position:
        """Return the position of a row in the key, or else in the response."""
        return self.key[row] if row in self.key else self.response[row]


def locate_rows(layers: Layers) -> Positions:
    """Return the positions of the rows of a system's layers.

    >>> from corefkit.analysis.errors.layers import Layers
    >>> one, two = ((0, 1),), ((0, 2),)
    >>> locate_rows(Layers([one, two], [0, -1], [0, 1])).response[1]
    (((0, 2),), 0)
    >>> matched = Layers([one, two], [0, -1], [0, 1], own={0: two})
    >>> locate_rows(matched).response
    {0: (((0, 2),), 0), 1: (((0, 2),), 1)}
    """
    key: dict[int, Position] = {}
    copies: Counter[Place] = Counter()
    for row, entity in enumerate(layers.key):
        if entity >= 0:
            place = layers.places[row]
            key[row] = place, copies[place]
            copies[place] += 1
    rows = [row for row, entity in enumerate(layers.response) if entity >= 0]
    response = {row: key[row] for row in rows if row in key and row not in layers.own}
    taken, key_positions, unmatched = {*response.values()}, {*key.values()}, []
    for row in rows:
        if row not in response:
            place, copy = layers.own.get(row, layers.places[row]), 0
            while (place, copy) in taken:
                copy += 1
            response[row] = place, copy
            taken.add((place, copy))
            if row not in key and (place, copy) in key_positions:
                unmatched.append(row)
    return Positions(key, response, unmatched)


class DocumentTokens(NamedTuple):
    """The tokens of a document as the reader shows them.

    Attributes:
        sentences: words, or numbers or names if the words are unknown.
        locate: returns the tokens of a mention by its place.
        has_words: whether `sentences` are words.
        is_named: whether they are names of mentions.
    """

    sentences: Sequence[Sequence[str]]
    locate: Callable[[Place], Parts]
    has_words: bool = True
    is_named: bool = False


def choose_tokens(
    text: DocumentText, places: Sequence[Place], *, is_named: bool
) -> DocumentTokens:
    """Choose the tokens to show: words, numbers of tokens, or names of mentions.

    Args:
        text: the words, if they are known.
        places: the places of the mentions of all sides.
        is_named: whether places are names.

    >>> from corefkit.analysis.errors.error_analysis import DocumentText
    >>> named = choose_tokens(DocumentText(), ["b", "a"], is_named=True)
    >>> named.sentences, named.locate("b")
    ((('a', 'b'),), ((1, 1),))
    >>> choose_tokens(DocumentText(), [((1, 2),)], is_named=False).sentences
    (('0', '1', '2'),)
    """
    if is_named and not all(map(is_span, places)):
        return _use_names(places)
    locate = _parse_span if is_named else _get_parts
    spans = [locate(place) for place in places]
    last = max((parts[-1][1] for parts in spans), default=-1)
    if text.tokens and last < len(text.tokens):
        bounds = pairwise([*text.sentences, len(text.tokens)])
        sentences = [text.tokens[first:end] for first, end in bounds if first < end]
        return DocumentTokens(sentences, locate)
    if last < MAX_UNKNOWN_TOKENS:
        sentence = tuple(map(str, range(last + 1)))
        return DocumentTokens((sentence,) if sentence else (), locate, has_words=False)
    # Offsets of characters can be large: show only tokens at the bounds of mentions.
    shown = sorted({bound for parts in spans for part in parts for bound in part})
    number = {token: index for index, token in enumerate(shown)}

    def locate_shown(place: Place) -> Parts:
        return tuple([(number[first], number[last]) for first, last in locate(place)])

    return DocumentTokens((tuple(map(str, shown)),), locate_shown, has_words=False)


def _get_parts(place: Place) -> Parts:
    return cast("Parts", place)


def _parse_span(place: Place) -> Parts:
    first, last = cast("tuple[int, int]", place)
    return ((int(first), int(last)),)


def _use_names(names: Sequence[Hashable]) -> DocumentTokens:
    order = sort_names(names)
    token = {names[row]: number for number, row in enumerate(order)}
    labels = tuple([format_name(names[row]) for row in order])
    return DocumentTokens(
        (labels,),
        lambda place: ((token[place], token[place]),),
        has_words=False,
        is_named=True,
    )
