"""Changes to files, small and large: what comes out is almost a file of its format."""

from __future__ import annotations

import gzip
import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

from parquet_tables import changed_table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from random import Random

    from cases import Case

    Change = Callable[[bytes, Random, Sequence[bytes]], bytes]

_LARGEST = 60_000  # bytes; larger files only take longer
_NUMBERS = b"0 1 -1 2 7 00 +1 1.0 1e3 65536 2147483648 99999999999999999999".split()
_TEXTS = (
    *(b"", b" ", b"\t", b"\n", b"\n\n", b"\r", b"\0", b"\x1f", b"_", b"-", b"*", b"|"),
    *(b"#", b"%", b"%28", b"&", b"&amp;", b"&#0;", b"&#xD800;", b"<", b">", b"=", b":"),
    *(
        b",",
        b";",
        b"\\",
        b'"',
        b"'",
        b"(",
        b")",
        b"[",
        b"]",
        b"{",
        b"}",
        b"[1/2]",
        b"$",
    ),
    *("é".encode(), "\u00a0".encode(), "\u2028".encode(), "\x85".encode(), b"\x0b"),
    *(
        "漢".encode(),
        "😀".encode(),
        "\ufeff".encode(),
        "a\u0301".encode(),
        "٣".encode(),
    ),
    *(
        b"\xff",
        b"\xc3",
        b"\xed\xa0\x80",
        b"\xf0\x9f",
        b"(" * 40,
        b"9" * 400,
        b"a" * 300,
    ),
)
_WORDS = Path(__file__).with_name("words.toml")


def words(name: str) -> list[bytes]:
    """Return what a format is made of: its brackets, tags and keywords, and more."""
    known = tomllib.loads(_WORDS.read_text("utf-8"))
    own = [word.encode() for word in known.get(name, ())]
    # Oftener than what is odd in any format.
    return [*own, *own, *own, *_NUMBERS, *_TEXTS]


def mutated(
    case: Case, random: Random, dictionary: Sequence[bytes], others: Sequence[Case]
) -> Case:
    """Change one or several things in the files of a case."""
    changed = dict(case)
    main = next(iter(case))
    for _ in range(1 + min(int(random.expovariate(1.2)), 12)):
        ending = main if random.random() < 0.7 else random.choice(list(changed))
        if random.random() < 0.05:
            other = random.choice(others)
            changed[ending] = _joined(changed[ending], other.get(ending, b""), random)
        else:
            (change,) = random.choices(list(_CHANGES), list(_CHANGES.values()))
            if ending == ".parquet" and random.random() < 0.8:
                change = changed_table
            changed[ending] = change(changed[ending], random, dictionary)
        changed[ending] = changed[ending][:_LARGEST]
    if random.random() < 0.01:
        changed[main] = gzip.compress(changed[main])
    return changed


def _joined(data: bytes, other: bytes, random: Random) -> bytes:
    if random.random() < 0.5:
        return data + other
    cut = _line_start(data, random)
    return data[:cut] + other[_line_start(other, random) :]


def _line_start(data: bytes, random: Random) -> int:
    return data.rfind(b"\n", 0, random.randint(0, len(data))) + 1


def _flip(data: bytes, random: Random, _: Sequence[bytes]) -> bytes:
    if not data:
        return data
    at = random.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << random.randrange(8)]) + data[at + 1 :]


def _stretch(data: bytes, random: Random) -> tuple[int, int]:
    start = random.randint(0, len(data))
    return start, min(len(data), start + int(random.expovariate(0.2)) + 1)


def _delete(data: bytes, random: Random, _: Sequence[bytes]) -> bytes:
    start, end = _stretch(data, random)
    return data[:start] + data[end:]


def _duplicate(data: bytes, random: Random, _: Sequence[bytes]) -> bytes:
    start, end = _stretch(data, random)
    times = random.choice((1, 1, 1, 2, 50))
    return data[:end] + data[start:end] * times + data[end:]


def _insert(data: bytes, random: Random, dictionary: Sequence[bytes]) -> bytes:
    at = random.randint(0, len(data))
    return data[:at] + random.choice(dictionary) + data[at:]


def _pieces(data: bytes) -> list[bytes]:
    return re.split(rb"([\s()|<>=\"',:;/\[\]{}-]+)", data)


def _replace_word(data: bytes, random: Random, dictionary: Sequence[bytes]) -> bytes:
    pieces = _pieces(data)
    pieces[random.randrange(len(pieces))] = random.choice(dictionary)
    return b"".join(pieces)


def _copy_word(data: bytes, random: Random, _: Sequence[bytes]) -> bytes:
    pieces = _pieces(data)
    pieces[random.randrange(len(pieces))] = random.choice(pieces)
    return b"".join(pieces)


def _change_number(data: bytes, random: Random, _: Sequence[bytes]) -> bytes:
    found = list(re.finditer(rb"[0-9]+", data))
    if not found:
        return data
    one = random.choice(found)
    near = str(int(one[0][:15]) + random.choice((-1, 1, 2, 10))).encode()
    number = random.choice((near, near, near, random.choice(_NUMBERS)))
    return data[: one.start()] + number + data[one.end() :]


def _lines(data: bytes, random: Random, _: Sequence[bytes]) -> bytes:
    lines = data.splitlines(keepends=True) or [b""]
    at, other = random.randrange(len(lines)), random.randrange(len(lines))
    kind = random.randrange(4)
    if kind == 0:
        del lines[at]
    elif kind == 1:
        lines.insert(other, lines[at])
    elif kind == 2:
        lines[at], lines[other] = lines[other], lines[at]
    else:
        del lines[min(at, other) : max(at, other)]
    return b"".join(lines)


def _truncate(data: bytes, random: Random, _: Sequence[bytes]) -> bytes:
    at = random.randint(0, len(data))
    return data[:at] if random.random() < 0.8 else data[at:]


def _line_ends(data: bytes, random: Random, _: Sequence[bytes]) -> bytes:
    return data.replace(
        b"\n", random.choice((b"\r\n", b"\r\n", b"\r", b"\n\n", b" \n"))
    )


def _mark(data: bytes, random: Random, _: Sequence[bytes]) -> bytes:
    return random.choice((b"\xef\xbb\xbf", b"\xff\xfe", b"\n", b" ")) + data


_CHANGES: dict[Change, int] = {
    _flip: 3,
    _delete: 4,
    _duplicate: 3,
    _insert: 6,
    _replace_word: 6,
    _copy_word: 8,
    _change_number: 8,
    _lines: 8,
    _truncate: 1,
    _line_ends: 1,
    _mark: 1,
}
