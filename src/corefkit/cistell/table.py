"""The mentions of a document as arrays: what is known of each, computed once.

Features compare pairs by indexing these arrays. None looks at words, so a document of n
mentions takes n looks at words, not n².
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from corefkit.cistell.entity_types import ENTITY_TYPES
from corefkit.cistell.facts import FUNCTIONS
from corefkit.cistell.profiles import profiles_of

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from corefkit.cistell.lexicon import WordNet
    from corefkit.cistell.profiles import Context, Profile
    from corefkit.columns import Flags, Ints
    from corefkit.model import Document, Mention

# Kinds of mentions, pronouns first.
KINDS = (
    "personal_pronouns",
    "zero_pronouns",
    "possessive_pronouns",
    "demonstrative_pronouns",
    "relative_pronouns",
    "reflexive_pronouns",
    "other_pronouns",
    "definite_nps",
    "possessive_nps",
    "indefinite_nps",
    "demonstrative_nps",
    "bare_nps",
    "proper_nouns",
    "numerals",
    "clauses",
    "others",
)


@dataclass(frozen=True)
class MentionTable:
    """The mentions of a document in the order of the text.

    The properties are arrays with an entry for each mention: numbers as in `Profile`,
    indices into a list of names, or numbers that are equal where the values are. -1
    stands for a missing value.

    Attributes:
        document: the document.
        profiles: what is known of the mentions.
        wordnet: WordNet, if there is one.
    """

    document: Document
    profiles: tuple[Profile, ...]
    wordnet: WordNet | None

    def __len__(self) -> int:
        """Count the mentions."""
        return len(self.profiles)

    @cached_property
    def start(self) -> Ints:
        """The first token."""
        return self._ints(lambda profile: profile.mention.start)

    @cached_property
    def end(self) -> Ints:
        """The last token."""
        return self._ints(lambda profile: profile.mention.end)

    @cached_property
    def head(self) -> Ints:
        """The token of the head."""
        return self._ints(lambda profile: profile.head)

    @cached_property
    def sentence(self) -> Ints:
        """The number of the sentence."""
        return self._ints(lambda profile: profile.sentence)

    @cached_property
    def kind(self) -> Ints:
        """The index of its kind in `KINDS`."""
        return self._ints(lambda profile: KINDS.index(profile.kind))

    @cached_property
    def pronoun(self) -> Flags:
        """Whether it is a pronoun or a zero subject."""
        return self._flags(lambda profile: profile.pronoun)

    @cached_property
    def gender(self) -> Ints:
        """The genders that it may have, as bits."""
        return self._ints(lambda profile: profile.gender)

    @cached_property
    def number(self) -> Ints:
        """Singular (1), plural (2), or unknown (0)."""
        return self._ints(lambda profile: profile.number)

    @cached_property
    def person(self) -> Ints:
        """The grammatical person; 0 if it has none."""
        return self._ints(lambda profile: profile.person)

    @cached_property
    def pronoun_form(self) -> Ints:
        """A number for each person, gender and number that pronouns have."""
        return self._numbered(
            lambda profile: (
                (profile.person, profile.gender, profile.number)
                if profile.pronoun and profile.person
                else ()
            )
        )

    @cached_property
    def entity_type(self) -> Ints:
        """The index of its type in `ENTITY_TYPES`."""
        return self._ints(lambda profile: ENTITY_TYPES.index(profile.entity_type))

    @cached_property
    def function(self) -> Ints:
        """The index of its function in `FUNCTIONS`."""
        return self._ints(lambda profile: FUNCTIONS.index(profile.function))

    @cached_property
    def supertype(self) -> Ints:
        """A number for each supertype."""
        return self._numbered(lambda profile: profile.supertype)

    @cached_property
    def human(self) -> Flags:
        """Whether it is known to be a person."""
        return self._flags(lambda profile: profile.supertype == "person")

    @cached_property
    def head_form(self) -> Ints:
        """A number for each form of heads."""
        return self._numbered(lambda profile: profile.head_forms)

    @cached_property
    def head_lemma(self) -> Ints:
        """A number for each lemma of heads."""
        return self._numbered(lambda profile: profile.head_lemmas)

    @cached_property
    def text(self) -> Ints:
        """A number for each text without determiners."""
        return self._numbered(lambda profile: profile.text)

    @cached_property
    def frequency(self) -> Ints:
        """How many mentions of the document have the same head."""
        return np.bincount(self.head_form, minlength=1)[self.head_form]

    @cached_property
    def letters(self) -> tuple[Ints, Ints]:
        """A number for each acronym that it is, and for that of its initials."""
        numbers: dict[Hashable, int] = {}
        return (
            _numbers((profile.acronym for profile in self.profiles), numbers),
            _numbers((profile.initials for profile in self.profiles), numbers),
        )

    @cached_property
    def coordinated(self) -> Flags:
        """Whether it is a coordination."""
        return self._flags(lambda profile: profile.coordinated)

    @cached_property
    def possessive(self) -> Flags:
        """Whether it possesses something."""
        return self._flags(lambda profile: profile.possessive)

    @cached_property
    def relative(self) -> Flags:
        """Whether it has a relative clause."""
        return self._flags(lambda profile: profile.relative)

    @cached_property
    def quoted(self) -> Flags:
        """Whether it is inside quotation marks."""
        return self._flags(lambda profile: profile.quoted)

    @cached_property
    def speaker(self) -> Ints:
        """A number for each speaker."""
        return self._numbered(lambda profile: profile.speaker)

    @cached_property
    def subject(self) -> Ints:
        """The token that it describes as a predicate."""
        return self._ints(lambda profile: profile.subject)

    @cached_property
    def apposed(self) -> Ints:
        """The token that it is an apposition to."""
        return self._ints(lambda profile: profile.apposed)

    @cached_property
    def content_size(self) -> Ints:
        """How many content words it has."""
        return self._ints(lambda profile: len(profile.contents))

    @cached_property
    def shared_contents(self) -> NDArray[np.int16]:
        """A matrix of how many content words two mentions share."""
        rows = _incidence([profile.contents for profile in self.profiles])
        shared: NDArray[np.int16] = (rows @ rows.T).toarray()
        return shared

    @cached_property
    def concept(self) -> Ints:
        """A number for each noun that heads stand for: a row of `kinships`."""
        return self._numbered(lambda profile: profile.concept)

    @cached_property
    def kinships(self) -> tuple[Flags, Flags, Flags]:
        """What WordNet knows of concepts.

        The first array tells which are known; then come two matrices: whether two share
        a sense, and whether the first is a kind of the second.
        """
        wordnet = self.wordnet
        names = (profile.concept for profile in self.profiles)
        concepts = dict.fromkeys(filter(None, names))
        senses = [wordnet.senses(concept) if wordnet else () for concept in concepts]
        above = [
            {higher for sense in row for higher in wordnet.ancestors(sense)}
            if wordnet
            else ()
            for row in senses
        ]
        numbers = _numbering(senses)
        own, higher = _incidence(senses, numbers), _incidence(above, numbers)
        return (
            np.array([bool(row) for row in senses], np.bool_),
            (own @ own.T).toarray() > 0,
            (higher @ own.T).toarray() > 0,
        )

    def _ints(self, value: Callable[[Profile], int]) -> Ints:
        return np.fromiter(map(value, self.profiles), np.int64, len(self))

    def _flags(self, value: Callable[[Profile], bool]) -> Flags:
        return np.fromiter(map(value, self.profiles), np.bool_, len(self))

    def _numbered(self, value: Callable[[Profile], Hashable]) -> Ints:
        return _numbers(map(value, self.profiles), {})


def mention_table(
    document: Document, mentions: Iterable[Mention], context: Context
) -> MentionTable:
    """Describe mentions of a document, as a table."""
    profiles = profiles_of(document, mentions, context)
    return MentionTable(document, tuple(profiles), context.lexicon.wordnet)


def _numbers(values: Iterable[Hashable], numbers: dict[Hashable, int]) -> Ints:
    """Number values in the order they come; -1 for empty ones."""
    found = [
        numbers.setdefault(value, len(numbers)) if value else -1 for value in values
    ]
    return np.array(found, np.int64)


def _numbering(rows: Iterable[Iterable[Hashable]]) -> dict[Hashable, int]:
    values = dict.fromkeys(value for row in rows for value in row)
    return {value: at for at, value in enumerate(values)}


def _incidence(
    rows: Sequence[Iterable[Hashable]], numbers: Mapping[Hashable, int] | None = None
) -> sparse.csr_array:
    """Make a matrix of which row has which value, with a column for each value."""
    numbers = _numbering(rows) if numbers is None else numbers
    pairs = [
        (row, numbers[value])
        for row, values in enumerate(rows)
        for value in values
        if value in numbers
    ]
    cells = np.array(pairs, np.int64).reshape(-1, 2)
    ones = np.ones(len(pairs), np.int16)
    shape = (len(rows), max(len(numbers), 1))
    return sparse.csr_array((ones, (cells[:, 0], cells[:, 1])), shape=shape)
