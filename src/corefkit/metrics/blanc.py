"""BLANC: coreference links and non-coreference links, half the score each."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefkit.metrics.base import (
    Score,
    as_numbers,
    counted,
    of_links,
    pairs,
    ratios,
    rows,
)
from corefkit.settings import DEFAULT_SETTINGS, Settings, by_choice

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corefkit.alignment.table import Overlap
    from corefkit.columns import Counts, Floats, Ints


def blanc(table: Overlap) -> Counts:
    """Count the links of BLANC for each document.

    A pair of mentions of one side is a coreference link where both are in one entity,
    and a non-coreference link otherwise. Eight counts: numerator and denominator of
    recall and of precision for coreference links, then for the others.

        links in both sides / links of the key        (recall)
        links in both sides / links of the response   (precision)

    Mentions of one side only enlarge the denominators. Links never cross documents.
    Three more counts, the mentions of both sides, of the key and of the response, serve
    the case without any link.

    Source: Recasens and Hovy 2011; predicted mentions as in Luo et al. 2014 and in
    Pradhan et al. 2014, section 4.5.

    >>> from corefkit import overlap
    >>> table = overlap("abc defg".split(), "ab cd fghi".split())
    >>> blanc(table).tolist()
    [[2, 9, 2, 8, 8, 12, 8, 20, 6, 7, 8]]
    """
    key, response, document = table.key, table.response, table.document
    # Mentions of each entity that both sides have.
    in_key = _kept(table.shared, table.key_entity, len(key.size))
    in_response = _kept(table.shared, table.response_entity, len(response.size))
    both, key_links, response_links, key_kept, response_kept, *mentions = counted(
        table,
        (pairs(table.shared), document),
        (pairs(key.size), key.document),
        (pairs(response.size), response.document),
        (pairs(in_key), key.document),
        (pairs(in_response), response.document),
        (table.shared, document),
        (key.size, key.document),
        (response.size, response.document),
    ).T
    found_pairs, key_pairs, response_pairs = map(pairs, mentions)
    # Of the pairs that both sides have, those that neither has in one entity.
    neither = found_pairs - key_kept - response_kept + both
    return rows(
        both,
        key_links,
        both,
        response_links,
        neither,
        key_pairs - key_links,
        neither,
        response_pairs - response_links,
        *mentions,
    )


def _kept(shared: Counts, entity: Ints, entities: int) -> Counts:
    """Count the mentions of each entity that both sides have: few enough for floats."""
    kept = np.bincount(entity, shared, entities)
    return kept if shared.dtype.kind == "f" else kept.astype(np.int64)


class BlancRule(NamedTuple):
    """What a rule makes of kinds of links that a side lacks."""

    # Whether a kind counts that only the response has.
    response_counts: bool
    # Whether two sides with the same mentions, and not one link, are perfect.
    same_is_one: bool


BLANC_RULES: Mapping[str, BlancRule] = {
    "key": BlancRule(response_counts=False, same_is_one=False),
    "both": BlancRule(response_counts=True, same_is_one=True),
    "links": BlancRule(response_counts=True, same_is_one=False),
}


def blanc_score(counts: Floats, settings: Settings = DEFAULT_SETTINGS, /) -> Score:
    """Score the counts of BLANC.

    Recall, precision and F1 are each the mean of the two kinds of links; F1 is not the
    harmonic mean of the other two. A kind of links is left out under rule `key`
    (Recasens and Hovy 2011, and the reference scorer) where the key has none, under
    rule `both` (Luo et al. 2014) and rule `links` (the CorefUD and Universal Anaphora
    scorers) where neither side has any. With no kind left the score is undefined, 0;
    but 1 under `both` where the two sides have mentions, and the same ones.

    >>> links = [2.0, 9.0, 2.0, 8.0, 8.0, 12.0, 8.0, 20.0]
    >>> score = blanc_score(np.array([*links, 6.0, 7.0, 8.0]))
    >>> round(score.recall, 4), round(score.precision, 4), round(score.f1, 4)
    (0.4444, 0.325, 0.3676)
    """
    rule = by_choice(settings, "blanc_rule", BLANC_RULES)
    halves = ratios(counts[:4]), ratios(counts[4:8])
    used = [half for half in halves if _counts_in(half, rule)]
    found, *mentions = counts[8:].tolist()
    same_mentions = found > 0 and mentions == [found, found]
    perfect = not used and rule.same_is_one and same_mentions
    undefined = [
        side
        for side in ("recall", "precision")
        if not perfect and all(side in half.undefined for half in used)
    ]
    without = float(perfect)
    score = Score(
        recall=_mean([half.recall for half in used], without),
        precision=_mean([half.precision for half in used], without),
        f1=_mean([half.f1 for half in used], without),
        undefined=tuple(undefined),
        counts=tuple(as_numbers(counts)),
    )
    return of_links(score, *halves)


def _mean(values: list[float], without: float) -> float:
    return math.fsum(values) / len(values) if values else without


def _counts_in(half: Score, rule: BlancRule) -> bool:
    in_response = rule.response_counts and half.precision_denominator > 0
    return half.recall_denominator > 0 or in_response
