"""Documents of spaCy: a `Doc`, and an `Example`, which has both sides.

spaCy is not imported here: what is passed in has what is asked of it.

1.  The entities of a `Doc` are the span groups `coref_clusters_1`, ... or, where there
    are none, `coref_head_clusters_1`, ... (spacy-experimental); else the spans of
    characters in `doc._.coref_clusters` (fastcoref); else the lists of tokens in
    `doc._.coref_chains` (coreferee). Where a prefix is asked for, they are the groups
    with this prefix and nothing else.
2.  Behind the prefix of a group stand `_` and digits, as in spacy-experimental:
    `coref_clusters_silver_1` is no entity of `coref_clusters`. An empty group is none.
3.  Heads are the roots of spans where the document is parsed, and the label of a span
    is the type of its entity. The id of a `Doc` is
    `doc.user_data["id"]`, that of an `Example` the id of its reference.
4.  Key and response of an `Example` may have other tokens, as the tokenizer of a
    pipeline has other ones than a corpus. Both are then cut wherever a token of either
    ends, and mentions are compared by the characters that they cover. Blanks and case
    do not count. A mention keeps its head if both sides have that token.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import replace
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

from corefkit.exceptions import FormatError, PairingError
from corefkit.model import Document, Entity, Mention

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

# spacy-experimental's names of groups: whole mentions, and their heads alone.
SPANS, HEADS = "coref_clusters", "coref_head_clusters"


def numbered_groups(doc: Any, prefix: str) -> dict[str, Any]:
    """Find the span groups of a prefix, by what stands behind it."""
    name = re.compile(rf"{re.escape(prefix)}_([0-9]+)")
    return {
        found[1]: doc.spans[found[0]]
        for found in map(name.fullmatch, doc.spans)
        if found
    }


def spacy_document(doc: Any, name: str, *, prefix: str | None = None) -> Document:
    """Make a document of a `Doc`, which gets the name where it has no id itself."""
    sentences = list(doc.sents) if doc.has_annotation("SENT_START") else [doc[:]]
    parsed = doc.has_annotation("DEP")
    found = _entities(doc) if prefix is None else numbered_groups(doc, prefix).items()
    entities = [
        Entity(entity, tuple(_mention(span, parsed=parsed) for span in mentions))
        for entity, mentions in found
    ]
    return Document(
        str(doc.user_data.get("id", name)),
        tuple(tuple(token.text for token in sentence) for sentence in sentences),
        tuple(entity for entity in entities if entity.mentions),
        layers=_layers(doc),
    )


def example_documents(
    example: Any, name: str, *, prefix: str | None = None
) -> tuple[Document, Document]:
    """Make key and response of an `Example`: its reference, and what was predicted."""
    name = str(example.reference.user_data.get("id", name))
    key, response = (
        spacy_document(doc, name, prefix=prefix)
        for doc in (example.reference, example.predicted)
    )
    # What the pipeline put into a prediction does not name it.
    response = replace(response, id=name)
    if key.tokens == response.tokens:
        return key, response
    texts = _text(key), _text(response)
    first = _difference(*texts)
    if first is not None:
        expected, found = (text[first : first + 20] for text in texts)
        message = f"found text {found!r}, expected {expected!r} (without blanks)"
        hint = "reference and prediction of an Example are the same text"
        place = f"prediction of document {name!r}"
        raise PairingError(message, place=place, hint=hint)
    cuts = sorted({0, *_ends(key), *_ends(response)})
    return _cut(key, texts[0], cuts), _cut(response, texts[0], cuts)


def _entities(doc: Any) -> Iterator[tuple[str, Iterable[Any]]]:
    """Go through entities and their mentions, each a span or a list of tokens."""
    # Heads alone count only where no spans were made of them.
    groups = numbered_groups(doc, SPANS) or numbered_groups(doc, HEADS)
    if groups:
        yield from groups.items()
        return
    clusters = getattr(doc._, "coref_clusters", None)
    if clusters is not None:
        for number, cluster in enumerate(clusters):
            yield str(number), [_char_span(doc, *place) for place in cluster]
        return
    for number, chain in enumerate(getattr(doc._, "coref_chains", None) or ()):
        yield str(number), [mention.token_indexes for mention in chain]


def _char_span(doc: Any, start: int, end: int) -> Any:
    found = doc.char_span(start, end, alignment_mode="expand")
    if found is None:
        message = f"characters {start} to {end} are not in the document"
        hint = "was the text changed after its entities were found?"
        raise FormatError(message, place="doc._.coref_clusters", hint=hint)
    return found


def _mention(mention: Any, *, parsed: bool) -> Mention:
    if isinstance(mention, list):
        return Mention.of(mention)
    head = mention.root.i if parsed else None
    kind = {"type": mention.label_} if mention.label_ else {}
    return Mention(mention.start, mention.end - 1, head=head, attributes=kind)


def _layers(doc: Any) -> dict[str, tuple[str, ...]]:
    layers: dict[str, tuple[str, Callable[[Any], str]]] = {
        "lemma": ("LEMMA", lambda token: token.lemma_),
        "upos": ("POS", lambda token: token.pos_),
        "xpos": ("TAG", lambda token: token.tag_),
        "head": ("DEP", _head_number),
        "deprel": ("DEP", lambda token: token.dep_),
    }
    return {
        name: tuple(value(token) or "_" for token in doc)
        for name, (annotation, value) in layers.items()
        if doc.has_annotation(annotation)
    }


def _head_number(token: Any) -> str:
    """Return the number of a token's head in its sentence, from 1; 0 for its root."""
    return str(0 if token.head.i == token.i else token.head.i - token.sent.start + 1)


def _text(document: Document) -> str:
    """Join the tokens of a document without any blanks."""
    return "".join("".join(document.tokens).split())


def _ends(document: Document) -> list[int]:
    """Say behind how many letters of the text each token ends."""
    return list(accumulate(len("".join(word.split())) for word in document.tokens))


def _difference(key: str, response: str) -> int | None:
    """Find the first letter that differs by more than its case."""
    for at, (one, other) in enumerate(zip(key, response, strict=False)):
        if one.lower() != other.lower():
            return at
    return None if len(key) == len(response) else min(len(key), len(response))


def _cut(document: Document, text: str, cuts: Sequence[int]) -> Document:
    """Cut a document into tokens of the text, whatever its own tokens are."""
    ends = _ends(document)
    starts = [0, *ends]

    def moved(mention: Mention) -> Mention:
        tokens = [
            token
            for start, end in mention.parts
            for token in range(
                bisect_left(cuts, starts[start]), bisect_left(cuts, ends[end])
            )
        ]
        if not tokens:
            message = "a mention is nothing but blanks"
            raise FormatError(message, place=f"document {document.id!r}")
        head = None
        if mention.head is not None:
            first = bisect_left(cuts, starts[mention.head])
            if cuts[first + 1 : first + 2] == [ends[mention.head]]:
                head = first
        return Mention.of(tokens, head=head, attributes=mention.attributes)

    words = [text[start:end] for start, end in pairwise(cuts)]
    bounds = [0, *accumulate(map(len, document.sentences))]
    edges = [bisect_left(cuts, starts[bound]) for bound in bounds]
    return Document(
        document.id,
        tuple(tuple(words[a:b]) for a, b in pairwise(edges) if a < b),
        tuple(
            Entity(entity.id, tuple(map(moved, entity.mentions))) for entity in document
        ),
    )
