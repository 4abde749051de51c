"""Whether the mentions of key and response meet; and where they hardly do, why.

A response that counts its tokens from 1, or has its brackets in another column, scores
0 like a bad one. So those whose mentions hardly meet the key's are looked at again, and
what might have been meant is tried: the reason that is given was found by trying. Where
mentions meet, all this costs a few sums.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from corefkit.alignment.blocks import Block, Numbers
    from corefkit.alignment.meeting.trials import Spans, Trial
    from corefkit.alignment.runs import Meeting, Run
    from corefkit.formats.source import Source
    from corefkit.settings import Settings

_CONVINCING = 0.3  # the share of mentions that must match for a reason to be given
_MUCH = 0.3  # by which a loose way must fit better than a plain one
_MOST_BYTES = 1 << 21  # of the key, that are looked at again
_MOST_DOCUMENTS = 1 << 8
_TRIED = (
    "other bounds, heads, columns, characters and documents were tried, and none fits"
)


class Sides(NamedTuple):
    """Key and response, as they were scored.

    Attributes:
        key: the key.
        response: the response.
        numbers: the key's documents.
        partners: the response's, None where it lacks one.
        settings: how they were scored.
    """

    key: Source
    response: Source
    numbers: Sequence[int]
    partners: Numbers
    settings: Settings


def warnings(run: Run) -> tuple[str, ...]:
    """Say what is wrong with mentions or words of a side, and the likely reason."""
    sources = run.key.source, run.response.source
    sides = Sides(*sources, run.numbers, run.partners, run.settings)
    about = _about_mentions(run.meeting, sides), _about_words(run.meeting, sides)
    return tuple(chain(*about))


def _about_mentions(meeting: Meeting, sides: Sides) -> Iterator[str]:
    if not meeting.hardly:
        return
    if not meeting.key and not meeting.response:
        yield f"{sides.response.name}: neither it nor the key has a mention to score"
        return
    reason = _left_out(meeting, sides) or _likely_reason(sides)
    if not meeting.response or not meeting.key:
        name = sides.key.name if meeting.response else sides.response.name
        because = f": {reason}" if reason else ""
        yield f"{name}: has no mention to score{because}"
    else:
        meets = f"{meeting.both} of its {_several(meeting.response, 'mention')}"
        found = f"{meets} {'meet' if meeting.both != 1 else 'meets'} the key's"
        yield f"{sides.response.name}: {found} {meeting.key}: {reason or _TRIED}"


def _left_out(meeting: Meeting, sides: Sides) -> str | None:
    dropped = meeting.key_dropped if not meeting.key else 0
    dropped = meeting.response_dropped if not meeting.response else dropped
    if dropped:
        kept = ", ".join(
            f"{name}:{value}"
            for name in ("singletons", "zeros")
            if (value := str(getattr(sides.settings, name))).startswith("drop")
        )
        return f"the settings leave out all {dropped} that it has ({kept or 'as read'})"
    if not meeting.documents:
        from corefkit.alignment.meeting.documents import unpaired

        return unpaired(sides.key.ids, sides.response.ids)
    return None


def _likely_reason(sides: Sides) -> str | None:
    """Try what might have been meant, and word what fits best."""
    numbers, partners = _sample(sides)
    if not numbers:
        return None
    plain, loose = _trials(sides, numbers, partners)
    best, looser = _best(plain), _best(loose)
    # A first token is the same whatever the end: what is loose fits where others do.
    if best is None or (looser and looser.share > best.share + _MUCH):
        best = looser
    if best is None:
        return None
    part = "" if len(numbers) == len(sides.numbers) else f" in {len(numbers)} documents"
    return f"{best}{part}"


def _best(trials: Iterable[Trial]) -> Trial | None:
    """Choose the trial that most mentions speak for, the first of equal ones."""
    best = max(trials, key=lambda trial: trial.share, default=None)
    return best if best is not None and best.share >= _CONVINCING else None


def _sample(sides: Sides) -> tuple[list[int], list[int]]:
    """Choose the first documents that both sides have, as many as are read soon."""
    numbers: list[int] = []
    partners: list[int] = []
    size = 0
    for number, partner in zip(sides.numbers, sides.partners, strict=True):
        if partner is None:
            continue
        size += sides.key.sizes[number]
        if numbers and (size > _MOST_BYTES or len(numbers) >= _MOST_DOCUMENTS):
            break
        numbers.append(number)
        partners.append(partner)
    return numbers, partners


def _trials(
    sides: Sides, numbers: Sequence[int], partners: Sequence[int]
) -> tuple[Iterable[Trial], Iterable[Trial]]:
    """List what to try: ways that were likely meant, and ways that fit more easily."""
    from corefkit.alignment.meeting import trials
    from corefkit.alignment.meeting.documents import (
        read_again,
        retokenised,
        sentence_starts,
    )

    key, response = read_again(sides, numbers, partners)
    ours, theirs = trials.spans_of(key.settled), trials.spans_of(response.settled)
    if ours is None or theirs is None:
        return trials.by_spelling(key.settled, response.settled), ()
    columns = _other_columns(sides, numbers, partners, ours, theirs)
    if not len(ours) or not len(theirs):
        return columns, ()
    plain = chain(
        trials.other_bounds(ours, theirs), columns, trials.by_head(ours, theirs)
    )
    loose = trials.by_edge(ours, theirs)
    if key.settled.names is not None:
        return plain, loose
    words = [list(sides.key.words(number)) for number in numbers]
    texts = [[word.text for word in row] for row in words]
    plain = chain(
        plain,
        retokenised(sides, key, response),
        trials.by_character(ours, theirs, texts),
        _other_documents(sides, numbers, partners, (key, response)),
    )
    starts = [sentence_starts(row) for row in words]
    return plain, chain(loose, trials.by_sentence(ours, theirs, starts))


def _other_documents(
    sides: Sides,
    numbers: Sequence[int],
    partners: Sequence[int],
    blocks: tuple[Block, Block],
) -> Iterator[Trial]:
    from corefkit.alignment.meeting.trials import by_other_document, spans_of

    if all((block.read.fingerprint != 0).any() for block in blocks):
        return  # their words were compared
    ours, theirs = (spans_of(block.settled) for block in blocks)
    pairs = zip(numbers, partners, strict=True)
    ids = [(sides.key.ids[one], sides.response.ids[other]) for one, other in pairs]
    if ours is not None and theirs is not None:
        yield from by_other_document(ours, theirs, ids)


def _other_columns(
    sides: Sides,
    numbers: Sequence[int],
    partners: Sequence[int],
    ours: Spans,
    theirs: Spans,
) -> Iterator[Trial]:
    from corefkit.alignment.meeting.cells import in_other_column, token_rows

    for source, these, spans in (
        (sides.response, partners, ours),
        (sides.key, numbers, theirs),
    ):
        yield from in_other_column(spans, token_rows(source, these), source.name)


def _about_words(meeting: Meeting, sides: Sides) -> Iterator[str]:
    for source, other, many in (
        (sides.key, "response", meeting.key_wordless),
        (sides.response, "key", meeting.response_wordless),
    ):
        if many and not getattr(source, "never_has_words", False):
            documents = "" if many == meeting.documents else f" in {many} documents"
            missing = f"no words are known of it{documents}, where the {other} has them"
            hint = _place_of_words(sides, source) or "its text was not compared"
            yield f"{source.name}: {missing}: {hint}"


def _place_of_words(sides: Sides, source: Source) -> str | None:
    from corefkit.alignment.meeting.cells import column_of_words, token_rows

    numbers, partners = _sample(sides)
    mine, others, other = partners, numbers, sides.key
    if source is sides.key:
        mine, others, other = numbers, partners, sides.response
    words = [[word.text for word in other.words(number)] for number in others]
    column = column_of_words(token_rows(source, mine), words)
    if column is None:
        return None
    return f"they stand in column {column}, where none is looked for"


def _several(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
