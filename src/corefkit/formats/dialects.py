"""Dialects of JSON: how resolvers and data sets write a document with its entities.

A dialect is a row of `DIALECTS`. A record has a dialect if it has its fields; which
numbers it contains does not matter. `docs/formats/json.md` lists the rows.

Spans are converted to the first and last token, counted from 0 in the document. A text
without tokens is split into those of running text, and also where mentions begin and
end, so that characters are converted exactly. If a record repeats the words of its
mentions, they must be those of the text.
"""

from __future__ import annotations

from itertools import accumulate, chain, groupby, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from corefkit.exceptions import FormatError, quoted
from corefkit.formats import problems as kinds
from corefkit.model import Document, Entity, Mention

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from corefkit.formats.problems import ProblemKind

    Record: TypeAlias = Mapping[str, Any]
    Sentences: TypeAlias = list[list[str]]
    Clusters: TypeAlias = list[list[list[int]]]
    # Message, hint and kind of a problem.
    Fault: TypeAlias = tuple[str, str | None, ProblemKind]

TOKENS, SENTENCE_TOKENS, CHARACTERS = "tokens", "tokens of a sentence", "characters"
INCLUSIVE, EXCLUSIVE = "inclusive", "exclusive"
PREDICTED = "predicted_clusters"
_MAX_TOKENS = 1 << 40  # no document has that many
_MAX_FIELDS = 12  # in a message


def _make_error(
    message: str, hint: str | None = None, kind: ProblemKind = kinds.INVALID_RECORD
) -> FormatError:
    return FormatError(message, code=kind.code, hint=hint)


class Groups(NamedTuple):
    """The entities of a record as it lists them."""

    clusters: object
    texts: object = None  # the words of each mention, in the same order
    names: Sequence[str] | None = None  # the ids of entities; None for their numbers


class JsonRecord(NamedTuple):
    """A record after validation."""

    id: str | None
    sentences: Sentences | None
    clusters: Clusters
    names: Sequence[str] | None = None
    is_running: bool = False  # whether the tokens are those of running text

    @property
    def token_count(self) -> int:
        """The number of tokens; -1 if it is unknown."""
        return -1 if self.sentences is None else sum(map(len, self.sentences))

    def get_name(self, number: int) -> str:
        return str(number) if self.names is None else self.names[number]

    def build_document(self, default_id: str) -> Document:
        entities = [
            Entity(
                self.get_name(number),
                tuple(Mention(first, last) for first, last in cluster),
            )
            for number, cluster in enumerate(self.clusters)
            if cluster
        ]
        return Document(
            default_id if self.id is None else self.id,
            tuple(map(tuple, self.sentences or ())),
            tuple(entities),
            origin="running" if self.is_running else "",
        )


# The table.


class Dialect(NamedTuple):
    """A dialect: its fields, and the meaning of the numbers in its spans."""

    name: str
    text: tuple[str, ...]  # fields with the words or text; a record has one
    key: tuple[str, ...]  # fields with the entities of a key; the first that it has
    unit: str = TOKENS
    end: str = INCLUSIVE
    required: tuple[str, ...] = ()  # further fields
    response: tuple[str, ...] = ()  # the fields with the entities of a response
    first: int = 0  # the number of the first token or sentence
    ids: tuple[str, ...] = ("doc_key", "doc_id", "document_id", "docId", "id")

    @property
    def hint(self) -> str:
        unit = "character" if self.unit == CHARACTERS else "token"
        last = f"last {unit}" if self.end == INCLUSIVE else f"{unit} after the last"
        place = "sentence" if self.unit == SENTENCE_TOKENS else "document"
        span = f"first {unit}, {last}] in its {place}, counted from {self.first}"
        return f"a mention is [{'' if place == 'document' else 'sentence, '}{span}"

    @property
    def description(self) -> str:
        entities = " or ".join(dict.fromkeys(self.key + self.response))
        return " + ".join([" or ".join(self.text), entities, *self.required])

    def find_entities(self, data: Record, *, response: bool) -> str | None:
        """Find the field with the entities of a key or response."""
        fields = self.response if response and self.response else self.key
        return next((name for name in fields if name in data), None)

    def fits(self, data: Record, *, response: bool) -> bool:
        """Return whether a record has the fields of this dialect."""
        if self.find_entities(data, response=response) is None:
            return False
        has_text = any(name in data for name in self.text)
        if self is E2E and not has_text:  # its words may be missing
            has_text = _TEXTS.isdisjoint(data) and not set(self.ids).isdisjoint(data)
        return has_text and all(name in data for name in self.required)


_CLUSTERS, _WL_FIELDS = ("clusters",), ("clusters", "span_clusters")
E2E = Dialect(
    "e2e", ("sentences", "tokens"), _CLUSTERS, response=(PREDICTED, "clusters")
)
_ROWS = (
    E2E,
    Dialect("maverick", ("tokens",), ("clusters_token_offsets",)),
    Dialect("fastcoref", ("text",), _CLUSTERS, CHARACTERS, EXCLUSIVE),
    Dialect(
        "wl-coref",
        ("cased_words",),
        _WL_FIELDS,
        TOKENS,
        EXCLUSIVE,
        (),
        _WL_FIELDS[::-1],
    ),
    Dialect("allennlp", ("document",), _CLUSTERS),
    Dialect("preco", ("sentences",), ("mention_clusters",), SENTENCE_TOKENS, EXCLUSIVE),
    Dialect(
        "corenlp", ("sentences",), ("corefs",), SENTENCE_TOKENS, EXCLUSIVE, first=1
    ),
    Dialect("doccano", ("text",), ("entities",), CHARACTERS, EXCLUSIVE, ("relations",)),
    Dialect(
        "label-studio", ("data",), ("annotations", "completions"), CHARACTERS, EXCLUSIVE
    ),
    Dialect(
        "wec",
        ("mention_context",),
        ("tokens_number",),
        required=("coref_chain",),
        ids=("mention_id",),
    ),
)
DIALECTS: Mapping[str, Dialect] = {row.name: row for row in _ROWS}
_TEXTS = frozenset(chain.from_iterable(row.text for row in _ROWS))
_REPEATED_WORDS = ("clusters_strings", "clusters_token_text", "clusters_text_mentions")
FIELDS = frozenset(
    chain.from_iterable(
        (*row.text, *row.key, *row.response, *row.required, *row.ids) for row in _ROWS
    )
) | {"sent_id", "part_id", "tokens_str", *_REPEATED_WORDS}
"""All fields that are read."""


def list_fitting(data: Record, *, response: bool) -> list[Dialect]:
    """List the dialects whose fields a record has."""
    rows = [row for row in _ROWS if row.fits(data, response=response)]
    if response and PREDICTED in data:  # the other entities are those of the key
        return [row for row in rows if row is E2E]
    return rows


def choose_dialect(
    data: Record, *, response: bool, named: Dialect | None = None
) -> Dialect:
    """Return the one dialect whose fields a record has, or of several the named one."""
    rows = list_fitting(data, response=response)
    if named in rows or (named and not rows):
        return named
    if len(rows) == 1:
        return rows[0]
    if len(rows) > 1:
        message = f"the fields are those of {' and of '.join(row.name for row in rows)}"
        hint = f"choose one: {' or '.join(f'--from {row.name}' for row in rows)}"
        raise _make_error(message, hint, kinds.AMBIGUOUS_DIALECT)
    if "doc_key" in data:
        return E2E  # and its entities are missing
    names = ", ".join(map(quoted, list(data)[:_MAX_FIELDS]))
    message = f"no known dialect has the fields {names or 'of an empty object'}"
    known = "; ".join(f"{row.name}: {row.description}" for row in _ROWS)
    raise _make_error(message, f"known are {known}", kinds.UNKNOWN_DIALECT)


# Records.


def read_record(
    data: Record,
    faults: list[Fault],
    *,
    response: bool,
    dialect: Dialect | None = None,
    lenient: bool = False,
) -> JsonRecord:
    """Read a record; invalid spans are added to the faults.

    With `lenient`, spans beyond the text are read too, because their tokens may be
    counted in another way, and invalid words are ignored.
    """
    dialect = choose_dialect(data, response=response, named=dialect)
    record_id = read_id(data, dialect)
    field = dialect.find_entities(data, response=response)
    fields = [name for name in dialect.text if data.get(name) is not None]
    missing = [name for name in dialect.required if name not in data]
    missing += [] if fields or dialect is E2E else dialect.text[:1]
    if field is None or missing:
        label = "" if record_id is None else f" in document {quoted(record_id)}"
        message = f"{[*missing, *dialect.key][0]!r} is missing{label}"
        raise _make_error(message, f"expected {dialect.description}")
    text: str | Sentences | None = None
    try:
        texts = [_read_text(data, name, dialect) for name in fields]
        text = texts[0] if texts else None
        if texts[1:] and len({"\0".join(chain(*words)) for words in texts}) > 1:
            message = f"{' and '.join(map(repr, fields))} have different words"
            raise _make_error(message, "remove one of the two")
    except FormatError:
        if not lenient:
            raise
    if isinstance(text, list) and dialect.unit == CHARACTERS:
        dialect = dialect._replace(unit=TOKENS)
    groups = _LISTERS.get(field, _list_clusters)(data, field)
    clusters = _convert_clusters(dialect, field, groups, text, faults, lenient=lenient)
    if text is not None and not (faults or lenient):
        faults += _check_words(text, groups, clusters, dialect.hint)
    if isinstance(text, str):
        sentences, clusters = _split_text(text, clusters)
        return JsonRecord(record_id, sentences, clusters, groups.names, True)
    return JsonRecord(record_id, text, clusters, groups.names)


def read_id(data: Record, dialect: Dialect) -> str | None:
    """Return the id of a record; None if it has none."""
    for name in dialect.ids:
        value = data.get(name)
        if type(value) is int and name == "mention_id":
            return str(value)
        if value is None or (type(value) is int and name == "id"):
            continue  # a number is that of a row in a data base
        if not isinstance(value, str):
            message = f"{name!r} is not a string"
            raise _make_error(message, f"expected {dialect.description}")
        part = data.get("part_id")
        # The parts of a text are documents, as in CoNLL-2012.
        has_part = "cased_words" in dialect.text and type(part) is int
        return f"({value}); part {part:03}" if has_part else value
    return None


# Words: a list of sentences, or a text.


def _read_text(data: Record, field: str, dialect: Dialect) -> str | Sentences:
    value = data[field]
    if dialect.unit == CHARACTERS:
        if field == "data" and isinstance(value, dict):
            value = value.get("text")
        if isinstance(value, str):
            return value
    if field == "sentences":
        if dialect.name == "corenlp":
            value = _get_words(value)
        if isinstance(value, list) and all(map(_are_words, value)):
            return value
        message = f"{field!r} is not a list of lists of words"
    elif _are_words(value) and field != "data":
        numbers = data.get("sent_id") if field == "cased_words" else None
        if numbers is None:
            return [value]
        if isinstance(numbers, list) and len(numbers) == len(value):
            pairs = groupby(zip(numbers, value, strict=True), lambda pair: pair[0])
            return [[word for _, word in group] for _, group in pairs]
        message = f"'sent_id' is not a list of {len(value)} numbers, one for each word"
    else:
        kind = "text" if dialect.unit == CHARACTERS else "list of words"
        message = f"{field!r} is not a {kind}"
    raise _make_error(message, f"expected {dialect.description}")


def _are_words(value: object) -> bool:
    return isinstance(value, list) and {*map(type, value)} <= {str}


def _get_words(sentences: Any) -> object:
    try:
        return [[token["word"] for token in row["tokens"]] for row in sentences]
    except (TypeError, KeyError):
        return None


# Entities: groups of mentions.


def _list_clusters(data: Record, field: str) -> Groups:
    texts = next((data[name] for name in _REPEATED_WORDS if name in data), None)
    return Groups(data[field], texts)


def _list_mention(data: Record, field: str) -> Groups:
    tokens, entity = data[field], data["coref_chain"]
    are_numbers = isinstance(tokens, list) and {*map(type, tokens)} == {int}
    if not are_numbers or any(last != first + 1 for first, last in pairwise(tokens)):
        message = f"{field!r} is not a list of adjacent tokens"
        raise _make_error(message)
    if type(entity) not in (int, str):
        message = "'coref_chain' is not an id"
        raise _make_error(message)
    span = [tokens[0], tokens[-1]]
    return Groups([[span]], [[data.get("tokens_str")]], [str(entity)])


def _list_chains(data: Record, field: str) -> Groups:
    chains, names = data[field], ("sentNum", "startIndex", "endIndex")
    try:
        groups = list(chains.values())
        spans = [[[row[name] for name in names] for row in group] for group in groups]
        texts = [[row.get("text") for row in group] for group in groups]
    except (AttributeError, TypeError, KeyError) as error:
        message = f"{field!r} does not map ids to mentions with {', '.join(names)}"
        raise _make_error(message) from error
    return Groups(spans, texts, list(chains))


def _list_linked(data: Record, field: str) -> Groups:
    """List the entities of doccano."""
    rows, relations = data[field], data["relations"]
    try:
        mentions = [
            (row["id"], [row["start_offset"], row["end_offset"]], None) for row in rows
        ]
        links = [([row["type"]], (row["from_id"], row["to_id"])) for row in relations]
        return _link(mentions, links)
    except (TypeError, KeyError) as error:
        message = f"{field!r} or 'relations' lack ids, offsets or types"
        raise _make_error(message) from error


def _list_results(data: Record, field: str) -> Groups:
    """List the entities of Label Studio."""
    annotations = data[field]
    if not isinstance(annotations, list) or len(annotations) != 1:
        message = f"{field!r} is not a list of one annotation"
        raise _make_error(message, "export one annotation of each task")
    try:
        rows = annotations[0]["result"]
        mentions = [
            (row["id"], [value["start"], value["end"]], value.get("text"))
            for row in rows
            if "start" in (value := row.get("value", {}))
        ]
        links = [
            (row.get("labels") or [], (row["from_id"], row["to_id"]))
            for row in rows
            if row["type"] == "relation"
        ]
        if not any(names for names, _ in links):  # the project does not name them
            links = [(["coref"], ends) for _, ends in links]
        return _link(mentions, links)
    except (TypeError, KeyError, AttributeError) as error:
        message = f"{field!r} has no 'result' with regions of text, and relations"
        raise _make_error(message) from error


def _link(
    rows: Sequence[tuple[Any, list[Any], object]],
    links: Sequence[tuple[Sequence[str], tuple[Any, Any]]],
) -> Groups:
    """Group mentions, by id, with links whose names mean coreference."""
    from corefkit.formats.brat import is_coreference_name
    from corefkit.formats.source import group_linked

    mentions = {name: (span, text) for name, span, text in rows}
    if len(mentions) < len(rows):
        message = "two mentions have the same id"
        raise _make_error(message, kind=kinds.REPEATED_ID)
    kept = [ends for names, ends in links if any(map(is_coreference_name, names))]
    if links and not kept:
        message = "no relation means coreference"
        raise _make_error(message, "rename the relations to 'coref'")
    unknown = [end for end in chain.from_iterable(kept) if end not in mentions]
    if unknown:
        message = f"a relation refers to {unknown[0]!r}, which does not exist"
        raise _make_error(message, kind=kinds.UNKNOWN_ID)
    groups = group_linked(mentions, kept)
    return Groups(
        [[mentions[name][0] for name in group] for group in groups],
        [[mentions[name][1] for name in group] for group in groups],
    )


_LISTERS: Mapping[str, Callable[[Record, str], Groups]] = {
    "tokens_number": _list_mention,
    "corefs": _list_chains,
    "entities": _list_linked,
    "annotations": _list_results,
    "completions": _list_results,
}


# Spans.


def _convert_clusters(
    dialect: Dialect,
    field: str,
    groups: Groups,
    text: str | Sentences | None,
    faults: list[Fault],
    *,
    lenient: bool,
) -> Clusters:
    """Convert the spans of each entity to the first and last token or character."""
    if not isinstance(groups.clusters, list):
        message = f"{field!r} is not a list"
        raise _make_error(message)
    sizes = [_MAX_TOKENS]  # of each text in which tokens or characters are counted
    if isinstance(text, str):
        sizes = [len(text)]
    elif text is not None and dialect.unit == SENTENCE_TOKENS:
        sizes = list(map(len, text))
    elif text is not None and not lenient:
        sizes = [sum(map(len, text))]
    starts = list(accumulate(sizes, initial=0))
    has_final_spans = (dialect.unit, dialect.end) == (TOKENS, INCLUSIVE)
    clusters: Clusters = []
    for number, cluster in enumerate(groups.clusters):
        spans: list[list[int]] = []
        clusters.append(spans)
        if not isinstance(cluster, list):
            message = f"entity {number} of {field!r} is not a list"
            faults.append((message, dialect.hint, kinds.INVALID_RECORD))
            continue
        if has_final_spans and _are_spans(cluster, sizes[0]):
            clusters[-1] = cluster
            continue
        for span in cluster:
            converted = _convert_span(span, dialect, sizes, starts)
            if isinstance(converted, str):
                message = f"{span!r} in entity {number} {converted}"
                faults.append((message, dialect.hint, kinds.INVALID_SPAN))
            else:
                spans.append(converted)
    return clusters


def _are_spans(cluster: list[Any], size: int) -> bool:
    """Return whether spans are valid and need no conversion, as most of them."""
    try:
        return all(
            [
                type(span) is list and type(i) is type(j) is int and 0 <= i <= j < size
                for span in cluster
                for i, j in (span,)
            ]
        )
    except (TypeError, ValueError):
        return False


def _convert_span(
    span: object, dialect: Dialect, sizes: Sequence[int], starts: Sequence[int]
) -> list[int] | str:
    """Return the first and last token or character, or why the span is invalid."""
    length = 3 if dialect.unit == SENTENCE_TOKENS else 2
    # True and False are integers in Python too.
    if type(span) is not list or len(span) != length:
        return "is not a span"
    *sentence, start, end = span
    if not (type(start) is type(end) is int and {*map(type, sentence)} <= {int}):
        return "is not a span"
    number = sentence[0] - dialect.first if sentence else 0
    if not 0 <= number < len(sizes):
        return f"is in a sentence that does not exist: the text has {len(sizes)}"
    start, last = start - dialect.first, end - dialect.first
    last -= dialect.end == EXCLUSIVE
    if not 0 <= start <= last:
        return "ends before it starts"
    if last >= sizes[number]:
        unit = "characters" if dialect.unit == CHARACTERS else "tokens"
        owner = "sentence" if sentence else "document"
        is_known = sizes[number] < _MAX_TOKENS
        extent = f"the {owner}'s {sizes[number]} {unit}" if is_known else "any text"
        return f"goes beyond {extent}"
    return [starts[number] + start, starts[number] + last]


def _check_words(
    text: str | Sentences, groups: Groups, clusters: Clusters, hint: str
) -> Iterator[Fault]:
    """Find mentions of a text without words, or with others than the record says."""
    if not (isinstance(text, str) or groups.texts):
        return
    pieces = text if isinstance(text, str) else list(chain.from_iterable(text))
    texts = groups.texts if isinstance(groups.texts, list) else []
    for number, cluster in enumerate(clusters):
        expected = texts[number] if len(texts) == len(clusters) else None
        if not isinstance(expected, list) or len(expected) != len(cluster):
            expected = [None] * len(cluster)  # fastcoref omits some of them
        for (start, last), words in zip(cluster, expected, strict=True):
            covered = "".join("".join(pieces[start : last + 1]).split())
            label = f"{[start, last]} in entity {number}"
            if not covered and isinstance(text, str):
                yield f"{label} covers no word", hint, kinds.INVALID_SPAN
            elif isinstance(words, str) and "".join(words.split()) != covered:
                message = f"{label} is {quoted(words)}, but the text has "
                yield message + quoted(covered), hint, kinds.DIFFERENT_TEXT


def _split_text(text: str, clusters: Clusters) -> tuple[Sentences, Clusters]:
    """Split a text into tokens so that mentions, of characters, consist of them."""
    from corefkit.formats.plaintext import PlainText

    spans = chain.from_iterable(clusters)
    plain = PlainText(
        text, chain.from_iterable((start, last + 1) for start, last in spans)
    )
    rows = [
        [plain.list_tokens(start, last + 1) for start, last in cluster]
        for cluster in clusters
    ]
    spans_by_row = [
        [[tokens[0], tokens[-1]] for tokens in row if tokens] for row in rows
    ]
    return list(map(list, plain.sentences)), spans_by_row
