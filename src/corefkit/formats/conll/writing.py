"""CoNLL-2012, written; the rules are those in `corefkit.formats.conll.conll`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corefkit.model import Document

# The columns that are kept as layers, where a file has them.
LAYERS = {"xpos": 4, "parse": 5, "lemma": 6, "sense": 8, "speaker": 9}
_BLANKS = re.compile(r"[\x00-\x20]")
_ID = re.compile(r"\((.*)\);(?:\s*part\s+(\d+))?\s*")


def conll_text(document: Document) -> Iterator[str]:
    """Write a document; one without words has four columns, which say that it has none.

    Blanks inside words, which columns of text cannot have, become underscores.
    """
    name, part = _name_and_part(document.id.replace("\n", " "))
    yield f"#begin document ({name}); part {part:03}\n"
    # A line that begins with `#` would be a comment.
    name = re.sub("^#", "_", name)
    cells = _cells(document)
    token = 0
    for sentence in document.sentences:
        for number, word in enumerate(sentence):
            columns = [name, str(part), str(number), word, "-", "*", "-", "-", "-"]
            columns += ["-", "*"]
            for layer, column in LAYERS.items():
                if layer in document.layers:
                    columns[column] = document.layers[layer][token]
            written = (_BLANKS.sub("_", column) or "_" for column in columns)
            yield "\t".join((*written, cells.get(token, "-"))) + "\n"
            token += 1
        yield "\n"
    if not document.sentences:
        name = _BLANKS.sub("_", name) or "_"
        for token in range(max(cells, default=-1) + 1):
            yield f"{name}\t{part}\t{token}\t{cells.get(token, '-')}\n"
    yield "#end document\n"


def _name_and_part(document_id: str) -> tuple[str, int]:
    match = _ID.fullmatch(document_id)
    if match is None:
        return document_id.strip(), 0
    return match[1], int(match[2] or 0)


def _cells(document: Document) -> dict[int, str]:
    """Write the brackets of a document, so that entities keep their order."""
    names = [entity.id for entity in document.entities]
    sound = all(name.isascii() and name.isdigit() for name in names)
    if not sound or len(set(names)) < len(names):
        names = [str(number) for number in range(len(names))]
    closing: dict[int, list[tuple[int, int, str]]] = {}
    opening: dict[int, list[_Opening]] = {}
    for order, (name, entity) in enumerate(zip(names, document.entities, strict=True)):
        first = min((mention.start for mention in entity), default=-1)
        for start, end in entity:
            bracket = f"({name})" if start == end else f"({name}"
            row = opening.setdefault(start, [])
            row.append(_Opening(-end, order, bracket, start == first))
            if start < end:
                closing.setdefault(end, []).append((-start, -order, f"{name})"))
    # Closing brackets stand in front, else `(1|1)` would be one mention.
    return {
        token: "|".join(
            [bracket for *_, bracket in sorted(closing.get(token, []))]
            + [row.bracket for row in _ordered(opening.get(token, []))]
        )
        for token in closing.keys() | opening.keys()
    }


class _Opening(NamedTuple):
    """A bracket that opens, and whether its entity is first seen with it."""

    before: int  # of mentions that begin together the longest comes first
    order: int
    bracket: str
    new: bool


def _ordered(row: list[_Opening]) -> list[_Opening]:
    """Let outer brackets open first, unless entities would change their order."""
    outer_first = sorted(row)
    orders = [one.order for one in outer_first if one.new]
    if orders == sorted(orders):
        return outer_first
    return sorted(row, key=lambda one: (one.order, one.before))
