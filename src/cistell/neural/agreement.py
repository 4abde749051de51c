"""Agreement between mentions: gender, number, person, and names of persons.

Words are looked up in a lexicon: pronouns, titles, given names, and nouns whose gender
is part of their meaning. Words that no list contains agree with every gender and
number.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_array

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from cistell.neural.tokenization import TokenizedText

    Floats = NDArray[np.float32]
    Ints = NDArray[np.int64]

GENDERS = ("", "masculine", "feminine", "neuter")
NUMBERS = ("", "singular", "plural")
KINDS = ("pronoun", "name", "definite", "indefinite", "other")

_DEFINITE = {"the", "this", "that", "these", "those"}
_POSSESSIVE = {"my", "your", "his", "her", "its", "our", "their"}
_INDEFINITE = {"a", "an", "some", "any", "no", "every", "each", "another"}
_SINGULAR = {"a", "an", "this", "that", "each", "every", "another"}
_PLURAL = {"these", "those", "many", "several", "few", "both", "two", "three", "four"}
_GROUP = {"and", "or", "&"}
# Titles of women and men, words inside names, and words after them.
_TITLES = {"captain", "doctor", "dr", "judge", "president", "prof", "professor", "rev"}
_JOINERS = {".", "-", "'", "\N{RIGHT SINGLE QUOTATION MARK}", "de", "la", "van", "von"}
_SUFFIXES = {"jr", "sr", "ii", "iii"}
# A woman does not have both.
_MARRIED_TITLES = {"miss", "mrs"}


@dataclass(frozen=True, slots=True)
class AgreementLexicon:
    """Word lists of a language.

    Attributes:
        pronouns: gender, number and person of each pronoun.
        titles: the gender of each title.
        names: the gender of each given name.
        nouns: the gender of nouns, in the singular.
        plurals: words that are plural without an ending.
    """

    pronouns: Mapping[str, tuple[str, str, str]]
    titles: Mapping[str, str]
    names: Mapping[str, str]
    nouns: Mapping[str, str]
    plurals: frozenset[str]

    @classmethod
    def from_dict(cls, lists: Mapping[str, Any]) -> AgreementLexicon:
        """Parse the lists of a TOML file, in which words are separated by blanks."""

        def invert(table: Mapping[str, str]) -> dict[str, str]:
            return {word: value for value, row in table.items() for word in row.split()}

        pronouns = {}
        for form, values in invert(lists["pronouns"]).items():
            gender, number, person = values.replace("-", "").split(" ")
            pronouns[form] = gender, number, person
        return cls(
            pronouns,
            invert(lists["titles"]),
            invert(lists["names"]),
            invert(lists["nouns"]),
            frozenset(lists["plurals"].split()),
        )


@dataclass(slots=True)
class Traits:
    """Attributes of a mention, or the combined attributes of the mentions of an entity.

    Attributes:
        kind: one of `KINDS`.
        gender: one of `GENDERS`.
        number: one of `NUMBERS`.
        person: 1, 2 or 3 for pronouns, otherwise 0.
        is_certain: whether the number is from a word list, not from the form of a word.
        given_names: given names of a person.
        family_names: family names of a person.
        titles: titles of a person.
        words: the words of the mention, without determiners.
        head: the head word.
    """

    kind: str = "other"
    gender: str = ""
    number: str = ""
    person: int = 0
    is_certain: bool = False
    given_names: frozenset[str] = frozenset()
    family_names: frozenset[str] = frozenset()
    titles: frozenset[str] = frozenset()
    words: tuple[str, ...] = ()
    head: str = ""

    def agrees_with(self, other: Traits) -> bool:
        """Return whether no attribute prevents that the two corefer.

        >>> helen = Traits(gender="feminine", given_names=frozenset({"helen"}))
        >>> mrs_marsh = Traits(gender="feminine", family_names=frozenset({"marsh"}))
        >>> helen.agrees_with(mrs_marsh), helen.agrees_with(Traits(gender="feminine"))
        (False, True)
        """
        if self.gender and other.gender and self.gender != other.gender:
            return False
        if self.is_certain and other.is_certain and self.number != other.number:
            return False
        names, other_names = (
            self.given_names | self.family_names,
            other.given_names | other.family_names,
        )
        if not names or not other_names:
            return True
        if self.titles | other.titles >= _MARRIED_TITLES:
            return False
        # The given name of one, such as "Wayne", may be the family name of the other.
        return _share_name(names, other_names) and all(
            _share_name(part, other_names) or _share_name(other_part, names)
            for part, other_part in (
                (self.given_names, other.given_names),
                (self.family_names, other.family_names),
            )
            if part and other_part
        )

    def absorb(self, other: Traits) -> None:
        """Combine with the attributes of another mention of the same entity."""
        self.gender = self.gender or other.gender
        if not self.is_certain:
            self.number, self.is_certain = other.number, other.is_certain
        self.given_names |= other.given_names
        self.family_names |= other.family_names
        self.titles |= other.titles


def _share_name(names: frozenset[str], others: frozenset[str]) -> bool:
    """Return whether the sets share a name, perhaps shortened, as "Tom" for "Tommy"."""
    if names & others:
        return True
    pairs = ((a, b) for a in names for b in others if min(len(a), len(b)) < 5)
    return any(a[:3] == b[:3] for a, b in pairs)


def describe_mention(
    text: TokenizedText, start: int, end: int, head: int, lexicon: AgreementLexicon
) -> Traits:
    """Compute the attributes of the mention from a first to a last word."""
    surfaces = [text.text[text.starts[i] : text.ends[i]] for i in range(start, end + 1)]
    words = [surface.lower() for surface in surfaces]
    if len(words) == 1 and words[0] in lexicon.pronouns:
        gender, number, person = lexicon.pronouns[words[0]]
        traits = Traits("pronoun", gender, number, int(person), bool(number))
        traits.words, traits.head = (words[0],), words[0]
        return traits
    first, noun, surface = words[0], words[head - start], surfaces[head - start]
    determiners = _DEFINITE | _POSSESSIVE | _INDEFINITE
    content = tuple(w for w in words if w not in determiners and w.isalnum())
    traits = Traits(words=content or tuple(words), head=noun)
    if first in _DEFINITE or first in _POSSESSIVE:
        traits.kind = "definite"
    elif first in _INDEFINITE:
        traits.kind = "indefinite"
    elif surface[:1].isupper():
        traits.kind = "name"
    if first in lexicon.pronouns and first not in determiners:
        # As in "you two": the noun does not show who they are.
        return traits
    if _GROUP.isdisjoint(words):
        # The head of a group does not show the gender and number of all its members.
        _describe_noun(traits, noun, lexicon)
        if not traits.gender:
            name = head - start
            # The name may follow the head, as in "her friend Ann".
            if " ".join(words[name + 1 : name + 2]) in lexicon.names:
                name += not surface[:1].isupper()
            if surfaces[name][:1].isupper():
                _describe_name(traits, surfaces, name, lexicon)
        if not traits.number:
            traits.number = _guess_number(first, noun, lexicon)
    return traits


def _describe_noun(traits: Traits, noun: str, lexicon: AgreementLexicon) -> None:
    """Set the attributes of a noun, looked up as it is and in the singular."""
    forms = {noun: "singular", noun.removesuffix("s"): "plural"}
    if noun.endswith("men"):
        forms[f"{noun[:-3]}man"] = "plural"
    for form, number in forms.items():
        if form in lexicon.nouns:
            traits.gender = lexicon.nouns[form]
            # A group, such as a team, may be "they".
            if traits.gender != "neuter":
                traits.number = "singular" if form == noun else number
                traits.is_certain = True
            break


def _guess_number(first: str, noun: str, lexicon: AgreementLexicon) -> str:
    if first in _SINGULAR:
        return "singular"
    if first in _PLURAL or noun in lexicon.plurals:
        return "plural"
    if noun.endswith("s") and not noun.endswith(("ss", "us", "is")):
        return "plural"
    return "singular" if noun.isalpha() else ""


def _describe_name(
    traits: Traits, surfaces: Sequence[str], head: int, lexicon: AgreementLexicon
) -> None:
    """Parse a name around its head: titles, given name and family name."""
    start = end = head
    while start and _is_in_name(surfaces[start - 1]):
        start -= 1
    while end + 1 < len(surfaces) and _is_in_name(surfaces[end + 1]):
        end += 1
    parts = [s.lower() for s in surfaces[start : end + 1] if s[:1].isupper()]
    parts = [part for part in parts if part not in _SUFFIXES]
    while parts and (parts[0] in lexicon.titles or parts[0] in _TITLES):
        traits.titles |= {parts[0]}
        traits.gender = traits.gender or lexicon.titles.get(parts[0], "")
        parts = parts[1:]
    given_name = next((part for part in parts[:2] if part in lexicon.names), None)
    if traits.titles and len(parts) == 1:
        traits.family_names = frozenset(parts)
    elif given_name is not None:
        traits.gender = traits.gender or lexicon.names[given_name]
        traits.given_names = frozenset({given_name})
        traits.family_names = frozenset(parts[-1:]) - traits.given_names
    if traits.given_names or traits.titles:
        traits.number, traits.is_certain = "singular", True


def _is_in_name(surface: str) -> bool:
    return surface[:1].isupper() or surface in _JOINERS


_FLAGS = (
    *("same gender", "different gender", "same number", "different number"),
    *("same person", "different person", "same quotation", "different quotations"),
    *("only the anaphor is quoted", "only the antecedent is quoted"),
    *("same paragraph", "nested", "same words", "same head", "one shared word"),
    *("more shared words", "words of the anaphor shared", "of the antecedent shared"),
)
_WORD_BUCKETS, _MENTION_BUCKETS, _SENTENCE_BUCKETS = 12, 9, 4
# Columns of `compare_pairs`: flags, kinds of both, and distances.
PAIR_FEATURES = (
    len(_FLAGS) + 2 * len(KINDS) + _WORD_BUCKETS + _MENTION_BUCKETS + _SENTENCE_BUCKETS
)


_QUOTATION = 4  # the row of `PairTable.columns`


class PairTable:
    """Mentions of a text, encoded as arrays so that pairs are compared in blocks.

    Args:
        text: the text.
        spans: first and last word of each mention, in text order.
        heads: the head word of each mention.
        lexicon: the word lists.
        traits: a cache of the attributes of mentions, by span and head.
    """

    def __init__(
        self,
        text: TokenizedText,
        spans: Ints,
        heads: Ints,
        lexicon: AgreementLexicon,
        traits: dict[tuple[int, ...], Traits] | None = None,
    ) -> None:
        cache = {} if traits is None else traits
        self.traits: list[Traits] = []
        for (start, end), head in zip(spans.tolist(), heads.tolist(), strict=True):
            key = start, end, head
            if key not in cache:
                cache[key] = describe_mention(text, *key, lexicon)
            self.traits.append(cache[key])
        numbers: dict[object, int] = {}

        def number(values: Iterable[object]) -> Ints:
            rows = [numbers.setdefault(value, len(numbers)) for value in values]
            return np.array(rows, np.int64)

        first = spans[:, 0]
        quotations = find_quotations(text)
        # The speaker of each quotation, as the number of a mention.
        self.speakers = find_speakers(text, spans, quotations)
        self._strings = number(t.words for t in self.traits)
        content = [
            sorted({*t.words}) if t.kind != "pronoun" else () for t in self.traits
        ]
        sizes = np.array([len(row) for row in content], np.int64)
        # Attributes of each mention, encoded as integers as `compare_columns` requires.
        self.columns = np.stack(
            [
                *(np.array(values, np.int64) for values in self._list_codes()),
                quotations[first],
                text.paragraphs[first],
                text.sentences[first],
                first,
                spans[:, 1],
                np.arange(len(spans)),
                self._strings,
                number((t.head,) for t in self.traits),
                sizes,
            ]
        )
        # A sparse matrix of mentions and the distinct words that they contain.
        words = number(word for row in content for word in row)
        bounds = np.cumsum(np.append(0, sizes))
        ones = np.ones(len(words), np.float32)
        shape = len(spans), max(len(numbers), 1)
        self.content = csr_array((ones, words, bounds), shape=shape)
        # The index of the latest mention outside the window, by its words.
        self._latest: dict[int, int] = {}
        self._reached = 0

    def _list_codes(self) -> Iterator[list[int]]:
        traits = self.traits
        yield [GENDERS.index(t.gender) for t in traits]
        yield [NUMBERS.index(t.number) for t in traits]
        yield [t.person for t in traits]
        yield [KINDS.index(t.kind) for t in traits]

    def get_quotation(self, mention: int) -> int:
        """Return the index of the quotation that contains a mention; 0 outside."""
        return int(self.columns[_QUOTATION, mention])

    def is_voice(self, mention: int) -> bool:
        """Return whether a mention is "I" or "you" in a quotation."""
        traits = self.traits[mention]
        return (
            self.get_quotation(mention) > 0
            and traits.person in (1, 2)
            and traits.number != "plural"
        )

    def list_candidates(self, rows: Ints, reach: int) -> Ints:
        """Return candidate antecedents of a block of mentions, in text order.

        They are the mentions of the block, those at most `reach` before it, and for
        each the latest earlier mention with the same words. Blocks must be
        processed in text order.
        """
        near = max(0, int(rows[0]) - reach)
        for i in range(self._reached, near):
            if self.traits[i].kind != "pronoun":
                self._latest[int(self._strings[i])] = i
        self._reached = near
        strings = self._strings[rows].tolist()
        far = {self._latest[string] for string in strings if string in self._latest}
        return np.array([*sorted(far), *range(near, int(rows[-1]) + 1)], np.int64)

    def compare_pairs(self, rows: Ints, columns: Ints) -> Floats:
        """Compute the features of all pairs of mentions and candidates."""
        shared = (self.content[rows] @ self.content[columns].T).toarray()
        flags, categories = compare_columns(
            self.columns[:, rows], self.columns[:, columns], shared
        )
        units = [np.eye(size, dtype=np.float32)[values] for values, size in categories]
        stacked = np.stack(flags, axis=-1).astype(np.float32)
        return np.concatenate([stacked, *units], axis=-1)


def compare_columns(
    rows: Any, columns: Any, shared: Any
) -> tuple[list[Any], list[tuple[Any, int]]]:
    """Compare the columns of anaphors with those of candidates.

    The arguments are arrays of NumPy or tensors of PyTorch: `PairTable.columns` of
    both, and the number of words that each pair shares.

    Returns:
        Matrices of flags; matrices of category indices, with the number of categories.
    """
    pairs = [
        (row[:, None], column[None, :])
        for row, column in zip(rows, columns, strict=True)
    ]
    *traits, kinds, quotations, paragraphs, sentences, starts, ends = pairs[:9]
    mentions, strings, heads, sizes = pairs[9:]
    flags = []
    for row, column in traits:
        are_known = (row > 0) & (column > 0)
        flags += [are_known & (row == column), are_known & (row != column)]
    row, column = quotations
    flags += [
        (row > 0) & (row == column),
        (row > 0) & (column > 0) & (row != column),
        (row > 0) & (column == 0),
        (row == 0) & (column > 0),
        paragraphs[0] == paragraphs[1],
        starts[0] <= ends[1],
        strings[0] == strings[1],
        heads[0] == heads[1],
        shared == 1,
        shared > 1,
        *((shared == size) & (size > 0) for size in sizes),
    ]
    everywhere = 0 * (kinds[0] + kinds[1])
    categories = [
        (kinds[0] + everywhere, len(KINDS)),
        (kinds[1] + everywhere, len(KINDS)),
        (_count_digits(starts[0] - starts[1], _WORD_BUCKETS), _WORD_BUCKETS),
        (_count_digits(mentions[0] - mentions[1], _MENTION_BUCKETS), _MENTION_BUCKETS),
        ((sentences[0] - sentences[1]).clip(0, 3), _SENTENCE_BUCKETS),
    ]
    return flags, categories


def _count_digits(distances: Any, buckets: int) -> Any:
    """Return the number of binary digits of distances, 0 for negative ones."""
    return sum((distances >= 1 << digit) * 1 for digit in range(buckets - 1))


def find_quotations(text: TokenizedText) -> Ints:
    """Return the index of the quotation that contains each word; 0 outside."""
    quotations = np.zeros(len(text), np.int64)
    number, closing = 0, ""
    paragraphs = np.diff(text.paragraphs, prepend=0).tolist()
    for i, (word, is_new) in enumerate(zip(text.words, paragraphs, strict=True)):
        if is_new:
            closing = ""
        if closing:
            quotations[i] = number
            if word == closing:
                closing = ""
        elif word in _QUOTES:
            closing = _QUOTES[word]
            number += 1
            quotations[i] = number
    return quotations


# Verbs of saying, whose subjects next to a quotation are its speakers.
_SAYING = {
    *("said", "says", "say", "asked", "asks", "told", "tells", "answered", "replied"),
    *("added", "cried", "shouted", "whispered", "explained", "called", "exclaimed"),
    *("began", "continued", "repeated", "muttered", "murmured", "yelled", "insisted"),
    *("observed", "remarked", "responded", "returned", "suggested", "thought"),
}


def find_speakers(text: TokenizedText, spans: Ints, quotations: Ints) -> dict[int, int]:
    """Return the mention that is the speaker of each quotation, if one is found.

    The speaker is next to a verb of saying: '"Go," said Ann', '"Go," she said' or
    'Ann said to him: "Go"'.
    """
    words, count = text.words, len(text)
    # The longest mention that starts or ends at each word.
    starting = {start: i for i, (start, _) in reversed([*enumerate(spans.tolist())])}
    ending: dict[int, int] = {}
    for i, (start, end) in enumerate(spans.tolist()):
        if not quotations[start]:
            ending.setdefault(end, i)
    speakers: dict[int, int] = {}
    # The speaker of the quotation before, which may go on in the same paragraph.
    paragraph, latest = -1, -1
    edges = np.flatnonzero(np.diff(quotations, prepend=0, append=0)).tolist()
    for first, stop in pairwise(edges):
        number = int(quotations[first])
        if not number:
            continue
        speaker = starting.get(stop)
        if stop < count and words[stop] in _SAYING:
            speaker = starting.get(stop + 1)
        elif speaker is not None:
            after = int(spans[speaker, 1]) + 1
            speaker = speaker if after < count and words[after] in _SAYING else None
        if speaker is None:
            speaker = ending.get(_find_verb_before(text, quotations, first) - 1)
        is_near = speaker is None or (
            text.paragraphs[spans[speaker, 0]] == text.paragraphs[first]
        )
        if (speaker is None or not is_near) and text.paragraphs[first] == paragraph:
            speaker, is_near = latest, True
        if speaker is not None and is_near:
            speakers[number] = speaker
            paragraph, latest = int(text.paragraphs[first]), speaker
    return speakers


def _find_verb_before(text: TokenizedText, quotations: Ints, word: int) -> int:
    """Return the verb of saying before a quotation in its sentence, or -1."""
    for verb in range(word - 1, max(word - 8, 0), -1):
        if text.words[verb] in ".!?" or quotations[verb]:
            break
        if text.words[verb] in _SAYING:
            return verb
    return -1


_QUOTES = {'"': '"', "“": "”", "«": "»", "„": "“"}
