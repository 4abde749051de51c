"""Checks of mentions: those that one side alone has, and those that nearly match."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING

from corefkit.analysis.doctor.case import Suspicion
from corefkit.analysis.doctor.spans import (
    bounds,
    mention_count,
    mentions_of,
    with_mentions,
)
from corefkit.analysis.doctor.words import counted
from corefkit.exceptions import CorefkitError, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from corefkit.analysis.doctor.case import Case, Pair
    from corefkit.model import Document, Mention

_SIDES = ("key", "response")
_LEAST = 3  # mentions that are worth a word
_SHARE = 0.05  # of mentions, that are worth a word
_HARDLY = 0.1  # of the other side's share: it hardly has any
_HEADS_ONLY = 0.95  # of mentions with one word, in a response of heads


def without_mentions(case: Case) -> Iterator[Suspicion]:
    """A side that has no mention at all."""
    for side, documents in enumerate((case.key, case.response)):
        if not sum(map(mention_count, documents)):
            other = sum(map(mention_count, case.response if side == 0 else case.key))
            yield Suspicion(
                f"the {_SIDES[side]} has no mention in its "
                f"{counted(len(documents), 'document')}",
                f"look whether {case.names[side]} is the file with the annotation",
                other,
            )


def singletons(case: Case) -> Iterator[Suspicion]:
    """Entities of one mention that one side has, and the other hardly any."""
    many = _on_sides(case, _singletons)
    for side, what in _one_sided(case, many):
        if _SIDES[side] in case.settings.without_singletons:
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
    return sum(len(entity) == 1 for entity in document.entities)


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
    for side, documents in enumerate((case.key, case.response)):
        copies = [(one, mention) for one in documents for mention in _copies(one)]
        if not copies or case.settings.counts_copies or case.settings.refuses_copies:
            continue
        document, mention = copies[0]
        words = document.text(mention) if document.sentences else str((*mention,))
        yield Suspicion(
            f"the {_SIDES[side]} has {counted(len(copies), 'mention')} twice or in two "
            f"entities, such as {quoted(words)} in {quoted(document.id)}; "
            "the first of each counts",
            f"`corefkit validate {case.names[side]}` lists them; `--repeated reference`"
            " counts them as the reference scorer does",
            len(copies),
            case.with_settings(repeated="reference"),
            is_certain=True,
        )


def _copies(document: Document) -> Iterator[Mention]:
    seen: set[tuple[object, ...]] = set()
    for mention in mentions_of(document):
        span = mention.start, mention.end, mention.gaps
        if span in seen:
            yield mention
        seen.add(span)


def boundaries(case: Case) -> Iterator[Suspicion]:
    """Mentions that miss each other by their bounds alone."""
    # Where nothing meets, mentions lie inside others by chance.
    if not case.settings.is_exact or case.share_met < _HARDLY:
        return
    nearly = [(pair, _nearly(pair)) for pair in case.pairs]
    many = sum(len(found) for _, found in nearly)
    if many < max(_LEAST, _SHARE * case.mentions[1]):
        return
    text = (
        f"{counted(many, 'mention')} of the response "
        f"{'misses' if many == 1 else 'miss'} a mention of the key by bounds alone: "
        "one lies inside the other"
    )
    single = sum(
        start == end for pair in case.pairs for start, end in bounds(pair.response)
    )
    if single >= _HEADS_ONLY * case.mentions[1]:
        text = f"the response has words in place of phrases, heads perhaps: {text}"
    by_head = case.with_settings(match="head")
    if isinstance(by_head.result, CorefkitError):
        fix = "compare bounds with those of the key; scores after are with the key's"
        yield Suspicion(text, fix, many, _with_bounds(case, nearly))
    else:
        fix = "`--match head` compares heads; `--match partial` is stricter"
        yield Suspicion(text, fix, many, by_head)


def _nearly(pair: Pair) -> dict[Mention, Mention]:
    """Pair mentions of the response with those of the key that they nearly are."""
    if not pair.same_words or pair.key.empty or pair.response.empty:
        return {}
    ours, theirs = set(mentions_of(pair.key)), set(mentions_of(pair.response))
    free = sorted(ours - theirs)
    found: dict[Mention, Mention] = {}
    for mention in sorted(theirs - ours):
        inside = [
            other
            for other in free
            if (other.start <= mention.start and mention.end <= other.end)
            or (mention.start <= other.start and other.end <= mention.end)
        ]
        if inside:
            nearest = min(inside, key=lambda other: _distance(mention, other))
            found[mention] = nearest
            free.remove(nearest)
    return found


def _distance(one: Mention, other: Mention) -> int:
    return abs(one.start - other.start) + abs(one.end - other.end)


def _with_bounds(
    case: Case, nearly: Iterable[tuple[Pair, dict[Mention, Mention]]]
) -> Case:
    changed = {
        case.number_of(pair.response): with_mentions(
            pair.response, partial(_or_itself, among=found)
        )
        for pair, found in nearly
        if found
    }
    return case.with_response(changed)


def _or_itself(mention: Mention, *, among: dict[Mention, Mention]) -> Mention:
    return among.get(mention, mention)


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


def ids_across_documents(case: Case) -> Iterator[Suspicion]:
    """Ids of entities that begin anew in each document, or go on in others."""
    sides = [_id_counts(documents) for documents in (case.key, case.response)]
    many = sum(case.mentions)
    fewest = min(len(case.key), len(case.response))
    if case.settings.joins_documents:
        for side, (ids, documents) in enumerate(sides):
            if documents > 1 and max(ids.values(), default=0) > documents / 2:
                yield Suspicion(
                    f"ids of entities in the {_SIDES[side]} begin anew in each document"
                    f", but --scope {case.settings.scope} takes equal ids for one "
                    "entity",
                    "`--scope document`, or give each entity an id of its own",
                    many,
                    case.with_settings(scope="document"),
                )
                return
    elif fewest >= 4 and all(_go_on(ids, documents) for ids, documents in sides):
        yield Suspicion(
            "entities of both sides go on in other documents, by their ids, and are "
            "scored inside each document",
            "`--scope corpus` scores them across documents",
            many,
            case.with_settings(scope="corpus"),
        )


def _id_counts(documents: Iterable[Document]) -> tuple[Counter[str], int]:
    """Count in how many documents each id is."""
    rows = [{entity.id for entity in one.entities} for one in documents]
    full = [row for row in rows if row]
    return Counter(name for row in full for name in row), len(full)


def _go_on(ids: Counter[str], documents: int) -> bool:
    shared = sum(number > 1 for number in ids.values())
    alike = max(ids.values(), default=0) > documents / 2
    return shared >= max(_LEAST, _HARDLY * len(ids)) and not alike
