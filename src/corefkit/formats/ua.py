"""Universal Anaphora columns: CoNLL-U Plus with a column for each kind of reference.

`docs/formats/conllu.md` defines the format; these rules add to it:

-   The line `# global.columns` is optional, but IDENTITY is always the 11th column;
    columns after the 15th are ignored. The default id is the name of the file; from the
    second document on, a hyphen and the number of the document are appended.
-   Numbers should continue through the document, but may start again in each sentence.
-   There is no separator between brackets; an `@` between opening brackets is allowed.
    The pairs of the first part of a mention take precedence.
-   One anchor of a bridge is required; `Rel` and the brackets are optional. Closing
    brackets are ignored.
-   A column that is empty throughout a document is not a layer.
-   `%28` and similar codes in keys and values are characters that the brackets cannot
    contain.
-   Entities are in the order of their first mentions, mentions in that of the text; of
    those that begin together the longer is first.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import chain, pairwise
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from corefkit.exceptions import quoted
from corefkit.formats import problems as kinds
from corefkit.formats import source as base
from corefkit.formats.brackets import (
    TEXTS,
    OpenBrackets,
    Part,
    TokenRow,
    format_brackets,
    format_row,
    group_sentences,
    list_sentences,
    read_lines,
    split_columns,
)
from corefkit.formats.problems import Faults, format_id
from corefkit.formats.source import Extent, Parsed
from corefkit.model import Bridge, Document, Entity, Mention
from corefkit.strings import get_stem, map_conllu_ids

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from corefkit.formats.files import ByteFile

_COLUMNS = (
    *("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC"),
    *("IDENTITY", "BRIDGING", "DISCOURSE_DEIXIS", "REFERENCE", "NOM_SEM"),
)
_IDENTITY, _BRIDGING = _COLUMNS.index("IDENTITY"), _COLUMNS.index("BRIDGING")
_MIN_COLUMNS = _IDENTITY + 1
_LAYERS = {
    name.lower(): column
    for column, name in enumerate(_COLUMNS)
    if column > 1 and column not in (_IDENTITY, _BRIDGING)
}
_HEADER = f"# global.columns = {' '.join(_COLUMNS)}\n"
_SHAPE = f"the columns are {' '.join(_COLUMNS)}; those after IDENTITY are optional"
_PSEUDO = "-Pseudo"  # the suffix of ids of entities that do not refer
_RESERVED_KEYS = ("EntityID", "Min", "ElementOf", "SemType")
_DEFAULT_NAME = re.compile(r"_[0-9]+")
_MIN = re.compile(r"([0-9]{1,9})(?:,([0-9]{1,9}))?")
_GLOBAL = re.compile(rb"#\s*global\.columns\s*=(.*)")
_NEWDOC = re.compile(rb"#\s*newdoc(?:\s+id\s*=(.*)|\s.*)?$")
_ID = re.compile(r"[0-9]+(?:([.-])[0-9]+)?")


def recognise(head: bytes) -> bool:
    """Return whether the first bytes of a file look like Universal Anaphora columns."""
    for line in head.split(b"\n"):
        if match := _GLOBAL.match(line.strip()):
            return b"IDENTITY" in match[1].split()
        if b"(EntityID=" in line and not line.lstrip().startswith(b"#"):
            return b"(EntityID=" in b"".join(line.split()[_IDENTITY:][:1])
    return False


def find_extents(file: ByteFile, faults: Faults) -> Iterator[Extent]:
    """Find the documents, and report columns in another order."""
    begins: list[tuple[int, str]] = []
    for offset, content in _find_marked_lines(file):
        if columns := _GLOBAL.match(content):
            if columns[1].split()[_IDENTITY:_BRIDGING] != [b"IDENTITY"]:
                message = "IDENTITY is not the 11th of the columns that are named here"
                faults.report_at(offset, message, _SHAPE, kind=kinds.INVALID_HEADER)
        elif newdoc := _NEWDOC.match(content):
            name = (newdoc[1] or b"").strip().decode("utf-8", "backslashreplace")
            begins.append((offset, name))
        elif content[:1] != b"#":
            begins.append((file.text_start, ""))
    stem = get_stem(file.name)
    bounds = pairwise([*begins, (file.size, "")])
    for number, ((start, name), (end, _)) in enumerate(bounds, 1):
        yield Extent(name or (stem if number == 1 else f"{stem}-{number}"), start, end)


def _find_marked_lines(file: ByteFile) -> list[tuple[int, bytes]]:
    """Find the comments that may begin a document or name columns, with offsets.

    A token before the first document begins a document too.
    """
    lines = {
        offset: line.strip()
        for sign in (b"newdoc", b"global.columns")
        for offset, line in file.lines_with(sign)
        if line.lstrip()[:1] == b"#"
    }
    for offset, line in file.lines(file.text_start, file.size):
        content = line.strip()
        if _NEWDOC.match(content):
            break
        if content and content[:1] != b"#":
            lines[offset] = content
            break
    return sorted(lines.items())


def parse(file: ByteFile, extent: Extent, faults: Faults) -> Parsed:
    """Parse one document."""
    tokens, comments = _read_tokens(file, extent, faults)
    ids = [token.columns[0] for token in tokens]
    words = [number for number, token_id in enumerate(ids) if "." not in token_id]
    empty = tuple(number for number, token_id in enumerate(ids) if "." in token_id)
    entities, bridges = _read_annotation(tokens, words, faults)
    layers = _build_layers(tokens)
    has_words = bool(layers or empty) or any(
        token.columns[1] != "_" for token in tokens
    )
    forms = ((token.sentence, token.columns[1]) for token in tokens)
    document = Document(
        extent.id,
        group_sentences(forms) if has_words else (),
        entities,
        empty,
        bridges,
        layers,
        comments if has_words else (),
    )
    return Parsed(document, [token.line for token in tokens])


def _read_tokens(
    file: ByteFile, extent: Extent, faults: Faults
) -> tuple[list[TokenRow], tuple[tuple[str, ...], ...]]:
    """Read the tokens of a document, and the comments of each sentence."""
    tokens: list[TokenRow] = []
    comments: list[tuple[str, ...]] = []
    pending: list[str] = []
    is_blank = True
    for line, text in read_lines(file, extent.start, extent.end, faults):
        columns = split_columns(text)
        if not columns:
            is_blank = True
            continue
        if columns[0].startswith("#"):
            pending.append(text[text.index("#") + 1 :].strip())
            continue
        number = _ID.fullmatch(columns[0])
        if number is None:
            message = f"{quoted(columns[0])} is not the number of a token"
            faults(line, message, _SHAPE, kind=kinds.WRONG_NUMBER)
        elif number[1] == "-":
            continue
        if len(columns) < _MIN_COLUMNS:
            message = f"found {len(columns)} columns, expected {_MIN_COLUMNS} or more"
            faults(line, message, _SHAPE, kind=kinds.WRONG_COLUMNS)
        if is_blank:
            comments.append(tuple(filter(_is_of_sentence, pending)))
            pending, is_blank = [], False
        columns += ["_"] * (len(_COLUMNS) - len(columns))
        tokens.append(TokenRow(line, len(comments) - 1, columns))
    return tokens, tuple(comments) if any(comments) else ()


def _is_of_sentence(comment: str) -> bool:
    """Return whether a comment is about a sentence, not the document or the file."""
    return bool(comment) and not re.match(r"newdoc(\s|$)|global\.columns", comment)


def _build_layers(tokens: Sequence[TokenRow]) -> dict[str, tuple[str, ...]]:
    layers = {
        name: tuple(token.columns[column] for token in tokens)
        for name, column in _LAYERS.items()
    }
    return {name: layer for name, layer in layers.items() if set(layer) - {"_"}}


@dataclass(slots=True)
class _Markable:
    id: str  # its name, as it is written; empty by default
    line: int  # of its first bracket
    pairs: dict[str, str] = field(default_factory=dict)  # as they are written
    parts: list[tuple[int, int]] = field(default_factory=list)  # closed ones

    @property
    def entity_id(self) -> str:
        return _decode(self.pairs.get("EntityID", ""))


def _read_annotation(
    tokens: Sequence[TokenRow], words: Sequence[int], faults: Faults
) -> tuple[tuple[Entity, ...], tuple[Bridge, ...]]:
    """Read the columns of identity and bridging; `words` are not empty nodes."""
    mentions = [
        (markable, _build_mention(markable, words, faults))
        for markable in _read_markables(tokens, faults)
        if markable.parts and markable.entity_id
    ]
    mentions.sort(key=lambda pair: _get_position(pair[1]))
    entities = _build_entities(mentions, faults)
    # Bridges refer to the first of equal mentions.
    first: dict[Mention, Mention] = {}
    for mention in chain.from_iterable(entities):
        first.setdefault(mention, mention)
    by_name = {
        markable.id: (markable.entity_id, first[mention])
        for markable, mention in mentions
        if markable.id
    }
    return entities, _read_bridges(tokens, by_name, faults)


def _get_position(mention: Mention) -> tuple[int, int, tuple[tuple[int, int], ...]]:
    return mention.start, -mention.end, mention.gaps


def _read_markables(tokens: Sequence[TokenRow], faults: Faults) -> list[_Markable]:
    markables: dict[str, _Markable] = {}
    open_brackets = OpenBrackets[tuple[_Markable, int]](faults, label=quoted)
    for number, token in enumerate(tokens):
        cell = token.columns[_IDENTITY].replace("@(", "(")
        for text, opens, closes in TEXTS.split_cell(cell) if cell != "_" else ():
            if not opens and not closes:
                message = f"{quoted(text)} is not a bracket of an identity cell"
                hint = "expected '_', '(EntityID=1|MarkableID=a|...', ')' or 'a)'"
                faults(token.line, message, hint, kind=kinds.INVALID_ANNOTATION)
                break
            if opens:
                pairs = _parse_pairs(text, token.line, faults)
                name = pairs.get("MarkableID", "")
                # Names do not contain blanks.
                key = name or f" {len(markables)}"
                markable = markables.setdefault(key, _Markable(name, token.line))
                _add_pairs(markable, pairs, text, token.line, faults)
                open_brackets.open(name, token.line, (markable, number))
            name = "" if opens else text
            if closes and (opening := open_brackets.close(name, token.line)):
                markable, start = opening
                markable.parts.append((start, number))
    open_brackets.report_open(tokens[-1].line if tokens else 0)
    return list(markables.values())


def _parse_pairs(text: str, line: int, faults: Faults) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for pair in filter(None, text.split("|")):
        key, equals, value = pair.partition("=")
        if equals:
            pairs[key] = value
        else:
            message = f"{quoted(pair)} is not a pair 'key=value'"
            faults(line, message, kind=kinds.INVALID_ANNOTATION)
    return pairs


def _add_pairs(
    markable: _Markable, pairs: Mapping[str, str], text: str, line: int, faults: Faults
) -> None:
    """Add the pairs of a bracket to a mention; those of its first part count."""
    entity_id = pairs.get("EntityID", "")
    if not entity_id:
        hint = "a mention opens with '(EntityID=1|MarkableID=a|...'"
        faults(line, f"{quoted(text)} has no EntityID", hint, kind=kinds.MISSING_ID)
    if markable.pairs and pairs.get("EntityID") != markable.pairs.get("EntityID"):
        message = (
            f"{quoted(markable.id)} is in entity {quoted(entity_id)} "
            f"here and in {quoted(markable.entity_id)} at line {markable.line}"
        )
        hint = "a MarkableID is the name of one mention, and of each of its parts"
        faults(line, message, hint, kind=kinds.CONFLICTING_ENTITIES)
    for key, value in pairs.items():
        markable.pairs.setdefault(key, value)


def _build_mention(
    markable: _Markable, words: Sequence[int], faults: Faults
) -> Mention:
    minimum = _parse_minimum(markable, words, faults)
    attributes = {
        _decode(key): _decode(value)
        for key, value in markable.pairs.items()
        if key not in _RESERVED_KEYS
    }
    if not markable.id or _DEFAULT_NAME.fullmatch(markable.id):
        attributes.pop("MarkableID", None)
    if "SemType" in markable.pairs:
        attributes["type"] = _decode(markable.pairs["SemType"])
    return Mention.of(
        chain.from_iterable(range(start, end + 1) for start, end in markable.parts),
        head=minimum[0] if minimum and minimum[0] == minimum[1] else None,
        minimum=minimum,
        attributes=attributes,
    )


def _parse_minimum(
    markable: _Markable, words: Sequence[int], faults: Faults
) -> tuple[int, int] | None:
    if "Min" not in markable.pairs:
        return None
    pair = f"Min={markable.pairs['Min']}"
    hint = "words are counted through the document from 1"
    match = _MIN.fullmatch(markable.pairs["Min"])
    if match is None:
        message = f"{quoted(pair)} is not 'Min=3' or 'Min=3,4'"
        faults(markable.line, message, hint, kind=kinds.INVALID_ANNOTATION)
        return None
    first, last = int(match[1]), int(match[2] or match[1])
    message = f"{pair} names no words of the document, which has {len(words)}"
    if 1 <= first <= last <= len(words):
        minimum = words[first - 1], words[last - 1]
        start, _ = min(markable.parts)
        if start <= minimum[0] and minimum[1] <= max(end for _, end in markable.parts):
            return minimum
        message = f"{pair} is outside its mention"
    faults(markable.line, message, f"{hint}; it is ignored", kind=kinds.LEFT_OUT)
    return None


def _build_entities(
    mentions: Sequence[tuple[_Markable, Mention]], faults: Faults
) -> tuple[Entity, ...]:
    rows: dict[str, list[Mention]] = {}
    is_referring: dict[str, bool] = {}
    for markable, mention in mentions:
        rows.setdefault(markable.entity_id, []).append(mention)
        is_pseudo = markable.pairs["EntityID"].endswith(_PSEUDO)
        is_referring.setdefault(markable.entity_id, not is_pseudo)
    anaphors: dict[str, set[str]] = {}  # by the entities that their antecedents include
    for markable, _ in mentions:
        for name in filter(None, markable.pairs.get("ElementOf", "").split(",")):
            if _decode(name) in rows:
                anaphors.setdefault(markable.entity_id, set()).add(_decode(name))
            else:
                message = f"ElementOf={format_id(name)} names no entity of the document"
                faults(markable.line, message, "it is ignored", kind=kinds.BROKEN_LINK)
    splits: dict[str, list[str]] = {}
    for element in rows:
        for anaphor in anaphors.get(element, ()):
            splits.setdefault(anaphor, []).append(element)
    return tuple(
        Entity(name, tuple(row), tuple(splits.get(name, ())), is_referring[name])
        for name, row in rows.items()
    )


def _read_bridges(
    tokens: Sequence[TokenRow],
    by_name: Mapping[str, tuple[str, Mention]],
    faults: Faults,
) -> tuple[Bridge, ...]:
    """Read the bridging column, given the entity and mention of each MarkableID."""
    bridges = []
    for token in tokens:
        for text in _split_bridging(token.columns[_BRIDGING]):
            pairs = _parse_pairs(text, token.line, faults)
            _, anaphor = by_name.get(pairs.get("MarkableID", ""), ("", None))
            entity_id, mention = by_name.get(pairs.get("MentionAnchor", ""), ("", None))
            antecedent = _decode(pairs.get("EntityAnchor", "")) or entity_id
            if anaphor is None or not antecedent:
                message = f"{quoted(text)} does not name an anaphor and its antecedent"
                hint = "names are defined in the IDENTITY column; it is ignored"
                faults(token.line, message, hint, kind=kinds.BROKEN_LINK)
                continue
            relation = _decode(pairs.get("Rel", ""))
            bridges.append(Bridge(anaphor, antecedent, mention, relation))
    return tuple(sorted(bridges, key=lambda bridge: _get_position(bridge.anaphor)))


def _split_bridging(cell: str) -> list[str]:
    """Split a bridging cell.

    >>> _split_bridging("(MarkableID=a|EntityAnchor=1)(MarkableID=b|EntityAnchor=2")
    ['MarkableID=a|EntityAnchor=1', 'MarkableID=b|EntityAnchor=2']
    >>> _split_bridging("MarkableID=a|EntityAnchor=1"), _split_bridging("))")
    (['MarkableID=a|EntityAnchor=1'], [])
    """
    if "(" in cell:
        return re.findall(r"\(([^()]*)", cell)
    return [] if cell == "_" or cell.endswith(")") else [cell]


def _decode(text: str) -> str:
    return unquote(text) if "%" in text else text


def _encode(text: str, special: str = "") -> str:
    return re.sub(
        rf"[\x00-\x20\s()|@{special}]|%(?=[0-9A-Fa-f]{{2}})",
        lambda match: "".join(f"%{byte:02X}" for byte in match[0].encode()),
        text,
    )


def format_document(document: Document) -> Iterator[str]:
    """Format a document; `_` replaces unknown words, as far as its mentions reach."""
    name = _format_line(document.id)
    yield f"# newdoc id = {name}\n" if name else "# newdoc\n"
    sentences = list_sentences(document)
    tokens = range(sum(map(len, sentences)))
    ids = list(map_conllu_ids(tokens, set(document.empty)))
    names = _name_entities(document)
    by_id = {entity.id: name for entity, name in zip(document, names, strict=True)}
    mentions = _name_mentions(document, names, by_id, ids)
    annotation = {
        _IDENTITY: _format_identity(mentions),
        _BRIDGING: _format_bridges(document, mentions, by_id),
    }
    token = 0
    for number, sentence in enumerate(sentences):
        for comment in chain.from_iterable(document.comments[number : number + 1]):
            line = _format_line(comment)
            if sentence and _is_of_sentence(line):
                yield f"# {line}\n"
        for word in sentence:
            columns = [ids[token], word, *["_"] * (len(_COLUMNS) - 2)]
            for layer, column in _LAYERS.items():
                if layer in document.layers:
                    columns[column] = document.layers[layer][token]
            for column, row in annotation.items():
                columns[column] = row.get(token, "_")
            yield format_row(columns)
            token += 1
        yield "\n"


def _format_line(text: str) -> str:
    return text.replace("\n", " ").strip(" \t\r\v\f")


class _NamedMention(NamedTuple):
    mention: Mention
    id: str
    pairs: list[str]  # the first two name the mention


def _name_entities(document: Document) -> list[str]:
    names: list[str] = []
    used: set[str] = set()
    for number, entity in enumerate(document.entities):
        name = _encode(entity.id or "_", ",").removesuffix(_PSEUDO)
        if not entity.referring:
            name += _PSEUDO
        elif entity.id.endswith(_PSEUDO):
            name += _PSEUDO.replace("-", "%2D")
        while _decode(name) in used:
            name = f"{number}.{name}"
        used.add(_decode(name))
        names.append(name)
    return names


def _name_mentions(
    document: Document,
    names: Sequence[str],
    by_id: Mapping[str, str],
    ids: Sequence[str],
) -> list[_NamedMention]:
    element_of: dict[str, list[str]] = {}
    for entity, name in zip(document, names, strict=True):
        for element in entity.split:
            element_of.setdefault(by_id.get(element, ""), []).append(name)
    mentions: list[_NamedMention] = []
    used: set[str] = set()
    for entity, entity_name in zip(document, names, strict=True):
        # Only the first mention states the split antecedents of its entity.
        anaphors = element_of.get(entity_name)
        for mention in entity:
            name = mention.attributes.get("MarkableID", "")
            if not name or name in used or _DEFAULT_NAME.fullmatch(name):
                name = f"_{len(mentions) + 1}"
            used.add(name)
            name = _encode(name)
            pairs = [f"EntityID={entity_name}", f"MarkableID={name}"]
            pairs += _format_pairs(mention, ids)
            if anaphors:
                pairs.append(f"ElementOf={','.join(anaphors)}")
                anaphors = None
            mentions.append(_NamedMention(mention, name, pairs))
    return mentions


def _format_pairs(mention: Mention, ids: Sequence[str]) -> Iterator[str]:
    numbers = [ids[token] for token in mention.minimum or ()]
    # An empty node has no number among the words.
    if numbers and "." not in "".join(numbers):
        yield f"Min={','.join(dict.fromkeys(numbers))}"
    if "type" in mention.attributes:
        yield f"SemType={_encode(mention.attributes['type'])}"
    for key, value in mention.attributes.items():
        name = _encode(key, "=")
        if name in _RESERVED_KEYS:
            name = f"%{ord(name[0]):02X}{name[1:]}"
        if key not in ("type", "MarkableID"):
            yield f"{name}={_encode(value)}"


def _format_identity(mentions: Sequence[_NamedMention]) -> dict[int, str]:
    from corefkit.formats.output import find_crossing

    spans = [Mention(*part) for row in mentions for part in row.mention.parts]
    has_crossing = bool(find_crossing(spans, touching=False))
    parts: list[Part] = []
    for mention, name, pairs in mentions:
        closing = name if has_crossing else ""
        for number, (start, end) in enumerate(mention.parts):
            opening = "|".join(pairs[:2] if number else pairs)
            parts.append(Part(start, end, opening, closing))
    return format_brackets(parts)


def _format_bridges(
    document: Document, mentions: Sequence[_NamedMention], by_id: Mapping[str, str]
) -> dict[int, str]:
    by_mention = {row.mention: row.id for row in reversed(mentions)}
    cells: dict[int, str] = {}
    for anaphor, entity_id, mention, relation in document.bridges:
        if anaphor not in by_mention:
            continue
        pairs = [f"MarkableID={by_mention[anaphor]}"]
        if relation:
            pairs.append(f"Rel={_encode(relation)}")
        if mention in by_mention:
            pairs.append(f"MentionAnchor={by_mention[mention]}")
        antecedent = by_id.get(entity_id) or _encode(entity_id, ",")
        pairs.append(f"EntityAnchor={antecedent}")
        start = anaphor.start
        cells[start] = f"{cells.get(start, '')}({'|'.join(pairs)})"
    return cells


READER = base.make_reader(find_extents, parse)
WRITER = base.Writer(
    alters=base.COLUMN_MARKS,
    carries=frozenset(base.EVERYTHING) - {base.HEADS, base.KINDS},
    layers=frozenset(_LAYERS),
    header=_HEADER,
    text=format_document,
)
