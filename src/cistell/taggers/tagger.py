"""SM2, the tagger of mentions that is trained: of candidate spans, it picks the best.

It follows the second tagger of Cai and Strube 2010: candidates of high recall, and a
filter of high precision. The filter is a sum of boosted trees over the features of
`described`: LightGBM grows them, and applying them needs NumPy alone. It learns what
its corpus annotates. Empty nodes always pass.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from cistell.learners.base import AGAIN, damaged
from cistell.learners.trees import readied, scores, trees_from
from cistell.profiles import ENTITY_TYPES
from cistell.taggers.candidates import empty_mentions
from cistell.taggers.choosing import Thresholds, chosen
from cistell.taggers.columns import described
from cistell.taggers.pages import page_of
from cistell.taggers.spans import candidate_spans
from corefkit.exceptions import CorefkitError
from corefkit.model import Mention

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from cistell.evidence import Evidence, Reading
    from cistell.learners.base import Codes
    from cistell.learners.trees import ReadyTree, Trees
    from cistell.taggers.columns import Vocabularies
    from cistell.taggers.pages import Page
    from cistell.taggers.spans import Spans
    from corefkit.arrays.columns import Floats

_ABOUT = "tagger.json"
# What the attributes of a found mention tell, in percent: how likely it is a mention,
# and how likely each of `ENTITY_TYPES` but the first is its type.
CERTAINTY, TYPES = "certainty", "types"


@dataclass(frozen=True)
class MentionTagger:
    """A trained tagger of mentions; `taggers.learning` trains it."""

    trees: Trees
    vocabularies: Vocabularies  # the codes of words
    thresholds: Thresholds
    weighs: bool  # whether it was trained with the evidence of a network

    @classmethod
    def load(cls, files: Mapping[str, bytes]) -> MentionTagger:
        """Read what `files` returns; refuse what is missing or damaged."""
        try:
            about = json.loads(files[_ABOUT])
            vocabularies = {
                name: {str(word): code for code, word in enumerate(words, 1)}
                for name, words in about["vocabularies"].items()
            }
            thresholds = Thresholds(*map(float, about["thresholds"]))
            width, weighs = int(about["width"]), bool(about["evidence"])
        except (
            AttributeError,
            KeyError,
            TypeError,
            ValueError,
            OverflowError,
            RecursionError,
        ) as error:
            raise damaged(_ABOUT) from error
        return cls(trees_from(files, width), vocabularies, thresholds, weighs)

    def files(self) -> dict[str, bytes]:
        """Return what a model file stores; the same training makes the same bytes."""
        about = {
            "evidence": self.weighs,
            "thresholds": self.thresholds,
            "vocabularies": {
                name: list(codes) for name, codes in self.vocabularies.items()
            },
            "width": len(self.trees.gain),
        }
        text = json.dumps(about, ensure_ascii=False, indent=0)
        return {_ABOUT: text.encode(), **self.trees.files()}

    def mentions(self, reading: Reading) -> list[Mention]:
        """Find the mentions of a document, in the order of the text.

        Each has its head; its type too, where there is evidence (`attributes`).

        Raises:
            CorefkitError: the tagger was trained with evidence, and there is none.
        """
        if self.weighs and reading.evidence is None:
            message = "the tagger was trained with a network, which is not there"
            hint = "use the model's own parser, or train without a network"
            raise CorefkitError(
                message, code="model/missing-part", place=reading.document.id, hint=hint
            )
        page = page_of(reading, weighs=self.weighs)
        spans = candidate_spans(page)
        rows = described(page, spans, self.vocabularies).rows
        likely = self.probabilities(rows)
        found = chosen(spans, likely, self.thresholds)
        return mentions_of(reading, page, spans, found, likely)

    def probabilities(self, rows: Codes) -> Floats:
        """Compute how likely each candidate is a mention."""
        if rows.shape[1] != len(self.trees.gain):
            message = (
                f"the tagger knows {len(self.trees.gain)} features of spans, but this "
                f"corefkit has {rows.shape[1]}"
            )
            raise CorefkitError(message, code="model/features", hint=AGAIN)
        return probabilities(self._ready, rows)

    @cached_property
    def _ready(self) -> list[ReadyTree]:
        return readied(self.trees)


def probabilities(trees: list[ReadyTree], rows: Codes) -> Floats:
    """Compute how likely each candidate is a mention; trees give the odds."""
    found: Floats = np.exp(-np.logaddexp(0.0, -scores(trees, rows)))
    return found


def mentions_of(
    reading: Reading, page: Page, spans: Spans, found: list[int], likely: Floats
) -> list[Mention]:
    """Make mentions of chosen candidates, and of the empty nodes of a document."""
    tokens = page.tokens
    percent = np.rint(100 * likely[found]).astype(np.int64)
    rows = np.stack([spans.head[found], spans.first[found], spans.last[found], percent])
    mentions = [
        Mention(
            tokens[first],
            tokens[last],
            head=tokens[head],
            attributes={CERTAINTY: str(certainty)},
        )
        for head, first, last, certainty in rows.T.tolist()
    ]
    mentions += empty_mentions(reading.document)
    mentions.sort(key=lambda mention: (mention.start, -mention.end))
    evidence = reading.evidence
    return mentions if evidence is None else [*_typed(mentions, evidence)]


def _typed(mentions: Iterable[Mention], evidence: Evidence) -> Iterator[Mention]:
    """Give mentions the likeliest types of their heads, and how likely all are."""
    own = evidence.types[:, 1:]
    percent = np.rint(100 * own / np.maximum(own.sum(axis=1, keepdims=True), 1e-6))
    likeliest = (own.argmax(axis=1) + 1).tolist()
    for mention in mentions:
        head = mention.end if mention.head is None else mention.head
        found = {
            "type": ENTITY_TYPES[likeliest[head]],
            TYPES: " ".join(map(str, percent[head].astype(int).tolist())),
        }
        yield replace(mention, attributes={**mention.attributes, **found})
