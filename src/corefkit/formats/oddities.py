"""What is odd or unusual about documents that can be read, in every format.

A reader says what is wrong with a file as its format goes. This looks at the documents
that come out, and so it is the same for all of them.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate, islice
from typing import TYPE_CHECKING, TypeAlias

from corefkit.exceptions import quoted
from corefkit.formats import kinds
from corefkit.formats.faults import readable
from corefkit.strings.ids import name_and_part

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from corefkit.formats.faults import Faults
    from corefkit.model import Document, Entity, Mention

    LineOf: TypeAlias = Callable[[int], int]  # the line of a token

MOST_TOKENS = 100  # of a mention that is not called long
_BLANK = re.compile(r"\s")
_NESTED = "it is possible, but rare; check where the two begin and end"
_CROSSING = "check where the two begin and end"
_BEYOND = "check where it begins and ends; an end that is missing is often the reason"


class Oddities:
    """What is odd about the documents of a file, reported as they are taken.

    >>> from corefkit.formats.faults import Faults
    >>> from corefkit.model import Document, Entity, Mention
    >>> pair = Mention(0, 2), Mention(1, 1)
    >>> faults = Faults("key.conllu", [])
    >>> odd = Oddities(faults)
    >>> odd.take(Document("d", (), (Entity("e7", pair),)), 1, lambda token: token + 2)
    >>> [(one.line, one.severity, one.kind) for one in faults.kept]
    [(3, 'note', 'nested-mention')]
    >>> faults.kept[0].message
    'mention of tokens 1 to 1 lies inside another of entity e7, of tokens 0 to 2'
    """

    def __init__(self, faults: Faults, *, types: bool = True) -> None:
        self._faults = faults
        self._types = types  # whether entities have one type each
        self._parts: dict[str, int] = {}  # the last part of each text
        self._sizes: list[int] = []  # of all entities

    def take(
        self,
        document: Document,
        begins: int,
        line_of: LineOf,
        *,
        size: int | None = None,
        broken: bool = False,
        text_file: str | None = None,
    ) -> None:
        """Look at a document.

        Args:
            document: the document.
            begins: the line where it begins.
            line_of: returns the line of a token.
            size: how many tokens it has; None where that is unknown.
            broken: whether it has errors, so that some of it may be missing.
            text_file: the file that the lines of tokens are of, where it is another.
        """
        self._take_part(document.id, begins)
        if not document.entities and not broken:
            self._tell_empty(document.id, begins, size)
        faults = self._faults if text_file is None else self._faults.of(text_file)
        _check_words(document, line_of, faults)
        _check_repeated(document, line_of, faults)
        bounds = list(accumulate(map(len, document.sentences)))
        for entity in document.entities:
            self._sizes.append(len(entity))
            _check_lengths(entity, bounds, line_of, faults)
            if len(entity) == 1:
                continue
            if _may_overlap(entity.mentions):
                check_overlaps(
                    entity.id, entity, lambda one: line_of(one.start), faults
                )
            if self._types:
                _check_types(entity, line_of, faults)

    def _tell_empty(self, document_id: str, line: int, size: int | None) -> None:
        what, kind = "no mention", kinds.WITHOUT_MENTIONS
        if size == 0:
            what, kind = "neither words nor mentions", kinds.EMPTY_DOCUMENT
        self._faults(line, f"document {quoted(document_id)} has {what}", kind=kind)

    def _take_part(self, document_id: str, line: int) -> None:
        name, part = name_and_part(document_id)
        if part is None:
            return
        last = self._parts.get(name)
        if last is not None and part not in (last, last + 1):
            message = f"part {part} of {quoted(name)} comes after part {last}"
            hint = f"expected part {last + 1}; is one missing, or are they in disorder?"
            self._faults(line, message, hint, kind=kinds.ORDER_OF_PARTS)
        self._parts[name] = part

    def tell_singletons(self) -> None:
        """Report how many of the entities so far are singletons, if any are."""
        singletons = self._sizes.count(1)
        if singletons:
            message = f"{singletons} of {len(self._sizes)} entities are singletons"
            hint = "OntoNotes has none; scoring keeps them (--singletons keep)"
            self._faults(None, message, hint, kind=kinds.SINGLETONS)


def _check_words(document: Document, line_of: LineOf, faults: Faults) -> None:
    """Tell the first word that is empty, or has a blank inside, and how many are."""
    words = document.tokens
    if "" not in words and not _BLANK.search("".join(words)):
        return
    empty = [token for token, word in enumerate(words) if not word.strip()]
    split = [token for token, word in enumerate(words) if len(word.split()) > 1]
    hint = "formats with columns, such as CoNLL-2012, cannot write it"
    for tokens, what, kind in (
        (empty, "is empty", kinds.EMPTY_WORD),
        (split, "has a blank inside", kinds.BLANK_IN_WORD),
    ):
        if tokens:
            word = f"word {quoted(words[tokens[0]])} of document {quoted(document.id)}"
            more = f", and {len(tokens) - 1} more like it" if tokens[1:] else ""
            message = f"{word} {what}{more}"
            faults(line_of(tokens[0]), message, hint, kind=kind)


def _check_repeated(document: Document, line_of: LineOf, faults: Faults) -> None:
    """Tell the mentions that are in a document more than once."""
    earlier: dict[Mention, str] = {}
    known = 0
    for entity in document.entities:
        for mention in entity.mentions:
            owner = earlier.setdefault(mention, entity.id)
            if len(earlier) > known:
                known += 1
                continue
            faults.repeated_mention(
                line_of(mention.start),
                f"{_tokens(mention)} of document {quoted(document.id)}",
                entity.id,
                owner,
            )


def _check_lengths(
    entity: Entity, bounds: Sequence[int], line_of: LineOf, faults: Faults
) -> None:
    """Tell the mentions that are long, or go beyond their sentence."""
    for mention in entity.mentions:
        start, end = mention.start, mention.end
        if start == end:
            continue
        sentence = bisect_right(bounds, start)
        if sentence < len(bounds) and end >= bounds[sentence]:
            message = (
                f"mention {_tokens(mention)} of entity {readable(entity.id)} goes "
                f"beyond its sentence, which ends with token {bounds[sentence] - 1}"
            )
            faults(line_of(start), message, _BEYOND, kind=kinds.ACROSS_SENTENCES)
        if end - start >= MOST_TOKENS:
            tell_long(entity.id, mention, line_of(start), faults)


def tell_long(entity_id: str, mention: Mention, line: int, faults: Faults) -> None:
    """Report a mention that has many tokens."""
    size = mention.end - mention.start + 1
    of = f"{_tokens(mention)} of entity {readable(entity_id)}"
    faults(line, f"mention {of} has {size} tokens", _BEYOND, kind=kinds.LONG_MENTION)


def check_overlaps(
    entity_id: str,
    mentions: Iterable[Mention],
    line_of: Callable[[Mention], int],
    faults: Faults,
) -> None:
    """Tell the mentions of an entity that cross another, or lie inside another.

    Each is told once, and so is one that crosses one and lies inside another: it
    crosses. A mention in a gap of another shares no token with it, and is neither.
    """
    around: list[Mention] = []  # those that may hold the next one, the widest first
    for mention in sorted(set(mentions), key=lambda one: (one.start, -one.end)):
        others = []
        while around and around[-1].end < mention.end:
            others.append(around.pop())
        others.extend(around[-1:])
        around.append(mention)
        other = next((one for one in others if _share(one, mention)), None)
        if other is None:
            continue
        does, hint, kind = "crosses", _CROSSING, kinds.CROSSING
        if _holds(other, mention):
            does, hint, kind = "lies inside", _NESTED, kinds.NESTED
        owner = f"another of entity {readable(entity_id)}, {_tokens(other)}"
        message = f"mention {_tokens(mention)} {does} {owner}"
        faults(line_of(mention), message, hint, kind=kind)


def _may_overlap(mentions: Iterable[Mention]) -> bool:
    """Return whether mentions overlap, or do not stand in the order of the text."""
    last = -1
    for mention in mentions:
        if mention.start <= last:
            return True
        last = mention.end
    return False


def _share(one: Mention, other: Mention) -> bool:
    """Return whether two mentions share a token."""
    if one.end < other.start or other.end < one.start:
        return False
    if not one.gaps and not other.gaps:
        return True
    return any(
        start <= last and first <= end
        for start, end in one.parts
        for first, last in other.parts
    )


def _holds(one: Mention, other: Mention) -> bool:
    """Return whether a mention has all tokens of another."""
    return all(
        any(start <= first and last <= end for start, end in one.parts)
        for first, last in other.parts
    )


def _check_types(entity: Entity, line_of: LineOf, faults: Faults) -> None:
    """Tell where an entity has another type than its first mention with one."""
    first: dict[str, Mention] = {}
    for mention in entity.mentions:
        if kind := mention.attributes.get("type"):
            first.setdefault(kind, mention)
    for kind in islice(first, 1, None):
        before, mention = next(iter(first.items()))
        elsewhere = f"{quoted(before)} in line {line_of(mention.start)}"
        types = f"{quoted(kind)} here, and {elsewhere}"
        message = f"entity {readable(entity.id)} is {types}"
        hint = "do all its mentions speak of the same thing?"
        faults(line_of(first[kind].start), message, hint, kind=kinds.TWO_TYPES)


def _tokens(mention: Mention) -> str:
    return f"of tokens {mention.start} to {mention.end}"
