"""Checks of annotation: files, columns, sides, mentions and entities.

files that cannot be parsed; brackets in another column than the one that is read; the
same file twice, sides swapped, other documents; mentions that only one side has, or
duplicates; entities with all links or none; ids that are used in several documents.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from dataclasses import replace
from itertools import accumulate
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from corefkit.alignment.mismatch import iter_bracket_spans, read_token_rows
from corefkit.analysis.doctor.case import (
    Suspicion,
    count_beyond_text,
    count_mentions,
    iter_mentions,
    list_bounds,
    replace_fields,
    replace_mentions,
)
from corefkit.analysis.doctor.examination import format_count
from corefkit.analysis.doctor.offset_checks import describe_unit
from corefkit.exceptions import CorefkitError, quoted
from corefkit.formats.inputs import open_inputs
from corefkit.model import Entity, Mention
from corefkit.strings import split_id

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from corefkit.analysis.doctor.case import Case
    from corefkit.model import Document

_SIDES = ("key", "response")
_KEY_NAME = re.compile(
    r"(?<![a-z])(gold|key|keys|ref|reference|truth)(?![a-z])", re.IGNORECASE
)
_RESPONSE_NAME = re.compile(
    r"(?<![a-z])(pred|predicted|predictions?|sys|system|response|output|auto|hyp)"
    r"(?![a-z])",
    re.IGNORECASE,
)
_MAX_MATCH_SHARE = 0.3  # above it, columns are not checked
_MIN_MATCH_GAIN = 0.3  # of mentions that match in another column
_MIN_MATCHES = 5  # mentions that match there
_SAMPLE_WORDS = 20_000  # of the first documents, in which columns are tried
_MIN_SINGLETONS = 3
_MIN_SINGLETON_SHARE = 0.05  # of the mentions of a side
_MAX_OTHER_SHARE = 0.1  # of that share on the other side
_MIN_LINKED = 5  # mentions of a side
_MIN_MERGED = 3  # times as many entities on the other side
_MIN_SHARED_IDS = 3
_MIN_SHARED_ID_SHARE = 0.1
_MIN_DOCUMENTS = 4  # to judge ids
# By the setting `repeated`: the description of its treatment, and an alternative.
_REPEATED = {
    "first": ("the first of each is scored", "reference"),
    "reference": ("they are scored like in the reference scorer", "first"),
    "error": ("this is an error", "first"),
}
_REPEATED_EFFECT = {
    "first": "scores the first of each",
    "reference": "scores them like the reference scorer",
}


def check_broken(case: Case) -> Iterator[Suspicion]:
    """Find sides that cannot be read, for example because brackets do not match.

    The fix drops invalid annotation, and mentions after the end of the text.
    """
    for side, error in enumerate(case.errors):
        if error is None:
            continue
        name, documents = case.names[side], case.get_side(side)
        beyond = sum(map(count_beyond_text, documents))
        mentions = count_mentions(documents)
        fix = f"`corefkit validate {name}` lists all problems"
        if beyond and (unit := describe_unit(documents, documents)):
            fix = f"{fix}; {unit}"
        text = f"the {_SIDES[side]} cannot be read: {error.reason}"
        fixed = None
        if mentions:
            text = f"{text}; scores after are without the invalid parts"
            inside = map(_drop_beyond_text, documents)
            fixed = case.replace_side(side, inside, keeps_error=False)
        # If nothing can be read, the mentions that the other side misses.
        concerned = beyond or mentions or count_mentions(case.get_side(1 - side))
        yield Suspicion(text, fix, concerned, fixed, is_certain=True)


def _drop_beyond_text(document: Document) -> Document:
    if not count_beyond_text(document):
        return document
    tokens = sum(map(len, document.sentences))
    return replace_mentions(
        document, lambda mention: mention if mention.end < tokens else None
    )


def check_column(case: Case) -> Iterator[Suspicion]:
    """Find brackets in another column than the one that was read."""
    if case.match_share >= _MAX_MATCH_SHARE or not case.is_as_read:
        return
    sample = _select_sample(case)
    if not any(case.mentions):  # then the key's column with most brackets
        columns = [*_iter_columns(sample, 0)]
        _, column = max(
            [(tried.mentions[0], column) for column, tried in columns],
            default=(0, None),
        )
        if column is not None:
            yield _suspect_column(case, 0, column)._replace(is_certain=True)
        return
    for side in (0, 1):
        for column, tried in _iter_columns(sample, side):
            gain = tried.matches - sample.matches
            if tried.matches >= _MIN_MATCHES and gain >= _MIN_MATCH_GAIN * min(
                tried.mentions
            ):
                yield _suspect_column(case, side, column)


def _select_sample(case: Case) -> Case:
    """Select the first documents, as many as distinguish one column from others."""
    words_before = accumulate((len(pair.key.words) for pair in case.pairs), initial=0)
    pairs = [
        pair
        for pair, words in zip(case.pairs, words_before, strict=False)
        if words < _SAMPLE_WORDS
    ]
    if len(pairs) == len(case.pairs):
        return case
    selected = {
        id(document) for pair in pairs for document in (pair.key, pair.response)
    }
    numbers, documents = [], []
    for side in (0, 1):
        rows = [
            row
            for row in zip(case.numbers[side], case.get_side(side), strict=True)
            if id(row[1]) in selected
        ]
        numbers.append([number for number, _ in rows])
        documents.append(tuple(document for _, document in rows))
    return replace(
        case,
        key=documents[0],
        response=documents[1],
        numbers=(numbers[0], numbers[1]),
    )


def _iter_columns(case: Case, side: int) -> Iterator[tuple[int, Case]]:
    """Iterate over the columns of a side with other mentions, from the last one."""
    documents, rows = case.get_side(side), _read_rows(case, side)
    if len(rows) != len(documents) or any(document.empty for document in documents):
        return
    width = min((len(row) for lines in rows for row in lines), default=0)
    bounds = [*map(list_bounds, documents)]
    for column in range(-1, -width - 1, -1):
        read = [*_read_column(documents, rows, column)]
        if any(read) and [*map(list_bounds, read)] != bounds:
            yield column, case.replace_side(side, read, keeps_error=False)


def _read_rows(case: Case, side: int) -> list[list[list[str]]]:
    """Read the columns of a side; none if it is not a file."""
    source = case.inputs[side]
    if not isinstance(source, str | os.PathLike) or os.fspath(source) == "-":
        return []
    reference = case.settings.reads_as_reference
    try:
        with open_inputs(source, [], format=case.format, reference=reference) as opened:
            # If one side is broken, the other one may have been read differently.
            if len(opened[0].ids) != case.documents[side]:
                return []
            return read_token_rows(opened[0], case.numbers[side])
    except CorefkitError:
        return []


def _read_column(
    documents: Sequence[Document], rows: Sequence[Sequence[Sequence[str]]], column: int
) -> Iterator[Document]:
    """Read the brackets of documents from another column."""
    for document, lines in zip(documents, rows, strict=True):
        cells = [row[column] if len(row) >= -column else "_" for row in lines]
        groups: dict[str, list[Mention]] = {}
        for name, start, end in iter_bracket_spans(cells):
            groups.setdefault(name, []).append(Mention(start, end))
        entities = tuple(Entity(name, tuple(group)) for name, group in groups.items())
        yield replace_fields(document, entities=entities)


def _suspect_column(case: Case, side: int, column: int) -> Suspicion:
    rows = _read_rows(case, side)
    documents = _read_column(case.get_side(side), rows, column)
    fixed = case.replace_side(side, documents, keeps_error=False)
    width = min((len(row) for lines in rows for row in lines), default=0)
    number = width + 1 + column
    fix = "leave the column where the format has it"
    if column < -1:
        fix = f"move column {number} ({-column} from the end) to the end of the line"
    return Suspicion(
        f"coreference of {case.names[side]} is in another column than the one that is "
        f"read: column {number} of {width}",
        fix,
        fixed.mentions[side],
        fixed,
    )


def check_identical(case: Case) -> Iterator[Suspicion]:
    """Find a response that is the key itself."""
    if any(case.unpaired) or not all(case.mentions):
        return
    if any(
        {frozenset(entity) for entity in pair.key}
        != {frozenset(entity) for entity in pair.response}
        for pair in case.pairs
    ):
        return
    paths = [Path(side) for side in case.inputs if isinstance(side, str | os.PathLike)]
    is_same = len(paths) == 2 and all(path.exists() for path in paths)
    is_same = is_same and paths[0].samefile(paths[1])
    yield Suspicion(
        f"key and response are {'the same file' if is_same else 'equal'}",
        "specify the output of the system as RESPONSE",
        case.mentions[0],
    )


def check_swapped(case: Case) -> Iterator[Suspicion]:
    """Find a key with the name of a response, or the reverse."""
    key, response = (PurePath(name).name for name in case.names)
    if case.names == _SIDES:
        return
    has_key_name = _KEY_NAME.search(response) and not _KEY_NAME.search(key)
    has_response_name = _RESPONSE_NAME.search(key) and not _RESPONSE_NAME.search(
        response
    )
    if has_key_name or has_response_name:
        swapped = replace(
            case,
            inputs=case.inputs[::-1],
            names=case.names[::-1],
            key=case.response,
            response=case.key,
            errors=case.errors[::-1],
            numbers=case.numbers[::-1],
            documents=case.documents[::-1],
        )
        yield Suspicion(
            f"key and response seem to be swapped: {quoted(key)} is the key, and "
            f"{quoted(response)} the response",
            "the key comes first; otherwise recall and precision are swapped",
            sum(case.mentions),
            swapped,
            is_certain=True,
        )


def check_missing(case: Case) -> Iterator[Suspicion]:
    """Find documents of the key that the response lacks."""
    missing, _ = case.unpaired
    if not missing or not case.pairs or case.settings.skips_missing:
        return
    names = {split_id(pair.key.id)[0] for pair in case.pairs}
    is_part = all(split_id(document.id)[0] in names for document in missing)
    noun = "part" if is_part else "document"
    yield Suspicion(
        f"the response lacks {format_count(len(missing), noun)} of {len(case.key):,} "
        f"in the key, such as {quoted(missing[0].id)}",
        "run the system on the missing text; `--missing skip` scores without it",
        count_mentions(missing),
        case.replace_settings(missing="skip"),
        is_certain=True,
    )


def check_extra(case: Case) -> Iterator[Suspicion]:
    """Find documents of the response that the key lacks."""
    _, extra = case.unpaired
    if extra and case.pairs:
        yield Suspicion(
            f"the response has {format_count(len(extra), 'document')} that the key "
            f"lacks, such as {quoted(extra[0].id)}; they are not scored",
            "check that the key is complete",
            count_mentions(extra),
        )


def check_empty(case: Case) -> Iterator[Suspicion]:
    """Find a side without any mention."""
    for side, error in enumerate(case.errors):
        documents = case.get_side(side)
        if error is None and not count_mentions(documents):
            yield Suspicion(
                f"the {_SIDES[side]} has no mention in its "
                f"{format_count(len(documents), 'document')}",
                "check that this is the file with the annotation",
                count_mentions(case.get_side(1 - side)),
                is_certain=True,
            )


def check_singletons(case: Case) -> Iterator[Suspicion]:
    """Find singletons on one side, if the other has hardly any."""
    if not all(case.mentions):
        return
    pairs = [(pair.key, pair.response) for pair in case.pairs]
    counts = [
        sum(len({*entity.mentions}) == 1 for pair in pairs for entity in pair[side])
        for side in (0, 1)
    ]
    shares = [count / total for count, total in zip(counts, case.mentions, strict=True)]
    for side in (0, 1):
        is_frequent = (
            counts[side] >= _MIN_SINGLETONS and shares[side] >= _MIN_SINGLETON_SHARE
        )
        has_links = counts[side] < case.mentions[side]  # otherwise see `check_links`
        is_dropped = _SIDES[side] in case.settings.without_singletons
        if not is_frequent or not has_links or is_dropped:
            continue
        if shares[1 - side] <= _MAX_OTHER_SHARE * shares[side]:
            yield Suspicion(
                f"the {_SIDES[side]} has {format_count(counts[side], 'singleton')}, "
                f"entities of one mention, and the {_SIDES[1 - side]} has "
                f"{counts[1 - side]:,}",
                "`--singletons drop` scores without them on both sides",
                counts[side],
                case.replace_settings(singletons="drop"),
            )


def check_zeros(case: Case) -> Iterator[Suspicion]:
    """Find mentions of empty nodes that only one side has."""
    if case.settings.drops_zeros:
        return
    pairs = [(pair.key, pair.response) for pair in case.pairs]
    counts = [
        sum(end < start for pair in pairs for start, end in list_bounds(pair[side]))
        for side in (0, 1)
    ]
    for side in (0, 1):
        if counts[side] and not counts[1 - side] and case.mentions[1 - side]:
            yield Suspicion(
                f"the {_SIDES[side]} has {format_count(counts[side], 'zero')}, "
                f"mentions of empty nodes, and the {_SIDES[1 - side]} has none",
                "`--zeros drop` scores without them",
                counts[side],
                case.replace_settings(zeros="drop"),
            )


def check_repeated(case: Case) -> Iterator[Suspicion]:
    """Find duplicate mentions."""
    treatment, alternative = _REPEATED[case.settings.repeated]
    fixed = case.replace_settings(repeated=alternative)
    for side in (0, 1):
        copies = [
            (document, mention)
            for document in case.get_side(side)
            for mention in _iter_copies(document)
        ]
        if not copies:
            continue
        document, mention = copies[0]
        words = document.text(mention) if document.sentences else str((*mention,))
        fix = f"`corefkit validate {case.names[side]}` lists them"
        if fixed.scores is not None:
            fix += f"; `--repeated {alternative}` {_REPEATED_EFFECT[alternative]}"
        yield Suspicion(
            f"the {_SIDES[side]} has {format_count(len(copies), 'duplicate mention')}, "
            f"such as {quoted(words)} in {quoted(document.id)}; {treatment}",
            fix,
            len(copies),
            fixed,
            is_certain=True,
        )


def _iter_copies(document: Document) -> Iterator[Mention]:
    spans: set[tuple[object, ...]] = set()
    for mention in iter_mentions(document):
        span = mention.start, mention.end, mention.gaps
        if span in spans:
            yield mention
        spans.add(span)


def check_links(case: Case) -> Iterator[Suspicion]:
    """Find a side without any link, or that links everything."""
    for side in (1, 0):
        pairs = [(pair.key, pair.response) for pair in case.pairs]
        documents = [pair[side] for pair in pairs if pair[side].entities]
        others = [pair[1 - side] for pair in pairs if pair[1 - side].entities]
        finding = _find_link_fault(documents, others, (_SIDES[side], _SIDES[1 - side]))
        if finding is not None:
            yield Suspicion(*finding, count_mentions(documents), is_certain=True)


def _find_link_fault(
    documents: Sequence[Document], others: Sequence[Document], names: tuple[str, str]
) -> tuple[str, str] | None:
    """Return the description and the fix of entities with all links or none."""
    mentions = count_mentions(documents)
    other_sizes = [len(entity) for document in others for entity in document]
    # If the other side has no link, or only links, this side may too.
    is_extreme = max(other_sizes, default=0) < 2 or len(other_sizes) == len(others)
    if mentions < _MIN_LINKED or is_extreme:
        return None
    entities = sum(len(document.entities) for document in documents)
    if not any(len(entity) > 1 for document in documents for entity in document):
        return (
            f"every mention of the {names[0]} is a separate entity, without any link",
            "check that mentions of one entity are written with the same id",
        )
    is_single = all(len(document.entities) == 1 for document in documents)
    if is_single and entities < len(other_sizes):
        return (
            f"all mentions of a document are one entity in the {names[0]}",
            "check that each entity is written with its own id",
        )
    is_merged = _MIN_MERGED * entities <= len(other_sizes)
    if is_merged and mentions >= count_mentions(others) / 2:
        return (
            f"the {names[0]} has {entities:,} entities and the {names[1]} has "
            f"{len(other_sizes):,}, of about as many mentions",
            "check whether entities of different parts or windows have the same ids",
        )
    return None


def check_ids(case: Case) -> Iterator[Suspicion]:
    """Find ids of entities that restart in each document, or continue in others."""
    sides = [_count_ids(documents) for documents in (case.key, case.response)]
    mentions = sum(case.mentions)
    if case.settings.joins_documents:
        for side, (ids, documents) in enumerate(sides):
            if documents > 1 and max(ids.values(), default=0) > documents / 2:
                yield Suspicion(
                    f"ids of entities in the {_SIDES[side]} restart in each document, "
                    f"but --scope {case.settings.scope} merges entities with equal ids",
                    "`--scope document`, or give each entity a unique id",
                    mentions,
                    case.replace_settings(scope="document"),
                )
                return
        return
    if min(len(case.key), len(case.response)) < _MIN_DOCUMENTS:
        return
    for ids, documents in sides:
        shared = sum(count > 1 for count in ids.values())
        has_restarts = max(ids.values(), default=0) > documents / 2
        if shared < max(_MIN_SHARED_IDS, _MIN_SHARED_ID_SHARE * len(ids)):
            return
        if has_restarts:
            return
    yield Suspicion(
        "entities of both sides continue in other documents, by their ids, and are "
        "scored within each document",
        "`--scope corpus` scores them across documents",
        mentions,
        case.replace_settings(scope="corpus"),
    )


def _count_ids(documents: Iterable[Document]) -> tuple[Counter[str], int]:
    """Count the documents of each id, and all documents with entities."""
    ids = [{entity.id for entity in document} for document in documents]
    annotated = [row for row in ids if row]
    return Counter(name for row in annotated for name in row), len(annotated)
