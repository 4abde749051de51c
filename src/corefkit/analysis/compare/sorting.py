"""What tables of a comparison are sorted by."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.analysis.compare.asked import asked_for
from corefkit.exceptions import SettingsError
from corefkit.metrics import CONLL
from corefkit.report.ranking import Order, order_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_VALUE = "value"


def order_of_metrics(text: str, statistics: Mapping[str, str]) -> Order:
    """Read what to sort by: a metric that was compared, a number of errors, or `name`.

    Args:
        text: as on the command line.
        statistics: what is compared of each metric, by its name.

    >>> order_of_metrics("b3", {"b_cubed": "f1"})
    Order(metric='b_cubed', part='')
    >>> order_of_metrics("muc.recall", {"muc": "f1"})
    Traceback (most recent call last):
    corefkit.exceptions.SettingsError: cannot sort by 'muc.recall', since f1 is compared
    <BLANKLINE>
    hint: --statistic recall compares it
    """
    # Imported here because few comparisons are sorted.
    from corefkit.analysis.errors.counting import ERROR_WORDS

    order = order_of(text, statistics, counts=ERROR_WORDS)
    compared = statistics.get(order.metric, "")
    if order.part not in ("", compared):
        message = f"cannot sort by {text!r}, since {compared} is compared"
        hint = f"--statistic {order.part} compares it"
        if order.part == _VALUE:
            hint = f"leave out .{_VALUE}"
        raise SettingsError(message, hint=hint)
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
    asked = asked_for(metrics)
    scored = () if asked.errors and not asked.metrics else asked.scored
    # Only its scores tell whether a metric has a value.
    compared = _VALUE if text.endswith(f".{_VALUE}") else statistic
    statistics = {metric.name: compared for metric in scored}
    if statistics.keys() >= set(CONLL):
        statistics["conll"] = statistic
    order_of_metrics(text, {**statistics, **dict.fromkeys(asked.errors, "count")})
