"""What tables of errors are sorted by."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.analysis.errors.analysis import KINDS
from corefkit.analysis.errors.counting import ALL, ERROR_WORDS
from corefkit.exceptions import SettingsError
from corefkit.report.ranking import Order, order_of

if TYPE_CHECKING:
    from collections.abc import Sequence

_COUNTED = (ALL, *(f"{ALL}.{kind}" for kind in KINDS))
_WORDS = {word: name for word, name in ERROR_WORDS.items() if name in _COUNTED}


def order_of_errors(text: str, metrics: Sequence[str]) -> Order:
    """Read what to sort by: a kind of errors, `errors` for all, a metric, or `name`.

    Args:
        text: as on the command line.
        metrics: the names of the metrics whose F1 is computed.

    >>> order_of_errors("divided", ["lea"]), order_of_errors("lea", ["lea"])
    (Order(metric='errors.divided', part=''), Order(metric='lea', part=''))
    >>> order_of_errors("lea.recall", ["lea"])
    Traceback (most recent call last):
    corefkit.exceptions.SettingsError: cannot sort by 'lea.recall': only F1 is computed
    """
    names = [*metrics, *_COUNTED]
    order = order_of(text, names, counts=_WORDS, option="--repair")
    if order.part not in ("", "f1"):
        message = f"cannot sort by {text!r}: only F1 is computed"
        raise SettingsError(message)
    return Order(order.metric)
