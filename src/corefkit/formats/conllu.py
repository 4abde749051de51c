"""CoNLL-U, with the coreference annotation of CorefUD and GUM in its last column.

`docs/formats/conllu.md` defines the format; these rules add to it, and those of
entities are in `corefkit.formats.conllu_entities`:

-   The comments directly above `# newdoc` belong to the document. Sentences before the
    first `# newdoc` are a document, which also has its number as id.
-   A line of only blanks and tabs ends a sentence. An empty node with a wrong number is
    reported and read as the next one.
-   A range `n-m` is kept in layer `mwt` of the next word. An empty cell is the same as
    `_`, and a layer without any other cell is ignored. Layer `misc` is MISC without the
    items `Entity`, `Bridge`, `SplitAnte` and `Split`.
-   Comments are kept by sentence, except `newdoc` and `global.Entity`.
"""

from __future__ import annotations

import re
from functools import cached_property
from itertools import chain, pairwise, repeat, takewhile
from typing import TYPE_CHECKING, Any

import numpy as np

from corefkit.arrays.building import encode_ids
from corefkit.arrays.columns import Columns, Details, Empties
from corefkit.exceptions import quoted
from corefkit.formats import problems as kinds
from corefkit.formats import source as base
from corefkit.formats.brackets import list_sentences
from corefkit.formats.conllu_entities import (
    EntityParser,
    Fields,
    choose_fields,
    format_annotation,
    split_misc,
)
from corefkit.formats.plaintext import read_source
from corefkit.formats.problems import Faults
from corefkit.formats.source import Extent, Parsed
from corefkit.model import Document
from corefkit.strings import get_stem, map_conllu_ids

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from corefkit.arrays.columns import Ints
    from corefkit.formats.files import ByteFile

COLUMNS = 10
LAYERS = ("lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")
COLUMNS_HINT = "check that the file is complete, and that columns are separated by tabs"
WORDS_HINT = "words are numbered 1, 2, 3 ...; a blank line ends a sentence"
NEWDOC = re.compile(r"#[ \t]*newdoc(?:[ \t]+id[ \t]*=(.*)|[ \t]*)")
DECLARATION = re.compile(r"#[ \t]*global\.Entity[ \t]*=(.*)")
_ALL_LAYERS = (*LAYERS, "mwt")
_FORM, _HEAD, _MISC = 1, 6, 9
_TEXT_LAYERS = ("upos", "xpos", "feats", "head", "misc", "mwt")
# A name of a field, whose underscore may have a code.
_MENTION_TYPE = re.compile(rb"mention(?:_|%5[fF])type")
_ID = re.compile(r"([0-9]{1,9})(?:([.-])([0-9]{1,9}))?")
_HAS_ANNOTATION = re.compile("Entity=|Bridge=|Split").search
_FIRST_ID = re.compile(rb"(?:1|1-(?!1\t)[0-9]+|0\.1)\t")
_USUAL_COMMENT = re.compile(rb"#[ \t]*(?:newdoc|newpar|sent_id|text|global\.Entity)\b")
_OTHER_FORMAT = re.compile(rb"#[ \t]*(?:begin document|global\.columns)\b")


def recognise(head: bytes) -> bool:
    """Return whether the first bytes of a file look like CoNLL-U."""
    has_usual_comment = False
    for line in head.split(b"\n"):
        if line.startswith(b"#"):
            if _OTHER_FORMAT.match(line):
                return False
            if _USUAL_COMMENT.match(line):
                has_usual_comment = True
        elif line.strip():
            # After the usual comments, a line with fewer columns is invalid; one with
            # more columns is in a format that extends CoNLL-U.
            columns = line.count(b"\t") + 1
            if has_usual_comment:
                return columns <= COLUMNS
            return columns == COLUMNS and _FIRST_ID.match(line) is not None
    return has_usual_comment


class ConlluExtent(Extent):
    """The extent of a document, and the declaration of fields that applies to it."""

    declared: str | None = None


def find_extents(file: ByteFile, faults: Faults) -> Iterator[ConlluExtent]:
    """Find the documents of a file without parsing them."""
    del faults  # there are no errors outside documents
    begins: list[tuple[int, str, str | None]] = []
    declared = None
    last_mark = file.text_start
    marks = {*file.lines_with(b"newdoc"), *file.lines_with(b"global.Entity")}
    for offset, content in sorted(marks):
        line = content.rstrip(b"\r\n").decode("utf-8", "replace")
        if match := DECLARATION.fullmatch(line):
            declared = match[1]
        elif match := NEWDOC.fullmatch(line):
            start = _find_comments_start(file, offset, last_mark)
            begins.append((start, match[1] or "", declared))
            last_mark = offset + 1
    first = begins[0][0] if begins else file.size
    if any(
        line.strip(b" \t") and not line.startswith(b"#")
        for _, line in file.lines(file.text_start, first)
    ):
        name = "" if begins else get_stem(file.name)
        begins.insert(0, (file.text_start, name, None))
    bounds = pairwise([*begins, (file.size, "", None)])
    for number, ((start, name, fields), (end, *_)) in enumerate(bounds, 1):
        extent = ConlluExtent(name.strip() or str(number), start, end)
        extent.declared = fields
        yield extent


def _find_comments_start(file: ByteFile, offset: int, floor: int) -> int:
    """Return the start of the comments directly above a comment."""
    size = 1 << 12
    while True:
        start = max(floor, offset - size)
        *lines, _ = file.read(start, offset).split(b"\n")
        above = list(takewhile(lambda line: line[:1] == b"#", reversed(lines)))
        # The first line may be incomplete.
        if start == floor or len(above) < len(lines) - 1:
            return offset - sum(len(line) + 1 for line in above)
        size *= 4


def parse(
    file: ByteFile,
    extent: Extent,
    faults: Faults,
    *,
    layers: Sequence[str] = _ALL_LAYERS,
    has_entities: bool = True,
) -> Parsed:
    """Parse one document, with some of its layers, and perhaps without entities."""
    first_line = file.line_number(extent.start)
    parser = _ConlluParser(faults, has_entities=has_entities)
    if isinstance(extent, ConlluExtent) and extent.declared is not None:
        parser.fields = Fields.parse(extent.declared)
    parser.parse_lines(read_source(file, extent, faults), first_line)
    last_line = parser.lines[-1] if parser.lines else first_line
    return parser.build_document(extent.id, last_line, layers)


class SentenceBuilder(EntityParser):
    """The tokens, comments and multiword ranges of a document, added line by line."""

    def __init__(self, faults: Faults) -> None:
        super().__init__(faults)
        self.rows: list[list[str]] = []  # the columns of each token
        self.lines: list[int] = []  # the line of each token
        self.starts = [0]  # the first token of each sentence, and of the next one
        self.comments: list[tuple[str, ...]] = []  # of each sentence
        self.pending_comments: list[str] = []  # of the next sentence
        self.empty: list[int] = []  # the tokens that are empty nodes
        self.ranges: dict[int, str] = {}  # lines `n-m`, by the token that follows

    def check_columns(self, row: list[str], line: int, count: int) -> bool:
        """Return whether a row has a number of columns; otherwise report and fix it."""
        if len(row) == count:
            return True
        message = f"found {len(row)} columns, expected {count} separated by tabs"
        self.faults(line, message, COLUMNS_HINT, kind=kinds.WRONG_COLUMNS)
        row[:] = [*row, *"_" * count][:count]
        return False

    def end_sentence(self, line: int) -> None:
        token = len(self.rows)
        if self.ranges.pop(token, None):
            message = "a multiword range comes after the last word of its sentence"
            self.faults(line, message, "it is ignored", kind=kinds.LEFT_OUT)
        if token > self.starts[-1]:
            self.starts.append(token)
            self.comments.append(tuple(self.pending_comments))
            self.pending_comments = []

    def build_document(
        self, document_id: str, last_line: int, layers: Sequence[str] = _ALL_LAYERS
    ) -> Parsed:
        entities, bridges = self.build_entities(last_line, self.find_head)
        words = tuple(row[_FORM] for row in self.rows)
        document = Document(
            document_id,
            tuple(words[start:end] for start, end in pairwise(self.starts)),
            entities,
            tuple(self.empty),
            bridges,
            self._build_layers(layers),
            tuple(self.comments) if any(self.comments) else (),
        )
        return Parsed(document, self.lines)

    def _build_layers(self, names: Sequence[str]) -> dict[str, tuple[str, ...]]:
        layers: dict[str, tuple[str, ...]] = {}
        for column, name in enumerate(LAYERS, _FORM + 1):
            if name in names:
                cells = tuple([row[column] or "_" for row in self.rows])
                if cells.count("_") < len(cells):
                    layers[name] = cells
        if self.ranges and "mwt" in names:
            tokens = range(len(self.rows))
            layers["mwt"] = tuple(self.ranges.get(token, "") for token in tokens)
        return layers

    def find_head(self, tokens: Sequence[int]) -> int:
        """Return the first word with its parent outside, or else the first one."""
        token_set = tokens if isinstance(tokens, range) else frozenset(tokens)
        words = [token for token in tokens if self._is_word[token]]
        heads = (word for word in words if self._parents[word] not in token_set)
        return next(heads, (words or tokens)[0])

    @cached_property
    def _is_word(self) -> list[bool]:
        return ["." not in row[0] for row in self.rows]

    @cached_property
    def _parents(self) -> list[int]:
        parents: list[int] = []
        for start, end in pairwise(self.starts):
            rows = self.rows[start:end]
            ids = {row[0]: token for token, row in enumerate(rows, start)}
            parents += [ids.get(row[_HEAD], -1) for row in rows]
        return parents


class _ConlluParser(SentenceBuilder):
    def __init__(self, faults: Faults, *, has_entities: bool = True) -> None:
        super().__init__(faults)
        self._has_entities = has_entities
        self._word = 0  # the last word of the sentence
        self._node = 0  # the last empty node after it

    def parse_lines(self, text: str, first_line: int) -> None:
        number = first_line
        for number, raw in enumerate(text.split("\n"), first_line):
            line = raw.rstrip("\r")
            row = line.split("\t")
            if len(row) == COLUMNS and row[0] == str(self._word + 1):
                self._word += 1
                self._node = 0
            elif line[:1] == "#":
                self._parse_comment(line, number)
                continue
            elif not line.strip(" \t"):
                self._end_sentence(number)
                continue
            elif not self._check_token(row, number):
                continue
            misc = row[_MISC]
            if misc != "_" and self._has_entities and _HAS_ANNOTATION(misc):
                row[_MISC] = self.parse_misc(misc, len(self.rows), number)
            self.rows.append(row)
            self.lines.append(number)
        self._end_sentence(number)

    def _parse_comment(self, line: str, number: int) -> None:
        if match := "global.Entity" in line and DECLARATION.fullmatch(line):
            self.fields = fields = Fields.parse(match[1])
            if fields.id < 0:
                message = f"no field of {quoted(match[1].strip())} is the entity's id"
                hint = "name one of them 'eid'"
                self.faults(number, message, hint, kind=kinds.INVALID_HEADER)
        elif "newdoc" not in line or not NEWDOC.fullmatch(line):
            self.pending_comments.append(line[1:].removeprefix(" "))

    def _end_sentence(self, number: int) -> None:
        self.end_sentence(number)
        self._word = self._node = 0

    def _check_token(self, row: list[str], number: int) -> bool:
        """Check a line that is not the next word; return whether it is a token."""
        match = _ID.fullmatch(row[0])
        if self.check_columns(row, number, COLUMNS) and match is None:
            message = f"{quoted(row[0])} is not an ID, expected {self._word + 1}"
            hint = "IDs are '7', '7-8' or '7.1'"
            self.faults(number, message, hint, kind=kinds.WRONG_NUMBER)
        if match is None:
            return False
        first, last = int(match[1]), int(match[3] or 0)
        if match[2] == "-":
            self._add_range(row, number, first, last)
            return False
        if match[2] == ".":
            self._add_empty_node(row[0], number, (first, last))
            return True
        if row[0] != str(self._word + 1):
            message = f"found word {row[0]}, expected {self._word + 1}"
            self.faults(number, message, WORDS_HINT, kind=kinds.WRONG_NUMBER)
        self._word, self._node = first, 0
        return True

    def _add_empty_node(self, name: str, number: int, node: tuple[int, int]) -> None:
        self._node += 1
        if node != (self._word, self._node):
            message = f"found empty node {name}, expected {self._word}.{self._node}"
            self.faults(
                number, message, "it is read as the latter", kind=kinds.MISPLACED
            )
        token = len(self.rows)
        self.empty.append(token)
        if token in self.ranges:
            self.ranges[token + 1] = self.ranges.pop(token)

    def _add_range(self, row: list[str], number: int, first: int, last: int) -> None:
        if first != self._word + 1 or last <= first:
            message = f"multiword range {row[0]} is before word {self._word + 1}"
            self.faults(number, message, kind=kinds.MISPLACED)
        if any(item.startswith("Entity=") for item in row[_MISC].split("|")):
            message = f"'Entity' on the multiword range {row[0]} is ignored"
            self.faults(
                number, message, "put it on one of its words", kind=kinds.LEFT_OUT
            )
        token = len(self.rows)
        if token in self.ranges:
            message = "a second multiword range is before the same word"
            self.faults(number, message, "it is ignored", kind=kinds.LEFT_OUT)
        self.ranges.setdefault(token, "\t".join(row))


class ConlluSource(base.KernelSource):
    """The documents of a CoNLL-U file."""

    def __init__(self, file: ByteFile) -> None:
        held, self._entity_ids = _read_with_kernel(file) or (None, b"")
        super().__init__(file, find_extents, parse, held)

    def encode_kernel_ids(self, codes: Ints, ids: dict[bytes, int]) -> Ints:
        unique, positions = np.unique(codes, return_inverse=True)
        lines = self._entity_ids.split(b"\n")
        return encode_ids((lines[line].decode() for line in unique), ids)[positions]

    def _parse_for_columns(self, number: int) -> Parsed:
        return parse(self.file, self.extents[number], self._faults, layers=("deps",))

    def iter_words(self, number: int) -> Iterator[base.Word]:
        document, lines, _ = self._parse_text(number)
        name = self.name
        return base.iter_document_words(
            document, lambda token: f"{name}:{lines[token]}"
        )

    def read_text(self, number: int) -> Document:
        return self._parse_text(number, _TEXT_LAYERS).document

    def _parse_text(self, number: int, layers: Sequence[str] = ()) -> Parsed:
        extent, faults = self.extents[number], Faults(self.file, [])
        return parse(self.file, extent, faults, layers=layers, has_entities=False)

    def may_have_mention_types(self, number: int) -> bool:
        extent = self.extents[number]
        declared = getattr(extent, "declared", None) or ""
        texts = self.file.read(extent.start, extent.end), declared.encode()
        return any(map(_MENTION_TYPE.search, texts))


def _read_with_kernel(file: ByteFile) -> tuple[base.KernelColumns, bytes] | None:
    """Read a file by the kernel, if it can; also return entity ids, one per line."""
    results = file.call_kernel("read_conllu")
    if results is None:
        return None
    data, *arrays = results
    numbers = base.decode_integers(arrays)
    starts, has_newdoc, declared, skipped, token_count, text_hash = numbers[:6]
    entity, start, end, *heads = numbers[6:12]
    entity_document, code, *gaps, split, bridge = numbers[12:19]
    node_document, node, initial, dependent, parent, relation, bounds = numbers[19:]
    # Each text has a line for each of its values.
    ids, declarations, relations, entity_ids = (
        data[first:last] for first, last in pairwise((0, *bounds.tolist()))
    )
    # Relations are compared by their hashes.
    hashes = np.array([hash(line) for line in _split_text(relations)], np.int64)
    flags = initial.astype(np.bool_)
    nodes = node_document, node, flags, dependent, parent, hashes[relation]
    empties = Empties(*nodes) if len(node) else None
    referring = np.ones(len(entity_document), np.bool_)
    links = split.reshape(-1, 2), bridge.reshape(-1, 3)
    details: list[Any] = [*heads, *gaps, referring, *links, empties]
    columns = Columns(
        entity=entity,
        start=start,
        end=end,
        entity_document=entity_document,
        token_count=token_count,
        text_hash=text_hash.view(np.uint64),
        details=Details(*details),
        code=code,
    )
    default = "" if has_newdoc.any() else get_stem(file.name)
    names = chain([default] * int((has_newdoc == 0).sum()), _split_text(ids))
    fields = _split_text(declarations)
    extents: list[Extent] = []
    spans = pairwise((*starts.tolist(), file.size))
    for name, span, number in zip(names, spans, declared.tolist(), strict=False):
        extent = ConlluExtent(name.strip() or str(len(extents) + 1), *span)
        extent.declared = fields[number] if number >= 0 else None
        extents.append(extent)
    skipped_numbers = frozenset(np.flatnonzero(skipped).tolist())
    return base.KernelColumns(extents, columns, skipped_numbers), entity_ids


def _split_text(text: bytes) -> list[str]:
    return text.decode("utf-8", "replace").split("\n")


def format_document(document: Document) -> Iterator[str]:
    """Format a document; `_` replaces unknown words, as far as its mentions reach."""
    fields = choose_fields(document)
    yield f"# newdoc id = {_replace_line_ends(document.id)}\n"
    yield f"# global.Entity = {'-'.join(['eid', *fields])}\n"
    sentences = list_sentences(document)
    annotation = format_annotation(document, fields)
    empty = set(document.empty)
    comments_by_sentence = chain(document.comments, repeat(()))
    first = 0
    for sentence, comments in zip(sentences, comments_by_sentence, strict=False):
        for comment in comments:
            line = f"# {_replace_line_ends(comment)}"
            if not NEWDOC.fullmatch(line) and not DECLARATION.fullmatch(line):
                yield f"{line}\n"
        ids = map_conllu_ids(range(first, first + len(sentence)), empty)
        for (token_id, token), form in zip(ids.items(), sentence, strict=True):
            items = annotation.get(token, ())
            yield _format_token(document.layers, token_id, token, form, items)
        first += len(sentence)
        if sentence:
            yield "\n"
    if not any(sentences):
        yield "\n"


def _replace_line_ends(text: str) -> str:
    return text.replace("\n", " ")


def _format_token(
    values: Mapping[str, Sequence[str]],
    token_id: str,
    token: int,
    form: str,
    items: Sequence[str],
) -> str:
    """Format the line of a token; a line `n-m` comes together with its word."""
    layers = [values.get(name) for name in LAYERS]
    *cells, misc = [layer[token] or "_" if layer else "_" for layer in layers]
    _, remainder = split_misc(misc)
    all_items = items if remainder == "_" else [*items, remainder]
    row = [token_id, form, *cells, "|".join(all_items) or "_"]
    line = "\t".join(row)
    if line.count("\t") >= COLUMNS or "\n" in line:
        line = "\t".join(_replace_line_ends(cell).replace("\t", " ") for cell in row)
    ranges = values.get("mwt")
    if ranges and ranges[token] and "." not in token_id:
        line = f"{_replace_line_ends(ranges[token])}\n{line}"
    return f"{line}\n"


# All entities refer, and a bracket closes the last one that was opened for its entity.
WRITER = base.Writer(
    alters=base.LINE_MARKS,
    carries=frozenset(base.EVERYTHING) - {base.NON_REFERRING, base.CROSSING_ITS_OWN},
    layers=frozenset(_ALL_LAYERS),
    text=format_document,
)
READER = base.make_reader(find_extents, parse)._replace(
    open=lambda file, _response, _reference: ConlluSource(file)
)
