"""The JSON format of the LLM track of CRAC: a list of documents.

`docs/formats/llm.md` defines the fields. If a document has no offsets, its mentions are
located by their texts: each one after the start of the mention before it in its list.
Text around the list is ignored, as a model may add a sentence or put it in a fence.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from itertools import chain
from typing import TYPE_CHECKING, Any

from corefkit.exceptions import quoted
from corefkit.formats import source as base
from corefkit.formats.brackets import list_sentences
from corefkit.formats.plaintext import read_source
from corefkit.formats.problems import (
    INVALID_ANNOTATION,
    INVALID_JSON,
    INVALID_RECORD,
    INVALID_SPAN,
)
from corefkit.formats.source import Extent, Parsed, RepairingSource
from corefkit.model import Document, Entity, Mention

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from corefkit.formats.files import ByteFile
    from corefkit.formats.problems import Faults

_ID, _TOKENS = "doc_id", "tokens"
_OFFSETS, _TEXTS = "clusters_token_offsets", "clusters_text_mentions"
_START = re.compile(r'([^\[{]*)\[\s*\{\s*"doc_id"\s*:[^,\[{]*,\s*"tokens"\s*:')
_BLANK = re.compile(r"\s*")
_EMPTY = "##"
_MARKUP = "#(?=#)"
_SHAPE = f"expected a list of objects with {_ID!r}, {_TOKENS!r} and {_OFFSETS!r}"
_TEXT_HINT = "the mentions of an entity are in the order of the text"
_SPAN_HINT = "a mention is [first token, last token], counted from 0"


def recognise(head: bytes) -> bool:
    """Return whether a file begins with a list of CRAC documents."""
    return _START.match(head.decode("utf-8", "replace")) is not None


def find_extents(file: ByteFile, faults: Faults) -> Iterator[Extent]:
    """Iterate over the objects of the list."""
    # Each character is a byte, so that positions are offsets.
    text = file.read(file.text_start, file.size).decode("latin-1")
    match = _START.match(text)
    position = match.end(1) if match else 0
    while text[position : position + 1] not in ("]", ""):
        position = _BLANK.match(text, position + 1).end()  # type: ignore[union-attr]
        start = file.text_start + position
        try:
            record, position = json.JSONDecoder().raw_decode(text, position)
        except (ValueError, RecursionError) as error:
            message = f"not JSON: {error}"
            faults.report_at(start, message, _SHAPE, kind=INVALID_JSON)
            return
        name = record.get(_ID) if isinstance(record, dict) else None
        if isinstance(name, str):
            name = name.encode("latin-1", "replace").decode("utf-8", "replace")
            yield Extent(name, start, file.text_start + position)
        else:
            message = f"a document has no {_ID!r}, or it is not a string"
            faults.report_at(start, message, _SHAPE, kind=INVALID_RECORD)
        position = _BLANK.match(text, position).end()  # type: ignore[union-attr]


def parse(file: ByteFile, extent: Extent, faults: Faults) -> Parsed:
    """Parse an object."""
    line = file.line_number(extent.start)
    record = json.loads(read_source(file, extent, faults))
    is_located = record.get(_OFFSETS) is None and record.get(_TEXTS) is not None
    field, item = (_TEXTS, str) if is_located else (_OFFSETS, list)
    tokens, rows = record.get(_TOKENS), record.get(field)
    rows = [] if rows is None else rows
    is_valid = _is_list(rows, list) and all(_is_list(row, item) for row in rows)
    if not (is_valid and _is_list(tokens, str)):
        message = f"{_TOKENS!r} or {field!r} of document {quoted(extent.id)} is invalid"
        faults(line, message, _SHAPE, kind=INVALID_RECORD)
        tokens, rows = [], []
    repairs: list[str] = []
    if is_located:
        clusters = [*_locate_mentions(rows, tokens, line, faults, repairs)]
    else:
        clusters = [_read_spans(row, len(tokens), line, faults) for row in rows]
    document = Document(
        extent.id,
        (tuple(word.removeprefix(_EMPTY) or "_" for word in tokens),),
        tuple(
            Entity(str(number), tuple(mentions))
            for number, mentions in enumerate(clusters)
            if mentions
        ),
        empty=tuple(
            token for token, word in enumerate(tokens) if word.startswith(_EMPTY)
        ),
        repairs=tuple(repairs),
    )
    return Parsed(document, [line] * len(tokens))


def _is_list(value: object, item: type) -> bool:
    return isinstance(value, list) and {*map(type, value)} <= {item}


def _read_spans(
    spans: list[list[Any]], size: int, line: int, faults: Faults
) -> list[Mention]:
    mentions = []
    for span in spans:
        if _is_list(span, int) and len(span) == 2 and 0 <= span[0] <= span[1] < size:
            mentions.append(Mention(*span))
        else:
            message = f"{span!r} is not a span of {size} tokens"
            faults(line, message, _SPAN_HINT, kind=INVALID_SPAN)
    return mentions


def _locate_mentions(
    clusters: list[list[str]],
    tokens: list[str],
    line: int,
    faults: Faults,
    repairs: list[str],
) -> Iterator[list[Mention]]:
    """Locate mentions by their texts; a missing one is put after the text."""
    places: dict[str, list[int]] = {}
    for token, word in enumerate(tokens):
        places.setdefault(word, []).append(token)
    for texts in clusters:
        mentions: list[Mention] = []
        start = 0
        for words in map(str.split, texts):
            starts = places.get(words[0], []) if words else []
            candidates = starts[bisect_left(starts, start) :]
            matches = (i for i in candidates if tokens[i : i + len(words)] == words)
            first = next(matches, None)
            if first is None:
                text = quoted(" ".join(words))
                message = f"no mention {text} in the text from token {start} on"
                faults(line, message, _TEXT_HINT, kind=INVALID_ANNOTATION)
                first, words = len(tokens) + len(repairs), [""]
                repairs.append("invalid")
            else:
                start = first + 1
            mentions.append(Mention(first, first + len(words) - 1))
        yield mentions


def _save(documents: Iterable[Document], path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        separator = "[\n"
        for document in documents:
            file.write(separator + json.dumps(_dump(document), ensure_ascii=False))
            separator = ",\n"
        file.write("\n]\n" if separator == ",\n" else "[]\n")


def _dump(document: Document) -> dict[str, Any]:
    empty = set(document.empty)
    tokens = []
    for token, word in enumerate(chain.from_iterable(list_sentences(document))):
        if token in empty:
            tokens.append(_EMPTY if word == "_" else _EMPTY + word)
        else:  # full-width, so that it is not read as an empty node
            tokens.append(re.sub(_MARKUP, "＃", word))  # noqa: RUF001
    spans = [[[*mention] for mention in entity] for entity in document]
    texts = [[" ".join(tokens[i : j + 1]) for i, j in row] for row in spans]
    return {_ID: document.id, _TOKENS: tokens, _OFFSETS: spans, _TEXTS: texts}


class _CracJsonSource(RepairingSource):
    pairs_by_order = False


READER = base.make_reader(find_extents, parse, open=_CracJsonSource)
WRITER = base.Writer(
    carries=frozenset({base.ZEROS}) | base.CROSSINGS,
    alters=_MARKUP,
    save=_save,
)
