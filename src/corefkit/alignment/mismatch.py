"""Warnings and likely reasons if hardly any mentions of key and response match.

Some documents are then read again, and mentions remapped in cheap ways that users may
have meant, such as tokens counted from 1. The reason in a warning is the remapping with
which most mentions match; `corefkit doctor` tries more.
"""

from __future__ import annotations

import re
from collections import Counter
from contextlib import ExitStack, suppress
from dataclasses import replace
from itertools import chain, islice, product
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from corefkit.alignment.pipeline import (
    find_differing_texts,
    has_few_matches,
    read_block,
)
from corefkit.alignment.texts import compare_texts
from corefkit.alignment.trees import fill_heads, load_trees
from corefkit.exceptions import FormatError, quoted
from corefkit.formats.files import ByteFile
from corefkit.strings import drop_first_part, make_filename, normalize_id
from corefkit.tally import SIDES

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from corefkit.alignment.pipeline import Run
    from corefkit.alignment.scored_mentions import Block
    from corefkit.alignment.trees import Trees
    from corefkit.arrays.columns import Columns, Ints
    from corefkit.formats.source import Source, Word

_MIN_SHARE = 0.3  # of mentions that must match with a convincing remapping
_MIN_GAIN = 0.3  # by which a loose remapping must be better than a plain one
_MAX_BYTES = 1 << 21  # of the key that are read again
_MAX_DOCUMENTS = 1 << 8
_MAX_TOKEN = 1 << 31  # larger numbers are hashes of names, as in tables
_MAX_MOVE = 2  # tokens by which starts and ends are moved
_MOVES = {
    (-1, -2): "with its tokens counted from 1 and its ends taken as exclusive",
    (-1, -1): "with its tokens counted from 1",
    (-1, 0): "with its starts taken as exclusive",
    (0, -1): "with its ends taken as exclusive",
    (0, 1): "with the key's ends taken as exclusive",
    (1, 0): "with the key's starts taken as exclusive",
    (1, 1): "with the key's tokens counted from 1",
    (1, 2): "with the key's tokens counted from 1 and ends taken as exclusive",
}
_TRIED = "other bounds, heads, columns and characters were tried, and none fits"
_DOCTOR = "`corefkit doctor` scores possible fixes"


# Warnings.


def list_warnings(run: Run, *, documents: int | None = None) -> tuple[str, ...]:
    """List the warnings about a run, which may have some of the counted documents."""
    warnings = list(_warn_of_words(run))
    if has_few_matches(run.tally):
        counted = len(run.numbers) if documents is None else documents
        warnings.insert(0, _describe_mentions(run, counted))
    return tuple(warnings)


def _describe_mentions(run: Run, documents: int) -> str:
    response, totals = run.response.name, run.tally.totals
    key_mentions, response_mentions = (totals[f"mentions/{side}"] for side in SIDES)
    reason = _explain_absence(run)
    if not key_mentions and not response_mentions:
        message = f"{response}: neither it nor the key has a mention to score"
        reason = reason or _locate_brackets(run)
    else:
        if reason is None and (remapping := _find_reason(run, documents)):
            reason = f"{remapping}; {_DOCTOR}"
        if not key_mentions or not response_mentions:
            name = run.key.name if response_mentions else response
            message = f"{name}: has no mention to score"
        else:
            matched = totals["mentions/matched"]
            plural = "" if response_mentions == 1 else "s"
            verb = "matches" if matched == 1 else "match"
            message = (
                f"{response}: {matched} of its {response_mentions} mention{plural} "
                f"{verb} the key's {key_mentions}"
            )
            if reason is None and run.numbers:
                reason = f"{_TRIED}; `corefkit doctor` tries more"
    return f"{message}: {reason}" if reason else message


def _explain_absence(run: Run) -> str | None:
    """Return why a side has no mentions, if settings or ids are the reason."""
    totals = run.tally.totals
    empty = [side for side in SIDES if not totals[f"mentions/{side}"]]
    dropped = totals[f"dropped/{empty[-1]}"] if empty else 0
    if dropped:
        settings = ", ".join(
            f"{name}:{value}"
            for name in ("singletons", "zeros")
            if (value := str(getattr(run.settings, name))).startswith("drop")
        )
        settings = settings or "as read"
        return f"the settings leave out all {dropped} that it has ({settings})"
    if not totals["paired"]:
        return _explain_pairing(run.key.ids, run.response.ids)
    return None


def _explain_pairing(key_ids: Sequence[str], response_ids: Sequence[str]) -> str:
    if not key_ids or not response_ids:
        return f"{'it' if key_ids else 'the key'} has no document"
    for spell in (normalize_id, drop_first_part, make_filename):
        shared = {*map(spell, key_ids)} & {*map(spell, response_ids)}
        if shared:
            pairs = f"{len(shared)} of {len(key_ids)} documents would pair"
            return f"ids are compared exactly; in another spelling {pairs}"
    example = f"it has such as {quoted(response_ids[0])}"
    return (
        f"it has none of the key's documents, such as {quoted(key_ids[0])}; {example}"
    )


def _warn_of_words(run: Run) -> Iterator[str]:
    totals = run.tally.totals
    for source, role, other in (
        (run.key, "key", "response"),
        (run.response, "response", "key"),
    ):
        wordless = totals[f"wordless/{role}"]
        if wordless and source.may_have_words:
            in_all = wordless == totals["paired"]
            in_some = "" if in_all else f" in {wordless} documents"
            hint = _locate_words(run, source) or "its text was not compared"
            yield (
                f"{source.name}: its words are unknown{in_some}, but those of the "
                f"{other} are known: {hint}"
            )


def _sample_documents(run: Run) -> tuple[list[int], list[int]]:
    """Choose the first documents of both sides, up to a size that is read quickly."""
    numbers: list[int] = []
    partners: list[int] = []
    size = 0
    for number, partner in zip(run.numbers, run.partners, strict=True):
        if partner is None:
            continue
        size += run.key.sizes[number]
        if numbers and (size > _MAX_BYTES or len(numbers) >= _MAX_DOCUMENTS):
            break
        numbers.append(number)
        partners.append(partner)
    return numbers, partners


# Remappings: other ways to read mentions, each tried on all mentions of the sample, as
# the share of mentions that match, and the reason to report.

_Remappings: TypeAlias = "Iterable[tuple[float, str]]"


class Spans(NamedTuple):
    """The mentions of one side: document, first and last token of each."""

    document: Ints
    start: Ints
    end: Ints


def _find_reason(run: Run, documents: int) -> str | None:
    """Return the best remapping, if it is convincing."""
    numbers, partners = _sample_documents(run)
    if not numbers:
        return None
    plain, loose = (
        max(remappings, key=itemgetter(0), default=(0.0, ""))
        for remappings in _list_remappings(run, numbers, partners)
    )
    # The first tokens match with any ends, so loose remappings match more mentions.
    is_loose = plain[0] < _MIN_SHARE or loose[0] > plain[0] + _MIN_GAIN
    share, reason = loose if is_loose else plain
    if share < _MIN_SHARE:
        return None
    part = "" if len(numbers) == documents else f" in {len(numbers)} documents"
    return f"{reason} {100 * share:.1f} % of mentions would match{part}"


def _list_remappings(
    run: Run, numbers: Sequence[int], partners: Sequence[int]
) -> tuple[_Remappings, _Remappings]:
    """List plain remappings, and loose ones, with which mentions match more easily."""
    key, response = _read_again(run, numbers, partners)
    key_spans, response_spans = _get_spans(key.scored), _get_spans(response.scored)
    if key_spans is None or response_spans is None:
        return _remap_spelling(key.scored, response.scored), ()
    columns = chain(
        _remap_columns(key_spans, run.response, partners),
        _remap_columns(response_spans, run.key, numbers),
    )
    if not len(key_spans.start) or not len(response_spans.start):
        return columns, ()
    plain = chain(
        _remap_bounds(key_spans, response_spans),
        columns,
        _remap_heads((key.scored, response.scored), (key_spans, response_spans)),
    )
    if key.scored.names is None:
        words = [list(run.key.iter_words(number)) for number in numbers]
        plain = chain(plain, _remap_characters(key_spans, response_spans, words))
    return plain, _remap_edges(key_spans, response_spans)


def _read_again(
    run: Run, numbers: Sequence[int], partners: Sequence[int]
) -> tuple[Block, Block]:
    settings = replace(run.settings, match="exact")
    key = read_block(run.key, "key", numbers, settings)
    response = read_block(run.response, "response", partners, settings)

    def read_trees(row: int) -> Trees | None:
        with suppress(FormatError):
            return load_trees(run.key, numbers[row])
        return None

    key.scored = fill_heads(key.scored, read_trees)
    rows = find_differing_texts(key.read, response.read)
    for difference in compare_texts(key, response, rows=rows).values():
        key, response = difference.convert(key, response)
    return key, response


def _get_spans(columns: Columns) -> Spans | None:
    """Return mentions as spans, as names of two numbers are; None if they are not."""
    start, end = columns.start, columns.end
    if columns.names is not None:
        names = [columns.names[number] for number in start.tolist()]
        if not all(map(_is_span, names)):
            return None
        start, end = np.array(names, np.int64).reshape(-1, 2).T
    elif end.max(initial=0) >= _MAX_TOKEN:
        return None
    return Spans(columns.document, start, end)


def _is_span(name: object) -> bool:
    if not isinstance(name, tuple) or len(name) != 2:
        return False
    return all(type(part) is int and abs(part) < _MAX_TOKEN for part in name)


def _compute_share(key: Spans, response: Spans, smaller: int | None = None) -> float:
    """Compute the share of the smaller side that matches; duplicates match, too."""
    bounds = np.concatenate((*key[1:], *response[1:]))
    lowest = int(bounds.min(initial=0))
    width = int(bounds.max(initial=0)) + 1 - lowest
    sides = []
    for document, start, end in (key, response):
        code = (document * width + start - lowest) * width + end - lowest
        sides.append(np.unique(code, return_counts=True))
    (key_codes, key_counts), (response_codes, response_counts) = sides
    _, rows, response_rows = np.intersect1d(
        key_codes, response_codes, assume_unique=True, return_indices=True
    )
    matched = np.minimum(key_counts[rows], response_counts[response_rows]).sum()
    if smaller is None:
        smaller = min(len(key.start), len(response.start))
    return int(matched) / max(smaller, 1)


def _remap_bounds(key: Spans, response: Spans) -> _Remappings:
    """Move starts and ends: tokens counted from 1, or exclusive ends."""
    steps = range(-_MAX_MOVE, _MAX_MOVE + 1)
    for start, end in dict.fromkeys((*_MOVES, *product(steps, steps))):
        if start == end == 0:
            continue
        moved = Spans(response.document, response.start + start, response.end + end)
        reason = _MOVES.get((start, end)) or (
            f"with its starts moved by {start:+} and its ends by {end:+}"
        )
        yield _compute_share(key, moved), f"{reason},"


def _remap_heads(
    columns: tuple[Columns, Columns], spans: tuple[Spans, Spans]
) -> _Remappings:
    """Replace mentions by their heads; those without head do not match."""
    heads = []
    for side, (document, start, end) in zip(columns, spans, strict=True):
        head = np.full(len(start), -1, np.int64)
        if side.names is None and side.details is not None:
            head = side.details.head
        head = np.where(start == end, end, head)
        rows = np.flatnonzero(head >= 0)
        heads.append(Spans(document[rows], head[rows], head[rows]))
    smaller = min(len(side.start) for side in spans)
    yield _compute_share(heads[0], heads[1], smaller), "by head"


def _remap_edges(key: Spans, response: Spans) -> _Remappings:
    """Replace mentions by their last, and by their first tokens."""
    for edge, column in (("last", 2), ("first", 1)):
        key_edge, response_edge = (
            Spans(side.document, side[column], side[column]) for side in (key, response)
        )
        yield _compute_share(key_edge, response_edge), f"by their {edge} token"


def _remap_characters(
    key: Spans, response: Spans, words: Sequence[Sequence[Word]]
) -> _Remappings:
    """Replace the tokens of the key by characters, with blanks between words."""
    start, end = key.start.copy(), key.end.copy()
    for document, tokens in enumerate(words):
        length = np.array([len(word.text) for word in tokens], np.int64)
        first = np.cumsum(length + 1) - length - 1
        rows = np.flatnonzero((key.document == document) & (key.end < len(tokens)))
        start[rows] = first[key.start[rows]]
        end[rows] = (first + length)[key.end[rows]]
    for last, kind in ((end, "exclusive"), (end - 1, "inclusive")):
        share = _compute_share(Spans(key.document, start, last), response)
        yield share, f"with its spans taken as characters, ends {kind},"


def _remap_spelling(key: Columns, response: Columns) -> _Remappings:
    """Replace mentions that are names by their letters and digits."""
    if key.names is None or response.names is None:
        return
    spellings = [
        Counter(
            (document, *re.findall(r"\w+", str(names[number]).casefold()))
            for document, number in zip(
                side.document.tolist(), side.start.tolist(), strict=True
            )
        )
        for side, names in ((key, key.names), (response, response.names))
    ]
    smaller = min(map(Counter.total, spellings))
    share = (spellings[0] & spellings[1]).total() / max(smaller, 1)
    yield share, "by their letters and digits alone, whatever their type,"


# Columns of text: brackets and words in another column than the format's.

_ENTITY = re.compile(r"(?:^|\|)Entity=([^|]*)")
_BRACKET = re.compile(r"\(([^()|]*)|([^()|]*)\)")
_EMPTY_CELLS = ("-", "_", "*", "")
_MIN_TABS = 9  # of lines that are split at tabs only, as in CoNLL-U
_MIN_WORD_SHARE = 0.9  # of cells that are words in a column of words


def read_token_rows(source: Source, numbers: Sequence[int]) -> list[list[list[str]]]:
    """Read the columns of the lines of tokens; without a file there are no rows."""
    places = [
        [word.place.rpartition(":")[::2] for word in source.iter_words(number)]
        for number in numbers
    ]
    lines: dict[str, set[str]] = {}
    for name, line in chain.from_iterable(places):
        lines.setdefault(name, set()).add(line)
    rows = {
        (name, str(line)): columns
        for name in lines
        for line, columns in _iter_rows(source, name, lines[name])
    }
    return [
        [rows[place] for place in of_document if place in rows]
        for of_document in places
    ]


def _iter_rows(
    source: Source, name: str, lines: Collection[str]
) -> Iterator[tuple[int, list[str]]]:
    last = max((int(line) for line in lines if line.isdigit()), default=0)
    with ExitStack() as stack:
        # Data from a pipe is in the open file only.
        file = source.file
        if file is None or file.name != name:
            if not Path(name).is_file():
                return
            stack.enter_context(suppress(FormatError))
            file = stack.enter_context(ByteFile(name))
        numbered = enumerate(file.lines(file.text_start, file.size), start=1)
        for number, (_, line) in islice(numbered, last):
            if str(number) in lines:
                text = line.decode("utf-8", "replace")
                has_tabs = text.count("\t") >= _MIN_TABS
                yield number, text.split("\t") if has_tabs else text.split()


def _remap_columns(spans: Spans, source: Source, numbers: Sequence[int]) -> _Remappings:
    """Compare the brackets in every column of a source with the other side's spans."""
    rows = read_token_rows(source, numbers)
    for column, name in _iter_columns(rows):
        brackets = [
            (number, start, end)
            for number, document in enumerate(rows)
            for _, start, end in iter_bracket_spans([row[column] for row in document])
        ]
        table = np.array(brackets, np.int64).reshape(-1, 3)
        share = _compute_share(Spans(*table.T), spans)
        yield share, f"with coreference in column {name} of {source.name},"


def _iter_columns(
    rows: Sequence[Sequence[Sequence[str]]],
) -> Iterator[tuple[int, str]]:
    widths = [len(row) for document in rows for row in document]
    width, widest = min(widths, default=0), max(widths, default=0)
    for column in range(width):
        # Lines of different lengths have their last columns in common.
        if width < widest:
            yield -column - 1, f"{column + 1} from the end"
        else:
            yield column, f"{column + 1} of {width}"


def iter_bracket_spans(cells: Sequence[str]) -> Iterator[tuple[str, int, int]]:
    """Iterate over the entities and spans of a column with paired brackets.

    Brackets of phrases, as in `(NP*`, are ignored.
    """
    opening = [cell for cell in cells if "(" in cell]
    numbered = sum(any(letter.isdigit() for letter in cell) for cell in opening)
    if numbered * 2 <= len(opening) or any("*" in cell for cell in opening):
        return
    starts: dict[str, list[int]] = {}
    open_names: list[str] = []
    for token, cell in enumerate(cells):
        if cell in _EMPTY_CELLS or not ("(" in cell or ")" in cell):
            continue
        entity = _ENTITY.search(cell)
        for bracket in _BRACKET.finditer(entity[1] if entity else cell):
            if bracket[1] is not None:
                name = bracket[1].partition("-")[0] if entity else bracket[1]
                starts.setdefault(name, []).append(token)
                open_names.append(name)
                continue
            name = bracket[2] or (open_names[-1] if open_names else "")
            if starts.get(name):
                yield name, starts[name].pop(), token
                last = len(open_names) - 1 - open_names[::-1].index(name)
                del open_names[last]


def _locate_brackets(run: Run) -> str | None:
    """Return in which column of the key there are brackets that are not read."""
    rows = read_token_rows(run.key, _sample_documents(run)[0])
    spans = Counter(
        name
        for column, name in _iter_columns(rows)
        for document in rows
        for _ in iter_bracket_spans([row[column] for row in document])
    )
    if not spans:
        return None
    column = max(spans, key=lambda name: spans[name])
    return f"column {column} of {run.key.name} contains brackets, but is not read"


def _locate_words(run: Run, source: Source) -> str | None:
    """Return in which column of a side there are words that are not read."""
    numbers, partners = _sample_documents(run)
    other = run.response
    if source is not run.key:
        numbers, partners, other = partners, numbers, run.key
    words = [[word.text for word in other.iter_words(number)] for number in partners]
    pairs = [
        (row, word)
        for document, tokens in zip(
            read_token_rows(source, numbers), words, strict=True
        )
        if len(document) == len(tokens)
        for row, word in zip(document, tokens, strict=True)
    ]
    width = min((len(row) for row, _ in pairs), default=0)
    for column in range(width):
        if np.mean([row[column] == word for row, word in pairs]) >= _MIN_WORD_SHARE:
            return f"column {column + 1} contains them, but is not read"
    return None
