"""Repeated mentions counted as the reference scorer does: links, and what they cost."""

from __future__ import annotations

from itertools import combinations_with_replacement

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefkit.metrics import METRICS
from corefkit.metrics.reference import ListedDocument, reference_counts
from corefkit.metrics.reference import counts as of_copies
from corefkit.metrics.reference.counts import memberships as memberships_of

sides = st.lists(
    st.lists(st.integers(0, 8), min_size=1, max_size=5), min_size=1, max_size=6
)


def slow_links(document):
    """Count coreferent and other links pair by pair, a mention with itself too."""
    counts = [[0] * 4, [0] * 4]
    memberships = [memberships_of(side) for side in (document.key, document.response)]
    mentions = sorted(memberships[0].keys() | memberships[1].keys())
    for one, other in combinations_with_replacement(mentions, 2):
        found = [_kinds(one, other, side) for side in memberships]
        for kind in (0, 1):
            in_key, in_response = found[0][kind], found[1][kind]
            both = in_key and in_response
            for place, value in enumerate((both, in_key, both, in_response)):
                counts[kind][place] += value
    return [float(count) for row in counts for count in row]


def _kinds(one, other, side):
    entities, others = side.get(one, ()), side.get(other, ())
    if one == other:
        return len(set(entities)) < len(entities), len(set(entities)) > 1
    pairs = [(a, b) for a in entities for b in others]
    return any(a == b for a, b in pairs), any(a != b for a, b in pairs)


@pytest.mark.parametrize("few", [0, 2, 6])
@given(key=sides, response=sides)
def test_links_of_repeated_mentions_are_those_of_all_pairs(few, key, response):
    document = ListedDocument(key, response)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(of_copies, "_FEW", few)
        assert reference_counts(METRICS["blanc"], document)[:8] == slow_links(document)


def test_b_cubed_of_a_key_mention_in_two_entities():
    # a stands in both key entities and is found in the last; b in the first.
    document = ListedDocument([["a", "b"], ["a", "c"]], [["a", "b"]])
    assert reference_counts(METRICS["b_cubed"], document) == [1 / 2 + 2 / 2, 4, 1.5, 2]


class Counted(str):
    """A mention that counts how often it is looked up."""

    __slots__ = ()
    lookups = 0

    def __hash__(self):
        Counted.lookups += 1
        return super().__hash__()


@pytest.mark.parametrize("metric", ["muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc"])
def test_mentions_in_a_common_entity_and_one_of_their_own_cost_what_they_are(metric):
    lookups = []
    for number in (200, 400):
        names = [Counted(one) for one in range(number)]
        key = [names, *([name] for name in names)]
        Counted.lookups = 0
        reference_counts(METRICS[metric], ListedDocument(key, [names]))
        lookups.append(Counted.lookups)
    assert lookups[1] <= 2.1 * lookups[0]


def test_mentions_in_two_entities_are_linked_without_a_look_at_each_pair(monkeypatch):
    asked = []
    earlier = of_copies._Homes.earlier
    monkeypatch.setattr(
        of_copies._Homes,
        "earlier",
        lambda self, kind: asked.append(kind) or earlier(self, kind),
    )
    names = list(range(2000))
    key = [names, *([name] for name in names)]
    counts = reference_counts(METRICS["blanc"], ListedDocument(key, [names]))
    assert counts[1] == 2000 * 1999 / 2
    assert asked == []
