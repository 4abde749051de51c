"""Heads of mentions found in constituency trees, for mentions without annotated heads.

1.  A mention's tree is made of the phrases that lie inside it, by the brackets of its
    own words in the manner of CoNLL-2012's parse column. Where these are several, they
    and the words beside them are the parts of one noun phrase.
2.  From the top, the head of a phrase is that of one of its parts, which the kind of
    the phrase decides, down to a word. What follows a `-` or `=` in a kind, as in
    `NP-SBJ`, does not count.
3.  With tags of the Penn Treebank the part is found by the rules of Collins (1999,
    appendix A): in a noun phrase the last noun; else the first noun phrase; else the
    last part that is an adjective phrase or `$`, then a number, then an adjective; else
    the last part that is no punctuation. In other phrases it is the first part of the
    kind that stands first in the row of `_ENGLISH`, from the side that is given there.
    Other than in Collins, a possessive ending is never the head: "Ann" is that of
    "Ann 's".
4.  With tags of the Chinese Treebank, in a noun phrase it is the last part that is a
    noun or noun phrase, in others the last that is of the phrase's own kind; else the
    last that is no punctuation.
5.  With other tags, or none, no head is found. A word whose cell is `-` or `_` has no
    brackets. Other cells that are none, and brackets that do not pair, are refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from corefkit.alignment.matching.trees import Trees

    _Choose = Callable[[str, Sequence["_Part"]], "_Part"]

_PIECE = re.compile(r"\(([^()*\s]*)|(\*)|\)")
_CELL = re.compile(r"(?:\([^()*\s]*)*\*\)*|[-_]")
_NO_BRACKETS = ("-", "_")
_BROKEN = -(1 << 62)  # a step below any depth
_NO_PHRASE = "()"  # the kind of words that are in several phrases
_NOUNS = ("NN", "NNP", "NNPS", "NNS", "NX", "JJR")
_NOUN_PHRASES = ("NP", "NX", "NML", "NM", "NAC", "WHNP")
# For each kind of phrase: from the left or the right, and the kinds of its head.
_ENGLISH: Mapping[str, tuple[bool, str]] = {
    "ADJP": (True, "NNS QP NN $ ADVP JJ VBN VBG ADJP JJR NP JJS DT FW RBR RBS SBAR RB"),
    "ADVP": (False, "RB RBR RBS FW ADVP TO CD JJR JJ IN NP JJS NN"),
    "CONJP": (False, "CC RB IN"),
    "PP": (False, "IN TO VBG VBN RP FW"),
    "PRT": (False, "RP"),
    "QP": (True, "$ IN NNS NN JJ RB DT CD NCD QP JJR JJS"),
    "RRC": (False, "VP NP ADVP ADJP PP"),
    "S": (True, "TO IN VP S SBAR ADJP UCP NP"),
    "SBAR": (True, "WHNP WHPP WHADVP WHADJP IN DT S SQ SINV SBAR FRAG"),
    "SBARQ": (True, "SQ S SINV SBARQ FRAG"),
    "SINV": (True, "VBZ VBD VBP VB MD VP S SINV ADJP NP"),
    "SQ": (True, "VBZ VBD VBP VB MD VP SQ"),
    "VP": (True, "TO VBD VBN MD VBZ VB VBG VBP VP ADJP NN NNS NP"),
    "WHADVP": (False, "CC WRB"),
    "WHPP": (False, "IN TO FW"),
    **dict.fromkeys(("FRAG", "UCP"), (False, "")),
}
_PENN_TAGS = (
    "CC CD DT EX FW IN JJ JJR JJS LS MD NN NNS NNP NNPS PDT POS PRP PRP$ RB RBR RBS RP "
    "SYM TO UH VB VBD VBG VBN VBP VBZ WDT WP WP$ WRB"
)
_CHINESE_TAGS = "AD AS BA DEC DEG DEV DT LC M NN NR NT OD P PN VA VC VE VV"
_CHINESE_NOUNS = ("NP", "NN", "NT", "NR", "QP", "PN")


@dataclass(slots=True)
class _Part:
    """A phrase with its kind and parts, or a word with its tag and number."""

    kind: str
    parts: list[_Part] = field(default_factory=list)
    word: int = -1


def broken_cell(trees: Trees) -> int | None:
    """Find the first token at which the brackets of the trees break, if there is one.

    >>> from corefkit.alignment.matching.trees import Trees
    >>> broken_cell(Trees(("(NP*", "*))", "*"), "a b c".split(), ("",) * 3))
    1
    """
    # Few cells differ from all others, so each is looked at once.
    steps = {
        cell: cell.count("(") - cell.count(")")
        for cell in {*trees.brackets}
        if _CELL.fullmatch(cell) is not None
    }
    depth = 0
    for token, cell in enumerate(trees.brackets):
        depth += steps.get(cell, _BROKEN)
        if depth < 0:
            return token
    return len(trees.brackets) - 1 if depth else None


def tree_heads(trees: Trees, spans: Iterable[tuple[int, int]]) -> list[int] | None:
    """Find the heads of the words from one to another; None where tags are not known.

    >>> from corefkit.alignment.matching.trees import Trees
    >>> brackets = ("(NP(NP*", "*", "*)", "(PP*", "(NP*", "*)))")
    >>> words, tags = "the old mill by the river".split(), "DT JJ NN IN DT NN".split()
    >>> tree_heads(Trees(brackets, words, tags), [(0, 5), (1, 2), (3, 5)])
    [2, 2, 3]
    """
    choose = _rules(trees)
    if choose is None:
        return None
    return [_head(trees, start, end, choose) for start, end in spans]


def phrase_heads(trees: Trees) -> Callable[[int, int], int] | None:
    """Return what finds the heads of phrases; None where tags are not known.

    Words that are no phrase have their last one as head, as in the Berkeley Coreference
    Analyser (Kummerfeld and Klein 2013).

    >>> from corefkit.alignment.matching.trees import Trees
    >>> brackets = ("(NP(NP*", "*", "*)", "(PP*", "(NP*", "*)))")
    >>> words, tags = "the old mill by the river".split(), "DT JJ NN IN DT NN".split()
    >>> head = phrase_heads(Trees(brackets, words, tags))
    >>> head(0, 5), head(1, 3)
    (2, 3)
    """
    choose = _rules(trees)
    if choose is None:
        return None
    return partial(_head, trees, choose=choose, otherwise_last=True)


def _rules(trees: Trees) -> _Choose | None:
    """Choose the rules of the language that the tags are of."""
    known = {tag for tag in {*trees.tags} if tag[:1].isalpha()}
    penn, chinese = (
        len(known.intersection(tags.split())) for tags in (_PENN_TAGS, _CHINESE_TAGS)
    )
    if max(penn, chinese) * 2 <= len(known):
        return None
    return _english if penn >= chinese else _chinese


def _head(
    trees: Trees, start: int, end: int, choose: _Choose, *, otherwise_last: bool = False
) -> int:
    end = min(end, len(trees.brackets) - 1)
    part = _tree(trees, start, end)
    if part.kind == _NO_PHRASE:
        if otherwise_last:
            return end
        part.kind = "NP"
    while part.word < 0:
        part = choose(part.kind, part.parts)
    return part.word


def _tree(trees: Trees, start: int, end: int) -> _Part:
    """Build the tree of a mention, of the phrases that lie inside it."""
    top = _Part(_NO_PHRASE)
    around = [top]
    for token in range(start, end + 1):
        for piece in _pieces(trees.brackets[token]):
            if piece == "*":
                around[-1].parts.append(_Part(trees.tags[token], word=token))
            elif piece != ")":
                phrase = _Part(piece)
                around[-1].parts.append(phrase)
                around.append(phrase)
            elif len(around) > 1:
                around.pop()
    # What is still open goes on behind the mention, and is none of its phrases.
    for outer, phrase in reversed([*pairwise(around)]):
        outer.parts[-1:] = phrase.parts
    return top.parts[0] if len(top.parts) == 1 else top


@lru_cache(1 << 14)
def _pieces(cell: str) -> Sequence[str]:
    """Take a cell apart: kinds of phrases that begin, `*` for the word, `)` for ends.

    >>> _pieces("(S(NP-SBJ*)")
    ('S', 'NP', '*', ')')
    """
    found = _PIECE.finditer("*" if cell in _NO_BRACKETS else cell)
    return tuple(
        piece[0] if piece[1] is None else re.split("[-=]", piece[1])[0]
        for piece in found
    )


def _english(kind: str, parts: Sequence[_Part]) -> _Part:
    if kind not in _ENGLISH:
        return _english_noun(parts) if kind in _NOUN_PHRASES else _last(parts)
    from_left, kinds = _ENGLISH[kind]
    ordered = parts if from_left else parts[::-1]
    for wanted in kinds.split():
        for part in ordered:
            if part.kind == wanted:
                return part
    return parts[0] if from_left else _last(parts)


def _last(parts: Sequence[_Part]) -> _Part:
    """Find the last part that is no punctuation, or else the last."""
    said = (part for part in reversed(parts) if part.kind[:1].isalpha())
    return next(said, parts[-1])


def _english_noun(parts: Sequence[_Part]) -> _Part:
    if parts[-1].kind == "POS" and len(parts) > 1:
        parts = parts[:-1]
    searches: tuple[tuple[Sequence[_Part], tuple[str, ...]], ...] = (
        (parts[::-1], _NOUNS),
        (parts, _NOUN_PHRASES),
        (parts[::-1], ("$", "ADJP", "PRN")),
        (parts[::-1], ("CD",)),
        (parts[::-1], ("JJ", "JJS", "RB", "QP")),
    )
    for ordered, kinds in searches:
        for part in ordered:
            if part.kind in kinds:
                return part
    return _last(parts)


def _chinese(kind: str, parts: Sequence[_Part]) -> _Part:
    kinds = _CHINESE_NOUNS if kind == "NP" else (kind,)
    return next((part for part in reversed(parts) if part.kind in kinds), _last(parts))
