"""Resolving: documents with mentions in, documents with entities out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from corefkit.cistell.baselines import BASELINES
from corefkit.cistell.baskets import Basket, filled
from corefkit.cistell.gold import annotated
from corefkit.cistell.models import LINKINGS, Linker, Linking
from corefkit.cistell.pairs import decided
from corefkit.cistell.table import mention_table
from corefkit.exceptions import SettingsError
from corefkit.model import Document, Entity, Mention
from corefkit.strings.nearest import suggest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from corefkit.cistell.features.base import Feature
    from corefkit.cistell.learners.base import Classifier
    from corefkit.cistell.profiles import Context
    from corefkit.cistell.table import MentionTable
    from corefkit.columns import Ints

# The paper's seven, in its order.
MODELS = (*BASELINES, *LINKINGS)


@dataclass(frozen=True, slots=True)
class Resolution:
    """A document with the entities that were found.

    Attributes:
        document: the document; a mention has the type of its basket, if one is known.
        baskets: the entities, with what their mentions tell.
        refused: how many decisions for coreference a threshold has rejected.
    """

    document: Document
    baskets: tuple[Basket, ...]
    refused: int = 0

    @property
    def links(self) -> int:
        """How many links there are: mentions less entities."""
        return sum(len(basket.mentions) - 1 for basket in self.baskets)


def linking_named(name: str) -> Linking:
    """Find one of the paper's linking models by its name.

    >>> linking_named("super_strong").threshold
    0.09
    """
    if name not in LINKINGS:
        message = f"there is no linking model {name!r}"
        raise SettingsError(message, hint=suggest(name, MODELS))
    return LINKINGS[name]


def resolve_by_baseline(
    documents: Iterable[Document], name: str, context: Context, *, lemmas: bool = False
) -> Iterator[Resolution]:
    """Resolve documents by a baseline, which needs no training."""
    if name not in BASELINES:
        message = f"there is no baseline {name!r}"
        raise SettingsError(message, hint=suggest(name, BASELINES))
    for document in documents:
        table = mention_table(document, annotated(document), context)
        yield resolution(table, BASELINES[name](table, lemmas=lemmas))


def resolve(
    documents: Iterable[Document],
    linkings: Mapping[str, Linking],
    classifier: Classifier,
    *,
    features: Sequence[Feature],
    context: Context,
) -> Iterator[dict[str, Resolution]]:
    """Resolve documents by one linking model or several, with the same decisions.

    The mentions of the documents are used, and their entities are ignored.
    """
    tables = (
        mention_table(document, annotated(document), context) for document in documents
    )
    linkers: dict[str, Linker] = {}
    for block in decided(tables, features, classifier):
        if block.start == 0:
            linkers = {
                name: Linker(linking, len(block.table))
                for name, linking in linkings.items()
            }
        for decisions in block:
            for linker in linkers.values():
                linker.attach(decisions)
        if block.stop == len(block.table):
            yield {
                name: resolution(block.table, linker.baskets, refused=linker.refused)
                for name, linker in linkers.items()
            }


def resolution(table: MentionTable, numbers: Ints, *, refused: int = 0) -> Resolution:
    """Make entities from the number of each mention's basket."""
    baskets = filled(table.profiles, numbers.tolist())
    entities = tuple(
        Entity(f"e{at}", tuple(_typed(mention, basket) for mention in basket.mentions))
        for at, basket in enumerate(baskets, 1)
    )
    document = replace(table.document, entities=entities, bridges=())
    return Resolution(document, tuple(baskets), refused)


def _typed(mention: Mention, basket: Basket) -> Mention:
    """Keep the tokens of a mention, and give it the type of its basket."""
    attributes = {"type": basket.type} if basket.type else {}
    return Mention(
        mention.start, mention.end, mention.gaps, mention.head, attributes=attributes
    )
