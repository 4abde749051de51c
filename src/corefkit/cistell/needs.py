"""What the resolver needs of documents beside trees, and whether they have it.

A feature names its needs. A model keeps how much of each its training documents had;
documents to resolve that have hardly any are decided by features that say nothing, and
that is told.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from corefkit.model import Document

TYPES, LEMMAS, MORPHOLOGY = "entity types", "lemmas", "morphological features"
# Not of documents: what is known of words tells whether it is there.
WORDNET = "WordNet"

_HARDLY = 10  # so many times less than expected is next to nothing


class Need(NamedTuple):
    """Something that documents may have.

    Attributes:
        unit: what has it, in the plural.
        counted: counts, in a document, those that have it and all that could.
        hint: what to do where it is lacking.
    """

    unit: str
    counted: Callable[[Document], tuple[int, int]]
    hint: str


def _typed(document: Document) -> tuple[int, int]:
    mentions = [mention for entity in document for mention in entity]
    return sum("type" in one.attributes for one in mentions), len(mentions)


def _with_lemma(document: Document) -> tuple[int, int]:
    return _filled(document, "lemma")


def _with_features(document: Document) -> tuple[int, int]:
    return _filled(document, "feats")


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
    LEMMAS: Need("words", _with_lemma, _PARSE),
    MORPHOLOGY: Need("words", _with_features, _PARSE),
}


def supply_of(documents: Iterable[Document]) -> dict[str, tuple[int, int]]:
    """Count of each need what documents have of it, and what they could have.

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
    """Give of each need by which share it should be met.

    It is the share of the documents that were learned from, as `supply_of` counted it;
    all of it where nothing was counted.
    """
    wanted = {*names}
    found = {}
    for name in NEEDS:
        if name in wanted:
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
    """Go through documents, and tell at the end which needs they hardly meet.

    Args:
        documents: the documents.
        needs: needs, and by which share they should be met.
        who: who has these needs.
        note: called with a sentence for each need that is not met.
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
        found, every = need.counted(document)
        have[name] += found
        could[name] += every
