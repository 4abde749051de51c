"""Columns of CoNLL-2012 without the kernel equal its documents."""

from __future__ import annotations

import dataclasses
import tempfile
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from files import BYTE_ORDER_MARK, compute_text_hash, conll, corpus, drawn_files
from hypothesis import given
from hypothesis import strategies as st

from corefkit import FormatError
from corefkit.formats import open_source
from corefkit.formats.files import VARIABLE


@pytest.fixture(autouse=True, scope="module")
def no_kernel():
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, "off")
        yield


@contextmanager
def opened(content):
    """Open some text or bytes as a source."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "file.conll")
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        source = open_source(path)
        try:
            yield source
        finally:
            source.close()


def partitions(columns):
    """Give the entities of each document of a block."""
    found = [[] for _ in range(columns.documents)]
    for entity, document in enumerate(columns.entity_document.tolist()):
        found[document].append([tuple(span) for span in columns.members(entity)])
    return found


def as_lists(columns):
    names = [field.name for field in dataclasses.fields(columns)]
    return {
        name: value.tolist()
        for name in names
        if isinstance(value := getattr(columns, name), np.ndarray)
    }


def all_columns(source):
    return source.read_columns(range(len(source.ids)))


@given(drawn_files())
def test_columns_equal_the_written_mentions(file):
    with opened(file.content) as source:
        columns = all_columns(source)
        assert source.ids == [document.id for document in file.documents]
    assert partitions(columns) == [document.partition for document in file.documents]
    assert columns.token_count.tolist() == [
        len(document.words) for document in file.documents
    ]
    assert columns.text_hash.tolist() == [
        0 if None in document.words else compute_text_hash(document.words)
        for document in file.documents
    ]


@given(drawn_files())
def test_columns_equal_the_plain_reader(file):
    with opened(file.content) as source:
        columns = all_columns(source)
        documents = [source.read_document(number) for number in range(len(source.ids))]
        words = [list(source.iter_words(number)) for number in range(len(source.ids))]
    assert partitions(columns) == [
        [[tuple(mention) for mention in entity] for entity in document]
        for document in documents
    ]
    assert columns.token_count.tolist() == [len(one) for one in words]
    # A fingerprint covers all words of a document, or is none.
    assert columns.text_hash.tolist() == [
        compute_text_hash(document.tokens) for document in documents
    ]


@given(drawn_files(), st.randoms())
def test_columns_are_read_in_the_requested_order(file, random):
    with opened(file.content) as source:
        numbers = random.sample(
            range(len(source.ids)), random.randint(1, len(source.ids))
        )
        columns = source.read_columns(numbers)
    wanted = [file.documents[number] for number in numbers]
    assert partitions(columns) == [document.partition for document in wanted]


def test_documents_that_share_a_block_do_not_share_entities():
    with opened(corpus({f"d{n}": "(1) (2) (1)" for n in range(300)})) as source:
        columns = all_columns(source)
    assert partitions(columns) == [[[(0, 0), (2, 2)], [(1, 1)]]] * 300


def test_empty_request_returns_no_mentions():
    with opened(conll("(1)")) as source:
        assert len(source.read_columns([]).entity) == 0


PLAIN = conll("(1 1)|(2) / (2 - 2)", words="abcde")


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(PLAIN.replace("\n", "\r\n"), id="CRLF"),
        pytest.param(PLAIN.replace("\n", " \n"), id="trailing blanks"),
        pytest.param(PLAIN.replace("\nd", "\n  d"), id="leading blanks"),
        pytest.param(PLAIN.replace("\t", "  "), id="blanks between columns"),
        pytest.param(PLAIN.replace("\n\n", "\n \t\n# comment (3\n"), id="a comment"),
        pytest.param(
            PLAIN.replace("\n\n", "\n  # comment (3\n"), id="a comment, moved in"
        ),
        pytest.param(BYTE_ORDER_MARK + PLAIN.encode(), id="byte-order mark"),
        pytest.param(PLAIN.removesuffix("\n"), id="no final newline"),
        pytest.param(PLAIN.replace("\t-", "\t_"), id="underscore"),
        pytest.param(PLAIN.replace("\t-", "\t*"), id="star"),
        pytest.param(PLAIN.replace("|", ""), id="no bars"),
        pytest.param(PLAIN.replace("1)|(2)", "|1)||(2)|"), id="bars too many"),
        pytest.param(PLAIN.replace("#begin", "# begin"), id="a blank in the header"),
        pytest.param(PLAIN.replace("\n", "\n\n\n"), id="blank lines"),
        pytest.param(PLAIN.replace("d\t0", "a/b/c/d\t11"), id="other first columns"),
        pytest.param(PLAIN.replace("\t(", "\tx\ty\tz\t("), id="more columns"),
    ],
)
def test_ways_of_writing_do_not_matter(content):
    with opened(PLAIN) as source:
        plain = as_lists(all_columns(source))
    with opened(content) as source:
        assert as_lists(all_columns(source)) == plain
        assert source.read_document(0).tokens == tuple("abcde")


@pytest.mark.parametrize("letter", ["a", "é", "漢", "😀"])
@pytest.mark.parametrize("length", [1, 7, 8, 9, 15, 16, 17, 40])
def test_words_of_any_length_are_compared_completely(letter, length):
    long = letter * length
    prints = []
    for words in ([long, "x"], [long, "x"], [long[:-1] + "y", "x"], ["x", long]):
        with opened(conll("- -", words=words)) as source:
            prints.append(int(all_columns(source).text_hash[0]))
    assert prints[0] == prints[1] == compute_text_hash([long, "x"])
    assert len(set(prints)) == 3


def test_words_are_unknown_if_a_line_lacks_them():
    text = "#begin document (d);\nd 0 0 Ann (1)\nleft -\n#end document\n"
    with opened(text) as source:
        assert all_columns(source).text_hash.tolist() == [0]
        assert source.read_document(0).sentences == ()
        assert [word.text for word in source.iter_words(0)] == ["Ann", ""]


@pytest.mark.parametrize("code", [0, 1, 9, 11, 12, 28, 31, 32, 127])
@pytest.mark.parametrize(
    "place", ["a line", "in a word", "behind a cell", "before a line"]
)
def test_readers_agree_on_control_characters(code, place):
    text = conll("(1) -", words=["ab", "c"]).encode()
    old, new = {
        "a line": (b"#end", b"%c\n#end"),
        "in a word": (b"ab", b"a%cb"),
        "behind a cell": (b"(1)", b"(1)%c"),
        "before a line": (b"d\t0\t1", b"%cd\t0\t1"),
    }[place]
    with opened(text.replace(old, new % code)) as source:
        results = []
        for read in (all_columns, lambda source: source.read_document(0)):
            try:
                results.append(read(source))
            except FormatError:
                results.append(None)
        words = list(source.iter_words(0))
    columns, document = results
    assert (columns is None) == (document is None)
    if document is not None:
        assert columns.text_hash.tolist() == [compute_text_hash(document.tokens)]
        assert columns.token_count.tolist() == [len(words)]
