"""Mentions mapped onto trees: those that a tree has a node for."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from corefkit.cistell.corpora.restricting import Mapped, restricted
from corefkit.exceptions import FormatError
from corefkit.syntax.dependencies import syntax_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefkit.model import Document, Mention
    from corefkit.syntax.dependencies import Syntax

NO_NODE = "has no node in the tree"


def onto_trees(document: Document) -> Mapped:
    """Keep the mentions that the dependency tree has a node for.

    A node is a word with what hangs on it, of which some words may be left out, each
    with all that hangs on it in turn: so "by the old mill" has one for "the old mill".
    Mentions keep no head, as theirs may be another in this tree.
    """
    syntax = syntax_of(document)
    if syntax is None or "head" not in document.layers:
        message = (
            f"document {document.id!r} has no dependency tree to map mentions onto"
        )
        raise FormatError(message, hint="CoNLL-U has trees; a parser makes them")
    # Where every sentence is one word, no word has a parent.
    tree = replace(syntax, parents=syntax.parents or [-1] * len(syntax.tags))
    children: list[list[int]] = [[] for _ in tree.parents]
    for token, parent in enumerate(tree.parents):
        if parent >= 0:
            children[parent].append(token)
    kept = restricted(
        document, lambda one: "" if _has_node(one, tree, children) else NO_NODE
    )
    entities = tuple(
        replace(entity, mentions=tuple(replace(one, head=None) for one in entity))
        for entity in kept.document
    )
    return Mapped(replace(kept.document, entities=entities), kept.loss)


def _has_node(
    mention: Mention, syntax: Syntax, children: Sequence[Sequence[int]]
) -> bool:
    inside = {*mention.tokens} - syntax.empty
    tops = [token for token in inside if syntax.parents[token] not in inside]
    if len(tops) != 1:
        return not inside  # of empty nodes alone, which trees do not hold
    return all(
        child in inside for token in inside - {*tops} for child in children[token]
    )
