"""Mentions that match though their tokens differ: by heads, minimum spans and trees."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from corefkit.alignment.matching import equality_codes, same_codes
from corefkit.alignment.matching.candidates import (
    head_positions,
    same_anchor,
    within_and_around,
)
from corefkit.alignment.matching.pairs import Alignment, best_pairs
from corefkit.settings import by_choice

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from corefkit.alignment.matching.pairs import Free, Pairs
    from corefkit.alignment.matching.positions import Positions
    from corefkit.columns import Ints
    from corefkit.settings import Settings


def align_loosely(
    sides: tuple[Positions, Positions],
    settings: Settings,
    anchors: tuple[Ints, Ints] | None,
    *,
    by_dependency: bool,
) -> Alignment:
    """Align zeros by what they depend on, then equal mentions, then the others."""
    done = Alignment.none()
    if by_dependency:
        from corefkit.alignment.matching.zeros import by_dependencies

        done = by_dependencies(*sides)
    key_code, response_code = equality_codes(sides, settings)
    keys = np.delete(np.arange(len(key_code)), done.key)
    responses = np.delete(np.arange(len(response_code)), done.response)
    same = same_codes(key_code[keys], response_code[responses])
    done = done.joined(Alignment(keys[same.key], responses[same.response]))
    if settings.is_exact:
        return done
    free = (
        np.ones(len(sides[0].start), np.bool_),
        np.ones(len(sides[1].start), np.bool_),
    )
    free[0][done.key], free[1][done.response] = False, False
    pairs = by_choice(settings, "match", _CANDIDATES)(*sides, free)
    if anchors is not None:
        pairs = pairs.joined(same_anchor(*sides, free, anchors))
    return done.joined(best_pairs(pairs, *sides, free))


def _same_head(key: Positions, response: Positions, free: Free) -> Pairs:
    return same_anchor(
        key, response, free, (head_positions(key), head_positions(response))
    )


# Who may be a pair beside those with the same tokens.
_CANDIDATES: Mapping[str, Callable[..., Pairs]] = {
    "head": _same_head,
    "partial": partial(within_and_around, minimum=False),
    "min": partial(within_and_around, minimum=True),
}
