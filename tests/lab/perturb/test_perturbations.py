"""Each perturbation: where it starts and ends, what it leaves alone, and its laws."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from builders import label_lists
from hypothesis import given as given_many
from hypothesis import settings
from hypothesis import strategies as st

from corefkit.lab.labels import EntityLabels, LabelPair, evaluate_labels, read_key
from corefkit.lab.perturbation import PERTURBATIONS
from corefkit.metrics.registry import find_metrics, list_default_metrics
from corefkit.settings import DEFAULT_SETTINGS

SHARES = (0.0, 0.1, 0.3, 0.5, 0.8, 1.0)
FROM_KEY = ("split", "merge", "extra", "extra-apart", "missing", "wrong-links")
FROM_NOTHING = ("correct-links", "identification", "increasing", "decreasing")
NAMES = (*FROM_KEY, *FROM_NOTHING, "twinless")


def given(**strategies):
    """Draw few examples: there are many tests here, and every one goes many steps."""
    return lambda test: settings(max_examples=15)(given_many(**strategies)(test))


@st.composite
def labelled_pairs(draw):
    """Draw a corpus in labels: empty documents, singletons and twinless mentions."""
    documents = draw(st.lists(pair_labels(), min_size=1, max_size=3))
    key, response = zip(*documents, strict=True)
    return LabelPair(side(key), side(response), ("", ""), ())


def pair_labels():
    return st.integers(0, 8).flatmap(
        lambda n: st.tuples(label_lists(n), label_lists(n))
    )


def side(documents):
    """Return the mentions whose label is not 0, each in the entity of its label."""
    rows = [
        (100 * document + mention, 100 * document + label, document)
        for document, labels in enumerate(documents)
        for mention, label in enumerate(labels)
        if label
    ]
    columns = np.array(rows, np.int64).reshape(-1, 3).T
    return EntityLabels(*columns, len(documents))


def key_of(*documents):
    """Read a key from the letters of its documents."""
    corpus = {str(number): text.split() for number, text in enumerate(documents)}
    return read_key(corpus, settings=DEFAULT_SETTINGS)


def section_7():
    """Make a key with the sizes of section 7 of Moosavi and Strube (2016)."""
    sizes = [20, 10, 10, 5, 5, 5, 4, *[2] * 10]
    entities = [[(size, n, i) for i in range(size)] for n, size in enumerate(sizes)]
    return read_key(entities, settings=DEFAULT_SETTINGS)


def responses(name, pair, shares=SHARES, seed=0):
    random = np.random.default_rng(seed)
    return list(PERTURBATIONS[name].responses(pair, random, shares))


def end(name, pair, seed=0):
    return responses(name, pair, [1.0], seed)[0]


def partition(side, *, only=None):
    """Return the entities as sets of mentions, of some mentions or of all."""
    entities = {}
    for mention, entity in zip(
        side.mention.tolist(), side.entity.tolist(), strict=True
    ):
        if only is None or mention in only:
            entities.setdefault(entity, set()).add(mention)
    return {frozenset(entity) for entity in entities.values()}


def mentions(side):
    return set(side.mention.tolist())


def shared_links(one, other):
    """Return the pairs of mentions that both sides link."""
    return links(one) & links(other)


def links(side):
    return {
        frozenset((first, second))
        for entity in partition(side)
        for first in entity
        for second in entity
        if first != second
    }


def scores(pair, response, *names):
    return evaluate_labels(pair.key, response, metrics=find_metrics(names))


def test_table_has_them_all():
    assert tuple(PERTURBATIONS) == NAMES
    starts = {name: kind.start for name, kind in PERTURBATIONS.items()}
    assert starts == {
        **dict.fromkeys(FROM_KEY, "key"),
        **dict.fromkeys(FROM_NOTHING, "nothing"),
        "twinless": "response",
    }


@pytest.mark.parametrize("name", NAMES)
class TestEvery:
    @given(pair=labelled_pairs())
    def test_starts_where_it_says(self, name, pair):
        (first,) = responses(name, pair, [0.0])
        starts = {"key": pair.key, "response": pair.response, "nothing": None}
        side = starts[PERTURBATIONS[name].start]
        assert partition(first) == (set() if side is None else partition(side))

    @given(pair=labelled_pairs(), seed=st.integers(0, 3))
    @pytest.mark.slow
    def test_response_is_a_partition_inside_documents(self, name, pair, seed):
        home = dict(zip(pair.key.mention.tolist(), pair.key.document, strict=True))
        for response in responses(name, pair, seed=seed):
            assert response.document_count == pair.key.document_count
            assert len(mentions(response)) == len(response)
            rows = {*zip(response.entity.tolist(), response.document, strict=True)}
            assert len(rows) == len({entity for entity, _ in rows})
            places = zip(response.mention.tolist(), response.document, strict=True)
            assert all(home.get(mention, place) == place for mention, place in places)

    @given(pair=labelled_pairs(), share=st.floats(0, 1))
    def test_step_is_the_same_alone_and_among_others(self, name, pair, share):
        (alone,) = responses(name, pair, [share])
        *_, last = responses(name, pair, [0.0, 0.5, 1.0, share])
        assert partition(alone) == partition(last)

    @given(pair=labelled_pairs())
    def test_key_and_response_are_not_touched(self, name, pair):
        before = [partition(pair.key), partition(pair.response)]
        responses(name, pair)
        assert [partition(pair.key), partition(pair.response)] == before

    def test_chance_follows_the_seed(self, name):
        pair = section_7()
        if name == "twinless":
            spurious, *_ = responses("extra", pair, [1.0])
            pair = pair._replace(response=spurious)
        one, same, other = (
            partition(responses(name, pair, [0.5], seed)[0]) for seed in (1, 1, 2)
        )
        assert one == same
        assert one != other

    def test_corpus_without_mentions_stays_empty(self, name):
        pair = key_of("", "")
        assert [len(response) for response in responses(name, pair)] == [0] * 6


class TestNested:
    """A larger share goes on where a smaller one ended."""

    @pytest.mark.parametrize("name", [*FROM_NOTHING, "extra", "extra-apart"])
    @given(pair=labelled_pairs())
    def test_growing_response_keeps_what_it_had(self, name, pair):
        for before, after in pairwise(responses(name, pair)):
            assert partition(after, only=mentions(before)) == partition(before)

    @pytest.mark.parametrize("name", ["missing", "twinless"])
    @given(pair=labelled_pairs())
    def test_shrinking_response_only_loses(self, name, pair):
        for before, after in pairwise(responses(name, pair)):
            assert partition(before, only=mentions(after)) == partition(after)

    @given(pair=labelled_pairs())
    def test_parts_are_split_further(self, pair):
        for before, after in pairwise(responses("split", pair)):
            assert links(after) <= links(before)

    @given(pair=labelled_pairs())
    def test_merged_entities_stay_together(self, pair):
        for before, after in pairwise(responses("merge", pair)):
            assert links(before) <= links(after)

    @given(pair=labelled_pairs())
    def test_wrong_entities_stay(self, pair):
        for before, after in pairwise(responses("wrong-links", pair)):
            moved = before.entity != pair.key.entity
            assert (before.entity[moved] == after.entity[moved]).all()


class TestSplitAndMerge:
    @pytest.mark.parametrize("name", ["split", "merge"])
    @given(pair=labelled_pairs())
    def test_no_mention_comes_or_goes(self, name, pair):
        for response in responses(name, pair):
            assert mentions(response) == mentions(pair.key)

    @given(pair=labelled_pairs())
    def test_split_ends_in_singletons(self, pair):
        assert links(end("split", pair)) == set()

    @given(pair=labelled_pairs())
    def test_each_cut_costs_one_link(self, pair):
        cuts = len(pair.key) - len(partition(pair.key))
        for share, response in zip(SHARES, responses("split", pair), strict=True):
            left = len(response) - len(partition(response))
            assert left == cuts - round(share * cuts)

    @given(pair=labelled_pairs())
    def test_merge_ends_in_one_entity_a_document(self, pair):
        response = end("merge", pair)
        assert len(partition(response)) == len(np.unique(pair.key.document))

    def test_document_of_one_entity_is_not_merged(self):
        pair = key_of("abc", "de fg")
        assert frozenset({0, 1, 2}) in partition(end("merge", pair))


class TestMentions:
    @given(pair=labelled_pairs())
    def test_extra_mentions_double_every_entity(self, pair):
        response = end("extra", pair)
        assert partition(response, only=mentions(pair.key)) == partition(pair.key)
        assert sorted(map(len, partition(response))) == sorted(
            2 * len(entity) for entity in partition(pair.key)
        )

    @given(pair=labelled_pairs())
    def test_extra_mentions_apart_are_two_by_two(self, pair):
        response = end("extra-apart", pair)
        added = partition(response) - partition(pair.key)
        sizes = np.bincount(pair.key.document, minlength=pair.key.document_count)
        assert partition(pair.key) <= partition(response)
        assert {len(entity) for entity in added} <= {2}
        assert len(added) == (sizes // 2).sum()
        assert not mentions(pair.key) & set().union(*added)

    @given(pair=labelled_pairs())
    def test_all_mentions_are_missing_in_the_end(self, pair):
        assert len(end("missing", pair)) == 0

    @given(pair=labelled_pairs())
    def test_share_of_mentions_is_missing(self, pair):
        for share, response in zip(SHARES, responses("missing", pair), strict=True):
            assert len(response) == len(pair.key) - round(share * len(pair.key))


class TestWrongLinks:
    @given(pair=labelled_pairs(), seed=st.integers(0, 3))
    def test_no_mention_comes_or_goes(self, pair, seed):
        for response in responses("wrong-links", pair, seed=seed):
            assert mentions(response) == mentions(pair.key)

    @given(pair=labelled_pairs(), seed=st.integers(0, 3))
    def test_no_right_link_is_left_where_none_need_be(self, pair, seed):
        response = end("wrong-links", pair, seed)
        for document in range(pair.key.document_count):
            key = pair.key.keep(pair.key.document == document)
            here = response.keep(response.document == document)
            largest = max(map(len, partition(key)), default=0)
            # As many as find no partner stay in the largest entity.
            left = max(2 * largest - len(key), 0)
            assert len(shared_links(key, here)) == left * (left - 1) / 2

    @given(pair=labelled_pairs(), seed=st.integers(0, 3))
    def test_moved_mentions_have_only_wrong_links(self, pair, seed):
        for response in responses("wrong-links", pair, seed=seed):
            moved = response.keep(response.entity != pair.key.entity)
            assert not shared_links(moved, pair.key)
            assert all(len(entity) > 1 for entity in partition(moved))

    def test_document_of_one_entity_stays(self):
        pair = key_of("abc", "de fg")
        assert frozenset({0, 1, 2}) in partition(end("wrong-links", pair))

    @given(pair=labelled_pairs(), seed=st.integers(0, 3))
    def test_identified_mentions_have_only_wrong_links(self, pair, seed):
        for response in responses("identification", pair, seed=seed):
            assert not shared_links(response, pair.key)
            assert all(len(entity) > 1 for entity in partition(response))

    @given(pair=labelled_pairs(), seed=st.integers(0, 3))
    def test_identification_scores_nothing_by_links(self, pair, seed):
        for response in responses("identification", pair, seed=seed):
            result = scores(pair, response, "muc", "lea")
            assert result["muc"].f1 == result["lea"].f1 == 0

    def test_both_end_in_the_same_entities(self):
        pair = section_7()
        assert partition(end("identification", pair)) == partition(
            end("wrong-links", pair)
        )

    @pytest.mark.parametrize("name", ["identification", "wrong-links"])
    def test_papers_key_shows_the_mention_identification_effect(self, name):
        # Moosavi and Strube 2016, sections 7.1 and 7.5.
        pair = section_7()
        result = scores(pair, end(name, pair), *list_default_metrics())
        assert result["mentions"].f1 == 1
        assert result["muc"].f1 == result["lea"].f1 == 0
        for metric in ("b_cubed", "ceaf_m", "ceaf_e", "blanc"):
            assert result[metric].f1 > 0.15

    def test_wrong_entities_are_as_many_as_the_keys(self):
        pair = key_of("abc def gh ij")
        assert len(partition(end("wrong-links", pair))) == 4


class TestCorrectLinks:
    @given(pair=labelled_pairs())
    def test_ends_in_the_key(self, pair):
        assert partition(end("correct-links", pair)) == partition(pair.key)

    @given(pair=labelled_pairs())
    def test_only_resolved_mentions_are_there(self, pair):
        alone = {entity for entity in partition(pair.key) if len(entity) == 1}
        for response in responses("correct-links", pair):
            assert links(response) <= links(pair.key)
            found = partition(response)
            assert {entity for entity in found if len(entity) == 1} <= alone

    @given(pair=labelled_pairs())
    def test_share_of_links_is_resolved(self, pair):
        sizes = [len(entity) for entity in partition(pair.key)]
        every = sum(max(size - 1, 1) for size in sizes)
        for share, response in zip(
            SHARES, responses("correct-links", pair), strict=True
        ):
            found = sum(max(len(entity) - 1, 1) for entity in partition(response))
            assert found == round(share * every)


class TestEntitiesBySize:
    @pytest.mark.parametrize("name", ["increasing", "decreasing"])
    @given(pair=labelled_pairs())
    @pytest.mark.slow
    def test_entities_are_whole_or_absent(self, name, pair):
        for response in responses(name, pair):
            assert partition(response) <= partition(pair.key)
        assert partition(end(name, pair)) == partition(pair.key)

    @given(pair=labelled_pairs(), seed=st.integers(0, 3))
    def test_order_is_by_size(self, pair, seed):
        sizes = sorted(len(entity) for entity in partition(pair.key))
        for name, order in (("increasing", sizes), ("decreasing", sizes[::-1])):
            for response in responses(name, pair, seed=seed):
                found = partition(response)
                expected = sorted(order[: len(found)])
                assert sorted(map(len, found)) == expected

    # Moosavi and Strube 2016, section 7.2.
    @pytest.mark.parametrize("name", ["increasing", "decreasing"])
    @given(pair=labelled_pairs())
    def test_three_metrics_agree(self, name, pair):
        for response in responses(name, pair):
            result = scores(pair, response, "b_cubed", "ceaf_m", "lea")
            f1 = result["b_cubed"].f1
            assert result["ceaf_m"].f1 == pytest.approx(f1, rel=1e-9)
            assert result["lea"].f1 == pytest.approx(f1, rel=1e-9)

    @given(pair=labelled_pairs())
    def test_ceaf_e_does_not_see_sizes(self, pair):
        orders = (responses(name, pair) for name in ("increasing", "decreasing"))
        for small, large in zip(*orders, strict=True):
            one, other = (scores(pair, order, "ceaf_e") for order in (small, large))
            assert one["ceaf_e"].f1 == pytest.approx(other["ceaf_e"].f1, rel=1e-9)


class TestTwinless:
    @given(pair=labelled_pairs())
    def test_twins_stay_with_twins(self, pair):
        twins = mentions(pair.key)
        for response in responses("twinless", pair):
            assert partition(response, only=twins) == partition(
                pair.response, only=twins
            )

    @given(pair=labelled_pairs())
    def test_share_of_the_twinless_is_dropped(self, pair):
        twinless = len(mentions(pair.response) - mentions(pair.key))
        for share, response in zip(SHARES, responses("twinless", pair), strict=True):
            left = len(mentions(response) - mentions(pair.key))
            assert left == twinless - round(share * twinless)

    @given(pair=labelled_pairs())
    def test_b_cubed_0_never_moves(self, pair):
        # Cai and Strube 2010, section 3.2: it does not take them into account.
        found = [
            scores(pair, response, "b_cubed_0")["b_cubed_0"].f1
            for response in responses("twinless", pair)
        ]
        assert found == pytest.approx([found[0]] * len(found), rel=1e-9)


# What never rises, and what is 1 throughout wherever it is defined.
FALLS = {
    "split": "recall",
    "missing": "recall",
    "wrong-links": "recall",
    "merge": "precision",
    "extra": "precision",
    "extra-apart": "precision",
}
PERFECT = {
    "split": "precision",
    "missing": "precision",
    "merge": "recall",
    "extra": "recall",
    "extra-apart": "recall",
}


@pytest.mark.parametrize(("name", "side"), FALLS.items())
@given(pair=labelled_pairs())
def test_spoiling_never_helps(name, side, pair):
    names = ("mentions", "muc", "b_cubed", "lea")
    steps = [response for response in responses(name, pair) if len(response)]
    evaluations = [scores(pair, response, *names) for response in steps]
    for metric in names:
        for before, after in pairwise(
            getattr(evaluation[metric], side) for evaluation in evaluations
        ):
            assert after <= before + 1e-9


@pytest.mark.parametrize(("name", "side"), PERFECT.items())
@given(pair=labelled_pairs())
def test_errors_of_one_kind_spare_the_other_side(name, side, pair):
    for response in responses(name, pair):
        for score in scores(pair, response, "mentions", "muc", "b3").scores.values():
            if side not in score.undefined:
                assert getattr(score, side) == pytest.approx(1, rel=1e-9)
