"""The metrics counted on documents with repeated mentions.

Each is the metric as it is, on the table that the reference scorer counts it on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from corefkit.metrics.b_cubed import b_cubed
from corefkit.metrics.base import halves
from corefkit.metrics.ceaf import ceaf_e, ceaf_m
from corefkit.metrics.lea import lea
from corefkit.metrics.muc import muc

if TYPE_CHECKING:
    from corefkit.columns import Floats
    from corefkit.metrics.reference import ListedDocument


def mention_counts(document: ListedDocument) -> Floats:
    """Count mentions, each once."""
    found = len(document.found)
    counts = [found, len(document.key_of), found, len(document.response_of)]
    return np.array([counts], np.float64)


def muc_counts(document: ListedDocument) -> Floats:
    """Count MUC: mentions are in the last of their entities."""
    return muc(document.last)


def b_cubed_counts(document: ListedDocument) -> Floats:
    """Count B³: mentions are in the last of their entities, with all that are there."""
    table, shared = document.last, document.sets
    cells = zip(table.key_entity.tolist(), table.response_entity.tolist(), strict=True)
    together = np.array([shared[cell] for cell in cells], np.int64)
    return b_cubed(table, together)


def ceaf_m_counts(document: ListedDocument) -> Floats:
    """Count CEAFm: mentions are in all of their entities."""
    return ceaf_m(document.listed)


def ceaf_e_counts(document: ListedDocument) -> Floats:
    """Count CEAFe: mentions are in all of their entities."""
    return ceaf_e(document.listed)


def lea_counts(document: ListedDocument) -> Floats:
    """Count LEA: for precision, key mentions are in the last of their entities."""
    return halves(lea(document.listed), lea(document.last))
