"""The scorer inside spaCy, and annotated corpora as spaCy's documents.

    [components.coref.scorer]
    @scorers = "corefkit.coref_scorer.v1"
    metrics = ["conll", "lea"]

    [training.score_weights]
    coref_conll_f1 = 1.0

spaCy finds the scorer by its entry point. It goes wherever a component takes a scorer.
`nlp.evaluate`, `spacy train` and `spacy evaluate` then have the numbers of
`Evaluation.to_flat`, such as `coref_muc_f1` and `coref_conll_f1`; LEA as
spacy-experimental names it (`coref_r`, `coref_p`, `coref_f`); and `coref_signature`.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from spacy.tokens import Doc, Span

from corefkit.alignment.trees import Trees, find_broken_cell, make_head_finder
from corefkit.evaluator import Evaluator
from corefkit.exceptions import FormatError, SettingsError
from corefkit.formats import read
from corefkit.formats.libraries import (
    HEADS,
    SPANS,
    convert_doc,
    convert_example,
    find_span_groups,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from spacy.training import Example
    from spacy.vocab import Vocab

    from corefkit.formats import Input
    from corefkit.model import Document, Mention

    Scores = dict[str, float | str | None]


def make_coref_scorer(
    span_cluster_prefix: str = SPANS,
    metrics: list[str] | None = None,
    settings: dict[str, Any] | None = None,
    prefix: str = "coref",
) -> Callable[..., Scores]:
    """Make the scorer, which a config calls "corefkit.coref_scorer.v1".

    Invalid metrics and settings raise an error now, before anything is trained.

    Args:
        span_cluster_prefix: the prefix of the names of span groups that are entities,
            in the reference and the prediction: `_1`, `_2`, ... follow it.
        metrics: their names; the default set if not given.
        settings: the settings of `corefkit.score`, by name, a preset among them.
        prefix: the prefix of the names of scores, such as `coref_muc_f1`.

    >>> import spacy
    >>> from spacy.training import Example
    >>> nlp = spacy.blank("en")
    >>> key, response = nlp("Ann left. She slept."), nlp("Ann left. She slept.")
    >>> key.spans["coref_clusters_1"] = [key[0:1], key[3:4]]
    >>> response.spans["coref_clusters_1"] = [response[0:1], response[3:4]]
    >>> scores = make_coref_scorer(metrics=["lea"])([Example(response, key)])
    >>> scores["coref_r"], scores["coref_lea_recall"]
    (1.0, 1.0)
    """
    Evaluator(metrics=metrics, **(settings or {}))

    def score(examples: Iterable[Example], **_: object) -> Scores:
        listed = list(examples)
        _reject_other_groups(listed, span_cluster_prefix)
        evaluator = Evaluator(metrics=metrics, **(settings or {}))
        for number, example in enumerate(listed):
            pair = convert_example(example, str(number), prefix=span_cluster_prefix)
            evaluator.update(*pair, document=number)
        result = evaluator.compute()
        scores: Scores = dict(result.to_flat(prefix=prefix, separator="_"))
        # So that a config of spacy-experimental needs no other weights.
        for part in ("recall", "precision", "f1") if "lea" in result.scores else ():
            scores[f"{prefix}_{part[0]}"] = scores[f"{prefix}_lea_{part}"]
        scores[f"{prefix}_signature"] = result.signature
        has_entities = (
            find_span_groups(example.reference, span_cluster_prefix)
            for example in listed
        )
        if not any(has_entities):
            # In spaCy, None means that a corpus lacks this annotation.
            return dict.fromkeys(scores)
        for message in result.warnings:
            warnings.warn(message, stacklevel=2)
        return scores

    return score


def documents(
    docs: Iterable[Doc], *, span_cluster_prefix: str = SPANS
) -> Iterator[Document]:
    """Convert spaCy documents with the span groups of a prefix to documents.

    `corefkit.score` accepts a `Doc` directly if its groups have the default prefix.

    >>> import spacy
    >>> doc = spacy.blank("en")("Ann left. She slept.")
    >>> doc.spans["silver_1"] = [doc[0:1], doc[3:4]]
    >>> [len(document) for document in documents([doc], span_cluster_prefix="silver")]
    [1]
    """
    for number, doc in enumerate(docs):
        yield convert_doc(doc, str(number), prefix=span_cluster_prefix)


def docs(
    documents: Input,
    vocab: Vocab,
    *,
    format: str | None = None,
    span_cluster_prefix: str = SPANS,
    heads: bool = False,
) -> Iterator[Doc]:
    """Convert annotated documents to spaCy documents, with entities as span groups.

    A `Doc` has the words, the boundaries of sentences, one group for each entity, and
    the id of the document in `user_data`. The label of a span is its entity type.

    Args:
        documents: any input of `corefkit.read`.
        vocab: the vocabulary of the pipeline, `nlp.vocab`.
        format: the format of a file; recognised if not given.
        span_cluster_prefix: the prefix of the names of groups.
        heads: whether to add the groups `coref_head_clusters_1`, ... of heads, which
            spacy-experimental trains with.

    >>> import spacy
    >>> from corefkit import Document, Entity, Mention
    >>> entity = Entity("x", (Mention(0, 0), Mention(2, 2)))
    >>> document = Document("d", (("Ann", "left"), ("She", "slept")), (entity,))
    >>> (doc,) = docs([document], spacy.blank("en").vocab)
    >>> doc.user_data["id"], doc.spans["coref_clusters_1"]
    ('d', [Ann, She])
    """
    for document in read(documents, format=format):
        yield _make_doc(document, vocab, span_cluster_prefix, heads=heads)


def _reject_other_groups(examples: list[Example], prefix: str) -> None:
    """Reject a side whose groups all have another common prefix: it would score 0."""
    for side in ("reference", "predicted"):
        docs = [getattr(example, side) for example in examples]
        if any(find_span_groups(doc, prefix) for doc in docs):
            continue
        for usual in (SPANS, HEADS):
            if any(find_span_groups(doc, usual) for doc in docs):
                message = f"found span groups {usual}_1, ..., expected {prefix}_1, ..."
                hint = f"span_cluster_prefix = {usual!r}, if these are the entities"
                raise SettingsError(
                    message, code="settings/invalid-value", place=side, hint=hint
                )


def _make_doc(document: Document, vocab: Vocab, prefix: str, *, heads: bool) -> Doc:
    place = f"document {document.id!r}"
    if document.empty or not document.sentences:
        message = "expected words, found none"
        if document.empty:
            message = "expected words, found empty nodes, which are not in the text"
        hint = "`corefkit convert FILE OUT.conll` removes empty nodes, and reports how"
        raise FormatError(message, code="input/no-words", place=place, hint=hint)
    starts: list[bool | int | None] = [
        not at for sentence in document.sentences for at in range(len(sentence))
    ]
    doc = Doc(vocab, words=list(document.tokens), sent_starts=starts)
    doc.user_data["id"] = document.id
    head_of = _find_all_heads(document, place) if heads else {}
    for number, entity in enumerate(document, 1):
        spans = []
        for mention in entity:
            if mention.gaps:
                text = document.text(mention)
                message = f"mention {text!r} has a gap, which no span has"
                hint = "`corefkit convert FILE OUT.conll` fills gaps, and counts them"
                code = "input/discontinuous-mention"
                raise FormatError(message, code=code, place=place, hint=hint)
            label = mention.attributes.get("type", "")
            spans.append(Span(doc, mention.start, mention.end + 1, label=label))
        doc.spans[f"{prefix}_{number}"] = spans
        if heads:
            # Mentions that share a head, as "the mill" and "the mill by the river",
            # are a single head.
            heads_of_entity = dict.fromkeys(head_of[mention] for mention in entity)
            doc.spans[f"{HEADS}_{number}"] = [
                doc[head : head + 1] for head in heads_of_entity
            ]
    return doc


def _find_all_heads(document: Document, place: str) -> dict[Mention, int]:
    """Find the heads of all mentions: given ones, or those of the trees."""
    mentions = [mention for entity in document for mention in entity]
    heads_by_mention = {
        mention: mention.head for mention in mentions if mention.head is not None
    }
    lacking = [mention for mention in mentions if mention not in heads_by_mention]
    trees = Trees.of(document) if lacking else None
    find_head = None
    if trees is not None and find_broken_cell(trees) is None:
        find_head = make_head_finder(trees)
    if find_head is not None:
        for mention in lacking:
            heads_by_mention[mention] = find_head(mention.start, mention.end)
    for mention in lacking:
        if mention not in heads_by_mention:
            message = f"mention {document.text(mention)!r} has no head"
            hint = "heads come with CoNLL-U, and from the trees of CoNLL-2012"
            code = "format/missing-head"
            raise FormatError(message, code=code, place=place, hint=hint)
    return heads_by_mention
