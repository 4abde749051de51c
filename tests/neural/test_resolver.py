"""Entities of texts and documents, found by a network with random weights."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from neural.random_models import make_resolver

import corefkit
from cistell.neural import NeuralResolver
from cistell.neural.agreement import AgreementLexicon, PairTable
from cistell.neural.inference import SECTION_WORDS, cut_sections, quantize_weights
from cistell.neural.network import remove_crossing
from corefkit import Document
from corefkit.example import trees

STORY = (
    "Helen met  Mrs. Marsh\N{RIGHT SINGLE QUOTATION MARK}s keeper.\n"
    "She met “the old keeper of the zoo”.\n\n"
    "\tTom met her; he met the ke\u0301eper, and she met Tom.\r\n"
)


def list_spans(document):
    return sorted((*mention,) for entity in document for mention in entity)


def rebuild_text(document):
    """Write the text of a document from its tokens and MISC."""
    names = {r"\s": " ", r"\n": "\n", r"\r": "\r", r"\t": "\t"}
    parts = []
    for word, misc in zip(document.tokens, document.layers["misc"], strict=True):
        values = dict(item.split("=", 1) for item in misc.split("|"))
        values = {
            name: re.sub(r"\\.", lambda match: names[match[0]], value)
            for name, value in values.items()
        }
        after = "" if values.get("SpaceAfter") == "No" else " "
        before = values.get("SpacesBefore", "")
        parts += before, word, values.get("SpacesAfter", after)
    return "".join(parts)


@pytest.fixture(scope="module")
def resolver():
    return make_resolver(mention=-3.0)


def test_original_text_can_be_rebuilt(resolver):
    document = resolver.resolve_text(STORY)
    assert rebuild_text(document) == STORY
    for token, misc in zip(document.tokens, document.layers["misc"], strict=True):
        start, end = map(int, re.search(r"TokenRange=(\d+):(\d+)", misc).groups())
        assert STORY[start:end] == token


def test_documents_survive_writing(resolver, tmp_path):
    document = resolver.resolve_text(STORY, id="story")
    corefkit.write([document], tmp_path / "story.conllu")
    (copy,) = corefkit.read(tmp_path / "story.conllu")
    assert copy.sentences == document.sentences
    assert {frozenset(e) for e in copy} == {frozenset(e) for e in document}
    assert rebuild_text(copy) == STORY


@pytest.mark.parametrize("text", ["", " \n", "\n\n\n", "Tom", "\u0301"])
def test_texts_of_no_or_one_word_are_resolved(resolver, text):
    assert len(resolver.resolve_text(text).tokens) == len(text.split())


def test_mentions_contain_no_paragraph_break(resolver):
    document = resolver.resolve_text("Tom met Helen.\n\nMrs. Marsh met her. " * 20)
    breaks = {
        sum(map(len, document.sentences[:number]))
        for number, comments in enumerate(document.comments)
        if "newpar" in comments
    }
    spans = list_spans(document)
    assert len(breaks) == 21
    assert len(spans) > 100
    assert not [s for s in spans if any(s[0] < place <= s[1] for place in breaks)]


def test_mentions_are_unique_and_do_not_cross(resolver):
    spans = list_spans(resolver.resolve_text(STORY * 5))
    assert len(spans) == len(set(spans)) > 20
    for (a, b), (c, d) in itertools.combinations(spans, 2):
        assert not a < c <= b < d


def test_heads_are_inside_mentions(resolver):
    document = resolver.resolve_text(STORY)
    assert all(m.start <= m.head <= m.end for entity in document for m in entity)


@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 5)), unique=True, max_size=12)
)
def test_of_crossing_spans_the_better_is_kept(rows):
    spans = np.array([(a, a + length) for a, length in rows], int).reshape(-1, 2)
    scores = -np.arange(len(spans), dtype=float)

    def cross(i, j):
        (a, b), (c, d) = sorted([tuple(spans[i]), tuple(spans[j])])
        return a < c <= b < d

    kept = []
    for i in range(len(spans)):
        if not any(cross(i, j) for j in kept):
            kept.append(i)
    assert sorted(remove_crossing(spans, scores)) == kept


def test_documents_keep_their_words_and_layers(resolver):
    for document in corefkit.read(trees()):
        response = resolver.resolve_document(document)
        assert response.entities != document.entities
        assert replace(response, entities=(), bridges=()) == replace(
            document, entities=(), bridges=()
        )


def test_words_of_a_document_are_resolved_as_their_text(resolver):
    document = resolver.resolve_text(
        "Helen met Mrs. Marsh\N{RIGHT SINGLE QUOTATION MARK}s zoo.\n\nTom met her."
    )
    copy = resolver.resolve_document(document)
    assert {frozenset(e) for e in copy} == {frozenset(e) for e in document}


def test_parts_of_multiword_tokens_and_empty_nodes_have_their_place(resolver, tmp_path):
    path = tmp_path / "dont.conllu"
    rows = ["1\tTom", "2-3\tcannot", "2\tcan", "3\tnot", "3.1\t_", "4\tmeet", "5\ther"]
    path.write_text(
        "# newdoc id = d\n# global.Entity = eid-etype-head-other\n"
        + "".join(
            f"{row}{8 * chr(9)}".replace("\t" * 8, "\t_" * 8) + "\n" for row in rows
        )
        + "\n"
    )
    (document,) = corefkit.read(path)
    response = resolver.resolve_document(document)
    assert response.sentences == document.sentences
    assert not [s for s in list_spans(response) if s[0] == s[1] in document.empty]


def test_long_texts_are_cut_between_paragraphs_or_sentences(resolver):
    paragraph = "Tom met her. " * 150 + "\n\n"
    text = resolver.tokenizer.tokenize(paragraph * 20)
    sections = [*cut_sections(text)]
    assert [start for start, _ in sections[1:]] == [end for _, end in sections[:-1]]
    assert all(SECTION_WORDS / 2 <= e - s <= SECTION_WORDS for s, e in sections[:-1])
    assert all(
        s == 0 or text.paragraphs[s] > text.paragraphs[s - 1] for s, _ in sections
    )
    text = resolver.tokenizer.tokenize("Tom met her. " * 3000)
    assert all(s % 4 == 0 for s, _ in cut_sections(text))
    text = resolver.tokenizer.tokenize("Tom " * 9000)
    assert [s for s, _ in cut_sections(text)] == [0, SECTION_WORDS, 2 * SECTION_WORDS]


def test_sections_do_not_change_their_mentions(resolver):
    """Only links go from one section to another."""
    paragraph = STORY.strip() + "\n\n"
    text = paragraph * (2 * SECTION_WORDS // 40)
    tokens = resolver.tokenizer.tokenize(text)
    mentions = resolver.find_mentions(tokens).spans
    for start, end in cut_sections(tokens):
        part = text[tokens.ends[start - 1] if start else 0 : tokens.ends[end - 1]]
        spans = resolver.find_mentions(resolver.tokenizer.tokenize(part)).spans + start
        inside = (mentions[:, 0] >= start) & (mentions[:, 1] < end)
        assert mentions[inside].tolist() == spans.tolist()


def test_far_mentions_with_the_same_words_are_linked(resolver):
    """A name is a candidate however many mentions are between."""
    text = "Marsh met her. " + "She met her. " * 400 + "Tom met Marsh."
    tokens = resolver.tokenizer.tokenize(text)
    names = [i for i, word in enumerate(tokens.words) if word == "marsh"]
    everything = np.array(
        [[i, i] for i in range(len(tokens)) if tokens.words[i] != "."]
    )
    lexicon = AgreementLexicon.from_dict(resolver.word_lists)
    table = PairTable(tokens, everything, everything[:, 0], lexicon)
    last = len(everything) - 1
    rows = np.arange(last - 5, last + 1)
    assert 0 in table.list_candidates(rows, 50)
    assert 1 not in table.list_candidates(rows, 50)
    assert names[0] == 0


def test_the_same_text_makes_the_same_document():
    one, other = (make_resolver(mention=-3.0).resolve_text(STORY * 9) for _ in "ab")
    assert one == other


def test_model_files_are_the_same_for_the_same_model(tmp_path):
    for name in "ab":
        make_resolver(mention=-1.5).save(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_loaded_models_are_what_was_saved(resolver, tmp_path, monkeypatch):
    monkeypatch.setattr("cistell.neural.inference._MIN_QUANTIZED", 100)
    resolver.save(tmp_path / "model")
    loaded = NeuralResolver.load(tmp_path / "model")
    assert loaded.card == {"title": "a random model"}
    assert loaded.thresholds == resolver.thresholds
    for name, array in resolver.network.weights.items():
        copy = loaded.network.weights[name].astype(np.float32)
        if name == "embedding":
            copy *= loaded.network.weights["embedding.scale"][:, None]
        axis = {"embedding": 1, "position": 1}.get(name, 0)
        step = np.abs(array).max(axis=axis, keepdims=True) / 127
        assert (np.abs(copy - array) <= step / 2 + 1e-6).all()
    assert len(list_spans(loaded.resolve_text(STORY))) > 5


def test_large_matrices_are_stored_in_8_bits():
    table = np.linspace(-1, 1, 20_000, dtype=np.float32).reshape(200, 100)
    stored = quantize_weights({"embedding": table, "norm.scale": table[0]})
    assert stored["embedding"].dtype == np.int8
    assert stored["embedding.scale"].shape == (200,)
    assert stored["norm.scale"].dtype == np.float32


def test_document_without_words_has_no_entities(resolver):
    assert resolver.resolve_document(Document("d", (), ())).entities == ()
