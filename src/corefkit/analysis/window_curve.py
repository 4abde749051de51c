"""The window curve: scores by the length of windows, up to full documents."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Unpack

from corefkit.evaluation import Evaluation
from corefkit.exceptions import SettingsError
from corefkit.formats import Input
from corefkit.metrics.metric import Metric
from corefkit.metrics.registry import get_label
from corefkit.results.records import Value, format_csv_records, format_json
from corefkit.scoring import score_responses
from corefkit.settings import Keywords, expand_settings
from corefkit.tables.latex import render_latex
from corefkit.tables.markdown import render_markdown
from corefkit.tables.model import (
    Cell,
    Column,
    Heading,
    Note,
    Page,
    Part,
    Range,
    Ranges,
    Table,
)
from corefkit.tables.terminal import render_terminal

FIRST_WINDOW = 500  # tokens


@dataclass(frozen=True, slots=True)
class WindowCurve:
    """The scores of responses in windows of increasing length.

    Attributes:
        evaluations: the evaluations of all responses by the number of tokens of a
            window; those of full documents come last, under None.

    >>> import corefkit
    >>> key = {"book": [[(0, 0), (400, 400), (900, 900)]]}
    >>> curve = corefkit.score_windows(key, {"A": key}, metrics="muc")
    >>> [window for window in curve.evaluations]
    [500, None]
    """

    evaluations: Mapping[int | None, tuple[Evaluation, ...]]

    def __str__(self) -> str:
        """Return the table that `corefkit score --window-curve` prints."""
        return CURVE_WRITERS["table"](self)

    @property
    def metric(self) -> str:
        """The metric of the curve: the CoNLL mean, or else the first metric."""
        evaluation = self.evaluations[None][0]
        return "conll" if evaluation.conll is not None else next(iter(evaluation))

    def to_records(self) -> list[dict[str, Value]]:
        """Return a record for each window, response and metric: data frame rows."""
        return [
            {
                "window": window,
                "response": evaluation.response,
                "metric": metric,
                "recall": evaluation[metric].recall,
                "precision": evaluation[metric].precision,
                "f1": evaluation[metric].f1,
                "signature": evaluation.signature,
            }
            for window, evaluations in self.evaluations.items()
            for evaluation in evaluations
            for metric in (*evaluation, *(["conll"] if "conll" in evaluation else []))
        ]


@expand_settings
def score_windows(
    key: Input,
    responses: Mapping[str, Input],
    *,
    metrics: str | Iterable[str | Metric] | None = None,
    format: str | None = None,
    **keywords: Unpack[Keywords],
) -> WindowCurve:
    """Score responses in windows of 500, 1000, 2000 and so on tokens, and in full.

    Args:
        key: as for `corefkit.score`.
        responses: each as for `corefkit.score`, by name.
        metrics: names or `Metric` values; the default set if not given.
        format: the format of files; detected by default.
        keywords: the settings, as for `corefkit.score`.

    >>> import corefkit
    >>> key = {"book": [[(0, 0), (400, 400), (900, 900)]]}
    >>> response = {"book": [[(0, 0), (400, 400)]]}
    >>> curve = corefkit.score_windows(key, {"A": response}, metrics="muc")
    >>> [round(row["recall"], 2) for row in curve.to_records()]
    [1.0, 0.5]
    """
    if keywords.get("window") is not None:
        message = "found window, expected none: the curve has all windows"
        raise SettingsError(message, code="settings/conflict", hint="remove window")

    def score(window: int | None) -> tuple[Evaluation, ...]:
        options: Keywords = {**keywords, "window": window}
        return tuple(
            score_responses(key, responses, metrics=metrics, format=format, **options)
        )

    full = score(None)
    if not full:
        message = "there are no responses to score"
        raise SettingsError(message, code="input/no-response", hint="name one or more")
    curve: dict[int | None, tuple[Evaluation, ...]] = {}
    # One more than the number of words of each document; 0 if it is unknown.
    sizes = full[0].prints[:, 3]
    longest = int(sizes.max(initial=0)) if sizes.all() else None
    window = FIRST_WINDOW
    while longest is None or window < longest - 1:
        evaluations = score(window)
        if longest is None and _have_equal_scores(evaluations, full):
            break
        curve[window] = evaluations
        window *= 2
    return WindowCurve({**curve, None: full})


def _have_equal_scores(
    first: Sequence[Evaluation], second: Sequence[Evaluation]
) -> bool:
    pairs = zip(first, second, strict=True)
    return all(a[name] == b[name] for a, b in pairs for name in a)


def build_curve_table(curve: WindowCurve) -> Table:
    """Build a table with a row for each window."""
    rows = []
    for window, evaluations in curve.evaluations.items():
        scores = [f"{100 * each[curve.metric].f1:.2f}" for each in evaluations]
        label = "full documents" if window is None else f"{window:,}"
        rows.append(tuple(map(Cell, [label, *scores])))
    names = [evaluation.response for evaluation in curve.evaluations[None]]
    columns = [Column(name, is_name=True) for name in names]
    caption = f"{get_label(curve.metric)} F1 by tokens of a window"
    return Table((Column("", "left"), *columns), tuple(rows), caption)


def _iter_parts(curve: WindowCurve) -> Iterator[Part]:
    yield build_curve_table(curve)
    for window, evaluations in curve.evaluations.items():
        if window is None:
            yield Note(evaluations[0].signature, is_code=True)


def _render_html(curve: WindowCurve) -> str:
    from corefkit.tables.html import render_html_page

    rows = [
        (
            "full" if window is None else f"{window:,}",
            tuple(
                Range(number, 100 * evaluation[curve.metric].f1)
                for number, evaluation in enumerate(evaluations)
            ),
        )
        for window, evaluations in curve.evaluations.items()
    ]
    names = tuple(evaluation.response for evaluation in curve.evaluations[None])
    title = f"{get_label(curve.metric)} F1 by tokens of a window"
    parts = (Heading(2, "Windows", "windows"), Ranges(title, tuple(rows), names))
    command = "corefkit score --window-curve"
    page = Page("Window curve", (), (*parts, *_iter_parts(curve)), command)
    return render_html_page(page)


CURVE_WRITERS: Mapping[str, Callable[[WindowCurve], str]] = {
    "table": lambda curve: render_terminal(_iter_parts(curve)),
    "json": lambda curve: format_json({"window_curve": [*curve.to_records()]}),
    "csv": lambda curve: format_csv_records(curve.to_records()),
    "markdown": lambda curve: render_markdown(_iter_parts(curve)),
    "latex": lambda curve: render_latex(_iter_parts(curve)),
    "html": _render_html,
}
