"""The entities of one document in memory, in whatever lists, arrays and mappings.

Rules are those of `corefkit.formats.memory.shapes`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import chain
from typing import cast

from corefkit.exceptions import FormatError
from corefkit.formats.memory.kinds import (
    RIGHT_SHAPES,
    excerpt,
    is_iterable,
    is_span,
    mentions_of,
)
from corefkit.formats.memory.partitions import Entities, are_lists, plain_entities


def partition(value: object, place: str) -> Entities:
    """Read one document that has no words.

    Args:
        value: entities, or a mapping of their ids to mentions.
        place: what messages call it.

    >>> partition({"e": [(0, 1), (3, 3)]}, "key")
    {'e': ((0, 1), (3, 3))}
    """
    if isinstance(value, str):
        raise _no_label(value, place)
    if not isinstance(value, Mapping):
        return entities_in(listed(value, place), place)
    entities = by_name(value, "entities", place)
    for entity in entities.values():
        if isinstance(entity, str):
            raise _no_label(entity, place)
    mentions = entities_in(list(entities.values()), place)
    return dict(zip(entities, mentions, strict=True))


def entities_in(parts: Sequence[object], place: str) -> Sequence[Sequence[Hashable]]:
    """Read the mentions of each entity."""
    if (plain := plain_entities(parts)) is not None:
        return plain
    lists = parts_listed(parts, place)
    for part in lists:
        if isinstance(part, Mapping):
            message = f"found the mapping {excerpt(part)}, expected mentions"
            raise FormatError(message, place=place, hint=RIGHT_SHAPES)
    entities = cast("list[Sequence[object]]", lists)
    return [mentions_of(list(entity), place) for entity in entities]


def is_plain(value: object) -> bool:
    """Say whether a value is of no other library; few are, and all start fast."""
    return type(value).__module__ == "builtins"


def by_name(value: Mapping[object, object], what: str, place: str) -> dict[str, object]:
    """Write the names of a mapping as strings; refuse two that are written alike."""
    named = {str(name): part for name, part in value.items()}
    if len(named) < len(value):
        message = f"two {what} are called alike: {excerpt(list(value))}"
        raise FormatError(message, place=place, hint="names are compared as strings")
    return named


def listed(value: object, place: str) -> list[object]:
    """List what an iterable gives; arrays, and arrays in it, are lists too."""
    if not is_plain(value):
        value = _without_library(value, place)
    if isinstance(value, bytes | bytearray | memoryview) or not is_iterable(value):
        raise _no_label(value, place)
    items = list(cast("Iterable[object]", value))
    if _has_arrays(items):
        return [item.tolist() if hasattr(item, "tolist") else item for item in items]
    return items


def _has_arrays(items: Iterable[object]) -> bool:
    return any(hasattr(kind, "tolist") for kind in set(map(type, items)))


def parts_listed(parts: Sequence[object], place: str) -> list[object]:
    """List what each part has; strings and mappings stay what they are."""
    if are_lists(parts):
        inside = chain.from_iterable(cast("Sequence[Iterable[object]]", parts))
        if not _has_arrays(inside):
            return list(parts)
    return [
        part if isinstance(part, str) or _is_mapping(part) else listed(part, place)
        for part in parts
    ]


def _without_library(value: object, place: str) -> object:
    from corefkit.formats.tables.frames import frame_of

    if frame_of(value, place) is not None:
        message = "a table stands where entities or mentions do"
        hint = "give one table of all documents, with a column that names them"
        raise FormatError(message, place=place, hint=hint)
    return value.tolist() if hasattr(value, "tolist") else value


def _is_mapping(value: object) -> bool:
    """Say whether a value maps names to something, as `dict.fromkeys` does not."""
    if not isinstance(value, Mapping):
        return False
    return any(item is not None for item in value.values())


def _no_label(value: object, place: str) -> FormatError:
    message = f"found {excerpt(value)}, expected entities, each with its mentions"
    hint = f"labels, one for each mention, are not read; {RIGHT_SHAPES}"
    return FormatError(message, place=place, hint=hint)


def refuse_spans(entities: Entities, place: str) -> None:
    """Refuse spans where entities should be: nothing but pairs, one of one number."""
    pairs = list(entities.values() if isinstance(entities, Mapping) else entities)
    if set(map(len, pairs)) != {2} or all(one != last for one, last in pairs):
        return
    if all(map(is_span, pairs)):
        message = f"found {excerpt(pairs)}, which are spans and no entities"
        raise FormatError(message, place=place, hint=RIGHT_SHAPES)
