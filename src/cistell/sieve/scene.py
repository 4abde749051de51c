"""The mentions of a document as the sieve sees them: names, speakers, entities, order.

The order of candidates follows the papers: the sentence of the mention first, then the
one before it, and so on. Within a sentence, pronouns try subjects first, then objects,
then the rest, those high in the tree before those deep in it; in their own sentence
they try their own clause before the clause that contains it (Hobbs 1978). Nouns try the
nearest first, as in a tree read from right to left.

The speaker of a quotation is the subject of a verb of saying next to it, as in the
papers: '"I sold it," said Ann' and 'Ann said: "I sold it."'.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from cistell.mentions.profiles import PLURAL, SINGULAR
from cistell.mentions.words import find_quoted_tokens, get_tree

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cistell.mentions.profiles import MentionTable, Profile
    from corefkit.syntax.dependencies import Syntax

# Words after the name of a company, and before or after that of a person.
_COMPANY = """
ag bv co company corp corporation gmbh group holdings inc incorporated limited llc llp
ltd nv plc sa se spa
"""
_TITLES = """
admiral baron baroness captain chancellor colonel count countess dame doctor dr duke esq
father general governor herr jr judge justice king lady lieutenant lord madame major
miss mister mme monsieur mr mrs ms phd pope president prince princess prof professor
queen rep rev reverend saint sen senator señor señora sir sister sr st
"""
BESIDE_NAMES = frozenset(f"{_COMPANY} {_TITLES}".split())
_OF_NAME = ("flat", "compound", "goeswith", "fixed", "nmod")


def find_name_tokens(profile: Profile, syntax: Syntax) -> list[int]:
    """Find the words of a mention's name, in the order of the text.

    A name that is nothing but a title ("the President") has that word.
    """
    head, mention = profile.head, profile.mention
    if syntax.tags[head] != "PROPN" or profile.coordinated:
        return []
    tokens = [head]
    tokens += (
        token
        for token in syntax.children[head]
        if mention.start <= token <= mention.end
        and syntax.kinds[token] in _OF_NAME
        and syntax.tags[token] == "PROPN"
        and not any(syntax.kinds[child] == "case" for child in syntax.children[token])
    )
    name_tokens = sorted(
        token for token in tokens if strip_form(syntax.forms[token]) not in BESIDE_NAMES
    )
    return name_tokens or [head]


def keep_letters(name: str) -> str:
    """Return the letters and digits of a name, in lower case.

    Corpora write the names of speakers as one word.

    >>> keep_letters("AnnBrown") == keep_letters("Ann Brown")
    True
    """
    return "".join(filter(str.isalnum, name.lower()))


def strip_form(form: str) -> str:
    """Return a word in lower case, without a full stop at its end.

    >>> strip_form("Inc."), strip_form("...")
    ('inc', '...')
    """
    return form.lower().rstrip(".") or form


# Words without information on the referent of a mention.
_STOP = {"DET", "ADP", "PUNCT", "PART", "PRON", "AUX", "CCONJ", "SCONJ", "INTJ"}
_SKIPPED = {"DET", "PUNCT", "PART"}  # as in `facts.text_of`
_POSSESSORS = ("nmod:poss", "det:poss")


@dataclass(frozen=True, slots=True)
class Clue:
    """The properties of a mention for the sieve; all words are in lower case."""

    text: str  # its words without determiners, marks and a final 's
    full_text: str  # the same with determiners
    opening: str  # its words up to its head, without determiners
    head: str  # its head; the last word of a name
    words: frozenset[str]  # its words without function words
    premodifiers: frozenset[str]  # those before the head, without those of a name
    after: frozenset[str]  # those after the head
    name: tuple[str, ...]  # the words of a name, without titles and "Inc."
    flat: bool  # whether the name is flat, as those of persons are
    other_names: frozenset[
        str
    ]  # other names among its words, as "Rome" in "Church of Rome"
    owner: int  # the token of its possessor; -1 if it has none
    numbers: int  # whether it is singular or plural, or may be both, as bits

    @property
    def modifiers(self) -> frozenset[str]:
        """The words other than the head; a given name modifies the last one."""
        return self.premodifiers | self.after | {*self.name[:-1]}


def describe_clue(profile: Profile, syntax: Syntax) -> Clue:
    """Look at one mention."""
    tags, mention = syntax.tags, profile.mention
    name = find_name_tokens(profile, syntax)
    last = max([profile.head, *name])
    tokens = [token for token in mention.tokens if tags[token] not in _STOP]
    head_tokens = {profile.head, *name}
    return Clue(
        text=profile.text,
        full_text=_join_words(mention.tokens, syntax, {"PUNCT", "PART"}),
        opening=_join_words(range(mention.start, last + 1), syntax, _SKIPPED),
        head=strip_form(syntax.forms[name[-1] if name else profile.head]),
        words=_collect_words(tokens, syntax),
        premodifiers=_collect_words((token for token in tokens if token < last), syntax)
        - _collect_words(head_tokens, syntax),
        after=_collect_words((token for token in tokens if token > last), syntax),
        name=tuple(strip_form(syntax.forms[token]) for token in name),
        flat=any(syntax.kinds[token] == "flat" for token in name),
        other_names=_collect_words(
            (
                token
                for token in tokens
                if tags[token] == "PROPN" and token not in head_tokens
            ),
            syntax,
        ),
        owner=next(
            (
                token
                for token in syntax.children[profile.head]
                if syntax.relations[token] in _POSSESSORS
                and mention.start <= token <= mention.end
            ),
            -1,
        ),
        numbers=_find_numbers(profile),
    )


def _join_words(tokens: Iterable[int], syntax: Syntax, skipped: set[str]) -> str:
    return " ".join(
        syntax.forms[token].lower()
        for token in tokens
        if syntax.tags[token] not in skipped
    )


def _collect_words(tokens: Iterable[int], syntax: Syntax) -> frozenset[str]:
    words = frozenset(strip_form(syntax.forms[token]) for token in tokens)
    return words - BESIDE_NAMES or words


def _find_numbers(profile: Profile) -> int:
    either = SINGULAR | PLURAL
    if profile.entity_type == "organization" or profile.supertype == "group":
        return either  # "the team ... they"
    return profile.number or either


# Verbs of saying, by their lemmas.
_ENGLISH = """
acknowledge add admit agree announce answer argue ask assert believe boast call claim
comment complain conclude confess confirm continue cry declare deny exclaim explain
insist joke mention murmur mutter note observe pronounce protest recall remark repeat
reply report respond say scream shout sigh speak state suggest tell think urge warn
whisper wonder write yell
"""
_SPANISH = """
afirmar añadir asegurar contestar decir declarar exclamar explicar gritar preguntar
responder señalar
"""
_FRENCH = """
affirmer ajouter crier demander dire déclarer expliquer murmurer reprendre répondre
écrier
"""
_SAYING = frozenset(f"{_ENGLISH} {_SPANISH} {_FRENCH}".split())
_SUBJECTS = ("PROPN", "NOUN", "PRON")
_NOWHERE = -1


@dataclass(frozen=True, slots=True)
class Voices:
    """Who says each mention."""

    # A number for each mention, the same if the same person speaks.
    of: Sequence[int]
    names: Mapping[int, str]  # the names of voices in the document
    mentions: Mapping[int, int]  # the mention that is the speaker of a quotation


def find_voices(table: MentionTable, syntax: Syntax) -> Voices:
    """Find out who says each mention.

    If a document names its speakers, quotations are theirs. Otherwise each quotation
    has the voice of its speaker or, if none is found, a separate voice; the rest of the
    text is the author's.
    """
    quotes = _find_quotes(find_quoted_tokens(table.document))
    quoted = {
        token: number for number, quote in enumerate(quotes) for token in range(*quote)
    }
    subjects = {
        number: _find_speaker(quotes[number], syntax, quoted)
        for number in sorted({*quoted.values()})
    }
    by_head: dict[int, int] = {}
    for at, profile in enumerate(table.profiles):
        if not profile.coordinated:
            by_head.setdefault(profile.head, at)
    numbers: dict[object, int] = {}
    of: list[int] = []
    names: dict[int, str] = {}
    mentions: dict[int, int] = {}
    for profile in table.profiles:
        key, speaker = _find_voice(profile, quoted, subjects)
        voice = numbers.setdefault(key, len(numbers))
        of.append(voice)
        if profile.speaker:
            names[voice] = profile.speaker
        elif speaker in by_head:
            mentions[voice] = by_head[speaker]
    return Voices(of, names, mentions)


def _find_voice(
    profile: Profile, quoted: Mapping[int, int], subjects: Mapping[int, int]
) -> tuple[object, int]:
    """Return a key of a voice, and the token of a quotation's speaker."""
    quote = quoted.get(profile.head)
    if profile.speaker or quote is None:
        return profile.speaker, _NOWHERE
    subject = subjects[quote]
    return ("quote", quote) if subject < 0 else ("subject", subject), subject


def _find_quotes(quoted: Sequence[bool]) -> list[tuple[int, int]]:
    """Find quotations: the first token of each, and the token after its last."""
    edges = [
        at
        for at, (was_quoted, is_quoted) in enumerate(
            zip([False, *quoted], [*quoted, False], strict=True)
        )
        if was_quoted != is_quoted
    ]
    return list(zip(edges[::2], edges[1::2], strict=True))


def _find_speaker(
    quote: tuple[int, int], syntax: Syntax, quoted: Mapping[int, int]
) -> int:
    """Find the subject of the verb of saying that is nearest to a quotation; or -1."""
    first, end = quote
    edges = syntax.edges
    tokens = [
        *range(edges[first][0], first),
        *range(end, edges[min(end, len(edges) - 1)][1] + 1),
    ]
    subjects = [
        (_measure_distance(verb, first, end), subject)
        for verb in tokens
        if verb not in quoted
        and syntax.lemmas[verb] in _SAYING
        and (subject := _find_subject(verb, end, syntax)) >= 0
        and subject not in quoted
    ]
    return min(subjects, default=(0, _NOWHERE))[1]


def _find_subject(verb: int, end: int, syntax: Syntax) -> int:
    """Find who says something; or -1.

    Right after a quotation the subject follows its verb, as in "said Ann", and parsers
    take it for an object.
    """
    subject = syntax.child(verb, "nsubj")
    if subject < 0 and verb - end <= 1:
        followers = (child for child in syntax.children[verb] if child > verb)
        nouns = (child for child in followers if syntax.tags[child] in _SUBJECTS)
        subject = next(nouns, _NOWHERE)
    return subject


def _measure_distance(verb: int, first: int, end: int) -> int:
    """Measure how far a verb is from a quotation; one after it is nearer."""
    return 2 * (verb - end) if verb >= end else 2 * (first - verb) + 1


@dataclass(slots=True)
class Growing:
    """An entity: its mentions, and the properties known from all of them."""

    members: list[int]
    first: int  # its first mention in the order of the text
    # The first that is not "I" or "you", which do not show who it is; -1 if none.
    informative: int
    gender: int  # the genders that it may have, as bits of `facts`
    numbers: int  # whether it is singular or plural, or may be both, as bits
    nominal: bool  # whether one of them is not a pronoun
    words: set[str]  # the words of those that are not
    speaks: set[int]  # the voices in which it is "I" or "you"

    def take(self, other: Growing) -> None:
        """Take in the mentions of another entity, and their properties."""
        self.members += other.members
        self.first = min(self.first, other.first)
        informative = [at for at in (self.informative, other.informative) if at >= 0]
        self.informative = min(informative, default=-1)
        # If the two contradict each other, the entity may be either.
        self.gender = self.gender & other.gender or self.gender | other.gender
        self.numbers = self.numbers & other.numbers or self.numbers | other.numbers
        self.nominal |= other.nominal
        self.words |= other.words
        self.speaks |= other.speaks


class Entities:
    """The entities of a document as the passes of the sieve merge them."""

    def __init__(
        self, profiles: Sequence[Profile], clues: Sequence[Clue], voices: Sequence[int]
    ) -> None:
        rows = zip(profiles, clues, voices, strict=True)
        self._of = [_start_entity(at, *row) for at, row in enumerate(rows)]

    def __getitem__(self, mention: int) -> Growing:
        """Give the entity of a mention."""
        return self._of[mention]

    def is_resolved_by(self, mention: int) -> bool:
        """Return whether the passes resolve an entity by this mention."""
        entity = self._of[mention]
        return mention == (
            entity.first if entity.informative < 0 else entity.informative
        )

    def merge(self, first: int, second: int) -> None:
        """Put the entities of two mentions together."""
        large, small = self._of[first], self._of[second]
        if large is small:
            return
        if len(large.members) < len(small.members):
            large, small = small, large
        large.take(small)
        for mention in small.members:
            self._of[mention] = large

    def numbers(self) -> list[int]:
        """Number the entity of each mention, in the order of the text."""
        numbers: dict[int, int] = {}
        return [numbers.setdefault(id(entity), len(numbers)) for entity in self._of]


def _start_entity(at: int, profile: Profile, clue: Clue, voice: int) -> Growing:
    speaks = profile.pronoun and profile.person in (1, 2)
    return Growing(
        members=[at],
        first=at,
        informative=-1 if speaks else at,
        gender=profile.gender,
        numbers=clue.numbers,
        nominal=not profile.pronoun,
        words=set() if profile.pronoun else {*clue.words},
        speaks={voice} if speaks else set(),
    )


NOBODY = -1
# How many mentions with the same string, head or word are looked at before a mention,
# and how many after it: so the cost grows with the text, however often a word comes.
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

        The nearest before it come first, then those after it.
        """
        at = bisect_left(row, mention)
        own_entity = self.entities[mention]
        neighbours = [*row[max(at - _NEAREST, 0) : at][::-1], *row[at : at + _NEAREST]]
        return [
            neighbour
            for neighbour in neighbours
            if self.entities[neighbour].first < mention
            and self.entities[neighbour] is not own_entity
        ]

    def list_candidates(self, mention: int, sentence: int) -> list[int]:
        """List the mentions of a sentence that a pronoun may refer to, in order."""
        row = self.by_sentence.get(sentence, ())
        row = row[: bisect_left(row, mention)][-_NEAREST:]
        climbed = _climb_tree(self.profiles[mention].head, self.syntax)
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


def make_scene(table: MentionTable) -> Scene:
    """Look at the mentions of a document."""
    syntax = get_tree(table.document, purpose="to resolve by")
    profiles = table.profiles
    clues = [describe_clue(profile, syntax) for profile in profiles]
    voices = find_voices(table, syntax)
    nouns = [at for at, profile in enumerate(profiles) if not profile.pronoun]
    return Scene(
        profiles,
        clues,
        syntax,
        voices,
        Entities(profiles, clues, voices.of),
        nested=_find_nested(profiles),
        by_text=_index_mentions((clues[at].text, at) for at in nouns),
        by_opening=_index_mentions((clues[at].opening, at) for at in nouns),
        by_head=_index_mentions((clues[at].head, at) for at in nouns),
        by_word=_index_mentions((word, at) for at in nouns for word in clues[at].words),
        by_sentence=_index_mentions(
            (profile.sentence, at) for at, profile in enumerate(profiles)
        ),
        by_token=_index_mentions(
            (profile.head, at) for at, profile in enumerate(profiles)
        ),
        by_letters=_index_mentions(
            (keep_letters("".join(clues[at].name)), at) for at in nouns
        ),
        by_acronym=_index_mentions(
            (profile.acronym, at) for at, profile in enumerate(profiles)
        ),
        by_initials=_index_mentions(
            (profile.initials, at) for at, profile in enumerate(profiles)
        ),
        by_voice=_index_mentions(
            ((voices.of[at], profile.person, profile.number == PLURAL), at)
            for at, profile in enumerate(profiles)
            if profile.person
        ),
    )


def _index_mentions(pairs: Iterable[tuple[Key, int]]) -> dict[Key, list[int]]:
    index: defaultdict[Key, list[int]] = defaultdict(list)
    for key, mention in pairs:
        index[key].append(mention)
    return dict(index)


def _find_nested(profiles: Sequence[Profile]) -> list[list[int]]:
    """Find for each mention those inside it and those around it, or that overlap it."""
    nested: list[list[int]] = [[] for _ in profiles]
    opened: list[int] = []
    for at, profile in enumerate(profiles):
        start = profile.mention.start
        opened = [number for number in opened if profiles[number].mention.end >= start]
        for number in opened:
            nested[number].append(at)
            nested[at].append(number)
        opened.append(at)
    return nested


def _climb_tree(token: int, syntax: Syntax) -> dict[int, int]:
    """Climb a tree from a token; count the clauses that end at each token."""
    climbed: dict[int, int] = {}
    clauses = 0
    while token >= 0 and token not in climbed and len(climbed) < _STEPS:
        climbed[token] = clauses
        if syntax.kinds[token] in _CLAUSES and syntax.tags[token] in _PREDICATES:
            clauses += 1
        token = syntax.parents[token]
    return climbed
