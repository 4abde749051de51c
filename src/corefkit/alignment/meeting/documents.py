"""Documents that might belong together otherwise, or be told by characters."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from corefkit.alignment.meeting.trials import Trial, share_of, spans_of
from corefkit.alignment.mention_heads import sound_trees, with_heads
from corefkit.alignment.runs import Side, differing_texts
from corefkit.alignment.texts import other_tokens
from corefkit.exceptions import FormatError, PairingError, quoted
from corefkit.strings.ids import canonical_id, safe_name, short_id

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefkit.alignment.blocks import Block
    from corefkit.alignment.matching.trees import Trees
    from corefkit.alignment.meeting import Sides
    from corefkit.columns import Ints
    from corefkit.formats.source import Source, Word
    from corefkit.settings import Settings


def unpaired(key_ids: Sequence[str], response_ids: Sequence[str]) -> str:
    """Say why no document has a partner.

    >>> unpaired(["(a); part 000"], ["(a)"])
    'ids are compared as they stand; in another spelling 1 of 1 documents would pair'
    """
    if not response_ids:
        return "it has no document"
    for spelled in (canonical_id, short_id, safe_name):
        same = {*map(spelled, key_ids)} & {*map(spelled, response_ids)}
        if same:
            pairs = f"{len(same)} of {len(key_ids)} documents would pair"
            return f"ids are compared as they stand; in another spelling {pairs}"
    found = f"it has such as {quoted(response_ids[0])}"
    return f"it has none of the key's documents, such as {quoted(key_ids[0])}; {found}"


def read_again(
    sides: Sides, numbers: Sequence[int], partners: Sequence[int]
) -> tuple[Block, Block]:
    """Read some documents of both sides, as scoring does before it aligns mentions."""
    settings = replace(sides.settings, match="exact")
    key = Side(sides.key, "key", settings).read(numbers)
    response = Side(sides.response, "response", settings).read(partners)
    if key.settled.names is None:
        heads = with_heads(key.settled, lambda row: _trees(sides.key, numbers[row]))
        key = replace(key, settled=heads)
    return _by_characters(sides, key, response, settings)


def _trees(source: Source, number: int) -> Trees | None:
    try:
        return sound_trees(source, number)
    except FormatError:
        return None


def _by_characters(
    sides: Sides, key: Block, response: Block, settings: Settings
) -> tuple[Block, Block]:
    rows = differing_texts(key.read, response.read)
    sources = sides.key, sides.response
    differing = other_tokens(sources, (key, response), rows=rows, settings=settings)
    for other in differing.values():
        if other.characters is not None:
            key = key.by_characters(other.characters[0])
            response = response.by_characters(other.characters[1])
    return key, response


def retokenised(sides: Sides, key: Block, response: Block) -> Iterator[Trial]:
    """Try characters, where both sides have words and other tokens."""
    other = key.read.fingerprint != response.read.fingerprint
    if not other.any() or not sides.settings.reads_as_reference:
        return
    settings = replace(sides.settings, reading="strict", tokens="characters")
    try:
        key, response = _by_characters(sides, key, response, settings)
    except PairingError:
        return
    spans = spans_of(key.settled), spans_of(response.settled)
    if spans[0] is not None and spans[1] is not None:
        share = share_of(spans[0], spans[1])
        yield Trial(share, "the text has other tokens, and by its characters")


def sentence_starts(words: Sequence[Word]) -> Ints:
    """Find the first token of each sentence."""
    sentences = np.array([word.sentence for word in words], np.int64)
    return np.flatnonzero(np.diff(sentences, prepend=-1))
