"""brat standoff: a text, and next to it a file that points into it by characters.

1.  `story.ann` annotates `story.txt`, which must be in the same folder; `story` is the
    id of the document. Offsets count the characters of the text, line ends included; a
    byte-order mark counts as one, as in brat.
2.  `T1<tab>Person 0 5<tab>words` is a mention: the first character and the one behind
    the last. `0 5;9 12` is a mention of several parts. The words, where they are given,
    must be those of the text; blanks and line ends count alike.
3.  The type goes to `type`; `Mention` is what a mention without a type is written with,
    and is read as none.
4.  Tokens are those of the text, whatever the annotation. A mention that begins or ends
    inside a token takes all of it, and that is reported.
5.  `*<tab>Coref T1 T2 T3` and `R1<tab>Coref Arg1:T2 Arg2:T1` say that mentions refer to
    the same thing. A `*` line does so by any name, an `R` line by one that means
    coreference: `Coref...`, `Anaphor...`, `Cataphor...`, `Equiv...`, `Ident`,
    `Identity`, `Identical`, `Same`, `Same_As`, `Alias`, `Antecedent`, in any case.
    Other relations are left out; where a file has no other, that is reported.
6.  Mentions that are joined, directly or through others, are an entity; one without
    links is an entity by itself. An entity is named after the T of its first mention in
    the file; entities and mentions are in the order of the file.
7.  `E1<tab>Type:T3 ...` is an event: it stands for its trigger `T3` in other lines.
8.  `A1<tab>Name T1 value`, or `M1`, is an attribute; without a value it is empty.
9.  Notes (`#1`), normalizations (`N1`) and blank lines are left out.
10. LitBank has each mention twice: `NOM_PER` is its kind and type, and a type such as
    `Miss_Pole-12`, with the same offsets, names its entity. Both are one mention.
11. Lines of other kinds, ids that are missing or repeated, and mentions of no word are
    refused.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from corefkit.exceptions import quoted
from corefkit.formats import base
from corefkit.formats.documents import (
    Extent,
    Parsed,
    connected,
    document_reader,
    whole_file,
)
from corefkit.formats.kinds import LEFT_OUT
from corefkit.formats.lines import sound_lines
from corefkit.formats.plaintext import PlainText
from corefkit.formats.standoff.brat_mentions import (
    ID,
    LITBANK_KIND,
    TextBound,
    brat_files,
    mention_of,
)
from corefkit.formats.standoff.text import text_beside
from corefkit.model import Document, Entity, Mention
from corefkit.strings.ids import file_stem

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from corefkit.formats.bytefile import ByteFile
    from corefkit.formats.faults import Faults

_FIRST_LINE = re.compile(
    rb"""\s*(?:
        T[0-9]+\S*\t\S+[ ]+[0-9]+[ ]+[0-9]+(?:;[0-9]+[ ]+[0-9]+)*[ ]*[\t\r\n]
        | R[0-9]+\S*\t\S+[ ]+\S+:[TE][0-9]+
        | E[0-9]+\S*\t\S+:T[0-9]+
        | \*\t\S+[ ]+[TE][0-9]+
        | [AM][0-9]+\S*\t\S+[ ]+[TER][0-9]+
        | N[0-9]+\S*\tReference[ ]+[TER][0-9]+
        | \#[0-9]+\S*\t\S+[ ]+[TERAMN*][0-9]*
    )""",
    re.VERBOSE,
)
_COREFERENCE = re.compile(
    r"(coref|anaphor|cataphor|equiv).*"
    r"|ident|identity|identical|same|sameas|alias|antecedent"
)
_FRAGMENT = re.compile(r"([0-9]{1,15}) +([0-9]{1,15})")
_LITBANK_NAME = re.compile(r"\S+-[0-9]+")
_LINE_SHAPE = "a mention is 'T1<tab>Type start end<tab>words'"
_TEXT_HINT = "the text 'name.txt' belongs next to 'name.ann', with the same name"


def recognise(head: bytes) -> bool:
    """Return whether the first bytes of a file look like brat standoff."""
    return _FIRST_LINE.match(head) is not None


class _Row(NamedTuple):
    """A line of the file: its number, and what stands between the tabs."""

    line: int
    id: str
    body: str
    rest: str | None


def parse(file: ByteFile, extent: Extent, faults: Faults) -> Parsed:
    """Read the annotation of a text, and the text beside it."""
    names = [f"{file_stem(file.name)}.txt"]
    beside = text_beside(file, extent, names, faults, hint=_TEXT_HINT)
    if beside is None:
        return Parsed(Document(extent.id, (), ()), ())
    plain = PlainText(beside.text)
    rows = list(_rows(file, extent, faults))
    found = [bound for row in rows if (bound := _text_bound(row, faults))]
    litbank = _litbank_names(found)
    targets = _targets(rows, found, faults) | litbank
    attributes = _attributes(rows, targets, faults)
    mentions: dict[str, Mention] = {}
    for bound in found:
        known = attributes.get(bound.id, {})
        mention = mention_of(bound, plain, known, faults)
        if mention is not None and bound.id not in litbank:
            mentions[bound.id] = mention
    links = [*_links(rows, targets, faults), *_litbank_links(found, litbank)]
    if not links:
        _report_relations(rows, faults)
    entities = tuple(
        Entity(names[0], tuple(mentions[name] for name in names))
        for names in connected(mentions, links)
    )
    document = Document(extent.id, plain.sentences, entities)
    return Parsed(document, plain.lines(), beside.path)


def _rows(file: ByteFile, extent: Extent, faults: Faults) -> Iterator[_Row]:
    for number, line in sound_lines(file, extent.start, extent.end, faults):
        name, *cells = line.split("\t", 2)
        if not cells or name[:1] not in {*"TREAMN#*"}:
            message = f"{quoted(line)} is no annotation, expected T, E, R, A or *"
            faults(number, message, _LINE_SHAPE)
            continue
        yield _Row(number, name, cells[0], cells[1] if len(cells) > 1 else None)


def _text_bound(row: _Row, faults: Faults) -> TextBound | None:
    if not row.id.startswith("T"):
        return None
    if not ID.fullmatch(row.id):
        message = f"{quoted(row.id)} is no id of a mention, expected T and a number"
        faults(row.line, message, _LINE_SHAPE)
        return None
    kind, offsets = [*row.body.split(None, 1), "", ""][:2]
    parts = []
    for fragment in offsets.split(";"):
        match = _FRAGMENT.fullmatch(fragment.strip())
        if match is None:
            message = f"mention {quoted(row.id)} has the offsets {quoted(offsets)}"
            faults(row.line, message, _LINE_SHAPE)
            return None
        parts.append((int(match[1]), int(match[2])))
    return TextBound(row.line, row.id, kind, tuple(parts), row.rest)


def _litbank_names(found: list[TextBound]) -> dict[str, str]:
    """Find the lines that name an entity; return the mention that each stands for."""
    mentions = {
        bound.parts: bound.id for bound in found if LITBANK_KIND.fullmatch(bound.type)
    }
    return {
        bound.id: mentions[bound.parts]
        for bound in found
        if bound.parts in mentions and _LITBANK_NAME.fullmatch(bound.type)
    }


def _litbank_links(
    found: list[TextBound], litbank: Mapping[str, str]
) -> Iterable[list[str]]:
    named: dict[str, list[str]] = {}
    for bound in found:
        if bound.id in litbank:
            named.setdefault(bound.type, []).append(litbank[bound.id])
    return named.values()


def _targets(
    rows: list[_Row], found: list[TextBound], faults: Faults
) -> dict[str, str]:
    """Map each id to the mention that it stands for: itself, or an event's trigger."""
    targets: dict[str, str] = {}
    for bound in found:
        if bound.id in targets:
            message = f"mention {quoted(bound.id)} is repeated"
            faults(bound.line, message, "number the mentions anew")
        targets[bound.id] = bound.id
    for row in rows:
        if row.id.startswith("E"):
            trigger = row.body.split(" ", 1)[0].rpartition(":")[2]
            if trigger not in targets:
                _tell_unknown(row, trigger, faults)
            else:
                targets.setdefault(row.id, trigger)
    return targets


def _attributes(
    rows: list[_Row], targets: Mapping[str, str], faults: Faults
) -> dict[str, dict[str, str]]:
    attributes: dict[str, dict[str, str]] = {}
    for row in rows:
        if row.id[0] not in "AM":
            continue
        name, target, value = [*row.body.split(None, 2), "", "", ""][:3]
        if target in targets:
            attributes.setdefault(targets[target], {})[name] = value.strip()
        elif not target.startswith("R"):  # relations have attributes too
            _tell_unknown(row, target, faults)
    return attributes


def _links(
    rows: list[_Row], targets: Mapping[str, str], faults: Faults
) -> Iterator[list[str]]:
    for row in rows:
        _, *ends = row.body.split() or [""]
        if _is_coreference(row):
            ends = [end.rpartition(":")[2] for end in ends]
        elif not row.id.startswith("*"):
            continue
        if len(ends) < 2:
            message = f"{quoted(row.body)} links nothing, expected two mentions"
            hint = "a link is '*<tab>Coref T1 T2' or 'R1<tab>Coref Arg1:T2 Arg2:T1'"
            faults(row.line, message, hint)
        for end in ends:
            if end not in targets:
                _tell_unknown(row, end, faults)
        yield [targets[end] for end in ends if end in targets]


def _is_coreference(row: _Row) -> bool:
    kind = re.sub(r"[\W_]+", "", row.body.partition(" ")[0].lower())
    return row.id.startswith("R") and _COREFERENCE.fullmatch(kind) is not None


def _report_relations(rows: list[_Row], faults: Faults) -> None:
    """Say that a file has relations, but none that means coreference."""
    for row in rows:
        if row.id.startswith("R"):
            kind = quoted(row.body.partition(" ")[0])
            message = f"relations like {kind} are not coreference"
            hint = "every mention is an entity by itself; name the relations 'Coref'"
            faults(row.line, f"{message}, and there is no other", hint, kind=LEFT_OUT)
            return


def _tell_unknown(row: _Row, name: str, faults: Faults) -> None:
    message = f"{quoted(row.id)} names {quoted(name)}, which is missing"
    faults(row.line, message, "only mentions and events are named")


READER = document_reader(
    whole_file(lambda file: file_stem(file.name)), parse, running=True
)
WRITER = base.Writer(
    alters=base.TEXT_MARKS,
    carries=base.CROSSINGS | {base.GAPS, base.TYPES, base.ATTRIBUTES},
    files=brat_files,
)
