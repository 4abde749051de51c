"""Laws of all formats: recognition, equivalent spellings, damage, and writing."""

from __future__ import annotations

import gzip
from dataclasses import replace

import pytest
from files import written
from formats import drawn, laws, reading
from formats.examples import EXAMPLES
from formats.reading import everything, needs_samples, problems
from hypothesis import given, settings
from hypothesis import strategies as st

import corefkit
from corefkit.formats import FORMATS, READ_ONLY, detect_format
from corefkit.formats.files import ByteFile

ALL_FORMATS = {**FORMATS, **READ_ONLY}
# Of one document per file; brat names entities by their mentions.
SEPARATE_FILES = ["apf", "ecb", "ancora", "webanno", "litbank"]
WITH_COMPANIONS = [name for name, files in EXAMPLES.items() if len(files) > 1]
SPELLINGS = ["no final newline", "CRLF", "byte-order mark", "gzip"]
SPECIAL_BYTES = b"<&\"'/>=#;\t|\\[]()1%,.-_*{}: \n\r\xff\0"
# The samples that each format recognises; some are also valid in a related format.
RECOGNISED_SAMPLES = {
    "conll": [
        "conll2011-2012-skeleton/cnr_0001.v4_gold_skel.sample.conll",
        "conll2011-2012-skeleton/eng_0001.v2_gold_skel.sample.conll",
        "gum-conll3/gum-GUM_news_nasa.conll",
        "gum-conll3/ontogum-GUM_news_nasa.conll",
        "semeval2010/corefgraph.es.first3docs.conll",
        "semeval2010/relaxcor.closed.gold.ca.first3docs.response",
        "semeval2010/relaxcor.closed.gold.en.first3docs.response",
        "semeval2010/relaxcor.closed.gold.es.first3docs.response",
        "semeval2010/sucre.closed.gold.es.first3docs.response",
    ],
    "conllu": [
        "corefud/es_ancora-one-sentence.conllu",
        "corefud/fr-democrat-dev-sample.conllu",
        "muc-sgml/GUM_news_nasa.first12.conllu",
    ],
    "semeval": [
        "gum-conll3/gum-GUM_news_nasa.conll",
        "gum-conll3/ontogum-GUM_news_nasa.conll",
        "semeval2010/corefgraph.es.first3docs.conll",
        "semeval2010/relaxcor.closed.gold.ca.first3docs.response",
        "semeval2010/relaxcor.closed.gold.en.first3docs.response",
        "semeval2010/relaxcor.closed.gold.es.first3docs.response",
        "semeval2010/sucre.closed.gold.es.first3docs.response",
    ],
    "jsonl": ["e2e-jsonlines/dem1921_sg_cut2000.dev.first2.jsonlines"],
    "muc": ["muc-sgml/GUM_news_nasa.handmade.muc.sgml"],
    "apf": ["ace-apf/GUM_news_nasa.handmade.apf.xml"],
    "ancora": ["ancora-xml/19004_20000725.tbf.xml"],
    "webanno": ["webanno-tsv/GUM_news_nasa.tsv"],
    "litbank": ["litbank-brat-tsv/1023_bleak_house_brat.tsv.ann"],
    "brat": ["litbank-brat-tsv/1023_bleak_house_brat.ann"],
    "gap": ["gap/gap-validation.first20.tsv"],
}


def read_example(folder, name, **changed):
    """Write the files of an example, some of them changed, and read them."""
    path = reading.put_in(folder, EXAMPLES[name] | changed)
    return list(corefkit.read(path, format=name))


def test_every_format_has_an_example():
    assert EXAMPLES.keys() == ALL_FORMATS.keys() - {"parquet"}


@pytest.mark.parametrize("name", EXAMPLES)
def test_example_is_recognised(tmp_path, name):
    with ByteFile(reading.put_in(tmp_path, EXAMPLES[name])) as file:
        assert detect_format(file).name == name


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("name", EXAMPLES)
def test_spelling_does_not_change_what_is_read(tmp_path, name, spelling):
    *_, (file, text) = EXAMPLES[name].items()
    spellings = reading.ways(text) | {"gzip": gzip.compress(text.encode())}
    documents = read_example(tmp_path, name, **{file: spellings[spelling]})
    assert everything(*documents) == everything(*read_example(tmp_path, name))


@pytest.mark.parametrize("name", WITH_COMPANIONS)
class TestCompanionText:
    """A text in the same folder, which has the words of the document."""

    def test_can_be_compressed(self, tmp_path, name):
        (text, content), *_ = EXAMPLES[name].items()
        documents = read_example(
            tmp_path, name, **{text: gzip.compress(content.encode())}
        )
        assert everything(*documents) == everything(*read_example(tmp_path, name))

    def test_must_exist(self, tmp_path, name):
        *_, file = EXAMPLES[name]
        path = written(tmp_path / file, EXAMPLES[name][file])
        line = 3 if name == "apf" else 1  # of the root element
        assert laws.check_fault(path, name, line, "format/missing-text").hint

    def test_must_be_complete(self, tmp_path, name):
        (text, content), *_ = EXAMPLES[name].items()
        incomplete = gzip.compress(content.encode())[:-9]
        path = reading.put_in(tmp_path, EXAMPLES[name] | {text: incomplete})
        (problem,) = problems(path, format=name)
        assert problem.code == "format/missing-text"
        assert problem.file == path

    def test_must_be_utf8(self, tmp_path, name):
        text, *_ = EXAMPLES[name]
        path = reading.put_in(tmp_path, EXAMPLES[name] | {text: b"Ann\nleft \xff.\n"})
        (problem,) = problems(path, format=name)
        assert problem.file == str(tmp_path / text)
        assert (problem.line, problem.code) == (2, "format/not-utf8")


@pytest.mark.parametrize("name", ALL_FORMATS)
@given(st.binary(max_size=80))
def test_recognition_of_any_bytes_does_not_fail(name, head):
    ALL_FORMATS[name].recognise(head)


@pytest.mark.parametrize("name", EXAMPLES)
@settings(max_examples=40)
@given(st.data())
def test_damaged_files_are_read_or_rejected(name, data):
    files = {
        file: data.draw(drawn.damaged(text, SPECIAL_BYTES))
        for file, text in EXAMPLES[name].items()
    }
    laws.check_survives(name, files)


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.slow
def test_incomplete_files_are_read_or_rejected(name):
    *companions, (file, text) = EXAMPLES[name].items()
    for size in range(0, len(text), 7):
        laws.check_survives(name, dict(companions) | {file: text[:size]})


@pytest.mark.parametrize("name", EXAMPLES)
@given(content=st.binary(max_size=100), companion=st.binary(max_size=100))
def test_any_bytes_are_read_or_rejected(name, content, companion):
    files = dict.fromkeys(EXAMPLES[name], companion)
    laws.check_survives(name, files | {list(files)[-1]: content})


@pytest.mark.parametrize("name", SEPARATE_FILES)
def test_documents_without_words_or_entities_are_written(tmp_path, name):
    laws.check_without_words_or_entities(tmp_path, name)


@pytest.mark.parametrize("name", FORMATS)
def test_written_document_scores_as_its_json_lines(tmp_path, name):
    # Some formats name documents after their files.
    laws.check_scores(tmp_path, name, replace(laws.NEWS, id="story"))


@needs_samples
@pytest.mark.parametrize("name", ALL_FORMATS)
def test_samples_are_recognised_by_their_formats_only(name):
    row = ALL_FORMATS[name]
    samples = reading.recognised_samples(row.recognise)
    assert samples == RECOGNISED_SAMPLES.get(row.module, [])
