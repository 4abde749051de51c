"""The first page: where files are dropped, leaderboards, runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.serve.pages.form import new_run
from corefkit.serve.pages.frame import (
    Markup,
    Written,
    element,
    framed,
    moment,
    paragraph,
    section,
    text_of,
)
from corefkit.serve.pages.numbers import best_of, size_of
from corefkit.serve.pages.tables import joined, link, table

if TYPE_CHECKING:
    from corefkit.serve.limits import Limits
    from corefkit.serve.store import Store
    from corefkit.serve.values import Run

_SHOWN = 50  # runs on one page
_ABOUT = (
    "Drop a key and the responses of one or more systems. The report shows scores with "
    "intervals, which differences are more than chance, what went wrong, and where in "
    "the text. New responses can be compared with those of earlier runs."
)


def home_page(
    store: Store, limits: Limits, *, before: int | None = None, waiting: int = 0
) -> Written:
    """Write the first page; older runs stand on pages of their own.

    Args:
        store: the runs.
        limits: what the form says.
        before: the number that older runs are before; None for the first page.
        waiting: how many runs are on their way.
    """
    runs = store.runs(before=before, most=_SHOWN + 1)
    parts = [] if before else [section("New report", new_run(limits)), *_keys(store)]
    parts.append(
        section("Older runs" if before else "Runs", *_waiting(waiting), *_runs(runs))
    )
    kept = element(
        "p", text_of("Runs are kept in "), element("code", text_of(store.path.name))
    )
    intro = Markup(f"{paragraph(_ABOUT)}{kept}")
    return framed("corefkit", parts, intro=intro)


def _keys(store: Store) -> list[Markup]:
    found = store.corpora()
    if not found:
        return []
    rows = [
        [
            link(f"keys/{corpus}", run.asked.key.name),
            text_of(size_of(run.fingerprint)),
            text_of(count),
            moment(run.made),
        ]
        for corpus, (count, run) in found.items()
    ]
    heads = ["Key", "Size", "Runs", "Latest run"]
    about = "All responses that were scored against one key, ranked."
    listed = table(heads, rows, words=(0, 1, 3))
    return [section("Leaderboards", paragraph(about), listed)]


def _waiting(waiting: int) -> list[Markup]:
    if not waiting:
        return []
    runs = "1 run is" if waiting == 1 else f"{waiting} runs are"
    return [paragraph(f"{runs} on the way; load this page again to see them.")]


def _runs(runs: list[Run]) -> list[Markup]:
    if not runs:
        return [paragraph("There is no run yet.")]
    heads = ["Run", "Made", "Key", "Responses", "Best", "Report"]
    shown = runs[:_SHOWN]
    rows = [
        [
            link(f"runs/{run.number}", str(run.number)),
            moment(run.made),
            link(f"keys/{run.corpus}", run.asked.key.name),
            text_of(", ".join(one.name for one in run.systems)),
            text_of(best_of(run)),
            joined(
                [
                    link(f"runs/{run.number}/report", "open"),
                    link(f"runs/{run.number}/report?download", "download"),
                ]
            ),
        ]
        for run in shown
    ]
    parts = [table(heads, rows, words=(0, 1, 2, 3, 4, 5))]
    if len(runs) > _SHOWN:
        parts.append(element("p", link(f"?before={shown[-1].number}", "Older runs")))
    return parts
