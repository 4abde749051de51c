"""brat standoff, written: a text, and the lines that point into it.

The rules are those in `corefkit.formats.standoff.brat`.
"""

from __future__ import annotations

import re
from itertools import count, islice
from typing import TYPE_CHECKING

from corefkit.formats.lines import written_sentences
from corefkit.formats.plaintext import Span, joined
from corefkit.formats.standoff.text import blank_before

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corefkit.model import Document, Mention

ID = re.compile(r"T[0-9]+\S*")
UNTYPED = "Mention"
LITBANK_KIND = re.compile(r"(PROP|NOM|PRON)_([A-Z]+)")
_NAME = re.compile(r"[A-Za-z0-9_.:-]+")


def brat_files(document: Document) -> Iterator[tuple[str, str]]:
    """Write a document: its annotation, and its text."""
    text, spans = written_text(document)
    yield ".ann", "".join(_annotation(document, text, spans))
    yield ".txt", text


def written_text(document: Document) -> tuple[str, list[Span]]:
    """Write the words of a document, placeholders where it has none."""
    text, spans = joined(written_sentences(document))
    front = blank_before(text)
    shifted = [Span(len(front) + start, len(front) + end) for start, end in spans]
    return f"{front}{text}", shifted


def _annotation(document: Document, text: str, spans: list[Span]) -> Iterator[str]:
    names = _names(document)
    numbers = count(1)
    for entity, ids in zip(document, names, strict=True):
        for mention, name in zip(entity, ids, strict=True):
            yield _text_bound_line(name, mention, text, spans)
            for key, value in mention.attributes.items():
                if key != "type" or not _is_type(value):
                    said = f"{_attribute_name(key)} {name} {_value(value)}".rstrip()
                    yield f"A{next(numbers)}\t{said}\n"
    for ids in names:
        if len(ids) > 1:
            yield f"*\tCoref {' '.join(ids)}\n"


def _names(document: Document) -> list[list[str]]:
    """Name the mentions; an entity's first is called like it, where that can be."""
    kept = {entity.id for entity in document if ID.fullmatch(entity.id)}
    fresh = (name for number in count(1) if (name := f"T{number}") not in kept)
    free = set(kept)
    names = []
    for entity in document:
        first = [entity.id] if entity.id in free and entity.mentions else []
        free.difference_update(first)
        names.append([*first, *islice(fresh, len(entity) - len(first))])
    return names


def _text_bound_line(name: str, mention: Mention, text: str, spans: list[Span]) -> str:
    parts = [
        part
        for first, last in mention.parts
        for part in _by_lines(spans[first].start, spans[last].end, text)
    ]
    kind = mention.attributes.get("type", "")
    kind = kind if _is_type(kind) else UNTYPED
    offsets = ";".join(f"{start} {end}" for start, end in parts)
    words = " ".join(text[start:end] for start, end in parts)
    return f"{name}\t{kind} {offsets}\t{words}\n"


def _by_lines(start: int, end: int, text: str) -> Iterator[tuple[int, int]]:
    # brat shows no mention that goes beyond its line, unless as parts.
    for line in text[start:end].split("\n"):
        if line:
            yield start, start + len(line)
        start += len(line) + 1


def _is_type(value: str) -> bool:
    return (
        _NAME.fullmatch(value) is not None
        and value != UNTYPED
        and not LITBANK_KIND.fullmatch(value)
    )


def _attribute_name(name: str) -> str:
    return re.sub(r"\s+", "_", name) or "_"


def _value(value: str) -> str:
    return re.sub(r"[\t\n]", " ", value).strip()
