"""The words of a name that tell whose it is: "Brown" of "Ms. Brown's".

Left out are titles before others ("Ms.", "President"), what tells only that a name is
a company's ("Inc."), and the possessive mark. So "Apple Inc.", "Apple's" and "Apple"
have one name, and "Ann Brown" and "Ms. Brown" share its last word.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cistell.profiles import Profile
    from corefkit.syntax.dependencies import Syntax

_TITLES = {
    *("mr", "mrs", "ms", "miss", "dr", "prof", "professor", "sir", "lady", "lord"),
    *("president", "king", "queen", "prince", "princess", "st", "saint", "captain"),
    *("general", "colonel", "senator", "governor", "judge", "rev", "reverend"),
    *("minister", "pope", "emperor", "aunt", "uncle", "chancellor", "mayor"),
    *("madam", "madame", "monsieur", "señor", "señora", "doctor", "lieutenant"),
}
_COMPANIES = {
    *("inc", "corp", "corporation", "co", "company", "ltd", "limited", "llc", "plc"),
    *("gmbh", "ag", "sa", "group", "holdings"),
}
_PARTS = ("flat", "compound", "nmod", "goeswith", "list")


def name_of(profile: Profile, syntax: Syntax) -> tuple[str, ...]:
    """Return the words of a mention's name in lower case; nothing if it has none."""
    head = profile.head
    if profile.pronoun or profile.coordinated or syntax.tags[head] != "PROPN":
        return ()
    tokens = [
        token
        for token in range(profile.mention.start, profile.mention.end + 1)
        if token == head
        or (
            syntax.tags[token] in ("PROPN", "X", "NUM")
            and syntax.parents[token] == head
            and syntax.kinds[token] in _PARTS
            and syntax.relations[token] != "nmod:poss"
        )
    ]
    words = [syntax.forms[token].lower().rstrip(".") for token in tokens]
    return core_of(words)


def core_of(words: list[str]) -> tuple[str, ...]:
    """Leave out titles before a name and marks of companies after it.

    >>> core_of(["ms", "brown"]), core_of(["apple", "inc"]), core_of(["inc"])
    (('brown',), ('apple',), ('inc',))
    """
    first, end = 0, len(words)
    while first < end - 1 and words[first] in _TITLES:
        first += 1
    while end > first + 1 and words[end - 1] in _COMPANIES:
        end -= 1
    return tuple(words[first:end])
