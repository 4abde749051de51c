"""Checks of mentions that one side alone has, or has twice."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from corefkit.analysis.doctor.case import Suspicion
from corefkit.analysis.doctor.spans import (
    bounds,
    mention_count,
    mentions_of,
    with_mentions,
)
from corefkit.analysis.doctor.wording import counted
from corefkit.exceptions import quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from corefkit.analysis.doctor.case import Case
    from corefkit.model import Document, Mention

_SIDES = ("key", "response")
_LEAST = 3  # mentions that are worth a word
_SHARE = 0.05  # of mentions, that are worth a word
_HARDLY = 0.1  # of the other side's share: it hardly has any
_FEW, _MANY = 0.5, 2.0  # times the key's mentions, from which on numbers are told


def without_mentions(case: Case) -> Iterator[Suspicion]:
    """A side that has no mention at all."""
    for side, documents in enumerate((case.key, case.response)):
        if case.errors[side] is None and not sum(map(mention_count, documents)):
            other = sum(map(mention_count, case.response if side == 0 else case.key))
            yield Suspicion(
                f"the {_SIDES[side]} has no mention in its "
                f"{counted(len(documents), 'document')}",
                "is this the file with the annotation, or with the text alone?",
                other,
                is_certain=True,
            )


def other_number(case: Case) -> Iterator[Suspicion]:
    """A response with far fewer mentions than the key, or far more."""
    ours, theirs = case.mentions
    if not _is_far(ours, theirs):
        return
    single_ones = _on_sides(case, _singletons)
    if not _is_far(ours - single_ones[0], theirs - single_ones[1]):
        return  # singletons make the difference, and `singletons` says so
    single = sum(
        start == end for pair in case.pairs for start, end in bounds(pair.response)
    )
    words = ", all of one word" if single == theirs else ""
    fewer = theirs < ours
    limit = min(1.0, theirs / ours if fewer else ours / theirs)
    yield Suspicion(
        f"the response has {counted(theirs, 'mention')}{words}, and the key has "
        f"{ours:,}: {'recall' if fewer else 'precision'} of mentions cannot be above "
        f"{100 * limit:.1f}",
        "is this all of the output? `corefkit errors` shows what is missing"
        if fewer
        else "are these mentions that stand in an entity, or all candidates?",
        abs(ours - theirs),
        is_certain=True,
    )


def _is_far(ours: int, theirs: int) -> bool:
    return bool(ours and theirs) and not _FEW <= theirs / ours <= _MANY


def singletons(case: Case) -> Iterator[Suspicion]:
    """Entities of one mention that one side has, and the other hardly any."""
    many = _on_sides(case, _singletons)
    for side, what in _one_sided(case, many):
        alone = many[side] == case.mentions[side]  # without any link: `links` says so
        if _SIDES[side] in case.settings.without_singletons or alone:
            continue
        yield Suspicion(
            f"the {what[0]} has {counted(many[side], 'singleton')}, entities of one "
            f"mention, and the {what[1]} has {many[1 - side]:,}",
            "`--singletons drop` scores without them on both sides",
            many[side],
            case.with_settings(singletons="drop"),
        )


def _on_sides(case: Case, count: Callable[[Document], int]) -> tuple[int, int]:
    return (
        sum(count(pair.key) for pair in case.pairs),
        sum(count(pair.response) for pair in case.pairs),
    )


def _one_sided(
    case: Case, many: tuple[int, int]
) -> Iterator[tuple[int, tuple[str, str]]]:
    """Find the side that has mentions of a kind of which the other has hardly any."""
    if not all(case.mentions):
        return
    shares = [number / whole for number, whole in zip(many, case.mentions, strict=True)]
    for side in (0, 1):
        enough = many[side] >= _LEAST and shares[side] >= _SHARE
        if enough and shares[1 - side] <= _HARDLY * shares[side]:
            yield side, (_SIDES[side], _SIDES[1 - side])


def _singletons(document: Document) -> int:
    return sum(len(set(entity.mentions)) == 1 for entity in document.entities)


def zeros(case: Case) -> Iterator[Suspicion]:
    """Mentions of empty nodes that one side alone has."""
    if case.settings.drops_zeros:
        return
    many = _on_sides(case, _zeros)
    for side in (0, 1):
        if many[side] and not many[1 - side] and case.mentions[1 - side]:
            yield Suspicion(
                f"the {_SIDES[side]} has {counted(many[side], 'zero')}, mentions of "
                f"words that are not said, and the {_SIDES[1 - side]} has none",
                "`--zeros drop` scores without them",
                many[side],
                case.with_settings(zeros="drop"),
            )


def _zeros(document: Document) -> int:
    return sum(end < start for start, end in bounds(document))


def repeated(case: Case) -> Iterator[Suspicion]:
    """Mentions that a side has more than once."""
    now = _REPEATED[case.settings.repeated]
    mended = case.with_settings(repeated=now.other)
    for side, documents in enumerate((case.key, case.response)):
        copies = [(one, mention) for one in documents for mention in _copies(one)]
        if not copies:
            continue
        document, mention = copies[0]
        words = document.text(mention) if document.sentences else str((*mention,))
        fix = f"`corefkit validate {case.names[side]}` lists them"
        if mended.scores is not None:
            fix += f"; `--repeated {now.other}` {_REPEATED[now.other].does}"
        yield Suspicion(
            f"the {_SIDES[side]} has {counted(len(copies), 'mention')} twice or in two "
            f"entities, such as {quoted(words)} in {quoted(document.id)}; {now.text}",
            fix,
            len(copies),
            mended,
            is_certain=True,
        )


class _Repeated(NamedTuple):
    """A way to treat repeated mentions, in words, and the one to compare it with."""

    text: str
    does: str
    other: str


_REPEATED = {
    "first": _Repeated(
        "the first of each counts", "counts the first of each", "reference"
    ),
    "reference": _Repeated(
        "they are counted as the reference scorer does",
        "counts them as the reference scorer does",
        "first",
    ),
    "error": _Repeated("this is refused", "refuses them", "first"),
}


def _copies(document: Document) -> Iterator[Mention]:
    seen: set[tuple[object, ...]] = set()
    for mention in mentions_of(document):
        span = mention.start, mention.end, mention.gaps
        if span in seen:
            yield mention
        seen.add(span)


def nested(case: Case) -> Iterator[Suspicion]:
    """Mentions inside others that one side has, and the other hardly any."""
    many = _on_sides(case, lambda document: len(_inner(document)))
    for side, what in _one_sided(case, many):
        yield Suspicion(
            f"the {what[0]} has {counted(many[side], 'mention')} inside another, and "
            f"the {what[1]} has {many[1 - side]:,}: does it keep the longest alone?",
            f"keep nested mentions in the {what[1]}; scores after are without those of "
            f"the {what[0]}",
            many[side],
            case.with_side(side, map(_outermost, case.side(side))),
        )


def _inner(document: Document) -> set[Mention]:
    """Find the mentions that lie inside another one."""
    found: set[Mention] = set()
    furthest = -1
    spans = sorted(set(mentions_of(document)), key=lambda one: (one.start, -one.end))
    for mention in spans:
        if mention.end <= furthest:
            found.add(mention)
        furthest = max(furthest, mention.end)
    return found


def _outermost(document: Document) -> Document:
    inner = _inner(document)
    return with_mentions(document, lambda one: None if one in inner else one)
