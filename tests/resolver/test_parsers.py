"""Parsers: UDPipe with the shared models, and pipelines of spaCy."""

from __future__ import annotations

import pytest
from shared_files import DATA

import corefkit
from cistell.resolver import load_resolver
from cistell.trees import load_parser
from corefkit.example import trees

MODELS = [DATA / "udpipe" / f"en_{part}.udpipe" for part in ("tok", "tag", "par")]
TEXT = "Ann sold the mill. She misses it.\n\nIts wheel didn't turn.\n"


@pytest.fixture(scope="module")
def udpipe():
    pytest.importorskip("ufal.udpipe")
    if not all(path.exists() for path in MODELS):
        pytest.skip("needs the shared models of UDPipe")
    return load_parser(f"udpipe:{','.join(map(str, MODELS))}")


def test_texts_are_tokenized_tagged_and_parsed(udpipe):
    document = udpipe.parse_text(TEXT, id="mill")
    assert document.id == "mill"
    assert document.sentences[0] == ("Ann", "sold", "the", "mill", ".")
    assert {"lemma", "upos", "feats", "head", "deprel"} <= document.layers.keys()
    assert document.layers["head"][1] == "0"
    assert sum("newpar" in comments for comments in document.comments) == 2


def test_documents_keep_their_words_and_entities(udpipe):
    for document in corefkit.read(trees()):
        parsed = udpipe.parse_document(document)
        assert parsed.sentences == document.sentences
        assert [len(e) for e in parsed.entities] == [len(e) for e in document.entities]
        assert all(m.head is None for entity in parsed for m in entity)
        assert parsed.layers["upos"] != ("_",) * len(parsed.tokens)


@pytest.mark.usefixtures("udpipe")
def test_texts_are_resolved_with_a_parser():
    paths = ",".join(map(str, MODELS))
    sieve = load_resolver("sieve", parser=f"udpipe:{paths}", wordnet="none")
    document = sieve.resolve_text(TEXT, id="mill")
    chains = [[document.text(m) for m in entity] for entity in document]
    assert ["Ann", "She"] in chains


@pytest.mark.usefixtures("udpipe")
def test_parts_that_are_missing_are_reported():
    parser = load_parser(f"udpipe:{MODELS[0]}")
    with pytest.raises(corefkit.CorefkitError) as caught:
        parser.parse_text(TEXT, id="mill")
    assert caught.value.code == "model/missing-part"


@pytest.mark.parametrize("source", ["", "udpipe", "udpipe:", "pears:x"])
def test_unknown_parsers_are_rejected(source):
    with pytest.raises(corefkit.SettingsError) as caught:
        load_parser(source)
    assert caught.value.code == "settings/unknown-value"


def test_pipelines_without_universal_dependencies_are_rejected(tmp_path):
    spacy = pytest.importorskip("spacy")
    spacy.blank("en").to_disk(tmp_path / "blank")
    with pytest.raises(corefkit.CorefkitError) as caught:
        load_parser(f"spacy:{tmp_path / 'blank'}")
    assert caught.value.code == "model/unsupported"


def test_pipelines_that_are_not_installed_are_reported():
    pytest.importorskip("spacy")
    with pytest.raises(corefkit.CorefkitError) as caught:
        load_parser("spacy:no_such_pipeline")
    assert caught.value.code == "model/unreadable"
