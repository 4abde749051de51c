r"""WebAnno TSV 3, of WebAnno and INCEpTION: one token per line, annotation in columns.

1.  The first line is `#FORMAT=WebAnno TSV 3.2`, or another 3. The lines below it name
    the layers: `#T_SP=layer|feature|...` spans, `#T_RL=layer|feature|BT_spans`
    relations between spans, `#T_CH=layer|...` chains. Each feature has a column, and so
    has what a relation points to; a layer without features has one column. Other lines
    that begin with `#`, such as `#Text=`, are left out.
2.  A row is `1-3<tab>8-14<tab>word`, then the columns: sentence and token, characters,
    which are not looked at, and the word as it is. The file is one document, whose id
    is the file's name without its ending.
3.  A cell is `_` (nothing), or values separated by `|`, where `*` is none. In values,
    `\\`, `\[`, `\]`, `\|`, `\_`, `\*`, `\;`, `\->`, `\t` and `\n` are escapes.
    `person[12]` belongs to annotation 12, which covers all tokens from the first to the
    last with its number; without a number it covers this token.
4.  Relations are read from layers whose name has `coref` or `anaphor` in it, and
    mentions from the spans that these relate. The feature `entity`, else `type`, else
    `value` goes to `type`, the others keep their names.
5.  A relation is in the row of what it leads to, and names where it comes from:
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
10. Rows with other columns than the layers have, repeated tokens, relations to nothing,
    and a file without such a layer are refused.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from corefkit.exceptions import quoted
from corefkit.formats import base
from corefkit.formats.documents import Extent, Parsed, document_reader, whole_file
from corefkit.formats.kinds import CUT_TOKEN
from corefkit.formats.lines import sound_lines
from corefkit.formats.standoff.webanno_cells import (
    FIRST_COLUMN,
    NONE,
    NOTHING,
    Layer,
    add_layer,
    cell_items,
    numbered,
    unescaped,
    webanno_files,
)
from corefkit.formats.standoff.webanno_links import Annotations, Relation, Row, linked
from corefkit.model import Document
from corefkit.strings.ids import file_stem

if TYPE_CHECKING:
    from corefkit.formats.bytefile import ByteFile
    from corefkit.formats.faults import Faults

_FORMAT = b"#FORMAT=WebAnno TSV 3."
_COREFERENCE = re.compile(r"coref|anaphor", re.IGNORECASE)
_UNIT = re.compile(r"([0-9]{1,15})-([0-9]{1,15})((?:\.[0-9]{1,15})*)")
_OFFSETS = re.compile(r"[0-9]+-[0-9]+")
_CHAINED = re.compile(r"(.*)->([0-9]+)-([0-9]+)", re.DOTALL)
_SPANS, _RELATIONS, _CHAINS = "SP", "RL", "CH"
_CHAIN_FEATURE = "referenceRelation"
_ROW_SHAPE = (
    "a row is 'sentence-token<tab>start-end<tab>word', then one column per feature"
)


def recognise(head: bytes) -> bool:
    """Return whether the first bytes of a file look like WebAnno TSV 3."""
    return head.lstrip().startswith(_FORMAT)


def parse(file: ByteFile, extent: Extent, faults: Faults) -> Parsed:
    """Read the rows of a file and join its mentions to entities."""
    if not recognise(file.read(extent.start, extent.start + 256)):
        message = "the first line is not '#FORMAT=WebAnno TSV 3.2', or another 3"
        line = file.line_number(extent.start)
        faults(line, message, "export the file as WebAnno TSV 3")
    layers: list[Layer] = []
    chosen: list[Layer] | None = None
    found = Annotations()
    for line, text in sound_lines(file, extent.start, extent.end, faults):
        if text.startswith("#"):
            if chosen is None:
                add_layer(layers, text)
            continue
        if chosen is None:
            chosen = _coreference_layers(layers, faults)
        width = layers[-1].columns.stop if layers else FIRST_COLUMN
        row = _row(line, text, width, found, faults)
        if row is not None:
            for layer in chosen:
                _TAKE[layer.kind](row, layer, found, faults)
    entities, bridges = linked(found, faults)
    sentences = tuple(map(tuple, found.sentences))
    document = Document(extent.id, sentences, entities, bridges=bridges)
    return Parsed(document, found.lines)


def _coreference_layers(layers: list[Layer], faults: Faults) -> list[Layer]:
    spans = {layer.name: layer for layer in layers if layer.kind == _SPANS}
    chosen: dict[Layer, None] = {}
    for layer in layers:
        if layer.kind == _CHAINS and _CHAIN_FEATURE in layer.features:
            chosen[layer] = None
        elif layer.kind == _RELATIONS and _COREFERENCE.search(layer.name):
            if layer.base in spans:
                chosen |= dict.fromkeys((spans[layer.base], layer))
                continue
            message = f"layer {quoted(layer.name)} relates {quoted(layer.base)}"
            hint = "expected the name of a '#T_SP=' layer after 'BT_'"
            faults(1, f"{message}, which is no layer", hint)
    if not chosen:
        names = ", ".join(quoted(layer.name) for layer in layers[:9]) or "none"
        message = f"no layer of coreference among the layers: {names}"
        hint = "call the layer of relations 'webanno.custom.Coref' in the header"
        faults(1, message, hint)
    return list(chosen)


def _row(
    line: int, text: str, width: int, found: Annotations, faults: Faults
) -> Row | None:
    cells = text.split("\t")
    unit = _UNIT.fullmatch(cells[0])
    if unit is None or len(cells) < FIRST_COLUMN or not _OFFSETS.fullmatch(cells[1]):
        message = f"{quoted(text)} is no row of a token"
        faults(line, message, _ROW_SHAPE)
        return None
    sentence, number, part = unit.groups()
    name = f"{sentence}-{number}"
    if not part and name in found.tokens:
        message = f"token {quoted(name)} is repeated"
        faults(line, message, "number the tokens anew")
        return None
    if part and name not in found.tokens:
        message = f"{quoted(cells[0])} is part of a token that was not there before"
        faults(line, message, _ROW_SHAPE)
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
        faults(line, message, _ROW_SHAPE)
        return None
    return Row(line, cells[0], found.tokens[name], cells)


def _take_spans(row: Row, layer: Layer, found: Annotations, faults: Faults) -> None:
    annotated = False
    for attribute, cell in zip(layer.attributes, row.cells[layer.columns], strict=True):
        if attribute is None or cell == NOTHING:
            continue
        annotated = True
        for place, item in enumerate(cell_items(cell)):
            value, number = numbered(item)
            name = number or f"{row.unit}|{place}"
            known = found.cover(f"{layer.name}[{name}]", layer, row)
            if attribute and value != NONE:
                known.setdefault(attribute, unescaped(value))
    if annotated and "." in row.unit:
        message = f"a mention is on {quoted(row.unit)}, which is part of a token"
        hint = "the whole token is taken"
        faults(row.line, message, hint, kind=CUT_TOKEN)


def _take_relations(row: Row, layer: Layer, found: Annotations, faults: Faults) -> None:
    *features, cell = row.cells[layer.columns]
    if cell == NOTHING:
        return
    references = cell_items(cell)
    named = layer.features.index("type") if "type" in layer.features else 0
    kinds = cell_items(features[named]) if features else [NOTHING]
    if kinds == [NOTHING]:
        kinds = [NONE] * len(references)
    if len(kinds) != len(references):
        message = f"{len(kinds)} relations lead to {len(references)} places"
        faults(row.line, message, "expected as many of both")
    for kind, reference in zip(kinds, references, strict=False):
        said = "" if kind == NONE else unescaped(kind)
        relation = Relation(row.line, said, layer.base, row.unit, reference)
        found.relations.append(relation)


def _take_chains(row: Row, layer: Layer, found: Annotations, faults: Faults) -> None:
    cells = dict(zip(layer.features, row.cells[layer.columns], strict=True))
    if cells[_CHAIN_FEATURE] == NOTHING:
        return
    types = cell_items(cells.get("referenceType", NONE))
    for place, item in enumerate(cell_items(cells[_CHAIN_FEATURE])):
        match = _CHAINED.fullmatch(item)
        if match is None:
            message = f"{quoted(item)} is no link of a chain"
            faults(row.line, message, "a link is as in 'coref->1-2'")
            continue
        relation, chain, link = match.groups()
        name = f"{layer.name}[{chain}-{link}]"
        links = found.chains.setdefault((layer.name, chain), [])
        if name not in found.mentions:
            links.append(name)
        known = found.cover(name, layer, row)
        kind, _ = numbered(types[place]) if place < len(types) else (NONE, "")
        for attribute, value in (("type", kind), (_CHAIN_FEATURE, relation)):
            if value not in (NONE, NOTHING):
                known.setdefault(attribute, unescaped(value))


_TAKE = {_SPANS: _take_spans, _RELATIONS: _take_relations, _CHAINS: _take_chains}
READER = document_reader(
    whole_file(lambda file: file_stem(file.name, ".webanno")), parse
)
WRITER = base.Writer(
    alters=base.LINE_MARKS,
    carries=base.CROSSINGS | {base.TYPES, base.ATTRIBUTES, base.SPLITS, base.BRIDGES},
    files=webanno_files,
)
