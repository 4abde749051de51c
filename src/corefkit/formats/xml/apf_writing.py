"""ACE program format, written: the entities in XML, and the text in SGML.

The rules are those in `corefkit.formats.xml.apf`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from corefkit.formats.lines import written_sentences
from corefkit.formats.plaintext import Span, joined
from corefkit.formats.xml.apf_text import TAG, TEXT_ENDINGS
from corefkit.formats.xml.elements import attributes, escaped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from corefkit.model import Document, Entity, Mention

_SURROGATES = re.compile("[\ud800-\udfff]")
_OF_ENTITIES = {"type": "TYPE", "SUBTYPE": "SUBTYPE", "CLASS": "CLASS"}


def apf_files(document: Document) -> Iterator[tuple[str, str]]:
    """Write a document; where there are no words, `_` stands for each."""
    from corefkit.strings.ids import safe_name

    name = escaped(document.id)
    front = f"<DOC>\n<DOCID> {name} </DOCID>\n<BODY>\n<TEXT>\n"
    text, spans = joined(_sentences(document))
    body, written = _escaped_text(text, spans, len(TAG.sub("", front)))
    address = escaped(f"{safe_name(document.id)}{TEXT_ENDINGS[0]}")
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<source_file URI="{address}" TYPE="text" VERSION="5.1.1" ENCODING="UTF-8">',
        f'<document DOCID="{name}">',
    ]

    def charseq(first: int, last: int) -> str:
        start, end = written[first].start, written[last].end
        inside = escaped(text[spans[first].start : spans[last].end])
        return f'<charseq START="{start}" END="{end - 1}">{inside}</charseq>'

    for entity in document.entities:
        lines.extend(_entity_lines(entity, charseq))
    lines += ["</document>", "</source_file>", ""]
    yield ".apf.xml", "\n".join(lines)
    yield TEXT_ENDINGS[0], f"{front}{body}</TEXT>\n</BODY>\n</DOC>\n"


def _sentences(document: Document) -> list[list[str]]:
    """Return the words, without halves of characters that no file can have."""
    return [
        [_SURROGATES.sub("\ufffd", word) for word in words]
        for words in written_sentences(document)
    ]


def _escaped_text(text: str, spans: list[Span], start: int) -> tuple[str, list[Span]]:
    """Write text for SGML; return the characters of each token there too."""
    places = [start]
    pieces = []
    for character in text:
        piece = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}.get(character, character)
        pieces.append(piece)
        places.append(places[-1] + len(piece))
    return "".join(pieces), [Span(places[start], places[end]) for start, end in spans]


def _entity_lines(entity: Entity, charseq: Callable[[int, int], str]) -> Iterator[str]:
    shared = {
        name: entity.mentions[0].attributes.get(name, "") if entity.mentions else ""
        for name in _OF_ENTITIES
    }
    own = attributes(
        {_OF_ENTITIES[name]: value for name, value in shared.items() if value}
    )
    yield f'<entity ID="{escaped(entity.id) or "_"}"{own}>'
    for number, mention in enumerate(entity.mentions, start=1):
        name = escaped(f"{entity.id}-{number}")
        yield f'  <entity_mention ID="{name}"{_mention_attributes(mention, shared)}>'
        yield f"    <extent>{charseq(mention.start, mention.end)}</extent>"
        head = mention.minimum
        if head is None and mention.head is not None:
            head = mention.head, mention.head
        if head is not None:
            yield f"    <head>{charseq(*head)}</head>"
        yield "  </entity_mention>"
    yield "</entity>"


def _mention_attributes(mention: Mention, shared: Mapping[str, str]) -> str:
    kind = mention.attributes.get("mention_type", "")
    first = attributes({"TYPE": kind}) if kind else ""
    if mention.minimum and mention.head not in (None, mention.minimum[1]):
        first += f' head="{mention.head - mention.start + 1}"'
    other = {name: "" for name, value in shared.items() if value} | dict(
        mention.attributes
    )
    rest = {
        name: value
        for name, value in other.items()
        if name != "mention_type" and value != shared.get(name)
    }
    return first + attributes(rest, taken=("ID", "TYPE", "head"))
