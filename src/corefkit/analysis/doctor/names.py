"""Checks of names: documents that are called otherwise, or have each other's names."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import PurePath
from typing import TYPE_CHECKING

from corefkit.analysis.doctor.case import Suspicion
from corefkit.analysis.doctor.spans import (
    bounds,
    changed_document,
    mention_count,
    same_mentions,
)
from corefkit.analysis.doctor.wording import counted, verb
from corefkit.exceptions import quoted
from corefkit.strings.ids import name_and_part

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence

    from corefkit.analysis.doctor.case import Case
    from corefkit.analysis.doctor.spans import Bounds
    from corefkit.model import Document

_MOST = 0.6  # of mentions, or of words, that must meet in another document
_LEAST = 5  # mentions that must meet in another document
_MANY_DOCUMENTS = 200  # from which on mentions are not compared across documents


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
        f"{many} of the response {verb(len(partners), 'has', 'have')} another name "
        f"than in the key, such as {quoted(theirs.id)} for {quoted(ours.id)}",
        "give documents of the response the names that they have in the key",
        sum(mention_count(theirs) for _, theirs in partners),
        case.with_response(changed),
        is_certain=True,
    )


def _partners(
    missing: Sequence[Document], extra: Sequence[Document]
) -> list[tuple[Document, Document]]:
    """Pair documents by their words, then by the core of names, then by mentions."""
    found: list[tuple[Document, Document]] = []
    ways: tuple[Callable[[Document], Hashable], ...] = (
        _letters,
        _core,
        lambda one: _core(one)[0],
        lambda one: re.sub(r"[_.-]\d+$", "", _core(one)[0]),
    )
    for way in ways:
        done = {id(one) for pair in found for one in pair}
        ours = _by(way, [one for one in missing if id(one) not in done])
        theirs = _by(way, [one for one in extra if id(one) not in done])
        found += [
            (ours[same], theirs[same]) for same in ours if same and same in theirs
        ]
    done = {id(one) for pair in found for one in pair}
    found += _by_vocabulary(
        [one for one in missing if id(one) not in done],
        [one for one in extra if id(one) not in done],
    )
    return found or _by_mentions(missing, extra)


def _by_vocabulary(
    missing: Sequence[Document], extra: Sequence[Document]
) -> list[tuple[Document, Document]]:
    """Pair documents that have most of their words in common."""
    if max(len(missing), len(extra), 0) > _MANY_DOCUMENTS:
        return []
    free = [(one, frozenset(one.words)) for one in missing if one.words]
    found: list[tuple[Document, Document]] = []
    for document in extra:
        mine = frozenset(document.words)
        fits = [len(mine & words) / len(mine | words) for _, words in free if mine]
        best = max(fits, default=0.0)
        if best >= _MOST:
            found.append((free.pop(fits.index(best))[0], document))
    return found


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


def _by_mentions(
    missing: Sequence[Document], extra: Sequence[Document]
) -> list[tuple[Document, Document]]:
    """Pair documents whose mentions meet: each with its best, else as they stand.

    Where both sides have words, these have told already that the texts are others.
    """
    if any(one.words for one in missing):
        extra = [one for one in extra if not one.words]
    found: list[tuple[Document, Document]] = []
    free = _with_bounds(missing)
    for document in extra:
        fitting = _fitting(document, free)
        if fitting is not None:
            found.append((fitting, document))
            free = [row for row in free if row[0] is not fitting]
    in_order = _in_order(missing, extra)
    return in_order if _met(in_order) >= _met(found) else found


def _met(pairs: Sequence[tuple[Document, Document]]) -> int:
    return sum(same_mentions(bounds(one), bounds(other)) for one, other in pairs)


def _in_order(
    missing: Sequence[Document], extra: Sequence[Document]
) -> list[tuple[Document, Document]]:
    """Pair documents as they stand, where most mentions then meet."""
    if len(missing) != len(extra):
        return []
    pairs = list(zip(missing, extra, strict=True))
    fewest = min(sum(map(mention_count, missing)), sum(map(mention_count, extra)))
    return pairs if _met(pairs) >= max(_LEAST, _MOST * fewest) else []


def other_documents(case: Case) -> Iterator[Suspicion]:
    """Documents that have the name of one document, and are the response to another."""
    wanted = _by(_letters, case.key)
    among = _with_bounds(case.key)
    changed: dict[int, Document] = {}
    shown = ""
    for pair in case.pairs:
        if pair.same_words and (pair.response.words or case.share_met >= _MOST):
            continue
        letters = _letters(pair.response)
        other = wanted.get(letters) if letters else _fitting(pair.response, among)
        if other is not None and other is not pair.key:
            renamed = changed_document(pair.response, id=other.id)
            changed[case.number_of(pair.response)] = renamed
            shown = shown or f"{quoted(pair.response.id)} is {quoted(other.id)}"
    names = Counter(one.id for one in case.with_response(changed).response)
    if not changed or max(names.values()) > 1:
        return
    many = counted(len(changed), "document")
    yield Suspicion(
        f"{many} of the response {verb(len(changed), 'has', 'have')} the name of "
        f"another: {shown}",
        "give documents of the response the names that they have in the key",
        sum(map(mention_count, changed.values())),
        case.with_response(changed),
        is_certain=bool(case.response[0].words),
    )


def _fitting(
    document: Document, among: Sequence[tuple[Document, Counter[Bounds]]]
) -> Document | None:
    """Find the document that most mentions of one without words fit."""
    mine = Counter(bounds(document))
    if mine.total() < _LEAST or not among or len(among) > _MANY_DOCUMENTS:
        return None
    fits = [(theirs & mine).total() for _, theirs in among]
    met = max(fits)
    best, theirs = among[fits.index(met)]
    fewest = min(theirs.total(), mine.total())
    return best if met >= max(_LEAST, _MOST * fewest) else None


def _with_bounds(
    documents: Sequence[Document],
) -> list[tuple[Document, Counter[Bounds]]]:
    if len(documents) > _MANY_DOCUMENTS:
        return []
    return [(one, Counter(bounds(one))) for one in documents]
