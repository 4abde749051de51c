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
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from corefkit.formats.problems import Faults, ProblemKind
    from corefkit.model import Document, Entity, Mention

    # An unusual mention, with the message, hint and kind of its problem.
    Finding: TypeAlias = tuple[Mention, str, str, ProblemKind]

_MAX_TOKENS = 100  # longer mentions are reported
_LENGTH_HINT = (
    "check where it begins and ends; an end that is missing is often the reason"
)


class DocumentChecks:
    """Reports unusual annotation in the documents of a file."""

    def __init__(self, faults: Faults, *, types: bool = True) -> None:
        self._faults = faults
        self._types = types  # whether each entity has one type
        self._last_parts: dict[str, int] = {}  # by the name of the text
        self._entity_sizes: list[int] = []

    def check(
        self,
        document: Document,
        begins: int,
        line_of: Callable[[int], int],
        *,
        size: int | None = None,
        broken: bool = False,
        text_file: str | None = None,
    ) -> None:
        """Check a document that begins at a line; if `broken`, mentions may be missing.

        `line_of` returns the line of a token in `text_file`, or in the checked file.
        """
        self._check_part(document.id, begins)
        if not document.entities and not broken:
            content, kind = "no mention", kinds.WITHOUT_MENTIONS
            if size == 0:
                content, kind = "neither words nor mentions", kinds.EMPTY_DOCUMENT
            message = f"document {quoted(document.id)} has {content}"
            self._faults(begins, message, kind=kind)
        faults = self._faults if text_file is None else self._faults.copy_for(text_file)
        for token, message, kind in _check_words(document):
            hint = "formats with columns, such as CoNLL-2012, cannot write it"
            faults(line_of(token), message, hint, kind=kind)
        entity_ids: dict[Mention, str] = {}
        for entity in document.entities:
            for mention in entity:
                if mention in entity_ids:
                    line, earlier = line_of(mention.start), entity_ids[mention]
                    text = (
                        f"{_format_tokens(mention)} of document {quoted(document.id)}"
                    )
                    faults.report_repeated_mention(line, text, entity.id, earlier)
                entity_ids.setdefault(mention, entity.id)
        sentence_ends = list(accumulate(map(len, document.sentences)))
        for entity in document.entities:
            self._entity_sizes.append(len(entity))
            rows = check_mentions(entity.id, entity, sentence_ends)
            for mention, message, hint, kind in rows:
                faults(line_of(mention.start), message, hint, kind=kind)
            if self._types:
                _check_types(entity, line_of, faults)

    def _check_part(self, document_id: str, line: int) -> None:
        name, part = split_id(document_id)
        if part is None:
            return
        last = self._last_parts.get(name)
        if last is not None and part not in (last, last + 1):
            message = f"part {part} of {quoted(name)} comes after part {last}"
            hint = f"expected part {last + 1}; check for missing or misplaced parts"
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


def _check_words(document: Document) -> Iterator[tuple[int, str, ProblemKind]]:
    """Find the first empty word, the first with a blank inside, and their numbers."""
    words = document.tokens
    empty = [token for token, word in enumerate(words) if not word.strip()]
    split = [token for token, word in enumerate(words) if len(word.split()) > 1]
    for tokens, defect, kind in (
        (empty, "is empty", kinds.EMPTY_WORD),
        (split, "has a blank inside", kinds.BLANK_IN_WORD),
    ):
        if tokens:
            word = f"word {quoted(words[tokens[0]])} of document {quoted(document.id)}"
            suffix = f", and {len(tokens) - 1} more like it" if tokens[1:] else ""
            yield tokens[0], f"{word} {defect}{suffix}", kind


def check_mentions(
    entity_id: str, mentions: Iterable[Mention], sentence_ends: Sequence[int] = ()
) -> Iterator[Finding]:
    """Find unusual mentions of an entity, given the ends of sentences, if known."""
    unique = sorted(set(mentions), key=lambda mention: (mention.start, -mention.end))
    entity = f"entity {format_id(entity_id)}"
    for mention in unique:
        start, end = mention
        label = f"mention {_format_tokens(mention)} of {entity}"
        if not sentence_ends and end >= MAX_IMPLIED_TOKENS:
            limit = (
                f"only formats without words can have more than {MAX_IMPLIED_TOKENS}"
            )
            message = f"{label} implies {end + 1} tokens; {limit}"
            yield mention, message, _LENGTH_HINT, kinds.LARGE_SPAN
            continue
        sentence = bisect_right(sentence_ends, start)
        if sentence < len(sentence_ends) and end >= sentence_ends[sentence]:
            last = sentence_ends[sentence] - 1
            message = f"{label} goes beyond its sentence, which ends with token {last}"
            yield mention, message, _LENGTH_HINT, kinds.ACROSS_SENTENCES
        if end - start >= _MAX_TOKENS:
            message = f"{label} has {end - start + 1} tokens"
            yield mention, message, _LENGTH_HINT, kinds.LONG_MENTION
    for mention, outer in _find_overlaps(unique):
        verb, kind = "crosses", kinds.CROSSING
        hint = "check where the two begin and end"
        if _is_inside(mention, outer):
            verb, kind = "lies inside", kinds.NESTED
            hint = f"it is possible, but rare; {hint}"
        message = f"mention {_format_tokens(mention)} {verb} another of {entity}"
        yield mention, f"{message}, {_format_tokens(outer)}", hint, kind


def _find_overlaps(mentions: Iterable[Mention]) -> Iterator[tuple[Mention, Mention]]:
    """Find mentions that cross another one, or lie inside another one.

    Each is found at most once; crossing takes precedence. A mention in a gap of another
    shares no token with it and is ignored.
    """
    enclosing: list[Mention] = []  # may contain the next mention, the widest first
    for mention in mentions:
        candidates = []
        while enclosing and enclosing[-1].end < mention.end:
            candidates.append(enclosing.pop())
        candidates.extend(enclosing[-1:])
        enclosing.append(mention)
        if outer := next((row for row in candidates if _is_shared(row, mention)), None):
            yield mention, outer


def _is_shared(mention: Mention, other: Mention) -> bool:
    return any(
        start <= last and first <= end
        for start, end in mention.parts
        for first, last in other.parts
    )


def _is_inside(mention: Mention, other: Mention) -> bool:
    return all(
        any(first <= start and end <= last for first, last in other.parts)
        for start, end in mention.parts
    )


def _check_types(entity: Entity, line_of: Callable[[int], int], faults: Faults) -> None:
    """Report each type other than that of the first mention with a type."""
    examples: dict[str, Mention] = {}
    for mention in entity.mentions:
        if entity_type := mention.attributes.get("type"):
            examples.setdefault(entity_type, mention)
    hint = "check that all its mentions refer to the same thing"
    for entity_type, mention in islice(examples.items(), 1, None):
        expected, example = next(iter(examples.items()))
        message = (
            f"entity {format_id(entity.id)} is {quoted(entity_type)} here, and "
            f"{quoted(expected)} in line {line_of(example.start)}"
        )
        faults(line_of(mention.start), message, hint, kind=kinds.TWO_TYPES)


def _format_tokens(mention: Mention) -> str:
    return f"of tokens {mention.start} to {mention.end}"
