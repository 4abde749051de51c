"""What a network tells of the words of a document, beside tags and trees.

A parser that is a network reads a document (`Reading`): it finds tags and trees, and
tells how sure it is which words head mentions, of which types, and where these begin
and end. The tagger of mentions weighs this evidence; the linker sees types alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from corefkit.model import Document


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """How likely the words of a document are heads and edges of mentions.

    Attributes:
        types: a row for each token, a column for each of `profiles.ENTITY_TYPES`: how
            likely the token heads a mention of that type; `none` if it heads none.
        starts: for each sentence a matrix: how likely each word (column) begins the
            mention that each word (row) heads.
        ends: the same for the words that end it.
    """

    types: NDArray[np.float32]
    starts: tuple[NDArray[np.float32], ...]
    ends: tuple[NDArray[np.float32], ...]


class Reading(NamedTuple):
    """A document with tags and trees, and the evidence of the network that found them.

    Parsers that are no networks give no evidence.
    """

    document: Document
    evidence: Evidence | None = None
