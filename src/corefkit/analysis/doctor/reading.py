"""Both sides read as well as they can be, whatever is wrong with them."""

from __future__ import annotations

import os
from itertools import accumulate, takewhile
from typing import TYPE_CHECKING, NamedTuple

from corefkit.analysis.doctor.case import Case, paired
from corefkit.exceptions import CorefkitError, FormatError
from corefkit.formats import read
from corefkit.formats.inputs import open_inputs

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from corefkit.formats.inputs import Input
    from corefkit.formats.source import Source
    from corefkit.model import Document
    from corefkit.settings import Settings


_LARGE = 1 << 24  # bytes of a key of which the first documents are read
_ENOUGH = 1 << 22  # bytes of documents that are read then


class _Side(NamedTuple):
    documents: tuple[Document, ...]
    error: CorefkitError | None  # the first thing that is wrong with it
    numbers: Sequence[int]  # that the documents have there
    many: int  # documents that there are


def read_case(
    key: Input,
    response: Input,
    *,
    format: str | None,
    settings: Settings,
    sample: bool = False,
) -> Case:
    """Read both sides; what cannot be read is mended, and the error is kept.

    Of large files in which all documents have partners, `sample` reads the first ones.

    Raises:
        CorefkitError: a side cannot be opened at all.
    """
    # What is no file may be there only once, and cannot be read again as a whole.
    sampled = settings if sample and _is_file(key) and _is_file(response) else None
    if not isinstance(key, str | os.PathLike):
        # Beside documents, mentions of the response are spans, as here.
        key = list(read(key))
    sides = _sides(key, response, format=format, settings=settings, sampled=sampled)
    return Case(
        inputs=(key, response),
        names=(_name(key, "key"), _name(response, "response")),
        format=format,
        key=sides[0].documents,
        response=sides[1].documents,
        errors=(sides[0].error, sides[1].error),
        settings=settings,
        numbers=(sides[0].numbers, sides[1].numbers),
        documents=(sides[0].many, sides[1].many),
    )


def _sides(
    key: Input,
    response: Input,
    *,
    format: str | None,
    settings: Settings,
    sampled: Settings | None,
) -> tuple[_Side, _Side]:
    """Read both sides, as the reference scorer does where there is no other way."""
    reference = settings.reads_as_reference
    try:
        return _read(key, response, format=format, reference=reference, sampled=sampled)
    except FormatError as error:
        # The reference scorer finds documents in files that end too soon.
        if reference:
            raise
        try:
            sides = _read(key, response, format=format, reference=True)
        except CorefkitError:
            raise error from None
        if not all(side.documents for side in sides):
            raise
        whole = all(side.error is None for side in sides)
        return _blamed(sides, error, key) if whole else sides


def _is_file(given: Input) -> bool:
    return isinstance(given, str | os.PathLike) and os.fspath(given) != "-"


def _blamed(
    sides: tuple[_Side, _Side], error: CorefkitError, key: Input
) -> tuple[_Side, _Side]:
    """Keep an error with the side whose file it names."""
    ours, theirs = sides
    if (error.place or "").startswith(_name(key, "key")):
        return ours._replace(error=error), theirs
    return ours, theirs._replace(error=error)


def _read(
    key: Input,
    response: Input,
    *,
    format: str | None,
    reference: bool,
    sampled: Settings | None = None,
) -> tuple[_Side, _Side]:
    """Read both sides: all documents, or the first as settings pair them."""
    with open_inputs(key, [response], format=format, reference=reference) as opened:
        ours, theirs = opened[0], opened[1][0]
        first = {} if sampled is None else _first(ours, theirs, sampled)
        numbers = (
            (list(first), sorted(first.values()))
            if first
            else (range(len(ours.ids)), range(len(theirs.ids)))
        )
        return (
            _documents(ours, numbers[0], reference=reference),
            _documents(theirs, numbers[1], reference=reference),
        )


def _first(key: Source, response: Source, settings: Settings) -> dict[int, int]:
    """Choose the first documents of large files; none where all are to be read.

    Where some have no partner, only all of them tell which ones are meant.
    """
    sizes = key.sizes
    if sum(sizes) < _LARGE:
        return {}
    found = paired(key.ids, response.ids, settings)
    if not len(found) == len(key.ids) == len(response.ids):
        return {}
    before = accumulate(sizes, initial=0)
    many = sum(1 for _ in takewhile(_ENOUGH.__gt__, before))
    return {number: found[number] for number in range(min(many, len(sizes)))}


def _documents(source: Source, numbers: Sequence[int], *, reference: bool) -> _Side:
    mend: Callable[[int], Document] = getattr(source, "mended", source.document)
    many = len(source.ids)
    if not reference:
        try:
            source.columns(numbers)
        except FormatError:
            pass
        else:
            # Where nothing is wrong, it reads the same in a third of the time.
            return _Side(tuple(map(mend, numbers)), None, numbers, many)
    documents: list[Document] = []
    first: CorefkitError | None = None
    for number in numbers:
        try:
            documents.append(source.document(number))
        except FormatError as error:
            first = first or error
            documents.append(mend(number))
    return _Side(tuple(documents), first, numbers, many)


def _name(given: Input, role: str) -> str:
    return os.fspath(given) if isinstance(given, str | os.PathLike) else role
