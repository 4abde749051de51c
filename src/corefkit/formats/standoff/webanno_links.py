"""What the rows of WebAnno TSV say, and the entities that its links make of it.

The rules are those in `corefkit.formats.standoff.webanno`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from corefkit.exceptions import quoted
from corefkit.formats.documents import connected
from corefkit.formats.standoff.webanno_cells import SPLIT
from corefkit.model import Bridge, Entity, Mention

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from corefkit.formats.faults import Faults
    from corefkit.formats.standoff.webanno_cells import Layer

_REFERENCE = re.compile(r"([0-9.-]+)(?:\[([0-9]+)_([0-9]+)\])?")
_BRIDGE = re.compile(r"bridg(?:ing|e)?[:_]?(.*)", re.IGNORECASE | re.DOTALL)


class Row(NamedTuple):
    """A row: its line, its token's id in the file and number, and its columns."""

    line: int
    unit: str
    token: int
    cells: list[str]


class Relation(NamedTuple):
    """A relation as it is written: in a row, between spans of a layer."""

    line: int
    kind: str
    base: str
    row: str
    reference: str


@dataclass(slots=True)
class Annotation:
    """What is known of a mention while rows are read."""

    start: int
    end: int
    attributes: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Annotations:
    """What the rows say: tokens, mentions by layer and number, and what links them."""

    sentence: str = ""
    sentences: list[list[str]] = field(default_factory=list)
    tokens: dict[str, int] = field(default_factory=dict)
    lines: list[int] = field(default_factory=list)
    mentions: dict[str, Annotation] = field(default_factory=dict)
    in_row: dict[tuple[str, str], str] = field(default_factory=dict)
    relations: list[Relation] = field(default_factory=list)
    chains: dict[tuple[str, str], list[str]] = field(default_factory=dict)

    def cover(self, name: str, layer: Layer, row: Row) -> dict[str, str]:
        """Let a mention cover the token of a row; return its attributes."""
        mention = self.mentions.setdefault(name, Annotation(row.token, row.token))
        mention.end = max(mention.end, row.token)
        self.in_row.setdefault((layer.name, row.unit), name)
        return mention.attributes


def linked(
    found: Annotations, faults: Faults
) -> tuple[tuple[Entity, ...], tuple[Bridge, ...]]:
    """Join the mentions to entities, and find what bridges them."""
    links: list[Sequence[str]] = list(found.chains.values())
    bridges: list[tuple[str, str, str]] = []
    for relation in found.relations:
        ends = _ends(found, relation, faults)
        if ends is None:
            continue
        bridge = _BRIDGE.fullmatch(relation.kind)
        if bridge is None:
            links.append(ends)
        else:
            bridges.append((bridge[1], *ends))
    mentions = {
        name: Mention(row.start, row.end, attributes=row.attributes)
        for name, row in found.mentions.items()
    }
    order = sorted(mentions.items(), key=lambda row: (row[1].start, -row[1].end))
    groups = connected([name for name, _ in order], links)
    number = {name: row for row, names in enumerate(groups, 1) for name in names}
    splits: dict[int, set[int]] = {}
    for kind, source, target in bridges:
        if kind.lower() == SPLIT and number[source] != number[target]:
            splits.setdefault(number[source], set()).add(number[target])
    entities = tuple(
        Entity(
            str(row),
            tuple(mentions[name] for name in names),
            tuple(map(str, sorted(splits.get(row, ())))),
        )
        for row, names in enumerate(groups, 1)
    )
    return entities, _bridges(entities, bridges, mentions, number)


def _ends(
    found: Annotations, relation: Relation, faults: Faults
) -> tuple[str, str] | None:
    """Find the mentions that a relation comes from and leads to."""
    match = _REFERENCE.fullmatch(relation.reference)
    row, source, target = match.groups() if match else ("", "", "")
    ends = []
    for unit, number in ((row, source), (relation.row, target)):
        name = found.in_row.get((relation.base, unit), "")
        if number and int(number[:15]):
            name = f"{relation.base}[{number}]"
        ends.append(name)
    if all(name in found.mentions for name in ends):
        return ends[0], ends[1]
    message = f"the relation with {quoted(relation.reference)} has no mention there"
    hint = "expected 'sentence-token[number of the other_number of this]'"
    faults(relation.line, message, hint)
    return None


def _bridges(
    entities: Sequence[Entity],
    bridges: Sequence[tuple[str, str, str]],
    mentions: Mapping[str, Mention],
    number: Mapping[str, int],
) -> tuple[Bridge, ...]:
    # Of mentions of the same tokens the first is meant, as in writing.
    first: dict[Mention, Mention] = {}
    inside: dict[tuple[int, Mention], Mention] = {}
    for row, entity in enumerate(entities, 1):
        for mention in entity:
            first.setdefault(mention, mention)
            inside.setdefault((row, mention), mention)
    made = []
    for kind, source, target in bridges:
        if kind.lower() != SPLIT:
            anaphor = first[mentions[source]]
            mention = inside[number[target], mentions[target]]
            made.append(Bridge(anaphor, str(number[target]), mention, kind))
    return tuple(sorted(made, key=lambda bridge: bridge.mention or bridge.anaphor))
