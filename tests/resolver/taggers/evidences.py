"""Evidence of a network that is sure of some mentions."""

from __future__ import annotations

import numpy as np

from cistell.evidence import Evidence, Reading
from cistell.profiles import ENTITY_TYPES

SURE = 0.9


def read(document, *mentions, sure=SURE):
    """Make a reading of a document; mentions are `(head, start, end, type)`.

    What is left of a probability is shared by all other words or types.
    """
    size = len(document.tokens)
    types = np.full((size, len(ENTITY_TYPES)), 0.01, np.float32)
    types[:, 0] = 0.99
    starts, ends, firsts = [], [], [0]
    for sentence in document.sentences:
        even = np.full((len(sentence), len(sentence)), 1 / len(sentence), np.float32)
        starts.append(even.copy())
        ends.append(even.copy())
        firsts.append(firsts[-1] + len(sentence))
    for head, start, end, kind in mentions:
        types[head] = (1 - sure) / (len(ENTITY_TYPES) - 1)
        types[head, ENTITY_TYPES.index(kind)] = sure
        number = max(at for at, first in enumerate(firsts) if first <= head)
        first, width = firsts[number], len(starts[number])
        for pointers, word in ((starts[number], start), (ends[number], end)):
            pointers[head - first] = (1 - sure) / max(width - 1, 1)
            pointers[head - first, word - first] = sure
    return Reading(document, Evidence(types, tuple(starts), tuple(ends)))
