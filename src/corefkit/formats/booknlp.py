"""BookNLP: a table of mentions, and a table of tokens next to it.

`docs/formats/xml.md` defines the format. Sentences are those of `sentence_ID`. The
words of a mention must be those of its tokens, except for blanks.
"""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from corefkit.exceptions import quoted
from corefkit.formats import problems as kinds
from corefkit.formats import source as base
from corefkit.formats.plaintext import read_companion_text, read_source
from corefkit.formats.source import Parsed
from corefkit.model import Document, Mention
from corefkit.strings import get_stem

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefkit.formats.files import ByteFile
    from corefkit.formats.problems import Faults
    from corefkit.formats.source import Extent

_HEADER = "COREF\tstart_token\tend_token\tprop\tcat\ttext"
_TEXT_HINT = "put the tokens 'name.tokens' next to 'name.entities'"
_SHAPE = "expected the columns of BookNLP, separated by tabs; tokens count from 0"


def recognise(head: bytes) -> bool:
    """Return whether the first bytes of a file look like BookNLP's mentions."""
    return head.lstrip().startswith(_HEADER.encode())


def parse(file: ByteFile, extent: Extent, faults: Faults) -> Parsed:
    """Parse the mentions, and the tokens next to them."""
    line = file.line_number(extent.start)
    names = [f"{get_stem(file.name)}.tokens"]
    text = read_companion_text(file, line, names, faults, hint=_TEXT_HINT)
    if text is None:
        return Parsed(Document(extent.id, (), ()), ())
    columns = ("token_ID_within_document", "sentence_ID", "word")
    rows = list(_read_rows(text.text, columns, faults.copy_for(text.path)))
    for number, (token_line, cells) in enumerate(rows):
        if cells[0] != str(number):
            message = f"found token {quoted(cells[0])}, expected {number}"
            faults.copy_for(text.path)(token_line, message, _SHAPE)
    groups = groupby((cells[1:] for _, cells in rows), itemgetter(0))
    sentences = tuple(tuple(word for _, word in group) for _, group in groups)
    words = [cells[2] for _, cells in rows]
    source = read_source(file, extent, faults)
    entities = base.group_entities(_read_mentions(source, words, faults))
    document = Document(extent.id, sentences, entities)
    return Parsed(document, [token_line for token_line, _ in rows], text.path)


def _read_rows(
    text: str, columns: Sequence[str], faults: Faults
) -> Iterator[tuple[int, list[str]]]:
    """Iterate over the rows of a table with their lines, and the named cells."""
    header: list[str] = []
    for line, content in enumerate(text.split("\n"), start=1):
        cells = content.rstrip("\r").split("\t")
        if not content.strip():
            continue
        if not header and set(columns) <= set(cells):
            header = cells
        elif len(cells) != len(header):
            message = f"{quoted(content)} has {len(cells)} columns"
            expected = f", expected {len(header) or ', '.join(columns)}"
            faults(line, message + expected, _SHAPE, kind=kinds.WRONG_COLUMNS)
        else:
            yield line, [cells[header.index(name)] for name in columns]


def _read_mentions(
    text: str, words: Sequence[str], faults: Faults
) -> Iterator[tuple[str, Mention]]:
    """Iterate over the entity and the span of each mention."""
    for line, cells in _read_rows(text, _HEADER.split("\t"), faults):
        entity, first, last, kind, entity_type, expected = cells
        covered = None
        if first.isdecimal() and last.isdecimal() and int(first) <= int(last):
            span = words[int(first) : int(last) + 1]
            covered = " ".join(span) if int(last) < len(words) else None
        if covered is None:
            message = f"{quoted(expected)} is not a span of {len(words)} tokens"
            faults(line, message, _SHAPE, kind=kinds.INVALID_SPAN)
        elif "".join(covered.split()) != "".join(expected.split()):
            message = f"the mention is {quoted(expected)}, but the tokens are "
            faults(line, message + quoted(covered), kind=kinds.DIFFERENT_TEXT)
        else:
            attributes = {"type": entity_type, "mention_type": kind}
            attributes = {name: value for name, value in attributes.items() if value}
            yield entity, Mention(int(first), int(last), attributes=attributes)


READER = base.make_reader(
    base.make_file_extents(lambda file: get_stem(file.name)), parse
)
