"""CoNLL-U read by the kernel, compared with the reader in Python."""

from __future__ import annotations

import pytest
from files import written
from formats.kernel_comparison import (
    assert_read_alike,
    list_skipped,
    make_readinto,
    needs_kernel,
)
from formats.reading import DATA, needs_data
from hypothesis import given, settings
from hypothesis import strategies as st

import corefkit
from corefkit import FormatError
from corefkit.formats import open_source
from corefkit.formats.conllu_entities import EntityParser
from corefkit.formats.files import load_kernel
from corefkit.formats.source import DocumentSource

FIELDS = "eid-etype-head-minspan-other"


def line(number, word, misc="_", head="0", deps="_"):
    """Write a token line."""
    return "\t".join((number, word, *"____", head, "dep", deps, misc)) + "\n"


def text(*lines, fields=FIELDS, name="d"):
    """Write a document of one sentence."""
    declared = f"# global.Entity = {fields}\n" if fields else ""
    return f"# newdoc id = {name}\n{declared}" + "".join(lines) + "\n"


USUAL = text(
    line("1", "Ann", "Entity=(e1-person-1-1)|SpaceAfter=No"),
    line("2", "saw", "_"),
    line("3", "the", "Bridge=e1<e2:part|Entity=(e2--2-1,2(e3-x-1-)"),
    line("4", "mill", "SpaceAfter=No|Entity=e2)"),
    line(
        "4.1", "_", "Entity=(e1-person-1-1)|SplitAnte=e2<e1,e3<e1", deps="2:nsubj|0:x"
    ),
    line("5-6", "del"),
    line("5", "de", "Entity=(e4--3-"),
    line("6", "él", "_"),
    line("7", "río", "Entity=e4)"),
)
PLAIN = {
    "usual": USUAL,
    "no words": text(),
    "nothing but empty nodes": text(line("0.1", "_", "Entity=(e1--1-)", deps="0:x")),
    "discontinuous": text(
        line("1", "a", "Entity=(e1[1/2]--2-2,1)(e2"),
        line("2", "b"),
        line("3", "c", "Entity=e2)(e1[2/2]"),
        line("4", "d", "Entity=e1[2/2])"),
    ),
    "parts that touch, in two mentions": text(
        line("1", "a", "Entity=(e1[1/3]--4-)(e1[1/3])"),
        line("2", "b", "Entity=(e1[2/3])(e1[2/3])"),
        line("3", "c", "Entity=(e1[3/3])"),
        line("4", "d"),
        line("5", "e", "Entity=(e1[3/3])"),
        fields="eid-etype-head",
    ).replace("--4-", "--2"),
    "head of a mention with a gap": text(
        line("1", "a", "Entity=(e1[1/2])", head="3"),
        line("2", "b", head="1"),
        line("3", "c", "Entity=(e1[2/2])", head="2"),
        fields="eid",
    ),
    "blank in a word": text(line("1", "10 000", "Entity=(e1--1-)")),
    "no word at all": text(line("1", "", "Entity=(e1--1-)")),
    "long word": text(*(line(str(n), "w" * 4 * n) for n in range(1, 9))),
    "other line ends": USUAL.replace("\n", "\r\n"),
    "no entity": text(
        line("1", "a", "Entity=(NOCOREF:x--1-)(NOCOREF:x--1-)(e1)(NOCOREF)")
    ),
    "old name of splits": text(
        line("1", "a", "Entity=(e1--1-)(e2--1-)(e3)|Split=e1<e3,e2<e3,e1<e3"),
        line("2", "b", "Split=e3<e2"),
    ),
    "id in another field": text(
        line("1", "a", "Entity=(person-e1-1)"), fields="etype-GRP-head"
    ),
    "tab in a comment": text("# a\tb\n", line("1", "a", "Entity=(e1--1-)")),
    "item in a comment": text("# a|Entity=x\n", line("1", "a", "Entity=(e1--1-)")),
    "unsorted minimum, no head": text(
        line("1", "a", "Entity=(e1-2,1"),
        line("2", "b", "Entity=e1)"),
        fields="eid-minspan",
    ),
    "declaration of the document before": text(line("1", "a", "Entity=(e1)"))
    + text(line("1", "a", "Entity=(e1--1)"), fields=None, name="e"),
    "declaration above the document": "# global.Entity = eid-head\n"
    + text(line("1", "a", "Entity=(e1-1)"), fields=None),
    "second declaration": text(line("1", "a", "Entity=(e1)"))
    + "# global.Entity = head-eid\n"
    + line("1", "a", "Entity=(1-e1)"),
    "escape in a value": text(line("1", "a", "Entity=(e1-a%2Db-1-)")),
    "words before the first document": line("1", "a") + "\n" + USUAL,
    "no document line": "# global.Entity = eid\n" + line("1", "a", "Entity=(e1)"),
    "documents without id": "# newdoc\n" + line("1", "a") + "\n#newdoc \n",
    "comments above": "# x\n\n# a\n# b\n# newdoc id = 1\n# c\n# newdoc id = 2\n\n",
    "two items": text(line("1", "a", "Entity=(e1--1-)|x|Entity=(e2--1-)")),
    "bridge of copies": text(
        line("1", "a", "Entity=(e0)(e2)(e1)(e2)|Bridge=e0<e2,e0<e1:x")
    ),
    "head on an empty node": text(
        line("1", "a", "Entity=(e1", head="1.1"),
        line("1.1", "_"),
        line("2", "b", "Entity=e1)", head="3"),
        line("3", "c"),
        fields="eid",
    ),
    "all hang on each other": text(
        line("1", "a", "Entity=(e1", head="2"),
        line("2", "b", "Entity=e1)", head="1"),
        fields="eid",
    ),
    "empty nodes in front": text(
        line("0.1", "_", "Entity=(e1", deps="1:x|2:y|9:z|0.2:w"),
        line("0.2", "_", deps=""),
        line("1", "a", "Entity=e1)"),
        line("2", "b"),
        fields="eid",
    ),
}
# Valid documents that the kernel leaves to Python.
LEFT = {
    "escape": text(line("1", "a", "Entity=(e%2D1--1-)")),
    "parts with zeros": text(
        line("1", "a", "Entity=(e1[1/02]"),
        line("2", "b", "Entity=e1[1/02])"),
        line("3", "c", "Entity=(e1[2/02])"),
    ),
    "square brackets": text(line("1", "a", "Entity=(e[x])")),
    "unknown antecedent": text(line("1", "a", "Entity=(e1)|SplitAnte=e7<e1")),
    "linked to itself": text(line("1", "a", "Entity=(e1)|Bridge=e1<e1")),
    "no link": text(line("1", "a", "Entity=(e1)|SplitAnte=")),
    "wrong empty node": text(line("1", "a"), line("1.2", "_")),
    "link to no entity": text(line("1", "a", "Entity=(NOCOREF)(e1)|Bridge=NOCOREF<e1")),
    "many heads to find": text(
        *(line(str(n), "w", f"Entity=(e{n}", head="500") for n in range(1, 500)),
        line("500", "w", "Entity=" + "".join(f"e{n})" for n in range(1, 500))),
        fields="eid",
    ),
}
# Documents with an error.
BROKEN = {
    "left open": text(line("1", "a", "Entity=(e1--1-")),
    "not opened": text(line("1", "a", "Entity=e1)")),
    "no bracket": text(line("1", "a", "Entity=e1")),
    "no id": text(line("1", "a", "Entity=()")),
    "no id before a part": text(line("1", "a", "Entity=([1/1])")),
    "head outside": text(line("1", "a", "Entity=(e1--2-)")),
    "minimum outside": text(line("1", "a", "Entity=(e1--1-3)")),
    "head no number": text(line("1", "a", "Entity=(e1--x-)")),
    "two heads": text(line("1", "a", "Entity=(e1--1,1-)")),
    "comma at the end": text(line("1", "a", "Entity=(e1--1-1,)")),
    "too many values": text(line("1", "a", "Entity=(e1--1-1-x-y)")),
    "declared without id": text(line("1", "a"), fields="etype-head"),
    "columns": text("1\ta\n"),
    "too many columns": text(line("1", "a", "_\t_")),
    "numbers": text(line("2", "a")),
    "part missing": text(line("1", "a", "Entity=(e1[1/2])")),
    "part without the one before": text(line("1", "a", "Entity=(e1[2/2])")),
    "bridge to no mention": text(
        line("1", "a", "Entity=(e1--1-)(e2--1-)"), line("2", "b", "Bridge=e1<e2")
    ),
    "not UTF-8": text(line("1", "\udcff")),
    "half a character": text(line("1", "\ud800")),
    "comment not UTF-8": text("# \udcc3\n", line("1", "a")),
}


def put(tmp_path, content, *, name="x"):
    """Write a file; surrogates stand for bytes that are not UTF-8."""
    path = tmp_path / name
    try:
        path.write_bytes(content.encode("utf-8", "surrogateescape"))
    except UnicodeEncodeError:
        path.write_bytes(content.encode("utf-8", "surrogatepass"))
    return path


def between(content):
    """Write a document between two others."""
    return f"{USUAL}{content}\n{USUAL.replace('= d', '= f')}"


@needs_kernel
@pytest.mark.parametrize("content", PLAIN.values(), ids=PLAIN)
def test_kernel_reads_plain_documents(tmp_path, content):
    path = put(tmp_path, content)
    assert list_skipped(path, "conllu") == []
    assert_read_alike(path, "conllu")
    assert_read_alike(put(tmp_path, between(content)), "conllu")
    assert_read_alike(put(tmp_path, "\ufeff" + content.rstrip("\n")), "conllu")


@needs_kernel
@pytest.mark.parametrize("content", LEFT.values(), ids=LEFT)
def test_rare_annotation_is_left_to_python(tmp_path, content):
    path = put(tmp_path, between(content))
    assert list_skipped(path, "conllu") == [1]
    assert_read_alike(path, "conllu")


@needs_kernel
@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
def test_errors_are_those_of_python(tmp_path, content):
    path = put(tmp_path, between(content))
    assert list_skipped(path, "conllu") == [1]
    assert_read_alike(path, "conllu")
    source = open_source(path, format="conllu")
    with pytest.raises(FormatError) as refused:
        source.read_columns([0, 1])
    assert source.read_columns([0, 2]).documents == 2
    source.close()
    assert ":" in refused.value.place


@needs_kernel
@pytest.mark.parametrize("room", [1, 7, 64, 1000])
def test_size_of_blocks_does_not_matter(room):
    content = "\n".join([*PLAIN.values(), *LEFT.values()]).encode()
    wanted = load_kernel().read_conllu(make_readinto(content), 0, len(content) + 1)
    assert load_kernel().read_conllu(make_readinto(content), 0, room) == wanted


def test_mentions_are_in_the_order_of_opening(tmp_path):
    content = text(
        line("1", "a", "Entity=(e1--1-(e2--1-)"), line("2", "b", "Entity=(e1--1-)e1)")
    )
    source = open_source(put(tmp_path, content), format="conllu")
    columns = source.read_columns([0])
    source.close()
    spans = zip(columns.start.tolist(), columns.end.tolist(), strict=True)
    assert list(spans) == [(0, 1), (1, 1), (0, 0)]


def test_head_is_the_first_word_with_its_parent_outside(tmp_path):
    content = text(
        line("1", "the", "Entity=(e1", head="3"),
        line("2", "old", head="3"),
        line("3", "mill", head="5"),
        line("4", "here", "Entity=e1)", head="3"),
        line("5", "fell", head="0"),
        fields="eid",
    )
    source = open_source(put(tmp_path, content), format="conllu")
    assert source.read_columns([0]).details.head.tolist() == [2]
    source.close()


@pytest.mark.parametrize("content", [*PLAIN.values(), *LEFT.values()])
def test_words_are_those_of_documents(tmp_path, content):
    source = open_source(put(tmp_path, content), format="conllu")
    for number in range(len(source.ids)):
        wanted = DocumentSource.iter_words(source, number)
        assert list(source.iter_words(number)) == list(wanted)
    source.close()


PUT_IN = st.sampled_from(
    [
        *("", "(", ")", "-", "|", "1", "2", "\t", "\n", "[1/2]", "%", "e1", ",", "<"),
        *(":", "#", " ", "\r", ".", "\udcff", "é", "# newdoc\n", "Entity=(e1)"),
        *("# global.Entity = eid-head\n", "Bridge=e1<e2"),
    ]
)
CHANGES = st.lists(
    st.tuples(st.floats(0, 1), PUT_IN, st.integers(0, 3)), min_size=1, max_size=3
)


@needs_kernel
@given(st.sampled_from([*PLAIN.values(), *LEFT.values()]), CHANGES)
@settings(max_examples=300, deadline=None)
@pytest.mark.slow
def test_changed_files_are_read_the_same_way(tmp_path_factory, content, changes):
    for where, inserted, cut in changes:
        place = int(where * len(content))
        content = content[:place] + inserted + content[place + cut :]
    assert_read_alike(put(tmp_path_factory.mktemp("x"), content), "conllu")


@needs_kernel
def test_brackets_without_a_declaration_are_left_to_python(tmp_path):
    path = put(tmp_path, text(line("1", "a", "Entity=(e1)"), fields=None) + USUAL)
    assert list_skipped(path, "conllu") == [0]
    assert_read_alike(path, "conllu")


@needs_kernel
@pytest.mark.parametrize("content", ["", "# only\n# comments\n", "\n\n"])
def test_file_without_documents_is_rejected_the_same_way(tmp_path, content):
    assert_read_alike(put(tmp_path, content), "conllu")


@pytest.mark.slow
@needs_kernel
@needs_data
@pytest.mark.parametrize(
    "path", sorted(DATA.rglob("*.conllu")), ids=lambda path: path.stem
)
def test_corpora_are_read_the_same_way(path):
    assert list_skipped(path, "conllu") == []
    assert_read_alike(path, "conllu")


@needs_kernel
def test_place_of_a_repeated_mention_is_found_without_parsing_brackets(
    tmp_path, monkeypatch
):
    looks = []
    opened = EntityParser._open_bracket
    monkeypatch.setattr(
        EntityParser, "_open_bracket", lambda *a: looks.append(1) or opened(*a)
    )
    brackets = "".join(f"(e{number}--1-)" for number in range(50))
    path = written(
        tmp_path / "x", text(line("1", "a"), line("2", "b", f"Entity={brackets}"))
    )
    (note, _) = corefkit.score(path, path).notes
    assert "49 repeated mentions" in note
    assert note.endswith("x:4")
    assert looks == []
