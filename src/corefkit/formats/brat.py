"""brat standoff: a text, and a file next to it with annotation by character offsets.

`docs/formats/xml.md` defines the format; these rules add to it:

-   A byte-order mark counts as one character, as in brat.
-   The words of a mention are optional; they must be those of the text, except for
    blanks and line ends.
-   A mention without a type is written as `Mention`, which is not read as a type.
-   Names of relations that mean coreference are compared in any case.
-   Entities and mentions are in the order of the file.
-   LitBank has each mention twice: `NOM_PER` is its kind and type, and a type such as
    `Miss_Pole-12` at the same offsets is the name of its entity.
"""

from __future__ import annotations

import re
from itertools import chain, count, islice
from typing import TYPE_CHECKING, NamedTuple

from corefkit.exceptions import quoted
from corefkit.formats import problems as kinds
from corefkit.formats import source as base
from corefkit.formats.brackets import list_sentences, read_lines
from corefkit.formats.plaintext import (
    PlainText,
    Span,
    find_tokens,
    join_sentences,
    protect_start,
    read_companion_text,
)
from corefkit.formats.source import Extent, Parsed
from corefkit.model import Document, Entity, Mention
from corefkit.strings import get_stem

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from corefkit.formats.files import ByteFile
    from corefkit.formats.problems import Faults

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
_ID = re.compile(r"T[0-9]+\S*")
_FRAGMENT = re.compile(r"([0-9]{1,15}) +([0-9]{1,15})")
_COREFERENCE = re.compile(
    r"(coref|anaphor|cataphor|equiv).*"
    r"|ident|identity|identical|same|sameas|alias|antecedent"
)
_UNTYPED = "Mention"
_TYPE = re.compile(r"[A-Za-z0-9_.:-]+")
_LITBANK_TYPE = re.compile(r"(PROP|NOM|PRON)_([A-Z]+)")
_LINE = re.compile(r"[^\n]+")
_LITBANK_ENTITY = re.compile(r"\S+-[0-9]+")
_LINE_SHAPE = "a mention is 'T1<tab>Type start end<tab>words'"
_TEXT_HINT = "put the text 'name.txt' next to 'name.ann', with the same name"


class _AnnotationLine(NamedTuple):
    line: int
    id: str
    body: str
    words: str | None


class _TextBound(NamedTuple):
    """A mention (text-bound annotation) as it is in the file, in parts by offsets."""

    line: int
    id: str
    type: str
    parts: tuple[tuple[int, int], ...]
    words: str | None


def recognise(head: bytes) -> bool:
    """Return whether the first bytes of a file look like brat standoff."""
    return _FIRST_LINE.match(head) is not None


def parse(file: ByteFile, extent: Extent, faults: Faults) -> Parsed:
    """Parse the annotation, and the text next to it."""
    names = [f"{get_stem(file.name)}.txt"]
    line = file.line_number(extent.start)
    text_file = read_companion_text(file, line, names, faults, hint=_TEXT_HINT)
    if text_file is None:
        return Parsed(Document(extent.id, (), ()), ())
    plain = PlainText(text_file.text)
    rows = list(_read_rows(file, extent, faults))
    bounds = [bound for row in rows if (bound := _parse_text_bound(row, faults))]
    litbank = _pair_litbank_lines(bounds)
    targets = _resolve_ids(rows, bounds, faults) | litbank
    attributes = _parse_attributes(rows, targets, faults)
    mentions: dict[str, Mention] = {}
    links: dict[str, list[str]] = {}  # by the entities of LitBank
    for bound in bounds:
        mention = _build_mention(bound, plain, attributes.get(bound.id, {}), faults)
        if bound.id in litbank:
            links.setdefault(bound.type, []).append(litbank[bound.id])
        elif mention is not None:
            mentions[bound.id] = mention
    all_links = [*_parse_links(rows, targets, faults), *links.values()]
    relation = next((row for row in rows if row.id.startswith("R")), None)
    if not all_links and relation is not None:
        name = quoted(relation.body.partition(" ")[0])
        message = f"no relation means coreference, found only others such as {name}"
        hint = "every mention is an entity by itself; rename the relations to 'Coref'"
        faults(relation.line, message, hint, kind=kinds.LEFT_OUT)
    entities = tuple(
        Entity(ids[0], tuple(mentions[mention_id] for mention_id in ids))
        for ids in base.group_linked(mentions, all_links)
    )
    document = Document(extent.id, plain.sentences, entities)
    return Parsed(document, plain.list_lines(), text_file.path)


def _read_rows(
    file: ByteFile, extent: Extent, faults: Faults
) -> Iterator[_AnnotationLine]:
    lines = read_lines(file, extent.start, extent.end, faults, skips_invalid=True)
    for number, line in lines:
        if not line.strip():
            continue
        row_id, body, words = [*line.split("\t", 2), None, None][:3]
        if not row_id or body is None or row_id[0] not in "TREAMN#*":
            message = f"{quoted(line)} is not an annotation, expected T, E, R, A or *"
            faults(number, message, _LINE_SHAPE, kind=kinds.INVALID_ANNOTATION)
        else:
            yield _AnnotationLine(number, row_id, body, words)


def _parse_text_bound(row: _AnnotationLine, faults: Faults) -> _TextBound | None:
    if not row.id.startswith("T"):
        return None
    if not _ID.fullmatch(row.id):
        message = f"invalid id {quoted(row.id)} of a mention, expected T and a number"
        faults(row.line, message, _LINE_SHAPE, kind=kinds.INVALID_ANNOTATION)
        return None
    type_name, offsets = [*row.body.split(None, 1), "", ""][:2]
    parts = []
    for fragment in offsets.split(";"):
        match = _FRAGMENT.fullmatch(fragment.strip())
        if match is None:
            message = f"mention {quoted(row.id)} has invalid offsets {quoted(offsets)}"
            faults(row.line, message, _LINE_SHAPE, kind=kinds.INVALID_ANNOTATION)
            return None
        parts.append((int(match[1]), int(match[2])))
    return _TextBound(row.line, row.id, type_name, tuple(parts), row.words)


def _build_mention(
    bound: _TextBound, plain: PlainText, attributes: Mapping[str, str], faults: Faults
) -> Mention | None:
    """Build a mention; report and return None if its text has no word or differs."""
    label = f"mention {quoted(bound.id)}"
    if not _check_text(bound, label, plain.text, faults):
        return None
    spans = find_tokens(plain.spans, bound.parts, label, bound.line, faults)
    if not spans:
        message = f"{label} covers no word"
        faults(bound.line, message, "remove the mention", kind=kinds.INVALID_SPAN)
        return None
    tokens = chain.from_iterable(range(first, last + 1) for first, last in spans)
    return Mention.of(tokens, attributes=_split_type(bound.type) | dict(attributes))


def _check_text(bound: _TextBound, label: str, text: str, faults: Faults) -> bool:
    message, kind = "", kinds.INVALID_SPAN
    for start, end in bound.parts:
        if start >= end:
            message = f"{label} from {start} to {end} ends before it begins"
        elif end > len(text):
            message = f"{label} ends at {end}, but the text ends at {len(text)}"
    if not message and bound.words is not None:
        kind = kinds.DIFFERENT_TEXT
        words = " ".join(bound.words.split())
        # Only a stretch of similar length is compared; it may be the entire text.
        if sum(end - start for start, end in bound.parts) > 2 * len(bound.words) + 80:
            message = f"{label} is {quoted(words)}, but its offsets cover far more text"
        else:
            pieces = " ".join(text[start:end] for start, end in bound.parts)
            covered = " ".join(pieces.split())
            if words != covered:
                message = (
                    f"{label} is {quoted(words)}, but the text has {quoted(covered)}"
                )
    if message:
        faults(bound.line, message, "check that this is the annotated text", kind=kind)
    return not message


def _split_type(name: str) -> dict[str, str]:
    if name == _UNTYPED:
        return {}
    if match := _LITBANK_TYPE.fullmatch(name):
        return {"type": match[2], "mention_type": match[1]}
    return {"type": name}


def _pair_litbank_lines(bounds: Sequence[_TextBound]) -> dict[str, str]:
    """Map the lines that name an entity of LitBank to the mentions they belong to."""
    mentions = {
        bound.parts: bound.id for bound in bounds if _LITBANK_TYPE.fullmatch(bound.type)
    }
    return {
        bound.id: mentions[bound.parts]
        for bound in bounds
        if bound.parts in mentions and _LITBANK_ENTITY.fullmatch(bound.type)
    }


def _resolve_ids(
    rows: Sequence[_AnnotationLine], bounds: Sequence[_TextBound], faults: Faults
) -> dict[str, str]:
    """Map each id to a mention: itself, or the trigger of an event."""
    targets: dict[str, str] = {}
    for bound in bounds:
        if bound.id in targets:
            message = f"mention {quoted(bound.id)} is repeated"
            hint = "give each mention a unique number"
            faults(bound.line, message, hint, kind=kinds.REPEATED_ID)
        targets[bound.id] = bound.id
    for row in rows:
        if row.id.startswith("E"):
            trigger = row.body.split(" ", 1)[0].rpartition(":")[2]
            if trigger not in targets:
                _report_unknown(row, trigger, faults)
            else:
                targets.setdefault(row.id, trigger)
    return targets


def _parse_attributes(
    rows: Sequence[_AnnotationLine], targets: Mapping[str, str], faults: Faults
) -> dict[str, dict[str, str]]:
    attributes: dict[str, dict[str, str]] = {}
    for row in rows:
        if row.id[0] not in "AM":
            continue
        name, target, value = [*row.body.split(None, 2), "", "", ""][:3]
        if target in targets:
            attributes.setdefault(targets[target], {})[name] = value.strip()
        elif not target.startswith("R"):  # relations have attributes too
            _report_unknown(row, target, faults)
    return attributes


def _parse_links(
    rows: Sequence[_AnnotationLine], targets: Mapping[str, str], faults: Faults
) -> Iterator[list[str]]:
    for row in rows:
        _, *ends = row.body.split() or [""]
        if _is_coreference(row):
            ends = [end.rpartition(":")[2] for end in ends]
        elif not row.id.startswith("*"):
            continue
        if len(ends) < 2:
            message = f"{quoted(row.body)} is not a link, expected two mentions"
            hint = "a link is '*<tab>Coref T1 T2' or 'R1<tab>Coref Arg1:T2 Arg2:T1'"
            faults(row.line, message, hint, kind=kinds.INVALID_ANNOTATION)
        for end in ends:
            if end not in targets:
                _report_unknown(row, end, faults)
        yield [targets[end] for end in ends if end in targets]


def _is_coreference(row: _AnnotationLine) -> bool:
    return row.id.startswith("R") and is_coreference_name(row.body.partition(" ")[0])


def is_coreference_name(relation: str) -> bool:
    """Return whether the name of a relation means coreference."""
    name = re.sub(r"[\W_]+", "", relation.lower())
    return _COREFERENCE.fullmatch(name) is not None


def _report_unknown(row: _AnnotationLine, target: str, faults: Faults) -> None:
    message = f"{quoted(row.id)} refers to {quoted(target)}, which does not exist"
    hint = "expected the id of a mention or event"
    faults(row.line, message, hint, kind=kinds.UNKNOWN_ID)


def _format_files(document: Document) -> Iterator[tuple[str, str]]:
    joined, spans = join_sentences(list_sentences(document))
    text = protect_start(joined)
    offset = len(text) - len(joined)
    spans = [Span(start + offset, end + offset) for start, end in spans]
    yield ".ann", "".join(_format_annotation(document, text, spans))
    yield ".txt", text


def _format_annotation(
    document: Document, text: str, spans: Sequence[Span]
) -> Iterator[str]:
    ids_by_entity = _choose_ids(document)
    numbers = count(1)
    for entity, ids in zip(document, ids_by_entity, strict=True):
        for mention, mention_id in zip(entity, ids, strict=True):
            yield _format_text_bound(mention_id, mention, text, spans)
            for key, value in mention.attributes.items():
                if key != "type" or not _is_type(value):
                    name = re.sub(r"\s+", "_", key) or "_"
                    flat_value = re.sub(r"[\t\n]", " ", value).strip()
                    body = f"{name} {mention_id} {flat_value}".rstrip()
                    yield f"A{next(numbers)}\t{body}\n"
    for ids in ids_by_entity:
        if len(ids) > 1:
            yield f"*\tCoref {' '.join(ids)}\n"


def _choose_ids(document: Document) -> list[list[str]]:
    """Choose ids of mentions; the first of an entity has the entity's id, if valid."""
    valid = {entity.id for entity in document if _ID.fullmatch(entity.id)}
    new_ids = (name for number in count(1) if (name := f"T{number}") not in valid)
    unused = set(valid)
    ids_by_entity = []
    for entity in document:
        first = [entity.id] if entity.id in unused and entity.mentions else []
        unused.difference_update(first)
        ids_by_entity.append([*first, *islice(new_ids, len(entity) - len(first))])
    return ids_by_entity


def _format_text_bound(
    mention_id: str, mention: Mention, text: str, spans: Sequence[Span]
) -> str:
    # brat does not show mentions that cross a line end, except as parts.
    parts = [
        line.span()
        for first, last in mention.parts
        for line in _LINE.finditer(text, spans[first].start, spans[last].end)
    ]
    type_name = mention.attributes.get("type", "")
    if not _is_type(type_name):
        type_name = _UNTYPED
    offsets = ";".join(f"{start} {end}" for start, end in parts)
    words = " ".join(text[start:end] for start, end in parts)
    return f"{mention_id}\t{type_name} {offsets}\t{words}\n"


def _is_type(value: str) -> bool:
    """Return whether a value reads back as a type, and as nothing else."""
    is_name = _TYPE.fullmatch(value) is not None and value != _UNTYPED
    return is_name and not _LITBANK_TYPE.fullmatch(value)


READER = base.make_reader(
    base.make_file_extents(lambda file: get_stem(file.name)), parse, running=True
)
WRITER = base.Writer(
    alters=base.TEXT_MARKS,
    carries=base.CROSSINGS | {base.GAPS, base.TYPES, base.ATTRIBUTES},
    files=_format_files,
)
