"""ECB+ XML: events and their participants, coreferent over many documents.

1.  The outermost element is `Document`; `doc_name`, without `.xml`, is the document's
    id. Without it the document is named after the file.
2.  Elements `token` are the words in order, each with its own `t_id`; where `sentence`
    changes, a sentence begins. `token`, `Markables` and `Relations` may come in any
    order.
3.  Each element in `Markables` has its own `m_id`. One with elements `token_anchor` is
    a mention of the tokens that their `t_id` name, in any order, perhaps with gaps. One
    without is an instance, to which mentions refer.
4.  A mention's type is the name of its element; `UNKNOWN_INSTANCE_TAG` is no type. Its
    attributes except `m_id` keep their names; those that are empty are left out, and so
    is one called `type` where the element's name is a type already.
5.  `CROSS_DOC_COREF` and `INTRA_DOC_COREF` in `Relations` are entities: the mentions
    that their elements `source` and `target` name by `m_id`. Instances among them are
    no mentions.
6.  The id of an entity is the `note` of its `CROSS_DOC_COREF`, or else the
    `instance_id` of its instance, so that documents share entities by their ids.
    Relations with neither are `INTRA_<document>_<r_id>`, and relations with one id are
    one entity.
7.  A mention in no relation is an entity of its own: `SINGLETON_<document>_<m_id>`.
8.  Entities, and mentions in an entity, come in the order of `Markables`.
9.  Other relations, such as those between events, are not read.
10. All entities are written as `CROSS_DOC_COREF`, singletons too: ids are kept.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import corefkit.formats.xml.elements as xml
from corefkit.exceptions import quoted
from corefkit.formats import base, documents
from corefkit.formats.lines import written_sentences
from corefkit.model import Document, Entity, Mention
from corefkit.strings.ids import bare_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from corefkit.formats.bytefile import ByteFile
    from corefkit.formats.faults import Faults

_ROOT = re.compile(rb"<Document\s[^<>]*\bdoc_name\s*=")
_PARTS = re.compile(rb"<(?:token|Markables|Relations)\b")
_UNTYPED = "UNKNOWN_INSTANCE_TAG"
_COREFERENCE = frozenset({"CROSS_DOC_COREF", "INTRA_DOC_COREF"})


def recognise(head: bytes) -> bool:
    """Return whether the first bytes of a file look like ECB+ XML."""
    if not head.lstrip().startswith(b"<"):
        return False
    return _ROOT.search(head) is not None and _PARTS.search(head) is not None


def _name(file: ByteFile) -> str:
    name = xml.head_attribute(file, "Document", "doc_name").removesuffix(".xml")
    return name or bare_name(file.name, ".xml")


def parse(file: ByteFile, extent: documents.Extent, faults: Faults) -> documents.Parsed:
    """Read the document."""
    root = xml.read_xml(file, faults, root="Document")
    if root is None:
        return documents.Parsed(Document(extent.id, (), ()), ())
    tokens = list(root.all("token"))
    markables = _by_id(_inside(root, "Markables"), "m_id", faults)
    numbers = _numbers(tokens, faults)
    mentions = {
        name: mention
        for name, element in markables.items()
        if (mention := _mention(element, numbers, faults)) is not None
    }
    members = _members(_inside(root, "Relations"), markables, extent.id, faults)
    entities = documents.grouped_entities(
        (entity, mention)
        for name, mention in mentions.items()
        for entity in dict.fromkeys(
            members.get(name, [f"SINGLETON_{extent.id}_{name}"])
        )
    )
    document = Document(extent.id, _sentences(tokens), entities)
    return documents.Parsed(document, [token.line for token in tokens])


def _inside(root: xml.Element, name: str) -> Iterator[xml.Element]:
    return (element for part in root.all(name) for element in part.children)


def _by_id(
    elements: Iterable[xml.Element], attribute: str, faults: Faults
) -> dict[str, xml.Element]:
    """Return elements by their ids, those without an id or with that of another not."""
    found: dict[str, xml.Element] = {}
    for element in elements:
        name = element.get(attribute)
        if not name:
            message = f"the {element.name} has no {attribute}"
            faults(element.line, message, f"give it a {attribute}")
        elif name in found:
            message = f"{attribute} {quoted(name)} is repeated"
            faults(element.line, message, f"it is first in line {found[name].line}")
        else:
            found[name] = element
    return found


def _numbers(tokens: list[xml.Element], faults: Faults) -> dict[str, int]:
    """Return the number of each token by its id."""
    named = _by_id(tokens, "t_id", faults)
    places = {id(token): number for number, token in enumerate(tokens)}
    return {name: places[id(token)] for name, token in named.items()}


def _sentences(tokens: Iterable[xml.Element]) -> tuple[tuple[str, ...], ...]:
    sentences: list[list[str]] = []
    current: str | None = None
    for token in tokens:
        if token.get("sentence") != current:
            current = token.get("sentence")
            sentences.append([])
        sentences[-1].append(xml.as_word(token.text))
    return tuple(map(tuple, sentences))


def _mention(
    element: xml.Element, numbers: Mapping[str, int], faults: Faults
) -> Mention | None:
    tokens = set()
    for anchor in element.all("token_anchor"):
        name = anchor.get("t_id")
        if name in numbers:
            tokens.add(numbers[name])
        else:
            message = f"there is no token with t_id {quoted(name)}"
            faults(anchor.line, message, "an anchor names a token by its t_id")
    if not tokens:
        return None
    known = {
        xml.from_name(name): value
        for name, value in element.attributes.items()
        if name != "m_id" and value
    }
    if element.name != _UNTYPED:
        known["type"] = xml.from_name(element.name)
    return Mention.of(tokens, attributes=known)


def _members(
    relations: Iterable[xml.Element],
    markables: Mapping[str, xml.Element],
    document: str,
    faults: Faults,
) -> dict[str, list[str]]:
    """Return the ids of the entities that each markable is in."""
    members: dict[str, list[str]] = {}
    for relation in relations:
        if relation.name not in _COREFERENCE:
            continue
        known = []
        for part in relation.children:
            if part.name not in ("source", "target"):
                continue
            if part.get("m_id") in markables:
                known.append(part.get("m_id"))
            else:
                message = f"there is no markable with m_id {quoted(part.get('m_id'))}"
                faults(part.line, message, "a relation names markables by their m_id")
        instances = (markables[name].get("instance_id") for name in known)
        shared = relation.get("note") or next(filter(None, instances), "")
        entity = shared or f"INTRA_{document}_{relation.get('r_id')}"
        for name in known:
            members.setdefault(name, []).append(entity)
    return members


def _files(document: Document) -> Iterator[tuple[str, str]]:
    name = xml.escaped(document.id)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<Document doc_name="{name}.xml" doc_id="{name}">',
        *_token_lines(document),
        "<Markables>",
    ]
    relations = []
    numbers = iter(range(1, 1 + sum(len(entity) + 1 for entity in document)))
    for number, entity in enumerate(document.entities, start=1):
        relations.append(
            f'<CROSS_DOC_COREF r_id="{number}" note="{xml.escaped(entity.id)}">'
        )
        for mention in entity.mentions:
            markable = next(numbers)
            lines += _markable_lines(mention, markable)
            relations.append(f'  <source m_id="{markable}"/>')
        instance = next(numbers)
        lines.append(_instance_line(entity, instance))
        relations += [f'  <target m_id="{instance}"/>', "</CROSS_DOC_COREF>"]
    end = ["</Relations>", "</Document>", ""]
    yield ".xml", "\n".join([*lines, "</Markables>", "<Relations>", *relations, *end])


def _token_lines(document: Document) -> Iterator[str]:
    token = 0
    for sentence, words in enumerate(written_sentences(document)):
        for number, word in enumerate(words):
            token += 1
            place = f't_id="{token}" sentence="{sentence}" number="{number}"'
            yield f"<token {place}>{xml.escaped(word)}</token>"


def _markable_lines(mention: Mention, number: int) -> Iterator[str]:
    tag = xml.as_name(mention.attributes.get("type") or _UNTYPED)
    known = {
        name: value for name, value in mention.attributes.items() if name != "type"
    }
    yield f'<{tag} m_id="{number}"{xml.attributes(known, taken=("m_id",))}>'
    for token in mention.tokens:
        yield f'  <token_anchor t_id="{token + 1}"/>'
    yield f"</{tag}>"


def _instance_line(entity: Entity, number: int) -> str:
    kinds = (mention.attributes.get("type") for mention in entity.mentions)
    tag = xml.as_name(next(filter(None, kinds), _UNTYPED))
    about = f'RELATED_TO="" TAG_DESCRIPTOR="" instance_id="{xml.escaped(entity.id)}"'
    return f'<{tag} m_id="{number}" {about}/>'


READER = documents.document_reader(documents.whole_file(_name), parse)
WRITER = base.Writer(
    alters=base.XML_MARKS,
    carries=base.CROSSINGS | {base.GAPS, base.TYPES, base.ATTRIBUTES},
    files=_files,
)
