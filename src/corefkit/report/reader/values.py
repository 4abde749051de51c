"""What the reader of a page shows: documents, their mentions on each side, errors.

All sides of a document share one list of spans, sorted by first token, last token, then
parts. A span stands there twice where one side has two mentions with the same tokens of
the key's text, as tokens cut otherwise and empty nodes can have. A side says of each
span which of its entities it is a mention of, 0 for none. Entities of a side are
numbered from 1 in the order of their first mentions.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# The parts of a span, first and last token of each; one part unless it has gaps.
Parts: TypeAlias = tuple[tuple[int, int], ...]

NO_TWIN = -1


class ShownError(NamedTuple):
    """One error of the seven kinds.

    Attributes:
        kind: its kind, as in `Error`.
        spans: the numbers of the spans that it is about; of a span error, the
            response's first and then the key's.
        entity: the number of its entity: of the response for conflated and extra ones,
            of the key for the others.
        type: the type of its first mention; empty where it is not known.
        made_by: how many of the systems make it.
    """

    kind: str
    spans: tuple[int, ...]
    entity: int
    type: str = ""
    made_by: int = 1


class ShownLink(NamedTuple):
    """One link that the other side does not have; the fields are those of `LinkError`.

    Attributes:
        kind: `recall` or `precision`.
        anaphor: the number of its span.
        antecedent: likewise.
        type: the type of the anaphor; empty where it is not known.
        distance: in sentences, or in tokens where there are none; None if not known.
        entity_size: how many mentions their entity has.
        cause: `anaphor`, `antecedent` or `link`.
        made_by: how many of the systems make it.
    """

    kind: str
    anaphor: int
    antecedent: int
    type: str = ""
    distance: int | None = None
    entity_size: int = 0
    cause: str = ""
    made_by: int = 1


@dataclass(frozen=True, slots=True)
class ShownResponse:
    """One system's side of a document.

    Attributes:
        entities: for each span of the document the entity it is in, 0 for none.
        twins: of spans that are matched with a key mention of other tokens, the number
            of that span; of spans that the key has too, but that are matched with none
            of its mentions, `NO_TWIN`. Heads can differ, for instance.
        errors: by kind, then by place.
        links: the links that are missing, then those that are wrong.
        is_missing: whether the response lacks the document.
        scores: F1 of each metric of the reader, between 0 and 1; None where undefined.
    """

    entities: Sequence[int]
    twins: Mapping[int, int] = field(default_factory=dict)
    errors: Sequence[ShownError] = ()
    links: Sequence[ShownLink] = ()
    is_missing: bool = False
    scores: Sequence[float | None] = ()


@dataclass(frozen=True, slots=True)
class ShownDocument:
    """One document.

    Attributes:
        id: its id.
        sentences: its tokens, empty nodes among them. Where words are not known, what
            stands for each token: its number, or the name of a mention. Of long texts
            without words only some tokens are there: those at the ends of mentions.
        spans: the spans of all mentions of all sides.
        key: for each span the key's entity, 0 for none. A page of one side, such as
            what a resolver found, has it here.
        responses: one for each system.
        empty: the tokens that are empty nodes.
        has_words: whether `sentences` are words.
        is_named: whether mentions are names, which ids of errors then have.
    """

    id: str
    sentences: Sequence[Sequence[str]]
    spans: Sequence[Parts]
    key: Sequence[int]
    responses: Sequence[ShownResponse] = ()
    empty: Sequence[int] = ()
    has_words: bool = True
    is_named: bool = False


@dataclass(frozen=True, slots=True)
class Reader:
    """A part of a page: documents to read, one at a time. Only HTML shows it.

    Attributes:
        key: what the key's side is called, as in `key` or `entities`.
        systems: what the systems are called, in the order of `responses`.
        documents: the documents, in the order of the key.
        metrics: the labels of the metrics whose scores documents have.
        has_errors: whether errors were looked for; without, a page does not speak of
            them, and opens the first document.
    """

    key: str
    systems: tuple[str, ...]
    documents: tuple[ShownDocument, ...]
    metrics: tuple[str, ...] = ()
    has_errors: bool = True
