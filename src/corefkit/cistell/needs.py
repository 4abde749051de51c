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
    have, could = Counter[str](), Counter[str]()
    for document in documents:
        _count(document, have, could)
    return {name: (have[name], could[name]) for name in NEEDS}


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


def watched(
    documents: Iterable[Document],
    needs: Mapping[str, float],
    *,
    who: str = "the model",
    note: Callable[[str], None],
) -> Iterator[Document]:
    """Go through documents, and note at the end which needs they hardly meet.

    `needs` has the share of units that should have each, and `who` has these needs.
    """
    have, could = Counter[str](), Counter[str]()
    for document in documents:
        _count(document, have, could)
        yield document
    for name, share in needs.items():
        expected = share * could[name]
        if expected >= 1 and _HARDLY * have[name] < expected:
            need = NEEDS[name]
            note(
                f"{who} looks at {name}, and {have[name]:,} of {could[name]:,} "
                f"{need.unit} here have them, where {share:.0%} should: it decides "
                f"worse, or finds no coreference at all; {need.hint}"
            )


def _count(document: Document, have: Counter[str], could: Counter[str]) -> None:
    for name, need in NEEDS.items():
        found, total = need.counted(document)
        have[name] += found
        could[name] += total
