"""Error analyses in each format: pages, lists of errors, JSON, CSV, data frames.

In JSON and CSV, mentions are `[first token, last token]`, those with gaps lists of such
spans; mentions that are names stay as they are.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, TypeAlias

from corefkit.analysis.errors.error_tables import (
    KIND_LABELS,
    across_parts,
    counts_errors,
    kind_grids,
    link_parts,
    places_of,
    remarks,
    system_names,
)
from corefkit.exceptions import SettingsError
from corefkit.model import Mention
from corefkit.results.frames import make_frame
from corefkit.results.records import format_csv, format_json
from corefkit.results.score_table import BY_NAME
from corefkit.settings import VERSION
from corefkit.strings import suggest
from corefkit.tables.latex import render_latex
from corefkit.tables.markdown import render_markdown
from corefkit.tables.model import Note, Paragraph, Table, make_columns, make_rows
from corefkit.tables.terminal import label_paths, render_terminal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from corefkit.analysis.errors.error_analysis import (
        Across,
        DocumentErrors,
        DocumentText,
        Error,
        ErrorAnalysis,
        LinkError,
        MentionId,
        Scores,
        SharedErrors,
        SystemErrors,
    )
    from corefkit.analysis.errors.links import Links, Rate
    from corefkit.results.frames import Schema
    from corefkit.results.records import Value
    from corefkit.results.score_table import Order
    from corefkit.tables.model import Part

_AROUND = 4  # words shown before and behind a mention
_LONGEST = 10  # words of a mention that are shown
_MOST = 3  # mentions of an error that are shown


def words_of(text: DocumentText | None) -> DocumentWords:
    """Give the words of a document; those that are not known are none."""
    if text is None:
        return DocumentWords()
    return DocumentWords(text.tokens, text.sentences, text.places)


@dataclass(frozen=True, slots=True)
class DocumentWords:
    """The words of a document, as lists show them.

    Attributes:
        tokens: its tokens; none where they are not known.
        sentences: the first token of each sentence.
        places: where each token stands; none where nobody asked.
    """

    tokens: Sequence[str] = ()
    sentences: Sequence[int] = ()
    places: Sequence[str] = ()

    def of(self, kind: str, mentions: Sequence[MentionId]) -> str:
        """Write the mentions of an error of a kind, the first in its context."""
        mention, *others = mentions
        said = self._in_context(mention)
        if kind == "span" and others:
            return f"{said}, in the key {self._bracketed(others[0])}"
        kept = [self._bracketed(other) for other in others[: _MOST - 1]]
        more = len(others) - len(kept)
        return ", ".join([said, *kept, *([f"{more} more"] * bool(more))])

    def place(self, mention: MentionId) -> str:
        """Say where a mention begins, as well as that is known."""
        if not isinstance(mention, Mention):
            return ""
        if mention.start < len(self.places):
            return self.places[mention.start]
        token = f"token {mention.start}"
        if not len(self.sentences):
            return token
        sentence = bisect_right(self.sentences, mention.start)
        return f"sentence {sentence}, {token}"

    def _in_context(self, mention: MentionId) -> str:
        """Write a mention in brackets among the words of its sentence around it."""
        said = self._bracketed(mention)
        if not isinstance(mention, Mention) or mention.end >= len(self.tokens):
            return said
        first, last = self.sentence(mention)
        before = self.tokens[max(first, mention.start - _AROUND) : mention.start]
        behind = self.tokens[mention.end + 1 : min(last, mention.end + 1 + _AROUND)]
        return " ".join([*before, said, *behind])

    def sentence(self, mention: Mention) -> tuple[int, int]:
        """Give the first token of a mention's sentence, and the one behind its last."""
        here = bisect_right(self.sentences, mention.start) - 1
        first = self.sentences[here] if here >= 0 else 0
        ends = [*self.sentences[here + 1 : here + 2], len(self.tokens)]
        return first, max(ends[0], mention.end + 1)

    def has(self, mention: MentionId) -> bool:
        """Say whether the words of a mention are known."""
        return isinstance(mention, Mention) and mention.end < len(self.tokens)

    def _bracketed(self, mention: MentionId) -> str:
        return f"[{self.said(mention)}]"

    def said(self, mention: MentionId) -> str:
        """Write the words of a mention, the middle of long ones left out."""
        if not isinstance(mention, Mention):
            return str(mention)
        if mention.end >= len(self.tokens):
            return ",".join(f"{start}-{end}" for start, end in mention.parts)
        words: list[str] = []
        for start, end in mention.parts:
            words += [*(["..."] if words else []), *self.tokens[start : end + 1]]
        if len(words) > _LONGEST:
            half = _LONGEST // 2
            words = [*words[:half], "...", *words[-half:]]
        return " ".join(words)


_LINKS = ("recall", "precision")


class Line(NamedTuple):
    """What a list says of an error.

    Attributes:
        response: the name of the response.
        document: the id of the document.
        place: `file:line`, or the sentence and token where that is not known.
        kind: one of the seven kinds, or `recall` or `precision` for a link.
        words: its mentions in brackets, the first among the words around it.
        first: the first mention of the entity; of a link, the antecedent.
        made_by: which of several systems make it.
        id: its id.
    """

    response: str
    document: str
    place: str
    kind: str
    words: str
    first: str
    made_by: str
    id: str


def list_lines(analysis: ErrorAnalysis, kinds: Sequence[str]) -> Iterator[Line]:
    """List the errors of some kinds, by system, document, kind and place."""
    makers = _makers(analysis)
    names = label_paths([system.response for system in analysis.systems])
    for number in places_of(analysis):
        system, name = analysis.systems[number], names[number]
        for document in system.documents:
            words = words_of(analysis.texts.get(document.document))
            for shown in _chosen(document, kinds):
                yield Line(
                    name,
                    document.document,
                    words.place(shown.mentions[0]),
                    shown.kind,
                    words.of(shown.kind, shown.mentions),
                    words.said(shown.first),
                    makers.get((number, shown.id), ""),
                    shown.id,
                )


def list_parts(
    analysis: ErrorAnalysis, kinds: Sequence[str]
) -> Iterator[Note | Paragraph]:
    """Write each error as a line, then how many there are."""
    several = len(analysis.systems) > 1
    lines = [*list_lines(analysis, kinds)]
    for line in lines:
        before = [line.response] * several + [line.place] * bool(line.place)
        start = ": ".join([*before, KIND_LABELS[line.kind].lower()])
        whose = "antecedent" if line.kind in _LINKS else "entity of"
        about = [f"{start}: {line.words}", f'{whose} "{line.first}"', line.made_by]
        yield Note(" | ".join([*filter(None, about), line.id]))
    yield Paragraph(f"{len(lines):,} error{'s' * (len(lines) != 1)}")


def list_grid(analysis: ErrorAnalysis, kinds: Sequence[str]) -> Table:
    """Set the errors of some kinds out, a row each."""
    heads = ["Document", "Place", "Kind", "Words", "Entity", "Id"]
    several = len(analysis.systems) > 1
    heads = ["Response", *heads[:-1], "Made by", heads[-1]] if several else heads
    rows = []
    for line in list_lines(analysis, kinds):
        row = [
            line.document,
            line.place,
            KIND_LABELS[line.kind],
            line.words,
            f'"{line.first}"',
        ]
        rows.append(
            [line.response, *row, line.made_by, line.id] if several else [*row, line.id]
        )
    return Table(make_columns(heads, words=len(heads)), make_rows(rows))


def csv_list(analysis: ErrorAnalysis, kinds: Sequence[str]) -> str:
    """Write a row for each error of some kinds."""
    lines = list_lines(analysis, kinds)
    return format_csv([Line._fields, *lines])


class _Shown(NamedTuple):
    """What of an error is listed, or of a link."""

    kind: str
    id: str
    mentions: tuple[MentionId, ...]
    first: MentionId  # of its entity; of a link, the antecedent


def _chosen(document: DocumentErrors, kinds: Sequence[str]) -> Iterator[_Shown]:
    for error in document.errors:
        if error.kind in kinds:
            yield _Shown(error.kind, error.id, error.mentions, error.entity[0])
    sides = document.recall_links, document.precision_links
    for kind, links in zip(_LINKS, sides, strict=True):
        if kind in kinds:
            for link in links:
                yield _Shown(kind, link.id, (link.anaphor,), link.antecedent)


def _makers(analysis: ErrorAnalysis) -> dict[tuple[int, str], str]:
    """Say of each error of several systems which of them make it."""
    if len(analysis.systems) == 1:
        return {}
    names = label_paths([system.response for system in analysis.systems])
    makers: dict[tuple[int, str], str] = {}
    for one in analysis.across.errors:
        several = ", ".join(names[number] for number in sorted(one.ids))
        who = f"only {several}" if len(one.ids) == 1 else several
        if len(one.ids) == len(names):
            who = "both" if len(names) == 2 else f"all {len(names)}"
        makers |= {(number, id): who for number, id in one.ids.items()}
    return makers


VIEWS = ("ladder", "alone", "all_but")
_LEVELS = 6  # down to the errors of a document of a system
_HEAD = ("response", "view", "document", "name", "class")
_NUMBERS = ("value", "edges", "rate", "signature")


def json_errors(analysis: ErrorAnalysis) -> str:
    """Write the JSON of an analysis; each error has a line."""
    return format_json(json_values(analysis), levels=_LEVELS)


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
    return format_csv(rows)


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


if TYPE_CHECKING:
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
_LINK_SCHEMA: Schema = {
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
        "links": (_link_rows, _LINK_SCHEMA),
        "kinds": (_kind_rows, _KINDS),
    }
    if of not in tables:
        message = f"no frame of {of!r}, expected {', '.join(tables)}"
        raise SettingsError(
            message, code="settings/unknown-value", hint=suggest(of, tables)
        )
    rows, schema = tables[of]
    signature: Row = {"signature": analysis.signature}
    return make_frame((row | signature for row in rows(analysis)), schema, library)


def _error_rows(analysis: ErrorAnalysis) -> Iterator[Row]:
    makers = _count_makers(analysis)
    for number, system, document, words in _documents(analysis):
        for error in document.errors:
            yield {
                "response": system.response,
                "document": document.document,
                **_error_row(error, words),
                "made_by": makers.get((number, error.id), 1),
            }


def _error_row(error: Error, words: DocumentWords) -> Row:
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
    makers = _count_makers(analysis)
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
                    **_link_row(link, words),
                    "made_by": makers.get((number, link.id), 1),
                }


def _link_row(link: LinkError, words: DocumentWords) -> Row:
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


def _count_makers(analysis: ErrorAnalysis) -> dict[tuple[int, str], int]:
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


DEFAULT_METRICS = ("lea", "conll")  # what tables show where others are computed too


class ErrorWriter(Protocol):
    """Writes an analysis as text."""

    def __call__(
        self,
        analysis: ErrorAnalysis,
        /,
        *,
        links: bool = ...,
        listed: Sequence[str] = ...,
        metrics: Sequence[str] | None = ...,
        per_document: bool = ...,
    ) -> str:
        """Write the errors.

        Args:
            analysis: the errors.
            links: whether to show the tables of links too.
            listed: kinds of errors to list in place of the tables, one error a line.
            metrics: whose F1 tables show; LEA and CoNLL, or all that were computed
                where neither was.
            per_document: whether to show every document too.
        """
        ...


def errors_as(
    write: Callable[[Iterable[Part]], str], *, by_line: bool = False
) -> ErrorWriter:
    """Make a writer of analyses from a writer of pages.

    Lists are grids, or where errors go by line, lines.
    """

    def write_errors(
        analysis: ErrorAnalysis,
        *,
        links: bool = False,
        listed: Sequence[str] = (),
        metrics: Sequence[str] | None = None,
        per_document: bool = False,
    ) -> str:
        if listed:
            parts: list[Part] = []
            if by_line:
                parts += list_parts(analysis, listed)
            else:
                parts.append(list_grid(analysis, listed))
            return write([*parts, *remarks(analysis, metrics=(), kinds=listed)])
        page = error_page(
            analysis, links=links, metrics=metrics, per_document=per_document
        )
        return write(page)

    return write_errors


def error_page(
    analysis: ErrorAnalysis,
    *,
    links: bool = False,
    metrics: Sequence[str] | None = None,
    per_document: bool = False,
) -> list[Part]:
    """Set an analysis out in grids, and say what they are."""
    places, given = places_of(analysis), system_names(analysis)
    systems = [analysis.systems[place] for place in places]
    names = [given[place] for place in places]
    documents: list[Part] = []
    if per_document and systems:
        # Imported here because few errors are shown by document.
        from corefkit.analysis.errors.error_tables import document_grid
        from corefkit.results.score_table import number_names

        names = number_names(names)
        documents.append(document_grid(systems, names, analysis.order))
    shown = _with_order(
        shown_metrics(analysis) if metrics is None else metrics, analysis.order
    )
    parts: list[Part] = [*kind_grids(systems, names, shown), *documents]
    if len(names) > 1:
        parts += across_parts(analysis.across, names, places)
    if links:
        parts += link_parts(systems, names)
    return [*parts, *remarks(analysis, metrics=shown)]


def _with_order(metrics: Sequence[str], order: Order | None) -> list[str]:
    """Add the metric that systems are sorted by, so that it can be seen."""
    if order is None or order.metric == BY_NAME or counts_errors(order.metric):
        return [*metrics]
    return [*dict.fromkeys([*metrics, order.metric])]


def shown_metrics(analysis: ErrorAnalysis) -> list[str]:
    """Choose the metrics that tables show: LEA and CoNLL, or else all there are."""
    ladders = [system.ladder for system in analysis.systems]
    computed = [*ladders[0]["response"]] if ladders else []
    return [name for name in DEFAULT_METRICS if name in computed] or computed


def _json(
    analysis: ErrorAnalysis,
    *,
    links: bool = False,
    listed: Sequence[str] = (),
    metrics: Sequence[str] | None = None,
    per_document: bool = False,
) -> str:
    del links, listed, metrics, per_document  # programs get everything
    return json_errors(analysis)


def _csv(
    analysis: ErrorAnalysis,
    *,
    links: bool = False,
    listed: Sequence[str] = (),
    metrics: Sequence[str] | None = None,
    per_document: bool = False,
) -> str:
    del links, metrics, per_document  # programs get everything
    return csv_list(analysis, listed) if listed else csv_errors(analysis)


ERROR_WRITERS: Mapping[str, ErrorWriter] = {
    "table": errors_as(render_terminal, by_line=True),
    "json": _json,
    "csv": _csv,
    "markdown": errors_as(render_markdown),
    "latex": errors_as(render_latex),
}
