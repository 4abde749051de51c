"""The result of an error analysis: single errors, systems, and the errors they share.

Two systems make the same error if it has the same kind, document and identity: in
terms of the key if possible. One system can have several errors of one identity, such
as an entity that is divided into three; of these, as many are shared as both have. So
the errors that the second of two systems fixed and those that remain add up to the
errors of the first, and those that it introduced and those that remain to its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from corefkit.model import Mention
from corefkit.strings import escape_terminal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corefkit.analysis.errors.layers import Layers
    from corefkit.analysis.errors.links import Links
    from corefkit.model import Document
    from corefkit.results.records import Value
    from corefkit.results.score_table import Order

# The seven kinds, in the order in which they are repaired.
KINDS = (
    "span",
    "conflated",
    "extra_mention",
    "extra_entity",
    "divided",
    "missing_mention",
    "missing_entity",
)
TYPES = ("pronoun", "name", "nominal", "clause")
PRONOUN = TYPES.index("pronoun")
# The links of the key that are missing, and those of the response that are wrong.
LINKS = ("recall", "precision")

# A mention: a `Mention` with its tokens, or whatever names it.
MentionId: TypeAlias = Hashable
# F1 by metric, the CoNLL mean among them.
Scores: TypeAlias = Mapping[str, float]

_NO_DETAILS: Mapping[str, str] = MappingProxyType({})


class Error(NamedTuple):
    """One error of one of the seven kinds.

    Attributes:
        id: `document#kind#first token-last token`, of its first mention.
        kind: one of `KINDS`.
        mentions: the mentions that it is about; of a span error, the response's first
            and then the key's.
        entity: the mentions of the entity that it is about: of the response for
            conflated and extra ones, of the key for the others.
        identity: what makes it the same error in several systems.
        types: the types of its mentions, where they are known.
        details: more about it, by name: of a span error `paired_by` (`trim` or `head`)
            and the tokens too many or too few on the left and right.
    """

    id: str
    kind: str
    mentions: tuple[MentionId, ...]
    entity: tuple[MentionId, ...]
    identity: Hashable = None
    types: tuple[str, ...] = ()
    details: Mapping[str, str] = _NO_DETAILS


class LinkError(NamedTuple):
    """One link of a spanning tree that the other side does not have.

    Attributes:
        id: `document#recall#first token-last token` of the anaphor, or `#precision#`.
        anaphor: the later mention.
        antecedent: the earlier one.
        types: of anaphor and antecedent.
        pronoun: the fine kind of an anaphor that is a pronoun, where it is known.
        distance: in sentences, or in tokens where there are no sentences.
        entity_size: how many mentions their entity has.
        relation: of their texts: `equal`, `head`, `neither`; empty for pronouns.
        cause: `anaphor`, `antecedent` (not found on the other side) or `link`.
    """

    id: str
    anaphor: MentionId
    antecedent: MentionId
    types: tuple[str, str]
    pronoun: str
    distance: int | None
    entity_size: int
    relation: str
    cause: str


@dataclass(frozen=True, slots=True)
class DocumentErrors:
    """The errors of one document.

    Attributes:
        document: its id.
        key_mentions: how many mentions the key has there.
        counts: how many errors there are of each kind.
        errors: the errors, by kind, then by place.
        recall_links: the links of the key that are missing.
        precision_links: the links of the response that are wrong.
    """

    document: str
    key_mentions: int
    counts: Mapping[str, int]
    errors: tuple[Error, ...]
    recall_links: tuple[LinkError, ...] = ()
    precision_links: tuple[LinkError, ...] = ()


@dataclass(frozen=True)
class SystemErrors:
    """The errors of one response.

    Attributes:
        response: what the user called the response.
        documents: the errors of each document, in the order of the key.
        ladder: F1 of the `response`, then with each kind repaired too, in order.
        alone: F1 with one kind repaired.
        all_but: F1 with all kinds repaired but one.
        singletons: by kind, how many extra and missing entities are singletons.
        recall: the links of the key that are missing.
        precision: the links of the response that are wrong.
        operations: the raw operations: `split`, `remove`, `introduce`, `merge`.
        kept_apart: how many extra mentions are not counted, since they are the first of
            their entities: what hung on them is, as conflated.
        corrected: the documents at each step of the ladder, where they were asked for.
        layers: what pages draw of each document, where it was asked for.
    """

    response: str
    documents: tuple[DocumentErrors, ...]
    ladder: Mapping[str, Scores]
    alone: Mapping[str, Scores]
    all_but: Mapping[str, Scores]
    singletons: Mapping[str, int]
    recall: Links
    precision: Links
    operations: Mapping[str, int] = field(default_factory=dict)
    kept_apart: int = 0
    corrected: Mapping[str, Sequence[Document]] = field(
        default_factory=dict, repr=False
    )
    layers: Sequence[Layers] = field(default=(), repr=False)

    @property
    def counts(self) -> dict[str, int]:
        """The number of errors by kind."""
        return {
            kind: sum(document.counts[kind] for document in self.documents)
            for kind in KINDS
        }

    @property
    def key_mentions(self) -> int:
        """How many mentions the key has."""
        return sum(document.key_mentions for document in self.documents)


@dataclass(frozen=True, slots=True)
class DocumentText:
    """The words of a document, by which lists show its errors.

    Attributes:
        tokens: its tokens; none where they are not known.
        sentences: the first token of each sentence.
        places: where each token stands, as `file:line`; none where nobody asked.
        empty: the tokens that are empty nodes.
    """

    tokens: Sequence[str] = ()
    sentences: Sequence[int] = ()
    places: Sequence[str] = ()
    empty: Sequence[int] = ()


@dataclass(frozen=True, repr=False)
class ErrorAnalysis:
    """The errors of one or more responses to one key.

    Attributes:
        key: what the user called the key.
        signature: the settings in one line.
        systems: the errors of each response.
        sources: where pronouns, types and heads come from, one sentence each.
        refused: responses that could not be analysed, each with the reason.
        notes: what a user should know about the input, one sentence each.
        warnings: why the results may not say what they should, one sentence each.
        texts: the words of documents, by id, where they are known.
        order: what tables sort systems by; None for the order of input.

    >>> import corefkit
    >>> analysis = corefkit.errors(["abc", "de"], ["ab", "cde"])
    >>> {kind: count for kind, count in analysis.systems[0].counts.items() if count}
    {'conflated': 1, 'divided': 1}
    """

    key: str
    signature: str
    systems: tuple[SystemErrors, ...]
    sources: tuple[str, ...] = ()
    refused: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    texts: Mapping[str, DocumentText] = field(default_factory=dict)
    order: Order | None = None

    def __str__(self) -> str:
        """Return the tables that `corefkit errors` prints, and what it warns of."""
        # Local: reports stand to the right, and few results are printed.
        from corefkit.analysis.errors.error_output import ERROR_WRITERS

        warnings = [f"warning: {escape_terminal(warning)}" for warning in self.warnings]
        return "\n".join([ERROR_WRITERS["table"](self), *warnings])

    def __repr__(self) -> str:
        """Name what was analysed, and how."""
        names = ", ".join(repr(system.response) for system in self.systems)
        return f"<ErrorAnalysis of {names}: {self.signature}>"

    @cached_property
    def across(self) -> Across:
        """The errors of all systems, each with the systems that make it."""
        return errors_across(self.systems)

    def sorted_by(self, sort: str) -> ErrorAnalysis:
        """Return the same analysis, whose tables sort systems.

        `systems` stays in the order of input.

        Args:
            sort: a kind of errors, or `errors` for all, fewest first; a metric, for F1
                of the response, best first; or `name`.

        >>> import corefkit
        >>> analysis = corefkit.errors(["abc"], {"A": ["ab"], "B": ["abc"]})
        >>> analysis.sorted_by("missing_mention").order
        Order(metric='errors.missing_mention', part='')
        """
        from corefkit.analysis.errors.error_counts import order_of_errors

        metrics = [*self.systems[0].ladder["response"]] if self.systems else []
        return replace(self, order=order_of_errors(sort, metrics))

    def _repr_html_(self) -> str:
        from corefkit.report.notebook import errors_html

        return errors_html(self)

    def to_dict(self) -> dict[str, Value]:
        """Return what `corefkit errors --format json` prints, as plain values."""
        from corefkit.analysis.errors.error_output import json_values

        return json_values(self)

    def to_records(self) -> list[dict[str, Value]]:
        """Return a record for each error: rows of a data frame.

        >>> import corefkit
        >>> [record] = corefkit.errors(["abc"], ["ab"]).to_records()
        >>> record["kind"], record["mentions"], record["id"]
        ('missing_mention', ['c'], 'document#missing_mention#c')
        """
        from corefkit.analysis.errors.error_output import error_records

        return error_records(self)

    def to_frame(self, of: str = "errors", *, library: str | None = None) -> Any:
        """Return a data frame of `errors`, of wrong `links`, or of `kinds` with F1.

        `library` is `pandas` or `polars`; by default pandas, or Polars without it.

        >>> import corefkit
        >>> corefkit.errors(["abc"], ["ab"]).to_frame()["kind"].to_list()
        ['missing_mention']
        """
        from corefkit.analysis.errors.error_output import error_frame

        return error_frame(self, of=of, library=library)


UNKNOWN = "other"  # the type of mentions whose type is not known
_ORDER = {kind: number for number, kind in enumerate((*KINDS, *LINKS))}


@dataclass(frozen=True, slots=True)
class SharedError:
    """One error, and the systems that make it.

    Attributes:
        document: the id of its document.
        kind: one of the seven kinds, or of `LINKS`.
        error: as the first of the systems has it.
        ids: what each of the systems calls it, by the number of the system.
    """

    document: str
    kind: str
    error: Error | LinkError
    ids: dict[int, str]

    @property
    def type(self) -> str:
        """The type of its first mention; of a link, of the anaphor."""
        return next(iter(self.error.types), "") or UNKNOWN


@dataclass(frozen=True, slots=True)
class SharedErrors:
    """Some of the errors of several systems."""

    errors: tuple[SharedError, ...]

    @property
    def by_kind(self) -> dict[str, int]:
        """How many there are of each kind, links among them."""
        found = Counter(one.kind for one in self.errors)
        return {kind: found[kind] for kind in (*KINDS, *LINKS)}

    @property
    def by_type(self) -> dict[str, int]:
        """How many of the seven kinds there are, by the type of their first mention."""
        found = Counter(one.type for one in self.errors if one.kind in KINDS)
        return {name: found[name] for name in (*TYPES, UNKNOWN)}


@dataclass(frozen=True, slots=True)
class Across:
    """The errors of several systems, each once.

    Attributes:
        systems: the names of the systems.
        errors: by document, then by kind, then by place; links come last.
    """

    systems: tuple[str, ...]
    errors: tuple[SharedError, ...]

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of errors, links last."""
        return *KINDS, *LINKS

    @property
    def types(self) -> tuple[str, ...]:
        """The types of mentions, those whose type is not known last."""
        return *TYPES, UNKNOWN

    def by_number(self, kind: str) -> dict[int, int]:
        """Count the errors of a kind by the number of systems that make them.

        >>> import corefkit
        >>> both = {"A": ["ab", "cd"], "B": ["ab"]}
        >>> corefkit.errors(["abcd"], both).across.by_number("divided")
        {1: 1, 2: 0}
        """
        found = Counter(len(one.ids) for one in self.errors if one.kind == kind)
        return {number: found[number] for number in range(1, len(self.systems) + 1)}

    @property
    def common(self) -> SharedErrors:
        """The errors that all systems make."""
        return self._made_by({*range(len(self.systems))})

    def only(self, system: int) -> SharedErrors:
        """Return the errors that one system makes and no other, by its number."""
        return self._made_by({system})

    @property
    def changes(self) -> dict[str, SharedErrors]:
        """What the second of two systems changed; empty unless there are two.

        Errors are `fixed`, `introduced` or `still_there`.
        """
        if len(self.systems) != 2:
            return {}
        makers = {"fixed": {0}, "introduced": {1}, "still_there": {0, 1}}
        return {change: self._made_by(made_by) for change, made_by in makers.items()}

    def _made_by(self, systems: set[int]) -> SharedErrors:
        return SharedErrors(tuple(one for one in self.errors if {*one.ids} == systems))


def errors_across(systems: Sequence[SystemErrors]) -> Across:
    """Find the errors that systems share."""
    by_document: dict[str, dict[Hashable, list[SharedError]]] = {}
    for number, system in enumerate(systems):
        for document in system.documents:
            known = by_document.setdefault(document.document, {})
            copies: dict[Hashable, int] = {}
            for kind, identity, error in _identified(document):
                same = kind, identity
                many = copies.get(same, 0)
                copies[same] = many + 1
                shared = known.setdefault(same, [])
                if many == len(shared):
                    shared.append(SharedError(document.document, kind, error, {}))
                shared[many].ids[number] = error.id
    names = tuple(system.response for system in systems)
    found = (
        sorted((one for shared in known.values() for one in shared), key=_place)
        for known in by_document.values()
    )
    return Across(names, tuple(chain.from_iterable(found)))


def _identified(
    document: DocumentErrors,
) -> Iterator[tuple[str, Hashable, Error | LinkError]]:
    for error in document.errors:
        known = error.identity is not None
        yield error.kind, error.identity if known else error.mentions, error
    for kind, links in zip(
        LINKS, (document.recall_links, document.precision_links), strict=True
    ):
        for link in links:
            yield kind, link.anaphor, link


def _place(one: SharedError) -> tuple[int, int, int]:
    """Return what errors of a document are sorted by; names keep their order."""
    error = one.error
    first = error.mentions[0] if isinstance(error, Error) else error.anaphor
    kind = _ORDER[one.kind]
    return (
        (kind, first.start, first.end) if isinstance(first, Mention) else (kind, 0, 0)
    )
