"""The leaderboard of a key: all responses of all runs against it, ranked.

Scores are ranked together where they can be compared: the same settings, and the same
documents of the key. A response that several runs have is shown once for each of these,
from the latest of the runs.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from corefkit.exceptions import SettingsError
from corefkit.results.score_table import (
    Order,
    make_percent_cell,
    make_score_cell,
    name_statistic,
    parse_order,
    rank_results,
    shorten_label,
)
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
from corefkit.serve.pages.numbers import results_of, size_of
from corefkit.serve.pages.tables import link, table
from corefkit.serve.values import Refusal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefkit.results.score_table import Ranking
    from corefkit.results.stored_results import StoredScores
    from corefkit.serve.limits import Limits
    from corefkit.serve.values import Run, Upload
    from corefkit.tables.model import Cell

_ABOUT = (
    "A rank is no claim that one system is better. Tick two or more responses, add new "
    "ones if you like, and the report tests which differences are more than chance."
)


class Entry(NamedTuple):
    """A response of a leaderboard."""

    run: Run
    file: Upload
    result: StoredScores
    corpus: str


def entries(runs: Sequence[Run]) -> dict[tuple[str, str], list[Entry]]:
    """Sort responses by what they can be compared in: settings, and what was scored.

    Args:
        runs: those against one key, the latest first.
    """
    found: dict[tuple[str, str], dict[str, Entry]] = {}
    for run in runs:
        scored = [
            (file, one)
            for file, one in zip(run.asked.responses, run.systems, strict=True)
            if one.scores
        ]
        for (file, one), result in zip(scored, results_of(run), strict=True):
            board = found.setdefault((result.signature, one.corpus), {})
            board.setdefault(file.hash, Entry(run, file, result, one.corpus))
    return {kind: [*board.values()] for kind, board in found.items()}


def key_page(runs: Sequence[Run], limits: Limits, *, by: str | None = None) -> Written:
    """Write the leaderboard of a key.

    Args:
        runs: those against the key, the latest first.
        limits: what the form says.
        by: what to rank by; the CoNLL mean, if it was computed, unless given.
    """
    latest, *_ = runs
    boards = [
        section(title, *_board(board, by))
        for title, board in zip(*_titled(entries(runs), latest.corpus), strict=True)
    ]
    intro = Markup(f"{paragraph(size_of(latest.fingerprint))}{paragraph(_ABOUT)}")
    form = section("New report against this key", new_run(limits, like=latest.asked))
    name = latest.asked.key.name
    return framed(f"Leaderboard: {name}", [*boards, form], depth=1, intro=intro)


def _titled(
    boards: dict[tuple[str, str], list[Entry]], corpus: str
) -> tuple[list[str], list[list[Entry]]]:
    """Title boards by what tells them apart."""
    apart = differing([signature for signature, _ in boards])
    titles = []
    for (_, scored_on), own in zip(boards, apart, strict=True):
        settings = f" with {own}" if own else ""
        part = "" if scored_on == corpus else ", on some of the documents only"
        titles.append(f"Responses{settings}{part}")
    return titles, [*boards.values()]


def differing(signatures: Sequence[str]) -> list[str]:
    """Say what of each signature not all of them have.

    >>> differing(["a:1|match:head", "a:1|match:exact", "a:1|match:head|split:score"])
    ['match head', 'match exact', 'match head, split score']
    >>> differing(["a:1"])
    ['']
    """
    fields = [signature.split("|") for signature in signatures]
    shared = set(fields[0]).intersection(*fields)
    return [
        ", ".join(field.replace(":", " ", 1) for field in own if field not in shared)
        for own in fields
    ]


def _board(board: list[Entry], by: str | None) -> list[Markup]:
    of_result = {id(entry.result): entry for entry in board}
    results = [entry.result for entry in board]
    order = _order(results, by)
    placed, ranking = rank_results(results, order)
    labels = {name: label for one in placed for name, label in one.labels.items()}
    heads: list[Markup | str] = ["", "Rank", "Response"]
    heads += [
        _head(name, shorten_label(label), order) for name, label in labels.items()
    ]
    heads += [_head("conll", "CoNLL", order), "Run", "Made"]
    rows = [
        _row(of_result[id(one)], rank, labels)
        for one, rank in zip(placed, _ranks(ranking), strict=True)
    ]
    last = len(heads) - 1
    shown = table(heads, rows, words=(0, 2, last), caption=name_statistic(placed))
    signature = element("code", text_of(placed[0].signature))
    return [shown, element("p", signature, class_="note")]


def _ranks(ranking: Ranking) -> list[str]:
    return ["" if rank is None else str(rank) for rank in ranking.ranks]


def _order(results: Sequence[StoredScores], by: str | None) -> Order:
    """Find what to rank by; refuse what no response has."""
    names = list(dict.fromkeys(name for one in results for name in one.scores))
    has_mean = any(one.conll is not None for one in results)
    try:
        return parse_order(by or ("conll" if has_mean else names[0]), names)
    except SettingsError as error:
        raise Refusal(400, error.message, hint=error.hint) from error


def _head(name: str, label: str, order: Order) -> Markup:
    """Head a column by a link that ranks by it."""
    is_order = order.metric == name
    return link(f"?sort={name}", label, aria_current="true" if is_order else None)


def _row(entry: Entry, rank: str, labels: dict[str, str]) -> list[Markup]:
    run, file, result, _ = entry
    given = {"file": file.hash, "name": f"{file.name}"}
    tick = element(
        "input",
        type="checkbox",
        data_response=json.dumps(given),
        data_run=run.number,
        aria_label=f"compare {file.name}",
    )
    scores = [_number(make_score_cell(result.scores.get(name))) for name in labels]
    return [
        tick,
        text_of(rank),
        text_of(file.name),
        *scores,
        _number(make_percent_cell(result.conll)),
        link(f"../runs/{run.number}", str(run.number)),
        moment(run.made, is_day=True),
    ]


def _number(cell: Cell) -> Markup:
    return text_of(f"{cell.text}{cell.mark}")
