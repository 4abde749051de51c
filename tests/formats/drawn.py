"""Documents drawn in pieces, of words that mean something in a format, and damage."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import strategies as st

from corefkit import Entity
from corefkit.formats.output import find_crossing

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from corefkit import Mention

    Sentences = tuple[tuple[str, ...], ...]


def sentences(
    words: st.SearchStrategy[str],
    *,
    longest: int = 4,
    least: int = 1,
    most: int | None = None,
) -> st.SearchStrategy[Sentences]:
    """Draw sentences of one word or more."""
    sentence = st.lists(words, min_size=1, max_size=longest).map(tuple)
    return st.lists(sentence, min_size=least, max_size=most).map(tuple)


def spans(tokens: int) -> st.SearchStrategy[list[int]]:
    """Draw the first and the last token of a mention."""
    token = st.integers(0, max(0, tokens - 1))
    return st.tuples(token, token).map(sorted)


def entities(
    ids: Iterable[str], mentions: st.SearchStrategy[Mention], *, most: int = 3
) -> st.SearchStrategy[tuple[Entity, ...]]:
    """Draw an entity of each id, with one mention or more."""
    row = st.lists(mentions, min_size=1, max_size=most).map(tuple)
    return st.tuples(*(st.builds(Entity, st.just(one), row) for one in ids))


@st.composite
def nested_entities(
    draw: st.DrawFn, mentions: Sequence[Mention], ids: Sequence[str]
) -> tuple[Entity, ...]:
    """Put mentions into entities as they come in the text; none that cross."""
    crossed = find_crossing(mentions)
    kept = [mention for mention in mentions if mention not in crossed]
    rows: dict[str, list[Mention]] = {}
    for mention in sorted(kept, key=lambda one: (one.start, -one.end)):
        rows.setdefault(draw(st.sampled_from(ids)), []).append(mention)
    return tuple(Entity(name, tuple(row)) for name, row in rows.items())


def layers(
    names: Sequence[str], cells: st.SearchStrategy[str], tokens: int
) -> st.SearchStrategy[dict[str, tuple[str, ...]]]:
    """Draw layers of tokens; one that says nothing of any token is none."""
    layer = st.lists(cells, min_size=tokens, max_size=tokens).map(tuple)
    layer = layer.filter(lambda row: set(row) != {"_"})
    return st.dictionaries(st.sampled_from(names), layer, max_size=3)


@st.composite
def damaged(draw: st.DrawFn, content: str, pieces: bytes) -> bytes:
    """Draw a sound file with stretches of it replaced or taken out, or its end cut off.

    Args:
        draw: hypothesis hands it in.
        content: the sound file.
        pieces: bytes that mean something in the format; others are put in too.
    """
    changed = bytearray(content.encode())
    new = st.sampled_from(pieces).map(lambda byte: bytes([byte]))
    for _ in range(draw(st.integers(0, 6))):
        start = draw(st.integers(0, len(changed)))
        length = draw(st.integers(0, 9) | st.integers(0, len(changed)))
        changed[start : start + length] = draw(new | st.binary(max_size=4))
    return bytes(changed)
