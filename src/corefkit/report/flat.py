"""Scores for loggers of experiments: one number for each name."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corefkit.evaluation import Evaluation


def flat_values(result: Evaluation, *, prefix: str, separator: str) -> dict[str, float]:
    """Name recall, precision and F1 of each metric, and the CoNLL score.

    >>> import corefkit
    >>> result = corefkit.score(["abc"], ["abc"], metrics="conll")
    >>> list(flat_values(result, prefix="", separator="."))[-2:]
    ['ceaf_e.f1', 'conll.f1']
    """
    flat: dict[tuple[str, str], float] = {}
    for name, score in result.scores.items():
        flat[name, "recall"] = score.recall
        flat[name, "precision"] = score.precision
        flat[name, "f1"] = score.f1
        if score.value is not None:
            flat[name, "value"] = score.value
    if result.conll is not None:
        flat["conll", "f1"] = result.conll
    first = [prefix] if prefix else []
    return {separator.join([*first, *name]): value for name, value in flat.items()}
