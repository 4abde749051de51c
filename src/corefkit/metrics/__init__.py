"""The metrics: one row each in the registry.

`METRICS` are functions of two partitions, `VARIANTS` some of them after both sides were
altered; `SUPPLEMENTS` need to know more. The order is that of reports.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from corefkit.exceptions import SettingsError
from corefkit.metrics.base import Metric
from corefkit.metrics.registry import METRICS, SUPPLEMENTS, VARIANTS
from corefkit.strings.nearest import suggest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = [
    "ALL",
    "CONLL",
    "METRICS",
    "SUPPLEMENTS",
    "VARIANTS",
    "asks_for_all",
    "chosen_metrics",
    "default_names",
    "known_metrics",
    "label_of",
    "metric_names",
]

# The CoNLL score is the mean F1 of these three.
CONLL = ("muc", "b_cubed", "ceaf_e")

ALL = "all"  # asks for every metric; `every` leaves out what an input does not allow


def known_metrics() -> Iterator[Metric]:
    """Go through all metrics of the registry, in the order of reports.

    >>> len([metric.name for metric in known_metrics() if not metric.needs])
    20
    """
    tables = (METRICS, VARIANTS, SUPPLEMENTS)
    return chain.from_iterable(table.values() for table in tables)


def metric_names() -> list[str]:
    """List what can be asked for: all metrics, and the CoNLL mean after the plain ones.

    >>> metric_names()[:3]
    ['mentions', 'muc', 'b_cubed']
    """
    return [*METRICS, "conll", *VARIANTS, *SUPPLEMENTS]


def default_names() -> list[str]:
    """List the metrics that are computed where none are asked for.

    >>> default_names()
    ['mentions', 'muc', 'b_cubed', 'ceaf_m', 'ceaf_e', 'blanc', 'lea']
    """
    return [metric.name for metric in known_metrics() if metric.default]


def chosen_metrics(
    wanted: str | Iterable[str | Metric] | None = None,
) -> tuple[Metric, ...]:
    """Find the metrics that a user asks for, by name, alias or as they are.

    >>> [metric.name for metric in chosen_metrics("conll,bcub,lea")]
    ['muc', 'b_cubed', 'ceaf_e', 'lea']
    >>> chosen_metrics(["b_cube"])
    Traceback (most recent call last):
    corefkit.exceptions.SettingsError: unknown metric 'b_cube'
    <BLANKLINE>
    hint: did you mean 'b_cubed'? known are mentions, muc, b_cubed, ceaf_m, ceaf_e, \
ceaf_phi1, ceaf_phi2, ceaf_m_links, ceaf_e_links, blanc, lea, closest_entity, conll, \
b_cubed_0, b_cubed_all, b_cubed_rn, b_cubed_sys, ceaf_m_rn, ceaf_m_sys, ceaf_e_rn, \
ceaf_e_sys, ceaf_m_graded, ceaf_e_graded, ceaf_m_weighted, ceaf_e_weighted, \
lea_weighted, ace_value, mor, zeros, bridging_anaphora, bridging_mentions, \
bridging_entities, non_referring, alpha, alpha_masi
    """
    if wanted is None:
        return tuple(metric for metric in known_metrics() if metric.default)
    if isinstance(wanted, str):
        wanted = wanted.split(",")
    chosen: dict[str, Metric] = {}
    for choice in wanted:
        for metric in [choice] if isinstance(choice, Metric) else _called(choice):
            if chosen.setdefault(metric.name, metric) != metric:
                message = f"two different metrics are called {metric.name!r}"
                raise SettingsError(message, hint="give one of them another name")
    if not chosen:
        message = "no metric was asked for"
        raise SettingsError(message, hint=f"known are {', '.join(metric_names())}")
    return tuple(chosen.values())


def asks_for_all(wanted: str | Iterable[str | Metric] | None) -> bool:
    """Tell whether a user asks for all metrics, perhaps beside some by name.

    >>> asks_for_all("muc, ALL"), asks_for_all(["lea"]), asks_for_all(None)
    (True, False, False)
    """
    words = wanted.split(",") if isinstance(wanted, str) else wanted or ()
    return ALL in [one.strip().lower() for one in words if isinstance(one, str)]


def label_of(name: str) -> str:
    """Look up how tables call a metric, or the CoNLL mean; others keep their name.

    >>> label_of("b_cubed"), label_of("conll"), label_of("my own")
    ('B³', 'CoNLL', 'my own')
    """
    if name == "conll":
        return "CoNLL"
    metric = METRICS.get(name) or VARIANTS.get(name) or SUPPLEMENTS.get(name)
    return name if metric is None else metric.label


def _called(name: str) -> list[Metric]:
    written = str(name).strip().lower()
    if written == "conll":
        return [METRICS[part] for part in CONLL]
    if written == ALL:
        return [*known_metrics()]
    for metric in known_metrics():
        if metric.is_called(written):
            return [metric]
    message = f"unknown metric {name!r}"
    raise SettingsError(message, hint=suggest(name, metric_names()))
