"""Texts in, documents with entities out; in one process or in several."""

from __future__ import annotations

from dataclasses import replace

import pytest
from resolver.small_models import TEXT, parser_bytes, small_resolver
from resolver.stories import stories

from cistell.links import RuleLinks
from cistell.pipeline import shares_of
from cistell.readers import RawText, Reader, has_trees
from cistell.resolver import Resolver
from corefkit.corpus import read_declaration
from corefkit.exceptions import CorefkitError, SettingsError
from corefkit.model import Document

NOTHING = [].append


@pytest.mark.slow
def test_a_text_becomes_a_document():
    document = small_resolver()(TEXT)
    assert document.id == "text"
    assert document.tokens[:4] == ("Ann", "sold", "the", "mill")
    assert has_trees(document)
    assert document.entities


def test_texts_become_documents():
    documents = small_resolver()([TEXT, "", TEXT])
    assert [one.id for one in documents] == ["text-1", "text-2", "text-3"]
    assert documents[0].sentences == documents[2].sentences
    assert documents[1].tokens == ()


def test_saved_model_reads_texts_too(tmp_path):
    small_resolver().save(tmp_path / "m.model")
    assert Resolver.load(tmp_path / "m.model")(TEXT) == small_resolver()(TEXT)


def test_model_without_parser_says_so():
    without = replace(small_resolver(), reader=Reader())
    with pytest.raises(CorefkitError, match="no tokenizer here") as error:
        without(TEXT)
    assert "--from-scratch" in error.value.hint


def test_documents_without_trees_are_parsed():
    bare = [Document(one.id, one.sentences, ()) for one in stories(2, seed=4)]
    found = list(small_resolver().resolve(bare, note=NOTHING))
    assert all(map(has_trees, found))
    assert [read_declaration(one).preprocessing for one in found] == [
        "udpipe:model"
    ] * 2
    assert [one.sentences for one in found] == [one.sentences for one in bare]


def test_trees_that_a_document_has_are_kept():
    (document,) = stories(1, seed=4)
    (found,) = small_resolver().resolve([document], note=NOTHING)
    assert found.layers["head"] == document.layers["head"]


def test_order_stays_where_texts_and_documents_are_mixed():
    bare = Document("bare", (("Ann", "left", "."),), ())
    items = [RawText("a", TEXT), *stories(1), bare, RawText("b", TEXT)]
    found = small_resolver().resolve(items, note=NOTHING)
    assert [one.id for one in found] == ["a", "story-0", "bare", "b"]


def test_several_processes_find_the_same(monkeypatch):
    monkeypatch.setattr("cistell.pipeline._SHARE", 20)
    items = [*stories(9, seed=2), RawText("a", TEXT)]
    bare = [replace(one, entities=()) for one in stories(4, seed=3)]
    one = list(small_resolver().resolutions([*items, *bare], note=NOTHING))
    two = list(small_resolver().resolutions([*items, *bare], jobs=2, note=NOTHING))
    assert one == two


def test_what_is_missed_is_told_once_for_all_processes():
    def without_lemmas(document):
        layers = {name: document.layers[name] for name in document.layers}
        del layers["lemma"]
        return replace(document, layers=layers)

    documents = list(map(without_lemmas, stories(3, seed=9)))
    told = {}
    for jobs in (1, 2):
        notes = told[jobs] = []
        list(small_resolver().resolve(documents, jobs=jobs, note=notes.append))
    assert told[1] == told[2]
    assert any("looks at lemmas" in line for line in told[1])


def test_no_process_is_refused():
    with pytest.raises(SettingsError, match="0 processes"):
        small_resolver().resolve([], jobs=0)


def test_shares_have_all_items_in_order():
    items = stories(7)
    shares = list(shares_of(items, words=60))
    assert [one for share in shares for one in share] == items
    assert len(shares) > 1


def test_rules_link_what_a_model_reads():
    resolver = small_resolver()
    rules = replace(resolver, links=RuleLinks("head_match", resolver.context))
    document = rules(TEXT)
    texts = [[document.text(one) for one in entity] for entity in document]
    assert ["the mill", "the mill"] in texts
    with pytest.raises(SettingsError, match="head_match links by rules"):
        rules.save("nowhere")


def test_sentences_of_a_text_begin_where_the_tokenizer_says():
    starts = Reader(parser_bytes()).sentence_starts(TEXT)
    assert starts[0] == 0
    assert starts[-1] == len("".join(TEXT.split()))
