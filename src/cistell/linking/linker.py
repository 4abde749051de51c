"""The linker: ranks the candidates of every mention, and links it to the best one.

Or to none, if "no antecedent" ranks higher. All mentions of a document are ranked at
once; then each joins the entity of its antecedent. LightGBM learns the trees; linking
needs NumPy and SciPy alone.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cistell.learners.base import damaged
from cistell.learners.growing import Growth, grown
from cistell.learners.trees import readied, scores, trees_from
from cistell.linking.candidates import bound, candidates_of
from cistell.linking.lessons import lesson_of
from cistell.linking.ranking import antecedent_objective
from cistell.linking.rows import ordered, rows_of
from cistell.linking.traits import traits_of
from cistell.linking.vocabulary import CLASSES
from corefkit.exceptions import CorefkitError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from cistell.learners.trees import ReadyTree, Trees
    from cistell.linking.vocabulary import Vocabulary
    from cistell.profiles import Context
    from cistell.table import MentionTable
    from corefkit.arrays.columns import Floats, Ints
    from corefkit.model import Document

GROWTH = Growth(rounds=500, leaves=48, rate=0.06, least=100, features=0.3, penalty=5.0)
# The first trees tell which candidates may be the best; the others look at these alone.
_SKETCH = 50
_KEPT = 8
_FILE = "linker.json"


@dataclass(frozen=True, slots=True)
class EntityLinker:
    """A trained linker.

    Attributes:
        columns: the names of what it sees of a pair.
        vocabulary: the words that have codes of their own.
        trees: what it has learned.
        bias: what "no antecedent" scores more; above 0 it links less.
    """

    columns: tuple[str, ...]
    vocabulary: Vocabulary
    trees: Trees
    ready: tuple[ReadyTree, ...]
    bias: float = 0.0

    @classmethod
    def learn(
        cls,
        documents: Iterable[Document],
        context: Context,
        *,
        growth: Growth = GROWTH,
        seed: int = 0,
        progress: Callable[[int, int], None] = lambda _done, _total: None,
    ) -> EntityLinker:
        """Learn from documents with mentions and entities, tags and trees.

        Args:
            documents: the documents; what is known of their pairs is kept in memory.
            context: what mentions are described with.
            growth: how trees grow.
            seed: of the choice of features that a tree sees.
            progress: called with the numbers of documents done and of all documents.
        """
        vocabulary, lesson = lesson_of(list(documents), context, progress=progress)
        trees = grown(
            lesson.rows,
            lesson.right.astype(np.float64),
            ordered=ordered(lesson.columns),
            growth=growth,
            objective=antecedent_objective(lesson.starts, lesson.right),
            seed=seed,
        )
        return cls(lesson.columns, vocabulary, trees, tuple(readied(trees)))

    def link(self, tables: Iterable[MentionTable]) -> Iterator[Ints]:
        """Number the entities of each document's mentions, in the order of the text."""
        for table in tables:
            yield linked(self.ranking(table), bias=self.bias)

    def ranking(self, table: MentionTable) -> Ranking:
        """Score the candidates of every mention of a document."""
        traits = traits_of(table)
        first, second = candidates_of(traits)
        rows = rows_of(traits, first, second, self.vocabulary)
        if rows.columns != self.columns:
            message = (
                "the linker was trained with other features than this corefkit has"
            )
            hint = "use the corefkit that trained it, or train it again"
            raise CorefkitError(message, code="model/features", hint=hint)
        # "No antecedent" comes first: few calls for many rows are fast.
        both = np.concatenate([rows.alone, rows.pairs])
        alone = len(rows.alone)
        sketch = scores(self.ready[:_SKETCH], both)
        free = np.flatnonzero(~bound(traits, first, second))
        kept = free[likeliest(second[free], sketch[alone:][free])]
        last = np.concatenate([np.arange(alone), alone + kept])
        score = sketch[last] + scores(self.ready[_SKETCH:], both[last])
        return Ranking(first[kept], second[kept], score[alone:], score[:alone])

    @property
    def weights(self) -> dict[str, float]:
        """How much each column counts: its share of the gain of all splits."""
        total = float(self.trees.gain.sum()) or 1.0
        shares = (self.trees.gain / total).tolist()
        return dict(zip(self.columns, shares, strict=True))

    def files(self) -> dict[str, bytes]:
        """Return what a model file stores."""
        about = {
            "columns": self.columns,
            "vocabulary": self.vocabulary,
            "bias": self.bias,
        }
        text = json.dumps(about, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
        return {_FILE: text.encode(), **self.trees.files()}

    @classmethod
    def load(cls, files: Mapping[str, bytes]) -> EntityLinker:
        """Read what a model file stores."""
        try:
            about = json.loads(files[_FILE])
            columns = tuple(map(str, about["columns"]))
            vocabulary = {
                name: tuple(map(str, about["vocabulary"][name])) for name in CLASSES
            }
            bias = float(about["bias"])
        except (KeyError, TypeError, ValueError) as error:
            raise damaged(_FILE) from error
        trees = trees_from(files, len(columns))
        return cls(columns, vocabulary, trees, tuple(readied(trees)), bias)


class Ranking(NamedTuple):
    """The scores of candidates: pairs ordered by the second mention, then the first."""

    first: Ints
    second: Ints
    score: Floats  # of each pair
    alone: Floats  # of "no antecedent", for each mention


def likeliest(second: Ints, sketch: Floats, most: int = _KEPT) -> Ints:
    """Find the pairs of each mention that score highest, and keep their order.

    >>> scores = np.array([0.5, 3.0, 1.0, 2.0])
    >>> likeliest(np.array([1, 2, 2, 2]), scores, most=2).tolist()
    [0, 1, 3]
    """
    order = np.lexsort((-sketch, second))
    starts = np.flatnonzero(np.diff(second[order], prepend=-1))
    sizes = np.diff(starts, append=len(second))
    place = np.arange(len(second)) - np.repeat(starts, sizes)
    return np.sort(order[place < most])


def linked(ranking: Ranking, *, bias: float = 0.0) -> Ints:
    """Link each mention to its best candidate, unless "no antecedent" scores more.

    Of equal candidates the closest counts. Entities are numbered in the order of the
    text.

    >>> pairs = Ranking(
    ...     first=np.array([0, 0, 1]),
    ...     second=np.array([1, 2, 2]),
    ...     score=np.array([-1.0, 2.0, 1.0]),
    ...     alone=np.zeros(3),
    ... )
    >>> linked(pairs).tolist(), linked(pairs, bias=2.5).tolist()
    ([0, 1, 0], [0, 1, 2])
    """
    entity = list(range(len(ranking.alone)))
    order = np.lexsort((ranking.first, ranking.score, ranking.second))
    second = ranking.second[order]
    last = order[np.flatnonzero(np.diff(second, append=-1))]
    surer = ranking.score[last] > ranking.alone[ranking.second[last]] + bias
    for pair in last[surer].tolist():
        entity[ranking.second[pair]] = entity[ranking.first[pair]]
    numbers: dict[int, int] = {}
    return np.array([numbers.setdefault(one, len(numbers)) for one in entity], np.int64)
