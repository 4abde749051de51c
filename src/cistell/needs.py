"""What the resolver needs in documents beside trees, and whether they have it.

A feature names its needs. A model stores how much of each its training documents had.
For documents that have hardly any, the features tell nothing, and a note says so.
"""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from corefkit.model import Document

TYPES, LEMMAS, MORPHOLOGY = "entity types", "lemmas", "morphological features"
# Not in documents: the lexicon tells whether it is there.
WORDNET = "WordNet"

_HARDLY = 10  # so many times less than expected is hardly any


class Need(NamedTuple):
    """Something that documents may have."""

    unit: str  # what can have it, in the plural
    # Counts the units of a document that have it, and all of them.
    counted: Callable[[Document], tuple[int, int]]
    hint: str  # what to do if it is missing


def _typed(document: Document) -> tuple[int, int]:
    mentions = [mention for entity in document for mention in entity]
    return sum("type" in mention.attributes for mention in mentions), len(mentions)


def _filled(document: Document, layer: str) -> tuple[int, int]:
    cells, count = document.layers.get(layer, ()), len(document.tokens)
    return sum(cell != "_" for cell in cells), count


_PARSE = "a parser finds them: --parser FILE"
NEEDS: Mapping[str, Need] = {
    TYPES: Need(
        "mentions",
        _typed,
        "for documents without, such as raw text, train a model with "
        "`--entity-types none`",
    ),
    LEMMAS: Need("words", partial(_filled, layer="lemma"), _PARSE),
    MORPHOLOGY: Need("words", partial(_filled, layer="feats"), _PARSE),
}


def supply_of(documents: Iterable[Document]) -> dict[str, tuple[int, int]]:
    """Count for each need how many units have it, and how many there are.

    >>> from corefkit.model import Document, Entity, Mention
    >>> ann, she = Mention(0, 0, attributes={"type": "person"}), Mention(1, 1)
    >>> document = Document("d", (("Ann", "she"),), (Entity("e", (ann, she)),))
    >>> supply_of([document])["entity types"]
    (1, 2)
    """
    supply = Supply()
    for _ in supply.watch(documents):
        pass
    return supply.counts


def shares(
    names: Iterable[str], supply: Mapping[str, object] | None = None
) -> dict[str, float]:
    """Return the share of units that should have each need.

    It is the share in the training documents, as `supply_of` counted it; 1 if nothing
    was counted.
    """
    needed = {*names}
    found = {}
    for name in NEEDS:
        if name in needed:
            match (supply or {}).get(name):
                case [int(have), int(could)] if could > 0:
                    found[name] = have / could
                case _:
                    found[name] = 1.0
    return found


class Supply:
    """Counts what documents have while they are gone through.

    >>> from corefkit.model import Document
    >>> document = Document("d", (("Go", "!"),), (), layers={"lemma": ("go", "_")})
    >>> supply = Supply()
    >>> _ = list(supply.watch([document, document]))
    >>> supply.counts["lemmas"]
    (2, 4)
    """

    def __init__(self) -> None:
        self._have, self._could = Counter[str](), Counter[str]()

    @property
    def counts(self) -> dict[str, tuple[int, int]]:
        """How many units have each need, and how many there are."""
        return {name: (self._have[name], self._could[name]) for name in NEEDS}

    def watch(self, documents: Iterable[Document]) -> Iterator[Document]:
        """Go through documents, and count what they have."""
        for document in documents:
            _count(document, self._have, self._could)
            yield document

    def add(self, counts: Mapping[str, tuple[int, int]]) -> None:
        """Add what was counted elsewhere."""
        for name, (have, could) in counts.items():
            self._have[name] += have
            self._could[name] += could

    def lacks(
        self, needs: Mapping[str, float], *, who: str = "the model"
    ) -> Iterator[str]:
        """Describe which needs are hardly met.

        `needs` has the share of units that should have each, and `who` has these needs.
        """
        for name, share in needs.items():
            have, could = self._have[name], self._could[name]
            if share * could >= 1 and _HARDLY * have < share * could:
                need = NEEDS[name]
                yield (
                    f"{who} looks at {name}, and {have:,} of {could:,} {need.unit} "
                    f"here have them, where {share:.0%} should: it decides worse, or "
                    f"finds no coreference at all; {need.hint}"
                )


def _count(document: Document, have: Counter[str], could: Counter[str]) -> None:
    for name, need in NEEDS.items():
        found, total = need.counted(document)
        have[name] += found
        could[name] += total
