"""Checks of words: other tokens, other spellings, another text."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING
from unicodedata import normalize

from corefkit.analysis.doctor.case import Suspicion
from corefkit.analysis.doctor.pieces import has_pieces
from corefkit.analysis.doctor.spans import (
    changed_document,
    mention_count,
    with_mentions,
)
from corefkit.analysis.doctor.versions import places
from corefkit.analysis.doctor.wording import counted, verb
from corefkit.exceptions import quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from corefkit.analysis.doctor.case import Case, Pair
    from corefkit.model import Document, Mention

_ALIKE = 0.5  # of words that are the same in two texts which differ by spelling
_NEARLY = 0.6  # how similar two versions of a text are


def other_tokens(case: Case) -> Iterator[Suspicion]:
    """Texts with the same characters, cut into other tokens."""
    if case.settings.by_characters:
        return
    differing = [pair for pair in _differing(case) if pair.same_characters]
    if not differing:
        return
    pair = differing[0]
    at = _first_difference(pair.key.words, pair.response.words)
    many = counted(len(differing), "document")
    yield Suspicion(
        f"{many} of the response: the same text in other tokens, such as "
        f"{quoted(pair.response.words[at])} where the key has "
        f"{quoted(pair.key.words[at])} in {quoted(pair.key.id)}",
        "`--tokens characters` compares mentions by their characters",
        sum(mention_count(pair.response) for pair in differing),
        case.with_settings(tokens="characters", reading="strict"),
        is_certain=True,
    )


def _differing(case: Case) -> list[Pair]:
    return [
        pair
        for pair in case.pairs
        if not pair.same_words and not (pair.is_running and pair.same_characters)
    ]


def _sides(pair: Pair) -> tuple[Document, Document]:
    return pair.key, pair.response


def _first_difference(ours: Sequence[str], theirs: Sequence[str]) -> int:
    """Find the first token that both have and that differs."""
    pairs = enumerate(zip(ours, theirs, strict=False))
    last = min(len(ours), len(theirs)) - 1
    return next((at for at, (one, other) in pairs if one != other), last)


def other_spelling(case: Case) -> Iterator[Suspicion]:
    """Texts with as many tokens, of which some are written otherwise."""
    changed: dict[int, Document] = {}
    many, shown = 0, ""
    pairs = [pair for pair in _differing(case) if _is_spelling(pair)]
    for pair in pairs:
        theirs = pair.response.words
        ours = _respelled(pair)
        many += sum(one != two for one, two in zip(ours, theirs, strict=True))
        at = _first_difference(ours, theirs)
        shown = shown or (
            f"{quoted(theirs[at])} for {quoted(ours[at])} in {quoted(pair.key.id)}"
        )
        number = case.number_of(pair.response)
        changed[number] = _with_words(pair.response, (ours,))
    if changed:
        yield Suspicion(
            f"{counted(many, 'word')} of the response {verb(many, 'is', 'are')} "
            f"written otherwise than in the key{_kind(pairs)}, such as {shown}",
            "copy the words of the key into the response",
            sum(map(mention_count, changed.values())),
            case.with_response(changed),
            is_certain=True,
        )


def _kind(pairs: Sequence[Pair]) -> str:
    """Say by what words differ, where it is the same in all texts."""
    for name, spelled in _SPELLINGS.items():
        if all(
            spelled("".join(pair.key.words)) == spelled("".join(pair.response.words))
            for pair in pairs
        ):
            return f", by {name} alone"
    return ""


def _plain_signs(text: str) -> str:
    """Write brackets and quotes in one way.

    >>> _plain_signs("-LRB-a''") == _plain_signs("(a”")
    True
    """
    for sign, ways in _SIGNS.items():
        for way in ways:
            text = text.replace(way, sign)
    return text


_SIGNS = {
    "(": ("-LRB-", "-lrb-"),
    ")": ("-RRB-", "-rrb-"),
    "[": ("-LSB-", "-lsb-"),
    "]": ("-RSB-", "-rsb-"),
    "{": ("-LCB-", "-lcb-"),
    "}": ("-RCB-", "-rcb-"),
    "'": ("\N{RIGHT SINGLE QUOTATION MARK}", "\N{LEFT SINGLE QUOTATION MARK}", "`"),
    '"': ("''", "“", "”", "«", "»"),
}
_SPELLINGS: Mapping[str, Callable[[str], str]] = {
    "the case of letters": str.casefold,
    "the form of Unicode (NFC or NFD)": partial(normalize, "NFC"),
    "brackets and quotes": _plain_signs,
}


def _is_spelling(pair: Pair) -> bool:
    """Say whether two texts have as many words, and most are the same."""
    if pair.same_characters or pair.response.empty or pair.key.empty:
        return False
    if _differ_by_case(pair):
        return True
    ours, theirs = pair.key.words, pair.response.words
    if len(ours) != len(theirs):
        return False
    other = sum(one != two for one, two in zip(ours, theirs, strict=True))
    return other <= (1 - _ALIKE) * len(ours)


def _differ_by_case(pair: Pair) -> bool:
    ours, theirs = ("".join(one.words) for one in _sides(pair))
    return len(ours) == len(theirs) and ours.casefold() == theirs.casefold()


def _respelled(pair: Pair) -> tuple[str, ...]:
    """Write the words of the response as the key does, however they are cut."""
    if not _differ_by_case(pair):
        return pair.key.words
    text = "".join(pair.key.words)
    ends = [0, *accumulate(map(len, pair.response.words))]
    return tuple(text[start:end] for start, end in pairwise(ends))


def _with_words(document: Document, sentences: tuple[tuple[str, ...], ...]) -> Document:
    return changed_document(document, sentences=sentences, layers={}, comments=())


def other_text(case: Case) -> Iterator[Suspicion]:
    """Texts that differ by more than tokens: another version, or another text."""
    versions: dict[int, Document] = {}
    others: list[Pair] = []
    missing = added = 0
    for pair in _differing(case):
        if pair.same_characters or _is_spelling(pair) or has_pieces(pair.response):
            continue
        ours, theirs = pair.key.words, pair.response.words
        place = _places(pair)
        if not place:
            others.append(pair)
            continue
        missing += len(ours) - len(place)
        added += len(theirs) - len(place)
        mended = with_mentions(pair.response, partial(_placed, place=place))
        versions[case.number_of(pair.response)] = _with_words(mended, (ours,))
    if versions:
        yield _version(case, versions, missing, added)
    if others:
        yield _another(case, others)


def _places(pair: Pair) -> dict[int, int]:
    """Find words of the response in the key's text; none where it is another text."""
    ours, theirs = pair.key.words, pair.response.words
    if pair.response.empty or pair.key.empty:
        return {}
    return places(ours, theirs, least=_NEARLY)


def _placed(mention: Mention, *, place: dict[int, int]) -> Mention | None:
    """Find the words of a mention in the key's text; None where one is not there."""
    start, end = place.get(mention.start), place.get(mention.end)
    if start is None or end is None or end < start or mention.gaps:
        return None
    return replace(mention, start=start, end=end, head=None, minimum=None)


def _version(
    case: Case, versions: dict[int, Document], missing: int, added: int
) -> Suspicion:
    first = case.response[min(versions)]
    return Suspicion(
        f"{counted(len(versions), 'document')} of the response, {quoted(first.id)} "
        f"first, {verb(len(versions), 'lacks', 'lack')} {counted(missing, 'word')} of "
        f"the key and {verb(len(versions), 'adds', 'add')} {added:,}",
        "run the system on the text of the key; was a sentence cut, or a line lost?",
        sum(mention_count(case.response[number]) for number in versions),
        case.with_response(versions),
        is_certain=True,
    )


def _another(case: Case, others: list[Pair]) -> Suspicion:
    mine = {id(document) for pair in others for document in _sides(pair)}
    rest = replace(
        case,
        key=tuple(one for one in case.key if id(one) not in mine),
        response=tuple(one for one in case.response if id(one) not in mine),
    )
    scored = "; scores after are of the other documents"
    return Suspicion(
        f"{counted(len(others), 'document')} of the response, "
        f"{quoted(others[0].response.id)} first, "
        f"{verb(len(others), 'has', 'have')} another text than in the key"
        f"{scored if rest.pairs else ''}",
        "is it the response to another corpus, or to another version of it?",
        sum(mention_count(pair.response) for pair in others),
        rest if rest.pairs else None,
        is_certain=True,
    )
