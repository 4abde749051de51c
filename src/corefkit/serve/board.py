"""Pages of the server: all runs, one run, the leaderboard of a key.

Each function collects the values for a template in `templates/`; the templates escape
them. The browser side is `web/src/serve.ts`.
"""

from __future__ import annotations

import json
from functools import lru_cache
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple

from markupsafe import Markup

from corefkit.analysis.compare import compare
from corefkit.exceptions import CorefkitError, Refused, SettingsError
from corefkit.formats import FORMATS, READ_ONLY
from corefkit.results.records import render_csv
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
from corefkit.serve.jobs import SETTING_OPTIONS
from corefkit.serve.store import RequestError, format_size
from corefkit.settings import PRESETS, SETTINGS, VERSION
from corefkit.tables.html import (
    build_policy,
    read_asset,
    read_script,
    render_html,
    render_template,
)
from corefkit.tables.model import Range, Ranges

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from corefkit.results.score_table import Ranking
    from corefkit.serve.store import Limits, RunRequest, Store, StoredFile, StoredRun

RUNS_PER_PAGE = 50
MAX_TESTED_SYSTEMS = 20
TEST_SAMPLES = 1000
_NOUNS = {
    "documents": ("document", "documents"),
    "words": ("word", "words"),
    "mentions": ("mention", "mentions"),
    "entities": ("entity", "entities"),
}


class RenderedPage(NamedTuple):
    """A page and its Content-Security-Policy."""

    text: str
    policy: str


def _render_page(template: str, *, depth: int = 0, **values: object) -> RenderedPage:
    """Render a page whose address is `depth` levels below the first page."""
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
        **values,
    )
    policy = f"{build_policy(style, script, connects=True)}; frame-ancestors 'none'"
    return RenderedPage(text, policy)


def render_error_page(error: CorefkitError, depth: int) -> RenderedPage:
    """Render the reason why a page cannot be shown."""
    return _render_page("message.html", depth=depth, title="Not found", error=error)


def render_home_page(
    store: Store,
    limits: Limits,
    *,
    submitter: str = "",
    before: int | None = None,
    waiting: int = 0,
) -> RenderedPage:
    """Render the form, the leaderboards and the list of runs.

    Args:
        store: the runs.
        limits: shown in the form.
        submitter: the holder of a submit-only token, who sees only their own runs.
        before: show runs with numbers below this one.
        waiting: the number of unfinished runs.
    """
    runs = store.list_runs(
        owner=submitter or None, before=before, limit=RUNS_PER_PAGE + 1
    )
    corpora = [
        {"id": corpus, "count": count, "latest": run, "size": describe_size(run)}
        for corpus, (count, run) in store.list_corpora().items()
    ]
    return _render_page(
        "home.html",
        title="corefkit",
        submitter=submitter,
        is_first=before is None,
        form=_describe_form(limits),
        corpora=corpora,
        waiting=waiting,
        runs=[(run, describe_best(run)) for run in runs[:RUNS_PER_PAGE]],
        older=runs[RUNS_PER_PAGE - 1].number if len(runs) > RUNS_PER_PAGE else None,
        database=store.path.name,
    )


def render_run_page(run: StoredRun, *, submitter: str = "") -> RenderedPage:
    """Render the scores and the settings of a run."""
    rejected = [
        Refused(
            system.name, CorefkitError(system.reason, code="pairing/nothing-scored")
        )
        for system in run.systems
        if not system.scores
    ]
    page = build_score_page(read_results(run), refused=rejected)
    return _render_page(
        "run.html",
        depth=1,
        title=run.title,
        run=run,
        submitter=submitter,
        scores=Markup(render_html(page)),
        size=describe_size(run),
    )


def render_run_csv(run: StoredRun) -> str:
    """Return the scores of a run as CSV."""
    return render_csv(read_results(run))


def add_back_links(report: bytes, run: StoredRun) -> bytes:
    """Insert links to the pages of the server into a stored report."""
    links = render_template("serve/templates/back_links.html", run=run)
    start, header, rest = report.partition(b"<header>")
    return start + header + links.encode("utf-8") + rest


class Entry(NamedTuple):
    """A response on a leaderboard."""

    run: StoredRun
    file: StoredFile
    result: StoredScores


def render_board_page(
    runs: Sequence[StoredRun], store: Store, limits: Limits, *, sort: str | None = None
) -> RenderedPage:
    """Render the leaderboard of a key.

    Args:
        runs: all runs with the key, the latest first.
        store: the runs, for the counts of documents that the test needs.
        limits: shown in the form.
        sort: the metric to rank by; the CoNLL score by default.
    """
    latest = runs[0]
    entries = group_entries(runs)
    labels = list_differences([signature for signature, _ in entries])
    boards = [
        _describe_board(board, store, label, is_part=corpus != latest.corpus, sort=sort)
        for ((_, corpus), board), label in zip(entries.items(), labels, strict=True)
    ]
    rejected = [
        (run, system.name, system.reason)
        for run in runs
        for system in run.systems
        if not system.scores
    ]
    return _render_page(
        "key.html",
        depth=1,
        title=f"Leaderboard: {latest.request.key.name}",
        latest=latest,
        size=describe_size(latest),
        boards=boards,
        rejected=rejected,
        form=_describe_form(limits, latest.request),
    )


def group_entries(
    runs: Sequence[StoredRun],
) -> dict[tuple[str, str], list[Entry]]:
    """Group scored responses by signature and by the documents that were scored.

    Scores in one group are comparable. The same name can occur several times.
    """
    boards: dict[tuple[str, str], list[Entry]] = {}
    for run in runs:
        scored = [
            (file, system)
            for file, system in zip(run.request.responses, run.systems, strict=True)
            if system.scores
        ]
        for (file, system), result in zip(scored, read_results(run), strict=True):
            group = boards.setdefault((result.signature, system.corpus), [])
            group.append(Entry(run, file, result))
    return boards


def list_differences(signatures: Sequence[str]) -> list[str]:
    """Return the settings of each signature that the others do not share.

    >>> list_differences(["a:1|match:head", "a:1|match:exact|split:score"])
    ['match head', 'match exact, split score']
    >>> list_differences(["a:1"])
    ['']
    """
    settings = [signature.split("|") for signature in signatures]
    shared = set(settings[0]).intersection(*settings)
    return [
        ", ".join(field.replace(":", " ", 1) for field in fields if field not in shared)
        for fields in settings
    ]


def _describe_board(
    entries: list[Entry], store: Store, label: str, *, is_part: bool, sort: str | None
) -> dict[str, Any]:
    """Collect the values of one table: a row for each file, from its latest run."""
    latest: dict[str, Entry] = {}
    for entry in entries:
        latest.setdefault(entry.file.hash, entry)
    of_result = {id(entry.result): entry for entry in latest.values()}
    results = [entry.result for entry in latest.values()]
    order = _choose_order(results, sort)
    placed, ranking = rank_results(results, order)
    ordered = [of_result[id(result)] for result in placed]
    ranks, tested = _rank_entries(ordered, ranking, order, store)
    metrics = {name: label for one in placed for name, label in one.labels.items()}
    return {
        "title": f"Responses{f' with {label}' if label else ''}"
        f"{', on some of the documents only' if is_part else ''}",
        "caption": name_statistic(placed),
        "heads": [(name, shorten_label(label)) for name, label in metrics.items()]
        + [("conll", "CoNLL")],
        "sort": order.metric,
        "signature": placed[0].signature,
        "tested": tested,
        "rows": [
            {
                "entry": entry,
                "rank": rank,
                "stored": f"{entry.file.hash} {entry.file.name}",
                "scores": [
                    make_score_cell(entry.result.scores.get(name)) for name in metrics
                ]
                + [make_percent_cell(entry.result.conll)],
            }
            for entry, rank in zip(ordered, ranks, strict=True)
        ],
        "history": _draw_history(entries, order),
    }


def _choose_order(results: Sequence[StoredScores], sort: str | None) -> Order:
    names = list(dict.fromkeys(name for result in results for name in result.scores))
    has_mean = any(result.conll is not None for result in results)
    try:
        return parse_order(sort or ("conll" if has_mean else names[0]), names)
    except SettingsError as error:
        raise RequestError(400, error.message, hint=error.hint) from error


def _rank_entries(
    entries: Sequence[Entry], ranking: Ranking, order: Order, store: Store
) -> tuple[list[str], bool]:
    """Rank by a significance test if the counts of all entries allow it."""
    if 1 < len(entries) <= MAX_TESTED_SYSTEMS:
        systems = tuple((entry.run.number, entry.result.response) for entry in entries)
        ranks = rank_by_test(store, systems, order.metric)
        if ranks is not None:
            return [*map(str, ranks)], True
    return ["" if rank is None else str(rank) for rank in ranking.ranks], False


@lru_cache(maxsize=256)
def rank_by_test(
    store: Store, systems: tuple[tuple[int, str], ...], metric: str
) -> tuple[int, ...] | None:
    """Return 1 + the number of significantly better systems for each system.

    Returns None if the systems cannot be compared. The result is cached, as runs do not
    change.
    """
    responses: dict[str, StoredScores] = {}
    for position, (number, name) in enumerate(systems):
        stored = _read_document_scores(store, number).get(name)
        if stored is None:
            return None
        responses[str(position)] = stored
    try:
        comparison = compare(None, responses, metrics=metric, samples=TEST_SAMPLES)
        ranks = {result.name: result.rank for result in comparison[metric].systems}
    except (CorefkitError, KeyError):
        return None
    return tuple(ranks[name] for name in responses)


@lru_cache(maxsize=64)
def _read_document_scores(store: Store, number: int) -> dict[str, StoredScores]:
    scores = store.read_scores(number)
    if scores is None:
        return {}
    names = [entry["response"] for entry in json.loads(scores)["systems"]]
    results = parse_stored(scores, name="", place=f"run {number}")
    return dict(zip(names, results, strict=True))


def _draw_history(entries: Sequence[Entry], order: Order) -> list[Markup]:
    """Draw the scores of each system that was submitted more than once."""
    by_name: dict[str, list[Entry]] = {}
    for entry in reversed(entries):  # the oldest first
        by_name.setdefault(entry.file.name, []).append(entry)
    charts = []
    for name, history in by_name.items():
        scores = [order.number(entry.result) for entry in history]
        rows = tuple(
            (f"{entry.run.title}, {entry.run.made[:10]}", (Range(0, 100 * score),))
            for entry, score in zip(history, scores, strict=True)
            if score is not None and isfinite(score)
        )
        if len(rows) > 1:
            title = f"{name}: {order.label([entry.result for entry in history])}"
            charts.append(Markup(render_html([Ranges(title, rows)])))
    return charts


def read_results(run: StoredRun) -> list[StoredScores]:
    """Parse the scores of the responses of a run."""
    return [
        _parse_result(system.scores, system.name, run.number)
        for system in run.systems
        if system.scores
    ]


@lru_cache(maxsize=4096)
def _parse_result(scores: str, name: str, number: int) -> StoredScores:
    (result,) = parse_stored(scores.encode("utf-8"), name=name, place=f"run {number}")
    return result


def describe_size(run: StoredRun) -> str:
    """Describe the size of the key, as in `1 document, 1,200 words`."""
    sizes = {name: run.fingerprint.get(name) for name in _NOUNS}
    return ", ".join(
        f"{number:,} {_NOUNS[name][number != 1]}"
        for name, number in sizes.items()
        if isinstance(number, int)
    )


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


def _describe_form(
    limits: Limits, previous: RunRequest | None = None
) -> dict[str, Any]:
    """Collect the values of the form; a previous run sets its key and settings."""
    chosen: Mapping[str, str] = {} if previous is None else previous.settings
    choices = {
        "format": ("format of the files, if it is not recognised", FORMATS, READ_ONLY),
        "preset": ("settings to start from", PRESETS),
    }
    settings = [
        (name, meaning, [value for group in groups for value in group])
        for name, (meaning, *groups) in choices.items()
    ]
    settings += [
        (row.name, row.meaning, list(row.choices))
        for row in SETTINGS.values()
        if row.name in SETTING_OPTIONS
    ]
    return {
        "limits": {"file": limits.file_bytes, "responses": limits.responses},
        "file_limit": format_size(limits.file_bytes),
        "notes_length": limits.notes_length,
        "name_length": limits.name_length,
        "key": None if previous is None else previous.key,
        "settings": settings,
        "chosen": chosen,
    }
