"""Training: annotated documents in, a model out."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from corefkit.cistell.features import chosen_features, codes_of, columns_of
from corefkit.cistell.features.base import Pairs
from corefkit.cistell.learners import learner_named
from corefkit.cistell.learners.base import Instances
from corefkit.cistell.modelfile import Model
from corefkit.cistell.needs import WORDNET, supply_of
from corefkit.cistell.sampling import SCHEMES, Sampling, positives
from corefkit.cistell.table import annotated_table
from corefkit.cistell.taggers import MentionFilter
from corefkit.corpus.fingerprint import fingerprint_of
from corefkit.exceptions import CorefkitError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from corefkit.cistell.features.base import Feature
    from corefkit.cistell.learners.base import Learner
    from corefkit.cistell.lexicon import Lexicon
    from corefkit.cistell.profiles import Context
    from corefkit.model import Document


def usable_features(
    lexicon: Lexicon,
    *,
    only: Iterable[str] | None = None,
    without: Iterable[str] = (),
    note: Callable[[str], None],
) -> tuple[Feature, ...]:
    """Return the chosen features of a language for which the resources are there.

    Without WordNet, `is_a_match` and `supertype_match` tell nothing and are left out.
    `note` is called with that, unless the user has declined WordNet.
    """
    left_out = [*without]
    chosen = chosen_features(lexicon.language, only=only, without=left_out)
    gone = [feature.name for feature in chosen if WORDNET in feature.needs]
    missing = [lack for lack in lexicon.missing if {*gone} & {*lack.features}]
    if lexicon.wordnet is not None or not missing:
        return chosen
    if not any(lack.declined for lack in missing):
        note(
            f"{_listed(lack.resource for lack in missing)} missing, so {_listed(gone)} "
            f"left out; {'; '.join(lack.hint for lack in missing)}"
        )
    return chosen_features(lexicon.language, only=only, without=[*left_out, *gone])


def _listed(names: Iterable[str]) -> str:
    """Join names to the subject of a sentence: `a is`, `a and b are`."""
    row = list(names)
    return f"{' and '.join(row)} {'are' if len(row) > 1 else 'is'}"


def training_pairs(
    documents: Iterable[Document],
    features: Sequence[Feature],
    context: Context,
    *,
    sampling: Sampling | None = None,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> Instances:
    """Describe the pairs of annotated documents to learn from.

    `progress` is called with the numbers of documents done and of all documents.

    Raises:
        CorefkitError: no pair is coreferent, or all are: nothing can be learned.
    """
    sampling = sampling or Sampling()
    scheme = SCHEMES[sampling.scheme]
    random = np.random.default_rng(sampling.seed)
    rows = [np.zeros((0, len(features)), np.uint8)]
    coreferent = [np.zeros(0, np.bool_)]
    training = list(documents)
    for done, document in enumerate(training):
        progress(done, len(training))
        table, entity = annotated_table(document, context)
        sample = scheme(table, entity, sampling=sampling, random=random)
        rows.append(codes_of(Pairs(table, sample.first, sample.second), features))
        coreferent.append(positives(sample, entity))
    positive = np.concatenate(coreferent)
    if not positive.any() or positive.all():
        lacking = "coreferent" if not positive.any() else "not coreferent"
        message = f"there is nothing to learn from: no pair of mentions is {lacking}"
        hint = "train on documents with entities of two mentions or more, and others"
        raise CorefkitError(message, hint=hint)
    return Instances(columns_of(features), np.concatenate(rows), positive)


def train(
    documents: Iterable[Document],
    *,
    context: Context,
    features: Sequence[Feature],
    learner: str = "timbl",
    sampling: Sampling | None = None,
    tagger: bool = False,
    note: Callable[[str], None] = lambda _: None,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> Model:
    """Train a model on annotated documents with tags and trees.

    Args:
        documents: the documents; all of them are kept in memory.
        context: the language, its lexicon, and which entity types are shown.
        features: the features that describe pairs, as `usable_features` returns them.
        learner: one of `LEARNERS`.
        sampling: which pairs to learn from.
        tagger: whether to train a tagger of mentions too, for texts without any.
        note: called with what the user should know.
        progress: called with the numbers of documents done and of all documents.
    """
    sampling = sampling or Sampling()
    training = list(documents)
    instances = training_pairs(
        training, features, context, sampling=sampling, progress=progress
    )
    model = trained_model(
        instances,
        training,
        context=context,
        learner=learner_named(learner, note=note),
        sampling=sampling,
    )
    if tagger:
        model = replace(model, tagger=MentionFilter.learn(training).files())
    return model


def trained_model(
    instances: Instances,
    documents: Sequence[Document],
    *,
    context: Context,
    learner: Learner,
    sampling: Sampling,
) -> Model:
    """Train a model on pairs, and record in it what it was trained on."""
    return Model(
        language=context.language.code,
        columns=instances.columns,
        learner=learner.name,
        classifier=learner.learn(instances, seed=sampling.seed),
        corpus=fingerprint_of(documents).to_dict(),
        training={
            "documents": len(documents),
            "pairs": len(instances.positive),
            "coreferent_pairs": int(instances.positive.sum()),
            "entity_types": context.entity_types,
            "missing": [lack.resource for lack in context.lexicon.missing],
            "words": context.lexicon.fingerprints(),
            "supply": supply_of(documents),
            "sampling": sampling.to_dict(),
        },
    )
