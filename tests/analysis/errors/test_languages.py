"""Languages of documents: their names take precedence over guesses."""

from __future__ import annotations

import pytest

from corefkit.analysis.errors.mention_facts import DocumentFacts, find_language
from corefkit.formats.in_memory import MemorySource
from corefkit.model import Document

FRENCH = tuple("Le chat est dans la rue et il ne bouge pas de là .".split(" "))  # noqa: SIM905
GERMAN = tuple("Der Hund ist auf der Wiese und er bellt nicht .".split(" "))  # noqa: SIM905
UNCLEAR = ["Zq", "rr", "."]


def document(words, times=1, **more):
    return Document("d", tuple([tuple(words)] * times), (), **more)


def label(document, *others, name="key", language=None):
    documents = {str(row): one for row, one in enumerate((document, *others))}
    source = MemorySource(name, documents)
    return find_language(document, source, language=language)[1]


def test_long_document_has_its_own_language():
    long = document(GERMAN, 40)
    assert label(long, document(FRENCH, 400)) == "German (guessed)"


@pytest.mark.parametrize("words", [GERMAN, UNCLEAR])
def test_short_document_has_the_language_of_its_corpus(words):
    assert label(document(words), document(FRENCH, 40)) == "French (guessed)"


def test_short_document_in_an_unclear_corpus_has_its_own_language():
    assert label(document(GERMAN), document(UNCLEAR, 400)) == "German (guessed)"


def test_unclear_language_has_no_name():
    source = MemorySource("key", {"d": document(UNCLEAR)})
    assert find_language(document(UNCLEAR), source) == (None, "")


def test_names_of_treebanks_specify_the_language():
    tagged = document(GERMAN, layers={"xpos": ("NN",) * len(GERMAN)})
    assert label(tagged, name="data/es_ancora-ud-dev.conllu") == "Spanish"
    assert label(tagged, name="xx_ancora-ud-dev.conllu") == "English"
    assert label(tagged, name="es_ancora.conll") == "English"


def test_comments_and_requests_take_precedence():
    french = document(FRENCH, comments=(("lang = it",),))
    assert label(french, name="es_ancora.conllu") == "Italian"
    assert label(french, name="es_ancora.conllu", language="pl") == "Polish"


def test_language_without_a_list_keeps_its_name():
    source = MemorySource("key", {"d": document(FRENCH)})
    found = find_language(document(FRENCH), source, language="Klingon")
    assert found == (None, "Klingon")


@pytest.mark.parametrize(
    ("language", "is_trimmed"),
    [(None, True), ("xx", True), ("en", True), ("de", False)],
)
def test_english_articles_are_trimmed_unless_another_language_is_known(
    language, is_trimmed
):
    document = Document("d", (("the", "w1", "w2", "'s"),), ())
    source = MemorySource("key", {"d": document})
    found = find_language(document, source, language=language)
    facts = DocumentFacts(document, found).describe(0, 3, head=1)
    trimmed = facts.trimmed_start, facts.trimmed_end
    assert trimmed == ((1, 2) if is_trimmed else (0, 3))


def test_guess_keeps_the_articles_of_english():
    document = Document("d", (tuple(GERMAN * 30),), ())
    words, name = find_language(document, MemorySource("key", {"d": document}))
    assert name == "German (guessed)"
    assert {"der", "the"} <= words.leading
