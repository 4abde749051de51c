"""AnCora-CO XML: coreference on the constituents of Spanish and Catalan trees.

1.  The outermost element is `article`. The document is named after the file, without
    `.tbf.xml`, unless `article` has an `id`.
2.  An element with `wd` is a word; `a_partir_de` is one. Where a `sentence` begins or
    ends, a sentence does, unless inside a mention.
3.  An element with no words inside is an empty node if it is `elliptic="yes"` or
    `missing="yes"`, or a mention. Its word is `_` where it has no `wd`.
4.  An element with `entity` or `entityref` is a mention of all the words inside it:
    noun phrases (`sn`), but also clauses, and words such as possessives.
5.  `entity` names the entity. Each mention without it is an entity of its own, called
    `singleton1`, `singleton2` and so on.
6.  Nominal predicates and appositions (`coreftype="pred"`) and discourse deixis (`dx`)
    are in the entity that `entity` names, as all others.
7.  `ne` is the mention's type. Of the other attributes those of a constituent keep
    their names, except `wd`, `elliptic` and `missing`; of those of a word only
    `entityref`, `coreftype`, `corefsubtype` and `homophoricDD` are the mention's. Empty
    ones are left out.
8.  The only token of a mention is its head. Otherwise the head is found by going from
    `sn` to the first `grup.nom`, noun (`n`), pronoun (`p`), number (`z`) or inner `sn`
    of it, in this order, and on from there; in a `grup.nom` dates (`w`) may be heads
    too. Else it is not known, unless an attribute `head` of the constituent says it:
    which of its tokens, counted from 1.
9.  `lem` and `pos` are the layers `lemma` and `xpos`; the other attributes of words,
    and of empty nodes that are no mentions, are layers by their own names, for the
    first 100 names that have a value other than `_` somewhere.
10. Mentions are written as nested `sn`, and words as `w`: other constituents are not
    kept. Sentences that share a mention are written as one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

import corefkit.formats.xml.elements as xml
from corefkit.exceptions import quoted
from corefkit.formats import documents
from corefkit.formats.base import ATTRIBUTES, HEADS, TYPES, XML_MARKS, ZEROS, Writer
from corefkit.formats.kinds import LEFT_OUT
from corefkit.formats.lines import written_sentences
from corefkit.model import Document, Entity, Mention
from corefkit.strings.ids import bare_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from corefkit.formats.bytefile import ByteFile
    from corefkit.formats.faults import Faults

_OF_NODES = frozenset({"wd", "elliptic", "missing"})
_LAYERS = {"lem": "lemma", "pos": "xpos"}
_NAMES = {layer: name for name, layer in _LAYERS.items()}
_NOT_FOR_MENTIONS = _OF_NODES | {"entity", "ne", "head"}
_NOT_FOR_LAYERS = _OF_NODES | {"entity", "entityref", "lem", "pos"}
_EMPTY = '<sn elliptic="yes"/>'
_OF_MENTIONS = frozenset(
    {"entity", "entityref", "coreftype", "corefsubtype", "homophoricDD", "ne"}
)
_MOST_LAYERS = 100  # a file may have as many names as words, by mistake
_HEADS = ("grup.nom", "n", "p", "z", "sn")


def recognise(head: bytes) -> bool:
    """Return whether the first bytes of a file look like AnCora's XML."""
    signs = b"<article", b"<sentence", b" wd="
    return head.lstrip().startswith(b"<") and all(sign in head for sign in signs)


def _name(file: ByteFile) -> str:
    name = bare_name(file.name, ".tbf.xml", ".xml")
    return xml.head_attribute(file, "article", "id") or name


def parse(file: ByteFile, extent: documents.Extent, faults: Faults) -> documents.Parsed:
    """Read the document."""
    root = xml.read_xml(file, faults, root="article")
    if root is None:
        return documents.Parsed(Document(extent.id, (), ()), ())
    tree = _Tree()
    for element, opening in root.walk():
        (tree.open if opening else tree.close)(element)
    tree.end_sentence()
    document = Document(
        extent.id,
        tuple(map(tuple, tree.sentences)),
        _entities(tree, faults),
        empty=tuple(tree.empty),
        layers=_layers(tree.annotation),
    )
    return documents.Parsed(document, tree.lines)


@dataclass(slots=True)
class _Found:
    """A mention on its way: the element, its first token, its last, its head."""

    element: xml.Element
    start: int
    end: int = -1
    head: int | None = None


@dataclass(slots=True)
class _Tree:
    """What has been read so far, element by element."""

    sentences: list[list[str]] = field(default_factory=list)
    words: list[str] = field(default_factory=list)  # of the sentence that is open
    lines: list[int] = field(default_factory=list)
    annotation: list[Mapping[str, str]] = field(default_factory=list)
    empty: list[int] = field(default_factory=list)
    mentions: list[_Found] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)  # of the elements that are open
    around: list[_Found] = field(default_factory=list)  # the mentions that are open
    heads: dict[int, int] = field(default_factory=dict)  # by identity of elements

    def open(self, element: xml.Element) -> None:
        if element.name == "sentence":
            self.end_sentence()
        self.starts.append(len(self.lines))
        if _is_mention(element):
            self.mentions.append(_Found(element, len(self.lines)))
            self.around.append(self.mentions[-1])
        if "wd" in element.attributes and not _is_elliptic(element):
            self.heads[id(element)] = len(self.lines)
            self.add(element, _annotation(element))

    def close(self, element: xml.Element) -> None:
        mention = _is_mention(element)
        if self.starts.pop() == len(self.lines) and (mention or _is_elliptic(element)):
            self.empty.append(len(self.lines))
            self.add(element, {} if mention else _annotation(element))
        head = _head(element, self.heads)
        if head is not None:
            self.heads[id(element)] = head
        if mention:
            found = self.around.pop()
            found.end, found.head = len(self.lines) - 1, head
        if element.name == "sentence":
            self.end_sentence()

    def add(self, element: xml.Element, annotation: Mapping[str, str]) -> None:
        self.words.append(xml.as_word(element.get("wd")))
        self.lines.append(element.line)
        self.annotation.append(annotation)

    def end_sentence(self) -> None:
        if self.words and not self.around:
            self.sentences.append(self.words)
            self.words = []


def _is_mention(element: xml.Element) -> bool:
    return bool(element.get("entity") or element.get("entityref"))


def _is_elliptic(element: xml.Element) -> bool:
    return "yes" in (element.get("elliptic"), element.get("missing"))


def _annotation(element: xml.Element) -> dict[str, str]:
    left_out = _OF_NODES | _OF_MENTIONS if _is_mention(element) else _OF_NODES
    return {
        _LAYERS.get(name) or xml.from_name(name): value
        for name, value in element.attributes.items()
        if name not in left_out
    }


def _head(element: xml.Element, heads: Mapping[int, int]) -> int | None:
    names = (*_HEADS, "w") if element.name == "grup.nom" else _HEADS
    inside: dict[str, xml.Element] = {}
    for child in element.children:
        inside.setdefault(child.name, child)
    first = next((inside[name] for name in names if name in inside), element)
    return heads.get(id(first))


def _entities(tree: _Tree, faults: Faults) -> tuple[Entity, ...]:
    taken = {found.element.get("entity") for found in tree.mentions}
    mentions = []
    singletons = 0
    for found in tree.mentions:
        name = found.element.get("entity")
        while not name or (name in taken and not found.element.get("entity")):
            singletons += 1
            name = f"singleton{singletons}"
        mentions.append((name, _mention(found, faults)))
    return documents.grouped_entities(mentions)


def _mention(found: _Found, faults: Faults) -> Mention:
    element = found.element
    known = {
        "type" if name == "ne" else xml.from_name(name): value
        for name, value in element.attributes.items()
        if value and name not in _OF_NODES and name not in ("entity", "head")
    }
    if "wd" in element.attributes:
        known = {
            name: value
            for name, value in known.items()
            if name == "type" or name in _OF_MENTIONS
        }
    head = found.start if found.start == found.end else found.head
    stated = element.get("head")
    if stated and "wd" not in element.attributes:
        tokens = range(found.start, found.end + 1)
        if stated.isdecimal() and len(stated) < 10 and 0 < int(stated) <= len(tokens):
            head = tokens[int(stated) - 1]
        else:
            message = f"the head {quoted(stated)} is not one of {len(tokens)} tokens"
            faults(element.line, message, "it is left out", kind=LEFT_OUT)
    return Mention(found.start, found.end, head=head, attributes=known)


def _layers(annotation: list[Mapping[str, str]]) -> dict[str, tuple[str, ...]]:
    # What is `_` wherever it stands says nothing, and would not be written.
    names = dict.fromkeys(
        name for token in annotation for name, value in token.items() if value != "_"
    )
    return {
        name: tuple(token.get(name, "_") for token in annotation)
        for name in islice(names, _MOST_LAYERS)
    }


def _files(document: Document) -> Iterator[tuple[str, str]]:
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<article id="{xml.escaped(document.id)}">',
        *_sentence_lines(document),
        "</article>",
        "",
    ]
    yield ".tbf.xml", "\n".join(lines)


def _sentence_lines(document: Document) -> Iterator[str]:
    starting: dict[int, list[tuple[Mention, str]]] = {}
    for entity in document.entities:
        for mention in entity.mentions:
            starting.setdefault(mention.start, []).append((mention, entity.id))
    empty = set(document.empty)
    around: list[int] = []  # the ends of the mentions that are open
    token = 0
    for words in written_sentences(document):
        if words and not around:
            yield "<sentence>"
        for word in words:
            mentions = starting.get(token, [])
            mentions.sort(key=lambda pair: -pair[0].end)
            around += [mention.end for mention, _ in mentions]
            tags = [_tag(mention, name) for mention, name in mentions]
            node = _node(document.layers, token, word, empty=token in empty)
            if node == _EMPTY and mentions and mentions[-1][0].end == token:
                # As in AnCora: one element is both the empty node and its mention.
                node = tags.pop().replace("<sn", _EMPTY[:-2], 1)
            yield from (*tags, node)
            while around and around[-1] <= token:
                around.pop()
                yield "</sn>"
            token += 1
        if words and not around:
            yield "</sentence>"


def _tag(mention: Mention, entity: str) -> str:
    known = dict(mention.attributes)
    kind = known.pop("type", "")
    first = {"entity": entity or "_"} | ({"ne": kind} if kind else {})
    if mention.head is not None and mention.start < mention.end:
        first["head"] = str(mention.head - mention.start + 1)
    others = xml.attributes(known, taken=_NOT_FOR_MENTIONS)
    return f"<sn{xml.attributes(first)}{others}>"


def _node(
    layers: Mapping[str, tuple[str, ...]], token: int, word: str, *, empty: bool
) -> str:
    values = {name: layer[token] for name, layer in layers.items()}
    values = {name: value for name, value in values.items() if value != "_"}
    first = {_NAMES[name]: values.pop(name) for name in _NAMES if name in values}
    known = xml.attributes(first) + xml.attributes(values, taken=_NOT_FOR_LAYERS)
    if not empty:
        return f'<w wd="{xml.escaped(word)}"{known}/>'
    said = f' wd="{xml.escaped(word)}"' if word != "_" else ""
    return f"{_EMPTY[:-2]}{said}{known}/>"


READER = documents.document_reader(documents.whole_file(_name), parse)
WRITER = Writer(
    alters=XML_MARKS,
    carries=frozenset({HEADS, ZEROS, TYPES, ATTRIBUTES}),
    layers=None,
    files=_files,
)
