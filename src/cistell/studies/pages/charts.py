"""The scores of a study, drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cistell.studies.pages.tables import is_defined, short_label
from cistell.studies.systems import METRICS
from corefkit.tables.model import Range, Ranges

if TYPE_CHECKING:
    from cistell.studies.results import SettingResults

_DRAWN = METRICS[:3]  # those of the paper


def score_chart(results: SettingResults) -> Ranges:
    """Draw F1 of all systems by the metrics that the paper ranks them with."""
    rows = []
    for scored in results.systems.values():
        found = []
        for series, metric in enumerate(_DRAWN):
            if is_defined(scored, metric):
                score = scored.score(metric)
                low, high = score.interval
                found.append(Range(series, 100 * score.f1, 100 * low, 100 * high))
        rows.append((scored.system.label, tuple(found)))
    title = f"F1 in {results.setting.title} with 95 % intervals"
    return Ranges(title, tuple(rows), tuple(map(short_label, _DRAWN)))
