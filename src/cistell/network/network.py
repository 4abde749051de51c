"""A network that reads documents: learned, kept as bytes, loaded, used."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import asdict, dataclass, field, replace
from itertools import chain, islice
from typing import TYPE_CHECKING

import numpy as np

from cistell.evidence import Evidence, Reading
from cistell.network.learning import Course, learn
from cistell.network.pieces import Pieces
from cistell.network.reading import LAYERS, Reader
from cistell.network.sizes import Sizes, shapes_of
from cistell.network.targets import annotated
from cistell.network.vocabulary import Vocabulary
from cistell.network.weights import Weights
from cistell.profiles import ENTITY_TYPES
from corefkit.exceptions import CorefkitError, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from cistell.network.reading import Read
    from cistell.network.weights import Array
    from corefkit.model import Document

LONGEST = 3000  # words of a sentence; memory grows with their square
_AT_ONCE = 20_000  # words that are read together
_KEPT = ("misc", "mwt", "speaker")  # layers that are no syntax
_NAMES, _WEIGHTS = "names.json", "weights.float16"


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """Finds tags and trees, and evidence of mentions and their types.

    Attributes:
        sizes: how large its parts are.
        vocabulary: the words and labels that it knows.
        weights: what it has learned, as float32; each is a number that float16 has.
        kinds: the kinds of things that nouns name, if it learned with them; it keeps
            them, and needs no WordNet to read.
    """

    sizes: Sizes
    vocabulary: Vocabulary
    weights: Weights
    kinds: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @classmethod
    def learn(
        cls,
        documents: Iterable[Document],
        *,
        seed: int = 0,
        sizes: Sizes | None = None,
        course: Course | None = None,
        kinds: Mapping[str, Sequence[str]] | None = None,
        progress: Callable[[int, int, Mapping[str, float]], None] | None = None,
    ) -> Network:
        """Learn from documents with tags, trees and mentions.

        Masked documents are left out. The same documents, seed and processor give the
        same network.

        Args:
            documents: as read from CoNLL-U.
            seed: decides what is drawn at random.
            sizes: how large the network is.
            course: how it learns.
            kinds: the kinds of things that words in lower case name, as `WordNet.kinds`
                has them: types and tags of words that it never saw become better.
            progress: called with an epoch, how many there are, and what was lost by a
                word, by questions.
        """
        sizes, sentences = sizes or Sizes(), annotated(documents)
        if not sentences:
            message = "there are no sentences to learn from"
            raise CorefkitError(
                message,
                code="model/nothing-to-learn",
                hint="name a treebank in CoNLL-U",
            )
        known = Vocabulary.of(sentences)
        course, kinds = course or Course(), kinds or {}
        pieces = Pieces(sizes.buckets, kinds)
        weights = learn(
            sentences, known, pieces, sizes, course, seed=seed, progress=progress
        )
        kept = weights.flat.astype(np.float16).astype(np.float32)
        return cls(sizes, known, Weights(kept, weights.shapes), kinds)

    def read(
        self, documents: Iterable[Document], *, trees: bool = True
    ) -> Iterator[Reading]:
        """Read documents one after the other, in batches of sentences of many.

        Tags, lemmas and trees of the documents are replaced; their entities are kept as
        they are. Empty nodes, which a text does not have, get none, and no evidence.

        Args:
            documents: with words; nothing else is needed.
            trees: find tags, lemmas and trees; otherwise those of the documents are
                kept, and there is evidence only.
        """
        pieces = Pieces(self.sizes.buckets, self.kinds)
        reader = Reader(self.weights, self.sizes, self.vocabulary, pieces)
        for some in _portions(documents):
            spoken = [list(_spoken(document)) for document in some]
            sentences = [words for rows in spoken for words in rows if words]
            read = iter(reader.read(sentences, trees=trees))
            for document, rows in zip(some, spoken, strict=True):
                count = sum(1 for words in rows if words)
                yield _reading(document, list(islice(read, count)), trees=trees)

    def files(self) -> dict[str, bytes]:
        """Return what the network is kept as: the same bytes for the same network."""
        names = {
            "sizes": asdict(self.sizes),
            "types": ENTITY_TYPES,
            "kinds": _grouped(self.kinds),
            **asdict(self.vocabulary),
        }
        text = json.dumps(names, ensure_ascii=False, indent=0, sort_keys=True)
        return {
            _NAMES: text.encode("utf-8", "surrogatepass"),
            _WEIGHTS: self.weights.flat.astype("<f2").tobytes(),
        }

    @classmethod
    def load(cls, files: Mapping[str, bytes]) -> Network:
        """Make a network of what it was kept as, or say what is wrong."""
        try:
            names = json.loads(files[_NAMES].decode("utf-8", "surrogatepass"))
            sizes = Sizes(**names.pop("sizes"))
            types = tuple(names.pop("types"))
            kinds = _ungrouped(names.pop("kinds"))
            known = Vocabulary(**{name: tuple(row) for name, row in names.items()})
            flat = np.frombuffer(files[_WEIGHTS], "<f2").astype(np.float32)
            weights = Weights(flat, shapes_of(sizes, known.counts))
            weights.check()
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            message = f"the network is damaged: {error}"
            raise CorefkitError(message, code="model/damaged") from error
        if types != ENTITY_TYPES:
            message = "the network knows other types of entities than this corefkit"
            raise CorefkitError(
                message, code="model/features", hint="train the model anew"
            )
        return cls(sizes, known, weights, kinds)


def _grouped(kinds: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """List words by their kinds, which takes less room."""
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for word, row in kinds.items():
        groups[" ".join(row)].append(word)
    return {row: " ".join(sorted(words)) for row, words in groups.items()}


def _ungrouped(groups: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Find the kinds of each word again; the order of words is the same each time."""
    return {
        word: tuple(row.split(" "))
        for row, words in sorted(groups.items())
        for word in words.split(" ")
    }


def _portions(documents: Iterable[Document]) -> Iterator[list[Document]]:
    """Collect documents until there is enough to read at once."""
    some: list[Document] = []
    words = 0
    for document in documents:
        some.append(document)
        words += len(document.tokens)
        if words >= _AT_ONCE:
            yield some
            some, words = [], 0
    if some:
        yield some


def _spoken(document: Document) -> Iterator[list[str]]:
    """Go through the sentences of a document, without empty nodes."""
    empty, first = {*document.empty}, 0
    for number, sentence in enumerate(document.sentences, 1):
        if len(sentence) > LONGEST:
            message = f"has {len(sentence):,} words, expected {LONGEST:,} at most"
            raise CorefkitError(
                message,
                code="model/sentence-too-long",
                place=f"document {quoted(document.id)}, sentence {number}",
                hint="split it into sentences",
            )
        yield [word for token, word in enumerate(sentence, first) if token not in empty]
        first += len(sentence)


def _reading(document: Document, rows: Sequence[Read], *, trees: bool) -> Reading:
    """Put together what was read of a document's sentences."""
    evidence = _evidence(document, rows)
    if not trees:
        return Reading(document, evidence)
    empty, layers = {*document.empty}, dict[str, tuple[str, ...]]()
    for place, name in enumerate(LAYERS):
        cells = chain.from_iterable(row.layers[place] for row in rows)
        everywhere = range(len(document.tokens))
        layers[name] = tuple(
            "_" if token in empty else next(cells) for token in everywhere
        )
    kept = {name: document.layers[name] for name in _KEPT if name in document.layers}
    return Reading(replace(document, layers={**layers, **kept}), evidence)


def _evidence(document: Document, rows: Sequence[Read]) -> Evidence:
    """Lay out the evidence by tokens, empty nodes included, which have none."""
    empty, first = {*document.empty}, 0
    types = np.zeros((len(document.tokens), len(ENTITY_TYPES)), np.float32)
    types[:, ENTITY_TYPES.index("none")] = 1
    squares: tuple[list[Array], list[Array]] = [], []
    waiting = iter(rows)
    for sentence in document.sentences:
        here = range(first, first + len(sentence))
        words = [token for token in here if token not in empty]
        first = here.stop
        read = next(waiting) if words else None
        if read is not None:
            types[words] = read.types
        parts = (None, None) if read is None else (read.starts, read.ends)
        for square, part in zip(squares, parts, strict=True):
            square.append(
                _square(part, [token - here.start for token in words], len(here))
            )
    return Evidence(types, *map(tuple, squares))


def _square(part: Array | None, places: Sequence[int], size: int) -> Array:
    """Spread a matrix of words over all tokens of a sentence."""
    if part is not None and len(part) == size:
        return part
    found = np.zeros((size, size), np.float32)
    if part is not None:
        found[np.ix_(places, places)] = part
    return found
