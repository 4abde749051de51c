"""Error analyses in each format: pages, lists of errors, JSON, CSV, data frames.

In JSON and CSV, mentions are `[first token, last token]`, those with gaps lists of such
spans; mentions that are names are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from corefkit.analysis.errors.error_analysis import (
    LINKS,
    RESPONSE,
    Across,
    DocumentText,
    Error,
    ErrorAnalysis,
    LinkError,
    MentionId,
    SharedErrors,
    SystemErrors,
    is_error_count,
)
from corefkit.analysis.errors.error_tables import (
    KIND_LABELS,
    build_document_table,
    build_kind_tables,
    build_link_tables,
    build_shared_tables,
    get_order,
    iter_remarks,
    label_systems,
)
from corefkit.analysis.errors.links import LinkCounts
from corefkit.model import Mention
from corefkit.results.frames import Kind, Schema
from corefkit.results.records import Value, format_csv, format_json
from corefkit.results.score_table import BY_NAME, number_names
from corefkit.settings import VERSION, check_known
from corefkit.strings import format_count, format_id
from corefkit.tables.latex import render_latex
from corefkit.tables.markdown import render_markdown
from corefkit.tables.model import Note, Paragraph, Part, Table, make_columns, make_rows
from corefkit.tables.terminal import label_paths, render_terminal

if TYPE_CHECKING:
    Row: TypeAlias = dict[str, Value]

NO_TEXT = DocumentText()
DEFAULT_METRICS = ("lea", "conll")  # shown by default, of all that are computed
VIEWS = ("ladder", "alone", "all_but")
_JSON_LEVELS = 6  # down to the errors of a document of a system


class ListedError(NamedTuple):
    response: str  # the names of the responses with the error
    document: str
    place: str  # `file:line`, or the sentence and token if that is unknown
    kind: str  # one of the seven kinds, or `recall` or `precision` for a link
    words: str  # its mentions in brackets, the first in its context
    first: str  # the first mention of the entity; of a link, the antecedent
    made_by: str  # which of several systems make it
    id: str  # in the first of these systems

    @property
    def short_id(self) -> str:
        """The id without the notation of CoNLL."""
        return format_id(self.document) + self.id.removeprefix(self.document)


def iter_listed_errors(
    analysis: ErrorAnalysis, kinds: Sequence[str]
) -> Iterator[ListedError]:
    """Iterate over errors by document, kind and position; list shared ones once."""
    names = label_paths([system.response for system in analysis.systems])
    rank = {number: index for index, number in enumerate(get_order(analysis))}
    for shared in analysis.across.errors:
        if shared.kind not in kinds:
            continue
        text = analysis.texts.get(shared.document, NO_TEXT)
        error = shared.error
        if isinstance(error, Error):
            mentions, first = error.mentions, error.entity[0]
        else:
            mentions, first = (error.anaphor,), error.antecedent
        makers = [names[number] for number in sorted(shared.ids, key=rank.__getitem__)]
        yield ListedError(
            ", ".join(makers),
            shared.document,
            text.format_place(mentions[0]),
            shared.kind,
            text.format_error(shared.kind, mentions),
            text.format_mention(first),
            _describe_makers(makers, len(names)),
            error.id,
        )


def _describe_makers(makers: Sequence[str], systems: int) -> str:
    if systems == 1:
        return ""
    if len(makers) == systems:
        return "both" if systems == 2 else f"all {systems}"
    return f"only {makers[0]}" if len(makers) == 1 else ", ".join(makers)


def _format_lines(errors: Sequence[ListedError]) -> Iterator[Note | Paragraph]:
    for error in errors:
        start = f"{error.place}: " * bool(error.place) + KIND_LABELS[error.kind].lower()
        role = "antecedent" if error.kind in LINKS else "entity of"
        parts = [f"{start}: {error.words}", f'{role} "{error.first}"', error.made_by]
        yield Note(" | ".join([*filter(None, parts), error.short_id]))
    yield Paragraph(format_count(len(errors), "error"))


def _build_list(errors: Sequence[ListedError], *, has_makers: bool) -> Table:
    heads = ["Document", "Place", "Kind", "Words", "Entity", "Made by", "Id"]
    rows = [
        [
            format_id(error.document),
            error.place,
            KIND_LABELS[error.kind],
            error.words,
            f'"{error.first}"',
            error.made_by,
            error.short_id,
        ]
        for error in errors
    ]
    if not has_makers:
        for row in (heads, *rows):
            del row[-2]
    return Table(make_columns(heads, words=len(heads)), make_rows(rows))


def build_error_page(
    analysis: ErrorAnalysis,
    *,
    links: bool = False,
    metrics: Sequence[str] | None = None,
    per_document: bool = False,
) -> list[Part]:
    """Build the tables of an analysis, and remarks on them."""
    numbers, labels = get_order(analysis), label_systems(analysis)
    systems = [analysis.systems[number] for number in numbers]
    names = [labels[number] for number in numbers]
    documents: list[Part] = []
    if per_document and systems:
        names = number_names(names)
        documents.append(build_document_table(systems, names, analysis.order))
    shown = [*(choose_metrics(analysis) if metrics is None else metrics)]
    sort = analysis.order.metric if analysis.order else BY_NAME
    if sort not in (BY_NAME, *shown) and not is_error_count(sort):
        shown.append(sort)  # systems are never sorted by a number that is not shown
    parts: list[Part] = [*build_kind_tables(systems, names, shown), *documents]
    if len(names) > 1:
        parts += build_shared_tables(analysis.across, names, numbers)
    if links:
        parts += build_link_tables(systems, names)
    return [*parts, *iter_remarks(analysis, metrics=shown)]


def choose_metrics(analysis: ErrorAnalysis) -> list[str]:
    """Choose the metrics of tables: LEA and CoNLL, or else all that were computed."""
    ladders = [system.ladder for system in analysis.systems]
    computed = [*ladders[0][RESPONSE]] if ladders else []
    return [name for name in DEFAULT_METRICS if name in computed] or computed


def _write_page(
    analysis: ErrorAnalysis,
    *,
    render: Callable[[Iterable[Part]], str],
    lines: bool = False,
    listed: Sequence[str] = (),
    **options: Any,
) -> str:
    if not listed:
        return render(build_error_page(analysis, **options))
    errors = [*iter_listed_errors(analysis, listed)]
    parts: Iterable[Part] = _format_lines(errors)
    if not lines:
        parts = [_build_list(errors, has_makers=len(analysis.systems) > 1)]
    return render([*parts, *iter_remarks(analysis, metrics=(), kinds=listed)])


def _write_csv(analysis: ErrorAnalysis, *, listed: Sequence[str] = (), **_: Any) -> str:
    """Return a row for each number in each view, or for each listed error."""
    if listed:
        return format_csv([ListedError._fields, *iter_listed_errors(analysis, listed)])
    head = ("response", "view", "document", "name", "class")
    rows: list[Sequence[Value]] = [(*head, "value", "edges", "rate", "signature")]
    for number in get_order(analysis):
        system = analysis.systems[number]
        rows += [
            (system.response, *row, analysis.signature)
            for row in _iter_csv_rows(system)
        ]
    if len(analysis.systems) > 1:
        rows += [
            ("", *row, "", "", analysis.signature)
            for row in _iter_shared_rows(analysis.across)
        ]
    for name, reason in analysis.refused.items():
        rows.append((name, "refused", "", reason, *[""] * 4, analysis.signature))
    return format_csv(rows)


def _iter_csv_rows(system: SystemErrors) -> Iterator[tuple[Value, ...]]:
    for kind, count in system.counts.items():
        yield ("count", "", kind, "", count, "", "")
    for document in system.documents:
        for kind, count in document.counts.items():
            yield ("count", document.document, kind, "", count, "", "")
    for view in ("singletons", "operations"):
        for name, count in getattr(system, view).items():
            yield (view, "", name, "", count, "", "")
    for view in VIEWS:
        for state, scores in getattr(system, view).items():
            for metric, f1 in scores.items():
                yield (view, "", state, metric, f1, "", "")
    for side in LINKS:
        links: LinkCounts = getattr(system, side)
        yield (side, "", "all", "", links.errors, links.edges, links.rate)
        for name, classes in links.breakdowns.items():
            for label, counts in classes.items():
                yield (side, "", name, label, counts.errors, counts.edges, counts.rate)


def _iter_shared_rows(across: Across) -> Iterator[tuple[Value, ...]]:
    for kind in across.kinds:
        for number, count in across.by_number(kind).items():
            yield ("by_number", "", kind, number, count)
    for change, errors in across.changes.items():
        for kind, count in errors.by_kind.items():
            yield (change, "", kind, "", count)


# A writer takes an analysis and these options: `links`, whether to show the tables of
# links; `listed`, the kinds of errors to list instead of tables; `metrics`, whose F1
# tables show; `per_document`, whether to show every document. JSON and CSV have all.
ERROR_WRITERS: Mapping[str, Callable[..., str]] = {
    "table": partial(_write_page, render=render_terminal, lines=True),
    "json": lambda analysis, **_: format_json(
        convert_to_values(analysis), levels=_JSON_LEVELS
    ),
    "csv": _write_csv,
    "markdown": partial(_write_page, render=render_markdown),
    "latex": partial(_write_page, render=render_latex),
}


def convert_to_values(analysis: ErrorAnalysis) -> dict[str, Value]:
    """Convert an analysis to the plain values of its JSON."""
    values: dict[str, Value] = {
        "corefkit": VERSION,
        "signature": analysis.signature,
        "key": analysis.key,
        "systems": [_convert_system(system) for system in analysis.systems],
    }
    if len(analysis.systems) > 1:
        values["across"] = _convert_across(analysis.across)
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


def list_records(analysis: ErrorAnalysis) -> list[dict[str, Value]]:
    """Return a record for each error of the seven kinds."""
    return [
        {"response": system.response, "document": document.document}
        | _convert_error(error)
        | {"signature": analysis.signature}
        for system in analysis.systems
        for document in system.documents
        for error in document.errors
    ]


def convert_mention(mention: MentionId) -> Value:
    """Convert a mention to plain values; names that JSON does not support, to text."""
    if isinstance(mention, Mention):
        parts: list[Value] = [[*part] for part in mention.parts]
        return parts if len(parts) > 1 else parts[0]
    if isinstance(mention, tuple):
        return [convert_mention(part) for part in mention]
    if mention is None or isinstance(mention, str | int | float):
        return mention
    return str(mention)


def _convert_system(system: SystemErrors) -> dict[str, Value]:
    return {
        "response": system.response,
        "key_mentions": system.key_mentions,
        "counts": {**system.counts},
        "singletons": {**system.singletons},
        "operations": {**system.operations},
        "kept_apart": system.kept_apart,
        **{
            view: {state: {**row} for state, row in getattr(system, view).items()}
            for view in VIEWS
        },
        "links": {side: _convert_links(getattr(system, side)) for side in LINKS},
        "documents": [
            {
                "document": document.document,
                "key_mentions": document.key_mentions,
                "counts": {**document.counts},
                "errors": [_convert_error(error) for error in document.errors],
                "links": {
                    side: [_convert_link(link) for link in links]
                    for side, links in document.links.items()
                },
            }
            for document in system.documents
        ],
    }


def _convert_counts(links: LinkCounts) -> dict[str, Value]:
    return {"edges": links.edges, "errors": links.errors, "rate": links.rate}


def _convert_links(links: LinkCounts) -> dict[str, Value]:
    by_types = links.breakdowns.get("types", {})
    return {
        **_convert_counts(links),
        "by_types": {
            name: counts.errors for name, counts in by_types.items() if counts.errors
        },
        "breakdowns": {
            name: {label: _convert_counts(counts) for label, counts in classes.items()}
            for name, classes in links.breakdowns.items()
        },
    }


def _convert_error(error: Error) -> dict[str, Value]:
    values: dict[str, Value] = {
        "id": error.id,
        "kind": error.kind,
        "mentions": [*map(convert_mention, error.mentions)],
        "entity": [*map(convert_mention, error.entity)],
    }
    if error.types:
        values["types"] = list(error.types)
    if error.details:
        values["details"] = {**error.details}
    return values


def _convert_link(link: LinkError) -> dict[str, Value]:
    return {
        **link._asdict(),
        "anaphor": convert_mention(link.anaphor),
        "antecedent": convert_mention(link.antecedent),
        "types": list(link.types),
    }


def _convert_across(across: Across) -> dict[str, Value]:
    values: dict[str, Value] = {
        "systems": list(across.systems),
        "by_number": {
            kind: {
                str(number): count for number, count in across.by_number(kind).items()
            }
            for kind in across.kinds
        },
        "common": _convert_shared(across.common),
        "only": [
            {"response": name, **_convert_shared(across.only(number))}
            for number, name in enumerate(across.systems)
        ],
    }
    if changes := across.changes:
        values["changes"] = {
            change: _convert_shared(errors) for change, errors in changes.items()
        }
    return values


def _convert_shared(errors: SharedErrors) -> dict[str, Value]:
    return {
        "by_kind": {**errors.by_kind},
        "by_type": {**errors.by_type},
        "errors": [shared.error.id for shared in errors.errors],
    }


# Mentions that are names, such as letters, have no first and last token.
_KNOWN_COUNT: Kind = "count, if known"
_SCHEMAS: Mapping[str, Schema] = {
    "errors": {
        **dict.fromkeys(("response", "document", "kind", "type", "mention"), "text"),
        **dict.fromkeys(("start", "end"), _KNOWN_COUNT),
        "mentions": "count",
        "entity": "text",
        "entity_size": "count",
        "made_by": "count",
        **dict.fromkeys(("id", "signature"), "text"),
    },
    "links": {
        **dict.fromkeys(("response", "document", "kind", "type", "pronoun"), "text"),
        "anaphor": "text",
        **dict.fromkeys(("start", "end"), _KNOWN_COUNT),
        **dict.fromkeys(("antecedent", "antecedent_type"), "text"),
        **dict.fromkeys(("antecedent_start", "antecedent_end"), _KNOWN_COUNT),
        "distance": _KNOWN_COUNT,
        "entity_size": "count",
        **dict.fromkeys(("relation", "cause"), "text"),
        "made_by": "count",
        **dict.fromkeys(("id", "signature"), "text"),
    },
    "kinds": {
        **dict.fromkeys(("response", "kind"), "text"),
        "errors": "count",
        "metric": "text",
        **dict.fromkeys(VIEWS, "number"),
        "signature": "text",
    },
}


def make_frame(
    analysis: ErrorAnalysis, *, of: str = "errors", library: str | None = None
) -> Any:
    """Make a frame of the errors, of the links that are wrong, or of the kinds."""
    # Frames require a library that few users have.
    from corefkit.results import frames

    check_known(of, _SCHEMAS, f"no frame of {of!r}, expected {', '.join(_SCHEMAS)}")
    iter_rows = _iter_kind_rows if of == "kinds" else partial(_iter_error_rows, of=of)
    rows = (row | {"signature": analysis.signature} for row in iter_rows(analysis))
    return frames.make_frame(rows, _SCHEMAS[of], library)


def _iter_error_rows(analysis: ErrorAnalysis, *, of: str) -> Iterator[Row]:
    makers = {
        (number, id): len(shared.ids)
        for shared in analysis.across.errors
        for number, id in shared.ids.items()
    }
    for number, system in enumerate(analysis.systems):
        for document in system.documents:
            text = analysis.texts.get(document.document, NO_TEXT)
            if of == "errors":
                rows = [_convert_error_row(error, text) for error in document.errors]
            else:
                rows = [
                    {"kind": kind, **_convert_link_row(link, text)}
                    for kind, links in document.links.items()
                    for link in links
                ]
            for row in rows:
                yield {
                    "response": system.response,
                    "document": document.document,
                    **row,
                    "made_by": makers.get((number, str(row["id"])), 1),
                }


def _convert_error_row(error: Error, text: DocumentText) -> Row:
    first = error.mentions[0]
    return {
        "kind": error.kind,
        "type": next(iter(error.types), ""),
        "mention": text.format_mention(first),
        **_convert_span(first),
        "mentions": len(error.mentions),
        "entity": text.format_mention(error.entity[0]),
        "entity_size": len(error.entity),
        "id": error.id,
    }


def _convert_link_row(link: LinkError, text: DocumentText) -> Row:
    return {
        **link._asdict(),
        "type": link.types[0],
        "anaphor": text.format_mention(link.anaphor),
        **_convert_span(link.anaphor),
        "antecedent": text.format_mention(link.antecedent),
        "antecedent_type": link.types[1],
        **_convert_span(link.antecedent, "antecedent_"),
    }


def _convert_span(mention: MentionId, prefix: str = "") -> Row:
    if not isinstance(mention, Mention):
        return {}
    return {f"{prefix}start": mention.start, f"{prefix}end": mention.end}


def _iter_kind_rows(analysis: ErrorAnalysis) -> Iterator[Row]:
    for system in analysis.systems:
        for kind, errors in system.counts.items():
            for metric in system.ladder[RESPONSE]:
                yield {
                    "response": system.response,
                    "kind": kind,
                    "errors": errors,
                    "metric": metric,
                    **{view: getattr(system, view)[kind][metric] for view in VIEWS},
                }
