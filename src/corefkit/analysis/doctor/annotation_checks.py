"""Checks of annotation: files, columns, sides, mentions and entities.

files that cannot be parsed; brackets in other columns than the one that is read; the
same file twice, sides swapped, other documents; mentions that only one side has, or has
twice; entities with all links or none; ids that go on in other documents.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from dataclasses import replace
from itertools import accumulate
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, NamedTuple

from corefkit.alignment.mismatch import iter_bracket_spans, read_token_rows
from corefkit.analysis.doctor.case import (
    Suspicion,
    bounds,
    changed_document,
    goes_beyond,
    mention_count,
    mentions_of,
    with_mentions,
)
from corefkit.analysis.doctor.examination import counted
from corefkit.analysis.doctor.offset_checks import likely_units
from corefkit.exceptions import CorefkitError, quoted
from corefkit.formats.inputs import open_inputs
from corefkit.model import Entity, Mention
from corefkit.strings import split_id

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from corefkit.analysis.doctor.case import Case
    from corefkit.model import Document

_FEW_MET = 0.3  # of mentions that meet, from which on columns are not looked at
_MUCH = 0.3  # of mentions, that must meet beyond those that do
_LEAST_MET = 5  # mentions that must meet
_PLENTY = 20_000  # words of the first documents, in which columns are tried
_ATTRIBUTE = re.compile(r"(?:^|\|)(\w+)=([^|=]*\([^|=]*|[^|=]*\)[^|=]*)")
_READ = "Entity"  # the attribute of CoNLL-U that is read


class _Place(NamedTuple):
    """Where brackets stand: a column, and in CoNLL-U an attribute in it."""

    column: int  # from the end, from 1
    width: int
    attribute: str = ""

    def cells(self, rows: Sequence[Sequence[str]]) -> list[str]:
        """Take the brackets of lines."""
        cells = [row[-self.column] if len(row) >= self.column else "_" for row in rows]
        if not self.attribute:
            return cells
        found = [dict(_ATTRIBUTE.findall(cell)).get(self.attribute) for cell in cells]
        return [f"{_READ}={cell}" if cell else "_" for cell in found]

    def __str__(self) -> str:
        column = f"column {self.width + 1 - self.column} of {self.width}"
        return f"attribute {self.attribute} in {column}" if self.attribute else column

    @property
    def fix(self) -> str:
        if self.attribute:
            return f"write `{_READ}=` for `{self.attribute}=`"
        if self.column == 1:
            return "leave the column where the format has it"
        number = self.width + 1 - self.column
        return (
            f"move column {number} ({self.column} from the end) to the end of the line"
        )


def other_column(case: Case) -> Iterator[Suspicion]:
    """Brackets in another column than the one that was read."""
    if case.share_met >= _FEW_MET or not case.is_as_read:
        return
    first = _first_documents(case)
    if not any(case.mentions):  # the key's column with most brackets was meant
        found = max(
            _elsewhere(first, 0), key=lambda one: one[1].mentions[0], default=None
        )
        if found is not None and found[1].mentions[0]:
            mended = _read_by(found[0], case, 0)
            yield _suspicion(found[0], mended, side=0)._replace(is_certain=True)
        return
    for side in (0, 1):
        for place, tried in _elsewhere(first, side):
            more = tried.met - first.met
            if tried.met >= _LEAST_MET and more >= _MUCH * min(tried.mentions):
                yield _suspicion(place, _read_by(place, case, side), side=side)


def _first_documents(case: Case) -> Case:
    """Leave out all but the first documents, as many as tell one column from others."""
    # By words rather than by documents, of which one may be as long as many others.
    before = accumulate((len(pair.key.words) for pair in case.pairs), initial=0)
    pairs = [
        pair for pair, many in zip(case.pairs, before, strict=False) if many < _PLENTY
    ]
    if len(pairs) == len(case.pairs):
        return case
    first = {id(one) for pair in pairs for one in (pair.key, pair.response)}
    rows = [
        [row for row in _numbered(case, side) if id(row[1]) in first] for side in (0, 1)
    ]
    numbers, documents = zip(*(zip(*row, strict=True) for row in rows), strict=True)
    return replace(case, key=documents[0], response=documents[1], numbers=numbers)


def _numbered(case: Case, side: int) -> Iterator[tuple[int, Document]]:
    """Go through the documents of a side with their numbers there."""
    return zip(case.numbers[side], case.side(side), strict=True)


def _elsewhere(case: Case, side: int) -> Iterator[tuple[_Place, Case]]:
    """Read a side by each of its places that gives other mentions."""
    documents, rows = case.side(side), _rows(case, side)
    if len(rows) != len(documents) or any(one.empty for one in documents):
        return
    for place in _places(rows):
        read = _with_place(place, documents, rows)
        if any(read) and [*map(bounds, read)] != [*map(bounds, documents)]:
            yield place, _mended(case, side, read)


def _read_by(place: _Place, case: Case, side: int) -> Case:
    """Read all documents of a side by a place."""
    return _mended(case, side, _with_place(place, case.side(side), _rows(case, side)))


def _with_place(
    place: _Place,
    documents: Sequence[Document],
    rows: Sequence[Sequence[Sequence[str]]],
) -> tuple[Document, ...]:
    return tuple(
        _with_cells(document, place.cells(lines))
        for document, lines in zip(documents, rows, strict=True)
    )


def _mended(case: Case, side: int, documents: Sequence[Document]) -> Case:
    errors = (None, case.errors[1]) if side == 0 else (case.errors[0], None)
    return replace(case.with_side(side, documents), errors=errors)


def _suspicion(place: _Place, mended: Case, *, side: int) -> Suspicion:
    return Suspicion(
        f"coreference of {mended.names[side]} stands in another column than "
        f"the one that is read: {place}",
        place.fix,
        mended.mentions[side],
        mended,
    )


def _places(rows: Sequence[Sequence[Sequence[str]]]) -> Iterator[_Place]:
    """Go through the columns, the last first; those of attributes by attribute."""
    width = min((len(row) for lines in rows for row in lines), default=0)
    for column in range(1, width + 1):
        names = {
            name
            for lines in rows
            for row in lines
            for name, _ in _ATTRIBUTE.findall(row[-column])
        }
        if names:
            for name in sorted(names - {_READ}):
                yield _Place(column, width, name)
        else:
            yield _Place(column, width)


def _rows(case: Case, side: int) -> list[list[list[str]]]:
    """Read the columns of a side that is a file; none where it is not."""
    given = case.inputs[side]
    if not isinstance(given, str | os.PathLike) or os.fspath(given) == "-":
        return []
    reference = case.settings.reads_as_reference
    try:
        with open_inputs(given, [], format=case.format, reference=reference) as opened:
            # Where one side is broken, the other may be read in another way here.
            as_then = len(opened[0].ids) == case.documents[side]
            return read_token_rows(opened[0], case.numbers[side]) if as_then else []
    except CorefkitError:
        return []


def _with_cells(document: Document, cells: Sequence[str]) -> Document:
    groups: dict[str, list[Mention]] = {}
    for name, start, end in iter_bracket_spans(cells):
        groups.setdefault(name, []).append(Mention(start, end))
    entities = tuple(Entity(name, tuple(group)) for name, group in groups.items())
    return changed_document(document, entities=entities)


def broken(case: Case) -> Iterator[Suspicion]:
    """A side that cannot be read as it stands: brackets that do not pair, and the like.

    It is mended by leaving out what is wrong, and what lies beyond the text.
    """
    for side, error in enumerate(case.errors):
        if error is None:
            continue
        name = case.names[side]
        documents = case.side(side)
        outside = sum(map(goes_beyond, documents))
        read = sum(map(mention_count, documents))
        # Of what cannot be read at all, the mentions that the other side misses.
        many = outside or read or sum(map(mention_count, case.side(1 - side)))
        fix = f"`corefkit validate {name}` lists all that is wrong with it"
        units = likely_units(documents, documents) if outside else ""
        without = "; scores after are without what is wrong there" if read else ""
        yield Suspicion(
            f"the {('key', 'response')[side]} cannot be read as it stands: "
            f"{error.reason}{without}",
            f"{fix}; {units}" if units else fix,
            many,
            _without_it(case, side) if read else None,
            is_certain=True,
        )


def _without_it(case: Case, side: int) -> Case:
    errors = (None, case.errors[1]) if side == 0 else (case.errors[0], None)
    return replace(case.with_side(side, map(_inside, case.side(side))), errors=errors)


def _inside(document: Document) -> Document:
    if not goes_beyond(document):
        return document
    tokens = sum(map(len, document.sentences))
    return with_mentions(document, lambda one: one if one.end < tokens else None)


_OF_KEYS = re.compile(r"(?<![a-z])(gold|key|keys|ref|reference|truth)(?![a-z])", re.I)
_OF_RESPONSES = re.compile(
    r"(?<![a-z])(pred|predicted|predictions?|sys|system|response|output|auto|hyp)"
    r"(?![a-z])",
    re.I,
)


def identical(case: Case) -> Iterator[Suspicion]:
    """A response that is the key itself."""
    if any(case.unpaired) or not all(case.mentions):
        return
    if all(_entities(pair.key) == _entities(pair.response) for pair in case.pairs):
        what = "the same file" if _same_file(case) else "the same mentions and entities"
        yield Suspicion(
            f"key and response are {what}",
            "name the output of the system as RESPONSE",
            case.mentions[0],
        )


def _entities(document: Document) -> set[frozenset[object]]:
    return {frozenset(entity.mentions) for entity in document.entities}


def _same_file(case: Case) -> bool:
    paths = [one for one in case.inputs if isinstance(one, str | os.PathLike)]
    if len(paths) < 2 or not all(Path(path).exists() for path in paths):
        return False
    return Path(paths[0]).samefile(paths[1])


def swapped(case: Case) -> Iterator[Suspicion]:
    """A key that is called as a response, beside a response that is called as a key."""
    key, response = (PurePath(name).name for name in case.names)
    if case.names == ("key", "response"):
        return
    as_key = _OF_KEYS.search(response) and not _OF_KEYS.search(key)
    as_response = _OF_RESPONSES.search(key) and not _OF_RESPONSES.search(response)
    if as_key or as_response:
        yield Suspicion(
            f"key and response seem to be swapped: {quoted(key)} is given as the key, "
            f"and {quoted(response)} as the response",
            "the key comes first: recall and precision change places",
            sum(case.mentions),
            replace(
                case,
                inputs=case.inputs[::-1],
                names=case.names[::-1],
                key=case.response,
                response=case.key,
                errors=case.errors[::-1],
                numbers=case.numbers[::-1],
                documents=case.documents[::-1],
            ),
            is_certain=True,
        )


def no_common_document(case: Case) -> Iterator[Suspicion]:
    """A response that has no document of the key, by name or by text."""
    missing, extra = case.unpaired
    if missing and extra and not case.pairs:
        yield Suspicion(
            f"the response has none of the key's {counted(len(missing), 'document')}: "
            f"it has {quoted(extra[0].id)}, where the key has {quoted(missing[0].id)}, "
            "and the texts differ, too, as far as they are known",
            "is it the response to another part of the corpus? Documents are paired by "
            "their names",
            sum(map(mention_count, missing)),
            is_certain=True,
        )


def missing_documents(case: Case) -> Iterator[Suspicion]:
    """Documents of the key that the response lacks."""
    missing, _ = case.unpaired
    if not missing or not case.pairs or case.settings.skips_missing:
        return
    names = {split_id(pair.key.id)[0] for pair in case.pairs}
    parts = [one for one in missing if split_id(one.id)[0] in names]
    noun = "part" if len(parts) == len(missing) else "document"
    yield Suspicion(
        f"the response lacks {counted(len(missing), noun)} of {len(case.key):,} that "
        f"the key has, such as {quoted(missing[0].id)}",
        "run the system on what it lacks; `--missing skip` scores without that",
        sum(map(mention_count, missing)),
        case.with_settings(missing="skip"),
        is_certain=True,
    )


def extra_documents(case: Case) -> Iterator[Suspicion]:
    """Documents of the response that the key lacks."""
    _, extra = case.unpaired
    if extra and case.pairs:
        yield Suspicion(
            f"the response has {counted(len(extra), 'document')} that the key lacks, "
            f"such as {quoted(extra[0].id)}; nothing of them is scored",
            "is this the whole key?",
            sum(1 for one in extra for _ in mentions_of(one)),
        )


_SIDES = ("key", "response")
_LEAST = 3  # mentions that are worth a word
_SHARE = 0.05  # of mentions, that are worth a word
_HARDLY = 0.1  # of the other side's share: it hardly has any
_FEW, _MANY = 0.5, 2.0  # times the key's mentions, from which on numbers are told


def without_mentions(case: Case) -> Iterator[Suspicion]:
    """A side that has no mention at all."""
    for side, documents in enumerate((case.key, case.response)):
        if case.errors[side] is None and not sum(map(mention_count, documents)):
            other = sum(map(mention_count, case.response if side == 0 else case.key))
            yield Suspicion(
                f"the {_SIDES[side]} has no mention in its "
                f"{counted(len(documents), 'document')}",
                "is this the file with the annotation, or with the text alone?",
                other,
                is_certain=True,
            )


def other_number(case: Case) -> Iterator[Suspicion]:
    """A response with far fewer mentions than the key, or far more."""
    ours, theirs = case.mentions
    if not _is_far(ours, theirs):
        return
    single_ones = _on_sides(case, _singletons)
    if not _is_far(ours - single_ones[0], theirs - single_ones[1]):
        return  # singletons make the difference, and `singletons` says so
    single = sum(
        start == end for pair in case.pairs for start, end in bounds(pair.response)
    )
    words = ", all of one word" if single == theirs else ""
    fewer = theirs < ours
    limit = min(1.0, theirs / ours if fewer else ours / theirs)
    yield Suspicion(
        f"the response has {counted(theirs, 'mention')}{words}, and the key has "
        f"{ours:,}: {'recall' if fewer else 'precision'} of mentions cannot be above "
        f"{100 * limit:.1f}",
        "is this all of the output? `corefkit errors` shows what is missing"
        if fewer
        else "are these mentions that stand in an entity, or all candidates?",
        abs(ours - theirs),
        is_certain=True,
    )


def _is_far(ours: int, theirs: int) -> bool:
    return bool(ours and theirs) and not _FEW <= theirs / ours <= _MANY


def singletons(case: Case) -> Iterator[Suspicion]:
    """Entities of one mention that one side has, and the other hardly any."""
    many = _on_sides(case, _singletons)
    for side, what in _one_sided(case, many):
        alone = many[side] == case.mentions[side]  # without any link: `links` says so
        if _SIDES[side] in case.settings.without_singletons or alone:
            continue
        yield Suspicion(
            f"the {what[0]} has {counted(many[side], 'singleton')}, entities of one "
            f"mention, and the {what[1]} has {many[1 - side]:,}",
            "`--singletons drop` scores without them on both sides",
            many[side],
            case.with_settings(singletons="drop"),
        )


def _on_sides(case: Case, count: Callable[[Document], int]) -> tuple[int, int]:
    return (
        sum(count(pair.key) for pair in case.pairs),
        sum(count(pair.response) for pair in case.pairs),
    )


def _one_sided(
    case: Case, many: tuple[int, int]
) -> Iterator[tuple[int, tuple[str, str]]]:
    """Find the side that has mentions of a kind of which the other has hardly any."""
    if not all(case.mentions):
        return
    shares = [number / whole for number, whole in zip(many, case.mentions, strict=True)]
    for side in (0, 1):
        enough = many[side] >= _LEAST and shares[side] >= _SHARE
        if enough and shares[1 - side] <= _HARDLY * shares[side]:
            yield side, (_SIDES[side], _SIDES[1 - side])


def _singletons(document: Document) -> int:
    return sum(len(set(entity.mentions)) == 1 for entity in document.entities)


def zeros(case: Case) -> Iterator[Suspicion]:
    """Mentions of empty nodes that one side alone has."""
    if case.settings.drops_zeros:
        return
    many = _on_sides(case, _zeros)
    for side in (0, 1):
        if many[side] and not many[1 - side] and case.mentions[1 - side]:
            yield Suspicion(
                f"the {_SIDES[side]} has {counted(many[side], 'zero')}, mentions of "
                f"words that are not said, and the {_SIDES[1 - side]} has none",
                "`--zeros drop` scores without them",
                many[side],
                case.with_settings(zeros="drop"),
            )


def _zeros(document: Document) -> int:
    return sum(end < start for start, end in bounds(document))


def repeated(case: Case) -> Iterator[Suspicion]:
    """Mentions that a side has more than once."""
    now = _REPEATED[case.settings.repeated]
    mended = case.with_settings(repeated=now.other)
    for side, documents in enumerate((case.key, case.response)):
        copies = [(one, mention) for one in documents for mention in _copies(one)]
        if not copies:
            continue
        document, mention = copies[0]
        words = document.text(mention) if document.sentences else str((*mention,))
        fix = f"`corefkit validate {case.names[side]}` lists them"
        if mended.scores is not None:
            fix += f"; `--repeated {now.other}` {_REPEATED[now.other].does}"
        yield Suspicion(
            f"the {_SIDES[side]} has {counted(len(copies), 'mention')} twice or in two "
            f"entities, such as {quoted(words)} in {quoted(document.id)}; {now.text}",
            fix,
            len(copies),
            mended,
            is_certain=True,
        )


class _Repeated(NamedTuple):
    """A way to treat repeated mentions, in words, and the one to compare it with."""

    text: str
    does: str
    other: str


_REPEATED = {
    "first": _Repeated(
        "the first of each counts", "counts the first of each", "reference"
    ),
    "reference": _Repeated(
        "they are counted as the reference scorer does",
        "counts them as the reference scorer does",
        "first",
    ),
    "error": _Repeated("this is refused", "refuses them", "first"),
}


def _copies(document: Document) -> Iterator[Mention]:
    seen: set[tuple[object, ...]] = set()
    for mention in mentions_of(document):
        span = mention.start, mention.end, mention.gaps
        if span in seen:
            yield mention
        seen.add(span)


def nested(case: Case) -> Iterator[Suspicion]:
    """Mentions inside others that one side has, and the other hardly any."""
    many = _on_sides(case, lambda document: len(_inner(document)))
    for side, what in _one_sided(case, many):
        yield Suspicion(
            f"the {what[0]} has {counted(many[side], 'mention')} inside another, and "
            f"the {what[1]} has {many[1 - side]:,}: does it keep the longest alone?",
            f"keep nested mentions in the {what[1]}; scores after are without those of "
            f"the {what[0]}",
            many[side],
            case.with_side(side, map(_outermost, case.side(side))),
        )


def _inner(document: Document) -> set[Mention]:
    """Find the mentions that lie inside another one."""
    found: set[Mention] = set()
    furthest = -1
    spans = sorted(set(mentions_of(document)), key=lambda one: (one.start, -one.end))
    for mention in spans:
        if mention.end <= furthest:
            found.add(mention)
        furthest = max(furthest, mention.end)
    return found


def _outermost(document: Document) -> Document:
    inner = _inner(document)
    return with_mentions(document, lambda one: None if one in inner else one)


_LEAST_ENTITIES = 3  # entities that are worth a word
_ID_SHARE = 0.1  # of ids, that go on in other documents
_ENOUGH = 5  # mentions, without which a few entities say nothing
_MERGED = 3  # times as many entities in the key, of as many mentions


def links(case: Case) -> Iterator[Suspicion]:
    """A response without any link, or that links everything."""
    for side in (1, 0):
        yield from _links_of_side(case, side)


def _links_of_side(case: Case, side: int) -> Iterator[Suspicion]:
    pairs = [(pair.key, pair.response)[:: 1 if side else -1] for pair in case.pairs]
    ours = [other for other, _ in pairs if mention_count(other)]
    theirs = [one for _, one in pairs if mention_count(one)]
    name, many = _SIDES[side], sum(map(mention_count, theirs))
    entities, wanted = (sum(len(one.entities) for one in row) for row in (theirs, ours))
    if many < _ENOUGH or _has_extremes(ours):
        return
    if not any(len(entity) > 1 for one in theirs for entity in one.entities):
        yield Suspicion(
            f"every mention of the {name} is an entity of its own: it has no link",
            "mentions of one entity have one id: is that of the mention written?",
            many,
            is_certain=True,
        )
    elif all(len(one.entities) == 1 for one in theirs) and entities < wanted:
        yield Suspicion(
            f"all mentions of a document are one entity in the {name}",
            "each entity has an id of its own: is the same one written for all?",
            many,
            is_certain=True,
        )
    elif _MERGED * entities <= wanted and many >= sum(map(mention_count, ours)) / 2:
        yield Suspicion(
            f"the {name} has {entities:,} entities and the {_SIDES[1 - side]} has "
            f"{wanted:,}, of about as many mentions",
            "were entities merged because their ids begin anew in each part or window?",
            many,
            is_certain=True,
        )


def _has_extremes(documents: list[Document]) -> bool:
    """Say whether a side has no link, or nothing else: then the other may be so too."""
    sizes = [len(entity) for one in documents for entity in one.entities]
    return max(sizes, default=0) < 2 or len(sizes) == len(documents)


def ids_across_documents(case: Case) -> Iterator[Suspicion]:
    """Ids of entities that begin anew in each document, or go on in others."""
    sides = [_id_counts(documents) for documents in (case.key, case.response)]
    many = sum(case.mentions)
    fewest = min(len(case.key), len(case.response))
    if case.settings.joins_documents:
        for side, (ids, documents) in enumerate(sides):
            if documents > 1 and max(ids.values(), default=0) > documents / 2:
                yield Suspicion(
                    f"ids of entities in the {_SIDES[side]} begin anew in each document"
                    f", but --scope {case.settings.scope} takes equal ids for one "
                    "entity",
                    "`--scope document`, or give each entity an id of its own",
                    many,
                    case.with_settings(scope="document"),
                )
                return
    elif fewest >= 4 and all(_go_on(ids, documents) for ids, documents in sides):
        yield Suspicion(
            "entities of both sides go on in other documents, by their ids, and are "
            "scored inside each document",
            "`--scope corpus` scores them across documents",
            many,
            case.with_settings(scope="corpus"),
        )


def _id_counts(documents: Iterable[Document]) -> tuple[Counter[str], int]:
    """Count in how many documents each id is."""
    rows = [{entity.id for entity in one.entities} for one in documents]
    full = [row for row in rows if row]
    return Counter(name for row in full for name in row), len(full)


def _go_on(ids: Counter[str], documents: int) -> bool:
    shared = sum(number > 1 for number in ids.values())
    alike = max(ids.values(), default=0) > documents / 2
    return shared >= max(_LEAST_ENTITIES, _ID_SHARE * len(ids)) and not alike
