"""The text that the reference scorer v8.01 prints for totals.

Scripts that parse it keep working: names, order, blank lines, numbers with 15 digits,
and percentages cut off, not rounded, after the second decimal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.evaluation import Evaluation
from corefkit.exceptions import SettingsError
from corefkit.metrics import chosen_metrics
from corefkit.metrics.reference.sums import added_in_order, as_it_adds
from corefkit.settings import VERSION
from corefkit.strings.escaping import for_terminal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefkit.exceptions import Refused
    from corefkit.metrics.base import Metric, Score
    from corefkit.report.ranking import Ranking
    from corefkit.report.stored import Scored

# What the reference scorer calls the metrics, in the order of its `all`.
REFERENCE_NAMES = {
    "muc": "muc",
    "b_cubed": "bcub",
    "ceaf_m": "ceafm",
    "ceaf_e": "ceafe",
    "blanc": "blanc",
}

_RULE = "-" * 74


def reference_text(
    results: Sequence[Scored],
    *,
    per_document: bool = False,
    ranking: Ranking | None = None,
    refused: Sequence[Refused] = (),
) -> str:
    r"""Write what the reference scorer prints; the version line names corefkit.

    >>> import corefkit
    >>> result = corefkit.score(["abc"], ["ab"], metrics=["mentions", "muc"])
    >>> reference_text([result]).splitlines()[7]
    'Coreference: Recall: (1 / 2) 50%\tPrecision: (1 / 1) 100%\tF1: 66.66%'
    """
    del ranking  # of one response
    if len(results) != 1 or refused or per_document:
        message = "the reference scorer's text has room for one response, in total only"
        raise SettingsError(message, hint="--format json or csv take more")
    (evaluation,) = results
    if not isinstance(evaluation, Evaluation):
        message = "the reference scorer's text is made of files, not of stored results"
        raise SettingsError(message, hint="leave out --beside, or --format reference")
    if evaluation.settings.is_macro:
        message = "the reference scorer's text has micro averages only"
        raise SettingsError(message, hint="leave out --average, or --format reference")
    for name in evaluation:
        if name != "mentions" and name not in REFERENCE_NAMES:
            message = f"the reference scorer's text has no metric {name!r}"
            raise SettingsError(message, hint=f"it has {', '.join(REFERENCE_NAMES)}")
    lines = [version_line()]
    for name in REFERENCE_NAMES:
        if name in evaluation:
            lines += metric_heading(name)
            lines += map(for_terminal, evaluation.repetitions)
            lines += total_lines(evaluation, name)
    return "\n".join(lines)


def reference_metrics(names: Sequence[str] | None = None) -> list[Metric]:
    """Choose metrics, all of the reference scorer's if none are named, for its text.

    Mentions come first, and sums are made as it makes them.
    """
    named = REFERENCE_NAMES if names is None else names
    return as_it_adds(chosen_metrics(["mentions", *named]))


def version_line() -> str:
    """Name the version whose text this is, and who wrote it."""
    return f"version: 8.01 corefkit {VERSION}"


def shown_name(name: str) -> str:
    r"""Write the name of a document; a tab in it stays, as in the file.

    >>> shown_name("a\tb\x1b")
    'a\tb\\x1b'
    """
    return "\t".join(map(for_terminal, name.split("\t")))


def metric_heading(name: str) -> list[str]:
    """Write what stands above each metric where several are shown."""
    return ["", f"METRIC {REFERENCE_NAMES[name]}:"]


def total_lines(evaluation: Evaluation, name: str) -> list[str]:
    """Write the totals of a metric, below those of mentions."""
    mentions, score = (
        metric.score(
            added_in_order(evaluation.counts[metric.name]), evaluation.settings
        )
        for called in ("mentions", name)
        for metric in evaluation.metrics
        if metric.name == called
    )
    return [
        *("", "====== TOTALS ======="),
        *ratio_lines("Identification of Mentions: ", mentions),
        *_totals(score),
    ]


def _totals(score: Score) -> list[str]:
    if score.coreference is None or score.non_coreference is None:
        return ratio_lines("Coreference: ", score)
    recall, precision = f"{score.recall:.15g}", f"{score.precision:.15g}"
    return [
        "",
        "Coreference:",
        *ratio_lines("Coreference links: ", score.coreference),
        *ratio_lines("Non-coreference links: ", score.non_coreference),
        _line("BLANC: ", f"{recall} / 1", f"{precision} / 1", score),
        _RULE,
    ]


def ratio_lines(label: str, score: Score) -> list[str]:
    """Write recall, precision and F1 with their counts, and a rule below."""
    recall = f"{score.recall_numerator:.15g} / {score.recall_denominator:.15g}"
    precision = f"{score.precision_numerator:.15g} / {score.precision_denominator:.15g}"
    return [_line(label, recall, precision, score), _RULE]


def _line(label: str, recall: str, precision: str, score: Score) -> str:
    return (
        f"{label}Recall: ({recall}) {_cut(score.recall)}%"
        f"\tPrecision: ({precision}) {_cut(score.precision)}%"
        f"\tF1: {_cut(score.f1)}%"
    )


def _cut(score: float) -> str:
    """Cut a percentage off after two decimals, as Perl prints it.

    >>> _cut(2 / 3), _cut(0.57), _cut(0.55), _cut(1.0)
    ('66.66', '56.99', '55', '100')
    """
    return f"{int(score * 10000) / 100:.15g}"
