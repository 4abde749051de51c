"""The cells of Universal Anaphora columns: mentions, entities and bridges.

The rules are those in `corefkit.formats.ua.ua`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from corefkit.exceptions import quoted
from corefkit.formats.brackets import TEXTS, OpenBrackets
from corefkit.formats.faults import readable
from corefkit.formats.kinds import BROKEN_LINK, LEFT_OUT
from corefkit.model import Bridge, Entity, Mention

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping, Sequence

    from corefkit.formats.brackets import Bracket
    from corefkit.formats.faults import Faults

COLUMNS = (
    *("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC"),
    *("IDENTITY", "BRIDGING", "DISCOURSE_DEIXIS", "REFERENCE", "NOM_SEM"),
)
IDENTITY, BRIDGING = COLUMNS.index("IDENTITY"), COLUMNS.index("BRIDGING")
LAYER_COLUMNS = {
    name.lower(): column
    for column, name in enumerate(COLUMNS)
    if column > 1 and column not in (IDENTITY, BRIDGING)
}
PSEUDO = "-Pseudo"  # the end of ids of entities that do not refer
NOT_ATTRIBUTES = ("EntityID", "Min", "ElementOf", "SemType")
MADE_UP_ID = re.compile(r"_[0-9]+")
_MIN = re.compile(r"([0-9]{1,9})(?:,([0-9]{1,9}))?")


class Token(NamedTuple):
    """A token line whose identity and bridging cells are read."""

    number: int  # in its document
    line: int
    identity: str
    bridging: str


def read_cells(
    tokens: Sequence[Token], words: Sequence[int], last_line: int, faults: Faults
) -> tuple[tuple[Entity, ...], tuple[Bridge, ...]]:
    """Read the columns of identity and of bridging; tokens without cells may be away.

    `words` are the numbers of the tokens that are no empty nodes.
    """
    mentions = [
        (markable, _mention(markable, words, faults))
        for markable in _markables(tokens, last_line, faults)
        if markable.parts and markable.entity
    ]
    mentions.sort(key=lambda pair: _place(pair[1]))
    entities = _entities(mentions, faults)
    # Of mentions that are there twice, bridges have the first.
    first = {
        mention: mention
        for entity in reversed(entities)
        for mention in reversed(entity.mentions)
    }
    named = {
        markable.id: (markable.entity, first[mention])
        for markable, mention in mentions
        if markable.id
    }
    return entities, _bridges(tokens, named, faults)


def _place(mention: Mention) -> tuple[int, int, tuple[tuple[int, int], ...]]:
    return mention.start, -mention.end, mention.gaps


@dataclass(slots=True)
class _Markable:
    """A mention while it is being read."""

    id: str  # its name as it stands in the file; empty where it has none
    line: int  # where it first opens
    pairs: dict[str, str]  # what its brackets say, as it stands in the file
    # First and last token of each part that is closed.
    parts: list[tuple[int, int]] = field(default_factory=list)

    entity: str = ""  # the id of its entity; empty where it has none

    def __post_init__(self) -> None:
        """Read the id of its entity, which each step asks for."""
        self.entity = unescaped(self.pairs.get("EntityID", ""))


def _markables(
    tokens: Sequence[Token], last_line: int, faults: Faults
) -> list[_Markable]:
    """Read the identity column; returns mentions in the order in which they open."""
    markables: list[_Markable] = []
    of_name: dict[str, _Markable] = {}
    open_brackets = OpenBrackets[tuple[_Markable, int]](faults, label=quoted)
    for token in tokens:
        number = token.number
        for text, opens, closes in _brackets(token, faults):
            if opens:
                markable = _opened(text, token.line, of_name, faults)
                if not markable.id or markable.id not in of_name:
                    markables.append(markable)
                    of_name[markable.id] = markable
                open_brackets.open(markable.id, token.line, (markable, number))
            name = "" if opens else text
            if closes and (opening := open_brackets.close(name, token.line)):
                markable, start = opening
                markable.parts.append((start, number))
    open_brackets.finish(last_line)
    return markables


def _brackets(token: Token, faults: Faults) -> Iterator[Bracket]:
    """Take an identity cell apart, up to the first thing in it that is no bracket."""
    cell = token.identity.replace("@(", "(")
    for bracket in TEXTS.brackets(cell) if cell != "_" else ():
        text, opens, closes = bracket
        if not opens and not closes:
            message = f"{quoted(text)} is no bracket of an identity cell"
            hint = "expected '_', '(EntityID=1|MarkableID=a|...', ')' or 'a)'"
            faults(token.line, message, hint)
            return
        yield bracket


def _opened(
    text: str, line: int, of_name: dict[str, _Markable], faults: Faults
) -> _Markable:
    """Read the text that opens a mention, or another part of one known by its name."""
    pairs = _pairs(text, line, faults)
    if not pairs.get("EntityID"):
        hint = "a mention opens with '(EntityID=1|MarkableID=a|...'"
        faults(line, f"{quoted(text)} has no EntityID", hint)
    markable = of_name.get(pairs.get("MarkableID", ""))
    if markable is None or not markable.id:
        return _Markable(pairs.get("MarkableID", ""), line, pairs)
    if pairs.get("EntityID") != markable.pairs.get("EntityID"):
        message = (
            f"{quoted(markable.id)} is in entity {quoted(pairs.get('EntityID', ''))} "
            f"here and in {quoted(markable.entity)} at line {markable.line}"
        )
        hint = "a MarkableID names one mention, and each part of it where it has gaps"
        faults(line, message, hint)
    for key, value in pairs.items():
        markable.pairs.setdefault(key, value)
    return markable


def _pairs(text: str, line: int, faults: Faults) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for pair in filter(None, text.split("|")):
        key, equals, value = pair.partition("=")
        if equals:
            pairs[key] = value
        else:
            faults(line, f"{quoted(pair)} is no pair 'key=value'")
    return pairs


def _mention(markable: _Markable, words: Sequence[int], faults: Faults) -> Mention:
    spans: list[tuple[int, int]] = []
    for start, end in sorted(markable.parts):
        if spans and start <= spans[-1][1] + 1:
            spans[-1] = spans[-1][0], max(end, spans[-1][1])
        else:
            spans.append((start, end))
    gaps = tuple((end + 1, start - 1) for (_, end), (start, _) in pairwise(spans))
    minimum = _minimum(markable, words, faults)
    attributes = {
        unescaped(key): unescaped(value)
        for key, value in markable.pairs.items()
        if key not in NOT_ATTRIBUTES
    }
    if not markable.id or MADE_UP_ID.fullmatch(markable.id):
        attributes.pop("MarkableID", None)
    if "SemType" in markable.pairs:
        attributes["type"] = unescaped(markable.pairs["SemType"])
    head = minimum[0] if minimum and minimum[0] == minimum[1] else None
    return Mention(spans[0][0], spans[-1][1], gaps, head, minimum, attributes)


def _minimum(
    markable: _Markable, words: Sequence[int], faults: Faults
) -> tuple[int, int] | None:
    if "Min" not in markable.pairs:
        return None
    found = f"Min={markable.pairs['Min']}"
    match = _MIN.fullmatch(markable.pairs["Min"])
    if match is None:
        hint = "words are counted through the document from 1"
        message = f"{quoted(found)} is not 'Min=3' or 'Min=3,4'"
        faults(markable.line, message, hint)
        return None
    first, last = int(match[1]), int(match[2] or match[1])
    if not 1 <= first <= last <= len(words):
        message = f"{found} names no words of the document, which has {len(words)}"
        hint = "words are counted through the document from 1; it is left out"
        faults(markable.line, message, hint, kind=LEFT_OUT)
        return None
    minimum = words[first - 1], words[last - 1]
    start = min(start for start, _ in markable.parts)
    end = max(end for _, end in markable.parts)
    if not start <= minimum[0] <= minimum[1] <= end:
        message = f"{found} is outside its mention"
        faults(markable.line, message, "it is left out", kind=LEFT_OUT)
        return None
    return minimum


def _entities(
    mentions: Sequence[tuple[_Markable, Mention]], faults: Faults
) -> tuple[Entity, ...]:
    rows: dict[str, list[Mention]] = {}
    referring: dict[str, bool] = {}
    for markable, mention in mentions:
        rows.setdefault(markable.entity, []).append(mention)
        refers = not markable.pairs["EntityID"].endswith(PSEUDO)
        referring.setdefault(markable.entity, refers)
    split: dict[str, list[str]] = {}
    rank = {name: number for number, name in enumerate(rows)}
    for element, whole in sorted(
        set(_elements(mentions, rank, faults)), key=lambda pair: rank[pair[0]]
    ):
        split.setdefault(whole, []).append(element)
    return tuple(
        Entity(name, tuple(row), tuple(split.get(name, ())), referring[name])
        for name, row in rows.items()
    )


def _elements(
    mentions: Sequence[tuple[_Markable, Mention]], known: Container[str], faults: Faults
) -> Iterator[tuple[str, str]]:
    """Yield the entities of split antecedents, each with the entity that has it."""
    for markable, _ in mentions:
        for name in filter(None, markable.pairs.get("ElementOf", "").split(",")):
            if unescaped(name) in known:
                yield markable.entity, unescaped(name)
            else:
                message = f"ElementOf={readable(name)} names no entity of the document"
                hint = "it is left out"
                faults(markable.line, message, hint, kind=BROKEN_LINK)


def _bridges(
    tokens: Sequence[Token], named: Mapping[str, tuple[str, Mention]], faults: Faults
) -> tuple[Bridge, ...]:
    """Read the bridging column; `named` are entity and mention of each MarkableID."""
    bridges = []
    for token in tokens:
        for text in _bridging_items(token.bridging):
            pairs = _pairs(text, token.line, faults)
            _, anaphor = named.get(pairs.get("MarkableID", ""), ("", None))
            entity, mention = named.get(pairs.get("MentionAnchor", ""), ("", None))
            antecedent = unescaped(pairs.get("EntityAnchor", "")) or entity
            if anaphor is None or not antecedent:
                message = f"{quoted(text)} does not name an anaphor and its antecedent"
                hint = "names are those of the IDENTITY column; it is left out"
                faults(token.line, message, hint, kind=BROKEN_LINK)
                continue
            relation = unescaped(pairs.get("Rel", ""))
            bridges.append(Bridge(anaphor, antecedent, mention, relation))
    return tuple(sorted(bridges, key=lambda bridge: _place(bridge.anaphor)))


def _bridging_items(cell: str) -> list[str]:
    """Take a bridging cell apart.

    >>> _bridging_items("(MarkableID=a|EntityAnchor=1)(MarkableID=b|EntityAnchor=2")
    ['MarkableID=a|EntityAnchor=1', 'MarkableID=b|EntityAnchor=2']
    >>> _bridging_items("MarkableID=a|EntityAnchor=1"), _bridging_items("))")
    (['MarkableID=a|EntityAnchor=1'], [])
    """
    if "(" in cell:
        return re.findall(r"\(([^()]*)", cell)
    return [] if cell == "_" or cell.endswith(")") else [cell]


def unescaped(text: str) -> str:
    """Replace escapes by the characters that they stand for.

    >>> unescaped("a%28b%29"), unescaped("100%")
    ('a(b)', '100%')
    """
    if "%" not in text:
        return text
    from urllib.parse import unquote

    return unquote(text)
