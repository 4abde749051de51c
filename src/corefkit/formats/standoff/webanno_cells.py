"""WebAnno's layers, as the header names them, their cells, and how all is written.

The rules are those in `corefkit.formats.standoff.webanno`.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from corefkit.formats.lines import written_sentences

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefkit.model import Document, Mention

_BASE, _ROLE = "BT_", "ROLE_"
SPLIT = "aggr"
FIRST_COLUMN = 3  # behind the id, the characters and the word
NOTHING, NONE = "_", "*"
_LAYER = re.compile(r"#T_(SP|RL|CH)=([^|]+)\|?(.*)")
_PIECE = re.compile(r"\\.|\||[^\\|]+|\\", re.DOTALL)
_NUMBERED = re.compile(r"((?:[^\\]|\\.)*)\[([0-9]+)\]", re.DOTALL)
_ESCAPED = re.compile(r"\\(->|[\\\[\]|_;*tn])")
_RESERVED = re.compile(r"->|[\\\[\]|_;*\t\n]")
_CONTROLS = {"t": "\t", "n": "\n"}
_LETTERS = {"\t": "t", "\n": "n"}
_REFERENT = "webanno.custom.Referent"
_TYPE_FEATURES = ("entity", "type", "value")


class Layer(NamedTuple):
    """A layer of the header: its kind and name, its features, its first column."""

    kind: str
    name: str
    features: tuple[str, ...]
    attributes: tuple[str | None, ...]
    first: int

    @property
    def columns(self) -> slice:
        """The columns of the layer; one without features has one."""
        return slice(self.first, self.first + max(1, len(self.features)))

    @property
    def base(self) -> str:
        """The layer of the spans that relations stand between."""
        last = self.features[-1] if self.features else ""
        return last.removeprefix(_BASE) if last.startswith(_BASE) else ""


def add_layer(layers: list[Layer], text: str) -> None:
    """Add the layer that a line of the header names; other lines name none."""
    match = _LAYER.fullmatch(text)
    if match is not None:
        features = tuple(name for part in match[3].split("|") if (name := part.strip()))
        first = layers[-1].columns.stop if layers else FIRST_COLUMN
        names = _attribute_names(features)
        layers.append(Layer(match[1], match[2], features, names, first))


def _attribute_names(features: Sequence[str]) -> tuple[str | None, ...]:
    """Name the attributes of features: None for slots, empty where there is none."""
    of_type = [features.index(name) for name in _TYPE_FEATURES if name in features][:1]
    names: list[str | None] = []
    taken = {"type"}
    for number, feature in enumerate(features):
        slot = feature.startswith(_ROLE)
        if number in of_type:
            names.append("type")
        elif slot or (number and features[number - 1].startswith(_ROLE)):
            names.append(None)
        else:
            names.append(_unused(feature, taken))
    return tuple(names) or ("",)


def _unused(name: str, taken: set[str]) -> str:
    """Find a name that is not taken yet, and take it."""
    name = f"{name}_{len(taken)}" if name in taken else name
    while name in taken:
        name += "_"
    taken.add(name)
    return name


def cell_items(cell: str) -> list[str]:
    r"""Split a cell at its bars, but not at escaped ones.

    >>> cell_items(r"a\|b|c")
    ['a\\|b', 'c']
    """
    if "\\" not in cell:
        return cell.split("|")
    items: list[list[str]] = [[]]
    for piece in _PIECE.findall(cell):
        if piece == "|":
            items.append([])
        else:
            items[-1].append(piece)
    return ["".join(pieces) for pieces in items]


def numbered(item: str) -> tuple[str, str]:
    """Cut the number off a value: `person[12]`; empty where there is none."""
    match = _NUMBERED.fullmatch(item)
    return (match[1], match[2]) if match else (item, "")


def unescaped(value: str) -> str:
    """Read the escapes of a value."""
    if "\\" not in value:
        return value
    return _ESCAPED.sub(lambda match: _CONTROLS.get(match[1], match[1]), value)


def _escaped(value: str) -> str:
    """Escape what a value cannot have."""
    return _RESERVED.sub(lambda match: f"\\{_LETTERS.get(match[0], match[0])}", value)


def webanno_files(document: Document) -> Iterator[tuple[str, str]]:
    """Write a document; where there are no words, `_` stands for each."""
    yield ".webanno.tsv", "".join(_text(document))


class _Written(NamedTuple):
    """A mention to be written: its number in the file, and its entity's."""

    number: int
    entity: int
    mention: Mention


class _Link(NamedTuple):
    """A relation to be written: its name, where it comes from, where it leads to."""

    kind: str
    source: _Written
    target: _Written


def _text(document: Document) -> Iterator[str]:
    sentences = _words(document)
    mentions = _written(document)
    features = _features(mentions)
    yield "#FORMAT=WebAnno TSV 3.3\n"
    yield f"#T_SP={_REFERENT}|{'|'.join(feature for feature, _ in features)}\n"
    yield f"#T_RL=webanno.custom.Coref|type|{_BASE}{_REFERENT}\n\n"
    units = [
        f"{number}-{place}"
        for number, words in enumerate(sentences, 1)
        for place in range(1, len(words) + 1)
    ]
    covering: list[list[_Written]] = [[] for _ in units]
    for written in mentions:
        for token in range(written.mention.start, written.mention.end + 1):
            covering[token].append(written)
    links: list[list[_Link]] = [[] for _ in units]
    for link in _links(document, mentions):
        links[link.target.mention.start].append(link)
    token = offset = 0
    for words in sentences:
        yield "\n#Text={}\n".format(" ".join(words).replace("\\", "\\\\"))
        for word in words:
            # Offsets count as Java does, in units of UTF-16.
            end = offset + len(word.encode("utf-16-le", "surrogatepass")) // 2
            values = [_values(covering[token], name) for _, name in features]
            related = _relations(links[token], units)
            place = f"{offset}-{end}"
            yield "\t".join((units[token], place, word, *values, *related, "\n"))
            offset, token = end + 1, token + 1


def _words(document: Document) -> list[list[str]]:
    return [
        [re.sub(r"[\t\n]", " ", word) for word in words]
        for words in written_sentences(document)
        if words
    ]


def _written(document: Document) -> list[_Written]:
    """Number the mentions in the order in which they are read."""
    pairs = [
        (entity, mention)
        for entity, mentions in enumerate(document)
        for mention in mentions
    ]
    pairs.sort(key=lambda pair: (pair[1].start, -pair[1].end))
    return [_Written(number, *pair) for number, pair in enumerate(pairs, 1)]


def _features(mentions: Sequence[_Written]) -> list[tuple[str, str]]:
    """Name a feature for each attribute that a mention has; return both names."""
    features = [("entity", "type")]
    taken = {"type"}
    known = dict.fromkeys(
        name for written in mentions for name in written.mention.attributes
    )
    for name in known:
        if name != "type":
            feature = re.sub(r"[\n|]", "_", name).strip() or "_"
            feature = f"_{feature}" if feature.startswith(_ROLE) else feature
            features.append((_unused(feature, taken), name))
    return features


def _links(document: Document, mentions: Sequence[_Written]) -> Iterator[_Link]:
    members: list[list[_Written]] = [[] for _ in document]
    for written in mentions:
        members[written.entity].append(written)
    for group in members:
        for earlier, later in pairwise(group):
            yield _Link("coref", later, earlier)
    called = {entity.id: group for entity, group in zip(document, members, strict=True)}
    for entity, group in zip(document, members, strict=True):
        for antecedent in entity.split:
            if group and called.get(antecedent):
                yield _Link(f"bridge:{SPLIT}", group[0], called[antecedent][0])
    first: dict[Mention, _Written] = {}
    inside: dict[tuple[int, Mention | None], _Written] = {}
    for written in (written for group in members for written in group):
        first.setdefault(written.mention, written)
        inside.setdefault((written.entity, written.mention), written)
    for bridge in document.bridges:
        if bridge.anaphor in first and called.get(bridge.antecedent):
            target = called[bridge.antecedent][0]
            target = inside.get((target.entity, bridge.mention), target)
            kind = f"bridge:{bridge.relation}" if bridge.relation else "bridge"
            yield _Link(kind, first[bridge.anaphor], target)


def _values(covering: Sequence[_Written], attribute: str) -> str:
    items = []
    for written in covering:
        value = written.mention.attributes.get(attribute)
        items.append(f"{NONE if value is None else _escaped(value)}[{written.number}]")
    return "|".join(items) or NOTHING


def _relations(links: Sequence[_Link], units: Sequence[str]) -> tuple[str, str]:
    kinds = "|".join(_escaped(link.kind) for link in links)
    references = "|".join(
        f"{units[source.mention.start]}[{source.number}_{target.number}]"
        for _, source, target in links
    )
    return kinds or NOTHING, references or NOTHING
