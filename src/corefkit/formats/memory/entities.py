"""The entities of one document in memory, in whatever lists, arrays and mappings.

What can be a mention, and what cannot:

1.  A mention is anything that can be hashed: a string, a number, a tuple of any length,
    an object.
2.  A list is one only where it is a span, two numbers of which the first is not the
    larger; it is taken as a tuple. Negative numbers are refused there: they fill up
    arrays, and would match on both sides.
3.  A mapping, a set, an array and an iterator never are, nor is any other iterable that
    is hashed by its address; nor is what is not equal to itself (NaN).
4.  A tuple of nothing but tuples, a frozenset and a range may be a mention, and may be
    an entity.

Other rules are those of `corefkit.formats.memory.shapes`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from enum import Enum
from itertools import chain
from numbers import Real
from typing import cast

from corefkit.exceptions import FormatError
from corefkit.formats.memory.partitions import (
    Entities,
    are_lists,
    are_plain,
    are_spans,
    plain_entities,
)
from corefkit.model import Entity, Mention

RIGHT_SHAPES = (
    "a partition is [[mention, ...], ...], a corpus {document: partition, ...}, and a "
    "mention (first, last), a string or a number"
)
_LETTERS = 80  # letters of a value in a message


def partition(value: object, place: str) -> Entities:
    """Read one document that has no words: entities, with ids or without.

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
    return [_mentions_of(list(entity), place) for entity in entities]


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
    return list(map(_without_arrays, items)) if _have_arrays(items) else items


def _have_arrays(items: Sequence[object]) -> bool:
    """Say whether some are arrays, or lists or tuples that have arrays in them."""
    types = set(map(type, items))
    if any(issubclass(kind, list | tuple) for kind in types):
        inside = (item for item in items if isinstance(item, list | tuple))
        types.update(map(type, chain.from_iterable(inside)))
    return any(hasattr(kind, "tolist") for kind in types)


def _without_arrays(item: object) -> object:
    """Make lists and numbers of arrays: a tensor of one number is hashed by address."""
    if hasattr(item, "tolist"):
        return item.tolist()
    if isinstance(item, list):
        return list(map(_without_arrays, item))
    return tuple(map(_without_arrays, item)) if isinstance(item, tuple) else item


def parts_listed(parts: Sequence[object], place: str) -> list[object]:
    """List what each part has; strings and mappings stay what they are."""
    if are_lists(parts):
        inside = chain.from_iterable(cast("Sequence[Iterable[object]]", parts))
        if not _have_arrays(list(inside)):
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
    hint = (
        "labels, one for each mention, go into a data frame, with the columns "
        f"document, mention and entity; {RIGHT_SHAPES}"
    )
    return FormatError(message, place=place, hint=hint)


def refuse_spans(entities: Entities, place: str) -> None:
    """Refuse spans where entities should be: nothing but pairs, one of one number."""
    pairs = list(entities.values() if isinstance(entities, Mapping) else entities)
    if set(map(len, pairs)) != {2} or all(one != last for one, last in pairs):
        return
    if all(map(is_span, pairs)):
        message = f"found {excerpt(pairs)}, which are spans and no entities"
        raise FormatError(message, place=place, hint=RIGHT_SHAPES)


class Kind(Enum):
    """What a value can be that stands where mentions do."""

    MENTION = "a mention"
    SPAN = "a list of two numbers"
    ENTITY = "what cannot be a mention"
    EITHER = "what can be both"


def kinds_of(items: Sequence[object]) -> set[Kind]:
    """Say which kinds of values there are.

    >>> kinds_of(["Ann", (0, 1)]), kinds_of([["Ann"]])
    ({<Kind.MENTION: 'a mention'>}, {<Kind.ENTITY: 'what cannot be a mention'>})
    """
    if are_plain(items):
        return {Kind.MENTION} if items else set()
    return {Kind.SPAN} if are_spans(items) else set(map(kind_of, items))


def kind_of(item: object) -> Kind:
    """Say what a value can be."""
    if isinstance(item, str | Mention) or not is_iterable(item):
        return Kind.MENTION
    if isinstance(item, list) and is_span(item):
        return Kind.SPAN
    if isinstance(item, Entity | Mapping) or not _is_hashed(item):
        return Kind.ENTITY
    if isinstance(item, frozenset | range):
        return Kind.EITHER
    inside = cast("Iterable[object]", item)
    nested = all(is_iterable(part) and not isinstance(part, str) for part in inside)
    return Kind.EITHER if nested else Kind.MENTION


def _mentions_of(items: Sequence[object], place: str) -> Sequence[Hashable]:
    """Return the items as mentions, spans as tuples; refuse what cannot be one.

    >>> _mentions_of([[0, 1], "Ann"], "key")
    [(0, 1), 'Ann']
    """
    if are_plain(items):
        return items
    if are_spans(items):
        return list(map(tuple, cast("Sequence[list[int]]", items)))
    return [_mention(item, place) for item in items]


def is_iterable(value: object) -> bool:
    """Say whether a value can be iterated over."""
    try:
        iter(cast("Iterable[object]", value))
    except TypeError:
        return False
    return True


def is_span(value: Sequence[object]) -> bool:
    """Say whether a sequence has two numbers, in order."""
    if len(value) != 2 or not all(map(is_number, value)):
        return False
    first, last = cast("Sequence[float]", value)
    return first <= last


def span(value: Sequence[float], place: str) -> tuple[float, ...]:
    """Make a span of two numbers; refuse what is none, and what fills up an array.

    >>> span([0, 1], "key")
    (0, 1)
    """
    first, last = value
    if not 0 <= first <= last:
        message = f"found the span {excerpt(value)}, expected 0 <= first <= last"
        hint = "leave out what fills up arrays and tensors"
        raise FormatError(message, place=place, hint=hint)
    return first, last


def is_number(value: object) -> bool:
    """Say whether a value is a number; True and False are none."""
    return isinstance(value, Real) and not isinstance(value, bool)


def excerpt(value: object) -> str:
    """Write a value for a message, cut where it is too long for one."""
    text = repr(value)
    return text if len(text) <= _LETTERS else f"{text[:_LETTERS]}..."


def _is_hashed(value: object) -> bool:
    """Say whether a value is hashed by what it holds, as no iterator is."""
    if type(value).__hash__ is object.__hash__:
        return False
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _mention(item: object, place: str) -> Hashable:
    kind = kind_of(item)
    if kind is Kind.SPAN:
        return span(cast("list[float]", item), place)
    try:
        hash(item)
        if kind is not Kind.ENTITY and _is_itself(item):
            return item
        wrong = "is no mention"
    except (TypeError, ValueError):
        wrong = "cannot be hashed, and so is no mention"
    message = f"{excerpt(item)}, a {type(item).__name__}, {wrong}"
    raise FormatError(message, place=place, hint=RIGHT_SHAPES)


def _is_itself(value: object) -> bool:
    """Say whether a value is equal to itself, as NaN is not."""
    if isinstance(value, tuple | frozenset):
        return all(map(_is_itself, value))
    return bool(value == value)
