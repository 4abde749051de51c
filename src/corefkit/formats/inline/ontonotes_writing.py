"""OntoNotes `.coref`, written; the rules are in `corefkit.formats.inline.ontonotes`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import corefkit.formats.inline.tags as sgml
from corefkit.formats.lines import written_sentences

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corefkit.model import Document, Mention

TRACE = re.compile(r"\*(?:(?:[A-Z]+|pro|\?)\*(?:-\d+)?|-\d+)", re.ASCII)
PERHAPS_TRACES = ("*", "0")
ESCAPES = {"&": "-AMP-", "<": "-LAB-", ">": "-RAB-"}
OWN_ATTRIBUTES = frozenset({"id", "type"})
_ANY_TRACE = "*pro*"
_TO_ESCAPE = re.compile(r"[&<>]|[\x00-\x20]|-(?=(?:AMP|LAB|RAB))")
_CONLL_ID = re.compile(r"\((.*)\);(?: part (.*))?\s*", re.DOTALL)


def ontonotes_text(document: Document) -> Iterator[str]:
    """Write a document as the only part of its DOC."""
    name, part = _name_and_part(document.id)
    name = sgml.encoded(name).replace("@", "&#64;")
    tag = sgml.start_tag("TEXT", {"PARTNO": sgml.encoded(part)})
    yield f"{sgml.start_tag('DOC', {'DOCNO': name})}\n{tag}\n"
    for words in sgml.tagged(_written(document), _tags(document)):
        yield " ".join(words) + "\n"
    yield "</TEXT>\n</DOC>\n"


def _name_and_part(document_id: str) -> tuple[str, str]:
    """Take an id apart.

    >>> _name_and_part("(bn/abc/00/abc_0013); part 001"), _name_and_part("story")
    (('bn/abc/00/abc_0013', '001'), ('story', '000'))
    """
    match = _CONLL_ID.fullmatch(document_id)
    if match is None:
        return document_id, "000"
    return match[1], match[2] or "000"


def _tags(document: Document) -> list[tuple[Mention, str]]:
    ids, _ = sgml.entity_ids(document)
    return [
        (
            mention,
            sgml.start_tag(
                "COREF",
                {"ID": sgml.encoded(ids[entity]), "TYPE": "IDENT"}
                | sgml.written_attributes(mention, OWN_ATTRIBUTES),
            ),
        )
        for entity, mention, _ in sgml.written_order(document)
    ]


def _written(document: Document) -> list[list[str]]:
    """Write the words of a document so that just its empty nodes are read as traces."""
    empty = set(document.empty)
    tokens = document.tokens
    sure = any(tokens[token] not in PERHAPS_TRACES for token in empty)
    sentences = []
    first = 0
    for sentence in written_sentences(document):
        words = [
            _trace(word, sure=sure)
            if token in empty
            else _escaped(word, parsed=bool(empty))
            for token, word in enumerate(sentence, first)
        ]
        if words:
            sentences.append(words)
        first += len(words)
    return sentences


def _trace(word: str, *, sure: bool) -> str:
    """Write an empty node; `sure` says that others than `*` and `0` are there."""
    known = TRACE.fullmatch(word) or (sure and word in PERHAPS_TRACES)
    return word if known else _ANY_TRACE


def _escaped(word: str, *, parsed: bool) -> str:
    """Write a word; in a document with traces, `*` and `0` would be read as such.

    >>> _escaped("a <b&c", parsed=False), _escaped("0", parsed=True)
    ('a&#32;-LAB-b-AMP-c', '&#48;')
    """
    text = _TO_ESCAPE.sub(_escape, word) or "_"
    if TRACE.fullmatch(word) or (parsed and word in PERHAPS_TRACES):
        return f"&#{ord(word[0])};{text[1:]}"
    return text


def _escape(found: re.Match[str]) -> str:
    return ESCAPES.get(found[0]) or f"&#{ord(found[0])};"
