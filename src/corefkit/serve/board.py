"""Pages of the server: all runs, one run, the leaderboard of a key.

Each function collects the values for a template in `templates/`; the templates escape
them. The browser side is `web/src/serve.ts`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import isfinite
from typing import Any, NamedTuple

from markupsafe import Markup
from starlette.responses import HTMLResponse

from corefkit.analysis.compare import compare
from corefkit.exceptions import CorefkitError, Refused, SettingsError
from corefkit.formats import FORMATS, READ_ONLY
from corefkit.results.score_table import (
    Order,
    build_score_page,
    make_percent_cell,
    make_score_cell,
    name_statistic,
    parse_order,
    rank_results,
    shorten_label,
)
from corefkit.results.stored_results import StoredScores, parse_stored
from corefkit.serve.jobs import SETTING_OPTIONS, Limits, RequestError, format_size
from corefkit.serve.store import Store, StoredResponse, StoredRun
from corefkit.settings import PRESETS, SETTINGS, VERSION
from corefkit.tables.html import (
    build_policy,
    read_asset,
    read_script,
    render_html,
    render_template,
)
from corefkit.tables.model import Range, Ranges

RUNS_PER_PAGE = 50
MAX_TESTED_SYSTEMS = 20
TEST_SAMPLES = 1000
# Name, meaning and values of each setting of the form.
_SETTINGS = [
    ("format", "format of the files, if it is not recognised", [*FORMATS, *READ_ONLY]),
    ("preset", "settings to start from", [*PRESETS]),
    *(
        (row.name, row.meaning, [*row.choices])
        for row in SETTINGS.values()
        if row.name in SETTING_OPTIONS
    ),
]


def make_page(
    template: str, *, depth: int = 0, status: int = 200, **values: object
) -> HTMLResponse:
    """Make a page whose address is `depth` levels below the first page."""
    # The style element starts with a line break, which its hash includes.
    style = "\n" + read_asset("style.css") + read_asset("serve.css")
    script = read_script("serve.js")
    text = render_template(
        f"serve/templates/{template}",
        style=Markup(style[1:]),
        script=Markup(script),
        home="../" * depth or "./",
        depth=depth,
        version=VERSION,
        settings=_SETTINGS,
        format_size=format_size,
        **values,
    )
    policy = f"{build_policy(style, script, connects=True)}; frame-ancestors 'none'"
    return HTMLResponse(text, status, headers={"Content-Security-Policy": policy})


def make_home_page(
    store: Store,
    limits: Limits,
    *,
    submitter: str = "",  # the holder of a submit-only token
    before: int | None = None,  # the number of a run
    waiting: int = 0,
) -> HTMLResponse:
    """Show the form, the leaderboards and the list of runs."""
    runs = store.list_runs(owner=submitter, before=before, limit=RUNS_PER_PAGE + 1)
    return make_page(
        "home.html",
        title="corefkit",
        submitter=submitter,
        is_first=before is None,
        limits=limits,
        corpora=store.list_corpora(),
        waiting=waiting,
        runs=[(run, describe_best(run)) for run in runs[:RUNS_PER_PAGE]],
        older=runs[RUNS_PER_PAGE - 1].number if len(runs) > RUNS_PER_PAGE else None,
        database=store.path.name,
    )


def make_run_page(run: StoredRun, *, submitter: str = "") -> HTMLResponse:
    """Show the scores and the settings of a run."""
    rejected = [
        Refused(
            response.name, CorefkitError(response.reason, code="pairing/nothing-scored")
        )
        for response in run.responses
        if not response.scores
    ]
    page = build_score_page(read_results(run), refused=rejected)
    return make_page(
        "run.html",
        depth=1,
        title=run.title,
        run=run,
        submitter=submitter,
        scores=Markup(render_html(page)),
    )


def add_back_links(report: bytes, run: StoredRun) -> bytes:
    """Insert links to the pages of the server into a stored report."""
    links = render_template("serve/templates/back_links.html", run=run)
    return report.replace(b"<header>", b"<header>" + links.encode("utf-8"), 1)


class Entry(NamedTuple):
    run: StoredRun
    response: StoredResponse
    result: StoredScores
    position: int  # among the scored responses of the run


def make_board_page(
    runs: Sequence[StoredRun], store: Store, limits: Limits, *, sort: str | None = None
) -> HTMLResponse:
    """Show the leaderboard of a key, whose runs are sorted from the latest."""
    latest = runs[0]
    # Scores with the same signature on the same documents are comparable.
    groups: dict[tuple[str, str], list[Entry]] = {}
    for run in runs:
        scored = [response for response in run.responses if response.scores]
        results = read_results(run)
        for position, (response, result) in enumerate(
            zip(scored, results, strict=True)
        ):
            group = groups.setdefault((result.signature, response.corpus), [])
            group.append(Entry(run, response, result, position))
    labels = list_differences([signature for signature, _ in groups])
    boards = []
    for ((_, corpus), entries), label in zip(groups.items(), labels, strict=True):
        title = f"Responses with {label}" if label else "Responses"
        if corpus != latest.corpus:
            title += ", on some of the documents only"
        boards.append({"title": title, **_describe_board(entries, store, sort)})
    return make_page(
        "key.html",
        depth=1,
        title=f"Leaderboard: {latest.key_name}",
        latest=latest,
        boards=boards,
        rejected=[
            (run, response)
            for run in runs
            for response in run.responses
            if not response.scores
        ],
        limits=limits,
    )


def list_differences(signatures: Sequence[str]) -> list[str]:
    """Return the settings of each signature that the others do not share."""
    settings = [signature.split("|") for signature in signatures]
    shared = set(settings[0]).intersection(*settings) if settings else set()
    return [
        ", ".join(field.replace(":", " ", 1) for field in fields if field not in shared)
        for fields in settings
    ]


def _describe_board(
    entries: list[Entry], store: Store, sort: str | None
) -> dict[str, Any]:
    """Compute the values of one table: a row for each file, from its latest run."""
    latest: dict[str, Entry] = {}
    for entry in entries:
        latest.setdefault(entry.response.file, entry)
    results = [entry.result for entry in latest.values()]
    order = _choose_order(results, sort)
    placed, ranking = rank_results(results, order)
    of_result = {id(entry.result): entry for entry in latest.values()}
    ordered = [of_result[id(result)] for result in placed]
    ranks = _rank_by_test(
        store, tuple((entry.run.number, entry.position) for entry in ordered), order
    )
    metrics = {
        name: label for result in placed for name, label in result.labels.items()
    }
    rows = []
    for entry, rank in zip(ordered, ranks or ranking.ranks, strict=True):
        scores = entry.result.scores
        cells = [make_score_cell(scores.get(name)) for name in metrics]
        cells.append(make_percent_cell(entry.result.conll))
        rows.append((entry, "" if rank is None else rank, cells))
    return {
        "caption": name_statistic(placed),
        "heads": [(name, shorten_label(label)) for name, label in metrics.items()]
        + [("conll", "CoNLL")],
        "sort": order.metric,
        "signature": placed[0].signature,
        "tested": ranks is not None,
        "rows": rows,
        "history": _draw_history(entries, order),
    }


def _choose_order(results: Sequence[StoredScores], sort: str | None) -> Order:
    names = list(dict.fromkeys(name for result in results for name in result.scores))
    has_mean = any(result.conll is not None for result in results)
    try:
        return parse_order(sort or ("conll" if has_mean else names[0]), names)
    except SettingsError as error:
        raise RequestError(400, error.message, hint=error.hint) from error


@lru_cache(maxsize=256)  # runs do not change
def _rank_by_test(
    store: Store, systems: tuple[tuple[int, int], ...], order: Order
) -> tuple[int, ...] | None:
    """Return 1 + the number of significantly better systems; None if untestable."""
    if not 1 < len(systems) <= MAX_TESTED_SYSTEMS:
        return None
    try:
        responses = {
            str(rank): _read_document_scores(store, number)[position]
            for rank, (number, position) in enumerate(systems)
        }
        comparison = compare(
            None, responses, metrics=order.metric, samples=TEST_SAMPLES
        )
        ranks = {
            result.name: result.rank for result in comparison[order.metric].systems
        }
    except (CorefkitError, LookupError):
        return None
    return tuple(ranks[name] for name in responses)


@lru_cache(maxsize=64)
def _read_document_scores(store: Store, number: int) -> list[StoredScores]:
    scores = store.read_scores(number) or b""
    return parse_stored(scores, name="", place=f"run {number}")


def _draw_history(entries: Sequence[Entry], order: Order) -> list[Markup]:
    """Draw the scores of each system that was submitted more than once."""
    rows: dict[str, list[tuple[str, tuple[Range]]]] = {}
    for run, response, result, _ in reversed(entries):  # the oldest first
        score = order.number(result)
        if score is not None and isfinite(score):
            row = (f"{run.title}, {run.made[:10]}", (Range(0, 100 * score),))
            rows.setdefault(response.name, []).append(row)
    label = order.label([entry.result for entry in entries])
    return [
        Markup(render_html([Ranges(f"{name}: {label}", tuple(history))]))
        for name, history in rows.items()
        if len(history) > 1
    ]


def read_results(run: StoredRun) -> list[StoredScores]:
    return [
        _parse_result(response.scores, response.name, run.number)
        for response in run.responses
        if response.scores
    ]


@lru_cache(maxsize=4096)
def _parse_result(scores: str, name: str, number: int) -> StoredScores:
    (result,) = parse_stored(scores.encode("utf-8"), name=name, place=f"run {number}")
    return result


def describe_best(run: StoredRun) -> str:
    """Return the highest CoNLL score of a run and the name of its response."""
    scores = [
        (result.conll, result.response)
        for result in read_results(run)
        if result.conll is not None
    ]
    if not scores:
        return ""
    best, name = max(scores)
    text = f"CoNLL {100 * best:.2f}"
    return text if len(scores) == 1 else f"{text} ({name})"
