"""The walk-throughs: one row for each metric that has one."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from corefkit.analysis.explain.b_cubed import b_cubed_steps
from corefkit.analysis.explain.blanc import blanc_ending, blanc_steps
from corefkit.analysis.explain.ceaf import (
    PHI1,
    PHI2,
    PHI3,
    PHI3_LINKS,
    PHI4,
    PHI4_LINKS,
    ceaf_steps,
)
from corefkit.analysis.explain.lea import lea_steps
from corefkit.analysis.explain.mention_detection import mention_steps
from corefkit.analysis.explain.muc import muc_steps
from corefkit.analysis.explain.numbers import Ending, Quotient, ratio_ending
from corefkit.analysis.explain.variants import variant_steps
from corefkit.exceptions import SettingsError
from corefkit.metrics import METRICS, VARIANTS, chosen_metrics
from corefkit.metrics.variants import RECIPES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from corefkit.analysis.explain.scene import Scene
    from corefkit.analysis.explain.steps import Steps
    from corefkit.metrics.base import Metric
    from corefkit.settings import Settings


def _ratio_ending(quotients: Sequence[Quotient], settings: Settings) -> Ending:
    del settings  # the same for all of them
    return ratio_ending(quotients)


class Walk(NamedTuple):
    """How a metric is walked through.

    Attributes:
        source: the papers that define and work through the metric.
        steps: from a document to the counts.
        ending: from the counts, of one document or summed, to the scores.
        ratios: where each ratio has its numerator and denominator in a row of counts.
    """

    source: str
    steps: Callable[[Scene], Steps]
    ending: Callable[[Sequence[Quotient], Settings], Ending] = _ratio_ending
    ratios: Sequence[tuple[int, int]] = ((0, 1), (2, 3))


_PRADHAN = "Pradhan et al. 2014, section"
_LINKS = "Luo 2005; Moosavi and Strube 2016, section 3.3"
_CAI = "Cai and Strube 2010, section"

_ceaf_m_steps = partial(ceaf_steps, similarity=PHI3)
_ceaf_e_steps = partial(ceaf_steps, similarity=PHI4)

WALKS: Mapping[str, Walk] = {
    "mentions": Walk(f"{_PRADHAN} 3", mention_steps),
    "muc": Walk(f"Vilain et al. 1995; {_PRADHAN} 4.1", muc_steps),
    "b_cubed": Walk(f"Bagga and Baldwin 1998; {_PRADHAN} 4.2", b_cubed_steps),
    "ceaf_m": Walk(f"Luo 2005; {_PRADHAN} 4.3", _ceaf_m_steps),
    "ceaf_e": Walk(f"Luo 2005; {_PRADHAN} 4.4", _ceaf_e_steps),
    "ceaf_phi1": Walk("Luo 2005", partial(ceaf_steps, similarity=PHI1)),
    "ceaf_phi2": Walk("Luo 2005", partial(ceaf_steps, similarity=PHI2)),
    "ceaf_m_links": Walk(_LINKS, partial(ceaf_steps, similarity=PHI3_LINKS)),
    "ceaf_e_links": Walk(_LINKS, partial(ceaf_steps, similarity=PHI4_LINKS)),
    "blanc": Walk(
        f"Recasens and Hovy 2011; Luo et al. 2014; {_PRADHAN} 4.5",
        blanc_steps,
        blanc_ending,
        ((0, 1), (2, 3), (4, 5), (6, 7), (8, 9), (8, 10)),
    ),
    "lea": Walk("Moosavi and Strube 2016", lea_steps),
    **{
        name: Walk(source, partial(variant_steps, recipe=RECIPES[name], plain=plain))
        for name, source, plain in (
            ("b_cubed_0", f"Stoyanov et al. 2009; {_CAI} 2.2.1", b_cubed_steps),
            ("b_cubed_all", f"Stoyanov et al. 2009; {_CAI} 2.2.1", b_cubed_steps),
            ("b_cubed_rn", f"Rahman and Ng 2009; {_CAI} 2.2.1", b_cubed_steps),
            ("b_cubed_sys", f"{_CAI} 2.2.2", b_cubed_steps),
            ("ceaf_m_rn", f"Rahman and Ng 2009; {_CAI} 2.3.2", _ceaf_m_steps),
            ("ceaf_m_sys", f"{_CAI} 2.3.3", _ceaf_m_steps),
            ("ceaf_e_rn", f"Rahman and Ng 2009; {_CAI} 2.3.2", _ceaf_e_steps),
            ("ceaf_e_sys", f"{_CAI} 2.3.3", _ceaf_e_steps),
        )
    },
}


class Chosen(NamedTuple):
    """What is to be explained: one metric, or the three of the CoNLL mean."""

    label: str
    source: str
    metrics: tuple[Metric, ...]


def chosen_walk(metric: str | Metric) -> Chosen:
    """Find what somebody asked for, and refuse what has no walk-through.

    >>> chosen_walk("bcub").label
    'B³'
    """
    metrics = chosen_metrics([metric])
    known = (*METRICS.values(), *VARIANTS.values())
    for one in metrics:
        if one.name not in WALKS or one not in known:
            message = f"metric {one.name!r} has no walk-through"
            raise SettingsError(message, hint=f"these have: {', '.join(WALKS)}, conll")
    if len(metrics) > 1:
        labels = ", ".join(one.label for one in metrics)
        return Chosen("CoNLL", f"the mean F1 of {labels}", metrics)
    return Chosen(metrics[0].label, WALKS[metrics[0].name].source, metrics)
