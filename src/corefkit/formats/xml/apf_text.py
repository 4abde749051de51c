"""The text that an APF file points into, from the SGML file next to it.

The rules are those in `corefkit.formats.xml.apf`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from corefkit.exceptions import FormatError, quoted
from corefkit.formats.faults import NOT_UTF8
from corefkit.formats.plaintext import PlainText
from corefkit.strings.ids import bare_name

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from corefkit.formats.bytefile import ByteFile
    from corefkit.formats.faults import Faults
    from corefkit.formats.xml.elements import Element

ENDINGS = (".apf.xml", ".xml")
TEXT_ENDINGS = (".sgm", ".sgml")
# Nothing is tried twice (`*+`): a text may be one long tag that never ends.
TAG = re.compile(r"</?([A-Za-z][\w.-]*+)[^<>]*+>|<[!?][^<>]*+>")
_REFERENCE = re.compile(r"&(?:#\d{1,7}|#x[0-9A-Fa-f]{1,6}|[A-Za-z]\w{1,7});", re.ASCII)
_ABOUT = frozenset({"DOCID", "DOCNO", "DOCTYPE", "DATETIME", "DATE_TIME"})


class Text(NamedTuple):
    """The text of a file: its characters, as offsets count them, and its tokens."""

    characters: str
    plain: PlainText


def text_beside(file: ByteFile, root: Element, faults: Faults) -> Text | None:
    """Read the text next to a file, and report where it is missing."""
    from corefkit.formats.bytefile import ByteFile

    paths = list(_paths(file, root))
    for path in paths:
        try:
            with ByteFile(path) as opened:
                data = opened.read(opened.text_start, opened.size)
        except FormatError:
            continue
        try:
            return _text(data.decode())
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            message = "the line has bytes that are not UTF-8"
            faults.of(str(path))(line, message, NOT_UTF8)
            return None
    names = " or ".join(dict.fromkeys(quoted(path.name) for path in paths))
    message = f"the text is missing, expected {names} in the same folder"
    faults(root.line, message, "put the SGML file next to this one")
    return None


def _paths(file: ByteFile, root: Element) -> Iterator[Path]:
    from pathlib import Path

    folder = Path(file.name).parent
    for ending in TEXT_ENDINGS:
        yield folder / f"{bare_name(file.name, *ENDINGS)}{ending}"
    # Of an address only the name counts: what is elsewhere is not looked for.
    name = root.get("URI").replace("\\", "/").rpartition("/")[2]
    if name not in ("", ".", ".."):
        yield folder / name


def _text(sgml: str) -> Text:
    r"""Remove the tags of a text.

    >>> _text("<DOC>\n<DOCID> d </DOCID>\n<TEXT>A&amp;B</TEXT>\n").plain.sentences
    (('A', '&', 'B'),)
    """
    sgml = sgml.replace("\r\n", "\n")
    counted: list[str] = []
    visible: list[str] = []
    hidden, end = "", 0
    for tag in TAG.finditer(sgml):
        piece = sgml[end : tag.start()]
        counted.append(piece)
        visible.append(re.sub(r"[^\n]", " ", piece) if hidden else piece)
        end = tag.end()
        name, closing = (tag[1] or "").upper(), tag[0].startswith("</")
        if hidden:
            hidden = "" if closing and name == hidden else hidden
        elif name in _ABOUT and not closing:
            hidden = name
    counted.append(sgml[end:])
    visible.append(sgml[end:])
    plain = PlainText(_REFERENCE.sub(_padded, "".join(visible)))
    return Text("".join(counted), plain)


def _padded(reference: re.Match[str]) -> str:
    """Replace a reference by its character, and pad with blanks to keep the length."""
    character = unescaped(reference[0])
    return character.ljust(len(reference[0])) if len(character) == 1 else reference[0]


def unescaped(text: str) -> str:
    """Replace the references of a text by their characters."""
    from html import unescape

    return unescape(text)
