"""Read JSON that somebody may have altered, and say where it is wrong.

A function whose name begins with `a` reads a value as what the name says, or raises
`Fault`; `at` and `each` add where the value stands.
"""

from __future__ import annotations

import json
import marshal
from typing import TYPE_CHECKING, Any, TypeVar

from corefkit.exceptions import quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_Kind = TypeVar("_Kind")
_NEAR = 1e-9  # by which a sum of fractions may be off
_EXACT = 2**53
_MOST = 10**18  # a number that no corpus counts to
_SHARED = 1 << 14  # objects that are remembered, to be shared
_LONGEST = 1 << 11  # bytes of one of them
_KINDS: Mapping[type, str] = {
    dict: "an object",
    list: "a list",
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    type(None): "null",
}


class Fault(ValueError):
    """What is wrong with a value, and the steps that lead to it from the top."""

    def __init__(self, steps: tuple[str | int, ...], what: str) -> None:
        super().__init__(what)
        self.steps, self.what = steps, what

    def __str__(self) -> str:
        """Say what is wrong where, as in `systems.0.scores.muc.recall is missing`."""
        return f"{'.'.join(map(str, self.steps)) or 'the file'} {self.what}"


def parsed(content: bytes, *, shared: bool = False) -> Any:
    """Read strict JSON, without what only Python accepts.

    Objects that are alike may be `shared`: then nobody may change one.

    >>> parsed(b'{"f1": 0.5}')
    {'f1': 0.5}
    >>> one, other, third = parsed(
    ...     b'[{"a": [1]}, {"a": [1]}, {"a": [1.0]}]', shared=True
    ... )
    >>> one is other, one is third
    (True, False)
    """
    make = _sharing() if shared else _without_repeats
    try:
        return json.loads(content, object_pairs_hook=make, parse_constant=_no_number)
    except RecursionError as error:
        raise Fault((), "is nested too deep") from error
    except Fault:
        raise
    except ValueError as error:
        raise Fault((), f"is no JSON: {error}") from error


def _sharing() -> Callable[[list[tuple[str, Any]]], dict[str, Any]]:
    """Make a hook that gives objects which are alike as one, some of them."""
    known: dict[bytes, dict[str, Any]] = {}

    def shared(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        # These bytes tell 1 from 1.0; version 2 is the same for the same values.
        said = marshal.dumps(pairs, 2)
        found = known.get(said)
        if found is None:
            found = _without_repeats(pairs)
            if len(said) <= _LONGEST:
                if len(known) >= _SHARED:
                    known.clear()
                known[said] = found
        return found

    return shared


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise Fault((), f"has {quoted(twice)} twice in one object")
    return values


def _no_number(word: str) -> float:
    raise Fault((), f"is no JSON: it has {word} where a number belongs")


def at(
    values: Mapping[str, Any] | Sequence[Any], step: Any, read: Callable[[Any], _Kind]
) -> _Kind:
    """Read a value inside another; a fault says where it stands."""
    if isinstance(values, dict) and step not in values:
        raise Fault((step,), "is missing")
    try:
        return read(values[step])
    except Fault as fault:
        raise Fault((step, *fault.steps), fault.what) from fault


def each(
    values: Mapping[str, Any], name: str, read: Callable[[Any], _Kind]
) -> list[_Kind]:
    """Read a list; an empty one may be missing."""

    def read_all(value: object) -> list[_Kind]:
        items = a_list(value)
        return [at(items, number, read) for number in range(len(items))]

    return at(values, name, read_all) if name in values else []


def an_object(value: object) -> dict[str, Any]:
    """Read a value as an object."""
    return _checked(value, dict)


def a_list(value: object) -> list[Any]:
    """Read a value as a list."""
    return _checked(value, list)


def a_text(value: object) -> str:
    """Read a value as a text."""
    return _checked(value, str)


def a_count(value: object) -> int:
    """Read a value as a whole number from 0 on."""
    number = _checked(value, int)
    if not 0 <= number <= _MOST:
        raise Fault((), "is no number that can be counted to")
    return number


def a_number(value: object) -> float:
    """Read a value as a number that is not too large."""
    number = _checked(value, int, float)
    if not -_MOST <= number <= _MOST:
        raise Fault((), "is too large for a number")
    # A float would round a larger integer.
    return number if isinstance(number, int) and abs(number) > _EXACT else float(number)


def _bounded(low: float, high: float, expected: str) -> Callable[[object], float]:
    def read(value: object) -> float:
        number = a_number(value)
        if not low - _NEAR <= number <= high + _NEAR:
            raise Fault((), f"is {number:g}, expected a number {expected}")
        return number

    return read


a_positive_number = _bounded(0, _MOST, "from 0 on")
a_share = _bounded(0, 1, "between 0 and 1")
at_most_one = _bounded(-_MOST, 1, "up to 1")  # ACE-value can be below 0


def _checked(value: Any, *kinds: type[_Kind]) -> _Kind:
    if not isinstance(value, kinds) or isinstance(value, bool):
        raise Fault((), f"is {_KINDS[type(value)]}, expected {_KINDS[kinds[-1]]}")
    return value
