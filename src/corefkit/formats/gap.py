"""GAP: a table of examples, each with a pronoun and two names that it may refer to.

`docs/formats/tables.md` defines the format, which is read, but not written. An example
is a document: the pronoun and its names are one entity, other names are singletons.
Attributes of mentions are `gender` of the pronoun, and `name` (A or B) of the names.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from corefkit.exceptions import quoted
from corefkit.formats import problems as kinds
from corefkit.formats.plaintext import PlainText, find_tokens, read_source
from corefkit.formats.source import Extent, Parsed, group_entities, make_reader
from corefkit.model import Document, Mention

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from corefkit.formats.files import ByteFile
    from corefkit.formats.problems import Faults

COLUMNS = (
    *("ID", "Text", "Pronoun", "Pronoun-offset", "A", "A-offset", "A-coref"),
    *("B", "B-offset", "B-coref", "URL"),
)
GENDERS: Mapping[str, str] = {
    **dict.fromkeys(("he", "him", "his", "himself"), "masculine"),
    **dict.fromkeys(("she", "her", "hers", "herself"), "feminine"),
}
"""The gender of each pronoun."""
_HEADER = re.compile(rb"\t".join(name.encode() for name in COLUMNS) + rb"\r?(\n|\Z)")
_NUMBER = re.compile(r"[0-9]{1,9}")


def recognise(head: bytes) -> bool:
    """Return whether a file begins with the header of GAP."""
    return _HEADER.match(head) is not None


def find_extents(file: ByteFile, faults: Faults) -> Iterator[Extent]:
    """Iterate over the lines below the header."""
    del faults
    lines = file.lines(file.text_start, file.size)
    next(lines, None)
    for offset, line in lines:
        if line.strip():
            name = line.partition(b"\t")[0].decode("utf-8", "replace")
            yield Extent(name.strip(), offset, offset + len(line))


def parse(file: ByteFile, extent: Extent, faults: Faults) -> Parsed:
    """Parse the line of an example."""
    line = file.line_number(extent.start)
    cells = read_source(file, extent, faults).rstrip("\r\n").split("\t")
    if len(cells) != len(COLUMNS):
        message = f"found {len(cells)} columns, expected {len(COLUMNS)}"
        hint = f"the columns are {', '.join(COLUMNS)}, separated by tabs"
        faults(line, message, hint, kind=kinds.WRONG_COLUMNS)
        return Parsed(Document(extent.id, (), ()), ())
    row = dict(zip(COLUMNS, cells, strict=True))
    plain = PlainText(row["Text"])
    mentions: list[tuple[str, Mention]] = []
    for name in ("Pronoun", "A", "B"):
        entity, attributes = name, {"name": name, "mention_type": "NAM"}
        if name == "Pronoun":
            gender = GENDERS.get(row[name].lower(), "")
            attributes = {"gender": gender, "mention_type": "PRO"}
            if not gender:
                message = f"found {quoted(row[name])}, expected {', '.join(GENDERS)}"
                hint = "scores are divided by the gender of the pronoun"
                faults(line, message, hint, kind=kinds.INVALID_ANNOTATION)
        elif parse_flag(row[f"{name}-coref"], line, faults):
            entity = "Pronoun"
        words, offset = row[name], row[f"{name}-offset"]
        start = int(offset) if _NUMBER.fullmatch(offset) else len(plain.text)
        end = start + len(words)
        if not words.strip() or plain.text[start:end] != words:
            message = f"{name} is {quoted(words)}, which is not at {quoted(offset)}"
            hint = "offsets count the characters of Text from 0"
            faults(line, message, hint, kind=kinds.DIFFERENT_TEXT)
            continue
        tokens = find_tokens(plain.spans, [(start, end)], name, line, faults)
        mentions += [(entity, Mention(*span, attributes=attributes)) for span in tokens]
    if len({mention for _, mention in mentions}) < len(mentions):
        message = "the pronoun and the two names are not in three different places"
        faults(line, message, "correct the offsets", kind=kinds.INVALID_SPAN)
    mentions.sort(key=lambda row: (row[1].start, -row[1].end))
    document = Document(extent.id, plain.sentences, group_entities(mentions))
    return Parsed(document, [line] * len(plain.spans))


def parse_flag(cell: str, line: int, faults: Faults) -> bool:
    """Parse whether a name is coreferent; report anything but TRUE and FALSE."""
    if cell.strip().lower() not in ("true", "false"):
        message = f"found {quoted(cell)}, expected TRUE or FALSE"
        hint = "it is whether the pronoun refers to the name"
        faults(line, message, hint, kind=kinds.INVALID_ANNOTATION)
    return cell.strip().lower() == "true"


READER = make_reader(find_extents, parse, running=True)
