"""Bridging and non-referring mentions: what the annotation says beside identity.

Mentions are compared by their tokens exactly, whatever the way of matching, and all of
them as they were read: dropped singletons still bridge.

Source: the Universal Anaphora scorer 2.0 (Yu et al. 2023).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from corefkit.alignment.matching import codes
from corefkit.alignment.matching.positions import positions
from corefkit.metrics.base import rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from corefkit.alignment.table import Overlap
    from corefkit.columns import Columns, Counts, Ints


class _Bridge(NamedTuple):
    """A bridging anaphor's document and antecedent, by codes of positions."""

    document: int
    antecedent: int


# Whether the key's antecedent and the response's are the same, by the key's entities.
_Same: TypeAlias = "Callable[[int, int, Mapping[int, int]], bool]"


def bridging_anaphora(table: Overlap) -> Counts:
    """Count the bridging anaphors that both sides have, for each document.

    recall = anaphors in both / anaphors of the key
    """
    return _counts(table, lambda *_: True)


def bridging_mentions(table: Overlap) -> Counts:
    """Count the bridging anaphors whose antecedent is the same mention."""
    return _counts(table, lambda key, response, _: key == response)


def bridging_entities(table: Overlap) -> Counts:
    """Count the bridging anaphors whose antecedent is in the right key entity."""

    def same(key: int, response: int, entity: Mapping[int, int]) -> bool:
        return key == response or (
            response in entity and entity[response] == entity.get(key)
        )

    return _counts(table, same)


def non_referring(table: Overlap) -> Counts:
    """Count the non-referring mentions that both sides have, for each document.

    recall = mentions that both call non-referring / those that the key calls so
    """
    mentions = table.mentions
    sides = positions(mentions.key_read, mentions.response_read)
    found = []
    for side, code in zip(sides, codes(*sides), strict=True):
        details = side.columns.details
        none = np.zeros(len(code), np.bool_)
        chosen = none if details is None else ~details.referring[side.columns.entity]
        document = side.columns.document[chosen].tolist()
        found.append(dict(zip(code[chosen].tolist(), document, strict=True)))
    key, response = found
    both = [document for mention, document in key.items() if mention in response]
    return _by_document(table, both, key.values(), response.values())


def _counts(table: Overlap, same: _Same) -> Counts:
    """Count the anaphors of both sides whose antecedents are the same."""
    mentions = table.mentions
    codes_read = codes(*positions(mentions.key_read, mentions.response_read))
    code = codes_read[0].tolist()
    entities = mentions.key_read.entity.tolist()
    entity = dict(zip(reversed(code), reversed(entities), strict=True))
    key = _of_side(mentions.key_read, codes_read[0], unknown=-1)
    response = _of_side(mentions.response_read, codes_read[1], unknown=-2)
    correct = [
        document
        for anaphor, (document, antecedent) in key.items()
        if anaphor in response
        and same(antecedent, response[anaphor].antecedent, entity)
    ]
    sides = ([bridge.document for bridge in side.values()] for side in (key, response))
    return _by_document(table, correct, *sides)


def _of_side(columns: Columns, code: Ints, *, unknown: int) -> dict[int, _Bridge]:
    if columns.details is None:
        return {}
    document = columns.document
    bridges: dict[int, _Bridge] = {}
    for anaphor, entity, named in columns.details.bridge.tolist():
        antecedent = named if named >= 0 else _nearest(columns, anaphor, entity)
        # Antecedents that are not there equal nothing, in the other side neither.
        place = int(code[antecedent]) if antecedent >= 0 else unknown
        bridges[int(code[anaphor])] = _Bridge(int(document[anaphor]), place)
    return bridges


def _nearest(columns: Columns, anaphor: int, entity: int) -> int:
    """Find the last mention of an entity before the anaphor, or else its first.

    A file that names an entity, not a mention, leaves open which of its mentions.
    """
    if entity < 0:
        return -1
    first, last = np.searchsorted(columns.entity, (entity, entity + 1)).tolist()
    members = sorted(
        range(first, last), key=lambda mention: int(columns.start[mention])
    )
    before = [m for m in members if columns.start[m] < columns.start[anaphor]]
    return before[-1] if before else members[0]


def _by_document(
    table: Overlap, both: Iterable[int], key: Iterable[int], response: Iterable[int]
) -> Counts:
    """Count what both sides have and what each has, by the document of each."""
    shared, in_key, in_response = (
        np.bincount(np.array([*documents], np.int64), minlength=table.documents)
        for documents in (both, key, response)
    )
    return rows(shared, in_key, shared, in_response)
