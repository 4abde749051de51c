"""BLANC: coreference links and non-coreference links, half the score each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from corefkit.metrics.metric import (
    Formula,
    Ratios,
    add_by_document,
    compute_ratios,
    count_pairs,
    to_rows,
)
from corefkit.settings import DEFAULT_SETTINGS, Settings, select_by

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from corefkit.alignment.overlap import Overlap
    from corefkit.arrays.columns import Counts, Ints


def blanc(table: Overlap) -> Counts:
    """Count the links of BLANC for each document.

    A pair of mentions of one side is a coreference link if both are in one entity, and
    a non-coreference link otherwise. Eight counts: numerator and denominator of recall
    and of precision for coreference links, then for the others.

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
    # The mentions of each entity that both sides contain.
    key_shared = _sum_cells(table.shared, table.key_entity, len(key.size))
    response_shared = _sum_cells(
        table.shared, table.response_entity, len(response.size)
    )
    shared_links, key_links, response_links, in_key, in_response, *mentions = (
        add_by_document(
            table,
            (count_pairs(table.shared), document),
            (count_pairs(key.size), key.document),
            (count_pairs(response.size), response.document),
            (count_pairs(key_shared), key.document),
            (count_pairs(response_shared), response.document),
            (table.shared, document),
            (key.size, key.document),
            (response.size, response.document),
        ).T
    )
    shared_pairs, key_pairs, response_pairs = map(count_pairs, mentions)
    # The pairs of shared mentions that are in one entity of neither side.
    neither = shared_pairs - in_key - in_response + shared_links
    return to_rows(
        shared_links,
        key_links,
        shared_links,
        response_links,
        neither,
        key_pairs - key_links,
        neither,
        response_pairs - response_links,
        *mentions,
    )


def _sum_cells(shared: Counts, entity: Ints, entities: int) -> Counts:
    """Sum the shared mentions by entity: few enough for floats to be exact."""
    sums = np.bincount(entity, shared, entities)
    return sums if shared.dtype.kind == "f" else sums.astype(np.int64)


class BlancRule(NamedTuple):
    """How a rule treats kinds of links that a side lacks."""

    # Whether a kind that only the response has counts.
    response_counts: bool
    # Whether two sides with the same mentions and without links are perfect.
    same_is_one: bool


BLANC_RULES: Mapping[str, BlancRule] = {
    "key": BlancRule(response_counts=False, same_is_one=False),
    "both": BlancRule(response_counts=True, same_is_one=True),
    "links": BlancRule(response_counts=True, same_is_one=False),
}


def compute_blanc_ratios(
    counts: Sequence[Any], settings: Settings = DEFAULT_SETTINGS
) -> Ratios:
    """Compute the ratios of BLANC.

    Recall, precision and F1 are each the mean of the two kinds of links; F1 is not the
    harmonic mean of the other two. A kind of links is left out under rule `key`
    (Recasens and Hovy 2011, and the reference scorer) if the key has none, under
    rule `both` (Luo et al. 2014) and rule `links` (the CorefUD and Universal Anaphora
    scorers) if neither side has any. If both kinds are left out, the score is
    undefined, 0; but 1 under `both` if the two sides have the same mentions, and any.

    >>> links = [2.0, 9.0, 2.0, 8.0, 8.0, 12.0, 8.0, 20.0]
    >>> score = score_blanc(np.array([*links, 6.0, 7.0, 8.0]))
    >>> round(score.recall, 4), round(score.precision, 4), round(score.f1, 4)
    (0.4444, 0.325, 0.3676)
    """
    rule = select_by(settings, "blanc_rule", BLANC_RULES)
    first, second = compute_ratios(counts[:4]), compute_ratios(counts[4:8])
    # Flags of one row are bools, those of many rows arrays: both have & and |.
    use_first, use_second = (
        (kind[1] != 0) | ((kind[3] != 0) & rule.response_counts)
        for kind in (counts[:4], counts[4:8])
    )
    used = use_first + 0 + use_second
    shared, key, response = counts[8:]
    is_perfect = (used == 0) & rule.same_is_one
    is_perfect = is_perfect & (shared != 0) & (key == shared) & (response == shared)
    weight = (used > 0) / (used + (used == 0))
    recall, precision, f1 = (
        (use_first * left + use_second * right) * weight + is_perfect * 1.0
        for left, right in zip(first[:3], second[:3], strict=True)
    )
    has_recall = (use_first & (first.no_recall == 0)) | (
        use_second & (second.no_recall == 0)
    )
    has_precision = (use_first & (first.no_precision == 0)) | (
        use_second & (second.no_precision == 0)
    )
    return Ratios(
        recall,
        precision,
        f1,
        (has_recall | is_perfect) == 0,
        (has_precision | is_perfect) == 0,
        parts=(first, second),
    )


score_blanc = Formula(compute_blanc_ratios)
