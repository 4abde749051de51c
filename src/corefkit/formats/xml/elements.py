"""XML for the formats that use it: light elements, with their lines.

Nothing is fetched: a DOCTYPE is allowed, but its DTD is not loaded. A file that
declares entities of its own is refused, since they could fill the memory.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from corefkit.exceptions import quoted
from corefkit.formats.faults import SAVE_AS_UTF8
from corefkit.formats.kinds import MALFORMED, NOT_UTF8

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping
    from xml.parsers.expat import XMLParserType

    from corefkit.formats.bytefile import ByteFile
    from corefkit.formats.faults import Faults
    from corefkit.formats.kinds import Kind

    Start = Callable[[str, dict[str, str]], None]

_HEAD = 1 << 16  # the id of a document stands in its first elements
_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_MARKUP = {ord(sign): f"&#{ord(sign)};" for sign in '\t\n\r"'}
_MARKUP |= {ord("&"): "&amp;", ord("<"): "&lt;", ord(">"): "&gt;"}
_CODE = re.compile("_x([0-9A-F]{4,6})_")
_NOT_IN_NAMES = re.compile("^[-.0-9]|[^-.\\w]|_(?=x[0-9A-F]{4})", re.ASCII)
_SURROGATES = range(0xD800, 0xE000)
_LAST_CHARACTER = 0x10FFFF


class Element:
    """An element: its name and attributes, the line it begins in, what is inside."""

    __slots__ = ("attributes", "children", "line", "name", "pieces")

    def __init__(self, name: str, attributes: dict[str, str], line: int) -> None:
        self.name = name
        self.attributes = attributes
        self.line = line
        self.children: list[Element] = []
        self.pieces: list[str] = []

    @property
    def text(self) -> str:
        """The characters directly inside, not those of its children."""
        return "".join(self.pieces)

    def get(self, name: str) -> str:
        """Return an attribute; empty where it is missing."""
        return self.attributes.get(name, "")

    def all(self, name: str) -> Iterator[Element]:
        """Iterate over the children of a name."""
        return (child for child in self.children if child.name == name)

    def first(self, name: str) -> Element | None:
        """Return the first child of a name, if there is one."""
        return next(self.all(name), None)

    def walk(self) -> Iterator[tuple[Element, bool]]:
        """Iterate over this element and all inside it, as each opens and as it closes.

        Elements may nest deeper than functions can.
        """
        rest = [(self, True)]
        while rest:
            element, opening = rest.pop()
            yield element, opening
            if opening:
                rest.append((element, False))
                rest.extend((child, True) for child in reversed(element.children))


def read_xml(file: ByteFile, faults: Faults, *, root: str) -> Element | None:
    """Read a file whose root has a name; None if it has another, or is broken."""
    data = file.read(file.text_start, file.size)
    found: list[Element] = []
    inside: list[Element] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        element = Element(name, attributes, parser.CurrentLineNumber)
        (inside[-1].children if inside else found).append(element)
        inside.append(element)

    def end(_: str) -> None:
        inside.pop()

    def characters(text: str) -> None:
        inside[-1].pieces.append(text)

    parser = _parser(start)
    parser.EndElementHandler = end
    parser.CharacterDataHandler = characters
    problem = _parsed(parser, data, final=True)
    if problem is not None:
        line, message, hint, kind = problem
        faults(line, message, hint, kind=kind)
        return None
    if found[0].name != root:
        message = f"found the element {quoted(found[0].name)}, expected {root!r}"
        faults(found[0].line, message)
        return None
    return found[0]


class _FoundError(Exception):
    """The element was found, and the rest need not be read."""


def head_attribute(file: ByteFile, element: str, attribute: str) -> str:
    """Read an attribute of the first element of a name, near the start of a file."""
    found: list[str] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        if name == element:
            found.append(attributes.get(attribute, ""))
            raise _FoundError

    try:
        data = file.read(file.text_start, file.text_start + _HEAD)
        _parsed(_parser(start), data, final=False)
    except _FoundError:
        return found[0].strip()
    return ""


class _Wrong(NamedTuple):
    """What is wrong with a file, and where."""

    line: int
    message: str
    hint: str
    kind: Kind = MALFORMED


class _RefusedError(Exception):
    """Something that XML allows, but this reader does not."""

    def __init__(self, line: int, message: str, hint: str) -> None:
        super().__init__(message)
        self.problem = _Wrong(line, message, hint)


def _parser(start: Start) -> XMLParserType:
    from xml.parsers import expat

    parser = expat.ParserCreate()

    def refuse_declared(name: str, *_: object) -> None:
        message = f"declares the entity {quoted(name)}, which is not read"
        hint = "write the characters themselves in place of the entity"
        raise _RefusedError(parser.CurrentLineNumber, message, hint)

    def refuse_skipped(name: str, *_: object) -> None:
        message = f"has the entity {quoted(f'&{name};')}, which is unknown"
        hint = "write the character itself, or its number as in &#233;"
        raise _RefusedError(parser.CurrentLineNumber, message, hint)

    parser.buffer_text = True
    # Values that a DTD would add to each element are more than the file holds.
    parser.specified_attributes = True
    parser.StartElementHandler = start
    parser.EntityDeclHandler = refuse_declared
    parser.SkippedEntityHandler = refuse_skipped
    return parser


def _parsed(parser: XMLParserType, data: bytes, *, final: bool) -> _Wrong | None:
    """Parse; return what is wrong, if anything is."""
    from xml.parsers import expat

    try:
        parser.Parse(data, final)
    except _RefusedError as error:
        return error.problem
    except expat.ExpatError as error:
        return _explained(data, error.lineno, expat.ErrorString(error.code))
    except (ValueError, LookupError) as error:
        # Encodings that Python does not know, or that have several bytes a character.
        message = f"cannot be read: {error}"
        return _Wrong(parser.CurrentLineNumber, message, SAVE_AS_UTF8, NOT_UTF8)
    return None


def _explained(data: bytes, line: int, reason: str | None) -> _Wrong:
    try:
        data.decode()
    except UnicodeDecodeError as error:
        if data.count(b"\n", 0, error.start) + 1 == line:
            message = "the line has bytes that are not UTF-8"
            return _Wrong(line, message, SAVE_AS_UTF8, NOT_UTF8)
    hint = "the file must be whole and well-formed XML"
    return _Wrong(line, f"not XML: {reason}", hint)


def as_word(text: str) -> str:
    r"""Write a word without blanks around it, and with single blanks inside.

    >>> as_word("Awards\t"), as_word("New  York"), as_word("\t")
    ('Awards', 'New York', '_')
    """
    return " ".join(text.split()) or "_"


def legal(text: str) -> str:
    r"""Replace characters that XML cannot have by their numbers.

    >>> legal("bell \x07")
    'bell _x0007_'
    """
    return _ILLEGAL.sub(_code, text)


def escaped(text: str) -> str:
    """Escape text for an element, or for an attribute's value.

    >>> escaped('"AT&T" < 3')
    '&#34;AT&amp;T&#34; &lt; 3'
    """
    return legal(text).translate(_MARKUP)


def attributes(values: Mapping[str, str], *, taken: Collection[str] = ()) -> str:
    """Write attributes, each after a blank; names in `taken` are reserved.

    >>> attributes({"n": "a", "my type": "<"})
    ' n="a" my_x0020_type="&lt;"'
    """
    return "".join(
        f' {as_name(name, taken=taken)}="{escaped(value)}"'
        for name, value in values.items()
        if name
    )


def as_name(text: str, *, taken: Collection[str] = ()) -> str:
    """Make an XML name of any text; other characters become their numbers.

    >>> as_name("ORG"), as_name("art/work"), as_name("ID", taken=("ID",))
    ('ORG', 'art_x002F_work', '_x0049_D')
    """
    name = _NOT_IN_NAMES.sub(_code, text) or "_"
    return f"_x{ord(name[0]):04X}_{name[1:]}" if name in taken else name


def from_name(name: str) -> str:
    """Return the text from which a name was made.

    >>> from_name("art_x002F_work"), from_name("_x0049_D")
    ('art/work', 'ID')
    """
    return _CODE.sub(_character, name)


def _code(match: re.Match[str]) -> str:
    return f"_x{ord(match[0]):04X}_"


def _character(match: re.Match[str]) -> str:
    number = int(match[1], 16)
    if number > _LAST_CHARACTER or number in _SURROGATES:
        return match[0]
    return chr(number)
