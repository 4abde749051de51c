"""Entities and bridges of CoNLL-U, from the mentions and links in its MISC column.

The rules are those in `corefkit.formats.conllu.conllu`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

from corefkit.exceptions import quoted
from corefkit.formats.brackets import entity_label
from corefkit.formats.conllu.codes import ID, unused
from corefkit.formats.kinds import BROKEN_LINK
from corefkit.model import Bridge, Entity, Mention

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from corefkit.formats.conllu.annotation import Annotation, FoundMention, Link
    from corefkit.formats.faults import Faults

_POSITION = re.compile("[0-9]{1,9}")

FindHead: TypeAlias = "Callable[[Sequence[int]], int]"


def read_entities(
    annotation: Annotation, last_line: int, head: FindHead, faults: Faults
) -> tuple[tuple[Entity, ...], tuple[Bridge, ...]]:
    """Make entities and bridges from the annotation, once all of a document is read.

    Where the file has no head of a mention, `head` finds it by the mention's tokens.
    """
    found = annotation.mentions(last_line)
    mentions = [_mention(found_mention, head, faults) for found_mention in found]
    entities = _Entities(found, mentions, faults)
    return (
        entities.with_splits(annotation.splits),
        entities.bridges(annotation.bridges),
    )


def _mention(found: FoundMention, find_head: FindHead, faults: Faults) -> Mention:
    fields, values, tokens = found.fields, found.values, found.tokens
    heads = _positions("head", fields.head, found, tokens, faults)
    least = _positions("minspan", fields.minimum, found, tokens, faults)
    minimum = (min(least), max(least)) if least else None
    if fields.head < 0:
        heads = least
    head = heads[0] if heads else find_head(tokens)
    attributes = {
        name: values[place]
        for place, name in fields.attributes
        if place < len(values) and values[place]
    }
    if isinstance(tokens, range):
        return Mention(tokens[0], tokens[-1], (), head, minimum, attributes)
    return Mention.of(tokens, head=head, minimum=minimum, attributes=attributes)


def _positions(
    name: str, place: int, found: FoundMention, tokens: Sequence[int], faults: Faults
) -> list[int]:
    """Return the tokens whose positions a value lists; others are told as faults."""
    text = found.values[place] if 0 <= place < len(found.values) else ""
    if not text:
        return []
    row = []
    for position in [text] if name == "head" else text.split(","):
        if not _POSITION.fullmatch(position):
            problem = f"{quoted(position)} is not a position"
        elif not 1 <= int(position) <= len(tokens):
            words = f"{len(tokens)} word{'s' * (len(tokens) != 1)}"
            problem = f"{position} lies outside the mention's {words}"
        else:
            row.append(tokens[int(position) - 1])
            continue
        hint = "positions are counted from 1 in the mention"
        faults(found.line, f"{name} {problem}", hint)
    return row


class _Entities:
    """The entities of a document, in the order in which they begin."""

    def __init__(
        self, found: Sequence[FoundMention], mentions: Sequence[Mention], faults: Faults
    ) -> None:
        self._faults = faults
        self._rows: dict[str, list[Mention]] = {}
        self._openings: dict[tuple[int, str], Mention] = {}
        used: dict[str, int] = {}
        for begun, mention in zip(found, mentions, strict=True):
            alone = begun.id.startswith("NOCOREF")
            name = unused(begun.id, used) if alone else begun.id
            self._rows.setdefault(name, []).append(mention)
            self._openings.setdefault((mention.start, begun.id), mention)

    def with_splits(self, links: Iterable[Link]) -> tuple[Entity, ...]:
        """Return the entities with their split antecedents."""
        splits: dict[str, dict[str, None]] = {}
        for link in links:
            for antecedent, anaphor, _ in self._read("SplitAnte", link):
                splits.setdefault(anaphor, {})[antecedent] = None
        return tuple(
            Entity(name, tuple(rows), tuple(splits.get(name, ())))
            for name, rows in self._rows.items()
        )

    def bridges(self, links: Iterable[Link]) -> tuple[Bridge, ...]:
        """Return the bridging anaphors."""
        bridges = []
        for link in links:
            for antecedent, anaphor, relation in self._read("Bridge", link):
                mention = self._openings.get((link.token, anaphor))
                if mention is not None:
                    bridges.append(Bridge(mention, antecedent, None, relation))
                    continue
                entity = f"{entity_label(anaphor)}, which does not open here"
                hint = "it stands on the first token of the mention that bridges"
                self._faults(link.line, f"'Bridge' of {entity}", hint)
        return tuple(bridges)

    def _read(self, kind: str, link: Link) -> Iterator[tuple[str, str, str]]:
        """Yield the links of an item: antecedent, anaphor and relation."""
        for text in link.value.split(","):
            antecedent, _, anaphor = text.partition("<")
            relation = ""
            if kind == "Bridge":
                anaphor, _, relation = anaphor.partition(":")
            names = ID.plain(antecedent), ID.plain(anaphor)
            message, usable = self._judged(text, *names)
            if message:
                hint = "as in 'SplitAnte=e3<e7,e4<e7' or 'Bridge=e3<e7:part'"
                self._faults(link.line, f"{kind}: {message}", hint, kind=BROKEN_LINK)
            if usable:
                yield *names, ID.plain(relation)

    def _judged(self, text: str, antecedent: str, anaphor: str) -> tuple[str, bool]:
        """Return what is wrong with a link, and whether it can be used nevertheless."""
        if not antecedent or not anaphor:
            return f"{quoted(text)} is no link, expected 'antecedent<anaphor'", False
        if antecedent == anaphor:
            return f"{entity_label(anaphor)} is linked to itself", False
        for name, usable in ((anaphor, False), (antecedent, True)):
            if name not in self._rows:
                return f"{entity_label(name)} has no mention in the document", usable
        return "", True
