"""Corpora of the studies: layouts, schemes, parsers and parts."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain

import pytest
from formats.reading import DATA, needs_data
from hypothesis import given
from hypothesis import strategies as st

import corefkit
from cistell.studies.corpora import (
    add_types,
    find_files,
    map_scheme,
    parse_documents,
    read_constituents,
    read_corpus,
    restrict,
    split_documents,
)
from corefkit import CorefkitError, Document, Entity, Mention


def mention(start, end, type_=""):
    return Mention(start, end, attributes={"type": type_} if type_ else {})


STORY = Document(
    "d",
    (("Ann", "sold", "her", "mill", "."), ("This", "hurt", ".")),
    (
        Entity("ann", (mention(0, 0, "person"), mention(2, 2, "person"))),
        Entity("mill", (mention(2, 3, "place"),), split=("ann", "sale")),
        Entity("sale", (mention(1, 3, "event"), mention(5, 5, "event"))),
        Entity("again", (mention(2, 3, "place"),)),
    ),
    layers={
        "xpos": ("NNP", "VBD", "PRP$", "NN", ".", "DT", "VBD", "."),
        "head": ("2", "0", "4", "2", "2", "2", "0", "2"),
        "deprel": ("nsubj", "root", "nmod:poss", "obj", "punct", "nsubj", "root", "p"),
    },
)
PARSE = ("(S(NP*)", "(VP*", "(NP*", "*))", "*)", "(S(NP*)", "(VP*)", "*)")
TREES = {"d": replace(STORY, entities=(), layers={"parse": PARSE})}


def map_story(scheme, story=STORY):
    (document,), changes = map_scheme([story], scheme, TREES)
    spans = {e.id: [(m.start, m.end) for m in e] for e in document}
    return spans, dict(changes)


@pytest.mark.parametrize(
    ("scheme", "entities"),
    [
        ("as-annotated", ["ann", "mill", "sale"]),
        ("nominal", ["ann", "mill", "sale"]),
        ("ace", ["ann", "mill"]),
        ("noun-phrases", ["ann", "mill", "sale"]),
    ],
)
def test_scheme_keeps_its_entities_and_one_mention_per_span(scheme, entities):
    spans, changes = map_story(scheme)
    assert list(spans) == entities
    assert changes["dropped: duplicate span"] == 1
    # "sold her mill" is headed by a verb.
    assert ((1, 3) in chain.from_iterable(spans.values())) == (scheme == "as-annotated")


def test_other_noun_phrases_are_singletons():
    spans, changes = map_story(
        "noun-phrases", replace(STORY, entities=STORY.entities[:1])
    )
    assert spans == {"ann": [(0, 0), (2, 2)], "np-2-3": [(2, 3)], "np-5-5": [(5, 5)]}
    assert changes["added: other noun phrase"] == 2


def test_noun_phrase_with_the_head_of_a_mention_is_not_added():
    mill = Entity("mill", (Mention(3, 3),))
    spans, _ = map_story("noun-phrases", replace(STORY, entities=(mill,)))
    assert list(spans) == ["np-0-0", "np-2-2", "mill", "np-5-5"]


@pytest.mark.parametrize("scheme", ["nominal", "ace", "noun-phrases"])
def test_scheme_requires_tags(scheme):
    with pytest.raises(CorefkitError) as caught:
        map_story(scheme, replace(STORY, layers={}))
    assert caught.value.code == "model/missing-syntax"


def test_types_come_from_the_span_or_the_longest_mention_with_the_head():
    plain = [Entity("a", (Mention(0, 0),)), Entity("b", (Mention(3, 3),))]
    (document,) = add_types([replace(STORY, entities=tuple(plain))], [STORY])
    types = [m.attributes.get("type") for entity in document for m in entity]
    assert types == ["person", "place"]


@pytest.mark.parametrize(
    ("other", "code"),
    [
        ([], "pairing/missing-document"),
        ([replace(STORY, sentences=(("Bob",) * 8,))], "pairing/different-text"),
    ],
)
def test_types_require_the_same_documents(other, code):
    with pytest.raises(CorefkitError) as caught:
        add_types([STORY], other)
    assert caught.value.code == code


class HalfParser:
    """Attaches every word to the first of its sentence."""

    def parse_document(self, document):
        rows = [range(len(sentence)) for sentence in document.sentences]
        heads = tuple(str(int(i > 0)) for row in rows for i in row)
        relations = tuple("root" if head == "0" else "dep" for head in heads)
        layers = {"upos": ("X",) * len(heads), "head": heads, "deprel": relations}
        return replace(document, layers={**document.layers, **layers})


@pytest.mark.parametrize(("keep_all", "dropped"), [(True, 0), (False, 3)])
def test_mentions_without_a_node_are_dropped_unless_kept(keep_all, dropped):
    (document,), changes = parse_documents([STORY], HalfParser(), keep_all=keep_all)
    assert sum(changes.values()) == dropped
    assert all(m.head is None for entity in document for m in entity)


def test_parts_keep_layers_comments_and_entity_ids():
    story = replace(STORY, comments=(("one",), ("two",)), empty=(5,))
    (first, second), changes = split_documents([story], 5)
    assert (first.id, second.id) == ("d/1", "d/2")
    assert second.sentences == STORY.sentences[1:]
    assert second.layers["xpos"] == ("DT", "VBD", ".")
    assert (second.comments, second.empty) == ((("two",),), (0,))
    assert [(e.id, e.mentions[0].start) for e in second] == [("sale", 0)]
    assert not changes


def test_mention_across_a_boundary_is_dropped_and_counted():
    wide = replace(STORY, entities=(Entity("wide", (Mention(3, 6),)),))
    parts, changes = split_documents([wide], 5)
    assert not any(part.entities for part in parts)
    assert changes == {"dropped: crosses a boundary": 1}


@st.composite
def documents(draw):
    lengths = draw(st.lists(st.integers(1, 5), min_size=1, max_size=8))
    token = st.integers(0, sum(lengths) - 1)
    spans = st.lists(st.tuples(token, token).map(sorted), max_size=6)
    entities = tuple(
        Entity(str(number), tuple(Mention(*span) for span in row))
        for number, row in enumerate(draw(st.lists(spans, max_size=3)))
        if row
    )
    layers = {"n": tuple(map(str, range(sum(lengths))))}
    sentences = tuple(tuple("w" * length) for length in lengths)
    return Document("d", sentences, entities, layers=layers)


@given(documents(), st.integers(1, 12))
def test_parts_together_are_the_document(document, words):
    parts, changes = split_documents([document], words)
    sentences = chain.from_iterable(part.sentences for part in parts)
    assert tuple(sentences) == document.sentences
    numbers = chain.from_iterable(part.layers["n"] for part in parts)
    assert tuple(numbers) == document.layers["n"]
    assert all(len(p.tokens) <= words or len(p.sentences) == 1 for p in parts)
    mentions = [m for p in parts for e in p for m in e]
    total = sum(len(entity) for entity in document)
    assert len(mentions) + sum(changes.values()) == total


def write_documents(path, *documents):
    path.parent.mkdir(parents=True, exist_ok=True)
    corefkit.write(list(documents), path, format="conllu")


NAMED = replace(STORY, id="GUM_bio_ann")


@pytest.mark.parametrize(
    "path", ["gum/gum-test.conllu", "UD_English-GUM/en_gum-ud-test.conllu"]
)
def test_corpus_is_found_in_its_layouts(tmp_path, path):
    write_documents(tmp_path / path, NAMED)
    (document,) = read_corpus("gum", "test", tmp_path)
    assert document.tokens == STORY.tokens


def test_corpus_with_a_file_for_each_document_is_split_as_listed(tmp_path):
    for name in ("GUM_bio_ann", "GUM_bio_bob"):
        write_documents(tmp_path / f"gum/dep/{name}.conllu", replace(STORY, id=name))
    splits = "# Splits\n\n## train\n\n  * GUM_bio_bob\n\n## test\n\n  * GUM_bio_ann\n"
    (tmp_path / "gum/splits.md").write_text(splits, "utf-8")
    (path,) = find_files("gum", "test", tmp_path)
    assert path.stem == "GUM_bio_ann"


def test_constituents_are_read_from_treebank_files(tmp_path):
    folder = tmp_path / "gum/const"
    folder.mkdir(parents=True)
    (tmp_path / "gum/splits.md").write_text("## test\n\n  * GUM_bio_ann\n", "utf-8")
    tree = "(ROOT (S (NP (NNP Ann)) (VP (VBD sold) (NP (PRP$ her) (NN mill))) (. .)))"
    (folder / "GUM_bio_ann.ptb").write_text(tree, "utf-8")
    document = read_constituents("test", tmp_path)["GUM_bio_ann"]
    assert document.layers["parse"] == ("(ROOT(S(NP*)", "(VP*", "(NP*", "*))", "*))")


def test_noun_phrases_of_treebank_files_have_no_empty_nodes(tmp_path):
    (tmp_path / "const").mkdir()
    tree = "(S (NP (-LRB- -LRB-) (NN pity)) (VP (VBD hurt) (NP (PRP us))))"
    (tmp_path / "const/GUM_d.ptb").write_text(tree, "utf-8")
    (tmp_path / "splits.md").write_text("## test\n\n  * GUM_d\n", "utf-8")
    story = Document(
        "GUM_d",
        (("(", "pity", "that", "hurt", "us"),),
        (),
        empty=(2,),
        layers={
            "xpos": ("-LRB-", "NN", "WDT", "VBD", "PRP"),
            "head": ("2", "4", "_", "0", "4"),
            "deprel": ("punct", "nsubj", "_", "root", "obj"),
        },
    )
    trees = read_constituents("test", tmp_path)
    (document,), _ = map_scheme([story], "noun-phrases", trees)
    assert [e.id for e in document] == ["np-0-1", "np-4-4"]


def test_missing_corpus_is_reported_with_source_and_licence(tmp_path):
    with pytest.raises(CorefkitError) as caught:
        find_files("democrat", "test", tmp_path)
    assert caught.value.code == "model/no-corpus"
    assert "github.com" in caught.value.hint
    assert "CC BY" in caught.value.hint


def test_masked_documents_are_skipped(tmp_path):
    masked = replace(NAMED, sentences=(("_",) * 5, ("_",) * 3), id="GUM_reddit_a")
    write_documents(tmp_path / "gum-test.conllu", NAMED, masked)
    assert len(read_corpus("gum", "test", tmp_path)) == 1


@needs_data
def test_schemes_of_the_corpora_have_the_measured_sizes():
    gum = read_corpus("gum", "test", DATA)
    onto = read_corpus("ontogum", "test", DATA)
    trees = read_constituents("test", DATA)
    sizes = {
        scheme: sum(len(e) for d in map_scheme(docs, scheme, trees)[0] for e in d)
        for docs, scheme in ((gum, "nominal"), (gum, "ace"), (onto, "noun-phrases"))
    }
    assert sizes == {"nominal": 7727, "ace": 3568, "noun-phrases": 7829}


def test_restrict_counts_reasons():
    document, dropped = restrict(STORY, lambda m: "long" if m.end > m.start else "")
    assert dropped == {"long": 3}
    assert [entity.id for entity in document] == ["ann", "sale"]
