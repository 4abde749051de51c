"""Systems by name, and the resolution of many documents.

    neural            the encoder resolver; reads raw text
    sieve             rules, the surest first; needs trees
    all_singletons, head_match, head_match_pron     baselines of the paper; need trees
    strong, super_strong, best, weak                models of the paper; need trees and
                                                    documents to learn from

With the suffix `_consulting`, as in `best_consulting`, decisions consult the contents
of baskets.
"""

from __future__ import annotations

from collections import deque
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from cistell.mentions.lexicon import load_lexicon
from cistell.mentions.profiles import Context, list_annotated, make_table
from cistell.neural.inference import NeuralResolver
from cistell.paper.models import BASELINES, CONSULTING, LINKINGS, make_resolution
from cistell.paper.system import PairModel, get_linking, train
from cistell.sieve import resolve_by_sieve
from cistell.taggers import MentionFilter, find_candidates, learn_filter, tag_mentions
from cistell.trees import load_parser
from corefkit import Document, SettingsError

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from cistell.trees import TreeParser

SYSTEMS = ("neural", "sieve", *BASELINES, *LINKINGS, *CONSULTING)
MENTIONS = ("gold", "sm1", "sm2")
# The number of documents that a worker process receives at a time.
_BATCH = 4


class RawText(NamedTuple):
    """A text, and the id of its document."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class TreeResolver:
    """A system that requires tags and trees.

    Attributes:
        system: one of `SYSTEMS`.
        context: language, word lists and options of mentions.
        parser: computes trees; required unless documents contain them.
        model: decides on pairs, for the models of the paper.
        mention_filter: finds the mentions `sm2`.
    """

    system: str
    context: Context
    parser: TreeParser | None = None
    model: PairModel | None = None
    mention_filter: MentionFilter | None = None

    def resolve_text(self, text: str, *, id: str = "text") -> Document:
        """Resolve a text, which requires a parser."""
        if self.parser is None:
            message = (
                f"the system {self.system} requires trees, which texts do not have"
            )
            hint = "add --parser udpipe:FILE, spacy:PIPELINE or stanza:LANGUAGE"
            raise SettingsError(message, code="model/missing-part", hint=hint)
        document = self.parser.parse_text(text, id=id)
        return self._link(self._find_mentions(document, None))

    def resolve_document(
        self, document: Document, *, mentions: str | None = None
    ) -> Document:
        """Resolve a document; its annotated entities are ignored.

        Args:
            document: a document, with trees unless there is a parser.
            mentions: `gold` for those of the document, `sm1` for every noun phrase,
                `sm2` for those that the filter accepts (default: `sm2` if there is a
                filter, else `sm1`).
        """
        if self.parser is not None:
            document = self.parser.parse_document(document)
        return self._link(self._find_mentions(document, mentions))

    def _find_mentions(self, document: Document, mentions: str | None) -> Document:
        if mentions == "gold":
            return document
        if mentions == "sm1" or (mentions is None and self.mention_filter is None):
            return tag_mentions(document, find_candidates(document))
        if self.mention_filter is None:
            message = "the mentions sm2 require documents to learn from"
            hint = "add --learn-from FILE, or use sm1"
            raise SettingsError(message, code="model/missing-part", hint=hint)
        return tag_mentions(document, self.mention_filter.find_mentions(document))

    def _link(self, document: Document) -> Document:
        if self.model is not None:
            linkings = {self.system: get_linking(self.system)}
            (resolutions,) = self.model.resolve([document], linkings)
            return resolutions[self.system].document
        table = make_table(document, list_annotated(document), self.context)
        if self.system == "sieve":
            return make_resolution(table, resolve_by_sieve(table)).document
        return make_resolution(table, BASELINES[self.system](table)).document


Resolver: TypeAlias = NeuralResolver | TreeResolver


def load_resolver(
    system: str = "neural",
    *,
    model: str | os.PathLike[str] | None = None,
    language: str = "en",
    parser: str | None = None,
    learn_from: Iterable[Document] = (),
    entity_types: str = "names",
    lexicon: Path | None = None,
    wordnet: Path | str | None = None,
    note: Callable[[str], None] = lambda _: None,
) -> Resolver:
    """Load a system.

    Args:
        system: one of `SYSTEMS`.
        model: a model file of the neural system; by default the one that comes with
            cistell.
        language: of the documents, for the other systems: `en`, `es` or `fr`.
        parser: computes trees, as in `udpipe:FILE`; see `cistell.trees`.
        learn_from: annotated documents with trees, for the models of the paper and the
            mentions `sm2`.
        entity_types: mentions whose entity types are used: `names`, `all` or `none`.
        lexicon: a folder of word lists.
        wordnet: the folder of WordNet's files, or `none`.
        note: a callback for remarks, such as missing resources.

    Raises:
        SettingsError: the system is unknown, or has nothing to learn from.

    >>> import corefkit
    >>> from corefkit.example import trees
    >>> sieve = load_resolver("sieve", wordnet="none")
    >>> document = next(iter(corefkit.read(trees())))
    >>> len(sieve.resolve_document(document, mentions="gold").entities)
    14
    """
    if system not in SYSTEMS:
        message = f"unknown system {system!r}"
        hint = f"choose one of {', '.join(SYSTEMS)}"
        raise SettingsError(message, code="settings/unknown-value", hint=hint)
    if system == "neural":
        return NeuralResolver.load(model)
    if model is not None:
        message = f"--model is for the neural system, not for {system}"
        raise SettingsError(message, code="settings/conflict", hint="omit --model")
    context = Context(
        load_lexicon(language, folder=lexicon, wordnet=wordnet), entity_types
    )
    documents = list(learn_from)
    is_learned = system in LINKINGS or system in CONSULTING
    if is_learned and not documents:
        message = f"the system {system} requires documents to learn from"
        hint = "add --learn-from FILE"
        raise SettingsError(message, code="settings/missing-value", hint=hint)
    return TreeResolver(
        system,
        context,
        load_parser(parser) if parser else None,
        train(documents, context, note=note) if is_learned else None,
        learn_filter(documents) if documents else None,
    )


def resolve_all(
    resolver: Resolver,
    items: Iterable[Document | RawText],
    *,
    mentions: str | None = None,
    jobs: int = 1,
    note: Callable[[str], None] = lambda _: None,
) -> Iterator[Document]:
    """Resolve the documents or texts of one input, such as a file.

    Whether to use gold mentions is decided for the entire input: systems that require
    trees use them if at least one document contains some. A document without mentions
    is then one in which nothing was annotated.

    Args:
        resolver: the resolver.
        items: documents or texts.
        mentions: `gold`, `sm1` or `sm2`; see `TreeResolver.resolve_document`.
        jobs: processes that share the documents.
        note: a callback for the remark that gold mentions are used by default.
    """
    if mentions not in (None, *MENTIONS):
        message = f"unknown mentions {mentions!r}"
        hint = f"choose one of {', '.join(MENTIONS)}"
        raise SettingsError(message, code="settings/unknown-value", hint=hint)
    if isinstance(resolver, NeuralResolver):
        if mentions not in (None, "gold"):
            message = f"the neural system finds mentions itself, not {mentions}"
            raise SettingsError(message, code="settings/conflict", hint="use gold")
    elif mentions is None:
        items, mentions = choose_mentions(items)
        if mentions == "gold":
            note(_GOLD_NOTE)
    if jobs < 1:
        message = f"invalid number of processes: {jobs}"
        raise SettingsError(
            message, code="settings/invalid-value", hint="use 1 or more"
        )
    if jobs == 1:
        for item in items:
            yield _resolve_item(resolver, item, mentions)
        return
    with ProcessPoolExecutor(jobs, initializer=_init, initargs=(resolver,)) as pool:
        waiting: deque[Future[list[Document]]] = deque()
        remaining = iter(items)
        while batch := list(islice(remaining, _BATCH)):
            waiting.append(pool.submit(_resolve_batch, batch, mentions))
            if len(waiting) > 2 * jobs:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()


_GOLD_NOTE = (
    "the gold mentions of the input are used; `--mentions sm1` finds mentions instead"
)


def choose_mentions(
    items: Iterable[Document | RawText],
) -> tuple[Iterator[Document | RawText], str | None]:
    """Return the items of an input, and `gold` if at least one contains mentions.

    Items are buffered up to the first document with mentions.
    """
    remaining = iter(items)
    buffered: list[Document | RawText] = []
    for item in remaining:
        buffered.append(item)
        if isinstance(item, Document) and item.entities:
            return chain(buffered, remaining), "gold"
    return iter(buffered), None


def _resolve_item(
    resolver: Resolver, item: Document | RawText, mentions: str | None
) -> Document:
    if isinstance(item, RawText):
        return resolver.resolve_text(item.text, id=item.id)
    return resolver.resolve_document(item, mentions=mentions)


# The resolver of a worker process.
_worker: list[Resolver] = []


def _init(resolver: Resolver) -> None:
    _worker[:] = [resolver]


def _resolve_batch(
    batch: list[Document | RawText], mentions: str | None
) -> list[Document]:
    return [_resolve_item(_worker[0], item, mentions) for item in batch]
