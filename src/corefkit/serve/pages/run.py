"""The page of one run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.exceptions import CorefkitError, Refused
from corefkit.results.score_table import build_score_page
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
from corefkit.serve.pages.tables import joined, link
from corefkit.tables.html import render_html

if TYPE_CHECKING:
    from corefkit.serve.values import Run

_NO_SCRIPT = "Removing a run needs JavaScript, which this browser does not run here."


def run_page(run: Run) -> Written:
    """Write the page of a run."""
    number = run.number
    refused = [
        Refused(one.name, CorefkitError(one.reason, code="pairing/nothing-scored"))
        for one in run.systems
        if not one.scores
    ]
    scores = Markup(render_html(build_score_page(results_of(run), refused=refused)))
    remove = element(
        "button",
        text_of("Remove this run"),
        type="button",
        class_="quiet",
        data_remove=f"runs/{number}",
    )
    ways = [
        link(f"{number}/report", "Open the report", class_="main"),
        link(f"{number}/report?download", "Download the report"),
        link(f"{number}/scores.json", "Download the scores"),
        link(f"../keys/{run.corpus}", "Compare with other runs: leaderboard"),
        remove,
    ]
    parts = [
        element("p", *ways, class_="ways"),
        element("noscript", paragraph(_NO_SCRIPT)),
        element("p", role="alert", id="trouble"),
        section("Scores", scores),
        section("What was scored", _facts(run)),
    ]
    return framed(f"Run {number}", parts, depth=1)


def with_way_back(report: bytes, number: int) -> bytes:
    """Add links to a report that is shown; one that is downloaded has none.

    >>> with_way_back(b"<header><h1>a</h1></header>", 7).decode()[8:79]
    '<p><a href="../../">All runs</a> <a href="../7">Run 7</a></p><h1>a</h1>'
    """
    links = joined([link("../../", "All runs"), link(f"../{number}", f"Run {number}")])
    head, header, rest = report.partition(b"<header>")
    return head + header + element("p", links).encode("utf-8") + rest


def _facts(run: Run) -> Markup:
    settings = ", ".join(
        f"{name} {value}" for name, value in run.asked.settings.items()
    )
    facts = {
        "Made": moment(run.made),
        "Key": text_of(run.asked.key.name),
        "Size": text_of(size_of(run.fingerprint)),
        "Responses": text_of(", ".join(file.name for file in run.asked.responses)),
        "Settings": text_of(settings or "as they are by default"),
        "corefkit": text_of(run.version),
    }
    rows = [
        piece
        for name, value in facts.items()
        for piece in (element("dt", text_of(name)), element("dd", value))
    ]
    return element("dl", *rows)
