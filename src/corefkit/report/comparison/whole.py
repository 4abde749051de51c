"""The page of a comparison: what was compared, what was found, and how.

Several metrics have an overview. Details follow for a few: for the metrics that were
asked for, as long as they are few, or else for the one that systems are sorted by, or
the CoNLL score. What the CoNLL score is the mean of has no details beside it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.metrics import CONLL
from corefkit.report.comparison.details import MOST_IN_MATRIX, details
from corefkit.report.comparison.legend import legend
from corefkit.report.comparison.overview import overview
from corefkit.report.comparison.standings import display_names, standings_of
from corefkit.report.comparison.words import (
    correction_words,
    counted,
    interval_words,
    samples_words,
    statistic_words,
    words_of_test,
)
from corefkit.report.grids import Note
from corefkit.report.names import names_of
from corefkit.report.page import Item, Items, Paragraph
from corefkit.report.refusals import refusals

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefkit.analysis.compare.comparison import Comparison
    from corefkit.report.comparison.standings import Standings
    from corefkit.report.page import Part

MOST_DETAILED = 3  # metrics


def comparison_page(
    comparison: Comparison, *, names_options: bool = True
) -> list[Part]:
    """Set a comparison out: overview, details, and how it was tested.

    Args:
        comparison: the comparison.
        names_options: whether to say which options of the command show more.
    """
    shown = [
        standings_of(comparison, comparison.metrics[name])
        for name in detailed(comparison)
    ]
    tables: list[Part] = []
    if len(comparison.metrics) > 1 or len(comparison.systems) == 1:
        tables.append(overview(comparison))
    for standings in shown:
        tables += details(comparison, standings)
    lines = [
        *legend(comparison, shown, tables),
        *method_lines(comparison),
        *(_more(comparison, shown) if names_options else ()),
    ]
    return [
        Paragraph(subject(comparison), is_literal=True),
        *tables,
        *refusals(comparison.refused, "Not compared", "scored"),
        Items(tuple(map(Item, lines))),
        Note(comparison.signature, is_code=True),
    ]


def detailed(comparison: Comparison) -> list[str]:
    """Choose the metrics that are shown in detail."""
    metrics, order = comparison.metrics, comparison.order
    lead = order.metric if order is not None and order.metric in metrics else ""
    parts = CONLL if "conll" in metrics else ()
    names = [name for name in metrics if name not in parts or name == lead]
    if len(names) <= MOST_DETAILED:
        return names
    return [name for name in (lead or "conll",) if name in metrics]


def subject(comparison: Comparison) -> str:
    """Say in a line what was compared, and by which test."""
    procedure = comparison.procedure
    units = counted(comparison.units, procedure.unit)
    (key,) = names_of([comparison.key])
    what = f"{counted(len(comparison.systems), 'system')} on {units} of {key}"
    if comparison.units != comparison.documents:
        what += f" ({counted(comparison.documents, 'document')})"
    if len(comparison.systems) == 1:
        return f"{what}: intervals only, as a test needs two"
    baseline = display_names(comparison).get(procedure.baseline or "", "")
    is_several = baseline and len(comparison.systems) > 2
    against = f", each against {baseline}" if is_several else ""
    statistics = {metric.statistic for metric in comparison.metrics.values()}
    statistic = procedure.statistic if len(statistics) > 1 else next(iter(statistics))
    test = words_of_test(procedure, baseline, of=statistic_words(statistic))
    return f"{what}{against}: {test}"


def method_lines(comparison: Comparison) -> Iterator[str]:
    """Say how the numbers were made."""
    procedure = comparison.procedure
    if len(comparison.systems) > 1:
        how = [samples_words(comparison), f"seed {procedure.seed}"]
        how += filter(None, [correction_words(comparison)])
        yield f"test: {', '.join([*how, f'alpha {procedure.alpha:g}'])}"
        if procedure.test == "t":
            yield (
                "the t-test is on the mean over documents, as in Cai and Strube "
                "(2010), not on the scores shown"
            )
    metrics = comparison.metrics.values()
    scores = "" if all(metric.is_count for metric in metrics) else "scores in percent; "
    yield f"{scores}{interval_words(comparison)}"


def _more(comparison: Comparison, shown: Sequence[Standings]) -> Iterator[str]:
    """Say where there are more numbers."""
    procedure = comparison.procedure
    names = {*CONLL, *(standings.metric.name for standings in shown)}
    others = [name for name in comparison.metrics if name not in names]
    if others and len(comparison.systems) > 1:
        example = "lea" if "lea" in others else others[-1]
        label = comparison.metrics[example].label
        yield f"`--metric {example}` shows {label} in detail; `--format csv` has all"
    elif len(comparison.systems) > MOST_IN_MATRIX and procedure.baseline is None:
        yield "`--format csv` has the p-values of all pairs"
