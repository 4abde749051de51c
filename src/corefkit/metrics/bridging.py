"""Bridging and non-referring mentions: what the annotation says beside identity.

Mentions are compared by their tokens exactly, whatever the way of matching, and all of
them as they were read: dropped singletons still bridge.

Source: the Universal Anaphora scorer 2.0 (Yu et al. 2023).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefkit.alignment.matching import codes
from corefkit.alignment.matching.places import places
from corefkit.metrics.base import rows

if TYPE_CHECKING:
    from collections.abc import Callable

    from corefkit.alignment.table import Overlap
    from corefkit.columns import Columns, Floats, Ints


class _Bridge(NamedTuple):
    """A bridging anaphor's document and antecedent, by codes of places."""

    document: int
    antecedent: int


def bridging_anaphora(table: Overlap) -> Floats:
    """Count the bridging anaphors that both sides have, for each document.

    recall = anaphors in both / anaphors of the key
    """
    key, response, _ = _bridges(table)
    return _counts(table, key, response, lambda anaphor: anaphor in response)


def bridging_mentions(table: Overlap) -> Floats:
    """Count the bridging anaphors whose antecedent is the same mention."""
    key, response, _ = _bridges(table)
    return _counts(
        table,
        key,
        response,
        lambda anaphor: (
            anaphor in response
            and key[anaphor].antecedent == response[anaphor].antecedent
        ),
    )


def bridging_entities(table: Overlap) -> Floats:
    """Count the bridging anaphors whose antecedent is in the right key entity."""
    key, response, entity = _bridges(table)

    def right(anaphor: int) -> bool:
        if anaphor not in response:
            return False
        wanted, found = key[anaphor].antecedent, response[anaphor].antecedent
        return wanted == found or (
            found in entity and entity[found] == entity.get(wanted)
        )

    return _counts(table, key, response, right)


def non_referring(table: Overlap) -> Floats:
    """Count the non-referring mentions that both sides have, for each document.

    recall = mentions that both call non-referring / those that the key calls so
    """
    mentions = table.mentions
    sides = places(mentions.key_read, mentions.response_read)
    found = []
    for side, code in zip(sides, codes(*sides), strict=True):
        details = side.columns.details
        none = np.zeros(len(code), np.bool_)
        chosen = none if details is None else ~details.referring[side.columns.entity]
        document = side.columns.document[chosen].tolist()
        found.append(dict(zip(code[chosen].tolist(), document, strict=True)))
    key, response = found
    both = np.zeros(table.documents)
    for mention, document in key.items():
        both[document] += mention in response
    return rows(
        both,
        _by_document(table, list(key.values())),
        both,
        _by_document(table, list(response.values())),
    )


def _bridges(
    table: Overlap,
) -> tuple[dict[int, _Bridge], dict[int, _Bridge], dict[int, int]]:
    """Find the bridges of both sides by anaphor, and the key entity of each mention."""
    mentions = table.mentions
    sides = places(mentions.key_read, mentions.response_read)
    key_code, response_code = codes(*sides)
    entity = dict(
        zip(
            reversed(key_code.tolist()),
            reversed(mentions.key_read.entity.tolist()),
            strict=True,
        )
    )
    return (
        _of_side(mentions.key_read, key_code, unknown=-1),
        _of_side(mentions.response_read, response_code, unknown=-2),
        entity,
    )


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


def _counts(
    table: Overlap,
    key: dict[int, _Bridge],
    response: dict[int, _Bridge],
    right: Callable[[int], bool],
) -> Floats:
    correct = np.zeros(table.documents)
    for anaphor, bridge in key.items():
        correct[bridge.document] += right(anaphor)
    return rows(
        correct,
        _by_document(table, [bridge.document for bridge in key.values()]),
        correct,
        _by_document(table, [bridge.document for bridge in response.values()]),
    )


def _by_document(table: Overlap, documents: list[int]) -> Floats:
    return np.bincount(np.array(documents, np.int64), minlength=table.documents).astype(
        np.float64
    )
