"""The text format of the LLM track of CRAC: one document per line, tags after words.

    Ann|[e1] saw|[e2 her|[e1] aunt|e2] .

`docs/formats/llm.md` defines the format; these rules add to it:

-   The tags of a word follow its last bar. Text after a bar without a square bracket is
    a part of the word.
-   If a file has lines that begin with ```, only the lines between two of them count.
-   The id of a document is the name of the file, and the number of the line if there
    are several.
-   Written words have no blanks. Bars before square brackets, and a `#` before another
    one, become full-width, which alignment and NFKC treat as the same.
"""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING

from corefkit.exceptions import quoted
from corefkit.formats import source as base
from corefkit.formats.brackets import list_sentences
from corefkit.formats.plaintext import read_source
from corefkit.formats.problems import INVALID_ANNOTATION, UNPAIRED
from corefkit.formats.source import Extent, Parsed, RepairingSource
from corefkit.model import REPAIRED, Document, Mention
from corefkit.strings import get_base_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corefkit.formats.files import ByteFile
    from corefkit.formats.problems import Faults

SUFFIXES = (".crac.txt",)
_ID = r"[^\s\[\],|]+"
_TAG = re.compile(rf"(\[?)({_ID})(\]?)")
_TAGGED = re.compile(
    rf"[^\s|]\S*\|(?:\[{_ID}\]?|{_ID}\])(?:,(?:\[{_ID}\]?|{_ID}\]))*(?=\s|$)".encode()
)
_MARKUP = re.compile(r"\|(?=[^|]*[\[\]])|#(?=#)")
_WIDE = {"|": "｜", "#": "＃"}  # noqa: RUF001
_EMPTY = "##"
_FENCE = b"```"
_TAG_HINT = (
    "'[e1' opens a mention of e1, 'e1]' closes it, '[e1]' is one word; "
    "--tokens aligned repairs broken ones"
)


def recognise(head: bytes) -> bool:
    """Return whether the first bytes of a file have words with tags."""
    return _TAGGED.search(head) is not None


def find_extents(file: ByteFile, faults: Faults) -> Iterator[Extent]:
    """Iterate over the lines of a file, also empty ones."""
    del faults
    lines, fenced, is_fenced = list(file.lines(file.text_start, file.size)), [], False
    for row in lines:
        if row[1].lstrip().startswith(_FENCE):
            is_fenced = not is_fenced
        elif is_fenced:
            fenced.append(row)
    lines = fenced or lines
    name = get_base_name(file.name, *SUFFIXES, ".txt")
    for number, (start, line) in enumerate(lines, start=1):
        document_id = name if len(lines) == 1 else f"{name}-{number}"
        yield Extent(document_id, start, start + len(line))


def parse(file: ByteFile, extent: Extent, faults: Faults) -> Parsed:
    """Parse a line."""
    line = file.line_number(extent.start)
    words: list[str] = []
    empty: list[int] = []
    mentions: list[tuple[str, Mention]] = []
    repairs: list[str] = []
    opened: dict[str, list[int]] = {}

    def repair(rule: str, message: str, token: int) -> Mention:
        kind = INVALID_ANNOTATION if rule == "invalid" else UNPAIRED
        faults(line, message, _TAG_HINT, kind=kind)
        repairs.append(rule)
        return Mention(token, token, attributes={REPAIRED: rule})

    for token, cell in enumerate(read_source(file, extent, faults).split()):
        word, bar, tags = cell.rpartition("|")
        if not bar or not word or not ("[" in tags or "]" in tags):
            word, tags = cell, ""
        if word.startswith(_EMPTY):
            empty.append(token)
            word = word.removeprefix(_EMPTY) or "_"
        words.append(word)
        for tag in tags.split(",") if tags else ():
            match = _TAG.fullmatch(tag)
            opens, name, closes = match.groups() if match else ("", tag, "")
            if not opens and not closes:
                message = f"{quoted(tag)} is not a tag of word {quoted(word)}"
                repair("invalid", message, token)
            elif not closes:
                opened.setdefault(name, []).append(token)
            elif opens or opened.get(name):
                start = token if opens else opened[name].pop()
                mentions.append((name, Mention(start, token)))
            else:
                message = f"{name} closes at word {quoted(word)} but was not opened"
                mentions.append((name, repair("unopened", message, token)))
    for name, tokens in opened.items():
        for token in tokens:
            message = f"{name} opens at word {quoted(words[token])} and is never closed"
            mentions.append((name, repair("unclosed", message, token)))
    mentions.sort(key=lambda row: (row[1].start, -row[1].end))
    document = Document(
        extent.id,
        (tuple(words),),
        base.group_entities(mentions),
        empty=tuple(empty),
        repairs=tuple(repairs),
    )
    return Parsed(document, [line] * len(words))


def _format_text(document: Document) -> Iterator[str]:
    opening: dict[int, list[str]] = {}
    closing: dict[int, list[str]] = {}
    rows = [
        (mention.start, -mention.end, f"e{number}")
        for number, entity in enumerate(document.entities, start=1)
        for mention in entity
    ]
    for start, end, name in sorted(rows):
        if start == -end:
            opening.setdefault(start, []).append(f"[{name}]")
        else:
            opening.setdefault(start, []).append(f"[{name}")
            closing.setdefault(-end, []).insert(0, f"{name}]")
    empty = set(document.empty)
    cells = []
    for token, word in enumerate(chain.from_iterable(list_sentences(document))):
        text = "_".join(word.split()) or "_"
        text = _MARKUP.sub(lambda match: _WIDE[match[0]], text)
        if token in empty:
            text = _EMPTY + ("" if text == "_" else text)
        # A closing tag after an opening one of its entity would close that one.
        tags = closing.get(token, []) + opening.get(token, [])
        cells.append(f"{text}|{','.join(tags)}" if tags else text)
    yield " ".join(cells) + "\n"


READER = base.make_reader(find_extents, parse, open=RepairingSource)
WRITER = base.Writer(
    carries=frozenset({base.ZEROS, base.CROSSING}),
    alters=rf"\s|{_MARKUP.pattern}",
    text=_format_text,
)
