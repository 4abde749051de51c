"""CoNLL-2012 read by the kernel, compared with the reader in Python."""

from __future__ import annotations

import gzip
import os
import re
from threading import Thread
from unittest import mock

import pytest
from files import BYTE_ORDER_MARK, conll, corpus, drawn_files, written
from formats.kernel_comparison import assert_read_alike, list_skipped, make_readinto
from hypothesis import given
from hypothesis import strategies as st
from shared_files import DATA

import corefkit
from corefkit.formats import open_source
from corefkit.formats.files import ByteFile, load_kernel
from corefkit.formats.source import CONLL, REFERENCE

compiled = load_kernel()
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
    "tokens beyond 16 bits": conll("(2) " + "- " * 65_535 + "(1) (3 3)") + TWO,
}
# Documents that the kernel leaves to Python.
SKIPPED = {
    "eighteen digits": "(999999999999999999)",
    "a bracket left open": "(1 -",
    "a bracket never opened": "1) -",
    "another bracket closed": "(1 2)",
    "no digits": "() -",
    "digits alone": "1 -",
    "letters": "(a) -",
    "a word for a cell": "x -",
    "two dashes": "-- -",
}
# Files whose documents it cannot tell apart.
ODD = {
    "a token outside": "d\n" + TWO,
    "a control character outside": "\x01\n" + TWO,
    "a token after the last document": TWO + "d",
    "a document in a document": TWO.replace("#end document\n", "", 1),
    "an end too many": "#end document\n" + TWO,
    "no end": TWO.removesuffix("#end document\n"),
}
# Files that the reference scorer reads in the same way.
REFERENCE_PLAIN = [
    *("usual", "carriage returns", "blanks between columns", "no line end at the end"),
    *("lines between documents", "blanks behind the name", "the same name"),
    *("no token", "no mention", "bars around", "seventeen digits"),
    *("repeated and crossing", "many entities", "one column"),
]
REFERENCE_SKIPPED = {
    "comment": TWO.replace("\n", "\n# (3\n", 1),
    "no bars": conll("(1(2)(3 1)3)"),
    "blanks after a line": TWO.replace(")\n", ") \n", 1),
    "brackets in words": conll("(1) -", words=["(2)", "x"]).replace("\t", " "),
    "half a bracket": conll("(1) -", words=["3)", "x"]).replace("\t", " "),
    "very many brackets": conll("|".join(f"({n})" for n in range(80))),
}
REFERENCE_ODD = {
    "an end in a line": conll("(1) -", words=["#end document", "x"]),
    "a comment that ends": TWO.replace("#end", " #end", 1),
    "an end in a comment": TWO.replace("\n", "\n# #end document\n", 1),
    "no end": ODD["no end"],
}


def encoded(text: str | bytes) -> bytes:
    return text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape")


def read(text, *, dialect=CONLL, room=1 << 18, step=1 << 18):
    """Read a text by the kernel alone."""
    return compiled.read_conll(make_readinto(encoded(text), step), 0, dialect, room)


def check(folder, text, *, skipped=(), reference=False):
    path = written(folder / "a.conll", encoded(text))
    expected = None if skipped is None else list(skipped)
    assert list_skipped(path, "conll", reference=reference) == expected
    assert_read_alike(path, "conll", reference=reference)


@pytest.mark.parametrize("name", PLAIN)
def test_plain_files_are_read_by_the_kernel(tmp_path, name):
    check(tmp_path, PLAIN[name])


@pytest.mark.parametrize("text", ["", "# only a comment\n"])
@pytest.mark.parametrize("reference", [False, True])
def test_files_without_documents_are_plain(tmp_path, text, reference):
    assert read(text, dialect=REFERENCE if reference else CONLL)[0] == b""
    path = written(tmp_path / "a.conll", text)
    assert_read_alike(path, "conll", reference=reference)


@pytest.mark.parametrize("cells", SKIPPED.values(), ids=SKIPPED)
def test_single_documents_are_left_to_python(tmp_path, cells):
    check(tmp_path, TWO + conll(cells) + TWO, skipped=[2])


@pytest.mark.parametrize("name", ODD)
def test_odd_files_are_left_to_python(tmp_path, name):
    assert read(ODD[name]) is None
    assert_read_alike(written(tmp_path / "a.conll", encoded(ODD[name])), "conll")


@pytest.mark.parametrize("name", REFERENCE_PLAIN)
def test_files_that_the_reference_scorer_reads_alike_are_plain(tmp_path, name):
    check(tmp_path, PLAIN[name], reference=True)


@pytest.mark.parametrize("name", REFERENCE_SKIPPED)
def test_documents_that_the_reference_scorer_reads_otherwise_are_left(tmp_path, name):
    text = TWO + REFERENCE_SKIPPED[name]
    check(tmp_path, text, skipped=[2], reference=True)


@pytest.mark.parametrize("name", REFERENCE_ODD)
def test_files_with_other_ends_for_the_reference_scorer_are_left(tmp_path, name):
    check(tmp_path, REFERENCE_ODD[name], skipped=None, reference=True)


@pytest.mark.parametrize("words", [["1)", "x"], ["(1", "2)"], ["(7)", "((8"]])
def test_brackets_before_the_last_tab_are_plain_to_the_reference_scorer(
    tmp_path, words
):
    check(tmp_path, conll("(1 1)", words=words), reference=True)


def test_the_reference_scorer_reads_brackets_of_a_cell_by_their_kind(tmp_path):
    text = conll("(5 5)|(5|(4)|(3 3)|5)", words="abc")
    check(tmp_path, text, reference=True)
    check(tmp_path, text)


@given(drawn_files(), st.booleans())
def test_drawn_files_are_read_alike(tmp_path_factory, file, reference):
    path = tmp_path_factory.mktemp("drawn") / "a.conll"
    path.write_bytes(file.content)
    assert_read_alike(path, "conll", reference=reference)


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
    assert_read_alike(path, "conll", reference=reference)


@pytest.mark.parametrize("step", [1, 3, 1 << 18])
def test_blocks_of_any_size_give_the_same(step):
    text = TWO + PLAIN["comments"] + PLAIN["carriage returns"].rstrip()
    expected = read(text)
    for room in range(1, 200):
        assert read(text, room=room, step=step) == expected


def test_offsets_include_the_byte_order_mark(tmp_path):
    marked = BYTE_ORDER_MARK + encoded(TWO)
    path = written(tmp_path / "a.conll", marked)
    with open_source(path).file as file:
        fill, room = file.stream()
        result = compiled.read_conll(fill, file.text_start, CONLL, room)
    assert result != read(TWO)
    assert_read_alike(path, "conll")


@pytest.mark.parametrize("reference", [False, True])
def test_compressed_files_are_read_alike(tmp_path, reference):
    path = tmp_path / "a.conll.gz"
    path.write_bytes(gzip.compress(encoded(TWO)))
    assert_read_alike(path, "conll", reference=reference)


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
        ) as read_calls,
        mock.patch.object(
            ByteFile, "read_at", autospec=True, side_effect=ByteFile.read_at
        ) as copied,
    ):
        source = open_source(path)
        source.read_columns(range(len(source.ids)))
        source.close()
    assert len(read_calls.call_args_list) == 1  # the first bytes tell the format
    offsets = [call.args[1] for call in copied.call_args_list]
    assert offsets == sorted(set(offsets))
    assert offsets[-1] == len(text)


def test_mentions_are_read_in_several_parts(tmp_path):
    document = conll(" ".join(f"({token % 7})" for token in range(22_000)))
    text = document * 3 + "# x" * 100_000 + "\n" + TWO
    assert len(read(text)[-1]) > 1
    check(tmp_path, text)


def test_exceptions_of_readinto_are_raised():
    def broken(_):
        raise OSError(5, "gone")

    with pytest.raises(OSError, match="gone"):
        compiled.read_conll(broken, 0, CONLL, 100)


@pytest.mark.parametrize(
    ("answer", "error"), [(101, ValueError), (-1, ValueError), (None, TypeError)]
)
def test_result_of_readinto_is_checked(answer, error):
    with pytest.raises(error):
        compiled.read_conll(lambda _: answer, 0, CONLL, 100)


@pytest.mark.parametrize("room", [0, -1, 1 << 40])
def test_block_size_is_validated(room):
    with pytest.raises(ValueError, match="from one byte to a gigabyte"):
        read("", room=room)


def test_unknown_dialect_is_an_error():
    with pytest.raises(ValueError, match="no such dialect"):
        read("", dialect=REFERENCE + 2)


@pytest.mark.slow
@pytest.mark.skipif(not DATA.exists(), reason="needs ../shared/data")
def test_all_samples_are_read_alike():
    paths = sorted(DATA.rglob("*conll*"))
    files = [path for path in paths if path.is_file() and path.suffix != ".conllu"]
    assert files
    for path in files:
        for reference in (False, True):
            assert_read_alike(path, "conll", reference=reference)
