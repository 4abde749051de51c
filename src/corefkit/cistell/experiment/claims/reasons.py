"""What stands behind a claim on scores: lines of numbers, of scores and of corpora."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.cistell.experiment.bootstrap import interval
from corefkit.cistell.experiment.claims.base import (
    LINKS,
    PAPER_METRICS,
    Lookup,
    called,
    drawn,
    here,
    printed,
    signed,
)
from corefkit.cistell.experiment.claims.differences import mean_gap
from corefkit.cistell.experiment.systems import FOUR, PICKED, SEVEN, printed_name
from corefkit.metrics import label_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefkit.cistell.experiment.claims.base import Run
    from corefkit.cistell.experiment.results import SettingResults


def order(runs: Sequence[Run], *, metric: str) -> list[str]:
    """List the seven models by their scores."""
    score = here(*runs[0])
    scores = {model: float(score(model, metric)) for model in SEVEN}
    named = [
        f"{called(model)} {scores[model]:.2f}"
        for model in sorted(scores, key=lambda model: -scores[model])
        if scores[model]
    ]
    return [f"{label_of(metric)}: {', '.join(named)}"]


def links(runs: Sequence[Run]) -> list[str]:
    """Count the links of WEAK, STRONG and BEST, here and in the paper."""
    lines = [f"links: {_links(here(*runs[0]))}"]
    dataset = runs[0].results.printed
    if dataset is not None:
        lines.append(f"in the paper, as MUC gives them: {_links(printed(dataset))}")
    return lines


def _links(score: Lookup) -> str:
    models = ("weak", "strong", "best")
    return ", ".join(
        f"{called(model)} {int(score(model, LINKS)):,}" for model in models
    )


def by_metric(runs: Sequence[Run], *, models: Sequence[str] = FOUR) -> list[str]:
    """Compute the mean difference between two runs under each metric."""
    parts = []
    for metric in PAPER_METRICS:
        value, samples = (
            mean_gap(*(scores(*run) for run in runs), models=models, metrics=[metric])
            for scores in (here, drawn)
        )
        parts.append(f"{label_of(metric)} {signed(float(value), interval(samples))}")
    count = "four" if models == FOUR else "seven"
    return [f"mean difference of the {count} models: {', '.join(parts)}"]


def of_muc(runs: Sequence[Run]) -> list[str]:
    """Compare recall and precision of MUC, and count the pronouns."""
    results = runs[0].results
    rival = _first(results, "muc", SEVEN, but="weak")
    lines = [_recall_and_precision(results, "muc", ["weak", rival])]
    if rival == "head_match_pron":
        share = results.test.statistics.type_share("pronouns")
        dataset = results.printed
        theirs = dataset.mention_types.get("pronouns") if dataset else None
        lines.append(
            f"{_percent(share)} of the mentions are pronouns, which "
            f"{called(rival)} links by rule" + _in_paper(theirs)
        )
    if rival == PICKED:
        literal = results.paper_model(printed_name(PICKED))
        if literal is not None:
            lines.append(
                f"with the paper's threshold of 0.09 {called(rival)} has "
                f"{100 * literal.f1('muc'):.2f}"
            )
    return lines


def of_head_match(runs: Sequence[Run]) -> list[str]:
    """Measure how good the links of HEAD MATCH are, and count the singletons."""
    results = runs[0].results
    scored = results.paper_model("head_match")
    precision = None if scored is None else scored.score("muc").precision
    dataset = results.printed
    theirs = dataset.scores["head_match"].get("muc.precision") if dataset else None
    share = f"{_percent(precision)} of the links of HEAD MATCH are right"
    return [share + _in_paper(theirs), *of_singletons(runs)]


def of_weak(runs: Sequence[Run]) -> list[str]:
    """Compare recall and precision of WEAK with those of its rival."""
    results = runs[0].results
    rival = _first(results, "b_cubed", FOUR, but="weak")
    return [_recall_and_precision(results, "b_cubed", ["weak", rival])]


def of_singletons(runs: Sequence[Run]) -> list[str]:
    """Count the entities that are singletons, here and in the paper."""
    results = runs[0].results
    dataset = results.printed
    theirs = None
    if dataset is not None:
        theirs = 100 * dataset.test.singletons / dataset.test.entities
    share = _percent(results.test.statistics.singleton_share)
    return [f"{share} of the entities are singletons" + _in_paper(theirs)]


def singletons_of_each(runs: Sequence[Run]) -> list[str]:
    """Count the singletons of both settings."""
    lines = []
    for run in runs:
        counts = run.results.test.statistics
        share = counts.singleton_share
        text = "unknown" if share is None else f"{100 * share:.1f} %"
        lines.append(
            f"{run.results.setting.title}: {counts.mentions:,} test mentions, "
            f"singletons {text} of the entities"
        )
    return lines


def of_ceaf(runs: Sequence[Run]) -> list[str]:
    """Name the threshold that SUPER STRONG has here."""
    return [
        f"SUPER STRONG has the threshold {runs[0].results.threshold:.3g}, picked on "
        "held-out training texts"
    ]


def _recall_and_precision(
    results: SettingResults, metric: str, models: Sequence[str]
) -> str:
    parts = []
    for model in models:
        scored = results.paper_model(model)
        if scored is not None:
            score = scored.score(metric)
            parts.append(
                f"{called(model)} has recall {100 * score.recall:.1f} and precision "
                f"{100 * score.precision:.1f}"
            )
    return f"{label_of(metric)}: {', '.join(parts)}"


def _first(
    results: SettingResults, metric: str, models: Sequence[str], *, but: str
) -> str:
    ranks = results.ranks(metric)
    return min((model for model in models if model != but), key=lambda one: ranks[one])


def _percent(share: float | None) -> str:
    return "an unknown share" if share is None else f"{100 * share:.1f} %"


def _in_paper(percent: float | None) -> str:
    return "" if percent is None else f" (in the paper {percent:.1f} %)"
