r"""WebAnno TSV 3, of WebAnno and INCEpTION: one token per line, annotation in columns.

`docs/formats/xml.md` defines the format; these rules add to it:

-   `#T_SP=layer|feature|...` has spans, `#T_RL=layer|feature|BT_spans` relations of
    spans, `#T_CH=layer|...` chains. Each feature has a column, and so has the reference
    of a relation; a layer without features has one column. Other lines that begin with
    `#`, such as `#Text=`, are ignored.
-   A cell is `_` (nothing), or values separated by `|`; the value `*` is none. In
    values, `\\`, `\[`, `\]`, `\|`, `\_`, `\*`, `\;`, `\->`, `\t` and `\n` are escapes.
    `person[12]` belongs to annotation 12, which covers all tokens from the first to the
    last with its number; without a number a value covers its token.
-   In the reference of a relation, a 0, or no brackets, is the first annotation of the
    row.
-   In a chain layer, `referenceRelation` is the chain and its link, as in `*->1-3`, and
    `referenceType` is the attribute `type`.
-   Mentions are in the order of their tokens, the longer first.
"""

from __future__ import annotations

import re
from itertools import pairwise, zip_longest
from typing import TYPE_CHECKING, NamedTuple

from corefkit.exceptions import quoted
from corefkit.formats import problems as kinds
from corefkit.formats import source as base
from corefkit.formats.brackets import list_sentences, read_lines
from corefkit.formats.source import Parsed
from corefkit.model import Bridge, Document, Entity, Mention
from corefkit.strings import get_stem

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from corefkit.formats.files import ByteFile
    from corefkit.formats.problems import Faults
    from corefkit.formats.source import Extent

_FORMAT = b"#FORMAT=WebAnno TSV 3."
_LAYER = re.compile(r"#T_(SP|RL|CH)=([^|]+)\|?(.*)")
_SPANS, _RELATIONS, _CHAINS = "SP", "RL", "CH"
_BASE, _ROLE = "BT_", "ROLE_"
_FIRST_COLUMN = 3  # after the token, its characters and the word
_TYPE_FEATURES = ("entity", "type", "value")
_CHAIN_FEATURE = "referenceRelation"
_COREFERENCE = re.compile(r"coref|anaphor", re.IGNORECASE)
_UNIT = re.compile(r"([0-9]{1,15})-([0-9]{1,15})((?:\.[0-9]{1,15})*)")
_OFFSETS = re.compile(r"[0-9]+-[0-9]+")
_EMPTY_CELL, _NO_VALUE = "_", "*"
_PIECE = re.compile(r"\\.|\||[^\\|]+|\\", re.DOTALL)
_NUMBERED = re.compile(r"((?:[^\\]|\\.)*)\[([0-9]+)\]", re.DOTALL)
_CHAIN_LINK = re.compile(r"(.*)->([0-9]+)-([0-9]+)", re.DOTALL)
_REFERENCE = re.compile(r"([0-9.-]+)(?:\[([0-9]+)_([0-9]+)\])?")
_BRIDGE = re.compile(r"bridg(?:ing|e)?[:_]?(.*)", re.IGNORECASE | re.DOTALL)
_SPLIT = "aggr"
_ESCAPE = re.compile(r"\\(->|[\\\[\]|_;*tn])")
_RESERVED = re.compile(r"->|[\\\[\]|_;*\t\n]")
_CONTROLS = {"t": "\t", "n": "\n"}
_LETTERS = {"\t": "t", "\n": "n"}
_REFERENT = "webanno.custom.Referent"
_ROW_SHAPE = (
    "a row is 'sentence-token<tab>start-end<tab>word', then one column per feature"
)


class _Layer(NamedTuple):
    kind: str
    name: str
    features: tuple[str, ...]
    attributes: tuple[str | None, ...]
    columns: slice

    @property
    def base(self) -> str:
        """The span layer that a relation layer refers to, if any."""
        last = self.features[-1] if self.features else ""
        return last.removeprefix(_BASE) if last.startswith(_BASE) else ""


class _Row(NamedTuple):
    line: int
    unit: str  # the label of the token
    token: int  # its number
    cells: list[str]


class _Relation(NamedTuple):
    """A relation of the span layer `base`, as it is in the row `unit`."""

    line: int
    name: str
    base: str
    unit: str
    reference: str


def recognise(head: bytes) -> bool:
    """Return whether the first bytes of a file look like WebAnno TSV 3."""
    return head.lstrip().startswith(_FORMAT)


def parse(file: ByteFile, extent: Extent, faults: Faults) -> Parsed:
    """Parse the rows of a file, and link its mentions to entities."""
    if not recognise(file.read(extent.start, extent.start + 256)):
        message = "expected '#FORMAT=WebAnno TSV 3.2', or another 3, in the first line"
        line = file.line_number(extent.start)
        faults(
            line, message, "export the file as WebAnno TSV 3", kind=kinds.INVALID_HEADER
        )
    reader = _RowReader(faults)
    lines = read_lines(file, extent.start, extent.end, faults, skips_invalid=True)
    for line, text in lines:
        if text.startswith("#"):
            reader.read_header(text)
        elif text.strip():
            reader.read_row(line, text)
    entities, bridges = _link_mentions(reader)
    sentences = tuple(map(tuple, reader.sentences))
    document = Document(extent.id, sentences, entities, bridges=bridges)
    return Parsed(document, reader.lines)


class _RowReader:
    def __init__(self, faults: Faults) -> None:
        self.faults = faults
        self.sentences: list[list[str]] = []
        self.lines: list[int] = []
        # First and last token and attributes, by layer and number as in `layer[7]`.
        self.spans: dict[str, tuple[int, int, dict[str, str]]] = {}
        self.first_spans: dict[tuple[str, str], str] = {}  # by layer and row
        self.relations: list[_Relation] = []
        self.chains: dict[tuple[str, str], list[str]] = {}
        self._layers: list[_Layer] = []
        self._chosen: list[_Layer] | None = None  # known from the first row on
        self._width = _FIRST_COLUMN
        self._sentence = ""
        self._tokens: dict[str, int] = {}

    def read_header(self, text: str) -> None:
        match = _LAYER.fullmatch(text)
        if self._chosen is not None or match is None:
            return
        features = tuple(name for part in match[3].split("|") if (name := part.strip()))
        first, self._width = self._width, self._width + max(1, len(features))
        columns = slice(first, self._width)
        attributes = _name_attributes(features)
        self._layers.append(_Layer(match[1], match[2], features, attributes, columns))

    def read_row(self, line: int, text: str) -> None:
        if self._chosen is None:
            self._chosen = self._choose_layers()
        row = self._parse_row(line, text)
        if row is None:
            return
        for layer in self._chosen:
            cells = row.cells[layer.columns]
            if layer.kind == _SPANS:
                self._read_spans(row, layer, cells)
            elif layer.kind == _RELATIONS:
                self._read_relations(row, layer, cells)
            else:
                self._read_chains(row, layer, cells)

    def _choose_layers(self) -> list[_Layer]:
        spans = {layer.name: layer for layer in self._layers if layer.kind == _SPANS}
        chosen: list[_Layer] = []
        for layer in self._layers:
            if layer.kind == _CHAINS and _CHAIN_FEATURE in layer.features:
                chosen.append(layer)
            elif layer.kind == _RELATIONS and _COREFERENCE.search(layer.name):
                if layer.base in spans:
                    if spans[layer.base] not in chosen:
                        chosen.append(spans[layer.base])
                    chosen.append(layer)
                    continue
                name = quoted(layer.base)
                message = f"layer {quoted(layer.name)} relates {name}, which is missing"
                hint = "expected the name of a '#T_SP=' layer after 'BT_'"
                self.faults(1, message, hint, kind=kinds.INVALID_HEADER)
        if not chosen:
            names = ", ".join(quoted(layer.name) for layer in self._layers[:9])
            message = f"no coreference layer among the layers: {names or 'none'}"
            hint = "rename the layer of relations to 'webanno.custom.Coref'"
            self.faults(1, message, hint, kind=kinds.INVALID_HEADER)
        return chosen

    def _parse_row(self, line: int, text: str) -> _Row | None:
        cells = text.split("\t")
        match = _UNIT.fullmatch(cells[0])
        sentence, number, subtoken = match.groups() if match else ("", "", "")
        name = f"{sentence}-{number}"
        message, hint, kind = "", _ROW_SHAPE, kinds.INVALID_ANNOTATION
        if len(cells) < _FIRST_COLUMN or not match or not _OFFSETS.fullmatch(cells[1]):
            message = f"{quoted(text)} is not a row of a token"
        elif subtoken and name not in self._tokens:
            message = f"{quoted(cells[0])} is part of a token that is not above it"
            kind = kinds.UNKNOWN_ID
        elif not subtoken and name in self._tokens:
            message = f"token {quoted(name)} is repeated"
            hint = "give each token a unique number"
            kind = kinds.REPEATED_ID
        else:
            if not subtoken:
                self._tokens[name] = len(self._tokens)
                if sentence != self._sentence:
                    self._sentence = sentence
                    self.sentences.append([])
                self.sentences[-1].append(cells[2])
                self.lines.append(line)
            if len(cells) == self._width + 1 and not cells[-1]:
                cells.pop()
            if len(cells) == self._width:
                return _Row(line, cells[0], self._tokens[name], cells)
            message = f"the row has {len(cells)} columns, expected {self._width}"
            kind = kinds.WRONG_COLUMNS
        self.faults(line, message, hint, kind=kind)
        return None

    def _extend_span(self, name: str, layer: _Layer, row: _Row) -> dict[str, str]:
        """Extend a mention to the token of a row, and return its attributes."""
        start, end, attributes = self.spans.get(name, (row.token, row.token, {}))
        self.spans[name] = start, max(end, row.token), attributes
        self.first_spans.setdefault((layer.name, row.unit), name)
        return attributes

    def _read_spans(self, row: _Row, layer: _Layer, cells: Sequence[str]) -> None:
        for attribute, cell in zip(layer.attributes, cells, strict=True):
            if attribute is None or cell == _EMPTY_CELL:
                continue
            for position, item in enumerate(_split_cell(cell)):
                value, number = _split_number(item)
                name = f"{layer.name}[{number or f'{row.unit}|{position}'}]"
                attributes = self._extend_span(name, layer, row)
                if attribute and value != _NO_VALUE:
                    attributes.setdefault(attribute, _unescape(value))
        if "." in row.unit and (layer.name, row.unit) in self.first_spans:
            message = f"a mention is on {quoted(row.unit)}, which is part of a token"
            hint = "the entire token is used"
            self.faults(row.line, message, hint, kind=kinds.CUT_TOKEN)

    def _read_relations(self, row: _Row, layer: _Layer, cells: Sequence[str]) -> None:
        if cells[-1] == _EMPTY_CELL:
            return
        references = _split_cell(cells[-1])
        column = layer.features.index("type") if "type" in layer.features else 0
        names = _split_cell(cells[column]) if cells[1:] else [_EMPTY_CELL]
        if names == [_EMPTY_CELL]:
            names = [_NO_VALUE] * len(references)
        if len(names) != len(references):
            message = f"{len(names)} relations have {len(references)} references"
            hint = "expected one reference for each relation"
            self.faults(row.line, message, hint, kind=kinds.INVALID_ANNOTATION)
        for name, reference in zip(names, references, strict=False):
            name = "" if name == _NO_VALUE else _unescape(name)
            relation = _Relation(row.line, name, layer.base, row.unit, reference)
            self.relations.append(relation)

    def _read_chains(self, row: _Row, layer: _Layer, cells: Sequence[str]) -> None:
        values = dict(zip(layer.features, cells, strict=True))
        if values[_CHAIN_FEATURE] == _EMPTY_CELL:
            return
        types = _split_cell(values.get("referenceType", _NO_VALUE))
        items = _split_cell(values[_CHAIN_FEATURE])
        for item, type_item in zip_longest(items, types[: len(items)]):
            match = _CHAIN_LINK.fullmatch(item)
            if match is None:
                message = f"{quoted(item)} is not a link of a chain"
                hint = "a link is as in 'coref->1-2'"
                self.faults(row.line, message, hint, kind=kinds.INVALID_ANNOTATION)
                continue
            relation, chain, link = match.groups()
            name = f"{layer.name}[{chain}-{link}]"
            links = self.chains.setdefault((layer.name, chain), [])
            if name not in self.spans:
                links.append(name)
            attributes = self._extend_span(name, layer, row)
            type_name, _ = _split_number(type_item or _NO_VALUE)
            for attribute, value in (("type", type_name), (_CHAIN_FEATURE, relation)):
                if value not in (_NO_VALUE, _EMPTY_CELL):
                    attributes.setdefault(attribute, _unescape(value))


def _name_attributes(features: Sequence[str]) -> tuple[str | None, ...]:
    """Name the attributes of features; slots have None, no feature an empty name."""
    types = [features.index(name) for name in _TYPE_FEATURES if name in features][:1]
    names: list[str | None] = []
    used = {"type"}
    for number, feature in enumerate(features):
        is_slot = feature.startswith(_ROLE)
        if number in types:
            names.append("type")
        elif is_slot or (number and features[number - 1].startswith(_ROLE)):
            names.append(None)
        else:
            names.append(_make_unique(feature, used))
    return tuple(names) or ("",)


def _make_unique(name: str, used: set[str]) -> str:
    name = f"{name}_{len(used)}" if name in used else name
    while name in used:
        name += "_"
    used.add(name)
    return name


def _split_cell(cell: str) -> list[str]:
    """Split a cell at bars that are not escaped."""
    if "\\" not in cell:
        return cell.split("|")
    items: list[list[str]] = [[]]
    for piece in _PIECE.findall(cell):
        if piece == "|":
            items.append([])
        else:
            items[-1].append(piece)
    return ["".join(pieces) for pieces in items]


def _split_number(item: str) -> tuple[str, str]:
    """Split the number off a value, as in `person[12]`; without one it is empty."""
    match = _NUMBERED.fullmatch(item)
    return (match[1], match[2]) if match else (item, "")


def _unescape(value: str) -> str:
    return _ESCAPE.sub(lambda match: _CONTROLS.get(match[1], match[1]), value)


def _escape(value: str) -> str:
    return _RESERVED.sub(lambda match: f"\\{_LETTERS.get(match[0], match[0])}", value)


def _link_mentions(
    reader: _RowReader,
) -> tuple[tuple[Entity, ...], tuple[Bridge, ...]]:
    links: list[Sequence[str]] = list(reader.chains.values())
    bridges: list[tuple[str, str, str]] = []
    for relation in reader.relations:
        ends = _find_ends(reader, relation)
        match = _BRIDGE.fullmatch(relation.name)
        if ends is not None and match is None:
            links.append(ends)
        elif ends is not None and match is not None:
            bridges.append((match[1], *ends))
    spans = sorted(reader.spans.items(), key=lambda item: (item[1][0], -item[1][1]))
    mentions = {
        name: Mention(start, end, attributes=attributes)
        for name, (start, end, attributes) in spans
    }
    groups = base.group_linked(mentions, links)
    numbers = {name: number for number, row in enumerate(groups, 1) for name in row}
    splits: dict[int, set[int]] = {}
    for relation_name, source, target in bridges:
        if relation_name.lower() == _SPLIT and numbers[source] != numbers[target]:
            splits.setdefault(numbers[source], set()).add(numbers[target])
    entities = tuple(
        Entity(
            str(number),
            tuple(mentions[name] for name in names),
            tuple(map(str, sorted(splits.get(number, ())))),
        )
        for number, names in enumerate(groups, 1)
    )
    # Of several mentions of the same tokens, the first is used, as in writing.
    anaphors: dict[Mention, Mention] = {}
    antecedents: dict[tuple[str, Mention], Mention] = {}
    for entity in entities:
        for mention in entity:
            anaphors.setdefault(mention, mention)
            antecedents.setdefault((entity.id, mention), mention)
    results = []
    for relation_name, source, target in bridges:
        if relation_name.lower() != _SPLIT:
            entity_id = str(numbers[target])
            antecedent = antecedents[entity_id, mentions[target]]
            anaphor = anaphors[mentions[source]]
            results.append(Bridge(anaphor, entity_id, antecedent, relation_name))
    results.sort(key=lambda bridge: bridge.mention or bridge.anaphor)
    return entities, tuple(results)


def _find_ends(reader: _RowReader, relation: _Relation) -> tuple[str, str] | None:
    """Return the names of source and target of a relation; report missing ones."""
    match = _REFERENCE.fullmatch(relation.reference)
    unit, source, target = match.groups() if match else ("", "", "")
    ends = []
    for row, number in ((unit, source), (relation.unit, target)):
        name = reader.first_spans.get((relation.base, row), "")
        if number and int(number[:15]):
            name = f"{relation.base}[{number}]"
        ends.append(name)
    if all(name in reader.spans for name in ends):
        return ends[0], ends[1]
    message = f"the relation {quoted(relation.reference)} refers to a missing mention"
    hint = "expected 'sentence-token[number of the other_number of this]'"
    reader.faults(relation.line, message, hint, kind=kinds.UNKNOWN_ID)
    return None


def _format_text(document: Document) -> Iterator[str]:
    """Format a document; `_` replaces unknown words."""
    sentences = [
        [re.sub(r"[\t\n]", " ", word) for word in words]
        for words in list_sentences(document)
        if words
    ]
    # Mentions are numbered in the order in which they are read.
    pairs = [
        (mention, number) for number, row in enumerate(document) for mention in row
    ]
    pairs.sort(key=lambda pair: (pair[0].start, -pair[0].end))
    mentions = [mention for mention, _ in pairs]
    features = _choose_features(mentions)
    yield "#FORMAT=WebAnno TSV 3.3\n"
    yield f"#T_SP={_REFERENT}|{'|'.join(feature for feature, _ in features)}\n"
    yield f"#T_RL=webanno.custom.Coref|type|{_BASE}{_REFERENT}\n\n"
    units = [
        f"{sentence}-{token}"
        for sentence, words in enumerate(sentences, 1)
        for token in range(1, len(words) + 1)
    ]
    numbers_at: list[list[int]] = [[] for _ in units]
    for number, mention in enumerate(mentions, 1):
        for token in range(mention.start, mention.end + 1):
            numbers_at[token].append(number)
    relations_at: list[list[tuple[str, str]]] = [[] for _ in units]
    for name, source, target in _relate_mentions(document, pairs):
        unit = units[mentions[source - 1].start]
        row = _escape(name), f"{unit}[{source}_{target}]"
        relations_at[mentions[target - 1].start].append(row)
    token = offset = 0
    for words in sentences:
        yield "\n#Text={}\n".format(" ".join(words).replace("\\", "\\\\"))
        for word in words:
            # Offsets count as in Java, by units of UTF-16.
            end = offset + len(word.encode("utf-16-le", "surrogatepass")) // 2
            values = []
            for _, attribute in features:
                items = [
                    f"{_format_value(mentions[number - 1], attribute)}[{number}]"
                    for number in numbers_at[token]
                ]
                values.append("|".join(items) or _EMPTY_CELL)
            columns = zip(*relations_at[token], strict=True)
            relations = list(map("|".join, columns)) or [_EMPTY_CELL] * 2
            cells = (units[token], f"{offset}-{end}", word, *values, *relations, "\n")
            yield "\t".join(cells)
            offset, token = end + 1, token + 1


def _format_value(mention: Mention, attribute: str) -> str:
    value = mention.attributes.get(attribute)
    return _NO_VALUE if value is None else _escape(value)


def _choose_features(mentions: Iterable[Mention]) -> list[tuple[str, str]]:
    """Return a feature for each attribute that a mention has, with the attribute."""
    features = [("entity", "type")]
    used = {"type"}
    for name in dict.fromkeys(
        key for mention in mentions for key in mention.attributes
    ):
        if name != "type":
            feature = re.sub(r"[\n|]", "_", name).strip() or "_"
            feature = f"_{feature}" if feature.startswith(_ROLE) else feature
            features.append((_make_unique(feature, used), name))
    return features


def _relate_mentions(
    document: Document, pairs: Iterable[tuple[Mention, int]]
) -> Iterator[tuple[str, int, int]]:
    """Iterate over the relations to write: name, numbers of source and target."""
    groups: list[list[int]] = [[] for _ in document]
    anaphors: dict[Mention, int] = {}
    # By the first mention of the entity.
    antecedents: dict[tuple[int, Mention | None], int] = {}
    for number, (mention, entity_number) in enumerate(pairs, 1):
        groups[entity_number].append(number)
        anaphors.setdefault(mention, number)
        first = groups[entity_number][0]
        antecedents.setdefault((first, mention), number)
    for group in groups:
        for earlier, later in pairwise(group):
            yield "coref", later, earlier
    by_id = {entity.id: group for entity, group in zip(document, groups, strict=True)}
    for entity, group in zip(document, groups, strict=True):
        for antecedent in entity.split:
            if group and by_id.get(antecedent):
                yield f"bridge:{_SPLIT}", group[0], by_id[antecedent][0]
    for anaphor, antecedent, anchor, relation in document.bridges:
        if anaphor in anaphors and by_id.get(antecedent):
            first = by_id[antecedent][0]
            target = antecedents.get((first, anchor), first)
            name = f"bridge:{relation}" if relation else "bridge"
            yield name, anaphors[anaphor], target


READER = base.make_reader(
    base.make_file_extents(lambda file: get_stem(file.name, ".webanno")), parse
)
WRITER = base.Writer(
    alters=base.LINE_MARKS,
    carries=base.CROSSINGS | {base.TYPES, base.ATTRIBUTES, base.SPLITS, base.BRIDGES},
    files=lambda document: [(".webanno.tsv", "".join(_format_text(document)))],
)
