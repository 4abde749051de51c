"""Random pairs of partitions, with pronouns, for error analyses."""

from __future__ import annotations

from typing import NamedTuple

import builders
from hypothesis import strategies as st


class Pair(NamedTuple):
    """Key and response over the mentions 0, 1, 2, ..., some of them pronouns."""

    key: list
    response: list
    pronouns: set


@st.composite
def pairs(draw, max_mentions=12):
    """Draw a key, a response, and which mentions are pronouns."""
    key, response = draw(builders.pairs(max_mentions))
    pronouns = draw(st.sets(st.integers(0, max_mentions - 1)))
    return Pair(key, response, pronouns)


def shifted(pair, by, step=1):
    """Give other mentions to a pair, in the same order."""
    sides = [
        [[mention * step + by for mention in entity] for entity in side]
        for side in pair[:2]
    ]
    return Pair(*sides, {mention * step + by for mention in pair.pronouns})


def lacking(one, other):
    """List the mentions of one side that the other lacks, in order."""
    theirs = {mention for entity in other for mention in entity}
    ours = {mention for entity in one for mention in entity}
    return sorted(ours - theirs)
