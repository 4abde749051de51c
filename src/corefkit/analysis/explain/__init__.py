"""A score explained: the computation step by step, as the papers walk through it.

The numbers are exact fractions and end in those of the score. Each metric has a file
with its steps, which its row in the registry of metrics names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

from corefkit.analysis.explain.documents import opened, readings
from corefkit.analysis.explain.explained import (
    NOTHING_LEFT,
    Counted,
    are_put_together,
    explained_document,
    explained_together,
    noted,
)
from corefkit.analysis.explain.walks import chosen_walk, explained_names
from corefkit.formats.memory.partitions import UNNAMED
from corefkit.report.walk.lines import lines_of
from corefkit.report.walk.values import Title
from corefkit.settings.keywords import Keywords, names_settings, settings_from
from corefkit.strings.escaping import for_terminal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corefkit.alignment.runs import Run
    from corefkit.analysis.explain.walks import Chosen
    from corefkit.formats.inputs import Input
    from corefkit.metrics.base import Metric
    from corefkit.report.walk.values import Told
    from corefkit.settings import Settings

__all__ = ["explain", "explained_names", "walk_page", "walk_through"]


@names_settings
def explain(
    key: Input,
    response: Input,
    *,
    metric: str | Metric,
    document: str | None = None,
    as_html: bool = False,
    format: str | None = None,
    **keywords: Unpack[Keywords],
) -> str:
    """Show how a score comes about, step by step.

    Args:
        key: as for `corefkit.score`.
        response: likewise.
        metric: the name of a metric, or `conll`.
        document: the id of the document to explain, or a part of it; all if not given.
        as_html: whether to write a page for the browser, with the text beside the
            steps; of many documents, it walks through those that lose most.
        format: the format of files; recognised if not given.
        keywords: the settings, as for `corefkit.score`.

    >>> text = explain(["abc", "defg"], ["ab", "cd", "fghi"], metric="ceaf_m")
    >>> print(text)  # doctest: +ELLIPSIS
    CEAFm (φ3): response against key
    Source: Luo 2005; Pradhan et al. 2014, section 4.3
    ...
      φ3(K1,R1)  = 2  aligned  {a, b}
      φ3(K1,R2)  = 1  -        {c}
      φ3(K2,R2)  = 1  -        {d}
      φ3(K2,R3)  = 2  aligned  {f, g}
      unaligned: R2
    <BLANKLINE>
    recall    = sum of aligned φ3 / sum of φ3(K,K)
              = (2 + 2) / (3 + 4) = 4/7 = 57.14%
    precision = sum of aligned φ3 / sum of φ3(R,R)
              = (2 + 2) / (2 + 2 + 4) = 4/8 = 1/2 = 50.00%
    f1        = 2 * 4/7 * 1/2 / (4/7 + 1/2) = 8/15 = 53.33%
    ...
    """
    walked = walk_page if as_html else walk_through
    return "\n".join(
        walked(
            key,
            response,
            metric=metric,
            settings=settings_from(**keywords),
            document=document,
            format=format,
        )
    )


def walk_page(
    key: Input,
    response: Input,
    *,
    metric: str | Metric,
    settings: Settings,
    document: str | None = None,
    format: str | None = None,
    called: str | None = None,
) -> Iterator[str]:
    """Write the page of `explain`, all of it at once.

    >>> from corefkit.settings import Settings
    >>> (page,) = walk_page(["ab"], ["ab"], metric="muc", settings=Settings())
    >>> page.splitlines()[0]
    '<!DOCTYPE html>'
    """
    # Imported here because most walk-throughs are text.
    from corefkit.analysis.explain.page import explained_page
    from corefkit.report.html import html_page

    chosen = chosen_walk(metric)
    with opened(key, response, document, settings=settings, format=format) as run:
        page = explained_page(chosen, run, called, unnamed=UNNAMED)
        yield html_page(page).rstrip("\n")


def walk_through(
    key: Input,
    response: Input,
    *,
    metric: str | Metric,
    settings: Settings,
    document: str | None = None,
    format: str | None = None,
    called: str | None = None,
) -> Iterator[str]:
    """Write the lines of `explain`; the response is called by its file, or `called`.

    >>> from corefkit.settings import Settings
    >>> lines = walk_through(["ab"], ["ab"], metric="muc", settings=Settings())
    >>> next(lines)
    'MUC: response against key'
    """
    chosen = chosen_walk(metric)
    with opened(key, response, document, settings=settings, format=format) as run:
        yield from map(for_terminal, lines_of(_told(chosen, run, called)))


def _told(chosen: Chosen, run: Run, called: str | None) -> Iterator[Told]:
    settings = run.settings
    response_name = run.response.source.name if called is None else called
    yield f"{chosen.label}: {response_name} against {run.key.source.name}"
    yield f"Source: {chosen.source}"
    yield from noted(run.pairing_notes)
    documents: list[Counted] = []
    for reading in readings(run):
        if reading.settings.by_characters:
            settings = reading.settings
        explained = explained_document(chosen, reading, settings)
        documents.append(explained.counted)
        yield ""
        if reading.id != UNNAMED:
            yield Title(for_terminal(f"Document {reading.id}"))
        yield from explained.told()
    if not documents:
        yield from ("", NOTHING_LEFT)
    elif are_put_together(len(documents), settings):
        yield ""
        yield from explained_together(chosen, documents, settings).told()
    warned = noted(run.warnings, called="warning")
    if warned:
        yield ""
        yield from warned
    yield ""
    yield settings.signature
