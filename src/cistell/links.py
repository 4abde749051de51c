"""Links: how a resolver puts the mentions of documents into entities.

    PairLinks     by a model's decisions on pairs of mentions
    RankedLinks   by a model that ranks the candidates of a mention
    RuleLinks     by a baseline, which needs no training

All know what they need of documents beside trees.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING, TypeAlias

from cistell.features import FEATURES
from cistell.linking import NEEDS, EntityLinker
from cistell.modelfile import FOUND, GOLD
from cistell.models import LINKINGS, baseline_needs
from cistell.needs import TYPES, shares
from cistell.ranked import resolve_by_ranking
from cistell.resolving import resolve, resolve_by_baseline
from corefkit.corpus import read_declaration
from corefkit.exceptions import SettingsError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from cistell.features.base import Feature
    from cistell.modelfile import Model
    from cistell.models import Linking
    from cistell.profiles import Context
    from cistell.resolving import Resolution
    from corefkit.model import Document

# What links where a model does not say: the paper's best link.
DEFAULT = LINKINGS["best"]


@dataclass(frozen=True, slots=True)
class PairLinks:
    """Links by the decisions of a model on pairs.

    Attributes:
        model: what was learned.
        context: what mentions are described with.
        linking: how a mention finds its entity, in place of what the model says.
    """

    model: Model
    context: Context
    linking: Linking | None = None

    @property
    def who(self) -> str:
        """What decides, as a subject of sentences."""
        return "the model"

    @property
    def features(self) -> list[Feature]:
        """The features that describe pairs."""
        return [FEATURES[column.name] for column in self.model.columns]

    @property
    def needs(self) -> dict[str, float]:
        """What documents should have, and the share of units that had it."""
        needs = {need for feature in self.features for need in feature.needs}
        return _shares(self.model, self.context, needs)

    def linking_of(self, mentions: str) -> Linking:
        """Return how mentions are linked that are `gold`, or `found` by a tagger."""
        return self.linking or self.model.linkings.get(mentions, DEFAULT)

    def resolve(self, documents: Iterable[Document]) -> Iterator[Resolution]:
        """Resolve documents with mentions, as they are from the document or found."""
        for mentions, group in groupby(documents, mentions_of):
            for row in self.resolve_by({"": self.linking_of(mentions)}, group):
                yield row[""]

    def resolve_by(
        self, linkings: Mapping[str, Linking], documents: Iterable[Document]
    ) -> Iterator[dict[str, Resolution]]:
        """Resolve by several linkings, with the same decisions."""
        assert not isinstance(self.model.classifier, EntityLinker)
        return resolve(
            documents,
            linkings,
            self.model.classifier,
            features=self.features,
            context=self.context,
        )


@dataclass(frozen=True, slots=True)
class RankedLinks:
    """Links by a model that ranks.

    Attributes:
        model: what was learned.
        context: what mentions are described with.
    """

    model: Model
    context: Context

    @property
    def who(self) -> str:
        """What decides, as a subject of sentences."""
        return "the model"

    @property
    def needs(self) -> dict[str, float]:
        """What documents should have, and the share of units that had it."""
        return _shares(self.model, self.context, {*NEEDS})

    def resolve(self, documents: Iterable[Document]) -> Iterator[Resolution]:
        """Resolve documents with mentions, as they are from the document or found."""
        linker = self.model.classifier
        assert isinstance(linker, EntityLinker)
        for mentions, group in groupby(documents, mentions_of):
            bias = self.model.biases.get(mentions, 0.0)
            yield from resolve_by_ranking(group, linker, self.context, bias=bias)


@dataclass(frozen=True, slots=True)
class RuleLinks:
    """Links by a baseline.

    Attributes:
        name: the name of the baseline.
        context: what mentions are described with.
        lemmas: whether heads are compared by lemmas.
    """

    name: str
    context: Context
    lemmas: bool = False

    @property
    def who(self) -> str:
        """What decides, as a subject of sentences."""
        return f"--link {self.name}"

    @property
    def needs(self) -> dict[str, float]:
        """What documents should have, and the share of units that should have it."""
        return shares(baseline_needs(self.name, lemmas=self.lemmas))

    def resolve(self, documents: Iterable[Document]) -> Iterator[Resolution]:
        """Resolve documents with mentions."""
        return resolve_by_baseline(
            documents, self.name, self.context, lemmas=self.lemmas
        )


LearnedLinks: TypeAlias = PairLinks | RankedLinks
Links: TypeAlias = LearnedLinks | RuleLinks


def links_of(model: Model, context: Context) -> LearnedLinks:
    """Link as a model has learned to."""
    ranks = isinstance(model.classifier, EntityLinker)
    return RankedLinks(model, context) if ranks else PairLinks(model, context)


# What to do for the paper's linking models.
NEEDS_PAIRS = (
    "train a model of pairs, with `corefkit train --paper` or `--learner NAME`"
)


def linked_by(links: LearnedLinks, linking: Linking) -> PairLinks:
    """Link by the same decisions in another way.

    Raises:
        SettingsError: the model ranks candidates, and decides nothing on pairs.
    """
    if isinstance(links, RankedLinks):
        message = "the model ranks candidates, and cannot link in another way"
        raise SettingsError(message, code="model/wrong-kind", hint=NEEDS_PAIRS)
    return replace(links, linking=linking)


def _shares(model: Model, context: Context, needs: set[str]) -> dict[str, float]:
    """Return the share of units that had each need in training."""
    if context.entity_types == "none":
        needs = needs - {TYPES}
    supply = model.training.get("supply")
    return shares(needs, supply if isinstance(supply, dict) else None)


def mentions_of(document: Document) -> str:
    """Tell where the mentions of a document are from: `gold`, or `found`.

    A document that declares nothing has its own.
    """
    return GOLD if read_declaration(document).mentions in ("", "gold") else FOUND
