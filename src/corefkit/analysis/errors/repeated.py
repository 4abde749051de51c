"""Repeated mentions: one of each is analysed, also where all would be counted.

Errors are found in partitions, in which a mention stands in one entity. How the
reference scorer would count the others after a repair is not defined.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefkit.alignment.runs import Run
    from corefkit.settings import Settings

_ONE_OF_EACH = (
    "repeated mentions are kept in the first of their entities here, and F1 is counted "
    "so: how the reference scorer would count them after a repair is not defined"
)


def one_of_each(settings: Settings) -> Settings:
    """Keep one of mentions that stand more than once, where all would be counted.

    >>> from corefkit.settings import PRESETS
    >>> one_of_each(PRESETS["conll2012"]).repeated
    'first'
    """
    return replace(settings, repeated="first") if settings.counts_copies else settings


def effective_settings(
    asked: Settings, runs: Sequence[Run]
) -> tuple[Settings, list[str]]:
    """Find the settings that results come from, and say where others were asked for.

    Without repeated mentions, it is all one which of them count.
    """
    if not runs:
        return asked, []
    settings = runs[0].effective_settings
    if not asked.counts_copies:
        return settings, []
    if any(side.repeats.count for run in runs for side in (run.key, run.response)):
        return settings, [_ONE_OF_EACH]
    return replace(settings, repeated=asked.repeated), []
