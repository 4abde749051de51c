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

from cistell.facts import FUNCTIONS
from cistell.profiles import ENTITY_TYPES, profiles_of

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

    from cistell.lexicon import WordNet
    from cistell.profiles import Context, Profile
    from corefkit.arrays.columns import Flags, Ints
    from corefkit.model import Document, Mention


# Kinds of mentions, pronouns first.
KINDS = (
    *("personal_pronouns", "zero_pronouns", "possessive_pronouns"),
    *("demonstrative_pronouns", "relative_pronouns", "reflexive_pronouns"),
    *("other_pronouns", "definite_nps", "possessive_nps", "indefinite_nps"),
    *("demonstrative_nps", "bare_nps", "proper_nouns", "numerals", "clauses", "others"),
)


def _ints(value: Callable[[Profile], int]) -> cached_property[Ints]:
    return cached_property(
        lambda table: np.fromiter(map(value, table.profiles), np.int64, len(table))
    )


def _flags(value: Callable[[Profile], bool]) -> cached_property[Flags]:
    return cached_property(
        lambda table: np.fromiter(map(value, table.profiles), np.bool_, len(table))
    )


def _numbered(value: Callable[[Profile], Hashable]) -> cached_property[Ints]:
    return cached_property(lambda table: _numbers(map(value, table.profiles), {}))


@dataclass(frozen=True)
class MentionTable:
    """The mentions of a document in the order of the text.

    The properties are arrays with an entry for each mention, named as in `Profile`:
    numbers and flags as they are there, indices into a list of names, or numbers that
    are equal where the values are. -1 stands for a missing value.
    """

    document: Document
    profiles: tuple[Profile, ...]
    wordnet: WordNet | None

    def __len__(self) -> int:
        """Count the mentions."""
        return len(self.profiles)

    start = _ints(lambda profile: profile.mention.start)
    end = _ints(lambda profile: profile.mention.end)
    head = _ints(lambda profile: profile.head)
    sentence = _ints(lambda profile: profile.sentence)
    kind = _ints(lambda profile: KINDS.index(profile.kind))
    pronoun = _flags(lambda profile: profile.pronoun)
    gender = _ints(lambda profile: profile.gender)
    number = _ints(lambda profile: profile.number)
    person = _ints(lambda profile: profile.person)
    # A number for each person, gender and number that pronouns have.
    pronoun_form = _numbered(
        lambda profile: (
            (profile.person, profile.gender, profile.number)
            if profile.pronoun and profile.person
            else ()
        )
    )
    entity_type = _ints(lambda profile: ENTITY_TYPES.index(profile.entity_type))
    function = _ints(lambda profile: FUNCTIONS.index(profile.function))
    supertype = _numbered(lambda profile: profile.supertype)
    human = _flags(lambda profile: profile.supertype == "person")
    head_form = _numbered(lambda profile: profile.head_forms)
    head_lemma = _numbered(lambda profile: profile.head_lemmas)
    text = _numbered(lambda profile: profile.text)

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

    coordinated = _flags(lambda profile: profile.coordinated)
    possessive = _flags(lambda profile: profile.possessive)
    relative = _flags(lambda profile: profile.relative)
    quoted = _flags(lambda profile: profile.quoted)
    speaker = _numbered(lambda profile: profile.speaker)
    subject = _ints(lambda profile: profile.subject)
    apposed = _ints(lambda profile: profile.apposed)
    content_size = _ints(lambda profile: len(profile.contents))

    @cached_property
    def shared_contents(self) -> PairCounts:
        """How many content words two mentions share."""
        rows = _incidence([profile.contents for profile in self.profiles])
        return PairCounts.of(rows @ rows.T)

    # A number for each noun that heads stand for: a row of `kinships`.
    concept = _numbered(lambda profile: profile.concept)

    @cached_property
    def kinships(self) -> tuple[Flags, PairCounts, PairCounts]:
        """What WordNet knows of concepts.

        The array tells which are known; then come how many senses two share, and how
        many of the second's the first is a kind of.
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
            PairCounts.of(own @ own.T),
            PairCounts.of(higher @ own.T),
        )


@dataclass(frozen=True, slots=True)
class PairCounts:
    """A number for each pair of things, kept for the few that have one above 0."""

    size: int  # how many things there are
    keys: Ints  # the pairs that have a number, as one key each, in order
    values: Ints  # their numbers

    @classmethod
    def of(cls, matrix: sparse.csr_array) -> PairCounts:
        """Take the numbers of a matrix."""
        cells = matrix.tocoo()
        keys = cells.row.astype(np.int64) * matrix.shape[1] + cells.col
        order = np.argsort(keys)
        return cls(matrix.shape[1], keys[order], cells.data[order].astype(np.int64))

    def __call__(self, first: Ints, second: Ints) -> Ints:
        """Look up pairs.

        >>> counts = PairCounts.of(sparse.csr_array(np.array([[0, 2], [2, 0]])))
        >>> counts(np.array([0, 1, 1]), np.array([1, 0, 1])).tolist()
        [2, 2, 0]
        """
        if not len(self.keys):
            return np.zeros(len(first), np.int64)
        asked = first * self.size + second
        at = np.minimum(np.searchsorted(self.keys, asked), len(self.keys) - 1)
        return np.where(self.keys[at] == asked, self.values[at], 0)


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


def annotated(document: Document) -> dict[Mention, Hashable]:
    """Return each mention with a key of its entity.

    A mention that is in two entities belongs to the first; one that does not refer is
    an entity of its own. Keys are positions, since ids such as `NOCOREF`, which say
    only that a mention is alone, repeat.

    >>> from corefkit.model import Document, Entity, Mention
    >>> alone = [Entity("NOCOREF", (Mention(at, at),)) for at in (0, 2)]
    >>> found = annotated(Document("d", (("Ann", "or", "Bob"),), tuple(alone)))
    >>> list(found.values())
    [0, 1]
    """
    found: dict[Mention, Hashable] = {}
    for number, entity in enumerate(document.entities):
        for mention in entity.mentions:
            found.setdefault(mention, number if entity.referring else mention)
    return found


def annotated_table(document: Document, context: Context) -> tuple[MentionTable, Ints]:
    """Describe the annotated mentions, and number their entities."""
    entities = annotated(document)
    table = mention_table(document, entities, context)
    numbers: dict[Hashable, int] = {}
    entity = [
        numbers.setdefault(entities[profile.mention], len(numbers))
        for profile in table.profiles
    ]
    return table, np.array(entity, np.int64)
