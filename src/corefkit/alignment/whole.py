"""Align key and response whole, to go on with their tables."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from corefkit.alignment.pipeline import aligned_blocks, opened_runs

if TYPE_CHECKING:
    from corefkit.alignment.table import Overlap
    from corefkit.formats.inputs import Input
    from corefkit.settings import Settings


@dataclass(frozen=True, slots=True)
class Aligned:
    """Key and response with their mentions aligned, and nothing counted yet.

    Attributes:
        key: what the user called the key.
        response: what the user called the response.
        documents: the ids of the documents, in the order of the key.
        tables: the overlap tables, a block of documents each.
        notes: what a user should know about the input, one sentence each.
        warnings: where mentions hardly meet, and why, one sentence each.
    """

    key: str
    response: str
    documents: tuple[str, ...]
    tables: tuple[Overlap, ...]
    notes: tuple[str, ...]
    warnings: tuple[str, ...] = ()


def aligned(
    key: Input, response: Input | None, *, settings: Settings, format: str | None = None
) -> Aligned:
    """Read key and response whole and align their mentions, as scoring does.

    All tables stay in memory; `score` takes less. Without a response the key is read,
    once, and stands for it: each mention matches itself and nothing else.

    >>> from corefkit.settings import Settings
    >>> found = aligned(["abc"], ["ab", "d"], settings=Settings())
    >>> [table.shared.tolist() for table in found.tables]
    [[2]]
    """
    responses = [] if response is None else [response]
    if not responses:
        settings = replace(settings, match="exact")
    with opened_runs(
        key, responses, settings=settings, format=format, alone=not responses
    ) as (run,):
        tables = tuple([block.table for _, block in aligned_blocks([run])])
        names = run.key.source.name, run.response.source.name
        return Aligned(*names, run.documents, tables, run.notes, run.warnings)
