"""Bridging anaphors and non-referring mentions: annotation other than identity.

Mentions are compared by their tokens exactly, whatever the setting `match`, and all of
them as they were read: dropped singletons can still be bridging anaphors.

Source: the Universal Anaphora scorer 2.0 (Yu et al. 2023).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from corefkit.alignment.matching import (
    compute_positions,
    encode_mentions,
    encode_positions,
)
from corefkit.exceptions import SettingsError
from corefkit.metrics.standard import to_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from corefkit.alignment.overlap import Mentions, Overlap
    from corefkit.arrays.columns import Columns, Counts, Ints


# Compares the antecedents of key and response; the entities of the key are given too.
_Comparison: TypeAlias = "Callable[[int, int, Mapping[int, int]], bool]"


def bridging_anaphora(table: Overlap) -> Counts:
    """Count the bridging anaphors that both sides contain, for each document.

    recall = anaphors in both / anaphors of the key
    """
    return _count_bridges(table, lambda *_: True)


def bridging_mentions(table: Overlap) -> Counts:
    """Count the bridging anaphors whose antecedent is the same mention."""
    return _count_bridges(table, lambda key, response, _: key == response)


def bridging_entities(table: Overlap) -> Counts:
    """Count the bridging anaphors whose antecedent is in the right key entity."""

    def is_same(key: int, response: int, entity: Mapping[int, int]) -> bool:
        return key == response or (
            response in entity and entity[response] == entity.get(key)
        )

    return _count_bridges(table, is_same)


def non_referring(table: Overlap) -> Counts:
    """Count the non-referring mentions that both sides contain, for each document.

    recall = non-referring mentions of both / non-referring mentions of the key
    """
    mentions = _get_mentions_as_read(table)
    sides = compute_positions(mentions.key_read, mentions.response_read)
    documents = []  # of the non-referring mentions, by their codes
    for side, code in zip(sides, encode_positions(*sides), strict=True):
        details = side.columns.details
        flags = np.zeros(len(code), np.bool_)
        if details is not None:
            flags = ~details.referring[side.columns.entity]
        document = side.columns.document[flags].tolist()
        documents.append(dict(zip(code[flags].tolist(), document, strict=True)))
    key, response = documents
    shared = [document for mention, document in key.items() if mention in response]
    return _count_documents(table, shared, key.values(), response.values())


def _get_mentions_as_read(table: Overlap) -> Mentions:
    """Return the mentions of a table, unless only a selection of them is scored."""
    if table.mentions.settings.selects_mentions:
        message = "bridging and non-referring mentions are not those of a selection"
        hint = "omit the metric, or leave out --only and --mentions"
        raise SettingsError(message, code="settings/unsupported-metric", hint=hint)
    return table.mentions


def _count_bridges(table: Overlap, is_same: _Comparison) -> Counts:
    """Count the anaphors of both sides with the same antecedents."""
    mentions = _get_mentions_as_read(table)
    key_code, response_code = encode_mentions(mentions.key_read, mentions.response_read)
    codes, entities = key_code.tolist(), mentions.key_read.entity.tolist()
    entity = dict(zip(reversed(codes), reversed(entities), strict=True))
    # Unknown antecedents differ from all others, on the other side too.
    key = _read_bridges(mentions.key_read, key_code, unknown=-1)
    response = _read_bridges(mentions.response_read, response_code, unknown=-2)
    correct = [
        document
        for anaphor, (document, antecedent) in key.items()
        if anaphor in response and is_same(antecedent, response[anaphor][1], entity)
    ]
    sides = ([document for document, _ in side.values()] for side in (key, response))
    return _count_documents(table, correct, *sides)


def _read_bridges(
    columns: Columns, code: Ints, *, unknown: int
) -> dict[int, tuple[int, int]]:
    """Map the codes of anaphors to their documents and the codes of antecedents."""
    if columns.details is None:
        return {}
    document = columns.document
    bridges: dict[int, tuple[int, int]] = {}
    for anaphor, entity, mention in columns.details.bridge.tolist():
        antecedent = (
            mention if mention >= 0 else _find_nearest(columns, anaphor, entity)
        )
        antecedent_code = int(code[antecedent]) if antecedent >= 0 else unknown
        bridges[int(code[anaphor])] = int(document[anaphor]), antecedent_code
    return bridges


def _find_nearest(columns: Columns, anaphor: int, entity: int) -> int:
    """Return the last mention of an entity before the anaphor, or else its first.

    A file that specifies an entity, not a mention, leaves open which of its mentions.
    """
    if entity < 0:
        return -1
    first, last = np.searchsorted(columns.entity, (entity, entity + 1)).tolist()
    members = sorted(
        range(first, last), key=lambda mention: int(columns.start[mention])
    )
    preceding = [m for m in members if columns.start[m] < columns.start[anaphor]]
    return preceding[-1] if preceding else members[0]


def _count_documents(
    table: Overlap, both: Iterable[int], key: Iterable[int], response: Iterable[int]
) -> Counts:
    """Count items of both sides and of each side, given by their documents."""
    shared, key_count, response_count = (
        np.bincount(np.array([*documents], np.int64), minlength=table.documents)
        for documents in (both, key, response)
    )
    return to_rows(shared, key_count, shared, response_count)
