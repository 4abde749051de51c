"""XML elements: parsing with line numbers, errors, and escaping."""

from __future__ import annotations

import pytest
from files import BYTE_ORDER_MARK, written
from hypothesis import given
from hypothesis import strategies as st

from corefkit.formats.files import ByteFile
from corefkit.formats.problems import Faults
from corefkit.formats.xml_elements import (
    decode_name,
    encode_name,
    escape_xml,
    format_attributes,
    read_head_attribute,
    read_xml,
)


@pytest.fixture
def read(tmp_path):
    """Read XML whose root is `a`; gives the root and what is wrong."""

    def reading(content):
        faults = []
        with ByteFile(written(tmp_path / "file.xml", content)) as file:
            root = read_xml(file, Faults(file, faults), root="a")
        return root, [(fault.line, fault.code, fault.severity) for fault in faults]

    return reading


def test_elements_have_names_attributes_lines_and_text(read):
    root, faults = read('<a>\n<b n="1">x<c/>y</b>\n\n<b/>\n</a>')
    first, second = root.find_all("b")
    assert not faults
    assert (root.line, first.line, second.line) == (1, 2, 4)
    assert (first.text, first.attributes, first.get("m")) == ("xy", {"n": "1"}, "")
    assert [child.name for child in first.children] == ["c"]
    assert root.find("d") is None


def test_walk_opens_and_closes_in_order(read):
    root, _ = read("<a><b><c/></b><d/></a>")
    tags = [f"{'' if is_start else '/'}{one.name}" for one, is_start in root.walk()]
    assert tags == ["a", "b", "c", "/c", "/b", "d", "/d", "/a"]


def test_elements_can_be_nested_deeply(read):
    root, faults = read("<a>" * 50_000 + "</a>" * 50_000)
    assert not faults
    assert sum(is_start for _, is_start in root.walk()) == 50_000


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
def test_equivalent_files_are_read_the_same_way(read, content):
    root, faults = read(content)
    assert not faults
    assert (root.get("n"), root.text) == ("é", "é")


BOMB = """<!DOCTYPE a [
<!ENTITY b "bbbbbbbbbb">
<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">
]>
<a>&c;</a>"""
FETCHED = '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/hostname">]>\n<a>&b;</a>'
BROKEN = {
    "empty": ("", 1, "invalid-xml"),
    "incomplete": ("<a>\n<b>", 2, "invalid-xml"),
    "not closed": ("<a>\n<b></a>", 2, "invalid-xml"),
    "two roots": ("<a/>\n<a/>", 2, "invalid-xml"),
    "not XML": ("a", 1, "invalid-xml"),
    "null": ("<a>\0</a>", 1, "invalid-xml"),
    "not UTF-8": (b"<a>\n\xff</a>", 2, "not-utf8"),
    "other root": ("\n<b/>", 2, "invalid-xml"),
    "billion laughs": (BOMB, 2, "invalid-xml"),
    "external entity": (FETCHED, 1, "invalid-xml"),
    "parameter": ('<!DOCTYPE a [<!ENTITY % b SYSTEM "b">%b;]><a/>', 1, "invalid-xml"),
    "not declared": ("<a>&b;</a>", 1, "invalid-xml"),
    "in the DTD": ('<!DOCTYPE a SYSTEM "a.dtd">\n<a>&nbsp;</a>', 2, "invalid-xml"),
    "encoding": ("<?xml version='1.0' encoding='x-none'?><a/>", 1, "not-utf8"),
    "multi-byte": ("<?xml version='1.0' encoding='gb2312'?><a/>", 1, "not-utf8"),
}


@pytest.mark.parametrize(("content", "line", "code"), BROKEN.values(), ids=BROKEN)
def test_error_is_reported(read, content, line, code):
    root, faults = read(content)
    assert root is None
    assert faults == [(line, f"format/{code}", "error")]


def test_default_values_of_a_dtd_are_ignored(read):
    root, _ = read('<!DOCTYPE a [<!ATTLIST a n CDATA "long">]><a/>')
    assert root.attributes == {}


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_reported(tmp_path_factory, content):
    path = written(tmp_path_factory.mktemp("xml") / "file", b"<a>" + content)
    faults = []
    with ByteFile(path) as file:
        root = read_xml(file, Faults(file, faults), root="a")
        read_head_attribute(file, "a", "n")
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
def test_head_attribute_is_that_of_the_first_element(tmp_path, content, expected):
    with ByteFile(written(tmp_path / "file", content)) as file:
        assert read_head_attribute(file, "b", "n") == expected


texts = st.text("aB1_x0041.-: <&>\"'\t\n\ré漢\U0001f600", max_size=12)


@given(texts)
def test_escaped_text_is_read_back(tmp_path_factory, text):
    content = f'<a n="{escape_xml(text)}">{escape_xml(text)}</a>'
    path = written(tmp_path_factory.mktemp("xml") / "file", content)
    with ByteFile(path) as file:
        root = read_xml(file, Faults(file), root="a")
    assert (root.get("n"), root.text) == (text, text)


@given(st.dictionaries(texts.filter(bool), texts, max_size=3))
def test_names_of_any_text_are_read_back(tmp_path_factory, values):
    content = f"<a{format_attributes(values, reserved=('a', 'B'))}/>"
    path = written(tmp_path_factory.mktemp("xml") / "file", content)
    with ByteFile(path) as file:
        root = read_xml(file, Faults(file), root="a")
    assert {decode_name(name): one for name, one in root.attributes.items()} == values
    assert not {"a", "B"} & set(root.attributes)


def test_invalid_numbers_in_names_are_kept():
    assert decode_name("_xD800_ _x110000_ _xFFFFFF_") == "_xD800_ _x110000_ _xFFFFFF_"
    assert encode_name("") == "_"


def test_illegal_characters_are_written_as_numbers(read):
    root, faults = read(f'<a n="{escape_xml(chr(7))}">{escape_xml(chr(0xD800))}</a>')
    assert not faults
    assert (root.get("n"), root.text) == ("_x0007_", "_xD800_")
