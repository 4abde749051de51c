"""Problems of an input: their kinds, and the collector that readers report them to.

Readers report all problems to `Faults` and continue as well as they can. If a file is
scored, the first error is raised; if it is validated, all problems are collected.

The severity of a problem is its effect on scoring: a file with an `error` cannot be
scored; with a `warning` it can, but the annotation probably has an error; a `note` is
only unusual. Each kind has a stable name and one severity. Its code is `format/` and
the name; the kind `malformed` is divided further, by codes alone.

The kinds of profile `corefud` are the tests of level 6 of the official validator of
Universal Dependencies, by their ids there. Only that profile reports them, and their
severity is the one of the official validator.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

from corefkit.exceptions import FormatError, quoted
from corefkit.strings import escape_terminal

if TYPE_CHECKING:
    from collections.abc import Iterable

ERROR, WARNING, NOTE = SEVERITIES = ("error", "warning", "note")
SAVE_AS_UTF8 = "save the file as UTF-8"
_MAX_ID_LENGTH = 40  # of ids that messages contain without quotes


class ProblemKind(NamedTuple):
    """A kind of problem: its name, its severity, and a description."""

    name: str
    severity: str
    meaning: str
    slug: str = ""  # of the code, if it differs from the name

    @property
    def code(self) -> str:
        """The code of the errors of this kind."""
        return f"format/{self.slug or self.name}"


KINDS: dict[str, ProblemKind] = {}
"""The kinds of problems by their names."""


def _add_kind(name: str, severity: str, meaning: str, slug: str = "") -> ProblemKind:
    KINDS[name] = ProblemKind(name, severity, meaning, slug)
    return KINDS[name]


def _add_test(name: str, meaning: str, severity: str = ERROR) -> ProblemKind:
    """Add a test of the official validator of CorefUD."""
    return _add_kind(name, severity, meaning)


UNREADABLE = _add_kind("unreadable", ERROR, "the file cannot be opened or recognised")
NO_DOCUMENT = _add_kind("no-document", ERROR, "the file has no document")
MALFORMED = _add_kind("malformed", ERROR, "the file violates a rule of its format")
UNPAIRED = _add_kind(
    "unpaired-bracket", ERROR, "a bracket has no partner", "unbalanced-bracket"
)
NOT_UTF8 = _add_kind("not-utf8", ERROR, "a byte is not UTF-8")
REPEATED_DOCUMENT = _add_kind(
    "repeated-document", ERROR, "two documents have the same id"
)

REPEATED_MENTION = _add_kind(
    "repeated-mention", WARNING, "a document has the same mention more than once"
)
CROSSING = _add_kind(
    "crossing-mentions", WARNING, "a mention crosses another of its own entity"
)
TWO_TYPES = _add_kind(
    "two-types", WARNING, "the mentions of an entity have several types"
)
CUT_TOKEN = _add_kind(
    "cut-token", WARNING, "a mention begins or ends inside a token; it is extended"
)
LEFT_OUT = _add_kind("left-out", WARNING, "an invalid value is ignored, such as a head")
BROKEN_LINK = _add_kind(
    "broken-link",
    WARNING,
    "a split antecedent or bridge has an unknown or missing entity",
)
MISPLACED = _add_kind(
    "misplaced",
    WARNING,
    "the number of an empty node or multiword range is out of order",
)
OTHER_ENCODING = _add_kind(
    "other-encoding", WARNING, "a byte is not UTF-8; scoring only compares bytes"
)
EMPTY_DOCUMENT = _add_kind("empty-document", WARNING, "a document has no words")
EMPTY_WORD = _add_kind("empty-word", WARNING, "words of a document are empty")
LARGE_SPAN = _add_kind(
    "span-too-large",
    WARNING,
    "a mention of a document without words implies too many tokens to write them",
)
NO_MENTIONS = _add_kind("no-mentions", WARNING, "no document has any mention")

WITHOUT_MENTIONS = _add_kind("without-mentions", NOTE, "a document has no mention")
NESTED = _add_kind(
    "nested-mention", NOTE, "a mention lies inside another of its own entity"
)
ACROSS_SENTENCES = _add_kind(
    "across-sentences", NOTE, "a mention goes beyond its sentence"
)
LONG_MENTION = _add_kind("long-mention", NOTE, "a mention has more than 100 tokens")
BLANK_IN_WORD = _add_kind("blank-in-word", NOTE, "words of a document have blanks")
SINGLETONS = _add_kind(
    "singletons", NOTE, "a CoNLL-2012 file has singletons, as OntoNotes has none"
)
ORDER_OF_PARTS = _add_kind(
    "order-of-parts", NOTE, "the parts of a text are not numbered in order"
)
BYTE_ORDER_MARK = _add_kind("byte-order-mark", NOTE, "the file begins with one")
LINE_ENDS = _add_kind("line-ends", NOTE, "some lines end as on Windows, others do not")

# Tests of profile `corefud`.
OTHER_FIELDS = _add_test("global-entity-mismatch", "two `global.Entity` differ")
INVALID_FIELDS = _add_test("spurious-global-entity", "`global.Entity` is invalid")
RANGE_ITEM = _add_test("entity-mwt", "a multiword range has annotation")
SEVERAL_ENTITIES = _add_test("multiple-entity-statements", "`Entity` is repeated")
SEVERAL_BRIDGES = _add_test("multiple-bridge-statements", "`Bridge` is repeated")
SEVERAL_SPLITS = _add_test("multiple-splitante-statements", "`SplitAnte` is repeated")
LONE_BRIDGE = _add_test("bridge-without-entity", "`Bridge` is without `Entity`")
LONE_SPLIT = _add_test("splitante-without-entity", "`SplitAnte` is without `Entity`")
UNDECLARED = _add_test("entity-without-global-entity", "`Entity` is not declared")
INVALID_BRACKETS = _add_test("spurious-entity-statement", "`Entity` is invalid")
EXTRA_VALUES = _add_test("too-many-entity-attributes", "too many values")
INVALID_PART = _add_test("spurious-entity-id", "an id has invalid square brackets")
MISPLACED_PART = _add_test("misplaced-mention-part", "parts are out of order")
OTHER_VALUES = _add_test("mention-attribute-mismatch", "values of parts differ")
REUSED_ID = _add_test("entity-across-newdoc", "two documents have the same entity id")
INVALID_TYPE = _add_test("spurious-entity-type", "a type is not one of CorefUD")
INVALID_HEAD = _add_test("spurious-mention-head", "a head is not a positive number")
OTHER_TYPE = _add_test("entity-type-mismatch", "types of an entity differ")
OTHER_IDENTITY = _add_test("entity-identity-mismatch", "identities of an entity differ")
UNOPENED = _add_test("ill-nested-entities", "a mention closes that is not open")
HEAD_OUTSIDE = _add_test("mention-head-out-of-range", "a head is beyond its mention")
SAME_SPAN = _add_test("same-span-entity-mentions", "mentions have the same tokens")
CROSSING_OWN = _add_test("crossing-mentions-same-entity", "mentions of an entity cross")
UNCLOSED = _add_test("cross-sentence-mention", "a mention does not end in its sentence")
INVALID_BRIDGE = _add_test("spurious-bridge-statement", "`Bridge` is invalid")
INVALID_SPLIT = _add_test("spurious-splitante-statement", "`SplitAnte` is invalid")
OWN_SPLIT = _add_test("spurious-splitante-relation", "an entity is its own antecedent")
MISPLACED_SPLIT = _add_test("misplaced-splitante-statement", "`SplitAnte` is misplaced")
REPEATED_SPLIT = _add_test("repeated-splitante-relation", "an antecedent is repeated")
SINGLE_SPLIT = _add_test("only-one-split-antecedent", "one split antecedent only")
SECOND_SPLIT = _add_test("split-antecedent-mismatch", "an entity has two `SplitAnte`")
ILL_NESTED = _add_test("ill-nested-entities-warning", "two mentions cross", WARNING)

INVALID_ANNOTATION = MALFORMED._replace(slug="invalid-annotation")
INCOMPLETE_MENTION = MALFORMED._replace(slug="incomplete-mention")
CONFLICTING_ENTITIES = MALFORMED._replace(slug="conflicting-entities")
INVALID_SPAN = MALFORMED._replace(slug="invalid-span")
MISSING_ID = MALFORMED._replace(slug="missing-id")
REPEATED_ID = MALFORMED._replace(slug="repeated-id")
UNKNOWN_ID = MALFORMED._replace(slug="unknown-id")
UNPAIRED_TAG = MALFORMED._replace(slug="unpaired-tag")
UNPAIRED_DOCUMENT = MALFORMED._replace(slug="unpaired-document")
WRONG_COLUMNS = MALFORMED._replace(slug="wrong-columns")
WRONG_NUMBER = MALFORMED._replace(slug="wrong-number")
INVALID_HEADER = MALFORMED._replace(slug="invalid-header")
MISSING_TEXT = MALFORMED._replace(slug="missing-text")
DIFFERENT_TEXT = MALFORMED._replace(slug="different-text")
INVALID_JSON = MALFORMED._replace(slug="invalid-json")
INVALID_XML = MALFORMED._replace(slug="invalid-xml")
INVALID_RECORD = MALFORMED._replace(slug="invalid-record")
UNKNOWN_DIALECT = MALFORMED._replace(slug="unknown-dialect")
AMBIGUOUS_DIALECT = MALFORMED._replace(slug="ambiguous-dialect")


@dataclass(frozen=True, slots=True)
class Problem:
    r"""A problem of a file: an error, a warning or a note.

    Attributes:
        file: the display name of the file, or the path of a file in a folder.
        line: the line, counted from 1; None if the problem concerns the entire file.
        message: the problem, and the expected value.
        hint: the next step, or the effect on scoring; None by default.
        severity: `error`, `warning` or `note`.
        kind: the name of its kind, as in `repeated-mention`.
        code: the code of the error, as in `format/repeated-mention`.

    >>> print(Problem("key.conll", 7, "no such bracket", "close it"))
    key.conll:7: no such bracket
      hint: close it
    >>> print(Problem("key.conll", None, "it is odd", severity="warning"))
    key.conll: warning: it is odd
    """

    file: str
    line: int | None
    message: str
    hint: str | None = None
    severity: str = ERROR
    kind: str = MALFORMED.name
    code: str = MALFORMED.code

    def __str__(self) -> str:
        """Format location and message in one line, and the hint in the next."""
        location = self.file if self.line is None else f"{self.file}:{self.line}"
        label = "" if self.severity == ERROR else f"{self.severity}: "
        text = escape_terminal(f"{location}: {label}{self.message}")
        return f"{text}\n  hint: {escape_terminal(self.hint)}" if self.hint else text


class LineIndex(Protocol):
    """An input with line numbers: a file by byte offsets, a table by rows."""

    @property
    def name(self) -> str:
        """Display name of the input."""

    def line_number(self, position: int, /) -> int:
        """Return the line of an offset or a row."""

    def format_place(self, position: int, /) -> str:
        """Format an offset or a row as `file:line`."""


@dataclass(frozen=True, slots=True)
class Faults:
    """Collector for the problems of an input, or else raises the first error."""

    source: LineIndex | str  # a name suffices if problems are reported by line
    problems: list[Problem] | None = None  # None raises errors and ignores the rest

    @property
    def name(self) -> str:
        return self.source if isinstance(self.source, str) else self.source.name

    @property
    def sorted_problems(self) -> list[Problem]:
        return sort_problems(self.problems or ())

    def __call__(
        self,
        line: int | None,
        message: str,
        hint: str | None = None,
        *,
        kind: ProblemKind = MALFORMED,
    ) -> None:
        """Report a problem of a line, or of the entire file if the line is None."""
        if self.problems is not None:
            row = kind.severity, kind.name, kind.code
            self.problems.append(Problem(self.name, line, message, hint, *row))
        elif kind.severity == ERROR:
            place = self.name if line is None else f"{self.name}:{line}"
            raise FormatError(message, code=kind.code, place=place, hint=hint)

    def report_at(
        self,
        position: int,
        message: str,
        hint: str | None = None,
        *,
        kind: ProblemKind = MALFORMED,
    ) -> None:
        """Report a problem at a byte offset of a file, or in a row of a table."""
        assert not isinstance(self.source, str), "a name has no positions"
        if self.problems is not None:
            self(self.source.line_number(position), message, hint, kind=kind)
        elif kind.severity == ERROR:
            place = self.source.format_place(position)
            raise FormatError(message, code=kind.code, place=place, hint=hint)

    def copy_for(self, name: str) -> Faults:
        """Return a collector for another file that is read along with this one."""
        return Faults(name, self.problems)

    def report_not_utf8(self, line: int, byte: int) -> None:
        """Report that a byte of a line, counted from 1, is not UTF-8."""
        message = f"byte {byte} of the line is not UTF-8"
        self(line, message, SAVE_AS_UTF8, kind=NOT_UTF8)

    def report_repeated_mention(
        self, line: int, mention: str, entity: str, earlier: str
    ) -> None:
        entities = f"in entity {format_id(entity)} and in entity {format_id(earlier)}"
        if entity == earlier:
            entities = f"twice in entity {format_id(entity)}"
        hint = "scoring keeps the first of them (--repeated first)"
        self(line, f"mention {mention} is {entities}", hint, kind=REPEATED_MENTION)

    def report_repeated_document(
        self, line: int, document_id: str, earlier: int
    ) -> None:
        message = f"document {quoted(document_id)} is repeated"
        hint = f"it first begins at line {earlier}"
        self(line, message, hint, kind=REPEATED_DOCUMENT)


def has_errors(problems: Iterable[Problem]) -> bool:
    """Return whether any of some problems is an error."""
    return any(problem.severity == ERROR for problem in problems)


def sort_problems(problems: Iterable[Problem]) -> list[Problem]:
    """Sort problems by their lines; those of the entire file come first."""
    return sorted(problems, key=lambda problem: problem.line or 0)


def format_id(entity_id: str) -> str:
    r"""Format an id for a message; it is quoted if it is long or not printable.

    >>> format_id("e7"), format_id("a\tb"), format_id("")
    ('e7', "'a\\tb'", "''")
    """
    is_plain = entity_id.isprintable() and 0 < len(entity_id) <= _MAX_ID_LENGTH
    return entity_id if is_plain else quoted(entity_id)
