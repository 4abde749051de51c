"""The kinds of problems: what can be wrong with a file, or odd, or only unusual.

A severity says what a problem means to scoring:

    error      the file cannot be scored
    warning    it can be scored, but the annotation is probably not what was meant
    note       it is only unusual

Every kind has a name that stays as it is, so that scripts can rely on it, and one
severity. To add a kind, add its row to `KINDS`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

ERROR, WARNING, NOTE = SEVERITIES = ("error", "warning", "note")


class Kind(NamedTuple):
    """A kind of problem: its name, its severity, and what it says of a file."""

    name: str
    severity: str
    meaning: str


UNREADABLE = Kind("unreadable", ERROR, "the file cannot be opened or recognised")
NO_DOCUMENT = Kind("no-document", ERROR, "the file has no document")
MALFORMED = Kind("malformed", ERROR, "something is not as the format says")
UNPAIRED = Kind("unpaired-bracket", ERROR, "a bracket has no partner")
NOT_UTF8 = Kind("not-utf8", ERROR, "a byte is not UTF-8")
REPEATED_DOCUMENT = Kind("repeated-document", ERROR, "a document id comes twice")

REPEATED_MENTION = Kind(
    "repeated-mention", WARNING, "a document has the same mention more than once"
)
CROSSING = Kind(
    "crossing-mentions", WARNING, "a mention crosses another of its own entity"
)
TWO_TYPES = Kind("two-types", WARNING, "the mentions of an entity have several types")
CUT_TOKEN = Kind(
    "cut-token", WARNING, "a mention begins or ends inside a token; it takes all of it"
)
LEFT_OUT = Kind(
    "left-out", WARNING, "something cannot be used and is left out, such as a head"
)
BROKEN_LINK = Kind(
    "broken-link", WARNING, "a split antecedent or bridge names no entity of its own"
)
MISPLACED = Kind(
    "misplaced",
    WARNING,
    "an empty node or multiword range is not where its number says",
)
OTHER_ENCODING = Kind(
    "other-encoding", WARNING, "a byte is not UTF-8, but only bytes are compared"
)
EMPTY_DOCUMENT = Kind("empty-document", WARNING, "a document has no words")
EMPTY_WORD = Kind("empty-word", WARNING, "words of a document are empty")
NO_MENTIONS = Kind("no-mentions", WARNING, "no document has any mention")

WITHOUT_MENTIONS = Kind("without-mentions", NOTE, "a document has no mention")
NESTED = Kind("nested-mention", NOTE, "a mention lies inside another of its own entity")
ACROSS_SENTENCES = Kind("across-sentences", NOTE, "a mention goes beyond its sentence")
LONG_MENTION = Kind("long-mention", NOTE, "a mention has more than 100 tokens")
BLANK_IN_WORD = Kind("blank-in-word", NOTE, "words of a document have blanks")
SINGLETONS = Kind(
    "singletons", NOTE, "a CoNLL-2012 file has singletons, as OntoNotes has none"
)
ORDER_OF_PARTS = Kind(
    "order-of-parts", NOTE, "the parts of a text are not numbered in order"
)
BYTE_ORDER_MARK = Kind("byte-order-mark", NOTE, "the file begins with one")
LINE_ENDS = Kind("line-ends", NOTE, "some lines end as on Windows, others do not")

KINDS: Mapping[str, Kind] = {
    kind.name: kind
    for kind in (
        UNREADABLE,
        NO_DOCUMENT,
        MALFORMED,
        UNPAIRED,
        NOT_UTF8,
        REPEATED_DOCUMENT,
        REPEATED_MENTION,
        CROSSING,
        TWO_TYPES,
        CUT_TOKEN,
        LEFT_OUT,
        BROKEN_LINK,
        MISPLACED,
        OTHER_ENCODING,
        EMPTY_DOCUMENT,
        EMPTY_WORD,
        NO_MENTIONS,
        WITHOUT_MENTIONS,
        NESTED,
        ACROSS_SENTENCES,
        LONG_MENTION,
        BLANK_IN_WORD,
        SINGLETONS,
        ORDER_OF_PARTS,
        BYTE_ORDER_MARK,
        LINE_ENDS,
    )
}


def is_listed(severity: str, *, least: str) -> bool:
    """Return whether a severity is at least another one.

    >>> [is_listed(severity, least="warning") for severity in SEVERITIES]
    [True, True, False]
    """
    return SEVERITIES.index(severity) <= SEVERITIES.index(least)
