"""What a network learns from: sentences with tags, trees and mentions."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cistell.corpora.parts import is_masked
from cistell.network.layers import IGNORED
from cistell.network.lemmas import rule_of
from cistell.profiles import ENTITY_TYPES, entity_type
from corefkit.exceptions import CorefkitError, quoted
from corefkit.syntax.dependencies import build_syntax, find_head, remove_empty_nodes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from cistell.network.packing import Packed
    from cistell.network.vocabulary import Vocabulary
    from corefkit.arrays.columns import Ints
    from corefkit.model import Document, Mention
    from corefkit.syntax.dependencies import Syntax

_NEEDED = ("upos", "head", "deprel")
_NO_TYPE, _SOME_TYPE = ENTITY_TYPES.index("none"), ENTITY_TYPES.index("other")
_OWN = ("conj", "appos")  # what is a mention of its own


@dataclass(frozen=True, slots=True)
class Annotated:
    """A sentence with all that is to be learned of its words.

    Attributes:
        forms: the words.
        tags: UPOS and FEATS, with a blank between.
        rules: how their lemmas are made.
        parents: the place of the word that each hangs on, from 1 on; 0 for the root.
        relations: the relation to it.
        types: the number of the type of the mention that each heads.
        starts: the place of its first word, from 0 on; `IGNORED` if it heads none.
        ends: the place of its last word.
    """

    forms: tuple[str, ...]
    tags: tuple[str, ...]
    rules: tuple[str, ...]
    parents: tuple[int, ...]
    relations: tuple[str, ...]
    types: tuple[int, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]


def annotated(documents: Iterable[Document]) -> list[Annotated]:
    """Collect the sentences of documents; masked documents are left out."""
    return [
        sentence
        for document in documents
        if document.sentences and not is_masked(document)
        for sentence in _sentences(remove_empty_nodes(document))
    ]


def _sentences(document: Document) -> Iterator[Annotated]:
    layers = document.layers
    for layer in _NEEDED:
        if "_" in layers.get(layer, "_"):
            message = f"a word has no {layer.upper()}"
            raise CorefkitError(
                message,
                code="model/missing-syntax",
                place=f"document {quoted(document.id)}",
                hint="a network learns from trees and tags in CoNLL-U",
            )
    nothing = ("_",) * len(document.tokens)
    features, lemmas = layers.get("feats", nothing), layers.get("lemma", nothing)
    mentions = _by_heads(document)
    first = 0
    for sentence in document.sentences:
        here = range(first, first + len(sentence))
        headed = [_inside(mentions.get(token), here) for token in here]
        yield Annotated(
            sentence,
            tuple(f"{layers['upos'][token]} {features[token]}" for token in here),
            tuple(map(rule_of, sentence, lemmas[here.start : here.stop])),
            _parents(document, here),
            layers["deprel"][here.start : here.stop],
            tuple(map(_type, headed)),
            tuple(mention.start - first if mention else IGNORED for mention in headed),
            tuple(mention.end - first if mention else IGNORED for mention in headed),
        )
        first = here.stop


def _inside(mention: Mention | None, tokens: range) -> Mention | None:
    """Leave out a mention that goes beyond its sentence."""
    if mention and mention.start in tokens and mention.end in tokens:
        return mention
    return None


def _parents(document: Document, tokens: range) -> tuple[int, ...]:
    """Read the heads of a sentence, or say which is wrong."""
    parents = []
    for token in tokens:
        cell = document.layers["head"][token]
        if not (cell.isdecimal() and int(cell) <= len(tokens)):
            message = (
                f"HEAD {quoted(cell)} of word {token - tokens.start + 1} in a sentence "
                f"of {len(tokens)} words"
            )
            place = f"document {quoted(document.id)}"
            raise CorefkitError(message, code="model/invalid-syntax", place=place)
        parents.append(int(cell))
    return tuple(parents)


def _type(mention: Mention | None) -> int:
    if mention is None:
        return _NO_TYPE
    return ENTITY_TYPES.index(entity_type(mention)) or _SOME_TYPE


def _by_heads(document: Document) -> dict[int, Mention]:
    """Choose a mention for each word that heads one."""
    syntax = build_syntax(document)
    assert syntax is not None
    groups: defaultdict[int, list[Mention]] = defaultdict(list)
    for entity in document.entities:
        for mention in entity.mentions:
            groups[find_head(mention, syntax)].append(mention)
    return {head: _chosen(head, group, syntax) for head, group in groups.items()}


def _chosen(head: int, mentions: Sequence[Mention], syntax: Syntax) -> Mention:
    """Choose the longest mention without coordination or apposition to its head.

    "Ann" and "Ann and Bob" have one head; so have "the mill" and "the mill, a ruin".
    Only one can be pointed at; the longer ones follow from the tree.
    """
    # Where every word is a root, there is no tree.
    children = syntax.children[head] if syntax.parents else ()
    own = [child for child in children if syntax.kinds[child] in _OWN]

    def order(mention: Mention) -> tuple[bool, int]:
        joined = any(mention.start <= child <= mention.end for child in own)
        return joined, mention.start - mention.end

    return min(mentions, key=order)


def targets_of(
    sentences: Sequence[Annotated], packed: Packed, vocabulary: Vocabulary
) -> Mapping[str, Ints]:
    """Number the right answers of a batch, laid out by time, by questions.

    Labels that the vocabulary does not have are not learned from, and neither are
    relations to the root, which is told from its arc.
    """

    def numbers(field: str, known: Mapping[str, int] | None = None) -> Ints:
        values = packed.values([getattr(sentence, field) for sentence in sentences])
        if known is not None:
            values = [known.get(value, IGNORED) for value in values]
        return np.array(values, np.int64)

    labels, arcs = vocabulary.numbers, numbers("parents")
    rooted = arcs == 0
    return {
        "tag": numbers("tags", labels["tags"]),
        "lemma": numbers("rules", labels["rules"]),
        "type": numbers("types"),
        "arc": arcs,
        "parent": packed.parents(arcs),
        "relation": np.where(
            rooted, IGNORED, numbers("relations", labels["relations"])
        ),
        "start": numbers("starts"),
        "end": numbers("ends"),
    }
