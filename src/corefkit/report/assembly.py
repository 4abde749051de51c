"""Scores, comparison, errors and documents of responses, from their files."""

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
    MOST_UNKNOWN,
    NO_TWIN,
    Reader,
    ShownDocument,
    ShownError,
    ShownLink,
    ShownResponse,
)
from corefkit.results.records import render_json, save_text
from corefkit.results.stored_results import is_stored
from corefkit.settings import Keywords, expand_settings, resolve_settings
from corefkit.tables.terminal import label_paths, strip_suffixes

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

    from corefkit.alignment.pipeline import Progress
    from corefkit.analysis.compare.comparison import Comparison
    from corefkit.analysis.compare.systems import Systems
    from corefkit.analysis.errors.error_analysis import DocumentErrors, ErrorAnalysis
    from corefkit.analysis.errors.layers import Layers, Place
    from corefkit.formats.inputs import Input
    from corefkit.metrics.metric import Metric, Score
    from corefkit.report.reader_data import Parts


@dataclass(frozen=True, repr=False)
class Report:
    """Scores, comparison, errors and documents of one or more responses to one key.

    Attributes:
        key: what the user called the key.
        systems: the names of the systems, in the order of input; all that follows has
            the same systems in the same order, under the same names.
        evaluations: the scores of each system.
        comparison: the systems compared; of one system, its intervals.
        analysis: the errors of each system.
        reader: the documents.
        refused: responses that could not be scored, each with the reason.
        notes: what a user should know about the input, one sentence each.
        warnings: why the results may not say what they should, one sentence each.

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
        """Name what is reported on, and how."""
        return f"<Report on {', '.join(self.systems)}: {self.comparison.signature}>"

    def _repr_html_(self) -> str:
        from corefkit.report.notebook import report_html

        return report_html(self)

    def to_html(self) -> str:
        """Return the page that `corefkit report` writes."""
        # Local: pages stand to the right, and few reports are written.
        from corefkit.report.report_page import report_page
        from corefkit.tables.html import render_html_page

        return render_html_page(report_page(self))

    def render_scores(self) -> str:
        """Return the scores of all documents as JSON for `corefkit compare`."""
        rejected = [
            Refused(name, CorefkitError(reason, code="pairing/nothing-scored"))
            for name, reason in self.refused.items()
        ]
        return render_json(self.evaluations, per_document=True, refused=rejected)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file, which is replaced only when all of it is written.

        Raises:
            CorefkitError: the file cannot be written; it is as it was.
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
    skip_broken: bool = False,
    format: str | None = None,
    progress: Progress | None = None,
    **keywords: Unpack[Keywords],
) -> Report:
    """Report on one or more responses: scores, comparison, errors, documents.

    Args:
        key: as for `corefkit.score`.
        responses: one response, likewise; or several, as a mapping of names to
            responses or a list of files. A mapping with an id of the key's documents
            among its names is one response.
        metrics: names or `Metric` values; the default set and the CoNLL mean if not
            given.
        statistic: this and what follows, up to `strata`, as for `corefkit.compare`.
        unit: likewise.
        units: likewise.
        test: likewise.
        samples: likewise.
        seed: likewise.
        alpha: likewise.
        correction: likewise.
        interval: likewise.
        baseline: likewise.
        alternative: likewise.
        strata: likewise; links are counted by stratum too.
        antecedents: as for `corefkit.errors`.
        language: likewise.
        skip_broken: whether to go on without responses that cannot be scored, which
            are then in `refused`.
        format: the format of files; recognised if not given.
        progress: called now and then with the work done and the whole work.
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
    asked = parse_request(metrics)
    key, repaired = materialize(key), _repaired(asked.scored)
    options = ErrorOptions(repaired, antecedents, language, strata, layers=True)
    given = responses_by_name(key, materialize(responses), format=format)
    scoring = ScoringOptions(asked, format, progress, skip_broken, keywords)
    systems = gather_systems(key, given, scoring)
    analysis = _analysed(key, given, systems, scoring, options)
    systems = _kept(systems, analysis)
    comparison = compare_systems(
        systems, procedure, request=asked, units=units, progress=progress
    )
    return _put_together(systems, comparison, analysis)


def _put_together(
    systems: Systems,
    comparison: Comparison,
    analysis: ErrorAnalysis,
) -> Report:
    results = systems.results.values()
    evaluations = tuple(one for one in results if isinstance(one, Evaluation))
    metrics = {metric: None for one in evaluations for metric in one.metrics}
    notes = (*comparison.notes, *analysis.notes, *_left_out([*metrics]))
    warnings = (*_unlike(evaluations), *comparison.warnings, *analysis.warnings)
    return Report(
        comparison.key,
        comparison.systems,
        evaluations,
        comparison,
        analysis,
        reader_of(analysis, evaluations),
        comparison.refused,
        tuple(dict.fromkeys(notes)),
        tuple(dict.fromkeys(warnings)),
    )


def _unlike(evaluations: Sequence[Evaluation]) -> list[str]:
    """Warn where responses were scored on different documents."""
    if len({one.documents for one in evaluations}) == 1:
        return []
    scores = "scores are of the documents that no response lacks"
    return [f"{scores}; errors are of all documents that a response has"]


def _repaired(metrics: Sequence[Metric]) -> tuple[Metric, ...]:
    """Choose the metrics that show what errors cost: those that repairs leave."""
    found = tuple(metric for metric in metrics if not metric.needs)
    return found or find_metrics(None)


def _left_out(metrics: Sequence[Metric]) -> list[str]:
    names = [metric.label for metric in metrics if metric.needs]
    note = "what errors cost is not known by it: repaired responses have entities only"
    return [f"{name}: {note}" for name in names]


def _analysed(
    key: Input,
    responses: Mapping[str, Input],
    systems: Systems,
    scoring: ScoringOptions,
    options: ErrorOptions,
) -> ErrorAnalysis:
    """Analyse the errors of the systems that could be scored."""
    names = [*systems.results]
    return find_errors(
        key,
        [responses[name] for name in names],
        names=names,
        options=options,
        settings=resolve_settings(**scoring.keywords),
        skip_broken=scoring.skip_broken,
        format=scoring.format,
        progress=scoring.progress,
    )


def _kept(systems: Systems, analysis: ErrorAnalysis) -> Systems:
    """Leave out systems that were scored, but whose errors could not be found."""
    refused = analysis.refused
    if not refused:
        return systems
    kept = {name: one for name, one in systems.results.items() if name not in refused}
    if not kept:
        message = f"no response can be analysed: {'; '.join(refused.values())}"
        raise FormatError(message, code="pairing/nothing-scored")
    return replace(systems, results=kept, refused={**systems.refused, **refused})


_ALONE = "response"  # what one without a name is called


def responses_by_name(
    key: Input, responses: object, *, format: str | None = None
) -> Mapping[str, Input]:
    """Name each response: as it is given, or by its file.

    >>> responses_by_name(["abc"], ["ab"])
    {'response': ['ab']}
    >>> responses_by_name(["abc"], {"A": ["ab"], "B": ["bc"]})
    {'A': ['ab'], 'B': ['bc']}
    """
    found: dict[str, Input]
    if _are_files(responses):
        files = [os.fspath(one) for one in cast("list[str]", responses)]
        found = {**dict(zip(_names(files), files, strict=True))}
    elif isinstance(responses, str | os.PathLike):
        path = os.fspath(responses)
        found = {_names([path])[0]: path}
    else:
        named = name_responses(key, responses, format=format)
        found = {_ALONE: cast("Input", responses)} if named is None else named
    _check(found)
    return found


def _names(files: Sequence[str]) -> list[str]:
    return strip_suffixes(label_paths(files))


def _are_files(responses: object) -> bool:
    """Tell a list of files from a partition whose mentions are letters."""
    if not isinstance(responses, list | tuple) or not any(map(is_file, responses)):
        return False
    return all(isinstance(one, str | os.PathLike) for one in responses)


def _check(responses: Mapping[str, Input]) -> None:
    """Refuse responses without a name, and scores that were stored."""
    for name, response in responses.items():
        if not name.strip():
            message = "a system has no name"
            raise SettingsError(
                message,
                code="input/unnamed-response",
                hint="{'ours': response, 'theirs': response}",
            )
        if isinstance(response, str | os.PathLike):
            refuse_stored(response)


def refuse_stored(path: str | os.PathLike[str]) -> None:
    """Refuse a file of scores that were stored, in place of the response."""
    if is_stored(path):
        message = "has scores, but no mentions, which a report shows"
        hint = "give the response itself"
        raise FormatError(
            message, code="settings/stored-scores", place=os.fspath(path), hint=hint
        )


_NO_TEXT = DocumentText()
_OF_RESPONSE = frozenset({"conflated", "extra_mention", "extra_entity"})


class _Found(NamedTuple):
    """What is known of one document of one system."""

    errors: DocumentErrors
    layers: Layers
    spots: Spots


class _Side(NamedTuple):
    """The entities of a side: of each span its number, and the numbers of entities."""

    of_span: list[int]
    number: Mapping[int, int]


def reader_of(analysis: ErrorAnalysis, evaluations: Sequence[Evaluation]) -> Reader:
    """Make the reader of the documents of some systems.

    Args:
        analysis: their errors, with layers.
        evaluations: their scores, in the same order.
    """
    names = strip_suffixes([system.response for system in analysis.systems])
    found = [
        {
            errors.document: _Found(errors, layers, spots_of(layers))
            for errors, layers in zip(system.documents, system.layers, strict=True)
        }
        for system in analysis.systems
    ]
    metrics = _metrics(evaluations)
    scores = [_scores_by_document(one, metrics) for one in evaluations]
    made_by = _made_by(analysis)
    nothing = (None,) * len(metrics)
    documents = tuple(
        _document(
            id,
            analysis.texts.get(id, _NO_TEXT),
            [documents.get(id) for documents in found],
            [by_document.get(id, nothing) for by_document in scores],
            made_by.get(id, {}),
        )
        for id in _in_order(found)
    )
    return Reader("key", tuple(names), documents, tuple(map(get_label, metrics)))


def _in_order(systems: Sequence[Mapping[str, _Found]]) -> list[str]:
    """Put the documents of all systems, of which each may lack some, in one order."""
    numbers = {
        id: one.layers.number for documents in systems for id, one in documents.items()
    }
    return sorted(numbers, key=numbers.__getitem__)


def _metrics(evaluations: Sequence[Evaluation]) -> list[str]:
    """List the metrics of documents, the CoNLL mean last."""
    metrics = [*dict.fromkeys(name for one in evaluations for name in one)]
    with_mean = any("conll" in one for one in evaluations)
    return [*metrics, "conll"] if with_mean else metrics


def _scores_by_document(
    evaluation: Evaluation, metrics: Sequence[str]
) -> dict[str, tuple[float | None, ...]]:
    return {
        row.document: tuple(_number(row[name]) for name in metrics)
        for row in evaluation.per_document
    }


def _number(score: Score) -> float | None:
    """Return the number that tables show, None where it is not defined."""
    undefined = list_undefined(score)
    name = "f1" if score.value is None else "value"
    value: float = getattr(score, name)
    return None if name in undefined or not math.isfinite(value) else value


def _made_by(analysis: ErrorAnalysis) -> dict[str, dict[tuple[int, str], int]]:
    """Count the systems that make each error, by document, then system and id."""
    if len(analysis.systems) < 2:
        return {}
    found: dict[str, dict[tuple[int, str], int]] = {}
    for error in analysis.across.errors:
        of_document = found.setdefault(error.document, {})
        for system, id in error.ids.items():
            of_document[system, id] = len(error.ids)
    return found


def _document(
    id: str,
    text: DocumentText,
    systems: Sequence[_Found | None],
    scores: Sequence[Sequence[float | None]],
    made_by: Mapping[tuple[int, str], int],
) -> ShownDocument:
    there = [one for one in systems if one is not None]
    # In the order in which they are found: sets would order equal ones by chance.
    all_spots = dict.fromkeys(
        spot
        for one in there
        for side in (one.spots.key, one.spots.response)
        for spot in side.values()
    )
    is_named = any(one.layers.is_named for one in there)
    places = [*dict.fromkeys(place for place, _ in all_spots)]
    spelling = spelling_of(text, places, is_named=is_named)
    parts = {spot: spelling.parts(spot[0]) for spot in all_spots}
    order = sorted(all_spots, key=lambda spot: _place(parts[spot], spot[1]))
    number = {spot: row for row, spot in enumerate(order)}
    key = _side(there[0].layers.key, there[0].spots.key, number)
    responses = [
        ShownResponse([0] * len(order), is_missing=True, scores=rows)
        if one is None
        else _response(one, number, rows, system, made_by)
        for system, (one, rows) in enumerate(zip(systems, scores, strict=True))
    ]
    return ShownDocument(
        id,
        spelling.sentences,
        [parts[spot] for spot in order],
        key.of_span,
        responses,
        text.empty if spelling.has_words else (),
        spelling.has_words,
        spelling.is_named,
    )


def _place(parts: Parts, copy: int) -> tuple[int, int, Parts, int]:
    return parts[0][0], parts[-1][1], parts, copy


def _side(
    entities: Sequence[int], spots: Mapping[int, Spot], number: Mapping[Spot, int]
) -> _Side:
    """Number the entities of a side in the order of their first mentions."""
    of_span = [0] * len(number)
    called: dict[int, int] = {}
    for span, row in sorted([(number[spot], row) for row, spot in spots.items()]):
        of_span[span] = called.setdefault(entities[row], len(called) + 1)
    return _Side(of_span, called)


def _response(
    found: _Found,
    number: Mapping[Spot, int],
    scores: Sequence[float | None],
    system: int,
    made_by: Mapping[tuple[int, str], int],
) -> ShownResponse:
    layers, spots = found.layers, found.spots
    key = _side(layers.key, spots.key, number)
    response = _side(layers.response, spots.response, number)
    span_of = [number[spots.of(row)] for row in range(len(layers.places))]
    errors = [
        ShownError(
            error.kind,
            tuple([span_of[row] for row in rows]),
            (response if error.kind in _OF_RESPONSE else key).number[entity],
            next(iter(error.types), ""),
            made_by.get((system, error.id), 1),
        )
        for error, (rows, entity) in zip(
            found.errors.errors, layers.errors, strict=True
        )
    ]
    twins = {number[spots.response[row]]: number[spots.key[row]] for row in layers.own}
    twins |= {number[spots.response[row]]: NO_TWIN for row in spots.apart}
    return ShownResponse(
        response.of_span,
        dict(sorted(twins.items())),
        errors,
        [*_links(found, span_of, system, made_by)],
        layers.is_missing,
        scores,
    )


def _links(
    found: _Found,
    span_of: Sequence[int],
    system: int,
    made_by: Mapping[tuple[int, str], int],
) -> Iterable[ShownLink]:
    errors, rows = found.errors, iter(found.layers.links)
    for kind, links in zip(
        LINKS, (errors.recall_links, errors.precision_links), strict=True
    ):
        for link in links:
            anaphor, antecedent = next(rows)
            yield ShownLink(
                kind,
                span_of[anaphor],
                span_of[antecedent],
                link.types[0],
                link.distance,
                link.entity_size,
                link.cause,
                made_by.get((system, link.id), 1),
            )


# A place, and how many others there have the same.
Spot: TypeAlias = "tuple[Place, int]"


@dataclass(frozen=True, slots=True)
class Spots:
    """Where the rows of a system's layers stand.

    Attributes:
        key: the spot of each row that the key has.
        response: the spot of each row that the response has.
        apart: rows of the response that stand where the key has a mention too, but are
            matched with none.
    """

    key: Mapping[int, Spot] = field(default_factory=dict)
    response: Mapping[int, Spot] = field(default_factory=dict)
    apart: Sequence[int] = ()

    def of(self, row: int) -> Spot:
        """Find where a row stands: where the key has it, if it has."""
        return self.key[row] if row in self.key else self.response[row]


def spots_of(layers: Layers) -> Spots:
    """Give the rows of a system's layers their spots.

    >>> from corefkit.analysis.errors.layers import Layers
    >>> one, two = ((0, 1),), ((0, 2),)
    >>> spots_of(Layers([one, two], [0, -1], [0, 1])).response[1]
    (((0, 2),), 0)
    >>> matched = Layers([one, two], [0, -1], [0, 1], own={0: two})
    >>> spots_of(matched).response
    {0: (((0, 2),), 0), 1: (((0, 2),), 1)}
    """
    key = _sort_entities(layers)
    there = [row for row, entity in enumerate(layers.response) if entity >= 0]
    response = {row: key[row] for row in there if row in key and row not in layers.own}
    taken, of_key, apart = {*response.values()}, {*key.values()}, []
    for row in there:
        if row not in response:
            place, copy = layers.own.get(row, layers.places[row]), 0
            while (place, copy) in taken:
                copy += 1
            response[row] = place, copy
            taken.add((place, copy))
            if row not in key and (place, copy) in of_key:
                apart.append(row)
    return Spots(key, response, apart)


def _sort_entities(layers: Layers) -> dict[int, Spot]:
    """Give the key's rows their spots."""
    used: Counter[Place] = Counter()
    spots: dict[int, Spot] = {}
    for row, entity in enumerate(layers.key):
        if entity >= 0:
            place = layers.places[row]
            spots[row] = place, used[place]
            used[place] += 1
    return spots


class Spelling(NamedTuple):
    """The tokens of a document as they are shown.

    Attributes:
        sentences: what stands for each token.
        parts: finds the tokens of a mention among them by its place.
        has_words: whether `sentences` are words.
        is_named: whether they are names of mentions.
    """

    sentences: Sequence[Sequence[str]]
    parts: Callable[[Place], Parts]
    has_words: bool = True
    is_named: bool = False


def spelling_of(
    text: DocumentText, places: Sequence[Place], *, is_named: bool
) -> Spelling:
    """Find what stands for the tokens of a document.

    Args:
        text: its words, where they are known.
        places: where its mentions stand, on all sides.
        is_named: whether places are names.

    >>> from corefkit.analysis.errors.error_analysis import DocumentText
    >>> named = spelling_of(DocumentText(), ["b", "a"], is_named=True)
    >>> named.sentences, named.parts("b")
    ((('a', 'b'),), ((1, 1),))
    >>> spelling_of(DocumentText(), [((1, 2),)], is_named=False).sentences
    (('0', '1', '2'),)
    """
    if is_named and not all(map(is_span, places)):
        return _of_names(places)
    find = _parts_of_span if is_named else _as_it_is
    found = [find(place) for place in places]
    last = max((parts[-1][1] for parts in found), default=-1)
    if text.tokens and last < len(text.tokens):
        bounds = pairwise([*text.sentences, len(text.tokens)])
        return Spelling(
            [text.tokens[first:end] for first, end in bounds if first < end], find
        )
    if last < MOST_UNKNOWN:
        sentence = tuple(map(str, range(last + 1)))
        return Spelling((sentence,) if sentence else (), find, has_words=False)
    return _of_bounds(found, find)


def _as_it_is(place: Place) -> Parts:
    return cast("Parts", place)


def _parts_of_span(place: Place) -> Parts:
    first, last = cast("tuple[int, int]", place)
    return ((int(first), int(last)),)


def _of_names(names: Sequence[Hashable]) -> Spelling:
    order = sort_names(names)
    token = {names[row]: number for number, row in enumerate(order)}
    labels = tuple([format_name(names[row]) for row in order])
    return Spelling(
        (labels,),
        lambda place: ((token[place], token[place]),),
        has_words=False,
        is_named=True,
    )


def _of_bounds(found: Sequence[Parts], find: Callable[[Place], Parts]) -> Spelling:
    """Show only tokens at which parts of mentions begin or end."""
    there = sorted({bound for parts in found for part in parts for bound in part})
    number = {token: row for row, token in enumerate(there)}

    def parts_there(place: Place) -> Parts:
        return tuple([(number[first], number[last]) for first, last in find(place)])

    return Spelling((tuple(map(str, there)),), parts_there, has_words=False)
