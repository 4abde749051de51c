"""Lists of entities and mentions, kept short."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.analysis.explain.scene import parts, twinless
from corefkit.report.walk.values import Line, Rows, joined

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefkit.analysis.explain.scene import Partition, Scene
    from corefkit.report.walk.values import Text, Told

# What is listed before the rest is only counted.
ENTITIES = 30
_INDENT = "  "


def written_entities(
    side: Partition, other: Partition, *, smallest: int = 1
) -> list[int]:
    """Choose the entities to write out: all, or where they are many those that matter.

    An entity that both sides have just so is the first to be left out. Entities with
    fewer mentions than the smallest never are written out.
    """
    entities = _of_size(side, smallest)
    if len(entities) <= ENTITIES:
        return entities
    return [entity for entity in entities if not _same(side, other, entity)][:ENTITIES]


def entity_lines(scene: Scene) -> list[Told]:
    """List the entities of both sides."""
    lines: list[Told] = []
    last = max(max(side.numbers, default=0) for side, _ in scene.both_ways)
    width = len(f"K{last}")
    for side, other in scene.both_ways:
        chosen = written_entities(side, other)
        for entity in chosen:
            name = side.name(entity)
            label = name, " " * (width - len(name.text)), " = "
            mentions = scene.names.braced(side.entities[entity])
            lines.append(Line(mentions, label, _INDENT))
        lines += left_out_lines(side, other, chosen)
        lines += [] if side.entities else [Line(f"no {side.letter}", indent=_INDENT)]
    return lines


def twinless_lines(scene: Scene, words: tuple[str, str]) -> list[Told]:
    """List the mentions that only key or response has, under the words for each."""
    lines: list[Told] = []
    for title, sides in zip(words, scene.both_ways, strict=True):
        names = scene.names.listing(twinless(*sides)) or "none"
        lines.append(Line(names, f"{title}: ", _INDENT, later=_INDENT * 2))
    return lines


def left_out_lines(
    side: Partition, other: Partition, chosen: Sequence[int], *, smallest: int = 1
) -> list[Told]:
    """Write how many entities were left out."""
    left_out = set(_of_size(side, smallest)).difference(chosen)
    if not left_out:
        return []
    same = sum(_same(side, other, entity) for entity in left_out)
    many = f"{len(left_out)} more {side.letter}"
    text = f"… {many}, {same} of them the same on both sides"
    return [Line(text, indent=_INDENT)]


def legend(scene: Scene) -> list[Told]:
    """Explain the names that were used so far, with the entities of each mention."""
    if scene.names.own or not scene.names.used:
        return []
    cells = []
    for mention in sorted(scene.names.used):
        homes = [_entities_of(side, mention) for side, _ in scene.both_ways]
        text = scene.names.meanings[mention]
        cells.append((scene.names(mention), *homes, text + _mark(homes)))
    return [Rows(cells, ("mention", "key", "response", "words"))]


def _of_size(side: Partition, smallest: int) -> list[int]:
    return [
        entity
        for entity, mentions in enumerate(side.entities)
        if len(mentions) >= smallest
    ]


def _mark(homes: Sequence[Text]) -> str:
    in_key, in_response = homes
    if in_response == "-":
        return "  (missing)"
    return "  (spurious)" if in_key == "-" else ""


def _entities_of(side: Partition, mention: int) -> Text:
    entities = dict.fromkeys(side.where.get(mention, ()))
    return joined(map(side.name, entities), ",") or "-"


def _same(side: Partition, other: Partition, entity: int) -> bool:
    pieces = parts(side, other, entity)
    twin = pieces[0].other
    return (
        len(pieces) == 1
        and twin is not None
        and len(other.entities[twin]) == len(side.entities[entity])
    )
