"""The claims on scores, a row each: what is said, what is compared, when it holds."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from cistell.studies.claims import base
from cistell.studies.claims.base import (
    LINKS,
    LITTLE,
    PAPER_METRICS,
    Claim,
    Lookup,
    called,
    drawn,
    here,
    mean_gap,
    printed,
    signed,
)
from cistell.studies.systems import FOUR, PICKED, SEVEN, printed_name
from corefkit.analysis.compare.resampling import compute_percentile
from corefkit.metrics.registry import get_label

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cistell.studies.claims.base import Run
    from cistell.studies.results import SettingResults


def order(runs: Sequence[Run], *, metric: str) -> list[str]:
    """List the seven models by their scores."""
    score = here(*runs[0])
    scores = {model: float(score(model, metric)) for model in SEVEN}
    named = [
        f"{called(model)} {scores[model]:.2f}"
        for model in sorted(scores, key=lambda model: -scores[model])
        if scores[model]
    ]
    return [f"{get_label(metric)}: {', '.join(named)}"]


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
        parts.append(
            f"{get_label(metric)} {signed(float(value), compute_percentile(samples))}"
        )
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
        text = "unknown" if share is None else _percent(share)
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
    return f"{get_label(metric)}: {', '.join(parts)}"


def _first(
    results: SettingResults, metric: str, models: Sequence[str], *, but: str
) -> str:
    ranks = results.ranks(metric)
    return min((model for model in models if model != but), key=lambda one: ranks[one])


def _percent(share: float | None) -> str:
    return "an unknown share" if share is None else f"{100 * share:.1f} %"


def _in_paper(percent: float | None) -> str:
    return "" if percent is None else f" (in the paper {percent:.1f} %)"


# In one setting; where the paper's own numbers do not show one, it does not claim it.
RANKINGS = (
    Claim(
        "muc-weak",
        "MUC rewards WEAK most",
        "section 4",
        partial(base.highest, metric="muc", models=("weak",)),
        evidence=partial(order, metric="muc"),
        reasons=of_muc,
    ),
    Claim(
        "b3-head-match",
        "B³ rewards HEAD MATCH most",
        "section 4",
        partial(base.highest, metric="b_cubed", models=("head_match",)),
        evidence=partial(order, metric="b_cubed"),
        reasons=of_head_match,
    ),
    Claim(
        "b3-weak",
        "of the four models B³ rewards WEAK least: it likes careful output",
        "section 4",
        partial(base.weak_lowest, metric="b_cubed"),
        evidence=partial(order, metric="b_cubed"),
        reasons=of_weak,
    ),
    Claim(
        "ceaf-weak",
        "of the four models CEAF rewards WEAK least",
        "Tables 3, 5 and 7",
        partial(base.weak_lowest, metric="ceaf_m"),
        evidence=partial(order, metric="ceaf_m"),
        reasons=of_weak,
    ),
    Claim(
        "b3-singletons",
        "on B³, ALL SINGLETONS is above STRONG and WEAK",
        "sections 5 and 7",
        base.singletons_ahead,
        evidence=partial(order, metric="b_cubed"),
        reasons=of_singletons,
    ),
)
# The models are others for each dataset of the paper.
CEAF = Claim(
    "ceaf-divided",
    "CEAF prefers {models}",
    "sections 4 to 6",
    partial(base.highest, metric="ceaf_m"),
    evidence=partial(order, metric="ceaf_m"),
    reasons=of_ceaf,
)
NUMBERS_OF_LINKS = Claim(
    "links",
    "WEAK links at least as much as STRONG, and STRONG more than BEST",
    "Tables 3, 5 and 7",
    base.links_fall,
    evidence=links,
)

# Between two settings, or between a variant and the setting itself.
LANGUAGE = Claim(
    "language",
    f"the language makes little difference, less than {LITTLE:g} points of F1",
    "section 4",
    partial(base.mean_gap, models=SEVEN),
    base.about_equal,
    partial(by_metric, models=SEVEN),
    singletons_of_each,
)
GOLD_TREES = Claim(
    "preprocessing",
    "gold preprocessing gives higher scores than automatic",
    "section 6",
    base.mean_gap,
    evidence=by_metric,
    reasons=singletons_of_each,
)
AUTOMATIC_TREES = GOLD_TREES._replace(
    says="automatic preprocessing gives no lower scores than gold"
)
TRAINING_DATA = Claim(
    "training-data",
    "more training data does not help much: all of it is less than "
    f"{LITTLE:g} points above {{title}}",
    "section 5",
    base.mean_gap,
    base.little_above,
    by_metric,
)
VARIANT = Claim(
    "variant-{name}",
    "{title} the four models score higher",
    "section 6",
    base.mean_gap,
    evidence=by_metric,
)
# Of an OntoNotes-like scheme against an ACE-like one of the same texts.
SCHEMES = (
    Claim(
        "scheme-singletons",
        "ALL SINGLETONS has higher B³ and CEAF on OntoNotes than on ACE",
        "section 5",
        base.singletons_higher,
        reasons=singletons_of_each,
    ),
    Claim(
        "scheme-muc",
        "MUC of the four models is higher on ACE",
        "section 5",
        base.muc_higher,
        reasons=singletons_of_each,
    ),
    Claim(
        "scheme-heads",
        "HEAD MATCH gains more over ALL SINGLETONS on ACE, by B³",
        "section 5",
        base.heads_help,
        reasons=singletons_of_each,
    ),
)
