"""Words of closed classes: the table, and languages named or guessed."""

from __future__ import annotations

import pytest
from shared_files import DATA

import corefkit
from corefkit.model import Document
from corefkit.syntax.mention_types import (
    find_language_code,
    guess_language,
    load_closed_words,
    read_language,
)

LANGUAGES = sorted(load_closed_words())
# The beginning of the first article of the Universal Declaration of Human Rights, or
# what says the same.
TEXTS = {
    "ca": "Tots els éssers humans neixen lliures i iguals en dignitat i en drets . Són "
    "dotats de raó i de consciència , i els cal mantenir-se entre ells amb esperit",
    "cs": "Všichni lidé se rodí svobodní a sobě rovní co do důstojnosti a práv . Jsou "
    "nadáni rozumem a svědomím a mají spolu jednat v duchu , který je",
    "de": "Alle Menschen sind frei und gleich an Würde und Rechten geboren . Sie sind "
    "mit Vernunft und Gewissen begabt und sollen einander im Geist der Brüderlichkeit",
    "en": "All human beings are born free and equal in dignity and rights . They are "
    "endowed with reason and should act towards one another in a spirit of the",
    "es": "Todos los seres humanos nacen libres e iguales en dignidad y derechos y , "
    "dotados como están de razón y conciencia , deben comportarse con los otros",
    "fr": "Tous les êtres humains naissent libres et égaux en dignité et en droits . "
    "Ils sont doués de raison et doivent agir les uns envers les autres dans un esprit",
    "hu": "Minden emberi lény szabadon születik és egyenlő méltósága és joga van . Az "
    "emberek , ésszel és lelkiismerettel bírván , egymással szemben is meg nem",
    "it": "Tutti gli esseri umani nascono liberi ed eguali in dignità e diritti . Essi "
    "sono dotati di ragione e di coscienza e devono agire gli uni verso gli altri",
    "nl": "Alle mensen worden vrij en gelijk in waardigheid en rechten geboren . Zij "
    "zijn begaafd met verstand en behoren zich met elkaar in een geest van de",
    "pl": "Wszyscy ludzie rodzą się wolni i równi w swej godności i w swych prawach . "
    "Są oni obdarzeni rozumem i powinni postępować w stosunku do innych",
    "pt": "Todos os seres humanos nascem livres e iguais em dignidade e em direitos . "
    "Dotados de razão e de consciência , devem agir uns para com os outros",
    "ru": "Все люди рождаются свободными и равными в своем достоинстве и правах . Они "  # noqa: RUF001
    "наделены разумом и должны поступать в отношении друг друга как",
}


@pytest.mark.parametrize("code", LANGUAGES)
def test_lists_are_in_lower_case_and_have_pronouns(code):
    words = load_closed_words()[code]
    listed = {*words.pronouns, *words.leading, *words.trailing, *words.frequent}
    assert listed == {word.casefold() for word in listed}
    assert {*words.pronouns.values()} >= {"personal", "demonstrative"}
    assert len(words.frequent) >= 15


@pytest.mark.parametrize("code", TEXTS)
def test_languages_are_guessed_by_frequent_words(code):
    assert guess_language(TEXTS[code].split()) == code


@pytest.mark.parametrize("text", ["", "x y z", "a", "_ _ _ _", "de"])
def test_unclear_texts_are_not_guessed(text):
    assert guess_language(text.split()) is None


def test_languages_have_codes_and_names():
    assert find_language_code("EN") == find_language_code("english") == "en"
    assert find_language_code("en_GB") == "en"
    assert find_language_code("english-ish") is None


@pytest.mark.parametrize(
    ("comment", "language"),
    [
        (" lang = de", "de"),
        ("language: German", "German"),
        (" meta::language = pt-BR", "pt-BR"),
        (" text = the language = fr", None),
        (" slang = de", None),
    ],
)
def test_comments_name_languages(comment, language):
    document = Document("d", (), (), comments=((" newdoc id = d", comment),))
    assert read_language(document) == language


@pytest.mark.skipif(not DATA.is_dir(), reason="the corpora are not beside the project")
@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("democrat-fr/dem1921_sg.dev.conll", "fr"),
        ("ancora-es/es_ancora-ud-test.conllu", "es"),
        ("ontogum/ontogum-test.conllu", "en"),
    ],
)
@pytest.mark.slow
def test_real_texts_are_not_taken_for_another_language(path, language):
    documents = [
        document
        for document in corefkit.read(DATA / path)
        if len(document.words) >= 300 and {*document.words} != {"_"}
    ]
    guesses = [guess_language(document.words) for document in documents]
    assert set(guesses) <= {language, None}
    assert guesses.count(language) >= 0.9 * len(guesses)
