"""Compare the texts of paired documents, so that no score is of something else.

Texts are compared by hashes first; words are read only where these differ, to
say what is wrong and where. Running text (SGML, brat, APF) has no tokens of its own:
beside another tokenisation of the same characters, mentions are compared by characters.
So are those of any two tokenisations, where the setting `tokens` allows it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefkit.alignment.text_differences import (
    has_words,
    refuse_other_characters,
    refuse_other_words,
    solid,
)
from corefkit.exceptions import quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from corefkit.alignment.blocks import Block
    from corefkit.columns import Columns, Details, Flags, Ints
    from corefkit.formats.source import Source, Word
    from corefkit.settings import Settings


@dataclass(frozen=True, slots=True)
class Characters:
    """The characters of the tokens of one document, blanks not counted."""

    document: int
    start: Ints
    end: Ints  # the last one

    def replacing_tokens(self, columns: Columns) -> Columns:
        """Let the mentions of the document point to characters instead of tokens."""
        here = columns.document == self.document
        start, end = columns.start.copy(), columns.end.copy()
        start[here], end[here] = self.start[start[here]], self.end[end[here]]
        details = columns.details and self._details(columns.details, here)
        return replace(columns, start=start, end=end, details=details)

    def _details(self, details: Details, here: Flags) -> Details:
        head, minimum_start = details.head.copy(), details.minimum_start.copy()
        minimum_end = details.minimum_end.copy()
        gap_start, gap_end = details.gap_start.copy(), details.gap_end.copy()
        known = here & (head >= 0)
        head[known] = self.start[head[known]]
        known = here & (minimum_start >= 0)
        minimum_start[known] = self.start[minimum_start[known]]
        minimum_end[known] = self.end[minimum_end[known]]
        gaps = here[details.gap]
        gap_start[gaps] = self.end[gap_start[gaps] - 1] + 1
        gap_end[gaps] = self.start[gap_end[gaps] + 1] - 1
        return replace(
            details,
            head=head,
            minimum_start=minimum_start,
            minimum_end=minimum_end,
            gap_start=gap_start,
            gap_end=gap_end,
        )


class OtherTokens(NamedTuple):
    """What was done about a document whose tokens are not the same on both sides.

    Attributes:
        kind: `characters` where mentions are compared by them, or `tokens` where the
            difference is allowed.
        note: what a user should know about it.
        characters: those of the key's and of the response's tokens, to compare by.
    """

    kind: str
    note: str
    characters: tuple[Characters, Characters] | None = None


def other_tokens(
    sources: tuple[Source, Source],
    blocks: tuple[Block, Block],
    *,
    rows: Iterable[int],
    settings: Settings,
) -> dict[int, OtherTokens]:
    """Compare the words of documents whose hashes differ; refuse the first that do.

    The reference scorer compares no words: read its way, a difference is noted. What
    comes out for a document does not depend on the others.

    Args:
        sources: key and response.
        blocks: the same documents of both.
        rows: the documents to look at, in the blocks.
        settings: what is allowed.

    Returns:
        The documents, by row, whose tokens differ and that can be scored all the same.
    """
    (key, response), (ours, theirs) = sources, blocks
    found: dict[int, OtherTokens] = {}
    for row in rows:
        numbers = ours.numbers[row] or 0, theirs.numbers[row] or 0
        words = list(key.words(numbers[0])), list(response.words(numbers[1]))
        places = key.place(numbers[0]), response.place(numbers[1])
        document = quoted(key.ids[numbers[0]])
        running = key.is_running(numbers[0]) or response.is_running(numbers[1])
        allowed = running or settings.by_characters
        worded = has_words(words[0]) and has_words(words[1])
        if allowed and worded and not _has_empties(row, ours.read, theirs.read):
            refuse_other_characters(document, *words)
            note = "its text has other tokens than the key: mentions are compared by"
            characters = _characters(row, words[0]), _characters(row, words[1])
            found[row] = OtherTokens(
                "characters", f"{places[1]}: {note} characters", characters
            )
        elif settings.reads_as_reference:
            note = f"not the tokens of {places[0]}, which this preset allows"
            found[row] = OtherTokens("tokens", f"{places[1]}: {note}")
        else:
            refuse_other_words(document, *words, places=places)
    return found


def _has_empties(row: int, *sides: Columns) -> bool:
    """Say whether a side has empty nodes in a document."""
    details = [side.details for side in sides if side.details is not None]
    nodes = [detail.empties for detail in details if detail.empties is not None]
    return any(bool((empties.document == row).any()) for empties in nodes)


def _characters(document: int, words: Sequence[Word]) -> Characters:
    lengths = [len(solid(word)) for word in words]
    ends = np.array(list(accumulate(lengths)), np.int64)
    return Characters(document, ends - np.array(lengths, np.int64), ends - 1)
