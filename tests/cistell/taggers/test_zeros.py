from __future__ import annotations

import pytest
from cistell.taggers.sentences import parsed, texts

import corefkit
from corefkit.cistell.taggers import zero_subjects
from corefkit.model import Document, Mention

FINITE = "Mood=Ind|VerbForm=Fin"

SENTENCES = {
    "a finite verb without subject": (f"Llegó/VERB/0//{FINITE}", ["Llegó"]),
    "with a subject": (f"Eva/PROPN/2/nsubj llegó/VERB/0//{FINITE}", []),
    "with a clause as subject": (
        f"Importa/VERB/0//{FINITE} ganar/VERB/1/csubj/VerbForm=Inf",
        [],
    ),
    "an impersonal verb": (
        f"Se/PRON/2/expl:impers vive/VERB/0//{FINITE} bien/ADV/2/advmod",
        [],
    ),
    "a reflexive verb": (
        f"Se/PRON/2/expl:pv marchó/VERB/0//{FINITE}",
        ["marchó"],
    ),
    "an infinitive": ("Comer/VERB/0//VerbForm=Inf", []),
    "an order": ("Come/VERB/0//Mood=Imp|VerbForm=Fin", []),
    "an auxiliary is the finite verb": (
        f"Ha/AUX/2/aux/{FINITE} llegado/VERB/0//VerbForm=Part",
        ["Ha"],
    ),
    "a copula is the finite verb": (
        f"Es/AUX/2/cop/{FINITE} médica/NOUN/0/root",
        ["Es"],
    ),
    "a copula with subject": (
        f"Eva/PROPN/3/nsubj es/AUX/3/cop/{FINITE} médica/NOUN/0/root",
        [],
    ),
    "only marks": ("./PUNCT/0/root", []),
}


@pytest.mark.parametrize(("line", "expected"), SENTENCES.values(), ids=SENTENCES)
def test_verbs_that_stand_for_subjects(line, expected):
    document = parsed(line)
    assert texts(document, zero_subjects(document)) == expected


def test_there_is_has_no_subject():
    layers = {
        "upos": ("VERB", "NOUN"),
        "lemma": ("haber", "pan"),
        "feats": (FINITE, "_"),
        "head": ("0", "1"),
        "deprel": ("root", "obj"),
    }
    assert zero_subjects(Document("d", (("Hay", "pan"),), (), layers=layers)) == []


def test_haber_as_auxiliary_does_not_count():
    layers = {
        "upos": ("AUX", "VERB"),
        "lemma": ("haber", "llegar"),
        "feats": (FINITE, "VerbForm=Part"),
        "head": ("2", "0"),
        "deprel": ("aux", "root"),
    }
    document = Document("d", (("Ha", "llegado"),), (), layers=layers)
    assert zero_subjects(document) == [Mention(0, 0)]


def test_document_without_tree_is_refused():
    with pytest.raises(corefkit.CorefkitError, match="no tree"):
        zero_subjects(Document("d", (("Llegó",),), ()))
