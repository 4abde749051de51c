"""What is sorted by a score, best first, or by name; and the ranks of results.

Ranks are those of competitions: 1, 2, 2, 4. A rank is one more than the number of
results that score higher; it does not say that a difference is more than chance, which
`corefkit compare` tests.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isnan
from pathlib import PurePath
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from corefkit.evaluation import DocumentScores
from corefkit.exceptions import SettingsError
from corefkit.metrics import CONLL, chosen_metrics, label_of
from corefkit.report.names import names_of
from corefkit.strings.nearest import suggest

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from corefkit.metrics.base import Score
    from corefkit.report.stored import Scored

BY_NAME = "name"
_MEAN = "conll"
_PARTS = ("recall", "precision", "f1", "value")
_LABELS = {"f1": "F1"}
_NO_COUNTS: Mapping[str, str] = MappingProxyType({})
_TIE = 1e-9  # what the order of additions can make of equal scores


@dataclass(frozen=True, slots=True)
class Order:
    """What results are sorted by: a number of a metric, or their names."""

    metric: str  # or `conll`, a number of errors (`errors.divided`), or `name`
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


def order_of(
    text: str,
    metrics: Collection[str],
    *,
    counts: Mapping[str, str] = _NO_COUNTS,
    option: str = "--metric",
) -> Order:
    """Read what to sort by: a metric, with `.recall` or the like behind it, or `name`.

    Args:
        text: as on the command line.
        metrics: the names of the metrics, and numbers of errors, that were computed.
        counts: how numbers of errors can be called, and their names.
        option: the option that names metrics.

    >>> order_of("b3.recall", ["b_cubed"])
    Order(metric='b_cubed', part='recall')
    >>> order_of("lea", ["b_cubed"])
    Traceback (most recent call last):
    corefkit.exceptions.SettingsError: cannot sort by 'lea', which is not computed
    <BLANKLINE>
    hint: computed are b_cubed; --metric names others
    >>> order_of("divided", ["errors.divided"], counts={"divided": "errors.divided"})
    Order(metric='errors.divided', part='')
    """
    if text == BY_NAME or text in metrics:
        return Order(text)
    written = text.strip().lower().replace("-", "_")
    if written in counts:
        name, part = counts[written], ""
    else:
        name, part = _named(text, metrics, counts)
    needed = CONLL if name == _MEAN else (name,)
    if name not in metrics and not set(needed) <= set(metrics):
        message = f"cannot sort by {name!r}, which is not computed"
        hint = f"computed are {', '.join(metrics)}; {option} names others"
        raise SettingsError(message, hint=hint)
    return Order(name, part)


def _named(
    text: str, metrics: Collection[str], counts: Mapping[str, str]
) -> tuple[str, str]:
    """Find the metric that a text names, and which number of it."""
    name, point, part = text.rpartition(".")
    if not point:
        name, part = text, ""
    if point and part not in _PARTS and name not in counts:
        message = f"unknown number {part!r} of {name!r} to sort by"
        raise SettingsError(message, hint=suggest(part, _PARTS))
    if name in metrics and name not in counts:
        return name, part
    try:
        named = [metric.name for metric in chosen_metrics([name])]
    except SettingsError:
        if not counts:
            raise
        message = f"cannot sort by {text!r}"
        words = [word for word, name in counts.items() if name in metrics]
        hint = suggest(text, [*dict.fromkeys([BY_NAME, *metrics, *words])])
        raise SettingsError(message, hint=hint) from None
    # One name means three metrics: that of their mean.
    return (named[0] if len(named) == 1 else _MEAN), part


def best_first(numbers: Sequence[float | None], *, is_count: bool = False) -> list[int]:
    """Give the places of numbers, the best first; of counts, that is the fewest.

    Equal numbers stay in the order given; what is not known comes last.

    >>> best_first([0.5, None, 0.7, 0.5]), best_first([3, 2, 3], is_count=True)
    ([2, 0, 3, 1], [1, 0, 2])
    """
    sign = 1 if is_count else -1
    keys = [
        inf if number is None or isnan(number) else sign * number for number in numbers
    ]
    return sorted(range(len(keys)), key=keys.__getitem__)


def by_name(responses: Sequence[str]) -> list[int]:
    """Give the places of responses in the order of their names.

    Endings of files, which some tables leave out, come second.

    >>> by_name(["x/b.conll", "y/a.conll"])
    [1, 0]
    """
    # The same file may come twice: numbers would stand before both names.
    given = list(dict.fromkeys(responses))
    names = dict(zip(given, names_of(given), strict=True))
    keys = [
        (names[one].removesuffix(PurePath(one).suffix), names[one]) for one in responses
    ]
    return sorted(range(len(keys)), key=keys.__getitem__)


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
        rows = by_name([result.response for result in results])
        return [results[at] for at in rows], Ranking(order, (None,) * len(rows))
    numbers = [order.number(result) for result in results]
    if results and all(number is None for number in numbers):
        message = f"cannot sort by '{order}', which no response has"
        hint = "few metrics have a value beside their F1, as ace_value and alpha do"
        raise SettingsError(message, hint=hint)
    known = [-inf if number is None else number for number in numbers]
    rows = best_first(numbers)
    ranks: list[int | None] = []
    first = 0  # of those that have the same rank
    for place, at in enumerate(rows):
        if known[rows[first]] - known[at] > _TIE:
            first = place
        ranks.append(None if numbers[at] is None else first + 1)
    return [results[at] for at in rows], Ranking(order, tuple(ranks))
