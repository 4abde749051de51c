"""Trees of documents that must have one, or an error that says so."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from corefkit.exceptions import FormatError, quoted
from corefkit.syntax.dependencies import Syntax, build_syntax, remove_empty_nodes

if TYPE_CHECKING:
    from corefkit.model import Document

_NOTHING = {"_", ""}


def tree_of(document: Document, *, purpose: str) -> Syntax:
    """Read the tags and trees of a document with CoNLL-U's layers, or without words.

    The purpose of the tree ends the sentence of an error.

    >>> from corefkit.model import Document
    >>> tree_of(Document("d", (("Go", "!"),), ()), purpose="to resolve by")
    Traceback (most recent call last):
    corefkit.exceptions.FormatError: document 'd': has no tags and trees to resolve by
    <BLANKLINE>
    hint: CoNLL-U has them; for other texts name a parser with --parser, or train one \
with `corefkit train-parser`
    """
    if not document.tokens:
        return Syntax((), (), set())
    syntax = build_syntax(document)
    heads, relations = (document.layers.get(name, ()) for name in ("head", "deprel"))
    if syntax is None or {*heads} <= _NOTHING or not relations:
        message = f"has no tags and trees {purpose}"
        hint = (
            "CoNLL-U has them; for other texts name a parser with --parser, or train "
            "one with `corefkit train-parser`"
        )
        place = f"document {quoted(document.id)}"
        raise FormatError(message, code="model/missing-syntax", place=place, hint=hint)
    # Where every sentence is one word, no word has a parent: trees all the same.
    parents = syntax.parents or [-1] * len(syntax.tags)
    return replace(syntax, parents=parents, relations=relations)


def word_tree(document: Document) -> tuple[list[int], Syntax]:
    """Read the trees without empty nodes, to find mentions in them.

    Return the token of each word, and the tree of the words, numbered from 0.
    """
    empty = {*document.empty}
    tokens = [token for token in range(len(document.tokens)) if token not in empty]
    if empty:
        document = remove_empty_nodes(replace(document, entities=(), bridges=()))
    if {*document.layers.get("deprel", ())} <= _NOTHING:
        document = replace(document, layers={**document.layers, "deprel": ()})
    tree = tree_of(document, purpose="to find mentions in")
    tags = document.layers.get("upos", ())
    if {*tags} <= _NOTHING:
        return tokens, tree
    # Tags of UD stand even where only those of Penn tell features.
    features = document.layers.get("feats") or ("_",) * len(tags)
    return tokens, replace(tree, tags=tags, features=features)
