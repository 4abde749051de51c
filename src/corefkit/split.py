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
"""

from __future__ import annotations

from collections import Counter
from collections.abc import (
    Callable,
    Hashable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from functools import partial
from itertools import combinations, product
from math import fsum
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from corefkit.assignment import best_map
from corefkit.metrics.base import f1, ratio

if TYPE_CHECKING:
    from corefkit.columns import Columns, Ints
    from corefkit.table import Mentions

Lists: TypeAlias = Sequence[Sequence[Hashable]]
Split: TypeAlias = Mapping[int, Sequence[int]]
_Cell: TypeAlias = tuple[int, int]
_Weights: TypeAlias = Mapping[_Cell, float]

_SIDES = _KEY, _RESPONSE = 0, 1
# Enough to decide between maps that are equally good, too little for any other.
_A_LITTLE = 1e-9


class SplitDocument:
    """One document: entities as lists of mentions, some with split antecedents.

    Mentions of key and response that are matched are equal, and no side repeats one.
    `key_split` and `response_split` give, by the number of an entity, the numbers of
    the entities that together are its split antecedent. Entities without mentions are
    left out, from split antecedents too.

    Attributes:
        antecedents: for key and response, by the number of an entity, the entities
            without split antecedents that its own is made of.
        table: how large the entities are, and how many mentions they share.
    """

    def __init__(
        self, key: Lists, response: Lists, key_split: Split, response_split: Split
    ) -> None:
        key_mentions, key_antecedents = _merged(key, key_split)
        response_mentions, response_antecedents = _merged(response, response_split)
        self.antecedents = key_antecedents, response_antecedents
        self.table = _Table(
            (
                _sizes(key_mentions, key_antecedents),
                _sizes(response_mentions, response_antecedents),
            ),
            _shared(key_mentions, response_mentions),
        )


def split_counts(name: str, document: SplitDocument) -> list[float] | None:
    """Count one metric, or give None where split antecedents make no difference to it.

    A split antecedent is no mention of the text, so mention detection passes it over.

    >>> entities = ["ab", "cd", "e", "fg"]
    >>> document = SplitDocument(entities, entities, {3: [0, 1]}, {3: [0, 1, 2]})
    >>> [round(count, 4) for count in split_counts("muc", document)]
    [4.0, 4, 3.6667, 4]
    """
    if name == "blanc":
        return _blanc(document)
    count = _COUNTS.get(name)
    if count is None:
        return None
    return count(document.table, _credits(document, _AMONG.get(name, count)))


def split_documents(mentions: Mentions) -> Iterator[tuple[int, SplitDocument]]:
    """Go through the documents of a block that have split antecedents on a side."""
    sides = mentions.key, mentions.response
    splits = [_rows(side) for side in sides]
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


def _rows(columns: Columns) -> Ints:
    if columns.details is None:
        return np.empty((0, 2), np.int64)
    return columns.details.split


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


def _merged(
    entities: Lists, split: Split
) -> tuple[dict[int, set[Hashable]], dict[int, frozenset[int]]]:
    """Give mentions and split antecedents by entity, with equal ones in the first."""
    filled = {number: set(entity) for number, entity in enumerate(entities) if entity}
    split = {
        number: [antecedent for antecedent in antecedents if antecedent in filled]
        for number, antecedents in split.items()
    }
    mentions: dict[int, set[Hashable]] = {}
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


def _sizes(
    mentions: Mapping[int, set[Hashable]], antecedents: Mapping[int, frozenset[int]]
) -> dict[int, int]:
    return {
        number: len(entity) + (number in antecedents)
        for number, entity in mentions.items()
    }


def _shared(
    key: Mapping[int, set[Hashable]], response: Mapping[int, set[Hashable]]
) -> dict[_Cell, int]:
    response_of = {m: number for number, entity in response.items() for m in entity}
    counts = Counter(
        (number, response_of[mention])
        for number, entity in key.items()
        for mention in entity
        if mention in response_of
    )
    return dict(sorted(counts.items()))


class _Table(NamedTuple):
    """The sizes of key and response entities, by number, and the mentions shared."""

    size: tuple[Mapping[int, int], Mapping[int, int]]
    shared: Mapping[_Cell, int]

    def part(self, key: Iterable[int], response: Iterable[int]) -> _Table:
        """Take some of the entities."""
        key, response = sorted(key), sorted(response)
        return _Table(
            (
                {number: self.size[_KEY][number] for number in key},
                {number: self.size[_RESPONSE][number] for number in response},
            ),
            {
                cell: self.shared[cell]
                for cell in product(key, response)
                if cell in self.shared
            },
        )

    def sizes(self, cell: _Cell) -> tuple[int, int]:
        """Give the sizes of the two entities of a cell."""
        return self.size[_KEY][cell[_KEY]], self.size[_RESPONSE][cell[_RESPONSE]]

    def is_equal(self) -> bool:
        """Say whether both sides have the same entities."""
        key, response = map(len, self.size)
        return key == response == len(self.shared) and all(
            self.sizes(cell) == (shared, shared) for cell, shared in self.shared.items()
        )


class _Credit(NamedTuple):
    """What a pair of split antecedents counts; `credit[side]` is a side's own."""

    recall: float
    precision: float
    f1: float


_Credits: TypeAlias = Mapping[_Cell, _Credit]
_Count: TypeAlias = Callable[[_Table, _Credits], list[float]]
_Half: TypeAlias = Callable[[_Table, _Weights, int], tuple[float, float]]


def _credits(
    document: SplitDocument, among: _Count, *, equal_first: bool = False
) -> dict[_Cell, _Credit]:
    """Pair the split antecedents; each pair stands under its two entities."""
    credits, weights = {}, {}
    for cell in product(*document.antecedents):
        key, response = cell
        part = document.table.part(
            document.antecedents[_KEY][key], document.antecedents[_RESPONSE][response]
        )
        if not part.shared:
            continue
        credit = _credit(part, among(part, {}))
        if credit.f1 > 0:
            credits[cell] = credit
            bonus = _A_LITTLE if equal_first and part.is_equal() else 0.0
            weights[cell] = credit.f1 + bonus
    return {cell: credits[cell] for cell in _pairs(document, weights)}


def _credit(part: _Table, counts: list[float]) -> _Credit:
    if not (counts[1] or counts[3]):
        # Only BLANC comes here, where there is no link of a kind.
        same = float(part.is_equal())
        return _Credit(same, same, same)
    recall, precision = ratio(*counts[:2]), ratio(*counts[2:])
    return _Credit(recall, precision, f1(recall, precision))


def _pairs(document: SplitDocument, weights: _Weights) -> list[_Cell]:
    keys, responses = ({cell[side] for cell in weights} for side in _SIDES)
    if len(keys) == len(responses) == len(weights):
        # No two want the same; and scipy.optimize takes long to import.
        return list(weights)
    from scipy.optimize import linear_sum_assignment

    key, response = map(list, document.antecedents)
    rows = [[weights.get((one, other), 0.0) for other in response] for one in key]
    chosen = linear_sum_assignment(np.array(rows), maximize=True)
    cells = [(key[one], response[other]) for one, other in zip(*chosen, strict=True)]
    return [cell for cell in cells if cell in weights]


def _halves(table: _Table, credits: _Credits, half: _Half) -> list[float]:
    """Count recall from the entities of the key, precision from the response's."""
    counts: list[float] = []
    for side in _SIDES:
        weights = {cell: credit[side] for cell, credit in credits.items()}
        counts.extend(half(table, weights, side))
    return counts


def _muc(table: _Table, weights: _Weights, side: int) -> tuple[float, float]:
    correct = fsum(
        shared - 1 + weights.get(cell, 0) for cell, shared in table.shared.items()
    )
    return correct, sum(size - 1 for size in table.size[side].values())


def _muc_among(table: _Table, weights: _Weights, side: int) -> tuple[float, float]:
    correct, links = _muc(table, weights, side)
    same = sum(table.sizes(cell) == (1, 1) for cell in table.shared)
    singletons = sum(size == 1 for size in table.size[side].values())
    return correct + same, links + singletons


def _b_cubed(table: _Table, weights: _Weights, side: int) -> tuple[float, float]:
    common = _common(table.shared, weights)
    correct = fsum(
        both**2 / table.size[side][cell[side]] for cell, both in common.items()
    )
    return correct, sum(table.size[side].values())


def _lea(table: _Table, weights: _Weights, side: int) -> tuple[float, float]:
    links = dict.fromkeys(table.size[side], 0.0)
    for cell, shared in table.shared.items():
        own = table.sizes(cell) == (1, 1)
        links[cell[side]] += _links([shared]) + shared * weights.get(cell, 0) + own
    resolved = fsum(
        size * (links[number] / max(_links([size]), 1))
        for number, size in table.size[side].items()
    )
    return resolved, sum(table.size[side].values())


def _ceaf_m(table: _Table, credits: _Credits) -> list[float]:
    total = _best_total(_common(table.shared, _f1_weights(credits)))
    key, response = (sum(sizes.values()) for sizes in table.size)
    return [total, key, total, response]


def _ceaf_e(table: _Table, credits: _Credits) -> list[float]:
    common = _common(table.shared, _f1_weights(credits))
    total = _best_total(
        {cell: 2.0 * both / sum(table.sizes(cell)) for cell, both in common.items()}
    )
    key, response = map(len, table.size)
    return [total, key, total, response]


def _best_total(weights: _Weights) -> float:
    """Add up the weights of the best one-to-one map of key to response entities."""
    row, column = np.array(list(weights), np.int64).reshape(-1, 2).T
    weight = np.array(list(weights.values()), np.float64)
    return fsum(weight[best_map(row, column, weight)])


def _blanc(document: SplitDocument) -> list[float]:
    # Unequal split antecedents may have the same coreference links: the map of equal
    # ones is to be found among those that are as good.
    links, others = (
        count(document.table, _credits(document, count, equal_first=True))
        for count in (_coreference, _non_coreference)
    )
    key, response = (
        sum(sizes.values()) - len(antecedents)
        for sizes, antecedents in zip(
            document.table.size, document.antecedents, strict=True
        )
    )
    return [*links, *others, sum(document.table.shared.values()), key, response]


def _coreference(table: _Table, credits: _Credits) -> list[float]:
    both = _links(table.shared.values())
    for cell, credit in credits.items():
        both += table.shared.get(cell, 0) * credit.f1
    key, response = (_links(sizes.values()) for sizes in table.size)
    return [both, key, both, response]


def _non_coreference(table: _Table, credits: _Credits) -> list[float]:
    found: tuple[Counter[int], Counter[int]] = Counter(), Counter()
    for cell, shared in table.shared.items():
        for side in _SIDES:
            found[side][cell[side]] += shared
    mentions = found[_KEY].total()
    both = _links([mentions]) + _links(table.shared.values())
    both -= sum(_links(counts.values()) for counts in found)
    for cell, credit in credits.items():
        near = sum(found[side][cell[side]] for side in _SIDES)
        both += (mentions - near + table.shared.get(cell, 0)) * credit.f1
    # No entity has two split antecedents, so any two of them are not coreferent.
    both += fsum(one.f1 * other.f1 for one, other in combinations(credits.values(), 2))
    key, response = (
        _links([sum(sizes.values())]) - _links(sizes.values()) for sizes in table.size
    )
    return [both, key, both, response]


def _f1_weights(credits: _Credits) -> dict[_Cell, float]:
    return {cell: credit.f1 for cell, credit in credits.items()}


def _common(shared: Mapping[_Cell, int], weights: _Weights) -> dict[_Cell, float]:
    """Give what two entities have in common, the paired split antecedents included."""
    cells = sorted({*shared, *weights})
    return {cell: shared.get(cell, 0) + weights.get(cell, 0) for cell in cells}


def _links(sizes: Iterable[int]) -> float:
    return sum(size * (size - 1) / 2 for size in sizes)


_COUNTS: Mapping[str, _Count] = {
    "muc": partial(_halves, half=_muc),
    "b_cubed": partial(_halves, half=_b_cubed),
    "ceaf_m": _ceaf_m,
    "ceaf_e": _ceaf_e,
    "lea": partial(_halves, half=_lea),
}
# What scores split antecedents, where it is not the metric as it is.
_AMONG: Mapping[str, _Count] = {"muc": partial(_halves, half=_muc_among)}
