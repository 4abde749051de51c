"""What systems are to be compared by: metrics, and numbers of errors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from corefkit.metrics import METRICS, asks_for_all, chosen_metrics

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from corefkit.metrics.base import Metric

Metrics: TypeAlias = "Sequence[str | Metric] | None"


@dataclass(frozen=True, slots=True)
class Asked:
    """What a user asks for.

    Attributes:
        metrics: metrics by name or as they are; None for the usual ones.
        errors: numbers of errors by name, and how tables call them.
    """

    metrics: Metrics = None
    errors: Mapping[str, str] = field(default_factory=dict)

    @property
    def scored(self) -> tuple[Metric, ...]:
        """The metrics to score with; some metric even if errors alone are compared."""
        if self.errors and not self.metrics:
            return (METRICS["mentions"],)
        return chosen_metrics(self.metrics)

    @property
    def asks_for_all(self) -> bool:
        """Whether all metrics are asked for that settings and inputs allow."""
        return asks_for_all(self.metrics)


NOTHING_ASKED = Asked()


def asked_for(metrics: str | Iterable[str | Metric] | None) -> Asked:
    """Tell metrics from numbers of errors, which are named `errors.divided` and so on.

    >>> asked_for("lea,muc").metrics
    ['lea', 'muc']
    """
    if metrics is None:
        return Asked()
    wanted = metrics.split(",") if isinstance(metrics, str) else list(metrics)
    if not any(isinstance(one, str) and "errors" in one.lower() for one in wanted):
        return Asked(wanted)
    # Imported here because few comparisons count errors.
    from corefkit.analysis.errors.counting import counts_errors, error_labels

    errors = [str(one) for one in wanted if counts_errors(one)]
    others = [one for one in wanted if not counts_errors(one)]
    return Asked(others, error_labels(errors))


def held(value: Any) -> Any:
    """Hold what can be read only once, so that it can be read twice.

    >>> held({"a": (entity for entity in ("ab", iter("cd")))})
    {'a': ['ab', ['c', 'd']]}
    """
    if isinstance(value, Iterator):
        return [held(one) for one in value]
    if type(value) is dict:
        return {name: held(one) for name, one in value.items()}
    if type(value) in (list, tuple):
        return type(value)(held(one) for one in value)
    return value
