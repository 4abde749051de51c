"""A check of files: one that cannot be read as it stands."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from corefkit.analysis.doctor.beyond import likely_units
from corefkit.analysis.doctor.case import Suspicion
from corefkit.analysis.doctor.spans import goes_beyond, mention_count, with_mentions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corefkit.analysis.doctor.case import Case
    from corefkit.model import Document


def broken(case: Case) -> Iterator[Suspicion]:
    """A side that cannot be read as it stands: brackets that do not pair, and the like.

    It is mended by leaving out what is wrong, and what lies beyond the text.
    """
    for side, error in enumerate(case.errors):
        if error is None:
            continue
        name = case.names[side]
        documents = case.side(side)
        outside = sum(map(goes_beyond, documents))
        read = sum(map(mention_count, documents))
        # Of what cannot be read at all, the mentions that the other side misses.
        many = outside or read or sum(map(mention_count, case.side(1 - side)))
        fix = f"`corefkit validate {name}` lists all that is wrong with it"
        units = likely_units(documents, documents) if outside else ""
        without = "; scores after are without what is wrong there" if read else ""
        yield Suspicion(
            f"the {('key', 'response')[side]} cannot be read as it stands: "
            f"{error.reason}{without}",
            f"{fix}; {units}" if units else fix,
            many,
            _without_it(case, side) if read else None,
            is_certain=True,
        )


def _without_it(case: Case, side: int) -> Case:
    errors = (None, case.errors[1]) if side == 0 else (case.errors[0], None)
    return replace(case.with_side(side, map(_inside, case.side(side))), errors=errors)


def _inside(document: Document) -> Document:
    if not goes_beyond(document):
        return document
    tokens = sum(map(len, document.sentences))
    return with_mentions(document, lambda one: one if one.end < tokens else None)
