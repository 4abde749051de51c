"""Documents cut to about equal length, and documents whose words are masked.

Long documents have larger entities, and that changes scores more than the scheme does:
scores of corpora are compared on parts of equal length.

A part takes whole sentences, one after the other, up to a number of words; a longer
sentence is a part of its own. Empty nodes do not count as words.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import replace
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, NamedTuple

from cistell.studies.corpora.loss import Loss, loss_between
from corefkit.exceptions import SettingsError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefkit.model import Bridge, Document, Entity, Mention

OVER_A_CUT = "lies over a cut"


class Parts(NamedTuple):
    """The parts of a document, and what cutting cost."""

    documents: tuple[Document, ...]
    loss: Loss


def parts_of(document: Document, words: int) -> Parts:
    """Cut a document into parts of at most `words` words, and count what that costs.

    Layers, comments, empty nodes, entities and bridges are cut too; an entity keeps its
    id in every part that has mentions of it. A mention across a cut is dropped, and so
    are links (bridges and split antecedents) to entities that a part does not have.

    A document without words, whose sentences are unknown, is one part.

    >>> from corefkit.model import Document
    >>> document = Document("d", (("It", "rained"), ("We", "left"), ("Why", "?")), ())
    >>> [(part.id, part.tokens) for part in parts_of(document, 4).documents]
    [('d/1', ('It', 'rained', 'We', 'left')), ('d/2', ('Why', '?'))]
    """
    if words < 1:
        message = f"parts of {words} words cannot be made"
        raise SettingsError(
            message,
            code="settings/invalid-value",
            hint="give the number of words, as in 300",
        )
    if not document.sentences:
        whole = (replace(document, id=f"{document.id}/1"),)
        return Parts(whole, loss_between(document, whole))
    ends = list(accumulate(map(len, document.sentences), initial=0))
    cuts = [0, *_cuts(document, ends, words)]
    starts = [ends[cut] for cut in cuts]
    entities, lost = _entities_by_part(document, starts[1:])
    parts = tuple(
        _part(document, number, pair, starts[number], entities[number])
        for number, pair in enumerate(pairwise([*cuts, len(document.sentences)]))
    )
    return Parts(parts, loss_between(document, parts, dropped={OVER_A_CUT: lost}))


def is_masked(document: Document) -> bool:
    """Return whether the words of a document are masked: nothing but `_`.

    >>> from corefkit.model import Document
    >>> is_masked(Document("d", (("__", "_", "____"),), ()))
    True
    """
    words = document.words
    return bool(words) and not any(word.strip("_") for word in words)


def _cuts(document: Document, ends: Sequence[int], words: int) -> Iterator[int]:
    """Find the sentences that parts begin with, all but the first."""
    empty = sorted(document.empty)
    filled = 0
    for sentence, (start, end) in enumerate(pairwise(ends)):
        nodes = bisect_right(empty, end - 1) - bisect_right(empty, start - 1)
        length = end - start - nodes
        if filled and filled + length > words:
            yield sentence
            filled = 0
        filled += length


def _entities_by_part(
    document: Document, cuts: Sequence[int]
) -> tuple[list[tuple[Entity, ...]], int]:
    """Return the entities of each part, and count the mentions across a cut."""
    rows: list[list[Entity]] = [[] for _ in range(len(cuts) + 1)]
    lost = 0
    for entity in document.entities:
        inside: dict[int, list[Mention]] = {}
        for mention in entity.mentions:
            part = bisect_right(cuts, mention.start)
            if part == bisect_right(cuts, mention.end):
                inside.setdefault(part, []).append(mention)
            else:
                lost += 1
        for part, mentions in inside.items():
            rows[part].append(replace(entity, mentions=tuple(mentions)))
    return [tuple(row) for row in rows], lost


def _part(
    document: Document,
    number: int,
    sentences: tuple[int, int],
    start: int,
    entities: tuple[Entity, ...],
) -> Document:
    texts = document.sentences[slice(*sentences)]
    tokens = range(start, start + sum(map(len, texts)))
    ids = {entity.id for entity in entities}
    return replace(
        document,
        id=f"{document.id}/{number + 1}",
        sentences=texts,
        entities=tuple(_shifted_entity(entity, start, ids) for entity in entities),
        empty=tuple(node - start for node in document.empty if node in tokens),
        bridges=tuple(_bridges(document, tokens, ids)),
        layers={
            name: layer[tokens.start : tokens.stop]
            for name, layer in document.layers.items()
        },
        comments=document.comments[slice(*sentences)],
    )


def _shifted_entity(entity: Entity, start: int, ids: set[str]) -> Entity:
    mentions = tuple(_shifted(mention, start) for mention in entity.mentions)
    split = tuple(antecedent for antecedent in entity.split if antecedent in ids)
    return replace(entity, mentions=mentions, split=split)


def _bridges(document: Document, tokens: range, ids: set[str]) -> Iterator[Bridge]:
    for bridge in document.bridges:
        if bridge.antecedent in ids and _lies_in(bridge.anaphor, tokens):
            other = bridge.mention
            if other is not None:
                other = (
                    _shifted(other, tokens.start) if _lies_in(other, tokens) else None
                )
            anaphor = _shifted(bridge.anaphor, tokens.start)
            yield bridge._replace(anaphor=anaphor, mention=other)


def _lies_in(mention: Mention, tokens: range) -> bool:
    return mention.start in tokens and mention.end in tokens


def _shifted(mention: Mention, start: int) -> Mention:
    """Number the tokens of a mention from `start`."""
    head, minimum = mention.head, mention.minimum
    return replace(
        mention,
        start=mention.start - start,
        end=mention.end - start,
        gaps=tuple((first - start, last - start) for first, last in mention.gaps),
        head=None if head is None else head - start,
        minimum=None if minimum is None else (minimum[0] - start, minimum[1] - start),
    )
