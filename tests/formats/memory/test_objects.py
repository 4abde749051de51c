"""Documents of spaCy and stanza, and data frames, taken as they are."""

from __future__ import annotations

import sys
from dataclasses import asdict
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from raising import raises

import corefkit
from corefkit import Document, Entity, FormatError, Mention
from corefkit.formats import frames
from corefkit.formats.libraries import convert_document, open_table

COLUMNS = {
    "document": ["a", "b", "a", "a"],
    "entity": ["x", "x", "y", "x"],
    "start": [0, 1, 2, 5],
    "end": [1, 1, 4, 5],
    "head": [1, None, None, 5],
    "gaps": [None, None, "3-3", None],
    "type": ["person", None, "", "place"],
}


def documents_of(value):
    return list(corefkit.read(value))


TABLE = [
    Document(
        "a",
        (),
        (
            Entity(
                "x",
                (
                    Mention(0, 1, head=1, attributes={"type": "person"}),
                    Mention(5, 5, head=5, attributes={"type": "place"}),
                ),
            ),
            Entity("y", (Mention(2, 4, ((3, 3),)),)),
        ),
    ),
    Document("b", (), (Entity("x", (Mention(1, 1),)),)),
]


def pandas_frame(columns):
    return pytest.importorskip("pandas").DataFrame(columns)


def object_frame(columns):
    return pytest.importorskip("pandas").DataFrame(columns, dtype=object)


def nullable_frame(columns):
    return pandas_frame(columns).convert_dtypes()


def arrow_typed_frame(columns):
    pytest.importorskip("pyarrow", reason="these columns need pyarrow")
    return pandas_frame(columns).convert_dtypes(dtype_backend="pyarrow")


def categorical_frame(columns):
    return pandas_frame(columns).astype({"document": "category"})


def polars_frame(columns):
    return pytest.importorskip("polars").DataFrame(columns)


def lazy_frame(columns):
    return polars_frame(columns).lazy()


def enumerated_frame(columns):
    polars = pytest.importorskip("polars")
    texts = polars_frame(columns).cast({"document": polars.String})
    return texts.cast({"document": polars.Categorical})


def arrow_table(columns):
    return pytest.importorskip("pyarrow").table(columns)


def record_batch(columns):
    return pytest.importorskip("pyarrow").RecordBatch.from_pydict(columns)


def chunked_table(columns):
    pyarrow = pytest.importorskip("pyarrow")
    table = arrow_table(columns)
    return pyarrow.concat_tables([table.slice(0, 1), table.slice(1)])


FRAMES = [
    pandas_frame,
    object_frame,
    nullable_frame,
    arrow_typed_frame,
    categorical_frame,
    polars_frame,
    lazy_frame,
    enumerated_frame,
    arrow_table,
    record_batch,
    chunked_table,
]


@pytest.mark.parametrize("frame", FRAMES)
class TestFrames:
    def test_frame_is_read_as_documents(self, frame):
        found = documents_of(frame(COLUMNS))
        assert [asdict(one) for one in found] == [asdict(one) for one in TABLE]

    def test_frame_is_scored(self, frame):
        result = corefkit.score(frame(COLUMNS), frame(COLUMNS))
        assert {score.f1 for score in result.scores.values()} == {1.0}
        assert (result.key, result.response) == ("key", "response")

    def test_result_does_not_depend_on_blocks(self, frame, monkeypatch):
        monkeypatch.setattr(frames, "_BLOCK_ROWS", 1)
        found = documents_of(frame(COLUMNS))
        assert [asdict(one) for one in found] == [asdict(one) for one in TABLE]

    def test_names_are_read_as_names(self, frame):
        columns = {
            "document": ["c", "c", "c"],
            "entity": [2, 2, 7],
            "mention": ["é one", "3-4", "x"],
        }
        (document,) = documents_of(frame(columns))
        assert [document.text(entity.mentions[0]) for entity in document] == [
            "é one",
            "x",
        ]
        assert [entity.id for entity in document] == ["2", "7"]
        partition = {"c": [["é one", "3-4"], ["x"]]}
        key, response = frame(columns), pandas_or_rows(partition)
        assert corefkit.score(key, response)["b_cubed"].f1 == 1

    def test_numbers_and_texts_are_equivalent(self, frame, tmp_path):
        columns = {"document": [1, 1], "entity": [5, 5], "mention": [17, 10**12]}
        table = tmp_path / "table.tsv"
        table.write_text(f"document\tentity\tmention\n1\te\t17\n1\te\t{10**12}\n")
        assert corefkit.score(frame(columns), table)["muc"].f1 == 1

    def test_problems_name_the_row(self, frame):
        columns = COLUMNS | {"end": [1, 1, 1, 5]}
        with raises(
            FormatError, "format/invalid-span", place="response, row 2"
        ) as refused:
            corefkit.score(frame(COLUMNS), frame(columns))
        assert "before its start 2" in refused.value.message

    def test_missing_cell_is_reported(self, frame):
        with raises(FormatError, "format/invalid-record", place="documents, row 1"):
            documents_of(frame(COLUMNS | {"entity": ["x", None, "y", "x"]}))

    def test_missing_columns_are_reported(self, frame):
        columns = {name: COLUMNS[name] for name in ("document", "start", "end")}
        with raises(FormatError, "input/invalid-columns", place="key") as refused:
            corefkit.score(frame(columns), frame(COLUMNS))
        assert refused.value.message == (
            "found columns 'document', 'start', 'end', expected document, entity, and "
            "mention or start and end"
        )

    def test_empty_frame_has_no_documents(self, frame):
        columns = {name: values[:0] for name, values in COLUMNS.items()}
        assert documents_of(frame(columns)) == []


def pandas_or_rows(partition):
    """Put a corpus into an Arrow table, or a data frame where there is none."""
    rows = [
        (document, number, mention)
        for document, entities in partition.items()
        for number, entity in enumerate(entities)
        for mention in entity
    ]
    columns = dict(
        zip(("document", "entity", "mention"), zip(*rows, strict=True), strict=True)
    )
    return pytest.importorskip("pandas").DataFrame(columns)


@pytest.mark.parametrize("kind", ["Int8", "Int32", "Int128", "UInt64", "Float32"])
def test_polars_numbers_of_any_type_are_read(kind):
    polars = pytest.importorskip("polars")
    if not hasattr(polars, kind):
        pytest.skip(f"this Polars has no {kind}")
    numbers = polars.col("start", "end").cast(getattr(polars, kind))
    assert documents_of(polars_frame(COLUMNS).with_columns(numbers)) == TABLE


@pytest.mark.parametrize(
    "kind", ["int8", "int32", "uint64", "float32", "Int16", "category", "string"]
)
def test_pandas_numbers_of_any_type_are_read(kind):
    frame = pandas_frame(COLUMNS).astype({"start": kind, "end": kind})
    assert documents_of(frame) == TABLE


@pytest.mark.parametrize("frame", FRAMES)
def test_exclusive_ends_are_reported(frame):
    columns = COLUMNS | {"end": [end + 1 for end in COLUMNS["end"]]}
    columns = {name: columns[name] for name in ("document", "entity", "start", "end")}
    (warning,) = corefkit.score(frame(COLUMNS), frame(columns)).warnings
    assert "with its ends taken as exclusive, 100.0 %" in warning


class TestPandas:
    def test_index_and_unknown_columns_are_ignored(self):
        frame = pandas_frame(COLUMNS)
        frame.index = [9.5, 9.5, "x", None]
        frame[7] = [object(), [1], {}, None]
        found = documents_of(frame)
        assert [one.id for one in found] == ["a", "b"]
        assert found[0].entities[1].mentions[0].attributes == {"7": "{}"}

    def test_floats_with_missing_values_are_numbers(self):
        frame = pandas_frame(
            {"document": [1.0, 1.0], "entity": [2.0, 3.0], "mention": ["a", "b"]}
        )
        (document,) = documents_of(frame)
        assert (document.id, [entity.id for entity in document]) == ("1", ["2", "3"])

    def test_duplicate_columns_are_rejected(self):
        pandas = pytest.importorskip("pandas")
        columns = ["document", "entity", "entity", "mention"]
        frame = pandas.DataFrame([["d", "e", "f", "x"]], columns=columns)
        with raises(FormatError, "input/invalid-columns", place="documents"):
            documents_of(frame)

    def test_series_is_read_as_partition(self):
        pandas = pytest.importorskip("pandas")
        series = pandas.Series([["a", "b"], ["c"]])
        assert corefkit.score(series, ["ab", "c"])["muc"].f1 == 1

    def test_subclass_of_frame_is_read_as_frame(self):
        pandas = pytest.importorskip("pandas")

        class Mine(pandas.DataFrame):
            pass

        assert documents_of(Mine(COLUMNS)) == TABLE


@given(
    rows=st.lists(
        st.tuples(
            st.sampled_from(["a", "b", "é"]),
            st.integers(0, 3),
            st.sampled_from(["x", "y z", "3-4", "7", "0", "rec-1", "", "ü" * 9]),
        ),
        max_size=12,
    )
)
def test_all_libraries_give_the_same_scores(rows):
    rows = [row for row in rows if row[2]]
    names = ("document", "entity", "mention")
    columns = {name: [row[at] for row in rows] for at, name in enumerate(names)}
    made = [
        documents_of(frame(columns))
        for frame in (pandas_frame, polars_frame, arrow_table)
    ]
    assert len({repr(documents) for documents in made}) == 1
    if rows:
        key, response = pandas_frame(columns), polars_frame(columns)
        assert corefkit.score(key, response)["mentions"].f1 == 1


@pytest.mark.parametrize("frame", [object_frame, polars_frame, lazy_frame])
def test_pyarrow_is_not_required_for_data_frames(frame, monkeypatch):
    table = frame(COLUMNS)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert documents_of(table) == TABLE


def test_text_that_is_not_utf8_is_rejected():
    pyarrow = pytest.importorskip("pyarrow")
    broken = pyarrow.array([b"\xff"]).view(pyarrow.string())
    table = pyarrow.table({"document": broken, "entity": ["e"], "mention": ["x"]})
    with raises(FormatError, "format/invalid-table", place="key"):
        corefkit.score(table, table)


@pytest.mark.parametrize(
    "value", ["path", None, 7, [], [1], ["ab"], {"d": []}, np.ones(3)]
)
def test_other_objects_are_not_converted(value):
    assert open_table(value, "key") is None
    assert convert_document(value) is None


class TestSpacy:
    @pytest.fixture
    def doc(self):
        spacy = pytest.importorskip("spacy", reason="spaCy is not installed")
        words = ["Ann", "saw", "the", "dog", ".", "She", "ran", "."]
        made = spacy.tokens.Doc(
            spacy.blank("en").vocab,
            words=words,
            heads=[1, 1, 3, 1, 1, 6, 6, 6],
            deps=["nsubj", "ROOT", "det", "obj", "punct", "nsubj", "ROOT", "punct"],
            lemmas=["Ann", "see", "the", "dog", ".", "she", "run", "."],
            pos=["PROPN", "VERB", "DET", "NOUN", "PUNCT", "PRON", "VERB", "PUNCT"],
            tags=["NNP", "VBD", "DT", "NN", ".", "PRP", "VBD", "."],
            sent_starts=[True, False, False, False, False, True, False, False],
        )
        made.spans["coref_clusters_1"] = [made[0:1], made[5:6]]
        made.spans["coref_clusters_2"] = [made[2:4]]
        return made

    def test_span_groups_become_entities(self, doc):
        (document,) = documents_of(doc)
        assert document.id == "document"
        assert document.sentences == (
            ("Ann", "saw", "the", "dog", "."),
            ("She", "ran", "."),
        )
        assert [asdict(entity) for entity in document] == [
            asdict(Entity("1", (Mention(0, 0, head=0), Mention(5, 5, head=5)))),
            asdict(Entity("2", (Mention(2, 3, head=3),))),
        ]

    def test_annotation_of_tokens_becomes_layers(self, doc):
        (document,) = documents_of(doc)
        layers = {name: " ".join(values) for name, values in document.layers.items()}
        assert layers == {
            "lemma": "Ann see the dog . she run .",
            "upos": "PROPN VERB DET NOUN PUNCT PRON VERB PUNCT",
            "xpos": "NNP VBD DT NN . PRP VBD .",
            "head": "2 0 4 2 2 2 0 2",
            "deprel": "nsubj ROOT det obj punct nsubj ROOT punct",
        }

    def test_plain_text_has_one_sentence_and_no_heads(self):
        spacy = pytest.importorskip("spacy", reason="spaCy is not installed")
        doc = spacy.blank("en")("Ann saw her.")
        doc.spans["coref_clusters_1"] = [doc[0:1], doc[2:3]]
        (document,) = documents_of(doc)
        assert document.sentences == (("Ann", "saw", "her", "."),)
        assert [mention.head for mention in document.entities[0]] == [None, None]
        assert document.layers == {}

    def test_groups_of_heads_are_used_without_spans(self, doc):
        doc.spans["coref_head_clusters_1"] = [doc[3:4]]
        assert len(documents_of(doc)[0]) == 2
        for name in ("coref_clusters_1", "coref_clusters_2"):
            del doc.spans[name]
        (document,) = documents_of(doc)
        assert [list(map(tuple, entity)) for entity in document] == [[(3, 3)]]

    def test_other_groups_are_ignored(self, doc):
        doc.spans["coref_mentions"] = doc.spans["sc"] = [doc[0:1], doc[1:2]]
        doc.spans["coref_clusters_3"] = []
        assert [entity.id for entity in documents_of(doc)[0]] == ["1", "2"]

    @pytest.fixture
    def bare(self, doc):
        for name in list(doc.spans):
            del doc.spans[name]
        return doc

    @pytest.fixture
    def extended(self, bare):
        kind = type(bare)
        before = [
            name
            for name in ("coref_clusters", "coref_chains")
            if kind.has_extension(name)
        ]
        assert before == []

        def extended(name, value):
            kind.set_extension(name, default=None)
            setattr(bare._, name, value)
            return bare

        yield extended
        for name in ("coref_clusters", "coref_chains"):
            if kind.has_extension(name):
                kind.remove_extension(name)

    def test_document_without_predictions_has_no_entities(self, bare, extended):
        assert documents_of(bare)[0].entities == ()
        assert documents_of(extended("coref_clusters", None))[0].entities == ()

    def test_character_spans_become_entities(self, extended):
        # "Ann saw the dog . She ran ." by characters; the last is part of a word.
        doc = extended("coref_clusters", [[(0, 3), (18, 21)], [(8, 14)]])
        (document,) = documents_of(doc)
        assert [list(map(tuple, entity)) for entity in document] == [
            [(0, 0), (5, 5)],
            [(2, 3)],
        ]
        assert document.entities[1].mentions[0].head == 3

    def test_characters_outside_the_text_are_rejected(self, extended):
        doc = extended("coref_clusters", [[(0, 300)]])
        with raises(FormatError, "input/outside-text", place="doc._.coref_clusters"):
            documents_of(doc)

    def test_lists_of_tokens_become_entities(self, extended):
        chain = [
            SimpleNamespace(token_indexes=[0, 3]),
            SimpleNamespace(token_indexes=[5]),
        ]
        (document,) = documents_of(extended("coref_chains", [chain]))
        assert [mention.parts for mention in document.entities[0]] == [
            ((0, 0), (3, 3)),
            ((5, 5),),
        ]

    def test_id_is_read_from_user_data(self, doc):
        doc.user_data["id"] = 7
        assert documents_of(doc)[0].id == "7"
        assert [one.id for one in documents_of([doc])] == ["7"]

    def test_documents_in_a_list_are_numbered(self, doc):
        assert [one.id for one in documents_of([doc, doc])] == ["0", "1"]

    def test_empty_document_is_converted(self):
        spacy = pytest.importorskip("spacy", reason="spaCy is not installed")
        (document,) = documents_of(spacy.blank("en")(""))
        assert (document.tokens, document.entities) == ((), ())

    def test_scores_against_other_inputs(self, doc, tmp_path):
        doc.user_data["id"] = "d"
        path = tmp_path / "file.jsonl"
        corefkit.write(documents_of(doc), path)
        for key in (doc, [doc], (one for one in [doc]), {"d": doc}, documents_of(doc)):
            assert corefkit.score(key, path)["lea"].f1 == 1
            assert corefkit.score(path, doc)["lea"].f1 == 1


def stanza_class(name, module="stanza.models.common.doc"):
    """Make a class that is called as one of stanza's."""
    return type(name, (SimpleNamespace,), {"__module__": module})


StanzaDocument = stanza_class("Document")
Word = stanza_class("Word")
Mentioned = stanza_class("CorefMention", "stanza.models.coref.coref_chain")
Chain = stanza_class("CorefChain", "stanza.models.coref.coref_chain")


def word(number, text, head=None, **others):
    return Word(id=number, text=text, head=head, **others)


def stanza_document(*chains, doc_id=None):
    """Make a document of two sentences, the second with an empty word."""
    first = SimpleNamespace(
        words=[
            word(1, "Ana", 2, upos="PROPN", lemma="Ana"),
            word(2, "vio", 0, upos="VERB", lemma="ver"),
            word(3, "el", 4, upos="DET", lemma="el"),
            word(4, "perro", 2, upos="NOUN", lemma="perro"),
        ],
        doc_id=doc_id,
    )
    second = SimpleNamespace(
        words=[word(1, "Luego", 2), word(2, "corrió", 0)],
        empty_words=[word((1, 1), "_")],
        doc_id=None,
    )
    made = [
        Chain(index=number, mentions=[Mentioned(**place) for place in places])
        for number, places in enumerate(chains)
    ]
    return StanzaDocument(sentences=[first, second], coref=made)


def place(sentence, start, end):
    return {"sentence": sentence, "start_word": start, "end_word": end}


class TestStanza:
    def test_chains_become_entities(self):
        chains = ([place(0, 0, 1), place(1, (1, 1), (1, 1))], [place(0, 2, 4)])
        (document,) = documents_of(stanza_document(*chains))
        assert document.sentences == (
            ("Ana", "vio", "el", "perro"),
            ("Luego", "_", "corrió"),
        )
        assert document.empty == (5,)
        assert [asdict(entity) for entity in document] == [
            asdict(Entity("0", (Mention(0, 0, head=0), Mention(5, 5, head=5)))),
            asdict(Entity("1", (Mention(2, 3, head=3),))),
        ]

    def test_empty_words_shift_the_words_after_them(self):
        (document,) = documents_of(stanza_document([place(1, 1, 2)], [place(1, 0, 2)]))
        assert [tuple(entity.mentions[0]) for entity in document] == [(6, 6), (4, 6)]

    def test_annotation_of_words_becomes_layers(self):
        (document,) = documents_of(stanza_document())
        assert document.layers == {
            "lemma": ("Ana", "ver", "el", "perro", "_", "_", "_"),
            "upos": ("PROPN", "VERB", "DET", "NOUN", "_", "_", "_"),
            "head": ("2", "0", "4", "2", "2", "_", "0"),
        }

    def test_mentions_have_no_heads_without_a_parse(self):
        made = stanza_document([place(0, 2, 4)])
        for one in made.sentences[0].words:
            one.head = None
        assert documents_of(made)[0].entities[0].mentions[0].head is None

    def test_id_is_that_of_the_first_sentence(self):
        assert documents_of(stanza_document(doc_id="story"))[0].id == "story"
        assert documents_of(stanza_document())[0].id == "document"
        both = [stanza_document(doc_id="story"), stanza_document()]
        assert [one.id for one in documents_of(both)] == ["story", "1"]
        made = stanza_document()
        made.sentences[0].comments = ["# text = Ana", "# newdoc id = from comments "]
        assert documents_of(made)[0].id == "from comments"

    def test_documents_without_chains_have_no_entities(self):
        made = stanza_document()
        made.coref = None
        assert documents_of(made)[0].entities == ()

    def test_scores_against_documents(self):
        made = stanza_document([place(0, 0, 1), place(1, 1, 2)])
        (document,) = documents_of(made)
        assert corefkit.score(made, document)["muc"].f1 == 1
