"""Mentions mapped onto trees: only those that a tree has a node for are kept."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from corefkit.cistell.corpora.restricting import Mapped, restricted
from corefkit.cistell.trees import tree_of

if TYPE_CHECKING:
    from corefkit.model import Document, Mention
    from corefkit.syntax.dependencies import Syntax

NO_NODE = "has no node in the tree"


def onto_trees(document: Document) -> Mapped:
    """Keep the mentions that the dependency tree has a node for.

    A node is a word with what hangs on it; some of these words may be left out, each
    with all that hangs on it in turn: so "by the old mill" has a node for "the old
    mill". The heads of mentions are dropped, since they may be others in this tree.
    """
    tree = tree_of(document, purpose="to map mentions onto")
    kept = restricted(
        document, lambda mention: "" if _has_node(mention, tree) else NO_NODE
    )
    entities = tuple(
        replace(
            entity, mentions=tuple(replace(mention, head=None) for mention in entity)
        )
        for entity in kept.document
    )
    return Mapped(replace(kept.document, entities=entities), kept.loss)


def _has_node(mention: Mention, tree: Syntax) -> bool:
    inside = {*mention.tokens} - tree.empty
    tops = [token for token in inside if tree.parents[token] not in inside]
    if len(tops) != 1:
        return not inside  # empty nodes alone, which trees do not have
    return all(
        child in inside for token in inside - {*tops} for child in tree.children[token]
    )
