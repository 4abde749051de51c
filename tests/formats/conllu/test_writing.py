"""CoNLL-U there and back: what is written is read as it was."""

from __future__ import annotations

import pytest
from files import json_line, written
from formats.reading import DATA, everything, needs_data
from hypothesis import given, settings
from hypothesis import strategies as st

import corefkit
from corefkit import Document, Entity, Mention
from corefkit.formats import open_source
from corefkit.formats.base import CROSSING_ITS_OWN
from corefkit.formats.conllu.conllu import WRITER
from corefkit.formats.conllu.writing import conllu_text
from corefkit.formats.losses import reduced
from corefkit.formats.writing import write
from corefkit.model import Bridge


def line(identifier, form="w", misc="_", head="_"):
    cells = [identifier, form, "_", "_", "_", "_", head, "_", "_", misc]
    return "\t".join(map(str, cells)) + "\n"


def marked(*cells, fields="eid-etype-head-other"):
    """Write a document from the Entity values of its words; `/` is no value."""
    miscs = ["_" if cell == "/" else f"Entity={cell}" for cell in cells]
    lines = [line(n, misc=misc, head=2) for n, misc in enumerate(miscs, 1)]
    return "".join(["# newdoc id = d\n# global.Entity = ", fields, "\n", *lines])


@pytest.fixture
def read(tmp_path):
    def documents(text):
        return list(corefkit.read(written(tmp_path / "file.conllu", text)))

    return documents


def comes_back(documents, folder):
    """Write documents and read them; what crosses its own entity may go lost."""
    lost = write(documents, folder / "back.conllu").counts
    assert {*lost} <= {CROSSING_ITS_OWN}
    again = corefkit.read(folder / "back.conllu")
    assert lost or everything(*again) == everything(*documents)


class TestText:
    def text(self, document):
        return "".join(conllu_text(document))

    def test_fields_are_those_that_are_needed(self):
        first = Mention(0, 1, head=1, minimum=(1, 1), attributes={"type": "a-b"})
        second = Mention(2, 2, attributes={"x": "1", "head": "2"})
        entities = (Entity("e 1", (first, second)),)
        text = self.text(Document("a\nb", (("A\tb", "B", "C\n"),), entities))
        assert text == (
            "# newdoc id = a b\n# global.Entity = eid-etype-head-minspan-x-%68ead\n"
            + line(1, "A b", "Entity=(e%201-a%2Db-2-2")
            + line(2, "B", "Entity=e%201)")
            + line(3, "C ", "Entity=(e%201----1-2)")
            + "\n"
        )

    def test_brackets_stand_in_the_usual_order(self, read):
        cells = ["(e1(e2(e3)", "(e4)e2)", "e1)(e5(e6)", "e5)"]
        (document,) = read(marked(*cells))
        lines = self.text(document).splitlines()
        plain = [one.split("=")[-1].replace("--1", "") for one in lines[2:-1]]
        assert plain == cells

    def test_order_of_entities_goes_before_the_usual_one(self):
        single, wide = Entity("a", (Mention(0, 0),)), Entity("b", (Mention(0, 1),))
        for entities, cell in [((single, wide), "(a)(b"), ((wide, single), "(b(a)")]:
            text = self.text(Document("d", (("x", "y"),), entities))
            assert f"Entity={cell}\n" in text

    def test_parts_of_mentions_that_overlap_are_told_apart(self):
        mentions = Mention.of([0, 2]), Mention.of([1, 3]), Mention.of([4, 6])
        text = self.text(Document("d", (tuple("abcdefg"),), (Entity("e", mentions),)))
        cells = [one.split("\t")[-1] for one in text.splitlines()[2:-1]]
        assert [cell.removeprefix("Entity=") for cell in cells] == [
            *("(e[1/2])", "(e[1/02])", "(e[2/2])", "(e[02/02])"),
            *("(e[1/2])", "_", "(e[2/2])"),
        ]

    def test_document_without_words_gets_some(self, read):
        document = Document("d", (), (Entity("7", (Mention(1, 2), Mention(4, 4))),))
        (again,) = read(self.text(document))
        assert again.sentences == (("_",) * 5,)
        assert again.entities == document.entities

    def test_document_without_anything_is_one(self, read):
        for sentences in ((), ((),)):
            text = self.text(Document("d", sentences, ()))
            (again,) = read(text)
            assert (again.id, again.sentences, again.entities) == ("d", (), ())

    def test_annotation_of_another_file_is_not_copied(self, read):
        document = Document(
            "d",
            (("a", "b"),),
            (Entity("", (Mention(0, 0),)), Entity("_", (Mention(1, 1),))),
            layers={"misc": ("Entity=(x|A=b", "Entity=(x")},
            comments=(("newdoc id = x", "global.Entity = x", "y\nz"),),
        )
        (again,) = read(self.text(document))
        assert [entity.id for entity in again] == ["_", "_#2"]
        assert again.comments == (("y z",),)
        assert again.layers == {"misc": ("A=b", "_")}

    def test_bridge_of_no_entity_is_left_out(self):
        bridge = Bridge(Mention(0, 0), "7")
        text = self.text(Document("d", (("a",),), (), bridges=(bridge,)))
        assert "Bridge" not in text


@st.composite
def bracket_rows(draw):
    """Draw brackets that all close, in any order that their rules allow."""
    tokens = draw(st.integers(1, 6))
    cells = [""] * tokens
    labels = draw(st.lists(st.sampled_from(["a", "b", "NOCOREF"]), max_size=6))
    rows = []
    for label in labels:
        start = draw(st.integers(0, tokens - 1))
        rows.append((start, draw(st.integers(start, tokens - 1)), label))
    for token in range(tokens):
        here = draw(st.permutations([row for row in rows if row[0] == token]))
        ends = [row[2] for row in rows if row[1] == token > row[0]]
        pieces = [f"{label})" for label in ends]
        for start, end, label in here:
            kind = draw(st.sampled_from(["", "-person", "-place-1"]))
            pieces.append(f"({label}{kind}{')' * (start == end)}")
        cells[token] = "".join(pieces) or "/"
    return cells


@given(bracket_rows())
def test_what_was_read_comes_back(tmp_path_factory, cells):
    folder = tmp_path_factory.getbasetemp()
    path = written(folder / "file.conllu", marked(*cells))
    comes_back(list(corefkit.read(path)), folder)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(marked("(e1(e2)", "(e3", "e1)", "e3)"), id="crossing"),
        pytest.param(
            marked("(e1[1/3]-x-2)", "(e1[2/3])", "(e1", "(e1[3/3])e1)"), id="parts"
        ),
        pytest.param(
            marked("(e1[1/02])", "(e1[1/2])", "(e1[2/02])", "(e1[2/2])"),
            id="parts that overlap",
        ),
        pytest.param(
            marked("(NOCOREF:x", "(NOCOREF:x", "NOCOREF:x)NOCOREF:x)"),
            id="outside coreference",
        ),
        pytest.param(
            marked("(1-4,1", "(2--2)(1)", "(3-1-1)", "1)", fields="GRP-minspan-x"),
            id="minima",
        ),
        pytest.param(
            marked("(e5)(e6)", "(e5(e5)(e6)|Bridge=e6<e5:part:of,e5<e6", "e5)"),
            id="bridges",
        ),
        pytest.param(
            marked("(e3)|SplitAnte=e3<e7,e4<e7", "(e4)(e7)(e8)|Split=e4<e8"),
            id="split antecedents",
        ),
        pytest.param(
            "#one\n# \n"
            + line("0.1", "_")
            + "1-2\tdel\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
            + line(1, "de", "A=b|C", head=3)
            + line("1.1")
            + line("1.2")
            + line(2, "el niño")
            + "\n"
            + line(1, "", "Split"),
            id="lines and columns",
        ),
    ],
)
def test_what_stands_in_a_file_comes_back(tmp_path, read, text):
    comes_back(read(text), tmp_path)


texts = st.text("ab-()|%2D \t\n[]<,:=_#é\u2028", max_size=5)
named = st.sampled_from(
    ["type", "other", "etype", "head", "eid", "x-y", "%41", "", "é"]
)


@st.composite
def drawn_mentions(draw, tokens):
    row = draw(st.sets(st.sampled_from(tokens), min_size=1, max_size=4))
    if draw(st.booleans()):
        row = range(min(row), max(row) + 1)
    inside = st.sampled_from(sorted(row))
    minimum = draw(st.none() | st.tuples(inside, inside).map(sorted).map(tuple))
    attributes = draw(st.dictionaries(named, texts.filter(bool), max_size=2))
    return Mention.of(row, head=draw(inside), minimum=minimum, attributes=attributes)


@st.composite
def drawn_documents(draw):
    """Draw documents with all that the format carries, in no order of their own."""
    lengths = draw(st.lists(st.integers(1, 5), min_size=1, max_size=3))
    tokens = range(sum(lengths))
    words = st.text("ab é#_(\u2028\r", max_size=3)
    sentences = tuple(tuple(draw(words) for _ in range(length)) for length in lengths)
    ids = draw(st.lists(texts.filter(bool), unique=True, max_size=4))
    ids = [name for name in ids if not name.startswith("NOCOREF")]
    rows = [draw(st.lists(drawn_mentions(tokens), min_size=1, max_size=4)) for _ in ids]
    others = (
        st.lists(st.sampled_from(ids), unique=True, max_size=2) if ids else st.just([])
    )
    entities = []
    for name, row in zip(ids, rows, strict=True):
        split = tuple(other for other in draw(others) if other != name)
        entities.append(Entity(name, tuple(dict.fromkeys(row)), split))
    # The file names an anaphor by its entity and its first token.
    every = [mention for entity in entities for mention in entity]
    bridges = [
        Bridge(entity.mentions[0], other, None, draw(texts))
        for entity in entities
        if every.count(entity.mentions[0]) == 1
        and sum(one.start == entity.mentions[0].start for one in entity) == 1
        for other in draw(others)
        if other != entity.id
    ]
    cells = st.sampled_from(["_", "x", "3:a|4:b", "A=b|C"])
    layers = {
        name: tuple(draw(cells) for _ in tokens)
        for name in draw(st.sets(st.sampled_from(["lemma", "upos", "deps", "misc"])))
    }
    return Document(
        "d",
        sentences,
        tuple(entities),
        empty=tuple(sorted(draw(st.sets(st.sampled_from(tokens), max_size=3)))),
        bridges=tuple(bridges),
        layers={name: row for name, row in layers.items() if {*row} != {"_"}},
    )


def said(document):
    """Give what a document says, in an order that does not depend on its own."""
    entities = {
        entity.id: (
            sorted(
                (
                    mention.tokens,
                    mention.head,
                    mention.minimum or (),
                    *sorted(mention.attributes.items()),
                )
                for mention in entity
            ),
            sorted(entity.split),
        )
        for entity in document.entities
    }
    bridges = sorted(
        (bridge.anaphor.tokens, bridge.antecedent, bridge.relation)
        for bridge in document.bridges
    )
    return entities, bridges, document.sentences, document.empty, document.layers


@settings(max_examples=80)
@given(drawn_documents())
def test_what_was_written_is_read(tmp_path_factory, document):
    path = tmp_path_factory.getbasetemp() / "drawn.conllu"
    write([document], path)
    (once,) = corefkit.read(path)
    assert said(once) == said(reduced(document, WRITER.carries))
    write([once], path)
    (twice,) = corefkit.read(path)
    assert everything(twice) == everything(once)


spans = st.tuples(st.integers(0, 4), st.integers(0, 4)).map(sorted)


@given(st.lists(st.lists(spans, min_size=1, max_size=3), min_size=1, max_size=3))
def test_scores_are_those_of_json_lines(tmp_path_factory, clusters):
    folder = tmp_path_factory.getbasetemp()
    path = written(folder / "x.jsonl", json_line("a/b (c)", "abcde", clusters))
    losses = write(corefkit.read(path), folder / "x.conllu")
    assert {*losses.counts} <= {CROSSING_ITS_OWN}
    write(corefkit.read(folder / "x.conllu"), folder / "y.jsonl")
    result = corefkit.score(folder / "x.conllu", folder / "y.jsonl")
    again = corefkit.score(folder / "y.jsonl", folder / "y.jsonl")
    assert result.scores == again.scores


CORPORA = [
    "gum/gum-dev.conllu",
    "ontogum/ontogum-train.conllu",
    "ancora-es/es_ancora-ud-dev.conllu",
    "formats/corefud/es_ancora-one-sentence.conllu",
    "formats/corefud/fr-democrat-dev-sample.conllu",
    "formats/muc-sgml/GUM_news_nasa.first12.conllu",
]


@needs_data
class TestCorpora:
    @pytest.mark.parametrize("name", CORPORA)
    def test_documents_come_back(self, tmp_path, name):
        source = open_source(DATA / name)
        step = max(1, len(source.ids) // 4)
        documents = [
            source.document(number) for number in range(0, len(source.ids), step)
        ]
        source.close()
        comes_back(documents, tmp_path)
        path = tmp_path / "back.conllu"
        assert corefkit.score(path, path)
