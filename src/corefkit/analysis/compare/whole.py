"""From systems that are scored to a comparison of them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from corefkit.analysis.compare.cautions import cautions, few_units, tested
from corefkit.analysis.compare.comparable import (
    check_settings,
    declared_differences,
    lacking,
    shared_documents,
)
from corefkit.analysis.compare.comparison import Comparison
from corefkit.analysis.compare.counts import counts_of, metrics_of, settings_of
from corefkit.analysis.compare.units import units_of
from corefkit.exceptions import PairingError, SettingsError
from corefkit.strings.nearest import suggest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from corefkit.alignment.pipeline import Progress
    from corefkit.analysis.compare.asked import Asked
    from corefkit.analysis.compare.comparable import Shared
    from corefkit.analysis.compare.comparison import MetricComparison
    from corefkit.analysis.compare.procedure import Procedure
    from corefkit.analysis.compare.sample import Sample
    from corefkit.analysis.compare.systems import Systems
    from corefkit.analysis.compare.units import Units


@dataclass(frozen=True, slots=True)
class _Gathered:
    """What there is to test, and what to say of it."""

    sample: Sample
    shared: Shared
    units: Units
    notes: list[str]


def compared_systems(
    systems: Systems,
    procedure: Procedure,
    *,
    asked: Asked,
    units: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Compare systems that are scored, if they can be compared."""
    # Imported here because it takes scipy, and to refuse systems needs none.
    from corefkit.analysis.compare.comparing import compared

    _check_baseline(procedure.baseline, systems)
    gathered = _gathered(systems, procedure, asked, units)
    metrics = compared(gathered.sample, procedure, progress=progress)
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
    asked: Asked,
    units: Mapping[str, str] | None,
) -> _Gathered:
    """Check that systems can be compared, and gather their counts unit by unit."""
    from corefkit.analysis.compare.measures import sample_of

    results = systems.results
    check_settings(results)
    settings = settings_of(next(iter(results.values())))
    chosen, notes = metrics_of(results, asked)
    shared = shared_documents(results, settings)
    grouped = units_of(
        shared.documents, unit=procedure.unit, units=units, strata=procedure.strata
    )
    counts = {
        name: {one.name: counts_of(result, one, settings)[rows] for one in chosen}
        | {error: systems.errors[name][error][rows] for error in asked.errors}
        for (name, result), rows in zip(results.items(), shared.rows, strict=True)
    }
    sample = sample_of(
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
        *cautions(found),
    ]


def _check_baseline(name: str | None, systems: Systems) -> None:
    if name is None or name in systems.results:
        return
    if name in systems.refused:
        message = f"the baseline {name!r} cannot be scored: {systems.refused[name]}"
        raise PairingError(message)
    message = f"no system is called {name!r}, which is to be the baseline"
    raise SettingsError(message, hint=suggest(name, systems.results))


def _each_once(*sentences: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(chain.from_iterable(sentences)))
