"""Whether the mentions of key and response meet; and where they hardly do, why.

A response that counts its tokens from 1, or has its brackets in another column, scores
0 like a bad one. So those whose mentions hardly meet the key's are looked at again, and
what might have been meant is tried: the reason that is given was found by trying. Where
mentions meet, all this costs a few sums.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from corefkit.alignment.meeting import trials
from corefkit.alignment.meeting.cells import (
    column_of_brackets,
    column_of_words,
    in_other_column,
    token_rows,
)
from corefkit.alignment.mention_heads import sound_trees, with_heads
from corefkit.alignment.runs import Side, differing_texts
from corefkit.alignment.texts import other_tokens
from corefkit.exceptions import FormatError, PairingError, quoted
from corefkit.strings.ids import canonical_id, safe_name, short_id

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from corefkit.alignment.blocks import Block
    from corefkit.alignment.matching.trees import Trees
    from corefkit.alignment.meeting.trials import Trial
    from corefkit.alignment.runs import Run
    from corefkit.columns import Ints
    from corefkit.formats.source import Source, Word
    from corefkit.settings import Settings

_CONVINCING = 0.3  # the share of mentions that must match for a reason to be given
_MUCH = 0.3  # by which a loose way must fit better than a plain one
_MOST_BYTES = 1 << 21  # of the key, that are looked at again
_MOST_DOCUMENTS = 1 << 8
_TRIED = (
    "other bounds, heads, columns, characters and documents were tried, and none fits"
)
_DOCTOR = "`corefkit doctor` scores what would mend it"


def warnings(run: Run, *, documents: int | None = None) -> tuple[str, ...]:
    """Say what is wrong with mentions or words of a side, and the likely reason.

    Where a run has only some of the documents that were counted, or none any more,
    `documents` is how many there were.
    """
    whole = len(run.numbers) if documents is None else documents
    return (*_about_mentions(run, whole), *_about_words(run))


def _about_mentions(run: Run, documents: int) -> Iterator[str]:
    meeting, response = run.meeting, run.response.source.name
    if not meeting.hardly:
        return
    if not meeting.key and not meeting.response:
        reason = _left_out(run) or _place_of_brackets(run)
        because = f": {reason}" if reason else ""
        yield f"{response}: neither it nor the key has a mention to score{because}"
        return
    reason = _left_out(run)
    if reason is None and (likely := _likely_reason(run, documents)):
        reason = f"{likely}; {_DOCTOR}"
    because = f": {reason}" if reason else ""
    if not meeting.response or not meeting.key:
        name = run.key.source.name if meeting.response else response
        yield f"{name}: has no mention to score{because}"
    else:
        plural = "" if meeting.response == 1 else "s"
        meets = f"{meeting.both} of its {meeting.response} mention{plural}"
        found = f"{meets} {'meet' if meeting.both != 1 else 'meets'} the key's"
        if not because and run.numbers:
            because = f": {_TRIED}; `corefkit doctor` tries more"
        yield f"{response}: {found} {meeting.key}{because}"


def _left_out(run: Run) -> str | None:
    meeting = run.meeting
    dropped = meeting.key_dropped if not meeting.key else 0
    dropped = meeting.response_dropped if not meeting.response else dropped
    if dropped:
        kept = ", ".join(
            f"{name}:{value}"
            for name in ("singletons", "zeros")
            if (value := str(getattr(run.settings, name))).startswith("drop")
        )
        return f"the settings leave out all {dropped} that it has ({kept or 'as read'})"
    if not meeting.documents:
        return _unpaired(run.key.source.ids, run.response.source.ids)
    return None


def _likely_reason(run: Run, documents: int) -> str | None:
    """Try what might have been meant, and word what fits best."""
    numbers, partners = _sample(run)
    if not numbers:
        return None
    plain, loose = _trials(run, numbers, partners)
    best, looser = _best(plain), _best(loose)
    # A first token is the same whatever the end: what is loose fits where others do.
    if best is None or (looser and looser.share > best.share + _MUCH):
        best = looser
    if best is None:
        return None
    part = "" if len(numbers) == documents else f" in {len(numbers)} documents"
    return f"{best}{part}"


def _best(tried: Iterable[Trial]) -> Trial | None:
    """Choose the trial that most mentions speak for, the first of equal ones."""
    best = max(tried, key=lambda trial: trial.share, default=None)
    return best if best is not None and best.share >= _CONVINCING else None


def _sample(run: Run) -> tuple[list[int], list[int]]:
    """Choose the first documents that both sides have, as many as are read soon."""
    numbers: list[int] = []
    partners: list[int] = []
    size = 0
    for number, partner in zip(run.numbers, run.partners, strict=True):
        if partner is None:
            continue
        size += run.key.source.sizes[number]
        if numbers and (size > _MOST_BYTES or len(numbers) >= _MOST_DOCUMENTS):
            break
        numbers.append(number)
        partners.append(partner)
    return numbers, partners


def _trials(
    run: Run, numbers: Sequence[int], partners: Sequence[int]
) -> tuple[Iterable[Trial], Iterable[Trial]]:
    """List what to try: ways that were likely meant, and ways that fit more easily."""
    key, response = _read_again(run, numbers, partners)
    ours, theirs = trials.spans_of(key.settled), trials.spans_of(response.settled)
    if ours is None or theirs is None:
        return trials.by_spelling(key.settled, response.settled), ()
    spans = (run.response.source, partners, ours), (run.key.source, numbers, theirs)
    columns = chain.from_iterable(
        in_other_column(others, token_rows(source, these), source.name)
        for source, these, others in spans
    )
    if not len(ours) or not len(theirs):
        return columns, ()
    plain = chain(
        trials.other_bounds(ours, theirs), columns, trials.by_head(ours, theirs)
    )
    loose = trials.by_edge(ours, theirs)
    if key.settled.names is not None:
        return plain, loose
    words = [list(run.key.source.words(number)) for number in numbers]
    texts = [[word.text for word in row] for row in words]
    plain = chain(
        plain,
        _retokenised(run, key, response),
        trials.by_character(ours, theirs, texts),
    )
    if not all((side.read.text_hash != 0).any() for side in (key, response)):
        # Their words were not compared.
        pairs = zip(numbers, partners, strict=True)
        ids = [(run.key.source.ids[a], run.response.source.ids[b]) for a, b in pairs]
        plain = chain(plain, trials.by_other_document(ours, theirs, ids))
    starts = [_sentence_starts(row) for row in words]
    return plain, chain(loose, trials.by_sentence(ours, theirs, starts))


def _about_words(run: Run) -> Iterator[str]:
    meeting = run.meeting
    for source, other, many in (
        (run.key.source, "response", meeting.key_wordless),
        (run.response.source, "key", meeting.response_wordless),
    ):
        if many and not getattr(source, "never_has_words", False):
            documents = "" if many == meeting.documents else f" in {many} documents"
            missing = f"no words are known of it{documents}, where the {other} has them"
            hint = _place_of_words(run, source) or "its text was not compared"
            yield f"{source.name}: {missing}: {hint}"


def _place_of_words(run: Run, source: Source) -> str | None:
    numbers, partners = _sample(run)
    mine, others, other = partners, numbers, run.key.source
    if source is run.key.source:
        mine, others, other = numbers, partners, run.response.source
    words = [[word.text for word in other.words(number)] for number in others]
    column = column_of_words(token_rows(source, mine), words)
    if column is None:
        return None
    return f"they stand in column {column}, where none is looked for"


def _place_of_brackets(run: Run) -> str | None:
    source, (numbers, _) = run.key.source, _sample(run)
    column = column_of_brackets(token_rows(source, numbers))
    if column is None:
        return None
    return f"brackets stand in column {column} of {source.name}, where none are read"


def _unpaired(key_ids: Sequence[str], response_ids: Sequence[str]) -> str:
    """Say why no document has a partner.

    >>> _unpaired(["(a); part 000"], ["(a)"])
    'ids are compared as they stand; in another spelling 1 of 1 documents would pair'
    """
    if not key_ids:
        return "the key has no document"
    if not response_ids:
        return "it has no document"
    for spelled in (canonical_id, short_id, safe_name):
        same = {*map(spelled, key_ids)} & {*map(spelled, response_ids)}
        if same:
            pairs = f"{len(same)} of {len(key_ids)} documents would pair"
            return f"ids are compared as they stand; in another spelling {pairs}"
    found = f"it has such as {quoted(response_ids[0])}"
    return f"it has none of the key's documents, such as {quoted(key_ids[0])}; {found}"


def _read_again(
    run: Run, numbers: Sequence[int], partners: Sequence[int]
) -> tuple[Block, Block]:
    """Read some documents of both sides, as scoring does before it aligns mentions."""
    settings = replace(run.settings, match="exact")
    key = Side(run.key.source, "key", settings).read(numbers)
    response = Side(run.response.source, "response", settings).read(partners)
    if key.settled.names is None:
        source = run.key.source
        heads = with_heads(key.settled, lambda row: _trees(source, numbers[row]))
        key = key._replace(settled=heads)
    return _by_characters(run, key, response, settings)


def _trees(source: Source, number: int) -> Trees | None:
    try:
        return sound_trees(source, number)
    except FormatError:
        return None


def _by_characters(
    run: Run, key: Block, response: Block, settings: Settings
) -> tuple[Block, Block]:
    rows = differing_texts(key.read, response.read)
    sources = run.key.source, run.response.source
    differing = other_tokens(sources, (key, response), rows=rows, settings=settings)
    for other in differing.values():
        if other.characters is not None:
            key = key.by_characters(other.characters[0])
            response = response.by_characters(other.characters[1])
    return key, response


def _retokenised(run: Run, key: Block, response: Block) -> Iterator[Trial]:
    """Try characters, where both sides have words and other tokens."""
    other = key.read.text_hash != response.read.text_hash
    if not other.any() or not run.settings.reads_as_reference:
        return
    settings = replace(run.settings, reading="strict", tokens="characters")
    try:
        key, response = _by_characters(run, key, response, settings)
    except PairingError:
        return
    spans = trials.spans_of(key.settled), trials.spans_of(response.settled)
    if spans[0] is not None and spans[1] is not None:
        share = trials.share_of(spans[0], spans[1])
        yield trials.Trial(share, "the text has other tokens, and by its characters")


def _sentence_starts(words: Sequence[Word]) -> Ints:
    """Find the first token of each sentence."""
    sentences = np.array([word.sentence for word in words], np.int64)
    return np.flatnonzero(np.diff(sentences, prepend=-1))
