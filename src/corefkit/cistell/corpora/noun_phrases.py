"""Noun phrases of constituent trees, for schemes that annotate no singletons.

Schemes such as OntoNotes' leave out what is mentioned only once. These noun phrases are
taken from the trees: of all those with the same head the longest, and possessive
pronouns, which are not phrases. Heads are those of the dependency tree.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from corefkit.exceptions import FormatError
from corefkit.model import Mention
from corefkit.syntax.dependencies import head_of, syntax_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefkit.model import Document

_BRACKET = re.compile(r"\(([^()*]*)|\)")
_NOUN_PHRASE = re.compile(r"NP(?![^-=])")
_POSSESSIVE = "PRP$"


def noun_phrases(brackets: Sequence[str]) -> list[tuple[int, int]]:
    """Find the first and last tokens of all noun phrases, the longest first.

    Brackets are those of CoNLL-2012's parse column. Functions, as in `NP-SBJ`, are
    ignored.

    >>> noun_phrases(["(S(NP-SBJ(NP*", "*)", "(PP*", "(NP*)))", "(VP*))"])
    [(0, 3), (0, 1), (3, 3)]
    """
    found: list[tuple[int, int]] = []
    around: list[tuple[str, int]] = []
    for token, cell in enumerate(brackets):
        for bracket in _BRACKET.finditer(cell):
            if bracket[1] is not None:
                around.append((bracket[1], token))
            elif around:
                kind, start = around.pop()
                if _NOUN_PHRASE.match(kind):
                    found.append((start, token))
    return sorted(found, key=lambda span: (span[0] - span[1], span))


def phrase_mentions(document: Document) -> Iterator[Mention]:
    """Go through the longest noun phrase of each head, then possessive pronouns.

    The document must have the layers `parse`, `xpos`, `head` and `deprel`.
    """
    brackets = document.layers.get("parse")
    syntax = syntax_of(document)
    if brackets is None or syntax is None or "head" not in document.layers:
        what = "dependency tree" if brackets else "constituent tree (layer `parse`)"
        message = f"document {document.id!r} has no {what} to take noun phrases from"
        hint = "take the trees from a file that has them, as `with_trees` does"
        raise FormatError(message, hint=hint)
    heads: set[int] = set()
    for start, end in noun_phrases(brackets):
        head = head_of(Mention(start, end), syntax)
        if head not in heads:
            heads.add(head)
            yield Mention(start, end, head=head)
    for token, tag in enumerate(document.layers.get("xpos", ())):
        if tag == _POSSESSIVE and token not in heads:
            yield Mention(token, token, head=token)
