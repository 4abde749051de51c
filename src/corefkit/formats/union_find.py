"""Entities from links: one union-find for all formats that link mentions in pairs."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable

_Item = TypeVar("_Item", bound=Hashable)


def connected(
    items: Iterable[_Item], links: Iterable[Iterable[_Item]]
) -> list[list[_Item]]:
    """Group items that are linked, directly or through others.

    Groups stand in the order of their first items, and items in the order given.
    Whatever a link names that is not among the items is passed over.

    >>> connected("abcd", ["ac", "cd", "x"])
    [['a', 'c', 'd'], ['b']]
    """
    parent = {item: item for item in items}

    def root(item: _Item) -> _Item:
        while parent[item] != item:
            parent[item] = item = parent[parent[item]]
        return item

    for link in links:
        known = [item for item in link if item in parent]
        for item in known[1:]:
            parent[root(item)] = root(known[0])
    groups: dict[_Item, list[_Item]] = {}
    for item in parent:
        groups.setdefault(root(item), []).append(item)
    return list(groups.values())
