"""Checks of texts: document names, parts, spellings, other tokens, word pieces.

To compare two versions of a text, words that occur once in both are anchors. Between
two anchors the same is done again, and short stretches are compared word by word. So
the work grows with the text, and not with its square.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import replace
from difflib import SequenceMatcher
from functools import partial
from itertools import accumulate, pairwise
from pathlib import PurePath
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import normalize

from corefkit.analysis.doctor.case import (
    Suspicion,
    bounds,
    changed_document,
    mention_count,
    moved,
    same_mentions,
    with_mentions,
)
from corefkit.analysis.doctor.examination import counted, verb
from corefkit.exceptions import quoted
from corefkit.model import Entity, Mention
from corefkit.strings import split_id

if TYPE_CHECKING:
    from collections.abc import (
        Callable,
        Hashable,
        Iterable,
        Iterator,
        Mapping,
        Sequence,
    )

    from corefkit.analysis.doctor.case import Bounds, Case, Pair
    from corefkit.model import Document

_MOST = 0.6  # of mentions, or of words, that must meet in another document
_LEAST = 5  # mentions that must meet in another document
_MANY_DOCUMENTS = 200  # from which on mentions are not compared across documents


def other_names(case: Case) -> Iterator[Suspicion]:
    """Documents without a partner whose text, or the core of whose name, has one."""
    missing, extra = case.unpaired
    if not missing or not extra:
        return
    partners = _partners(missing, extra)
    if not partners:
        return
    changed = {
        case.number_of(theirs): changed_document(theirs, id=ours.id)
        for ours, theirs in partners
    }
    ours, theirs = partners[0]
    many = counted(len(partners), "document")
    yield Suspicion(
        f"{many} of the response {verb(len(partners), 'has', 'have')} another name "
        f"than in the key, such as {quoted(theirs.id)} for {quoted(ours.id)}",
        "give documents of the response the names that they have in the key",
        sum(mention_count(theirs) for _, theirs in partners),
        case.with_response(changed),
        is_certain=True,
    )


def _partners(
    missing: Sequence[Document], extra: Sequence[Document]
) -> list[tuple[Document, Document]]:
    """Pair documents by their words, then by the core of names, then by mentions."""
    found: list[tuple[Document, Document]] = []
    ways: tuple[Callable[[Document], Hashable], ...] = (
        _letters,
        _core,
        lambda one: _core(one)[0],
        lambda one: re.sub(r"[_.-]\d+$", "", _core(one)[0]),
    )
    for way in ways:
        done = {id(one) for pair in found for one in pair}
        ours = _by(way, [one for one in missing if id(one) not in done])
        theirs = _by(way, [one for one in extra if id(one) not in done])
        found += [
            (ours[same], theirs[same]) for same in ours if same and same in theirs
        ]
    done = {id(one) for pair in found for one in pair}
    found += _by_vocabulary(
        [one for one in missing if id(one) not in done],
        [one for one in extra if id(one) not in done],
    )
    return found or _by_mentions(missing, extra)


def _by_vocabulary(
    missing: Sequence[Document], extra: Sequence[Document]
) -> list[tuple[Document, Document]]:
    """Pair documents that have most of their words in common."""
    if max(len(missing), len(extra), 0) > _MANY_DOCUMENTS:
        return []
    free = [(one, frozenset(one.words)) for one in missing if one.words]
    found: list[tuple[Document, Document]] = []
    for document in extra:
        mine = frozenset(document.words)
        fits = [len(mine & words) / len(mine | words) for _, words in free if mine]
        best = max(fits, default=0.0)
        if best >= _MOST:
            found.append((free.pop(fits.index(best))[0], document))
    return found


def _by(
    way: Callable[[Document], Hashable], documents: Sequence[Document]
) -> Mapping[Hashable, Document]:
    """Find documents by something that no other one of them has."""
    keys = [way(document) for document in documents]
    many = Counter(keys)
    pairs = zip(keys, documents, strict=True)
    return {key: document for key, document in pairs if many[key] == 1}


def _letters(document: Document) -> str:
    """Write a text without its blanks, and without the case of its letters."""
    return "".join("".join(document.words).split()).casefold()


def _core(document: Document) -> tuple[str, int]:
    """Take from a name its folder, its endings and the case of its letters.

    >>> from corefkit.model import Document
    >>> _core(Document("(bc/CCTV_0001.v4_gold_conll); part 002", (), ()))
    ('cctv_0001', 2)
    """
    name, part = split_id(document.id)
    stem = PurePath(name).name
    stem = re.sub(r"(?<=.)(?:\.[^\s.]*[a-z][^\s.]*)+$", "", stem, flags=re.IGNORECASE)
    return stem.casefold(), part or 0


def _by_mentions(
    missing: Sequence[Document], extra: Sequence[Document]
) -> list[tuple[Document, Document]]:
    """Pair documents whose mentions meet: each with its best, else as they stand.

    Where both sides have words, these have told already that the texts are others.
    """
    if any(one.words for one in missing):
        extra = [one for one in extra if not one.words]
    found: list[tuple[Document, Document]] = []
    free = _with_bounds(missing)
    for document in extra:
        fitting = _fitting(document, free)
        if fitting is not None:
            found.append((fitting, document))
            free = [row for row in free if row[0] is not fitting]
    in_order = _in_order(missing, extra)
    return in_order if _met(in_order) >= _met(found) else found


def _met(pairs: Sequence[tuple[Document, Document]]) -> int:
    return sum(same_mentions(bounds(one), bounds(other)) for one, other in pairs)


def _in_order(
    missing: Sequence[Document], extra: Sequence[Document]
) -> list[tuple[Document, Document]]:
    """Pair documents as they stand, where most mentions then meet."""
    if len(missing) != len(extra):
        return []
    pairs = list(zip(missing, extra, strict=True))
    fewest = min(sum(map(mention_count, missing)), sum(map(mention_count, extra)))
    return pairs if _met(pairs) >= max(_LEAST, _MOST * fewest) else []


def other_documents(case: Case) -> Iterator[Suspicion]:
    """Documents that have the name of one document, and are the response to another."""
    wanted = _by(_letters, case.key)
    among = _with_bounds(case.key)
    changed: dict[int, Document] = {}
    shown = ""
    for pair in case.pairs:
        if pair.same_words and (pair.response.words or case.share_met >= _MOST):
            continue
        letters = _letters(pair.response)
        other = wanted.get(letters) if letters else _fitting(pair.response, among)
        if other is not None and other is not pair.key:
            renamed = changed_document(pair.response, id=other.id)
            changed[case.number_of(pair.response)] = renamed
            shown = shown or f"{quoted(pair.response.id)} is {quoted(other.id)}"
    names = Counter(one.id for one in case.with_response(changed).response)
    if not changed or max(names.values()) > 1:
        return
    many = counted(len(changed), "document")
    yield Suspicion(
        f"{many} of the response {verb(len(changed), 'has', 'have')} the name of "
        f"another: {shown}",
        "give documents of the response the names that they have in the key",
        sum(map(mention_count, changed.values())),
        case.with_response(changed),
        is_certain=bool(case.response[0].words),
    )


def _fitting(
    document: Document, among: Sequence[tuple[Document, Counter[Bounds]]]
) -> Document | None:
    """Find the document that most mentions of one without words fit."""
    mine = Counter(bounds(document))
    if mine.total() < _LEAST or not among or len(among) > _MANY_DOCUMENTS:
        return None
    fits = [(theirs & mine).total() for _, theirs in among]
    met = max(fits)
    best, theirs = among[fits.index(met)]
    fewest = min(theirs.total(), mine.total())
    return best if met >= max(_LEAST, _MOST * fewest) else None


def _with_bounds(
    documents: Sequence[Document],
) -> list[tuple[Document, Counter[Bounds]]]:
    if len(documents) > _MANY_DOCUMENTS:
        return []
    return [(one, Counter(bounds(one))) for one in documents]


_HEAD = 8  # words by which documents are found that begin alike


def joined_parts(case: Case) -> Iterator[Suspicion]:
    """A response document that is several documents of the key, one after the other."""
    runs, named = _Runs(case.key), _by_name(case.key)
    found: list[tuple[Document, Sequence[Document]]] = []
    for document in _without_twin(case, 1):
        if document.words:
            into = runs.of(document.words)
        else:
            into = _by_length(case, document, named)
        if len(into) > 1:
            found.append((document, into))
    if not found:
        return
    whole, parts = found[0]
    joined = {id(document) for document, _ in found}
    documents = [one for one in case.response if id(one) not in joined]
    documents += [part for one, into in found for part in _cut(one, into)]
    yield Suspicion(
        f"document {quoted(whole.id)} of the response is {len(parts)} documents of "
        f"the key in one, from {quoted(parts[0].id)} on",
        "cut the response where the documents of the key begin, and count tokens anew",
        sum(mention_count(one) for one, _ in found),
        case.with_side(1, documents),
        is_certain=True,
    )


def split_documents(case: Case) -> Iterator[Suspicion]:
    """A document of the key that is several documents of the response."""
    runs = _Runs(case.response)
    found = [
        (document, parts)
        for document in _without_twin(case, 0)
        if document.words and len(parts := runs.of(document.words)) > 1
    ]
    if not found:
        return
    whole, parts = found[0]
    taken = {id(part) for _, run in found for part in run}
    documents = [one for one in case.response if id(one) not in taken]
    documents += [_joined(one, run) for one, run in found]
    yield Suspicion(
        f"document {quoted(whole.id)} of the key is {len(parts)} documents in the "
        f"response, from {quoted(parts[0].id)} on",
        "join them as in the key, and count tokens on; an entity that goes on behind a "
        "cut has lost its link, so the score after is the least that is to be had",
        sum(mention_count(part) for _, run in found for part in run),
        case.with_side(1, documents),
        is_certain=True,
    )


def _without_twin(case: Case, side: int) -> Iterator[Document]:
    """Go through the documents of a side that no other of the same text stands for."""
    twins = {
        id(document)
        for pair in case.pairs
        for document in (pair.key, pair.response)
        if pair.same_words and not pair.beyond
    }
    for document in case.side(side):
        if id(document) not in twins and not document.empty:
            yield document


class _Runs:
    """Documents next to each other, found by the words that they have together."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self._documents = documents
        self._words = [() if one.empty else one.words for one in documents]
        self._first: dict[tuple[str, ...], list[int]] = {}
        for number, words in enumerate(self._words):
            if words:
                self._first.setdefault(words[:_HEAD], []).append(number)

    def of(self, words: tuple[str, ...]) -> Sequence[Document]:
        """Find the documents that have these words; none where there are none."""
        # Those of fewer words stand under all of them.
        heads = {words[:length] for length in range(1, _HEAD + 1)}
        for first in sorted(at for head in heads for at in self._first.get(head, [])):
            length, last = 0, first
            while last < len(self._words) and length < len(words):
                part = self._words[last]
                if not part or part != words[length : length + len(part)]:
                    break
                length += len(part)
                last += 1
            if length == len(words):
                return self._documents[first:last]
        return []


def _by_name(documents: Iterable[Document]) -> Mapping[str, Sequence[Document]]:
    """Group documents that are parts of the same one, by its name."""
    found: dict[str, list[Document]] = {}
    for document in documents:
        found.setdefault(split_id(document.id)[0], []).append(document)
    return found


def _by_length(
    case: Case, document: Document, named: Mapping[str, Sequence[Document]]
) -> Sequence[Document]:
    """Find the documents that one without words is, by where their mentions meet."""
    parts = named.get(split_id(document.id)[0], ())
    if not parts and len(case.response) == 1:
        parts = case.key
    if len(parts) < 2 or any(one.empty or not one.words for one in parts):
        return []
    met = sum(
        same_mentions(bounds(one), bounds(other))
        for one, other in zip(parts, _cut(document, parts), strict=True)
    )
    fewest = min(mention_count(document), sum(map(mention_count, parts)))
    return parts if met >= max(_LEAST, _MOST * fewest) else []


def _cut(whole: Document, parts: Sequence[Document]) -> Iterator[Document]:
    """Cut a document where others end, and leave out what goes over a cut."""
    ends = [*accumulate(len(part.words) for part in parts)]
    groups: list[dict[str, list[Mention]]] = [{} for _ in parts]
    for entity in whole.entities:
        for mention in entity.mentions:
            number = bisect_right(ends, mention.start)
            if number < len(parts) and mention.end < ends[number]:
                begin = ends[number] - len(parts[number].words)
                here = moved(mention, -begin, -begin)
                if here is not None:
                    groups[number].setdefault(entity.id, []).append(here)
    for part, group in zip(parts, groups, strict=True):
        yield replace(
            whole,
            id=part.id,
            sentences=part.sentences if whole.sentences else (),
            entities=tuple(Entity(name, tuple(row)) for name, row in group.items()),
            layers={},
            comments=(),
            bridges=(),
            origin="",
        )


def _joined(whole: Document, parts: Sequence[Document]) -> Document:
    """Join documents; equal ids in two of them are two entities."""
    entities: list[Entity] = []
    before = 0
    for number, part in enumerate(parts):
        here = with_mentions(part, partial(moved, start=before, end=before))
        entities += [replace(one, id=f"{number}-{one.id}") for one in here.entities]
        before += len(part.words)
    joined = changed_document(parts[0], id=whole.id, sentences=whole.sentences)
    return replace(joined, entities=tuple(entities), layers={}, comments=())


# What the tokenizers of language models put before pieces, and between texts.
_MARKS = ("##", "▁", "Ġ")
_SPECIAL = frozenset(
    {"[CLS]", "[SEP]", "[PAD]", "<s>", "</s>", "<pad>", "<|endoftext|>"}
)
_SHARE = 0.02  # of tokens, that are pieces beyond doubt


def word_pieces(case: Case) -> Iterator[Suspicion]:
    """Tokens that are pieces of words, as language models have them."""
    found = {
        case.number_of(pair.response): pair.response
        for pair in case.pairs
        if not pair.same_words and has_pieces(pair.response)
    }
    if not found:
        return
    first = next(iter(found.values()))
    shown = next(word for word in first.words if word.startswith(_MARKS))
    yield Suspicion(
        f"{counted(len(found), 'document')} of the response: the tokens are word pieces"
        f" of a language model, such as {quoted(shown)} in {quoted(first.id)}",
        "turn each offset into the number of its word, as `word_ids()` of a tokenizer "
        "or a `subtoken_map` has it; scores after are without the signs of pieces",
        sum(map(mention_count, found.values())),
        case.with_response({number: _unmarked(one) for number, one in found.items()}),
        is_certain=True,
    )


def has_pieces(document: Document) -> bool:
    """Say whether tokens have the signs of pieces."""
    words = document.words
    marked = sum(word.startswith(_MARKS) and len(word) > 1 for word in words)
    return marked > _SHARE * len(words) and not document.empty


def _unmarked(document: Document) -> Document:
    """Take the signs of pieces away, and the tokens that are no text.

    >>> from corefkit.model import Document, Entity, Mention
    >>> pieces = (("[CLS]", "un", "##seen", "men", "[SEP]"),)
    >>> document = Document("d", pieces, (Entity("1", (Mention(1, 3),)),))
    >>> found = _unmarked(document)
    >>> found.words, found.entities[0].mentions
    (('un', 'seen', 'men'), (Mention(start=0, end=2),))
    """
    number: dict[int, int] = {}
    sentences: list[tuple[str, ...]] = []
    at = 0
    for sentence in document.sentences:
        row: list[str] = []
        for word in sentence:
            plain = word
            for mark in _MARKS:
                plain = plain.removeprefix(mark)
            if plain and word not in _SPECIAL:
                number[at] = len(number)
                row.append(plain)
            at += 1
        if row:
            sentences.append(tuple(row))

    def kept(mention: Mention) -> Mention | None:
        start, end = number.get(mention.start), number.get(mention.end)
        return None if start is None or end is None else Mention(start, end)

    inside = with_mentions(document, kept)
    return changed_document(inside, sentences=tuple(sentences), layers={}, comments=())


_SHORT = 200  # words of a stretch that is compared word by word
_DEEPEST = 20  # times that stretches are cut at anchors


def places(
    ours: Sequence[str], theirs: Sequence[str], *, least: float = 0.0
) -> dict[int, int]:
    """Find the words of their text in ours, by their numbers.

    There are none where the texts are less similar than `least`: the share of all words
    of both that are in common.

    >>> places("he saw the man".split(), "then he saw a man".split())
    {1: 0, 2: 1, 4: 3}
    """
    needed = least * (len(ours) + len(theirs)) / 2
    if (Counter(ours) & Counter(theirs)).total() < needed:
        return {}
    found: dict[int, int] = {}
    waiting = [(_Stretch(0, len(ours), 0, len(theirs)), 0)]
    while waiting:
        stretch, depth = waiting.pop()
        middle = stretch.trimmed(ours, theirs)
        found.update(stretch.around(middle))
        if middle.is_empty:
            continue
        if middle.is_short:
            found.update(_word_by_word(middle, ours, theirs))
        elif depth < _DEEPEST and (rows := _anchors(middle, ours, theirs)):
            found.update((other, one) for one, other in rows)
            waiting += [(part, depth + 1) for part in middle.between(rows)]
    return dict(sorted(found.items())) if len(found) >= needed else {}


class _Stretch(NamedTuple):
    """A part of both texts, from a first word to the word behind the last."""

    start: int
    end: int
    other_start: int
    other_end: int

    @property
    def is_empty(self) -> bool:
        return self.start == self.end or self.other_start == self.other_end

    @property
    def is_short(self) -> bool:
        return max(self.end - self.start, self.other_end - self.other_start) <= _SHORT

    def trimmed(self, ours: Sequence[str], theirs: Sequence[str]) -> _Stretch:
        """Leave out the words at both ends that are the same."""
        start, end, other_start, other_end = self
        while start < end and other_start < other_end:
            if ours[start] != theirs[other_start]:
                break
            start, other_start = start + 1, other_start + 1
        while start < end and other_start < other_end:
            if ours[end - 1] != theirs[other_end - 1]:
                break
            end, other_end = end - 1, other_end - 1
        return _Stretch(start, end, other_start, other_end)

    def around(self, middle: _Stretch) -> Iterator[tuple[int, int]]:
        """Pair the words of the other text that were left out with those of this."""
        before = range(self.start, middle.start)
        yield from zip(range(self.other_start, middle.other_start), before, strict=True)
        behind = range(middle.end, self.end)
        yield from zip(range(middle.other_end, self.other_end), behind, strict=True)

    def between(self, rows: Sequence[tuple[int, int]]) -> Iterator[_Stretch]:
        """Go through the parts between words that are known to be the same."""
        start, other_start = self.start, self.other_start
        for one, other in [*rows, (self.end, self.other_end)]:
            yield _Stretch(start, one, other_start, other)
            start, other_start = one + 1, other + 1


def _word_by_word(
    part: _Stretch, ours: Sequence[str], theirs: Sequence[str]
) -> Iterator[tuple[int, int]]:
    """Pair the words of a short stretch."""
    matcher = SequenceMatcher(
        None,
        ours[part.start : part.end],
        theirs[part.other_start : part.other_end],
        autojunk=False,
    )
    for block in matcher.get_matching_blocks():
        for step in range(block.size):
            yield part.other_start + block.b + step, part.start + block.a + step


def _anchors(
    part: _Stretch, ours: Sequence[str], theirs: Sequence[str]
) -> list[tuple[int, int]]:
    """Pair the words that stand once in both texts, as far as their order is one."""
    mine = _once(ours, part.start, part.end)
    others = _once(theirs, part.other_start, part.other_end)
    return _rising([(mine[word], others[word]) for word in mine if word in others])


def _once(words: Sequence[str], start: int, end: int) -> dict[str, int]:
    many = Counter(words[start:end])
    return {words[at]: at for at in range(start, end) if many[words[at]] == 1}


def _rising(rows: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Keep as many rows as can be whose second numbers rise as the first ones do.

    >>> _rising([(0, 4), (1, 0), (2, 1), (5, 3)])
    [(1, 0), (2, 1), (5, 3)]
    """
    lasts: list[int] = []  # the least last number of the rows kept, by how many
    at_last: list[int] = []
    before: list[int] = []
    for at, (_, other) in enumerate(rows):
        many = bisect_left(lasts, other)
        before.append(at_last[many - 1] if many else -1)
        lasts[many : many + 1] = [other]
        at_last[many : many + 1] = [at]
    kept: list[tuple[int, int]] = []
    at = at_last[-1] if at_last else -1
    while at >= 0:
        kept.append(rows[at])
        at = before[at]
    return kept[::-1]


_ALIKE = 0.5  # of words that are the same in two texts which differ by spelling
_NEARLY = 0.6  # how similar two versions of a text are


def other_tokens(case: Case) -> Iterator[Suspicion]:
    """Texts with the same characters, cut into other tokens."""
    if case.settings.by_characters:
        return
    differing = [pair for pair in _differing(case) if pair.same_characters]
    if not differing:
        return
    pair = differing[0]
    at = _first_difference(pair.key.words, pair.response.words)
    many = counted(len(differing), "document")
    yield Suspicion(
        f"{many} of the response: the same text in other tokens, such as "
        f"{quoted(pair.response.words[at])} where the key has "
        f"{quoted(pair.key.words[at])} in {quoted(pair.key.id)}",
        "`--tokens characters` compares mentions by their characters",
        sum(mention_count(pair.response) for pair in differing),
        case.with_settings(tokens="characters", reading="strict"),
        is_certain=True,
    )


def _differing(case: Case) -> list[Pair]:
    return [
        pair
        for pair in case.pairs
        if not pair.same_words and not (pair.is_running and pair.same_characters)
    ]


def _sides(pair: Pair) -> tuple[Document, Document]:
    return pair.key, pair.response


def _first_difference(ours: Sequence[str], theirs: Sequence[str]) -> int:
    """Find the first token that both have and that differs."""
    pairs = enumerate(zip(ours, theirs, strict=False))
    last = min(len(ours), len(theirs)) - 1
    return next((at for at, (one, other) in pairs if one != other), last)


def other_spelling(case: Case) -> Iterator[Suspicion]:
    """Texts with as many tokens, of which some are written otherwise."""
    changed: dict[int, Document] = {}
    many, shown = 0, ""
    pairs = [pair for pair in _differing(case) if _is_spelling(pair)]
    for pair in pairs:
        theirs = pair.response.words
        ours = _respelled(pair)
        many += sum(one != two for one, two in zip(ours, theirs, strict=True))
        at = _first_difference(ours, theirs)
        shown = shown or (
            f"{quoted(theirs[at])} for {quoted(ours[at])} in {quoted(pair.key.id)}"
        )
        number = case.number_of(pair.response)
        changed[number] = _with_words(pair.response, (ours,))
    if changed:
        yield Suspicion(
            f"{counted(many, 'word')} of the response {verb(many, 'is', 'are')} "
            f"written otherwise than in the key{_kind(pairs)}, such as {shown}",
            "copy the words of the key into the response",
            sum(map(mention_count, changed.values())),
            case.with_response(changed),
            is_certain=True,
        )


def _kind(pairs: Sequence[Pair]) -> str:
    """Say by what words differ, where it is the same in all texts."""
    for name, spelled in _SPELLINGS.items():
        if all(
            spelled("".join(pair.key.words)) == spelled("".join(pair.response.words))
            for pair in pairs
        ):
            return f", by {name} alone"
    return ""


def _plain_signs(text: str) -> str:
    """Write brackets and quotes in one way.

    >>> _plain_signs("-LRB-a''") == _plain_signs("(a”")
    True
    """
    for sign, ways in _SIGNS.items():
        for way in ways:
            text = text.replace(way, sign)
    return text


_SIGNS = {
    "(": ("-LRB-", "-lrb-"),
    ")": ("-RRB-", "-rrb-"),
    "[": ("-LSB-", "-lsb-"),
    "]": ("-RSB-", "-rsb-"),
    "{": ("-LCB-", "-lcb-"),
    "}": ("-RCB-", "-rcb-"),
    "'": ("\N{RIGHT SINGLE QUOTATION MARK}", "\N{LEFT SINGLE QUOTATION MARK}", "`"),
    '"': ("''", "“", "”", "«", "»"),
}
_SPELLINGS: Mapping[str, Callable[[str], str]] = {
    "the case of letters": str.casefold,
    "the form of Unicode (NFC or NFD)": partial(normalize, "NFC"),
    "brackets and quotes": _plain_signs,
}


def _is_spelling(pair: Pair) -> bool:
    """Say whether two texts have as many words, and most are the same."""
    if pair.same_characters or pair.response.empty or pair.key.empty:
        return False
    if _differ_by_case(pair):
        return True
    ours, theirs = pair.key.words, pair.response.words
    if len(ours) != len(theirs):
        return False
    other = sum(one != two for one, two in zip(ours, theirs, strict=True))
    return other <= (1 - _ALIKE) * len(ours)


def _differ_by_case(pair: Pair) -> bool:
    ours, theirs = ("".join(one.words) for one in _sides(pair))
    return len(ours) == len(theirs) and ours.casefold() == theirs.casefold()


def _respelled(pair: Pair) -> tuple[str, ...]:
    """Write the words of the response as the key does, however they are cut."""
    if not _differ_by_case(pair):
        return pair.key.words
    text = "".join(pair.key.words)
    ends = [0, *accumulate(map(len, pair.response.words))]
    return tuple(text[start:end] for start, end in pairwise(ends))


def _with_words(document: Document, sentences: tuple[tuple[str, ...], ...]) -> Document:
    return changed_document(document, sentences=sentences, layers={}, comments=())


def other_text(case: Case) -> Iterator[Suspicion]:
    """Texts that differ by more than tokens: another version, or another text."""
    versions: dict[int, Document] = {}
    others: list[Pair] = []
    missing = added = 0
    for pair in _differing(case):
        if pair.same_characters or _is_spelling(pair) or has_pieces(pair.response):
            continue
        ours, theirs = pair.key.words, pair.response.words
        place = _places(pair)
        if not place:
            others.append(pair)
            continue
        missing += len(ours) - len(place)
        added += len(theirs) - len(place)
        mended = with_mentions(pair.response, partial(_placed, place=place))
        versions[case.number_of(pair.response)] = _with_words(mended, (ours,))
    if versions:
        yield _version(case, versions, missing, added)
    if others:
        yield _another(case, others)


def _places(pair: Pair) -> dict[int, int]:
    """Find words of the response in the key's text; none where it is another text."""
    ours, theirs = pair.key.words, pair.response.words
    if pair.response.empty or pair.key.empty:
        return {}
    return places(ours, theirs, least=_NEARLY)


def _placed(mention: Mention, *, place: dict[int, int]) -> Mention | None:
    """Find the words of a mention in the key's text; None where one is not there."""
    start, end = place.get(mention.start), place.get(mention.end)
    if start is None or end is None or end < start or mention.gaps:
        return None
    return replace(mention, start=start, end=end, head=None, minimum=None)


def _version(
    case: Case, versions: dict[int, Document], missing: int, added: int
) -> Suspicion:
    first = case.response[min(versions)]
    return Suspicion(
        f"{counted(len(versions), 'document')} of the response, {quoted(first.id)} "
        f"first, {verb(len(versions), 'lacks', 'lack')} {counted(missing, 'word')} of "
        f"the key and {verb(len(versions), 'adds', 'add')} {added:,}",
        "run the system on the text of the key; was a sentence cut, or a line lost?",
        sum(mention_count(case.response[number]) for number in versions),
        case.with_response(versions),
        is_certain=True,
    )


def _another(case: Case, others: list[Pair]) -> Suspicion:
    mine = {id(document) for pair in others for document in _sides(pair)}
    rest = replace(
        case,
        key=tuple(one for one in case.key if id(one) not in mine),
        response=tuple(one for one in case.response if id(one) not in mine),
    )
    scored = "; scores after are of the other documents"
    return Suspicion(
        f"{counted(len(others), 'document')} of the response, "
        f"{quoted(others[0].response.id)} first, "
        f"{verb(len(others), 'has', 'have')} another text than in the key"
        f"{scored if rest.pairs else ''}",
        "is it the response to another corpus, or to another version of it?",
        sum(mention_count(pair.response) for pair in others),
        rest if rest.pairs else None,
        is_certain=True,
    )
