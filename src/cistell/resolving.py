"""Resolving: documents with mentions in, documents with entities out."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from cistell.facts import UNKNOWN
from cistell.models import BASELINES, LINKINGS, Linker, Linking
from cistell.pairs import decided
from cistell.table import annotated, mention_table
from corefkit.exceptions import SettingsError
from corefkit.model import Document, Entity, Mention
from corefkit.strings import suggest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from cistell.features.base import Feature
    from cistell.learners.base import Classifier
    from cistell.profiles import Context, Profile
    from cistell.table import MentionTable
    from corefkit.arrays.columns import Ints


# The baselines, the paper's three first, and its four models.
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

    def _repr_html_(self) -> str:
        from corefkit.report.notebook import show_document

        return show_document(self.document)

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
        raise SettingsError(
            message, code="settings/unknown-value", hint=suggest(name, MODELS)
        )
    return LINKINGS[name]


def resolve_by_baseline(
    documents: Iterable[Document], name: str, context: Context, *, lemmas: bool = False
) -> Iterator[Resolution]:
    """Resolve documents by a baseline, which needs no training."""
    if name not in BASELINES:
        message = f"there is no baseline {name!r}"
        raise SettingsError(
            message, code="settings/unknown-value", hint=suggest(name, BASELINES)
        )
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


@dataclass(slots=True)
class Basket:
    """An entity as far as the text mentions it; "cistell" is Catalan for basket."""

    mentions: list[Mention] = field(default_factory=list)
    # The texts of those that are proper nouns.
    names: dict[str, None] = field(default_factory=dict)
    # The heads of the others that are not pronouns.
    heads: dict[str, None] = field(default_factory=dict)
    # How often each entity type was seen.
    types: Counter[str] = field(default_factory=Counter)
    genders: int = UNKNOWN  # the genders that all mentions allow, as bits
    # How often it was singular (1) and plural (2).
    numbers: Counter[int] = field(default_factory=Counter)

    def grow(self, profile: Profile) -> None:
        """Add a mention to the basket, with what it tells."""
        self.mentions.append(profile.mention)
        if profile.kind == "proper_nouns":
            self.names[profile.text] = None
        elif not profile.pronoun:
            self.heads[" ".join(profile.head_forms)] = None
        if profile.entity_type != "none":
            self.types[profile.entity_type] += 1
        # A gender that contradicts all before it is ignored.
        self.genders = self.genders & profile.gender or self.genders
        if profile.number:
            self.numbers[profile.number] += 1

    @property
    def type(self) -> str | None:
        """The type seen most often, the first of equals."""
        return self.types.most_common(1)[0][0] if self.types else None


def filled(profiles: Sequence[Profile], numbers: Iterable[int]) -> list[Basket]:
    """Put mentions into baskets by their numbers, one after the other."""
    baskets: dict[int, Basket] = {}
    for profile, number in zip(profiles, numbers, strict=True):
        baskets.setdefault(number, Basket()).grow(profile)
    return list(baskets.values())
