"""Errors that show a mistake well, in the words of the text.

The best are easy to understand: short mentions, of which one is no pronoun, that are
close to each other. Equal ones stay in the order of the text.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from corefkit.analysis.errors.error_output import DocumentWords, words_of
from corefkit.model import Mention
from corefkit.report.reader.fragments import fragment
from corefkit.report.summary.quoting import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corefkit.analysis.errors.error_analysis import (
        DocumentErrors,
        Error,
        MentionId,
        SystemErrors,
    )
    from corefkit.analysis.reporting.values import Report
    from corefkit.tables.elements import Piece

_MOST_LOOKED_AT = 400  # errors
_SHORT = 5  # tokens of a mention
_NEAR = 30  # tokens between two mentions
_PRONOUN = "pronoun"
# Here a pronoun shows the mistake badly: who knows what it refers to?
_BETTER_NAMED = ("conflated", "divided", "missing_entity", "extra_entity")


class Example(NamedTuple):
    """An error as the summary tells it.

    Attributes:
        this: the words of the mention that it is about.
        other: those of another mention of its entity; of a span error, the key's.
        quote: both in the text; empty where the text is not known.
        address: where the reader shows it.
    """

    this: str
    other: str
    quote: tuple[Piece, ...]
    address: str


class _Candidate(NamedTuple):
    document: str
    error: Error
    this: MentionId
    other: MentionId | None
    badness: tuple[int, ...]


def example_of(report: Report, number: int, kind: str) -> Example | None:
    """Choose an error of a kind that a system makes, and quote it.

    Args:
        report: the report.
        number: the number of the system.
        kind: the kind of error.
    """
    system = report.analysis.systems[number]
    texts = _Texts(report)
    pronouns = _pronouns(system, texts)
    found = islice(_errors(system, kind), _MOST_LOOKED_AT)
    candidates = [
        _candidate(document, error, texts.words(document), pronouns)
        for document, error in found
    ]
    if not candidates:
        return None
    best = min(candidates, key=lambda candidate: candidate.badness)
    words = texts.words(best.document)
    return Example(
        words.said(best.this),
        "" if best.other is None else words.said(best.other),
        quote=quoted(words, best.this, best.other),
        address=fragment(
            best.document,
            systems=[number],
            error=best.error.id.removeprefix(f"{best.document}#"),
        ),
    )


class _Texts:
    """The words of documents: those of the reader, or else of the analysis."""

    def __init__(self, report: Report) -> None:
        self._analysis = report.analysis
        self._shown = {document.id: document for document in report.reader.documents}

    def words(self, document: str) -> DocumentWords:
        shown = self._shown.get(document)
        if shown is None or not shown.has_words:
            return words_of(self._analysis.texts.get(document))
        starts, tokens = [], list[str]()
        for sentence in shown.sentences:
            starts.append(len(tokens))
            tokens += sentence
        return DocumentWords(tokens, starts)


def _errors(system: SystemErrors, kind: str) -> Iterator[tuple[str, Error]]:
    for document in system.documents:
        for error in document.errors:
            if error.kind == kind:
                yield document.document, error


def _pronouns(system: SystemErrors, texts: _Texts) -> set[str]:
    """Collect the words that are known to be pronouns, from errors that have them."""
    found: set[str] = set()
    documents: Sequence[DocumentErrors] = system.documents[:_MOST_LOOKED_AT]
    for document in documents:
        words = texts.words(document.document)
        for error in document.errors:
            for mention, type in zip(error.mentions, error.types, strict=False):
                if type == _PRONOUN:
                    found.add(words.said(mention).lower())
    return found


def _candidate(
    document: str, error: Error, words: DocumentWords, pronouns: set[str]
) -> _Candidate:
    """Choose the two mentions of an error that say most, and weigh them."""

    def is_pronoun(mention: MentionId) -> bool:
        return words.said(mention).lower() in pronouns

    def badness(mention: MentionId, *, may_be_pronoun: bool) -> tuple[int, ...]:
        vague = is_pronoun(mention) and not may_be_pronoun
        wordless = not any(map(str.isalpha, words.said(mention)))
        return int(vague or wordless), int(_length(mention) > _SHORT)

    may = error.kind not in _BETTER_NAMED
    if error.kind == "span":
        this, other = error.mentions[0], error.mentions[1]
        return _Candidate(
            document, error, this, other, badness(this, may_be_pronoun=True)
        )
    this = min(error.mentions, key=lambda one: badness(one, may_be_pronoun=may))
    others = [one for one in error.entity if one not in error.mentions]
    weights = {
        other: (*badness(other, may_be_pronoun=False), _distance(this, other))
        for other in others
    }
    other = min(weights, key=lambda one: weights[one]) if weights else None
    told = weights[other] if other is not None else (0, 0, 0)
    same = other is not None and words.said(this).lower() == words.said(other).lower()
    far = told[-1] > _NEAR
    worth = (int(not words.has(this)), int(same), *badness(this, may_be_pronoun=may))
    return _Candidate(document, error, this, other, (*worth, *told[:-1], int(far)))


def _length(mention: MentionId) -> int:
    if not isinstance(mention, Mention):
        return 1
    return sum(end - start + 1 for start, end in mention.parts)


def _distance(one: MentionId, other: MentionId) -> int:
    if not isinstance(one, Mention) or not isinstance(other, Mention):
        return 0
    return abs(one.start - other.start)
