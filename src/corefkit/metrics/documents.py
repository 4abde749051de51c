"""The scores of single documents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from corefkit.metrics import CONLL
from corefkit.metrics.means import conll_mean, mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from corefkit.metrics.base import Score


@dataclass(frozen=True, slots=True)
class DocumentScores:
    """The scores of one document, by metric name.

    >>> import corefkit
    >>> result = corefkit.score({"d": ["abc"]}, {"d": ["ab"]})
    >>> result.per_document[0].document, result.per_document[0]["muc"].recall
    ('d', 0.5)
    """

    document: str
    scores: Mapping[str, Score]

    def __getitem__(self, name: str) -> Score:
        """Return the score of one metric, or the CoNLL mean."""
        if name in self.scores:
            return self.scores[name]
        if name not in self:
            raise not_computed(name, self.scores)
        return conll_mean([self.scores[part] for part in CONLL])

    def __contains__(self, name: object) -> bool:
        """Say whether a metric, or the CoNLL mean, was computed."""
        mean = name == "conll" and all(part in self.scores for part in CONLL)
        return mean or name in self.scores

    @property
    def conll(self) -> float | None:
        """The mean F1 of MUC, B³ and CEAFe; None unless all three were computed."""
        if "conll" not in self:
            return None
        return mean([self.scores[part].f1 for part in CONLL])


def not_computed(name: object, names: Iterable[str]) -> KeyError:
    """Say that a score was not computed."""
    return KeyError(f"no metric {name!r} was computed, only {', '.join(names)}")
