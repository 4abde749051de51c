"""CoNLL-2012 read at once by the kernel: the same as by numpy, or left to it."""

from __future__ import annotations

import gzip
import os
import re
from threading import Thread
from unittest import mock

import pytest
from files import BYTE_ORDER_MARK, conll, corpus, drawn_files, written
from hypothesis import given
from hypothesis import strategies as st
from shared_files import DATA

import corefkit
from corefkit import FormatError
from corefkit.formats import open_source
from corefkit.formats.files import ByteFile
from corefkit.kernel import VARIABLE, kernel

compiled = kernel()
pytestmark = pytest.mark.skipif(compiled is None, reason="there is no kernel, or off")

TWO = corpus({"a": "(1 - (2) / 1) -", "b": "(0|(00 0)|00) (7 - 7)"})
WORDS = ["w" * size for size in range(1, 40)]
PLAIN = {
    "usual": TWO,
    "carriage returns": TWO.replace("\n", "\r\n"),
    "blanks between columns": TWO.replace("\t", "   "),
    "blanks around lines": TWO.replace("\nd", "\n \td").replace(")\n", ") \t\n"),
    "other control characters": TWO.replace("\t", "\x01"),
    "no line end at the end": TWO.rstrip(),
    "comments": TWO.replace("\n", "\n# (3\n  #x\n"),
    "lines between documents": "\n\r\n \x0b\t\n#x\n" + TWO + "# y",
    "blank in front of the mark": TWO.replace("#begin", "# \tbegin"),
    "blanks behind the name": TWO.replace("part 000", "part 000 \t"),
    "no name": "#begin document \n#end document",
    "other names": TWO.replace("(a)", "漢 # (b").replace("(b)", "\udcff"),
    "the same name": corpus({"a": "(1)"}) * 3,
    "no document": "# only a comment\n",
    "nothing": "",
    "no token": "#begin document (a)\n\n#end document\n",
    "no mention": conll("- - -"),
    "no brackets but bars": conll("| || -"),
    "bars around": conll("|(1)||(3| |(2||3)||2)|"),
    "no bars": conll("(1(2)(3 1)3)"),
    "repeated and crossing": conll("(1|(2|(1 1)|(1)|(1) 2)|1)"),
    "seventeen digits": conll(f"({'9' * 17}) ({'0' * 17})"),
    "long words": conll(" ".join("-" * len(WORDS)), words=WORDS),
    "four columns": re.sub(r"\tw[0-9]", "", TWO),
    "more blanks in some lines": TWO.replace("\t0\t1", "\t0\t\t1"),
    "one column": "#begin document (a)\n(1\n-\n1)\n*\n_\n#end document\n",
    "third column is no number": TWO.replace("\t0\t", "\tx\t"),
    "ragged": conll("- (1) -").replace("d\t0\t1\tw1\t", "d\t").replace("\t2\t", " "),
    "other heads": "".join(
        f"#begin document (d)\n{'x' * size}\t0\t0\tw\t(1)\nx 0 1 w -\n#end document\n"
        for size in (1, 7, 8, 9, 250, 254, 255, 256, 257, 300)
    ),
    "many entities": conll(" ".join(f"({n * 7919 % 3001})" for n in range(3001))),
    "open brackets": conll(" ".join(["(1"] * 200 + ["1)"] * 200)),
}
ODD = {
    "eighteen digits": conll(f"({'9' * 18})"),
    "a bracket left open": conll("(1 -"),
    "a bracket never opened": conll("1) -"),
    "another bracket closed": conll("(1 2)"),
    "no digits": conll("() -"),
    "digits alone": conll("1 -"),
    "letters": conll("(a) -"),
    "a word for a cell": conll("x -"),
    "two dashes": conll("-- -"),
    "a token outside": "d\n" + TWO,
    "a control character outside": "\x01\n" + TWO,
    "a token behind": TWO + "d",
    "a document in a document": TWO.replace("#end document\n", "", 1),
    "an end too many": "#end document\n" + TWO,
    "no end": TWO.removesuffix("#end document\n"),
}
# What the reference scorer reads otherwise, and what is the same to it.
REFERENCE_PLAIN = [
    *("usual", "carriage returns", "blanks between columns", "no line end at the end"),
    *("lines between documents", "blanks behind the name", "the same name"),
    *("no document", "no token", "no mention", "bars around", "seventeen digits"),
    *("repeated and crossing", "many entities", "one column"),
]
REFERENCE_ODD = {
    "comments": PLAIN["comments"],
    "no bars": PLAIN["no bars"],
    "blanks around lines": PLAIN["blanks around lines"],
    "brackets in words": conll("(1) -", words=["(2)", "x"]),
    "half a bracket in a word": conll("(1) -", words=["3)", "x"]),
    "an end in a line": conll("(1) -", words=["#end document", "x"]),
    "a comment that ends": TWO.replace("#end", " #end", 1),
    "no end": ODD["no end"],
    "very many brackets": conll("|".join(f"({n})" for n in range(80))),
}


def encoded(text: str | bytes) -> bytes:
    return text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape")


def filling(content: bytes, step: int):
    """Make a function that copies a text into memory, some bytes a call."""
    place = 0

    def fill(room):
        nonlocal place
        part = content[place : place + min(step, len(room))]
        room[: len(part)] = part
        place += len(part)
        return len(part)

    return fill


def taken(text, *, reference=False, room=1 << 18, step=1 << 18):
    """Read a text by the kernel alone."""
    return compiled.read_conll(filling(encoded(text), step), 0, reference, room)


def outcome(path, *, reference):
    """Give all that sources tell of documents, or what is wrong."""
    try:
        source = open_source(path, format="conll", reference=reference)
    except FormatError as error:
        return str(error)
    try:
        numbers = range(len(source.ids))
        orders = [numbers, [*numbers[::-2], *numbers[1::2]], numbers[1:]]
        return (
            list(source.ids),
            list(source.sizes),
            [source.format_place(number) for number in numbers],
            [list(source.iter_words(number)) for number in numbers],
            [source.read_text(number) for number in numbers],
            [as_lists(source.read_columns(order)) for order in orders],
        )
    except FormatError as error:
        return str(error)
    finally:
        source.close()


def as_lists(columns):
    spans = columns.entity, columns.start, columns.end, columns.entity_document
    arrays = [*spans, columns.token_count, columns.text_hash]
    return [(str(array.dtype), array.tolist()) for array in arrays]


def assert_read_alike(path, *, reference=False):
    found = outcome(path, reference=reference)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, "off")
        assert found == outcome(path, reference=reference)


@pytest.mark.parametrize("name", PLAIN)
def test_plain_files_are_read_by_the_kernel_and_alike(tmp_path, name):
    assert taken(PLAIN[name]) is not None
    assert_read_alike(written(tmp_path / "a.conll", encoded(PLAIN[name])))


@pytest.mark.parametrize("name", ODD)
def test_odd_files_are_left_to_numpy(tmp_path, name):
    assert taken(ODD[name]) is None
    assert_read_alike(written(tmp_path / "a.conll", encoded(ODD[name])))


@pytest.mark.parametrize("name", REFERENCE_PLAIN)
def test_what_is_plain_to_the_reference_scorer_too(tmp_path, name):
    assert taken(PLAIN[name], reference=True) is not None
    path = written(tmp_path / "a.conll", encoded(PLAIN[name]))
    assert_read_alike(path, reference=True)


@pytest.mark.parametrize("name", REFERENCE_ODD)
def test_what_the_reference_scorer_reads_otherwise_is_left(tmp_path, name):
    assert taken(REFERENCE_ODD[name], reference=True) is None
    path = written(tmp_path / "a.conll", encoded(REFERENCE_ODD[name]))
    assert_read_alike(path, reference=True)


def test_the_reference_scorer_takes_brackets_of_a_cell_by_their_kind(tmp_path):
    text = conll("(5 5)|(5|(4)|(3 3)|5)", words="abc")
    assert taken(text, reference=True) is not None
    path = written(tmp_path / "a.conll", text)
    assert_read_alike(path, reference=True)
    assert_read_alike(path)


@given(drawn_files(), st.booleans())
def test_drawn_files_are_read_alike(tmp_path_factory, file, reference):
    path = tmp_path_factory.mktemp("drawn") / "a.conll"
    path.write_bytes(file.content)
    assert_read_alike(path, reference=reference)


PIECES = st.sampled_from(
    [
        *("#begin document ", "#end document", "(a); part 000", "d\t0\t0\tw\t-\n"),
        *("(1", "1)", "(1)", "|", "-", "\n", "\n", "\n", "\t", " ", "\r", "\x00", "#"),
        *("0", "(", "é"),
    ]
)


@given(st.lists(PIECES, max_size=40).map("".join), st.booleans())
def test_anything_is_read_alike(tmp_path_factory, text, reference):
    path = tmp_path_factory.mktemp("any") / "a.conll"
    path.write_bytes(encoded("#begin document (x)\n" + text))
    assert_read_alike(path, reference=reference)


@pytest.mark.parametrize("step", [1, 3, 1 << 18])
def test_blocks_of_any_size_give_the_same_or_nothing(step):
    text = TWO + PLAIN["comments"] + PLAIN["carriage returns"].rstrip()
    longest = max(map(len, text.split("\n")))
    wanted = taken(text)
    for room in range(1, 200):
        found = taken(text, room=room, step=step)
        assert found == (wanted if room > longest else None)


def test_offsets_count_from_where_the_text_begins(tmp_path):
    marked = BYTE_ORDER_MARK + encoded(TWO)
    path = written(tmp_path / "a.conll", marked)
    with open_source(path).file as file:
        fill, room = file.stream()
        found = compiled.read_conll(fill, file.text_start, False, room)
    assert found != taken(TWO)
    assert_read_alike(path)


@pytest.mark.parametrize("reference", [False, True])
def test_packed_files_are_read_alike(tmp_path, reference):
    path = tmp_path / "a.conll.gz"
    path.write_bytes(gzip.compress(encoded(TWO)))
    assert_read_alike(path, reference=reference)


def test_pipes_are_read_once(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = Thread(target=pipe.write_text, args=(TWO,))
    writer.start()
    key = written(tmp_path / "a.conll", TWO)
    assert corefkit.score(key, pipe)["b_cubed"].f1 == 1
    writer.join()


def test_files_are_read_once(tmp_path):
    text = TWO * 12_000  # names come again, which is told later
    path = written(tmp_path / "a.conll", text)
    assert len(text) > 2_000_000
    with (
        mock.patch.object(
            ByteFile, "_read", autospec=True, side_effect=ByteFile._read
        ) as read,
        mock.patch.object(
            ByteFile, "_read_into", autospec=True, side_effect=ByteFile._read_into
        ) as copied,
    ):
        source = open_source(path)
        source.read_columns(range(len(source.ids)))
        source.close()
    assert len(read.call_args_list) == 1  # the first bytes tell the format
    offsets = [call.args[1] for call in copied.call_args_list]
    assert offsets == sorted(set(offsets))
    assert offsets[-1] == len(text)


def test_what_readinto_raises_is_raised():
    def broken(_):
        raise OSError(5, "gone")

    with pytest.raises(OSError, match="gone"):
        compiled.read_conll(broken, 0, False, 100)


@pytest.mark.parametrize(
    ("answer", "error"), [(101, ValueError), (-1, ValueError), (None, TypeError)]
)
def test_what_readinto_returns_is_checked(answer, error):
    with pytest.raises(error):
        compiled.read_conll(lambda _: answer, 0, False, 100)


@pytest.mark.parametrize("room", [0, -1, 1 << 40])
def test_a_block_has_room(room):
    with pytest.raises(ValueError, match="from one byte to a gigabyte"):
        taken("", room=room)


@pytest.mark.slow
@pytest.mark.skipif(not DATA.exists(), reason="needs ../shared/data")
def test_all_samples_are_read_alike():
    paths = sorted(DATA.rglob("*conll*"))
    read = [path for path in paths if path.is_file() and path.suffix != ".conllu"]
    assert read
    for path in read:
        for reference in (False, True):
            assert_read_alike(path, reference=reference)
