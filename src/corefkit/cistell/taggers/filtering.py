"""SM2, the mention tagger of high precision: SM1 and a trained filter.

It follows the second tagger of Cai and Strube 2010. The filter is a logistic regression
over the features of `span_features`: scikit-learn trains it, and applying it needs
NumPy alone. It gets all that SM1 can find, relative pronouns and
spans without their clauses too, since corpora differ in these and a filter can learn
what its corpus does. Empty nodes always pass.
"""

from __future__ import annotations

import json
import math
from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import dataclass
from itertools import accumulate, chain
from typing import TYPE_CHECKING

import numpy as np

from corefkit.cistell.taggers.candidates import candidate_mentions
from corefkit.cistell.trees import word_tree
from corefkit.exceptions import CorefkitError
from corefkit.model import Mention
from corefkit.syntax.dependencies import head_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from corefkit.columns import Floats
    from corefkit.model import Document
    from corefkit.syntax.dependencies import Syntax


DEFAULT_THRESHOLD = 0.44  # the best by F1 on GUM's development part, of 0.01 to 0.99

_FILE = "mention-filter.json"
_RAREST = 10  # a feature must be in so many candidates to get a weight
_STRENGTH = 0.5  # of the data against the penalty; chosen like the threshold
_ROUNDS = 1000
_DIGITS = 6  # of weights: more than decisions need, and few enough for small files


@dataclass(frozen=True, slots=True)
class MentionFilter:
    """A trained filter of mentions."""

    weights: Mapping[str, float]  # what each feature adds, by its name and value
    intercept: float  # what every span starts with
    threshold: float = DEFAULT_THRESHOLD  # the least probability of a mention

    @classmethod
    def learn(
        cls, documents: Iterable[Document], *, threshold: float = DEFAULT_THRESHOLD
    ) -> MentionFilter:
        """Train on documents with trees and with all their mentions.

        Nothing is random: the same documents make the same filter.
        """
        spans: list[list[str]] = []
        annotated: list[bool] = []
        for document in documents:
            mentions = candidate_mentions(document, wide=True)
            key = {mention for entity in document for mention in entity}
            spans += _described(document, mentions)
            annotated += [mention in key for mention in mentions]
        if len({*annotated}) < 2:
            which = "all" if any(annotated) else "none"
            message = (
                f"a tagger cannot be trained: of the noun phrases, {which} are mentions"
            )
            hint = "train on documents with trees whose mentions are annotated"
            raise CorefkitError(message, hint=hint)
        weights, intercept = _trained(spans, np.array(annotated))
        return cls(weights, intercept, threshold)

    @classmethod
    def load(cls, files: Mapping[str, bytes]) -> MentionFilter:
        """Read what `files` returns; refuse what is missing or damaged."""
        try:
            read = json.loads(files[_FILE])
            weights = {name: float(weight) for name, weight in read["weights"].items()}
            return cls(weights, float(read["intercept"]), float(read["threshold"]))
        except (
            AttributeError,
            KeyError,
            TypeError,
            ValueError,
            OverflowError,
            RecursionError,
        ) as error:
            message = f"the model's part {_FILE} is missing or damaged"
            hint = "copy the model file again, or train it again with `corefkit train`"
            raise CorefkitError(message, hint=hint) from error

    def files(self) -> dict[str, bytes]:
        """Return what a model file stores; the same training makes the same bytes."""
        values = {
            "threshold": self.threshold,
            "intercept": self.intercept,
            "weights": dict(sorted(self.weights.items())),
        }
        return {_FILE: json.dumps(values, ensure_ascii=False, indent=0).encode()}

    def mentions(self, document: Document) -> list[Mention]:
        """Find the mentions of a document, in the order of the text."""
        return self.keep(document, candidate_mentions(document, wide=True))

    def keep(self, document: Document, mentions: Sequence[Mention]) -> list[Mention]:
        """Return the mentions that pass."""
        probabilities = self.probabilities(document, mentions)
        passing = (probabilities >= self.threshold).tolist()
        return [
            mention for mention, passes in zip(mentions, passing, strict=True) if passes
        ]

    def probabilities(self, document: Document, mentions: Sequence[Mention]) -> Floats:
        """Compute how likely each span is a mention; 1 for empty nodes."""
        sums = [
            self.intercept + sum(self.weights.get(name, 0.0) for name in names)
            if names
            else math.inf
            for names in _described(document, mentions)
        ]
        return 1 / (1 + np.exp(-np.array(sums, dtype=np.float64)))


def _described(document: Document, mentions: Iterable[Mention]) -> list[list[str]]:
    """Describe each mention by its features; empty nodes have none."""
    tokens, tree = word_tree(document)
    words = {token: word for word, token in enumerate(tokens)}
    described: list[list[str]] = []
    for mention in mentions:
        head = _head(mention, tree, words)
        if head is None:
            described.append([])
        else:
            first = bisect_left(tokens, mention.start)
            last = bisect_right(tokens, mention.end) - 1
            described.append(span_features(tree, first, last, head))
    return described


def _head(mention: Mention, tree: Syntax, words: Mapping[int, int]) -> int | None:
    """Find the word that the others of a mention hang on; None for empty nodes."""
    if mention.head is not None:
        return words.get(mention.head)
    own = [words[token] for token in mention.tokens if token in words]
    return head_of(Mention.of(own), tree) if own else None


def _trained(
    spans: Sequence[Sequence[str]], annotated: NDArray[np.bool_]
) -> tuple[dict[str, float], float]:
    """Fit the weight of every feature that is not rare, and the intercept."""
    try:
        from scipy.sparse import csr_array
        from sklearn.linear_model import LogisticRegression
    except ImportError as error:
        message = "training a filter of mentions needs scikit-learn, which is missing"
        hint = "pip install 'corefkit[cistell]'"
        raise CorefkitError(message, hint=hint) from error
    counts = Counter(name for names in spans for name in {*names})
    often = sorted(name for name, count in counts.items() if count >= _RAREST)
    number = {name: at for at, name in enumerate(often)}
    rows = [
        sorted({number[name] for name in names if name in number}) for names in spans
    ]
    ends = [0, *accumulate(map(len, rows))]
    columns = np.fromiter(chain.from_iterable(rows), dtype=np.int32, count=ends[-1])
    matrix = csr_array(
        (np.ones(ends[-1]), columns, np.array(ends)), shape=(len(rows), len(often))
    )
    regression = LogisticRegression(C=_STRENGTH, max_iter=_ROUNDS)
    regression.fit(matrix, annotated)
    weights = [round(float(weight), _DIGITS) for weight in regression.coef_[0]]
    intercept = round(float(regression.intercept_[0]), _DIGITS)
    return dict(zip(often, weights, strict=True)), intercept


_LENGTHS = 8  # from this length on, spans up to twice as long have the same value
_MORPHOLOGY = ("PronType", "Poss", "Number", "NumType", "Person", "Reflex", "Case")


def span_features(tree: Syntax, first: int, last: int, head: int) -> list[str]:
    """Describe a span of words, and the head that the others hang on.

    A feature is a name and a value, as in `tag=NOUN`; a span has one value of most of
    the twenty features and several of some, such as one for every child of its head.
    None needs a lexicon. Some are lemmas; the filter stores those that it often saw.
    """
    described = [
        *_of_head(tree, head),
        *_of_parent(tree, head),
        *_of_edges(tree, first, last, head),
        *_of_children(tree, first, last, head),
    ]
    return [f"{name}={value}" for name, value in described]


def _of_head(tree: Syntax, head: int) -> Iterator[tuple[str, str]]:
    tag, kind = tree.tags[head], tree.kinds[head]
    yield "tag", tag
    yield "relation", tree.relations[head]
    yield "tag and relation", f"{tag} {kind}"
    yield "capital", f"{tag} {tree.forms[head][:1].isupper()}"
    yield "lemma", tree.lemmas[head]
    for feature in tree.features[head].split("|"):
        if feature.startswith(_MORPHOLOGY):
            yield "feature", feature
            yield "feature and relation", f"{feature} {kind}"


def _of_parent(tree: Syntax, head: int) -> Iterator[tuple[str, str]]:
    parent = tree.parents[head]
    rooted = parent < 0
    tag = "none" if rooted else tree.tags[parent]
    yield "parent's tag", tag
    yield "parent's relation", "none" if rooted else tree.relations[parent]
    yield "parent's lemma", "none" if rooted else tree.lemmas[parent]
    yield "relation and parent's tag", f"{tree.kinds[head]} {tag}"


def _of_edges(
    tree: Syntax, first: int, last: int, head: int
) -> Iterator[tuple[str, str]]:
    start, end = tree.edges[head]
    yield "before", "start" if first == start else tree.tags[first - 1]
    yield "after", "end" if last == end else tree.tags[last + 1]
    yield "last", tree.tags[last]
    length = last - first + 1
    yield "length", str(length if length < _LENGTHS else 1 << length.bit_length())


def _of_children(
    tree: Syntax, first: int, last: int, head: int
) -> Iterator[tuple[str, str]]:
    variant = determiner = preposition = "none"
    for child in tree.children[head]:
        relation, kind = tree.relations[child], tree.kinds[child]
        side = "left" if child < head else "right"
        if first <= child <= last:
            yield "inside", f"{side} {relation}"
            if relation == "nmod:poss":
                determiner = "possessive"
            elif kind == "det":
                determiner = tree.features[child]
            elif kind in ("conj", "appos"):
                variant = kind
        else:
            yield "outside", f"{side} {relation}"
        if kind == "case" and child < head:
            preposition = tree.lemmas[child]
    yield "variant", variant
    yield "determiner", determiner
    yield "preposition", preposition
