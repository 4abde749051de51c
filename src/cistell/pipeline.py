"""The way of a document through a resolver: read, mentions found, mentions linked.

In one process, documents flow one after the other, in batches of those that work with
batches. In several, each process takes some documents at a time.
"""

from __future__ import annotations

from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from cistell.needs import Supply
from cistell.readers import RawText, has_trees
from cistell.taggers import with_mentions
from cistell.taggers.types import with_types
from corefkit.corpus import read_declaration
from corefkit.processes import run_in_order

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from cistell.evidence import Reading
    from cistell.links import Links
    from cistell.readers import Reader
    from cistell.resolving import Resolution
    from cistell.taggers import MentionTagger
    from corefkit.model import Document

# Words that a process takes at a time: many enough that batches are full, few enough
# that no process waits long for another.
_SHARE = 10_000
_LETTERS = 5  # characters of a word, about


class Pipeline(NamedTuple):
    """What documents go through."""

    reader: Reader  # finds words, tags and trees
    tagger: MentionTagger | None  # finds mentions
    # Which mentions are linked, as `with_mentions` has it; None for the default.
    mentions: str | None
    links: Links  # puts them into entities
    # Links SM1 mentions of documents that have their own trees, in place of `links`.
    tree_links: Links | None = None

    def run(
        self, items: Iterable[Document | RawText], supply: Supply, *, jobs: int = 1
    ) -> Iterator[Resolution]:
        """Resolve documents and texts, and count what they have of what is needed."""
        if jobs == 1:
            yield from self._resolved(items, supply)
            return
        done = run_in_order(
            partial(_share_resolved, self),
            shares_of(items),
            jobs=jobs,
            work="resolved documents",
        )
        for resolutions, counts in done:
            supply.add(counts)
            yield from resolutions

    def _resolved(
        self, items: Iterable[Document | RawText], supply: Supply
    ) -> Iterator[Resolution]:
        ready = supply.watch(map(self._ready, self.reader.read(items)))
        for by_trees, group in groupby(ready, self._uses_tree_links):
            links = self.tree_links if by_trees and self.tree_links else self.links
            yield from links.resolve(group)

    def _uses_tree_links(self, document: Document) -> bool:
        return (
            self.tree_links is not None and read_declaration(document).mentions == "sm1"
        )

    def _default_mentions(self, document: Document) -> str:
        declaration = read_declaration(document)
        if declaration.mentions == "gold":
            return "gold"
        own_trees = has_trees(document) and declaration.preprocessing in ("", "gold")
        if self.tagger is None or (self.tree_links is not None and own_trees):
            return "sm1"
        return "sm2"

    def _ready(self, reading: Reading) -> Document:
        """Find what mentions there are, and their types where a network knows them."""
        document, evidence = reading
        document = with_mentions(
            document,
            self.mentions or self._default_mentions(document),
            tagger=self.tagger,
            evidence=evidence,
        )
        return document if evidence is None else with_types(document, evidence)


def _share_resolved(
    pipeline: Pipeline, items: Iterable[Document | RawText]
) -> tuple[list[Resolution], Mapping[str, tuple[int, int]]]:
    supply = Supply()
    return list(pipeline.run(items, supply)), supply.counts


def shares_of(
    items: Iterable[Document | RawText], *, words: int = _SHARE
) -> Iterator[list[Document | RawText]]:
    """Put documents together until they have so many words.

    >>> texts = [RawText("a", "no"), RawText("b", "a long text"), RawText("c", "no")]
    >>> [[text.id for text in share] for share in shares_of(texts, words=2)]
    [['a', 'b'], ['c']]
    """
    share: list[Document | RawText] = []
    size = 0
    for item in items:
        share.append(item)
        size += _words(item)
        if size >= words:
            yield share
            share, size = [], 0
    if share:
        yield share


def _words(item: Document | RawText) -> int:
    if isinstance(item, RawText):
        return len(item.text) // _LETTERS
    return len(item.tokens)
