"""Results as plain values: what JSON, records and data frames are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from corefkit.metrics.base import COUNTS
from corefkit.settings import VERSION

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from corefkit.metrics.base import Score
    from corefkit.report.scored import Scored

Value = str | int | float | None | list["Value"] | dict[str, "Value"]


def json_values(
    results: Sequence[Scored], *, per_document: bool = False
) -> dict[str, Value]:
    """Return the JSON of one or more results, as plain values.

    The first one's key, signature and settings that are not the default stand above
    all; a system of another key or signature, which only stored results bring along,
    has its own too.
    """
    first, *_ = results
    systems: list[Value] = []
    for result in results:
        system = _system(result, per_document=per_document)
        if (result.key, result.signature) != (first.key, first.signature):
            system |= {"key": result.key, "signature": result.signature}
            if result.changed or first.changed:
                system["settings"] = _settings(result)
        systems.append(system)
    settings = {"settings": _settings(first)} if first.changed else {}
    return {
        "corefkit": VERSION,
        "signature": first.signature,
        **settings,
        "key": first.key,
        "systems": systems,
    }


def _settings(result: Scored) -> Value:
    return None if result.changed is None else {**result.changed}


def _system(result: Scored, *, per_document: bool) -> dict[str, Value]:
    """Return one response's part of the JSON."""
    system: dict[str, Value] = {
        "response": result.response,
        "documents": result.document_count,
        "corpus": cast("Value", result.corpus.to_dict()),
        "scores": _all_scores(result.scores),
    }
    if result.conll is not None:
        system["conll"] = result.conll
    if result.notes:
        system["notes"] = list(result.notes)
    if result.warnings:
        system["warnings"] = list(result.warnings)
    if per_document:
        system["per_document"] = [
            {"document": row.document, "scores": _all_scores(row.scores)}
            for row in result.per_document
        ]
    return system


def _all_scores(scores: Mapping[str, Score]) -> dict[str, Value]:
    return {name: score_values(score) for name, score in scores.items()}


def has_values(results: Sequence[Scored]) -> bool:
    """Say whether a metric of any of the results has a value beside F1."""
    scores = (score for result in results for score in result.scores.values())
    return any(score.value is not None for score in scores)


def score_values(score: Score) -> dict[str, Value]:
    """Return a score as plain values; counts that are whole numbers are integers."""
    values: dict[str, Value] = {
        "recall": score.recall,
        "precision": score.precision,
        "f1": score.f1,
    }
    if score.value is not None:
        values["value"] = score.value
    if score.coreference is not None and score.non_coreference is not None:
        values["coreference"] = score_values(score.coreference)
        values["non_coreference"] = score_values(score.non_coreference)
    else:
        for name in COUNTS:
            count = getattr(score, name)
            values[name] = int(count) if count == int(count) else count
    if score.undefined:
        values["undefined"] = list(score.undefined)
    return values


def record(response: str, metric: str, score: Score) -> dict[str, Value]:
    """Return a score of a response as one flat record."""
    values: dict[str, Value] = {"response": response, "metric": metric}
    for column, value in score_values(score).items():
        if isinstance(value, dict):
            value.pop("undefined", None)
            values |= {f"{column}_{part}": number for part, number in value.items()}
        elif column != "undefined":
            values[column] = value
    return values
