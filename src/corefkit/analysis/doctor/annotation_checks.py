"""Checks of annotation: files, columns, sides, mentions and entities."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate
from pathlib import Path, PurePath

from corefkit.alignment.mismatch import iter_bracket_spans, read_token_rows
from corefkit.analysis.doctor.case import (
    Case,
    CaseSide,
    Suspicion,
    count_beyond_text,
    count_mentions,
    is_file,
    iter_mentions,
    list_bounds,
    replace_fields,
    replace_mentions,
)
from corefkit.analysis.doctor.offset_checks import describe_unit
from corefkit.exceptions import CorefkitError, quoted
from corefkit.formats import open_inputs
from corefkit.model import Document, Entity, Mention
from corefkit.strings import format_count, split_id
from corefkit.tally import SIDES

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
# By the setting `repeated`: its treatment of duplicates, and an alternative with its
# treatment.
_REPEATED = {
    "first": ("the first of each is scored", "reference", "like the reference scorer"),
    "reference": ("they are scored like in the reference scorer", "first", "once"),
    "error": ("this is an error", "first", "once"),
}


def check_broken(case: Case) -> Iterator[Suspicion]:
    """Find sides that cannot be parsed; the fix drops invalid annotation."""
    for side, opposite in (case.sides, case.sides[::-1]):
        if side.error is None:
            continue
        beyond = sum(map(count_beyond_text, side.documents))
        mentions = count_mentions(side.documents)
        fix = f"`corefkit validate {side.name}` lists all problems"
        if beyond and (unit := describe_unit(side.documents, side.documents)):
            fix = f"{fix}; {unit}"
        text = f"the {side.role} cannot be read: {side.error.reason}"
        fixed = None
        if mentions:
            text = f"{text}; scores after are without the invalid parts"
            valid = map(_drop_beyond_text, side.documents)
            fixed = case.replace_side(side.role, valid, keeps_error=False)
        # If nothing can be read, the mentions that the other side misses.
        concerned = beyond or mentions or count_mentions(opposite.documents)
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
    is_as_read = all(len(side.numbers) == len(side.documents) for side in case.sides)
    if case.match_share >= _MAX_MATCH_SHARE or not is_as_read:
        return
    # The first documents, as many as distinguish one column from another.
    words_before = accumulate((len(pair.key.words) for pair in case.pairs), initial=0)
    sample = case.remove_documents(
        document
        for pair, words in zip(case.pairs, words_before, strict=False)
        if words >= _SAMPLE_WORDS
        for document in (pair.key, pair.response)
    )
    if not any(case.mentions.values()):  # then the key's column with most brackets
        mentions = {
            column: tried.mentions["key"]
            for column, tried in _iter_columns(sample, sample.key)
        }
        if mentions:
            column = max(mentions, key=lambda column: (mentions[column], column))
            yield _suspect_column(case, case.key, column)._replace(is_certain=True)
        return
    for side, sample_side in zip(case.sides, sample.sides, strict=True):
        for column, tried in _iter_columns(sample, sample_side):
            gain = tried.matches - sample.matches
            min_gain = _MIN_MATCH_GAIN * min(tried.mentions.values())
            if tried.matches >= _MIN_MATCHES and gain >= min_gain:
                yield _suspect_column(case, side, column)


def _iter_columns(case: Case, side: CaseSide) -> Iterator[tuple[int, Case]]:
    """Iterate over the columns of a side with other mentions, from the last one."""
    rows = _read_rows(case, side)
    if len(rows) != len(side.documents) or any(d.empty for d in side.documents):
        return
    bounds = [*map(list_bounds, side.documents)]
    for column in range(-1, -_get_width(rows) - 1, -1):
        documents = [*_read_column(side.documents, rows, column)]
        if any(documents) and [*map(list_bounds, documents)] != bounds:
            yield column, case.replace_side(side.role, documents, keeps_error=False)


def _get_width(rows: Sequence[Sequence[Sequence[str]]]) -> int:
    return min((len(row) for lines in rows for row in lines), default=0)


def _read_rows(case: Case, side: CaseSide) -> list[list[list[str]]]:
    if not is_file(side.input):
        return []
    reference = case.settings.reads_as_reference
    try:
        with open_inputs(
            side.input, [], format=case.format, reference=reference
        ) as opened:
            # If one side is broken, the other one may have been read differently.
            if len(opened[0].ids) != side.total:
                return []
            return read_token_rows(opened[0], side.numbers)
    except CorefkitError:
        return []


def _read_column(
    documents: Sequence[Document], rows: Sequence[Sequence[Sequence[str]]], column: int
) -> Iterator[Document]:
    for document, lines in zip(documents, rows, strict=True):
        cells = [row[column] if len(row) >= -column else "_" for row in lines]
        groups: dict[str, list[Mention]] = {}
        for name, start, end in iter_bracket_spans(cells):
            groups.setdefault(name, []).append(Mention(start, end))
        entities = tuple(Entity(name, tuple(group)) for name, group in groups.items())
        yield replace_fields(document, entities=entities)


def _suspect_column(case: Case, side: CaseSide, column: int) -> Suspicion:
    rows = _read_rows(case, side)
    documents = _read_column(side.documents, rows, column)
    fixed = case.replace_side(side.role, documents, keeps_error=False)
    width = _get_width(rows)
    number = width + 1 + column
    fix = "put the column into its place in the format"
    if column < -1:
        fix = f"move column {number} ({-column} from the end) to the end of the line"
    return Suspicion(
        f"coreference of {side.name} is in another column than the one that is read: "
        f"column {number} of {width}",
        fix,
        fixed.mentions[side.role],
        fixed,
    )


def check_identical(case: Case) -> Iterator[Suspicion]:
    """Find a response that is the key itself."""
    if any(case.unpaired) or not all(case.mentions.values()):
        return
    if any(
        {frozenset(entity) for entity in pair.key}
        != {frozenset(entity) for entity in pair.response}
        for pair in case.pairs
    ):
        return
    paths = [Path(side.name) for side in case.sides if is_file(side.input)]
    is_same = len(paths) == 2 and all(path.exists() for path in paths)
    is_same = is_same and paths[0].samefile(paths[1])
    yield Suspicion(
        f"key and response are {'the same file' if is_same else 'equal'}",
        "specify the output of the system as RESPONSE",
        case.mentions["key"],
    )


def check_swapped(case: Case) -> Iterator[Suspicion]:
    """Find a key with the name of a response, or the reverse."""
    key, response = (PurePath(side.name).name for side in case.sides)
    if (key, response) == SIDES:
        return
    has_key_name = _KEY_NAME.search(response) and not _KEY_NAME.search(key)
    has_response_name = _RESPONSE_NAME.search(key) and not _RESPONSE_NAME.search(
        response
    )
    if has_key_name or has_response_name:
        yield Suspicion(
            f"key and response seem to be swapped: {quoted(key)} is the key, and "
            f"{quoted(response)} the response",
            "the key comes first; otherwise recall and precision are swapped",
            sum(case.mentions.values()),
            replace(
                case,
                key=replace(case.response, role="key"),
                response=replace(case.key, role="response"),
            ),
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
        f"the response lacks {format_count(len(missing), noun)} of "
        f"{len(case.key.documents):,} in the key, such as {quoted(missing[0].id)}",
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
    for side, opposite in (case.sides, case.sides[::-1]):
        if side.error is None and not count_mentions(side.documents):
            yield Suspicion(
                f"the {side.role} has no mention in its "
                f"{format_count(len(side.documents), 'document')}",
                "check that this is the file with the annotation",
                count_mentions(opposite.documents),
                is_certain=True,
            )


def check_singletons(case: Case) -> Iterator[Suspicion]:
    """Find singletons on one side, if the other has hardly any."""
    if not all(case.mentions.values()):
        return
    counts = {
        role: sum(
            len({*entity.mentions}) == 1
            for document in case.list_paired(role)
            for entity in document
        )
        for role in SIDES
    }
    shares = {role: counts[role] / case.mentions[role] for role in SIDES}
    for role, opposite in (SIDES, SIDES[::-1]):
        if (
            counts[role] >= _MIN_SINGLETONS
            and shares[role] >= _MIN_SINGLETON_SHARE
            and shares[opposite] <= _MAX_OTHER_SHARE * shares[role]
            and counts[role] < case.mentions[role]  # otherwise see `check_links`
            and role not in case.settings.without_singletons
        ):
            yield Suspicion(
                f"the {role} has {format_count(counts[role], 'singleton')}, entities "
                f"of one mention, and the {opposite} has {counts[opposite]:,}",
                "`--singletons drop` scores without them on both sides",
                counts[role],
                case.replace_settings(singletons="drop"),
            )


def check_zeros(case: Case) -> Iterator[Suspicion]:
    """Find mentions of empty nodes that only one side has."""
    if case.settings.drops_zeros:
        return
    counts = {
        role: sum(
            end < start
            for document in case.list_paired(role)
            for start, end in list_bounds(document)
        )
        for role in SIDES
    }
    for role, opposite in (SIDES, SIDES[::-1]):
        if counts[role] and not counts[opposite] and case.mentions[opposite]:
            yield Suspicion(
                f"the {role} has {format_count(counts[role], 'zero')}, mentions of "
                f"empty nodes, and the {opposite} has none",
                "`--zeros drop` scores without them",
                counts[role],
                case.replace_settings(zeros="drop"),
            )


def check_repeated(case: Case) -> Iterator[Suspicion]:
    """Find duplicate mentions."""
    treatment, alternative, effect = _REPEATED[case.settings.repeated]
    fixed = case.replace_settings(repeated=alternative)
    for side in case.sides:
        copies = [
            (document, mention)
            for document in side.documents
            for mention in _iter_copies(document)
        ]
        if not copies:
            continue
        document, mention = copies[0]
        words = document.text(mention) if document.sentences else str((*mention,))
        fix = f"`corefkit validate {side.name}` lists them"
        if fixed.scores is not None:
            fix += f"; `--repeated {alternative}` scores them {effect}"
        yield Suspicion(
            f"the {side.role} has {format_count(len(copies), 'duplicate mention')}, "
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
    for role, opposite in (SIDES[::-1], SIDES):
        documents = [d for d in case.list_paired(role) if d.entities]
        partners = [d for d in case.list_paired(opposite) if d.entities]
        mentions, min_mentions = count_mentions(documents), count_mentions(partners) / 2
        sizes = [len(entity) for document in documents for entity in document]
        partner_sizes = [len(entity) for document in partners for entity in document]
        entities, partner_entities = len(sizes), len(partner_sizes)
        # If the other side has no link, or only links, this side may too.
        is_extreme = max(partner_sizes, default=0) < 2 or partner_entities == len(
            partners
        )
        if mentions < _MIN_LINKED or is_extreme:
            continue
        if max(sizes) < 2:
            text = f"every mention of the {role} is a separate entity, without any link"
            fix = "check that mentions of one entity are written with the same id"
        elif entities == len(documents) and entities < partner_entities:
            text = f"all mentions of a document are one entity in the {role}"
            fix = "check that each entity is written with its own id"
        elif _MIN_MERGED * entities <= partner_entities and mentions >= min_mentions:
            text = (
                f"the {role} has {entities:,} entities and the {opposite} has "
                f"{partner_entities:,}, of about as many mentions"
            )
            fix = (
                "check whether entities of different parts or windows have the same ids"
            )
        else:
            continue
        yield Suspicion(text, fix, mentions, is_certain=True)


def check_ids(case: Case) -> Iterator[Suspicion]:
    """Find ids of entities that restart in each document, or continue in others."""
    is_joined = case.settings.joins_documents
    has_restarts = []
    for side in case.sides:
        ids = [{entity.id for entity in d} for d in side.documents if d.entities]
        counts = Counter(name for row in ids for name in row)
        shared = sum(count > 1 for count in counts.values())
        is_shared = shared >= max(_MIN_SHARED_IDS, _MIN_SHARED_ID_SHARE * len(counts))
        restarts = len(ids) > 1 and max(counts.values()) > len(ids) / 2
        has_restarts.append(restarts)
        if not is_joined and (
            restarts or not is_shared or len(side.documents) < _MIN_DOCUMENTS
        ):
            return
    if is_joined and any(has_restarts):
        role = SIDES[has_restarts.index(True)]
        yield Suspicion(
            f"ids of entities in the {role} restart in each document, but "
            f"--scope {case.settings.scope} merges entities with equal ids",
            "`--scope document`, or give each entity a unique id",
            sum(case.mentions.values()),
            case.replace_settings(scope="document"),
        )
    elif not is_joined:
        yield Suspicion(
            "entities of both sides continue in other documents, by their ids, and are "
            "scored within each document",
            "`--scope corpus` scores them across documents",
            sum(case.mentions.values()),
            case.replace_settings(scope="corpus"),
        )
