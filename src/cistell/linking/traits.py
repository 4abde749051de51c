"""What the linker knows of mentions beside their table: places in the tree, names.

All arrays have an entry for each mention of a document, in the order of the text.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cistell.linking.names import name_of
from cistell.words import words_of

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

    from numpy.typing import NDArray

    from cistell.profiles import Profile
    from cistell.table import MentionTable
    from cistell.words import Words
    from corefkit.arrays.columns import Ints
    from corefkit.syntax.dependencies import Syntax

# So many words of a mention are compared, the first ones.
MOST_WORDS = 8
_CLAUSES = ("root", "ccomp", "xcomp", "advcl", "acl", "csubj", "parataxis")


class Trait(NamedTuple):
    """What is known of one mention, in plain values."""

    form: str  # the head's form in lower case, if it is a pronoun
    determiner: str  # the determiner's form in lower case
    relation: str  # the head's relation
    marker: str  # the preposition or other mark of case
    governor: int  # the token that the head, or its coordination, hangs on
    governor_lemma: str
    clause: int  # the head of the clause that it is in
    depth: int  # how many tokens are above the head
    contents: tuple[str, ...]  # the lemmas of its content words
    modifiers: tuple[str, ...]  # those beside the head
    numbers: tuple[str, ...]  # the numbers among them
    name: tuple[str, ...]  # the words of its name, without titles and the like
    whole: str  # all its words


def _ints(value: Callable[[Trait], int]) -> cached_property[Ints]:
    return cached_property(
        lambda traits: np.fromiter(map(value, traits.rows), np.int64, len(traits.rows))
    )


def _named(value: Callable[[Trait], Hashable]) -> cached_property[Ints]:
    return cached_property(lambda traits: _numbered(map(value, traits.rows)))


def _padded(value: Callable[[Trait], Sequence[str]]) -> cached_property[Ints]:
    return cached_property(lambda traits: padded([*map(value, traits.rows)]))


@dataclass(frozen=True)
class Traits:
    """The mentions of a document as the linker sees them.

    The properties are arrays with an entry for each mention: numbers as they are in
    `Trait`, or numbers that are equal where the values are, -1 for none. Where a
    mention has several values, it has a row of such numbers.
    """

    table: MentionTable
    rows: tuple[Trait, ...]
    words: Words

    governor = _ints(lambda row: row.governor)
    clause = _ints(lambda row: row.clause)
    depth = _ints(lambda row: row.depth)
    governor_lemma = _named(lambda row: row.governor_lemma)
    relation = _named(lambda row: row.relation.partition(":")[0])
    whole = _named(lambda row: row.whole)
    numbers = _named(lambda row: row.numbers)
    modifiers = _padded(lambda row: row.modifiers)
    contents = _padded(lambda row: row.contents)
    name = _padded(lambda row: row.name)
    name_first = _named(lambda row: row.name[:1])
    name_last = _named(lambda row: row.name[-1:])
    modifier_count = _ints(lambda row: min(len(row.modifiers), MOST_WORDS))
    content_count = _ints(lambda row: min(len(row.contents), MOST_WORDS))
    name_count = _ints(lambda row: min(len(row.name), MOST_WORDS))

    @cached_property
    def letters(self) -> NDArray[np.uint64]:
        """The groups of three letters of its text, as bits."""
        return letter_bits(profile.text for profile in self.table.profiles)

    @cached_property
    def head_letters(self) -> NDArray[np.uint64]:
        """The groups of three letters of its head, as bits."""
        return letter_bits(profile.head_forms[0] for profile in self.table.profiles)

    @cached_property
    def quotation(self) -> Ints:
        """The number of the quotation that it stands in."""
        number, before, found = -1, False, []
        for quoted in self.words.quoted:
            number += quoted and not before
            found.append(number if quoted else -1)
            before = quoted
        return np.array(found, np.int64)[self.table.head]

    @cached_property
    def turn(self) -> Ints:
        """The number of the turn that it is said in; a turn ends where others speak."""
        number, before, found = 0, "", []
        for speaker in self.words.speaker:
            number += speaker != before
            found.append(number)
            before = speaker
        return np.array(found, np.int64)[self.table.head]

    @cached_property
    def earlier_heads(self) -> Ints:
        """How many earlier mentions have the lemma of its head; none for pronouns."""
        return earlier(np.where(self.table.pronoun, -1, self.table.head_lemma))

    @cached_property
    def earlier_texts(self) -> Ints:
        """How many earlier mentions have its text; none for pronouns."""
        return earlier(np.where(self.table.pronoun, -1, self.table.text))

    @cached_property
    def next_head(self) -> Ints:
        """The next mention with the lemma of its head; beyond all if there is none."""
        return following(self.table.head_lemma)


def traits_of(table: MentionTable) -> Traits:
    """Describe the mentions of a table."""
    words = words_of(table.document)
    return Traits(
        table, tuple(_trait(profile, words) for profile in table.profiles), words
    )


def _trait(profile: Profile, words: Words) -> Trait:
    syntax, head = words.syntax, profile.head
    own = range(profile.mention.start, profile.mention.end + 1)
    determiner = marker = ""
    for child in syntax.children[head]:
        if syntax.tags[child] == "DET" and not determiner:
            determiner = syntax.forms[child].lower()
        elif syntax.kinds[child] == "case" and not marker:
            marker = syntax.lemmas[child]
    modifiers = tuple(
        syntax.lemmas[token]
        for token in own
        if token != head and syntax.tags[token] in ("NOUN", "PROPN", "ADJ", "NUM")
    )
    numbers = tuple(syntax.forms[token] for token in own if syntax.tags[token] == "NUM")
    governor, clause, depth = _place(head, syntax)
    return Trait(
        syntax.forms[head].lower() if profile.pronoun else "",
        determiner,
        syntax.relations[head],
        marker,
        governor,
        syntax.lemmas[governor] if governor >= 0 else "",
        clause,
        depth,
        tuple(sorted(profile.contents)),
        modifiers,
        numbers,
        name_of(profile, syntax),
        " ".join(syntax.forms[token].lower() for token in own),
    )


def _place(head: int, syntax: Syntax) -> tuple[int, int, int]:
    """Find the token that a head hangs on, the head of its clause, and its depth."""
    token, depth = head, 0
    # A tree may be broken by a cycle; the text ends it.
    while syntax.kinds[token] == "conj" and depth < 100 and syntax.parents[token] >= 0:
        token = syntax.parents[token]
        depth += 1
    governor = syntax.parents[token]
    clause = -1
    while token >= 0 and depth < 100:
        if clause < 0 and token != head and syntax.kinds[token] in _CLAUSES:
            clause = token
        token = syntax.parents[token]
        depth += 1
    return governor, clause, depth


def padded(rows: Sequence[Sequence[Hashable]]) -> Ints:
    """Number the values of rows, and pad the rows with -1.

    >>> padded([["a", "b"], [], ["b"]])[:, :3].tolist()
    [[0, 1, -1], [-1, -1, -1], [1, -1, -1]]
    """
    numbers: dict[Hashable, int] = {}
    found = np.full((len(rows), MOST_WORDS), -1, np.int64)
    for at, row in enumerate(rows):
        for column, value in enumerate(row[:MOST_WORDS]):
            found[at, column] = numbers.setdefault(value, len(numbers))
    return found


def _numbered(values: Iterable[Hashable]) -> Ints:
    """Number values in the order they come; -1 for empty ones."""
    numbers: dict[Hashable, int] = {}
    return np.array(
        [numbers.setdefault(value, len(numbers)) if value else -1 for value in values],
        np.int64,
    )


_BITS = 256
_LONGEST = 60  # letters of a text that are looked at


def letter_bits(texts: Iterable[str]) -> NDArray[np.uint64]:
    """Hash the groups of three letters of texts to bits, four numbers of them each.

    >>> from corefkit.arrays.hashing import count_bits
    >>> one, other = letter_bits(["miller", "mill"])
    >>> int(count_bits(one & other).sum())  # " mi", "mil", "ill"
    3
    """
    rows = []
    for text in texts:
        marked = [*map(ord, f" {text} "[:_LONGEST])]
        bits = 0
        for one, two, three in zip(marked, marked[1:], marked[2:], strict=False):
            bits |= 1 << ((one * 1009 + two * 9176 + three * 613) % 65521 % _BITS)
        rows.append(bits.to_bytes(_BITS // 8, "little"))
    return np.frombuffer(b"".join(rows), "<u8").reshape(-1, _BITS // 64)


def earlier(values: Ints) -> Ints:
    """Count for each value how often it came before; nothing for -1.

    >>> earlier(np.array([3, -1, 3, -1, 3])).tolist()
    [0, 0, 1, 0, 2]
    """
    seen: dict[int, int] = {}
    found = []
    for value in values.tolist():
        found.append(seen.get(value, 0))
        if value >= 0:
            seen[value] = found[-1] + 1
    return np.array(found, np.int64)


def following(values: Ints) -> Ints:
    """Find for each value where it comes next; beyond all if it does not.

    >>> following(np.array([3, 1, 3])).tolist()
    [2, 3, 3]
    """
    after: dict[int, int] = {}
    found = []
    for at, value in reversed([*enumerate(values.tolist())]):
        found.append(after.get(value, len(values)))
        after[value] = at
    return np.array(found[::-1], np.int64)
