"""The metrics counted on documents with repeated mentions.

Each is the metric as it is, on the table that the reference scorer counts it on; but
BLANC counts sets of links, which no table shows (`links`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from corefkit.metrics.b_cubed import b_cubed
from corefkit.metrics.base import halves
from corefkit.metrics.ceaf import ceaf_e, ceaf_m
from corefkit.metrics.lea import lea
from corefkit.metrics.muc import muc
from corefkit.metrics.reference.links import blanc_counts as blanc_counts

if TYPE_CHECKING:
    from corefkit.columns import Floats
    from corefkit.metrics.reference.listed import ListedDocument


def mentions_counts(document: ListedDocument) -> Floats:
    """Count mentions, each once."""
    found, expected, returned = document.numbers
    return np.array([[found, expected, found, returned]], np.float64)


def muc_counts(document: ListedDocument) -> Floats:
    """Count MUC: mentions are in the last of their entities."""
    return muc(document.last)


def b_cubed_counts(document: ListedDocument) -> Floats:
    """Count B³: mentions are in the last of their entities, with all that are there."""
    table = document.last
    return b_cubed(table, document.together(table))


def ceaf_m_counts(document: ListedDocument) -> Floats:
    """Count CEAFm: mentions are in all of their entities."""
    return ceaf_m(document.listed)


def ceaf_e_counts(document: ListedDocument) -> Floats:
    """Count CEAFe: mentions are in all of their entities."""
    return ceaf_e(document.listed)


def lea_counts(document: ListedDocument) -> Floats:
    """Count LEA: for precision, key mentions are in the last of their entities."""
    return halves(lea(document.listed), lea(document.last))
