"""Groups of linked items, against a search through the links one by one."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from corefkit.formats.source import group_linked

ITEMS = range(8)
LINKS = st.lists(st.lists(st.sampled_from([*ITEMS, 99]), max_size=4), max_size=8)


def reached(item, links):
    """Collect what is linked with an item, going on until nothing is new."""
    group, size = {item}, 0
    while len(group) > size:
        size = len(group)
        for link in links:
            if group.intersection(link):
                group.update(one for one in link if one in ITEMS)
    return sorted(group)


@given(LINKS)
def test_groups_are_connected_components(links):
    groups = group_linked(ITEMS, links)
    assert groups == [reached(group[0], links) for group in groups]
    assert sorted(item for group in groups for item in group) == list(ITEMS)
    assert groups == sorted(groups)


def test_unknown_members_of_links_are_ignored():
    assert group_linked(["b", "a"], [["a", "x", "b"], []]) == [["b", "a"]]
    assert group_linked("ab", [["a", "x"], ["x", "b"]]) == [["a"], ["b"]]
