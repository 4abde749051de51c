"""Short stories with trees and entities: something small to train on."""

from __future__ import annotations

import random

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
