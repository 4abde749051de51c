"""A corpus changed step by step and scored by every metric: values, text, figures."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefkit.exceptions import SettingsError
from corefkit.lab.figures import Figure, Panel
from corefkit.lab.labels import (
    adapt_settings,
    check_minimum,
    drop_singletons,
    evaluate_labels,
    find_partition_metrics,
    list_partition_metrics,
)
from corefkit.lab.perturbation import PERTURBATIONS, Perturbation
from corefkit.metrics.registry import get_label
from corefkit.results.records import format_csv, format_json, save_text
from corefkit.settings import DEFAULT_SETTINGS, VERSION, Settings, check_known
from corefkit.tables.model import Note, Table, make_columns, make_rows
from corefkit.tables.terminal import render_terminal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from corefkit.alignment.pipeline import Progress
    from corefkit.evaluation import Evaluation
    from corefkit.lab.labels import EntityLabels, LabelPair
    from corefkit.lab.perturbation import Perturbation, Shares
    from corefkit.metrics.metric import Metric
    from corefkit.results.records import Value


# Figures by the ending of their names, and their panels: no panel has more curves than
# the eye can distinguish. Variants share a panel with the metrics they change.
_FIGURES: Mapping[str, Mapping[str, str]] = {
    "": {
        "Metrics": "mentions muc b_cubed ceaf_m ceaf_e blanc lea conll",
        "Similarities of entities": "ceaf_phi1 ceaf_phi2 ceaf_m ceaf_e ceaf_m_links "
        "ceaf_e_links",
    },
    "-variants": {
        "Variants of B³": "muc b_cubed b_cubed_0 b_cubed_all b_cubed_rn b_cubed_sys",
        "Variants of CEAF": "ceaf_m ceaf_m_rn ceaf_m_sys ceaf_e ceaf_e_rn ceaf_e_sys",
    },
}


class CurvePoint(NamedTuple):
    """The score of one metric at one step; the CoNLL mean has only an F1."""

    perturbation: str
    step: int
    share: float
    metric: str
    recall: float | None
    precision: float | None
    f1: float


COLUMNS = (*CurvePoint._fields, "seed", "signature")


@dataclass(frozen=True, slots=True)
class Curves:
    """The scores of a corpus at the steps of perturbations."""

    key: str  # its display name
    response: str | None  # its display name, if it was perturbed
    documents: int  # their number
    mentions: int  # their number in the key
    perturbations: tuple[Perturbation, ...]
    shares: tuple[float, ...]  # one for each step
    metrics: tuple[Metric, ...]
    settings: Settings
    seed: int
    points: tuple[CurvePoint, ...]  # by perturbation, step and metric
    notes: tuple[str, ...]  # about the input, one sentence each

    def group_by_metric(self, perturbation: str) -> dict[str, list[CurvePoint]]:
        """Group the points by metric, in the order of the steps."""
        points: dict[str, list[CurvePoint]] = {}
        for point in self.points:
            if point.perturbation == perturbation:
                points.setdefault(point.metric, []).append(point)
        return points


def make_figures(curves: Curves) -> list[Figure]:
    """Make two figures for each perturbation, of the metrics and of the variants."""
    return [
        figure
        for kind in curves.perturbations
        for figure in _iter_figures(curves, kind)
    ]


def _iter_figures(curves: Curves, kind: Perturbation) -> Iterator[Figure]:
    f1 = {
        metric: [point.f1 for point in points]
        for metric, points in curves.group_by_metric(kind.name).items()
    }
    ticks = [_format_percent(share) for share in curves.shares]
    drawn: set[str] = set()
    layouts = {
        ending: {title: names.split() for title, names in panels.items()}
        for ending, panels in _FIGURES.items()
    }
    placed = {name for layout in layouts.values() for name in chain(*layout.values())}
    layouts["-own"] = {"Other metrics": [name for name in f1 if name not in placed]}
    for ending, layout in layouts.items():
        panels = []
        for title, names in layout.items():
            values = {name: f1[name] for name in names if name in f1}
            if not drawn.issuperset(values):
                panels.append(Panel(title, values))
                drawn.update(values)
        if panels:
            name = f"{kind.name}{ending}"
            yield Figure(name, kind.title, kind.axis, ticks, panels, y_label="F1")


def render_curves_csv(curves: Curves) -> str:
    """Write one row for each perturbation, step and metric."""
    ending = curves.seed, curves.settings.signature
    return format_csv([COLUMNS, *((*point, *ending) for point in curves.points)])


def render_curves_json(curves: Curves) -> str:
    """Write the perturbations, and recall, precision and F1 of each metric."""
    values: dict[str, Value] = {
        "corefkit": VERSION,
        "signature": curves.settings.signature,
        "seed": curves.seed,
        "key": curves.key,
        "response": curves.response,
        "documents": curves.documents,
        "shares": list(curves.shares),
        "perturbations": [
            _dump_perturbation(curves, kind) for kind in curves.perturbations
        ],
    }
    return format_json(values)


def _dump_perturbation(curves: Curves, kind: Perturbation) -> dict[str, Value]:
    return {
        "perturbation": kind.name,
        "title": kind.title,
        "share": kind.axis,
        "source": kind.source,
        "scores": {
            metric: {
                part: [getattr(point, part) for point in points]
                for part in ("recall", "precision", "f1")
                if getattr(points[0], part) is not None
            }
            for metric, points in curves.group_by_metric(kind.name).items()
        },
    }


def render_curves(curves: Curves) -> str:
    """Write the F1 of each metric and step for a terminal."""
    grids = [_make_table(curves, kind) for kind in curves.perturbations]
    return render_terminal([*grids, *_iter_notes(curves)])


def _make_table(curves: Curves, kind: Perturbation) -> Table:
    start = "an empty response" if kind.start == "nothing" else f"the {kind.start}"
    caption = [
        f"{kind.name}: {kind.title[0].lower()}{kind.title[1:]}",
        f"F1 by {kind.axis}",
        f"0%: {start}; 100%: {kind.end}",
    ]
    labels = {metric.name: metric.label for metric in curves.metrics}
    labels["conll"] = get_label("conll")
    rows = [
        (labels[metric], *(f"{100 * point.f1:.1f}" for point in points))
        for metric, points in curves.group_by_metric(kind.name).items()
    ]
    heads = make_columns(["", *map(_format_percent, curves.shares)])
    return Table(
        heads, make_rows(rows), "\n".join(caption), gap=1, min_width=len("100.0")
    )


def _iter_notes(curves: Curves) -> Iterator[Note]:
    plural = "" if curves.documents == 1 else "s"
    yield Note(
        f"{curves.documents} document{plural}, {curves.mentions:,} mentions in the "
        f"key, {curves.settings.average}-averaged, in percent; seed {curves.seed}"
    )
    yield Note(curves.settings.signature, is_code=True)


def _format_percent(share: float) -> str:
    return f"{100 * share:.3g}%"


CURVE_WRITERS: Mapping[str, Callable[[Curves], str]] = {
    "table": render_curves,
    "csv": render_curves_csv,
    "json": render_curves_json,
}


def perturb(
    pair: LabelPair,
    *,
    kinds: Iterable[str] | None = None,
    metrics: str | Iterable[str | Metric] | None = None,
    settings: Settings = DEFAULT_SETTINGS,
    steps: int = 11,
    seed: int = 0,
    progress: Progress | None = None,
) -> Curves:
    """Change a corpus step by step and score each step against the key.

    Each perturbation has its own random numbers: its curves are the same whether it
    runs alone or with others.

    Args:
        pair: the key, and the response of a system or the key itself.
        kinds: names of perturbations; by default all that the input supports.
        metrics: names or `Metric` values; by default all metrics and variants.
        settings: how to score.
        steps: the number of shares, from 0 to 1.
        seed: the seed of the random generator, 0 or more.
        progress: called with the number of finished steps and of all steps.

    >>> from corefkit.lab.labels import read_key
    >>> pair = read_key(["abcd", "ef"], settings=DEFAULT_SETTINGS)
    >>> curves = perturb(pair, kinds=["split"], metrics=["muc"], steps=5)
    >>> [point.recall for point in curves.points]
    [1.0, 0.75, 0.5, 0.25, 0.0]
    """
    check_minimum("number of steps", steps, 2)
    check_minimum("seed", seed, 0)
    settings = adapt_settings(settings)
    scored = find_partition_metrics(
        list_partition_metrics() if metrics is None else metrics
    )
    chosen = choose_perturbations(pair, kinds)
    shares = tuple(step / (steps - 1) for step in range(steps))
    points: list[CurvePoint] = []
    responses = _iter_responses(pair, chosen, shares, settings, seed)
    for number, (kind, step, response) in enumerate(responses, 1):
        evaluation = evaluate_labels(
            pair.key, response, metrics=scored, settings=settings
        )
        points += _iter_points(kind.name, step, shares[step], evaluation)
        if progress is not None:
            progress(number, len(chosen) * steps)
    return Curves(
        key=pair.names[0],
        response=pair.names[1] if any(map(_needs_response, chosen)) else None,
        documents=pair.key.document_count,
        mentions=len(pair.key),
        perturbations=chosen,
        shares=shares,
        metrics=scored,
        settings=settings,
        seed=seed,
        points=tuple(points),
        notes=pair.notes,
    )


def choose_perturbations(
    pair: LabelPair, kinds: Iterable[str] | None = None
) -> tuple[Perturbation, ...]:
    """Find perturbations by name; without names, all that the input allows."""
    has_response = pair.response is not pair.key
    if kinds is None:
        perturbations = PERTURBATIONS.values()
        return tuple(
            kind for kind in perturbations if has_response or not _needs_response(kind)
        )
    names = dict.fromkeys(kinds)
    for name in names:
        check_known(name, PERTURBATIONS, f"unknown kind {name!r}")
        if _needs_response(PERTURBATIONS[name]) and not has_response:
            message = f"{name} starts from the response of a system, and there is none"
            raise SettingsError(
                message,
                code="settings/missing-value",
                hint="give a RESPONSE after the KEY",
            )
    if not names:
        message = "no kind was given"
        raise SettingsError(
            message,
            code="settings/missing-value",
            hint=f"the kinds are {', '.join(PERTURBATIONS)}",
        )
    return tuple(PERTURBATIONS[name] for name in names)


def _needs_response(kind: Perturbation) -> bool:
    return kind.start == "response"


def _iter_responses(
    pair: LabelPair,
    kinds: Iterable[Perturbation],
    shares: Shares,
    settings: Settings,
    seed: int,
) -> Iterator[tuple[Perturbation, int, EntityLabels]]:
    for kind in kinds:
        # The name is part of the seed, so perturbations are independent of each other.
        random = np.random.default_rng([seed, *kind.name.encode()])
        for step, altered in enumerate(kind.responses(pair, random, shares)):
            yield kind, step, drop_singletons(altered, settings)


def save_responses(pair: LabelPair, curves: Curves, folder: Path) -> int:
    """Write the key and all changed responses as JSON lines, and return their number.

    `split-03.jsonl` is step 3 of `split`. A mention is a span of one token, its number.
    """
    _save_labels(pair.key, folder / "key.jsonl")
    for kind, step, response in _iter_responses(
        pair, curves.perturbations, curves.shares, curves.settings, curves.seed
    ):
        _save_labels(response, folder / f"{kind.name}-{step:02}.jsonl")
    return len(curves.perturbations) * len(curves.shares)


def _save_labels(labels: EntityLabels, path: Path) -> None:
    documents: list[dict[int, list[list[int]]]] = [
        {} for _ in range(labels.document_count)
    ]
    columns = (labels.mention, labels.entity, labels.document)
    for mention, entity, document in np.stack(columns, axis=1).tolist():
        documents[document].setdefault(entity, []).append([mention, mention])
    lines = [
        json.dumps({"doc_key": str(number), "clusters": [*entities.values()]})
        for number, entities in enumerate(documents)
    ]
    save_text(path, "\n".join(lines) + "\n")


def _iter_points(
    name: str, step: int, share: float, evaluation: Evaluation
) -> Iterator[CurvePoint]:
    for metric, score in evaluation.scores.items():
        yield CurvePoint(
            name, step, share, metric, score.recall, score.precision, score.f1
        )
    if evaluation.conll is not None:
        yield CurvePoint(name, step, share, "conll", None, None, evaluation.conll)
