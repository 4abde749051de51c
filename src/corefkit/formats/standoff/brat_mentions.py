"""Mentions of brat standoff: from characters to tokens of the text, and back.

The rules are those in `corefkit.formats.standoff.brat`.
"""

from __future__ import annotations

import re
from itertools import count, islice
from typing import TYPE_CHECKING, NamedTuple

from corefkit.exceptions import quoted
from corefkit.formats.kinds import CUT_TOKEN
from corefkit.formats.lines import written_sentences
from corefkit.formats.plaintext import PlainText, Span, joined
from corefkit.formats.standoff.text import blank_before
from corefkit.model import Mention

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from corefkit.formats.faults import Faults
    from corefkit.model import Document

ID = re.compile(r"T[0-9]+\S*")
_UNTYPED = "Mention"
LITBANK_KIND = re.compile(r"(PROP|NOM|PRON)_([A-Z]+)")
_NAME = re.compile(r"[A-Za-z0-9_.:-]+")


class TextBound(NamedTuple):
    """A mention as its line says it: parts by characters."""

    line: int
    id: str
    type: str
    parts: tuple[tuple[int, int], ...]
    words: str | None


def mention_of(
    bound: TextBound, plain: PlainText, attributes: Mapping[str, str], faults: Faults
) -> Mention | None:
    """Make a mention of its line; None where no word or another text is there."""
    if message := _wrong_with(bound, plain.text):
        faults(bound.line, message, "is this the text annotated?")
        return None
    spans = [plain.tokens(*part) for part in bound.parts]
    tokens = sorted(span for span in spans if span is not None)
    if not tokens:
        message = f"mention {quoted(bound.id)} covers no word"
        faults(bound.line, message, "take it out")
        return None
    if any(plain.cuts(*part) for part in bound.parts):
        message = f"mention {quoted(bound.id)} begins or ends inside a token"
        hint = "the whole token is taken"
        faults(bound.line, message, hint, kind=CUT_TOKEN)
    return _spanning(tokens, _types(bound.type) | dict(attributes))


def _types(name: str) -> dict[str, str]:
    if name == _UNTYPED:
        return {}
    if match := LITBANK_KIND.fullmatch(name):
        return {"type": match[2], "mention_type": match[1]}
    return {"type": name}


def _spanning(tokens: list[tuple[int, int]], attributes: dict[str, str]) -> Mention:
    """Make a mention of spans in order, which may touch and overlap."""
    start, end = tokens[0]
    gaps = []
    for first, last in tokens[1:]:
        if first > end + 1:
            gaps.append((end + 1, first - 1))
        end = max(end, last)
    return Mention(start, end, tuple(gaps), attributes=attributes)


def _wrong_with(bound: TextBound, text: str) -> str | None:
    name = quoted(bound.id)
    for start, end in bound.parts:
        if start >= end:
            return f"mention {name} from {start} to {end} ends before it begins"
        if end > len(text):
            return f"mention {name} ends at {end}, the text at {len(text)}"
    if bound.words is None:
        return None
    stated = " ".join(bound.words.split())
    # A stretch far longer than the words stated is not even looked at.
    if sum(end - start for start, end in bound.parts) > 2 * len(bound.words) + 80:
        return f"mention {name} is {quoted(stated)}, far shorter than its stretch"
    pieces = " ".join(text[start:end] for start, end in bound.parts)
    covered = " ".join(pieces.split())
    if stated != covered:
        return f"mention {name} is {quoted(stated)}, the text has {quoted(covered)}"
    return None


def brat_files(document: Document) -> Iterator[tuple[str, str]]:
    """Write a document: its annotation, and its text, with `_` for unknown words."""
    text, spans = joined(written_sentences(document))
    front = blank_before(text)
    text = f"{front}{text}"
    spans = [Span(len(front) + start, len(front) + end) for start, end in spans]
    yield ".ann", "".join(_annotation(document, text, spans))
    yield ".txt", text


def _annotation(document: Document, text: str, spans: list[Span]) -> Iterator[str]:
    names = _names(document)
    numbers = count(1)
    for entity, ids in zip(document, names, strict=True):
        for mention, name in zip(entity, ids, strict=True):
            yield _text_bound_line(name, mention, text, spans)
            for key, value in mention.attributes.items():
                if key != "type" or not _is_type(value):
                    label = re.sub(r"\s+", "_", key) or "_"
                    said = re.sub(r"[\t\n]", " ", value).strip()
                    line = f"{label} {name} {said}".rstrip()
                    yield f"A{next(numbers)}\t{line}\n"
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
    kind = kind if _is_type(kind) else _UNTYPED
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
        and value != _UNTYPED
        and not LITBANK_KIND.fullmatch(value)
    )
