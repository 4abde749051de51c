"""Scores of the papers' sets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.metrics import label_of
from corefkit.scoring import score

if TYPE_CHECKING:
    from corefkit.metrics.base import Score
    from corefkit.papers.partitions import KeyAndResponse

# Names beyond those of metrics: BLANC by its other rule, and its two kinds of links.
_MORE_LABELS = {
    "blanc_both": "BLANC, rule both",
    "blanc.coreference": "BLANC, links",
    "blanc.non_coreference": "BLANC, non-links",
}


def scored(sets: KeyAndResponse, name: str) -> Score:
    """Score sets of a paper by a metric, and BLANC by the rule `key`.

    >>> from corefkit.papers.partitions import sets_of_letters
    >>> example = sets_of_letters("abc defg", "ab cd fghi")
    >>> round(scored(example, "blanc").f1, 4)
    0.3676
    >>> round(scored(example, "blanc.coreference").f1, 4)
    0.2353
    """
    metric, _, part = name.removesuffix("_both").partition(".")
    rule = "both" if name.endswith("_both") else "key"
    result = score(sets.key, sets.response, metrics=[metric], blanc_rule=rule)[metric]
    if not part:
        return result
    links: Score = getattr(result, part)
    return links


def metric_label(name: str) -> str:
    """Return the name of a score in tables.

    >>> metric_label("b_cubed_sys"), metric_label("blanc_both")
    ('B³sys', 'BLANC, rule both')
    """
    return _MORE_LABELS.get(name) or label_of(name)
