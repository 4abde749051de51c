"""Compare systems on one key: intervals, tests and ranks.

procedure           the options of a comparison
systems             responses with names, scored now or before; can they be compared
sample              units, strata, counts by unit, and the measures made of them
resampling          draws and swaps of units, p-values, intervals
judging             from draws to ranks, letters, corrections, warnings
comparison          the result: values, records, data frame
comparison_text     its tables
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Unpack

from corefkit.analysis.compare.comparison import Comparison
from corefkit.analysis.compare.judging import collect_warnings, few_units, tested
from corefkit.analysis.compare.procedure import Procedure
from corefkit.analysis.compare.sample import group_units
from corefkit.analysis.compare.systems import (
    ScoringOptions,
    check_key,
    check_settings,
    collect_counts,
    declared_differences,
    find_settings,
    gather_systems,
    lacking,
    metrics_of,
    parse_request,
    shared_documents,
)
from corefkit.exceptions import PairingError, SettingsError
from corefkit.metrics.registry import CONLL
from corefkit.results.score_table import Order, parse_order
from corefkit.settings import Keywords, expand_settings
from corefkit.strings import suggest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from corefkit.alignment.pipeline import Progress
    from corefkit.analysis.compare.comparison import MetricComparison
    from corefkit.analysis.compare.sample import Sample, Units
    from corefkit.analysis.compare.systems import (
        MetricRequest,
        ResponseInput,
        Shared,
        Systems,
    )
    from corefkit.formats.inputs import Input
    from corefkit.metrics.metric import Metric


@dataclass(frozen=True, slots=True)
class _Gathered:
    """What there is to test, and what to say of it."""

    sample: Sample
    shared: Shared
    units: Units
    notes: list[str]


def compare_systems(
    systems: Systems,
    procedure: Procedure,
    *,
    asked: MetricRequest,
    units: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Compare systems that are scored, if they can be compared."""
    # Imported here because it takes scipy, and to refuse systems needs none.
    from corefkit.analysis.compare.judging import compare_sample

    _check_baseline(procedure.baseline, systems)
    gathered = _gathered(systems, procedure, asked, units)
    metrics = compare_sample(gathered.sample, procedure, progress=progress)
    found = {metric.name: metric for metric in metrics}
    results = systems.results.values()
    first = next(iter(results))
    return Comparison(
        key=first.key,
        score_signature=first.signature,
        procedure=procedure,
        documents=len(gathered.shared.documents),
        units=gathered.units.number,
        systems=tuple(systems.results),
        metrics=found,
        refused=systems.refused,
        notes=_each_once(
            [note for result in results for note in result.notes],
            gathered.notes,
            tested(found, procedure),
        ),
        warnings=_each_once(
            [warning for result in results for warning in result.warnings],
            _warnings(systems, procedure, gathered, found),
        ),
    )


def _gathered(
    systems: Systems,
    procedure: Procedure,
    asked: MetricRequest,
    units: Mapping[str, str] | None,
) -> _Gathered:
    """Check that systems can be compared, and gather their counts unit by unit."""
    from corefkit.analysis.compare.sample import make_sample

    results = systems.results
    check_settings(results)
    settings = find_settings(next(iter(results.values())))
    chosen, notes = metrics_of(results, asked)
    shared = shared_documents(results, settings)
    grouped = group_units(
        shared.documents, unit=procedure.unit, units=units, strata=procedure.strata
    )
    counts = {
        name: {one.name: collect_counts(result, one, settings)[rows] for one in chosen}
        | {error: systems.errors[name][error][rows] for error in asked.errors}
        for (name, result), rows in zip(results.items(), shared.rows, strict=True)
    }
    sample = make_sample(
        counts,
        metrics=chosen,
        settings=settings,
        statistic=procedure.statistic,
        unit_of=grouped.of_document,
        stratum_of=grouped.stratum_of,
        errors=asked.errors,
    )
    return _Gathered(sample, shared, grouped, [*notes, *shared.notes, *grouped.notes])


def _warnings(
    systems: Systems,
    procedure: Procedure,
    gathered: _Gathered,
    found: Mapping[str, MetricComparison],
) -> list[str]:
    return [
        *declared_differences(systems.results),
        *lacking(systems.results, gathered.shared, gathered.units.of_document),
        *few_units(gathered.units.number, procedure),
        *collect_warnings(found),
    ]


def _check_baseline(name: str | None, systems: Systems) -> None:
    if name is None or name in systems.results:
        return
    if name in systems.refused:
        message = f"the baseline {name!r} cannot be scored: {systems.refused[name]}"
        raise PairingError(message, code="pairing/nothing-scored")
    message = f"no system is called {name!r}, which is to be the baseline"
    raise SettingsError(
        message, code="settings/unknown-value", hint=suggest(name, systems.results)
    )


def _each_once(*sentences: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(chain.from_iterable(sentences)))


_VALUE = "value"


def parse_metric_order(text: str, statistics: Mapping[str, str]) -> Order:
    """Read what to sort by: a metric that was compared, a number of errors, or `name`.

    Args:
        text: as on the command line.
        statistics: what is compared of each metric, by its name.

    >>> parse_metric_order("b3", {"b_cubed": "f1"})
    Order(metric='b_cubed', part='')
    >>> parse_metric_order("muc.recall", {"muc": "f1"})
    Traceback (most recent call last):
    corefkit.exceptions.SettingsError: cannot sort by 'muc.recall', since f1 is compared
    <BLANKLINE>
    hint: --statistic recall compares it
    """
    # Imported here because few comparisons are sorted.
    from corefkit.analysis.errors.error_analysis import ERROR_WORDS

    order = parse_order(text, statistics, counts=ERROR_WORDS)
    compared = statistics.get(order.metric, "")
    if order.part not in ("", compared):
        message = f"cannot sort by {text!r}, since {compared} is compared"
        hint = f"--statistic {order.part} compares it"
        if order.part == _VALUE:
            hint = f"leave out .{_VALUE}"
        raise SettingsError(message, code="settings/invalid-order", hint=hint)
    return Order(order.metric)


def check_order(text: str, metrics: Sequence[str] | None, statistic: str) -> None:
    """Refuse what cannot be sorted by, before anything is scored.

    Args:
        text: as on the command line.
        metrics: what is compared, as on the command line; None for the usual metrics.
        statistic: what of a metric is compared.

    >>> check_order("lea", ["muc", "errors.divided"], "f1")
    Traceback (most recent call last):
    corefkit.exceptions.SettingsError: cannot sort by 'lea', which is not computed
    <BLANKLINE>
    hint: computed are muc, errors.divided; --metric names others
    """
    asked = parse_request(metrics)
    scored = () if asked.errors and not asked.metrics else asked.scored
    # Only its scores tell whether a metric has a value.
    compared = _VALUE if text.endswith(f".{_VALUE}") else statistic
    statistics = {metric.name: compared for metric in scored}
    if statistics.keys() >= set(CONLL):
        statistics["conll"] = statistic
    parse_metric_order(text, {**statistics, **dict.fromkeys(asked.errors, "count")})


@expand_settings
def compare(
    key: Input | None,
    responses: Mapping[str, ResponseInput] | Iterable[ResponseInput],
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
    skip_broken: bool = False,
    format: str | None = None,
    progress: Progress | None = None,
    **keywords: Unpack[Keywords],
) -> Comparison:
    """Compare systems: is one really better than another, and by how much.

    Args:
        key: as for `corefkit.score`; None if all responses are stored results.
        responses: a mapping of names to responses, or a list of them, which are then
            named by their files. Each is as for `corefkit.score`, or an `Evaluation`,
            or the path of a file with what `corefkit score --format json
            --per-document` printed.
        metrics: names or `Metric` values; the default set and the CoNLL mean if not
            given. `errors.divided` and so on count errors of a kind.
        statistic: what of a metric is compared: `f1`, `recall` or `precision`.
        unit: what is swapped and drawn: a `text` with all its parts, or a `document`.
        units: the text of documents whose ids do not tell, by their ids.
        test: which p-value decides: `randomization`, `bootstrap`, or `t`, a paired
            t-test on the scores of documents.
        samples: how many shuffles, and how many draws.
        seed: of everything that is drawn at random.
        alpha: the level of the tests; intervals cover the rest of it.
        correction: of the p-values of all pairs of one metric: `holm`, `hochberg`,
            `bonferroni` or `none`.
        interval: which interval is shown: `expanded`, `percentile`, `bca` or `t`.
        baseline: the name of a system that the others are compared with; all pairs
            are compared if not given.
        alternative: of a system to the baseline: `two-sided`, `greater` or `less`.
        strata: `genre`, or a regular expression that is searched in document ids, and
            whose first group is the stratum; units are drawn within strata.
        skip_broken: go on without responses that cannot be scored, and say why.
        format: the format of files; recognised if not given.
        progress: called now and then with the work done and the whole work: first of
            scoring, then of draws, then of shuffles.
        keywords: the settings, as for `corefkit.score`.

    >>> import corefkit
    >>> from corefkit.example import paths
    >>> key, careful, greedy = paths()
    >>> comparison = corefkit.compare(key, {"careful": careful, "greedy": greedy})
    >>> pair = comparison["lea"].pairs[0]
    >>> round(pair.difference, 4), pair.p, pair.is_exact
    (0.1282, 0.125, True)
    """
    procedure = Procedure(
        *(statistic, unit, test, samples, seed, alpha, correction, interval),
        *(baseline, alternative, strata),
    )
    asked = parse_request(metrics)
    scoring = ScoringOptions(asked, format, progress, skip_broken, keywords)
    systems = gather_systems(key, responses, scoring)
    if key is not None and not systems.fresh:
        check_key(key, systems.results, format)
    return compare_systems(
        systems, procedure, asked=asked, units=units, progress=progress
    )
