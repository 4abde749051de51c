"""Alignment of the words of two versions of a text, in linear time and space.

A language model that copies a text changes it: it drops, adds and respells words. Words
are folded (Unicode NFKC, case, quotes, hyphens) and split into atoms: runs of letters
and digits, and single other characters. So `Don't` and `do n't` have the same
characters in almost the same atoms, whatever the tokenization.

1.  Atoms that occur on one side only are set aside.
2.  Runs of atoms that occur once on each side are anchors, the longest increasing
    sequence of them counts. The text between two anchors is aligned in the same way
    with shorter runs, and matches are extended from anchors, in the end from both ends.
3.  Short gaps that remain are aligned by similarity of spelling, with all their atoms.
    A gap with more than `MAX_GAP` atoms on both sides stays unaligned, so that the time
    is linear for any input.
4.  Up to `MAX_REPLACED` atoms that remain between two matches are replacements if both
    sides have equally many.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import normalize

from corefkit.formats.plaintext import TOKEN

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MAX_GAP = 32
MAX_REPLACED = 3
_RUN_LENGTHS = (12, 6, 3, 1)  # of anchors, in atoms
_MIN_SIMILARITY = 0.5
_FOLDED = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛`´′", "'"),  # noqa: RUF001
        **dict.fromkeys("“”„‟«»″", '"'),
        **dict.fromkeys("‐‑‒–—―−", "-"),  # noqa: RUF001
    }
)
_DOUBLE_QUOTE = re.compile("''")
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")


class WordAlignment(NamedTuple):
    """Which words of a key and of a response correspond."""

    # The first and last key word of each response word; -1 if it has none.
    first: list[int]
    last: list[int]
    lost: int  # key words without a counterpart
    added: int  # response words without a counterpart
    changed: int  # key words whose counterpart is another word
    respelled: int  # key words whose counterpart differs in what folding removes


def align_words(key: Sequence[str], response: Sequence[str]) -> WordAlignment:
    """Align the words of a response with those of the key.

    >>> align_words("The dog 's tail".split(), "the dog's long tail".split())
    WordAlignment(first=[0, 1, -1, 3], last=[0, 2, -1, 3], lost=0, added=1, changed=0, \
respelled=1)
    """
    codes: dict[str, int] = {}
    split: dict[str, list[int]] = {}
    key_atoms, key_words = _split_words(key, codes, split)
    atoms, words = _split_words(response, codes, split)
    partners = _align_atoms(key_atoms, atoms, list(codes))
    first, last = [-1] * len(response), [-1] * len(response)
    equal = [0] * len(key)  # matched atoms of each key word
    is_matched = bytearray(len(key))
    for atom, partner in enumerate(partners):
        if partner >= 0:
            word, key_word = words[atom], key_words[partner]
            if first[word] < 0:
                first[word] = key_word
            last[word] = key_word
            is_matched[key_word] = True
            equal[key_word] += atoms[atom] == key_atoms[partner]
    changed = sum(
        count < len(split[word]) and matched
        for word, count, matched in zip(key, equal, is_matched, strict=True)
    )
    respelled = sum(
        key_word == last[word] >= 0
        and key[key_word] != response[word]
        and split[key[key_word]] == split[response[word]]
        for word, key_word in enumerate(first)
    )
    lost, added = len(key) - sum(is_matched), first.count(-1)
    return WordAlignment(first, last, lost, added, changed, respelled)


def _split_words(
    words: Sequence[str], codes: dict[str, int], split: dict[str, list[int]]
) -> tuple[list[int], list[int]]:
    """Return the atoms of words as numbers, and the word of each."""
    atoms: list[int] = []
    word_of: list[int] = []
    for number, word in enumerate(words):
        row = split.get(word)
        if row is None:
            row = [codes.setdefault(atom, len(codes)) for atom in _fold_word(word)]
            split[word] = row
        atoms += row
        word_of += [number] * len(row)
    return atoms, word_of


def _fold_word(word: str) -> list[str]:
    """Split a word into folded atoms; any word has at least one."""
    text = normalize("NFKC", word.translate(_FOLDED)).casefold().translate(_FOLDED)
    text = _INVISIBLE.sub("", normalize("NFKC", text))
    return TOKEN.findall(_DOUBLE_QUOTE.sub('"', text).replace("_", " ")) or [word]


def _align_atoms(
    key: list[int], response: list[int], texts: Sequence[str]
) -> list[int]:
    """Return the key atom of each response atom, -1 if it has none."""
    shared = {*key} & {*response}
    key_places, response_places = (
        [place for place, code in enumerate(side) if code in shared]
        for side in (key, response)
    )
    partners = [-1] * len(response)
    for i, j in _match_equal(
        [key[place] for place in key_places],
        [response[place] for place in response_places],
    ):
        partners[response_places[j]] = key_places[i]
    matches = [(i, j) for j, i in enumerate(partners) if i >= 0]
    ends = len(key), len(response)
    for (i, j), (next_i, next_j) in pairwise([(-1, -1), *matches, ends]):
        if next_i - i > 1 and next_j - j > 1:
            gap = range(i + 1, next_i), range(j + 1, next_j)
            for key_atom, atom in _match_similar(key, response, gap, texts):
                partners[atom] = key_atom
    return partners


def _match_equal(key: list[int], response: list[int]) -> Iterator[tuple[int, int]]:
    """Match equal atoms, increasing on both sides; yield pairs in any order."""
    gaps = [(0, len(key), 0, len(response), 0)]
    while gaps:
        start, end, first, last, level = gaps.pop()
        is_final = level == len(_RUN_LENGTHS)
        # Matches are extended from the anchors on both sides, in the end without them.
        if is_final or start:
            while start < end and first < last and key[start] == response[first]:
                yield start, first
                start, first = start + 1, first + 1
        if is_final or end < len(key):
            while start < end and first < last and key[end - 1] == response[last - 1]:
                end, last = end - 1, last - 1
                yield end, last
        if is_final or start == end or first == last:
            continue
        anchors = _find_anchors(key[start:end], response[first:last], level)
        previous = start, first
        for i, j in anchors:
            yield start + i, first + j
            gaps.append((previous[0], start + i, previous[1], first + j, level + 1))
            previous = start + i + 1, first + j + 1
        gaps.append((previous[0], end, previous[1], last, level + 1))


def _find_anchors(
    key: list[int], response: list[int], level: int
) -> list[tuple[int, int]]:
    """Find runs that both sides have once, in the same order; return their starts."""
    length = _RUN_LENGTHS[level]
    key_places, response_places = (
        _find_unique(list(zip(*(side[k:] for k in range(length)), strict=False)))
        for side in (key, response)
    )
    pairs = [
        (place, response_places[run])
        for run, place in key_places.items()
        if run in response_places
    ]
    return _find_longest_chain(pairs)


def _find_unique(runs: list[tuple[int, ...]]) -> dict[tuple[int, ...], int]:
    """Return the places of the runs that occur once, in their order."""
    places: dict[tuple[int, ...], int] = {}
    repeated: set[tuple[int, ...]] = set()
    for place, run in enumerate(runs):
        if places.setdefault(run, place) != place:
            repeated.add(run)
    return {run: place for run, place in places.items() if run not in repeated}


def _find_longest_chain(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Choose the most pairs that increase in both numbers, given in order of one."""
    ends: list[int] = []  # the smallest last number of a chain of each length
    last: list[int] = []  # its pair
    before: list[int] = []
    for number, (_, j) in enumerate(pairs):
        length = bisect_left(ends, j)
        before.append(last[length - 1] if length else -1)
        if length == len(ends):
            ends.append(j)
            last.append(number)
        else:
            ends[length], last[length] = j, number
    chain = []
    number = last[-1] if last else -1
    while number >= 0:
        chain.append(pairs[number])
        number = before[number]
    return chain[::-1]


def _match_similar(
    key: list[int],
    response: list[int],
    gap: tuple[range, range],
    texts: Sequence[str],
) -> Iterator[tuple[int, int]]:
    """Match the atoms of a gap by similarity, then the replaced ones in their order."""
    rows, columns = gap
    pairs: list[tuple[int, int]] = []
    if min(len(rows), len(columns)) <= MAX_GAP:
        pairs = _find_best_pairs(
            [texts[key[i]] for i in rows], [texts[response[j]] for j in columns]
        )
        pairs = [(rows[i], columns[j]) for i, j in pairs]
    yield from pairs
    bounds = [(rows.start - 1, columns.start - 1), *pairs, (rows.stop, columns.stop)]
    for (i, j), (next_i, next_j) in pairwise(bounds):
        if next_i - i == next_j - j <= MAX_REPLACED + 1:
            yield from zip(range(i + 1, next_i), range(j + 1, next_j), strict=True)


def _find_best_pairs(key: list[str], response: list[str]) -> list[tuple[int, int]]:
    """Find the pairs of similar texts with the largest sum; late ones come first."""
    similarity: dict[tuple[str, str], float] = {}
    width = len(response) + 1
    sums = [[0.0] * width]
    for text in key:
        above, row = sums[-1], [0.0]
        for j, other in enumerate(response):
            pair = text, other
            if pair not in similarity:
                similarity[pair] = _measure_similarity(*pair)
            row.append(max(above[j + 1], row[j], above[j] + similarity[pair]))
        sums.append(row)
    pairs = []
    i, j = len(key), len(response)
    while i and j:
        if sums[i][j] == sums[i][j - 1]:
            j -= 1
        elif sums[i][j] == sums[i - 1][j]:
            i -= 1
        else:
            i, j = i - 1, j - 1
            pairs.append((i, j))
    return pairs[::-1]


def _measure_similarity(text: str, other: str) -> float:
    """Return the share of letters in a common start and end; 0 if it is small."""
    if text == other:
        return 1.0
    longest, shortest = max(len(text), len(other)), min(len(text), len(other))
    start = next((n for n in range(shortest) if text[n] != other[n]), shortest)
    limit = shortest - start
    end = next((n for n in range(limit) if text[-1 - n] != other[-1 - n]), limit)
    share = (start + end) / longest
    return share if share >= _MIN_SIMILARITY else 0.0
