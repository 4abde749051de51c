"""The corpus of a score: what changes its fingerprint, and what does not."""

from __future__ import annotations

from dataclasses import replace

import pytest
from builders import partitions, set_declaration
from files import json_line, written
from hypothesis import given
from hypothesis import strategies as st
from shared_files import DATA

import corefkit
from corefkit import Document, Entity, Fingerprint, Mention, Settings, differences
from corefkit.corpus import Declaration, compute_fingerprint
from corefkit.example import paths

KEY, CAREFUL, GREEDY = paths()
WORDS = tuple("abcdefghijkl")


def document(name, partition, words=WORDS):
    """Make a document whose mentions are single words, by number."""
    entities = [
        Entity(str(number), tuple(Mention(one, one) for one in entity))
        for number, entity in enumerate(partition)
    ]
    return Document(name, (tuple(words),), tuple(entities))


def hashes(corpus):
    return corpus.text, corpus.mention_set, corpus.entity_set


@st.composite
def corpora(draw):
    texts = draw(st.lists(st.permutations(WORDS), min_size=1, max_size=3))
    return [
        document(str(number), draw(partitions()), words)
        for number, words in enumerate(texts)
    ]


class TestSame:
    @given(corpora(), st.randoms())
    def test_order_and_names_are_ignored(self, documents, random):
        def shuffled(row):
            row = list(row)
            return tuple(random.sample(row, len(row)))

        others = [
            replace(
                one,
                id=f"other {one.id}",
                entities=shuffled(
                    Entity(f"x{entity.id}", shuffled(entity)) for entity in one
                ),
            )
            for one in documents
        ]
        assert compute_fingerprint(shuffled(others)) == compute_fingerprint(documents)

    @given(corpora())
    def test_score_has_the_fingerprint_of_its_key(self, documents):
        response = [replace(one, entities=()) for one in documents]
        assert corefkit.score(documents, response).corpus == compute_fingerprint(
            documents
        )

    @given(corpora())
    def test_plain_values_are_read_back(self, documents):
        corpus = compute_fingerprint(
            [set_declaration(one, Declaration(scheme="gum")) for one in documents]
        )
        assert corpus.declared.scheme == "gum"
        assert Fingerprint.from_dict(corpus.to_dict()) == corpus

    @pytest.mark.parametrize("name", ["key.conllu", "key.jsonl", "key.webanno.tsv"])
    def test_all_formats_have_the_same_fingerprint(self, name, tmp_path):
        format = "webanno" if "webanno" in name else None
        target = tmp_path / "folder" if format else tmp_path / name
        corefkit.write(corefkit.read(KEY), target, format=format)
        converted = corefkit.score(target, target).corpus
        assert converted == corefkit.score(KEY, GREEDY).corpus

    @pytest.mark.parametrize(
        "settings",
        [
            {"singletons": "drop"},
            {"average": "macro"},
            {"repeated": "error"},
            {"preset": "conll2012"},
        ],
        ids=str,
    )
    def test_settings_are_ignored(self, settings):
        plain = corefkit.score(KEY, CAREFUL).corpus
        assert corefkit.score(KEY, CAREFUL, **settings).corpus == plain

    def test_result_does_not_depend_on_blocks(self, monkeypatch):
        whole = corefkit.score(KEY, CAREFUL).corpus
        monkeypatch.setattr("corefkit.alignment.pipeline._BLOCK_BYTES", 1)
        assert corefkit.score(KEY, CAREFUL).corpus == whole

    def test_entities_that_do_not_refer_are_ignored(self):
        rain = Entity("rain", (Mention(5, 5),), referring=False)
        plain = document("d", [[0, 1]])
        rainy = replace(plain, entities=(rain, *plain.entities))
        assert compute_fingerprint([rainy]) == compute_fingerprint([plain])


class TestOther:
    @given(corpora(), st.data())
    def test_word(self, documents, data):
        at = data.draw(st.integers(0, len(documents) - 1))
        (words,) = documents[at].sentences
        changed = list(documents)
        changed[at] = replace(documents[at], sentences=(("z", *words[1:]),))
        one, other = compute_fingerprint(documents), compute_fingerprint(changed)
        assert one.text != other.text
        assert hashes(one)[1:] == hashes(other)[1:]

    @given(partitions().filter(lambda partition: len(partition) > 1))
    def test_entities_of_the_same_mentions(self, partition):
        first, second, *rest = partition
        one = compute_fingerprint([document("d", partition)])
        other = compute_fingerprint([document("d", [first + second, *rest])])
        assert one.mention_set == other.mention_set
        assert one.entity_set != other.entity_set

    def test_mention_that_moves(self):
        one = compute_fingerprint([document("d", [[0, 1]])])
        other = compute_fingerprint([document("d", [[0, 2]])])
        assert one.text == other.text
        assert one.mention_set != other.mention_set
        assert one.entity_set != other.entity_set

    def test_mention_that_two_documents_exchange(self):
        one = [document("1", [[0, 1]]), document("2", [[2, 3]])]
        other = [document("1", [[0, 3]]), document("2", [[2, 1]])]
        ours, theirs = compute_fingerprint(one), compute_fingerprint(other)
        assert ours.mention_set != theirs.mention_set

    def test_words_that_two_documents_exchange(self):
        one = [document("1", [], "ab"), document("2", [], "cd")]
        other = [document("1", [], "cb"), document("2", [], "ad")]
        assert compute_fingerprint(one).text != compute_fingerprint(other).text

    def test_gap(self):
        def corpus(mention):
            return compute_fingerprint(
                [Document("d", (WORDS,), (Entity("1", (mention,)),))]
            )

        spans = [Mention(1, 5), Mention.of([1, 2, 5]), Mention.of([1, 4, 5])]
        assert len({corpus(span).mention_set for span in spans}) == 3

    def test_ends_of_two_mentions(self):
        one = Document("d", (WORDS,), (Entity("1", (Mention(0, 3), Mention(1, 2))),))
        other = Document("d", (WORDS,), (Entity("1", (Mention(0, 2), Mention(1, 3))),))
        assert (
            compute_fingerprint([one]).mention_set
            != compute_fingerprint([other]).mention_set
        )


class TestUnknown:
    def test_names_have_no_hash(self):
        corpus = corefkit.score({"d": ["abc", "de"]}, {"d": ["ab"]}).corpus
        assert corpus == Fingerprint(documents=1, mentions=5, entities=2)
        assert corpus.to_dict() == {"documents": 1, "mentions": 5, "entities": 2}

    def test_file_without_words(self, tmp_path):
        bare = written(tmp_path / "bare.jsonl", json_line("d", None, [[[0, 0]], []]))
        corpus = corefkit.score(bare, bare).corpus
        assert (corpus.words, corpus.text, corpus.entities) == (None, "", 1)
        assert corpus.mention_set

    def test_no_document(self):
        assert compute_fingerprint([]) == Fingerprint()
        assert Fingerprint().to_dict() == {}

    @pytest.mark.parametrize(
        "values",
        [{}, {"documents": "4", "text": 7, "declared": "gold"}, {"moon": "full"}],
        ids=str,
    )
    def test_fields_of_another_type_are_ignored(self, values):
        assert Fingerprint.from_dict(values) == Fingerprint()

    def test_unknown_fields_are_not_different(self):
        corpus = corefkit.score(KEY, CAREFUL).corpus
        assert differences(corpus, Fingerprint()) == []
        assert differences(Fingerprint(), corpus) == []
        assert differences(corpus, replace(corpus, text="", words=None)) == []


class TestDifferences:
    FULL = Fingerprint(
        30, 26215, 7828, 5196, "a1", "b1", "c1", Declaration("gum", "gold", "gold")
    )

    @given(corpora())
    def test_corpus_does_not_differ_from_itself(self, documents):
        corpus = compute_fingerprint(documents)
        assert differences(corpus, compute_fingerprint(documents)) == []

    @pytest.mark.parametrize(
        ("changes", "sentence"),
        [
            (
                {"documents": 114, "text": "a2", "mention_set": "b2"},
                "other texts: 30 documents of 26,215 words against 114 documents of "
                "26,215 words",
            ),
            (
                {"documents": 1, "words": None, "text": ""},
                "other texts: 30 documents of 26,215 words against 1 document",
            ),
            (
                {"text": "a2"},
                "other texts: 30 documents of 26,215 words against as many",
            ),
            (
                {"mentions": 7727, "mention_set": "b2", "entity_set": "c2"},
                "other mentions in the key: 7,828 against 7,727",
            ),
            (
                {"mention_set": "b2", "entity_set": "c2"},
                "other mentions in the key: 7,828 against as many",
            ),
            (
                {"entities": 5000, "entity_set": "c2"},
                "other entities of the key's mentions: 5,196 against 5,000",
            ),
            (
                {"declared": Declaration("gum", "gold", "udpipe")},
                "preprocessing: gold against udpipe",
            ),
            ({"declared": Declaration("ace")}, "scheme: gum against ace"),
        ],
    )
    def test_sentence(self, changes, sentence):
        assert differences(self.FULL, replace(self.FULL, **changes)) == [sentence]

    def test_texts_and_declarations_are_reported_together(self):
        other = replace(self.FULL, text="a2", declared=Declaration("gum", "sm1", "x"))
        assert [line.split(":")[0] for line in differences(self.FULL, other)] == [
            "other texts",
            "mentions",
            "preprocessing",
        ]

    def test_skipped_documents_change_the_corpus(self):
        key = {"one": ["ab"], "two": ["cd"]}
        whole, part = corefkit.score_responses(
            key, [key, {"one": ["ab"]}], settings=Settings(missing="skip")
        )
        assert differences(whole.corpus, part.corpus) == [
            "other texts: 2 documents against 1 document"
        ]


class TestDeclared:
    @pytest.fixture
    def files(self, tmp_path):
        """Write a key, and the same as responses that declare other things."""
        given = {
            "key": Declaration("gum", "gold", "gold", "test"),
            "gold": Declaration("gum", "gold", "gold", "test"),
            "auto": Declaration("gum", "sm1", "udpipe", "test"),
            "other": Declaration("ontogum"),
        }
        documents = [document("one", [[0, 1]]), document("two", [[3]])]
        for name, declaration in given.items():
            corefkit.write(
                [set_declaration(one, declaration) for one in documents],
                tmp_path / f"{name}.conllu",
            )
        return {name: str(tmp_path / f"{name}.conllu") for name in given}

    def test_score_has_the_declarations_of_both_sides(self, files):
        declared = corefkit.score(files["key"], files["auto"]).corpus.declared
        assert declared == Declaration("gum", "sm1", "udpipe", "test")

    def test_responses_to_one_key_may_differ(self, files):
        gold, auto = (
            corefkit.score(files["key"], files[name]) for name in ("gold", "auto")
        )
        assert differences(gold.corpus, auto.corpus) == [
            "mentions: gold against sm1",
            "preprocessing: gold against udpipe",
        ]

    def test_response_of_another_scheme_is_noted(self, files):
        result = corefkit.score(files["key"], files["other"])
        clash = "declares scheme ontogum, the key gum"
        assert result.notes == (f"{files['other']}: {clash}",)
        assert result.corpus.declared.scheme == "gum"

    def test_documents_in_memory_have_declarations(self, files):
        documents = {name: list(corefkit.read(path)) for name, path in files.items()}
        result = corefkit.score(documents["key"], documents["auto"])
        assert result.corpus == corefkit.score(files["key"], files["auto"]).corpus

    def test_scope_keeps_the_declaration(self, files):
        result = corefkit.score(files["key"], files["auto"], scope="corpus")
        assert result.corpus.declared.preprocessing == "udpipe"


@pytest.mark.skipif(
    not DATA.exists(), reason="the corpora beside the project are not here"
)
def test_one_corpus_in_two_formats_has_one_fingerprint():
    columns = DATA / "ontogum" / "ontogum-dev.conllu"
    conll = DATA / "ontogum" / "conll2012" / "ontogum-dev.v4_gold_conll"
    one, other = (corefkit.score(path, path).corpus for path in (columns, conll))
    assert differences(one, other) == []
    assert one == other
