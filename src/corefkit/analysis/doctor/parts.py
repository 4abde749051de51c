"""Checks of parts: documents of one side that are one document of the other."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import replace
from functools import partial
from itertools import accumulate
from typing import TYPE_CHECKING

from corefkit.analysis.doctor.case import Suspicion
from corefkit.analysis.doctor.spans import (
    bounds,
    changed_document,
    mention_count,
    moved,
    same_mentions,
    with_mentions,
)
from corefkit.exceptions import quoted
from corefkit.model import Entity
from corefkit.strings.ids import name_and_part

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from corefkit.analysis.doctor.case import Case
    from corefkit.model import Document, Mention

_MOST = 0.6  # of mentions that must meet where no words tell
_LEAST = 5  # mentions that must meet there
_HEAD = 8  # words by which documents are found that begin alike


def joined_parts(case: Case) -> Iterator[Suspicion]:
    """A response document that is several documents of the key, one after the other."""
    runs, named = _Runs(case.key), _by_name(case.key)
    found: list[tuple[Document, Sequence[Document]]] = []
    for document in _without_twin(case, 1):
        if document.words:
            into = runs.of(document.words)
        else:
            into = _by_length(case, document, named)
        if len(into) > 1:
            found.append((document, into))
    if not found:
        return
    whole, parts = found[0]
    joined = {id(document) for document, _ in found}
    documents = [one for one in case.response if id(one) not in joined]
    documents += [part for one, into in found for part in _cut(one, into)]
    yield Suspicion(
        f"document {quoted(whole.id)} of the response is {len(parts)} documents of "
        f"the key in one, from {quoted(parts[0].id)} on",
        "cut the response where the documents of the key begin, and count tokens anew",
        sum(mention_count(one) for one, _ in found),
        case.with_side(1, documents),
        is_certain=True,
    )


def split_documents(case: Case) -> Iterator[Suspicion]:
    """A document of the key that is several documents of the response."""
    runs = _Runs(case.response)
    found = [
        (document, parts)
        for document in _without_twin(case, 0)
        if document.words and len(parts := runs.of(document.words)) > 1
    ]
    if not found:
        return
    whole, parts = found[0]
    taken = {id(part) for _, run in found for part in run}
    documents = [one for one in case.response if id(one) not in taken]
    documents += [_joined(one, run) for one, run in found]
    yield Suspicion(
        f"document {quoted(whole.id)} of the key is {len(parts)} documents in the "
        f"response, from {quoted(parts[0].id)} on",
        "join them as in the key, and count tokens on; an entity that goes on behind a "
        "cut has lost its link, so the score after is the least that is to be had",
        sum(mention_count(part) for _, run in found for part in run),
        case.with_side(1, documents),
        is_certain=True,
    )


def _without_twin(case: Case, side: int) -> Iterator[Document]:
    """Go through the documents of a side that no other of the same text stands for."""
    twins = {
        id(document)
        for pair in case.pairs
        for document in (pair.key, pair.response)
        if pair.same_words and not pair.beyond
    }
    for document in case.side(side):
        if id(document) not in twins and not document.empty:
            yield document


class _Runs:
    """Documents next to each other, found by the words that they have together."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self._documents = documents
        self._words = [() if one.empty else one.words for one in documents]
        self._first: dict[tuple[str, ...], list[int]] = {}
        for number, words in enumerate(self._words):
            if words:
                self._first.setdefault(words[:_HEAD], []).append(number)

    def of(self, words: tuple[str, ...]) -> Sequence[Document]:
        """Find the documents that have these words; none where there are none."""
        # Those of fewer words stand under all of them.
        heads = {words[:length] for length in range(1, _HEAD + 1)}
        for first in sorted(at for head in heads for at in self._first.get(head, [])):
            length, last = 0, first
            while last < len(self._words) and length < len(words):
                part = self._words[last]
                if not part or part != words[length : length + len(part)]:
                    break
                length += len(part)
                last += 1
            if length == len(words):
                return self._documents[first:last]
        return []


def _by_name(documents: Iterable[Document]) -> Mapping[str, Sequence[Document]]:
    """Group documents that are parts of the same one, by its name."""
    found: dict[str, list[Document]] = {}
    for document in documents:
        found.setdefault(name_and_part(document.id)[0], []).append(document)
    return found


def _by_length(
    case: Case, document: Document, named: Mapping[str, Sequence[Document]]
) -> Sequence[Document]:
    """Find the documents that one without words is, by where their mentions meet."""
    parts = named.get(name_and_part(document.id)[0], ())
    if not parts and len(case.response) == 1:
        parts = case.key
    if len(parts) < 2 or any(one.empty or not one.words for one in parts):
        return []
    met = sum(
        same_mentions(bounds(one), bounds(other))
        for one, other in zip(parts, _cut(document, parts), strict=True)
    )
    fewest = min(mention_count(document), sum(map(mention_count, parts)))
    return parts if met >= max(_LEAST, _MOST * fewest) else []


def _cut(whole: Document, parts: Sequence[Document]) -> Iterator[Document]:
    """Cut a document where others end, and leave out what goes over a cut."""
    ends = [*accumulate(len(part.words) for part in parts)]
    groups: list[dict[str, list[Mention]]] = [{} for _ in parts]
    for entity in whole.entities:
        for mention in entity.mentions:
            number = bisect_right(ends, mention.start)
            if number < len(parts) and mention.end < ends[number]:
                begin = ends[number] - len(parts[number].words)
                here = moved(mention, -begin, -begin)
                if here is not None:
                    groups[number].setdefault(entity.id, []).append(here)
    for part, group in zip(parts, groups, strict=True):
        yield replace(
            whole,
            id=part.id,
            sentences=part.sentences if whole.sentences else (),
            entities=tuple(Entity(name, tuple(row)) for name, row in group.items()),
            layers={},
            comments=(),
            bridges=(),
            origin="",
        )


def _joined(whole: Document, parts: Sequence[Document]) -> Document:
    """Join documents; equal ids in two of them are two entities."""
    entities: list[Entity] = []
    before = 0
    for number, part in enumerate(parts):
        here = with_mentions(part, partial(moved, start=before, end=before))
        entities += [replace(one, id=f"{number}-{one.id}") for one in here.entities]
        before += len(part.words)
    joined = changed_document(parts[0], id=whole.id, sentences=whole.sentences)
    return replace(joined, entities=tuple(entities), layers={}, comments=())
