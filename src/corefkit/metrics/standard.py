"""The standard metrics: mentions, MUC, B³, CEAF, BLANC and LEA.

Each is a function of the overlap table, and returns a row of additive counts for each
document. The four similarities of CEAF of Luo (2005), and the two by links that Moosavi
and Strube (2016, section 3.3) consider, are functions of the table too; `ceaf_with`
makes a metric from a similarity of two entities, `lea_with` from an importance.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from corefkit.alignment.assignment import solve_assignment
from corefkit.exceptions import SettingsError
from corefkit.metrics.metric import Formula, Metric, Ratios, compute_ratios
from corefkit.settings import DEFAULT_SETTINGS, Settings, select_by

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefkit.alignment.overlap import Entities, Overlap
    from corefkit.arrays.columns import Counts, Flags, Floats, Ints

Similarity: TypeAlias = Callable[[frozenset[Hashable], frozenset[Hashable]], float]
Importance: TypeAlias = Callable[[tuple[Hashable, ...]], float]
_CellSimilarity: TypeAlias = "Callable[[Counts, Ints, Ints], Counts]"
_MAX_SMALL = 200  # numbers that are added faster as lists than as arrays

# Exact sums, which do not depend on the order of the addends.
#
# The sum of integers is an integer; sums of more than 63 bits raise SettingsError. The
# sum of other numbers is the float nearest to the exact sum, as `math.fsum` returns it.
# So counts do not depend on how documents are split into blocks, nor blocks over
# processes and machines.

_MAX_EXACT = 2.0**53  # up to which floats represent all integers
_MAX_INTEGER = 2**63 - 1
# A number is split into an integer number of units, which are smaller than 1, and
# further digits: floats above 2**-9 have only one.
_UNITS, _DIGITS = 2.0**30, 2.0**32
_MAX_SPLIT = 2.0**32  # below which the number of units fits an int64


def check_count(number: int) -> int:
    """Raise SettingsError for an integer of more than 63 bits."""
    if number > _MAX_INTEGER:
        message = f"a count of {number:,} is too large: it must be below 2 ** 63"
        raise SettingsError(
            message, code="engine/too-large", hint="score parts of the corpus"
        )
    return number


def add_by_group(values: Counts, group: Ints, groups: int) -> Counts:
    """Add up the values of each group; integers must not be negative."""
    if values.dtype.kind != "f":
        return _add_integers(values, group, groups)
    if len(values) and not 0 <= values.min() <= values.max() < _MAX_SPLIT:
        return _add_one_by_one(values, group, groups)
    sums: list[Counts] = []  # of the units, then of each further digit
    remainder, digit = values * _UNITS, np.empty(len(values))
    for _ in range(2):
        np.floor(remainder, out=digit)
        sums.append(_add_digits(digit, group, groups))
        remainder -= digit
        remainder *= _DIGITS
    units, digits = sums
    # Both quotients are exact, so only their sum is rounded.
    totals: Floats = units / _UNITS + digits / (_UNITS * _DIGITS)
    is_inexact = (units >= _MAX_EXACT) | (digits >= _MAX_EXACT)
    longer = np.flatnonzero(remainder)
    is_inexact[group[longer]] = True
    if is_inexact.any():
        remainder, group = remainder[longer], group[longer]
        while remainder.any():
            digit = np.floor(remainder)
            sums.append(_add_digits(digit, group, groups))
            remainder = (remainder - digit) * _DIGITS
        for row in np.flatnonzero(is_inexact).tolist():
            totals[row] = _round_digits([int(part[row]) for part in sums])
    return totals


def _add_digits(digit: Floats, group: Ints, groups: int) -> Counts:
    """Add integers given as floats; return integers if floats would be inexact."""
    sums = np.bincount(group, digit, groups)
    if sums.max(initial=0) < _MAX_EXACT:
        return sums
    totals = np.zeros(groups, np.int64)
    np.add.at(totals, group, digit.astype(np.int64))
    return totals


def _round_digits(digits: list[int]) -> float:
    """Return the float nearest to a sum: Python divides integers exactly."""
    number = 0
    for digit in digits:
        number = number * int(_DIGITS) + digit
    divisor: int = int(_UNITS) * int(_DIGITS) ** (len(digits) - 1)
    return number / divisor


def _add_one_by_one(values: Floats, group: Ints, groups: int) -> Floats:
    """Add numbers of any size and sign."""
    numbers: list[list[float]] = [[] for _ in range(groups)]
    for value, number in zip(values.tolist(), group.tolist(), strict=True):
        numbers[number].append(value)
    return np.array([math.fsum(of_group) for of_group in numbers], np.float64)


def _add_integers(values: Ints, group: Ints, groups: int) -> Ints:
    sums = np.bincount(group, values, groups)
    if sums.max(initial=0) < _MAX_EXACT:
        return sums.astype(np.int64)
    for row in np.flatnonzero(sums > 0.99 * _MAX_INTEGER).tolist():
        check_count(sum(values[group == row].tolist()))
    totals = np.zeros(groups, np.int64)
    np.add.at(totals, group, values)
    return totals


# Functions that metrics have in common.


def add_by_document(table: Overlap, *terms: tuple[Counts, Ints]) -> Counts:
    """Add up the terms of a table: one row of counts for each document.

    A term contains the numbers to add for one count, and the document of each number.
    Counts are integers if all numbers are.
    """
    entities = len(table.key.size) + len(table.response.size)
    if table.documents != 1 or len(table.shared) + entities > _MAX_SMALL:
        distinct = {id(term): term for term in terms}
        sums = {
            key: add_by_group(*term, table.documents) for key, term in distinct.items()
        }
        return to_rows(*(sums[id(term)] for term in terms))
    counts = [
        math.fsum(values.tolist()) if values.dtype.kind == "f" else sum(values.tolist())
        for values, _ in terms
    ]
    return np.array([counts])


def _check_number(number: float, function: str) -> float:
    if not 0 <= number < float("inf"):
        message = f"{function} gave {number!r}, expected a number, 0 or more"
        raise SettingsError(message, code="settings/invalid-metric")
    return number


def to_rows(*columns: Counts) -> Counts:
    """Convert columns of counts to rows, one for each document."""
    return np.array(columns).T


def merge_halves(recall: Counts, precision: Counts) -> Counts:
    """Merge the counts of recall of some rows with those of precision of others."""
    return np.concatenate((recall[:, :2], precision[:, 2:]), axis=1)


def count_pairs(number: Counts) -> Counts:
    """Count the pairs of some items."""
    doubled: Counts = number * (number - 1)
    return doubled >> 1 if doubled.dtype.kind == "i" else doubled / 2


def count_links(size: Counts) -> Counts:
    """Count the links of an entity as LEA does: a singleton has one, to itself."""
    links: Counts = count_pairs(size) + (size == 1)
    return links


def count_shared_links(
    shared: Counts, key_size: Counts, response_size: Counts
) -> Counts:
    """Count the links that two entities share, as LEA does.

    Two singletons with the same mention share the link to itself.
    """
    links: Counts = count_pairs(shared) + ((key_size == 1) & (response_size == 1))
    return links


# Mention detection.


def mentions(table: Overlap) -> Counts:
    """Count the mentions that both sides contain, for each document.

        recall = mentions in both / mentions of the key

    Precision divides by the mentions of the response. A side without mentions makes
    its ratio undefined.

    Source: Pradhan et al. 2014, section 3.

    >>> from corefkit import METRICS, overlap
    >>> table = overlap("abc defg".split(), "ab cd fghi".split())
    >>> mentions(table).tolist()
    [[6, 7, 6, 8]]
    """
    key, response = table.key, table.response
    shared = table.shared, table.document
    return add_by_document(
        table,
        shared,
        (key.size, key.document),
        shared,
        (response.size, response.document),
    )


# MUC.


def muc(table: Overlap) -> Counts:
    """Count MUC for each document.

    The response partitions a key entity into the pieces that lie in one response entity
    each; a mention that the response lacks is a piece by itself.

        recall = sum over k of (|k| - pieces of k)
                 divided by   sum over k of (|k| - 1)

    A piece of n shared mentions keeps n - 1 links, a missing mention keeps none, so
    both numerators are the sum of (shared - 1) over the cells of the table. Precision
    swaps key and response. Singletons have no links: if all entities are singletons,
    the score is undefined.

    Source: Vilain et al. 1995; predicted mentions as in Pradhan et al. 2014, section
    4.1.

    >>> from corefkit import METRICS, overlap
    >>> table = overlap("abc defg".split(), "ab cd fghi".split())
    >>> muc(table).tolist()
    [[2, 5, 2, 5]]
    """
    key, response = table.key, table.response
    links = count_tree_links(table.shared), table.document
    return add_by_document(
        table,
        links,
        (count_tree_links(key.size), key.document),
        links,
        (count_tree_links(response.size), response.document),
    )


def count_tree_links(size: Counts) -> Counts:
    """Count the links of a tree that spans the mentions."""
    return size - 1


# B³.


def b_cubed(table: Overlap, common: Counts | None = None) -> Floats:
    """Count B³ for each document.

    Each mention scores the share of its own entity that the other side keeps with it.

        recall = sum over k, r of |k & r|^2 / |k|   divided by   sum over k of |k|

    Precision swaps key and response. Mentions of one side only add nothing to the
    numerator and count in the denominator. A side without mentions makes its ratio
    undefined. Each shared mention has |k & r| mentions in common with its entity,
    unless `common` contains another number for the mentions of each cell.

    Source: Bagga and Baldwin 1998; predicted mentions as in Pradhan et al. 2014,
    section 4.2.

    >>> from corefkit import METRICS, overlap
    >>> table = overlap("abc defg".split(), "ab cd fghi".split())
    >>> score = METRICS["b_cubed"].score(b_cubed(table)[0])
    >>> round(score.recall, 4), round(score.precision, 4), round(score.f1, 4)
    (0.4167, 0.5, 0.4545)
    """
    key, response, shared = table.key, table.response, table.shared
    common = shared if common is None else common
    return add_by_document(
        table,
        (compute_credit(shared, common, table.key_size), table.document),
        (key.size, key.document),
        (compute_credit(shared, common, table.response_size), table.document),
        (response.size, response.document),
    )


def compute_credit(shared: Counts, common: Counts, size: Counts) -> Floats:
    """Credit each shared mention with its share of an entity of this size."""
    return shared * common / size


# CEAF.


def phi1(shared: Counts, key_size: Ints, response_size: Ints) -> Ints:
    """Compare entities: 1 if they are equal."""
    is_equal: Flags = (shared == key_size) & (shared == response_size)
    return is_equal.astype(np.int64)


def phi2(shared: Counts, key_size: Ints, response_size: Ints) -> Ints:
    """Compare entities: 1 if they share a mention."""
    del key_size, response_size
    return (shared > 0).astype(np.int64)


def phi3(shared: Counts, key_size: Ints, response_size: Ints) -> Counts:
    """Compare entities by the number of shared mentions: CEAFm."""
    del key_size, response_size
    return shared


def phi4(shared: Counts, key_size: Ints, response_size: Ints) -> Floats:
    """Compare entities by twice the shared mentions over those of both: CEAFe."""
    similarity: Floats = 2 * shared / (key_size + response_size)
    return similarity


phi3_links = count_shared_links
"""Compares entities by the number of shared links, as LEA counts them."""


def phi4_links(shared: Counts, key_size: Ints, response_size: Ints) -> Floats:
    """Compare entities by twice the shared links over the links of both."""
    links = count_links(key_size) + count_links(response_size)
    similarity: Floats = 2 * count_shared_links(shared, key_size, response_size) / links
    return similarity


def ceaf(table: Overlap, similarity: _CellSimilarity) -> Counts:
    """Count CEAF for each document.

    With g the one-to-one map of key to response entities of the largest total,

        recall = sum over k of phi(k, g(k))   divided by   sum over k of phi(k, k)

    Precision divides by the sum over r of phi(r, r). Mentions of one side only enlarge
    the denominators of phi3 and the entities of phi4. If several maps are best, the
    score is the same. A side without entities makes its ratio undefined.

    Source: Luo 2005, section 2; predicted mentions as in Pradhan et al. 2014, section
    4.3.

    >>> from corefkit import overlap
    >>> table = overlap("abc defg".split(), "ab cd fghi".split())
    >>> ceaf(table, phi3).tolist(), ceaf(table, phi4).round(4).tolist()
    ([[4, 7, 4, 8]], [[1.3, 2.0, 1.3, 3.0]])
    """
    key, response = table.key.size, table.response.size
    return count_aligned(
        table,
        table.key_entity,
        table.response_entity,
        similarity(table.shared, table.key_size, table.response_size),
        similarity(key, key, key),
        similarity(response, response, response),
    )


def count_aligned(
    table: Overlap,
    row: Ints,
    column: Ints,
    weight: Counts,
    key_weight: Counts,
    response_weight: Counts,
) -> Counts:
    """Count the best one-to-one map of entities, and the maximum of each side.

    The cells have a row (the key entity, ascending), a column and their similarity as
    weight; `key_weight` and `response_weight` compare each entity with itself.
    """
    cells = align_entities(row, column, weight)
    total = weight[cells], table.key.document[row[cells]]
    return add_by_document(
        table,
        total,
        (key_weight, table.key.document),
        total,
        (response_weight, table.response.document),
    )


def align_entities(row: Ints, column: Ints, weight: Counts) -> Ints:
    """Return the cells of the best one-to-one map; cells of weight 0 are never used."""
    positive: Ints = (weight > 0).nonzero()[0]
    if len(positive) < 2:  # no cell has a rival
        return positive
    weights = weight.astype(np.float64, copy=False)
    if len(positive) == len(weight):
        return solve_assignment(row, column, weights)
    cells = solve_assignment(row[positive], column[positive], weights[positive])
    return positive[cells]


ceaf_m = partial(ceaf, similarity=phi3)
ceaf_e = partial(ceaf, similarity=phi4)
ceaf_phi1 = partial(ceaf, similarity=phi1)
ceaf_phi2 = partial(ceaf, similarity=phi2)
ceaf_m_links = partial(ceaf, similarity=phi3_links)
ceaf_e_links = partial(ceaf, similarity=phi4_links)


def ceaf_with(
    similarity: Similarity, *, name: str = "ceaf_own", label: str | None = None
) -> Metric:
    """Make a CEAF metric from your own similarity.

    The similarity is computed for every pair of entities of a document, since it may be
    above 0 without shared mentions; so the cost grows with the product of their
    numbers.

    Args:
        similarity: takes a key and a response entity as frozen sets of mentions,
            returns a number, 0 or more.
        name: the name of the metric.
        label: the heading of its column; by default its name.

    >>> import corefkit
    >>> def jaccard(key, response):
    ...     return len(key & response) / len(key | response)
    >>> metric = corefkit.ceaf_with(jaccard, name="ceaf_jaccard")
    >>> result = corefkit.score(["abc", "defg"], ["ab", "cd", "fghi"], metrics=[metric])
    >>> round(result["ceaf_jaccard"].recall, 4)
    0.5
    """
    count = partial(_count_ceaf_with, similarity=similarity)
    return Metric(name, label or name, count)


def _count_ceaf_with(table: Overlap, similarity: Similarity) -> Counts:
    keys, responses = _list_members(table.key), _list_members(table.response)
    # The response entities of each document are consecutive.
    first = np.searchsorted(table.response.document, np.arange(table.documents + 1))

    def compare(key: frozenset[Hashable], response: frozenset[Hashable]) -> float:
        return _check_number(similarity(key, response), "a similarity")

    cells = [
        (row, column, compare(keys[row], responses[column]))
        for row, document in enumerate(table.key.document.tolist())
        for column in range(first[document], first[document + 1])
    ]
    row, column = np.array([cell[:2] for cell in cells], np.int64).reshape(-1, 2).T
    weight = np.array([cell[2] for cell in cells], np.float64)
    key_weight, response_weight = (
        np.array([compare(entity, entity) for entity in entities], np.float64)
        for entities in (keys, responses)
    )
    return count_aligned(table, row, column, weight, key_weight, response_weight)


def _list_members(entities: Entities) -> list[frozenset[Hashable]]:
    return [frozenset(entities.members(row)) for row in range(len(entities))]


# BLANC.


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


# By rule, whether a kind of links that only the response has counts, and whether two
# sides with the same mentions and without links are perfect.
BLANC_RULES = {"key": (False, False), "both": (True, True), "links": (True, False)}


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
    """
    response_counts, same_is_one = select_by(settings, "blanc_rule", BLANC_RULES)
    first, second = compute_ratios(counts[:4]), compute_ratios(counts[4:8])
    # Flags of one row are bools, those of many rows arrays: both have & and |.
    use_first, use_second = (
        (kind[1] != 0) | ((kind[3] != 0) & response_counts)
        for kind in (counts[:4], counts[4:8])
    )
    used = use_first + 0 + use_second
    shared, key, response = counts[8:]
    is_perfect = (used == 0) & same_is_one
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


# LEA.


def lea(
    table: Overlap,
    importance: tuple[Floats, Floats] | None = None,
    resolved: Floats | None = None,
) -> Floats:
    """Count LEA for each document.

        recall = sum over k of importance(k) * resolved(k)
                 divided by   sum over k of importance(k)

    resolved(k) is the share of the pairs of mentions of k that lie in one response
    entity; importance is the size of an entity unless another is given. Precision swaps
    key and response. A singleton has one link, to itself, which is resolved if the
    other side has the same singleton. A side without entities makes its ratio
    undefined. The links that each cell resolves may be given too.

    Source: Moosavi and Strube 2016, section 4.

    >>> from corefkit import METRICS, overlap
    >>> table = overlap("abc defg".split(), "ab cd fghi".split())
    >>> score = METRICS["lea"].score(lea(table)[0])
    >>> round(score.recall, 4), round(score.precision, 4), round(score.f1, 4)
    (0.2381, 0.3333, 0.2778)
    """
    key, response = table.key, table.response
    if resolved is None:
        resolved = count_shared_links(table.shared, table.key_size, table.response_size)
    key_weight, response_weight = importance or (key.size, response.size)
    key_share = resolved / count_links(table.key_size)
    response_share = resolved / count_links(table.response_size)
    return add_by_document(
        table,
        (key_weight[table.key_entity] * key_share, table.document),
        (key_weight, key.document),
        (response_weight[table.response_entity] * response_share, table.document),
        (response_weight, response.document),
    )


def lea_with(
    importance: Importance, *, name: str = "lea_own", label: str | None = None
) -> Metric:
    """Make a LEA metric with your own importance.

    Args:
        importance: takes the mentions of an entity, returns a number, 0 or more.
        name: the name of the metric.
        label: the heading of its column; by default its name.

    >>> import corefkit
    >>> flat = corefkit.lea_with(lambda entity: 1.0, name="lea_flat")
    >>> result = corefkit.score(["abc", "defg"], ["ab", "cd", "fghi"], metrics=[flat])
    >>> result["lea_flat"].recall_denominator
    2.0
    """
    count = partial(_count_lea_with, importance=importance)
    return Metric(name, label or name, count)


def _count_lea_with(table: Overlap, importance: Importance) -> Floats:
    weights = _weigh(table.key, importance), _weigh(table.response, importance)
    return lea(table, importance=weights)


def _weigh(entities: Entities, importance: Importance) -> Floats:
    numbers = map(importance, map(entities.members, range(len(entities))))
    return np.array([_check_number(each, "an importance") for each in numbers], float)
