"""Why a score is not 100%: what each entity costs, and where its mentions are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.analysis.explain.layout import listed
from corefkit.analysis.explain.numbers import formatted, percent, total
from corefkit.analysis.explain.scene import parts
from corefkit.report.walk.values import Line, Rows, joined

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from corefkit.analysis.explain.names import Names
    from corefkit.analysis.explain.numbers import Lost, Quotient
    from corefkit.analysis.explain.scene import Part
    from corefkit.report.walk.values import Text, Told

_ENTITIES = 8  # of each side; what the others cost is added up
_PARTS = 6
_OTHERS = {"K": "the response", "R": "the key"}
_HEADS = ("entity", "costs", "because")


def reasons(names: Names, quotient: Quotient, name: str) -> Iterator[Told]:
    """Say which entities keep a quotient from being 1, those that cost most first."""
    lost, whole = quotient.lost, quotient.denominator.value
    if lost is None or not whole:
        return
    entities = [entity for entity, amount in enumerate(lost.amounts) if amount]
    if not entities:
        yield Line(f"{name} is 100%: nothing is lost.")
        return
    entities.sort(key=lambda entity: -lost.amounts[entity])
    written, others = entities[:_ENTITIES], entities[_ENTITIES:]
    yield Rows(
        [
            (
                lost.side.name(entity),
                _points(lost.amounts[entity], whole),
                because(names, lost, entity),
            )
            for entity in written
        ],
        _HEADS,
        f"{name} is {percent(quotient.value)}, not 100%:",
    )
    if others:
        rest = _points(total(lost.amounts[entity] for entity in others), whole)
        yield Line(f"… {len(others)} more {lost.side.letter} cost {rest}.")


def because(names: Names, lost: Lost, entity: int) -> Text:
    """Say where the mentions of an entity are on the other side, and where not."""
    pieces = parts(lost.side, lost.other, entity)
    together = [part for part in pieces if part.other is not None]
    lacking = [part.mentions[0] for part in pieces if part.other is None]
    said: list[Text] = []
    if lost.aligned is not None:
        said.append(_partner(lost, entity))
    if not together:
        none = f"{_OTHERS[lost.side.letter]} has none of its mentions: "
        said.append((none, names.listing(lacking)))
    else:
        said += _where(names, lost, entity, together, whole=not lacking)
        if lacking:
            lacks = f"{_OTHERS[lost.side.letter]} lacks "
            said.append((lacks, names.listing(lacking)))
    return joined(said, "; ")


def _partner(lost: Lost, entity: int) -> Text:
    partner = (lost.aligned or {}).get(entity)
    if partner is None:
        return "it has no partner"
    return "its partner is ", lost.other.name(partner)


def _where(
    names: Names, lost: Lost, entity: int, together: list[Part], *, whole: bool
) -> list[Text]:
    """Say in which entities of the other side the mentions are."""
    if len(together) == 1 and whole:
        home = together[0].other or 0
        own = set(lost.side.entities[entity])
        strangers = [one for one in lost.other.entities[home] if one not in own]
        if not strangers:
            return []
        name = lost.other.name(home)
        return [("it lies in ", name, ", which also has ", names.listing(strangers))]
    kept = together[:_PARTS]
    places: list[Text] = [
        (names.braced(part.mentions), " in ", lost.other.name(part.other or 0))
        for part in kept
    ]
    text = listed(places, left_out=len(together) - len(kept))
    if len(together) == 1:
        return [("of its mentions, only ", text)]
    divided = "it is divided: " if lost.side.letter == "K" else "it mixes entities: "
    return [(divided, text)]


def _points(amount: Fraction, whole: Fraction) -> str:
    exact = f"{formatted(amount)} of {formatted(whole)}"
    return f"{100 * float(amount / whole):.2f} points ({exact})"
