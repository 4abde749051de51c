"""The sieve: entities by rules alone, the surest first, without any training.

It follows Raghunathan et al. 2010 and Lee et al. 2013, the multi-pass sieve that won
the shared task of CoNLL-2011. Each pass goes through the mentions in the order of the
text and looks for an antecedent by one rule; what earlier passes have found is never
taken back. A rule sees whole entities: what any mention of an entity tells, its heads,
words, gender and number, holds for all of them. The passes:

    speakers          "I" and "I" of one speaker; "I" and who says it
    exact string      the same words
    relaxed string    the same words up to the head
    precise           apposition, predicate, relative pronoun, acronym
    strict head       A: the same head, no new word and no new modifier
                      B: without the check of modifiers, C: without that of words
    proper head       two names with the same last word
    relaxed head      a word of a longer name
    pronouns          the first that agrees, of the same sentence and three before

Only the first mention of an entity is resolved, for it tells most; and one that
introduces something new ("a mill") only by its string or by a precise construct.

What is not as in the papers, with the reason:

1.  Trees are dependencies. Where the papers go through the tree of a sentence breadth
    first, subjects come first here, then objects, then the rest by depth.
2.  There is no pass for roles ("[[actress] Rebecca Schaeffer]"): in GUM such a noun is
    seldom a mention, and none of 1,006 in half of the training part was coreferent
    with what it is part of.
    A demonym ("the French") is replaced by its place before strings are compared, if
    the lexicon has a list of them.
3.  Bare nouns ("water") and numbers go by their whole string alone: two thirds of the
    links that strict heads made of bare nouns in GUM's development part were wrong.
4.  A possessor is a modifier: "her hat" is not "my hat", and not "the hat".
5.  Types that differ keep nothing apart: gold types of names brought 0.03 points of
    CoNLL on GUM's development part, and those that a tagger finds lost 0.9. They tell
    persons from things, for pronouns.
6.  Appositions and predicates stay linked, as in GUM. OntoNotes does not count them,
    and the papers take them out again for its sake.

`sieve` gives the entities of a `MentionTable` as a baseline does; it is one of
`cistell.models.BASELINES`. The modules, each importing only from those before
it:

    names       the words of a name, without titles and "Inc."
    clues       what the sieve looks at in one mention
    voices      who says a mention
    entities    entities as they grow
    scene       all mentions of a document, where to find them, and in which order
    agreement   what keeps two mentions apart
    strings, constructs, heads, pronouns     the passes
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cistell.sieve.constructs import acronym, construct
from cistell.sieve.heads import proper_head, relaxed_head, strict_head
from cistell.sieve.pronouns import pronoun, speaker
from cistell.sieve.scene import NOBODY, Scene, scene_of
from cistell.sieve.strings import exact_string, relaxed_string

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cistell.table import MentionTable
    from corefkit.arrays.columns import Ints

__all__ = ["PASSES", "Pass", "sieve", "stages"]


class Pass(NamedTuple):
    """A pass of the sieve."""

    name: str
    # Finds the antecedent of a mention, or `NOBODY`.
    find: Callable[[Scene, int], int]
    # Whether mentions that introduce something new ("a mill") are resolved too.
    indefinite: bool = False


PASSES = (
    Pass("speakers", speaker),
    Pass("exact string", exact_string, indefinite=True),
    Pass("relaxed string", relaxed_string),
    Pass("precise constructs", construct, indefinite=True),
    Pass("acronyms", acronym),
    Pass("strict head A", strict_head(words=True, modifiers=True)),
    Pass("strict head B", strict_head(words=True, modifiers=False)),
    Pass("strict head C", strict_head(words=False, modifiers=True)),
    Pass("proper head", proper_head),
    Pass("relaxed head", relaxed_head),
    Pass("pronouns", pronoun),
)


def sieve(
    table: MentionTable, *, lemmas: bool = False, passes: Sequence[Pass] = PASSES
) -> Ints:
    """Number the entities of mentions; `lemmas` has no effect: forms are compared.

    The cost grows with the number of mentions: a mention is compared with those that
    share its string or head, at most 120 of them, and a pronoun with those of four
    sentences.

    >>> from corefkit import read
    >>> from cistell.lexicon import load_lexicon
    >>> from cistell.profiles import context_of
    >>> from cistell.table import annotated_table
    >>> from corefkit.example import trees
    >>> context = context_of(load_lexicon("en", wordnet="none"), "names")
    >>> table, _ = annotated_table(next(iter(read(trees()))), context)
    >>> found = sieve(table)
    >>> he = [profile.text for profile in table.profiles].index("he")
    >>> [table.profiles[at].text for at in np.flatnonzero(found == found[he])]
    ['her predecessor anders lie', 'he', 'him']
    """
    del lemmas
    (found,) = stages(table, (len(passes),), passes=passes)
    return found


def stages(
    table: MentionTable, after: Sequence[int], *, passes: Sequence[Pass] = PASSES
) -> list[Ints]:
    """Number the entities of mentions after so many passes, for each of the counts."""
    scene = scene_of(table)
    found = []
    for number in range(len(passes) + 1):
        if number:
            run(passes[number - 1], scene)
        if number in after:
            found.append(np.array(scene.entities.numbers(), np.int64))
    return found


def run(each: Pass, scene: Scene) -> None:
    """Merge the entities of all mentions for which a pass finds an antecedent."""
    for mention, profile in enumerate(scene.profiles):
        if not scene.entities.is_resolved_by(mention):
            continue
        if profile.kind == "indefinite_nps" and not each.indefinite:
            continue
        antecedent = each.find(scene, mention)
        if antecedent != NOBODY:
            scene.entities.merge(antecedent, mention)
