"""Short names of mentions, and what they stand for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from corefkit.analysis.explain.layout import listed, shortened
from corefkit.report.walk.values import Reference

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from corefkit.columns import Columns
    from corefkit.model import Mention
    from corefkit.report.walk.values import Text

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
    words: Sequence[str] = ()  # of each mention in quotes, empty where not known

    def __call__(self, mention: int) -> Reference:
        """Name a mention."""
        self.used.add(mention)
        name = self.meanings[mention] if self.own else f"m{mention + 1}"
        return Reference(name, mention=mention)

    def in_words(self) -> Names:
        """Name mentions by their words, where these are known."""
        if self.own or not self.words:
            return self
        words = [one or f"m{at}" for at, one in enumerate(self.words, start=1)]
        return Names(words, own=True)

    def link(self, mention: int, other: int) -> Text:
        """Name a link: `ab` as in the papers, where names are letters."""
        one, two = self(mention), self(other)
        return one, "-" if max(len(one.text), len(two.text)) > 1 else "", two

    def listing(self, mentions: Sequence[int]) -> tuple[Text, ...]:
        """Name mentions one after the other, the first of them where they are many."""
        kept = mentions[:MENTIONS]
        return listed(list(map(self, kept)), left_out=len(mentions) - len(kept))

    def braced(self, mentions: Sequence[int]) -> Text:
        """Name mentions as a set."""
        return "{", self.listing(mentions), "}"


def names_of(
    key: Columns,
    response: Columns,
    rows: Sequence[int],
    words: Sequence[str],
    mentions: Sequence[Mention],
) -> Names:
    """Name mentions by their rows; rows of the response follow those of the key."""
    keys = len(key.entity)
    if response.names is None:
        quoted = [_quoted(words, mentions[row]) for row in rows]
        meanings = [" ".join(filter(None, one)) for one in quoted]
        return Names(meanings, own=False, words=[text for text, _ in quoted])
    # Each side knows the names that were read of it.
    of_key = response.names if key.names is None else key.names
    meanings = [
        _name(
            of_key[key.start[row]]
            if row < keys
            else response.names[response.start[row - keys]]
        )
        for row in rows
    ]
    longest = max(map(len, meanings), default=0)
    own = len(set(meanings)) == len(meanings) and longest <= _LONGEST_OWN_NAME
    return Names(meanings, own=own)


def _name(mention: Hashable) -> str:
    return shortened(str(mention)) or repr(mention)


def _quoted(words: Sequence[str], mention: Mention) -> tuple[str, str]:
    """Quote the words of a mention, if they are known, and name its tokens."""
    spans = [
        f"{start}" if start == end else f"{start}-{end}" for start, end in mention.parts
    ]
    parts = [" ".join(words[start : end + 1]) for start, end in mention.parts]
    span, text = f"[{','.join(spans)}]", shortened(" ... ".join(parts).strip())
    return f'"{text}"' if text else "", span
