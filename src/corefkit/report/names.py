"""Names of files and systems: short, and never two alike."""

from __future__ import annotations

import re
from os.path import commonprefix
from pathlib import PurePath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_CUT = "…"
_NUMBER = re.compile(r" *[0-9]+[.]? ")  # before a name
_LEAST = 8  # columns that a name is cut to behind its number
_STORED = ".json"  # what `score` printed before


def names_of(paths: Sequence[str]) -> list[str]:
    """Name paths by their file names, or where two are alike by the whole paths.

    Where these are alike too, as for what is in memory, they are numbered.

    >>> names_of(["x/a.conll", "y/b.conll"]), names_of(["x/a.conll", "y/a.conll"])
    (['a.conll', 'b.conll'], ['x/a.conll', 'y/a.conll'])
    >>> names_of(["response", "response"])
    ['1. response', '2. response']
    """
    numbered = [f"{number}. {path}" for number, path in enumerate(paths, start=1)]
    ways = ([PurePath(path).name for path in paths], list(paths), numbered)
    return next(names for names in ways if len(set(names)) == len(names))


def without_endings(names: Sequence[str]) -> list[str]:
    """Leave out the endings of file names, unless two names become alike.

    >>> without_endings(["a.conll", "b.jsonl"]), without_endings(["a.conll", "a.jsonl"])
    (['a', 'b'], ['a.conll', 'a.jsonl'])
    >>> without_endings(["v1.2", "v2.2"])
    ['v1.2', 'v2.2']
    """
    # Imported here because formats are many, and few pages leave endings out.
    from corefkit.formats import FORMATS

    of_formats = {ending for format in FORMATS.values() for ending in format.suffixes}
    endings = sorted(of_formats | {_STORED}, key=len, reverse=True)
    short = []
    for name in names:
        ending = next((end for end in endings if name.endswith(end)), "")
        short.append(name.removesuffix(ending) or name)
    return short if len({*short}) == len(short) else [*names]


def shortened(
    names: Sequence[str], limit: int, *, width: Callable[[str], int] = len
) -> list[str]:
    """Cut the middle out of names wider than a limit so that no two become alike.

    An ending of files that all share is left out first. Names that differ only where
    they are cut are cut elsewhere, or at both ends, or less. Names that are alike stay
    alike. Names with numbers are told apart without these, if there is room for it.

    >>> shortened(["a-very-long-name-of-a-system.conll", "short"], 18)
    ['a-very-lo…em.conll', 'short']
    >>> shortened(["system-one-of-two.conll", "system-two-of-two.conll"], 14)
    ['syst…ne-of-two', 'syst…wo-of-two']
    >>> shortened(["(story/lamps); part 000", "(story/light); part 000"], 12)
    ['…lamps…', '…light…']
    >>> shortened([f"(bc/cctv_{at:04}); part {at // 2:03}" for at in range(3)], 12)
    ['…/cctv_0000…', '…/cctv_0001…', '…/cctv_0002…']
    >>> shortened(["1. team-a-of-a-place.conll", "2. team-b-of-a-place.conll"], 14)
    ['1. team-a-o…ce', '2. team-b-o…ce']
    """
    numbers = [_NUMBER.match(name) for name in names]
    known = [number[0] for number in numbers if number is not None]
    room = limit - max(map(width, known), default=0)
    if len(known) == len(names) > 1 and room >= _LEAST:
        parts = [name.removeprefix(known[at]) for at, name in enumerate(names)]
        short = [*map(str.__add__, known, _cut_names(parts, room, width))]
        if max(map(width, short)) <= limit:
            return short
    return _cut_names(names, limit, width)


def _cut_names(
    names: Sequence[str], limit: int, width: Callable[[str], int]
) -> list[str]:
    longest = max(map(width, names), default=0)
    endings = {PurePath(name).suffix for name in names}
    if longest > limit and len(names) > 1 and _is_ending(*endings):
        names = [name.removesuffix(*endings) for name in names]
        longest = max(map(width, names))
    different = len(set(names))
    room, cores = limit, _cores(names, width)
    while room < longest:
        # The start tells most names apart, the end those with a number.
        for start in (room // 2, room // 3, room - room // 3, room - 4, 2):
            short = [
                name if width(name) <= room else _cut(name, start, room, width)
                for name in names
            ]
            if len(set(short)) == different:
                return short
        if max(map(width, cores)) <= room:
            return cores
        for behind in _ends(names, room):
            short = [
                name if width(name) <= room else _window(name, behind, room, width)
                for name in names
            ]
            if len(set(short)) == different:
                return short
        room += max(1, room // 8)
    return list(names)


def _is_ending(ending: str, *others: str) -> bool:
    """Say whether all files have one ending, and no other sign of a point."""
    return not others and ending[1:].isalnum()


def _cores(names: Sequence[str], width: Callable[[str], int]) -> list[str]:
    """Leave out what all names begin and end with, as far as a word is not cut."""

    def inside(letter: str) -> bool:
        # A mark that combines with a letter has no width and stays with it.
        return letter.isalnum() or not width(letter)

    begin = commonprefix(names)  # noqa: RUF071 - letters are what is compared
    while begin and inside(begin[-1]):
        begin = begin[:-1]
    rests = [name[len(begin) :] for name in names]
    end = commonprefix([rest[::-1] for rest in rests])[::-1]  # noqa: RUF071
    while end and inside(end[0]):
        end = end[1:]
    return [
        f"{_CUT * bool(begin)}{rest.removesuffix(end)}{_CUT * bool(end)}"
        for rest in rests
    ]


def _cut(name: str, start: int, room: int, width: Callable[[str], int]) -> str:
    """Keep about `start` columns of a name's beginning, and of its end what fits.

    Marks that combine with a letter have no width and stay with it.
    """
    first = _fitting(name, start, width)
    last = _fitting(name[::-1], room - width(first) - 1, width)[::-1]
    # Without the letter that they stand on, marks would go to the sign of the cut.
    while last and not width(last[0]):
        last = last[1:]
    return f"{first}{_CUT}{last}"


def _ends(names: Sequence[str], most: int) -> list[int]:
    """Count the letters at the end of all names that come behind a word, most first."""
    return [
        size
        for size in range(most - 1, 0, -1)
        if all(
            name[-size - 1 : -size].isalnum() and not name[-size].isalnum()
            for name in names
            if len(name) > size
        )
    ]


def _window(name: str, behind: int, room: int, width: Callable[[str], int]) -> str:
    """Leave out so many letters of a name's end, and of its beginning what is more."""
    kept = _fitting(name[:-behind][::-1], room - 2, width)[::-1]
    while kept and not width(kept[0]):
        kept = kept[1:]
    return f"{_CUT}{kept}{_CUT}"


def _fitting(text: str, room: int, width: Callable[[str], int]) -> str:
    size = used = 0
    for letter in text:
        used += width(letter)
        if used > room:
            break
        size += 1
    return text[:size]
