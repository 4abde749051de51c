"""The sieve: entities by rules alone, the surest first, without any training.

It follows Raghunathan et al. 2010 and Lee et al. 2013, the multi-pass sieve that won
the shared task of CoNLL-2011. Each pass goes through the mentions in the order of the
text and looks for an antecedent by one rule; what earlier passes have found is never
taken back. A rule sees entities: the properties of any mention of an entity, its heads,
words, gender and number, holds for all of them. The passes:

    speakers          "I" and "I" of one speaker; "I" and who says it
    exact string      the same words
    relaxed string    the same words up to the head
    precise           apposition, predicate, relative match_pronoun, match_acronym
    strict head       A: the same head, no new word and no new modifier
                      B: without the check of modifiers, C: without that of words
    proper head       two names with the same last word
    relaxed head      a word of a longer name
    pronouns          the first that agrees, of the same sentence and three before

Only the first mention of an entity is resolved, since it has most information. A
mention that introduces something new ("a mill") is resolved only by its string or by a
precise construct.

Deviations from the papers, with the reason:

1.  Trees are dependencies. The papers traverse the tree of a sentence breadth
    first; here, subjects come first, then objects, then the rest by depth.
2.  There is no pass for roles ("[[actress] Rebecca Schaeffer]"): in GUM such a noun is
    seldom a mention, and none of 1,006 in half of the training part was coreferent
    with its phrase.
    A demonym ("the French") is replaced by its place before strings are compared, if
    the lexicon has a list of them.
3.  Bare nouns ("water") and numbers go by their string alone: two thirds of the
    links that strict heads made of bare nouns in GUM's development part were wrong.
4.  A possessor is a modifier: "her hat" is not "my hat", and not "the hat".
5.  Types that differ keep nothing apart: gold types of names brought 0.03 points of
    CoNLL on GUM's development part, and those that a tagger finds lost 0.9. They
    separate persons from things, for pronouns.
6.  Appositions and predicates stay linked, as in GUM. OntoNotes does not count them,
    and the papers take them out again for its sake.

The modules:

    scene     the mentions of a document, their names and speakers, and entities so far
    passes    the passes
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cistell.sieve.passes import (
    make_strict_head,
    match_acronym,
    match_construct,
    match_exact_string,
    match_pronoun,
    match_proper_head,
    match_relaxed_head,
    match_relaxed_string,
    match_speaker,
)
from cistell.sieve.scene import NOBODY, Scene, make_scene

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cistell.mentions.profiles import Ints, MentionTable

__all__ = ["PASSES", "Pass", "resolve_by_sieve", "resolve_stages"]


class Pass(NamedTuple):
    """A pass of the sieve."""

    name: str
    # Finds the antecedent of a mention, or `NOBODY`.
    find: Callable[[Scene, int], int]
    # Whether mentions that introduce something new ("a mill") are resolved too.
    indefinite: bool = False


PASSES = (
    Pass("speakers", match_speaker),
    Pass("exact string", match_exact_string, indefinite=True),
    Pass("relaxed string", match_relaxed_string),
    Pass("precise constructs", match_construct, indefinite=True),
    Pass("acronyms", match_acronym),
    Pass("strict head A", make_strict_head(words=True, modifiers=True)),
    Pass("strict head B", make_strict_head(words=True, modifiers=False)),
    Pass("strict head C", make_strict_head(words=False, modifiers=True)),
    Pass("proper head", match_proper_head),
    Pass("relaxed head", match_relaxed_head),
    Pass("pronouns", match_pronoun),
)


def resolve_by_sieve(table: MentionTable, *, passes: Sequence[Pass] = PASSES) -> Ints:
    """Return the number of the entity of each mention.

    The cost is linear in the number of mentions: a mention is compared with at most 120
    mentions that share its string or head, and a pronoun with those of four sentences.

    >>> from corefkit import read
    >>> from cistell.mentions.lexicon import load_lexicon
    >>> from cistell.mentions.profiles import Context, make_annotated_table
    >>> from corefkit.example import trees
    >>> context = Context(load_lexicon("en", wordnet="none"))
    >>> table, _ = make_annotated_table(next(iter(read(trees()))), context)
    >>> entities = resolve_by_sieve(table)
    >>> he = [profile.text for profile in table.profiles].index("he")
    >>> [table.profiles[i].text for i in np.flatnonzero(entities == entities[he])]
    ['her predecessor anders lie', 'he', 'him']
    """
    (entities,) = resolve_stages(table, (len(passes),), passes=passes)
    return entities


def resolve_stages(
    table: MentionTable, after: Sequence[int], *, passes: Sequence[Pass] = PASSES
) -> list[Ints]:
    """Return the entities of mentions after each of these numbers of passes."""
    scene = make_scene(table)
    stages = []
    for number in range(len(passes) + 1):
        if number:
            run_pass(passes[number - 1], scene)
        if number in after:
            stages.append(np.array(scene.entities.numbers(), np.int64))
    return stages


def run_pass(sieve_pass: Pass, scene: Scene) -> None:
    """Merge the entities of all mentions for which a pass finds an antecedent."""
    for mention, profile in enumerate(scene.profiles):
        if not scene.entities.is_resolved_by(mention):
            continue
        if profile.kind == "indefinite_nps" and not sieve_pass.indefinite:
            continue
        antecedent = sieve_pass.find(scene, mention)
        if antecedent != NOBODY:
            scene.entities.merge(antecedent, mention)
