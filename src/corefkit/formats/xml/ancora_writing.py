"""AnCora-CO XML, written; the rules are those in `corefkit.formats.xml.ancora`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.formats.lines import written_sentences
from corefkit.formats.xml.elements import attributes, escaped

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from corefkit.model import Document, Mention

OF_NODES = frozenset({"wd", "elliptic", "missing"})
LAYERS = {"lem": "lemma", "pos": "xpos"}
_NAMES = {layer: name for name, layer in LAYERS.items()}
_NOT_FOR_MENTIONS = OF_NODES | {"entity", "ne", "head"}
_NOT_FOR_LAYERS = OF_NODES | {"entity", "entityref", "lem", "pos"}
_EMPTY = '<sn elliptic="yes"/>'


def ancora_files(document: Document) -> Iterator[tuple[str, str]]:
    """Write a document; where there are no words, `_` stands for each."""
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<article id="{escaped(document.id)}">',
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
    return f"<sn{attributes(first)}{attributes(known, taken=_NOT_FOR_MENTIONS)}>"


def _node(
    layers: Mapping[str, tuple[str, ...]], token: int, word: str, *, empty: bool
) -> str:
    values = {name: layer[token] for name, layer in layers.items()}
    values = {name: value for name, value in values.items() if value != "_"}
    first = {_NAMES[name]: values.pop(name) for name in _NAMES if name in values}
    known = attributes(first) + attributes(values, taken=_NOT_FOR_LAYERS)
    if not empty:
        return f'<w wd="{escaped(word)}"{known}/>'
    said = f' wd="{escaped(word)}"' if word != "_" else ""
    return f"{_EMPTY[:-2]}{said}{known}/>"
