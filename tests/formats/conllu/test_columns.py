"""CoNLL-U in columns: the same as through documents, or left to them."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from files import written
from formats.reading import DATA, needs_data
from hypothesis import given, settings
from hypothesis import strategies as st

import corefkit
from corefkit import FormatError
from corefkit.columns.of_documents import document_columns
from corefkit.formats import open_source
from corefkit.formats.conllu import annotation as conllu_annotation
from corefkit.formats.conllu import links as conllu_links
from corefkit.formats.conllu.columns import ConlluSource, conllu_columns
from corefkit.formats.conllu.lines import Irregular
from corefkit.formats.documents import DocumentSource

FIELDS = "eid-etype-head-minspan-other"


def line(number, word, misc="_", head="0", deps="_"):
    """Write a token line."""
    return "\t".join((number, word, *"____", head, "dep", deps, misc)) + "\n"


def text(*lines, fields=FIELDS, name="d"):
    """Write a document of one sentence."""
    declared = f"# global.Entity = {fields}\n" if fields else ""
    return f"# newdoc id = {name}\n{declared}" + "".join(lines) + "\n"


PLAIN = text(
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
# Documents that are well formed but for the slow way.
SLOW = {
    "discontinuous": text(
        line("1", "a", "Entity=(e1[1/2]--1-)"),
        line("2", "b"),
        line("3", "c", "Entity=(e1[2/2]--1-)"),
    ),
    "escape": text(line("1", "a", "Entity=(e%2D1--1-)")),
    "blank in a word": text(line("1", "10 000", "Entity=(e1--1-)")),
    "other line ends": PLAIN.replace("\n", "\r\n"),
    "no entity": text(line("1", "a", "Entity=(NOCOREF--1-)")),
    "old name of splits": text(
        line("1", "a", "Entity=(e1--1-)(e2--1-)|Split=e1<e2"), line("2", "b")
    ),
    "id in another field": text(
        line("1", "a", "Entity=(person-e1)"), fields="etype-eid"
    ),
    "tab in a comment": text("# a\tb\n", line("1", "a", "Entity=(e1--1-)")),
    "item in a comment": text("# a|Entity=x\n", line("1", "a", "Entity=(e1--1-)")),
    "unsorted minimum": text(
        line("1", "a", "Entity=(e1--1-2,1"), line("2", "b", "Entity=e1)")
    ),
}
# Documents that break a rule, which the slow way tells.
BROKEN = {
    "left open": text(line("1", "a", "Entity=(e1--1-")),
    "not opened": text(line("1", "a", "Entity=e1)")),
    "no bracket": text(line("1", "a", "Entity=e1")),
    "no id": text(line("1", "a", "Entity=()")),
    "head outside": text(line("1", "a", "Entity=(e1--2-)")),
    "minimum outside": text(line("1", "a", "Entity=(e1--1-3)")),
    "head no number": text(line("1", "a", "Entity=(e1--x-)")),
    "too many values": text(line("1", "a", "Entity=(e1--1-1-x-y)")),
    "not declared": text(line("1", "a", "Entity=(e1--1-)"), fields=None),
    "columns": text("1\ta\n"),
    "numbers": text(line("2", "a")),
    "bridge to no mention": text(
        line("1", "a", "Entity=(e1--1-)(e2--1-)"), line("2", "b", "Bridge=e1<e2")
    ),
}


def rows(columns):
    """Give all that columns say of mentions, in no order."""
    details = columns.details
    parts = [columns.entity, columns.start, columns.end]
    if details is not None:
        parts += [details.head, details.minimum_start, details.minimum_end]
    return sorted(zip(*(part.tolist() for part in parts), strict=True))


def links(columns):
    """Give bridges by what they link, and splits, in no order."""
    details = columns.details
    places = list(zip(columns.entity.tolist(), columns.start.tolist(), strict=True))
    bridges = [
        (places[anaphor], entity, mention)
        for anaphor, entity, mention in details.bridge.tolist()
    ]
    return sorted(bridges), sorted(map(tuple, details.split.tolist()))


def same(fast, slow):
    """Compare columns, whatever the order of mentions inside entities."""
    for name in ("entity_document", "token_count", "text_hash"):
        np.testing.assert_array_equal(getattr(fast, name), getattr(slow, name))
    if slow.details is None:
        slow = dataclasses.replace(slow, details=None)
        fast = dataclasses.replace(fast, details=None)
        assert rows(fast) == rows(slow)
        return
    assert rows(fast) == rows(slow)
    assert links(fast) == links(slow)
    empties = [side.details.empties for side in (fast, slow)]
    assert (empties[0] is None) == (empties[1] is None)
    if empties[0] is not None:
        for field in dataclasses.fields(empties[0]):
            ours, theirs = (getattr(one, field.name) for one in empties)
            np.testing.assert_array_equal(ours, theirs)


def check(path):
    """Read a file both ways."""
    source = open_source(path, format="conllu")
    try:
        numbers = range(len(source.ids))
        documents = [source.document(number) for number in numbers]
        same(source.columns(numbers), document_columns(documents))
        same_words(source)
    finally:
        source.close()


def same_words(source):
    for number in range(len(source.ids)):
        slow = DocumentSource.words(source, number)
        assert list(source.words(number)) == list(slow)


def test_plain_document_is_read_in_columns(tmp_path):
    columns = conllu_columns([PLAIN.encode()] * 2, [None, None])
    assert columns.documents == 2
    assert columns.details.empties.token.tolist() == [4, 4]
    assert columns.details.split.tolist() == [[0, 1], [0, 2], [4, 5], [4, 6]]
    assert columns.details.bridge[:, 1].tolist() == [0, 4]
    check(written(tmp_path / "x", PLAIN + PLAIN.replace("= d", "= e")))


@pytest.mark.parametrize("content", SLOW.values(), ids=SLOW)
def test_what_is_rare_is_left_to_documents(tmp_path, content):
    with pytest.raises(Irregular):
        conllu_columns([content.encode()], [None])
    check(
        written(
            tmp_path / "x",
            PLAIN + content.replace("= d", "= e") + "\n" + PLAIN.replace("= d", "= f"),
        )
    )


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
def test_what_is_wrong_is_told(tmp_path, content):
    with pytest.raises(Irregular):
        conllu_columns([content.encode()], [None])
    source = open_source(written(tmp_path / "x", content), format="conllu")
    with pytest.raises(FormatError) as refused:
        source.columns([0])
    source.close()
    assert ":" in refused.value.place


def test_declaration_before_the_document_is_in_force():
    body = text(line("1", "a", "Entity=(e1-1)"), fields=None).encode()
    assert conllu_columns([body], ["eid-head"]).details.head.tolist() == [0]


def test_head_is_the_first_word_that_hangs_outside():
    body = text(
        line("1", "the", "Entity=(e1", head="3"),
        line("2", "old", head="3"),
        line("3", "mill", head="5"),
        line("4", "here", "Entity=e1)", head="3"),
        line("5", "fell", head="0"),
        fields="eid",
    )
    assert conllu_columns([body.encode()], [None]).details.head.tolist() == [2]


def test_minimum_of_two_digits_is_read_in_columns():
    body = text(
        line("1", "w", "Entity=(e1--12-9,10,12"),
        *(line(str(number), "w") for number in range(2, 12)),
        line("12", "w", "Entity=e1)"),
    )
    details = conllu_columns([body.encode()], [None]).details
    assert details.head.tolist() == [11]
    assert details.minimum_start.tolist() == [8]
    assert details.minimum_end.tolist() == [11]


def test_ten_empty_nodes_behind_a_word_are_read_in_columns(tmp_path):
    body = text(
        line("1", "a"),
        *(line(f"1.{number}", "_") for number in range(1, 12)),
        line("2", "b", "Entity=(e1--1-)"),
    )
    columns = conllu_columns([body.encode()], [None])
    assert columns.details.empties.token.tolist() == [*range(1, 12)]
    assert columns.start.tolist() == [12]
    check(written(tmp_path / "x", body))


def test_empty_nodes_that_do_not_count_from_1_are_left_to_documents():
    nodes = ["1.1", *(f"1.{number}" for number in range(3, 12))]
    body = text(line("1", "a"), *(line(number, "_") for number in nodes))
    with pytest.raises(Irregular):
        conllu_columns([body.encode()], [None])


MUTATIONS = st.lists(
    st.tuples(
        st.integers(0, len(PLAIN) - 1),
        st.sampled_from(
            ["", "(", ")", "-", "|", "1", "2", "\t", "\n", "[", "%", "e1", ","]
        ),
        st.integers(0, 3),
    ),
    max_size=3,
)


@given(MUTATIONS)
@settings(max_examples=300)
def test_changed_documents_are_read_alike_or_refused_alike(tmp_path_factory, changes):
    content = PLAIN
    for place, put, cut in changes:
        content = content[:place] + put + content[place + cut :]
    path = written(tmp_path_factory.mktemp("x") / "x", content)
    try:
        source = open_source(path, format="conllu")
    except FormatError:
        return
    numbers = range(len(source.ids))
    slow, fast = (
        outcome(read, source, numbers)
        for read in (DocumentSource.columns, ConlluSource.columns)
    )
    if isinstance(slow, str):
        assert fast == slow
    else:
        same(fast, slow)
        same_words(source)
    source.close()


def outcome(read, source, numbers):
    """Give columns, or what is wrong."""
    try:
        return read(source, numbers)
    except FormatError as error:
        return str(error)


@pytest.mark.slow
@needs_data
@pytest.mark.parametrize(
    "name",
    ["gum/gum-dev", "ontogum/ontogum-test", "formats/corefud/fr-democrat-dev-sample"],
)
def test_corpora_are_read_alike(name):
    check(DATA / f"{name}.conllu")


def _zeros_of_one_sentence(number):
    nodes = [
        line(f"1.{node}", "_", f"Entity=(e{node}--1-)", deps="2:x")
        for node in range(1, number + 1)
    ]
    return text(line("1", "a"), *nodes, line("2", "b"))


def test_ids_of_a_sentence_with_many_empty_nodes_are_read_once(monkeypatch):
    calls = []
    ids = conllu_links.sentence_ids
    monkeypatch.setattr(
        conllu_links, "sentence_ids", lambda *a: calls.append(1) or ids(*a)
    )
    details = conllu_columns([_zeros_of_one_sentence(30).encode()], [None]).details
    empties = details.empties
    assert len(empties.parent) == 30
    assert set(empties.parent.tolist()) == {31}
    assert len(calls) == 1


@pytest.mark.parametrize("number", [9, 40])
def test_heads_of_nested_mentions_without_declared_ones(number):
    last = 2 * number + 1
    opened = [
        line(str(n + 1), "w", f"Entity=(e{n}", head=str(n)) for n in range(number)
    ]
    middle = line(str(number + 1), "w", head=str(number))
    closed = [
        line(str(last - n), "w", f"Entity=e{n})", head=str(number + 1))
        for n in reversed(range(number))
    ]
    nested = text(*opened, middle, *closed, fields="eid")
    details = conllu_columns([nested.encode()], [None]).details
    assert details.head.tolist() == list(range(number))


def test_place_of_a_repeated_mention_is_told_without_a_look_at_each(
    tmp_path, monkeypatch
):
    looks = []
    opened = conllu_annotation.Annotation._opened
    monkeypatch.setattr(
        conllu_annotation.Annotation,
        "_opened",
        lambda *a: looks.append(1) or opened(*a),
    )
    brackets = "".join(f"(e{number}--1-)" for number in range(50))
    path = written(
        tmp_path / "x", text(line("1", "a"), line("2", "b", f"Entity={brackets}"))
    )
    (note, _) = corefkit.score(path, path).notes
    assert "49 repeated mentions" in note
    assert note.endswith("x:4")
    assert looks == []
