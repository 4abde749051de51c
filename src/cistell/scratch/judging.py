"""What a model scores on the test part: every stage, and the whole.

The whole starts from raw text. Then a stage at a time is given what the corpus has,
from trees to mentions, which tells where a resolver loses most.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from cistell.links import RuleLinks
from cistell.loading import SIEVE
from cistell.parsing.accuracy import accuracy, raw_text
from cistell.parsing.udpipe import PARTS
from cistell.readers import RawText
from cistell.tuning import CONLL
from corefkit.scoring import score

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from cistell.readers import Reader
    from cistell.resolver import Resolver
    from corefkit.evaluation import Evaluation
    from corefkit.model import Document

_METRICS = ("mentions", *CONLL)


class Score(NamedTuple):
    """A number of the report."""

    stage: str  # what was measured
    name: str  # in which measure
    percent: float


@dataclass(frozen=True, slots=True)
class _AsParser:
    """A reader that is measured as a parser is."""

    reader: Reader
    parts: frozenset[str] = frozenset(PARTS)

    def parse_document(self, document: Document) -> Document:
        return next(self.reader.read_anew([document])).document

    def parse_text(self, text: str, *, id: str) -> Document:
        return next(self.reader.read_texts([RawText(id, text)])).document


def judged(
    resolver: Resolver,
    documents: Sequence[Document],
    *,
    jobs: int = 1,
    share: Callable[[float], None] = lambda _: None,
) -> list[Score]:
    """Score a resolver on annotated documents that it has not learned from."""
    texts = [RawText(document.id, raw_text(document)) for document in documents]
    bare = [replace(document, entities=(), bridges=()) for document in documents]
    sieve = replace(resolver, links=RuleLinks(SIEVE, resolver.context))
    systems: list[tuple[str, Resolver, Sequence[Document | RawText]]] = [
        ("raw text", resolver, texts),
        ("raw text, sieve", sieve, texts),
        ("given trees", resolver, bare),
        ("given trees and mentions", resolver, documents),
    ]
    scores = list(_of_reading(resolver.reader, documents))
    for number, (stage, system, items) in enumerate(systems, 1):
        share(number / (len(systems) + 1))
        response = list(system.resolve(items, jobs=jobs, note=lambda _: None))
        scores += _of_entities(stage, documents, response)
    return scores


def _of_reading(reader: Reader, documents: Sequence[Document]) -> Iterable[Score]:
    measured = accuracy(_AsParser(reader), documents)
    shares = {
        "tokens F1": measured.tokens,
        "sentences F1": measured.sentences,
        "UPOS": measured.upos,
        "UAS": measured.uas,
        "LAS": measured.las,
    }
    for name, share in shares.items():
        if share is not None:
            stage = "raw text" if name.endswith("F1") else "given words"
            yield Score(stage, name, 100 * share)


def _of_entities(
    stage: str, key: Sequence[Document], response: Sequence[Document]
) -> Iterable[Score]:
    exact = score(key, response, metrics=_METRICS, tokens="characters")
    heads = score(
        key,
        response,
        metrics=_METRICS,
        tokens="characters",
        match="head",
        singletons="drop",
    )
    yield Score(stage, "mentions F1", 100 * exact["mentions"].f1)
    yield Score(stage, "CoNLL", 100 * _conll(exact))
    yield Score(stage, "CoNLL, heads, no singletons", 100 * _conll(heads))


def _conll(result: Evaluation) -> float:
    return sum(result[metric].f1 for metric in CONLL) / len(CONLL)
