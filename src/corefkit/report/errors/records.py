"""Error analyses for programs: plain values, and CSV written from them.

Mentions are `[first token, last token]`, those with gaps lists of such spans; mentions
that are names stay as they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corefkit.model import Mention
from corefkit.report.errors.ordering import places_of
from corefkit.report.records import csv_rows, readable_json
from corefkit.settings import VERSION

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from corefkit.analysis.errors.across import Across, SharedErrors
    from corefkit.analysis.errors.analysis import (
        DocumentErrors,
        Error,
        ErrorAnalysis,
        LinkError,
        MentionId,
        Scores,
        SystemErrors,
    )
    from corefkit.analysis.errors.rates import Links, Rate
    from corefkit.report.records import Value

VIEWS = ("ladder", "alone", "all_but")
_LEVELS = 6  # down to the errors of a document of a system
_HEAD = ("response", "view", "document", "name", "class")
_NUMBERS = ("value", "edges", "rate", "signature")


def json_errors(analysis: ErrorAnalysis) -> str:
    """Write the JSON of an analysis; each error has a line."""
    return readable_json(json_values(analysis), levels=_LEVELS)


def json_values(analysis: ErrorAnalysis) -> dict[str, Value]:
    """Return the JSON of an analysis, as plain values."""
    values: dict[str, Value] = {
        "corefkit": VERSION,
        "signature": analysis.signature,
        "key": analysis.key,
        "systems": [_system(system) for system in analysis.systems],
    }
    if len(analysis.systems) > 1:
        values["across"] = _across(analysis.across)
    if analysis.sources:
        values["sources"] = list(analysis.sources)
    if analysis.refused:
        values["refused"] = [
            {"response": name, "reason": reason}
            for name, reason in analysis.refused.items()
        ]
    for name in ("notes", "warnings"):
        if texts := getattr(analysis, name):
            values[name] = list(texts)
    return values


def error_records(analysis: ErrorAnalysis) -> list[dict[str, Value]]:
    """Return a record for each error of the seven kinds."""
    return [
        {"response": system.response, "document": document.document}
        | _error(error)
        | {"signature": analysis.signature}
        for system in analysis.systems
        for document in system.documents
        for error in document.errors
    ]


def mention_value(mention: MentionId) -> Value:
    """Return a mention as plain values.

    >>> mention_value(Mention(3, 5)), mention_value(Mention.of([3, 4, 7]))
    ([3, 5], [[3, 4], [7, 7]])
    >>> mention_value("a"), mention_value((0, "b")), mention_value(frozenset("c"))
    ('a', [0, 'b'], "frozenset({'c'})")
    """
    if isinstance(mention, Mention):
        parts: list[Value] = [[*part] for part in mention.parts]
        return parts if len(parts) > 1 else parts[0]
    if isinstance(mention, tuple):
        return [mention_value(part) for part in mention]
    if mention is None or isinstance(mention, str | int | float):
        return mention
    return str(mention)


def _mentions(mentions: Iterable[MentionId]) -> list[Value]:
    return [mention_value(mention) for mention in mentions]


def _system(system: SystemErrors) -> dict[str, Value]:
    return {
        "response": system.response,
        "key_mentions": system.key_mentions,
        "counts": {**system.counts},
        "singletons": {**system.singletons},
        "operations": {**system.operations},
        "kept_apart": system.kept_apart,
        **{view: _scores(getattr(system, view)) for view in VIEWS},
        "links": {
            "recall": _links(system.recall),
            "precision": _links(system.precision),
        },
        "documents": [_document(document) for document in system.documents],
    }


def _scores(states: Mapping[str, Scores]) -> dict[str, Value]:
    return {state: {**scores} for state, scores in states.items()}


def _links(links: Links) -> dict[str, Value]:
    by_types = links.breakdowns.get("types", {})
    return {
        "edges": links.edges,
        "errors": links.errors,
        "rate": links.rate,
        "by_types": {
            name: rate.errors for name, rate in by_types.items() if rate.errors
        },
        "breakdowns": {
            name: {label: _rate(rate) for label, rate in classes.items()}
            for name, classes in links.breakdowns.items()
        },
    }


def _rate(rate: Rate) -> dict[str, Value]:
    return {"edges": rate.edges, "errors": rate.errors, "rate": rate.rate}


def _document(document: DocumentErrors) -> dict[str, Value]:
    links = {"recall": document.recall_links, "precision": document.precision_links}
    return {
        "document": document.document,
        "key_mentions": document.key_mentions,
        "counts": {**document.counts},
        "errors": [_error(error) for error in document.errors],
        "links": {
            side: [_link(link) for link in found] for side, found in links.items()
        },
    }


def _error(error: Error) -> dict[str, Value]:
    values: dict[str, Value] = {
        "id": error.id,
        "kind": error.kind,
        "mentions": _mentions(error.mentions),
        "entity": _mentions(error.entity),
    }
    if error.types:
        values["types"] = list(error.types)
    if error.details:
        values["details"] = {**error.details}
    return values


def _link(link: LinkError) -> dict[str, Value]:
    return {
        "id": link.id,
        "anaphor": mention_value(link.anaphor),
        "antecedent": mention_value(link.antecedent),
        "types": list(link.types),
        "pronoun": link.pronoun,
        "distance": link.distance,
        "entity_size": link.entity_size,
        "relation": link.relation,
        "cause": link.cause,
    }


def _across(across: Across) -> dict[str, Value]:
    """Return how systems share their errors.

    `by_number` has, for each kind, how many errors so many systems make; `common` has
    those of all, `only` those of one alone. For two systems, `changes` has what the
    second fixed, what it introduced, and what is still there.
    """
    values: dict[str, Value] = {
        "systems": list(across.systems),
        "by_number": {
            kind: {str(many): count for many, count in across.by_number(kind).items()}
            for kind in across.kinds
        },
        "common": _shared(across.common),
        "only": [
            {"response": name, **_shared(across.only(number))}
            for number, name in enumerate(across.systems)
        ],
    }
    if changes := across.changes:
        values["changes"] = {
            change: _shared(errors) for change, errors in changes.items()
        }
    return values


def _shared(errors: SharedErrors) -> dict[str, Value]:
    return {
        "by_kind": {**errors.by_kind},
        "by_type": {**errors.by_type},
        "errors": [one.error.id for one in errors.errors],
    }


def csv_errors(analysis: ErrorAnalysis) -> str:
    """Write a row for each number of an analysis.

    The views are `count` (also for each document), `singletons`, `operations`, F1 in
    `ladder`, `alone` and `all_but` with the metric as class, and the links in `recall`
    and `precision`, by the name of a breakdown and its class. Of several responses,
    `by_number` has how many errors so many of them make, and of two, `fixed`,
    `introduced` and `still_there` what the second changes.
    """
    rows: list[Sequence[Value]] = [(*_HEAD, *_NUMBERS)]
    for place in places_of(analysis):
        system = analysis.systems[place]
        found = _rows(system)
        rows += [(system.response, *row, analysis.signature) for row in found]
    if len(analysis.systems) > 1:
        found = _across_rows(analysis.across)
        rows += [("", *row, "", "", analysis.signature) for row in found]
    for name, reason in analysis.refused.items():
        rows.append((name, "refused", "", reason, *[""] * 4, analysis.signature))
    return csv_rows(rows)


def _across_rows(across: Across) -> Iterator[tuple[Value, ...]]:
    for kind in across.kinds:
        for many, count in across.by_number(kind).items():
            yield ("by_number", "", kind, many, count)
    for change, errors in across.changes.items():
        for kind, count in errors.by_kind.items():
            yield (change, "", kind, "", count)


def _rows(system: SystemErrors) -> Iterator[tuple[Value, ...]]:
    blank = ("", "")
    for kind, count in system.counts.items():
        yield ("count", "", kind, "", count, *blank)
    for document in system.documents:
        for kind, count in document.counts.items():
            yield ("count", document.document, kind, "", count, *blank)
    for view in ("singletons", "operations"):
        for name, count in getattr(system, view).items():
            yield (view, "", name, "", count, *blank)
    for view in VIEWS:
        for state, scores in getattr(system, view).items():
            for metric, f1 in scores.items():
                yield (view, "", state, metric, f1, *blank)
    for side in ("recall", "precision"):
        links: Links = getattr(system, side)
        yield (side, "", "all", "", links.errors, links.edges, links.rate)
        for name, classes in links.breakdowns.items():
            for label, rate in classes.items():
                yield (side, "", name, label, rate.errors, rate.edges, rate.rate)
