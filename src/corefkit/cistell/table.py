"""The mentions of a document as arrays: what is known of each, worked out once.

Pairs are compared by taking from these arrays. No feature looks at words, so a document
of n mentions is looked at n times, not n² times.
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

# Kinds of mentions; pronouns come first.
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

    The properties are arrays with an entry for each mention: numbers as `Profile` has
    them, places in a list of names, or numbers that are the same where the values are.
    -1 stands for a value that is not there.

    Attributes:
        document: where they stand.
        profiles: what is known of them.
        wordnet: what knows of meanings, if anything does.
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
        return self._ints(lambda one: one.mention.start)

    @cached_property
    def end(self) -> Ints:
        """The last token."""
        return self._ints(lambda one: one.mention.end)

    @cached_property
    def head(self) -> Ints:
        """The token of the head."""
        return self._ints(lambda one: one.head)

    @cached_property
    def sentence(self) -> Ints:
        """The number of the sentence."""
        return self._ints(lambda one: one.sentence)

    @cached_property
    def kind(self) -> Ints:
        """The place of its kind in `KINDS`."""
        return self._ints(lambda one: KINDS.index(one.kind))

    @cached_property
    def pronoun(self) -> Flags:
        """Whether it is a pronoun, a zero subject among them."""
        return self._flags(lambda one: one.pronoun)

    @cached_property
    def gender(self) -> Ints:
        """The genders that it may have, as bits."""
        return self._ints(lambda one: one.gender)

    @cached_property
    def number(self) -> Ints:
        """Singular (1), plural (2), or unknown (0)."""
        return self._ints(lambda one: one.number)

    @cached_property
    def person(self) -> Ints:
        """The grammatical person; 0 without."""
        return self._ints(lambda one: one.person)

    @cached_property
    def pronoun_form(self) -> Ints:
        """A number for each person, gender and number that pronouns have."""
        return self._numbered(
            lambda one: (
                (one.person, one.gender, one.number)
                if one.pronoun and one.person
                else ()
            )
        )

    @cached_property
    def entity_type(self) -> Ints:
        """The place of its type in `ENTITY_TYPES`."""
        return self._ints(lambda one: ENTITY_TYPES.index(one.entity_type))

    @cached_property
    def function(self) -> Ints:
        """The place of its function in `FUNCTIONS`."""
        return self._ints(lambda one: FUNCTIONS.index(one.function))

    @cached_property
    def supertype(self) -> Ints:
        """A number for each supertype."""
        return self._numbered(lambda one: one.supertype)

    @cached_property
    def human(self) -> Flags:
        """Whether it is known to be a person."""
        return self._flags(lambda one: one.supertype == "person")

    @cached_property
    def head_form(self) -> Ints:
        """A number for each form of heads."""
        return self._numbered(lambda one: one.head_forms)

    @cached_property
    def head_lemma(self) -> Ints:
        """A number for each lemma of heads."""
        return self._numbered(lambda one: one.head_lemmas)

    @cached_property
    def text(self) -> Ints:
        """A number for each text without determiners."""
        return self._numbered(lambda one: one.text)

    @cached_property
    def frequency(self) -> Ints:
        """How many mentions of the document have the same head."""
        return np.bincount(self.head_form, minlength=1)[self.head_form]

    @cached_property
    def letters(self) -> tuple[Ints, Ints]:
        """A number for each acronym that it is, and that it would have."""
        numbers: dict[Hashable, int] = {}
        return (
            _numbers((one.acronym for one in self.profiles), numbers),
            _numbers((one.initials for one in self.profiles), numbers),
        )

    @cached_property
    def coordinated(self) -> Flags:
        """Whether it joins several."""
        return self._flags(lambda one: one.coordinated)

    @cached_property
    def possessive(self) -> Flags:
        """Whether it possesses something."""
        return self._flags(lambda one: one.possessive)

    @cached_property
    def relative(self) -> Flags:
        """Whether a relative clause belongs to it."""
        return self._flags(lambda one: one.relative)

    @cached_property
    def quoted(self) -> Flags:
        """Whether it stands in quotation marks."""
        return self._flags(lambda one: one.quoted)

    @cached_property
    def speaker(self) -> Ints:
        """A number for each speaker."""
        return self._numbered(lambda one: one.speaker)

    @cached_property
    def subject(self) -> Ints:
        """The token that it is said of, as predicate."""
        return self._ints(lambda one: one.subject)

    @cached_property
    def apposed(self) -> Ints:
        """The token that it is an apposition to."""
        return self._ints(lambda one: one.apposed)

    @cached_property
    def content_size(self) -> Ints:
        """How many content words it has."""
        return self._ints(lambda one: len(one.contents))

    @cached_property
    def shared_contents(self) -> NDArray[np.int16]:
        """How many content words each two mentions share: a matrix."""
        rows = _incidence([one.contents for one in self.profiles])
        shared: NDArray[np.int16] = (rows @ rows.T).toarray()
        return shared

    @cached_property
    def concept(self) -> Ints:
        """A number for each noun that heads mean: a row of `kinships`."""
        return self._numbered(lambda one: one.concept)

    @cached_property
    def kinships(self) -> tuple[Flags, Flags, Flags]:
        """What WordNet knows of concepts.

        The first array says of each whether it is known; then come two matrices:
        whether two share a sense, and whether the first is a kind of the second.
        """
        wordnet = self.wordnet
        concepts = dict.fromkeys(one.concept for one in self.profiles if one.concept)
        senses = [wordnet.senses(one) if wordnet else () for one in concepts]
        above = [
            {higher for one in row for higher in wordnet.ancestors(one)}
            if wordnet
            else ()
            for row in senses
        ]
        numbers: dict[Hashable, int] = {
            sense: at for at, sense in enumerate(_every(senses))
        }
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
    """Look at mentions of a document."""
    profiles = profiles_of(document, mentions, context)
    return MentionTable(document, tuple(profiles), context.lexicon.wordnet)


def _numbers(values: Iterable[Hashable], numbers: dict[Hashable, int]) -> Ints:
    """Number values in the order they come; -1 for those that are empty."""
    return np.array(
        [numbers.setdefault(one, len(numbers)) if one else -1 for one in values],
        np.int64,
    )


def _every(rows: Iterable[Iterable[int]]) -> dict[int, None]:
    return dict.fromkeys(one for row in rows for one in row)


def _incidence(
    rows: Sequence[Iterable[Hashable]], numbers: Mapping[Hashable, int] | None = None
) -> sparse.csr_array:
    """Give a matrix that says which row has which value, a column each."""
    if numbers is None:
        values = dict.fromkeys(one for row in rows for one in row)
        numbers = {value: at for at, value in enumerate(values)}
    at = [
        (row, numbers[one])
        for row, own in enumerate(rows)
        for one in own
        if one in numbers
    ]
    places = np.array(at, np.int64).reshape(-1, 2)
    ones = np.ones(len(at), np.int16)
    shape = (len(rows), max(len(numbers), 1))
    return sparse.csr_array((ones, (places[:, 0], places[:, 1])), shape=shape)
