"""The MISC column of CoNLL-U, token by token: brackets to mentions, and links.

The rules are those in `corefkit.formats.conllu.conllu`, and for brackets those in
`corefkit.formats.brackets`.
"""

from __future__ import annotations

import re
from bisect import insort
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from corefkit.exceptions import quoted
from corefkit.formats.brackets import TEXTS, OpenBrackets, entity_label
from corefkit.formats.conllu.codes import ID, NAME, VALUE, parted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from corefkit.formats.brackets import Bracket
    from corefkit.formats.faults import Faults

_USUAL = "eid-etype-head-other"
_PART = re.compile(r"(.*)\[([0-9]{1,99})/([0-9]{1,99})\]", re.DOTALL)


class Fields(NamedTuple):
    """Which value of an opening bracket is what; -1 where none is.

    >>> Fields.declared("eid-etype-head-other")
    Fields(id=0, head=2, minimum=-1, attributes=((1, 'type'), (3, 'other')), size=4)
    """

    id: int  # the entity's id
    head: int  # the head's position
    minimum: int  # the positions of the minimum
    attributes: tuple[tuple[int, str], ...]  # the other values, and their names
    size: int  # how many there are

    @classmethod
    def declared(cls, declaration: str) -> Fields:
        """Read what stands behind `# global.Entity =`."""
        special = {"eid": "id", "GRP": "id", "head": "head", "minspan": "minimum"}
        types = {"etype": "type", "entity": "type"}
        names = declaration.strip(" \t").split("-")
        places: dict[str, int] = {}
        attributes = []
        for place, name in enumerate(names):
            if name in special:
                places.setdefault(special[name], place)
            else:
                attributes.append((place, types.get(name) or NAME.plain(name)))
        head, minimum = places.get("head", -1), places.get("minimum", -1)
        return cls(places.get("id", -1), head, minimum, tuple(attributes), len(names))


@dataclass(slots=True, eq=False)
class FoundMention:
    """A mention while its brackets are being found."""

    number: int  # how many began before it
    id: str
    fields: Fields
    values: list[str]  # those of its first bracket
    total: str  # how many parts it has, as written
    line: int  # where it begins
    bounds: list[int] = field(default_factory=list)  # where parts begin and end

    @property
    def parts(self) -> int:
        """How many of its parts are closed."""
        return len(self.bounds) // 2

    @property
    def tokens(self) -> Sequence[int]:
        """The tokens of all parts."""
        starts, ends = self.bounds[::2], self.bounds[1::2]
        if len(starts) == 1:
            return range(starts[0], ends[0] + 1)
        parts = (range(start, end + 1) for start, end in zip(starts, ends, strict=True))
        return sorted(set().union(*parts))


class Link(NamedTuple):
    """The value of an item `SplitAnte` or `Bridge`, and where it stands."""

    value: str
    token: int
    line: int


class Annotation:
    """What the MISC column of a document says about entities."""

    def __init__(self, faults: Faults) -> None:
        self.fields: Fields | None = None  # of opening brackets, as declared last
        self.splits: list[Link] = []  # the items `SplitAnte` and `Split`
        self.bridges: list[Link] = []  # the items `Bridge`
        self._faults = faults
        self._begun: list[FoundMention] = []
        # By the label as written, so that parts close by their number.
        self._open = OpenBrackets[FoundMention](
            faults, label=lambda label: entity_label(ID.plain(label))
        )
        # By id, number of parts as written, and the part that is waited for.
        self._waiting: dict[tuple[str, str, int], list[int]] = {}

    def read(self, misc: str, token: int, line: int) -> str:
        """Read what MISC says about entities, and return the rest of it."""
        items, rest = parted(misc)
        for item in items:
            key, _, value = item.partition("=")
            if key == "Entity":
                self.read_brackets(TEXTS.brackets(value), token, line)
            else:
                links = self.bridges if key == "Bridge" else self.splits
                links.append(Link(value, token, line))
        return rest

    def read_brackets(self, brackets: Iterable[Bracket], token: int, line: int) -> None:
        """Read the brackets of a token."""
        if self.fields is None:
            message = "Entity annotation without '# global.Entity'"
            hint = (
                f"name the values below '# newdoc', as in '# global.Entity = {_USUAL}'"
            )
            self._faults(line, message, hint)
            self.fields = Fields.declared(_USUAL)
        for text, opens, closes in brackets:
            label = self._opened(text, self.fields, token, line) if opens else text
            if closes and label is not None:
                self._close(label, token, line)
            elif not opens and not closes:
                hint = "'(e5' opens a mention, 'e5)' closes it"
                self._faults(line, f"{quoted(text)} has no bracket", hint)

    def mentions(self, last_line: int) -> list[FoundMention]:
        """Return the mentions that are whole, once all of the document is read."""
        self._open.finish(last_line)
        return [found for found in self._begun if self._is_whole(found)]

    def _opened(self, text: str, fields: Fields, token: int, line: int) -> str | None:
        """Open a mention or a part of one, and return its label; None if it cannot."""
        values, place = text.split("-"), max(0, fields.id)
        label = values[place] if place < len(values) else ""
        name, part, total = label, 1, "1"
        if label[-1:] == "]" and (match := _PART.fullmatch(label)):
            name, part, total = match[1], int(match[2]), match[3]
        if not name:
            self._tell_no_id(line)
            return None
        if len(values) > fields.size:
            found_values = f"{len(values)} values for {fields.size} fields"
            hint = "'# global.Entity' names the fields; a hyphen in a value is '%2D'"
            self._faults(line, f"{entity_label(name)} has {found_values}", hint)
        if "%" in text:
            name, values = ID.plain(name), list(map(VALUE.plain, values))
        if part != 1 or int(total) < 1:
            found = self._waiting_for(name, part, total, line)
        else:
            number = len(self._begun)
            found = FoundMention(number, name, fields, values, total, line)
            self._begun.append(found)
        if found is None:
            return None
        found.bounds.append(token)
        self._open.open(label, line, found)
        return label

    def _waiting_for(
        self, name: str, part: int, total: str, line: int
    ) -> FoundMention | None:
        """Find the mention that a later part belongs to; None if there is none."""
        if waiting := self._waiting.get((name, total, part)):
            return self._begun[waiting.pop()]
        if 1 < part <= int(total):
            problem = f" opens here, but no part [{part - 1}/{total}] was closed before"
            hint = "the parts of a mention stand in order, each closed before the next"
        else:
            problem, hint = ": no such part can be", "parts are [1/2], [2/2]"
        message = f"part [{part}/{total}] of {entity_label(name)}{problem}"
        self._faults(line, message, hint)
        return None

    def _close(self, label: str, token: int, line: int) -> None:
        if not label:
            self._tell_no_id(line)
        elif found := self._open.close(label, line):
            found.bounds.append(token)
            part = found.parts + 1
            if part <= int(found.total):
                key = found.id, found.total, part
                insort(self._waiting.setdefault(key, []), found.number)

    def _tell_no_id(self, line: int) -> None:
        hint = "'(e5' opens a mention of e5, 'e5)' closes it"
        self._faults(line, "a bracket has no entity id", hint)

    def _is_whole(self, found: FoundMention) -> bool:
        if len(found.bounds) % 2:
            return False
        if found.parts < int(found.total):
            missing = f"[{found.parts + 1}/{found.total}]"
            message = f"mention of {entity_label(found.id)} begins here and lacks"
            hint = "a mention has all its parts"
            self._faults(found.line, f"{message} {missing}", hint)
            return False
        return True
