"""SemEval-2010 Task 1: one token a line, its number first, brackets in the last column.

1.  A document begins with `#begin document X`, X being its id, and ends with
    `#end document`, behind which the id may stand again. A blank may follow the `#`. A
    document without an id has the name of its file.
2.  Between the two, a line is a token, unless it is blank or starts with `#` (a
    comment). Tokens are numbered through the document from 0.
3.  Columns are separated by tabs or blanks. The first is the number of the token, the
    last its coreference cell. With more than two, the second is the word; lines of two
    say nothing of the words. The lines of a document all have a word, or none has.
4.  Numbers count up from 1, or from 0. A sentence ends at a blank line, or where the
    numbers start again; behind a blank line they may also go on. A number out of order
    is refused, since a line may be missing.
5.  With 17 columns or more, the columns are those of the task: ID TOKEN LEMMA PLEMMA
    POS PPOS FEAT PFEAT HEAD PHEAD DEPREL PDEPREL and more, of which `lemma`, `xpos`
    (POS), `feats`, `head` and `deprel` become layers. Where a column is empty (`_`)
    throughout the document, the predicted one beside it is used.
6.  A cell is `_`, `-` or `*` (nothing), or brackets: `(7` opens a mention of entity 7,
    `7)` closes the one opened last, `(7)` is a mention of one token. Bars between
    brackets are usual but not needed. An id is anything without brackets, bars and
    blanks, though the task has only digits.
7.  Brackets are taken from left to right. Spans may nest, cross and repeat, and every
    bracket closes inside its document. Entities stand in the order of their first
    brackets, mentions in that of the text, of those that begin together the longer
    first.
8.  A document of three columns that is numbered from 0 is one of GUM's: ids of the
    form `person-7` or `person-7-Ada_Lovelace` are entity 7, and the mention has the
    `type` person and the `identity` Ada_Lovelace. This is not written.
"""

from __future__ import annotations

import re
from itertools import count, islice
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefkit.arrays.columns import Columns
from corefkit.arrays.hashing import add_positions
from corefkit.exceptions import quoted
from corefkit.formats.brackets import (
    NAMES,
    OpenBrackets,
    Unbalanced,
    check_implied_tokens,
    format_entity_cells,
    format_row,
    group_sentences,
    pair_brackets,
    read_lines,
)
from corefkit.formats.conll import block_brackets, conll_extents, is_digit, numbered
from corefkit.formats.problems import WRONG_COLUMNS, WRONG_NUMBER
from corefkit.formats.source import (
    COLUMN_MARKS,
    CROSSING,
    Extent,
    Parsed,
    PlainSource,
    Writer,
    check_utf8,
    make_reader,
)
from corefkit.model import Document, Entity, Mention
from corefkit.strings import get_stem, normalize_id

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefkit.arrays.columns import Ints
    from corefkit.arrays.hashing import Text
    from corefkit.formats.conll import Lines, Words
    from corefkit.formats.files import ByteFile
    from corefkit.formats.problems import Faults

# SemEval-2010 text to columns, a block of bytes at a time.
#
# Plain documents are read as those of CoNLL-2012 are: ids are digits, and every rule in
# `corefkit.formats.semeval` is kept. All others are read line by line, which
# words what is wrong.

_ZERO = b"0"[0]
_LONGEST = 9  # digits of the number of a token


def semeval_columns(file: ByteFile, extents: Sequence[Extent]) -> Columns:
    """Read the mentions of some documents, in the order given.

    Raises:
        corefkit.formats.brackets.Unbalanced: where a document is not plain.
    """
    lengths = np.array([extent.end - extent.start + 1 for extent in extents], np.int64)
    blocks = file.joined([(extent.start, extent.end) for extent in extents])
    count = _Tokens(len(extents))
    found, words = block_brackets(check_utf8(blocks), lengths, {}, count)
    never = np.zeros(len(extents), np.bool_)
    entity, begin, finish, document = pair_brackets(found, may_stay_open=never)
    start, end = found.token[begin], found.token[finish]
    order = np.lexsort((-end, start, entity))  # rule 7
    return Columns(
        entity[order], start[order], end[order], document, words.tokens, words.prints
    )


class _Tokens:
    """Counts the tokens of documents, and checks their first columns."""

    def __init__(self, documents: int) -> None:
        self.first = np.zeros(documents, np.int64)  # the number of the first token
        self.last = np.zeros(documents, np.int64)  # that of the token before the block
        self.worded = np.zeros(documents, np.bool_)  # whether the first line has a word

    def __call__(
        self, text: Text, start: Ints, end: Ints, document: Ints, words: Words
    ) -> Lines:
        """Number the lines of a block in their documents, and add up their words."""
        lines, (first, size), before = numbered(text, start, end, document, words)
        # A line of one column is refused later: its number is no cell.
        hashes, column_end = text.hashes(text.fields(start, 1))
        worded = column_end < end
        opening = first[before == 0]
        self.worded[document[opening]] = worded[opening]
        if np.any(worded != self.worded[document]):
            raise Unbalanced
        words.known[document[~worded]] = False
        prints = add_positions(hashes, lines.token)
        words.prints[document[first]] += np.add.reduceat(prints, first)
        self._check_numbers(_numbers(text, start), document, first, size, opening)
        return lines

    def _check_numbers(
        self, number: Ints, document: Ints, first: Ints, size: Ints, opening: Ints
    ) -> None:
        """Refuse tokens that do not count up from 0 or 1 (rule 4)."""
        previous = np.empty_like(number)
        previous[1:] = number[:-1]
        previous[first] = self.last[document[first]]
        previous[opening] = number[opening] - 1
        self.first[document[opening]] = number[opening]
        follows = number == previous + 1
        if np.any(number[opening] > 1) or not np.all(
            follows | (number == self.first[document])
        ):
            raise Unbalanced
        self.last[document[first]] = number[first + size - 1]


def _numbers(text: Text, start: Ints) -> Ints:
    """Read the numbers of tokens, written without zeros in front."""
    length = text.word_ends(start) - start
    leading = (text.bytes[start] == _ZERO) & (length > 1)
    longest = int(length.max(initial=0))
    if longest > _LONGEST or leading.any():
        raise Unbalanced
    value = np.zeros(len(start), np.int64)
    for place in range(longest):
        there = np.flatnonzero(length > place)
        digit = text.bytes[start[there] + place]
        if not is_digit(digit).all():
            raise Unbalanced
        value[there] = value[there] * 10 + (digit.astype(np.int64) - _ZERO)
    return value


# SemEval-2010, written.
#
# The rules are those in `corefkit.formats.semeval`.

# Where a layer stands, and where the predicted one does.
LAYERS = {
    "lemma": (2, 3),
    "xpos": (4, 5),
    "feats": (6, 7),
    "head": (8, 9),
    "deprel": (10, 11),
}
_WRITTEN_COLUMNS = 19


def semeval_text(document: Document) -> Iterator[str]:
    """Write a document: with words in the columns of the task, without words in two.

    Blanks inside words, which columns of text cannot have, become underscores. An id
    in parentheses, which would make it CoNLL, has another spelling: `bc/cctv_2` for
    `(bc/cctv); part 002`, which scoring takes for the same.
    """
    name = document.id
    if name.startswith("("):
        name = normalize_id(name).lstrip("(") or "_"
    yield "#begin document " + name.replace("\n", " ") + "\n"
    cells = format_entity_cells(document, r"[^()|\x00-\x20]+")
    token = 0
    for sentence in document.sentences:
        for number, word in enumerate(sentence, start=1):
            columns = [str(number), word, *["_"] * (_WRITTEN_COLUMNS - 3)]
            for layer, (column, _) in LAYERS.items():
                if layer in document.layers:
                    columns[column] = document.layers[layer][token]
            yield format_row([*columns, cells.get(token, "_")])
            token += 1
        yield "\n"
    if not document.sentences:
        for token in range(check_implied_tokens(document, max(cells, default=-1) + 1)):
            yield format_row([str(token + 1), cells.get(token, "_")])
        yield "\n"
    yield "#end document\n"


_BEGIN = re.compile(rb"\s*#[ \t]*begin document(?:\s+(.*))?$")
_END = re.compile(rb"\s*#[ \t]*end document(?:\s|$)")
_FIELD = re.compile(r"[^\x00-\x20]+")
_GUM_ID = re.compile(r"([^\W\d_]+)-([0-9]+)(?:-(.+))?")
_TASK_COLUMNS = 17  # a sentence with no predicate; each predicate adds two


def recognise(head: bytes) -> bool:
    """Return whether the first bytes of a file look like SemEval-2010.

    CoNLL-2012 begins a document likewise, but has its name in parentheses, and in the
    first column of each token; here tokens count up from 1 or 0.
    """
    rows = list(islice(_rows(head), 2))
    if not rows or rows[0].name.startswith("(") or len(rows[0].columns) < 2:
        return False
    number, cell = rows[0].columns[0], rows[0].columns[-1]
    if number not in ("0", "1") or NAMES.parse_cell(cell) is None:
        return False
    if len(rows) == 1:
        return not _is_conll(rows[0])
    following = rows[1].columns[0]
    if rows[0].document == rows[1].document and following == str(int(number) + 1):
        return True
    # A sentence of one word; or it is the name of a CoNLL document, such as `1`.
    return rows[1].apart and following == number and not _is_conll(rows[0])


def _is_conll(row: _Row) -> bool:
    """Return whether a token may be CoNLL's: name, part, number and more."""
    name, *numbers = row.columns[:3]
    numbered = len(row.columns) > 3 and all(map(str.isdigit, numbers))
    return name == row.name and numbered


class _Row(NamedTuple):
    """A token as the first look at a file sees it."""

    document: int
    name: str
    apart: bool  # from the token before, by a blank line or another document
    columns: list[str]


def _rows(head: bytes) -> Iterator[_Row]:
    document, name, apart = 0, "", False
    for line in head.split(b"\n"):
        content = line.strip()
        if begin := _BEGIN.match(content):
            document, apart = document + 1, True
            name = (begin[1] or b"").decode("utf-8", "replace").strip()
        elif not content:
            apart = True
        elif not content.startswith(b"#"):
            columns = _FIELD.findall(line.decode("utf-8", "replace"))
            if not document or not columns:
                return
            yield _Row(document, name, apart, columns)
            apart = False


def extents(file: ByteFile, faults: Faults) -> Iterator[Extent]:
    """Find the documents; what is wrong around them goes to `faults`."""
    for extent in conll_extents(file, faults, begin=_BEGIN, end=_END):
        name = extent.id or get_stem(file.name)
        yield Extent(name, extent.start, extent.end)


def parse(file: ByteFile, extent: Extent, faults: Faults) -> Parsed:
    """Read one document; what is wrong with it goes to `faults`."""
    tokens = list(_tokens(file, extent, faults))
    worded = _are_worded(tokens, faults)
    entities: dict[str, list[Mention]] = {}
    for _, entity, mention in sorted(_mentions(file, extent, tokens, faults)):
        entities.setdefault(entity, []).append(mention)
    for mentions in entities.values():
        mentions.sort(key=lambda mention: (mention.start, -mention.end))
    document = Document(
        extent.id,
        group_sentences((token.sentence, token.columns[1]) for token in tokens)
        if worded
        else (),
        tuple(Entity(name, tuple(row)) for name, row in entities.items()),
        layers=_layers(tokens) if worded else {},
        origin="strict",  # the reference scorer reads such files too, in its own way
    )
    return Parsed(document, [token.line for token in tokens])


class _Token(NamedTuple):
    """A token line; `sentence` counts from 0."""

    line: int
    sentence: int
    columns: list[str]


def _tokens(file: ByteFile, extent: Extent, faults: Faults) -> Iterator[_Token]:
    sentence, blank = -1, True
    first, previous = "1", 0
    for line, text in read_lines(file, extent.start, extent.end, faults):
        columns = _FIELD.findall(text)
        if not columns:
            blank = True
            continue
        if columns[0].startswith("#"):
            continue
        number = columns[0]
        if sentence < 0 and number == "0":
            first, previous = "0", -1
        follows = number == str(previous + 1)
        if blank or (number == first and not follows):
            sentence, blank = sentence + 1, False
        if not follows and number != first:
            _tell_number(line, number, first, previous, faults)
        previous = int(number) if re.fullmatch("[0-9]{1,9}", number) else previous + 1
        if len(columns) == 1:
            message = "found 1 column, expected a token's number and coreference cell"
            faults(line, message, kind=WRONG_COLUMNS)
            columns = [number, "_"]
        yield _Token(line, sentence, columns)


def _tell_number(
    line: int, number: str, first: str, previous: int, faults: Faults
) -> None:
    following = str(previous + 1)
    expected = following if following == first else f"{following} or {first}"
    message = f"the number of the token is {quoted(number)}, expected {expected}"
    faults(line, message, "is a line missing?", kind=WRONG_NUMBER)


def _are_worded(tokens: Sequence[_Token], faults: Faults) -> bool:
    worded = {len(token.columns) > 2 for token in tokens}
    if len(worded) == 2:
        wordless = next(token for token in tokens if len(token.columns) == 2)
        message = "found 2 columns, so no word, in a document that has words"
        hint = "a line has the token's number, the word and more, the coreference cell"
        faults(wordless.line, message, hint, kind=WRONG_COLUMNS)
    return worded == {True}


def _layers(tokens: Sequence[_Token]) -> dict[str, tuple[str, ...]]:
    layers: dict[str, tuple[str, ...]] = {}
    if min(len(token.columns) for token in tokens) < _TASK_COLUMNS:
        return layers
    for name, places in LAYERS.items():
        for place in places:
            cells = tuple(token.columns[place] for token in tokens)
            if name not in layers and set(cells) != {"_"}:
                layers[name] = cells
    return layers


def _mentions(
    file: ByteFile, extent: Extent, tokens: Sequence[_Token], faults: Faults
) -> Iterator[tuple[int, str, Mention]]:
    """Yield the number of each opening bracket, with its entity and mention."""
    open_brackets = OpenBrackets[tuple[int, int, dict[str, str]]](faults)
    order = count()
    gum = [(row.columns[0], len(row.columns)) for row in tokens[:1]] == [("0", 3)]
    for number, token in enumerate(tokens):
        brackets = NAMES.read_cell(token.columns[-1], token.line, faults)
        for text, opens, closes in brackets:
            entity, attributes = _gum_id(text) if gum else (text, {})
            if opens:
                opening = next(order), number, attributes
                open_brackets.open(entity, token.line, opening)
            if closes and (begun := open_brackets.close(entity, token.line)):
                first, start, attributes = begun
                yield first, entity, Mention(start, number, attributes=attributes)
    open_brackets.report_open(file.line_number(extent.end))


def _gum_id(name: str) -> tuple[str, dict[str, str]]:
    """Take an id of GUM's apart.

    >>> _gum_id("person-7-Jean%2DLuc"), _gum_id("7")
    (('7', {'type': 'person', 'identity': 'Jean-Luc'}), ('7', {}))
    """
    from urllib.parse import unquote

    match = _GUM_ID.fullmatch(name)
    if match is None:
        return name, {}
    kind, number, identity = match.groups()
    attributes = {"type": kind}
    if identity is not None:
        attributes["identity"] = unquote(identity)
    return number, attributes


READER = make_reader(extents, parse)._replace(
    open=lambda file, *_: PlainSource(file, extents, parse, semeval_columns)
)
WRITER = Writer(
    alters=COLUMN_MARKS,
    carries=frozenset({CROSSING}),
    layers=frozenset(LAYERS),
    text=semeval_text,
)
