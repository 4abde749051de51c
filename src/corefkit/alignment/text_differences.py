"""What differs in two texts of a document: found, and said in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.exceptions import PairingError, quoted
from corefkit.formats.source import Word

if TYPE_CHECKING:
    from collections.abc import Sequence

_CONTEXT = 4  # words that must agree again behind a difference
_FARTHEST = 400  # words that are looked ahead for that

_HINT = (
    "key and response must hold the same tokens; was the text tokenised anew? then "
    "`--tokens characters` compares mentions by characters"
)


def has_words(words: Sequence[Word]) -> bool:
    """Say whether the words are known, and not only how many there are."""
    return any(word.text for word in words)


def solid(word: Word) -> str:
    """Return the characters of a word, blanks aside."""
    return "".join(word.text.split())


def refuse_other_characters(
    document: str, wanted: Sequence[Word], found: Sequence[Word]
) -> None:
    """Refuse other characters, blanks aside, at the first word that has them."""
    ours, theirs = ("".join(map(solid, words)) for words in (wanted, found))
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
        at -= len(solid(word))
        if at < 0:
            return word
    return None


def refuse_other_words(
    document: str,
    wanted: Sequence[Word],
    found: Sequence[Word],
    *,
    places: tuple[str, str],
) -> None:
    """Refuse the first word that differs; do nothing where all is well after all.

    A word with a blank inside, as JSON may have it, is cut there in columns of text.

    Args:
        document: the document, as messages call it.
        wanted: the key's words.
        found: the response's words.
        places: where the document begins in key and response.
    """
    pairs = zip(wanted, found, strict=False)
    differing = (row for row, pair in enumerate(pairs) if not _same(*pair))
    at = next(differing, min(len(wanted), len(found)))
    if at == len(wanted) == len(found):
        return
    expected_at, place = places
    if found:
        place = found[min(at, len(found) - 1)].place
    if not has_words(wanted) or not has_words(found):
        message = _token_counts(document, wanted, found, expected_at)
        raise PairingError(message, place=place, hint=_HINT)
    message = _difference(document, wanted, found, at)
    raise PairingError(message, place=place, hint=_HINT)


def _token_counts(
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
