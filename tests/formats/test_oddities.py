"""What is odd about documents: found in whatever format they come."""

from __future__ import annotations

from itertools import combinations

import pytest
from files import conll, json_line, written
from formats.reading import path_of
from hypothesis import given
from hypothesis import strategies as st

import corefkit
from corefkit import Document, Entity, Mention
from corefkit.formats.checks import DocumentChecks, check_mentions
from corefkit.formats.output import write
from corefkit.formats.problems import CROSSING, NESTED, Faults
from corefkit.formats.source import CROSSING_ITS_OWN

WORDS = (("a", "b", "c", "d", "e"), ("f", "g", "h"))


def told(*documents, **options):
    """Look at documents, whose token 0 stands in line 1; gives the problems."""
    faults = Faults("key", [])
    oddities = DocumentChecks(faults, **options)
    for document in documents:
        oddities.check(document, 1, lambda token: token + 1)
    return faults.sorted_problems


def kinds(*mentions, **options):
    """List lines and kinds of what is odd about an entity."""
    document = Document("d", WORDS, (Entity("e", mentions),))
    return [(one.line, one.kind) for one in told(document, **options)]


def overlaps(*mentions):
    """List lines and kinds of the mentions of an entity that overlap."""
    return [
        (mention.start + 1, kind.name.partition("-")[0])
        for mention, *_, kind in check_mentions("e", mentions)
        if kind in (NESTED, CROSSING)
    ]


@pytest.mark.parametrize(
    ("spans", "expected"),
    [
        ([(0, 1), (2, 3)], []),
        ([(0, 4), (1, 1)], [(2, "nested")]),
        ([(0, 4), (0, 1)], [(1, "nested")]),
        ([(0, 4), (3, 4)], [(4, "nested")]),
        ([(0, 2), (1, 4)], [(2, "crossing")]),
        ([(1, 4), (0, 2)], [(2, "crossing")]),
        ([(0, 2), (2, 4)], [(3, "crossing")]),
        # Inside one and across another: the graver is told.
        ([(0, 9), (2, 5), (4, 7)], [(3, "nested"), (5, "crossing")]),
        # All of a row are told, each once.
        ([(0, 9), (1, 8), (2, 7)], [(2, "nested"), (3, "nested")]),
        ([(0, 2), (1, 3), (2, 4)], [(2, "crossing"), (3, "crossing")]),
        # The same one twice is another matter.
        ([(0, 2), (0, 2)], []),
    ],
)
def test_mentions_of_an_entity_that_overlap(spans, expected):
    assert overlaps(*(Mention(*span) for span in spans)) == expected


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ([0, 1, 4], [2, 3], []),  # in the gap
        ([0, 1, 4], [2, 3, 5], []),  # the spans cross, the tokens do not
        ([0, 1, 4], [0, 1], [(1, "nested")]),
        ([0, 1, 4], [1, 4], [(2, "nested")]),
        ([0, 1, 4], [1, 2], [(2, "crossing")]),
        ([0, 1, 4], [3, 4, 5], [(4, "crossing")]),
    ],
)
def test_gaps_are_not_part_of_a_mention(first, second, expected):
    assert overlaps(Mention.of(first), Mention.of(second)) == expected


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 5)), max_size=8))
def test_all_overlaps_are_reported(drawn):
    mentions = {Mention(start, start + length) for start, length in drawn}
    pairs = list(combinations(sorted(mentions), 2))
    share = [not set(a.tokens).isdisjoint(b.tokens) for a, b in pairs]
    crossing = any(
        a.start < b.start <= a.end < b.end or b.start < a.start <= b.end < a.end
        for a, b in pairs
    )
    found = [kind for _, kind in overlaps(*mentions)]
    assert bool(found) == any(share)
    assert ("crossing" in found) == crossing
    assert len(found) <= len(mentions)


@pytest.mark.slow
def test_many_mentions_that_overlap_take_little_time():
    many = [Mention(start, start + 20_000) for start in range(20_000)]
    assert len(overlaps(*many)) == len(many) - 1
    inside = [Mention(start, 90_000 - start) for start in range(20_000)]
    assert len(overlaps(*inside)) == len(inside) - 1


def test_long_spans_with_gaps_take_little_memory():
    far = 1 << 40
    one, other = Mention(0, far, ((2, 3),)), Mention(1, far + 5, ((2, 3),))
    assert overlaps(one, other) == [(2, "crossing")]


def test_message_names_both_mentions_and_the_entity():
    (problem,) = told(
        Document("d", (), (Entity("a\tb", (Mention(0, 2), Mention(1, 1))),))
    )
    assert problem.message == (
        r"mention of tokens 1 to 1 lies inside another of entity 'a\tb', "
        "of tokens 0 to 2"
    )
    assert (problem.severity, problem.file) == ("note", "key")
    assert problem.hint


class TestTypes:
    A, B, NONE = ({"type": "a"}, {"type": "b"}, {})

    def mentions(self, *attributes):
        return [Mention(at, at, attributes=one) for at, one in enumerate(attributes)]

    def test_of_one_entity_are_several(self):
        mentions = self.mentions(self.A, self.NONE, self.B, self.B)
        assert kinds(*mentions) == [(3, "two-types")]
        (problem,) = told(Document("d", WORDS, (Entity("e", mentions),)))
        assert problem.message == "entity e is 'b' here, and 'a' in line 1"
        assert problem.severity == "warning"

    def test_are_one(self):
        assert kinds(*self.mentions(self.NONE, self.A, self.A)) == []

    def test_are_ignored_if_entities_have_no_types(self):
        assert kinds(*self.mentions(self.A, self.B), types=False) == []


class TestLengths:
    def test_mention_beyond_its_sentence(self):
        assert kinds(Mention(3, 4), Mention(5, 7)) == []
        assert kinds(Mention(4, 5)) == [(5, "across-sentences")]
        (problem,) = told(
            Document("d", WORDS, (Entity("e", (Mention(4, 7),)),)),
        )
        assert problem.message.endswith("which ends with token 4")

    def test_document_without_sentences_has_no_boundaries(self):
        assert told(Document("d", (), (Entity("e", (Mention(4, 50),)),))) == []

    @pytest.mark.parametrize(("size", "long"), [(100, False), (101, True)])
    def test_long_mention(self, size, long):
        document = Document("d", (), (Entity("e", (Mention(3, 2 + size),)),))
        found = [(one.line, one.kind) for one in told(document)]
        assert found == [(4, "long-mention")] * long


class TestWords:
    def test_are_empty_or_have_blanks(self):
        words = ("", "a b", "c", " ", "d\u00a0e")
        document = Document("d", (words,), (Entity("e", (Mention(2, 2),)),))
        empty, blank = told(document)
        assert (empty.line, empty.kind, empty.severity) == (1, "empty-word", "warning")
        assert empty.message == "word '' of document 'd' is empty, and 1 more like it"
        assert (blank.line, blank.kind, blank.severity) == (2, "blank-in-word", "note")
        assert blank.message.startswith("word 'a b' of document 'd' has a blank inside")

    def test_that_hide_each_other_are_found(self):
        document = Document("d", (("", "a b"),), (Entity("e", (Mention(0, 0),)),))
        assert [one.kind for one in told(document)] == ["empty-word", "blank-in-word"]


class TestParts:
    def parts(self, *numbers):
        entity = Entity("e", (Mention(0, 0),))
        documents = [Document(f"(d); part {n:03}", (), (entity,)) for n in numbers]
        return [(one.kind, one.message) for one in told(*documents)]

    @pytest.mark.parametrize("numbers", [(), (0, 1, 2), (1, 2), (7,), (0, 0)])
    def test_in_order(self, numbers):
        assert self.parts(*numbers) == []

    @pytest.mark.parametrize("numbers", [(0, 2), (1, 0)])
    def test_in_disorder(self, numbers):
        message = f"part {numbers[1]} of 'd' comes after part {numbers[0]}"
        assert self.parts(*numbers) == [("order-of-parts", message)]

    def test_texts_have_separate_parts(self):
        entity = Entity("e", (Mention(0, 0),))
        names = ["(a); part 000", "(b); part 004", "(a); part 001", "c", "c_9"]
        assert told(*(Document(name, (), (entity,)) for name in names)) == []


class TestEmpty:
    def take(self, **known):
        faults = Faults("key", [])
        DocumentChecks(faults).check(Document("d", (), ()), 7, int, **known)
        return [(one.line, one.kind, one.severity) for one in faults.sorted_problems]

    def test_document_without_mentions(self):
        assert self.take(size=3) == [(7, "without-mentions", "note")]
        assert self.take(size=None) == [(7, "without-mentions", "note")]

    def test_document_without_words(self):
        assert self.take(size=0) == [(7, "empty-document", "warning")]

    def test_are_not_counted_in_invalid_documents(self):
        assert self.take(size=0, broken=True) == []


# Written in each format that can say it, and read again.

ODD = Document(
    "d",
    (tuple(f"w{token}" for token in range(150)), ("x", "y")),
    (
        Entity("1", (Mention(0, 5), Mention(2, 3))),
        Entity("2", (Mention(10, 12), Mention(11, 14))),
        Entity("3", (Mention(20, 140), Mention(145, 145))),
        Entity("4", (Mention(8, 8), Mention(149, 150))),
    ),
)
NO_SENTENCES = ("parquet", "tsv", "crac-json", "crac-text")


@pytest.mark.parametrize("name", corefkit.FORMATS)
def test_all_formats_are_validated(tmp_path, name):
    if name == "parquet":
        pytest.importorskip("pyarrow")
    path = path_of(tmp_path, name)
    losses = write([ODD], path, format=name)
    expected = {"nested-mention", "long-mention", "across-sentences"}
    if CROSSING_ITS_OWN in losses.format.writer.carries:
        expected.add("crossing-mentions")
    if name in NO_SENTENCES:
        expected.remove("across-sentences")
    if name == "ancora":  # a tree of each sentence: the mention is cut at its end
        expected.remove("across-sentences")
    found = {one.kind for one in corefkit.validate(path, format=name)}
    assert found - {"singletons"} == expected


def test_singletons_are_reported_in_conll_only(tmp_path):
    path = written(tmp_path / "key", conll("(1) (2) (2)"))
    (problem,) = corefkit.validate(path)
    assert (problem.line, problem.kind, problem.severity) == (
        None,
        "singletons",
        "note",
    )
    assert problem.message == "1 of 2 entities are singletons"
    assert corefkit.validate(written(tmp_path / "key", conll("(1) (1)"))) == []
    lines = json_line("d", "abc", [[[0, 0]]])
    assert corefkit.validate(written(tmp_path / "key", lines)) == []


def test_singletons_of_a_broken_file_are_not_counted(tmp_path):
    path = written(tmp_path / "key", conll("(1) (2) (3"))
    assert [one.kind for one in corefkit.validate(path)] == ["unpaired-bracket"]
