"""Languages of documents: what names them goes before what is guessed."""

from __future__ import annotations

import pytest

from corefkit.analysis.errors.mention_facts import Languages, Wording
from corefkit.formats.in_memory import MemorySource
from corefkit.model import Document, Mention

FRENCH = [
    "Le",
    "chat",
    "est",
    "dans",
    "la",
    "rue",
    "et",
    "il",
    "ne",
    "bouge",
    "pas",
    "de",
    "là",
    ".",
]
GERMAN = [
    "Der",
    "Hund",
    "ist",
    "auf",
    "der",
    "Wiese",
    "und",
    "er",
    "bellt",
    "nicht",
    ".",
]
UNCLEAR = ["Zq", "rr", "."]


def document(words, times=1, **more):
    return Document("d", tuple([tuple(words)] * times), (), **more)


def corpus(*documents, name="key"):
    return MemorySource(name, {str(row): one for row, one in enumerate(documents)})


def found(one, *others, name="key", given=None):
    source = corpus(one, *others, name=name)
    return Languages(given).of(one, source)


def test_a_long_document_has_its_own_language():
    long = document(GERMAN, 40)
    assert found(long, document(FRENCH, 400)).name == "German"


@pytest.mark.parametrize("words", [GERMAN, UNCLEAR])
def test_a_short_one_has_that_of_its_corpus(words):
    assert found(document(words), document(FRENCH, 40)).name == "French"


def test_a_short_one_in_a_corpus_of_no_clear_language_has_its_own():
    assert found(document(GERMAN), document(UNCLEAR, 400)).name == "German"


def test_what_is_not_clear_has_no_name():
    language = found(document(UNCLEAR))
    assert language == (None, "", False)
    assert language.in_words == ""


def test_names_of_treebanks_tell():
    tags = {"xpos": ("NN",) * len(GERMAN)}
    one = document(GERMAN, layers=tags)
    assert found(one, name="data/es_ancora-ud-dev.conllu").in_words == "Spanish"
    assert found(one, name="xx_ancora-ud-dev.conllu").in_words == "English"
    assert found(one, name="es_ancora.conll").in_words == "English"


def test_comments_go_before_files_and_tags_and_users_before_all():
    one = document(FRENCH, comments=(("lang = it",),))
    assert found(one, name="es_ancora.conllu").in_words == "Italian"
    assert found(one, name="es_ancora.conllu", given="pl").in_words == "Polish"


def test_a_language_without_a_list_keeps_its_name():
    language = found(document(FRENCH), given="Klingon")
    assert (language.words, language.in_words) == (None, "Klingon")


@pytest.mark.parametrize(
    ("given", "is_trimmed"),
    [(None, True), ("xx", True), ("en", True), ("de", False)],
)
def test_english_articles_are_trimmed_unless_another_language_is_known(
    given, is_trimmed
):
    document = Document("d", (("the", "w1", "w2", "'s"),), ())
    language = Languages(given).of(document, MemorySource("key", {"d": document}))
    facts = Wording(document, language.words).facts(Mention(0, 3, head=1))
    trimmed = facts.trimmed_start, facts.trimmed_end
    assert trimmed == ((1, 2) if is_trimmed else (0, 3))


def test_a_guess_keeps_the_articles_of_english():
    document = Document("d", (tuple(GERMAN * 30),), ())
    language = Languages().of(document, MemorySource("key", {"d": document}))
    assert language.in_words == "German (guessed)"
    assert {"der", "the"} <= language.words.leading
