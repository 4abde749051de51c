"""What some document lacks that is asked for: refused where no document has it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from corefkit.exceptions import FormatError

if TYPE_CHECKING:
    from corefkit.columns import Columns
    from corefkit.formats.source import Source

_MINIMUM = "minimum"
_WHAT = {
    "type": "an entity type",
    "mention_type": "a kind (NAM, NOM or PRO), or syntax that tells it",
}


@dataclass(slots=True)
class Lacking:
    """What documents of one side lack, and what others have; one that has it is enough.

    Attributes:
        errors: what some document lacks, with the error that refuses it.
        known: what some mention was seen to have.
    """

    errors: dict[str, FormatError] = field(default_factory=dict)
    known: set[str] = field(default_factory=set)

    def attribute(self, name: str, place: str) -> None:
        """Note that no mention of some documents has an attribute."""
        message = f"no mention has {_WHAT.get(name, name)}, which the weights ask for"
        hint = (
            f"APF, CoNLL-U and LitBank carry it; or leave `{name}` out of the weights"
        )
        self.errors.setdefault(name, FormatError(message, place=place, hint=hint))

    def minimum(self, error: FormatError) -> None:
        """Note that a mention has neither a minimum nor a head, nor a tree."""
        self.errors.setdefault(_MINIMUM, error)

    def seen(self, columns: Columns) -> None:
        """Note whether some mentions have minima."""
        details = columns.details
        if details is not None and np.any(
            (details.minimum_start >= 0) | (details.head >= 0)
        ):
            self.known.add(_MINIMUM)

    def check(self, source: Source) -> None:
        """Refuse what no document has, now that those to be scored are read.

        Documents that were not read may have minima too.
        """
        if not self.errors:
            return
        for number in range(len(source.ids)):
            if _MINIMUM not in self.errors or _MINIMUM in self.known:
                break
            self.seen(source.columns([number]))
        for name, error in self.errors.items():
            if name not in self.known:
                raise error
