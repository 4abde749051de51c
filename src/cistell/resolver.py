"""A resolver: all of it, from text to entities, ready to use."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING, overload

from cistell.cards import card_of
from cistell.fitting import Recipe, fit, recipe_for
from cistell.links import (
    NEEDS_PAIRS,
    PairLinks,
    RuleLinks,
    linked_by,
    links_of,
)
from cistell.loading import (
    SIEVE,
    chosen_model,
    context_for,
    context_of_model,
    read_model,
)
from cistell.modelfile import save_model
from cistell.needs import Supply
from cistell.pipeline import Pipeline
from cistell.places import default_model, is_bundled
from cistell.readers import RawText, Reader
from cistell.resolving import linking_named
from cistell.taggers import MentionTagger, check_mentions, declare_given
from cistell.training import usable_features
from corefkit.exceptions import SettingsError

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from cistell.card import Card
    from cistell.links import LearnedLinks, Links
    from cistell.modelfile import Model
    from cistell.models import Linking
    from cistell.profiles import Context
    from cistell.resolving import Resolution
    from cistell.training import Sampling
    from corefkit.model import Document


def warned(line: str) -> None:
    """Warn a user of Python."""
    warnings.warn(line, stacklevel=3)


@dataclass(frozen=True, slots=True)
class Resolver:
    """Finds the entities of texts and documents.

    Attributes:
        links: how mentions are put into entities.
        tagger: what finds mentions where a document has none, or None.
        reader: what finds words, tags and trees where there are none.
        tree_links: links the SM1 mentions of documents that have their own trees, in
            place of `links` and the tagger; None if `links` links all.

    >>> from corefkit import read
    >>> from corefkit.example import trees
    >>> resolver = Resolver.train(read(trees()), learner="ib1", wordnet="none")
    >>> found = next(resolver.resolve(read(trees())))
    >>> found.id, sum(len(entity) for entity in found)
    ('(example/bridge); part 000', 21)
    """

    links: Links
    tagger: MentionTagger | None = None
    reader: Reader = field(default_factory=Reader)
    tree_links: RuleLinks | None = None

    @classmethod
    def train(
        cls,
        documents: Iterable[Document],
        *,
        heldout: Iterable[Document] = (),
        language: str = "en",
        paper: bool = False,
        learner: str | None = None,
        link: str | None = None,
        sampling: Sampling | None = None,
        tagger: bool | None = None,
        entity_types: str = "names",
        lexicon: Path | None = None,
        wordnet: Path | str | None = None,
        note: Callable[[str], None] = warned,
    ) -> Resolver:
        """Train on annotated documents with tags and trees.

        What is not said is what scored best or, with `paper`, is as the paper has it.

        Args:
            documents: the documents.
            heldout: others, to pick thresholds on; if there are none, a tenth of the
                documents is held out for that first.
            language: whose features to use: `en`, `es` or `fr`.
            paper: whether to learn and link as the paper does.
            learner: `ranking`, or of pairs `timbl`, `ib1`, `logistic`, `boosting`.
            link: one of the paper's linking models.
            sampling: which pairs to learn from; by default as suits the learner.
            tagger: whether to train a tagger of mentions too; the paper has none.
            entity_types: which mentions show their entity types: `names`, `all` or
                `none`.
            lexicon: a folder of word lists.
            wordnet: the folder of WordNet's files, if it is not in a usual place, or
                `none` to do without.
            note: called with what the user should know; by default that is a warning.
        """
        context = context_for(
            language, entity_types=entity_types, lexicon=lexicon, wordnet=wordnet
        )
        recipe = recipe_for(
            context,
            usable_features(context.lexicon, note=note),
            paper=paper,
            learner=learner,
            link=link,
            sampling=sampling,
            tagger=tagger,
        )
        return cls.fitted(list(documents), recipe, heldout=list(heldout), note=note)

    @classmethod
    def fitted(
        cls,
        documents: Sequence[Document],
        recipe: Recipe,
        *,
        heldout: Sequence[Document] = (),
        name: str = "a corpus",
        note: Callable[[str], None] = warned,
        progress: Callable[[int, int], None] = lambda _done, _total: None,
    ) -> Resolver:
        """Train as a recipe says, on the documents of a corpus with a name."""
        model = fit(documents, recipe, heldout=heldout, note=note, progress=progress)
        language = recipe.context.language.name
        card = card_of(
            f"a resolver of {language} documents with tags and trees",
            documents,
            name=name,
            context=recipe.context,
            features=recipe.features,
        )
        return cls.of(links_of(replace(model, card=card), recipe.context))

    @classmethod
    def of(cls, links: LearnedLinks) -> Resolver:
        """Take tagger and parser of a model, and link by it."""
        model = links.model
        tagger = None if model.tagger is None else MentionTagger.load(model.tagger)
        reader = Reader() if model.parser is None else Reader.load(model.parser)
        return cls(links, tagger, reader)

    @classmethod
    def load(
        cls,
        path: str | os.PathLike[str] | None = None,
        *,
        link: str | None = None,
        language: str = "en",
        lexicon: Path | None = None,
        wordnet: Path | str | None = None,
        note: Callable[[str], None] = warned,
    ) -> Resolver:
        """Read a model that `save` or `corefkit train` wrote.

        Args:
            path: the file; by default as `places.default_model` finds it. `sieve` is a
                resolver by rules, with parser and tagger of the default model.
            link: one of the paper's linking models; by default, the model's own.
            language: that of the default model.
            lexicon: a folder of word lists.
            wordnet: the folder of WordNet's files, or `none` to do without, as a model
                does by itself that was trained without.
            note: called if other words are known here than in the training.
        """
        if path == SIEVE:
            context = context_for(language, lexicon=lexicon, wordnet=wordnet)
            return cls.by_rule(RuleLinks(SIEVE, context))
        path = chosen_model(path, language)
        model = read_model(path, note=note)
        context = context_of_model(model, lexicon=lexicon, wordnet=wordnet, note=note)
        links = links_of(model, context)
        if link is not None:
            return cls.of(linked_by(links, linking_named(link)))
        resolver = cls.of(links)
        if not is_bundled(path):
            return resolver
        words = context_for(language, lexicon=lexicon, wordnet=wordnet)
        return resolver.with_tree_links(words)

    def with_tree_links(self, context: Context) -> Resolver:
        """Link SM1 mentions by the sieve in documents that have their own trees.

        The bundled model was trained on trees of its network. Given the gold trees of
        GUM's development part, the sieve with SM1 mentions scores higher.
        """
        return replace(self, tree_links=RuleLinks(SIEVE, context))

    @classmethod
    def by_rule(cls, links: RuleLinks) -> Resolver:
        """Link by a baseline, with tagger and parser of the default model, if any."""
        path = default_model(links.context.language.code)
        if path is None:
            return cls(links)
        whole = cls.of(links_of(read_model(path), links.context))
        return replace(whole, links=links)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model, with its tagger and parser."""
        save_model(self.model, path)

    @property
    def model(self) -> Model:
        """What was learned."""
        if not isinstance(self.links, RuleLinks):
            return self.links.model
        message = f"{self.links.name} links by rules, and has learned nothing"
        raise SettingsError(message, code="model/wrong-kind")

    @property
    def context(self) -> Context:
        """What mentions are described with."""
        return self.links.context

    @property
    def card(self) -> Card:
        """What the model is, what it was trained on, and what it scores."""
        return self.model.card

    @overload
    def __call__(self, text: str) -> Document: ...  # type: ignore[overload-overlap]

    @overload
    def __call__(self, text: Iterable[str]) -> list[Document]: ...

    def __call__(self, text: str | Iterable[str]) -> Document | list[Document]:
        """Find the entities of a text, or of several."""
        if isinstance(text, str):
            (found,) = self.resolve([RawText("text", text)])
            return found
        raw = (RawText(f"text-{number}", one) for number, one in enumerate(text, 1))
        return list(self.resolve(raw))

    def resolve(
        self,
        documents: Iterable[Document | RawText],
        *,
        mentions: str | None = None,
        jobs: int = 1,
        note: Callable[[str], None] = warned,
    ) -> Iterator[Document]:
        """Find entities; those that the documents have are ignored.

        Args:
            documents: documents, or raw texts. Words, tags and trees are found where
                there are none.
            mentions: `gold` for those of the documents, `sm1` for every noun phrase,
                `sm2` for those that the model's tagger finds. By default, `gold` for
                all documents if at least one has mentions. Otherwise `sm2` if the
                model has a tagger, else `sm1`; the bundled model uses `sm1` and the
                sieve for documents that have their own trees.
            jobs: the number of processes that share the documents.
            note: called, when all is read, with what the model needs and the documents
                lack; by default that is a warning.

        Raises:
            SettingsError: the mentions are unknown, or the model has no tagger.
        """
        found = self.resolutions(documents, mentions=mentions, jobs=jobs, note=note)
        return (resolution.document for resolution in found)

    def resolutions(
        self,
        documents: Iterable[Document | RawText],
        *,
        mentions: str | None = None,
        jobs: int = 1,
        note: Callable[[str], None] = warned,
    ) -> Iterator[Resolution]:
        """Do as `resolve`, and return the baskets along with each document."""
        return self.resolve_inputs([documents], mentions=mentions, jobs=jobs, note=note)

    def resolve_inputs(
        self,
        inputs: Iterable[Iterable[Document | RawText]],
        *,
        mentions: str | None = None,
        jobs: int = 1,
        note: Callable[[str], None] = warned,
    ) -> Iterator[Resolution]:
        """Resolve several inputs, such as files.

        The default of `mentions` is decided for each input.
        """
        check_mentions(mentions, self.tagger)
        if jobs < 1:
            message = f"{jobs} processes cannot resolve anything"
            raise SettingsError(
                message, code="settings/invalid-value", hint="give 1 or more"
            )
        tree_links = self.tree_links if mentions is None else None
        pipeline = Pipeline(self.reader, self.tagger, mentions, self.links, tree_links)
        if mentions is None:
            inputs = map(declare_given, inputs)
        documents = chain.from_iterable(inputs)
        return self._run(pipeline, documents, jobs=jobs, note=note)

    def resolve_by(
        self, linkings: Mapping[str, Linking], documents: Iterable[Document]
    ) -> Iterator[dict[str, Resolution]]:
        """Link the mentions of documents in several ways, with the same decisions."""
        if not isinstance(self.links, PairLinks):
            message = f"{self.links.who} links in one way"
            raise SettingsError(message, code="model/wrong-kind", hint=NEEDS_PAIRS)
        return self.links.resolve_by(linkings, documents)

    def _run(
        self,
        pipeline: Pipeline,
        documents: Iterable[Document | RawText],
        *,
        jobs: int,
        note: Callable[[str], None],
    ) -> Iterator[Resolution]:
        supply = Supply()
        yield from pipeline.run(documents, supply, jobs=jobs)
        for line in supply.lacks(self.links.needs, who=self.links.who):
            note(line)
