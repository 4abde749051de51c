"""What all passes look at: mentions, where to find them, and in which order.

The order of candidates follows the papers: the sentence of the mention first, then the
one before it, and so on. Within a sentence, pronouns try subjects first, then objects,
then the rest, those high in the tree before those deep in it; in their own sentence
they try their own clause before the one around it (Hobbs 1978). Nouns try the nearest
first, which a tree read from right to left gives.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from cistell.facts import PLURAL
from cistell.sieve.clues import clue_of
from cistell.sieve.entities import Entities
from cistell.sieve.names import letters
from cistell.sieve.voices import voices_of
from cistell.trees import tree_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cistell.profiles import Profile
    from cistell.sieve.clues import Clue
    from cistell.sieve.voices import Voices
    from cistell.table import MentionTable
    from corefkit.syntax.dependencies import Syntax

NOBODY = -1
# How many mentions with the same string, head or word are looked at before a mention,
# and how many behind it: so the cost grows with the text, however often a word comes.
_NEAREST = 60
# A tree is climbed at most so many steps.
_STEPS = 100
_RANKS = {"nsubj": 0, "csubj": 0, "obj": 1, "iobj": 1}
_CLAUSES = {"ccomp", "advcl", "acl", "parataxis", "csubj", "conj", "xcomp"}
_PREDICATES = {"VERB", "AUX", "ADJ", "NOUN"}

Key = TypeVar("Key")


@dataclass(frozen=True, slots=True)
class Scene:
    """The mentions of a document, and their entities so far.

    The indices have for a string, head or word the mentions that have it, and for a
    token those whose head it is. Pronouns are in the last two only.
    """

    profiles: Sequence[Profile]
    clues: Sequence[Clue]
    syntax: Syntax
    voices: Voices
    entities: Entities
    nested: Sequence[Sequence[int]]  # for each mention, those inside it and around it
    by_text: Mapping[str, Sequence[int]]
    by_opening: Mapping[str, Sequence[int]]
    by_head: Mapping[str, Sequence[int]]
    by_word: Mapping[str, Sequence[int]]
    by_sentence: Mapping[int, Sequence[int]]
    by_token: Mapping[int, Sequence[int]]
    by_letters: Mapping[str, Sequence[int]]  # names, by the letters of their words
    by_acronym: Mapping[str, Sequence[int]]
    by_initials: Mapping[str, Sequence[int]]
    # Pronouns by voice, person and whether they are plural.
    by_voice: Mapping[tuple[int, int, bool], Sequence[int]]

    def near(self, row: Sequence[int], mention: int) -> list[int]:
        """Of a row of mentions, take those of entities that began before a mention.

        The nearest before it come first, then what follows it.
        """
        at = bisect_left(row, mention)
        own = self.entities[mention]
        around = [*row[max(at - _NEAREST, 0) : at][::-1], *row[at : at + _NEAREST]]
        return [
            other
            for other in around
            if self.entities[other].first < mention and self.entities[other] is not own
        ]

    def before(self, mention: int, sentence: int) -> list[int]:
        """List the mentions of a sentence that a pronoun may refer to, in order."""
        row = self.by_sentence.get(sentence, ())
        row = row[: bisect_left(row, mention)][-_NEAREST:]
        climbed = _climbed(self.profiles[mention].head, self.syntax)
        return sorted(row, key=lambda other: (*self._place(other, climbed), other))

    def _place(self, other: int, climbed: Mapping[int, int]) -> tuple[int, int, int]:
        """Return how many clauses lie between, its rank as argument, and its depth."""
        syntax = self.syntax
        head = at = self.profiles[other].head
        clauses, depth = len(climbed), 0
        while at >= 0 and depth < _STEPS:
            if at in climbed and clauses == len(climbed):
                clauses = climbed[at]
            at = syntax.parents[at]
            depth += 1
        return clauses, _RANKS.get(syntax.kinds[head], 2), depth


def scene_of(table: MentionTable) -> Scene:
    """Look at the mentions of a document."""
    syntax = tree_of(table.document, purpose="to resolve by")
    profiles = table.profiles
    clues = [clue_of(profile, syntax) for profile in profiles]
    voices = voices_of(table, syntax)
    nouns = [at for at, profile in enumerate(profiles) if not profile.pronoun]
    return Scene(
        profiles,
        clues,
        syntax,
        voices,
        Entities(profiles, clues, voices.of),
        nested=_nested(profiles),
        by_text=_index((clues[at].text, at) for at in nouns),
        by_opening=_index((clues[at].opening, at) for at in nouns),
        by_head=_index((clues[at].head, at) for at in nouns),
        by_word=_index((word, at) for at in nouns for word in clues[at].words),
        by_sentence=_index((one.sentence, at) for at, one in enumerate(profiles)),
        by_token=_index((one.head, at) for at, one in enumerate(profiles)),
        by_letters=_index((letters("".join(clues[at].name)), at) for at in nouns),
        by_acronym=_index((one.acronym, at) for at, one in enumerate(profiles)),
        by_initials=_index((one.initials, at) for at, one in enumerate(profiles)),
        by_voice=_index(
            ((voices.of[at], one.person, one.number == PLURAL), at)
            for at, one in enumerate(profiles)
            if one.person
        ),
    )


def _index(pairs: Iterable[tuple[Key, int]]) -> dict[Key, list[int]]:
    index: defaultdict[Key, list[int]] = defaultdict(list)
    for key, mention in pairs:
        index[key].append(mention)
    return dict(index)


def _nested(profiles: Sequence[Profile]) -> list[list[int]]:
    """Find for each mention those inside it and those around it, or that overlap it."""
    nested: list[list[int]] = [[] for _ in profiles]
    opened: list[int] = []
    for at, profile in enumerate(profiles):
        start = profile.mention.start
        opened = [one for one in opened if profiles[one].mention.end >= start]
        for one in opened:
            nested[one].append(at)
            nested[at].append(one)
        opened.append(at)
    return nested


def _climbed(token: int, syntax: Syntax) -> dict[int, int]:
    """Climb a tree from a token; tell of each token passed how many clauses ended."""
    climbed: dict[int, int] = {}
    clauses = 0
    while token >= 0 and token not in climbed and len(climbed) < _STEPS:
        climbed[token] = clauses
        if syntax.kinds[token] in _CLAUSES and syntax.tags[token] in _PREDICATES:
            clauses += 1
        token = syntax.parents[token]
    return climbed
