"""Validation of CoNLL-U as the CorefUD shared tasks require it: profile `corefud`.

The tests, and the verdict on a file, are those of level 6 of the official validator of
Universal Dependencies (udtools 0.2.9). Some differ from the rules for scoring:

-   Mentions end in their sentence. The first `global.Entity` applies to the entire
    file; brackets are only checked if it has `eid`.
-   Types and identities are compared across documents. Texts are compared as they are
    written: `%2D` is not decoded, and an empty head is not the same as no head.
-   `entity-across-newdoc` does not see `# newdoc id = ...`, relations of `Bridge` are
    not checked, and every second `SplitAnte` of an entity is rejected.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

from corefkit.exceptions import quoted
from corefkit.formats import problems as kinds
from corefkit.formats.brackets import TEXTS
from corefkit.formats.conllu import COLUMNS
from corefkit.formats.problems import ERROR, SEVERITIES, WARNING, Faults

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from corefkit.formats.brackets import Bracket
    from corefkit.formats.files import ByteFile
    from corefkit.formats.problems import Problem, ProblemKind

_TYPES = (
    "person, place, organization, animal, plant, object, substance, time, number, "
    "abstract, event, other"
)
_DECLARATION = re.compile(r"#\s*global\.Entity\s*=\s*(.+)")
_NEWDOC = re.compile(r"#\s*newdoc(?:\s+\S+)?")
_FIELDS = re.compile("[a-z]+(?:-[a-z]+)*")
_RANGE = re.compile("[1-9][0-9]*-[1-9][0-9]*")
_PART = re.compile(r"(.+)\[([1-9]\d*)/([1-9]\d*)\]")
_HEAD = re.compile("[1-9][0-9]*")
_ID = "[^(< :>)]+"
_SPLIT = re.compile(f"({_ID})<({_ID})")
_SPLITS = re.compile(f"{_ID}<{_ID}(?:,{_ID}<{_ID})*")
_BRIDGES = re.compile("{0}(?:,{0})*".format(f"{_ID}<{_ID}(?::[a-z]+)?"))
_ITEM = re.compile("(Entity|Bridge|SplitAnte)=(.*)", re.DOTALL)
_SEVERAL = {
    "Entity": kinds.SEVERAL_ENTITIES,
    "Bridge": kinds.SEVERAL_BRIDGES,
    "SplitAnte": kinds.SEVERAL_SPLITS,
}
_LONE = {"Bridge": kinds.LONE_BRIDGE, "SplitAnte": kinds.LONE_SPLIT}
_COMPARED = {"etype": kinds.OTHER_TYPE, "identity": kinds.OTHER_IDENTITY}
_PART_HINT = "parts are numbered [1/2], [2/2]; each closes before the next opens"
_SPLIT_HINT = "as in 'SplitAnte=e3<e7,e4<e7' on the first token of a mention of e7"
_BRACKET_HINT = (
    "'(e5-person-1' opens a mention, 'e5)' closes it; closing ones are first"
)
_HINTS = {
    kinds.OTHER_FIELDS: "declare the same fields in the entire file",
    kinds.INVALID_FIELDS: "as in '# global.Entity = eid-etype-head-other'",
    kinds.RANGE_ITEM: "put it on one of the words",
    kinds.SEVERAL_ENTITIES: "join their brackets in one item",
    kinds.SEVERAL_BRIDGES: "join their links by commas in one item",
    kinds.SEVERAL_SPLITS: "join their links by commas in one item",
    kinds.LONE_BRIDGE: "put it on the first token of the bridging mention",
    kinds.LONE_SPLIT: _SPLIT_HINT,
    kinds.UNDECLARED: "begin with '# global.Entity = eid-etype-head-other'",
    kinds.INVALID_BRACKETS: _BRACKET_HINT,
    kinds.EXTRA_VALUES: "only opening brackets have values; a hyphen is '%2D'",
    kinds.INVALID_PART: _PART_HINT,
    kinds.MISPLACED_PART: _PART_HINT,
    kinds.OTHER_VALUES: "repeat the values of the first part in the others",
    kinds.REUSED_ID: "use each id in one document only",
    kinds.INVALID_TYPE: f"expected nothing, or one of {_TYPES}",
    kinds.INVALID_HEAD: "expected a position in the mention, counted from 1",
    kinds.OTHER_TYPE: "write the same type in all mentions of an entity",
    kinds.OTHER_IDENTITY: "write the same identity in all mentions of an entity",
    kinds.UNOPENED: "close a mention in its own sentence, with the same id",
    kinds.HEAD_OUTSIDE: "expected a position in the mention, counted from 1",
    kinds.SAME_SPAN: "keep one of them, or join their entities",
    kinds.CROSSING_OWN: "check where the two begin and end",
    kinds.UNCLOSED: "close the mention in the sentence of its start",
    kinds.INVALID_BRIDGE: "as in 'Bridge=e3<e7:part', with lower-case relations",
    kinds.INVALID_SPLIT: _SPLIT_HINT,
    kinds.OWN_SPLIT: _SPLIT_HINT,
    kinds.MISPLACED_SPLIT: _SPLIT_HINT,
    kinds.REPEATED_SPLIT: "name each antecedent once",
    kinds.SINGLE_SPLIT: _SPLIT_HINT,
    kinds.SECOND_SPLIT: "annotate the antecedents at one mention of the entity",
    kinds.ILL_NESTED: "check that the two cross in the text",
}
# Plain problems of files that the official validator rejects too, at level 1.
_STRUCTURE = (
    kinds.NO_DOCUMENT,
    kinds.WRONG_COLUMNS,
    kinds.WRONG_NUMBER,
    kinds.NOT_UTF8,
)


def apply_profile(file: ByteFile, problems: Iterable[Problem]) -> list[Problem]:
    """Add the problems of the official tests to those of a file.

    Plain errors of annotation become warnings, because the official validator accepts
    them. Lines with an official error have no other problems.
    """
    faults = Faults(file, [])
    _Checker(faults).check_file(file)
    official = faults.sorted_problems
    lines = {problem.line for problem in official if problem.severity == ERROR}
    structural = {kind.code for kind in _STRUCTURE}
    for problem in problems:
        if problem.code in structural:
            official.append(problem)
        elif problem.line not in lines:
            severity = max(problem.severity, WARNING, key=SEVERITIES.index)
            official.append(replace(problem, severity=severity))
    return kinds.sort_problems(official)


@dataclass(slots=True, eq=False)
class _OpenMention:
    """A mention, or a part of one, while it is open."""

    label: str  # as in the bracket: the id, such as `e5`, or `e5[1/2]` for a part
    line: int
    nodes: list[str]
    values: Sequence[str]  # without the id
    part: int
    head: int = 0  # 0 if there is none


class _Checker:
    """Runs the tests token by token."""

    def __init__(self, faults: Faults) -> None:
        self._faults = faults
        self._line = 0
        self._declared: tuple[str, int] | None = None  # the text, and its line
        self._fields: list[str] = []
        self._entity_lines: dict[str, int] = {}  # the first one in this document
        self._earlier_lines: dict[str, int] = {}  # those of earlier documents
        self._first: dict[str, tuple[list[str], int]] = {}  # values to be compared
        self._split_lines: dict[str, int] = {}
        self._start_sentence()

    def _start_sentence(self) -> None:
        self._open: list[_OpenMention] = []
        # Mentions with parts to come, by entity and number of parts.
        self._incomplete: dict[tuple[str, int], list[_OpenMention]] = {}
        self._spans: dict[str, dict[tuple[str, ...], int]] = {}  # lines, by entity

    def _report(self, kind: ProblemKind, detail: str, line: int | None = None) -> None:
        message = f"{kind.meaning.replace('`', chr(39))}: {detail}"
        self._faults(line or self._line, message, _HINTS[kind], kind=kind)

    def check_file(self, file: ByteFile) -> None:
        comments: list[tuple[int, str]] = []
        rows: list[tuple[int, list[str]]] = []
        for number, (_, line) in enumerate(file.lines(file.text_start, file.size), 1):
            text = line.decode("utf-8", "replace").rstrip("\r\n")
            if text.startswith("#"):
                comments.append((number, text))
            elif text.strip():
                rows.append((number, text.split("\t")))
            else:
                self._check_sentence(comments, rows)
                comments, rows = [], []
        self._check_sentence(comments, rows)

    def _check_sentence(
        self, comments: list[tuple[int, str]], rows: list[tuple[int, list[str]]]
    ) -> None:
        if not rows or any(len(row) != COLUMNS for _, row in rows):
            return  # the reader reports it
        for self._line, comment in comments:
            if match := _DECLARATION.fullmatch(comment):
                self._declare(match[1])
            elif _NEWDOC.fullmatch(comment):
                self._earlier_lines |= self._entity_lines
                self._entity_lines = {}
        for self._line, row in rows:
            is_range = _RANGE.fullmatch(row[0]) is not None
            for mention in [] if is_range else self._open:
                mention.nodes.append(row[0])
            items = list(filter(None, map(_ITEM.fullmatch, row[-1].split("|"))))
            if items and self._accepts(items, is_range=is_range):
                self._check_items({item[1]: item[2] for item in items}, row[0])
        incomplete = chain.from_iterable(self._incomplete.values())
        for mention in chain(self._open, incomplete):
            self._report(kinds.UNCLOSED, quoted(mention.label), mention.line)
        self._start_sentence()

    def _declare(self, text: str) -> None:
        if self._declared is not None:
            first, line = self._declared
            if text != first:
                detail = f"{quoted(text)}, expected {quoted(first)} as in line {line}"
                self._report(kinds.OTHER_FIELDS, detail)
            return
        self._declared = text, self._line
        errors = ["expected lower-case names separated by hyphens"]
        if _FIELDS.fullmatch(text):
            self._fields = text.split("-")
            errors = list(_find_misplaced_fields(self._fields))
        for error in errors:
            self._report(kinds.INVALID_FIELDS, f"{quoted(text)}, {error}")

    def _accepts(self, items: Sequence[re.Match[str]], *, is_range: bool) -> bool:
        """Return whether a token can have some items; otherwise report it."""
        counts = Counter(item[1] for item in items)
        repeated = [_SEVERAL[name] for name in _SEVERAL if counts[name] > 1]
        lone = [_LONE[name] for name in _LONE if counts[name] and not counts["Entity"]]
        undeclared = [] if self._declared else [kinds.UNDECLARED]
        ranged = [kinds.RANGE_ITEM] if is_range else []
        for kind in [*ranged, *repeated, *lone, *undeclared][:1]:
            self._report(kind, quoted("|".join(item[0] for item in items)))
            return False
        return True

    def _check_items(self, items: dict[str, str], node: str) -> None:
        """Check the items of a token by their names."""
        brackets = TEXTS.split_cell(items["Entity"])
        starting: set[str] = set()
        if not brackets or not all(map(_is_valid_bracket, brackets)):
            self._report(kinds.INVALID_BRACKETS, quoted(items["Entity"]))
        elif "eid" not in self._fields:
            return
        else:
            for text in _find_misplaced_brackets(brackets):
                detail = f"{quoted(text)} is misplaced in {quoted(items['Entity'])}"
                self._report(kinds.INVALID_BRACKETS, detail)
            starting = self._check_brackets(brackets, node)
        bridges = items.get("Bridge")
        if bridges is not None and not _BRIDGES.fullmatch(bridges):
            self._report(kinds.INVALID_BRIDGE, quoted(bridges))
        if "SplitAnte" in items:
            self._check_splits(items["SplitAnte"], starting)

    def _check_brackets(self, brackets: Iterable[Bracket], node: str) -> set[str]:
        """Check the brackets of a token; return the entities that open at it."""
        starting: set[str] = set()
        ending: dict[tuple[int, tuple[str, ...]], str] = {}
        for text, opens, closes in brackets:
            values = text.split("-")
            expected = len(self._fields) if opens else 1
            if len(values) > expected:
                detail = f"{quoted(text)} has {len(values)}, expected {expected}"
                self._report(kinds.EXTRA_VALUES, detail)
            label = (self._find_value("eid", values) or "") if opens else values[0]
            entity, part, total = label, 1, 1
            if match := _PART.fullmatch(label):
                entity, part, total = match[1], int(match[2]), int(match[3])
                is_invalid = total == 1 or part > total
            else:
                is_invalid = label[:1] in ("[", "]")
            if is_invalid:
                self._report(kinds.INVALID_PART, quoted(label))
            incomplete = self._incomplete.setdefault((entity, total), [])
            if opens:
                mention = self._open_mention(label, part, values, node)
                if total > 1:
                    self._check_part(mention, incomplete)
                self._compare_values(entity, values)
                starting |= {entity} if part == 1 else set()
            closed = self._close_bracket(label) if closes else None
            if closed is not None:
                if total > 1:
                    closed = self._join_part(closed, incomplete)
                if part == total:
                    incomplete[-1:] = []
                    self._check_span(entity, closed, ending)
        return starting

    def _find_value(self, name: str, values: Sequence[str]) -> str | None:
        """Return the value of a field; None if it is not declared or left out."""
        position = self._fields.index(name) if name in self._fields else len(values)
        return values[position] if position < len(values) else None

    def _open_mention(
        self, label: str, part: int, values: Sequence[str], node: str
    ) -> _OpenMention:
        position = self._fields.index("eid")
        others = [*values[:position], *values[position + 1 :]]
        mention = _OpenMention(label, self._line, [node], others, part)
        head = self._find_value("head", values)
        if head is not None and _HEAD.fullmatch(head):
            mention.head = int(head)
        elif head is not None:
            self._report(kinds.INVALID_HEAD, f"{quoted(head)} of {quoted(label)}")
        self._open.append(mention)
        return mention

    def _compare_values(self, entity: str, values: Sequence[str]) -> None:
        """Compare the values of a mention with those of the first one of its entity."""
        if line := self._earlier_lines.get(entity):
            self._report(kinds.REUSED_ID, f"{quoted(entity)}, also in line {line}")
        self._entity_lines.setdefault(entity, self._line)
        compared = [self._find_value(name, values) or "" for name in _COMPARED]
        if compared[0] and compared[0] not in _TYPES.split(", "):
            self._report(kinds.INVALID_TYPE, quoted(compared[0]))
        first, line = self._first.setdefault(entity, (compared, self._line))
        for kind, value, expected in zip(
            _COMPARED.values(), compared, first, strict=True
        ):
            if value != expected:
                detail = f"{quoted(value)} of {quoted(entity)}, expected "
                self._report(kind, f"{detail}{quoted(expected)} as in line {line}")

    def _check_part(self, part: _OpenMention, incomplete: list[_OpenMention]) -> None:
        """Check a part of a mention against those before; `incomplete` waits for it."""
        if part.part == 1 or not incomplete:
            if part.part > 1:
                self._report(
                    kinds.MISPLACED_PART, f"{quoted(part.label)} without part 1"
                )
            incomplete.append(replace(part, nodes=[]))
            return
        mention = incomplete[-1]
        if part.part != mention.part + 1:
            detail = f"{quoted(part.label)} after part {mention.part}"
            self._report(kinds.MISPLACED_PART, detail)
        elif part.values != mention.values:
            found, expected = ("-".join(row.values) for row in (part, mention))
            detail = f"{quoted(found)} of {quoted(part.label)}, expected "
            detail += f"{quoted(expected)} as in line {mention.line}"
            self._report(kinds.OTHER_VALUES, detail)

    def _join_part(
        self, part: _OpenMention, incomplete: list[_OpenMention]
    ) -> _OpenMention:
        """Add a part to its mention; return the part with the tokens of the mention."""
        if not incomplete:
            self._report(
                kinds.MISPLACED_PART, f"{quoted(part.label)} after the last part"
            )
            incomplete.append(replace(part, nodes=[]))
        incomplete[-1].part = part.part
        incomplete[-1].nodes += part.nodes
        return replace(part, nodes=incomplete[-1].nodes)

    def _close_bracket(self, label: str) -> _OpenMention | None:
        if self._open and self._open[-1].label != label:
            last = self._open[-1]
            detail = f"{quoted(label)} closes before {quoted(last.label)}"
            self._report(kinds.ILL_NESTED, f"{detail} of line {last.line}")
        matching = (row for row in reversed(self._open) if row.label == label)
        if mention := next(matching, None):
            self._open.remove(mention)
        else:
            self._report(kinds.UNOPENED, quoted(label))
        return mention

    def _check_span(
        self,
        entity: str,
        mention: _OpenMention,
        ending: dict[tuple[int, tuple[str, ...]], str],
    ) -> None:
        """Check the tokens of a mention; `ending` has those ending at the token."""
        span, nodes, line = tuple(mention.nodes), set(mention.nodes), mention.line
        if len(span) < mention.head:
            detail = f"{mention.head} of {quoted(entity)}, which has {len(span)} tokens"
            self._report(kinds.HEAD_OUTSIDE, detail, line)
        if other := ending.get((line, span)):
            self._report(kinds.SAME_SPAN, f"{quoted(other)} and {quoted(entity)}", line)
        ending.setdefault((line, span), entity)
        spans = self._spans.setdefault(entity, {})
        for shared, other_line in spans.items():
            if not nodes.isdisjoint(shared) and nodes - {*shared} and {*shared} - nodes:
                detail = f"{quoted(entity)} here and in line {other_line}"
                self._report(kinds.CROSSING_OWN, detail, line)
        spans[span] = line

    def _check_splits(self, text: str, starting: set[str]) -> None:
        """Check `SplitAnte`, given the entities that open at its token."""
        if not _SPLITS.fullmatch(text):
            self._report(kinds.INVALID_SPLIT, quoted(text))
            return
        matches = filter(None, map(_SPLIT.fullmatch, text.split(",")))
        links = [(match[1], match[2]) for match in matches]
        for (antecedent, anaphor), count in Counter(links).items():
            if antecedent == anaphor:
                self._report(kinds.OWN_SPLIT, quoted(anaphor))
            elif anaphor not in starting:
                self._report(
                    kinds.MISPLACED_SPLIT, f"{quoted(anaphor)} does not open here"
                )
            if count > 1:
                self._report(kinds.REPEATED_SPLIT, quoted(f"{antecedent}<{anaphor}"))
        for anaphor, count in Counter(anaphor for _, anaphor in links).items():
            if count == 1:
                self._report(kinds.SINGLE_SPLIT, quoted(anaphor))
            line = self._split_lines.setdefault(anaphor, self._line)
            if line != self._line:
                detail = f"{quoted(anaphor)} here and in line {line}"
                self._report(kinds.SECOND_SPLIT, detail)


def _find_misplaced_fields(names: Sequence[str]) -> Iterator[str]:
    for position, name in enumerate(("eid", "etype", "head", "other")):
        is_required = name != "other"
        if names[position : position + 1] != [name] and (is_required or name in names):
            yield f"expected {name!r} as field {position + 1}"
    if len(names) > len(set(names)):
        yield "expected no name twice"


def _find_misplaced_brackets(brackets: Iterable[Bracket]) -> Iterator[str]:
    """Find brackets that are neither before the closing nor after the opening ones."""
    has_opened = has_closed = follows_single = False
    for text, opens, closes in brackets:
        if opens and closes:
            is_misplaced = has_closed and not has_opened
            follows_single = True
        elif opens:
            is_misplaced = follows_single and (has_opened or not has_closed)
            has_opened, follows_single = True, False
        else:
            is_misplaced = has_opened
            has_closed = True
        if is_misplaced:
            yield text


def _is_valid_bracket(bracket: Bracket) -> bool:
    text, opens, closes = bracket
    return text != "" and " " not in text and (opens or closes)
