"""Documents at random, with a little of everything, much of it odd."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seeds import ODD_WORDS

from corefkit.model import Bridge, Document, Entity, Mention

if TYPE_CHECKING:
    from random import Random

_WORDS = (
    *ODD_WORDS,
    "-AMP-",
    "Ann",
    "left",
    "the",
    "house",
    ".",
    "",
    "a  b",
    " ",
    "=",
    "\t",
)
_IDS = (
    "1",
    "2",
    "12",
    "e1",
    "T1",
    "a-b",
    "x,y",
    "é (1)|",
    "[1/2]",
    "#3",
    "_",
    "%2C",
    "<e>",
    "x-Pseudo",
)
_KEYS = (
    "type",
    "mention_type",
    "kind",
    "head",
    "Min",
    "id",
    "MarkableID",
    "my <key>",
    "é",
)


def drawn(random: Random) -> Document:
    """Draw a document with a little of everything."""
    sentences = tuple(
        tuple(random.choice(_WORDS) for _ in range(length))
        for length in random.choices(range(6), k=random.randint(1, 4))
    )
    if sum(map(len, sentences)) < 2:  # of one token, SemEval may look like CoNLL
        sentences = (("Ann", "left"),)
    size = sum(map(len, sentences))
    empty = [token for token in range(1, size) if random.random() < 0.1]
    names = random.sample(_IDS, random.randint(0, 4))
    entities = [
        Entity(
            name,
            tuple(_drawn_mention(random, size) for _ in range(random.randint(1, 4))),
            tuple(random.choices(names, k=2)) if random.random() < 0.2 else (),
            random.random() < 0.9,
        )
        for name in names
    ]
    mentions = [mention for entity in entities for mention in entity]
    bridges = [
        Bridge(mention, random.choice(names), random.choice((None, *mentions)))
        for mention in mentions
        if random.random() < 0.2
    ]
    layers = {
        layer: tuple(random.choice(_WORDS) for _ in range(size))
        for layer in ("lemma", "head", "deps", "misc", "xpos", "parse", "reference")
        if random.random() < 0.2
    }
    return Document(
        random.choice(_IDS),
        sentences if random.random() < 0.9 or empty or not names else (),
        tuple(entities),
        tuple(empty),
        tuple(bridges),
        layers if random.random() < 0.9 else {},
    )


def _drawn_mention(random: Random, size: int) -> Mention:
    tokens = {random.randrange(size) for _ in range(random.randint(1, 3))}
    if random.random() < 0.7:
        tokens = set(range(min(tokens), max(tokens) + 1))
    inside = sorted(random.choices(sorted(tokens), k=2))
    return Mention.of(
        tokens,
        head=random.choice((None, inside[0])),
        minimum=random.choice((None, (inside[0], inside[1]))),
        attributes={
            random.choice(_KEYS): random.choice(_WORDS)
            for _ in range(random.choice((0, 0, 1, 2)))
        },
    )
