"""`Metric` and `Score`: additive counts per document, and scores of such counts."""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from corefkit.settings import DEFAULT_SETTINGS, Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from corefkit.alignment.overlap import Overlap
    from corefkit.arrays.columns import Counts, Flags, Floats
    from corefkit.metrics.mention_shares import MentionOrder, Shares
    from corefkit.metrics.reference import ListedDocument
    from corefkit.metrics.split import SplitDocument

# The counts of a score, in the order of its fields.
COUNTS = tuple(
    f"{side}_{part}"
    for side in ("recall", "precision")
    for part in ("numerator", "denominator")
)
Counter: TypeAlias = "Callable[[Overlap], Counts]"
# These count one document, and return one row.
ReferenceCounter: TypeAlias = "Callable[[ListedDocument], Counts]"
SplitCounter: TypeAlias = "Callable[[SplitDocument], Counts]"
SharesFunction: TypeAlias = "Callable[[Overlap, MentionOrder], Shares]"
Scorer: TypeAlias = "Callable[..., Score]"
_MAX_EXACT_INTEGER = 2**53  # of a float
_NO_COUNTS = (math.nan,) * 4


@dataclass(frozen=True, slots=True)
class Score:
    """Recall, precision and F1 between 0 and 1, and the counts they come from.

    A ratio with denominator 0 is undefined and given as 0; `undefined` names those.
    ACE-value also has a `value`, which is at most 1 and can be negative; for the other
    metrics it is None.
    BLANC has the counts of each kind of links in `coreference` and `non_coreference`,
    which are None for the other metrics, and their sums in its own four counts, of
    which its recall and precision are not the ratios. The CoNLL mean has no counts:
    they are NaN.
    `counts` is the full row of counts if there are more than four: stored results that
    contain it can be added up and scored again.

    >>> import corefkit
    >>> score = corefkit.score(["abc"], ["ab"])["muc"]
    >>> score.recall, score.recall_numerator, score.recall_denominator
    (0.5, 1.0, 2.0)
    """

    recall: float
    precision: float
    f1: float
    recall_numerator: float = 0.0
    recall_denominator: float = 0.0
    precision_numerator: float = 0.0
    precision_denominator: float = 0.0
    coreference: Score | None = None
    non_coreference: Score | None = None
    undefined: tuple[str, ...] = ()
    value: float | None = None
    # Not compared: results that were stored without counts are the same results.
    counts: tuple[float, ...] = field(default=(), compare=False, repr=False)


def list_undefined(score: Score) -> set[str]:
    """Return the names of the numbers of a score that are undefined."""
    names = set(score.undefined)
    # F1 is undefined if both are; a value has the denominator of recall.
    if names >= {"recall", "precision"}:
        names.add("f1")
    return names | {"value"} if "recall" in names else names


class Ratios(NamedTuple):
    """The scores of one row of counts as numbers, or of many rows as arrays."""

    recall: Any  # a float, or an array of floats; 0 if it is undefined
    precision: Any
    f1: Any
    no_recall: Any  # whether recall is undefined: a bool, or an array of flags
    no_precision: Any
    value: Any = None  # of a metric that has one
    no_value: Any = False  # whether the value is undefined although recall is not
    parts: tuple[Ratios, ...] = ()  # of BLANC, whose ratios are their means

    def statistic(self, name: str) -> Floats:
        """Return recall, precision or F1; instead of F1 the value, if there is one."""
        if name == "f1" and self.value is not None:
            return np.asarray(self.value)
        return np.asarray(getattr(self, name))

    def undefined(self, name: str) -> Flags:
        """Flag the rows in which a ratio that the statistic depends on is undefined."""
        parts = self.parts or (self,)
        no_recall, no_precision = self.no_recall, self.no_precision
        for part in parts:
            no_recall = no_recall | part.no_recall
            no_precision = no_precision | part.no_precision
        flags = {"recall": no_recall, "precision": no_precision}
        either: Flags = flags.get(name, no_recall | no_precision | self.no_value)
        return either

    def flag_undefined(self, name: str) -> Flags:
        """Flag the rows in which a score is itself undefined, as `list_undefined`."""
        flags = {
            "recall": self.no_recall,
            "precision": self.no_precision,
            "f1": self.no_recall & self.no_precision,
            "value": self.no_recall | self.no_value,
        }
        return np.asarray(flags[name])


# Computes the ratios from the columns of counts: one row of numbers, or arrays.
_Compute: TypeAlias = "Callable[[Sequence[Any], Settings], Ratios]"


class Formula:
    """Scores one row of counts, or many at once, by the same computation."""

    def __init__(self, compute: _Compute) -> None:
        self._compute = compute

    def __call__(
        self, counts: Counts, settings: Settings = DEFAULT_SETTINGS, /
    ) -> Score:
        row = to_numbers(counts)
        ratios = self._compute(row, settings)
        all_counts = tuple(row) if len(row) > 4 else ()
        score = _make_score(ratios, row[:4], counts=all_counts)
        if not ratios.parts:
            return score
        first, second = (
            _make_score(part, row[4 * number : 4 * number + 4])
            for number, part in enumerate(ratios.parts)
        )
        return add_links(score, first, second)

    def score_rows(
        self, counts: Floats, settings: Settings = DEFAULT_SETTINGS
    ) -> Ratios:
        """Score many rows of counts; fastest if each column is contiguous."""
        columns = [counts[..., column] for column in range(counts.shape[-1])]
        return self._compute(columns, settings)


def _make_score(
    ratios: Ratios, row: Sequence[float], *, counts: tuple[float, ...] = ()
) -> Score:
    undefined: tuple[str, ...] = ("recall",) if ratios.no_recall else ()
    if ratios.no_precision:
        undefined += ("precision",)
    if ratios.no_value:
        undefined += ("value",)
    recall, precision, f1 = ratios.recall, ratios.precision, ratios.f1
    numerator, denominator, correct, returned = row
    return Score(
        *(recall, precision, f1, numerator, denominator, correct, returned),
        undefined=undefined,
        value=ratios.value,
        counts=counts,
    )


def add_links(score: Score, coreference: Score, non_coreference: Score) -> Score:
    """Add the scores of the two kinds of links, and the sums of their counts."""
    sums: dict[str, Any] = {
        name: _add_exactly(getattr(coreference, name), getattr(non_coreference, name))
        for name in COUNTS
    }
    return replace(
        score, **sums, coreference=coreference, non_coreference=non_coreference
    )


def to_numbers(counts: Counts) -> list[float]:
    """Convert counts to floats; those that a float cannot represent stay integers."""
    numbers: list[float] = counts.tolist()
    if counts.dtype.kind != "i":
        return numbers
    return [float(n) if n <= _MAX_EXACT_INTEGER else n for n in numbers]


def _add_exactly(first: float, second: float) -> float:
    """Add two counts; large ones are integers, and stay exact."""
    total = first + second
    return total if total <= _MAX_EXACT_INTEGER else int(first) + int(second)


def divide(numerator: Any, denominator: Any) -> Any:
    """Divide numbers or arrays; the quotient is 0 if the denominator is 0."""
    if not isinstance(denominator, np.ndarray):
        return numerator / denominator if denominator else 0.0
    is_zero = denominator == 0
    if not is_zero.any():
        return numerator / denominator
    return np.where(is_zero, 0.0, numerator / np.where(is_zero, 1.0, denominator))


def compute_f1(recall: Any, precision: Any) -> Any:
    """Compute the harmonic mean of recall and precision; 0 if both are 0."""
    return divide(2 * recall * precision, recall + precision)


def compute_ratios(
    counts: Sequence[Any], settings: Settings = DEFAULT_SETTINGS
) -> Ratios:
    """Compute recall and precision, each from a numerator and a denominator."""
    del settings  # they have no effect here
    numerator, denominator, correct, returned = counts
    recall, precision = divide(numerator, denominator), divide(correct, returned)
    f1 = compute_f1(recall, precision)
    return Ratios(recall, precision, f1, denominator == 0, returned == 0)


score_ratios = Formula(compute_ratios)
"""Scores four counts: numerator and denominator of recall, then of precision."""


def compute_mean(values: Sequence[float]) -> float:
    """Average numbers, in any order with the same result; 0 if there are none."""
    return math.fsum(values) / len(values) if values else 0.0


def average_conll(parts: Sequence[Score]) -> Score:
    """Average recall, precision and F1 of scores; the mean has no counts."""
    recall = compute_mean([part.recall for part in parts])
    precision = compute_mean([part.precision for part in parts])
    f1 = compute_mean([part.f1 for part in parts])
    # Those that are undefined in all parts.
    undefined = tuple(
        [
            name
            for name in parts[0].undefined
            if all([name in part.undefined for part in parts])
        ]
    )
    return Score(recall, precision, f1, *_NO_COUNTS, undefined=undefined)


def make_key_error(name: object, names: Iterable[str]) -> KeyError:
    """Create the error for a score that was not computed."""
    return KeyError(f"no metric {name!r} was computed, only {', '.join(names)}")


class LazyImport:
    """A function or value of a module that is imported on first use."""

    def __init__(self, module: str, name: str) -> None:
        self.module = module
        self.name = name

    @cached_property
    def value(self) -> Any:
        """The imported value."""
        return getattr(import_module(self.module), self.name)

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        return self.value(*arguments, **options)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the name of the value, which need not be picklable itself."""
        return LazyImport, (self.module, self.name)


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric: how documents are counted, how counts become a score, and all else.

    All other parts of corefkit look here for the properties of a metric. A metric of
    your own requires only the first three attributes.

    Attributes:
        name: the only spelling that Python, the command line and JSON write.
        label: the heading of its column in tables.
        count: returns a row of additive numbers for each document of a table.
        score: computes a score from such a row, or from a sum of rows.
        aliases: other spellings that are read, never written.
        family: the metrics that it resembles in figures; its own name by default.
        source: the papers that define it.
        default: whether it is computed if no metrics are requested.
        needs: the information on mentions that it requires in addition to their
            entities.
        walk: the walk-through of `corefkit explain`, or why there is none.
        reference: counts a document with duplicate mentions as the reference scorer
            does, or why that is not supported.
        split: counts a document with split antecedents; None if these make no
            difference; or why they are not supported.
        shares: divides the counts of a table among its mentions, in the order of the
            text; None if they are not sums over mentions.
        exceptions: the laws of metrics that it does not obey, each with the reason.

    >>> import corefkit
    >>> table = corefkit.overlap(["abc"], ["ab"])
    >>> metric = corefkit.METRICS["muc"]
    >>> metric.score(metric.count(table)[0]).recall
    0.5
    """

    name: str
    label: str
    count: Counter
    score: Scorer = score_ratios
    aliases: tuple[str, ...] = ()
    _: KW_ONLY
    family: str = ""
    source: str = ""
    default: bool = False
    needs: str = ""
    walk: LazyImport | str = "none has been written"
    reference: ReferenceCounter | str = "the reference scorer does not know it"
    split: SplitCounter | str | None = "how they count there is not defined"
    shares: SharesFunction | None = None
    exceptions: Mapping[str, str] = field(default_factory=dict, hash=False)

    def is_called(self, name: object) -> bool:
        """Check whether this is its name or one of its aliases."""
        return name == self.name or name in self.aliases


def count_document(
    count: Callable[[Any], Counts] | str | None, document: object
) -> list[float] | None:
    """Count one document by `Metric.reference` or `.split`; None if not supported."""
    if count is None or isinstance(count, str):
        return None
    counts: list[float] = count(document)[0].tolist()
    return counts
