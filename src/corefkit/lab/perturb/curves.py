"""Scores over the steps of perturbations: as values, text and figures."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from corefkit.lab.figures import Figure, Panel
from corefkit.metrics.registry import get_label
from corefkit.results.records import format_csv, format_json
from corefkit.settings import VERSION, Settings
from corefkit.tables.model import Note, Table, make_columns, make_rows
from corefkit.tables.terminal import render_terminal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from corefkit.lab.perturb.perturbations import Perturbation
    from corefkit.metrics.metric import Metric
    from corefkit.results.records import Value

# Figures by the ending of their names, and their panels: no panel has more curves than
# the eye can distinguish. Variants stand beside the plain metrics that they change.
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


class Point(NamedTuple):
    """The score of one metric at one step; the CoNLL mean has only an F1."""

    perturbation: str
    step: int
    share: float
    metric: str
    recall: float | None
    precision: float | None
    f1: float


COLUMNS = (*Point._fields, "seed", "signature")


@dataclass(frozen=True, slots=True)
class Curves:
    """The scores of a corpus at the steps of perturbations."""

    key: str  # the user's name for it
    response: str | None  # likewise, if one was perturbed
    documents: int  # how many there are
    mentions: int  # how many the key has
    perturbations: tuple[Perturbation, ...]
    shares: tuple[float, ...]  # one for each step
    metrics: tuple[Metric, ...]
    settings: Settings
    seed: int
    points: tuple[Point, ...]  # by perturbation, step and metric
    notes: tuple[str, ...]  # about the input, one sentence each

    def by_metric(self, perturbation: str) -> dict[str, list[Point]]:
        """Group the points by metric, in the order of the steps."""
        points: dict[str, list[Point]] = {}
        for point in self.points:
            if point.perturbation == perturbation:
                points.setdefault(point.metric, []).append(point)
        return points


def figures(curves: Curves) -> list[Figure]:
    """Make two figures for each perturbation, of the metrics and of the variants."""
    return [
        figure for kind in curves.perturbations for figure in _figures(curves, kind)
    ]


def _figures(curves: Curves, kind: Perturbation) -> Iterator[Figure]:
    f1 = {
        metric: [point.f1 for point in points]
        for metric, points in curves.by_metric(kind.name).items()
    }
    ticks = [_percent(share) for share in curves.shares]
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
            there = {name: f1[name] for name in names if name in f1}
            if not drawn.issuperset(there):
                panels.append(Panel(title, there))
                drawn.update(there)
        if panels:
            name = f"{kind.name}{ending}"
            yield Figure(name, kind.title, kind.axis, ticks, panels, y_label="F1")


def csv_curves(curves: Curves) -> str:
    """Write one row for each perturbation, step and metric."""
    ending = curves.seed, curves.settings.signature
    return format_csv([COLUMNS, *((*point, *ending) for point in curves.points)])


def json_curves(curves: Curves) -> str:
    """Write the perturbations, and recall, precision and F1 of each metric."""
    values: dict[str, Value] = {
        "corefkit": VERSION,
        "signature": curves.settings.signature,
        "seed": curves.seed,
        "key": curves.key,
        "response": curves.response,
        "documents": curves.documents,
        "shares": list(curves.shares),
        "perturbations": [_json(curves, kind) for kind in curves.perturbations],
    }
    return format_json(values)


def _json(curves: Curves, kind: Perturbation) -> dict[str, Value]:
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
            for metric, points in curves.by_metric(kind.name).items()
        },
    }


def plain_curves(curves: Curves) -> str:
    """Write the F1 of each metric and step for a terminal."""
    grids = [_grid(curves, kind) for kind in curves.perturbations]
    return render_terminal([*grids, *_notes(curves)])


def _grid(curves: Curves, kind: Perturbation) -> Table:
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
        for metric, points in curves.by_metric(kind.name).items()
    ]
    heads = make_columns(["", *map(_percent, curves.shares)])
    return Table(
        heads, make_rows(rows), "\n".join(caption), gap=1, min_width=len("100.0")
    )


def _notes(curves: Curves) -> Iterator[Note]:
    plural = "" if curves.documents == 1 else "s"
    yield Note(
        f"{curves.documents} document{plural}, {curves.mentions:,} mentions in the "
        f"key, {curves.settings.average}-averaged, in percent; seed {curves.seed}"
    )
    yield Note(curves.settings.signature, is_code=True)


def _percent(share: float) -> str:
    return f"{100 * share:.3g}%"


CURVE_WRITERS: Mapping[str, Callable[[Curves], str]] = {
    "table": plain_curves,
    "csv": csv_curves,
    "json": json_curves,
}
