"""What the sieve looks at in one mention: its words, head, modifiers and name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cistell.facts import PLURAL, SINGULAR
from cistell.sieve.names import BESIDE_NAMES, bare, name_tokens

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cistell.profiles import Profile
    from corefkit.syntax.dependencies import Syntax

# Words that tell nothing of what a mention is.
_STOP = {"DET", "ADP", "PUNCT", "PART", "PRON", "AUX", "CCONJ", "SCONJ", "INTJ"}
_SKIPPED = {"DET", "PUNCT", "PART"}  # as in `facts.text_of`
_POSSESSORS = ("nmod:poss", "det:poss")


@dataclass(frozen=True, slots=True)
class Clue:
    """What the sieve looks at in one mention; all words are in lower case."""

    text: str  # its words without determiners, marks and a final 's
    whole: str  # the same with determiners
    opening: str  # its words up to its head, without determiners
    head: str  # its head; the last word of a name
    words: frozenset[str]  # its words without those that tell nothing
    before: frozenset[str]  # those before the head, without those of a name
    after: frozenset[str]  # those behind the head
    name: tuple[str, ...]  # the words of a name, without titles and "Inc."
    flat: bool  # whether the name is flat, as those of persons are
    named: frozenset[str]  # other names among its words, as "Rome" in "Church of Rome"
    owner: int  # the token of its possessor; -1 if it has none
    numbers: int  # whether it is singular or plural, or may be both, as bits

    @property
    def modifiers(self) -> frozenset[str]:
        """The words beside the head; a given name modifies the last one."""
        return self.before | self.after | {*self.name[:-1]}


def clue_of(profile: Profile, syntax: Syntax) -> Clue:
    """Look at one mention."""
    tags, mention = syntax.tags, profile.mention
    name = name_tokens(profile, syntax)
    last = max([profile.head, *name])
    tokens = [token for token in mention.tokens if tags[token] not in _STOP]
    own = {profile.head, *name}
    return Clue(
        text=profile.text,
        whole=_joined(mention.tokens, syntax, {"PUNCT", "PART"}),
        opening=_joined(range(mention.start, last + 1), syntax, _SKIPPED),
        head=bare(syntax.forms[name[-1] if name else profile.head]),
        words=_words(tokens, syntax),
        before=_words((token for token in tokens if token < last), syntax)
        - _words(own, syntax),
        after=_words((token for token in tokens if token > last), syntax),
        name=tuple(bare(syntax.forms[token]) for token in name),
        flat=any(syntax.kinds[token] == "flat" for token in name),
        named=_words(
            (token for token in tokens if tags[token] == "PROPN" and token not in own),
            syntax,
        ),
        owner=next(
            (
                token
                for token in syntax.children[profile.head]
                if syntax.relations[token] in _POSSESSORS
                and mention.start <= token <= mention.end
            ),
            -1,
        ),
        numbers=_numbers(profile),
    )


def _joined(tokens: Iterable[int], syntax: Syntax, skipped: set[str]) -> str:
    return " ".join(
        syntax.forms[token].lower()
        for token in tokens
        if syntax.tags[token] not in skipped
    )


def _words(tokens: Iterable[int], syntax: Syntax) -> frozenset[str]:
    found = frozenset(bare(syntax.forms[token]) for token in tokens)
    return found - BESIDE_NAMES or found


def _numbers(profile: Profile) -> int:
    either = SINGULAR | PLURAL
    if profile.entity_type == "organization" or profile.supertype == "group":
        return either  # "the team ... they"
    return profile.number or either
