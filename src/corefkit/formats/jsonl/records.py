"""A line of JSON lines, or an object like it in memory: checked, made a document."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, Protocol

from corefkit.exceptions import FormatError, quoted
from corefkit.formats.faults import SAVE_AS_UTF8
from corefkit.formats.kinds import MALFORMED, NOT_UTF8
from corefkit.model import Document, Entity, Mention

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from corefkit.formats.kinds import Kind

_FAR = 1 << 40  # no document has that many tokens
_READ = ("doc_key", "sentences", "clusters", "predicted_clusters")
_SHAPE = "expected one JSON object per line with 'doc_key', 'sentences' and 'clusters'"


class Tell(Protocol):
    """Reports what is wrong with a line."""

    def __call__(self, message: str, hint: str, *, kind: Kind = MALFORMED) -> None:
        """Report it by message, hint and kind."""


class Record(NamedTuple):
    """A document of the file, checked."""

    id: str
    sentences: list[list[str]] | None
    clusters: list[list[list[int]]]

    @property
    def token_count(self) -> int:
        """How many tokens the document has; -1 where that is unknown."""
        return -1 if self.sentences is None else sum(map(len, self.sentences))

    def document(self) -> Document:
        """Return the document as an object."""
        sentences = tuple(tuple(words) for words in self.sentences or ())
        entities = [
            Entity(str(name), tuple(Mention(span[0], span[1]) for span in cluster))
            for name, cluster in enumerate(self.clusters)
            if cluster
        ]
        return Document(self.id, sentences, tuple(entities))


def object_document(value: Mapping[Any, Any], role: str) -> Document:
    """Read an object in memory as the document of the line that it stands for.

    >>> object_document({"doc_key": "d", "clusters": [[(0, 1)]]}, "key").id
    'd'
    """
    read = {name: value[name] for name in _READ if name in value}

    def refuse(message: str, hint: str, *, kind: Kind = MALFORMED) -> NoReturn:
        del kind  # all are errors
        raise FormatError(message, place=role, hint=hint)

    try:
        line = json.dumps(read, default=_listed).encode()
    except (TypeError, ValueError, RecursionError) as error:
        message = f"a document of JSON lines is not JSON: {error}"
        raise FormatError(message, place=role, hint=_SHAPE) from error
    record = read_record(line, refuse, response=role == "response")
    assert record is not None, "what is wrong with it is raised"
    return record.document()


def _listed(value: Any) -> Any:
    if hasattr(value, "tolist"):
        return value.tolist()
    message = f"found a {type(value).__name__}"
    raise TypeError(message)


def read_record(line: bytes, tell: Tell, *, response: bool) -> Record | None:
    """Read a line; report what is wrong with it by message and hint."""
    data = _object(line, tell)
    if data is None:
        return None
    name = data.get("doc_key")
    if not isinstance(name, str):
        tell("'doc_key' is missing or not a string", _SHAPE)
        return None
    predicted = response and "predicted_clusters" in data
    field = "predicted_clusters" if predicted else "clusters"
    if field not in data:
        tell(f"'clusters' is missing in document {quoted(name)}", _SHAPE)
        return None
    sentences = data.get("sentences")
    if sentences is not None and not _are_sentences(sentences):
        tell("'sentences' is not a list of lists of words", _SHAPE)
        return None
    record = Record(name, sentences, data[field])
    faults = list(_span_faults(field, data[field], record.token_count))
    for message, hint in faults:
        tell(message, hint)
    return None if faults else record


def mended_record(line: bytes, *, response: bool) -> Record | None:
    """Read a line without the spans that are none; None where it is no document.

    Spans beyond the text stay: they may be counted otherwise.

    >>> line = b'{"doc_key": "d", "sentences": [["a"]], "clusters": [[[0, 1], [2]]]}'
    >>> mended_record(line, response=False).clusters
    [[[0, 1]]]
    """

    def forgive(message: str, hint: str, *, kind: Kind = MALFORMED) -> None:
        del message, hint, kind

    data = _object(line, forgive)
    if data is None or not isinstance(data.get("doc_key"), str):
        return None
    predicted = response and "predicted_clusters" in data
    clusters = data.get("predicted_clusters" if predicted else "clusters")
    sentences = data.get("sentences")
    spans = [
        [span for span in cluster if _is_span(span) and 0 <= span[0] <= span[1] < _FAR]
        for cluster in (clusters if isinstance(clusters, list) else ())
        if isinstance(cluster, list)
    ]
    known = sentences is not None and _are_sentences(sentences)
    return Record(data["doc_key"], sentences if known else None, spans)


def _object(line: bytes, tell: Tell) -> dict[str, Any] | None:
    try:
        data = json.loads(line)
    except UnicodeDecodeError as error:
        tell(
            f"byte {error.start + 1} of the line is not UTF-8",
            SAVE_AS_UTF8,
            kind=NOT_UTF8,
        )
        return None
    except (ValueError, RecursionError) as error:
        tell(f"not JSON: {error}", _SHAPE)
        return None
    if not isinstance(data, dict):
        tell(f"found a JSON {type(data).__name__}, expected an object", _SHAPE)
        return None
    return data


def _are_sentences(sentences: object) -> bool:
    return isinstance(sentences, list) and all(
        isinstance(words, list) and all(isinstance(word, str) for word in words)
        for words in sentences
    )


def _span_faults(
    field: str, clusters: object, token_count: int
) -> Iterator[tuple[str, str]]:
    hint = "a mention is [first token, last token], counted from 0 in the document"
    known = token_count >= 0
    if not isinstance(clusters, list):
        yield f"{field!r} is not a list", _SHAPE
        return
    for number, cluster in enumerate(clusters):
        if not isinstance(cluster, list):
            yield f"entity {number} of {field!r} is not a list", hint
            continue
        for span in cluster:
            if not _is_span(span):
                yield f"{span!r} in entity {number} is not a span", hint
            elif not 0 <= span[0] <= span[1]:
                yield f"{span!r} in entity {number} ends before it starts", hint
            elif span[1] >= (token_count if known else _FAR):
                most = f"the document's {token_count} tokens" if known else "any text"
                yield f"{span!r} in entity {number} goes beyond {most}", hint


def _is_span(span: object) -> bool:
    # A JSON true is a Python int too; only whole numbers are tokens.
    return (
        type(span) is list
        and len(span) == 2
        and type(span[0]) is int
        and type(span[1]) is int
    )
