"""Verdicts: which scores of a version moved the wrong way, and by how much."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from corefkit.lab.diagnose.transformations import FELL, ROSE
from corefkit.metrics.registry import get_label

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from corefkit.evaluation import Evaluation
    from corefkit.lab.diagnose.transformations import Transformation
    from corefkit.metrics.metric import Score

# The fields of a score, and their names in a sentence.
FIELD_NAMES = {"recall": "recall", "precision": "precision", "f1": "F1"}

# Scores are sums of fractions; smaller differences come from the order of adding.
_TOLERANCE = 1e-9


class Verdict(NamedTuple):
    """A score of a version that is not as it should be.

    >>> fell = Verdict("more_precise", "ceaf_e", "recall", 0.5488, 0.5092)
    >>> fell.sentence
    'CEAFe: recall fell by 3.96 points (54.88 to 50.92) although nothing right was \
taken away.'
    """

    version: str
    metric: str  # or `conll`
    field: str  # `recall`, `precision` or `f1`
    before: float  # of the response as it is, or what is earned
    after: float  # of the version

    @property
    def points(self) -> float:
        """The difference in points of a hundred; below 0 if the score fell."""
        return 100 * (self.after - self.before)

    @property
    def clause(self) -> str:
        """What the score did, without metric and reason."""
        field = FIELD_NAMES[self.field]
        if self.version == "all_singletons":
            earned = f", {_percent(self.before)} of it for key singletons"
            part = earned if self.before > _TOLERANCE else ""
            return f"{field} is {_percent(self.after)}{part}"
        verb = "fell" if self.points < 0 else "rose"
        points = f"{abs(self.points):.2f}"
        amount = "less than 0.01" if points == "0.00" else points
        ends = f"{_percent(self.before)} to {_percent(self.after)}"
        return f"{field} {verb} by {amount} points ({ends})"

    @property
    def sentence(self) -> str:
        """What the score did, with the metric and why that is wrong."""
        done = "taken away" if self.points < 0 else "added"
        reasons = {
            "all_singletons": "although there is no link at all",
            "one_entity": "when all mentions of a document became one entity",
        }
        reason = reasons.get(self.version, f"although nothing right was {done}")
        return f"{short_label(self.metric)}: {self.clause} {reason}."


def wrong_moves(
    transformation: Transformation,
    base: Evaluation,
    after: Evaluation,
    *,
    may_rise: bool = False,
) -> Iterator[Verdict]:
    """Find the scores of a version that moved the wrong way from those of the response.

    Recall may rise where something correct was added after all.
    """
    for name in judged_metrics(base):
        before, now = score_fields(base, name), score_fields(after, name)
        for field in wrong_fields(transformation, before, now, may_rise=may_rise):
            yield Verdict(transformation.name, name, field, before[field], now[field])


def wrong_fields(
    transformation: Transformation,
    before: Mapping[str, float],
    after: Mapping[str, float],
    *,
    may_rise: bool = False,
) -> list[str]:
    """List the fields of a score that moved the wrong way in a version.

    >>> from corefkit.lab.diagnose.transformations import TRANSFORMATIONS
    >>> more_precise = TRANSFORMATIONS["more_precise"]
    >>> wrong_fields(more_precise, {"recall": 0.5}, {"recall": 0.4})
    ['recall']
    """
    wrong = dict(transformation.wrong)
    if may_rise:
        wrong["recall"] = (FELL,)
    return [
        field
        for field, value in after.items()
        if direction(before[field], value) in wrong.get(field, ())
    ]


def not_earned(
    after: Evaluation, true: Evaluation, empty: Evaluation, *, key_singletons: bool
) -> Iterator[Verdict]:
    """Find what all singletons score beyond what the key's singletons earn.

    These are the scores of the true ones alone, less those of an empty response, which
    some variants fill up. If the key has singletons, only recall can be judged:
    precision divides by all mentions of the response.
    """
    fields = ["recall"] if key_singletons else [*FIELD_NAMES]
    for name in judged_metrics(after):
        with_true, without = score_fields(true, name), score_fields(empty, name)
        for field, value in score_fields(after, name).items():
            earned = with_true[field] - without[field]
            if field in fields and direction(earned, value) == ROSE:
                yield Verdict("all_singletons", name, field, earned, value)


def judged_metrics(evaluation: Evaluation) -> list[str]:
    """List what is judged: all metrics, and the CoNLL mean.

    Mention detection is left out: it counts mentions, so it rightly follows them.
    """
    names = [name for name in evaluation if name != "mentions"]
    return names if evaluation.conll is None else [*names, "conll"]


def score_fields(evaluation: Evaluation, name: str) -> dict[str, float]:
    """Return recall, precision and F1 of a metric; the CoNLL mean has F1 only.

    >>> import corefkit
    >>> score_fields(corefkit.score(["ab"], ["ab"], metrics=["muc"]), "muc")
    {'recall': 1.0, 'precision': 1.0, 'f1': 1.0}
    """
    if name == "conll":
        return {"f1": evaluation.conll or 0.0}
    return fields_of(evaluation[name])


def fields_of(score: Score) -> dict[str, float]:
    """Return recall, precision and F1 by name."""
    return {field: getattr(score, field) for field in FIELD_NAMES}


def short_label(name: str) -> str:
    """Return the name of a metric as people say it.

    >>> short_label("ceaf_e"), short_label("b_cubed_sys"), short_label("conll")
    ('CEAFe', 'B³sys', 'CoNLL')
    """
    return get_label(name).partition(" (φ")[0]


def direction(before: float, after: float) -> int:
    """Say whether a score rose (1), fell (-1) or stayed (0).

    >>> direction(0.1 + 0.2, 0.3), direction(0.5, 0.4)
    (0, -1)
    """
    if abs(after - before) < _TOLERANCE:
        return 0
    return ROSE if after > before else FELL


def _percent(score: float) -> str:
    return f"{100 * score:.2f}"
