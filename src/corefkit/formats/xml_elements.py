"""XML elements with line numbers, shared by the formats that are XML.

Nothing is fetched: a DOCTYPE is allowed, but its DTD is not loaded. A file that
declares entities is rejected, because expanding them could fill the memory.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from xml.parsers import expat

from corefkit.exceptions import quoted
from corefkit.formats import problems as kinds
from corefkit.formats.problems import SAVE_AS_UTF8

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from corefkit.formats.files import ByteFile
    from corefkit.formats.problems import Faults

_HEAD_BYTES = 1 << 16  # the id of a document is in its first elements
_CHUNK_BYTES = 1 << 12
_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_MARKUP = {ord(sign): f"&#{ord(sign)};" for sign in '\t\n\r"'}
_MARKUP |= {ord("&"): "&amp;", ord("<"): "&lt;", ord(">"): "&gt;"}
_CODE = re.compile("_x([0-9A-F]{4,6})_")
_NOT_IN_NAMES = re.compile("^[-.0-9]|[^-.\\w]|_(?=x[0-9A-F]{4})", re.ASCII)


@dataclass(slots=True, eq=False)
class Element:
    """An element: name, attributes, line of its start tag, and content."""

    name: str
    attributes: dict[str, str]
    line: int
    children: list[Element] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The characters directly in the element, without those of its children."""
        return "".join(self.pieces)

    def get(self, name: str) -> str:
        return self.attributes.get(name, "")

    def find_all(self, name: str) -> Iterator[Element]:
        return (child for child in self.children if child.name == name)

    def find(self, name: str) -> Element | None:
        return next(self.find_all(name), None)

    def walk(self) -> Iterator[tuple[Element, bool]]:
        """Iterate over the start (True) and end (False) of all elements in here.

        This does not recurse: elements may be nested deeper than Python's call stack.
        """
        stack = [(self, True)]
        while stack:
            element, is_start = stack.pop()
            yield element, is_start
            if is_start:
                stack.append((element, False))
                stack.extend((child, True) for child in reversed(element.children))


class _InvalidXmlError(Exception):
    """Invalid or unsupported XML; the arguments are line, message, hint and kind."""


def read_xml(file: ByteFile, faults: Faults, *, root: str) -> Element | None:
    """Parse a file; report an error and return None if it or its root is invalid."""
    data = file.read(file.text_start, file.size)
    roots: list[Element] = []
    enclosing: list[Element] = []

    def handle_start(name: str, attributes: dict[str, str]) -> None:
        element = Element(name, attributes, parser.CurrentLineNumber)
        (enclosing[-1].children if enclosing else roots).append(element)
        enclosing.append(element)

    parser = _create_parser(handle_start)
    parser.EndElementHandler = lambda _: enclosing.pop()
    parser.CharacterDataHandler = lambda text: enclosing[-1].pieces.append(text)
    try:
        _parse(parser, data, final=True)
    except _InvalidXmlError as error:
        line, message, hint, kind = error.args
        faults(line, message, hint, kind=kind)
        return None
    if roots[0].name != root:
        message = f"found element {quoted(roots[0].name)}, expected {root!r}"
        faults(roots[0].line, message, kind=kinds.INVALID_XML)
        return None
    return roots[0]


def read_head_attribute(file: ByteFile, element: str, attribute: str) -> str:
    """Read an attribute of the first element with a name, near the start of a file.

    Returns an empty string if it is missing, or if the file is invalid before it.
    """
    values: list[str] = []

    def handle_start(name: str, attributes: dict[str, str]) -> None:
        if name == element:
            values.append(attributes.get(attribute, ""))

    parser = _create_parser(handle_start)
    head = file.read(file.text_start, file.text_start + _HEAD_BYTES)
    with suppress(_InvalidXmlError):
        for start in range(0, len(head), _CHUNK_BYTES):
            _parse(parser, head[start : start + _CHUNK_BYTES], final=False)
            if values:
                break
    return values[0].strip() if values else ""


def _create_parser(
    handle_start: Callable[[str, dict[str, str]], None],
) -> expat.XMLParserType:
    parser = expat.ParserCreate()

    def reject(message: str, hint: str) -> None:
        line = parser.CurrentLineNumber
        raise _InvalidXmlError(line, message, hint, kinds.INVALID_XML)

    def reject_declaration(name: str, *_: object) -> None:
        message = f"entity declarations are not supported, found {quoted(name)}"
        reject(message, "replace the entity by its characters")

    def reject_undeclared(name: str, *_: object) -> None:
        message = f"entity {quoted(f'&{name};')} is not declared"
        reject(message, "write the character itself, or its number as in &#233;")

    parser.buffer_text = True
    # Default values of a DTD could make elements much larger than the file.
    parser.specified_attributes = True
    parser.StartElementHandler = handle_start
    parser.EntityDeclHandler = reject_declaration
    parser.SkippedEntityHandler = reject_undeclared
    return parser


def _parse(parser: expat.XMLParserType, data: bytes, *, final: bool) -> None:
    try:
        parser.Parse(data, final)
    except expat.ExpatError as error:
        line, message = error.lineno, f"invalid XML: {expat.ErrorString(error.code)}"
        hint = "check that the file is complete and well-formed XML"
        kind = kinds.INVALID_XML
        if _find_invalid_line(data) == line:
            message = "the line has bytes that are not UTF-8"
            hint, kind = SAVE_AS_UTF8, kinds.NOT_UTF8
    except (ValueError, LookupError) as error:
        # Python does not support the declared encoding, or expat does not.
        message, line = f"cannot be read: {error}", parser.CurrentLineNumber
        hint, kind = SAVE_AS_UTF8, kinds.NOT_UTF8
    else:
        return
    raise _InvalidXmlError(line, message, hint, kind)


def _find_invalid_line(data: bytes) -> int | None:
    """Return the number of the first line that is not UTF-8."""
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return data.count(b"\n", 0, error.start) + 1
    return None


def index_by_id(
    elements: Iterable[Element], attribute: str, faults: Faults
) -> dict[str, Element]:
    """Index elements by id; those without, or with a repeated one, are reported."""
    index: dict[str, Element] = {}
    for element in elements:
        element_id = element.get(attribute)
        if not element_id:
            message = f"the {element.name} has no {attribute}"
            faults(element.line, message, f"add a {attribute}", kind=kinds.MISSING_ID)
        elif element_id in index:
            message = f"{attribute} {quoted(element_id)} is repeated"
            hint = f"it first occurs in line {index[element_id].line}"
            faults(element.line, message, hint, kind=kinds.REPEATED_ID)
        else:
            index[element_id] = element
    return index


def normalize_word(text: str) -> str:
    r"""Strip a word, and collapse blanks inside it; an empty word becomes `_`.

    >>> normalize_word("Awards\t"), normalize_word("New  York"), normalize_word("\t")
    ('Awards', 'New York', '_')
    """
    return " ".join(text.split()) or "_"


def replace_illegal(text: str) -> str:
    """Replace characters that are illegal in XML by their numbers."""
    return _ILLEGAL.sub(_format_code, text)


def escape_xml(text: str) -> str:
    """Escape text for the content of an element or the value of an attribute."""
    return replace_illegal(text).translate(_MARKUP)


def format_attributes(
    values: Mapping[str, str], *, reserved: Collection[str] = ()
) -> str:
    """Format attributes, each after a blank; those without a name are skipped."""
    return "".join(
        f' {encode_name(name, reserved=reserved)}="{escape_xml(value)}"'
        for name, value in values.items()
        if name
    )


def encode_name(text: str, *, reserved: Collection[str] = ()) -> str:
    """Turn any text into an XML name, with numbers for characters names cannot have."""
    name = _NOT_IN_NAMES.sub(_format_code, text) or "_"
    return f"_x{ord(name[0]):04X}_{name[1:]}" if name in reserved else name


def decode_name(name: str) -> str:
    """Return the text that `encode_name` was called with."""
    return _CODE.sub(_parse_code, name)


def _format_code(match: re.Match[str]) -> str:
    return f"_x{ord(match[0]):04X}_"


def _parse_code(match: re.Match[str]) -> str:
    number = int(match[1], 16)
    is_character = number < 0xD800 or 0xDFFF < number <= 0x10FFFF
    return chr(number) if is_character else match[0]
