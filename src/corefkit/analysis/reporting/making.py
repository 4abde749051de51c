"""From key and responses to a report."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Unpack

from corefkit.analysis.compare import compared_systems
from corefkit.analysis.compare.procedure import Procedure
from corefkit.analysis.compare.systems import Scoring, asked_for, held, systems_of
from corefkit.analysis.errors import Options, analysed
from corefkit.analysis.errors.links import ANTECEDENTS
from corefkit.analysis.reporting.naming import responses_by_name
from corefkit.analysis.reporting.reading import reader_of
from corefkit.analysis.reporting.values import Report
from corefkit.evaluation import Evaluation
from corefkit.exceptions import FormatError
from corefkit.metrics.registry import find_metrics
from corefkit.settings import Keywords, expand_settings, resolve_settings

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Mapping, Sequence

    from corefkit.alignment.pipeline import Progress
    from corefkit.analysis.compare.comparison import Comparison
    from corefkit.analysis.compare.systems import Systems
    from corefkit.analysis.errors.error_analysis import ErrorAnalysis
    from corefkit.formats.inputs import Input
    from corefkit.metrics.metric import Metric


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
    asked = asked_for(metrics)
    key, repaired = held(key), _repaired(asked.scored)
    options = Options(repaired, antecedents, language, strata, layers=True)
    given = responses_by_name(key, held(responses), format=format)
    scoring = Scoring(asked, format, progress, skip_broken, keywords)
    systems = systems_of(key, given, scoring)
    analysis = _analysed(key, given, systems, scoring, options)
    systems = _kept(systems, analysis)
    comparison = compared_systems(
        systems, procedure, asked=asked, units=units, progress=progress
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
    scoring: Scoring,
    options: Options,
) -> ErrorAnalysis:
    """Analyse the errors of the systems that could be scored."""
    names = [*systems.results]
    return analysed(
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
