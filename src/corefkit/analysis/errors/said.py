"""Where pronouns, types and heads come from, in words."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_HOW: Mapping[str, Mapping[str, str]] = {
    "types": {
        "file": "kinds of mentions that {} names",
        "tags": "parts of speech of {}",
        "words": "pronouns by a list of words of {}; other types are not known",
        "no list": "not known; there is no list of the pronouns of {}",
        "": "not known; no mention counts as a pronoun, and anchors are first mentions",
    },
    "heads": {
        "file": "those that {} names",
        "tree": "dependency trees of {}",
        "parse": "the parse column of {}, by the rules of Collins",
        "tags": "guessed by the parts of speech of {}",
        "": "not known; span errors are found by trimming alone",
    },
    "trimming": {
        "words": "articles and endings of {}, and punctuation",
        "no list": "punctuation and English articles; there is no list for {}",
        "language": "punctuation and English articles; the language is not known",
        "": "none, since there are no words",
    },
    "distances": {"": "in tokens; sentences are not known"},
    "trees": {
        "": "the parse column of {} has brackets that do not pair, and tells nothing"
    },
}


def sentences_on(counts: Mapping[tuple[str, str, str], int]) -> tuple[str, ...]:
    """Say what told how many mentions their types, heads and so on, a sentence each.

    What is counted is what was looked for, how it was found, and where.

    >>> counts = {("types", "tags", "the key"): 3, ("types", "file", "the response"): 1}
    >>> for sentence in sentences_on(counts):
    ...     print(sentence)
    types: parts of speech of the key (75%)
    types: kinds of mentions that the response names (25%)
    """
    totals: defaultdict[str, int] = defaultdict(int)
    for (what, _, _), count in counts.items():
        totals[what] += count
    order = list(_HOW)
    ranked = sorted(counts.items(), key=lambda row: (order.index(row[0][0]), -row[1]))
    said = []
    for (what, how, where), count in ranked:
        share = ""
        if 0 < count < totals[what]:
            share = f" ({100 * count / totals[what]:.0f}%)"
        if count and how in _HOW[what]:
            said.append(f"{what}: {_HOW[what][how].format(where)}{share}")
    return tuple(said)
