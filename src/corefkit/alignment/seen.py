"""What was seen while documents were read and aligned: plain values, which add up.

Parts of a corpus may be read by other processes or machines: each sends what it saw.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING

import numpy as np

from corefkit.alignment.blocks import Repeats

if TYPE_CHECKING:
    from corefkit.alignment.blocks import Block
    from corefkit.settings import Settings

_HARDLY = 10  # fewer than one of so many mentions meet


@dataclass(slots=True)
class Meeting:
    """How many mentions the sides of a run have, and have in common, so far."""

    key: int = 0
    response: int = 0
    both: int = 0
    key_dropped: int = 0  # left out by the settings
    response_dropped: int = 0
    documents: int = 0  # that both sides have
    key_wordless: int = 0  # of which only the response has words
    response_wordless: int = 0

    def add(self, key: Block, response: Block, *, both: int) -> None:
        """Count a block of documents, of whose mentions so many are matched."""
        mentions = len(key.settled.start), len(response.settled.start)
        self.both += both
        self.key += mentions[0]
        self.response += mentions[1]
        self.key_dropped += len(key.read.start) - mentions[0]
        self.response_dropped += len(response.read.start) - mentions[1]
        self.documents += len(response.numbers) - response.numbers.count(None)
        if key.read.names is None or response.read.names is None:
            self._add_words(key, response)

    def _add_words(self, key: Block, response: Block) -> None:
        ours, theirs = (side.read.text_hash != 0 for side in (key, response))
        there = np.array([number is not None for number in response.numbers], np.bool_)
        self.key_wordless += int((theirs & ~ours).sum())
        self.response_wordless += int((ours & ~theirs & there).sum())

    def take(self, other: Meeting) -> None:
        """Count what another part of the corpus has."""
        for each in fields(self):
            mine, theirs = getattr(self, each.name), getattr(other, each.name)
            setattr(self, each.name, mine + theirs)

    @property
    def is_sound(self) -> bool:
        """Whether there is nothing to warn of."""
        return not (self.hardly or self.key_wordless or self.response_wordless)

    @property
    def hardly(self) -> bool:
        """Whether fewer than one in ten mentions of the smaller side are matched."""
        least = min(self.key, self.response)
        return least == 0 or self.both * _HARDLY < least


@dataclass(slots=True)
class Seen:
    """What notes and warnings of a run are made of.

    >>> one, other = Seen(), Seen(meeting=Meeting(key=3, response=2, both=1))
    >>> one.take(other)
    >>> one.meeting.key
    3
    """

    text_notes: dict[str, str] = field(default_factory=dict)  # the first of each kind
    meeting: Meeting = field(default_factory=Meeting)
    key_repeats: Repeats = field(default_factory=Repeats)
    response_repeats: Repeats = field(default_factory=Repeats)

    def take(self, other: Seen) -> None:
        """Add what was seen in another part of the corpus, behind this one."""
        for kind, note in other.text_notes.items():
            self.text_notes.setdefault(kind, note)
        self.meeting.take(other.meeting)
        self.key_repeats.take(other.key_repeats)
        self.response_repeats.take(other.response_repeats)

    def notes(self, key: str, response: str, settings: Settings) -> list[str]:
        """Say what a user should know of the sides, by their names; a sentence each."""
        notes = [self.text_notes[kind] for kind in sorted(self.text_notes)]
        sides = [(key, self.key_repeats)]
        if self.response_repeats is not self.key_repeats:  # else the key is alone
            sides.append((response, self.response_repeats))
        return notes + [
            repeats.in_words(name, settings) for name, repeats in sides if repeats.count
        ]

    def effective_settings(self, settings: Settings) -> Settings:
        """Return the settings that the scores come from, now that all is read.

        Where running text was compared by characters, asking for it with the setting
        `tokens` leads to the same scores.
        """
        if "characters" not in self.text_notes:
            return settings
        return replace(settings, tokens="characters")
