"""What in the data explains a ranking: numbers of the corpus and of the links."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.cistell.experiment.claims.base import called
from corefkit.cistell.experiment.systems import FOUR, PICKED, SEVEN, printed_name
from corefkit.metrics import label_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefkit.cistell.experiment.results import SettingResults


def of_muc(results: SettingResults) -> list[str]:
    """Say how MUC's recall and precision stand, and how many pronouns there are."""
    rival = _first(results, "muc", SEVEN, but="weak")
    lines = [_sides(results, "muc", ["weak", rival])]
    if rival == "head_match_pron":
        share = results.test.statistics.type_share("pronouns")
        dataset = results.printed
        theirs = dataset.mention_types.get("pronouns") if dataset else None
        lines.append(
            f"{_percent(share)} of the mentions are pronouns, which "
            f"{called(rival)} links by rule" + _paper(theirs, "{:.1f} %")
        )
    if rival == PICKED:
        literal = results.paper_model(printed_name(PICKED))
        if literal is not None:
            lines.append(
                f"with the paper's threshold of 0.09 {called(rival)} has "
                f"{100 * literal.f1('muc'):.2f}"
            )
    return lines


def of_head_match(results: SettingResults) -> list[str]:
    """Say how good the links of HEAD MATCH are, and how many singletons there are."""
    found = results.paper_model("head_match")
    precision = None if found is None else found.score("muc").precision
    dataset = results.printed
    theirs = dataset.scores["head_match"].get("muc.precision") if dataset else None
    return [
        f"{_percent(precision)} of the links of HEAD MATCH are right"
        + _paper(theirs, "{:.1f} %"),
        *_singletons(results),
    ]


def of_weak(results: SettingResults) -> list[str]:
    """Say how WEAK trades precision for recall."""
    rival = _first(results, "b_cubed", FOUR, but="weak")
    return [_sides(results, "b_cubed", ["weak", rival])]


def of_singletons(results: SettingResults) -> list[str]:
    """Say how many entities are singletons."""
    return _singletons(results)


def of_ceaf(results: SettingResults) -> list[str]:
    """Say which threshold SUPER STRONG has here."""
    return [
        f"SUPER STRONG has the threshold {results.threshold:.3g}, picked on held-out "
        "training texts"
    ]


def _singletons(results: SettingResults) -> list[str]:
    counts = results.test.statistics
    dataset = results.printed
    theirs = None
    if dataset is not None:
        theirs = 100 * dataset.test.singletons / dataset.test.entities
    return [
        f"{_percent(counts.singleton_share)} of the entities are singletons"
        + _paper(theirs, "{:.1f} %")
    ]


def _sides(results: SettingResults, metric: str, models: Sequence[str]) -> str:
    """Name recall and precision of models."""
    parts = []
    for model in models:
        found = results.paper_model(model)
        if found is not None:
            score = found.score(metric)
            parts.append(
                f"{called(model)} has recall {100 * score.recall:.1f} and precision "
                f"{100 * score.precision:.1f}"
            )
    return f"{label_of(metric)}: {', '.join(parts)}"


def _first(
    results: SettingResults, metric: str, models: Sequence[str], *, but: str
) -> str:
    ranks = results.ranks(metric)
    return min((one for one in models if one != but), key=lambda one: ranks[one])


def _percent(share: float | None) -> str:
    return "an unknown share" if share is None else f"{100 * share:.1f} %"


def _paper(value: float | None, form: str) -> str:
    return "" if value is None else f" (in the paper {form.format(value)})"
