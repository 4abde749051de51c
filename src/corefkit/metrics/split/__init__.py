"""Documents with split antecedents, counted as the Universal Anaphora scorer does.

In "Ann met Bob. They left." the antecedent of "they" is split over two entities. Such
an antecedent is one more member of its anaphor's entity, beside the mentions, and adds
1 to its size. It is made of those entities; where one of them has a split antecedent
too, the entities that this is made of take its place. Entities of one side with split
antecedents made of the same entities are one entity.

Split antecedents of key and response are seldom equal, so they count in part. Let A be
one of the key and B one of the response, each a partition of its mentions. The metric
itself scores B against A, with recall R(A, B), precision P(A, B) and F1 F(A, B). MUC
gives a singleton one link here, to itself, that is correct where the other side has the
same singleton. The one-to-one map of the largest total F pairs the split antecedents of
key and response; pairs with F = 0 do not count.

Let |k| be the size of key entity k, |r| that of response entity r, x(k, r) the mentions
that they share. Where the split antecedents A of k and B of r are a pair, w(k, r) is
R(A, B) for recall, P(A, B) for precision, and F(A, B) for CEAF and BLANC; elsewhere it
is 0. With x and w short for x(k, r) and w(k, r) the numerators are

    MUC     sum over k, r with x > 0 of   x - 1 + w
    B³      sum over k, r of   (x + w)^2 / |k|          (precision: |r|)
    CEAFm   sum over the best map of   x + w
    CEAFe   sum over the best map of   2 (x + w) / (|k| + |r|)
    LEA     sum over k, r of   |k| (x (x - 1) / 2 + x w) / (|k| (|k| - 1) / 2)
            (precision: |r|), and 1 for each singleton of both sides
    BLANC   coreference links: sum over k, r of   x (x - 1) / 2 + x w
            other links: sum over pairs of common members that neither side has in one
            entity of   w w',   with w = 1 for a mention

and the denominators those of the metrics, with the sizes above. So a split antecedent
with w = 1 counts as a mention that is found. The two kinds of links of BLANC are
metrics of their own, each with its own F and its own pairs; where neither A nor B has a
link of the kind, F is 1 if they are equal, else 0.

Where several maps of split antecedents are best, the score may hang on which is taken:
it is the one that scipy finds for entities in their order, as in that scorer; in BLANC
it is one with the most equal pairs.

Source: Paun, Yu, Moosavi and Poesio 2023, "Scoring Coreference Chains with
Split-Antecedent Anaphors", and the Universal Anaphora scorer, which differs in this:

1.  Its coreference links of BLANC depend on the order of unordered sets: a link of a
    split antecedent counts w only if this comes first in its entity, else 1 or 0, as
    the other side has an equal split antecedent or not. Here it counts w always.
2.  There an equal split antecedent of the other side stands in for a missing pair, in
    the same links, even if it is in a pair already. Here pairs are one to one.
3.  In LEA its version 1 multiplies by w also the links of mentions that come after a
    split antecedent in the set. Its version 2 does not, as here.
4.  Of several best maps it takes the one that scipy finds in BLANC too.
5.  It does not end where split antecedents go in a circle. Here an entity that leads
    back to itself adds nothing.
6.  Whether split antecedents are equal it asks of the tokens of their mentions, also
    where mentions are matched by minimum spans. Here matched mentions are one.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from corefkit.exceptions import SettingsError, quoted
from corefkit.metrics import known_metrics
from corefkit.metrics.small import Cell, homes, shared_mentions, small_table

if TYPE_CHECKING:
    from corefkit.alignment.table import Mentions, Overlap
    from corefkit.columns import Columns, Ints
    from corefkit.metrics.base import Metric

Lists: TypeAlias = Sequence[Sequence[Hashable]]
Split: TypeAlias = Mapping[int, Sequence[int]]
_Mentions: TypeAlias = dict[int, set[Hashable]]
_Antecedents: TypeAlias = dict[int, frozenset[int]]

SIDES = KEY, RESPONSE = 0, 1


def split_counts(metric: Metric, document: SplitDocument) -> list[float] | None:
    """Count a metric that scores split antecedents; None for others.

    >>> from corefkit import METRICS
    >>> entities = ["ab", "cd", "e", "fg"]
    >>> document = SplitDocument(entities, entities, {3: [0, 1]}, {3: [0, 1, 2]})
    >>> [round(count, 4) for count in split_counts(METRICS["muc"], document)]
    [4.0, 4.0, 3.6667, 4.0]
    """
    if metric.split is None or isinstance(metric.split, str):
        return None
    counts: list[float] = metric.split(document)[0].tolist()
    return counts


def check_metrics(metrics: Iterable[Metric]) -> None:
    """Refuse metrics for which it is not defined how split antecedents count.

    A metric of a user's own is one of these, whatever its name.

    >>> from corefkit import METRICS
    >>> check_metrics([METRICS["muc"], METRICS["mentions"]])
    >>> check_metrics([METRICS["ceaf_phi1"]])
    Traceback (most recent call last):
    corefkit.exceptions.SettingsError: 'ceaf_phi1' does not score split antecedents: \
how they count there is not defined
    <BLANKLINE>
    hint: muc, b_cubed, ceaf_m, ceaf_e, blanc, lea do; mentions, mor, \
bridging_anaphora, bridging_mentions, bridging_entities, non_referring need not; for \
others there is --split ignore
    """
    for metric in metrics:
        if isinstance(metric.split, str):
            message = f"{quoted(metric.name)} does not score split antecedents: "
            scored = [known.name for known in known_metrics() if callable(known.split)]
            untouched = [known.name for known in known_metrics() if known.split is None]
            hint = (
                f"{', '.join(scored)} do; {', '.join(untouched)} need not; for others "
                "there is --split ignore"
            )
            raise SettingsError(message + metric.split, hint=hint)


class SplitDocument:
    """One document: entities as lists of mentions, some with split antecedents.

    Mentions of key and response that are matched are equal, and no side repeats one.
    `key_split` and `response_split` give, by the number of an entity, the numbers of
    the entities that together are its split antecedent. Entities without mentions are
    left out, from split antecedents too.

    The `antecedents` of key and response are, by the number of an entity, the entities
    without split antecedents that its own is made of.
    """

    def __init__(
        self, key: Lists, response: Lists, key_split: Split, response_split: Split
    ) -> None:
        key_mentions, key_antecedents = _merged(key, key_split)
        response_mentions, response_antecedents = _merged(response, response_split)
        self.antecedents = key_antecedents, response_antecedents
        shared = shared_mentions(key_mentions, homes(response_mentions))
        self.table = Table(
            (
                _sizes(key_mentions, key_antecedents),
                _sizes(response_mentions, response_antecedents),
            ),
            dict(sorted(shared.items())),
        )


def split_documents(mentions: Mentions) -> Iterator[tuple[int, SplitDocument]]:
    """Go through the documents of a block that have split antecedents on a side."""
    sides = mentions.key, mentions.response
    none = np.empty((0, 2), np.int64)
    splits = [none if side.details is None else side.details.split for side in sides]
    documents: set[int] = set()
    for side, rows in zip(sides, splits, strict=True):
        documents.update(side.entity_document[rows[:, 0]].tolist())
    # Mentions that are one have one number.
    names = [np.arange(len(side.entity)) for side in sides]
    names[1] += len(names[0])
    names[1][mentions.alignment.response] = mentions.alignment.key
    for document in sorted(documents):
        (key, key_split), (response, response_split) = (
            _listed(side, name, rows, document)
            for side, name, rows in zip(sides, names, splits, strict=True)
        )
        yield document, SplitDocument(key, response, key_split, response_split)


def _listed(
    columns: Columns, names: Ints, split: Ints, document: int
) -> tuple[list[list[int]], dict[int, list[int]]]:
    entities = np.flatnonzero(columns.entity_document == document)
    first = int(entities[0]) if len(entities) else 0
    lists: list[list[int]] = [[] for _ in entities]
    for mention in np.flatnonzero(columns.document == document).tolist():
        lists[int(columns.entity[mention]) - first].append(int(names[mention]))
    found: dict[int, list[int]] = {}
    for entity, antecedent in split.tolist():
        if columns.entity_document[entity] == document:
            found.setdefault(entity - first, []).append(antecedent - first)
    return lists, found


def _merged(entities: Lists, split: Split) -> tuple[_Mentions, _Antecedents]:
    """Group mentions and split antecedents by entity, equal ones in the first."""
    filled = {number: set(entity) for number, entity in enumerate(entities) if entity}
    split = {
        number: [antecedent for antecedent in antecedents if antecedent in filled]
        for number, antecedents in split.items()
    }
    mentions: _Mentions = {}
    first: dict[frozenset[int], int] = {}
    for number, entity in filled.items():
        antecedents = _expanded(number, split)
        home = first.setdefault(antecedents, number) if antecedents else number
        mentions.setdefault(home, set()).update(entity)
    return mentions, {number: antecedents for antecedents, number in first.items()}


def _expanded(number: int, split: Split) -> frozenset[int]:
    """Follow the split antecedents of an entity down to entities without."""
    found, seen, left = set(), {number}, [*split.get(number, ())]
    while left:
        antecedent = left.pop()
        if antecedent in seen:
            continue
        seen.add(antecedent)
        further = split.get(antecedent)
        if further:
            left.extend(further)
        else:
            found.add(antecedent)
    return frozenset(found)


def _sizes(mentions: _Mentions, antecedents: _Antecedents) -> dict[int, int]:
    return {home: len(mentions[home]) + (home in antecedents) for home in mentions}


class Table(NamedTuple):
    """The sizes of key and response entities, by number, and the mentions shared."""

    size: tuple[Mapping[int, int], Mapping[int, int]]
    shared: Mapping[Cell, int]

    def part(self, key: Iterable[int], response: Iterable[int]) -> Table:
        """Take some of the entities."""
        key, response = sorted(key), sorted(response)
        return Table(
            (
                {number: self.size[KEY][number] for number in key},
                {number: self.size[RESPONSE][number] for number in response},
            ),
            {
                cell: self.shared[cell]
                for cell in product(key, response)
                if cell in self.shared
            },
        )

    def overlap(self, shared: Mapping[Cell, float] | None = None) -> Overlap:
        """Make the overlap table, of the mentions shared or of something else."""
        key, response = (
            {number: row for row, number in enumerate(sizes)} for sizes in self.size
        )
        shared = self.shared if shared is None else shared
        cells = {(key[k], response[r]): count for (k, r), count in shared.items()}
        return small_table(self.size[KEY].values(), self.size[RESPONSE].values(), cells)

    def is_equal(self) -> bool:
        """Say whether both sides have the same entities."""
        key, response = self.size
        return len(key) == len(response) == len(self.shared) and all(
            key[k] == response[r] == shared for (k, r), shared in self.shared.items()
        )
