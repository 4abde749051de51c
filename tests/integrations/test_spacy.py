"""The scorer in spaCy's own places: configs, `nlp.evaluate`, `spacy train`, DocBin."""

from __future__ import annotations

import json
import tomllib
from importlib import import_module

import pytest
from shared_files import ROOT

import corefkit
from corefkit import Document, Entity, Mention
from corefkit.example import paths
from corefkit.exceptions import FormatError, SettingsError

spacy = pytest.importorskip("spacy", reason="spaCy is not installed")
training = import_module("spacy.training")
tokens = import_module("spacy.tokens")
integration = import_module("corefkit.integrations.spacy")

SCORER = "corefkit.coref_scorer.v1"
NLP = spacy.blank("en")


def made(name="coref_clusters", **groups):
    """Make a document of six words with span groups, each a text of letters a to f."""
    doc = tokens.Doc(NLP.vocab, words=list("abcdef"))
    for number, spans in groups.items():
        places = [("abcdef".index(text[0]), len(text)) for text in spans.split()]
        doc.spans[f"{name}_{number.strip('_')}"] = [
            doc[start : start + length] for start, length in places
        ]
    return doc


def example(response, key):
    return training.Example(response, key)


def scorer(**options):
    block = {"scorer": {"@scorers": SCORER, **options}}
    return spacy.util.registry.resolve(block)["scorer"]


def test_the_entry_point_is_declared():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    named = project["entry-points"]["spacy_scorers"][SCORER]
    module, _, function = named.partition(":")
    assert getattr(import_module(module), function) is integration.make_coref_scorer
    assert spacy.util.registry.get("scorers", SCORER) is integration.make_coref_scorer


class TestScores:
    def test_they_are_those_of_corefkit(self):
        keys = [made(_1="a c e", _2="b d"), made(_1="a b")]
        responses = [made(_1="a c", _2="b d e"), made(_1="a b", _2="d f")]
        found = scorer()(list(map(example, responses, keys)))
        expected = corefkit.score(keys, responses)
        assert found["coref_conll_f1"] == expected.conll
        assert found["coref_signature"] == expected.signature
        for name, number in expected.to_flat().items():
            assert found[f"coref_{name}"] == number
        lea = expected["lea"]
        assert [found[f"coref_{part}"] for part in "rpf"] == [
            *(lea.recall, lea.precision, lea.f1)
        ]

    def test_prefix_of_names_can_be_chosen(self):
        examples = [example(made(_1="a c"), made(_1="a c"))]
        found = scorer(metrics=["muc"], prefix="val")(examples)
        assert (found["val_muc_f1"], found["val_signature"][:8]) == (1, "corefkit")

    def test_metrics_and_settings_are_those_of_the_config(self):
        examples = [example(made(_1="a c", _2="f"), made(_1="a c", _2="b"))]
        found = scorer(metrics=["muc"], settings={"singletons": "drop"})(examples)
        assert set(found) == {
            "coref_muc_recall",
            "coref_muc_precision",
            "coref_muc_f1",
            "coref_signature",
        }
        assert "singletons:drop" in found["coref_signature"]
        assert scorer(metrics=["b3"])(examples)["coref_b_cubed_recall"] == 2 / 3

    @pytest.mark.parametrize(
        ("options", "words"),
        [
            ({"metrics": ["leea"]}, "did you mean 'lea'"),
            ({"settings": {"singleton": "drop"}}, "did you mean 'singletons'"),
            ({"settings": {"match": "heads"}}, "did you mean 'head'"),
        ],
    )
    def test_a_wrong_config_is_told_before_anything_is_scored(self, options, words):
        with pytest.raises(SettingsError) as refused:
            scorer(**options)
        assert words in str(refused.value)

    def test_documents_of_one_id_are_still_two(self):
        keys = [made(_1="a b"), made(_1="a c")]
        for key in keys:
            key.user_data["id"] = "same"
        found = scorer()([example(made(_1="a b"), key) for key in keys])
        assert found["coref_mentions_recall"] == 3 / 4

    def test_spans_may_lie_in_each_other(self):
        examples = [example(made(_1="abc a", _2="ab e"), made(_1="abc a", _2="ab e"))]
        assert scorer()(examples)["coref_conll_f1"] == 1

    def test_other_tokens_are_compared_by_letters(self):
        key = tokens.Doc(NLP.vocab, words=["Ann's", "mill"], spaces=[True, False])
        key.spans["coref_clusters_1"] = [key[0:2]]
        response = NLP("Ann's mill")
        response.spans["coref_clusters_1"] = [response[0:3]]
        assert len(response) == 3
        assert scorer()([example(response, key)])["coref_f"] == 1


class TestMissingGroups:
    def test_nothing_annotated_is_no_score(self):
        found = scorer()([example(made(_1="a b"), made())])
        assert set(found.values()) == {None}
        assert set(scorer()([]).values()) == {None}

    def test_an_empty_group_is_annotated(self):
        with pytest.warns(UserWarning, match="key: has no mention to score"):
            found = scorer()([example(made(_1="a b"), made(_1=""))])
        assert (found["coref_conll_f1"], found["coref_p"]) == (0, 0)

    def test_a_document_without_entities_counts_beside_others(self):
        pairs = [(made(_1="a b"), made(_1="a b")), (made(_1="c d"), made())]
        found = scorer()([example(*pair) for pair in pairs])
        assert (found["coref_r"], found["coref_p"]) == (1, 0.5)

    def test_nothing_predicted_is_a_recall_of_0(self):
        for response in (made(), made(_1="")):
            with pytest.warns(UserWarning, match="response: has no mention to score"):
                found = scorer()([example(response, made(_1="a b"))])
            assert (found["coref_r"], found["coref_f"]) == (0, 0)

    def test_spans_that_are_one_token_too_long_are_noticed(self):
        pair = made(_1="ab de", _2="bc ef"), made(_1="a d", _2="b e")
        with pytest.warns(UserWarning, match="ends taken as exclusive, 100.0 %"):
            assert scorer()([example(*pair)])["coref_conll_f1"] == 0

    def test_groups_of_another_prefix(self):
        heads = "coref_head_clusters"
        one = example(made(heads, _1="a b"), made(heads, _1="a b"))
        assert scorer(span_cluster_prefix=heads)([one])["coref_f"] == 1
        with pytest.raises(SettingsError) as refused:
            scorer()([one])
        assert refused.value.place == "reference"
        assert "found span groups coref_head_clusters_1" in refused.value.message
        assert "span_cluster_prefix = 'coref_head_clusters'" in refused.value.hint
        with pytest.raises(SettingsError) as refused:
            scorer()([example(made(heads, _1="a b"), made(_1="a b"))])
        assert refused.value.place == "predicted"
        both = made(_1="ab c")
        both.spans[f"{heads}_1"] = [both[0:1], both[2:3]]
        assert scorer()([example(both, both)])["coref_f"] == 1
        own = example(made("mine", _1="a b"), made("mine", _1="a b"))
        assert scorer(span_cluster_prefix="mine")([own])["coref_f"] == 1


class TestDocuments:
    def test_groups_of_a_prefix_are_entities(self):
        doc = made("silver", _1="a b")
        doc.spans["coref_clusters_1"] = [doc[2:3], doc[3:4]]
        (found,) = integration.documents([doc], span_cluster_prefix="silver")
        assert [list(map(tuple, entity)) for entity in found] == [[(0, 0), (1, 1)]]
        (usual,) = integration.documents([doc])
        assert usual == next(corefkit.read([doc]))

    def test_a_corpus_goes_through_docbin_and_back(self, tmp_path):
        key, *_ = paths()
        docbin = tokens.DocBin(store_user_data=True)
        for doc in integration.docs(key, NLP.vocab):
            docbin.add(doc)
        docbin.to_disk(tmp_path / "key.spacy")
        loaded = tokens.DocBin().from_disk(tmp_path / "key.spacy")
        docs = list(loaded.get_docs(NLP.vocab))
        assert corefkit.score(key, docs).conll == 1
        expected = list(corefkit.read(key))
        assert [doc.user_data["id"] for doc in docs] == [one.id for one in expected]
        sizes = [len(list(doc.sents)) for doc in docs]
        assert sizes == [len(one.sentences) for one in expected]

    def test_heads_are_groups_of_their_own(self):
        mentions = Mention(0, 2, head=1), Mention(1, 2, head=1), Mention(3, 3, head=3)
        entities = (
            Entity(
                "x",
                mentions,
            ),
        )
        document = Document("d", (tuple("abcd"),), entities)
        (doc,) = integration.docs([document], NLP.vocab, heads=True)
        assert str(doc.spans["coref_clusters_1"][0]) == "a b c"
        heads = doc.spans["coref_head_clusters_1"]
        assert [(head.start, head.end) for head in heads] == [(1, 2), (3, 4)]

    def test_heads_are_found_in_trees(self):
        layers = {"parse": ("(NP*", "*)", "(VP*)"), "xpos": ("DT", "NN", "VBD")}
        entities = (Entity("x", (Mention(0, 1),)),)
        document = Document("d", (("the", "mill", "burnt"),), entities, layers=layers)
        (doc,) = integration.docs([document], NLP.vocab, heads=True)
        assert [str(head) for head in doc.spans["coref_head_clusters_1"]] == ["mill"]

    @pytest.mark.parametrize(
        ("document", "options", "words"),
        [
            (Document("d", (), ()), {}, "found none"),
            (Document("d", (("a", "_"),), (), (1,)), {}, "found empty nodes"),
            (
                Document(
                    "d", (tuple("abc"),), (Entity("x", (Mention(0, 2, ((1, 1),)),)),)
                ),
                {},
                "has a gap",
            ),
            (
                Document("d", (tuple("abc"),), (Entity("x", (Mention(0, 2),)),)),
                {"heads": True},
                "'a b c' has no head",
            ),
        ],
    )
    def test_what_spans_cannot_be_is_refused(self, document, options, words):
        with pytest.raises(FormatError, match=words) as refused:
            list(integration.docs([document], NLP.vocab, **options))
        assert refused.value.place == "document 'd'"
        assert refused.value.hint


class Learner:
    """A component that is trained: each update tells it one more word that corefers."""

    def __init__(self, scorer):
        self.words = []
        self.score = scorer

    def __call__(self, doc):
        found = [
            doc[token.i : token.i + 1] for token in doc if token.text in self.words
        ]
        doc.spans["coref_clusters_1"] = found
        return doc

    def initialize(self, get_examples, *, nlp):
        del nlp
        self.words = []
        assert next(iter(get_examples())).reference.spans

    def update(self, examples, *, drop=0.0, sgd=None, losses=None):
        del drop, sgd
        for span in examples[0].reference.spans["coref_clusters_1"]:
            if span.text not in self.words:
                self.words.append(span.text)
                break
        losses["learner"] = 1 / (1 + len(self.words))
        return losses

    def to_disk(self, path, *, exclude=()):
        del exclude
        path.write_text(json.dumps(self.words))

    def from_disk(self, path, *, exclude=()):
        del exclude
        self.words = json.loads(path.read_text())
        return self


CONFIG = """
[paths]
train = null
dev = null

[nlp]
lang = "en"
pipeline = ["learner"]

[components]

[components.learner]
factory = "corefkit_test_learner"

[components.learner.scorer]
@scorers = "corefkit.coref_scorer.v1"
metrics = ["conll", "lea"]

[components.learner.scorer.settings]
singletons = "keep"

[corpora]

[corpora.train]
@readers = "spacy.Corpus.v1"
path = ${paths.train}

[corpora.dev]
@readers = "spacy.Corpus.v1"
path = ${paths.dev}

[training]
max_steps = 4
eval_frequency = 1
patience = 0

[training.score_weights]
coref_conll_f1 = 0.75
coref_f = 0.25
coref_p = null
"""


@spacy.Language.factory("corefkit_test_learner")
def make_learner(nlp, name, scorer):
    del nlp, name
    return Learner(scorer)


def filled_pipeline():
    """Make a pipeline of the config, as `spacy init fill-config` does."""
    config = spacy.util.load_config_from_str(CONFIG)
    return spacy.util.load_model_from_config(config, auto_fill=True)


@pytest.fixture
def corpus(tmp_path):
    path = tmp_path / "corpus.spacy"
    tokens.DocBin(docs=[made(_1="a c e")]).to_disk(path)
    return str(path)


def test_spacy_trains_by_these_scores(corpus, tmp_path, capsys):
    train = import_module("spacy.cli.train").train
    filled_pipeline().config.to_disk(tmp_path / "config.cfg")
    places = {"paths.train": corpus, "paths.dev": corpus}
    train(tmp_path / "config.cfg", tmp_path / "out", overrides=places)
    assert "COREF_CO" in capsys.readouterr().out
    meta = json.loads((tmp_path / "out" / "model-best" / "meta.json").read_text())
    assert meta["performance"]["coref_conll_f1"] == 1
    best = spacy.load(tmp_path / "out" / "model-best")
    assert best.get_pipe("learner").words == ["a", "c", "e"]


def test_spacy_evaluates_a_corpus(corpus, tmp_path):
    evaluate = import_module("spacy.cli.evaluate").evaluate
    nlp = filled_pipeline()
    nlp.get_pipe("learner").words = ["a", "c"]
    nlp.to_disk(tmp_path / "model")
    evaluate(tmp_path / "model", corpus, output=tmp_path / "scores.json", silent=True)
    scores = json.loads((tmp_path / "scores.json").read_text())
    assert scores["coref_muc_recall"] == 0.5
    assert scores["coref_signature"].startswith("corefkit:")


def test_the_scorer_goes_where_spacy_takes_one():
    nlp = spacy.blank("en")
    ruler = nlp.add_pipe(
        "span_ruler",
        config={"spans_key": "coref_clusters_1", "scorer": {"@scorers": SCORER}},
    )
    ruler.add_patterns([{"label": "X", "pattern": letter} for letter in "ac"])
    scores = nlp.evaluate([example(nlp.make_doc("a b c d e f"), made(_1="a c e"))])
    assert scores["coref_muc_recall"] == 0.5
    apart = nlp.evaluate(
        [example(nlp.make_doc("a b c d e f"), made(_1="a c e"))], per_component=True
    )
    assert apart["span_ruler"]["coref_muc_recall"] == 0.5
