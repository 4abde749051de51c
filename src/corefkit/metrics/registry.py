"""The registry of metrics: one row each, and lookup by name.

`METRICS` are functions of two partitions, `VARIANTS` are some of them after both sides
were altered, `SUPPLEMENTS` need more information. The order is that of reports.
"""

from __future__ import annotations

from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

from corefkit.exceptions import SettingsError
from corefkit.metrics import standard
from corefkit.metrics.metric import LazyImport, Metric
from corefkit.strings import suggest
from corefkit.weights import PRESET_WEIGHTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from corefkit.settings import Settings

# A row for each metric; `Metric` explains the columns. Functions of other modules than
# `standard` are given by module and name, so that they are imported on demand.

_LUO = "Luo 2005"
_PRADHAN = "Pradhan et al. 2014, section"
_CEAF = f"{_LUO}; {_PRADHAN}"
_MOOSAVI = "Moosavi and Strube 2016"
_BY_LINKS = f"{_LUO}; {_MOOSAVI}, section 3.3"
_CAI = "Cai and Strube 2010, section"
_STOYANOV = f"Stoyanov et al. 2009; {_CAI} 2.2.1"
_RAHMAN = f"Rahman and Ng 2009; {_CAI}"
_ZABOKRTSKY = "Žabokrtský et al. 2022, section 4.2"


def _import(module: str, name: str) -> LazyImport:
    return LazyImport(f"corefkit.metrics.{module}", name)


def _make_row(
    name: str, label: str, source: str, module: str = "", **columns: Any
) -> Metric:
    """Create the row of a metric whose function and, by default, module is `name`."""
    module = module or name
    return Metric(
        name,
        label,
        **{
            "count": _import(module, name),
            "walk": LazyImport("corefkit.analysis.explain.metric_steps", name.upper()),
            "source": source,
            **columns,
        },
    )


def _make_standard_row(name: str, label: str, source: str, **columns: Any) -> Metric:
    return _make_row(name, label, source, count=getattr(standard, name), **columns)


def _make_default_row(name: str, label: str, source: str, **columns: Any) -> Metric:
    """Create the row of a default metric, which supports all settings."""
    columns = {
        "reference": _import("reference", f"{name}_counts"),
        "split": _import("split", f"{name}_counts"),
        **columns,
    }
    return _make_standard_row(name, label, source, default=True, **columns)


def _make_variant_row(
    name: str, label: str, source: str, plain: str, not_swapped: str = ""
) -> Metric:
    exceptions = {"swap": not_swapped} if not_swapped else {}
    count = partial(
        _import("variants", "count_variant"), name=name, plain=getattr(standard, plain)
    )
    return _make_row(
        name, label, source, count=count, family=plain, exceptions=exceptions
    )


def _map_by_name(metrics: Iterable[Metric]) -> dict[str, Metric]:
    return {metric.name: metric for metric in metrics}


METRICS = _map_by_name(
    [
        _make_default_row(
            "mentions",
            "Mentions",
            f"{_PRADHAN} 3",
            aliases=("mention",),
            walk=LazyImport(
                "corefkit.analysis.explain.metric_steps", "MENTION_DETECTION"
            ),
            split=None,
            shares=_import("mention_shares", "share_mentions"),
        ),
        _make_default_row(
            "muc",
            "MUC",
            f"Vilain et al. 1995; {_PRADHAN} 4.1",
            shares=_import("mention_shares", "share_muc"),
            exceptions={
                "identity": "without an entity of two mentions there is no link"
            },
        ),
        _make_default_row(
            "b_cubed",
            "B³",
            f"Bagga and Baldwin 1998; {_PRADHAN} 4.2",
            aliases=("b3", "bcub", "bcubed"),
            shares=_import("mention_shares", "share_b_cubed"),
        ),
        _make_default_row("ceaf_m", "CEAFm (φ3)", f"{_CEAF} 4.3", aliases=("ceafm",)),
        _make_default_row("ceaf_e", "CEAFe (φ4)", f"{_CEAF} 4.4", aliases=("ceafe",)),
        _make_standard_row("ceaf_phi1", "CEAF φ1", _LUO, family="ceaf_phi"),
        _make_standard_row("ceaf_phi2", "CEAF φ2", _LUO, family="ceaf_phi"),
        _make_standard_row("ceaf_m_links", "CEAFm links", _BY_LINKS, family="ceaf_m"),
        _make_standard_row("ceaf_e_links", "CEAFe links", _BY_LINKS, family="ceaf_e"),
        _make_default_row(
            "blanc",
            "BLANC",
            f"Recasens and Hovy 2011; Luo et al. 2014; {_PRADHAN} 4.5",
            score=standard.score_blanc,
            exceptions={
                "swap": "the key rule drops the kinds of links that the key lacks",
                "identity": "a single mention has no link of either kind",
            },
        ),
        _make_default_row(
            "lea", "LEA", _MOOSAVI, shares=_import("mention_shares", "share_lea")
        ),
    ]
)
"""The metrics of two partitions, by name, in the order in which reports show them."""

_TWINLESS = "only the response loses its twinless mentions"
_LONE = "only the response loses its lone twinless mentions"
_SYS = "recall goes through the key as it is, precision through both added"

VARIANTS = _map_by_name(
    [
        _make_variant_row("b_cubed_0", "B³₀", _STOYANOV, "b_cubed", _TWINLESS),
        _make_variant_row("b_cubed_all", "B³all", _STOYANOV, "b_cubed"),
        _make_variant_row("b_cubed_rn", "B³r&n", f"{_RAHMAN} 2.2.1", "b_cubed", _LONE),
        _make_variant_row("b_cubed_sys", "B³sys", f"{_CAI} 2.2.2", "b_cubed", _SYS),
        _make_variant_row(
            "ceaf_m_rn", "CEAFm r&n", f"{_RAHMAN} 2.3.2", "ceaf_m", _LONE
        ),
        _make_variant_row("ceaf_m_sys", "CEAFm sys", f"{_CAI} 2.3.3", "ceaf_m", _SYS),
        _make_variant_row(
            "ceaf_e_rn", "CEAFe r&n", f"{_RAHMAN} 2.3.2", "ceaf_e", _LONE
        ),
        _make_variant_row("ceaf_e_sys", "CEAFe sys", f"{_CAI} 2.3.3", "ceaf_e", _SYS),
    ]
)
"""System-mention variants: metrics of two partitions that are altered first."""

# Supplements have no walk-through.
_make_supplement = partial(
    _make_row, walk="a walk-through shows entities, and it looks at more than these"
)
_make_luo_row = partial(
    _make_supplement, source=f"{_LUO}, section 2.2", module="weighted"
)
_make_graded_row = partial(_make_luo_row, needs="their tokens")
_make_weighted_row = partial(_make_luo_row, needs="their types and kinds")
_NO_BRIDGE = {"identity": "without bridging anaphors there is nothing to find"}
_make_bridging_row = partial(
    _make_supplement,
    source="Yu et al. 2023",
    module="bridging",
    needs="their bridging relations",
    split=None,
    exceptions=_NO_BRIDGE,
)

_make_agreement_row = partial(
    _make_supplement,
    module="alpha",
    family="alpha",
    needs="two annotators, neither of whom has the key",
    score=_import("alpha", "score_alpha"),
    walk="a walk-through sets a response against a key, and there is none",
)

SUPPLEMENTS = _map_by_name(
    [
        _make_graded_row("ceaf_m_graded", "CEAFm graded", family="ceaf_m"),
        _make_graded_row("ceaf_e_graded", "CEAFe graded", family="ceaf_e"),
        _make_weighted_row("ceaf_m_weighted", "CEAFm weighted", family="ceaf_m"),
        _make_weighted_row("ceaf_e_weighted", "CEAFe weighted", family="ceaf_e"),
        _make_weighted_row(
            "lea_weighted",
            "LEA weighted",
            source=f"{_MOOSAVI}, section 4",
            family="lea",
        ),
        _make_weighted_row(
            "ace_value",
            "ACE-value",
            source=f"NIST's scripts of 2005 and 2007; {_LUO}, section 3.2.2",
            module="ace",
            score=_import("ace", "score_ace"),
            exceptions={
                "numerators": "pairs of entities may cost more than they are worth",
                "swap": "a false alarm costs less than an entity is worth",
            },
        ),
        _make_supplement(
            "mor",
            "MOR",
            _ZABOKRTSKY,
            aliases=("mention_overlap",),
            module="corefud",
            needs="their tokens",
            split=None,
        ),
        _make_supplement(
            "zeros",
            "Zeros",
            _ZABOKRTSKY,
            aliases=("zero",),
            module="corefud",
            needs="their order, and which are empty nodes",
            exceptions={
                "identity": "without zero anaphors there is nothing to find",
                "swap": "partners of the key's zeros need not be zeros",
            },
        ),
        _make_bridging_row("bridging_anaphora", "Bridging anaphora"),
        _make_bridging_row("bridging_mentions", "Bridging mentions"),
        _make_bridging_row(
            "bridging_entities",
            "Bridging entities",
            exceptions=_NO_BRIDGE
            | {"swap": "antecedents are right by the entities of the key"},
        ),
        _make_bridging_row(
            "non_referring",
            "Non-referring",
            needs="whether they refer",
            exceptions={"identity": "without such mentions there is nothing to find"},
        ),
        _make_agreement_row("alpha", "α", source="Passonneau 2004; Krippendorff 1980"),
        _make_agreement_row(
            "alpha_masi", "α MASI", source="Passonneau 2006; Krippendorff 1980"
        ),
    ]
)
"""Metrics that need more information about mentions than their entities, by name."""


# The CoNLL score is the mean F1 of these three.
CONLL = ("muc", "b_cubed", "ceaf_e")

ALL = "all"  # requests every metric that settings and input support


def iter_metrics() -> Iterator[Metric]:
    """Iterate over all metrics of the registry, in the order of reports."""
    tables = (METRICS, VARIANTS, SUPPLEMENTS)
    return chain.from_iterable(table.values() for table in tables)


def list_metric_names() -> list[str]:
    """List the names that can be requested: all metrics, and the CoNLL mean."""
    return [*METRICS, "conll", *VARIANTS, *SUPPLEMENTS]


def list_default_metrics() -> list[str]:
    """List the metrics that are computed if none are requested."""
    return [metric.name for metric in iter_metrics() if metric.default]


def find_metrics(
    requested: str | Iterable[str | Metric] | None = None,
) -> tuple[Metric, ...]:
    """Find the requested metrics by name or alias; `Metric` objects are kept."""
    if requested is None:
        return tuple([metric for metric in METRICS.values() if metric.default])
    if isinstance(requested, str):
        requested = requested.split(",")
    chosen: dict[str, Metric] = {}
    for item in requested:
        for metric in [item] if isinstance(item, Metric) else _find_by_name(item):
            if chosen.setdefault(metric.name, metric) != metric:
                message = f"two different metrics are called {metric.name!r}"
                raise SettingsError(
                    message,
                    code="settings/duplicate-metric",
                    hint="give one of them another name",
                )
    if not chosen:
        message = "no metric was requested"
        raise SettingsError(
            message,
            code="settings/missing-value",
            hint=f"known are {', '.join(list_metric_names())}",
        )
    return tuple(chosen.values())


def is_all_requested(requested: str | Iterable[str | Metric] | None) -> bool:
    """Return whether all metrics are requested, perhaps along with some by name."""
    names = requested.split(",") if isinstance(requested, str) else requested or ()
    return ALL in [name.strip().lower() for name in names if isinstance(name, str)]


def get_label(name: str) -> str:
    """Return the label of a metric or of the CoNLL mean; other names are kept."""
    if name == "conll":
        return "CoNLL"
    metric = METRICS.get(name) or VARIANTS.get(name) or SUPPLEMENTS.get(name)
    return name if metric is None else metric.label


def _find_by_name(name: str) -> list[Metric]:
    spelling = str(name).strip().lower()
    if spelling == "conll":
        return [METRICS[part] for part in CONLL]
    if spelling == ALL:
        return [*iter_metrics()]
    for metric in iter_metrics():
        if metric.is_called(spelling):
            return [metric]
    message = f"unknown metric {name!r}"
    raise SettingsError(
        message, code="settings/unknown-metric", hint=suggest(name, list_metric_names())
    )


# Of all metrics, those that weigh mentions are skipped unless weights are specified:
# the default weights require types, which few corpora have. So are those that do not
# support split antecedents if these are scored, and, after scoring, those of items
# that neither side has. The first two are scored if they are requested by name.

# The needs of metrics that count mentions as they were read.
_AS_READ = ("their bridging relations", "whether they refer")
_WEIGHED = "their types and kinds"  # the needs of metrics with weights


def select_metrics(
    requested: str | Iterable[str | Metric] | None,
    settings: Settings,
    keywords: Mapping[str, object],
) -> tuple[tuple[Metric, ...], tuple[str, ...]]:
    """Find the requested metrics; of `all`, those that the settings support.

    The notes report the others. `keywords` are the settings that the user specified.
    """
    names = requested.split(",") if isinstance(requested, str) else [*(requested or ())]
    if not is_all_requested(names):
        return find_metrics(None if requested is None else names), ()
    explicit = [name for name in names if not is_all_requested([name])]
    by_name = find_metrics(explicit) if explicit else ()
    remaining = [metric for metric in iter_metrics() if metric not in by_name]
    notes: list[str] = []
    if keywords.get("weights") is None and keywords.get("preset") not in PRESET_WEIGHTS:
        weighed = [metric for metric in remaining if metric.needs == _WEIGHED]
        remaining = [metric for metric in remaining if metric not in weighed]
        notes += note_skipped(weighed, "they need weights, as in --weights ace2005")
    if settings.scores_split:
        unsupported = [metric for metric in remaining if isinstance(metric.split, str)]
        remaining = [metric for metric in remaining if metric not in unsupported]
        notes += note_skipped(unsupported, "they do not score split antecedents")
    if settings.selects_mentions:
        unselected = [metric for metric in remaining if metric.needs in _AS_READ]
        remaining = [metric for metric in remaining if metric not in unselected]
        notes += note_skipped(unselected, "they do not count a selection of mentions")
    return (*by_name, *remaining), tuple(notes)


def note_skipped(metrics: Sequence[Metric], reason: str) -> tuple[str, ...]:
    """Describe metrics that are skipped, in one note or none."""
    names = ", ".join(metric.name for metric in metrics)
    return (f"not scored: {names}: {reason}",) if names else ()
