"""Checks of documents: broken, missing, or paired with the wrong ones."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING

from corefkit.analysis.doctor.case import Suspicion
from corefkit.analysis.doctor.spans import (
    bounds,
    changed_document,
    goes_beyond,
    mention_count,
    moved,
    same_mentions,
    with_mentions,
)
from corefkit.analysis.doctor.words import counted
from corefkit.exceptions import quoted
from corefkit.strings.ids import name_and_part

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence

    from corefkit.analysis.doctor.case import Case
    from corefkit.model import Document, Mention

_MOST = 0.6  # of mentions that must meet in another document
_LEAST = 5  # mentions that must meet in another document
_MANY_DOCUMENTS = 200  # from which on mentions are not compared across documents


def broken(case: Case) -> Iterator[Suspicion]:
    """A side that cannot be read as it stands: brackets that do not pair, and the like.

    It is mended by leaving out what is wrong, and what lies beyond the text.
    """
    for side, error in enumerate(case.errors):
        if error is None:
            continue
        name = case.names[side]
        documents = case.side(side)
        outside = sum(map(goes_beyond, documents))
        errors = (None, case.errors[1]) if side == 0 else (case.errors[0], None)
        yield Suspicion(
            f"the {('key', 'response')[side]} is broken: {error.reason}; "
            "scores after are without what is wrong there",
            f"`corefkit validate {name}` lists all that is wrong with it",
            outside or sum(map(mention_count, documents)),
            replace(case.with_side(side, map(_inside, documents)), errors=errors),
            is_certain=True,
        )


def _inside(document: Document) -> Document:
    if not goes_beyond(document):
        return document
    tokens = sum(map(len, document.sentences))
    return with_mentions(document, lambda one: one if one.end < tokens else None)


def other_names(case: Case) -> Iterator[Suspicion]:
    """Documents without a partner whose text, or the core of whose name, has one."""
    missing, extra = case.unpaired
    if not missing or not extra:
        return
    partners = _partners(missing, extra)
    if not partners:
        return
    changed = {
        case.number_of(theirs): changed_document(theirs, id=ours.id)
        for ours, theirs in partners
    }
    ours, theirs = partners[0]
    many = counted(len(partners), "document")
    yield Suspicion(
        f"{many} of the response {_have(len(partners))} another name than in the key, "
        f"such as {quoted(theirs.id)} for {quoted(ours.id)}",
        "give documents of the response the names that they have in the key",
        sum(mention_count(theirs) for _, theirs in partners),
        case.with_response(changed),
        is_certain=True,
    )


def _have(number: int) -> str:
    return "has" if number == 1 else "have"


def _partners(
    missing: Sequence[Document], extra: Sequence[Document]
) -> list[tuple[Document, Document]]:
    """Pair documents by their words, then by the core of their names, then by order."""
    found: list[tuple[Document, Document]] = []
    ways: tuple[Callable[[Document], Hashable], ...] = (
        _letters,
        _core,
        lambda one: str(_core(one)[0]),
    )
    for way in ways:
        done = {id(one) for pair in found for one in pair}
        ours = _by(way, [one for one in missing if id(one) not in done])
        theirs = _by(way, [one for one in extra if id(one) not in done])
        found += [
            (ours[same], theirs[same]) for same in ours if same and same in theirs
        ]
    return found or _in_order(missing, extra)


def _by(
    way: Callable[[Document], Hashable], documents: Sequence[Document]
) -> Mapping[Hashable, Document]:
    """Find documents by something that no other one of them has."""
    keys = [way(document) for document in documents]
    many = Counter(keys)
    pairs = zip(keys, documents, strict=True)
    return {key: document for key, document in pairs if many[key] == 1}


def _letters(document: Document) -> str:
    """Write a text without its blanks, and without the case of its letters."""
    return "".join("".join(document.words).split()).casefold()


def _core(document: Document) -> tuple[str, int]:
    """Take from a name its folder, its endings and the case of its letters.

    >>> from corefkit.model import Document
    >>> _core(Document("(bc/CCTV_0001.v4_gold_conll); part 002", (), ()))
    ('cctv_0001', 2)
    """
    name, part = name_and_part(document.id)
    stem = PurePath(name).name
    stem = re.sub(r"(?<=.)(?:\.[^\s.]*[a-z][^\s.]*)+$", "", stem, flags=re.IGNORECASE)
    return stem.casefold(), part or 0


def _in_order(
    missing: Sequence[Document], extra: Sequence[Document]
) -> list[tuple[Document, Document]]:
    """Pair documents as they stand, where most mentions then meet."""
    if len(missing) != len(extra):
        return []
    pairs = list(zip(missing, extra, strict=True))
    met = sum(same_mentions(bounds(one), bounds(other)) for one, other in pairs)
    fewest = min(sum(map(mention_count, missing)), sum(map(mention_count, extra)))
    return pairs if met >= max(_LEAST, _MOST * fewest) else []


def joined_parts(case: Case) -> Iterator[Suspicion]:
    """A response document that is several documents of the key, one after the other."""
    lone = {id(pair.response) for pair in case.pairs if pair.same_words}
    found: list[tuple[Document, list[Document]]] = []
    for document in case.response:
        if id(document) not in lone and document.words and not document.empty:
            parts = _run_of(document.words, case.key)
            if len(parts) > 1:
                found.append((document, parts))
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
        replace(case, response=tuple(documents)),
        is_certain=True,
    )


def _run_of(words: tuple[str, ...], key: Sequence[Document]) -> list[Document]:
    """Find the documents of the key, next to each other, that have these words."""
    for first, document in enumerate(key):
        if document.empty or document.words != words[: len(document.words)]:
            continue
        run: list[Document] = []
        length = 0
        for part in key[first:]:
            behind = length + len(part.words)
            if not part.words or part.empty or part.words != words[length:behind]:
                break
            run.append(part)
            length = behind
        if length == len(words):
            return run
    return []


def _cut(whole: Document, parts: Sequence[Document]) -> Iterator[Document]:
    start = 0
    for part in parts:
        end = start + len(part.words)
        inside = with_mentions(whole, partial(_between, start=start, end=end))
        yield replace(inside, id=part.id, sentences=part.sentences, layers={})
        start = end


def _between(mention: Mention, *, start: int, end: int) -> Mention | None:
    inside = start <= mention.start and mention.end < end
    return moved(mention, -start, -start) if inside else None


def other_documents(case: Case) -> Iterator[Suspicion]:
    """Documents that have the name of one document, and are the response to another."""
    wanted = _by(_letters, case.key)
    changed: dict[int, Document] = {}
    shown = ""
    for pair in case.pairs:
        if pair.same_words and (pair.response.words or case.share_met >= _MOST):
            continue
        letters = _letters(pair.response)
        other = wanted.get(letters) if letters else _fitting(case, pair.response)
        if other is not None and other is not pair.key:
            renamed = changed_document(pair.response, id=other.id)
            changed[case.number_of(pair.response)] = renamed
            shown = shown or f"{quoted(pair.response.id)} is {quoted(other.id)}"
    names = Counter(one.id for one in case.with_response(changed).response)
    if not changed or max(names.values()) > 1:
        return
    many = counted(len(changed), "document")
    yield Suspicion(
        f"{many} of the response {_have(len(changed))} the name of another: {shown}",
        "give documents of the response the names that they have in the key",
        sum(map(mention_count, changed.values())),
        case.with_response(changed),
        is_certain=bool(case.response[0].words),
    )


def _fitting(case: Case, document: Document) -> Document | None:
    """Find the key document that most mentions of a document without words fit."""
    mine = bounds(document)
    if len(mine) < _LEAST or len(case.key) > _MANY_DOCUMENTS:
        return None
    fits = [(same_mentions(bounds(one), mine), at) for at, one in enumerate(case.key)]
    met, at = max(fits)
    fewest = min(mention_count(case.key[at]), len(mine))
    return case.key[at] if met >= max(_LEAST, _MOST * fewest) else None
