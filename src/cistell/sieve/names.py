"""The words of a name, without titles and without what marks a company.

A name of several words has one head in a tree and another in the papers: UD hangs
"Brown" on "Ann", and the papers' head of "Ann Brown" is "Brown". So the head of a name
is its last word here: "Ms. Brown" and "Ann Brown" have the head "brown", and "Apple
Inc." has "apple".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cistell.profiles import Profile
    from corefkit.syntax.dependencies import Syntax

# What stands behind the name of a company, and before or behind that of a person.
_COMPANY = """
ag bv co company corp corporation gmbh group holdings inc incorporated limited llc llp
ltd nv plc sa se spa
"""
_TITLES = """
admiral baron baroness captain chancellor colonel count countess dame doctor dr duke esq
father general governor herr jr judge justice king lady lieutenant lord madame major
miss mister mme monsieur mr mrs ms phd pope president prince princess prof professor
queen rep rev reverend saint sen senator señor señora sir sister sr st
"""
BESIDE_NAMES = frozenset(f"{_COMPANY} {_TITLES}".split())
_OF_NAME = ("flat", "compound", "goeswith", "fixed", "nmod")


def name_tokens(profile: Profile, syntax: Syntax) -> list[int]:
    """Find the words of a mention's name, in the order of the text.

    A name that is nothing but a title ("the President") has that word.
    """
    head, mention = profile.head, profile.mention
    if syntax.tags[head] != "PROPN" or profile.coordinated:
        return []
    tokens = [head]
    tokens += (
        token
        for token in syntax.children[head]
        if mention.start <= token <= mention.end
        and syntax.kinds[token] in _OF_NAME
        and syntax.tags[token] == "PROPN"
        and not any(syntax.kinds[child] == "case" for child in syntax.children[token])
    )
    named = sorted(
        token for token in tokens if bare(syntax.forms[token]) not in BESIDE_NAMES
    )
    return named or [head]


def letters(name: str) -> str:
    """Return the letters and digits of a name, in lower case.

    Corpora write the names of speakers as one word.

    >>> letters("AnnBrown") == letters("Ann Brown")
    True
    """
    return "".join(filter(str.isalnum, name.lower()))


def bare(form: str) -> str:
    """Return a word in lower case, without a full stop at its end.

    >>> bare("Inc."), bare("...")
    ('inc', '...')
    """
    return form.lower().rstrip(".") or form
