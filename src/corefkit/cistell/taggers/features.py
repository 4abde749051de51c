"""The features of the filter of mentions: twenty, of a span and its tree.

A feature is a name and a value, as in `tag=NOUN`; a span has one value of most features
and several of some, such as one for every child of its head. None needs a lexicon. Some
are lemmas; the filter stores those that it often saw in training.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corefkit.syntax.dependencies import Syntax

_LENGTHS = 8  # from this length on, spans up to twice as long have the same value
_MORPHOLOGY = ("PronType", "Poss", "Number", "NumType", "Person", "Reflex", "Case")


def span_features(tree: Syntax, first: int, last: int, head: int) -> list[str]:
    """Describe a span of words and its head.

    Args:
        tree: the tree of the document.
        first: the first word of the span.
        last: its last word.
        head: the word that the others hang on.
    """
    described = [
        *_of_head(tree, head),
        *_of_parent(tree, head),
        *_of_edges(tree, first, last, head),
        *_of_children(tree, first, last, head),
    ]
    return [f"{name}={value}" for name, value in described]


def _of_head(tree: Syntax, head: int) -> Iterator[tuple[str, str]]:
    tag, kind = tree.tags[head], tree.kinds[head]
    yield "tag", tag
    yield "relation", tree.relations[head]
    yield "tag and relation", f"{tag} {kind}"
    yield "capital", f"{tag} {tree.forms[head][:1].isupper()}"
    yield "lemma", tree.lemmas[head]
    for feature in tree.features[head].split("|"):
        if feature.startswith(_MORPHOLOGY):
            yield "feature", feature
            yield "feature and relation", f"{feature} {kind}"


def _of_parent(tree: Syntax, head: int) -> Iterator[tuple[str, str]]:
    parent = tree.parents[head]
    rooted = parent < 0
    tag = "none" if rooted else tree.tags[parent]
    yield "parent's tag", tag
    yield "parent's relation", "none" if rooted else tree.relations[parent]
    yield "parent's lemma", "none" if rooted else tree.lemmas[parent]
    yield "relation and parent's tag", f"{tree.kinds[head]} {tag}"


def _of_edges(
    tree: Syntax, first: int, last: int, head: int
) -> Iterator[tuple[str, str]]:
    start, end = tree.edges[head]
    yield "before", "start" if first == start else tree.tags[first - 1]
    yield "after", "end" if last == end else tree.tags[last + 1]
    yield "last", tree.tags[last]
    length = last - first + 1
    yield "length", str(length if length < _LENGTHS else 1 << length.bit_length())


def _of_children(
    tree: Syntax, first: int, last: int, head: int
) -> Iterator[tuple[str, str]]:
    variant = determiner = preposition = "none"
    for child in tree.children[head]:
        relation, kind = tree.relations[child], tree.kinds[child]
        side = "left" if child < head else "right"
        if first <= child <= last:
            yield "inside", f"{side} {relation}"
            if relation == "nmod:poss":
                determiner = "possessive"
            elif kind == "det":
                determiner = tree.features[child]
            elif kind in ("conj", "appos"):
                variant = kind
        else:
            yield "outside", f"{side} {relation}"
        if kind == "case" and child < head:
            preposition = tree.lemmas[child]
    yield "variant", variant
    yield "determiner", determiner
    yield "preposition", preposition
