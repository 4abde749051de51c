"""Result of an error analysis: single errors, systems, and the errors they share.

Two systems make the same error if it has the same kind, document and identity, which
refers to the key if possible. One system can have several errors of one identity, such
as an entity that is divided into three; of these, as many are shared as both have. So
the errors that the second of two systems fixed and those that remain add up to the
errors of the first, and those that it introduced and those that remain to its own.

Numbers of errors have names (`errors.divided` and so on), by which systems can be
compared and sorted.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from corefkit.exceptions import SettingsError
from corefkit.model import Document, Mention
from corefkit.results.records import Value
from corefkit.results.score_table import Order, parse_order
from corefkit.strings import escape_terminal, suggest
from corefkit.syntax.running_text import NO_LAYOUT, Layout

if TYPE_CHECKING:
    from corefkit.analysis.errors.layers import Layers
    from corefkit.analysis.errors.links import LinkCounts

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
UNKNOWN_TYPE = "other"
# The links of the key that are missing, and those of the response that are wrong.
LINKS = ("recall", "precision")
RESPONSE = "response"  # the step of the ladder before any kind is repaired

# A mention: a `Mention` with its tokens, or its name.
MentionId: TypeAlias = Hashable
# F1 by metric, including the CoNLL mean.
Scores: TypeAlias = Mapping[str, float]

NO_DETAILS: Mapping[str, str] = MappingProxyType({})


class Error(NamedTuple):
    """One error of one of the seven kinds.

    Attributes:
        id: `document#kind#first token-last token`, of its first mention.
        kind: one of `KINDS`.
        mentions: the mentions with the error; of a span error, the response's mention
            and then the key's.
        entity: the mentions of the entity with the error: of the response for
            conflated and extra ones, of the key for the others.
        identity: equal if several systems make the same error.
        types: the types of its mentions, if they are known.
        details: of a span error `paired_by` (`trim` or `head`), and the tokens too many
            or too few on the left and right.
    """

    id: str
    kind: str
    mentions: tuple[MentionId, ...]
    entity: tuple[MentionId, ...]
    identity: Hashable = None
    types: tuple[str, ...] = ()
    details: Mapping[str, str] = NO_DETAILS


class LinkError(NamedTuple):
    """One link of a spanning tree that the other side does not have.

    Attributes:
        id: `document#recall#first token-last token` of the anaphor, or `#precision#`.
        anaphor: the later mention.
        antecedent: the earlier one.
        types: of anaphor and antecedent.
        pronoun: the fine type of an anaphor that is a pronoun, if it is known.
        distance: in sentences, or in tokens if there are no sentences.
        entity_size: the number of mentions of their entity.
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
        key_mentions: the number of mentions of the key.
        counts: the number of errors of each kind.
        errors: the errors, by kind and then by position.
        recall_links: the links of the key that are missing.
        precision_links: the links of the response that are wrong.
    """

    document: str
    key_mentions: int
    counts: Mapping[str, int]
    errors: tuple[Error, ...] = ()
    recall_links: tuple[LinkError, ...] = ()
    precision_links: tuple[LinkError, ...] = ()

    @property
    def links(self) -> dict[str, tuple[LinkError, ...]]:
        """The links of both sides, by the names in `LINKS`."""
        return dict(zip(LINKS, (self.recall_links, self.precision_links), strict=True))


@dataclass(frozen=True)
class SystemErrors:
    """The errors of one response.

    Attributes:
        response: the display name of the response.
        documents: the errors of each document, in the order of the key.
        ladder: F1 of the `response`, then with each kind repaired too, in order.
        alone: F1 with one kind repaired.
        all_but: F1 with all kinds repaired but one.
        singletons: by kind, the number of extra and missing entities of one mention.
        recall: the links of the key that are missing.
        precision: the links of the response that are wrong.
        operations: the raw operations: `split`, `remove`, `introduce`, `merge`.
        kept_apart: the number of extra mentions that are not counted because they are
            the first of their entities: the mentions attached to them are conflated.
        corrected: the documents at each step of the ladder, if the option is set.
        layers: mentions and errors of each document, if pages require them.
    """

    response: str
    documents: tuple[DocumentErrors, ...]
    ladder: Mapping[str, Scores]
    alone: Mapping[str, Scores]
    all_but: Mapping[str, Scores]
    singletons: Mapping[str, int]
    recall: LinkCounts
    precision: LinkCounts
    operations: Mapping[str, int] = field(default_factory=dict)
    kept_apart: int = 0
    corrected: Mapping[str, Sequence[Document]] = field(
        default_factory=dict, repr=False
    )
    layers: Sequence[Layers] = field(default=(), repr=False)

    @property
    def counts(self) -> dict[str, int]:
        return {
            kind: sum(document.counts[kind] for document in self.documents)
            for kind in KINDS
        }

    @property
    def key_mentions(self) -> int:
        return sum(document.key_mentions for document in self.documents)


_CONTEXT_WORDS = 4  # on either side of a mention
_MAX_MENTIONS = 3  # of an error


@dataclass(frozen=True, slots=True)
class DocumentText:
    """The words of a document, and how lists quote them."""

    tokens: Sequence[str] = ()  # none if they are unknown
    sentences: Sequence[int] = ()  # the first token of each
    places: Sequence[str] = ()  # of each token, as `file:line`; none by default
    empty: Sequence[int] = ()  # the tokens that are empty nodes
    layout: Layout = NO_LAYOUT

    def has_words(self, mention: MentionId) -> bool:
        return isinstance(mention, Mention) and mention.end < len(self.tokens)

    def find_sentence(self, mention: Mention) -> tuple[int, int]:
        """Return the bounds of a mention's sentence, the end exclusive."""
        index = bisect_right(self.sentences, mention.start) - 1
        first = self.sentences[index] if index >= 0 else 0
        ends = [*self.sentences[index + 1 : index + 2], len(self.tokens)]
        return first, max(ends[0], mention.end + 1)

    def format_place(self, mention: MentionId) -> str:
        if not isinstance(mention, Mention):
            return ""
        if mention.start < len(self.places):
            return self.places[mention.start]
        token = f"token {mention.start}"
        if not len(self.sentences):
            return token
        sentence = bisect_right(self.sentences, mention.start)
        return f"sentence {sentence}, {token}"

    def format_mention(self, mention: MentionId) -> str:
        if not isinstance(mention, Mention):
            return str(mention)
        if mention.end >= len(self.tokens):
            return ",".join(f"{start}-{end}" for start, end in mention.parts)
        words: list[str] = []
        for start, end in mention.parts:
            words += [*(["..."] if words else []), *self.tokens[start : end + 1]]
        return " ".join(words)

    def format_error(self, kind: str, mentions: Sequence[MentionId]) -> str:
        """Format the mentions of an error of a kind, the first in its context."""
        mention, *further = mentions
        text = self._format_context(mention)
        if kind == "span" and further:
            return f"{text}, in the key [{self.format_mention(further[0])}]"
        parts = [f"[{self.format_mention(m)}]" for m in further[: _MAX_MENTIONS - 1]]
        if len(further) > len(parts):
            parts.append(f"{len(further) - len(parts)} more")
        return ", ".join([text, *parts])

    def _format_context(self, mention: MentionId) -> str:
        text = f"[{self.format_mention(mention)}]"
        if not isinstance(mention, Mention) or mention.end >= len(self.tokens):
            return text
        first, end = self.find_sentence(mention)
        left = max(first, mention.start - _CONTEXT_WORDS)
        right = min(end, mention.end + 1 + _CONTEXT_WORDS)
        words_after = self.tokens[mention.end + 1 : right]
        return " ".join([*self.tokens[left : mention.start], text, *words_after])


@dataclass(frozen=True, repr=False)
class ErrorAnalysis:
    """The errors of one or more responses to one key.

    Attributes:
        key: the display name of the key.
        signature: the settings in one line.
        systems: the errors of each response.
        sources: the sources of types and heads, one sentence each.
        refused: responses that were skipped because they failed, each with the reason.
        notes: changes and ignored parts of the input, one sentence each.
        warnings: reasons to doubt the results, one sentence each.
        texts: the words of documents, by id, if they are known.
        order: the order of systems in tables; the order of input by default.

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
        """Return the tables that `corefkit errors` prints, and the warnings."""
        # Local: the writers import this module.
        from corefkit.analysis.errors.error_output import ERROR_WRITERS

        warnings = [f"warning: {escape_terminal(warning)}" for warning in self.warnings]
        return "\n".join([ERROR_WRITERS["table"](self), *warnings])

    def __repr__(self) -> str:
        names = ", ".join(repr(system.response) for system in self.systems)
        return f"<ErrorAnalysis of {names}: {self.signature}>"

    @cached_property
    def across(self) -> Across:
        """The errors of all systems, each with the systems that make it."""
        return find_shared_errors(self.systems)

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
        metrics = [*self.systems[0].ladder[RESPONSE]] if self.systems else []
        return replace(self, order=parse_error_order(sort, metrics))

    def _repr_html_(self) -> str:
        from corefkit.analysis.errors.error_output import build_error_page
        from corefkit.report.notebook import render_fragment

        return render_fragment(build_error_page(self), warnings=self.warnings)

    def to_dict(self) -> dict[str, Value]:
        """Return the output of `corefkit errors --format json` as plain values."""
        from corefkit.analysis.errors.error_output import convert_to_values

        return convert_to_values(self)

    def to_records(self) -> list[dict[str, Value]]:
        """Return a record for each error: rows of a data frame.

        >>> import corefkit
        >>> [record] = corefkit.errors(["abc"], ["ab"]).to_records()
        >>> record["kind"], record["mentions"], record["id"]
        ('missing_mention', ['c'], 'document#missing_mention#c')
        """
        from corefkit.analysis.errors.error_output import list_records

        return list_records(self)

    def to_frame(self, of: str = "errors", *, library: str | None = None) -> Any:
        """Return a data frame of `errors`, of wrong `links`, or of `kinds` with F1.

        `library` is `pandas` or `polars`; by default pandas, or Polars without it.

        >>> import corefkit
        >>> corefkit.errors(["abc"], ["ab"]).to_frame()["kind"].to_list()
        ['missing_mention']
        """
        from corefkit.analysis.errors.error_output import make_frame

        return make_frame(self, of=of, library=library)


@dataclass(frozen=True, slots=True)
class SharedError:
    """One error, and the systems that make it.

    Attributes:
        document: the id of its document.
        kind: one of the seven kinds, or of `LINKS`.
        error: the error of the first of the systems.
        ids: its id in each of the systems, by the number of the system.
    """

    document: str
    kind: str
    error: Error | LinkError
    ids: dict[int, str]

    @property
    def type(self) -> str:
        """The type of its first mention; of a link, of the anaphor."""
        return next(iter(self.error.types), "") or UNKNOWN_TYPE


@dataclass(frozen=True, slots=True)
class SharedErrors:
    """Some of the errors of several systems."""

    errors: tuple[SharedError, ...]

    @property
    def by_kind(self) -> dict[str, int]:
        """The number of errors of each kind, including links."""
        counts = Counter(shared.kind for shared in self.errors)
        return {kind: counts[kind] for kind in (*KINDS, *LINKS)}

    @property
    def by_type(self) -> dict[str, int]:
        """The number of errors of the seven kinds, by the type of the first mention."""
        counts = Counter(shared.type for shared in self.errors if shared.kind in KINDS)
        return {name: counts[name] for name in (*TYPES, UNKNOWN_TYPE)}


@dataclass(frozen=True, slots=True)
class Across:
    """The errors of several systems, each once.

    Attributes:
        systems: the names of the systems.
        errors: by document, then by kind, then by position; links come last.
    """

    systems: tuple[str, ...]
    errors: tuple[SharedError, ...]

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of errors, links last."""
        return *KINDS, *LINKS

    @property
    def types(self) -> tuple[str, ...]:
        """The types of mentions, the unknown type last."""
        return *TYPES, UNKNOWN_TYPE

    def by_number(self, kind: str) -> dict[int, int]:
        """Count the errors of a kind by the number of systems that make them.

        >>> import corefkit
        >>> both = {"A": ["ab", "cd"], "B": ["ab"]}
        >>> corefkit.errors(["abcd"], both).across.by_number("divided")
        {1: 1, 2: 0}
        """
        counts = Counter(
            len(shared.ids) for shared in self.errors if shared.kind == kind
        )
        return {number: counts[number] for number in range(1, len(self.systems) + 1)}

    @property
    def common(self) -> SharedErrors:
        """The errors that all systems make."""
        return self._select({*range(len(self.systems))})

    def only(self, system: int) -> SharedErrors:
        """Return the errors that only one system makes, by its number."""
        return self._select({system})

    @property
    def changes(self) -> dict[str, SharedErrors]:
        """The changes of the second of two systems; empty unless there are two.

        Errors are `fixed`, `introduced` or `still_there`.
        """
        if len(self.systems) != 2:
            return {}
        makers = {"fixed": {0}, "introduced": {1}, "still_there": {0, 1}}
        return {change: self._select(systems) for change, systems in makers.items()}

    def _select(self, systems: set[int]) -> SharedErrors:
        return SharedErrors(
            tuple(shared for shared in self.errors if {*shared.ids} == systems)
        )


def find_shared_errors(systems: Sequence[SystemErrors]) -> Across:
    """Return the errors that systems share."""
    by_document: dict[str, dict[Hashable, list[SharedError]]] = {}
    for number, system in enumerate(systems):
        for document in system.documents:
            by_identity = by_document.setdefault(document.document, {})
            copies: Counter[Hashable] = Counter()
            for kind, identity, error in _iter_identities(document):
                shared = by_identity.setdefault((kind, identity), [])
                copy = copies[kind, identity]
                copies[kind, identity] += 1
                if copy == len(shared):
                    shared.append(SharedError(document.document, kind, error, {}))
                shared[copy].ids[number] = error.id
    errors: list[SharedError] = []
    for by_identity in by_document.values():
        shared_errors = chain.from_iterable(by_identity.values())
        errors += sorted(shared_errors, key=_make_sort_key)
    return Across(tuple(system.response for system in systems), tuple(errors))


def _iter_identities(
    document: DocumentErrors,
) -> Iterator[tuple[str, Hashable, Error | LinkError]]:
    for error in document.errors:
        identity = error.mentions if error.identity is None else error.identity
        yield error.kind, identity, error
    for kind, links in document.links.items():
        for link in links:
            yield kind, link.anaphor, link


def _make_sort_key(shared: SharedError) -> tuple[int, int, int]:
    """Make the sort key of an error of a document; names keep their order."""
    error = shared.error
    first = error.mentions[0] if isinstance(error, Error) else error.anaphor
    kind = (*KINDS, *LINKS).index(shared.kind)
    if isinstance(first, Mention):
        return kind, first.start, first.end
    return kind, 0, 0


ALL_ERRORS = "errors"
# The numbers of errors that can be compared, with their labels in tables.
ERROR_LABELS: Mapping[str, str] = {
    ALL_ERRORS: "Errors",
    **{
        f"{ALL_ERRORS}.{kind}": f"{kind.replace('_', ' ').capitalize()} errors"
        for kind in KINDS
    },
    f"{ALL_ERRORS}.recall_links": "Missing links",
    f"{ALL_ERRORS}.precision_links": "Wrong links",
}
# Short names of numbers of errors: `divided`.
ERROR_WORDS: Mapping[str, str] = {
    word: name for name in ERROR_LABELS for word in (name, name.rpartition(".")[2])
}
_SORTABLE = (ALL_ERRORS, *(f"{ALL_ERRORS}.{kind}" for kind in KINDS))


def is_error_count(name: object) -> bool:
    """Return whether a name specifies a number of errors, even an invalid one."""
    return isinstance(name, str) and name.strip().lower().partition(".")[0] == "errors"


def find_error_labels(names: Iterable[str]) -> dict[str, str]:
    """Return the labels of numbers of errors."""
    labels = {}
    for name in names:
        normalized = name.strip().lower().replace("-", "_")
        if normalized not in ERROR_LABELS:
            message = f"unknown metric {name!r}"
            raise SettingsError(
                message,
                code="settings/unknown-metric",
                hint=suggest(normalized, ERROR_LABELS),
            )
        labels[normalized] = ERROR_LABELS[normalized]
    return labels


def get_error_count(counts: Mapping[str, int], name: str) -> int:
    """Return the number of errors of a kind, or of all."""
    if name == ALL_ERRORS:
        return sum(counts.values())
    return counts[name.rpartition(".")[2]]


def parse_error_order(text: str, metrics: Sequence[str]) -> Order:
    """Parse a kind of errors, `errors` for all, a computed metric, or `name`."""
    words = {word: name for word, name in ERROR_WORDS.items() if name in _SORTABLE}
    order = parse_order(text, [*metrics, *_SORTABLE], counts=words, option="--repair")
    if order.part not in ("", "f1"):
        message = f"cannot sort by {text!r}: only F1 is computed"
        raise SettingsError(message, code="settings/invalid-order")
    return Order(order.metric)
