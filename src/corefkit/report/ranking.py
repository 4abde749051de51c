"""Results in the order of a score, best first, and their ranks.

Ranks are those of competitions: 1, 2, 2, 4. A rank is one more than the number of
results that score higher; it does not say that a difference is more than chance, which
`corefkit compare` tests.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from corefkit.evaluation import DocumentScores
from corefkit.exceptions import SettingsError
from corefkit.metrics import CONLL, chosen_metrics, label_of
from corefkit.report.names import names_of
from corefkit.strings.nearest import suggest

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from corefkit.metrics.base import Score
    from corefkit.report.stored import Scored

BY_NAME = "name"
_MEAN = "conll"
_PARTS = ("recall", "precision", "f1", "value")
_LABELS = {"f1": "F1"}
_TIE = 1e-9  # what the order of additions can make of equal scores


@dataclass(frozen=True, slots=True)
class Order:
    """What results are sorted by: a number of a metric, or their names."""

    metric: str  # or `conll`, or `name`
    part: str = ""  # `recall`, `precision`, `f1`, `value`; empty for the one in tables

    def __str__(self) -> str:
        """Write it as on the command line."""
        return f"{self.metric}.{self.part}" if self.part else self.metric

    def label(self, results: Iterable[Scored] = ()) -> str:
        """Name it as tables do; results know the labels of metrics of somebody's own.

        >>> Order("b_cubed").label(), Order("muc", "recall").label()
        ('B³', 'MUC recall')
        """
        labels = {name: label for one in results for name, label in one.labels.items()}
        label = labels.get(self.metric) or label_of(self.metric)
        return f"{label} {_LABELS.get(self.part, self.part)}".rstrip()

    def score(self, scored: Scored | DocumentScores) -> Score | None:
        """Look the score up in those of a response or document; None without."""
        scores = DocumentScores("", scored.scores)
        if self.metric not in scores:
            return None
        return scores[self.metric]

    def number(self, scored: Scored | DocumentScores) -> float | None:
        """Look the number up; None without."""
        if self.metric == _MEAN and self.part in ("", "f1"):
            return scored.conll
        score = self.score(scored)
        if score is None:
            return None
        if self.part == "" and score.value is None:
            return score.f1
        number: float | None = getattr(score, self.part or "value")
        return number


class Ranking(NamedTuple):
    """What results are sorted by, and their ranks, if they have any."""

    order: Order
    ranks: tuple[int | None, ...]  # None for a result without the score


def order_of(text: str, metrics: Collection[str]) -> Order:
    """Read what to sort by: a metric, with `.recall` or the like behind it, or `name`.

    Args:
        text: as on the command line.
        metrics: the names of the metrics that were computed.

    >>> order_of("b3.recall", ["b_cubed"])
    Order(metric='b_cubed', part='recall')
    >>> order_of("lea", ["b_cubed"])
    Traceback (most recent call last):
    corefkit.exceptions.SettingsError: cannot sort by 'lea', which is not computed
    <BLANKLINE>
    hint: computed are b_cubed; --metric names others
    """
    if text == BY_NAME or text in metrics:
        return Order(text)
    name, point, part = text.rpartition(".")
    if not point:
        name, part = text, ""
    if point and part not in _PARTS:
        message = f"unknown number {part!r} of {name!r} to sort by"
        raise SettingsError(message, hint=suggest(part, _PARTS))
    if name not in metrics:
        named = [metric.name for metric in chosen_metrics([name])]
        # One name means three metrics: that of their mean.
        name = named[0] if len(named) == 1 else _MEAN
    needed = CONLL if name == _MEAN else (name,)
    if not set(needed) <= set(metrics):
        message = f"cannot sort by {name!r}, which is not computed"
        hint = f"computed are {', '.join(metrics)}; --metric names others"
        raise SettingsError(message, hint=hint)
    return Order(name, part)


def ranked(results: Sequence[Scored], order: Order) -> tuple[list[Scored], Ranking]:
    """Sort results, best first, and rank them; by name, they have no ranks.

    Results without the score come last. Those with equal scores have the same rank, and
    stay in the order given.

    >>> import corefkit
    >>> given = {"a": ["ab"], "b": ["abc"], "c": ["ab"], "d": ["a"]}
    >>> results, ranking = ranked(
    ...     corefkit.score_responses(["abc"], given), Order("muc")
    ... )
    >>> [result.response for result in results], ranking.ranks
    (['b', 'a', 'c', 'd'], (1, 2, 2, 4))
    """
    if order.metric == BY_NAME:
        # The same file may come twice: numbers would stand before both names.
        given = list(dict.fromkeys(result.response for result in results))
        names = dict(zip(given, names_of(given), strict=True))
        by_name = sorted(results, key=lambda result: names[result.response])
        return by_name, Ranking(order, (None,) * len(by_name))
    numbers = [order.number(result) for result in results]
    if results and all(number is None for number in numbers):
        message = f"cannot sort by '{order}', which no response has"
        hint = "few metrics have a value beside their F1, as ace_value and alpha do"
        raise SettingsError(message, hint=hint)
    known = [number if number is not None else float("-inf") for number in numbers]
    rows = sorted(range(len(results)), key=lambda at: -known[at])
    ranks: list[int | None] = []
    first = 0  # of those that have the same rank
    for place, at in enumerate(rows):
        if known[rows[first]] - known[at] > _TIE:
            first = place
        ranks.append(None if numbers[at] is None else first + 1)
    return [results[at] for at in rows], Ranking(order, tuple(ranks))
