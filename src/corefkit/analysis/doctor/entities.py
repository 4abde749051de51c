"""Checks of entities: links that are all there or none, and ids."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from corefkit.analysis.doctor.case import Suspicion
from corefkit.analysis.doctor.spans import mention_count

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corefkit.analysis.doctor.case import Case
    from corefkit.model import Document

_SIDES = ("key", "response")
_LEAST = 3  # entities that are worth a word
_SHARE = 0.1  # of ids, that go on in other documents
_ENOUGH = 5  # mentions, without which a few entities say nothing
_MERGED = 3  # times as many entities in the key, of as many mentions


def links(case: Case) -> Iterator[Suspicion]:
    """A response without any link, or that links everything."""
    for side in (1, 0):
        yield from _links_of_side(case, side)


def _links_of_side(case: Case, side: int) -> Iterator[Suspicion]:
    pairs = [(pair.key, pair.response)[:: 1 if side else -1] for pair in case.pairs]
    ours = [other for other, _ in pairs if mention_count(other)]
    theirs = [one for _, one in pairs if mention_count(one)]
    name, many = _SIDES[side], sum(map(mention_count, theirs))
    entities, wanted = (sum(len(one.entities) for one in row) for row in (theirs, ours))
    if many < _ENOUGH or _has_extremes(ours):
        return
    if not any(len(entity) > 1 for one in theirs for entity in one.entities):
        yield Suspicion(
            f"every mention of the {name} is an entity of its own: it has no link",
            "mentions of one entity have one id: is that of the mention written?",
            many,
            is_certain=True,
        )
    elif all(len(one.entities) == 1 for one in theirs) and entities < wanted:
        yield Suspicion(
            f"all mentions of a document are one entity in the {name}",
            "each entity has an id of its own: is the same one written for all?",
            many,
            is_certain=True,
        )
    elif _MERGED * entities <= wanted and many >= sum(map(mention_count, ours)) / 2:
        yield Suspicion(
            f"the {name} has {entities:,} entities and the {_SIDES[1 - side]} has "
            f"{wanted:,}, of about as many mentions",
            "were entities merged because their ids begin anew in each part or window?",
            many,
            is_certain=True,
        )


def _has_extremes(documents: list[Document]) -> bool:
    """Say whether a side has no link, or nothing else: then the other may be so too."""
    sizes = [len(entity) for one in documents for entity in one.entities]
    return max(sizes, default=0) < 2 or len(sizes) == len(documents)


def ids_across_documents(case: Case) -> Iterator[Suspicion]:
    """Ids of entities that begin anew in each document, or go on in others."""
    sides = [_id_counts(documents) for documents in (case.key, case.response)]
    many = sum(case.mentions)
    fewest = min(len(case.key), len(case.response))
    if case.settings.joins_documents:
        for side, (ids, documents) in enumerate(sides):
            if documents > 1 and max(ids.values(), default=0) > documents / 2:
                yield Suspicion(
                    f"ids of entities in the {_SIDES[side]} begin anew in each document"
                    f", but --scope {case.settings.scope} takes equal ids for one "
                    "entity",
                    "`--scope document`, or give each entity an id of its own",
                    many,
                    case.with_settings(scope="document"),
                )
                return
    elif fewest >= 4 and all(_go_on(ids, documents) for ids, documents in sides):
        yield Suspicion(
            "entities of both sides go on in other documents, by their ids, and are "
            "scored inside each document",
            "`--scope corpus` scores them across documents",
            many,
            case.with_settings(scope="corpus"),
        )


def _id_counts(documents: Iterable[Document]) -> tuple[Counter[str], int]:
    """Count in how many documents each id is."""
    rows = [{entity.id for entity in one.entities} for one in documents]
    full = [row for row in rows if row]
    return Counter(name for row in full for name in row), len(full)


def _go_on(ids: Counter[str], documents: int) -> bool:
    shared = sum(number > 1 for number in ids.values())
    alike = max(ids.values(), default=0) > documents / 2
    return shared >= max(_LEAST, _SHARE * len(ids)) and not alike
