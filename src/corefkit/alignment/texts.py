"""The texts of paired documents compared: no score of something else.

Texts are compared by fingerprints first; only where these differ are words looked at,
to say what is wrong and where. Running text (SGML, brat, APF) has no tokens of its own:
beside another tokenisation of the same characters, mentions are compared by characters.
So are those of any two tokenisations, where the setting `tokens` allows it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefkit.exceptions import PairingError, quoted
from corefkit.formats.source import Word

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from corefkit.columns import Columns, Details, Ints
    from corefkit.formats.source import Source
    from corefkit.settings import Settings

_CONTEXT = 4  # words that must agree again behind a difference
_FARTHEST = 400  # words that are looked ahead for that

_HINT = (
    "key and response must hold the same tokens; was the text tokenised anew? then "
    "`--tokens characters` compares mentions by characters"
)


class Read(NamedTuple):
    """A source, the numbers of some of its documents, and their columns."""

    source: Source
    numbers: Sequence[int | None]  # None: it lacks the document
    columns: Columns


@dataclass(frozen=True, slots=True)
class Characters:
    """The characters of the tokens of one document, blanks not counted."""

    document: int
    start: Ints
    end: Ints  # the last one

    def moved(self, columns: Columns) -> Columns:
        """Let the mentions of the document point to characters in place of tokens."""
        here = columns.document == self.document
        start, end = columns.start.copy(), columns.end.copy()
        start[here], end[here] = self.start[start[here]], self.end[end[here]]
        details = columns.details and self._details(columns.details, here)
        return replace(columns, start=start, end=end, details=details)

    def _details(self, details: Details, here: np.ndarray) -> Details:
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


class Comparison(NamedTuple):
    """What came of comparing texts.

    Attributes:
        notes: what a user should know, by its kind; the first document tells.
        moves: for documents that are compared by characters, those of key and response.
    """

    notes: dict[str, str]
    moves: list[tuple[Characters, Characters]]


def compare_texts(key: Read, response: Read, settings: Settings) -> Comparison:
    """Compare the texts of paired documents; refuse the first that differ.

    Words are compared where both sides have them, and numbers of tokens where both are
    known. The reference scorer compares neither: read its way, a difference is noted.
    What comes out for a document does not depend on the others.
    """
    notes: dict[str, str] = {}
    moves: list[tuple[Characters, Characters]] = []
    for row in _different(key.columns, response.columns):
        one, other = key.numbers[row] or 0, response.numbers[row] or 0
        wanted = list(key.source.words(one))
        found = list(response.source.words(other))
        running = key.source.is_running(one) or response.source.is_running(other)
        allowed = running or settings.by_characters
        worded = _has_words(wanted) and _has_words(found)
        if allowed and worded and not _has_empties(row, key, response):
            _check_characters(quoted(key.source.ids[one]), wanted, found)
            moves.append((_characters(row, wanted), _characters(row, found)))
            note = "its text has other tokens than the key: mentions are compared by"
            place = response.source.place(other)
            notes.setdefault("characters", f"{place}: {note} characters")
        elif settings.reads_as_reference:
            note = f"not the tokens of {key.source.place(one)}, which this preset"
            place = response.source.place(other)
            notes.setdefault("tokens", f"{place}: {note} allows")
        else:
            _check(key.source, one, response.source, other, wanted, found)
    return Comparison(notes, moves)


def effective_settings(settings: Settings, notes: Collection[str]) -> Settings:
    """Give the settings that scores came from, by the kinds of notes on the texts.

    Where running text was compared by characters, the setting `tokens` that asks for it
    would have given the same.

    >>> from corefkit.settings import Settings
    >>> effective_settings(Settings(), ["characters"]).tokens
    'characters'
    """
    if "characters" not in notes:
        return settings
    return replace(settings, tokens="characters")


def _different(key: Columns, response: Columns) -> list[int]:
    known = (key.tokens >= 0) & (response.tokens >= 0)
    worded = known & (key.fingerprint != 0) & (response.fingerprint != 0)
    other = known & (key.tokens != response.tokens)
    other |= worded & (key.fingerprint != response.fingerprint)
    return np.flatnonzero(other).tolist()


def _has_empties(row: int, *sides: Read) -> bool:
    """Say whether a side has empty nodes in a document."""
    details = [side.columns.details for side in sides]
    nodes = [one.empties for one in details if one is not None]
    return any(one is not None and bool((one.document == row).any()) for one in nodes)


def _has_words(words: Sequence[Word]) -> bool:
    return any(word.text for word in words)


def _check_characters(
    document: str, wanted: Sequence[Word], found: Sequence[Word]
) -> None:
    """Refuse other characters, blanks aside, at the first word that has them."""
    ours, theirs = ("".join(map(_solid, words)) for words in (wanted, found))
    if ours == theirs:
        return
    pairs = zip(ours, theirs, strict=False)
    differing = (row for row, (one, other) in enumerate(pairs) if one != other)
    at = next(differing, min(len(ours), len(theirs)))
    one, other = _word_at(wanted, at), _word_at(found, at)
    place = (other or one or Word("", "")).place
    if other is None and found:
        place = found[-1].place
    has, wants = (
        "nothing more" if word is None else repr(word.text) for word in (other, one)
    )
    seen = "" if one is None else f" as in {one.place}"
    message = f"the text of document {document} has {has}, expected {wants}{seen}"
    raise PairingError(message, place=place, hint=_HINT)


def _word_at(words: Sequence[Word], at: int) -> Word | None:
    """Find the word that has a character, blanks not counted."""
    for word in words:
        at -= len(_solid(word))
        if at < 0:
            return word
    return None


def _solid(word: Word) -> str:
    return "".join(word.text.split())


def _characters(document: int, words: Sequence[Word]) -> Characters:
    lengths = [len(_solid(word)) for word in words]
    ends = np.array(list(accumulate(lengths)), np.int64)
    return Characters(document, ends - np.array(lengths, np.int64), ends - 1)


def _check(
    key: Source,
    key_number: int,
    response: Source,
    response_number: int,
    wanted: Sequence[Word],
    found: Sequence[Word],
) -> None:
    """Find out what differs first, and refuse it; nothing where all is well after all.

    A word with a blank inside, as JSON may have it, is cut there in columns of text.
    """
    document = quoted(key.ids[key_number])
    pairs = zip(wanted, found, strict=False)
    differing = (row for row, pair in enumerate(pairs) if not _same(*pair))
    at = next(differing, min(len(wanted), len(found)))
    if at == len(wanted) == len(found):
        return
    place = response.place(response_number)
    if found:
        place = found[min(at, len(found) - 1)].place
    if not _has_words(wanted) or not _has_words(found):
        message = _numbers(document, wanted, found, key.place(key_number))
        raise PairingError(message, place=place, hint=_HINT)
    message = _difference(document, wanted, found, at)
    raise PairingError(message, place=place, hint=_HINT)


def _numbers(
    document: str, wanted: Sequence[Word], found: Sequence[Word], place: str
) -> str:
    return (
        f"document {document} has {len(found)} tokens, expected {len(wanted)} as in "
        f"{place}"
    )


def _difference(
    document: str, wanted: Sequence[Word], found: Sequence[Word], at: int
) -> str:
    in_both = at < min(len(wanted), len(found))
    changed = in_both and _agree(wanted, found, at + 1, at + 1)
    missing = _lookahead(found, wanted, at)
    added = _lookahead(wanted, found, at)
    if missing and not changed and (not added or missing <= added):
        what = _stretch(wanted, at, missing)
        missing_here = f"{_verb(what)} missing here: see {wanted[at].place}"
        return f"{what} of document {document} {missing_here}"
    if added and not changed:
        what = _stretch(found, at, added)
        where = f"behind {wanted[-1].place}"
        if at < len(wanted):
            where = f"before {wanted[at].place}"
        too_many = f"{_verb(what)} too many: the key has none {where}"
        return f"{what} of document {document} {too_many}"
    return (
        f"token {at} of document {document} is {found[at].text!r}, expected "
        f"{wanted[at].text!r} as in {wanted[at].place}"
    )


def _lookahead(short: Sequence[Word], long: Sequence[Word], at: int) -> int:
    """Say how many words of the longer side the shorter one lacks; 0 if not so."""
    for step in range(1, min(_FARTHEST, len(long) - at) + 1):
        if _agree(short, long, at, at + step):
            return step
    return len(long) - at if at == len(short) else 0


def _agree(one: Sequence[Word], other: Sequence[Word], here: int, there: int) -> bool:
    """Say whether the next words are the same, to the end of both if that is near."""
    ours, theirs = one[here : here + _CONTEXT], other[there : there + _CONTEXT]
    return len(ours) == len(theirs) and all(map(_same, ours, theirs))


def _stretch(words: Sequence[Word], at: int, size: int) -> str:
    """Name words: a sentence where they are whole ones, else tokens."""
    first, last = words[at], words[at + size - 1]
    begins = at == 0 or words[at - 1].sentence != first.sentence
    ends = at + size == len(words) or words[at + size].sentence != last.sentence
    text = quoted(" ".join(word.text for word in words[at : at + min(size, 8)]))
    tokens = f"{size} token{'s' if size > 1 else ''}"
    if begins and ends and len({word.sentence for word in words}) > 1:
        many = last.sentence - first.sentence + 1
        if many == 1:
            return f"sentence {first.sentence + 1} ({text}, {tokens})"
        return f"{many} sentences ({text} and more, {tokens})"
    return f"token {at} ({text})" if size == 1 else f"{tokens} ({text})"


def _verb(what: str) -> str:
    return "are" if what[0].isdigit() else "is"


def _same(word: Word, other: Word) -> bool:
    if not word.text or not other.text or word.text == other.text:
        return True
    # Columns of text have no blanks in words: they are cut there, or underscores.
    ours, theirs = word.text.split(), other.text.split()
    return (
        other.text in ours[:1]
        or word.text in theirs[:1]
        or "_".join(ours) == "_".join(theirs)
    )
