"""Responses by name: each has one of its own on every part of a page."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, cast

from corefkit.analysis.errors import is_file, named_responses
from corefkit.exceptions import FormatError, SettingsError
from corefkit.results.stored_results import is_stored
from corefkit.tables.terminal import names_of, without_endings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from corefkit.formats.inputs import Input

_ALONE = "response"  # what one without a name is called


def responses_by_name(
    key: Input, responses: object, *, format: str | None = None
) -> Mapping[str, Input]:
    """Name each response: as it is given, or by its file.

    >>> responses_by_name(["abc"], ["ab"])
    {'response': ['ab']}
    >>> responses_by_name(["abc"], {"A": ["ab"], "B": ["bc"]})
    {'A': ['ab'], 'B': ['bc']}
    """
    found: dict[str, Input]
    if _are_files(responses):
        files = [os.fspath(one) for one in cast("list[str]", responses)]
        found = {**dict(zip(_names(files), files, strict=True))}
    elif isinstance(responses, str | os.PathLike):
        path = os.fspath(responses)
        found = {_names([path])[0]: path}
    else:
        named = named_responses(key, responses, format=format)
        found = {_ALONE: cast("Input", responses)} if named is None else named
    _check(found)
    return found


def _names(files: Sequence[str]) -> list[str]:
    return without_endings(names_of(files))


def _are_files(responses: object) -> bool:
    """Tell a list of files from a partition whose mentions are letters."""
    if not isinstance(responses, list | tuple) or not any(map(is_file, responses)):
        return False
    return all(isinstance(one, str | os.PathLike) for one in responses)


def _check(responses: Mapping[str, Input]) -> None:
    """Refuse responses without a name, and scores that were stored."""
    for name, response in responses.items():
        if not name.strip():
            message = "a system has no name"
            raise SettingsError(
                message,
                code="input/unnamed-response",
                hint="{'ours': response, 'theirs': response}",
            )
        if isinstance(response, str | os.PathLike):
            refuse_stored(response)


def refuse_stored(path: str | os.PathLike[str]) -> None:
    """Refuse a file of scores that were stored, in place of the response."""
    if is_stored(path):
        message = "has scores, but no mentions, which a report shows"
        hint = "give the response itself"
        raise FormatError(
            message, code="settings/stored-scores", place=os.fspath(path), hint=hint
        )
