"""Classes of mentions, entities and documents, by which scores are computed.

A class is one row of `CLASSES`; other names are those of document metadata. How classes
are assigned is implemented in `corefkit.analysis.class_counts`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from corefkit.exceptions import SettingsError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

NO_CLASS = "none"
UNKNOWN = "unknown"


class ClassRow(NamedTuple):
    """A way to divide mentions, entities or documents into classes."""

    name: str
    meaning: str  # a phrase
    response: str  # how mentions of the response get their class, as a phrase
    hint: str  # which input has the classes
    values: tuple[str, ...] = ()  # in the order of tables; empty if they are open
    is_of_documents: bool = False


_SHARED = "that of the key mention that it matches"
_BY_KEY = "that of the key document"
_SPANS = "use mentions that are tokens"
_WORDS = "use a format with words"
_OWN = "that of its entity in the response"
_ROWS = (
    ClassRow(
        "kind",
        "pronouns, names, nominals, clauses and zeros",
        f"{_SHARED}, else by the annotation or words of its document",
        "use a format with tags, mention types or words",
        ("pronoun", "name", "nominal", "clause", "zero"),
    ),
    ClassRow(
        "type",
        "entity types",
        f"its own, else {_SHARED}",
        "use a format with entity types, such as CoNLL-U, APF or LitBank",
    ),
    ClassRow(
        "upos",
        "parts of speech of heads",
        f"{_SHARED}, else the tag of its own head",
        "use a format with tags, such as CoNLL-U or CoNLL-2012",
    ),
    ClassRow(
        "size",
        "sizes of entities, in mentions",
        _OWN,
        "",
        ("1", "2", "3-4", "5-9", "10+"),
    ),
    ClassRow(
        "spread",
        "tokens between the first and the last mention of an entity",
        _OWN,
        _SPANS,
        ("0", "1-99", "100-499", "500-1999", "2000+"),
    ),
    ClassRow(
        "distance",
        "tokens to the nearest antecedent",
        "by its own antecedent in the response; without one, `first`",
        _SPANS,
        ("first", "0-9", "10-24", "25-99", "100+"),
    ),
    ClassRow(
        "speaker",
        "speakers of first words",
        f"{_SHARED}, else the speaker in the key of its first word",
        "use a format with speakers, such as CoNLL-2012 or JSON lines",
    ),
    ClassRow(
        "position",
        "quarters of the document",
        f"{_SHARED}, else its own position",
        _WORDS,
        ("0-25%", "25-50%", "50-75%", "75-100%"),
    ),
    ClassRow(
        "length",
        "lengths of documents, in words",
        _BY_KEY,
        _WORDS,
        ("1-499", "500-999", "1000-1999", "2000-4999", "5000+"),
        is_of_documents=True,
    ),
    ClassRow(
        "genre",
        "genres of documents, by their ids or metadata",
        _BY_KEY,
        "use ids such as bn/abc/00/abc_0001, or metadata `# genre = ...` in CoNLL-U",
        is_of_documents=True,
    ),
)
CLASSES: Mapping[str, ClassRow] = {row.name: row for row in _ROWS}
CLASS_SYNTAX = f"{', '.join(CLASSES)}, or the name of document metadata"


def find_class(name: str) -> ClassRow:
    """Return the row of a class; other names are those of document metadata."""
    return CLASSES.get(name) or ClassRow(
        name,
        f"values of the metadata {name!r}",
        _BY_KEY,
        f"use comments `# {name} = ...` of CoNLL-U; other classes are {CLASS_SYNTAX}",
        is_of_documents=True,
    )


def normalize_class(name: str) -> str:
    """Check the name of a class."""
    normalized = name.strip()
    if not normalized.isprintable() or not normalized:
        message = f"found {name!r} for 'by', expected a class"
        raise SettingsError(message, code="settings/unknown-value", hint=CLASS_SYNTAX)
    return normalized


def sort_classes(name: str, values: Iterable[str]) -> list[str]:
    """Sort values of a class as tables show them; the unknown one comes last."""
    order = {value: number for number, value in enumerate(find_class(name).values)}
    return sorted(
        set(values), key=lambda value: (value == UNKNOWN, order.get(value, 0), value)
    )
