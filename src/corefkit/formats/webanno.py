r"""WebAnno TSV 3, of WebAnno and INCEpTION: one token a line, annotation in columns.

1.  The first line is `#FORMAT=WebAnno TSV 3.2`, or another 3. The lines below it name
    the layers: `#T_SP=layer|feature|...` spans, `#T_RL=layer|feature|BT_spans`
    relations between spans, `#T_CH=layer|...` chains. Each feature has a column, and so
    has what a relation points to; a layer without features has one column. Other lines
    that begin with `#`, such as `#Text=`, are left out.
2.  A row is `1-3<tab>8-14<tab>word`, then the columns: sentence and token, characters,
    which are not looked at, and the word as it is. The file is one document, whose id
    is the file's name without its ending.
3.  A cell is `_` (nothing), or values set apart by `|`, where `*` is none. In values,
    `\\`, `\[`, `\]`, `\|`, `\_`, `\*`, `\;`, `\->`, `\t` and `\n` stand for what they
    say. `person[12]` belongs to annotation 12, which covers all tokens from the first
    to the last with its number; without a number it covers this token.
4.  Relations are read from layers whose name has `coref` or `anaphor` in it, and
    mentions from the spans that these relate. The feature `entity`, else `type`, else
    `value` goes to `type`, the others keep their names.
5.  A relation stands in the row of what it leads to, and names where it comes from:
    `coref` and `3-1[17_1]` in row `1-1` lead from annotation 17, in row `3-1`, to
    annotation 1, in this row. A 0, or no bracket, is the first annotation of the row.
6.  Mentions that are related, directly or through others, are an entity, whatever the
    relation is called: GUM has `coref`, `ana`, `cata`, `appos`, `pred` and `disc`. Only
    `bridge:aggr` makes the one it leads to a split antecedent of the other's entity,
    and other names with `bridge` make a bridging anaphor. A mention without relations
    is an entity by itself.
7.  In a chain layer, `referenceRelation` has the chain and its link, as in `*->1-3`,
    and `referenceType` goes to `type`. Each chain is an entity.
8.  Mentions are in order of their tokens, the longer first; entities are numbered from
    1 in the order of their first mentions.
9.  Sub-tokens, as in `1-3.1`, are taken for the token that they are part of, and that
    is reported where a mention is annotated on one.
10. Rows with other columns than the layers have, tokens that were there before,
    relations to nothing, and a file without such a layer are refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from corefkit.exceptions import quoted
from corefkit.formats.base import (
    ATTRIBUTES,
    BRIDGES,
    CROSSING,
    CROSSING_ITS_OWN,
    SPLITS,
    TYPES,
    Writer,
)
from corefkit.formats.brat import connected
from corefkit.formats.documents import Extent, Parsed, document_reader
from corefkit.formats.source import Problem, file_stem, sound_lines
from corefkit.model import Bridge, Document, Entity, Mention

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from corefkit.formats.bytefile import ByteFile
    from corefkit.formats.documents import Fault

_FORMAT = b"#FORMAT=WebAnno TSV 3."
_LAYER = re.compile(r"#T_(SP|RL|CH)=([^|]+)\|?(.*)")
_COREFERENCE = re.compile(r"coref|anaphor", re.IGNORECASE)
_UNIT = re.compile(r"([0-9]{1,15})-([0-9]{1,15})((?:\.[0-9]{1,15})*)")
_OFFSETS = re.compile(r"[0-9]+-[0-9]+")
_PIECE = re.compile(r"\\.|\||[^\\|]+|\\", re.DOTALL)
_NUMBERED = re.compile(r"((?:[^\\]|\\.)*)\[([0-9]+)\]", re.DOTALL)
_REFERENCE = re.compile(r"([0-9.-]+)(?:\[([0-9]+)_([0-9]+)\])?")
_CHAINED = re.compile(r"(.*)->([0-9]+)-([0-9]+)", re.DOTALL)
_ESCAPED = re.compile(r"\\(->|[\\\[\]|_;*tn])")
_RESERVED = re.compile(r"->|[\\\[\]|_;*\t\n]")
_BRIDGE = re.compile(r"bridg(?:ing|e)?[:_]?(.*)", re.IGNORECASE | re.DOTALL)
_CONTROLS = {"t": "\t", "n": "\n"}
_LETTERS = {"\t": "t", "\n": "n"}
_SPLIT = "aggr"
_TYPE_FEATURES = ("entity", "type", "value")
_SPANS, _RELATIONS, _CHAINS = "SP", "RL", "CH"
_BASE, _ROLE = "BT_", "ROLE_"
_CHAIN_FEATURE = "referenceRelation"
_REFERENT = "webanno.custom.Referent"
_FIRST_COLUMN = 3  # behind the id, the characters and the word
_NOTHING, _NONE = "_", "*"
_ROW_SHAPE = "a row is 'sentence-token<tab>start-end<tab>word', then a column a feature"


def recognise(head: bytes) -> bool:
    """Say whether the first bytes of a file look like WebAnno TSV 3."""
    return head.lstrip().startswith(_FORMAT)


class _Layer(NamedTuple):
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


class _Row(NamedTuple):
    """A row: its line, its token's id in the file and number, and its columns."""

    line: int
    unit: str
    token: int
    cells: list[str]


class _Relation(NamedTuple):
    """A relation as it is written: in a row, between spans of a layer."""

    line: int
    kind: str
    base: str
    row: str
    reference: str


@dataclass(slots=True)
class _Annotation:
    """What is known of a mention while rows are read."""

    start: int
    end: int
    attributes: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class _Found:
    """What the rows say: tokens, mentions by layer and number, and what links them."""

    sentence: str = ""
    sentences: list[list[str]] = field(default_factory=list)
    tokens: dict[str, int] = field(default_factory=dict)
    lines: list[int] = field(default_factory=list)
    mentions: dict[str, _Annotation] = field(default_factory=dict)
    in_row: dict[tuple[str, str], str] = field(default_factory=dict)
    relations: list[_Relation] = field(default_factory=list)
    chains: dict[tuple[str, str], list[str]] = field(default_factory=dict)

    def cover(self, name: str, layer: _Layer, row: _Row) -> dict[str, str]:
        """Let a mention cover the token of a row; gives its attributes."""
        mention = self.mentions.setdefault(name, _Annotation(row.token, row.token))
        mention.end = max(mention.end, row.token)
        self.in_row.setdefault((layer.name, row.unit), name)
        return mention.attributes


def extents(file: ByteFile, fault: Fault) -> Iterator[Extent]:
    """Say where the documents of a file lie: the file is one."""
    del fault
    yield Extent(file_stem(file.name, ".webanno"), file.text_start, file.size)


def parse(file: ByteFile, extent: Extent, fault: Fault) -> Parsed:
    """Read the rows of a file and join its mentions to entities."""
    layers: list[_Layer] = []
    chosen: list[_Layer] | None = None
    found = _Found()
    for line, text in _lines(file, extent, fault):
        if text.startswith("#"):
            if chosen is None:
                _add_layer(layers, text)
            continue
        if chosen is None:
            chosen = _coreference_layers(file, layers, fault)
        width = layers[-1].columns.stop if layers else _FIRST_COLUMN
        row = _row(file, line, text, width, found, fault)
        if row is not None:
            for layer in chosen:
                _TAKE[layer.kind](file, row, layer, found, fault)
    entities, bridges = _resolved(file, found, fault)
    sentences = tuple(map(tuple, found.sentences))
    document = Document(extent.id, sentences, entities, bridges=bridges)
    return Parsed(document, found.lines)


def _lines(file: ByteFile, extent: Extent, fault: Fault) -> Iterator[tuple[int, str]]:
    first = file.line_number(extent.start)
    if not recognise(file.read(extent.start, extent.start + 256)):
        message = "the first line is not '#FORMAT=WebAnno TSV 3.2', or another 3"
        fault(Problem(file.name, first, message, "export the file as WebAnno TSV 3"))
    yield from sound_lines(file, extent.start, extent.end, fault)


def _add_layer(layers: list[_Layer], text: str) -> None:
    match = _LAYER.fullmatch(text)
    if match is not None:
        features = tuple(one for part in match[3].split("|") if (one := part.strip()))
        first = layers[-1].columns.stop if layers else _FIRST_COLUMN
        names = _attribute_names(features)
        layers.append(_Layer(match[1], match[2], features, names, first))


def _attribute_names(features: Sequence[str]) -> tuple[str | None, ...]:
    """Name the attributes of features: None for slots, empty where there is none."""
    of_type = [features.index(one) for one in _TYPE_FEATURES if one in features][:1]
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


def _coreference_layers(
    file: ByteFile, layers: list[_Layer], fault: Fault
) -> list[_Layer]:
    spans = {layer.name: layer for layer in layers if layer.kind == _SPANS}
    chosen: dict[_Layer, None] = {}
    for layer in layers:
        if layer.kind == _CHAINS and _CHAIN_FEATURE in layer.features:
            chosen[layer] = None
        elif layer.kind == _RELATIONS and _COREFERENCE.search(layer.name):
            if layer.base in spans:
                chosen |= dict.fromkeys((spans[layer.base], layer))
                continue
            message = f"layer {quoted(layer.name)} relates {quoted(layer.base)}"
            hint = "expected the name of a '#T_SP=' layer behind 'BT_'"
            fault(Problem(file.name, 1, f"{message}, which is no layer", hint))
    if not chosen:
        names = ", ".join(quoted(layer.name) for layer in layers[:9]) or "none"
        message = f"no layer of coreference among the layers: {names}"
        hint = "call the layer of relations 'webanno.custom.Coref' in the header"
        fault(Problem(file.name, 1, message, hint))
    return list(chosen)


def _row(
    file: ByteFile, line: int, text: str, width: int, found: _Found, fault: Fault
) -> _Row | None:
    cells = text.split("\t")
    unit = _UNIT.fullmatch(cells[0])
    if unit is None or len(cells) < _FIRST_COLUMN or not _OFFSETS.fullmatch(cells[1]):
        message = f"{quoted(text)} is no row of a token"
        fault(Problem(file.name, line, message, _ROW_SHAPE))
        return None
    sentence, number, part = unit.groups()
    name = f"{sentence}-{number}"
    if not part and name in found.tokens:
        message = f"token {quoted(name)} was there before"
        fault(Problem(file.name, line, message, "number the tokens anew"))
        return None
    if part and name not in found.tokens:
        message = f"{quoted(cells[0])} is part of a token that was not there before"
        fault(Problem(file.name, line, message, _ROW_SHAPE))
        return None
    if not part:
        found.tokens[name] = len(found.tokens)
        if sentence != found.sentence:
            found.sentence = sentence
            found.sentences.append([])
        found.sentences[-1].append(cells[2])
        found.lines.append(line)
    if len(cells) == width + 1 and not cells[-1]:
        cells.pop()
    if len(cells) != width:
        message = f"the row has {len(cells)} columns, expected {width}"
        fault(Problem(file.name, line, message, _ROW_SHAPE))
        return None
    return _Row(line, cells[0], found.tokens[name], cells)


def _take_spans(
    file: ByteFile, row: _Row, layer: _Layer, found: _Found, fault: Fault
) -> None:
    annotated = False
    for attribute, cell in zip(layer.attributes, row.cells[layer.columns], strict=True):
        if attribute is None or cell == _NOTHING:
            continue
        annotated = True
        for place, item in enumerate(_items(cell)):
            value, number = _numbered(item)
            name = number or f"{row.unit}|{place}"
            known = found.cover(f"{layer.name}[{name}]", layer, row)
            if attribute and value != _NONE:
                known.setdefault(attribute, _unescaped(value))
    if annotated and "." in row.unit:
        message = f"a mention is on {quoted(row.unit)}, which is part of a token"
        hint = "the whole token is taken"
        fault(Problem(file.name, row.line, message, hint, fatal=False))


def _take_relations(
    file: ByteFile, row: _Row, layer: _Layer, found: _Found, fault: Fault
) -> None:
    *features, cell = row.cells[layer.columns]
    if cell == _NOTHING:
        return
    references = _items(cell)
    named = layer.features.index("type") if "type" in layer.features else 0
    kinds = _items(features[named]) if features else [_NOTHING]
    if kinds == [_NOTHING]:
        kinds = [_NONE] * len(references)
    if len(kinds) != len(references):
        message = f"{len(kinds)} relations lead to {len(references)} places"
        fault(Problem(file.name, row.line, message, "expected as many of both"))
    for kind, reference in zip(kinds, references, strict=False):
        said = "" if kind == _NONE else _unescaped(kind)
        relation = _Relation(row.line, said, layer.base, row.unit, reference)
        found.relations.append(relation)


def _take_chains(
    file: ByteFile, row: _Row, layer: _Layer, found: _Found, fault: Fault
) -> None:
    cells = dict(zip(layer.features, row.cells[layer.columns], strict=True))
    if cells[_CHAIN_FEATURE] == _NOTHING:
        return
    types = _items(cells.get("referenceType", _NONE))
    for place, item in enumerate(_items(cells[_CHAIN_FEATURE])):
        match = _CHAINED.fullmatch(item)
        if match is None:
            message = f"{quoted(item)} is no link of a chain"
            fault(Problem(file.name, row.line, message, "a link is as in 'coref->1-2'"))
            continue
        relation, chain, link = match.groups()
        name = f"{layer.name}[{chain}-{link}]"
        links = found.chains.setdefault((layer.name, chain), [])
        if name not in found.mentions:
            links.append(name)
        known = found.cover(name, layer, row)
        kind, _ = _numbered(types[place]) if place < len(types) else (_NONE, "")
        for attribute, value in (("type", kind), (_CHAIN_FEATURE, relation)):
            if value not in (_NONE, _NOTHING):
                known.setdefault(attribute, _unescaped(value))


_TAKE = {_SPANS: _take_spans, _RELATIONS: _take_relations, _CHAINS: _take_chains}


def _items(cell: str) -> list[str]:
    r"""Split a cell at its bars, but not at escaped ones.

    >>> _items(r"a\|b|c")
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


def _numbered(item: str) -> tuple[str, str]:
    """Cut the number off a value: `person[12]`; empty where there is none."""
    match = _NUMBERED.fullmatch(item)
    return (match[1], match[2]) if match else (item, "")


def _unescaped(value: str) -> str:
    if "\\" not in value:
        return value
    return _ESCAPED.sub(lambda match: _CONTROLS.get(match[1], match[1]), value)


def _resolved(
    file: ByteFile, found: _Found, fault: Fault
) -> tuple[tuple[Entity, ...], tuple[Bridge, ...]]:
    """Join the mentions to entities, and find what bridges them."""
    links: list[Sequence[str]] = list(found.chains.values())
    bridges: list[tuple[str, str, str]] = []
    for relation in found.relations:
        ends = _ends(file, found, relation, fault)
        if ends is None:
            continue
        bridge = _BRIDGE.fullmatch(relation.kind)
        if bridge is None:
            links.append(ends)
        else:
            bridges.append((bridge[1], *ends))
    order = sorted(found.mentions, key=lambda name: _place(found.mentions[name]))
    groups = connected(order, links)
    number = {name: row for row, names in enumerate(groups, 1) for name in names}
    splits: dict[int, set[int]] = {}
    for kind, source, target in bridges:
        if kind.lower() == _SPLIT and number[source] != number[target]:
            splits.setdefault(number[source], set()).add(number[target])
    entities = tuple(
        Entity(
            str(row),
            tuple(_mention(found.mentions[name]) for name in names),
            tuple(map(str, sorted(splits.get(row, ())))),
        )
        for row, names in enumerate(groups, 1)
    )
    return entities, _bridges(entities, bridges, found, number)


def _place(one: _Annotation) -> tuple[int, int]:
    return one.start, -one.end


def _mention(one: _Annotation) -> Mention:
    return Mention(one.start, one.end, attributes=one.attributes)


def _ends(
    file: ByteFile, found: _Found, relation: _Relation, fault: Fault
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
    fault(Problem(file.name, relation.line, message, hint))
    return None


def _bridges(
    entities: Sequence[Entity],
    bridges: Sequence[tuple[str, str, str]],
    found: _Found,
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
        if kind.lower() != _SPLIT:
            anaphor = first[_mention(found.mentions[source])]
            mention = inside[number[target], _mention(found.mentions[target])]
            made.append(Bridge(anaphor, str(number[target]), mention, kind))
    return tuple(sorted(made, key=lambda bridge: bridge.mention or bridge.anaphor))


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


def _files(document: Document) -> Iterator[tuple[str, str]]:
    yield ".webanno.tsv", "".join(_text(document))


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
    for one in mentions:
        for token in range(one.mention.start, one.mention.end + 1):
            covering[token].append(one)
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
    if not document.sentences:
        ends = [mention.end for entity in document for mention in entity]
        return [["_"] * (1 + max(ends))] if ends else []
    return [
        [re.sub(r"[\t\n]", " ", word) for word in words]
        for words in document.sentences
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
    """Name a feature for each attribute that a mention has; gives both names."""
    features = [("entity", "type")]
    taken = {"type"}
    known = dict.fromkeys(name for one in mentions for name in one.mention.attributes)
    for name in known:
        if name != "type":
            feature = re.sub(r"[\n|]", "_", name).strip() or "_"
            feature = f"_{feature}" if feature.startswith(_ROLE) else feature
            features.append((_unused(feature, taken), name))
    return features


def _links(document: Document, mentions: Sequence[_Written]) -> Iterator[_Link]:
    members: list[list[_Written]] = [[] for _ in document]
    for one in mentions:
        members[one.entity].append(one)
    for group in members:
        for earlier, later in pairwise(group):
            yield _Link("coref", later, earlier)
    called = {entity.id: group for entity, group in zip(document, members, strict=True)}
    for entity, group in zip(document, members, strict=True):
        for antecedent in entity.split:
            if group and called.get(antecedent):
                yield _Link(f"bridge:{_SPLIT}", group[0], called[antecedent][0])
    first: dict[Mention, _Written] = {}
    inside: dict[tuple[int, Mention | None], _Written] = {}
    for one in (one for group in members for one in group):
        first.setdefault(one.mention, one)
        inside.setdefault((one.entity, one.mention), one)
    for bridge in document.bridges:
        if bridge.anaphor in first and called.get(bridge.antecedent):
            target = called[bridge.antecedent][0]
            target = inside.get((target.entity, bridge.mention), target)
            kind = f"bridge:{bridge.relation}" if bridge.relation else "bridge"
            yield _Link(kind, first[bridge.anaphor], target)


def _values(covering: Sequence[_Written], attribute: str) -> str:
    items = []
    for one in covering:
        value = one.mention.attributes.get(attribute)
        items.append(f"{_NONE if value is None else _escaped(value)}[{one.number}]")
    return "|".join(items) or _NOTHING


def _relations(links: Sequence[_Link], units: Sequence[str]) -> tuple[str, str]:
    kinds = "|".join(_escaped(link.kind) for link in links)
    references = "|".join(
        f"{units[source.mention.start]}[{source.number}_{target.number}]"
        for _, source, target in links
    )
    return kinds or _NOTHING, references or _NOTHING


def _escaped(value: str) -> str:
    return _RESERVED.sub(lambda match: f"\\{_LETTERS.get(match[0], match[0])}", value)


READER = document_reader(extents, parse)
WRITER = Writer(
    carries=frozenset({TYPES, ATTRIBUTES, SPLITS, BRIDGES, CROSSING, CROSSING_ITS_OWN}),
    files=_files,
)
