"""A resolver: a trained model, what is known of words, and how mentions are linked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from corefkit.cistell.features import FEATURES, chosen_features, columns_of
from corefkit.cistell.languages import language_named
from corefkit.cistell.lexicon import load_lexicon
from corefkit.cistell.modelfile import load_model, save_model
from corefkit.cistell.profiles import Context
from corefkit.cistell.resolving import linking_named, resolve
from corefkit.cistell.training import train, usable_features

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from corefkit.cistell.learners.base import Column
    from corefkit.cistell.modelfile import Model
    from corefkit.cistell.models import Linking
    from corefkit.cistell.resolving import Resolution
    from corefkit.cistell.sampling import Sampling
    from corefkit.model import Document


@dataclass(frozen=True, slots=True)
class Resolver:
    """Finds the entities of documents.

    Attributes:
        model: what was learned.
        context: what mentions are looked at with.
        linking: how a mention finds its entity.

    >>> from corefkit import read
    >>> from corefkit.example import trees
    >>> resolver = Resolver.train(read(trees()), learner="ib1")
    >>> found = next(resolver.resolve(read(trees())))
    >>> found.document.id, sum(len(basket.mentions) for basket in found.baskets)
    ('(example/bridge); part 000', 21)
    """

    model: Model
    context: Context
    linking: Linking

    @classmethod
    def train(
        cls,
        documents: Iterable[Document],
        *,
        language: str = "en",
        learner: str = "timbl",
        link: str = "best",
        sampling: Sampling | None = None,
        tagger: bool = False,
        lexicon: Path | None = None,
        wordnet: Path | str | None = None,
        note: Callable[[str], None] = lambda _: None,
    ) -> Resolver:
        """Train on annotated documents with tags and trees.

        Args:
            documents: the documents.
            language: whose features to use: `en`, `es` or `fr`.
            learner: `timbl`, `ib1`, `logistic` or `boosting`.
            link: one of the paper's linking models.
            sampling: which pairs to learn from.
            tagger: whether to train a tagger of mentions too.
            lexicon: a folder of word lists.
            wordnet: the folder of WordNet's files, if it is not in a usual place, or
                `none` to do without.
            note: called with what the user should know.
        """
        linking = linking_named(link)
        words = load_lexicon(language, folder=lexicon, wordnet=wordnet)
        context = Context(language_named(language), words)
        features, notes = usable_features(words)
        for one in notes:
            note(one)
        model = train(
            documents,
            context=context,
            features=features,
            learner=learner,
            sampling=sampling,
            tagger=tagger,
            note=note,
        )
        return cls(model, context, linking)

    @classmethod
    def load(
        cls,
        path: str | os.PathLike[str],
        *,
        link: str = "best",
        lexicon: Path | None = None,
        wordnet: Path | str | None = None,
        note: Callable[[str], None] = lambda _: None,
    ) -> Resolver:
        """Read a model that `save` or `corefkit train` wrote."""
        model = read_model(path, note=note)
        words = load_lexicon(model.language, folder=lexicon, wordnet=wordnet)
        types = str(model.training.get("entity_types", "names"))
        missing = {*cast("list[str]", model.training.get("missing", []))}
        gone = [one.resource for one in words.missing if one.resource not in missing]
        if gone:
            note(
                f"the model was trained with {', '.join(gone)}, missing here: it will "
                "decide worse; --lexicon and --wordnet name the folders"
            )
        context = Context(language_named(model.language), words, types)
        return cls(model, context, linking_named(link))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model; how mentions are linked is not a part of it."""
        save_model(self.model, path)

    def resolve(self, documents: Iterable[Document]) -> Iterator[Resolution]:
        """Find entities; the documents' mentions are taken, their entities are not."""
        found = resolve(
            documents,
            {"": self.linking},
            self.model.classifier,
            features=[FEATURES[column.name] for column in self.model.columns],
            context=self.context,
        )
        return (row[""] for row in found)


def read_model(
    path: str | os.PathLike[str], *, note: Callable[[str], None] = lambda _: None
) -> Model:
    """Read a model, if it has no other features than those that there are."""
    return load_model(path, known=_known, note=note)


def _known(language: str) -> tuple[Column, ...]:
    return columns_of(chosen_features(language))
