"""Real corpora, where they are at hand: read, checked and scored against themselves."""

from __future__ import annotations

import pytest
from shared_files import SHARED

import corefkit
from corefkit.formats import open_source

DATA = SHARED / "data"

pytestmark = pytest.mark.skipif(
    not DATA.exists(), reason="the corpora beside the project are not here"
)

CORPORA = {
    "OntoGUM dev": ("ontogum/conll2012/ontogum-dev.v4_gold_conll", 32),
    "OntoGUM test": ("ontogum/conll2012/ontogum-test.v4_gold_conll", 32),
    "OntoGUM train, packed": ("ontogum/conll2012/ontogum-train.v4_gold_conll.gz", 191),
    "LitBank, packed": ("litbank/litbank-coref.conll.gz", 100),
    "Democrat": ("democrat-fr/dem1921_sg.dev.conll", 46),
    "Democrat, JSON lines": (
        "formats/e2e-jsonlines/dem1921_sg_cut2000.dev.first2.jsonlines",
        2,
    ),
}


@pytest.mark.parametrize(("name", "documents"), CORPORA.values(), ids=CORPORA)
@pytest.mark.slow
def test_corpus_scored_against_itself_is_perfect(name, documents):
    result = corefkit.score(DATA / name, DATA / name, metrics=corefkit.METRICS)
    assert len(result.documents) == documents
    assert {score.f1 for score in result.scores.values()} == {1.0}


@pytest.mark.parametrize("name", ["OntoGUM dev", "LitBank, packed", "Democrat"])
@pytest.mark.slow
def test_columns_are_those_of_the_documents(name):
    source = open_source(DATA / CORPORA[name][0])
    documents = [source.read_document(number) for number in range(len(source.ids))]
    columns = source.read_columns(range(len(source.ids)))
    source.close()
    found = [columns.members(entity) for entity in range(len(columns.entity_document))]
    assert found == [entity.mentions for document in documents for entity in document]
    worded = [len(document.tokens) for document in documents if document.sentences]
    assert worded in ([], columns.token_count.tolist())


def test_cut_off_file_is_refused():
    sample = DATA / "formats/conll2011-2012-skeleton/eng_0001.v2_gold_skel.sample.conll"
    with pytest.raises(corefkit.FormatError, match="the file ends inside document"):
        corefkit.score(sample, sample)


REFERENCE = SHARED / "conformance" / "reference"
CASES = sorted(path.stem for path in REFERENCE.glob("*.key"))


@pytest.mark.parametrize("case", CASES)
def test_default_settings_give_the_numbers_of_the_preset(case):
    files = REFERENCE / f"{case}.key", REFERENCE / f"{case}.response"
    plain = corefkit.score(*files)
    preset = corefkit.score(*files, preset="conll2012")
    assert plain.scores == preset.scores
