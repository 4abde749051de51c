"""ECB+ XML: events and their participants, coreferent across documents.

`docs/formats/xml.md` defines the format; these rules add to it:

-   `token`, `Markables` and `Relations` may be in any order, and so may the tokens of a
    mention. Entities and their mentions are in the order of `Markables`.
-   Empty attributes are ignored, and so is an attribute `type` if the name of the
    element is a type.
-   The id of an entity is the `note` of its `CROSS_DOC_COREF`, or else the
    `instance_id` of its instance, so documents can share entities. A relation with
    neither is the entity `INTRA_<document>_<r_id>`. Relations with the same id are one
    entity. A mention without a relation is the entity `SINGLETON_<document>_<m_id>`.
-   All entities are written as `CROSS_DOC_COREF`, singletons too, which keeps the ids.
"""

from __future__ import annotations

import re
from itertools import count
from typing import TYPE_CHECKING

from corefkit.exceptions import quoted
from corefkit.formats import source as base
from corefkit.formats import xml_elements as xml
from corefkit.formats.brackets import group_sentences, list_sentences
from corefkit.formats.problems import UNKNOWN_ID
from corefkit.formats.source import Parsed
from corefkit.model import Document, Mention
from corefkit.strings import get_base_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from corefkit.formats.files import ByteFile
    from corefkit.formats.problems import Faults
    from corefkit.formats.source import Extent
    from corefkit.formats.xml_elements import Element

_ROOT = re.compile(rb"<Document\s[^<>]*\bdoc_name\s*=")
_CONTENT = re.compile(rb"<(?:token|Markables|Relations)\b")
_UNTYPED = "UNKNOWN_INSTANCE_TAG"
_COREFERENCE = frozenset({"CROSS_DOC_COREF", "INTRA_DOC_COREF"})


def recognise(head: bytes) -> bool:
    """Return whether the first bytes of a file look like ECB+ XML."""
    if not head.lstrip().startswith(b"<"):
        return False
    return _ROOT.search(head) is not None and _CONTENT.search(head) is not None


def parse(file: ByteFile, extent: Extent, faults: Faults) -> Parsed:
    """Parse the document."""
    root = xml.read_xml(file, faults, root="Document")
    if root is None:
        return Parsed(Document(extent.id, (), ()), ())
    tokens = list(root.find_all("token"))
    positions = {element: number for number, element in enumerate(tokens)}
    token_ids = xml.index_by_id(tokens, "t_id", faults)
    numbers = {name: positions[element] for name, element in token_ids.items()}
    markables = xml.index_by_id(_iter_parts(root, "Markables"), "m_id", faults)
    mentions = {
        name: mention
        for name, element in markables.items()
        if (mention := _parse_mention(element, numbers, faults)) is not None
    }
    members = _parse_relations(root, markables, extent.id, faults)
    entities = base.group_entities(
        (entity, mention)
        for name, mention in mentions.items()
        for entity in members.get(name, {f"SINGLETON_{extent.id}_{name}": None})
    )
    words = (
        (token.get("sentence"), xml.normalize_word(token.text)) for token in tokens
    )
    document = Document(extent.id, group_sentences(words), entities)
    return Parsed(document, [token.line for token in tokens])


def _read_id(file: ByteFile) -> str:
    name = xml.read_head_attribute(file, "Document", "doc_name").removesuffix(".xml")
    return name or get_base_name(file.name, ".xml")


def _iter_parts(root: Element, name: str) -> Iterator[Element]:
    return (element for part in root.find_all(name) for element in part.children)


def _parse_mention(
    element: Element, numbers: Mapping[str, int], faults: Faults
) -> Mention | None:
    tokens = set()
    for anchor in element.find_all("token_anchor"):
        token_id = anchor.get("t_id")
        if token_id in numbers:
            tokens.add(numbers[token_id])
        else:
            message = f"there is no token with t_id {quoted(token_id)}"
            hint = "an anchor names a token by its t_id"
            faults(anchor.line, message, hint, kind=UNKNOWN_ID)
    if not tokens:
        return None
    attributes = {
        xml.decode_name(name): value
        for name, value in element.attributes.items()
        if name != "m_id" and value
    }
    if element.name != _UNTYPED:
        attributes["type"] = xml.decode_name(element.name)
    return Mention.of(tokens, attributes=attributes)


def _parse_relations(
    root: Element, markables: Mapping[str, Element], document_id: str, faults: Faults
) -> dict[str, dict[str, None]]:
    """Return the ids of the entities of each markable, in order and without repeats."""
    members: dict[str, dict[str, None]] = {}
    for relation in _iter_parts(root, "Relations"):
        if relation.name not in _COREFERENCE:
            continue
        names = []
        for end in relation.children:
            name = end.get("m_id")
            if end.name not in ("source", "target"):
                continue
            if name in markables:
                names.append(name)
            else:
                message = f"there is no markable with m_id {quoted(name)}"
                hint = "a relation names markables by their m_id"
                faults(end.line, message, hint, kind=UNKNOWN_ID)
        instances = (markables[name].get("instance_id") for name in names)
        shared = relation.get("note") or next(filter(None, instances), "")
        entity = shared or f"INTRA_{document_id}_{relation.get('r_id')}"
        for name in names:
            members.setdefault(name, {})[entity] = None
    return members


def _format_files(document: Document) -> Iterator[tuple[str, str]]:
    name = xml.escape_xml(document.id)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<Document doc_name="{name}.xml" doc_id="{name}">',
        *_format_tokens(document),
        "<Markables>",
    ]
    relations = []
    numbers = count(1)  # of markables
    for relation, entity in enumerate(document.entities, start=1):
        entity_id = xml.escape_xml(entity.id)
        relations.append(f'<CROSS_DOC_COREF r_id="{relation}" note="{entity_id}">')
        for mention in entity.mentions:
            number = next(numbers)
            lines += _format_markable(mention, number)
            relations.append(f'  <source m_id="{number}"/>')
        number = next(numbers)
        types = (mention.attributes.get("type") for mention in entity.mentions)
        tag = xml.encode_name(next(filter(None, types), _UNTYPED))
        instance = f'RELATED_TO="" TAG_DESCRIPTOR="" instance_id="{entity_id}"'
        lines.append(f'<{tag} m_id="{number}" {instance}/>')
        relations += [f'  <target m_id="{number}"/>', "</CROSS_DOC_COREF>"]
    end = ["</Relations>", "</Document>", ""]
    yield ".xml", "\n".join([*lines, "</Markables>", "<Relations>", *relations, *end])


def _format_tokens(document: Document) -> Iterator[str]:
    token_ids = count(1)
    for sentence, words in enumerate(list_sentences(document)):
        for number, word in enumerate(words):
            ids = f't_id="{next(token_ids)}" sentence="{sentence}" number="{number}"'
            yield f"<token {ids}>{xml.escape_xml(word)}</token>"


def _format_markable(mention: Mention, number: int) -> Iterator[str]:
    attributes = dict(mention.attributes)
    tag = xml.encode_name(attributes.pop("type", "") or _UNTYPED)
    text = xml.format_attributes(attributes, reserved=("m_id",))
    yield f'<{tag} m_id="{number}"{text}>'
    for token in mention.tokens:
        yield f'  <token_anchor t_id="{token + 1}"/>'
    yield f"</{tag}>"


READER = base.make_reader(base.make_file_extents(_read_id), parse)
WRITER = base.Writer(
    alters=base.XML_MARKS,
    carries=base.CROSSINGS | {base.GAPS, base.TYPES, base.ATTRIBUTES},
    files=_format_files,
)
