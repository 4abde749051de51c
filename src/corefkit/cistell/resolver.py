"""A resolver: a trained model, what is known of words, and how mentions are linked."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

from corefkit.cistell.features import FEATURES, chosen_features, columns_of
from corefkit.cistell.lexicon import NO_WORDNET, load_lexicon
from corefkit.cistell.modelfile import load_model, save_model
from corefkit.cistell.needs import TYPES, shares, watched
from corefkit.cistell.profiles import Context, context_of
from corefkit.cistell.resolving import linking_named, resolve
from corefkit.cistell.taggers import MentionFilter, check_mentions, with_mentions
from corefkit.cistell.training import train, usable_features

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from corefkit.cistell.features.base import Feature
    from corefkit.cistell.learners.base import Column
    from corefkit.cistell.lexicon import Lexicon
    from corefkit.cistell.modelfile import Model
    from corefkit.cistell.models import Linking
    from corefkit.cistell.resolving import Resolution
    from corefkit.cistell.training import Sampling
    from corefkit.model import Document


_PARTS = {
    "wordnet": "WordNet",
    "genders": "lists of genders",
    "plurals": "lists of plurals",
    "demonyms": "lists of demonyms",
    "pronouns": "tables of pronouns",
}


def warned(line: str) -> None:
    """Warn a user of Python."""
    warnings.warn(line, stacklevel=3)


@dataclass(frozen=True, slots=True)
class Resolver:
    """Finds the entities of documents.

    Attributes:
        model: what was learned.
        context: what mentions are described with.
        linking: how a mention finds its entity.

    >>> from corefkit import read
    >>> from corefkit.example import trees
    >>> resolver = Resolver.train(read(trees()), learner="ib1", wordnet="none")
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
        entity_types: str = "names",
        lexicon: Path | None = None,
        wordnet: Path | str | None = None,
        note: Callable[[str], None] = warned,
    ) -> Resolver:
        """Train on annotated documents with tags and trees.

        Args:
            documents: the documents.
            language: whose features to use: `en`, `es` or `fr`.
            learner: `timbl`, `ib1`, `logistic` or `boosting`.
            link: one of the paper's linking models.
            sampling: which pairs to learn from; by default as suits the learner.
            tagger: whether to train a tagger of mentions too.
            entity_types: which mentions show their entity types: `names`, `all` or
                `none`.
            lexicon: a folder of word lists.
            wordnet: the folder of WordNet's files, if it is not in a usual place, or
                `none` to do without.
            note: called with what the user should know; by default that is a warning.
        """
        linking = linking_named(link)
        words = load_lexicon(language, folder=lexicon, wordnet=wordnet)
        context = context_of(words, entity_types)
        model = train(
            documents,
            context=context,
            features=usable_features(words, note=note),
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
        note: Callable[[str], None] = warned,
    ) -> Resolver:
        """Read a model that `save` or `corefkit train` wrote.

        A model that was trained without WordNet does without it here too, unless
        `wordnet` names one. `note` is called if the words known here differ from those
        of the training.
        """
        model = read_model(path, note=note)
        recorded = model.training.get("words")
        known = recorded if isinstance(recorded, dict) else {}
        if wordnet is None and known.get("wordnet") == NO_WORDNET:
            wordnet = NO_WORDNET
        words = load_lexicon(model.language, folder=lexicon, wordnet=wordnet)
        for line in _differences(model, words, known):
            note(line)
        types = str(model.training.get("entity_types", "names"))
        return cls(model, context_of(words, types), linking_named(link))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model; the linking is not a part of it."""
        save_model(self.model, path)

    @property
    def tagger(self) -> MentionFilter | None:
        """The tagger of mentions, if one was trained with the model."""
        files = self.model.tagger
        return None if files is None else MentionFilter.load(files)

    def resolve(
        self,
        documents: Iterable[Document],
        *,
        mentions: str | None = None,
        note: Callable[[str], None] = warned,
    ) -> Iterator[Resolution]:
        """Find entities; those that the documents have are ignored.

        Args:
            documents: documents with tags and trees.
            mentions: `gold` for those of the documents, `sm1` for every noun phrase,
                `sm2` for those that the model's tagger finds. By default, the
                document's own if it has any, else `sm2` if the model has a tagger,
                else `sm1`.
            note: called, when all is read, with what the model needs and the documents
                lack; by default that is a warning.

        Raises:
            SettingsError: the mentions are unknown, or the model has no tagger.
        """
        tagger = self.tagger
        check_mentions(mentions, tagger)
        ready = (
            with_mentions(document, mentions, tagger=tagger) for document in documents
        )
        rows = resolve(
            watched(ready, self._needs(), note=note),
            {"": self.linking},
            self.model.classifier,
            features=self._features(),
            context=self.context,
        )
        return (row[""] for row in rows)

    def _features(self) -> list[Feature]:
        return [FEATURES[column.name] for column in self.model.columns]

    def _needs(self) -> dict[str, float]:
        needs = {need for feature in self._features() for need in feature.needs}
        if self.context.entity_types == "none":
            needs.discard(TYPES)
        supply = self.model.training.get("supply")
        return shares(needs, supply if isinstance(supply, dict) else None)


def _differences(
    model: Model, words: Lexicon, known: Mapping[str, object]
) -> Iterator[str]:
    """Describe which words of the training are missing here, or differ."""
    recorded = model.training.get("missing")
    missing = {*map(str, recorded)} if isinstance(recorded, list) else set()
    gone = [
        lacking.resource for lacking in words.missing if lacking.resource not in missing
    ]
    here = words.fingerprints()
    others = [
        title
        for part, title in _PARTS.items()
        if known.get(part, here[part]) != here[part]
    ]
    if gone:
        yield (
            f"the model was trained with {', '.join(gone)}, missing here: it will "
            "decide worse; --lexicon and --wordnet name the folders"
        )
    elif others:
        yield (
            f"the model was trained with other {' and '.join(others)} than those here: "
            "it may decide otherwise; --lexicon and --wordnet name the folders"
        )


def read_model(
    path: str | os.PathLike[str], *, note: Callable[[str], None] = lambda _: None
) -> Model:
    """Read a model; refuse one with features that this corefkit does not know."""
    return load_model(path, known=_known, note=note)


def _known(language: str) -> tuple[Column, ...]:
    return columns_of(chosen_features(language))
