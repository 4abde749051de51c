"""What a metric is: counts that add up over documents, and scores made of them."""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from corefkit.columns.sums import sums_of_terms
from corefkit.exceptions import SettingsError
from corefkit.settings import DEFAULT_SETTINGS, Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from corefkit.alignment.table import Overlap
    from corefkit.columns import Counts, Floats, Ints
    from corefkit.metrics.many import RowScores
    from corefkit.metrics.reference.listed import ListedDocument
    from corefkit.metrics.split import SplitDocument

# The counts of a score, in the order of its fields.
COUNTS = tuple(
    f"{side}_{part}"
    for side in ("recall", "precision")
    for part in ("numerator", "denominator")
)
Counter: TypeAlias = "Callable[[Overlap], Counts]"
# Up to here a float is exact for integers.
_EXACT = 2**53
# Numbers that are added one by one sooner than as arrays.
_FEW = 200
# These count one document, and return one row.
ReferenceCounter: TypeAlias = "Callable[[ListedDocument], Counts]"
SplitCounter: TypeAlias = "Callable[[SplitDocument], Counts]"
# These make a score of one row of counts, or of many, under default or other settings.
Scorer: TypeAlias = "Callable[..., Score]"
RowsScorer: TypeAlias = "Callable[..., RowScores]"


@dataclass(frozen=True, slots=True)
class Score:
    """Recall, precision and F1 between 0 and 1, and the counts behind them.

    A ratio with denominator 0 is undefined and given as 0; `undefined` names those.
    ACE-value has a `value` beside, which is at most 1 and can be below 0; for the other
    metrics it is None.
    BLANC has the counts of each kind of links in `coreference` and `non_coreference`,
    which are None for the other metrics, and their sums in its own four: its recall and
    precision are no ratios of these. The CoNLL mean has no counts: they are NaN.
    `counts` is the whole row that the score was made of, where it is more than the four
    counts: stored results that keep it can be added up and scored again.

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
    # Not compared: results that were stored without them are the same results.
    counts: tuple[float, ...] = field(default=(), compare=False, repr=False)


def undefined_fields(score: Score) -> set[str]:
    """Name the numbers of a score that have nothing to divide by.

    >>> sorted(undefined_fields(ratios(np.array([0, 0, 0, 0]))))
    ['f1', 'precision', 'recall', 'value']
    """
    fields = set(score.undefined)
    # F1 is made of both; a value is divided by what recall is divided by.
    if fields >= {"recall", "precision"}:
        fields.add("f1")
    return fields | {"value"} if "recall" in fields else fields


def as_numbers(counts: Counts) -> list[float]:
    """List counts as floats; those that a float would round stay integers.

    >>> as_numbers(np.array([2, 2**53 + 1]))
    [2.0, 9007199254740993]
    """
    numbers: list[float] = counts.tolist()
    if counts.dtype.kind != "i":
        return numbers
    return [float(n) if n <= _EXACT else n for n in numbers]


def ratio(numerator: float, denominator: float) -> float:
    """Divide; what has no denominator is undefined and counts as 0.

    >>> ratio(1, 4), ratio(0, 0)
    (0.25, 0.0)
    """
    return numerator / denominator if denominator else 0.0


def f1(recall: float, precision: float) -> float:
    """Compute the harmonic mean of recall and precision; 0 where both are 0.

    >>> f1(0.5, 1.0), f1(0.0, 0.0)
    (0.6666666666666666, 0.0)
    """
    return ratio(2 * recall * precision, recall + precision)


def ratios(counts: Counts, settings: Settings = DEFAULT_SETTINGS, /) -> Score:
    """Score four counts: the numerator and denominator of recall, then of precision.

    >>> ratios(np.array([2.0, 5.0, 2.0, 4.0])).recall
    0.4
    """
    del settings  # the same for all of them
    found, expected, correct, returned = as_numbers(counts)
    recall, precision = ratio(found, expected), ratio(correct, returned)
    undefined: tuple[str, ...] = () if expected else ("recall",)
    if not returned:
        undefined += ("precision",)
    mean = f1(recall, precision)
    return Score(
        recall, precision, mean, found, expected, correct, returned, undefined=undefined
    )


class Named:
    """A function or value named by its module, which is imported when it is used.

    >>> Named("corefkit.metrics.muc", "muc").value.__name__
    'muc'
    """

    def __init__(self, module: str, name: str) -> None:
        self.module = module
        self.name = name

    @cached_property
    def value(self) -> Any:  # whatever has the name
        """What the name stands for."""
        return getattr(import_module(self.module), self.name)

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        """Call what the name stands for."""
        return self.value(*arguments, **options)


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric: how documents are counted, how counts become a score, and all else.

    Everything that other parts of corefkit know of a metric they know from here. Only
    the first three are needed for a metric of your own.

    Attributes:
        name: the one spelling in Python, on the command line and in JSON.
        label: how tables head its column.
        count: returns one row of additive numbers for each document of a table.
        score: makes a score of such a row, or of a sum of rows.
        aliases: other spellings that are read, never written.
        family: the metrics that it looks like in figures; its own if not given.
        source: the papers that define it.
        default: whether it is computed where no metrics are asked for.
        needs: what it needs to know of mentions beside their entities; empty if
            nothing.
        walk: the walk-through of `corefkit explain`, or why there is none.
        reference: counts a document that repeats mentions as the reference scorer
            does, or why that is not done.
        split: counts a document with split antecedents; None where these make no
            difference; or why they are not scored.
        exceptions: the laws of metrics that it does not obey, each with the reason.
        score_rows: makes the scores of many rows at once; without it they are made
            one by one.

    >>> import corefkit
    >>> table = corefkit.overlap(["abc"], ["ab"])
    >>> metric = corefkit.METRICS["muc"]
    >>> metric.score(metric.count(table)[0]).recall
    0.5
    """

    name: str
    label: str
    count: Counter
    score: Scorer = ratios
    aliases: tuple[str, ...] = ()
    _: KW_ONLY
    family: str = ""
    source: str = ""
    default: bool = False
    needs: str = ""
    walk: Named | str = "none has been written"
    reference: ReferenceCounter | str = "the reference scorer does not know it"
    split: SplitCounter | str | None = "how they count there is not defined"
    exceptions: Mapping[str, str] = field(default_factory=dict, hash=False)
    score_rows: RowsScorer | None = None

    def is_called(self, name: object) -> bool:
        """Check whether this is its name or one of its aliases."""
        return name == self.name or name in self.aliases


def of_links(score: Score, coreference: Score, non_coreference: Score) -> Score:
    """Add the two kinds of links to a score, and their counts added up."""
    both = coreference, non_coreference
    return Score(
        *(score.recall, score.precision, score.f1),
        _together(*(half.recall_numerator for half in both)),
        _together(*(half.recall_denominator for half in both)),
        _together(*(half.precision_numerator for half in both)),
        _together(*(half.precision_denominator for half in both)),
        *both,
        undefined=score.undefined,
        value=score.value,
        counts=score.counts,
    )


def _together(one: float, other: float) -> float:
    """Add two counts; large ones are integers, and stay exact."""
    both = one + other
    return both if both <= _EXACT else int(one) + int(other)


def counted(table: Overlap, *terms: tuple[Floats | Ints, Ints]) -> Counts:
    """Add up the terms of a table: one row of counts for each document.

    A term is the numbers to add up for one count, and the document of each number.
    Where all of them are integers, the counts are.
    """
    entities = len(table.key.size) + len(table.response.size)
    if table.documents != 1 or len(table.shared) + entities > _FEW:
        return rows(*sums_of_terms(terms, table.documents))
    counts = [
        math.fsum(values.tolist()) if values.dtype.kind == "f" else sum(values.tolist())
        for values, _ in terms
    ]
    return np.array([counts])


def checked(number: float, giver: str) -> float:
    """Refuse a number that a user's function must not return."""
    if not 0 <= number < float("inf"):
        message = f"{giver} gave {number!r}, expected a number, 0 or more"
        raise SettingsError(message)
    return number


def rows(*columns: Counts) -> Counts:
    """Set columns of counts side by side, one row a document."""
    return np.array(columns).T


def halves(recall: Counts, precision: Counts) -> Counts:
    """Take the counts of recall from some rows, those of precision from others."""
    return np.concatenate((recall[:, :2], precision[:, 2:]), axis=1)


def pairs(number: Counts) -> Counts:
    """Count the pairs that can be made of some things."""
    twice: Counts = number * (number - 1)
    found: Counts = twice >> 1 if twice.dtype.kind == "i" else twice / 2
    return found


def links(size: Counts) -> Counts:
    """Count the links of an entity as LEA does: a singleton has one, to itself."""
    counts: Counts = pairs(size) + (size == 1)
    return counts


def shared_links(shared: Counts, key_size: Counts, response_size: Counts) -> Counts:
    """Count the links that two entities share, as LEA does.

    Two singletons share the link to itself where they share their mention.
    """
    counts: Counts = pairs(shared) + ((key_size == 1) & (response_size == 1))
    return counts
