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

from corefkit.exceptions import PairingError, quoted
from corefkit.formats.source import Word

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from corefkit.alignment.blocks import Block
    from corefkit.columns import Columns, Flags, Ints
    from corefkit.columns.details import Details
    from corefkit.formats.source import Source
    from corefkit.settings import Settings


_CONTEXT = 4  # words that must agree again behind a difference
_FARTHEST = 400  # words that are looked ahead for that

_HINT = (
    "key and response must hold the same tokens; was the text tokenised anew? then "
    "`--tokens characters` compares mentions by characters; `corefkit doctor` scores "
    "what would mend it"
)


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
    """What was done about a document whose tokens are not the same on both sides."""

    kind: str  # `characters`, by which mentions are compared, or `tokens`: allowed
    note: str
    characters: tuple[Characters, Characters] | None = None  # of key and response


def other_tokens(
    sources: tuple[Source, Source],
    blocks: tuple[Block, Block],
    *,
    rows: Iterable[int],
    settings: Settings,
) -> dict[int, OtherTokens]:
    """Compare the words of documents whose hashes differ; refuse the first that do.

    The reference scorer compares no words: read its way, a difference is noted. What
    comes out for a document does not depend on the others. Returned are those, by row,
    whose tokens differ and that can be scored all the same.
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
        worded = _has_words(words[0]) and _has_words(words[1])
        if allowed and worded and not _has_empties(row, ours.read, theirs.read):
            _refuse_other_characters(document, *words)
            note = "its text has other tokens than the key: mentions are compared by"
            characters = _characters(row, words[0]), _characters(row, words[1])
            found[row] = OtherTokens(
                "characters", f"{places[1]}: {note} characters", characters
            )
        elif settings.reads_as_reference:
            note = f"not the tokens of {places[0]}, which this preset allows"
            found[row] = OtherTokens("tokens", f"{places[1]}: {note}")
        else:
            _refuse_other_words(document, *words, places=places)
    return found


def _has_empties(row: int, *sides: Columns) -> bool:
    """Say whether a side has empty nodes in a document."""
    details = [side.details for side in sides if side.details is not None]
    nodes = [detail.empties for detail in details if detail.empties is not None]
    return any(bool((empties.document == row).any()) for empties in nodes)


def _characters(document: int, words: Sequence[Word]) -> Characters:
    lengths = [len(_solid(word)) for word in words]
    ends = np.array(list(accumulate(lengths)), np.int64)
    return Characters(document, ends - np.array(lengths, np.int64), ends - 1)


def _has_words(words: Sequence[Word]) -> bool:
    """Say whether the words are known, and not only how many there are."""
    return any(word.text for word in words)


def _solid(word: Word) -> str:
    """Return the characters of a word, blanks aside."""
    return "".join(word.text.split())


def _refuse_other_characters(
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


def _refuse_other_words(
    document: str,
    wanted: Sequence[Word],
    found: Sequence[Word],
    *,
    places: tuple[str, str],
) -> None:
    """Refuse the first word that differs; do nothing where all is well after all.

    A word with a blank inside, as JSON may have it, is cut there in columns of text.
    """
    pairs = zip(wanted, found, strict=False)
    differing = (row for row, pair in enumerate(pairs) if not _same(*pair))
    at = next(differing, min(len(wanted), len(found)))
    if at == len(wanted) == len(found):
        return
    expected_at, place = places
    if found:
        place = found[min(at, len(found) - 1)].place
    if _has_words(wanted) and _has_words(found):
        message = _difference(document, wanted, found, at)
    else:
        counts = f"{len(found)} tokens, expected {len(wanted)} as in {expected_at}"
        message = f"document {document} has {counts}"
    raise PairingError(message, place=place, hint=_HINT)


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
