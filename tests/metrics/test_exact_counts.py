"""Counts are exact: integers of any size, fractions to the last digit, in any order."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from slow_metrics import SLOW_COUNTS

import corefkit
from corefkit import METRICS
from corefkit.alignment.overlap import Entities, Overlap
from corefkit.evaluation import Evaluation
from corefkit.metrics.registry import VARIANTS
from corefkit.metrics.scores import score_all_rows
from corefkit.settings import DEFAULT_SETTINGS

KEY, RESPONSE = (
    [frozenset(entity) for entity in text.split()]
    for text in ("abc defg hi", "ab cd fghi")
)
# Metrics that count mentions, links or entities, and never shares of them.
WHOLE = {"blanc"} | {
    name
    for name, count in SLOW_COUNTS.items()
    if all(number.denominator == 1 for number in count(KEY, RESPONSE))
}
PLAIN = METRICS | VARIANTS
mentions = st.lists(
    st.tuples(st.integers(0, 2), st.integers(0, 3), st.integers(0, 3)), max_size=30
)


def table_of(rows, documents=3):
    """Make the table of mentions: document, key entity and response entity of each."""
    rows = np.array(rows, np.int64).reshape(-1, 3)
    sides = []
    for column in (1, 2):
        codes, number = np.unique(
            rows[:, 0] * 10 + rows[:, column], return_inverse=True
        )
        sides.append(
            (Entities(codes // 10, np.bincount(number, minlength=len(codes))), number)
        )
    (key, key_number), (response, response_number) = sides
    width = max(len(response), 1)
    cells, shared = np.unique(key_number * width + response_number, return_counts=True)
    return Overlap(documents, key, response, *np.divmod(cells, width), shared)


def one_document(table, number):
    """Cut one document out of a table."""
    keys = np.flatnonzero(table.key.document == number)
    responses = np.flatnonzero(table.response.document == number)
    cells = np.flatnonzero(table.document == number)
    none = (np.zeros(len(keys), np.int64), np.zeros(len(responses), np.int64))
    return Overlap(
        1,
        Entities(none[0], table.key.size[keys]),
        Entities(none[1], table.response.size[responses]),
        np.searchsorted(keys, table.key_entity[cells]),
        np.searchsorted(responses, table.response_entity[cells]),
        table.shared[cells],
    )


@given(mentions)
def test_blocks_give_the_same_bits(rows):
    table = table_of(rows)
    for metric in PLAIN.values():
        together = metric.count(table)
        for number in range(3):
            alone = metric.count(one_document(table, number))
            assert alone.dtype == together.dtype
            assert alone.tobytes() == together[number : number + 1].tobytes()


@given(mentions, st.randoms(use_true_random=False))
def test_the_order_of_entities_and_cells_makes_no_difference(rows, random):
    table = table_of(rows, documents=3)
    shuffled = renumbered(table, random)
    for metric in PLAIN.values():
        found, again = metric.count(table), metric.count(shuffled)
        if metric.name in WHOLE or "ceaf" not in metric.name:
            assert found.tobytes() == again.tobytes()
        # CEAF may choose another map, which is as good but for rounding.
        assert np.allclose(found, again, rtol=1e-15, atol=0)


def renumbered(table, random):
    """Number entities in another order, inside their documents; cells follow."""
    place = []
    for side in (table.key, table.response):
        chance = np.array([random.random() for _ in range(len(side))])
        order = np.lexsort((chance, side.document))
        rank = np.empty(len(order), np.int64)
        rank[order] = np.arange(len(order))
        place.append((order, rank))
    (key_order, key_rank), (response_order, response_rank) = place
    key_entity = key_rank[table.key_entity]
    response_entity = response_rank[table.response_entity]
    order = np.lexsort((response_entity, key_entity))
    return replace(
        table,
        key=Entities(table.key.document[key_order], table.key.size[key_order]),
        response=Entities(
            table.response.document[response_order], table.response.size[response_order]
        ),
        key_entity=key_entity[order],
        response_entity=response_entity[order],
        shared=table.shared[order],
    )


@pytest.mark.parametrize("name", PLAIN)
def test_integers_where_all_counts_are(name):
    table = table_of([(0, 0, 0), (0, 0, 1), (0, 1, 1), (2, 0, 0), (2, 0, 0)])
    whole = PLAIN[name].count(table).dtype == np.int64
    assert whole == (name in WHOLE)


@given(mentions)
def test_shares_are_the_exact_fractions(rows):
    table = table_of([(0, *row[1:]) for row in rows], documents=1)
    shared = table.shared.tolist()
    sizes = list(
        zip(table.key_size.tolist(), table.response_size.tolist(), strict=True)
    )
    b_cubed = [
        sum(
            (Fraction(n * n, s[at]) for n, s in zip(shared, sizes, strict=True)),
            Fraction(),
        )
        for at in (0, 1)
    ]
    counts = METRICS["b_cubed"].count(table)[0].tolist()
    assert_near(counts[0], b_cubed[0])
    assert_near(counts[2], b_cubed[1])
    lea = [Fraction(), Fraction()]
    for n, s in zip(shared, sizes, strict=True):
        links = math.comb(n, 2) + (s == (1, 1))
        for at in (0, 1):
            lea[at] += Fraction(s[at] * links, math.comb(s[at], 2) or 1)
    counts = METRICS["lea"].count(table)[0].tolist()
    assert_near(counts[0], lea[0])
    assert_near(counts[2], lea[1])


def assert_near(found, exact):
    assert abs(Fraction(found) - exact) <= exact / 10**15


# Two entities a side, and more mentions than a float has pairs for.
VAST = 10**9


def vast_table():
    key = Entities(np.zeros(2, np.int64), np.array([VAST, VAST - 1]))
    response = Entities(np.zeros(2, np.int64), np.array([VAST + 2, VAST - 5]))
    cells = np.array([0, 0, 1]), np.array([0, 1, 1])
    return Overlap(1, key, response, *cells, np.array([VAST - 7, 3, VAST - 11]))


def test_pairs_beyond_the_digits_of_a_float_are_counted():
    found = METRICS["blanc"].count(vast_table())
    assert found.dtype == np.int64
    shared = [VAST - 7, 3, VAST - 11]
    both = sum(math.comb(n, 2) for n in shared)
    assert found[0, 0] == both
    assert found[0, 1] == math.comb(VAST, 2) + math.comb(VAST - 1, 2)
    kept = math.comb(VAST - 4, 2) + math.comb(VAST - 11, 2)
    other = math.comb(VAST - 7, 2) + math.comb(VAST - 8, 2)
    assert found[0, 4] == math.comb(sum(shared), 2) - kept - other + both


def test_vast_counts_stay_exact_in_scores_json_and_sums():
    metrics = tuple(METRICS[name] for name in ("mentions", "muc", "blanc", "b_cubed"))
    table = vast_table()
    counts = {one.name: np.repeat(one.count(table), 2, 0) for one in metrics}
    result = Evaluation("k", "r", DEFAULT_SETTINGS, metrics, ("a", "b"), counts)
    both = 2 * sum(math.comb(n, 2) for n in (VAST - 7, 3, VAST - 11))
    assert result["blanc"].coreference.recall_numerator == both
    assert isinstance(result["muc"].recall_numerator, float)
    written = json.loads(json.dumps(result.to_dict(per_document=True)))
    text = json.dumps(written)
    assert str(both) in text
    assert str(both // 2) in text
    rows = score_all_rows(METRICS["blanc"], counts["blanc"])
    assert rows.f1[0] == pytest.approx(result["blanc"].f1, rel=1e-12)
    total = result["blanc"]
    parts = total.coreference, total.non_coreference
    assert total.recall_denominator == sum(
        one.recall_denominator for one in map(exact, parts)
    )


def exact(score):
    return replace(score, recall_denominator=int(score.recall_denominator))


def test_documents_whose_pairs_do_not_fit_are_refused():
    size = np.array([3_037_000_500])
    side = Entities(np.zeros(1, np.int64), size)
    with pytest.raises(
        corefkit.SettingsError, match="3,037,000,500 mentions, more than"
    ):
        Overlap(1, side, side, np.zeros(1, np.int64), np.zeros(1, np.int64), size)


def test_a_corpus_whose_pairs_do_not_fit_is_refused():
    metric = METRICS["blanc"]
    counts = {"blanc": np.repeat(metric.count(vast_table()), 12, 0)}
    documents = tuple("abcdefghijkl")
    result = Evaluation("k", "r", DEFAULT_SETTINGS, (metric,), documents, counts)
    with pytest.raises(corefkit.SettingsError, match="too large"):
        result.scores  # noqa: B018
