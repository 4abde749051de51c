"""JSON lines read at once by the kernel: the same as by Python, or left to it."""

from __future__ import annotations

import json

import pytest
from formats.reading import DATA, needs_data
from formats.whole_files import (
    assert_read_alike,
    filled_from,
    left_documents,
    needs_kernel,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from corefkit.kernel import kernel


def line(**fields):
    """Write a document, with what is usual where nothing else is said."""
    usual = {
        "doc_key": "d",
        "sentences": [["Ann", "saw"], ["the", "mill"]],
        "clusters": [[[0, 0], [2, 3]], [[1, 1]]],
    }
    return json.dumps({**usual, **fields})


PLAIN = {
    "usual": line(),
    "other fields": line(speakers=[["", "x"]], n=[-1.5e7, True, None, {}, {"a": [0]}]),
    "no sentences": '{"clusters": [[[7, 9]]], "doc_key": "d"}',
    "null sentences": line(sentences=None),
    "no words": line(sentences=[[], []], clusters=[]),
    "empty entities": line(clusters=[[], [[0, 1]], []]),
    "both clusters": line(predicted_clusters=[[[3, 3], [3, 3]]]),
    "predicted first": '{"predicted_clusters": [[[1, 1]]], ' + line()[1:],
    "escapes": line(sentences=[["\u00e9", '"\\/', "\t \x00", "\U0001f600\ud800x"]]),
    "no escapes": json.dumps({"é": "\U0001f600"}, ensure_ascii=False)[:-1]
    + ", "
    + line()[1:],
    "long words": line(sentences=[["w" * size for size in range(40)]], clusters=[]),
    "escaped id": line(doc_key='"\n\u00e9'),
    "blanks": "  " + line().replace("[", " [\t").replace(":", " : ") + " \r",
    "blank lines": f"\n \t\n{line()}\n\n\x0b\n{line(doc_key='e')}",
    "long numbers": '{"x": ' + "1" * 900 + ", " + line()[1:],
}
LEFT = {
    "escaped key": line().replace('"clusters"', '"cl\\u0075sters"'),
    "repeated key": line()[:-1] + ', "clusters": []}',
    "not a number": line(x=float("nan")),
    "minus zero": line().replace("[[[0", "[[[-0"),
    "deep": line(x=json.loads("[" * 70 + "]" * 70)),
    "number of many digits": '{"x": ' + "1" * 2000 + ", " + line()[1:],
    "half a pair in UTF-8": line().replace("Ann", "\ud800"),
}
BROKEN = {
    "no JSON": "{",
    "cut off": line()[:-5],
    "two objects": line() + line(),
    "list": "[]",
    "no id": '{"clusters": []}',
    "id no string": line(doc_key=7),
    "no clusters": '{"doc_key": "d"}',
    "clusters no list": line(clusters={}),
    "entity no list": line(clusters=[7]),
    "span no list": line(clusters=[[7]]),
    "span of three": line(clusters=[[[0, 1, 2]]]),
    "span of fractions": line(clusters=[[[0, 1.0]]]),
    "end before start": line(clusters=[[[2, 1]]]),
    "beyond the words": line(clusters=[[[0, 4]]]),
    "beyond any text": line(sentences=None, clusters=[[[0, 1 << 40]]]),
    "sentences no list": line(sentences="abc"),
    "words no strings": line(sentences=[[7]]),
    "comma at the end": line()[:-1] + ",}",
    "zero in front": line().replace("[2, 3]", "[02, 3]"),
    "control character": line(doc_key="x").replace('"x"', '"\x01"'),
    "wrong escape": line(doc_key="x").replace('"x"', '"\\x"'),
    "wrong digits": line(doc_key="x").replace('"x"', '"\\u00g0"'),
    "not UTF-8": line(doc_key="x").replace('"x"', '"\udcff"'),
}


def put(folder, content):
    """Write a file; surrogates stand for bytes that are not UTF-8."""
    path = folder / "x.jsonl"
    way = "surrogatepass" if "\ud800" in content else "surrogateescape"
    path.write_bytes(content.encode("utf-8", way))
    return path


@needs_kernel
@pytest.mark.parametrize("content", PLAIN.values(), ids=PLAIN)
@pytest.mark.parametrize("response", [False, True])
def test_plain_lines_are_read_at_once(tmp_path, content, response):
    path = put(tmp_path, content)
    assert left_documents(path, "jsonl") == []
    assert_read_alike(path, "jsonl", response=response)
    content = f"\ufeff{line(doc_key='a')}\n{content}\r\n{line(doc_key='z')}"
    assert_read_alike(put(tmp_path, content), "jsonl", response=response)


@needs_kernel
@pytest.mark.parametrize("content", LEFT.values(), ids=LEFT)
def test_what_is_rare_is_left_to_python(tmp_path, content):
    path = put(tmp_path, f"{line()}\n{content}\n{line()}\n")
    assert left_documents(path, "jsonl") == [1]
    assert_read_alike(path, "jsonl")


@needs_kernel
@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
def test_what_is_wrong_is_told_in_the_same_words(tmp_path, content):
    path = put(tmp_path, f"{line()}\n{content}\n{line()}\n")
    assert_read_alike(path, "jsonl")
    assert_read_alike(path, "jsonl", response=True)


@needs_kernel
@pytest.mark.parametrize("room", [1, 7, 64, 1000])
def test_blocks_may_end_anywhere(room):
    content = "\n".join([*PLAIN.values(), *BROKEN.values()])
    data = content.encode("utf-8", "surrogateescape")
    wanted = kernel().read_jsonl(filled_from(data), 5, True, len(data) + 1)
    assert kernel().read_jsonl(filled_from(data), 5, True, room) == wanted


PUT_IN = st.sampled_from([*'{}[],:"\\0123456789-.eE nut', "\n", "\udcff", "é", "null"])
CHANGES = st.lists(
    st.tuples(st.floats(0, 1), PUT_IN, st.integers(0, 3)), min_size=1, max_size=3
)


@needs_kernel
@given(st.sampled_from([*PLAIN.values()]), CHANGES, st.booleans())
@settings(max_examples=300, deadline=None)
def test_changed_files_are_read_alike_or_refused_alike(
    tmp_path_factory, content, changes, response
):
    for where, inserted, cut in changes:
        place = int(where * len(content))
        content = content[:place] + inserted + content[place + cut :]
    path = put(tmp_path_factory.mktemp("x"), f"{line()}\n{content}\n")
    assert_read_alike(path, "jsonl", response=response)


@needs_kernel
@needs_data
def test_samples_are_plain_and_read_alike():
    for path in DATA.rglob("*.jsonlines"):
        assert left_documents(path, "jsonl") == []
        assert_read_alike(path, "jsonl")
