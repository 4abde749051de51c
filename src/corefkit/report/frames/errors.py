"""An error analysis as a data frame: errors, links, or how many of each kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from corefkit.exceptions import SettingsError
from corefkit.model import Mention
from corefkit.report.errors.words import DocumentWords, words_of
from corefkit.report.frames.libraries import frame_of
from corefkit.strings.nearest import suggest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from corefkit.analysis.errors.analysis import (
        DocumentErrors,
        Error,
        ErrorAnalysis,
        LinkError,
        MentionId,
        SystemErrors,
    )
    from corefkit.report.frames.libraries import Schema
    from corefkit.report.records import Value

    Row: TypeAlias = dict[str, Value]

Of: TypeAlias = Literal["errors", "links", "kinds"]

_PLACE: Schema = {"response": "text", "document": "text", "kind": "text"}
# Mentions that are names, as those of letters, have no first and last token.
_SPAN: Schema = {"start": "count, if known", "end": "count, if known"}
_ENDS: Schema = {"made_by": "count", "id": "text", "signature": "text"}
_ERRORS: Schema = {
    **_PLACE,
    "type": "text",
    "mention": "text",
    **_SPAN,
    "mentions": "count",
    "entity": "text",
    "entity_size": "count",
    **_ENDS,
}
_LINKS: Schema = {
    **_PLACE,
    "type": "text",
    "pronoun": "text",
    "anaphor": "text",
    **_SPAN,
    "antecedent": "text",
    "antecedent_type": "text",
    "antecedent_start": "count, if known",
    "antecedent_end": "count, if known",
    "distance": "count, if known",
    "entity_size": "count",
    "relation": "text",
    "cause": "text",
    **_ENDS,
}
_KINDS: Schema = {
    "response": "text",
    "kind": "text",
    "errors": "count",
    "metric": "text",
    "ladder": "number",
    "alone": "number",
    "all_but": "number",
    "signature": "text",
}


def error_frame(
    analysis: ErrorAnalysis, *, of: str = "errors", library: str | None = None
) -> Any:
    """Make a frame of the errors, of the links that are wrong, or of the kinds."""
    tables: Mapping[str, tuple[Callable[[ErrorAnalysis], Iterator[Row]], Schema]] = {
        "errors": (_error_rows, _ERRORS),
        "links": (_link_rows, _LINKS),
        "kinds": (_kind_rows, _KINDS),
    }
    if of not in tables:
        message = f"no frame of {of!r}, expected {', '.join(tables)}"
        raise SettingsError(message, hint=suggest(of, tables))
    rows, schema = tables[of]
    signature: Row = {"signature": analysis.signature}
    return frame_of((row | signature for row in rows(analysis)), schema, library)


def _error_rows(analysis: ErrorAnalysis) -> Iterator[Row]:
    makers = _makers(analysis)
    for number, system, document, words in _documents(analysis):
        for error in document.errors:
            yield {
                "response": system.response,
                "document": document.document,
                **_error(error, words),
                "made_by": makers.get((number, error.id), 1),
            }


def _error(error: Error, words: DocumentWords) -> Row:
    first = error.mentions[0]
    return {
        "kind": error.kind,
        "type": next(iter(error.types), ""),
        "mention": words.said(first),
        **_span(first),
        "mentions": len(error.mentions),
        "entity": words.said(error.entity[0]),
        "entity_size": len(error.entity),
        "id": error.id,
    }


def _link_rows(analysis: ErrorAnalysis) -> Iterator[Row]:
    makers = _makers(analysis)
    for number, system, document, words in _documents(analysis):
        sides = {
            "recall": document.recall_links,
            "precision": document.precision_links,
        }
        for kind, links in sides.items():
            for link in links:
                yield {
                    "response": system.response,
                    "document": document.document,
                    "kind": kind,
                    **_link(link, words),
                    "made_by": makers.get((number, link.id), 1),
                }


def _link(link: LinkError, words: DocumentWords) -> Row:
    anaphor, antecedent = link.types
    return {
        "type": anaphor,
        "pronoun": link.pronoun,
        "anaphor": words.said(link.anaphor),
        **_span(link.anaphor),
        "antecedent": words.said(link.antecedent),
        "antecedent_type": antecedent,
        **_span(link.antecedent, "antecedent_"),
        "distance": link.distance,
        "entity_size": link.entity_size,
        "relation": link.relation,
        "cause": link.cause,
        "id": link.id,
    }


def _kind_rows(analysis: ErrorAnalysis) -> Iterator[Row]:
    """Go through kinds and metrics: F1 where a kind is repaired, or all but it."""
    for system in analysis.systems:
        metrics = system.ladder["response"]
        for kind, errors in system.counts.items():
            for metric in metrics:
                yield {
                    "response": system.response,
                    "kind": kind,
                    "errors": errors,
                    "metric": metric,
                    "ladder": system.ladder[kind][metric],
                    "alone": system.alone[kind][metric],
                    "all_but": system.all_but[kind][metric],
                }


def _documents(
    analysis: ErrorAnalysis,
) -> Iterator[tuple[int, SystemErrors, DocumentErrors, DocumentWords]]:
    for number, system in enumerate(analysis.systems):
        for document in system.documents:
            words = words_of(analysis.texts.get(document.document))
            yield number, system, document, words


def _makers(analysis: ErrorAnalysis) -> dict[tuple[int, str], int]:
    """Count how many systems make each error, by system and id."""
    if len(analysis.systems) == 1:
        return {}
    return {
        (number, id): len(one.ids)
        for one in analysis.across.errors
        for number, id in one.ids.items()
    }


def _span(mention: MentionId, before: str = "") -> Row:
    if not isinstance(mention, Mention):
        return {}
    return {f"{before}start": mention.start, f"{before}end": mention.end}
