"""The selection of scored mentions by an attribute, or by the mentions of the key.

Both are applied to the mentions that would be scored otherwise, so an entity of which
one mention remains is scored although `singletons` drops others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from corefkit.alignment.candidates import Alignment
from corefkit.alignment.scored_mentions import locate_mention
from corefkit.exceptions import FormatError, SettingsError, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from corefkit.alignment.overlap import Overlap
    from corefkit.alignment.scored_mentions import Block
    from corefkit.settings import Settings

    # Builds the table of two sides, which it aligns unless that was done before.
    BuildTable = Callable[[Block, Block, Alignment | None], Overlap]

_MAX_SHOWN = 10  # values in an error


def select_mentions(
    sides: tuple[Block, Block], table: Overlap, build: BuildTable
) -> tuple[Block, Block, Overlap]:
    """Select the mentions of both sides, which `table` has aligned."""
    key, response = sides
    settings = key.settings
    _check_settings(settings)
    if settings.required_attribute is not None:
        key, response = _select_by_attribute(key, response, table)
        table = build(key, response, None)
    if settings.scores_key_mentions:
        alignment = table.mentions.alignment
        is_matched = np.zeros(len(response.scored.start), np.bool_)
        is_matched[alignment.response] = True
        response = response.keep(is_matched)
        number = np.cumsum(is_matched) - 1
        alignment = Alignment(alignment.key, number[alignment.response])
        table = build(key, response, alignment)
    return key, response, table


def _check_settings(settings: Settings) -> None:
    problem = ""
    if settings.counts_copies:
        problem, hint = "all copies of duplicate mentions", "--repeated first"
    elif settings.scores_split:
        problem, hint = "split antecedents", "--split ignore"
    if problem:
        message = f"{problem} cannot be scored for a selection of mentions"
        raise SettingsError(message, code="settings/conflict", hint=hint)


def _select_by_attribute(
    key: Block, response: Block, table: Overlap
) -> tuple[Block, Block]:
    name, value = key.settings.required_attribute or ("", "")
    key_values, response_values = (
        [attributes.get(name, "") for attributes in side.read_attributes(())]
        for side in (key, response)
    )
    is_unmatched = np.ones(len(response_values), np.bool_)
    pairs = table.mentions.alignment
    is_unmatched[pairs.response] = False
    for number, partner in zip(*(side.tolist() for side in pairs), strict=True):
        response_values[partner] = response_values[partner] or key_values[number]
    _require_values(key, key_values, name)
    # Otherwise, response mentions without partner are dropped in any case.
    if not key.settings.scores_key_mentions:
        _require_values(response, response_values, name)
    if value in key_values:
        key.totals["has/key/selected"] = 1
    elif key_values:
        known = ", ".join(sorted({*key_values})[:_MAX_SHOWN])
        document = key.source.ids[key.numbers[0] or 0]
        key.firsts.setdefault("lacks/key/selected", (document, known))
    selected = (
        np.array([one == value for one in values], np.bool_)
        for values in (key_values, response_values)
    )
    return key.keep(next(selected)), response.keep(next(selected))


def _require_values(side: Block, values: Sequence[str], name: str) -> None:
    """Reject a side with mentions of which the attribute is unknown."""
    if "" not in values:
        return
    mention = values.index("")
    number = side.numbers[int(side.scored_read.document[mention])] or 0
    place = locate_mention(side.source, number, side.scored_read, mention)
    message = (
        f"a mention of document {quoted(side.source.ids[number])} has no "
        f"{quoted(name)}, by which --only selects mentions"
    )
    hint = "use a format with it, such as CoNLL-U, APF or LitBank"
    if side.role == "response":
        hint += "; --mentions key scores only mentions that match a key mention"
    raise FormatError(message, code="format/missing-class", place=place, hint=hint)


def make_value_error(known: str, settings: Settings) -> FormatError:
    """Create the error for a value of the attribute that no mention of the key has."""
    name, value = settings.required_attribute or ("", "")
    message = f"no mention of the key has {quoted(name)} {quoted(value)}"
    hint = f"known are {known}"
    return FormatError(message, code="format/missing-class", hint=hint)
