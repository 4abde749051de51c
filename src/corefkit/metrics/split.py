"""Split antecedents, counted as the Universal Anaphora scorer counts them.

In "Ann met Bob. They left." the antecedent of "they" is split over two entities. Such
an antecedent is one more member of its anaphor's entity, in addition to the mentions,
and adds 1 to its size. It consists of those entities; an entity among them that has a
split antecedent itself is replaced by the entities of that one. Entities of one side
whose split antecedents consist of the same entities are one entity.

Split antecedents of key and response are seldom equal, so they count in part. Let A be
one of the key and B one of the response, each a partition of its mentions. The metric
itself scores B against A, with recall R(A, B), precision P(A, B) and F1 F(A, B). MUC
gives a singleton one link here, to itself, that is correct if the other side has the
same singleton. The one-to-one map of the largest total F pairs the split antecedents of
key and response; pairs with F = 0 do not count.

Let |k| be the size of key entity k, |r| that of response entity r, x(k, r) the mentions
that they share. If the split antecedents A of k and B of r are a pair, w(k, r) is
R(A, B) for recall, P(A, B) for precision, and F(A, B) for CEAF and BLANC; otherwise it
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
with w = 1 counts as a mention of both sides. The two kinds of links of BLANC are
metrics by themselves, each with its own F and its own pairs; if neither A nor B has a
link of the kind, F is 1 if they are equal, else 0.

If several maps of split antecedents are best, the score may depend on the choice: it is
the one that scipy returns for entities in their order, as in that scorer; in BLANC it
is one with the most equal pairs.

Source: Paun, Yu, Moosavi and Poesio 2023, "Scoring Coreference Chains with
Split-Antecedent Anaphors", and the Universal Anaphora scorer, which differs in this:

1.  Its coreference links of BLANC depend on the order of unordered sets: a link of a
    split antecedent counts w only if this comes first in its entity, else 1 or 0, as
    the other side has an equal split antecedent or not. Here it counts w always.
2.  There an equal split antecedent of the other side replaces a missing pair, in the
    same links, even if it is in a pair already. Here pairs are one to one.
3.  In LEA its version 1 multiplies by w also the links of mentions that come after a
    split antecedent in the set. Its version 2 does not, as here.
4.  Of several best maps it takes the one that scipy returns in BLANC too.
5.  It does not terminate if split antecedents are circular. Here an entity that leads
    back to itself adds nothing.
6.  It compares split antecedents by the tokens of their mentions, even if mentions are
    matched by minimum spans. Here matched mentions are equal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations, product
from math import fsum, prod
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from corefkit.alignment.overlap import Entities, Overlap
from corefkit.exceptions import SettingsError, quoted
from corefkit.metrics.metric import compute_f1, divide
from corefkit.metrics.registry import iter_metrics
from corefkit.metrics.standard import (
    b_cubed,
    blanc,
    ceaf_e,
    ceaf_m,
    count_shared_links,
    lea,
    merge_halves,
    muc,
)

if TYPE_CHECKING:
    from corefkit.alignment.overlap import Mentions
    from corefkit.arrays.columns import Columns, Floats, Ints
    from corefkit.metrics.metric import Counter as CountFunction
    from corefkit.metrics.metric import Metric

# The numbers of a key and a response entity.
Cell: TypeAlias = tuple[int, int]
Lists: TypeAlias = Sequence[Sequence[Hashable]]
Split: TypeAlias = Mapping[int, Sequence[int]]
_Members: TypeAlias = dict[int, set[Hashable]]
_Antecedents: TypeAlias = dict[int, frozenset[int]]
_Weights: TypeAlias = Mapping["Cell", float]

SIDES = KEY, RESPONSE = 0, 1
# Decides between maps that are equally good, and is too small to decide otherwise.
_BONUS = 1e-9


def check_split_support(metrics: Iterable[Metric]) -> None:
    """Raise SettingsError for metrics that do not support split antecedents."""
    for metric in metrics:
        if isinstance(metric.split, str):
            message = f"{quoted(metric.name)} does not score split antecedents: "
            scored = [row.name for row in iter_metrics() if callable(row.split)]
            unaffected = [row.name for row in iter_metrics() if row.split is None]
            hint = (
                f"{', '.join(scored)} do; {', '.join(unaffected)} need not; for others "
                "there is --split ignore"
            )
            raise SettingsError(
                message + metric.split, code="settings/unsupported-metric", hint=hint
            )


class SplitDocument:
    """One document: entities as lists of mentions, some with split antecedents.

    Matched mentions of key and response are equal, and no side contains duplicates.
    `key_split` and `response_split` map the number of an entity to the numbers of the
    entities of its split antecedent. Entities without mentions are ignored, in split
    antecedents too.

    `antecedents` of key and response map the number of an entity to the entities
    without split antecedents that its split antecedent consists of.
    """

    def __init__(
        self, key: Lists, response: Lists, key_split: Split, response_split: Split
    ) -> None:
        key_members, key_antecedents = _merge_entities(key, key_split)
        response_members, response_antecedents = _merge_entities(
            response, response_split
        )
        self.antecedents = key_antecedents, response_antecedents
        homes = {m: home for home, members in response_members.items() for m in members}
        shared = Counter(
            (number, homes[mention])
            for number, members in key_members.items()
            for mention in members
            if mention in homes
        )
        self.table = SplitTable(
            (
                _count_members(key_members, key_antecedents),
                _count_members(response_members, response_antecedents),
            ),
            dict(sorted(shared.items())),
        )


def iter_split_documents(mentions: Mentions) -> Iterator[tuple[int, SplitDocument]]:
    """Iterate over the documents of a block that have split antecedents on a side."""
    sides = mentions.key, mentions.response
    none = np.empty((0, 2), np.int64)
    splits = [none if side.details is None else side.details.split for side in sides]
    documents: set[int] = set()
    for side, rows in zip(sides, splits, strict=True):
        documents.update(side.entity_document[rows[:, 0]].tolist())
    # Matched mentions have the same number.
    key_number = np.arange(len(mentions.key.entity))
    response_number = len(key_number) + np.arange(len(mentions.response.entity))
    response_number[mentions.alignment.response] = mentions.alignment.key
    for document in sorted(documents):
        (key, key_split), (response, response_split) = (
            _list_document(side, number, rows, document)
            for side, number, rows in zip(
                sides, (key_number, response_number), splits, strict=True
            )
        )
        yield document, SplitDocument(key, response, key_split, response_split)


def _list_document(
    columns: Columns, number: Ints, split: Ints, document: int
) -> tuple[list[list[int]], dict[int, list[int]]]:
    """List the mentions of each entity of a document, and its split antecedents."""
    first, last = np.searchsorted(columns.entity_document, (document, document + 1))
    lists: list[list[int]] = [[] for _ in range(first, last)]
    for mention in np.flatnonzero(columns.document == document).tolist():
        lists[int(columns.entity[mention] - first)].append(int(number[mention]))
    antecedents: dict[int, list[int]] = {}
    for entity, antecedent in (split - first).tolist():
        if 0 <= entity < last - first:
            antecedents.setdefault(entity, []).append(antecedent)
    return lists, antecedents


def _merge_entities(entities: Lists, split: Split) -> tuple[_Members, _Antecedents]:
    """Collect the mentions of entities; merge those with equal split antecedents."""
    mentions = {number: set(entity) for number, entity in enumerate(entities) if entity}
    split = {
        number: [antecedent for antecedent in antecedents if antecedent in mentions]
        for number, antecedents in split.items()
    }
    members: _Members = {}
    first: dict[frozenset[int], int] = {}
    for number, entity in mentions.items():
        antecedents = _resolve_antecedents(number, split)
        home = first.setdefault(antecedents, number) if antecedents else number
        members.setdefault(home, set()).update(entity)
    return members, {number: antecedents for antecedents, number in first.items()}


def _resolve_antecedents(number: int, split: Split) -> frozenset[int]:
    """Follow the split antecedents of an entity to entities without."""
    resolved, visited, pending = set(), {number}, [*split.get(number, ())]
    while pending:
        antecedent = pending.pop()
        if antecedent in visited:
            continue
        visited.add(antecedent)
        if split.get(antecedent):
            pending.extend(split[antecedent])
        else:
            resolved.add(antecedent)
    return frozenset(resolved)


def _count_members(members: _Members, antecedents: _Antecedents) -> dict[int, int]:
    return {home: len(members[home]) + (home in antecedents) for home in members}


class SplitTable(NamedTuple):
    """The sizes of key and response entities, by number, and the shared mentions."""

    size: tuple[Mapping[int, int], Mapping[int, int]]
    shared: Mapping[Cell, int]

    def select(self, key: Iterable[int], response: Iterable[int]) -> SplitTable:
        """Select some of the entities."""
        key, response = sorted(key), sorted(response)
        return SplitTable(
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

    def to_overlap(self, shared: Mapping[Cell, float] | None = None) -> Overlap:
        """Build the overlap table, of the shared mentions or of other numbers."""
        key_row, response_row = (
            {number: row for row, number in enumerate(sizes)} for sizes in self.size
        )
        shared = self.shared if shared is None else shared
        cells = sorted(
            (key_row[k], response_row[r], count) for (k, r), count in shared.items()
        )
        pairs = np.array([cell[:2] for cell in cells], np.int64).reshape(-1, 2)
        key_entity, response_entity = pairs.T
        counts = np.array([cell[2] for cell in cells] or np.empty(0, np.int64))
        entities = (np.array([*sizes.values()], np.int64) for sizes in self.size)
        key, response = (Entities(np.zeros_like(size), size) for size in entities)
        return Overlap(1, key, response, key_entity, response_entity, counts)

    def is_equal(self) -> bool:
        """Return whether both sides have the same entities."""
        key, response = self.size
        return len(key) == len(response) == len(self.shared) and all(
            key[k] == response[r] == shared for (k, r), shared in self.shared.items()
        )


# Credit: the weights of pairs of split antecedents.


class _Credit(NamedTuple):
    """The weights of a pair of split antecedents; `credit[side]` is that of a side."""

    recall: float
    precision: float
    f1: float


def _pair_antecedents(
    document: SplitDocument, count: CountFunction, *, equal_first: bool = False
) -> dict[Cell, _Credit]:
    """Pair the split antecedents one to one; return pairs by their two entities."""
    credits: dict[Cell, _Credit] = {}
    weights: dict[Cell, float] = {}
    for cell in product(*document.antecedents):
        antecedents = (document.antecedents[side][cell[side]] for side in SIDES)
        part = document.table.select(*antecedents)
        if not part.shared:
            continue
        credit = _compute_credit(part, count(part.to_overlap())[0].tolist())
        if credit.f1 > 0:
            credits[cell] = credit
            bonus = _BONUS if equal_first and part.is_equal() else 0.0
            weights[cell] = credit.f1 + bonus
    keys, responses = ({cell[side] for cell in weights} for side in SIDES)
    if len(keys) == len(responses) == len(weights):
        return credits  # no pair has a rival
    from scipy.optimize import linear_sum_assignment

    key, response = map(list, document.antecedents)
    rows = [[weights.get((k, r), 0.0) for r in response] for k in key]
    chosen = linear_sum_assignment(np.array(rows), maximize=True)
    cells = [(key[k], response[r]) for k, r in zip(*chosen, strict=True)]
    return {cell: credits[cell] for cell in cells if cell in credits}


def _compute_credit(part: SplitTable, counts: list[float]) -> _Credit:
    if not (counts[1] or counts[3]):
        # Only BLANC has such counts: there are no links of a kind.
        same = float(part.is_equal())
        return _Credit(same, same, same)
    recall, precision = divide(*counts[:2]), divide(*counts[2:])
    return _Credit(recall, precision, compute_f1(recall, precision))


def _count_halves(
    count: Callable[[_Weights], Floats], credits: Mapping[Cell, _Credit]
) -> Floats:
    """Count recall with the credit of the key, precision with that of the response."""
    recall, precision = (
        count({cell: credit[side] for cell, credit in credits.items()})
        for side in SIDES
    )
    return merge_halves(recall, precision)


def _add_antecedents(table: SplitTable, weights: _Weights) -> Overlap:
    """Build the table of shared members, paired split antecedents included."""
    cells = {*table.shared, *weights}
    shared = {cell: table.shared.get(cell, 0) + weights.get(cell, 0) for cell in cells}
    return table.to_overlap(shared)


# The metrics: each is the plain metric, of a table in which entities share split
# antecedents in part.


def muc_counts(document: SplitDocument) -> Floats:
    """Count MUC: a split antecedent adds to links of entities that share mentions."""
    table = document.table

    def count(weights: _Weights) -> Floats:
        cells = table.shared.items()
        links = {cell: shared + weights.get(cell, 0) for cell, shared in cells}
        return muc(table.to_overlap(links))

    return _count_halves(count, _pair_antecedents(document, _count_antecedent_muc))


def _count_antecedent_muc(table: Overlap) -> Floats:
    """Count MUC with one link for a singleton, to itself."""
    shared = (table.key_size == 1) & (table.response_size == 1)
    key, response = table.key.size == 1, table.response.size == 1
    counts: Floats = muc(table)
    counts += [flags.sum() for flags in (shared, key, shared, response)]
    return counts


def b_cubed_counts(document: SplitDocument) -> Floats:
    """Count B³: a split antecedent is shared in part."""
    return _count_halves(
        lambda weights: b_cubed(_add_antecedents(document.table, weights)),
        _pair_antecedents(document, b_cubed),
    )


def _count_ceaf(document: SplitDocument, count: CountFunction) -> Floats:
    credits = _pair_antecedents(document, count)
    weights = {cell: credit.f1 for cell, credit in credits.items()}
    return count(_add_antecedents(document.table, weights))


ceaf_m_counts = partial(_count_ceaf, count=ceaf_m)
ceaf_e_counts = partial(_count_ceaf, count=ceaf_e)


def lea_counts(document: SplitDocument) -> Floats:
    """Count LEA: the links of a split antecedent are resolved in part."""
    table = document.table.to_overlap()

    def count(weights: _Weights) -> Floats:
        links = count_shared_links(table.shared, table.key_size, table.response_size)
        # The table has its cells in this order.
        parts = [weights.get(cell, 0.0) for cell in sorted(document.table.shared)]
        return lea(table, resolved=links + table.shared * np.array(parts))

    return _count_halves(count, _pair_antecedents(document, lea))


def blanc_counts(document: SplitDocument) -> Floats:
    """Count BLANC: the links of a split antecedent are found in part.

    Unequal split antecedents may have the same coreference links: among equally good
    maps, one with the most equal pairs is required.
    """
    counters: tuple[CountFunction, ...] = (
        lambda table: blanc(table)[:, :4],
        lambda table: blanc(table)[:, 4:8],
    )
    links, other_links = (
        {
            cell: credit.f1
            for cell, credit in _pair_antecedents(
                document, count, equal_first=True
            ).items()
        }
        for count in counters
    )
    counts = blanc(document.table.to_overlap()).astype(np.float64)
    counts[:, [0, 2]] += sum(
        document.table.shared.get(cell, 0) * weight for cell, weight in links.items()
    )
    counts[:, [4, 6]] += _count_antecedent_links(document.table, other_links)
    # A split antecedent is not a mention.
    counts[:, 9:] -= [len(antecedents) for antecedents in document.antecedents]
    return counts


def _count_antecedent_links(table: SplitTable, weights: _Weights) -> float:
    """Count the links of split antecedents to members of neither of their entities."""
    by_entity: tuple[Counter[int], Counter[int]] = Counter(), Counter()
    for cell, shared in table.shared.items():
        for side in SIDES:
            by_entity[side][cell[side]] += shared
    mentions = by_entity[KEY].total()
    links = 0.0
    for cell, weight in weights.items():
        linked = sum(by_entity[side][cell[side]] for side in SIDES)
        links += (mentions - linked + table.shared.get(cell, 0)) * weight
    # No entity has two split antecedents, so any two of them are not coreferent.
    return links + fsum(map(prod, combinations(weights.values(), 2)))
