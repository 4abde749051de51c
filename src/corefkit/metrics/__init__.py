"""The metrics: one file each, one row each in a table, in the order of reports.

`METRICS` are functions of two partitions, `VARIANTS` some of them after both sides were
altered; `SUPPLEMENTS` ask for more of the mentions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.exceptions import SettingsError
from corefkit.metrics.ace import ace_score, ace_value
from corefkit.metrics.b_cubed import b_cubed
from corefkit.metrics.base import Metric, ratios
from corefkit.metrics.blanc import blanc, blanc_score
from corefkit.metrics.bridging import (
    bridging_anaphora,
    bridging_entities,
    bridging_mentions,
    non_referring,
)
from corefkit.metrics.ceaf import (
    ceaf_e,
    ceaf_e_links,
    ceaf_m,
    ceaf_m_links,
    ceaf_phi1,
    ceaf_phi2,
)
from corefkit.metrics.graded import ceaf_e_graded, ceaf_m_graded
from corefkit.metrics.lea import lea
from corefkit.metrics.mention_detection import mention_detection
from corefkit.metrics.mention_overlap import mention_overlap
from corefkit.metrics.muc import muc
from corefkit.metrics.variants import (
    b_cubed_0,
    b_cubed_all,
    b_cubed_rn,
    b_cubed_sys,
    ceaf_e_rn,
    ceaf_e_sys,
    ceaf_m_rn,
    ceaf_m_sys,
)
from corefkit.metrics.weighted import ceaf_e_weighted, ceaf_m_weighted, lea_weighted
from corefkit.metrics.zeros import zeros
from corefkit.settings import suggest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

METRICS: Mapping[str, Metric] = {
    metric.name: metric
    for metric in (
        Metric("mentions", "Mentions", mention_detection, ratios, ("mention",)),
        Metric("muc", "MUC", muc, ratios),
        Metric("b_cubed", "B³", b_cubed, ratios, ("b3", "bcub", "bcubed")),
        Metric("ceaf_m", "CEAFm (φ3)", ceaf_m, ratios, ("ceafm",)),
        Metric("ceaf_e", "CEAFe (φ4)", ceaf_e, ratios, ("ceafe",)),
        Metric("ceaf_phi1", "CEAF φ1", ceaf_phi1, ratios),
        Metric("ceaf_phi2", "CEAF φ2", ceaf_phi2, ratios),
        Metric("ceaf_m_links", "CEAFm links", ceaf_m_links, ratios),
        Metric("ceaf_e_links", "CEAFe links", ceaf_e_links, ratios),
        Metric("blanc", "BLANC", blanc, blanc_score),
        Metric("lea", "LEA", lea, ratios),
    )
}

VARIANTS: Mapping[str, Metric] = {
    metric.name: metric
    for metric in (
        Metric("b_cubed_0", "B³₀", b_cubed_0, ratios),
        Metric("b_cubed_all", "B³all", b_cubed_all, ratios),
        Metric("b_cubed_rn", "B³r&n", b_cubed_rn, ratios),
        Metric("b_cubed_sys", "B³sys", b_cubed_sys, ratios),
        Metric("ceaf_m_rn", "CEAFm r&n", ceaf_m_rn, ratios),
        Metric("ceaf_m_sys", "CEAFm sys", ceaf_m_sys, ratios),
        Metric("ceaf_e_rn", "CEAFe r&n", ceaf_e_rn, ratios),
        Metric("ceaf_e_sys", "CEAFe sys", ceaf_e_sys, ratios),
    )
}

# What the shared tasks score beside, and CEAF's proposals: of these `explain` tells
# nothing, and not all can be counted on partitions.
SUPPLEMENTS: Mapping[str, Metric] = {
    metric.name: metric
    for metric in (
        Metric("ceaf_m_graded", "CEAFm graded", ceaf_m_graded, ratios),
        Metric("ceaf_e_graded", "CEAFe graded", ceaf_e_graded, ratios),
        Metric("ceaf_m_weighted", "CEAFm weighted", ceaf_m_weighted, ratios),
        Metric("ceaf_e_weighted", "CEAFe weighted", ceaf_e_weighted, ratios),
        Metric("lea_weighted", "LEA weighted", lea_weighted, ratios),
        Metric("ace_value", "ACE-value", ace_value, ace_score),
        Metric("mor", "MOR", mention_overlap, ratios, ("mention_overlap",)),
        Metric("zeros", "Zeros", zeros, ratios, ("zero",)),
        Metric("bridging_anaphora", "Bridging anaphora", bridging_anaphora, ratios),
        Metric("bridging_mentions", "Bridging mentions", bridging_mentions, ratios),
        Metric("bridging_entities", "Bridging entities", bridging_entities, ratios),
        Metric("non_referring", "Non-referring", non_referring, ratios),
    )
}

NAMES = (*METRICS, "conll", *VARIANTS, *SUPPLEMENTS)

# The CoNLL score is the mean F1 of these three.
CONLL = ("muc", "b_cubed", "ceaf_e")
DEFAULT = ("mentions", "muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc", "lea")


def chosen_metrics(
    wanted: str | Iterable[str | Metric] | None = None,
) -> tuple[Metric, ...]:
    """Find the metrics that somebody asked for, by name, alias or as they are.

    >>> [metric.name for metric in chosen_metrics("conll,bcub,lea")]
    ['muc', 'b_cubed', 'ceaf_e', 'lea']
    >>> chosen_metrics(["b_cube"])
    Traceback (most recent call last):
    corefkit.exceptions.SettingsError: unknown metric 'b_cube'
    <BLANKLINE>
    hint: did you mean 'b_cubed'? known are mentions, muc, b_cubed, ceaf_m, ceaf_e, \
ceaf_phi1, ceaf_phi2, ceaf_m_links, ceaf_e_links, blanc, lea, conll, b_cubed_0, \
b_cubed_all, b_cubed_rn, b_cubed_sys, ceaf_m_rn, ceaf_m_sys, ceaf_e_rn, ceaf_e_sys, \
ceaf_m_graded, ceaf_e_graded, ceaf_m_weighted, ceaf_e_weighted, lea_weighted, \
ace_value, mor, zeros, bridging_anaphora, bridging_mentions, bridging_entities, \
non_referring
    """
    if isinstance(wanted, str):
        wanted = wanted.split(",")
    found: dict[str, Metric] = {}
    for one in DEFAULT if wanted is None else wanted:
        for metric in [one] if isinstance(one, Metric) else _named(one):
            if found.setdefault(metric.name, metric) != metric:
                message = f"two different metrics are called {metric.name!r}"
                raise SettingsError(message, hint="give one of them another name")
    if not found:
        message = "no metric was asked for"
        raise SettingsError(message, hint=f"known are {', '.join(NAMES)}")
    return tuple(found.values())


def counted_as(metric: Metric) -> str | None:
    """Say which metric of the tables above counts like this one, whatever its name.

    >>> counted_as(METRICS["muc"])
    'muc'
    >>> counted_as(Metric("muc", "my own", b_cubed, ratios))
    'b_cubed'
    """
    tables = (METRICS, VARIANTS, SUPPLEMENTS)
    known = (one for table in tables for one in table.values())
    return next((one.name for one in known if one.count == metric.count), None)


def label_of(name: str) -> str:
    """Say how tables call a metric, or the CoNLL mean; others go by their own name.

    >>> label_of("b_cubed"), label_of("conll"), label_of("my own")
    ('B³', 'CoNLL', 'my own')
    """
    if name == "conll":
        return "CoNLL"
    metric = METRICS.get(name) or VARIANTS.get(name) or SUPPLEMENTS.get(name)
    return name if metric is None else metric.label


def _named(name: str) -> list[Metric]:
    spelling = str(name).strip().lower()
    if spelling == "conll":
        return [METRICS[part] for part in CONLL]
    for metric in (*METRICS.values(), *VARIANTS.values(), *SUPPLEMENTS.values()):
        if metric.is_called(spelling):
            return [metric]
    message = f"unknown metric {name!r}"
    raise SettingsError(message, hint=suggest(name, NAMES))
