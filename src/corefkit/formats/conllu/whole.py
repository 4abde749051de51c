"""CoNLL-U files, read at once by the kernel where it is there."""

from __future__ import annotations

from itertools import chain, pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefkit.columns import Columns
from corefkit.columns.details import Details, Empties
from corefkit.columns.held import Held, numbers_of
from corefkit.formats.conllu.rows import ConlluExtent, parse
from corefkit.formats.source import Word
from corefkit.formats.whole import Whole, WholeSource
from corefkit.kernel import kernel
from corefkit.strings.ids import file_stem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corefkit.columns import Ints
    from corefkit.columns.identified import EntityCodes
    from corefkit.formats.bytefile import ByteFile
    from corefkit.formats.documents import Extents, Parsed


class ConlluSource(WholeSource):
    """The documents of a CoNLL-U file."""

    def __init__(self, file: ByteFile, extents: Extents) -> None:
        whole, self._names = read_whole(file) or (None, b"")
        super().__init__(file, extents, parse, whole)

    def held_codes(self, names: Ints, codes: EntityCodes) -> Ints:
        """Number the ids of entities, of which the kernel has the numbers of lines."""
        known, place = np.unique(names, return_inverse=True)
        lines = self._names.split(b"\n")
        found: Ints = codes.of_names(lines[line].decode() for line in known)[place]
        return found

    def _parsed_for_columns(self, number: int) -> Parsed:
        return parse(self.file, self.extents[number], self._faults, layers=("deps",))

    def words(self, number: int) -> Iterator[Word]:
        """Yield the words of a document with their places.

        The annotation is not read: a line may have any amount of it.
        """
        extent = self.extents[number]
        first = self.file.line_number(extent.start)
        sentence, tokens = 0, False
        numbered = enumerate(self.file.lines(extent.start, extent.end), first)
        for place, (_, line) in numbered:
            name, _, rest = line.partition(b"\t")
            if not line.strip(b" \t"):
                sentence, tokens = sentence + tokens, False
            elif name[:1] != b"#" and b"-" not in name:
                tokens = True
                if b"." not in name:
                    form = rest[: rest.find(b"\t")].decode(errors="replace")
                    yield Word(form, f"{self.name}:{place}", sentence)

    def may_name_kinds(self, number: int) -> bool:
        """Return whether mentions of a document may have a `mention_type`."""
        extent = self.extents[number]
        declared = getattr(extent, "declared", None) or ""
        # Names may have escapes, but nobody escapes letters.
        body = self.file.read(extent.start, extent.end)
        return "mention" in declared or b"mention" in body


class _Rows(NamedTuple):
    """The rows of numbers that the kernel gives, in its order."""

    # Of documents: where each begins, whether a line of its own begins it, the number
    # of the declaration in force before it or -1, whether it is not plain.
    start: Ints
    begun: Ints
    declared: Ints
    left: Ints
    words: Ints
    text_hash: Ints
    # Of mentions, ordered by entity.
    entity: Ints
    first: Ints
    last: Ints
    head: Ints
    minimum_start: Ints
    minimum_end: Ints
    # Of entities.
    entity_document: Ints
    entity_code: Ints
    # Of gaps and links.
    gap: Ints
    gap_start: Ints
    gap_end: Ints
    split: Ints
    bridge: Ints
    # Of empty nodes, and of what they depend on.
    node_document: Ints
    node: Ints
    initial: Ints
    dependent: Ints
    parent: Ints
    relation: Ints
    # Where ids of documents, declarations, relations, and ids of entities end in the
    # text that comes before all rows.
    texts: Ints


class _Lines(NamedTuple):
    """The lines of text that the kernel gives."""

    ids: bytes  # of documents that a line of their own begins
    declarations: bytes
    relations: bytes
    names: bytes  # of entities

    def split(self, part: str) -> list[str]:
        """Return the lines of a part."""
        text: bytes = getattr(self, part)
        return text.decode("utf-8", "replace").split("\n")


def read_whole(file: ByteFile) -> tuple[Whole, bytes] | None:
    """Read a file by the kernel; None where that is not there, or gives up.

    The ids of entities are returned too, each with a line end.
    """
    compiled = kernel()
    if compiled is None:
        return None
    fill, room = file.stream()
    read = compiled.read_conllu(fill, file.text_start, room)
    if read is None:
        return None
    text, *numbers = read
    rows = _Rows._make(numbers_of(numbers))
    bounds = pairwise((0, *rows.texts.tolist()))
    lines = _Lines._make(text[start:end] for start, end in bounds)
    columns = Columns(
        entity=rows.entity,
        start=rows.first,
        end=rows.last,
        entity_document=rows.entity_document,
        token_count=rows.words,
        text_hash=rows.text_hash.view(np.uint64),
        details=_details(rows, lines),
    )
    whole = Whole(
        list(_extents(file, rows, lines)),
        Held.of(columns, entity_code=rows.entity_code),
        frozenset(np.flatnonzero(rows.left).tolist()),
    )
    return whole, lines.names


def _extents(file: ByteFile, rows: _Rows, lines: _Lines) -> Iterator[ConlluExtent]:
    """Name the documents, and say where they lie."""
    starts, begun = rows.start.tolist(), rows.begun.tolist()
    unnamed = "" if any(begun) else file_stem(file.name)
    names = chain([unnamed] * begun.count(0), lines.split("ids"))
    ends = [*starts[1:], file.size]
    declarations = lines.split("declarations")
    bounds = zip(names, starts, ends, rows.declared.tolist(), strict=False)
    for number, (name, start, end, declared) in enumerate(bounds, 1):
        extent = ConlluExtent(name.strip() or str(number), start, end)
        extent.declared = declarations[declared] if declared >= 0 else None
        yield extent


def _details(rows: _Rows, lines: _Lines) -> Details:
    return Details(
        head=rows.head,
        minimum_start=rows.minimum_start,
        minimum_end=rows.minimum_end,
        gap=rows.gap,
        gap_start=rows.gap_start,
        gap_end=rows.gap_end,
        referring=np.ones(len(rows.entity_document), np.bool_),
        split=rows.split.reshape(-1, 2),
        bridge=rows.bridge.reshape(-1, 3),
        empties=_empties(rows, lines) if len(rows.node) else None,
    )


def _empties(rows: _Rows, lines: _Lines) -> Empties:
    # What is compared are hashes of relations.
    hashes = np.array([hash(line) for line in lines.split("relations")], np.int64)
    return Empties(
        document=rows.node_document,
        token=rows.node,
        initial=rows.initial.astype(np.bool_),
        dependent=rows.dependent,
        parent=rows.parent,
        relation=hashes[rows.relation],
    )
