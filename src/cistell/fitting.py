"""Fitting: a model and how its mentions are linked, from annotated documents.

How sure a decision must be is picked on documents that the model did not learn from,
with the linking that is used: for the mentions of documents, and for those that a
tagger finds, some of which are no mentions. Where no such documents are given, a tenth
of the others is held out first; the model then learns from all.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from cistell.evidence import Reading
from cistell.linking import EntityLinker
from cistell.modelfile import FOUND, GOLD, RANKING
from cistell.models import LINKINGS, Linking
from cistell.ranked import picked_bias, ranking_model
from cistell.resolving import linking_named
from cistell.taggers import learn_tagger, tagged, with_singletons
from cistell.training import sampling_for, train
from cistell.tuning import CONLL, picked_thresholds

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cistell.features.base import Feature
    from cistell.learners.base import Classifier
    from cistell.modelfile import Model
    from cistell.profiles import Context
    from cistell.taggers import MentionTagger
    from cistell.training import Sampling
    from corefkit.model import Document

# The linking that scored best with every learner: the surest earlier mention, without a
# look at the rest of its basket.
UNCHECKED = Linking("best", check="none")
FOLD = 10  # one document of so many is held out, if no others are given
_FEWEST = 4  # documents that are enough to hold one out


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a model is trained."""

    context: Context  # the language, its lexicon, and which entity types are shown
    features: tuple[Feature, ...]  # the features that describe pairs
    learner: str
    # Which pairs to learn from; None for what suits the learner.
    sampling: Sampling | None = None
    seed: int = 0  # of everything that is drawn at random
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
    seed: int = 0,
) -> Recipe:
    """Return the recipe that scored best or, with `paper`, that of the paper.

    Recasens and Hovy 2010 learn with TiMBL, use every decision for coreference, and
    take the mentions that a corpus has. What is named counts more than either.
    """
    linking = linking_named(link or "best") if link or paper else UNCHECKED
    pairs = "timbl" if paper else "boosting"
    learner = learner or (pairs if paper or link else RANKING)
    return Recipe(
        context,
        tuple(features),
        learner,
        sampling=sampling,
        seed=seed,
        tagger=not paper if tagger is None else tagger,
        linking=linking,
        tuned=linking is UNCHECKED,
    )


class Trials(NamedTuple):
    """Documents that a model does not learn from, to pick thresholds on."""

    gold: Sequence[Document] = ()  # as they are annotated
    # The same, with the mentions that a tagger finds, as single entities; or none.
    found: Sequence[Document] = ()


def fit(
    documents: Sequence[Document],
    recipe: Recipe,
    *,
    heldout: Sequence[Document] = (),
    note: Callable[[str], None] = lambda _: None,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> Model:
    """Train a model on annotated documents with trees, and its tagger if it has one.

    Args:
        documents: documents with tags, trees and entities, to learn from.
        recipe: how.
        heldout: other such documents, to pick thresholds on.
        note: called with what the user should know.
        progress: called with the numbers of documents done and of all documents.
    """
    tagger: MentionTagger | None = None
    found: list[Document] = []
    if recipe.tagger:
        learned = learn_tagger(map(Reading, documents))
        tagger = learned.tagger
        found = list(map(with_singletons, documents, learned.mentions))
    more: Sequence[Document] = ()
    trials = Trials(heldout)
    if tagger is not None:
        trials = Trials(heldout, [tagged(one, tagger=tagger) for one in heldout])
    if recipe.tuned and not heldout:
        at = held_out(len(documents))
        more = [documents[number] for number in at]
        # The tagger that found these mentions has not seen their documents either.
        trials = Trials(more, [found[number] for number in at] if found else ())
        documents = [one for number, one in enumerate(documents) if number not in at]
    model = fit_links(
        documents, recipe, trials=trials, more=more, note=note, progress=progress
    )
    return replace(model, tagger=None if tagger is None else tagger.files())


def fit_links(
    documents: Sequence[Document],
    recipe: Recipe,
    *,
    trials: Trials,
    more: Sequence[Document] = (),
    note: Callable[[str], None] = lambda _: None,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> Model:
    """Train a model of links, and choose how its mentions are linked.

    Args:
        documents: documents with tags, trees and entities, to learn from.
        recipe: how.
        trials: what thresholds are picked on; without any, there are none.
        more: documents to learn from too when thresholds are picked.
        note: called with what the user should know.
        progress: called with the numbers of documents done and of all documents.
    """
    tried = _trained(documents, recipe, note=note, progress=progress)
    model = tried
    if more:
        everything = [*documents, *more]
        model = _trained(everything, recipe, note=lambda _: None, progress=progress)
    if isinstance(tried.classifier, EntityLinker):
        return replace(model, biases=_biases(tried.classifier, trials, recipe))
    linkings, thresholds = _tuned(tried.classifier, trials, recipe)
    training = {**model.training}
    if thresholds:
        training["thresholds"] = thresholds
    return replace(model, linkings=linkings, training=training)


def held_out(documents: int) -> range:
    """Return the numbers of those documents, of so many, that are held out.

    Every tenth is held out, since corpora are often sorted by genre; of fewer than ten
    the last; none if there are hardly any, since there would be nothing to learn from.

    >>> list(held_out(25)), list(held_out(5)), list(held_out(3))
    ([9, 19], [4], [])
    """
    if documents < _FEWEST:
        return range(0)
    return range(min(documents, FOLD) - 1, documents, FOLD)


def _trained(
    documents: Sequence[Document],
    recipe: Recipe,
    *,
    note: Callable[[str], None],
    progress: Callable[[int, int], None],
) -> Model:
    if recipe.learner == RANKING:
        return ranking_model(
            documents, recipe.context, seed=recipe.seed, progress=progress
        )
    return train(
        documents,
        context=recipe.context,
        features=recipe.features,
        learner=recipe.learner,
        sampling=recipe.sampling or sampling_for(recipe.learner, seed=recipe.seed),
        note=note,
        progress=progress,
    )


def _biases(linker: EntityLinker, trials: Trials, recipe: Recipe) -> dict[str, float]:
    """Pick how ready a linker that ranks is to link."""
    if not trials.gold:
        return {}
    pick = partial(
        picked_bias, linker, context=recipe.context, key=trials.gold, judges=CONLL
    )
    gold = pick(trials.gold)
    return {GOLD: gold, FOUND: pick(trials.found) if trials.found else gold}


def _tuned(
    classifier: Classifier, trials: Trials, recipe: Recipe
) -> tuple[dict[str, Linking], dict[str, float]]:
    """Pick thresholds: of the linking that is used, and of the paper's."""
    linkings = dict.fromkeys((GOLD, FOUND), recipe.linking)
    if not trials.gold:
        return linkings, {}
    pick = partial(
        picked_thresholds,
        classifier=classifier,
        features=recipe.features,
        context=recipe.context,
        judges=CONLL,
    )
    thresholds = pick(trials.gold, {**LINKINGS, GOLD: recipe.linking})
    picked = thresholds.pop(GOLD)
    if recipe.tuned:
        linkings = dict.fromkeys(linkings, replace(recipe.linking, threshold=picked))
        if trials.found:
            found = pick(trials.found, {FOUND: recipe.linking}, key=trials.gold)
            linkings[FOUND] = replace(recipe.linking, threshold=found[FOUND])
    return linkings, thresholds
