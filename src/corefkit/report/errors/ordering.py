"""The systems of an analysis in the order that tables show them in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.metrics import label_of
from corefkit.report.errors.tables import KIND_LABELS, MOST_SIDE_BY_SIDE, RESPONSE
from corefkit.report.names import names_of, without_endings
from corefkit.report.ranking import BY_NAME, best_first, by_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corefkit.analysis.errors.analysis import ErrorAnalysis

_ALL = "errors"


def places_of(analysis: ErrorAnalysis) -> list[int]:
    """Give the places of systems in the order of tables.

    They are sorted by the number of errors, fewest first; by F1 of the response, best
    first; or by name. Equal ones stay in the order of input.
    """
    order, systems = analysis.order, analysis.systems
    if order is None:
        return [*range(len(systems))]
    if order.metric == BY_NAME:
        return by_name([system.response for system in systems])
    is_count = counts_errors(order.metric)
    numbers = [
        error_count(system.counts, order.metric)
        if is_count
        else system.ladder[RESPONSE].get(order.metric)
        for system in systems
    ]
    return best_first(numbers, is_count=is_count)


def counts_errors(name: str) -> bool:
    """Say whether a name is that of a number of errors, and not of a metric."""
    return name.partition(".")[0] == _ALL


def error_count(counts: Mapping[str, int], name: str) -> int:
    """Count the errors of a kind, or all.

    >>> counts = {"span": 1, "divided": 2}
    >>> error_count(counts, "errors.divided"), error_count(counts, "errors")
    (2, 3)
    """
    return sum(counts.values()) if name == _ALL else counts[name.rpartition(".")[2]]


def count_label(name: str) -> str:
    """Name a number of errors as captions do.

    >>> count_label("errors"), count_label("errors.extra_entity")
    ('Errors', 'Extra entity errors')
    """
    kind = name.rpartition(".")[2]
    return f"{KIND_LABELS[kind]} errors" if kind in KIND_LABELS else "Errors"


def order_words(analysis: ErrorAnalysis) -> str:
    """Say how systems are sorted; nothing of one, or of those that are not."""
    order = analysis.order
    if order is None or len(analysis.systems) < 2:
        return ""
    if order.metric == BY_NAME:
        return "sorted by name"
    if not counts_errors(order.metric):
        return f"sorted by {label_of(order.metric)} of the response, best first"
    return f"sorted by {count_label(order.metric).lower()}, fewest first"


def system_names(analysis: ErrorAnalysis) -> list[str]:
    """Name the systems, in the order of input.

    Many have a row each, and more room without the endings of their files.
    """
    names = names_of([system.response for system in analysis.systems])
    return without_endings(names) if len(names) > MOST_SIDE_BY_SIDE else names
