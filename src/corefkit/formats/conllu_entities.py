"""Entities in the MISC column of CoNLL-U, as in CorefUD and GUM: read and written.

`docs/formats/conllu.md` defines the annotation; these rules add to it:

-   `# global.Entity` also applies to later documents. Fields without a meaning, `other`
    included, are attributes of the same name.
-   Trailing values may be missing, and empty values are not attributes. All mentions
    close in their document.
-   Part i belongs to the mention of its entity that waits for it, and to the one that
    began last if there are several. All parts have the same spelling of the number of
    parts (`2` is not `02`). The values of the first part count. There is no gap between
    adjacent parts.
-   In ids and values, `%2D %28 %29 %7C %20 %09 %0A %0D %25` are hyphen, brackets, bar,
    blank, tab, line ends and per cent; in ids also `%2C %3A %3C %5B %5D` comma, colon,
    less-than and square brackets. Names of fields can have any ASCII character as a
    code. Other codes are kept as they are.
-   From the second mention on with the same id that begins with `NOCOREF`, `#2`, `#3`
    ... is appended to the id.
-   Positions of `head` and `minspan` do not count gaps. The default head is the first
    word whose HEAD is not a token of the mention in the same sentence, else the first
    word, or the first empty node if there are no words.
-   `Split=` is the same as `SplitAnte=`. If several mentions of an entity open at the
    token of `Bridge=`, the first is the anaphor; the relation is optional.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right, insort
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from corefkit.exceptions import quoted
from corefkit.formats import problems as kinds
from corefkit.formats.brackets import (
    TEXTS,
    OpenBrackets,
    Part,
    format_brackets,
    format_entity,
)
from corefkit.model import Bridge, Entity, Mention

if TYPE_CHECKING:
    from collections.abc import (
        Callable,
        Container,
        Iterable,
        Iterator,
        Mapping,
        Sequence,
    )

    from corefkit.formats.brackets import Bracket
    from corefkit.formats.problems import Faults
    from corefkit.model import Document

_ITEMS = ("Entity=", "Bridge=", "SplitAnte=", "Split=")
_SPECIAL_FIELDS = {"eid": "id", "GRP": "id", "head": "head", "minspan": "minimum"}
_TYPE_FIELDS = ("etype", "entity")
_DEFAULT_FIELDS = "eid-etype-head-other"
_PART = re.compile(r"(.*)\[([0-9]{1,99})/([0-9]{1,99})\]", re.DOTALL)
_POSITION = re.compile("[0-9]{1,9}")
_BRACKET_HINT = "'(e5' opens a mention of e5, 'e5)' closes it"


def split_misc(misc: str) -> tuple[list[str], str]:
    """Split MISC into the items about entities and the rest."""
    annotation: list[str] = []
    remainder: list[str] = []
    for item in misc.split("|"):
        (annotation if item.startswith(_ITEMS) else remainder).append(item)
    return annotation, "|".join(remainder) or "_"


class PercentCode:
    """Codes such as `%2D` for `special` characters; those in `codes` are decoded.

    >>> VALUE.encode("in-law (100%)"), VALUE.decode(VALUE.encode("%2D"))
    ('in%2Dlaw%20%28100%%29', '%2D')
    """

    def __init__(self, special: str, codes: str) -> None:
        # A per cent sign is only encoded if it would be read as the start of a code.
        pattern = f"[{re.escape(special)}]|%(?={codes})"
        self._special = re.compile(pattern, re.IGNORECASE)
        self._code = re.compile(f"%({codes})", re.IGNORECASE)

    def encode(self, text: str) -> str:
        return self._special.sub(lambda match: f"%{ord(match[0]):02X}", text)

    def decode(self, text: str) -> str:
        if "%" not in text:
            return text
        return self._code.sub(lambda match: chr(int(match[1], 16)), text)


def _list_codes(characters: str) -> str:
    return "|".join(f"{ord(character):02X}" for character in f"%{characters}")


_SPECIAL = "-()| \t\n\r"
_SPECIAL_IN_IDS = f"{_SPECIAL},<[]"
_ID_CODES = _list_codes(f"{_SPECIAL_IN_IDS}:")
VALUE = PercentCode(_SPECIAL, _list_codes(_SPECIAL))
# A colon ends an id in a link only, so other ids are more legible with plain colons.
ID = PercentCode(_SPECIAL_IN_IDS, _ID_CODES)
LINK = PercentCode(f"{_SPECIAL_IN_IDS}:", _ID_CODES)
FIELD = PercentCode(_SPECIAL, "[0-7][0-9A-F]")


def encode_field(name: str) -> str:
    """Encode the name of a field, so that it has no special meaning."""
    if name in (*_SPECIAL_FIELDS, *_TYPE_FIELDS):
        return f"%{ord(name[0]):02X}{name[1:]}"
    return FIELD.encode(name)


class Fields(NamedTuple):
    """The positions of the values of an opening bracket; -1 if there is no such value.

    >>> Fields.parse("eid-etype-head-other")
    Fields(id=0, head=2, minimum=-1, attributes=((1, 'type'), (3, 'other')), size=4)
    """

    id: int  # of the entity
    head: int
    minimum: int
    attributes: tuple[tuple[int, str], ...]  # the other positions, with names
    size: int

    @classmethod
    def parse(cls, declaration: str) -> Fields:
        names = declaration.strip(" \t").split("-")
        special: dict[str, int] = {}
        attributes = []
        for position, name in enumerate(names):
            if name in _SPECIAL_FIELDS:
                special.setdefault(_SPECIAL_FIELDS[name], position)
            else:
                attribute = "type" if name in _TYPE_FIELDS else FIELD.decode(name)
                attributes.append((position, attribute))
        return cls(
            id=special.get("id", -1),
            head=special.get("head", -1),
            minimum=special.get("minimum", -1),
            attributes=tuple(attributes),
            size=len(names),
        )


@dataclass(slots=True, eq=False)
class _MentionParts:
    """A mention while its brackets are read."""

    number: int  # of mentions that opened before
    id: str
    fields: Fields
    values: list[str]  # of the first bracket
    total: str  # the number of parts, as it is written
    line: int
    bounds: list[int] = field(default_factory=list)  # first and last token of each part

    @property
    def next_part(self) -> int:
        return len(self.bounds) // 2 + 1

    def list_tokens(self) -> Sequence[int]:
        starts, ends = self.bounds[::2], self.bounds[1::2]
        if len(starts) == 1:
            return range(starts[0], ends[0] + 1)
        parts = (range(start, end + 1) for start, end in zip(starts, ends, strict=True))
        return sorted(set().union(*parts))


class EntityParser:
    """Parses the annotation of a document token by token, then builds its entities."""

    def __init__(self, faults: Faults) -> None:
        self.fields: Fields | None = None  # declared ones of opening brackets
        self.faults = faults
        self._mentions: list[_MentionParts] = []
        # By the label as it is written, so that parts close by their number.
        self._open = OpenBrackets[_MentionParts](
            faults, label=lambda label: format_entity(ID.decode(label))
        )
        # By id, number of parts as it is written, and next part.
        self._waiting: dict[tuple[str, str, int], list[int]] = {}
        # Values of `Bridge` and `SplitAnte`, each with its token and line.
        self._bridges: list[tuple[str, int, int]] = []
        self._splits: list[tuple[str, int, int]] = []

    def parse_misc(self, misc: str, token: int, line: int) -> str:
        """Parse the items of MISC about entities, and return the rest of it."""
        items, remainder = split_misc(misc)
        for item in items:
            key, _, value = item.partition("=")
            if key == "Entity":
                self.parse_brackets(TEXTS.split_cell(value), token, line)
            else:
                links = self._bridges if key == "Bridge" else self._splits
                links.append((value, token, line))
        return remainder

    def parse_brackets(
        self, brackets: Iterable[Bracket], token: int, line: int
    ) -> None:
        if self.fields is None:
            message = "Entity annotation without '# global.Entity'"
            hint = f"name the values first, as in '# global.Entity = {_DEFAULT_FIELDS}'"
            self.faults(line, message, hint, kind=kinds.INVALID_HEADER)
            self.fields = Fields.parse(_DEFAULT_FIELDS)
        for text, opens, closes in brackets:
            label: str | None = text
            if opens:
                label = self._open_bracket(text, self.fields, token, line)
            if closes and label is not None:
                self._close_bracket(label, token, line)
            elif not opens and not closes:
                message, kind = (
                    f"{quoted(text)} has no bracket",
                    kinds.INVALID_ANNOTATION,
                )
                self.faults(line, message, _BRACKET_HINT, kind=kind)

    def _open_bracket(
        self, text: str, fields: Fields, token: int, line: int
    ) -> str | None:
        """Open a mention or a part; return its label, or None if it is invalid."""
        values, position = text.split("-"), max(0, fields.id)
        label = values[position] if position < len(values) else ""
        name, part, total = label, 1, "1"
        if label[-1:] == "]" and (match := _PART.fullmatch(label)):
            name, part, total = match[1], int(match[2]), match[3]
        if not name:
            self._report_missing_id(line)
            return None
        if len(values) > fields.size:
            values_text = f"{len(values)} values, expected {fields.size} or fewer"
            message = f"{format_entity(name)} has {values_text}"
            hint = "'# global.Entity' names the fields; a hyphen in a value is '%2D'"
            self.faults(line, message, hint, kind=kinds.INVALID_ANNOTATION)
        if "%" in text:
            name, values = ID.decode(name), list(map(VALUE.decode, values))
        if part == 1 and int(total) >= 1:
            number = len(self._mentions)
            mention = _MentionParts(number, name, fields, values, total, line)
            self._mentions.append(mention)
        elif waiting := self._waiting.get((name, total, part)):
            mention = self._mentions[waiting.pop()]
        else:
            message = f"part [{part}/{total}] of {format_entity(name)} is out of order"
            hint = "parts are numbered [1/2], [2/2]; each closes before the next opens"
            self.faults(line, message, hint, kind=kinds.INCOMPLETE_MENTION)
            return None
        mention.bounds.append(token)
        self._open.open(label, line, mention)
        return label

    def _close_bracket(self, label: str, token: int, line: int) -> None:
        if not label:
            self._report_missing_id(line)
        elif mention := self._open.close(label, line):
            mention.bounds.append(token)
            if mention.next_part <= int(mention.total):
                key = mention.id, mention.total, mention.next_part
                insort(self._waiting.setdefault(key, []), mention.number)

    def _report_missing_id(self, line: int) -> None:
        message = "a bracket has no entity id"
        self.faults(line, message, _BRACKET_HINT, kind=kinds.MISSING_ID)

    def build_entities(
        self, last_line: int, find_head: Callable[[Sequence[int]], int]
    ) -> tuple[tuple[Entity, ...], tuple[Bridge, ...]]:
        """Build entities and bridges after the last line of the document.

        `find_head` finds the head of a mention without `head` by its tokens.
        """
        self._open.report_open(last_line)
        rows: dict[str, list[Mention]] = {}  # by the ids of entities
        openings: dict[tuple[int, str], Mention] = {}  # by first token and id
        counts: dict[str, int] = {}
        for parts in filter(self._is_complete, self._mentions):
            mention = self._build_mention(parts, find_head)
            is_separate = parts.id.startswith("NOCOREF")
            name = make_unique(parts.id, counts) if is_separate else parts.id
            rows.setdefault(name, []).append(mention)
            openings.setdefault((mention.start, parts.id), mention)
        splits: dict[str, dict[str, None]] = {}
        for value, _, line in self._splits:
            for antecedent, anaphor, _ in self._parse_links(
                "SplitAnte", value, line, rows
            ):
                splits.setdefault(anaphor, {})[antecedent] = None
        entities = tuple(
            Entity(name, tuple(mentions), tuple(splits.get(name, ())))
            for name, mentions in rows.items()
        )
        bridges: list[Bridge] = []
        for value, token, line in self._bridges:
            for antecedent, anaphor, relation in self._parse_links(
                "Bridge", value, line, rows
            ):
                if bridging := openings.get((token, anaphor)):
                    bridges.append(Bridge(bridging, antecedent, None, relation))
                    continue
                entity = format_entity(anaphor)
                message = f"'Bridge' of {entity}, which does not open here"
                hint = "put it on the first token of the bridging mention"
                self.faults(line, message, hint, kind=kinds.UNKNOWN_ID)
        return entities, tuple(bridges)

    def _is_complete(self, parts: _MentionParts) -> bool:
        if len(parts.bounds) % 2:
            return False
        if parts.next_part <= int(parts.total):
            missing = f"part [{parts.next_part}/{parts.total}] is missing"
            message = f"mention of {format_entity(parts.id)} begins here, but {missing}"
            hint = "a mention has all its parts"
            self.faults(parts.line, message, hint, kind=kinds.INCOMPLETE_MENTION)
            return False
        return True

    def _build_mention(
        self, parts: _MentionParts, find_head: Callable[[Sequence[int]], int]
    ) -> Mention:
        fields, values, tokens = parts.fields, parts.values, parts.list_tokens()
        heads = self._parse_positions("head", fields.head, parts, tokens)
        listed = self._parse_positions("minspan", fields.minimum, parts, tokens)
        minimum = (min(listed), max(listed)) if listed else None
        if fields.head < 0:
            heads = listed
        head = heads[0] if heads else find_head(tokens)
        attributes = {
            name: values[position]
            for position, name in fields.attributes
            if position < len(values) and values[position]
        }
        if isinstance(tokens, range):
            return Mention(tokens[0], tokens[-1], (), head, minimum, attributes)
        return Mention.of(tokens, head=head, minimum=minimum, attributes=attributes)

    def _parse_positions(
        self, name: str, position: int, parts: _MentionParts, tokens: Sequence[int]
    ) -> list[int]:
        """Return the tokens at the positions in a value; report invalid positions."""
        text = parts.values[position] if 0 <= position < len(parts.values) else ""
        if not text:
            return []
        selected = []
        for item in [text] if name == "head" else text.split(","):
            if _POSITION.fullmatch(item) and 1 <= int(item) <= len(tokens):
                selected.append(tokens[int(item) - 1])
                continue
            message = f"{name} {quoted(item)} is not a position in the mention"
            hint = f"expected a number from 1 to {len(tokens)}"
            self.faults(parts.line, message, hint, kind=kinds.INVALID_SPAN)
        return selected

    def _parse_links(
        self, key: str, value: str, line: int, entity_ids: Container[str]
    ) -> Iterator[tuple[str, str, str]]:
        """Yield the valid links of an item: antecedent, anaphor and relation."""
        for text in value.split(","):
            antecedent, _, anaphor = text.partition("<")
            relation = ""
            if key == "Bridge":
                anaphor, _, relation = anaphor.partition(":")
            antecedent, anaphor = ID.decode(antecedent), ID.decode(anaphor)
            unknown = [name for name in (anaphor, antecedent) if name not in entity_ids]
            message = ""
            if not antecedent or not anaphor:
                message = f"{quoted(text)} is not a link, expected 'antecedent<anaphor'"
            elif antecedent == anaphor:
                message = f"{format_entity(anaphor)} is linked to itself"
            elif unknown:
                message = f"{format_entity(unknown[0])} has no mention in the document"
            if message:
                hint = "as in 'SplitAnte=e3<e7,e4<e7' or 'Bridge=e3<e7:part'"
                self.faults(line, f"{key}: {message}", hint, kind=kinds.BROKEN_LINK)
            if antecedent not in ("", anaphor) and anaphor in entity_ids:
                yield antecedent, anaphor, ID.decode(relation)


def make_unique(name: str, counts: dict[str, int]) -> str:
    """Return a name that was not returned before; `counts` is updated."""
    unique = name
    while unique in counts:
        counts[name] += 1
        unique = f"{name}#{counts[name]}"
    counts[unique] = 1
    return unique


def choose_fields(document: Document) -> dict[str, str]:
    """Return the fields that a document needs after `eid`, with their attributes."""
    mentions = list(chain.from_iterable(document.entities))
    names = dict.fromkeys(name for mention in mentions for name in mention.attributes)
    fields = {"etype": "type", "head": ""}
    if any(mention.minimum is not None for mention in mentions):
        fields["minspan"] = ""
    return fields | {encode_field(name): name for name in names if name != "type"}


def format_annotation(
    document: Document, fields: Mapping[str, str]
) -> dict[int, list[str]]:
    """Format the items of MISC about entities, by token."""
    counts: dict[str, int] = {}
    names = [make_unique(entity.id or "_", counts) for entity in document.entities]
    parts = list(_iter_parts(document, names, fields))
    splits = (
        (entity.mentions[0].start, f"{ID.encode(antecedent)}<{ID.encode(name)}")
        for entity, name in zip(document, names, strict=True)
        for antecedent in (entity.split if entity.mentions else ())
    )
    values: dict[int, dict[str, list[str]]] = {}
    for key, row in (
        ("Bridge", _format_bridges(document, names)),
        ("Entity", format_brackets(parts, singles_inside=True).items()),
        ("SplitAnte", splits),
    ):
        for token, text in row:
            values.setdefault(token, {}).setdefault(key, []).append(text)
    return {
        token: [f"{key}={','.join(texts)}" for key, texts in items.items()]
        for token, items in values.items()
    }


def _format_bridges(
    document: Document, names: Sequence[str]
) -> Iterator[tuple[int, str]]:
    # Equal mentions can be in several entities, so the object itself takes precedence.
    owners: dict[object, str] = {}
    for entity, name in zip(document.entities, names, strict=True):
        for mention in entity:
            owners.setdefault(id(mention), name)
            owners.setdefault(mention, name)
    for anaphor, antecedent, _, relation in document.bridges:
        owner = owners.get(id(anaphor)) or owners.get(anaphor)
        if owner is not None:
            suffix = f":{ID.encode(relation)}" if relation else ""
            link = f"{LINK.encode(antecedent)}<{LINK.encode(owner)}{suffix}"
            yield anaphor.start, link


def _iter_parts(
    document: Document, names: Sequence[str], fields: Mapping[str, str]
) -> Iterator[Part]:
    keeps_order = _is_in_order(document)
    for number, (entity, name) in enumerate(zip(document, names, strict=True)):
        totals = _spell_totals(entity.mentions)
        for order, mention in enumerate(entity):
            values, spans = _format_values(mention, fields), mention.parts
            for part, (start, end) in enumerate(spans, 1):
                label = ID.encode(name)
                if order in totals:
                    total = totals[order]
                    label += f"[{part if part < len(spans) else total}/{total}]"
                rank = (number, order) if keeps_order and part == 1 else None
                yield Part(start, end, f"{label}{values}", label, rank)


def _format_values(mention: Mention, fields: Mapping[str, str]) -> str:
    span = range(mention.start, mention.end + 1)
    tokens = mention.tokens if mention.gaps else span
    head = None if mention.head is None else (mention.head, mention.head)
    special = {"head": head, "minspan": mention.minimum}
    values = (
        _format_positions(special[field], tokens)
        if field in special
        else VALUE.encode(mention.attributes.get(name, ""))
        for field, name in fields.items()
    )
    return "".join(f"-{value}" for value in values).rstrip("-")


def _format_positions(span: tuple[int, int] | None, tokens: Sequence[int]) -> str:
    """Format the positions of a span among the tokens of a mention, from 1."""
    if span is None:
        return ""
    first, last = bisect_left(tokens, span[0]) + 1, bisect_right(tokens, span[1])
    return ",".join(map(str, sorted({first, last}))) if first <= last else ""


def _spell_totals(mentions: Sequence[Mention]) -> dict[int, str]:
    """Spell numbers of parts; those of overlapping mentions differ in leading zeros."""
    totals: dict[int, str] = {}
    overlapping: list[int] = []
    numbers = [number for number, mention in enumerate(mentions) if mention.gaps]
    for number in sorted(numbers, key=lambda number: mentions[number].start):
        start = mentions[number].start
        overlapping = [item for item in overlapping if mentions[item].end >= start]
        used = {totals[item] for item in overlapping}
        total = str(len(mentions[number].parts))
        while total in used:
            total = f"0{total}"
        totals[number] = total
        overlapping.append(number)
    return totals


def _is_in_order(document: Document) -> bool:
    """Return whether brackets can keep the order of entities and of their mentions."""
    rows = [entity.mentions for entity in document.entities if entity.mentions]
    orders: list[list[tuple[int, ...]]] = [[(row[0].start,) for row in rows]]
    for row in rows:
        orders.append([(mention.start,) for mention in row])
        # Of mentions that open at the same token, the one that closes last opens first.
        orders.append(
            [
                (mention.start, -mention.end)
                for mention in row
                if not mention.gaps and mention.start < mention.end
            ]
        )
    return all(order == sorted(order) for order in orders)
