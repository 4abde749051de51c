"""Universal Anaphora columns: CoNLL-U Plus with a column for each kind of reference.

1.  The file begins with `# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL
    DEPS MISC IDENTITY BRIDGING DISCOURSE_DEIXIS REFERENCE NOM_SEM`; the line may be
    missing, but IDENTITY is always the 11th column. `# newdoc id = X` begins a
    document, X being its id. A document without one has the name of the file, from the
    second document on with its number.
2.  A line is a token, unless it is blank (a sentence ends) or starts with `#` (a
    comment, kept with the sentence that it precedes). Columns are separated by tabs or
    blanks; a line has 11 or more, and those behind the 15th are not read.
3.  The ID of a word is a number. One with a dot (`8.1`) is an empty node, one with a
    hyphen (`8-9`) a line that is no token. Whether numbers go through the document, as
    they should, or begin anew with each sentence, does not matter.
4.  An IDENTITY cell is `_` (nothing) or brackets, from left to right:
    `(EntityID=1|MarkableID=markable_2|...` opens a mention, `)` closes the one opened
    last, of whatever entity, and `markable_2)` the one of that name, so that spans may
    cross. Brackets follow each other directly; an `@` between openings is allowed.
5.  A mention opens with pairs `key=value`. `EntityID` is required. `SemType` is the
    attribute `type`; others are attributes by their own names.
6.  `MarkableID` names the mention inside its document. Where the same name opens again,
    that is the next part of a discontinuous mention; the pairs of its first part count.
7.  `Min=3,4` is the first and last word of the minimum span, `Min=3` its only word,
    counted through the document from 1, without empty nodes. The only word is also
    the head of the mention. Other heads are not written.
8.  `ElementOf=5,6` says that the entity of the mention is one of those that together
    are the split antecedent of entity 5, and of entity 6.
9.  Entities whose `EntityID` ends in `-Pseudo` do not refer.
10. A BRIDGING cell is `_` or `(MarkableID=markable_5|Rel=poss|MentionAnchor=markable_2|
    EntityAnchor=1)`: mention markable_5 is understood through entity 1, as markable_2
    speaks of it. One of the two anchors is enough, `Rel` may be missing, and so may the
    brackets. Closing brackets mean nothing here.
11. DISCOURSE_DEIXIS, REFERENCE and NOM_SEM are layers, cell by cell, and so are the
    columns of CoNLL-U; a column that is empty throughout a document is not kept.
12. `%28` and the like in keys and values stand for characters that the brackets cannot
    have. The writer names mentions without a name `_1`, `_2`..., since scorers want
    names; such names are not kept. Closing brackets are named where spans cross.
13. Entities stand in the order of their first mentions, mentions in that of the text,
    of those that begin together the longer first.
14. Where all words of a document are `_`, and neither empty nodes nor layers are there,
    the words are unknown.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import chain, pairwise
from typing import TYPE_CHECKING, NamedTuple

from corefkit.exceptions import quoted
from corefkit.formats.brackets import (
    TEXTS,
    OpenBrackets,
    Part,
    format_brackets,
    format_row,
    group_sentences,
    list_sentences,
    read_lines,
)
from corefkit.formats.problems import (
    BROKEN_LINK,
    CONFLICTING_ENTITIES,
    INVALID_ANNOTATION,
    INVALID_HEADER,
    LEFT_OUT,
    MISSING_ID,
    WRONG_COLUMNS,
    WRONG_NUMBER,
    Faults,
    format_id,
)
from corefkit.formats.source import (
    COLUMN_MARKS,
    EVERYTHING,
    HEADS,
    KINDS,
    Extent,
    Parsed,
    Writer,
    make_reader,
)
from corefkit.model import Bridge, Document, Entity, Mention
from corefkit.strings import get_stem, map_conllu_ids

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping, Sequence

    from corefkit.formats.brackets import Bracket
    from corefkit.formats.files import ByteFile

# The cells of Universal Anaphora columns: mentions, entities and bridges.
#
# The rules are those in `corefkit.formats.ua`.

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
    open_brackets.report_open(last_line)
    return markables


def _brackets(token: Token, faults: Faults) -> Iterator[Bracket]:
    """Take an identity cell apart, up to the first thing in it that is no bracket."""
    cell = token.identity.replace("@(", "(")
    for bracket in TEXTS.split_cell(cell) if cell != "_" else ():
        text, opens, closes = bracket
        if not opens and not closes:
            message = f"{quoted(text)} is no bracket of an identity cell"
            hint = "expected '_', '(EntityID=1|MarkableID=a|...', ')' or 'a)'"
            faults(token.line, message, hint, kind=INVALID_ANNOTATION)
            return
        yield bracket


def _opened(
    text: str, line: int, of_name: dict[str, _Markable], faults: Faults
) -> _Markable:
    """Read the text that opens a mention, or another part of one known by its name."""
    pairs = _pairs(text, line, faults)
    if not pairs.get("EntityID"):
        hint = "a mention opens with '(EntityID=1|MarkableID=a|...'"
        faults(line, f"{quoted(text)} has no EntityID", hint, kind=MISSING_ID)
    markable = of_name.get(pairs.get("MarkableID", ""))
    if markable is None or not markable.id:
        return _Markable(pairs.get("MarkableID", ""), line, pairs)
    if pairs.get("EntityID") != markable.pairs.get("EntityID"):
        message = (
            f"{quoted(markable.id)} is in entity {quoted(pairs.get('EntityID', ''))} "
            f"here and in {quoted(markable.entity)} at line {markable.line}"
        )
        hint = "a MarkableID names one mention, and each part of it where it has gaps"
        faults(line, message, hint, kind=CONFLICTING_ENTITIES)
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
            faults(
                line, f"{quoted(pair)} is no pair 'key=value'", kind=INVALID_ANNOTATION
            )
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
        faults(markable.line, message, hint, kind=INVALID_ANNOTATION)
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
                message = f"ElementOf={format_id(name)} names no entity of the document"
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


HEADER = f"# global.columns = {' '.join(COLUMNS)}\n"


def ua_text(document: Document) -> Iterator[str]:
    """Write a document; where there are no words, `_` stands for each.

    Blanks inside words and layers, which columns of text cannot have, become
    underscores.
    """
    name = _one_line(document.id)
    yield f"# newdoc id = {name}\n" if name else "# newdoc\n"
    written = _written(document)
    sentences = list_sentences(document)
    tokens = range(sum(map(len, sentences)))
    ids = list(map_conllu_ids(tokens, set(document.empty)))
    annotation = {
        IDENTITY: _identity_cells(written, ids),
        BRIDGING: _bridging_cells(document, written),
    }
    token = 0
    for number, sentence in enumerate(sentences):
        for comment in chain.from_iterable(document.comments[number : number + 1]):
            line = _one_line(comment)
            if sentence and is_kept(line):
                yield f"# {line}\n"
        for word in sentence:
            columns = [ids[token], word, *["_"] * (len(COLUMNS) - 2)]
            for layer, column in LAYER_COLUMNS.items():
                if layer in document.layers:
                    columns[column] = document.layers[layer][token]
            for column, row in annotation.items():
                columns[column] = row.get(token, "_")
            yield format_row(columns)
            token += 1
        yield "\n"


def _one_line(text: str) -> str:
    return text.replace("\n", " ").strip(" \t\r\v\f")


class _Written(NamedTuple):
    """A mention to be written, with the names that it and its entity get."""

    mention: Mention
    id: str
    entity: str
    wholes: list[str]  # the entities of whose split antecedent its own is part


def _written(document: Document) -> list[_Written]:
    """Name the mentions and entities of a document, each name once."""
    names = _entity_names(document)
    of_id = {entity.id: name for entity, name in zip(document, names, strict=True)}
    wholes: dict[str, list[str]] = {}
    for entity, name in zip(document, names, strict=True):
        for element in entity.split:
            wholes.setdefault(of_id.get(element, ""), []).append(name)
    written: list[_Written] = []
    used: set[str] = set()
    for entity, name in zip(document, names, strict=True):
        # Once is enough: what one mention says is said of its entity.
        element_of = wholes.get(name, [])
        for mention in entity:
            own = mention.attributes.get("MarkableID", "")
            if not own or own in used or MADE_UP_ID.fullmatch(own):
                own = f"_{len(written) + 1}"
            used.add(own)
            written.append(_Written(mention, _escaped(own), name, element_of))
            element_of = []
    return written


def _entity_names(document: Document) -> list[str]:
    names: list[str] = []
    used: set[str] = set()
    for number, entity in enumerate(document.entities):
        name = _escaped(entity.id or "_", ",").removesuffix(PSEUDO)
        if not entity.referring:
            name += PSEUDO
        elif entity.id.endswith(PSEUDO):
            name += PSEUDO.replace("-", "%2D")
        while unescaped(name) in used:
            name = f"{number}.{name}"
        used.add(unescaped(name))
        names.append(name)
    return names


def _identity_cells(written: Sequence[_Written], ids: Sequence[str]) -> dict[int, str]:
    """Write the identity column."""
    from corefkit.formats.output import find_crossing

    spans = [Mention(*part) for row in written for part in row.mention.parts]
    named = bool(find_crossing(spans, touching=False))
    parts: list[Part] = []
    for row in written:
        text, name = _opening(row, ids), row.id if named else ""
        for start, end in row.mention.parts:
            parts.append(Part(start, end, text, name))
            text = f"EntityID={row.entity}|MarkableID={row.id}"
    return format_brackets(parts)


def _opening(written: _Written, ids: Sequence[str]) -> str:
    """Write what opens a mention."""
    mention, attributes = written.mention, dict(written.mention.attributes)
    attributes.pop("MarkableID", None)
    pairs = [f"EntityID={written.entity}", f"MarkableID={written.id}"]
    if mention.minimum is not None:
        numbers = [ids[token] for token in mention.minimum]
        # An empty node has no number among the words.
        if "." not in "".join(numbers):
            pairs.append(f"Min={','.join(dict.fromkeys(numbers))}")
    if "type" in attributes:
        pairs.append(f"SemType={_escaped(attributes.pop('type'))}")
    for key, value in attributes.items():
        name = _escaped(key, "=")
        if name in NOT_ATTRIBUTES:
            name = f"%{ord(name[0]):02X}{name[1:]}"
        pairs.append(f"{name}={_escaped(value)}")
    if written.wholes:
        pairs.append(f"ElementOf={','.join(written.wholes)}")
    return "|".join(pairs)


def _bridging_cells(document: Document, written: Sequence[_Written]) -> dict[int, str]:
    of_mention = {row.mention: row for row in reversed(written)}
    names = _entity_names(document)
    of_id = {entity.id: name for entity, name in zip(document, names, strict=True)}
    texts: dict[int, str] = {}
    for bridge in document.bridges:
        if bridge.anaphor not in of_mention:
            continue
        pairs = [f"MarkableID={of_mention[bridge.anaphor].id}"]
        if bridge.relation:
            pairs.append(f"Rel={_escaped(bridge.relation)}")
        if bridge.mention in of_mention:
            pairs.append(f"MentionAnchor={of_mention[bridge.mention].id}")
        antecedent = of_id.get(bridge.antecedent) or _escaped(bridge.antecedent, ",")
        pairs.append(f"EntityAnchor={antecedent}")
        start = bridge.anaphor.start
        texts[start] = f"{texts.get(start, '')}({'|'.join(pairs)})"
    return texts


def is_kept(comment: str) -> bool:
    """Return whether a comment is about a sentence, not the document or the file."""
    return bool(comment) and not re.match(r"newdoc(\s|$)|global\.columns", comment)


def _escaped(text: str, more: str = "") -> str:
    """Escape the characters that a cell cannot have, and some more.

    >>> _escaped("a (b)"), _escaped("%28"), _escaped("100%")
    ('a%20%28b%29', '%2528', '100%')
    """
    return re.sub(
        rf"[\x00-\x20\s()|@{more}]|%(?=[0-9A-Fa-f]{{2}})",
        lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode()),
        text,
    )


_FEWEST_COLUMNS = IDENTITY + 1
_SHAPE = f"the columns are {' '.join(COLUMNS)}; all behind IDENTITY may be left out"
_GLOBAL = re.compile(rb"#\s*global\.columns\s*=(.*)")
_NEWDOC = re.compile(rb"#\s*newdoc(?:\s+id\s*=(.*)|\s.*)?$")
_FIELD = re.compile(r"[^\x00-\x20]+")
_ID = re.compile(r"[0-9]+(?:([.-])[0-9]+)?")


def recognise(head: bytes) -> bool:
    """Return whether the first bytes of a file look like Universal Anaphora columns."""
    for line in head.split(b"\n"):
        if found := _GLOBAL.match(line.strip()):
            return b"IDENTITY" in found[1].split()
        if b"(EntityID=" in line and not line.lstrip().startswith(b"#"):
            return b"(EntityID=" in b"".join(line.split()[IDENTITY:][:1])
    return False


def extents(file: ByteFile, faults: Faults) -> Iterator[Extent]:
    """Find the documents; columns in another order go to `faults`."""
    current: Extent | None = None
    stem = get_stem(file.name)
    documents = 0
    for offset, content in _markers(file):
        newdoc = _NEWDOC.match(content)
        if newdoc or content[:1] != b"#":
            if current is not None:
                yield current._replace(end=offset)
            documents += 1
            found = (newdoc and newdoc[1]) or b""
            name = found.strip().decode("utf-8", "backslashreplace")
            unnamed = stem if documents == 1 else f"{stem}-{documents}"
            start = offset if newdoc else file.text_start
            current = Extent(name or unnamed, start, file.size)
        elif columns := _GLOBAL.match(content):
            names = columns[1].split()
            if names[IDENTITY:BRIDGING] != [b"IDENTITY"]:
                message = "IDENTITY is not the 11th of the columns that are named here"
                faults.report_at(offset, message, _SHAPE, kind=INVALID_HEADER)
    if current is not None:
        yield current


def _markers(file: ByteFile) -> list[tuple[int, bytes]]:
    """Find the comments that may begin a document or name columns, in their order.

    Where a token stands above all that begin one, it is among them: it begins the first
    document.
    """
    found = {
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
            found[offset] = content
            break
    return sorted(found.items())


def parse(file: ByteFile, extent: Extent, faults: Faults) -> Parsed:
    """Read one document; what is wrong with it goes to `faults`."""
    tokens, comments = _tokens(file, extent, faults)
    entities, bridges = read_cells(
        [
            Token(number, line, *columns[IDENTITY : BRIDGING + 1])
            for number, (line, _, _, columns) in enumerate(tokens)
        ],
        [number for number, token in enumerate(tokens) if not token.empty],
        tokens[-1].line if tokens else 0,
        faults,
    )
    layers = _layers(tokens)
    empty = tuple(number for number, token in enumerate(tokens) if token.empty)
    known = bool(layers or empty) or any(token.columns[1] != "_" for token in tokens)
    document = Document(
        extent.id,
        group_sentences((token.sentence, token.columns[1]) for token in tokens)
        if known
        else (),
        entities,
        empty,
        bridges,
        layers,
        comments if known else (),
    )
    return Parsed(document, [token.line for token in tokens])


class _Line(NamedTuple):
    """A token line; `sentence` counts from 0, no column is missing."""

    line: int
    sentence: int
    empty: bool
    columns: list[str]


def _tokens(
    file: ByteFile, extent: Extent, faults: Faults
) -> tuple[list[_Line], tuple[tuple[str, ...], ...]]:
    """Read the lines of a document: tokens, and the comments before each sentence."""
    tokens: list[_Line] = []
    comments: list[tuple[str, ...]] = []
    pending: list[str] = []
    blank = True
    for line, text in read_lines(file, extent.start, extent.end, faults):
        columns = _FIELD.findall(text)
        if not columns:
            blank = True
            continue
        if columns[0].startswith("#"):
            pending.append(text[text.index("#") + 1 :].strip())
            continue
        number = _ID.fullmatch(columns[0])
        if number is None:
            message = f"{quoted(columns[0])} is not the number of a token"
            faults(line, message, _SHAPE, kind=WRONG_NUMBER)
        elif number[1] == "-":
            continue
        if len(columns) < _FEWEST_COLUMNS:
            found = f"found {len(columns)} columns, expected {_FEWEST_COLUMNS} or more"
            faults(line, found, _SHAPE, kind=WRONG_COLUMNS)
        if blank:
            comments.append(tuple(filter(is_kept, pending)))
            pending, blank = [], False
        columns += ["_"] * (len(COLUMNS) - len(columns))
        empty = number is not None and number[1] == "."
        tokens.append(_Line(line, len(comments) - 1, empty, columns))
    return tokens, tuple(comments) if any(comments) else ()


def _layers(tokens: Sequence[_Line]) -> dict[str, tuple[str, ...]]:
    layers = {
        name: tuple(token.columns[column] for token in tokens)
        for name, column in LAYER_COLUMNS.items()
    }
    return {name: layer for name, layer in layers.items() if set(layer) - {"_"}}


READER = make_reader(extents, parse)
WRITER = Writer(
    alters=COLUMN_MARKS,
    carries=frozenset(EVERYTHING) - {HEADS, KINDS},
    layers=frozenset(LAYER_COLUMNS),
    header=HEADER,
    text=ua_text,
)
