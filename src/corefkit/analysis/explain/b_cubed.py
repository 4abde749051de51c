"""B³ step by step: what each entity keeps in each entity of the other side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.analysis.explain.layout import listed
from corefkit.analysis.explain.listing import left_out_lines, written_entities
from corefkit.analysis.explain.numbers import (
    Lost,
    Quotient,
    Term,
    added,
    exactly,
    formatted,
    number,
    total,
)
from corefkit.analysis.explain.scene import parts
from corefkit.analysis.explain.walks import Steps, Walk
from corefkit.metrics.b_cubed import credit
from corefkit.report.walk.values import Line, Rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefkit.analysis.explain.scene import Partition, Scene
    from corefkit.report.walk.values import Text

_SHARES = 4

_INTRODUCTION = (
    "Of an entity of n mentions, m that lie together in one entity of the other side "
    "are credited m/n each, m²/n together; a mention that the other side lacks gets 0."
)


def b_cubed_steps(scene: Scene, *, sides: str = "KR") -> Steps:
    """Walk through B³, entity by entity: for recall (K), for precision (R), or both."""
    cells, left_out, quotients = [], [], []
    for side, other in scene.ways(sides):
        credits = [
            _credits(side, other, entity) for entity in range(len(side.entities))
        ]
        chosen = written_entities(side, other)
        cells += [
            (side.name(entity), _shares(side, other, entity), _worked(credits[entity]))
            for entity in chosen
        ]
        left_out += left_out_lines(side, other, chosen)
        quotients.append(_quotient(side, other, credits, chosen))
    return Steps(
        [
            Line(_INTRODUCTION),
            Rows(cells, ("entity", "its mentions", "credit")),
            *left_out,
        ],
        tuple(quotients),
    )


IN_WORDS = (
    "B³ asks every mention how much of its entity is with it on the other side. The "
    "score is the mean of the answers.",
    "Recall falls where a key entity lies in several response entities: each mention "
    "then sees only the piece that it is in. A mention that the response lacks scores "
    "0.",
    "Precision falls where a response entity has mentions of several key entities, or "
    "mentions that the key lacks.",
    "A mention that is found always scores something, if only for being with itself. "
    "Large entities have many mentions and weigh most.",
)
WALK = Walk(b_cubed_steps, in_words=IN_WORDS)


def _credits(side: Partition, other: Partition, entity: int) -> list[Term]:
    size = len(side.entities[entity])
    shared = [
        part.mentions for part in parts(side, other, entity) if part.other is not None
    ]
    return [
        Term(
            exactly(credit, len(mentions), len(mentions), size),
            side.term(entity, f"{len(mentions)}²/{size}", mentions),
        )
        for mentions in shared
    ]


def _shares(side: Partition, other: Partition, entity: int) -> Text:
    kept = [part for part in parts(side, other, entity) if part.other is not None]
    if not kept:
        return "none"
    names = [
        (side.term(entity, str(len(part.mentions)), part.mentions), " in ", name)
        for part in kept
        for name in [other.name(part.other or 0)]
    ]
    return listed(names[:_SHARES], left_out=len(names[_SHARES:]))


def _worked(credits: Sequence[Term]) -> Text:
    whole = added(credits)
    return (whole.text, f" = {formatted(whole.value)}") if credits else "0"


def _quotient(
    side: Partition,
    other: Partition,
    credits: Sequence[Sequence[Term]],
    chosen: Sequence[int],
) -> Quotient:
    terms = [term for entity in credits for term in entity]
    owners = [entity for entity, some in enumerate(credits) for _ in some]
    written = set(chosen)
    whole = added(terms, [n for n, owner in enumerate(owners) if owner in written])
    lost = [
        len(mentions) - total(term.value for term in credits[entity])
        for entity, mentions in enumerate(side.entities)
    ]
    letter, others = side.letter, other.letter
    formula = f"sum of |{letter}∩{others}|²/|{letter}| / sum of |{letter}|"
    text = (f"1/{side.mentions} * (", whole.text, ")") if side.mentions else "0 / 0"
    count = number(side.mentions)
    return Quotient(whole, count, formula, text, Lost(side, other, lost))
