"""LEA and CEAF where mentions are worth more or less, by their type and kind."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefkit.columns import sums
from corefkit.exceptions import SettingsError
from corefkit.metrics.ceaf import aligned_counts
from corefkit.metrics.lea import lea
from corefkit.settings.weights import Weights, weights_of

if TYPE_CHECKING:
    from corefkit.alignment.attributes import Attributes
    from corefkit.alignment.table import Overlap
    from corefkit.columns import Floats


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
