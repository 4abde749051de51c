"""WinoBias: numbered sentences, each with an occupation and pronouns in brackets.

`docs/formats/tables.md` defines the format, which is read, but not written. A sentence
is a document, and its mentions in brackets are one entity. Pronouns have `gender`. The
id is the name of the file, without `.txt`, and the number of the sentence, so that a
folder can contain several files.
"""

from __future__ import annotations

import re
from itertools import accumulate
from typing import TYPE_CHECKING

from corefkit.exceptions import quoted
from corefkit.formats import problems as kinds
from corefkit.formats.gap import GENDERS
from corefkit.formats.plaintext import PlainText, find_tokens, read_source
from corefkit.formats.source import Extent, Parsed, make_reader
from corefkit.model import Document, Entity, Mention
from corefkit.strings import get_base_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corefkit.formats.files import ByteFile
    from corefkit.formats.problems import Faults

_FIRST_LINE = re.compile(rb"\s*[0-9]+[ \t](?:[^\[\]\n]*\[[^\[\]\n]+\]){2}")
_NUMBER = re.compile(r"\s*([0-9]+)[ \t]")
_BRACKET = re.compile(r"[\[\]]")


def recognise(head: bytes) -> bool:
    """Return whether a file begins with a number and two mentions in brackets."""
    return _FIRST_LINE.match(head) is not None


def find_extents(file: ByteFile, faults: Faults) -> Iterator[Extent]:
    """Iterate over the lines of a file."""
    name = get_base_name(file.name).replace(".txt", "")
    for offset, line in file.lines(file.text_start, file.size):
        text = line.decode("utf-8", "replace")
        if not text.strip():
            continue
        match = _NUMBER.match(text)
        if match is None:
            message = f"found {quoted(text.split()[0])}, expected a number"
            hint = "each line is the number of a sentence, a blank and the sentence"
            faults.report_at(offset, message, hint, kind=kinds.WRONG_NUMBER)
            continue
        yield Extent(f"{name}/{int(match[1])}", offset, offset + len(line))


def parse(file: ByteFile, extent: Extent, faults: Faults) -> Parsed:
    """Parse a sentence."""
    line = file.line_number(extent.start)
    sentence = _NUMBER.sub("", read_source(file, extent, faults), count=1)
    sentence = " ".join(sentence.splitlines())
    brackets = "".join(_BRACKET.findall(sentence))
    if brackets != "[]" * (len(brackets) // 2):
        message = f"found the brackets {brackets}, expected pairs that are not nested"
        hint = "write mentions as in [The cook] said [she] was hungry"
        faults(line, message, hint, kind=kinds.UNPAIRED)
    pieces = _BRACKET.split(sentence)
    plain = PlainText("".join(pieces))
    ends = list(accumulate(map(len, pieces)))
    mentions = []
    for words, end in zip(pieces[1::2], ends[1::2], strict=True):
        label, span = f"mention {quoted(words)}", (end - len(words), end)
        tokens = find_tokens(plain.spans, [span], label, line, faults)
        gender = GENDERS.get(words.strip().lower())
        attributes = {"mention_type": "NOM"}
        if gender is not None:
            attributes = {"gender": gender, "mention_type": "PRO"}
        mentions += [Mention(*part, attributes=attributes) for part in tokens]
    entities = (Entity("1", tuple(mentions)),) if mentions else ()
    document = Document(extent.id, plain.sentences, entities)
    return Parsed(document, [line] * len(plain.spans))


READER = make_reader(find_extents, parse, running=True)
