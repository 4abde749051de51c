"""Short stories with trees and entities: something small to train on."""

from __future__ import annotations

import random
from dataclasses import replace

from resolver.trees import parsed

import corefkit

_PEOPLE = (
    ("Ann", "she", "her", "Fem"),
    ("Bob", "he", "his", "Masc"),
    ("Clara", "she", "her", "Fem"),
    ("Dan", "he", "his", "Masc"),
)
_THINGS = ("mill", "boat", "farm", "shop", "house", "barn")
_VERBS = ("bought", "painted", "sold", "missed", "burned")
_END = "./PUNCT/2/punct"


def stories(count, *, seed=0):
    """Make documents in which two people do things to two things."""
    chance = random.Random(seed)
    return [_story(chance, f"story-{number}") for number in range(count)]


def written_stories(path, count, *, seed=0):
    """Write stories as CoNLL-U, and give the path as a text."""
    corefkit.write(stories(count, seed=seed), path, format="conllu")
    return str(path)


def _story(chance, id):
    people = chance.sample(_PEOPLE, 2)
    things = chance.sample(_THINGS, 2)
    lines = [_name(*people[0], "a", things[0], "one", "a", chance)]
    for _ in range(chance.randint(3, 6)):
        who = chance.randrange(2)
        what = chance.randrange(2)
        person, thing = (*people[who], "ab"[who]), (things[what], ("one", "two")[what])
        lines.append(
            _name(*person, *thing, "the", chance)
            if chance.random() < 0.5
            else _pronoun(*person, *thing, chance)
        )
    # A noun phrase that is no mention, so that a tagger has something to learn.
    lines.append(
        "no/DET/2/det time/NOUN/3/nsubj/Number=Sing passed/VERB/0/root ./PUNCT/3/punct"
    )
    return parsed(*lines, id=id)


def _name(name, _subject, _own, _gender, who, thing, what, article, chance):
    return (
        f"[ {name}/PROPN/2/nsubj/Number=Sing ]{who}:person "
        f"{chance.choice(_VERBS)}/VERB/0/root "
        f"[ {article}/4 {thing}/NOUN/2/obj/Number=Sing ]{what} {_END}"
    )


def _pronoun(_name, subject, own, _gender, who, thing, what, chance):
    return (
        f"[ {subject}/2 ]{who} {chance.choice(_VERBS)}/VERB/0/root "
        f"[ [ {own}/4 ]{who} {thing}/NOUN/2/obj/Number=Sing ]{what} {_END}"
    )


def write_study_corpora(folder):
    """Write stories as the corpora of the studies; return the folder."""
    for part, count, seed in (("train", 14, 1), ("test", 8, 2)):
        documents = list(map(_add_penn_tags, stories(count, seed=seed)))
        trees = list(map(_make_constituents, documents))
        for name, content, format_ in (
            (f"gum-{part}.conllu", documents, "conllu"),
            (f"ontogum-{part}.conllu", documents, "conllu"),
            (f"ontogum-{part}.v4_gold_conll", trees, "conll"),
            (f"es_ancora-ud-{part}.conllu", documents, "conllu"),
        ):
            corefkit.write(content, folder / name, format=format_)
    return folder


def _add_penn_tags(document):
    """Tag words as Penn does, and type every mention, as GUM has them."""
    tags = {"VERB": "VBD", "PROPN": "NNP", "PRON": "PRP"}
    penn = tuple(tags.get(tag, "NN") for tag in document.layers["upos"])
    entities = []
    for entity in document:
        type_ = entity.mentions[0].attributes.get("type", "place")
        typed = (replace(m, attributes={"type": type_}) for m in entity)
        entities.append(replace(entity, mentions=tuple(typed)))
    layers = {**document.layers, "xpos": penn}
    return replace(document, entities=tuple(entities), layers=layers)


def _make_constituents(document):
    """Make one flat noun phrase of each sentence's first word."""
    cells = []
    for sentence in document.sentences:
        cells += ["(S(NP*)", *["*"] * (len(sentence) - 2), "*)"]
    return replace(document, entities=(), layers={"parse": tuple(cells)})
