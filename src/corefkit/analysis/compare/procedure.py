"""How systems are compared: the options of a comparison, and their signature."""

from __future__ import annotations

from dataclasses import dataclass

STATISTICS = ("f1", "recall", "precision")
UNITS = ("text", "document")
TESTS = ("randomization", "bootstrap", "t")
CORRECTIONS = ("holm", "hochberg", "bonferroni", "none")
INTERVALS = ("expanded", "percentile", "bca", "t")
ALTERNATIVES = ("two-sided", "greater", "less")


@dataclass(frozen=True, slots=True)
class Procedure:
    """What is tested, and how.

    Attributes:
        statistic: which ratio of a metric: `f1`, `recall` or `precision`.
        unit: what is swapped and drawn: a `text` with all its parts, or a `document`.
        test: which p-value decides: `randomization`, `bootstrap` or `t`.
        samples: how many shuffles, and how many draws.
        seed: of everything that is drawn at random.
        alpha: the level of the tests; intervals cover the rest of it.
        correction: of the p-values of all pairs of one metric.
        interval: which interval is shown: `expanded`, `percentile`, `bca` or `t`.
        baseline: the system that the others are compared with; all pairs if None.
        alternative: of a system to the baseline: `two-sided`, `greater` or `less`.
        strata: `genre`, or a pattern on document ids; units are drawn within strata.
    """

    statistic: str = "f1"
    unit: str = "text"
    test: str = "randomization"
    samples: int = 10_000
    seed: int = 0
    alpha: float = 0.05
    correction: str = "holm"
    interval: str = "expanded"
    baseline: str | None = None
    alternative: str = "two-sided"
    strata: str | None = None
