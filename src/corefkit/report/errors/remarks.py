"""What a reader must know beside the numbers, each only where it is so."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from corefkit.metrics import label_of
from corefkit.report.errors.ordering import order_words
from corefkit.report.grids import Note
from corefkit.report.page import Item, Items, Paragraph
from corefkit.report.refusals import refusals
from corefkit.strings.sentences import and_list

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from corefkit.analysis.errors.analysis import ErrorAnalysis, SystemErrors
    from corefkit.report.page import Part

_CLOSE = 1e-12  # F1 that differs by less is the same
_MAY_FALL = "divided"  # repaired alone
_FALLS_AT = "conflated"  # in the ladder


def remarks(
    analysis: ErrorAnalysis,
    *,
    metrics: Sequence[str],
    kinds: Sequence[str] | None = None,
) -> Iterator[Part]:
    """Say what is left out, what falls, where types come from; end in the signature."""
    yield from refusals(analysis.refused, "Not analysed", "analysed")
    if metrics:
        yield Paragraph(_basis(analysis), is_literal=True)
    apart = sum(system.kept_apart for system in analysis.systems)
    if apart and (kinds is None or "extra_mention" in kinds):
        yield Paragraph(_kept_apart(apart))
    for text in (_ladder_falls(analysis.systems, metrics), _alone(analysis, metrics)):
        if text:
            yield Paragraph(text)
    if analysis.sources:
        parts = [source.partition(": ") for source in analysis.sources]
        items = [Item(text or word, word * bool(text)) for word, _, text in parts]
        yield Items(tuple(items), text="Where it is known from:")
    if words := order_words(analysis):
        yield Note(words)
    yield Note(analysis.signature, is_code=True)


def _basis(analysis: ErrorAnalysis) -> str:
    mentions = {system.key_mentions for system in analysis.systems}
    documents = {len(system.documents) for system in analysis.systems}
    counts = [
        " or ".join(f"{many:,}" for many in sorted(numbers))
        for numbers in (mentions, documents)
    ]
    plural = "" if documents == {1} else "s"
    return (
        f"{counts[0]} key mentions in {counts[1]} document{plural}; F1 in percent: "
        "alone, with one kind repaired; ladder, with that kind and all above it."
    )


def _kept_apart(apart: int) -> str:
    start, them = f"{apart:,} extra mentions are not counted, each", "them"
    if apart == 1:
        start, them = "1 extra mention is not counted,", "it"
    return (
        f"{start} kept apart as the first mention of its entity: what hung on {them} "
        "is counted, as conflated."
    )


def _ladder_falls(systems: Sequence[SystemErrors], metrics: Sequence[str]) -> str:
    falling: dict[str, None] = {}
    for system in systems:
        for before, after in pairwise(system.ladder):
            if after == _FALLS_AT:
                scores = system.ladder[before], system.ladder[after]
                falling |= dict.fromkeys(_lower(*scores, metrics))
    if not falling:
        return ""
    return (
        f"{_names(falling)} can fall where conflated entities are repaired: splitting "
        "them adds entities that align with nothing, until they are joined with others."
    )


def _alone(analysis: ErrorAnalysis, metrics: Sequence[str]) -> str:
    falling: dict[str, None] = {}
    for system in analysis.systems:
        scores = system.ladder["response"], system.alone[_MAY_FALL]
        falling |= dict.fromkeys(_lower(*scores, metrics))
    if not falling:
        return ""
    return (
        f"{_names(falling)} can fall where divided entities alone are repaired: "
        "joining them spreads what is still conflated."
    )


def _lower(
    before: Mapping[str, float], after: Mapping[str, float], metrics: Sequence[str]
) -> Iterator[str]:
    for name in metrics:
        if name in before and after[name] < before[name] - _CLOSE:
            yield name


def _names(metrics: dict[str, None]) -> str:
    return and_list(map(label_of, metrics))
