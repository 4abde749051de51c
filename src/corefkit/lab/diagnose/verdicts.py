"""Verdicts: which score of a version moved the wrong way, and by how much."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from corefkit.metrics import label_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from corefkit.evaluation import Evaluation
    from corefkit.metrics.base import Score

# The fields of a score, and how they are called in a sentence.
FIELD_NAMES = {"recall": "recall", "precision": "precision", "f1": "F1"}

# Scores are sums of fractions; what differs by less differs in the order of adding.
_NOTHING = 1e-9
_FELL, _ROSE = -1, 1
_LESS = {"recall": (_FELL, _ROSE), "precision": (_ROSE,), "f1": (_ROSE,)}
_WRONG: Mapping[str, Mapping[str, tuple[int, ...]]] = {
    "more_precise": {"recall": (_FELL, _ROSE), "precision": (_FELL,), "f1": (_FELL,)},
    "less_precise_a": _LESS,
    "less_precise_b": _LESS,
    "one_entity": {"f1": (_ROSE,)},
}


class Verdict(NamedTuple):
    """A score of a version that is not what it should be.

    Attributes:
        version: the name of the version.
        metric: the name of the metric, or `conll`.
        field: `recall`, `precision` or `f1`.
        before: what the score was, or should be, between 0 and 1.
        after: what it is.

    >>> fell = Verdict("more_precise", "ceaf_e", "recall", 0.5488, 0.5092)
    >>> fell.sentence
    'CEAFe: recall fell by 3.96 points (54.88 to 50.92) although nothing right was \
taken away.'
    """

    version: str
    metric: str
    field: str
    before: float
    after: float

    @property
    def points(self) -> float:
        """By how many points of a hundred the score is off; below 0 where it fell."""
        return 100 * (self.after - self.before)

    @property
    def clause(self) -> str:
        """Say what the score did, without metric and reason."""
        field = FIELD_NAMES[self.field]
        if self.version == "all_singletons":
            earned = f", {_percent(self.before)} of it for key singletons"
            some = earned if self.before > _NOTHING else ""
            return f"{field} is {_percent(self.after)}{some}"
        moved = "fell" if self.points < 0 else "rose"
        points = f"{abs(self.points):.2f}"
        far = "less than 0.01" if points == "0.00" else points
        ends = f"{_percent(self.before)} to {_percent(self.after)}"
        return f"{field} {moved} by {far} points ({ends})"

    @property
    def sentence(self) -> str:
        """Say it with the metric and what is wrong about it."""
        done = "taken away" if self.points < 0 else "added"
        reasons = {
            "all_singletons": "although there is no link at all",
            "one_entity": "when all mentions of a document became one entity",
        }
        reason = reasons.get(self.version, f"although nothing right was {done}")
        return f"{spoken(self.metric)}: {self.clause} {reason}."


def wrong_moves(
    version: str, base: Evaluation, after: Evaluation, *, may_rise: bool = False
) -> Iterator[Verdict]:
    """Find the scores of a version that moved the wrong way.

    Args:
        version: its name.
        base: the scores of the response as it is.
        after: the scores of the version.
        may_rise: whether recall may rise, since something right was added after all.
    """
    for name in judged(base):
        before, moved = score_fields(base, name), score_fields(after, name)
        for field in wrong_fields(version, before, moved, may_rise=may_rise):
            yield Verdict(version, name, field, before[field], moved[field])


def wrong_fields(
    version: str,
    before: Mapping[str, float],
    after: Mapping[str, float],
    *,
    may_rise: bool = False,
) -> list[str]:
    """Name the fields of a score that moved the wrong way in a version.

    >>> wrong_fields("more_precise", {"recall": 0.5}, {"recall": 0.4})
    ['recall']
    """
    wrong = dict(_WRONG[version])
    if may_rise:
        wrong["recall"] = (_FELL,)
    return [
        field
        for field, value in after.items()
        if direction(before[field], value) in wrong.get(field, ())
    ]


def not_earned(
    after: Evaluation, true: Evaluation, empty: Evaluation, *, key_singletons: bool
) -> Iterator[Verdict]:
    """Find what all singletons score beyond what the key's singletons are worth.

    Where the key has singletons, only recall can be told apart: precision divides by
    all mentions of the response.

    Args:
        after: the scores of all singletons.
        true: the scores of those alone that are singletons in the key.
        empty: the scores of an empty response, which some variants fill up.
        key_singletons: whether the key has any.
    """
    fields = ["recall"] if key_singletons else [*FIELD_NAMES]
    for name in judged(after):
        with_true, without = score_fields(true, name), score_fields(empty, name)
        for field, value in score_fields(after, name).items():
            earned = with_true[field] - without[field]
            if field in fields and direction(earned, value) == _ROSE:
                yield Verdict("all_singletons", name, field, earned, value)


def judged(evaluation: Evaluation) -> list[str]:
    """Name what verdicts are passed on: all metrics, and the CoNLL mean.

    Mention detection is left out. It asks for mentions, and so rightly follows them.
    """
    names = [name for name in evaluation if name != "mentions"]
    return names if evaluation.conll is None else [*names, "conll"]


def score_fields(evaluation: Evaluation, name: str) -> dict[str, float]:
    """Give recall, precision and F1 of a metric; of the CoNLL mean there is F1 only.

    >>> import corefkit
    >>> score_fields(corefkit.score(["ab"], ["ab"], metrics=["muc"]), "muc")
    {'recall': 1.0, 'precision': 1.0, 'f1': 1.0}
    """
    if name == "conll":
        return {"f1": evaluation.conll or 0.0}
    return fields_of(evaluation[name])


def fields_of(score: Score) -> dict[str, float]:
    """Give recall, precision and F1 by name."""
    return {field: getattr(score, field) for field in FIELD_NAMES}


def spoken(name: str) -> str:
    """Give the name of a metric as people say it.

    >>> spoken("ceaf_e"), spoken("b_cubed_sys"), spoken("conll")
    ('CEAFe', 'B³sys', 'CoNLL')
    """
    return label_of(name).partition(" (φ")[0]


def direction(before: float, after: float) -> int:
    """Say whether a score rose (1), fell (-1) or stayed (0).

    >>> direction(0.1 + 0.2, 0.3), direction(0.5, 0.4)
    (0, -1)
    """
    if abs(after - before) < _NOTHING:
        return 0
    return _ROSE if after > before else _FELL


def _percent(score: float) -> str:
    return f"{100 * score:.2f}"
