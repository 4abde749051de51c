"""The registry: a row for each metric, with all that others know of it.

Functions are named by module and name, so that only the metrics that are asked for are
imported. `Metric` says what the columns are.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from corefkit.metrics.base import Metric, Named

if TYPE_CHECKING:
    from collections.abc import Iterable


def _named(module: str, name: str) -> Named:
    return Named(f"corefkit.metrics.{module}", name)


def _walk(module: str, name: str) -> Named:
    return Named(f"corefkit.analysis.explain.{module}", name)


def _by_name(metrics: Iterable[Metric]) -> dict[str, Metric]:
    return {metric.name: metric for metric in metrics}


_reference = partial(_named, "reference.counts")
_split = partial(_named, "split.counts")

_LUO = "Luo 2005"
_PRADHAN = "Pradhan et al. 2014, section"
_MOOSAVI = "Moosavi and Strube 2016"
_BY_LINKS = f"{_LUO}; {_MOOSAVI}, section 3.3"
_CAI = "Cai and Strube 2010, section"
_STOYANOV = f"Stoyanov et al. 2009; {_CAI} 2.2.1"
_RAHMAN = f"Rahman and Ng 2009; {_CAI}"


def _ceaf(name: str, label: str, family: str, source: str) -> Metric:
    """Make the row of CEAF with one of its rarer similarities."""
    return Metric(
        name,
        label,
        _named("ceaf", name),
        family=family,
        source=source,
        walk=_walk("ceaf", name.upper()),
    )


METRICS = _by_name(
    [
        Metric(
            "mentions",
            "Mentions",
            _named("mention_detection", "mention_detection"),
            aliases=("mention",),
            source=f"{_PRADHAN} 3",
            default=True,
            walk=_walk("mention_detection", "WALK"),
            reference=_reference("mention_counts"),
            split=None,
        ),
        Metric(
            "muc",
            "MUC",
            _named("muc", "muc"),
            source=f"Vilain et al. 1995; {_PRADHAN} 4.1",
            default=True,
            walk=_walk("muc", "WALK"),
            reference=_reference("muc_counts"),
            split=_split("muc_counts"),
            exceptions={
                "identity": "without an entity of two mentions there is no link"
            },
        ),
        Metric(
            "b_cubed",
            "B³",
            _named("b_cubed", "b_cubed"),
            aliases=("b3", "bcub", "bcubed"),
            source=f"Bagga and Baldwin 1998; {_PRADHAN} 4.2",
            default=True,
            walk=_walk("b_cubed", "WALK"),
            reference=_reference("b_cubed_counts"),
            split=_split("b_cubed_counts"),
        ),
        Metric(
            "ceaf_m",
            "CEAFm (φ3)",
            _named("ceaf", "ceaf_m"),
            aliases=("ceafm",),
            source=f"{_LUO}; {_PRADHAN} 4.3",
            default=True,
            walk=_walk("ceaf", "CEAF_M"),
            reference=_reference("ceaf_m_counts"),
            split=_split("ceaf_m_counts"),
        ),
        Metric(
            "ceaf_e",
            "CEAFe (φ4)",
            _named("ceaf", "ceaf_e"),
            aliases=("ceafe",),
            source=f"{_LUO}; {_PRADHAN} 4.4",
            default=True,
            walk=_walk("ceaf", "CEAF_E"),
            reference=_reference("ceaf_e_counts"),
            split=_split("ceaf_e_counts"),
        ),
        _ceaf("ceaf_phi1", "CEAF φ1", "ceaf_phi", _LUO),
        _ceaf("ceaf_phi2", "CEAF φ2", "ceaf_phi", _LUO),
        _ceaf("ceaf_m_links", "CEAFm links", "ceaf_m", _BY_LINKS),
        _ceaf("ceaf_e_links", "CEAFe links", "ceaf_e", _BY_LINKS),
        Metric(
            "blanc",
            "BLANC",
            _named("blanc", "blanc"),
            _named("blanc", "blanc_score"),
            source=f"Recasens and Hovy 2011; Luo et al. 2014; {_PRADHAN} 4.5",
            default=True,
            walk=_walk("blanc", "WALK"),
            # Another formula: repeated mentions may be linked to themselves.
            reference=_named("reference.blanc", "blanc_counts"),
            split=_split("blanc_counts"),
            exceptions={
                "swap": "the key rule drops the kinds of links that the key lacks",
                "identity": "a single mention has no link of either kind",
            },
        ),
        Metric(
            "lea",
            "LEA",
            _named("lea", "lea"),
            source=_MOOSAVI,
            default=True,
            walk=_walk("lea", "WALK"),
            reference=_reference("lea_counts"),
            split=_split("lea_counts"),
        ),
    ]
)


def _variant(
    name: str, label: str, source: str, plain: str, not_swapped: str = ""
) -> Metric:
    """Make the row of a variant of B³ or CEAF, which alters key and response first."""
    return Metric(
        name,
        label,
        _named("variants", name),
        family=plain,
        source=source,
        walk=_walk("variants", name.upper()),
        exceptions={"swap": not_swapped} if not_swapped else {},
    )


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

# None has a walk-through.
_supplement = partial(
    Metric, walk="a walk-through shows entities, and it looks at more than these"
)
_graded = partial(_supplement, source=f"{_LUO}, section 2.2", needs="their tokens")
_weighted = partial(
    _supplement, source=f"{_LUO}, section 2.2", needs="their types and kinds"
)
_bridging = partial(
    _supplement,
    source="Yu et al. 2023",
    needs="their bridging relations",
    split=None,
    exceptions={"identity": "without bridging anaphors there is nothing to find"},
)

SUPPLEMENTS = _by_name(
    [
        _graded(
            "ceaf_m_graded",
            "CEAFm graded",
            _named("graded", "ceaf_m_graded"),
            family="ceaf_m",
        ),
        _graded(
            "ceaf_e_graded",
            "CEAFe graded",
            _named("graded", "ceaf_e_graded"),
            family="ceaf_e",
        ),
        _weighted(
            "ceaf_m_weighted",
            "CEAFm weighted",
            _named("weighted", "ceaf_m_weighted"),
            family="ceaf_m",
        ),
        _weighted(
            "ceaf_e_weighted",
            "CEAFe weighted",
            _named("weighted", "ceaf_e_weighted"),
            family="ceaf_e",
        ),
        _weighted(
            "lea_weighted",
            "LEA weighted",
            _named("weighted", "lea_weighted"),
            family="lea",
            source=f"{_MOOSAVI}, section 4",
        ),
        _weighted(
            "ace_value",
            "ACE-value",
            _named("ace", "ace_value"),
            _named("ace", "ace_score"),
            source=f"NIST's scripts of 2005 and 2007; {_LUO}, section 3.2.2",
            exceptions={
                "numerators": "pairs of entities may cost more than they are worth",
                "swap": "a false alarm costs less than an entity is worth",
            },
        ),
        _supplement(
            "mor",
            "MOR",
            _named("mention_overlap", "mention_overlap"),
            aliases=("mention_overlap",),
            source="Žabokrtský et al. 2022, section 4.2",
            needs="their tokens",
            split=None,
        ),
        _supplement(
            "zeros",
            "Zeros",
            _named("zeros", "zeros"),
            aliases=("zero",),
            source="Žabokrtský et al. 2022, section 4.2",
            needs="their order, and which are empty nodes",
            exceptions={
                "identity": "without zero anaphors there is nothing to find",
                "swap": "partners of the key's zeros need not be zeros",
            },
        ),
        _bridging(
            "bridging_anaphora",
            "Bridging anaphora",
            _named("bridging", "bridging_anaphora"),
        ),
        _bridging(
            "bridging_mentions",
            "Bridging mentions",
            _named("bridging", "bridging_mentions"),
        ),
        _bridging(
            "bridging_entities",
            "Bridging entities",
            _named("bridging", "bridging_entities"),
            exceptions={
                "identity": "without bridging anaphors there is nothing to find",
                "swap": "antecedents are right by the entities of the key",
            },
        ),
        _supplement(
            "non_referring",
            "Non-referring",
            _named("bridging", "non_referring"),
            source="Yu et al. 2023",
            needs="whether they refer",
            split=None,
            exceptions={"identity": "without such mentions there is nothing to find"},
        ),
    ]
)
