"""What a candidate span is described by: a row of codes for each.

Every feature is a column of codes from 0 to 255, computed for all candidates of a
document at once. Of *ordered* features, near codes mean near things; of the others,
codes are names. None needs a lexicon; some are words that the training often had.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from cistell.taggers.pages import TAG, coded
from cistell.taggers.phrases import phrase_features
from cistell.taggers.spans import RULE
from cistell.taggers.weighing import evidence_features

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from cistell.learners.base import Codes
    from cistell.taggers.pages import Numbers, Page
    from cistell.taggers.spans import Spans
    from corefkit.arrays.columns import Flags

Feature: TypeAlias = "tuple[str, bool, Numbers]"  # its name, if it is ordered, codes
Vocabularies: TypeAlias = "Mapping[str, Mapping[str, int]]"

_MOST = 255
_FEW = 20
_HEADS = {"NOUN", "PROPN", "PRON", "NUM", "DET", "ADJ", "VERB"}
_COUNTED: Mapping[str, tuple[str, ...]] = {
    "nouns": ("NOUN", "PROPN"),
    "verbs": ("VERB", "AUX"),
    "prepositions": ("ADP",),
    "conjunctions": ("CCONJ",),
    "subordinators": ("SCONJ",),
    "pronouns": ("PRON",),
    "marks": ("PUNCT",),
}


class Described(NamedTuple):
    """The names of the features, which are ordered, and a row for each candidate."""

    names: tuple[str, ...]
    ordered: Flags
    rows: Codes


def described(page: Page, spans: Spans, vocabularies: Vocabularies) -> Described:
    """Describe the candidates of a document."""
    words = {name: coded(_STRINGS[name](page), vocabularies[name]) for name in _STRINGS}
    # One byte at once: columns of numbers would take eight times the memory.
    features = (
        (name, ordered, np.clip(column, 0, _MOST).astype(np.uint8))
        for name, ordered, column in _features(page, spans, words)
    )
    names, ordered, columns = zip(*features, strict=True)
    return Described(names, np.array(ordered, np.bool_), np.stack(columns, axis=1))


# What has codes by vocabulary, and how to read it of each word.
_STRINGS: Mapping[str, Callable[[Page], Sequence[str]]] = {
    "form": lambda page: page.lower,
    "lemma": lambda page: page.tree.lemmas,
    "relation": lambda page: page.tree.relations,
    "features": lambda page: page.tree.features,
}


def vocabularies_of(pages: Iterable[Page]) -> dict[str, dict[str, int]]:
    """Number the strings that documents have most often, from 1; 0 is for others."""
    counts: dict[str, Counter[str]] = {name: Counter() for name in _STRINGS}
    for page in pages:
        for name, strings in _STRINGS.items():
            counts[name].update(strings(page))
        verbal = zip(page.tree.lemmas, page.tree.tags, strict=True)
        counts["lemma"].subtract(lemma for lemma, tag in verbal if tag not in _HEADS)
    return {name: _numbered(count) for name, count in counts.items()}


def _numbered(counts: Counter[str]) -> dict[str, int]:
    often = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:_MOST]
    return {word: code for code, (word, count) in enumerate(often, 1) if count > 0}


def _features(
    page: Page, spans: Spans, words: Mapping[str, Numbers]
) -> Iterator[Feature]:
    yield "origin", False, spans.origin
    yield from _of_head(page, spans, words)
    yield from _of_edges(page, spans, words)
    yield from _of_inside(page, spans)
    yield from _of_others(page, spans)
    yield from phrase_features(page, spans, words["form"])
    yield from evidence_features(page, spans)


def _of_head(
    page: Page, spans: Spans, words: Mapping[str, Numbers]
) -> Iterator[Feature]:
    head = spans.head
    parent = page.parents[head]
    held = parent >= 0
    yield "tag", False, page.tags[head]
    yield "relation", False, words["relation"][head]
    yield "features", False, words["features"][head]
    yield "lemma", False, words["lemma"][head]
    yield "shape", False, _shapes(page.tree.forms)[head]
    yield "parent's tag", False, _at(page.tags, parent, held)
    yield "parent's relation", False, _at(words["relation"], parent, held)
    yield "parent's lemma", False, _at(words["lemma"], parent, held)
    yield "parent's side", False, np.where(held, 1 + (parent > head), 0)


def _shapes(forms: Sequence[str]) -> Numbers:
    """Return how each word is written: small, Capital, CAPITALS, number or other."""
    shapes = (
        (1 if form.islower() else 0)
        or (2 if form.istitle() else 0)
        or (3 if form.isupper() else 0)
        or (4 if form[:1].isdigit() else 0)
        for form in forms
    )
    return np.fromiter(shapes, np.intp, len(forms))


def _at(column: Numbers, words: Numbers, there: Flags) -> Numbers:
    """Take the codes of some words; 0 where there is none."""
    return np.where(there, column[np.where(there, words, 0)], 0)


def _of_edges(
    page: Page, spans: Spans, words: Mapping[str, Numbers]
) -> Iterator[Feature]:
    start, end = (edge[spans.head] for edge in page.edges)
    for name, word in (
        ("before", spans.first - 1),
        ("first", spans.first),
        ("last", spans.last),
        ("after", spans.last + 1),
    ):
        there = (word >= start) & (word <= end)
        yield f"tag {name}", False, _at(page.tags, word, there)
        yield f"form {name}", False, _at(words["form"], word, there)
    for name, word in (("before", spans.first - 2), ("after", spans.last + 2)):
        there = (word >= start) & (word <= end)
        yield f"tag two {name}", False, _at(page.tags, word, there)
    yield "length", True, spans.last - spans.first
    yield "left of head", True, spans.head - spans.first
    yield "right of head", True, spans.last - spans.head
    yield "from start", True, spans.first - start
    yield "to end", True, end - spans.last


def _of_inside(page: Page, spans: Spans) -> Iterator[Feature]:
    """Count words of some kinds in a span, and in what follows its head."""
    tree = page.tree
    for name, tags in _COUNTED.items():
        flags = np.isin(page.tags, [TAG[tag] for tag in tags])
        yield name, True, _counted(flags, spans.first, spans.last)
    finite = np.array(["VerbForm=Fin" in cell for cell in tree.features], np.bool_)
    commas = np.array([form == "," for form in tree.forms], np.bool_)
    for name, flags in (("finite verbs", finite), ("commas", commas)):
        yield name, True, _counted(flags, spans.first, spans.last)
        yield f"{name} after head", True, _counted(flags, spans.head, spans.last)


def _counted(flags: Flags, first: Numbers, last: Numbers) -> Numbers:
    total = np.concatenate([[0], np.cumsum(flags)])
    counts: Numbers = total[last + 1] - total[first]
    return counts


def _of_others(page: Page, spans: Spans) -> Iterator[Feature]:
    """Count how often the document has the same head, and the same span.

    A noun that is a mention elsewhere is one in a compound too.
    """
    lemmas, kinds = page.tree.lemmas, page.tree.kinds
    heads = spans.head.tolist()
    free = Counter(lemmas[head] for head in {*heads} if kinds[head] != "compound")
    often = Counter(lemmas)
    edges = zip(spans.first.tolist(), spans.last.tolist(), strict=True)
    texts = [" ".join(page.lower[first : last + 1]) for first, last in edges]
    by_rule = zip(texts, (spans.origin == RULE).tolist(), strict=True)
    ruled = Counter(text for text, is_rule in by_rule if is_rule)
    spelled = Counter(texts)
    for name, counts, strings in (
        ("same lemma", often, [lemmas[head] for head in heads]),
        ("same head", free, [lemmas[head] for head in heads]),
        ("same text", spelled, texts),
        ("same text by rule", ruled, texts),
    ):
        found = np.fromiter((counts[one] for one in strings), np.intp, len(heads))
        yield name, True, np.minimum(found, _FEW)
