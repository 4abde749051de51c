"""The system of the paper (section 3.1): training on pairs, and resolution.

Mentions are given: the true mentions of a document, or those of a tagger.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cistell.mentions.profiles import list_annotated, make_table
from cistell.paper.features import FEATURES, choose_usable_features
from cistell.paper.memory import learn_ib1
from cistell.paper.models import (
    BASELINES,
    CONSULTING,
    LINKINGS,
    Linker,
    Linking,
    make_resolution,
)
from cistell.paper.pairs import Sampling, decide_pairs, encode_training_pairs
from corefkit import SettingsError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from cistell.mentions.profiles import Context
    from cistell.paper.features import Feature
    from cistell.paper.memory import Classifier, Column, Instances
    from cistell.paper.models import Resolution
    from corefkit import Document


@dataclass(frozen=True, slots=True)
class PairModel:
    """A classifier of pairs, and how pairs are described.

    Attributes:
        columns: names and values of the features.
        classifier: the trained classifier.
        context: language, word lists and options of mentions.
    """

    columns: tuple[Column, ...]
    classifier: Classifier
    context: Context

    @property
    def features(self) -> list[Feature]:
        """The features that describe pairs."""
        return [FEATURES[column.name] for column in self.columns]

    def resolve(
        self, documents: Iterable[Document], linkings: Mapping[str, Linking] = LINKINGS
    ) -> Iterator[dict[str, Resolution]]:
        """Resolve the mentions of documents by several linking models.

        All use the same decisions. The entities of the documents are ignored.
        """
        return resolve_pairs(
            documents,
            linkings,
            self.classifier,
            features=self.features,
            context=self.context,
        )


def train(
    documents: Iterable[Document],
    context: Context,
    *,
    features: Sequence[Feature] | None = None,
    sampling: Sampling | None = None,
    learn: Callable[[Instances], Classifier] = learn_ib1,
    note: Callable[[str], None] = lambda _: None,
) -> PairModel:
    """Learn from the pairs of annotated documents with trees.

    Args:
        documents: the documents.
        context: language, word lists and options of mentions.
        features: the features of pairs; by default all of the language.
        sampling: which pairs to learn from.
        learn: the learner; by default the memory-based one of the paper.
        note: called if features cannot be computed, with the reason.

    Raises:
        CorefkitError: no pair is coreferent, or all are.

    >>> import corefkit
    >>> from cistell.mentions.lexicon import load_lexicon
    >>> from cistell.mentions.profiles import Context
    >>> from corefkit.example import trees
    >>> documents = list(corefkit.read(trees()))
    >>> model = train(documents, Context(load_lexicon("en", wordnet="none")))
    >>> sum(row["strong"].links for row in model.resolve(documents))
    55
    """
    chosen = features or choose_usable_features(context.lexicon, note=note)
    instances = encode_training_pairs(documents, chosen, context, sampling=sampling)
    return PairModel(instances.columns, learn(instances), context)


def resolve_pairs(
    documents: Iterable[Document],
    linkings: Mapping[str, Linking],
    classifier: Classifier,
    *,
    features: Sequence[Feature],
    context: Context,
) -> Iterator[dict[str, Resolution]]:
    """Resolve documents by several linking models, with the same decisions."""
    tables = (
        make_table(document, list_annotated(document), context)
        for document in documents
    )
    linkers: dict[str, Linker] = {}
    for block in decide_pairs(tables, features, classifier):
        if block.start == 0:
            linkers = {
                name: Linker(linking, len(block.table), block.table)
                for name, linking in linkings.items()
            }
        for decisions in block:
            for linker in linkers.values():
                linker.attach(decisions)
        if block.stop == len(block.table):
            yield {
                name: make_resolution(
                    block.table, linker.baskets, refused=linker.refused
                )
                for name, linker in linkers.items()
            }


def resolve_by_baseline(
    documents: Iterable[Document], name: str, context: Context, *, lemmas: bool = False
) -> Iterator[Resolution]:
    """Resolve the mentions of documents by a baseline, which needs no training."""
    if name not in BASELINES:
        message = f"unknown baseline {name!r}"
        hint = f"choose one of {', '.join(BASELINES)}"
        raise SettingsError(message, code="settings/unknown-value", hint=hint)
    for document in documents:
        table = make_table(document, list_annotated(document), context)
        yield make_resolution(table, BASELINES[name](table, lemmas=lemmas))


def get_linking(name: str) -> Linking:
    """Return a linking model by its name.

    >>> get_linking("super_strong").threshold
    0.09
    """
    linkings = {**LINKINGS, **CONSULTING}
    if name not in linkings:
        message = f"unknown linking model {name!r}"
        hint = f"choose one of {', '.join(linkings)}"
        raise SettingsError(message, code="settings/unknown-value", hint=hint)
    return linkings[name]
