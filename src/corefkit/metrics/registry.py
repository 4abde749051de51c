"""The registry: a row for each metric, with all that others know of it.

Functions are named by module and name, so that only the metrics that are asked for are
imported. `Metric` says what the columns are.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from corefkit.metrics.base import Metric, Named

if TYPE_CHECKING:
    from collections.abc import Iterable

_LUO = "Luo 2005"
_PRADHAN = "Pradhan et al. 2014, section"
_CEAF = f"{_LUO}; {_PRADHAN}"
_MOOSAVI = "Moosavi and Strube 2016"
_BY_LINKS = f"{_LUO}; {_MOOSAVI}, section 3.3"
_CAI = "Cai and Strube 2010, section"
_STOYANOV = f"Stoyanov et al. 2009; {_CAI} 2.2.1"
_RAHMAN = f"Rahman and Ng 2009; {_CAI}"
_ZABOKRTSKY = "Žabokrtský et al. 2022, section 4.2"


def _named(module: str, name: str) -> Named:
    return Named(f"corefkit.metrics.{module}", name)


def _row(
    name: str, label: str, source: str, module: str = "", **columns: Any
) -> Metric:
    """Make the row of a metric whose function has its name, and mostly its module."""
    module = module or name
    return Metric(
        name,
        label,
        **{
            "count": _named(module, name),
            "walk": Named(
                f"corefkit.analysis.explain.{module}",
                "WALK" if module == name else name.upper(),
            ),
            "source": source,
            **columns,
        },
    )


def _default(
    name: str, label: str, source: str, module: str = "", **columns: Any
) -> Metric:
    """Make the row of a metric of the default set, which every policy can count."""
    columns = {
        "reference": _named("reference.counts", f"{name}_counts"),
        "split": _named("split.counts", f"{name}_counts"),
        **columns,
    }
    return _row(name, label, source, module, default=True, **columns)


def _variant(
    name: str, label: str, source: str, plain: str, not_swapped: str = ""
) -> Metric:
    """Make the row of a variant of B³ or CEAF, which alters key and response first."""
    exceptions = {"swap": not_swapped} if not_swapped else {}
    return _row(name, label, source, "variants", family=plain, exceptions=exceptions)


def _by_name(metrics: Iterable[Metric]) -> dict[str, Metric]:
    return {metric.name: metric for metric in metrics}


METRICS = _by_name(
    [
        _default(
            "mentions",
            "Mentions",
            f"{_PRADHAN} 3",
            aliases=("mention",),
            walk=Named("corefkit.analysis.explain.mention_detection", "WALK"),
            split=None,
        ),
        _default(
            "muc",
            "MUC",
            f"Vilain et al. 1995; {_PRADHAN} 4.1",
            exceptions={
                "identity": "without an entity of two mentions there is no link"
            },
        ),
        _default(
            "b_cubed",
            "B³",
            f"Bagga and Baldwin 1998; {_PRADHAN} 4.2",
            aliases=("b3", "bcub", "bcubed"),
        ),
        _default("ceaf_m", "CEAFm (φ3)", f"{_CEAF} 4.3", "ceaf", aliases=("ceafm",)),
        _default("ceaf_e", "CEAFe (φ4)", f"{_CEAF} 4.4", "ceaf", aliases=("ceafe",)),
        _row("ceaf_phi1", "CEAF φ1", _LUO, "ceaf", family="ceaf_phi"),
        _row("ceaf_phi2", "CEAF φ2", _LUO, "ceaf", family="ceaf_phi"),
        _row("ceaf_m_links", "CEAFm links", _BY_LINKS, "ceaf", family="ceaf_m"),
        _row("ceaf_e_links", "CEAFe links", _BY_LINKS, "ceaf", family="ceaf_e"),
        _default(
            "blanc",
            "BLANC",
            f"Recasens and Hovy 2011; Luo et al. 2014; {_PRADHAN} 4.5",
            score=_named("blanc", "blanc_score"),
            score_rows=_named("many", "blanc_rows"),
            exceptions={
                "swap": "the key rule drops the kinds of links that the key lacks",
                "identity": "a single mention has no link of either kind",
            },
        ),
        _default("lea", "LEA", _MOOSAVI),
        _row(
            "closest_entity",
            "Closest entity",
            "Benjelloun et al. 2009; Menestrina et al. 2010",
            "closest",
            aliases=("closest_cluster",),
            walk=Named("corefkit.analysis.explain.closest", "WALK"),
        ),
    ]
)
"""The metrics of two partitions, by name, in the order in which reports show them."""

_TWINLESS = "only the response loses its twinless mentions"
_LONE = "only the response loses its lone twinless mentions"
_SYS = "recall goes through the key as it is, precision through both added"

VARIANTS = _by_name(
    [
        _variant("b_cubed_0", "B³₀", _STOYANOV, "b_cubed", _TWINLESS),
        _variant("b_cubed_all", "B³all", _STOYANOV, "b_cubed"),
        _variant("b_cubed_rn", "B³r&n", f"{_RAHMAN} 2.2.1", "b_cubed", _LONE),
        _variant("b_cubed_sys", "B³sys", f"{_CAI} 2.2.2", "b_cubed", _SYS),
        _variant("ceaf_m_rn", "CEAFm r&n", f"{_RAHMAN} 2.3.2", "ceaf_m", _LONE),
        _variant("ceaf_m_sys", "CEAFm sys", f"{_CAI} 2.3.3", "ceaf_m", _SYS),
        _variant("ceaf_e_rn", "CEAFe r&n", f"{_RAHMAN} 2.3.2", "ceaf_e", _LONE),
        _variant("ceaf_e_sys", "CEAFe sys", f"{_CAI} 2.3.3", "ceaf_e", _SYS),
    ]
)
"""System-mention variants: metrics of two partitions that are altered first."""

# None has a walk-through.
_supplement = partial(
    _row, walk="a walk-through shows entities, and it looks at more than these"
)
_partial = partial(_supplement, source=f"{_LUO}, section 2.2", module="weighted")
_graded = partial(_partial, needs="their tokens")
_weighted = partial(_partial, needs="their types and kinds")
_NO_BRIDGE = {"identity": "without bridging anaphors there is nothing to find"}
_bridging = partial(
    _supplement,
    source="Yu et al. 2023",
    module="bridging",
    needs="their bridging relations",
    split=None,
    exceptions=_NO_BRIDGE,
)

_agreement = partial(
    _supplement,
    module="alpha",
    family="alpha",
    needs="two annotators, neither of whom has the key",
    score=_named("alpha", "alpha_score"),
    score_rows=_named("many", "alpha_rows"),
    walk="a walk-through sets a response against a key, and there is none",
)

SUPPLEMENTS = _by_name(
    [
        _graded("ceaf_m_graded", "CEAFm graded", family="ceaf_m"),
        _graded("ceaf_e_graded", "CEAFe graded", family="ceaf_e"),
        _weighted("ceaf_m_weighted", "CEAFm weighted", family="ceaf_m"),
        _weighted("ceaf_e_weighted", "CEAFe weighted", family="ceaf_e"),
        _weighted(
            "lea_weighted",
            "LEA weighted",
            source=f"{_MOOSAVI}, section 4",
            family="lea",
        ),
        _weighted(
            "ace_value",
            "ACE-value",
            source=f"NIST's scripts of 2005 and 2007; {_LUO}, section 3.2.2",
            module="ace",
            score=_named("ace", "ace_score"),
            score_rows=_named("many", "ace_rows"),
            exceptions={
                "numerators": "pairs of entities may cost more than they are worth",
                "swap": "a false alarm costs less than an entity is worth",
            },
        ),
        _supplement(
            "mor",
            "MOR",
            _ZABOKRTSKY,
            aliases=("mention_overlap",),
            needs="their tokens",
            split=None,
        ),
        _supplement(
            "zeros",
            "Zeros",
            _ZABOKRTSKY,
            aliases=("zero",),
            needs="their order, and which are empty nodes",
            exceptions={
                "identity": "without zero anaphors there is nothing to find",
                "swap": "partners of the key's zeros need not be zeros",
            },
        ),
        _bridging("bridging_anaphora", "Bridging anaphora"),
        _bridging("bridging_mentions", "Bridging mentions"),
        _bridging(
            "bridging_entities",
            "Bridging entities",
            exceptions=_NO_BRIDGE
            | {"swap": "antecedents are right by the entities of the key"},
        ),
        _bridging(
            "non_referring",
            "Non-referring",
            needs="whether they refer",
            exceptions={"identity": "without such mentions there is nothing to find"},
        ),
        _agreement("alpha", "α", source="Passonneau 2004; Krippendorff 1980"),
        _agreement("alpha_masi", "α MASI", source="Passonneau 2006; Krippendorff 1980"),
    ]
)
"""Metrics that need to know more of mentions than their entities, by name."""
