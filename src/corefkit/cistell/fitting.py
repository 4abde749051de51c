"""Fitting: a model and how its mentions are linked, from annotated documents.

How sure a decision must be is picked on documents that the model did not learn from,
with the linking that is used: for the mentions of documents, and for those that the
tagger finds, which are other mentions with other entities. Where no such documents are
given, a tenth of the others is held out first; the model then learns from all.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from corefkit.cistell.modelfile import FOUND, GOLD
from corefkit.cistell.models import LINKINGS, Linking
from corefkit.cistell.resolving import linking_named
from corefkit.cistell.taggers import MentionFilter, tagged
from corefkit.cistell.training import train
from corefkit.cistell.tuning import CONLL, picked_thresholds

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from corefkit.cistell.features.base import Feature
    from corefkit.cistell.modelfile import Model
    from corefkit.cistell.profiles import Context
    from corefkit.cistell.training import Sampling
    from corefkit.model import Document

# The linking that scored best with every learner: the surest earlier mention, without a
# look at the rest of its basket.
UNCHECKED = Linking("best", check="none")
_LEARNER, _PAPER_LEARNER = "boosting", "timbl"
FOLD = 10  # one document of so many is held out, if no others are given
_FEWEST = 4  # documents that are enough to hold one out


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a model is trained."""

    context: Context  # the language, its lexicon, and which entity types are shown
    features: tuple[Feature, ...]  # the features that describe pairs
    learner: str
    sampling: Sampling | None = None  # which pairs to learn from
    tagger: bool = True  # whether a tagger of mentions is trained too
    linking: Linking = UNCHECKED  # how mentions find their entities
    # Whether the threshold of the linking is picked on held-out documents.
    tuned: bool = True


def recipe_for(
    context: Context,
    features: Sequence[Feature],
    *,
    paper: bool = False,
    learner: str | None = None,
    link: str | None = None,
    sampling: Sampling | None = None,
    tagger: bool | None = None,
) -> Recipe:
    """Return the recipe that scored best or, with `paper`, that of the paper.

    Recasens and Hovy 2010 learn with TiMBL, use every decision for coreference, and
    take the mentions that a corpus has. What is named counts more than either.
    """
    linking = linking_named(link or "best") if link or paper else UNCHECKED
    return Recipe(
        context,
        tuple(features),
        learner or (_PAPER_LEARNER if paper else _LEARNER),
        sampling=sampling,
        tagger=not paper if tagger is None else tagger,
        linking=linking,
        tuned=linking is UNCHECKED,
    )


def fit(
    documents: Sequence[Document],
    recipe: Recipe,
    *,
    heldout: Sequence[Document] = (),
    note: Callable[[str], None] = lambda _: None,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> Model:
    """Train a model on annotated documents, and choose how its mentions are linked.

    Args:
        documents: documents with tags, trees and entities, to learn from.
        recipe: how.
        heldout: other such documents, to pick thresholds on.
        note: called with what the user should know.
        progress: called with the numbers of documents done and of all documents.
    """
    learned, judged = documents, heldout
    if recipe.tuned and not heldout:
        learned, judged = held_out(documents)
    model = _trained(learned, recipe, note=note, progress=progress)
    if judged:
        linkings, thresholds = _tuned(model, judged, recipe)
    else:
        linkings, thresholds = dict.fromkeys((GOLD, FOUND), recipe.linking), {}
    if len(learned) < len(documents):
        model = _trained(documents, recipe, note=lambda _: None, progress=progress)
    training = {**model.training}
    if thresholds:
        training["thresholds"] = thresholds
    return replace(model, linkings=linkings, training=training)


def held_out(
    documents: Sequence[Document],
) -> tuple[Sequence[Document], Sequence[Document]]:
    """Split documents into those to learn from and those to try on.

    Every tenth is held out, since corpora are often sorted by genre; of fewer than ten
    the last; none if there are hardly any, since there would be nothing to learn from.
    """
    if len(documents) < _FEWEST:
        return documents, ()
    if len(documents) < FOLD:
        return documents[:-1], documents[-1:]
    learned = [one for at, one in enumerate(documents, 1) if at % FOLD]
    return learned, documents[FOLD - 1 :: FOLD]


def _trained(
    documents: Sequence[Document],
    recipe: Recipe,
    *,
    note: Callable[[str], None],
    progress: Callable[[int, int], None],
) -> Model:
    return train(
        documents,
        context=recipe.context,
        features=recipe.features,
        learner=recipe.learner,
        sampling=recipe.sampling,
        tagger=recipe.tagger,
        note=note,
        progress=progress,
    )


def _tuned(
    model: Model, documents: Sequence[Document], recipe: Recipe
) -> tuple[dict[str, Linking], dict[str, float]]:
    """Pick thresholds: of the linking that is used, and of the paper's."""
    candidates: Mapping[str, Linking] = {GOLD: recipe.linking, **LINKINGS}
    thresholds = picked_thresholds(
        documents,
        candidates,
        model.classifier,
        features=recipe.features,
        context=recipe.context,
        judges=CONLL,
    )
    linkings = dict.fromkeys((GOLD, FOUND), recipe.linking)
    if recipe.tuned:
        linkings[GOLD] = replace(recipe.linking, threshold=thresholds[GOLD])
        linkings[FOUND] = linkings[GOLD]
    if recipe.tuned and model.tagger is not None:
        tagger = MentionFilter.load(model.tagger)
        found = picked_thresholds(
            [tagged(document, tagger=tagger) for document in documents],
            {FOUND: recipe.linking},
            model.classifier,
            features=recipe.features,
            context=recipe.context,
            judges=CONLL,
            key=documents,
        )
        linkings[FOUND] = replace(recipe.linking, threshold=found[FOUND])
    del thresholds[GOLD]
    return linkings, thresholds
