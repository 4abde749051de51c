"""ACE-value: the value of a response, as defined by the evaluations of NIST."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from corefkit.alignment.assignment import solve_assignment
from corefkit.alignment.candidates import MentionPairs, pair_overlapping
from corefkit.alignment.matching import compute_positions
from corefkit.arrays.columns import make_default_details
from corefkit.metrics.metric import Formula, Ratios, compute_ratios, divide
from corefkit.metrics.standard import add_by_document, add_by_group, to_rows
from corefkit.metrics.weighted import pair_mentions, read_attributes
from corefkit.settings import DEFAULT_SETTINGS, Settings
from corefkit.weights import parse_weights

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from corefkit.alignment.overlap import Entities, Overlap
    from corefkit.alignment.scored_mentions import Attributes
    from corefkit.arrays.columns import Columns, Floats
    from corefkit.weights import Weights

# The constants that all years have in common.
_FALSE_ALARM = 0.75
_MIN_OVERLAP = 0.3
_CLASSES = {"GEN": 0.0, "NEG": 0.0, "USP": 0.0}
_ENTITY_ERRORS = {"SUBTYPE": 0.9, "CLASS": 0.75}
_MENTION_ERROR = 0.9
_MIN_WEIGHT = 1e-12  # a pair without weight is still a pair
_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class _SideValues:
    """The values of the entities and mentions of one side.

    The attributes of an entity are those of its first mention; its scale is the factor
    of its mentions in its value.
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
    """Count the value of a response, for each document.

    Entities k and mentions m have weights: E(k) by type and class, v(m) by kind of
    mention. The value of an entity is

        value(k) = E(k) * scale(k) * sum over m in k of v(m)

    with scale 1, or, by level, that which makes the sum its largest v(m). Entities are
    mapped one to one, and inside a pair their mentions, for the largest total. The
    value of a pair is

        E(k,r) * scale(k) * sum over mapped m, n of v(m,n)
            - 0.75 * E(r) * scale(r) * sum over the other n in r of v(n)

    where of each weight the smaller counts, times a factor for every attribute that
    differs: of entities TYPE (0.5), SUBTYPE (0.9) and CLASS (0.75), of mentions TYPE,
    ROLE and STYLE (0.9 each). A response entity without partner costs 0.75 of its
    value.

        ACE-value = (value of pairs - cost of the others) / value of the key's entities

    Mentions may be mapped if their heads overlap by 0.3 of the longer one, in tokens;
    the head of a mention without head is the mention. The setting `match` has no
    effect.

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
    weights = parse_weights(table.mentions.settings.weights)
    attributes = read_attributes(table, ("type", "mention_type"))
    key = _compute_values(table.key, table.mentions.key, attributes[0], weights)
    response = _compute_values(
        table.response, table.mentions.response, attributes[1], weights
    )
    charge = _FALSE_ALARM * response.weight * response.scale
    entity = table.mentions.response.entity
    charged = charge[entity] * response.mention
    pairs = _weigh_pairs(table, key, response, attributes, weights, charged)
    row, column, gained = pair_mentions(table, pairs)
    cost = _FALSE_ALARM * response.value
    value = gained - add_by_group(charged, entity, len(table.response))[column]
    # An entity without partner costs its full value, so a pair saves that too.
    cells = solve_assignment(row, column, np.maximum(value + cost[column], _MIN_WEIGHT))
    row, column, value = row[cells], column[cells], value[cells]
    # A pair without errors has the full value, whatever the rounding of sums.
    full = key.value[row]
    value = np.where(value > full * (1 - _TOLERANCE), full, value)
    cost[column] = 0.0
    document = table.key.document[row]
    total, maximum, paired, costs = add_by_document(
        table,
        (value, document),
        (key.value, table.key.document),
        (full, document),
        (cost, table.response.document),
    ).T
    return to_rows(total, maximum, total, paired + costs, costs)


def _compute_values(
    entities: Entities, columns: Columns, attributes: Attributes, weights: Weights
) -> _SideValues:
    mention = np.array(
        [weights.get_weight("mention_type", row) for row in attributes], float
    )
    total = add_by_group(mention, columns.entity, len(entities))
    largest = np.zeros(len(entities))
    np.maximum.at(largest, columns.entity, mention)
    scale = np.ones(len(entities))
    if weights.by_level:
        scale = np.divide(largest, total, out=scale, where=total > 0)
    # The first mention in the text, whatever the order of mentions in the file.
    order = np.lexsort((columns.end, columns.start, columns.entity))
    first = order[np.searchsorted(columns.entity, np.arange(len(entities)))]
    of_entity = [attributes[row] for row in first.tolist()]
    by_type = np.array(
        [weights.get_weight("type", entity) for entity in of_entity], float
    )
    by_class = np.array(
        [_CLASSES.get(entity.get("CLASS", ""), 1.0) for entity in of_entity]
    )
    value = by_type * by_class * scale * total
    return _SideValues(of_entity, by_type, by_class, mention, scale, value)


def _weigh_pairs(
    table: Overlap,
    key: _SideValues,
    response: _SideValues,
    attributes: tuple[Attributes, Attributes],
    weights: Weights,
    charged: Floats,
) -> MentionPairs:
    """Weigh pairs of mentions by their value, and by the charge that they save."""
    pairs = _find_pairs(table)
    row = table.mentions.key.entity[pairs.key]
    column = table.mentions.response.entity[pairs.response]
    weight = np.minimum(key.by_type[row], response.by_type[column])
    weight = weight * np.minimum(key.by_class[row], response.by_class[column])
    weight = weight * np.minimum(
        key.mention[pairs.key], response.mention[pairs.response]
    )
    factor = [
        _compare_entities(key.attributes[k], response.attributes[r], weights)
        * _compare_mentions(attributes[0][m], attributes[1][n], weights)
        for k, r, m, n in np.stack(
            (row, column, pairs.key, pairs.response), axis=1
        ).tolist()
    ]
    gain = weight * key.scale[row] * np.array(factor, float) + charged[pairs.response]
    return MentionPairs(pairs.key, pairs.response, np.maximum(gain, _MIN_WEIGHT))


def _find_pairs(table: Overlap) -> MentionPairs:
    key, response = compute_positions(
        _replace_by_heads(table.mentions.key),
        _replace_by_heads(table.mentions.response),
    )
    pairs = pair_overlapping(key, response)
    longer = np.maximum(key.size()[pairs.key], response.size()[pairs.response])
    return pairs.take(np.flatnonzero(pairs.weight / longer >= _MIN_OVERLAP))


def _replace_by_heads(columns: Columns) -> Columns:
    """Replace mentions by their minimum spans, or else their head words, if any."""
    details = columns.details
    if details is None:
        return columns
    has_head, has_minimum = details.head >= 0, details.minimum_start >= 0
    start = np.where(has_head, details.head, columns.start)
    end = np.where(has_head, details.head, columns.end)
    return replace(
        columns,
        start=np.where(has_minimum, details.minimum_start, start),
        end=np.where(has_minimum, details.minimum_end, end),
        details=replace(make_default_details(columns), empties=details.empties),
    )


def _compare_entities(
    key: Mapping[str, str], response: Mapping[str, str], weights: Weights
) -> float:
    factor = weights.get_share("type", key, response)
    for name, error in _ENTITY_ERRORS.items():
        if key.get(name) != response.get(name):
            factor *= error
    return factor


def _compare_mentions(
    key: Mapping[str, str], response: Mapping[str, str], weights: Weights
) -> float:
    factor = weights.get_share("mention_type", key, response)
    for get_attribute in (_get_role, _get_style):
        if get_attribute(key) != get_attribute(response):
            factor *= _MENTION_ERROR
    return factor


def _get_role(attributes: Mapping[str, str]) -> str | None:
    return attributes.get("ROLE", attributes.get("type"))


def _get_style(attributes: Mapping[str, str]) -> str:
    is_metonymic = attributes.get("METONYMY_MENTION", "").upper() == "TRUE"
    return attributes.get("STYLE", "METONYMIC" if is_metonymic else "LITERAL")


def compute_ace_ratios(
    counts: Sequence[Any], settings: Settings = DEFAULT_SETTINGS
) -> Ratios:
    """Compute the ACE-value, which can be negative, and the ratios.

    Recall is the value of the pairs over that of the key's entities, precision the
    value of the pairs over that of their key entities plus the cost of the others; both
    are 0 if the pairs cost more than their value. F1 is the harmonic mean of the two.
    """
    value, maximum, _, claimed, cost = counts
    worth = (value + abs(value)) / 2  # 0 if the value is negative
    ratios = compute_ratios([worth, maximum, worth, claimed], settings)
    return ratios._replace(value=divide(value - cost, maximum))


score_ace = Formula(compute_ace_ratios)
