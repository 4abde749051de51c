"""A score explained: the computation step by step, as the papers walk through it.

The numbers are exact fractions and end in those of the score. Each metric has a file
with its steps; `walks` has the table of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

from corefkit.analysis.explain.documents import opened, readings
from corefkit.analysis.explain.telling import (
    noted,
    told_document,
    told_together,
    underlined,
)
from corefkit.analysis.explain.walks import WALKS, chosen_walk
from corefkit.formats.memory.partitions import UNNAMED
from corefkit.settings import Keywords, Settings, names_settings, settings_from
from corefkit.strings.escaping import for_terminal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corefkit.analysis.explain.telling import Told
    from corefkit.formats.inputs import Input
    from corefkit.metrics.base import Metric

__all__ = ["WALKS", "explain", "walk_through"]


@names_settings
def explain(
    key: Input,
    response: Input,
    *,
    metric: str | Metric,
    document: str | None = None,
    format: str | None = None,
    **keywords: Unpack[Keywords],
) -> str:
    """Show how a score comes about, step by step.

    Args:
        key: as for `corefkit.score`.
        response: likewise.
        metric: the name of a metric, or `conll`.
        document: the id of the document to explain, or a part of it; all if not given.
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
    return "\n".join(
        walk_through(
            key,
            response,
            metric=metric,
            settings=settings_from(**keywords),
            document=document,
            format=format,
        )
    )


def walk_through(
    key: Input,
    response: Input,
    *,
    metric: str | Metric,
    settings: Settings,
    document: str | None = None,
    format: str | None = None,
) -> Iterator[str]:
    """Give the lines of `explain`, one document after the other.

    >>> lines = walk_through(["ab"], ["ab"], metric="muc", settings=Settings())
    >>> next(lines)
    'MUC: response against key'
    """
    lines = _walk(
        key,
        response,
        metric=metric,
        settings=settings,
        document=document,
        format=format,
    )
    yield from map(for_terminal, lines)


def _walk(
    key: Input,
    response: Input,
    *,
    metric: str | Metric,
    settings: Settings,
    document: str | None,
    format: str | None,
) -> Iterator[str]:
    chosen = chosen_walk(metric)
    with opened(
        key, response, document=document, settings=settings, format=format
    ) as run:
        names = run.response.source.name, run.key.source.name
        yield f"{chosen.label}: {names[0]} against {names[1]}"
        yield f"Source: {chosen.source}"
        yield from noted(run.pairing_notes)
        told: list[Told] = []
        for reading in readings(run):
            if reading.settings.by_characters:
                settings = reading.settings
            told.append(told_document(chosen, reading, settings))
            yield ""
            if reading.id != UNNAMED:
                yield from underlined(for_terminal(f"Document {reading.id}"))
            yield from told[-1].lines
            told[-1].lines.clear()
        warned = noted(run.warnings, called="warning")
    if len(told) != 1:
        yield ""
        yield from told_together(chosen, told, settings)
    if warned:
        yield ""
        yield from warned
    yield ""
    yield settings.signature
