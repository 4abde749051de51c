"""What hangs on other tokens and entities in CoNLL-U: heads, empty nodes, links."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import TYPE_CHECKING

import numpy as np

from corefkit.columns import runs
from corefkit.columns.details import Empties
from corefkit.formats.conllu.brackets import STEP
from corefkit.formats.conllu.lines import Irregular, items
from corefkit.strings.ids import enhanced, sentence_ids
from corefkit.syntax.parents import Parents

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corefkit.columns import Columns, Hashes, Ints
    from corefkit.formats.conllu.lines import Block, Tokens

_ZERO, _NINE = b"09"
_SPLIT, _BRIDGE = b"SplitAnte", b"Bridge"
_HEAD, _DEPS = 6, 8
_LONGEST_ID = 12
_NOWHERE = 1 << 40  # a HEAD that is no number of a word


def tree_heads(
    block: Block, tokens: Tokens, document: Ints, start: Ints, end: Ints
) -> Ints:
    """Find the first word of each mention whose HEAD is not in the mention."""
    parent = _parents(block, tokens)
    # Tokens are counted through the block, not through each document.
    opening = np.searchsorted(tokens.document, tokens.document)
    outside = Parents(np.where(parent < 0, -1, parent + opening), ~tokens.empty)
    before = np.searchsorted(tokens.document, document)
    first, last = before + start, before + end
    found = outside.heads(first, last)
    # Where all hang on each other, the first word; else the first node.
    words = np.flatnonzero(~tokens.empty)
    place = np.searchsorted(words, first)
    said = np.r_[words, len(parent)][place]
    found = np.where(found >= 0, found, np.where(said <= last, said, first))
    heads: Ints = tokens.token[found]
    return heads


def _parents(block: Block, tokens: Tokens) -> Ints:
    """Return the token that each HEAD names; -1 where it names none of its sentence."""
    data = block.text.bytes
    start, end = tokens.tabs[_HEAD - 1] + 1, tokens.tabs[_HEAD]
    value = np.zeros(len(start), np.int64)
    for place in range(min(int((end - start).max(initial=0)), _LONGEST_ID)):
        here = np.flatnonzero(start + place < end)
        byte = data[start[here] + place].astype(np.int64)
        digit = (byte >= _ZERO) & (byte <= _NINE)
        value[here] = np.where(digit, value[here] * 10 + byte - _ZERO, _NOWHERE)
        value = np.minimum(value, _NOWHERE)
    words = np.flatnonzero(~tokens.empty)
    sentence = tokens.sentence[words]
    first = np.searchsorted(sentence, tokens.sentence)
    size = np.searchsorted(sentence, tokens.sentence, "right") - first
    known = (value > 0) & (value <= size)
    parent = np.full(len(start), -1)
    parent[known] = tokens.token[words[first[known] + value[known] - 1]]
    return parent


def empty_nodes(block: Block, tokens: Tokens) -> Empties | None:
    """Read the empty nodes of a block, which are few, one by one."""
    lines = np.flatnonzero(tokens.empty)
    if not len(lines):
        return None
    sentence = tokens.sentence[lines]
    order = np.cumsum(np.diff(tokens.sentence, prepend=tokens.sentence[:1]) > 0)
    dependencies: list[tuple[int, int, int]] = []
    ids_of = lru_cache(maxsize=1)(partial(_ids_of_sentence, tokens))
    for number, line in enumerate(lines.tolist()):
        start, end = tokens.tabs[_DEPS - 1][line] + 1, tokens.tabs[_DEPS][line]
        cell = block.text.padded[start:end].decode()
        # Roots are told apart by the number of their sentence in the document.
        opening = np.searchsorted(tokens.document, tokens.document[line])
        root = -1 - int(order[line] - order[opening])
        ids = ids_of(int(sentence[number])) if cell != "_" else {}
        dependencies.extend(
            (number, ids.get(parent, root), hash(relation))
            for parent, relation in enhanced(cell)
        )
    rows = np.array(dependencies, np.int64).reshape(-1, 3)
    return Empties(
        document=tokens.document[lines],
        token=tokens.token[lines],
        initial=tokens.word[lines] == 0,
        dependent=rows[:, 0],
        parent=rows[:, 1],
        relation=rows[:, 2],
    )


def _ids_of_sentence(tokens: Tokens, sentence: int) -> dict[str, int]:
    first, last = np.searchsorted(tokens.sentence, (sentence, sentence + 1))
    numbers = tokens.token[first:last].tolist()
    empty = tokens.empty[first:last].tolist()
    return sentence_ids(
        numbers, {number for number, node in zip(numbers, empty, strict=True) if node}
    )


def links(
    block: Block, tokens: Tokens, columns: Columns, begin: Ints, name: Hashes
) -> tuple[Ints, Ints]:
    """Read split antecedents and bridges.

    Brackets `begin` open the mentions; `name` are hashes of the ids of their entities.
    """
    split = list(_read_links(block, tokens, _SPLIT))
    bridge = list(_read_links(block, tokens, _BRIDGE))
    if not split and not bridge:
        return np.empty((0, 2), np.int64), np.empty((0, 3), np.int64)
    first = runs(columns.entity).first
    known = _mixed(columns.entity_document, name[first])
    order = np.argsort(known)
    ends = []
    for links in (split, bridge):
        table = np.array(links, np.uint64).reshape(-1, 4)
        document = table[:, 0].astype(np.int64)
        for column in (2, 3):
            wanted = _mixed(document, table[:, column])
            ends.append(_found(known, order, wanted))
    if np.any(ends[0] == ends[1]) or np.any(ends[2] == ends[3]):
        raise Irregular  # an entity that is its own antecedent
    token = np.array([link[1] for link in bridge], np.int64)
    mention = _opening_at(columns, begin, ends[2], token)
    nobody = np.full(len(bridge), -1)
    return np.stack(ends[:2], axis=1), np.stack((mention, ends[3], nobody), axis=1)


def _read_links(
    block: Block, tokens: Tokens, kind: bytes
) -> Iterator[tuple[int, int, int, int]]:
    """Yield links: document, token, and hashes of the ids of anaphor and antecedent."""
    lines, first = items(block, tokens, kind)
    for line, start in zip(lines.tolist(), first.tolist(), strict=True):
        document, token = int(tokens.document[line]), int(tokens.token[line])
        value = block.text.padded[start : tokens.end[line]].partition(b"|")[0]
        for item in value.split(b","):
            antecedent, less, anaphor = item.partition(b"<")
            if kind == _BRIDGE:
                anaphor = anaphor.partition(b":")[0]
            if not less:
                raise Irregular
            yield document, token, hashed(anaphor), hashed(antecedent)


def hashed(name: bytes) -> int:
    """Hash one id as `_names` does all of them."""
    value = 0
    for done in range(0, len(name), 8):
        eight = int.from_bytes(name[done : done + 8], "little")
        value = (value * int(STEP) + eight) % (1 << 64)
    return value


def _mixed(document: Ints, name: Hashes) -> Hashes:
    return name ^ ((document.astype(np.uint64) + np.uint64(1)) * STEP)


def _found(known: Hashes | Ints, order: Ints, wanted: Hashes | Ints) -> Ints:
    """Find the first of the known numbers; an unknown one is left to the slow way."""
    row = np.searchsorted(known[order], wanted)
    if np.any(row == len(known)) or np.any(known[order[row]] != wanted):
        raise Irregular
    found: Ints = order[row]
    return found


def _opening_at(columns: Columns, begin: Ints, entity: Ints, token: Ints) -> Ints:
    """Find the first mention of each entity that opens at a token."""
    width = max(int(columns.start.max(initial=0)), int(token.max(initial=0))) + 1
    order = np.lexsort((begin, columns.start, columns.entity))
    known = columns.entity * width + columns.start
    return _found(known, order, entity * width + token)
