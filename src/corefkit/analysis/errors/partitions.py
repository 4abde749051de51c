"""What settings mean for errors, which are found in partitions.

In a partition a mention stands in one entity, and an entity is its mentions. Of
mentions that stand more than once, one is analysed, and split antecedents are left out,
also where scores count both: what becomes of them in a repair is not defined.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefkit.analysis.errors.tallies import Tally
    from corefkit.settings import Settings

_ONE_OF_EACH = (
    "repeated mentions are kept in the first of their entities here, and F1 is counted "
    "so: how the reference scorer would count them after a repair is not defined"
)
_NO_SPLIT = (
    "split antecedents are left out here, and F1 is counted so: what becomes of them "
    "in a repair is not defined"
)


def one_of_each(settings: Settings) -> Settings:
    """Keep one of mentions that stand more than once, where all would be counted.

    >>> from corefkit.settings import PRESETS
    >>> one_of_each(PRESETS["conll2012"]).repeated
    'first'
    """
    return replace(settings, repeated="first") if settings.counts_copies else settings


def effective_settings(
    asked: Settings, tallies: Sequence[Tally]
) -> tuple[Settings, list[str]]:
    """Find the settings that results come from, and say where others were asked for.

    Without repeated mentions and split antecedents, what was asked for was done.
    """
    if not tallies:
        return asked, []
    settings, notes = tallies[0].run.effective_settings, []
    sides = [side for tally in tallies for side in (tally.run.key, tally.run.response)]
    if asked.counts_copies and any(side.repeats.count for side in sides):
        notes.append(_ONE_OF_EACH)
    else:
        settings = replace(settings, repeated=asked.repeated)
    if any(tally.has_split for tally in tallies):
        settings = replace(settings, split="ignore")
        notes.append(_NO_SPLIT)
    return settings, notes
