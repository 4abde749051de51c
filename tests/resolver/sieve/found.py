"""What the sieve finds in a few sentences."""

from __future__ import annotations

from resolver.lexica import table_of
from resolver.trees import parsed

from cistell.sieve import PASSES, resolve_by_sieve


def found(*lines, passes=PASSES, **options):
    """Give the entities with two mentions or more, each a list of their words."""
    document = parsed(*lines)
    table = table_of(document, **options)
    entities = {}
    numbers = resolve_by_sieve(table, passes=passes).tolist()
    for profile, number in zip(table.profiles, numbers, strict=True):
        mention = profile.mention
        words = document.tokens[mention.start : mention.end + 1]
        entities.setdefault(number, []).append(" ".join(words))
    return [words for words in entities.values() if len(words) > 1]


def named(*names):
    """Choose passes by their names."""
    assert {*names} <= {each.name for each in PASSES}
    return [each for each in PASSES if each.name in names]
