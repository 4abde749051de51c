"""ACE-value: what a response is worth, as the evaluations of NIST had it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from corefkit.alignment.assignment import best_map
from corefkit.alignment.matching.candidates import overlapping_mentions
from corefkit.alignment.matching.pairs import Pairs
from corefkit.alignment.matching.positions import positions
from corefkit.columns.details import plain_details
from corefkit.columns.sums import sums
from corefkit.metrics.base import Score, ratio, ratios, rows
from corefkit.metrics.weighted import best_shared, known_attributes
from corefkit.settings import DEFAULT_SETTINGS, Settings
from corefkit.settings.weights import weights_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from corefkit.alignment.attributes import Attributes
    from corefkit.alignment.table import Entities, Overlap
    from corefkit.columns import Columns, Floats
    from corefkit.settings.weights import Weights

# What all years had in common.
_FALSE_ALARM = 0.75
_LEAST_OVERLAP = 0.3
_CLASSES = {"GEN": 0.0, "NEG": 0.0, "USP": 0.0}
_ENTITY_ERRORS = {"SUBTYPE": 0.9, "CLASS": 0.75}
_MENTION_ERROR = 0.9
# A pair of no weight is a pair still.
_LEAST = 1e-12
_NEAR = 1e-9


@dataclass(frozen=True, slots=True)
class _Side:
    """What the entities and mentions of one side are worth.

    The attributes of an entity are those of its first mention; its scale is what one of
    its mentions counts in its value.
    """

    attributes: Sequence[Mapping[str, str]]
    by_type: Floats
    by_class: Floats
    mention: Floats
    scale: Floats
    value: Floats

    @property
    def weight(self) -> Floats:
        """The weight of each entity."""
        return self.by_type * self.by_class


def ace_value(table: Overlap) -> Floats:
    """Count what a response is worth, for each document.

    Entities k and mentions m have weights: E(k) by type and class, v(m) by kind of
    mention. An entity is worth

        value(k) = E(k) * scale(k) * sum over m in k of v(m)

    with scale 1, or, by level, that which makes the sum its largest v(m). Entities are
    mapped one to one, and inside a pair their mentions, for the largest total. A pair
    is worth

        E(k,r) * scale(k) * sum over mapped m, n of v(m,n)
            - 0.75 * E(r) * scale(r) * sum over the other n in r of v(n)

    where of each weight the lesser counts, times a factor for every attribute that
    differs: of entities TYPE (0.5), SUBTYPE (0.9) and CLASS (0.75), of mentions TYPE,
    ROLE and STYLE (0.9 each). A response entity without partner costs 0.75 of its
    value.

        ACE-value = (value of pairs - cost of the others) / value of the key's entities

    Mentions may be mapped where their heads overlap by 0.3 of the longer one, in
    tokens; without heads that is the whole mention. The way of matching does not
    matter.

    Source: NIST's scripts of 2005 and 2007; Luo 2005, section 3.2.2.

    >>> import corefkit
    >>> def mention(at, name, kind):
    ...     return corefkit.Mention(
    ...         at, at, attributes={"type": name, "mention_type": kind}
    ...     )
    >>> def document(*entities):
    ...     mentions = (
    ...         tuple(mention(at, name, kind) for at, kind in kinds.items())
    ...         for name, kinds in entities
    ...     )
    ...     return corefkit.Document(
    ...         "d", (), tuple(map(corefkit.Entity, "12", mentions))
    ...     )
    >>> key = document(("PER", {0: "NAM", 1: "PRO"}), ("ORG", {2: "NOM"}))
    >>> response = document(("PER", {0: "NAM", 2: "NOM"}), ("ORG", {3: "NAM"}))
    >>> result = corefkit.score(key, response, metrics=["ace_value"])
    >>> round(100 * result["ace_value"].value, 4)
    -6.0606
    """
    weights = weights_of(table.mentions.settings.weights)
    attributes = known_attributes(table, ("type", "mention_type"))
    key = _side(table.key, table.mentions.key, attributes[0], weights)
    response = _side(table.response, table.mentions.response, attributes[1], weights)
    pairs = _mention_pairs(table)
    charge = _FALSE_ALARM * response.weight * response.scale
    entity = table.mentions.response.entity
    charged = charge[entity] * response.mention
    gains = _gains(table, pairs, key, response, attributes, weights, charged)
    row, column, gained = best_shared(table, gains)
    cost = _FALSE_ALARM * response.value
    value = gained - sums(charged, entity, len(table.response))[column]
    # To leave an entity without partner costs it all, so that is what a pair saves.
    chosen = best_map(row, column, np.maximum(value + cost[column], _LEAST))
    row, column, value = row[chosen], column[chosen], value[chosen]
    # What lacks nothing is worth all there is, however sums are rounded.
    whole = key.value[row]
    value = np.where(value > whole * (1 - _NEAR), whole, value)
    alone = cost.copy()
    alone[column] = 0.0
    total = table.by_document(value, table.key.document[row])
    costs = table.by_document(alone, table.response.document)
    found = table.by_document(whole, table.key.document[row])
    every = table.by_document(key.value, table.key.document)
    return rows(total, every, total, found + costs, costs)


def _mention_pairs(table: Overlap) -> Pairs:
    key, response = positions(
        _heads(table.mentions.key), _heads(table.mentions.response)
    )
    mention, twin, shared = overlapping_mentions(key, response)
    overlap = shared / np.maximum(key.size()[mention], response.size()[twin])
    near = np.flatnonzero(overlap >= _LEAST_OVERLAP)
    return Pairs(mention, twin, overlap).only(near)


def _heads(columns: Columns) -> Columns:
    """Let mentions be their heads: minimum spans, or head words, or all of them."""
    details = columns.details
    if details is None:
        return columns
    known, minimal = details.head >= 0, details.minimum_start >= 0
    start = np.where(known, details.head, columns.start)
    end = np.where(known, details.head, columns.end)
    return replace(
        columns,
        start=np.where(minimal, details.minimum_start, start),
        end=np.where(minimal, details.minimum_end, end),
        details=replace(plain_details(columns), empties=details.empties),
    )


def _side(
    entities: Entities, columns: Columns, attributes: Attributes, weights: Weights
) -> _Side:
    mention = np.array(
        [weights.weight("mention_type", known) for known in attributes], float
    )
    together = sums(mention, columns.entity, len(entities))
    best = np.zeros(len(entities))
    np.maximum.at(best, columns.entity, mention)
    scale = np.ones(len(entities))
    if weights.by_level:
        scale = np.divide(best, together, out=scale, where=together > 0)
    # The first in the text, whatever the order in which a format lists them.
    order = np.lexsort((columns.end, columns.start, columns.entity))
    first = order[np.searchsorted(columns.entity, np.arange(len(entities)))]
    known = [attributes[row] for row in first.tolist()]
    by_type = np.array([weights.weight("type", entity) for entity in known], float)
    by_class = np.array(
        [_CLASSES.get(entity.get("CLASS", ""), 1.0) for entity in known]
    )
    value = by_type * by_class * scale * together
    return _Side(known, by_type, by_class, mention, scale, value)


def _gains(
    table: Overlap,
    pairs: Pairs,
    key: _Side,
    response: _Side,
    attributes: tuple[Attributes, Attributes],
    weights: Weights,
    charged: Floats,
) -> Pairs:
    """Weigh pairs of mentions by what they are worth, and what charge they save."""
    row = table.mentions.key.entity[pairs.key]
    column = table.mentions.response.entity[pairs.response]
    least = np.minimum(key.by_type[row], response.by_type[column])
    least = least * np.minimum(key.by_class[row], response.by_class[column])
    least = least * np.minimum(key.mention[pairs.key], response.mention[pairs.response])
    left = [
        _entity_left(key.attributes[k], response.attributes[r], weights)
        * _mention_left(attributes[0][m], attributes[1][n], weights)
        for k, r, m, n in np.stack((row, column, *pairs[:2]), axis=1).tolist()
    ]
    gain = least * key.scale[row] * np.array(left, float) + charged[pairs.response]
    return Pairs(pairs.key, pairs.response, np.maximum(gain, _LEAST))


def _entity_left(
    key: Mapping[str, str], response: Mapping[str, str], weights: Weights
) -> float:
    left = weights.left_by("type", key, response)
    for name, factor in _ENTITY_ERRORS.items():
        if key.get(name) != response.get(name):
            left *= factor
    return left


def _mention_left(
    key: Mapping[str, str], response: Mapping[str, str], weights: Weights
) -> float:
    left = weights.left_by("mention_type", key, response)
    for of in (_role, _style):
        if of(key) != of(response):
            left *= _MENTION_ERROR
    return left


def _role(attributes: Mapping[str, str]) -> str | None:
    return attributes.get("ROLE", attributes.get("type"))


def _style(attributes: Mapping[str, str]) -> str:
    metonymic = attributes.get("METONYMY_MENTION", "").upper() == "TRUE"
    return attributes.get("STYLE", "METONYMIC" if metonymic else "LITERAL")


def ace_score(counts: Floats, settings: Settings = DEFAULT_SETTINGS, /) -> Score:
    """Score the counts of ACE-value.

    The value is a number of its own, which can be below 0. Recall is the value of the
    pairs over that of the key's entities, precision the value of the pairs over that of
    the key's entities among them and the cost of the others; both are 0 where the pairs
    have cost more than they are worth. F1 is the harmonic mean of these two.

    >>> score = ace_score(np.array([0.5, 1.0, 0.5, 0.8, 0.2]))
    >>> score.recall, score.precision, round(score.f1, 4), score.value
    (0.5, 0.625, 0.5556, 0.3)
    """
    del settings  # its weights have been counted in
    value, whole, _, claimed, cost = counts.tolist()
    worth = max(value, 0.0)
    shares = ratios(np.array([worth, whole, worth, claimed]))
    return replace(
        shares,
        value=ratio(value - cost, whole),
        recall_numerator=value,
        precision_numerator=value,
        counts=tuple(counts.tolist()),
    )
