"""Short names of the mentions of a document, and what they stand for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from corefkit.analysis.explain.layout import listed, shortened

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from corefkit.columns import Columns
    from corefkit.model import Mention

# What is listed of a set of mentions before the rest is only counted.
MENTIONS = 12
_LONGEST_OWN_NAME = 12


@dataclass(frozen=True, slots=True)
class Names:
    """Short names of mentions, and what they stand for.

    Mentions of plain partitions that are short go by themselves, all others as m1, m2,
    ... in the order of the text.
    """

    meanings: Sequence[str]  # what to print where a mention is introduced
    own: bool  # whether mentions go by that everywhere
    used: set[int] = field(default_factory=set)  # for the legend

    def __call__(self, mention: int) -> str:
        """Name a mention."""
        self.used.add(mention)
        return self.meanings[mention] if self.own else f"m{mention + 1}"

    def link(self, mention: int, other: int) -> str:
        """Name a link: `ab` as in the papers, where names are letters."""
        names = self(mention), self(other)
        return ("-" if max(map(len, names)) > 1 else "").join(names)

    def listing(self, mentions: Sequence[int]) -> str:
        """Name mentions one after the other, the first of them where they are many."""
        kept = mentions[:MENTIONS]
        return listed(list(map(self, kept)), left_out=len(mentions) - len(kept))

    def braced(self, mentions: Sequence[int]) -> str:
        """Name mentions as a set."""
        return f"{{{self.listing(mentions)}}}"


def names_of(
    key: Columns, response: Columns, rows: Sequence[int], words: Sequence[str]
) -> Names:
    """Name mentions, which are rows of the key and then of the response.

    Args:
        key: the mentions of the key.
        response: the mentions of the response.
        rows: the row of each mention to name; response rows follow those of the key.
        words: the words of the document.
    """
    keys = len(key.entity)
    if response.names is None:
        meanings = [
            _quoted(
                words,
                key.mention(row) if row < keys else response.mention(row - keys),
            )
            for row in rows
        ]
        return Names(meanings, own=False)
    # Each side knows the names that were read of it.
    of_key = response.names if key.names is None else key.names
    meanings = [
        _shortened(
            of_key[key.start[row]]
            if row < keys
            else response.names[response.start[row - keys]]
        )
        for row in rows
    ]
    longest = max(map(len, meanings), default=0)
    own = len(set(meanings)) == len(meanings) and longest <= _LONGEST_OWN_NAME
    return Names(meanings, own=own)


def _shortened(mention: Hashable) -> str:
    return shortened(str(mention)) or repr(mention)


def _quoted(words: Sequence[str], mention: Mention) -> str:
    spans = [
        f"{start}" if start == end else f"{start}-{end}" for start, end in mention.parts
    ]
    parts = [" ".join(words[start : end + 1]) for start, end in mention.parts]
    span, text = f"[{','.join(spans)}]", shortened(" ... ".join(parts).strip())
    return f'"{text}" {span}' if text else span
