"""Training: annotated documents in, a model out.

Most mentions are singletons and most pairs are negative, so the choice of pairs to
learn from matters more than the features: Soon's pairs have no singleton as second
mention, and a classifier that remembers them finds antecedents for singletons that have
none.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cistell.features import chosen_features, codes_of, columns_of
from cistell.features.base import Pairs
from cistell.learners import LEARNERS, learner_named
from cistell.learners.base import Instances
from cistell.modelfile import Model
from cistell.needs import WORDNET, supply_of
from cistell.table import annotated_table
from corefkit.corpus import compute_fingerprint
from corefkit.exceptions import CorefkitError, SettingsError
from corefkit.strings import suggest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.random import Generator

    from cistell.features.base import Feature
    from cistell.learners.base import Learner
    from cistell.lexicon import Lexicon
    from cistell.profiles import Context
    from cistell.table import MentionTable
    from corefkit.arrays.columns import Flags, Ints
    from corefkit.model import Document


class Sample(NamedTuple):
    """Pairs of one document to learn from."""

    first: Ints  # the earlier mention of each pair
    second: Ints  # the later one


@dataclass(frozen=True, slots=True)
class Sampling:
    """How pairs to learn from are chosen.

    Attributes:
        scheme: one of `SCHEMES`.
        positives: how many antecedents of a mention `every` takes at most.
        negatives: how many other earlier mentions it takes at most.
        seed: of the random choice.
    """

    scheme: str = "every"
    positives: int = 3
    negatives: int = 5
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse an unknown scheme and negative numbers."""
        if self.scheme not in SCHEMES:
            message = f"there is no scheme of training pairs {self.scheme!r}"
            raise SettingsError(
                message,
                code="settings/unknown-value",
                hint=suggest(self.scheme, SCHEMES),
            )
        for name in ("positives", "negatives", "seed"):
            if getattr(self, name) < 0:
                message = f"{name} cannot be {getattr(self, name)}"
                raise SettingsError(
                    message, code="settings/invalid-value", hint="give 0 or more"
                )


def sampling_for(learner: str, *, seed: int = 0) -> Sampling:
    """Return how pairs are chosen for a learner, unless the user says otherwise.

    Few negatives suit the nearest neighbour, many suit boosting.

    >>> sampling_for("timbl").negatives, sampling_for("boosting").negatives
    (5, 40)
    """
    return Sampling(negatives=LEARNERS[learner].negatives, seed=seed)


def every(
    table: MentionTable, entity: Ints, *, sampling: Sampling, random: Generator
) -> Sample:
    """Pair every mention with some antecedents and some other earlier mentions.

    They are drawn at random. Unlike in Soon's scheme, singletons are second mentions.
    """
    del table
    first: list[Ints] = []
    for second in range(len(entity)):
        coreferent = entity[:second] == entity[second]
        for mentions, most in (
            (np.flatnonzero(coreferent), sampling.positives),
            (np.flatnonzero(~coreferent), sampling.negatives),
        ):
            few = len(mentions) <= most
            chosen = mentions if few else random.choice(mentions, most, replace=False)
            first.append(np.sort(chosen))
    return _sample(first, [second for second in range(len(entity)) for _ in range(2)])


def soon(
    table: MentionTable, entity: Ints, *, sampling: Sampling, random: Generator
) -> Sample:
    """Pair with the closest antecedent and all mentions between (Soon et al. 2001)."""
    del table, sampling, random
    first, seconds = [], []
    for second in range(len(entity)):
        antecedents = np.flatnonzero(entity[:second] == entity[second])
        if len(antecedents):
            first.append(np.arange(antecedents[-1], second))
            seconds.append(second)
    return _sample(first, seconds)


def ng_cardie(
    table: MentionTable, entity: Ints, *, sampling: Sampling, random: Generator
) -> Sample:
    """Pair nouns with the closest antecedent that is a noun (Ng and Cardie 2002).

    Pronouns have the closest antecedent of any kind; the mentions between are the
    negatives, as in Soon's scheme.
    """
    del sampling, random
    first, seconds = [], []
    for second in range(len(entity)):
        coreferent = entity[:second] == entity[second]
        allowed = table.pronoun[second] | ~table.pronoun[:second]
        antecedents = np.flatnonzero(coreferent & allowed)
        if len(antecedents):
            between = np.arange(antecedents[-1] + 1, second)
            negatives = between[~coreferent[between]]
            first.append(np.concatenate([antecedents[-1:], negatives]))
            seconds.append(second)
    return _sample(first, seconds)


def _sample(first: list[Ints], seconds: list[int]) -> Sample:
    if not first:
        return Sample(np.zeros(0, np.int64), np.zeros(0, np.int64))
    sizes = list(map(len, first))
    return Sample(np.concatenate(first), np.repeat(np.array(seconds, np.int64), sizes))


SCHEMES: Mapping[str, Callable[..., Sample]] = {
    "every": every,
    "soon": soon,
    "ng-cardie": ng_cardie,
}


def positives(sample: Sample, entity: Ints) -> Flags:
    """Return which pairs are coreferent."""
    coreferent: Flags = entity[sample.first] == entity[sample.second]
    return coreferent


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
        raise CorefkitError(message, code="model/nothing-to-learn", hint=hint)
    return Instances(columns_of(features), np.concatenate(rows), positive)


def train(
    documents: Iterable[Document],
    *,
    context: Context,
    features: Sequence[Feature],
    learner: str = "timbl",
    sampling: Sampling | None = None,
    note: Callable[[str], None] = lambda _: None,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> Model:
    """Train a model on annotated documents with tags and trees.

    Args:
        documents: the documents; all of them are kept in memory.
        context: the language, its lexicon, and which entity types are shown.
        features: the features that describe pairs, as `usable_features` returns them.
        learner: one of `LEARNERS`.
        sampling: which pairs to learn from; by default as suits the learner.
        note: called with what the user should know.
        progress: called with the numbers of documents done and of all documents.
    """
    sampling = sampling or sampling_for(learner_named(learner).name)
    training = list(documents)
    instances = training_pairs(
        training, features, context, sampling=sampling, progress=progress
    )
    return trained_model(
        instances,
        training,
        context=context,
        learner=learner_named(learner, note=note),
        sampling=sampling,
    )


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
        corpus=compute_fingerprint(documents).to_dict(),
        training={
            "documents": len(documents),
            "pairs": len(instances.positive),
            "coreferent_pairs": int(instances.positive.sum()),
            "entity_types": context.entity_types,
            "missing": [lack.resource for lack in context.lexicon.missing],
            "words": context.lexicon.fingerprints(),
            "supply": supply_of(documents),
            "sampling": asdict(sampling),
        },
    )
