"""From the MISC column of CoNLL-U to mentions, entities and bridges.

`Annotation` takes in MISC token by token, and gives at the end what all of it says. The
rules are those in `corefkit.formats.conllu.conllu`.
"""

from __future__ import annotations

import re
from bisect import insort
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from corefkit.exceptions import quoted
from corefkit.formats.conllu.codes import ID, NAME, VALUE, parted, unused
from corefkit.model import Bridge, Entity, Mention

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from corefkit.formats.faults import Faults

_USUAL = "eid-etype-head-other"
# Every character of a value is in one of its pieces.
_PIECE = re.compile(r"\([^()]*\)?|[^()]*\)|[^()]+")
_PART = re.compile(r"(.*)\[([0-9]{1,99})/([0-9]{1,99})\]", re.DOTALL)
_POSITION = re.compile("[0-9]{1,9}")

FindHead: TypeAlias = "Callable[[Sequence[int]], int]"


class Fields(NamedTuple):
    """Which value of an opening bracket is what; -1 where none is.

    Attributes:
        id: the entity's id.
        head: the head's position.
        minimum: the positions of the minimum.
        attributes: the other values, and their names.
        size: how many there are.

    >>> Fields.declared("eid-etype-head-other")
    Fields(id=0, head=2, minimum=-1, attributes=((1, 'type'), (3, 'other')), size=4)
    """

    id: int
    head: int
    minimum: int
    attributes: tuple[tuple[int, str], ...]
    size: int

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


class Annotation:
    """What the MISC column of a document says of entities.

    Attributes:
        fields: the fields of opening brackets, as declared last.
    """

    def __init__(self, report: Faults) -> None:
        self.fields: Fields | None = None
        self._report = report
        self._token = self._line = 0  # where reading stands
        self._begun: list[_Found] = []
        # By the label as spelled, so that parts close by their number.
        self._open: dict[str, list[_Found]] = {}
        # By id, number of parts as spelled, and the part that is waited for.
        self._waiting: dict[tuple[str, str, int], list[int]] = {}
        self._splits: list[_Link] = []
        self._bridges: list[_Link] = []

    def read(self, misc: str, token: int, line: int) -> str:
        """Take in what MISC says of entities, and give the rest of it."""
        self._token, self._line = token, line
        items, rest = parted(misc)
        for item in items:
            key, _, value = item.partition("=")
            if key == "Entity":
                self._brackets(value, self.fields or self._usual_fields())
            else:
                links = self._bridges if key == "Bridge" else self._splits
                links.append(_Link(value, token, line))
        return rest

    def finished(
        self, last_line: int, head: FindHead
    ) -> tuple[tuple[Entity, ...], tuple[Bridge, ...]]:
        """Give the entities and bridges, once all of the document is read.

        Args:
            last_line: where the document ends.
            head: finds the head of a mention by its tokens, where the file has none.
        """
        whole = [found for found in self._begun if self._is_whole(found, last_line)]
        mentions = [_mention(found, head, self._report) for found in whole]
        entities = _Entities(whole, mentions, self._report)
        return entities.with_splits(self._splits), entities.bridges(self._bridges)

    def _usual_fields(self) -> Fields:
        message = "Entity annotation without '# global.Entity'"
        hint = f"name the values below '# newdoc', as in '# global.Entity = {_USUAL}'"
        self._report(self._line, message, hint)
        self.fields = Fields.declared(_USUAL)
        return self.fields

    def _brackets(self, value: str, fields: Fields) -> None:
        for piece in _PIECE.findall(value):
            text = piece.strip("()")
            opens, closes = piece[0] == "(", piece[-1] == ")"
            label = self._opened(text, fields) if opens else text
            if closes and label is not None:
                self._close(label)
            elif not opens and not closes:
                hint = "'(e5' opens a mention, 'e5)' closes it"
                self._report(self._line, f"{quoted(text)} has no bracket", hint)

    def _opened(self, text: str, fields: Fields) -> str | None:
        """Open a mention or a part of one, and give its label; None if it cannot be."""
        values, place = text.split("-"), max(0, fields.id)
        label = values[place] if place < len(values) else ""
        name, part, total = label, 1, "1"
        if label[-1:] == "]" and (match := _PART.fullmatch(label)):
            name, part, total = match[1], int(match[2]), match[3]
        if not name:
            self._no_id()
            return None
        if len(values) > fields.size:
            given = f"{len(values)} values for {fields.size} fields"
            hint = "'# global.Entity' names the fields; a hyphen in a value is '%2D'"
            self._report(self._line, f"entity {_shown(name)} has {given}", hint)
        if "%" in text:
            name, values = ID.plain(name), list(map(VALUE.plain, values))
        if part != 1 or int(total) < 1:
            found = self._waiting_for(name, part, total)
        else:
            number = len(self._begun)
            found = _Found(number, name, fields, values, total, self._line)
            self._begun.append(found)
        if found is None:
            return None
        found.opened = self._line
        found.bounds.append(self._token)
        self._open.setdefault(label, []).append(found)
        return label

    def _waiting_for(self, name: str, part: int, total: str) -> _Found | None:
        """Find the mention that a later part belongs to; None if there is none."""
        if waiting := self._waiting.get((name, total, part)):
            return self._begun[waiting.pop()]
        if 1 < part <= int(total):
            problem = f" opens here, but no part [{part - 1}/{total}] was closed before"
            hint = "the parts of a mention stand in order, each closed before the next"
        else:
            problem, hint = ": no such part can be", "parts are [1/2], [2/2]"
        message = f"part [{part}/{total}] of entity {_shown(name)}{problem}"
        self._report(self._line, message, hint)
        return None

    def _close(self, label: str) -> None:
        if not label:
            self._no_id()
        elif stack := self._open.get(label):
            found = stack.pop()
            found.bounds.append(self._token)
            part = found.parts + 1
            if part <= int(found.total):
                key = found.id, found.total, part
                insort(self._waiting.setdefault(key, []), found.number)
        else:
            message = f"entity {_shown(label)} closes here but was not opened"
            self._report(self._line, message, "a mention closes in its own document")

    def _no_id(self) -> None:
        hint = "'(e5' opens a mention of e5, 'e5)' closes it"
        self._report(self._line, "a bracket has no entity id", hint)

    def _is_whole(self, found: _Found, last_line: int) -> bool:
        if len(found.bounds) % 2:
            message = f"entity {_shown(found.id)} opens here and is never closed"
            hint = f"the document ends at line {last_line}"
            self._report(found.opened, message, hint)
            return False
        if found.parts < int(found.total):
            message = f"mention of entity {_shown(found.id)} begins here and lacks"
            missing = f"[{found.parts + 1}/{found.total}]"
            hint = "a mention has all its parts"
            self._report(found.line, f"{message} {missing}", hint)
            return False
        return True


def _shown(name: str) -> str:
    return name if name.isprintable() and len(name) <= 80 else quoted(name)


@dataclass(slots=True, eq=False)
class _Found:
    """A mention while its brackets are being found."""

    number: int  # how many began before it
    id: str
    fields: Fields
    values: list[str]  # those of its first bracket
    total: str  # how many parts it has, as spelled
    line: int  # where it begins
    opened: int = 0  # the line where its last part opens
    bounds: list[int] = field(default_factory=list)  # where parts begin and end

    @property
    def parts(self) -> int:
        """How many of its parts are closed."""
        return len(self.bounds) // 2

    @property
    def tokens(self) -> Sequence[int]:
        """The tokens of all parts."""
        bounds = iter(self.bounds)
        rows = [range(start, next(bounds) + 1) for start in bounds]
        return rows[0] if len(rows) == 1 else sorted(set().union(*rows))


def _mention(found: _Found, find_head: FindHead, report: Faults) -> Mention:
    fields, values, tokens = found.fields, found.values, found.tokens
    heads = _positions("head", fields.head, found, tokens, report)
    least = _positions("minspan", fields.minimum, found, tokens, report)
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
    name: str, place: int, found: _Found, tokens: Sequence[int], report: Faults
) -> list[int]:
    """Give the tokens whose positions a value lists; what is none is reported."""
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
        report(found.line, f"{name} {problem}", hint)
    return row


class _Link(NamedTuple):
    """The value of an item `SplitAnte` or `Bridge`, and where it stands."""

    value: str
    token: int
    line: int


class _Entities:
    """The entities of a document, in the order in which they begin."""

    def __init__(
        self, found: Sequence[_Found], mentions: Sequence[Mention], report: Faults
    ) -> None:
        self._report = report
        self._rows: dict[str, list[tuple[Mention, int]]] = {}  # with their lines
        self._openings: dict[tuple[int, str], Mention] = {}
        used: dict[str, int] = {}
        for one, mention in zip(found, mentions, strict=True):
            alone = one.id.startswith("NOCOREF")
            name = unused(one.id, used) if alone else one.id
            self._rows.setdefault(name, []).append((mention, one.line))
            self._openings.setdefault((mention.start, one.id), mention)
        for name, rows in self._rows.items():
            if len(rows) > 1:
                self._check_nesting(name, rows)
                self._check_types(name, rows)

    def with_splits(self, links: Iterable[_Link]) -> tuple[Entity, ...]:
        """Give the entities with their split antecedents."""
        splits: dict[str, dict[str, None]] = {}
        for link in links:
            for antecedent, anaphor, _ in self._read("SplitAnte", link):
                splits.setdefault(anaphor, {})[antecedent] = None
        return tuple(
            Entity(name, tuple([one for one, _ in rows]), tuple(splits.get(name, ())))
            for name, rows in self._rows.items()
        )

    def bridges(self, links: Iterable[_Link]) -> tuple[Bridge, ...]:
        """Give the bridging anaphors."""
        bridges = []
        for link in links:
            for antecedent, anaphor, relation in self._read("Bridge", link):
                mention = self._openings.get((link.token, anaphor))
                if mention is not None:
                    bridges.append(Bridge(mention, antecedent, None, relation))
                    continue
                entity = f"entity {_shown(anaphor)}, which does not open here"
                hint = "it stands on the first token of the mention that bridges"
                self._report(link.line, f"'Bridge' of {entity}", hint)
        return tuple(bridges)

    def _read(self, kind: str, link: _Link) -> Iterator[tuple[str, str, str]]:
        """Go through the links of an item: antecedent, anaphor and relation."""
        for text in link.value.split(","):
            antecedent, _, anaphor = text.partition("<")
            relation = ""
            if kind == "Bridge":
                anaphor, _, relation = anaphor.partition(":")
            names = ID.plain(antecedent), ID.plain(anaphor)
            message, usable = self._judged(text, *names)
            if message:
                hint = "as in 'SplitAnte=e3<e7,e4<e7' or 'Bridge=e3<e7:part'"
                self._report(link.line, f"{kind}: {message}", hint, fatal=False)
            if usable:
                yield *names, ID.plain(relation)

    def _judged(self, text: str, antecedent: str, anaphor: str) -> tuple[str, bool]:
        """Say what is wrong with a link, and whether it can be used even so."""
        if not antecedent or not anaphor:
            return f"{quoted(text)} is no link, expected 'antecedent<anaphor'", False
        if antecedent == anaphor:
            return f"entity {_shown(anaphor)} is linked to itself", False
        for name, usable in ((anaphor, False), (antecedent, True)):
            if name not in self._rows:
                return f"entity {_shown(name)} has no mention in the document", usable
        return "", True

    def _check_nesting(self, name: str, rows: Iterable[tuple[Mention, int]]) -> None:
        """Report mentions inside another of their entity, but not in a gap of it."""
        (widest, _), *others = sorted(rows, key=lambda row: (row[0].start, -row[0].end))
        for mention, line in others:
            if mention.end > widest.end:
                widest = mention
            elif mention != widest and not any(
                start <= mention.start and mention.end <= end
                for start, end in widest.gaps
            ):
                span = f"tokens {widest.start} to {widest.end}"
                nested = f"lies inside another mention of it, {span}"
                message = f"a mention of entity {_shown(name)} {nested}"
                hint = "can a thing be a part of itself? check the brackets"
                self._report(line, message, hint, fatal=False)

    def _check_types(self, name: str, rows: Iterable[tuple[Mention, int]]) -> None:
        """Report where an entity gets another type than it had first."""
        lines: dict[str, int] = {}
        for mention, line in rows:
            if kind := mention.attributes.get("type"):
                lines.setdefault(kind, line)
        for kind in islice(lines, 1, None):
            other = f"is {quoted(kind)} here and another type before"
            hint = f"its first type stands in line {min(lines.values())}"
            message = f"entity {_shown(name)} {other}"
            self._report(lines[kind], message, hint, fatal=False)
