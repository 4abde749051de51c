"""WebAnno TSV 3 by its numbered rules, and every way to break it."""

from __future__ import annotations

import dataclasses
import gzip
from urllib.parse import unquote

import pytest
from files import written
from formats import drawn, laws, reading
from formats.reading import DATA, SAMPLES, everything, needs_samples, spans
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import corefkit
from corefkit import Document, Entity, Mention
from corefkit.formats import open_source
from corefkit.formats.standoff.webanno import recognise
from corefkit.model import Bridge

HEADER = (
    "#FORMAT=WebAnno TSV 3.2\n"
    "#T_SP=webanno.custom.Referent|entity|infstat\n"
    "#T_RL=webanno.custom.Coref|type|BT_webanno.custom.Referent\n\n\n"
)
GOOD = HEADER + (
    "#Text=Ann saw the barn door .\n"
    "1-1\t0-3\tAnn\tperson\tnew\tana\t2-1[4_0]\t\n"
    "1-2\t4-7\tsaw\t_\t_\t_\t_\t\n"
    "1-3\t8-11\tthe\tobject[2]\tnew[2]\t_\t_\t\n"
    "1-4\t12-16\tbarn\tobject[2]|place[3]\tnew[2]|*[3]\tcoref\t2-3[5_3]\t\n"
    "1-5\t17-21\tdoor\tobject[2]\tnew[2]\t_\t_\t\n"
    "1-6\t22-23\t.\t_\t_\t_\t_\t\n"
    "\n"
    "#Text=She entered it .\n"
    "2-1\t24-27\tShe\tperson[4]|person[6]\tgiv[4]|giv[6]\t_\t_\t\n"
    "2-2\t28-35\tentered\t_\t_\t_\t_\t\n"
    "2-3\t36-38\tit\tplace[5]\tgiv[5]\t_\t_\t\n"
    "2-4\t39-40\t.\t_\t_\t_\t_\t\n"
)


@pytest.fixture
def put(tmp_path):
    return lambda text: written(tmp_path / "story.tsv", text)


read, found = reading.reads_one("webanno"), reading.finds("webanno")


def rows(layers, *columns):
    """Write a sentence of one-letter words from its layers and its columns."""
    lines = ["#FORMAT=WebAnno TSV 3.3", *layers, "", "", "#Text=a"]
    for number, cells in enumerate(columns):
        unit, word = f"1-{number + 1}", "abcdefgh"[number]
        lines.append("\t".join((unit, f"{2 * number}-{2 * number + 1}", word, cells)))
    return "\n".join([*lines, ""])


def test_rows_are_a_document(read):
    document = read(GOOD)
    assert document.id == "story"
    assert [" ".join(words) for words in document.sentences] == [
        "Ann saw the barn door .",
        "She entered it .",
    ]
    assert spans(document) == {
        "1": [(0, 0), (6, 6)],
        "2": [(2, 4)],
        "3": [(3, 3), (8, 8)],
        "4": [(6, 6)],
    }
    known = [mention.attributes for entity in document for mention in entity]
    assert known[0] == {"type": "person", "infstat": "new"}
    assert known[2] == {"type": "object", "infstat": "new"}
    assert known[3] == {"type": "place"}


def test_repeated_mention_is_a_warning(found):
    ((line, message, severity),) = found(GOOD)
    assert (line, severity) == (15, "warning")
    assert "in entity 4 and in entity 1" in message


WAYS = reading.ways(GOOD) | {
    "no final tab and newline": GOOD.removesuffix("\t\n"),
    "no final tabs": GOOD.replace("\t\n", "\n"),
    "comments": GOOD.replace("#Text", "#Sentence.id=7\n#Text"),
    "no blank lines": GOOD.replace("\n\n", "\n"),
    "none left out": GOOD.replace("new[2]|*[3]", "new[2]"),
    "packed": gzip.compress(GOOD.encode()),
}


@pytest.mark.parametrize("text", WAYS.values(), ids=WAYS)
def test_ways_of_writing_do_not_matter(read, text):
    assert everything(read(text)) == everything(read(GOOD))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("story.tsv", "story"),
        ("story.webanno.tsv", "story"),
        ("story.v2.tsv.gz", "story.v2"),
        ("story", "story"),
    ],
)
def test_document_is_called_like_its_file(tmp_path, name, expected):
    (document,) = corefkit.read(written(tmp_path / name, GOOD), format="webanno")
    assert document.id == expected


def test_word_is_taken_as_it_is(read):
    layers = ["#T_SP=a.Ref|entity", "#T_RL=a.Coref|type|BT_a.Ref"]
    text = rows(layers, "_\t_\t_").replace("\ta\t", "\t\\_ x|y\t")
    assert read(text).tokens == ("\\_ x|y",)


def test_values_are_unescaped(read):
    layers = ["#T_SP=a.Ref|entity", "#T_RL=a.Coref|type|BT_a.Ref"]
    value = r"\[1\]\|\_\*\;\->\\\t\n\x"
    document = read(rows(layers, rf"{value}[1]|\\[2]" + "\t_\t_"))
    types = [entity.mentions[0].attributes["type"] for entity in document]
    assert types == ["[1]|_*;->\\\t\n\\x", "\\"]


def test_annotation_covers_all_from_its_first_token_to_its_last(read):
    layers = ["#T_SP=a.Ref|entity", "#T_RL=a.Coref|type|BT_a.Ref"]
    document = read(rows(layers, "x[1]\t_\t_", "_\t_\t_", "x[1]\t_\t_"))
    assert spans(document) == {"1": [(0, 2)]}


@pytest.mark.parametrize(
    ("features", "names"),
    [
        ("entity|infstat", ["type", "infstat"]),
        ("value|identifier", ["type", "identifier"]),
        ("value|type", ["value", "type"]),
        ("type|entity", ["type_1", "type"]),
        ("entity|entity", ["type", "entity"]),
        ("x|x", ["x", "x_2"]),
    ],
)
def test_names_of_attributes(read, features, names):
    layers = [f"#T_SP=a.Ref|{features}", "#T_RL=a.Coref|type|BT_a.Ref"]
    (entity,) = read(rows(layers, "1\t2\t_\t_"))
    expected = dict(zip(names, "12", strict=True))
    assert entity.mentions[0].attributes == expected


def test_other_layers_and_slots_are_left_out(read):
    layers = [
        "#T_SP=a.Pos|value",
        "#T_SP=a.Ref|entity|ROLE_a.Ref:slots_a.RefSlotsLink|a.Pos|infstat",
        "#T_SP=a.Bare|",
        "#T_RL=a.Dependency|kind|BT_a.Pos",
        "#T_RL=a.Coref|type|BT_a.Ref",
    ]
    document = read(
        rows(
            layers,
            "NN\tx[1]\tseller;goods\t1-2;1-2[9]\tnew[1]\t*\tdep\t1-2\t*\t1-2",
            "NN[9]|VB[3]\ty\t_\t_\told\t*\t_\t_\t_\t_",
        )
    )
    (entity,) = document.entities
    assert entity.mentions == (Mention(0, 0), Mention(1, 1))
    assert entity.mentions[0].attributes == {"type": "x", "infstat": "new"}


def test_layer_without_features_has_one_column(read):
    layers = ["#T_SP=a.Ref|", "#T_RL=a.Coref|BT_a.Ref"]
    document = read(rows(layers, "*\t_", "*[1]\t1-1", "*[1]\t_"))
    assert spans(document) == {"1": [(0, 0), (1, 2)]}


@pytest.mark.parametrize(
    "reference", ["1-1[1_3]", "1-1[1_0]", "1-1[0_3]", "1-1[0_0]", "1-1"]
)
def test_relation_names_its_ends(read, reference):
    layers = ["#T_SP=a.Ref|entity", "#T_RL=a.Coref|type|BT_a.Ref"]
    document = read(rows(layers, "x[1]|x[2]\t_\t_", f"x[3]|x[4]\t*\t{reference}"))
    assert spans(document)["1"] == [(0, 0), (1, 1)]
    assert len(document) == 3


def test_first_feature_names_the_relation_where_none_is_called_type(read):
    layers = ["#T_SP=a.Ref|entity", "#T_RL=a.Coref|kind|note|BT_a.Ref"]
    assert len(read(rows(layers, "x\t_\t_\t_", "x\tana\tbridge\t1-1"))) == 1
    assert len(read(rows(layers, "x\t_\t_\t_", "x\tbridge\tana\t1-1"))) == 2


@pytest.mark.parametrize("kind", ["coref", "ana", "cata", "appos", "pred", "disc", "_"])
def test_mentions_are_joined_whatever_the_relation(read, kind):
    layers = ["#T_SP=a.Ref|entity", "#T_RL=a.Anaphora|type|BT_a.Ref"]
    document = read(rows(layers, f"x\t{kind}\t1-2", "x\t_\t_"))
    assert spans(document) == {"1": [(0, 0), (1, 1)]}


@pytest.mark.parametrize(
    ("kind", "relation"),
    [
        ("bridge", ""),
        ("bridge:def", "def"),
        ("bridging", ""),
        ("Bridge\\_x:y", "x:y"),
    ],
)
def test_bridge_comes_from_the_anaphor(read, kind, relation):
    layers = ["#T_SP=a.Ref|entity", "#T_RL=a.Coref|type|BT_a.Ref"]
    document = read(rows(layers, f"x\t{kind}|coref\t1-2|1-3", "x\t_\t_", "x\t_\t_"))
    assert spans(document) == {"1": [(0, 0), (2, 2)], "2": [(1, 1)]}
    assert document.bridges == (Bridge(Mention(1, 1), "1", Mention(0, 0), relation),)


def test_aggregation_is_a_split_antecedent(read):
    layers = ["#T_SP=a.Ref|entity", "#T_RL=a.Coref|type|BT_a.Ref"]
    document = read(
        rows(layers, "x\tbridge:aggr\t1-3", "x\tbridge:aggr\t1-3", "x\t_\t_")
    )
    assert [entity.split for entity in document] == [(), (), ("1", "2")]
    assert document.bridges == ()


class TestChains:
    LAYER = "#T_CH=a.CoreferenceLink|referenceType|referenceRelation"

    def test_chain_is_an_entity(self, read):
        document = read(
            rows(
                [self.LAYER],
                "nam[1]\tana->1-1",
                "*[1]|pro[2]\t*->1-2|*->2-1",
                "*[1]\t*->1-2",
                "_\t_",
                "pro[1]\t*->1-3",
            )
        )
        assert spans(document) == {"1": [(0, 0), (1, 2), (4, 4)], "2": [(1, 1)]}
        known = [mention.attributes for mention in document.entities[0]]
        assert known == [
            {"type": "nam", "referenceRelation": "ana"},
            {},
            {"type": "pro"},
        ]

    def test_columns_may_be_swapped(self, read):
        layer = "#T_CH=a.Link|referenceRelation|referenceType"
        document = read(rows([layer], "*->1-1\tnam[1]", "*->1-2\tpro[1]"))
        assert spans(document) == {"1": [(0, 0), (1, 1)]}

    def test_chains_of_two_layers_are_apart(self, read):
        layers = [self.LAYER, self.LAYER.replace("a.", "b.")]
        document = read(rows(layers, "x[1]\t*->1-1\t_\t_", "_\t_\tx[1]\t*->1-2"))
        assert spans(document) == {"1": [(0, 0)], "2": [(1, 1)]}

    def test_other_cell_is_refused(self, found):
        message = "'coref' is no link of a chain"
        assert found(rows([self.LAYER], "x[1]\tcoref")) == [(6, message, "error")]


def test_mentions_are_in_order_the_longer_first(read):
    layers = ["#T_SP=a.Ref|entity", "#T_RL=a.Coref|type|BT_a.Ref"]
    document = read(rows(layers, "x[2]|x[1]\t_\t_", "x[1]|x[3]\tana\t1-1[2_3]"))
    assert spans(document) == {"1": [(0, 1)], "2": [(0, 0), (1, 1)]}


def test_part_of_a_token_is_taken_for_the_token(read, found):
    text = GOOD.replace(
        "1-5\t17-21\tdoor\t",
        "1-4.1\t12-14\tba\tx[9]\t*[9]\tcoref\t2-3[5_9]\t\n1-5\t17-21\tdoor\t",
    )
    assert spans(read(text))["3"] == [(3, 3), (3, 3), (8, 8)]
    assert len(read(text).tokens) == 10
    message = "a mention is on '1-4.1', which is part of a token"
    assert (11, message, "warning") in found(text)


def row(cells, text=GOOD):
    return text + cells.replace(" ", "\t") + "\n"


EMPTY = "_ _ _ _"
BROKEN = {
    "no row": (row("x"), 19, "'x' is no row of a token"),
    "no offsets": (
        row(f"3-1 x a {EMPTY}"),
        19,
        "'3-1\\tx\\ta\\t_\\t_\\t_\\t_' is no row",
    ),
    "no word": (row("3-1 0-1"), 19, "'3-1\\t0-1' is no row of a token"),
    "no token": (
        row(f"3 0-1 a {EMPTY}"),
        19,
        "'3\\t0-1\\ta\\t_\\t_\\t_\\t_' is no row",
    ),
    "few": (row("3-1 0-1 a _ _ _"), 19, "the row has 6 columns, expected 7"),
    "many": (row(f"3-1 0-1 a {EMPTY} _"), 19, "the row has 8 columns, expected 7"),
    "twice": (row(f"2-4 0-1 a {EMPTY}"), 19, "token '2-4' is repeated"),
    "part": (
        row(f"3-1.1 0-1 a {EMPTY}"),
        19,
        "'3-1.1' is part of a token that was not there before",
    ),
    "no mention": (
        GOOD.replace("2-1[4_0]", "2-1[9_0]"),
        7,
        "the relation with '2-1[9_0]' has no mention there",
    ),
    "no mention here": (
        GOOD.replace("2-1[4_0]", "2-1[4_9]"),
        7,
        "the relation with '2-1[4_9]' has no mention there",
    ),
    "nothing there": (
        GOOD.replace("2-1[4_0]", "2-2"),
        7,
        "the relation with '2-2' has no mention there",
    ),
    "no reference": (
        GOOD.replace("2-1[4_0]", "x"),
        7,
        "the relation with 'x' has no mention there",
    ),
    "two relations": (
        GOOD.replace("\tana\t", "\tana|ana\t"),
        7,
        "2 relations lead to 1 places",
    ),
    "no format": (
        GOOD.replace("#FORMAT", "#FORM"),
        1,
        "the first line is not '#FORMAT=WebAnno TSV 3.2', or another 3",
    ),
    "no layer": (
        GOOD.replace("Coref|", "Kin|"),
        1,
        "no layer of coreference among the layers: 'webanno.custom.Referent', "
        "'webanno.custom.Kin'",
    ),
    "no base": (
        GOOD.replace("BT_webanno.custom.Referent", "BT_x"),
        1,
        "layer 'webanno.custom.Coref' relates 'x', which is no layer",
    ),
    "not UTF-8": (GOOD.encode() + b"3-1\xff", 19, "byte 4 of the line is not UTF-8"),
}


@pytest.mark.parametrize(("text", "line", "message"), BROKEN.values(), ids=BROKEN)
def test_broken_file_is_a_problem_and_refused(put, text, line, message):
    # The repeated mention is told too.
    assert laws.check_fault(put(text), "webanno", line, message, alone=False).hint


def test_problems_are_listed_all_at_once(found):
    text = GOOD.replace("2-1[4_0]", "x").replace("\tdoor", "") + "y\n"
    assert [line for line, _, severity in found(text) if severity == "error"] == [
        7,
        11,
        19,
    ]


def test_header_alone_is_a_document_without_words(read):
    assert read(HEADER) == Document("story", (), ())


@reading.heads(
    own=[
        GOOD.encode(),
        b"#FORMAT=WebAnno TSV 3.0\n",
        b"\n#FORMAT=WebAnno TSV 3.3\n",
    ],
    others=[
        b"#FORMAT=WebAnno TSV 2\n",
        b"1-1\t0-3\tAnn\n",
        b"",
        b"\xff\xfe\x00",
    ],
)
def test_recognise_looks_at_the_first_line(head, expected):
    assert recognise(head) is expected


letters = st.characters(exclude_categories=["Cs"])
values = st.text(letters, max_size=3) | st.sampled_from(
    ["person", "*", "_", "a|b[3]", "->\\", "\\|", "\r", "x\\"]
)
names = st.sampled_from(["infstat", "entity", "ROLE_x", "a|b", "mention_type"])


@st.composite
def documents(draw, distinct=False):
    """Draw a document with types, attributes, bridges and split antecedents."""
    sentences = draw(drawn.sentences(values, longest=5, most=3))
    attributes = st.dictionaries(names | st.just("type"), values, max_size=3)
    pair = st.tuples(drawn.spans(sum(map(len, sentences))), attributes)
    ids = [f"e{number}" for number in range(draw(st.integers(1, 4)))]
    split = st.lists(st.sampled_from(ids), max_size=2).map(tuple)
    entities = []
    seen = set()
    for one in ids:
        spans = draw(st.lists(pair, min_size=1, max_size=3))
        mentions = tuple(Mention(*span, attributes=known) for span, known in spans)
        if not (distinct and (seen & {*mentions} or len({*mentions}) < len(mentions))):
            entities.append(Entity(one, mentions, draw(split)))
        seen.update(mentions)
    assume(entities)
    mentions = st.sampled_from([one for entity in entities for one in entity])
    bridges = st.builds(
        Bridge, mentions, st.sampled_from([*ids, "gone"]), mentions | st.none(), values
    )
    return Document(
        "story",
        sentences,
        tuple(entities),
        bridges=tuple(draw(st.lists(bridges, max_size=3))),
    )


@given(documents())
def test_reading_and_writing_is_stable(tmp_path_factory, document):
    folder = tmp_path_factory.mktemp("webanno")
    (first,) = reading.again(folder, "webanno", document)
    assert len(first.tokens) == len(document.tokens)
    assert partition(first) == partition(document)
    laws.check_same_again(folder, "webanno", first)


def partition(document):
    """Give the entities with what is known of their mentions, in any order."""
    return sorted(
        sorted(
            (*mention, sorted(_renamed(mention.attributes).items()))
            for mention in entity
        )
        for entity in document
    )


def _renamed(attributes):
    """Name attributes as they are written."""
    written_names = {"ROLE_x": "_ROLE_x", "a|b": "a_b"}
    return {written_names.get(name, name): attributes[name] for name in attributes}


def test_bridges_and_splits_are_read_back(tmp_path):
    first, second, third = Mention(0, 0), Mention(1, 2), Mention(2, 2)
    document = Document(
        "story",
        (("a", "b", "c"),),
        (
            Entity("1", (first,)),
            Entity("2", (second,)),
            Entity("3", (third,), split=("1", "2")),
        ),
        bridges=(Bridge(third, "1", first, "def"), Bridge(first, "2", second)),
    )
    laws.check_same_again(tmp_path, "webanno", document)


@given(documents(distinct=True))
@settings(max_examples=15)
def test_scores_as_json_lines(tmp_path_factory, document):
    words = tuple(("a",) * len(one) for one in document.sentences)
    document = dataclasses.replace(document, sentences=words, bridges=())
    laws.check_scores(tmp_path_factory.mktemp("webanno"), "webanno", document)


def test_file_is_written_as_the_tools_do(tmp_path):
    mention = Mention(1, 2, attributes={"infstat": "a_b"})
    entity = Entity("1", (Mention(0, 0, attributes={"type": "x"}), mention))
    document = Document("story", (("😀", "a\\", "b"), (), ("c",)), (entity,))
    reading.again(tmp_path, "webanno", document)
    assert (tmp_path / "story.webanno.tsv").read_text("utf-8").splitlines() == [
        "#FORMAT=WebAnno TSV 3.3",
        "#T_SP=webanno.custom.Referent|entity|infstat",
        "#T_RL=webanno.custom.Coref|type|BT_webanno.custom.Referent",
        "",
        "",
        "#Text=😀 a\\\\ b",
        "1-1\t0-2\t😀\tx[1]\t*[1]\tcoref\t1-2[2_1]\t",
        "1-2\t3-5\ta\\\t*[2]\ta\\_b[2]\t_\t_\t",
        "1-3\t6-7\tb\t*[2]\ta\\_b[2]\t_\t_\t",
        "",
        "#Text=c",
        "2-1\t8-9\tc\t_\t_\t_\t_\t",
    ]


def test_document_without_words_gets_placeholders(tmp_path):
    laws.check_placeholders(tmp_path, "webanno")


@pytest.mark.parametrize("words", [(), (("a",),)])
def test_document_without_entities_is_read_back(tmp_path, words):
    laws.check_same_again(tmp_path, "webanno", Document("story", words, ()))


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(content):
    laws.check_survives("webanno", {"story.tsv": HEADER.encode() + content})


@given(drawn.damaged(GOOD, b"\t|\\[1"))
def test_damaged_file_is_read_or_refused(content):
    laws.check_survives("webanno", {"story.tsv": content})


@pytest.mark.parametrize("cut", range(0, len(GOOD), 23))
def test_cut_off_file_is_read_or_refused(put, cut):
    laws.check_read_or_refused(put(GOOD[:cut]), "webanno")


@needs_samples
class TestSamples:
    NASA = SAMPLES / "webanno-tsv" / "GUM_news_nasa.tsv"

    def test_only_own_samples_are_recognised(self):
        assert reading.recognised_samples(recognise) == [
            "webanno-tsv/GUM_news_nasa.tsv"
        ]

    def test_sample_is_read_back(self, tmp_path):
        laws.check_sound_sample(tmp_path, "webanno", self.NASA)

    def test_sample_is_what_gum_has_as_conllu(self):
        (found,) = corefkit.read(self.NASA, format="webanno")
        source = open_source(DATA / "gum" / "gum-test.conllu", format="conllu")
        conllu = source.document(list(source.ids).index("GUM_news_nasa"))
        source.close()
        assert found.sentences == conllu.sentences
        assert spans(found) == spans(conllu)
        assert [one.split for one in found] == [one.split for one in conllu]
        bridges = [(one.anaphor, one.antecedent) for one in found.bridges]
        assert bridges == [(one.anaphor, one.antecedent) for one in conllu.bridges]
        shared = ("type", "infstat", "salience", "identity", "centering")
        for one, other in zip(found, conllu, strict=True):
            for mention, its in zip(one, other, strict=True):
                # GUM writes `%2D` for the hyphen, which has a meaning in CoNLL-U.
                known = {
                    name: unquote(value) for name, value in mention.attributes.items()
                }
                assert known == {
                    name: unquote(its.attributes[name])
                    for name in shared
                    if name in its.attributes
                }
