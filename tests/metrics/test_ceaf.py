"""What is particular to CEAF: the best alignment, whatever the shape of the table."""

from __future__ import annotations

import numpy as np
import pytest
from builders import COUNTS, letters, pairs, partitions_sharing
from hypothesis import given
from scipy.optimize import linear_sum_assignment
from slow_metrics import lea_links, phi1, phi2, phi3, phi3_links, phi4, phi4_links

import corefkit

METRICS = ("ceaf_m", "ceaf_e", "ceaf_phi1", "ceaf_phi2", "ceaf_m_links", "ceaf_e_links")


def random_table(seed: int, shape: tuple[int, int], *, most: int, filled: float):
    """Draw a table of shared mentions, each cell filled with some probability."""
    generator = np.random.default_rng(seed)
    cells = generator.integers(1, most + 1, size=shape)
    return cells * (generator.random(shape) < filled)


def chain(length: int):
    """Build a table whose best alignment undoes every row's own best choice.

    All rows but the last share 101 mentions with the next column, 100 with their own.
    The last row has only the last column, and so pushes all others back.
    """
    table = 100 * np.eye(length + 1, dtype=int)
    return table + 101 * np.eye(length + 1, k=1, dtype=int)


def near_ties(size: int):
    """Build a dense table in which most alignments are almost equally good."""
    rows, columns = np.indices((size, size))
    return 3 + (rows * columns) % 2


def products(size: int):
    """Build a dense table of products, on which greed goes furthest wrong."""
    rows, columns = np.indices((size, size))
    return 1 + (rows * columns) // size


def blocks(size: int):
    """Build dense blocks that compete for the same few columns."""
    rows, columns = np.indices((size, size))
    return 1 + 6 * (columns < size // 4) + (rows + columns) % 3


TABLES = {
    "dense 60 x 60, many ties": random_table(1, (60, 60), most=2, filled=1.0),
    "dense 60 x 60, spread values": random_table(2, (60, 60), most=30, filled=1.0),
    "dense 60 x 60, half filled": random_table(3, (60, 60), most=4, filled=0.5),
    "dense 60 x 60, near ties": near_ties(60),
    "dense 60 x 60, products": products(60),
    "dense 60 x 60, blocks": blocks(60),
    "dense 60 x 60, all equal": np.ones((60, 60), dtype=int),
    "wide 10 x 90": random_table(4, (10, 90), most=5, filled=0.7),
    "tall 90 x 10": random_table(5, (90, 10), most=5, filled=0.7),
    "one row": random_table(6, (1, 40), most=9, filled=1.0),
    "one column": random_table(7, (40, 1), most=9, filled=1.0),
    "sparse 300 x 300": random_table(8, (300, 300), most=6, filled=0.008),
    "sparser 400 x 350": random_table(9, (400, 350), most=3, filled=0.003),
    "dense 200 x 200": random_table(10, (200, 200), most=2, filled=0.6),
    "chain": chain(80),
    "chain backwards": chain(80)[::-1, ::-1],
    "chain, swapped": chain(80).T,
}


def best_total(similarity) -> float:
    rows, columns = linear_sum_assignment(similarity, maximize=True)
    return float(similarity[rows, columns].sum())


def pairs_in(mentions):
    return mentions * (mentions - 1) / 2


def links_of(sizes):
    """Count the links of entities; a singleton has one, to itself."""
    return np.maximum(pairs_in(sizes), 1)


@pytest.mark.parametrize("shared", TABLES.values(), ids=TABLES)
@pytest.mark.slow
def test_ceaf_equals_a_dense_assignment(shared):
    sizes = shared.sum(axis=1, keepdims=True), shared.sum(axis=0, keepdims=True)
    common = np.where(
        (shared == 1) & (sizes[0] == 1) & (sizes[1] == 1), 1, pairs_in(shared)
    )
    key, response = partitions_sharing(shared)
    result = corefkit.score(key, response, metrics=METRICS)
    expected = {
        "ceaf_m": best_total(shared),
        "ceaf_e": best_total(2 * shared / np.maximum(sizes[0] + sizes[1], 1)),
        "ceaf_phi1": best_total(
            (shared > 0) & (shared == sizes[0]) & (shared == sizes[1])
        ),
        "ceaf_phi2": best_total(shared > 0),
        "ceaf_m_links": best_total(common),
        "ceaf_e_links": best_total(
            2 * common / (links_of(sizes[0]) + links_of(sizes[1]))
        ),
    }
    assert {name: result[name].recall_numerator for name in METRICS} == pytest.approx(
        expected, rel=1e-9
    )


@pytest.mark.parametrize("seed", range(30))
def test_ceaf_equals_a_dense_assignment_with_twinless_mentions(seed):
    shared = random_table(seed, (12, 15), most=4, filled=0.4)
    shared = shared[shared.any(axis=1)][:, shared.any(axis=0)]
    generator = np.random.default_rng(seed)
    key_extras, response_extras = (
        generator.integers(0, 4, size=size) for size in shared.shape
    )
    key, response = partitions_sharing(shared)
    result = corefkit.score(
        with_twinless(key, key_extras, "key"),
        with_twinless(response, response_extras, "response"),
        metrics=["ceaf_m", "ceaf_e"],
    )
    key_sizes = shared.sum(axis=1) + key_extras
    response_sizes = shared.sum(axis=0) + response_extras
    similarity = 2 * shared / np.add.outer(key_sizes, response_sizes)
    assert result["ceaf_m"].recall_numerator == best_total(shared)
    assert result["ceaf_e"].recall_numerator == pytest.approx(
        best_total(similarity), rel=1e-9
    )


@given(pairs(40))
def test_ceaf_has_one_numerator_for_recall_and_precision(pair):
    result = corefkit.score(*pair, metrics=METRICS)
    for name in METRICS:
        score = result[name]
        assert score.recall_numerator == score.precision_numerator


@given(pairs(40))
def test_ceaf_denominators_count_mentions_links_or_entities(pair):
    key, response = pair
    result = corefkit.score(key, response, metrics=METRICS)
    key_mentions, response_mentions = (sum(map(len, side)) for side in pair)
    expected = dict.fromkeys(METRICS, (len(key), len(response)))
    expected["ceaf_m"] = (key_mentions, response_mentions)
    expected["ceaf_m_links"] = tuple(len(lea_links(side)) for side in pair)
    assert {
        name: (result[name].recall_denominator, result[name].precision_denominator)
        for name in METRICS
    } == expected


@given(pairs(40))
def test_ceaf_phi1_counts_the_entities_of_both_sides(pair):
    key, response = ({frozenset(entity) for entity in side} for side in pair)
    result = corefkit.score(*pair, metrics=["ceaf_phi1"])
    assert result["ceaf_phi1"].recall_numerator == len(key & response)


def test_ceaf_gives_up_the_best_pair_for_the_best_alignment():
    score = corefkit.score(letters("abcde fg"), letters("abcfg de"), metrics=["ceaf_m"])
    assert score["ceaf_m"].recall_numerator == 4


def test_ceaf_aligns_by_the_similarity_of_the_metric():
    # phi3 prefers the entity that shares 3 of its 9, phi4 the one that shares 2 of 2.
    result = corefkit.score(
        letters("abcdef"), letters("abcuvwxyz de"), metrics=["ceaf_m", "ceaf_e"]
    )
    assert result["ceaf_m"].recall_numerator == 3
    assert result["ceaf_e"].recall_numerator == pytest.approx(1 / 2, rel=1e-9)


@pytest.mark.parametrize("size", [2, 3, 6])
def test_ceaf_scores_the_same_for_every_one_of_many_best_alignments(size):
    key, response = partitions_sharing(np.ones((size, size), dtype=int))
    result = corefkit.score(key, response, metrics=METRICS)
    assert result["ceaf_m"].recall_numerator == size
    assert result["ceaf_e"].recall_numerator == pytest.approx(1, rel=1e-9)
    assert result["ceaf_phi2"].recall_numerator == size


class TestLinks:
    """Moosavi and Strube 2016, section 3.3."""

    NAMES = ("ceaf_m_links", "ceaf_e_links")

    def test_mention_without_a_right_link_earns_nothing(self):
        result = corefkit.score(letters("ab cd"), letters("ac bd"), metrics=self.NAMES)
        assert {name: result[name].f1 for name in self.NAMES} == dict.fromkeys(
            self.NAMES, 0
        )

    @pytest.mark.parametrize(
        ("response", "found"), [("a", 1), ("ab", 0), ("b", 0)], ids=str
    )
    def test_singleton_is_found_as_the_same_singleton_only(self, response, found):
        result = corefkit.score(["a"], [response], metrics=self.NAMES)
        assert [result[name].recall for name in self.NAMES] == [found, found]

    def test_right_links_of_an_unaligned_entity_count_for_nothing(self):
        both, one = (
            corefkit.score(["abcdefgh"], letters(found), metrics=self.NAMES)
            for found in ("abcd efgh", "abcd")
        )
        for name in self.NAMES:
            assert both[name].recall == one[name].recall
            assert both[name].precision == pytest.approx(one[name].precision / 2)

    def test_links_of_a_large_entity_are_counted_exactly(self):
        size = 100_000
        score = corefkit.score([range(size)], [range(size)], metrics=["ceaf_m_links"])
        assert score["ceaf_m_links"].recall_numerator == size * (size - 1) // 2


@pytest.mark.parametrize("size", [1, 2, 10])
def test_ceaf_e_scores_halves_alike_whatever_their_size(size):
    # Moosavi and Strube 2016, section 7.3 (2).
    halves = [range(size), range(size, 2 * size)]
    result = corefkit.score([range(2 * size)], halves, metrics=["ceaf_e"])
    assert result["ceaf_e"].recall == pytest.approx(2 / 3, rel=1e-9)
    assert result["ceaf_e"].precision == pytest.approx(1 / 3, rel=1e-9)


@pytest.mark.parametrize(
    ("name", "similarity"),
    {
        "ceaf_m": phi3,
        "ceaf_e": phi4,
        "ceaf_phi1": phi1,
        "ceaf_phi2": phi2,
        "ceaf_m_links": phi3_links,
        "ceaf_e_links": phi4_links,
    }.items(),
)
@given(pairs())
def test_ceaf_with_a_function_equals_the_metric_of_that_name(name, similarity, pair):
    own = corefkit.ceaf_with(similarity, name="own")
    result = corefkit.score(*pair, metrics=[name, own])
    assert [getattr(result["own"], field) for field in COUNTS] == pytest.approx(
        [getattr(result[name], field) for field in COUNTS], rel=1e-9
    )


def test_ceaf_with_a_function_may_align_entities_that_share_nothing():
    def equally_large(key_entity, response_entity):
        return len(key_entity) == len(response_entity)

    metric = corefkit.ceaf_with(equally_large, name="sizes")
    result = corefkit.score(letters("ab cde"), letters("vw xyz u"), metrics=[metric])
    assert result["sizes"].recall == 1
    assert result["sizes"].precision == pytest.approx(2 / 3, rel=1e-9)


def with_twinless(entities, extras, side: str):
    """Add to every entity as many mentions as `extras` says that no other side has."""
    return [
        [*entity, *((side, number, extra) for extra in range(more))]
        for number, (entity, more) in enumerate(zip(entities, extras, strict=True))
    ]
