"""AnCora-CO XML: coreference on the constituents of Spanish and Catalan trees.

`docs/formats/xml.md` defines the format; these rules add to it:

-   Sentences begin and end with elements `sentence`, except inside a mention. An empty
    node without `wd` has the word `_`.
-   A mention without `entity` has the id `singleton1`, `singleton2` and so on.
-   Of the attributes of a word only `entityref`, `coreftype`, `corefsubtype` and
    `homophoricDD` belong to the mention. Empty attributes are ignored.
-   The head is found by going from `sn` to its first `grup.nom`, noun (`n`), pronoun
    (`p`), number (`z`) or `sn`, in this order, and on from there; in a `grup.nom` dates
    (`w`) can be heads too. An attribute `head` of the constituent takes precedence: it
    is the position of the head in the mention, counted from 1.
-   Empty nodes that are not mentions have layers, like words: the first 100 names that
    have a value other than `_` at some token.
"""

from __future__ import annotations

from itertools import count, islice
from typing import TYPE_CHECKING, TypeAlias

from corefkit.exceptions import quoted
from corefkit.formats import source as base
from corefkit.formats import xml_elements as xml
from corefkit.formats.brackets import list_sentences
from corefkit.formats.problems import LEFT_OUT
from corefkit.formats.source import Parsed
from corefkit.model import Document, Entity, Mention
from corefkit.strings import get_base_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from corefkit.formats.files import ByteFile
    from corefkit.formats.problems import Faults
    from corefkit.formats.source import Extent
    from corefkit.formats.xml_elements import Element

    _TokenSpan: TypeAlias = tuple[int, int, int | None]  # first, last token and head

_NODE_ATTRIBUTES = frozenset({"wd", "elliptic", "missing"})
_MENTION_ATTRIBUTES = frozenset(
    {"entity", "entityref", "coreftype", "corefsubtype", "homophoricDD", "ne"}
)
_LAYERS = {"lem": "lemma", "pos": "xpos"}
_RESERVED_IN_MENTIONS = _NODE_ATTRIBUTES | {"entity", "ne", "head"}
_RESERVED_IN_LAYERS = _NODE_ATTRIBUTES | {"entity", "entityref", "lem", "pos"}
_EMPTY_NODE = '<sn elliptic="yes"/>'
_MAX_LAYERS = 100  # an invalid file may have as many names as words
_HEADS = ("grup.nom", "n", "p", "z", "sn")


def recognise(head: bytes) -> bool:
    """Return whether the first bytes of a file look like AnCora's XML."""
    signs = b"<article", b"<sentence", b" wd="
    return head.lstrip().startswith(b"<") and all(sign in head for sign in signs)


def parse(file: ByteFile, extent: Extent, faults: Faults) -> Parsed:
    """Parse the document."""
    root = xml.read_xml(file, faults, root="article")
    if root is None:
        return Parsed(Document(extent.id, (), ()), ())
    reader = _TreeReader()
    for element, is_start in root.walk():
        (reader.start if is_start else reader.end)(element)
    reader.end_sentence()
    document = Document(
        extent.id,
        tuple(map(tuple, reader.sentences)),
        _group_entities(reader.mentions, faults),
        empty=tuple(reader.empty),
        layers=_build_layers(reader.annotation),
    )
    return Parsed(document, reader.lines)


def _read_id(file: ByteFile) -> str:
    name = get_base_name(file.name, ".tbf.xml", ".xml")
    return xml.read_head_attribute(file, "article", "id") or name


class _TreeReader:
    def __init__(self) -> None:
        self.sentences: list[list[str]] = []
        self.lines: list[int] = []
        self.annotation: list[Mapping[str, str]] = []
        self.empty: list[int] = []
        self.mentions: dict[Element, _TokenSpan] = {}
        self._words: list[str] = []  # of the current sentence
        self._open_mentions = 0
        self._starts: list[int] = []  # first tokens of open elements
        self._heads: dict[Element, int] = {}

    def start(self, element: Element) -> None:
        if element.name == "sentence":
            self.end_sentence()
        self._starts.append(len(self.lines))
        if _is_mention(element):
            self.mentions[element] = len(self.lines), -1, None  # until it ends
            self._open_mentions += 1
        if "wd" in element.attributes and not _is_elliptic(element):
            self._heads[element] = len(self.lines)
            self._add_token(element, _get_layer_values(element))

    def end(self, element: Element) -> None:
        is_mention = _is_mention(element)
        start = self._starts.pop()
        if start == len(self.lines) and (is_mention or _is_elliptic(element)):
            self.empty.append(start)
            self._add_token(element, {} if is_mention else _get_layer_values(element))
        names = (*_HEADS, "w") if element.name == "grup.nom" else _HEADS
        children = (element.find(name) for name in names)
        head = self._heads.get(next(filter(None, children), element))
        if head is not None:
            self._heads[element] = head
        if is_mention:
            self.mentions[element] = start, len(self.lines) - 1, head
            self._open_mentions -= 1
        if element.name == "sentence":
            self.end_sentence()

    def _add_token(self, element: Element, annotation: Mapping[str, str]) -> None:
        self._words.append(xml.normalize_word(element.get("wd")))
        self.lines.append(element.line)
        self.annotation.append(annotation)

    def end_sentence(self) -> None:
        if self._words and not self._open_mentions:
            self.sentences.append(self._words)
            self._words = []


def _is_mention(element: Element) -> bool:
    return bool(element.get("entity") or element.get("entityref"))


def _is_elliptic(element: Element) -> bool:
    return "yes" in (element.get("elliptic"), element.get("missing"))


def _get_layer_values(element: Element) -> dict[str, str]:
    ignored = _NODE_ATTRIBUTES
    if _is_mention(element):
        ignored |= _MENTION_ATTRIBUTES
    return {
        _LAYERS.get(name) or xml.decode_name(name): value
        for name, value in element.attributes.items()
        if name not in ignored
    }


def _group_entities(
    spans: Mapping[Element, _TokenSpan], faults: Faults
) -> tuple[Entity, ...]:
    ids = {element.get("entity") for element in spans}
    new_ids = (name for number in count(1) if (name := f"singleton{number}") not in ids)
    return base.group_entities(
        (element.get("entity") or next(new_ids), _build_mention(element, span, faults))
        for element, span in spans.items()
    )


def _build_mention(element: Element, span: _TokenSpan, faults: Faults) -> Mention:
    start, end, head = span
    is_word = "wd" in element.attributes
    attributes = {
        "type" if name == "ne" else xml.decode_name(name): value
        for name, value in element.attributes.items()
        if value
        and name not in ("entity", "head", *_NODE_ATTRIBUTES)
        and (name in _MENTION_ATTRIBUTES or not is_word)
    }
    head = start if start == end else head
    position = element.get("head")
    if position and not is_word:
        size = end - start + 1
        is_number = position.isdecimal() and len(position) < 10
        if is_number and 0 < int(position) <= size:
            head = start + int(position) - 1
        else:
            message = f"the head {quoted(position)} is not one of {size} tokens"
            faults(element.line, message, "it is ignored", kind=LEFT_OUT)
    return Mention(start, end, head=head, attributes=attributes)


def _build_layers(
    annotation: Sequence[Mapping[str, str]],
) -> dict[str, tuple[str, ...]]:
    # A layer of nothing but `_` has no information, and would not be written.
    cells = (cell for values in annotation for cell in values.items())
    names = dict.fromkeys(name for name, value in cells if value != "_")
    return {
        name: tuple(values.get(name, "_") for values in annotation)
        for name in islice(names, _MAX_LAYERS)
    }


def _format_files(document: Document) -> Iterator[tuple[str, str]]:
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<article id="{xml.escape_xml(document.id)}">',
        *_format_sentences(document),
        "</article>",
        "",
    ]
    yield ".tbf.xml", "\n".join(lines)


def _format_sentences(document: Document) -> Iterator[str]:
    mentions_at: dict[int, list[tuple[Mention, str]]] = {}
    for entity in document.entities:
        for mention in entity.mentions:
            mentions_at.setdefault(mention.start, []).append((mention, entity.id))
    empty = set(document.empty)
    open_ends: list[int] = []  # the last tokens of the open mentions
    token = 0
    for words in list_sentences(document):
        if words and not open_ends:
            yield "<sentence>"
        for word in words:
            mentions = mentions_at.get(token, [])
            mentions.sort(key=lambda pair: -pair[0].end)
            open_ends += [mention.end for mention, _ in mentions]
            tags = [_format_mention(mention, entity) for mention, entity in mentions]
            node = _format_node(document.layers, token, word, is_empty=token in empty)
            if node == _EMPTY_NODE and mentions and mentions[-1][0].end == token:
                # As in AnCora, one element is both the empty node and its mention.
                node = tags.pop().replace("<sn", _EMPTY_NODE[:-2], 1)
            yield from (*tags, node)
            while open_ends and open_ends[-1] <= token:
                open_ends.pop()
                yield "</sn>"
            token += 1
        if words and not open_ends:
            yield "</sentence>"


def _format_mention(mention: Mention, entity_id: str) -> str:
    attributes = dict(mention.attributes)
    special = {"entity": entity_id or "_", "ne": attributes.pop("type", "")}
    if mention.head is not None and mention.start < mention.end:
        special["head"] = str(mention.head - mention.start + 1)
    present = {name: value for name, value in special.items() if value}
    general = xml.format_attributes(attributes, reserved=_RESERVED_IN_MENTIONS)
    return f"<sn{xml.format_attributes(present)}{general}>"


def _format_node(
    layers: Mapping[str, Sequence[str]], token: int, word: str, *, is_empty: bool
) -> str:
    values = {name: row[token] for name, row in layers.items() if row[token] != "_"}
    special = {
        name: values.pop(layer) for name, layer in _LAYERS.items() if layer in values
    }
    wd = "" if is_empty and word == "_" else f' wd="{xml.escape_xml(word)}"'
    general = xml.format_attributes(values, reserved=_RESERVED_IN_LAYERS)
    annotation = f"{wd}{xml.format_attributes(special)}{general}/>"
    return f"{_EMPTY_NODE[:-2]}{annotation}" if is_empty else f"<w{annotation}"


READER = base.make_reader(base.make_file_extents(_read_id), parse)
WRITER = base.Writer(
    alters=base.XML_MARKS,
    carries=frozenset({base.HEADS, base.ZEROS, base.TYPES, base.ATTRIBUTES}),
    layers=None,
    files=_format_files,
)
