"""Error analyses made by hand, for reports and for what counts errors again."""

from __future__ import annotations

from collections import Counter

from corefkit.analysis.errors.error_analysis import (
    KINDS,
    DocumentErrors,
    DocumentText,
    Error,
    ErrorAnalysis,
    LinkError,
    SystemErrors,
)
from corefkit.analysis.errors.links import LinkCounts
from corefkit.model import Mention
from corefkit.settings import VERSION

SIGNATURE = f"corefkit:{VERSION}|match:exact"
SAID = "Ann met the old baker . She gave him a coin ."
WORDS = SAID.split()
TEXT = DocumentText(WORDS, (0, 6), tuple(f"key.conll:{n + 2}" for n in range(12)))


def error(kind, *mentions, entity=(), identity=None, types=(), document="d"):
    """Make an error; mentions are pairs of tokens, or names."""
    spans = tuple(map(mention, mentions))
    first = spans[0]
    place = f"{first.start}-{first.end}" if isinstance(first, Mention) else first
    return Error(
        f"{document}#{kind}#{place}",
        kind,
        spans,
        tuple(map(mention, entity)) or spans,
        identity,
        types,
    )


def mention(value):
    """Make a mention of a pair of tokens; names stay."""
    return Mention(*value) if isinstance(value, tuple) else value


def link(anaphor, antecedent, side="recall", types=("pronoun", "name"), document="d"):
    """Make a link that is missing or wrong."""
    here, there = map(mention, (anaphor, antecedent))
    place = f"{document}#{side}#{here.start}-{here.end}"
    return LinkError(place, here, there, types, "personal", 1, 2, "", "link")


def system(name, *errors, recall=(), precision=(), document="d", **fields):
    """Make a system with the errors of one document; F1 rises from step to step."""
    counts = Counter(one.kind for one in errors)
    found = DocumentErrors(
        document,
        40,
        {kind: counts[kind] for kind in KINDS},
        errors,
        tuple(recall),
        tuple(precision),
    )
    steps = ("response", *KINDS)
    ladder = {step: scores(50 + 50 * n / 7) for n, step in enumerate(steps)}
    made = {
        "ladder": ladder,
        "alone": {kind: scores(55) for kind in KINDS},
        "all_but": {kind: scores(95) for kind in KINDS},
        "singletons": {"extra_entity": 0, "missing_entity": 0},
        "recall": links(len(recall), 20),
        "precision": links(len(precision), 10),
        "operations": {"split": 2, "remove": 1, "introduce": 0, "merge": 3},
    }
    return SystemErrors(name, (found,), **made | fields)


def scores(percent):
    """Make F1 of two metrics, CoNLL one point above LEA unless both are perfect."""
    return {"lea": percent / 100, "conll": min(percent + 1, 100) / 100}


def links(errors, edges):
    """Make links of one class, and a class without errors."""
    types = {
        "pronoun-name": LinkCounts(edges - 4, errors),
        "name-name": LinkCounts(4, 0),
    }
    cause = {"link": LinkCounts(edges, errors)}
    return LinkCounts(edges, errors, {"types": types, "cause": cause})


def analysis(*systems, **fields):
    """Make an analysis of systems."""
    return ErrorAnalysis("key.conll", SIGNATURE, systems, texts={"d": TEXT}, **fields)


DIVIDED = error("divided", (6, 6), entity=[(0, 0), (6, 6)], types=("pronoun",))
MISSING = error(
    "missing_mention", (9, 10), entity=[(2, 4), (9, 10)], types=("nominal",)
)
EXTRA = error("extra_mention", (2, 4), types=("nominal",))
TWICE = error(
    "conflated", (2, 4), (8, 8), entity=[(0, 0), (2, 4), (8, 8)], types=("nominal",)
)
