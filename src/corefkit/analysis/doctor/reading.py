"""Both sides read as well as they can be, whatever is wrong with them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from corefkit.analysis.doctor.case import Case
from corefkit.exceptions import CorefkitError, FormatError
from corefkit.formats import read
from corefkit.formats.inputs import open_inputs

if TYPE_CHECKING:
    from collections.abc import Callable

    from corefkit.formats.inputs import Input
    from corefkit.formats.source import Source
    from corefkit.model import Document
    from corefkit.settings import Settings


class _Side(NamedTuple):
    documents: tuple[Document, ...]
    error: CorefkitError | None  # the first thing that is wrong with it


def read_case(
    key: Input, response: Input, *, format: str | None, settings: Settings
) -> Case:
    """Read both sides; what cannot be read is mended, and the error is kept.

    Raises:
        CorefkitError: a side cannot be opened at all.
    """
    reference = settings.reads_as_reference
    if not isinstance(key, str | os.PathLike):
        # Beside documents, mentions of the response are spans, as here.
        key = list(read(key))
    try:
        sides = _read(key, response, format=format, reference=reference)
    except FormatError as error:
        # The reference scorer finds documents in files that end too soon.
        if reference:
            raise
        try:
            sides = _read(key, response, format=format, reference=True)
        except CorefkitError:
            raise error from None
        ours, theirs = sides
        if not ours.documents or not theirs.documents:
            raise
        if ours.error is None and theirs.error is None:
            sides = _blamed(sides, error, key)
    return Case(
        inputs=(key, response),
        names=(_name(key, "key"), _name(response, "response")),
        format=format,
        key=sides[0].documents,
        response=sides[1].documents,
        errors=(sides[0].error, sides[1].error),
        settings=settings,
    )


def _blamed(
    sides: tuple[_Side, _Side], error: CorefkitError, key: Input
) -> tuple[_Side, _Side]:
    """Keep an error with the side whose file it names."""
    ours, theirs = sides
    if (error.place or "").startswith(_name(key, "key")):
        return ours._replace(error=error), theirs
    return ours, theirs._replace(error=error)


def _read(
    key: Input, response: Input, *, format: str | None, reference: bool
) -> tuple[_Side, _Side]:
    with open_inputs(key, [response], format=format, reference=reference) as opened:
        key_source, sources = opened
        return (
            _documents(key_source, reference=reference),
            _documents(sources[0], reference=reference),
        )


def _documents(source: Source, *, reference: bool) -> _Side:
    mend: Callable[[int], Document] = getattr(source, "mended", source.document)
    numbers = range(len(source.ids))
    if not reference:
        try:
            source.columns(numbers)
        except FormatError:
            pass
        else:
            # Where nothing is wrong, it reads the same in a third of the time.
            return _Side(tuple(map(mend, numbers)), None)
    documents: list[Document] = []
    first: CorefkitError | None = None
    for number in numbers:
        try:
            documents.append(source.document(number))
        except FormatError as error:
            first = first or error
            documents.append(mend(number))
    return _Side(tuple(documents), first)


def _name(given: Input, role: str) -> str:
    return os.fspath(given) if isinstance(given, str | os.PathLike) else role
