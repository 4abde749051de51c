"""Slow, obvious versions of classes, and of the shares of mentions in metrics.

A document is read as objects, and mentions match if they are equal.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from corefkit import Document, Entity, Mention

    # The class of each mention of a side.
    Labels = dict[Mention, str]

UNKNOWN = "unknown"
_KINDS = {"PRON": "pronoun", "PROPN": "name", "NOUN": "nominal", "VERB": "clause"}


def list_mentions(document: Document) -> list[tuple[Mention, Entity]]:
    """List mentions with their entities in the order of the text."""
    pairs = [(m, entity) for entity in document.entities for m in entity.mentions]
    return sorted(pairs, key=lambda pair: pair[0].tokens)


def find_bin(number: int, bins: Iterable[str]) -> str:
    """Find the bin of a number, such as `3-4` and `10+`."""
    for name in bins:
        low, _, high = name.rstrip("+").partition("-")
        if number >= int(low) and (name.endswith("+") or number <= int(high or low)):
            return name
    raise AssertionError(number)


def label_by_key(
    key: Document, response: Document, label: Callable[[Document, Mention], str]
) -> tuple[Labels, Labels]:
    """Label mentions by the key's tokens, which both sides have."""
    sides = key, response
    return tuple(
        {mention: label(key, mention) for mention, _ in list_mentions(side)}
        for side in sides
    )


def label_by_entity(
    key: Document, response: Document, label: Callable[[list[Mention], Mention], str]
) -> tuple[Labels, Labels]:
    """Label mentions by the mentions of their entity, in the order of the text."""
    return tuple(
        {
            mention: label(sorted(entity.mentions, key=lambda m: m.tokens), mention)
            for mention, entity in list_mentions(side)
        }
        for side in (key, response)
    )


def find_kind(key: Document, mention: Mention) -> str:
    if mention.head in key.empty:
        return "zero"
    return _KINDS[key.layers["upos"][mention.head]]


def find_speaker(key: Document, mention: Mention) -> str:
    name = key.layers["speaker"][mention.start]
    return UNKNOWN if name in ("-", "") else name


def find_quarter(key: Document, mention: Mention) -> str:
    quarter = mention.start * 4 // len(key.tokens)
    return f"{25 * quarter}-{25 * quarter + 25}%"


def find_distance(mentions: list[Mention], mention: Mention) -> str:
    number = mentions.index(mention)
    if number == 0:
        return "first"
    distance = mention.start - mentions[number - 1].start
    return find_bin(distance, ("0-9", "10-24", "25-99", "100+"))


def find_spread(mentions: list[Mention], mention: Mention) -> str:
    del mention
    spread = max(m.start for m in mentions) - min(m.start for m in mentions)
    return find_bin(spread, ("0", "1-99", "100-499", "500-1999", "2000+"))


def find_size(mentions: list[Mention], mention: Mention) -> str:
    del mention
    return find_bin(len(mentions), ("1", "2", "3-4", "5-9", "10+"))


def label_types(key: Document, response: Document) -> tuple[Labels, Labels]:
    key_labels = {m: m.attributes.get("type", UNKNOWN) for m, _ in list_mentions(key)}
    response_labels = {
        m: m.attributes.get("type") or key_labels.get(m, UNKNOWN)
        for m, _ in list_mentions(response)
    }
    return key_labels, response_labels


def find_length(key: Document, mention: Mention) -> str:
    del mention
    bins = ("0-499", "500-999", "1000-1999", "2000-4999", "5000+")
    return find_bin(len(key.words), bins).replace("0-499", "1-499", 1)


def find_genre(key: Document, mention: Mention) -> str:
    del mention
    genre, slash, _ = key.id.partition("/")
    if slash:
        return genre
    lines = [line for comments in key.comments for line in comments]
    values = [line.removeprefix("genre = ") for line in lines if line[:8] == "genre = "]
    return values[0] if values else UNKNOWN


SLOW_CLASSES: Mapping[str, Callable[[Document, Document], tuple[Labels, Labels]]] = {
    "kind": lambda *sides: label_by_key(*sides, find_kind),
    "type": label_types,
    "upos": lambda *sides: label_by_key(
        *sides, lambda key, mention: key.layers["upos"][mention.head]
    ),
    "size": lambda *sides: label_by_entity(*sides, find_size),
    "spread": lambda *sides: label_by_entity(*sides, find_spread),
    "distance": lambda *sides: label_by_entity(*sides, find_distance),
    "speaker": lambda *sides: label_by_key(*sides, find_speaker),
    "position": lambda *sides: label_by_key(*sides, find_quarter),
    "length": lambda *sides: label_by_key(*sides, find_length),
    "genre": lambda *sides: label_by_key(*sides, find_genre),
}


def elect_class(entity: Entity, labels: Labels) -> str:
    """Return the class of most mentions; of several, that of the first in the text."""
    mentions = sorted(entity.mentions, key=lambda m: m.tokens)
    votes = Counter(labels[m] for m in mentions if labels[m] != "first")
    return max((labels[m] for m in mentions), key=lambda name: votes[name])


# The share of a mention in the numerator and the denominator of one side. `entity` has
# the mentions of its entity, `shared` those of them that the entity of the mention on
# the other side has too, and `other` is the size of that entity, all in text order.


def share_mention(mention, entity, shared, other):
    del entity, other
    return [Fraction(mention in shared), Fraction(1)]


def share_muc(mention, entity, shared, other):
    del other
    has_link = mention in shared and mention != shared[0]
    return [Fraction(has_link), Fraction(mention != entity[0])]


def share_b_cubed(mention, entity, shared, other):
    del mention, other
    return [Fraction(len(shared), len(entity)), Fraction(1)]


def share_lea(mention, entity, shared, other):
    """Share links; a singleton is linked to itself."""
    if len(entity) == 1:
        return [Fraction(mention in shared and other == 1), Fraction(1)]
    links = [m for m in shared if mention in shared and m != mention]
    return [Fraction(len(links), len(entity) - 1), Fraction(1)]


SLOW_SHARES: Mapping[str, Callable[..., list[Fraction]]] = {
    "mentions": share_mention,
    "muc": share_muc,
    "b_cubed": share_b_cubed,
    "lea": share_lea,
}


def count_classes(
    key: Document, response: Document, by: str
) -> dict[tuple[str, str], list[Fraction]]:
    """Count by metric and class: the four counts, of the key and of the response."""
    counts: dict[tuple[str, str], list[Fraction]] = defaultdict(
        lambda: [Fraction(0)] * 4
    )
    sides = key, response
    labels = SLOW_CLASSES[by](*sides)
    for side in (0, 1):
        others = {m: entity for m, entity in list_mentions(sides[1 - side])}
        for mention, entity in list_mentions(sides[side]):
            members = sorted(entity.mentions, key=lambda m: m.tokens)
            other = others[mention].mentions if mention in others else ()
            shared = [m for m in members if m in other]
            arguments = mention, members, shared, len(other)
            rows = {name: share(*arguments) for name, share in SLOW_SHARES.items()}
            for metric, row in rows.items():
                count = counts[metric, labels[side][mention]]
                counts[metric, labels[side][mention]] = [
                    number + (row[place - 2 * side] if place // 2 == side else 0)
                    for place, number in enumerate(count)
                ]
    return counts
