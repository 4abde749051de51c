"""XML as elements with lines: what is read, what is refused, what is written."""

from __future__ import annotations

import pytest
from files import BYTE_ORDER_MARK, written
from hypothesis import given
from hypothesis import strategies as st

from corefkit.formats.bytefile import ByteFile
from corefkit.formats.faults import Faults
from corefkit.formats.xml.elements import (
    as_name,
    attributes,
    escaped,
    from_name,
    head_attribute,
    read_xml,
)


@pytest.fixture
def read(tmp_path):
    """Read XML whose root is `a`; gives the root and what is wrong."""

    def reading(content):
        faults = []
        with ByteFile(written(tmp_path / "file.xml", content)) as file:
            root = read_xml(file, Faults(file, faults), root="a")
        return root, [(fault.line, fault.message, fault.severity) for fault in faults]

    return reading


def test_elements_have_names_attributes_lines_and_text(read):
    root, faults = read('<a>\n<b n="1">x<c/>y</b>\n\n<b/>\n</a>')
    first, second = root.all("b")
    assert not faults
    assert (root.line, first.line, second.line) == (1, 2, 4)
    assert (first.text, first.attributes, first.get("m")) == ("xy", {"n": "1"}, "")
    assert [child.name for child in first.children] == ["c"]
    assert root.first("d") is None


def test_walk_opens_and_closes_in_order(read):
    root, _ = read("<a><b><c/></b><d/></a>")
    assert [(one.name, opening) for one, opening in root.walk()] == [
        ("a", True),
        ("b", True),
        ("c", True),
        ("c", False),
        ("b", False),
        ("d", True),
        ("d", False),
        ("a", False),
    ]


def test_elements_may_nest_deeper_than_functions(read):
    root, faults = read("<a>" * 50_000 + "</a>" * 50_000)
    assert not faults
    assert sum(opening for _, opening in root.walk()) == 50_000


@pytest.mark.parametrize(
    "content",
    [
        pytest.param('<a n="é">é</a>'.encode(), id="UTF-8"),
        pytest.param(BYTE_ORDER_MARK + '<a n="é">é</a>'.encode(), id="byte-order mark"),
        pytest.param(
            '<?xml version="1.0" encoding="ISO-8859-1"?><a n="é">é</a>'.encode(
                "latin-1"
            ),
            id="declared encoding",
        ),
        pytest.param(
            b'<!DOCTYPE a SYSTEM "a.dtd"><a n="&#233;">&#233;</a>', id="DOCTYPE"
        ),
        pytest.param('<a n="é"\r\n><!-- no -->é</a>\r\n'.encode(), id="comment, CRLF"),
        pytest.param('<a n="é"><![CDATA[é]]></a>'.encode(), id="CDATA"),
    ],
)
def test_ways_of_writing_do_not_matter(read, content):
    root, faults = read(content)
    assert not faults
    assert (root.get("n"), root.text) == ("é", "é")


BOMB = """<!DOCTYPE a [
<!ENTITY b "bbbbbbbbbb">
<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">
]>
<a>&c;</a>"""
BROKEN = {
    "empty": ("", 1, "not XML: no element found"),
    "cut off": ("<a>\n<b>", 2, "not XML: no element found"),
    "not closed": ("<a>\n<b></a>", 2, "not XML: mismatched tag"),
    "two roots": ("<a/>\n<a/>", 2, "not XML: junk after document element"),
    "no XML": ("a", 1, "not XML: syntax error"),
    "null": ("<a>\0</a>", 1, "not XML: not well-formed (invalid token)"),
    "not UTF-8": (b"<a>\n\xff</a>", 2, "the line has bytes that are not UTF-8"),
    "other root": ("\n<b/>", 2, "found the element 'b', expected 'a'"),
    "bomb": (BOMB, 2, "declares the entity 'b', which is not read"),
    "fetched": (
        '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/hostname">]>\n<a>&b;</a>',
        1,
        "declares the entity 'b', which is not read",
    ),
    "parameter": (
        '<!DOCTYPE a [<!ENTITY % b SYSTEM "b">%b;]><a/>',
        1,
        "declares the entity 'b', which is not read",
    ),
    "not declared": ("<a>&b;</a>", 1, "not XML: undefined entity"),
    "not in reach": (
        '<!DOCTYPE a SYSTEM "a.dtd">\n<a>&nbsp;</a>',
        2,
        "has the entity '&nbsp;', which is unknown",
    ),
    "unknown encoding": ("<?xml version='1.0' encoding='x-none'?><a/>", 1, "unknown"),
    "many bytes": ("<?xml version='1.0' encoding='gb2312'?><a/>", 1, "cannot be read"),
}


@pytest.mark.parametrize(("content", "line", "message"), BROKEN.values(), ids=BROKEN)
def test_broken_file_is_one_error(read, content, line, message):
    root, faults = read(content)
    assert root is None
    ((found_line, found, severity),) = faults
    assert (found_line, severity) == (line, "error")
    assert message in found


def test_values_that_a_dtd_would_add_are_not_added(read):
    root, _ = read('<!DOCTYPE a [<!ATTLIST a n CDATA "long">]><a/>')
    assert root.attributes == {}


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_reported(tmp_path_factory, content):
    path = written(tmp_path_factory.mktemp("xml") / "file", b"<a>" + content)
    faults = []
    with ByteFile(path) as file:
        root = read_xml(file, Faults(file, faults), root="a")
        head_attribute(file, "a", "n")
    assert (root is None) == (len(faults) == 1)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ('<a><b n=" 7 "/><b n="8"/></a>', "7"),
        ('<a><b n="7"/><', "7"),
        ("<a><b/></a>", ""),
        ("<a/>", ""),
        ("", ""),
        ('<<b n="7"/>', ""),
    ],
)
def test_head_attribute_is_of_the_first_element(tmp_path, content, expected):
    with ByteFile(written(tmp_path / "file", content)) as file:
        assert head_attribute(file, "b", "n") == expected


texts = st.text("aB1_x0041.-: <&>\"'\t\n\ré漢\U0001f600", max_size=12)


@given(texts)
def test_escaped_text_reads_back(tmp_path_factory, text):
    content = f'<a n="{escaped(text)}">{escaped(text)}</a>'
    path = written(tmp_path_factory.mktemp("xml") / "file", content)
    with ByteFile(path) as file:
        root = read_xml(file, Faults(file), root="a")
    assert (root.get("n"), root.text) == (text, text)


@given(st.dictionaries(texts.filter(bool), texts, max_size=3))
def test_names_of_any_text_read_back(tmp_path_factory, values):
    content = f"<a{attributes(values, taken=('a', 'B'))}/>"
    path = written(tmp_path_factory.mktemp("xml") / "file", content)
    with ByteFile(path) as file:
        root = read_xml(file, Faults(file), root="a")
    assert {from_name(name): one for name, one in root.attributes.items()} == values
    assert not {"a", "B"} & set(root.attributes)


def test_numbers_of_no_character_stay_in_names():
    assert from_name("_xD800_ _x110000_ _xFFFFFF_") == "_xD800_ _x110000_ _xFFFFFF_"
    assert as_name("") == "_"


def test_illegal_characters_are_written_as_numbers(read):
    root, faults = read(f'<a n="{escaped(chr(7))}">{escaped(chr(0xD800))}</a>')
    assert not faults
    assert (root.get("n"), root.text) == ("_x0007_", "_xD800_")
