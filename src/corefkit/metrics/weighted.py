"""LEA and CEAF where mentions count more or less: by type and kind, or by overlap."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefkit.alignment.assignment import best_map
from corefkit.alignment.matching.candidates import overlapping_mentions
from corefkit.alignment.matching.pairs import Pairs
from corefkit.alignment.matching.positions import positions
from corefkit.columns.sums import sums
from corefkit.exceptions import SettingsError
from corefkit.metrics.ceaf import aligned_counts, phi4
from corefkit.metrics.lea import lea
from corefkit.settings.weights import Weights, weights_of

if TYPE_CHECKING:
    from corefkit.alignment.attributes import Attributes
    from corefkit.alignment.table import Overlap
    from corefkit.columns import Floats, Ints


class Worth(NamedTuple):
    """What the mentions of a table are worth, and what is known of them."""

    weights: Weights
    key: Attributes
    response: Attributes
    key_worth: Floats
    response_worth: Floats

    @classmethod
    def of(cls, table: Overlap) -> Worth:
        """Weigh the mentions of a table by its settings."""
        weights = weights_of(table.mentions.settings.weights)
        key, response = known_attributes(table, weights.asked_for)
        worths = ([weights.worth(each) for each in side] for side in (key, response))
        return cls(
            weights, key, response, *(np.array(worth, float) for worth in worths)
        )

    def entities(self, table: Overlap) -> tuple[Floats, Floats]:
        """Add up what the mentions of each entity are worth, on both sides."""
        key, response = table.mentions.key.entity, table.mentions.response.entity
        return (
            sums(self.key_worth, key, len(table.key)),
            sums(self.response_worth, response, len(table.response)),
        )

    def cells(self, table: Overlap) -> Floats:
        """Add up what the shared mentions of each cell are worth to both sides.

        Of each the lesser of its worths, and what a confusion leaves of that.
        """
        key, response = table.mentions.alignment.key, table.mentions.alignment.response
        left = [
            self.weights.left(self.key[mention], self.response[twin])
            for mention, twin in zip(key.tolist(), response.tolist(), strict=True)
        ]
        least = np.minimum(self.key_worth[key], self.response_worth[response])
        shared = least * np.array(left, np.float64)
        return sums(shared, table.cells_of_mentions(), len(table.shared))


def known_attributes(
    table: Overlap, asked_for: tuple[str, ...]
) -> tuple[Attributes, Attributes]:
    """Look up the attributes of both sides' mentions; those asked for must be there."""
    if table.mentions.attributes is None:
        message = "mentions of plain partitions have no types to weigh them by"
        raise SettingsError(message, hint="score files or documents that have them")
    key, response = (asked(asked_for) for asked in table.mentions.attributes)
    return key, response


def lea_weighted(table: Overlap) -> Floats:
    """Count LEA with entities as important as their mentions are worth, together.

    As LEA, with importance(k) the sum of the weights of the mentions of k, by entity
    type, by kind of mention, or by both: where all weigh 1 it is their number, as in
    LEA. An entity of no worth does not count. A side without worth makes its ratio
    undefined.

    Source: Moosavi and Strube 2016, section 4, which proposes importance by entity
    type and by mention type.

    >>> import corefkit
    >>> def document(*kinds):
    ...     mentions = tuple(
    ...         corefkit.Mention(start, start, attributes={"mention_type": kind})
    ...         for start, kind in enumerate(kinds)
    ...     )
    ...     return corefkit.Document("d", (), (corefkit.Entity("1", mentions),))
    >>> result = corefkit.score(
    ...     document("NAM", "NOM", "PRO"),
    ...     document("NAM", "NOM", "PRO"),
    ...     metrics=["lea_weighted"],
    ...     weights="mention_type:NAM=1,NOM=0.5,PRO=0.1",
    ... )
    >>> round(result["lea_weighted"].recall_denominator, 4)
    1.6
    """
    return lea(table, importance=Worth.of(table).entities(table))


def ceaf_weighted(table: Overlap, *, by_size: bool) -> Floats:
    """Count CEAF with mentions by their worth, for each document.

    Two entities share the worth of the mentions that both have: of each the lesser of
    its worths in key and response, less what a confusion of types or of kinds costs.
    That takes the place of |k and r| in phi3, and `by_size` in phi4, where the worth of
    an entity's mentions takes the place of its size. The denominators are the worth of
    all mentions (phi3), or the number of entities of any worth (phi4).

    Source: Luo 2005, section 2.2, which proposes weights by a confusion matrix of
    types and by NAME, NOMINAL and PRONOUN, and leaves them open.

    >>> import corefkit
    >>> def document(*types):
    ...     mentions = tuple(
    ...         corefkit.Mention(start, start, attributes={"type": name})
    ...         for start, name in enumerate(types)
    ...     )
    ...     return corefkit.Document("d", (), (corefkit.Entity("1", mentions),))
    >>> result = corefkit.score(
    ...     document("PER", "PER"),
    ...     document("PER", "ORG"),
    ...     metrics=["ceaf_m_weighted"],
    ...     weights="type_confusion:PER/ORG=0.5",
    ... )
    >>> result["ceaf_m_weighted"].recall_numerator
    1.5
    """
    worth = Worth.of(table)
    key, response = worth.entities(table)
    together = worth.cells(table)
    if by_size:
        both = key[table.key_entity] + response[table.response_entity]
        together = 2 * together / np.where(both > 0, both, 1)
        key, response = (key > 0).astype(float), (response > 0).astype(float)
    cells = table.key_entity, table.response_entity
    return aligned_counts(table, *cells, together, key, response)


ceaf_m_weighted = partial(ceaf_weighted, by_size=False)
ceaf_e_weighted = partial(ceaf_weighted, by_size=True)


def graded_ceaf(table: Overlap, *, by_size: bool) -> Floats:
    """Count CEAF where overlapping mentions get partial credit, for each document.

    The credit of a key and a response mention is 2 |m and n| / (|m| + |n|) in tokens: 1
    where they are the same. Two entities k and r share the largest total credit of
    their mentions, one to one; that total takes the place of |k and r| in phi3, and
    `by_size` in phi4. The entities are aligned as in CEAF, and the denominators are
    CEAF's: mentions (phi3) or entities (phi4). The way of matching does not matter.

    Source: Luo 2005, section 2.2, which proposes partial credit and leaves its size
    open.

    >>> import corefkit
    >>> def document(*spans):
    ...     mentions = tuple(corefkit.Mention(*span) for span in spans)
    ...     return corefkit.Document("d", (), (corefkit.Entity("1", mentions),))
    >>> result = corefkit.score(
    ...     document((0, 3), (5, 5)),
    ...     document((0, 1), (5, 5)),
    ...     metrics=["ceaf_m_graded"],
    ... )
    >>> round(result["ceaf_m_graded"].recall_numerator, 4)
    1.6667
    """
    key, response = positions(table.mentions.key, table.mentions.response)
    mention, twin, shared = overlapping_mentions(key, response)
    credit = 2 * shared / (key.size()[mention] + response.size()[twin])
    row, column, together = best_shared(table, Pairs(mention, twin, credit))
    key_size, response_size = table.key.size, table.response.size
    if by_size:
        together = phi4(together, key_size[row], response_size[column])
        key_size, response_size = np.ones_like(key_size), np.ones_like(response_size)
    return aligned_counts(table, row, column, together, key_size, response_size)


ceaf_m_graded = partial(graded_ceaf, by_size=False)
ceaf_e_graded = partial(graded_ceaf, by_size=True)


def best_shared(table: Overlap, pairs: Pairs) -> tuple[Ints, Ints, Floats]:
    """Pair the mentions of every two entities for the largest total weight.

    The mentions that may be paired have a weight above 0. Returned are key entity,
    response entity and total weight of each pair of entities, ordered by key entity.
    """
    width = max(len(table.response), 1)
    cells, cell = np.unique(
        table.mentions.key.entity[pairs.key] * width
        + table.mentions.response.entity[pairs.response],
        return_inverse=True,
    )
    # A mention is another one in each pair of entities.
    row, column = _apart(cell, pairs.key), _apart(cell, pairs.response)
    order = np.argsort(row, kind="stable")
    weight = pairs.weight[order]
    chosen = best_map(row[order], column[order], weight)
    together = sums(weight[chosen], cell[order][chosen], len(cells))
    return *np.divmod(cells, width), together


def _apart(cell: Ints, mention: Ints) -> Ints:
    width = int(mention.max(initial=0)) + 1
    numbers: Ints = np.unique(cell * width + mention, return_inverse=True)[1]
    return numbers
