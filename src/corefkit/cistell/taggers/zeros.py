"""Subjects that are not said, in documents without empty nodes for them.

In Spanish, Catalan or Italian a finite verb without subject has one that the verb's
ending tells: "llegó tarde", "she came late". Where no empty node stands for it, the
verb itself can.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.cistell.taggers.trees import tree_of
from corefkit.model import Mention

if TYPE_CHECKING:
    from corefkit.cistell.taggers.trees import Tree
    from corefkit.model import Document

_SUBJECTS = {"nsubj", "csubj", "expl"}
_IMPERSONAL = {"haber", "haver"}  # "hay", "hi ha": there is


def zero_subjects(document: Document) -> list[Mention]:
    """Give the finite verbs that have no subject, each for the subject it stands for.

    The subject of a clause hangs on its predicate, which may be a noun ("es médica");
    the finite verb is then the copula, as it is the auxiliary in "ha llegado". Verbs
    that have no subject at all ("hay") are left out.

    Raises:
        CorefkitError: the document has words and no tree.
    """
    tree = tree_of(document)
    verbs = [_verb(tree, word) for word in range(len(tree.tags))]
    return [
        Mention(token, token, head=token)
        for token in sorted(tree.tokens[verb] for verb in verbs if verb >= 0)
    ]


def _verb(tree: Tree, predicate: int) -> int:
    """Give the finite verb of a predicate that has no subject, or -1."""
    children = tree.children[predicate]
    if any(_is_subject(tree, child) for child in children):
        return -1
    helpers = [child for child in children if tree.kinds[child] in ("aux", "cop")]
    if tree.kinds[predicate] in ("aux", "cop") or (
        not helpers and tree.lemmas[predicate] in _IMPERSONAL
    ):
        return -1
    finite = (word for word in (*helpers, predicate) if _is_finite(tree, word))
    return next(finite, -1)


def _is_subject(tree: Tree, word: int) -> bool:
    # A reflexive verb ("se marchó") has a subject beside its pronoun.
    return tree.kinds[word] in _SUBJECTS and tree.relations[word] != "expl:pv"


def _is_finite(tree: Tree, word: int) -> bool:
    """Say whether a word is a finite verb; orders have no subject to look for."""
    features = tree.features[word]
    return (
        tree.tags[word] in ("VERB", "AUX")
        and "VerbForm=Fin" in features
        and "Mood=Imp" not in features
    )
