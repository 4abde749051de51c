"""Checks of parsed documents: unusual mentions and entities, in any format.

Readers report violations of their format; these checks only see documents.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate, islice
from typing import TYPE_CHECKING, TypeAlias

from corefkit.exceptions import quoted
from corefkit.formats import problems as kinds
from corefkit.formats.brackets import MAX_IMPLIED_TOKENS
from corefkit.formats.problems import format_id
from corefkit.strings import split_id

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from corefkit.formats.problems import Faults
    from corefkit.model import Document, Entity, Mention

    LineOf: TypeAlias = Callable[[int], int]  # returns the line of a token

MOST_TOKENS = 100  # longer mentions are reported
_LENGTH_HINT = (
    "check where it begins and ends; an end that is missing is often the reason"
)


class DocumentChecks:
    """Reports unusual annotation in the documents of a file.

    >>> from corefkit.formats.problems import Faults
    >>> from corefkit.model import Document, Entity, Mention
    >>> pair = Mention(0, 2), Mention(1, 1)
    >>> document = Document("d", (), (Entity("e7", pair),))
    >>> faults = Faults("key.conllu", [])
    >>> DocumentChecks(faults).check(document, 1, lambda token: token + 2)
    >>> [(one.line, one.severity, one.kind) for one in faults.sorted_problems]
    [(3, 'note', 'nested-mention')]
    >>> faults.sorted_problems[0].message
    'mention of tokens 1 to 1 lies inside another of entity e7, of tokens 0 to 2'
    """

    def __init__(self, faults: Faults, *, types: bool = True) -> None:
        self._faults = faults
        self._types = types  # whether each entity has one type
        self._last_parts: dict[str, int] = {}  # by the name of the text
        self._entity_sizes: list[int] = []

    def check(
        self,
        document: Document,
        begins: int,
        line_of: LineOf,
        *,
        size: int | None = None,
        broken: bool = False,
        text_file: str | None = None,
    ) -> None:
        """Check a document that begins at a line.

        `size` is the number of tokens, if it is known. If the document is `broken`,
        mentions may be missing. `line_of` returns lines of `text_file`, if given.
        """
        self._check_part(document.id, begins)
        if not document.entities and not broken:
            content, kind = "no mention", kinds.WITHOUT_MENTIONS
            if size == 0:
                content, kind = "neither words nor mentions", kinds.EMPTY_DOCUMENT
            message = f"document {quoted(document.id)} has {content}"
            self._faults(begins, message, kind=kind)
        faults = self._faults if text_file is None else self._faults.copy_for(text_file)
        _check_words(document, line_of, faults)
        _check_repeated(document, line_of, faults)
        sentence_ends = list(accumulate(map(len, document.sentences)))
        for entity in document.entities:
            self._entity_sizes.append(len(entity))
            _check_lengths(entity, sentence_ends, line_of, faults)
            if len(entity) == 1:
                continue
            check_overlaps(
                entity.id, entity, lambda mention: line_of(mention.start), faults
            )
            if self._types:
                _check_types(entity, line_of, faults)

    def _check_part(self, document_id: str, line: int) -> None:
        name, part = split_id(document_id)
        if part is None:
            return
        last = self._last_parts.get(name)
        if last is not None and part not in (last, last + 1):
            message = f"part {part} of {quoted(name)} comes after part {last}"
            hint = f"expected part {last + 1}; is one missing, or are they in disorder?"
            self._faults(line, message, hint, kind=kinds.ORDER_OF_PARTS)
        self._last_parts[name] = part

    def report_singletons(self) -> None:
        """Report the number of singletons among the entities so far, if any."""
        singletons = self._entity_sizes.count(1)
        if singletons:
            entities = len(self._entity_sizes)
            message = f"{singletons} of {entities} entities are singletons"
            hint = "OntoNotes has none; scoring keeps them (--singletons keep)"
            self._faults(None, message, hint, kind=kinds.SINGLETONS)


def _check_words(document: Document, line_of: LineOf, faults: Faults) -> None:
    """Report the first empty word, the first with a blank inside, and their numbers."""
    words = document.tokens
    empty = [token for token, word in enumerate(words) if not word.strip()]
    split = [token for token, word in enumerate(words) if len(word.split()) > 1]
    hint = "formats with columns, such as CoNLL-2012, cannot write it"
    for tokens, defect, kind in (
        (empty, "is empty", kinds.EMPTY_WORD),
        (split, "has a blank inside", kinds.BLANK_IN_WORD),
    ):
        if tokens:
            word = f"word {quoted(words[tokens[0]])} of document {quoted(document.id)}"
            suffix = f", and {len(tokens) - 1} more like it" if tokens[1:] else ""
            faults(line_of(tokens[0]), f"{word} {defect}{suffix}", hint, kind=kind)


def _check_repeated(document: Document, line_of: LineOf, faults: Faults) -> None:
    entity_ids: dict[Mention, str] = {}
    for entity in document.entities:
        for mention in entity.mentions:
            if mention in entity_ids:
                label = f"{_format_tokens(mention)} of document {quoted(document.id)}"
                line = line_of(mention.start)
                faults.report_repeated_mention(
                    line, label, entity.id, entity_ids[mention]
                )
            entity_ids.setdefault(mention, entity.id)


def _check_lengths(
    entity: Entity, sentence_ends: Sequence[int], line_of: LineOf, faults: Faults
) -> None:
    for mention in entity.mentions:
        start, end = mention.start, mention.end
        if not sentence_ends and end >= MAX_IMPLIED_TOKENS:
            report_large_span(entity.id, mention, line_of(start), faults)
            continue
        if start == end:
            continue
        sentence = bisect_right(sentence_ends, start)
        if sentence < len(sentence_ends) and end >= sentence_ends[sentence]:
            label = _format_mention(entity.id, mention)
            last = sentence_ends[sentence] - 1
            message = f"{label} goes beyond its sentence, which ends with token {last}"
            kind = kinds.ACROSS_SENTENCES
            faults(line_of(start), message, _LENGTH_HINT, kind=kind)
        if end - start >= MOST_TOKENS:
            report_long_mention(entity.id, mention, line_of(start), faults)


def report_long_mention(
    entity_id: str, mention: Mention, line: int, faults: Faults
) -> None:
    """Report a mention with many tokens."""
    size = mention.end - mention.start + 1
    message = f"{_format_mention(entity_id, mention)} has {size} tokens"
    faults(line, message, _LENGTH_HINT, kind=kinds.LONG_MENTION)


def report_large_span(
    entity_id: str, mention: Mention, line: int, faults: Faults
) -> None:
    """Report a mention beyond `MAX_IMPLIED_TOKENS` in a document without words."""
    message = (
        f"{_format_mention(entity_id, mention)} implies {mention.end + 1} tokens; "
        f"only formats without words "
        f"can have more than {MAX_IMPLIED_TOKENS}"
    )
    faults(line, message, _LENGTH_HINT, kind=kinds.LARGE_SPAN)


def check_overlaps(
    entity_id: str,
    mentions: Iterable[Mention],
    line_of: Callable[[Mention], int],
    faults: Faults,
) -> None:
    """Report the mentions of an entity that cross another, or lie inside another.

    Each mention is reported at most once; crossing takes precedence. A mention in a
    gap of another shares no token with it and is ignored.
    """
    enclosing: list[Mention] = []  # may contain the next mention, the widest first
    for mention in sorted(set(mentions), key=lambda item: (item.start, -item.end)):
        candidates = []
        while enclosing and enclosing[-1].end < mention.end:
            candidates.append(enclosing.pop())
        candidates.extend(enclosing[-1:])
        enclosing.append(mention)
        outer = next((item for item in candidates if _is_shared(item, mention)), None)
        if outer is None:
            continue
        verb, kind = "crosses", kinds.CROSSING
        hint = "check where the two begin and end"
        if _is_inside(mention, outer):
            verb, kind = "lies inside", kinds.NESTED
            hint = f"it is possible, but rare; {hint}"
        message = (
            f"mention {_format_tokens(mention)} {verb} another of entity "
            f"{format_id(entity_id)}, {_format_tokens(outer)}"
        )
        faults(line_of(mention), message, hint, kind=kind)


def _is_shared(mention: Mention, other: Mention) -> bool:
    """Return whether two mentions share a token."""
    return any(
        start <= last and first <= end
        for start, end in mention.parts
        for first, last in other.parts
    )


def _is_inside(mention: Mention, other: Mention) -> bool:
    """Return whether all tokens of a mention are in another."""
    return all(
        any(first <= start and end <= last for first, last in other.parts)
        for start, end in mention.parts
    )


def _check_types(entity: Entity, line_of: LineOf, faults: Faults) -> None:
    """Report each type other than that of the first mention with a type."""
    examples: dict[str, Mention] = {}
    for mention in entity.mentions:
        if entity_type := mention.attributes.get("type"):
            examples.setdefault(entity_type, mention)
    hint = "do all its mentions speak of the same thing?"
    for entity_type, mention in islice(examples.items(), 1, None):
        expected, example = next(iter(examples.items()))
        message = (
            f"entity {format_id(entity.id)} is {quoted(entity_type)} here, and "
            f"{quoted(expected)} in line {line_of(example.start)}"
        )
        faults(line_of(mention.start), message, hint, kind=kinds.TWO_TYPES)


def _format_mention(entity_id: str, mention: Mention) -> str:
    return f"mention {_format_tokens(mention)} of entity {format_id(entity_id)}"


def _format_tokens(mention: Mention) -> str:
    return f"of tokens {mention.start} to {mention.end}"
