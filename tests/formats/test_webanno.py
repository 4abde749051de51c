"""WebAnno TSV 3: the numbered rules of the format, errors, and writing."""

from __future__ import annotations

import dataclasses
from urllib.parse import unquote

import pytest
from files import written
from formats import drawn, laws, reading
from formats.examples import WEBANNO, WEBANNO_HEADER
from formats.reading import DATA, SAMPLES, everything, needs_samples, spans
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import corefkit
from corefkit import Document, Entity, Mention
from corefkit.formats import open_source
from corefkit.formats.webanno import recognise
from corefkit.model import Bridge


@pytest.fixture
def put(tmp_path):
    return lambda text: written(tmp_path / "story.tsv", text)


read, found = reading.reads_one("webanno"), reading.finds("webanno")


LAYERS = ["#T_SP=a.Ref|entity", "#T_RL=a.Coref|type|BT_a.Ref"]


def rows(layers, *columns):
    """Write a sentence of one-letter words from its layers and its columns."""
    lines = ["#FORMAT=WebAnno TSV 3.3", *layers, "", "", "#Text=a"]
    for number, cells in enumerate(columns):
        unit, word = f"1-{number + 1}", "abcdefgh"[number]
        lines.append("\t".join((unit, f"{2 * number}-{2 * number + 1}", word, cells)))
    return "\n".join([*lines, ""])


def test_rows_are_read_as_a_document(read):
    document = read(WEBANNO)
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
    assert found(WEBANNO) == [(15, "format/repeated-mention", "warning")]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(WEBANNO.removesuffix("\t\n"), id="no final tab and newline"),
        pytest.param(WEBANNO.replace("\t\n", "\n"), id="no final tabs"),
        pytest.param(WEBANNO.replace("#Text", "#Sentence.id=7\n#Text"), id="comments"),
        pytest.param(WEBANNO.replace("\n\n", "\n"), id="no blank lines"),
        pytest.param(WEBANNO.replace("new[2]|*[3]", "new[2]"), id="no missing value"),
    ],
)
def test_equivalent_files_are_read_the_same_way(read, text):
    assert everything(read(text)) == everything(read(WEBANNO))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("story.tsv", "story"),
        ("story.webanno.tsv", "story"),
        ("story.v2.tsv.gz", "story.v2"),
        ("story", "story"),
    ],
)
def test_document_is_named_after_the_file(tmp_path, name, expected):
    (document,) = corefkit.read(written(tmp_path / name, WEBANNO), format="webanno")
    assert document.id == expected


def test_words_have_no_escapes(read):
    text = rows(LAYERS, "_\t_\t_").replace("\ta\t", "\t\\_ x|y\t")
    assert read(text).tokens == ("\\_ x|y",)


def test_values_are_unescaped(read):
    value = r"\[1\]\|\_\*\;\->\\\t\n\x"
    document = read(rows(LAYERS, rf"{value}[1]|\\[2]" + "\t_\t_"))
    types = [entity.mentions[0].attributes["type"] for entity in document]
    assert types == ["[1]|_*;->\\\t\n\\x", "\\"]


def test_annotation_covers_all_from_its_first_token_to_its_last(read):
    document = read(rows(LAYERS, "x[1]\t_\t_", "_\t_\t_", "x[1]\t_\t_"))
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
def test_features_are_attributes(read, features, names):
    layers = [f"#T_SP=a.Ref|{features}", "#T_RL=a.Coref|type|BT_a.Ref"]
    (entity,) = read(rows(layers, "1\t2\t_\t_"))
    expected = dict(zip(names, "12", strict=True))
    assert entity.mentions[0].attributes == expected


def test_other_layers_and_slots_are_ignored(read):
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
def test_reference_identifies_source_and_target(read, reference):
    document = read(rows(LAYERS, "x[1]|x[2]\t_\t_", f"x[3]|x[4]\t*\t{reference}"))
    assert spans(document)["1"] == [(0, 0), (1, 1)]
    assert len(document) == 3


def test_first_feature_is_the_name_of_a_relation_without_type(read):
    layers = ["#T_SP=a.Ref|entity", "#T_RL=a.Coref|kind|note|BT_a.Ref"]
    assert len(read(rows(layers, "x\t_\t_\t_", "x\tana\tbridge\t1-1"))) == 1
    assert len(read(rows(layers, "x\t_\t_\t_", "x\tbridge\tana\t1-1"))) == 2


@pytest.mark.parametrize("kind", ["coref", "ana", "cata", "appos", "pred", "disc", "_"])
def test_mentions_are_linked_by_any_relation(read, kind):
    layers = ["#T_SP=a.Ref|entity", "#T_RL=a.Anaphora|type|BT_a.Ref"]
    document = read(rows(layers, f"x\t{kind}\t1-2", "x\t_\t_"))
    assert spans(document) == {"1": [(0, 0), (1, 1)]}


@pytest.mark.parametrize(
    ("kind", "relation"),
    [("bridge", ""), ("bridge:def", "def"), ("bridging", ""), ("Bridge\\_x:y", "x:y")],
)
def test_bridge_leads_from_the_anaphor(read, kind, relation):
    document = read(rows(LAYERS, f"x\t{kind}|coref\t1-2|1-3", "x\t_\t_", "x\t_\t_"))
    assert spans(document) == {"1": [(0, 0), (2, 2)], "2": [(1, 1)]}
    assert document.bridges == (Bridge(Mention(1, 1), "1", Mention(0, 0), relation),)


def test_aggregation_is_a_split_antecedent(read):
    document = read(
        rows(LAYERS, "x\tbridge:aggr\t1-3", "x\tbridge:aggr\t1-3", "x\t_\t_")
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

    def test_chains_of_two_layers_are_separate(self, read):
        layers = [self.LAYER, self.LAYER.replace("a.", "b.")]
        document = read(rows(layers, "x[1]\t*->1-1\t_\t_", "_\t_\tx[1]\t*->1-2"))
        assert spans(document) == {"1": [(0, 0)], "2": [(1, 1)]}

    def test_invalid_link_is_an_error(self, found):
        code = "format/invalid-annotation"
        assert found(rows([self.LAYER], "x[1]\tcoref")) == [(6, code, "error")]


def test_longer_mentions_come_first(read):
    document = read(rows(LAYERS, "x[2]|x[1]\t_\t_", "x[1]|x[3]\tana\t1-1[2_3]"))
    assert spans(document) == {"1": [(0, 1)], "2": [(0, 0), (1, 1)]}


def test_subtoken_is_read_as_its_token(read, found):
    text = WEBANNO.replace(
        "1-5\t17-21\tdoor\t",
        "1-4.1\t12-14\tba\tx[9]\t*[9]\tcoref\t2-3[5_9]\t\n1-5\t17-21\tdoor\t",
    )
    assert spans(read(text))["3"] == [(3, 3), (3, 3), (8, 8)]
    assert len(read(text).tokens) == 10
    code = "format/cut-token"
    assert (11, code, "warning") in found(text)


def row(cells, text=WEBANNO):
    return text + cells.replace(" ", "\t") + "\n"


EMPTY = "_ _ _ _"
BROKEN = {
    "no row": (row("x"), 19, "invalid-annotation"),
    "no offsets": (row(f"3-1 x a {EMPTY}"), 19, "invalid-annotation"),
    "no word": (row("3-1 0-1"), 19, "invalid-annotation"),
    "no token": (row(f"3 0-1 a {EMPTY}"), 19, "invalid-annotation"),
    "few": (row("3-1 0-1 a _ _ _"), 19, "wrong-columns"),
    "many": (row(f"3-1 0-1 a {EMPTY} _"), 19, "wrong-columns"),
    "twice": (row(f"2-4 0-1 a {EMPTY}"), 19, "repeated-id"),
    "part": (row(f"3-1.1 0-1 a {EMPTY}"), 19, "unknown-id"),
    "no mention": (WEBANNO.replace("2-1[4_0]", "2-1[9_0]"), 7, "unknown-id"),
    "no mention here": (WEBANNO.replace("2-1[4_0]", "2-1[4_9]"), 7, "unknown-id"),
    "nothing there": (WEBANNO.replace("2-1[4_0]", "2-2"), 7, "unknown-id"),
    "no reference": (WEBANNO.replace("2-1[4_0]", "x"), 7, "unknown-id"),
    "two relations": (
        WEBANNO.replace("\tana\t", "\tana|ana\t"),
        7,
        "invalid-annotation",
    ),
    "no format": (WEBANNO.replace("#FORMAT", "#FORM"), 1, "invalid-header"),
    "no layer": (WEBANNO.replace("Coref|", "Kin|"), 1, "invalid-header"),
    "no base": (
        WEBANNO.replace("BT_webanno.custom.Referent", "BT_x"),
        1,
        "invalid-header",
    ),
    "not UTF-8": (WEBANNO.encode() + b"3-1\xff", 19, "not-utf8"),
}


@pytest.mark.parametrize(("text", "line", "code"), BROKEN.values(), ids=BROKEN)
def test_error_is_reported_and_raised(put, text, line, code):
    # The repeated mention is reported too.
    assert laws.check_fault(
        put(text), "webanno", line, f"format/{code}", alone=False
    ).hint


def test_all_problems_are_reported(found):
    text = WEBANNO.replace("2-1[4_0]", "x").replace("\tdoor", "") + "y\n"
    assert [line for line, _, severity in found(text) if severity == "error"] == [
        7,
        11,
        19,
    ]


def test_header_alone_is_a_document_without_words(read):
    assert read(WEBANNO_HEADER) == Document("story", (), ())


@reading.heads(
    own=[
        WEBANNO.encode(),
        b"#FORMAT=WebAnno TSV 3.0\n",
        b"\n#FORMAT=WebAnno TSV 3.3\n",
    ],
    others=[b"#FORMAT=WebAnno TSV 2\n", b"1-1\t0-3\tAnn\n", b"", b"\xff\xfe\x00"],
)
def test_first_line_is_recognised(head, expected):
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
def test_written_document_scores_as_its_json_lines(tmp_path_factory, document):
    words = tuple(("a",) * len(one) for one in document.sentences)
    document = dataclasses.replace(document, sentences=words, bridges=())
    laws.check_scores(tmp_path_factory.mktemp("webanno"), "webanno", document)


def test_file_is_written_like_those_of_the_tools(tmp_path):
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


@pytest.mark.parametrize("words", [(), (("a",),)])
def test_document_without_entities_is_read_back(tmp_path, words):
    laws.check_same_again(tmp_path, "webanno", Document("story", words, ()))


@needs_samples
class TestSamples:
    NASA = SAMPLES / "webanno-tsv" / "GUM_news_nasa.tsv"

    def test_sample_is_read_back(self, tmp_path):
        laws.check_sound_sample(tmp_path, "webanno", self.NASA)

    def test_sample_equals_its_conllu_file(self):
        (found,) = corefkit.read(self.NASA, format="webanno")
        source = open_source(DATA / "gum" / "gum-test.conllu", format="conllu")
        conllu = source.read_document(list(source.ids).index("GUM_news_nasa"))
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
