"""The documents to walk through, from the same blocks that scores are counted on."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import TYPE_CHECKING

import numpy as np

from corefkit.alignment.blocks import one_document, referring
from corefkit.alignment.matching.pairs import Alignment
from corefkit.alignment.pipeline import aligned_blocks, opened_runs
from corefkit.analysis.errors.key_tokens import key_spans
from corefkit.analysis.explain.scene import Scene, scene_of
from corefkit.exceptions import SettingsError
from corefkit.metrics.reference import check_settings
from corefkit.metrics.reference.listed import ListedDocument, listings
from corefkit.model import Mention
from corefkit.strings.ids import canonical_id
from corefkit.strings.nearest import suggest

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefkit.alignment.blocks import AlignedBlock
    from corefkit.alignment.runs import Run
    from corefkit.formats.inputs import Input
    from corefkit.model import Document
    from corefkit.settings import Settings

_SUGGESTIONS = 10


@dataclass(frozen=True, slots=True)
class Reading:
    """One document of both sides."""

    id: str  # the key's
    scene: Scene  # with repeated mentions and such settled
    # Its entities as they are in the input, where the reference scorer counts this
    # document its own way; None where it does as others.
    as_read: Scene | None
    listed: ListedDocument | None  # the same for the reference scorer
    notes: list[str]  # what was done before it was scored
    settings: Settings  # those that its score comes from
    # Its text, where one of the sides has it.
    sentences: Sequence[Sequence[str]] = ()
    empty: Sequence[int] = ()  # the tokens that are empty nodes
    is_missing: bool = False  # the response lacks it


@contextmanager
def opened(
    key: Input,
    response: Input,
    document: str | None,
    *,
    settings: Settings,
    format: str | None,
) -> Iterator[Run]:
    """Open key and response, or only a document of them, and close them in the end."""
    if settings.scores_split:
        message = "explain does not walk through split antecedents"
        raise SettingsError(message, hint="leave them aside: --split ignore")
    with opened_runs(key, [response], settings=settings, format=format) as (run,):
        if document is not None:
            run.only(found_document(document, run.documents))
        yield run


def readings(run: Run) -> Iterator[Reading]:
    """Read the documents of both sides one after the other."""
    for _, block in aligned_blocks([run]):
        for row in range(len(block.key.numbers)):
            yield _reading(run, block, row)


def _reading(run: Run, block: AlignedBlock, row: int) -> Reading:
    number = block.key.numbers[row] or 0
    sides = block.key, block.response
    document, notes = _with_words(run, block, row), list(_settled(run, block, row))
    words = document.tokens
    settings, other = run.settings, block.other_tokens.get(row)
    by_characters = other is not None and other.characters is not None
    if other is not None:
        notes.insert(0, other.note)
        if by_characters:
            words = tuple("".join("".join(words).split()))
            settings = replace(settings, tokens="characters")
    listed = as_read = None
    if run.settings.counts_copies and any(side.copies[row] for side in sides):
        check_settings(run.settings, place=run.key.source.place(number))
        key, response = (one_document(side.read, row) for side in sides)
        ours, theirs, _ = listings(referring(key), referring(response))
        listed = ListedDocument(ours, theirs)
        as_read = scene_of(key, response, words)
    key, response = (one_document(side.settled, row) for side in sides)
    return Reading(
        run.key.source.ids[number],
        scene_of(
            key,
            response,
            words,
            alignment=_alignment(block, row),
            places=None if response.names is not None else _places(block, row),
            quotes_places=not by_characters,
        ),
        as_read,
        listed,
        notes,
        settings,
        document.sentences,
        document.empty,
        is_missing=block.response.numbers[row] is None,
    )


def _alignment(block: AlignedBlock, row: int) -> Alignment:
    """Take the alignment of one document, its mentions numbered from 0."""
    mentions = block.table.mentions
    sides = mentions.key, mentions.response
    first = [int(np.searchsorted(side.document, row)) for side in sides]
    pairs = mentions.alignment
    here = mentions.key.document[pairs.key] == row
    return Alignment(pairs.key[here] - first[0], pairs.response[here] - first[1])


def _places(block: AlignedBlock, row: int) -> tuple[list[Mention], list[Mention]]:
    """Find where the mentions of one document stand in the key's text, on each side."""
    mentions = block.table.mentions
    found = []
    for side in (mentions.key, mentions.response):
        first, last = np.searchsorted(side.document, (row, row + 1)).tolist()
        number, none = np.arange(first, last), np.full(last - first, -1)
        numbers = (number, none) if side is mentions.key else (none, number)
        start, end, gaps = key_spans(block, np.full(last - first, row), *numbers)
        bounds = zip(start.tolist(), end.tolist(), strict=True)
        found.append(
            [Mention(*bound, gaps.get(n, ())) for n, bound in enumerate(bounds)]
        )
    return found[0], found[1]


def _with_words(run: Run, block: AlignedBlock, row: int) -> Document:
    """Take the key's document, or the response's where only that has words."""
    number, partner = block.key.numbers[row] or 0, block.response.numbers[row]
    document = run.key.source.document(number)
    if not document.tokens and partner is not None:
        return run.response.source.document(partner)
    return document


def _settled(run: Run, block: AlignedBlock, row: int) -> Iterator[str]:
    """Say what was done to a document before it was scored."""
    if block.response.numbers[row] is None:
        yield "the response lacks this document: it is scored as empty"
    sides = run.settings.without_singletons
    if sides:
        whose = f" of the {sides[0]}" if len(sides) == 1 else ""
        yield f"entities of one mention{whose} are dropped"
    for name, side in (("key", block.key), ("response", block.response)):
        copies = int(side.copies[row])
        if copies and not run.settings.counts_copies:
            plural, whose = ("s", "their") if copies > 1 else ("", "its")
            repeats = f"the {name} repeats {copies} mention{plural}"
            yield f"{repeats}, kept in the first of {whose} entities"


def found_document(name: str, ids: Sequence[str]) -> int:
    """Find a document by its id, in any spelling, or by a part that only one id has.

    >>> found_document("b_1", ["(a); part 000", "(b); part 001"])
    1
    >>> found_document("b", ["(a); part 000", "(b); part 001"])
    1
    """
    spellings = (
        [document_id == name for document_id in ids],
        [canonical_id(document_id) == canonical_id(name) for document_id in ids],
        [name in document_id for document_id in ids],
    )
    for fits in spellings:
        if sum(fits) == 1:
            return fits.index(True)
    several = [document_id for document_id in ids if name in document_id]
    if several:
        message = f"{len(several)} documents have {name!r} in their id"
        near = several[:_SUGGESTIONS]
    else:
        message = f"unknown document {name!r}"
        near = get_close_matches(name, ids, n=_SUGGESTIONS, cutoff=0.0)
    raise SettingsError(message, hint=suggest(name, near))
