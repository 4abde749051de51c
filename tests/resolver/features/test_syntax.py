from __future__ import annotations

import pytest
from resolver.features.pair_values import cases, lacking, value_of

MILL = "[ the/2 mill/NOUN/0//Number=Sing ]m"
BOAT = "[ a/2 boat/NOUN/0//Number=Sing ]b"
QUOTED = '"/2 [ Ann/PROPN/0//Number=Sing ]a "/2'
PLAIN = "[ Ann/PROPN/0//Number=Sing ]a ,/1"

# A mention in each function.
FUNCTIONS = {
    "other": "burned/VERB/0//A=B by/ADP/3/case [ mill/NOUN/1/obl ]m",
    "subject": "[ mill/NOUN/2/nsubj ]m burned/VERB/0//A=B",
    "object": "burned/VERB/0//A=B [ mill/NOUN/1/obj ]m",
}
EXAMPLES = {
    "nominal_predicate": {
        "no": (MILL, BOAT),
        "yes": ("[ Ann/PROPN/4/nsubj ]a is/4 [ a/4 miller/NOUN/0//Number=Sing ]a",),
    },
    "apposition": {
        "no": ("[ Ann/PROPN/4/nsubj ]a is/4 [ a/4 miller/NOUN/0//Number=Sing ]a",),
        "yes": ("[ Ann/PROPN/0/root ]a ,/4 [ a/4 miller/NOUN/1/appos/Number=Sing ]a",),
    },
    "relative_clause": {
        "no": (
            "[ a/2 mill/NOUN/0//A=B that/4 burned/VERB/2/acl:relcl ]m",
            BOAT,
        ),
        "yes": (
            BOAT,
            "[ a/2 mill/NOUN/0/root that/4 burned/VERB/2/acl:relcl ]m",
        ),
    },
    "embedding": {
        "no": (MILL, BOAT),
        "yes": ("[ the/2 wheel/NOUN/0//A=B of/5 [ the/5 mill/NOUN/2/nmod ]m ]w",),
    },
    "function_first": {name: (line, BOAT) for name, line in FUNCTIONS.items()},
    "function_second": {name: (BOAT, line) for name, line in FUNCTIONS.items()},
    "quotation": {
        "neither": (PLAIN, PLAIN),
        "first": (QUOTED, PLAIN),
        "second": (PLAIN, QUOTED),
        "both": (QUOTED, QUOTED),
    },
}


@pytest.mark.parametrize(("name", "value", "lines"), cases(EXAMPLES))
def test_feature_has_its_value(name, value, lines):
    assert value_of(name, *lines) == value


def test_every_feature_and_value_has_an_example():
    assert not lacking("syntax", EXAMPLES)


MORE = {
    "a predicate before its subject": (
        "nominal_predicate",
        "yes",
        "fr",
        ("[ meunière/NOUN/0//Gender=Fem ]a est/1 [ Anne/PROPN/1/nsubj ]a",),
    ),
    "a predicate of somebody else": (
        "nominal_predicate",
        "no",
        "es",
        (
            "[ Ana/PROPN/0//A=B ]a ,/1",
            "Eva/PROPN/4/nsubj es/4 [ la/4 molinera/NOUN/0//Gender=Fem ]e",
        ),
    ),
    "a predicate without copula": (
        "nominal_predicate",
        "no",
        "en",
        ("[ Ann/PROPN/2/nsubj ]a [ miller/NOUN/0//Number=Sing ]a",),
    ),
    "a place where the subject is": (
        "nominal_predicate",
        "no",
        "en",
        (
            "[ the/2 mill/NOUN/6/nsubj ]m is/6 near/ADP/6/case "
            "[ the/6 station/NOUN/0/root ]s",
        ),
    ),
    "an owner of the subject": (
        "nominal_predicate",
        "no",
        "en",
        ("[ the/2 mill/NOUN/4/nsubj ]m is/4 [ Ann/PROPN/0/root 's/4 ]a",),
    ),
    "a predicate that is denied": (
        "nominal_predicate",
        "no",
        "en",
        (
            "[ Ann/PROPN/5/nsubj ]a is/5 not/PART/5/advmod/Polarity=Neg "
            "[ a/5 miller/NOUN/0/root ]m",
        ),
    ),
    "an apposition before what it explains": (
        "apposition",
        "yes",
        "en",
        ("[ a/2 miller/NOUN/3/appos/Number=Sing ]a [ Ann/PROPN/0/root ]a",),
    ),
    "a mention is no apposition to a mention around it": (
        "apposition",
        "yes",
        "en",
        # Nor is the whole: its head is what is explained.
        ("[ Ann/PROPN/0//A=B ,/4 [ a/4 miller/NOUN/1/appos ]a ]a",),
    ),
    "a relative clause by its pronoun": (
        "relative_clause",
        "yes",
        "es",
        (
            "[ Ana/PROPN/0//A=B ]a ,/1",
            "[ el/2 molino/NOUN/0/root que/4 ardió/VERB/2/acl ]m",
        ),
    ),
    "a clause that is not relative": (
        "relative_clause",
        "no",
        "fr",
        (
            "[ Anne/PROPN/0//A=B ]a ,/1",
            "[ le/2 moulin/NOUN/0/root brûlé/VERB/2/acl ]m",
        ),
    ),
    "two that start together": (
        "embedding",
        "yes",
        "en",
        ("[ [ her/2 ]a mill/NOUN/0/root ]m",),
    ),
    "a subject of a passive": (
        "function_first",
        "subject",
        "fr",
        (
            "[ Anne/PROPN/2/nsubj:pass ]a élue/VERB/0//A=B",
            "[ le/2 moulin/NOUN/0/root ]m",
        ),
    ),
    "a zero subject": (
        "function_second",
        "subject",
        "es",
        (
            "[ Ana/PROPN/0//A=B ]a ,/1",
            "[ */1:nsubj ]a Durmió/VERB/0//Number=Sing|Person=3",
        ),
    ),
}


@pytest.mark.parametrize(
    ("name", "value", "language", "lines"), MORE.values(), ids=MORE
)
def test_trees_are_compared(name, value, language, lines):
    assert value_of(name, *lines, language=language) == value
