"""Tags of the Penn Treebank and of EAGLES as UD's parts of speech and features."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

# Tags of the Penn Treebank as UD's part of speech and features.
_PENN: Mapping[str, tuple[str, str]] = {
    "PRP": ("PRON", "PronType=Prs"),
    "PRP$": ("PRON", "Poss=Yes|PronType=Prs"),
    **dict.fromkeys(("WP", "WP$", "WDT"), ("PRON", "PronType=Rel")),
    "EX": ("PRON", "_"),
    "POS": ("PART", "Poss=Yes"),
    **dict.fromkeys(("DT", "PDT"), ("DET", "PronType=Ind")),
    **dict.fromkeys(("NN", "NNS"), ("NOUN", "_")),
    **dict.fromkeys(("NNP", "NNPS"), ("PROPN", "_")),
    "CD": ("NUM", "_"),
    **dict.fromkeys(("$", "#", "SYM"), ("SYM", "_")),
    **dict.fromkeys(("VB", "VBD", "VBG", "VBN", "VBP", "VBZ"), ("VERB", "_")),
    "MD": ("AUX", "_"),
    **dict.fromkeys(("JJ", "JJR", "JJS", "AFX"), ("ADJ", "_")),
    **dict.fromkeys(("IN", "TO"), ("ADP", "_")),
    **dict.fromkeys((",", ".", ":", "-LRB-", "-RRB-", "``", "''"), ("PUNCT", "_")),
    "CC": ("CCONJ", "_"),
    **dict.fromkeys(("RB", "RBR", "RBS", "RP", "WRB"), ("ADV", "_")),
    **dict.fromkeys(("UH", "FW", "LS", "HYPH", "NFP", "ADD", "GW", "XX"), ("X", "_")),
}
# The same for the first letters of EAGLES; two of them, where they are here, go first.
_EAGLES: Mapping[str, tuple[str, str]] = {
    **dict.fromkeys(("pp", "p0"), ("PRON", "PronType=Prs")),
    "px": ("PRON", "Poss=Yes|PronType=Prs"),
    "pd": ("PRON", "PronType=Dem"),
    "pr": ("PRON", "PronType=Rel"),
    "p": ("PRON", "PronType=Ind"),
    "da": ("DET", "Definite=Def|PronType=Art"),
    "dd": ("DET", "PronType=Dem"),
    "dp": ("DET", "Poss=Yes|PronType=Prs"),
    "di": ("DET", "PronType=Ind"),
    "dn": ("NUM", "_"),
    "d": ("DET", "PronType=Int"),
    "np": ("PROPN", "_"),
    **dict.fromkeys(("n", "w"), ("NOUN", "_")),
    "z": ("NUM", "_"),
    "v": ("VERB", "_"),
    "a": ("ADJ", "_"),
    "s": ("ADP", "_"),
    "f": ("PUNCT", "_"),
    "c": ("CCONJ", "_"),
    "r": ("ADV", "_"),
}
_EAGLES_TAG = re.compile(
    r"(?:n[cp]|v[ams]).{5}|[dp].{5,7}|a[oq].{4}|sp.{3}|r[gn]|c[cs]|f..?|z.?|[iwy]",
    re.IGNORECASE,
)
_PENN_DETERMINERS = {
    "the": "Definite=Def|PronType=Art",
    **dict.fromkeys(("a", "an"), "Definite=Ind|PronType=Art"),
    **dict.fromkeys(("this", "that", "these", "those"), "PronType=Dem"),
}


def as_ud(tags: Sequence[str], words: Sequence[str]) -> list[tuple[str, str]]:
    """Read tags as UD's parts of speech and features, each with its word.

    A tag set is known by more than half of the tags; for others, return nothing. The
    articles of Penn are known by their words.

    >>> as_ud(["DT", "NN"], ["The", "mill"])
    [('DET', 'Definite=Def|PronType=Art'), ('NOUN', '_')]
    """
    if are_penn(tags):
        return list(map(_penn, tags, words))
    if _most(tags, _EAGLES_TAG.fullmatch):
        return list(map(_eagles, tags))
    return []


def are_penn(tags: Iterable[str]) -> bool:
    """Say whether more than half of some tags are of the Penn Treebank.

    >>> are_penn(["DT", "NN"]), are_penn(["ART", "NN"])
    (True, False)
    """
    return _most(tags, _PENN.__contains__)


def _most(tags: Iterable[str], belongs: Callable[[str], object]) -> bool:
    """Return whether more than half of some tags belong to a set."""
    counts = Counter(tags)
    found = sum(count for tag, count in counts.items() if belongs(tag))
    return 2 * found > counts.total()


def _eagles(tag: str) -> tuple[str, str]:
    short = tag[:2].lower()
    return _EAGLES.get(short) or _EAGLES.get(short[:1], ("X", "_"))


def _penn(tag: str, word: str) -> tuple[str, str]:
    if tag == "DT" and word.lower() in _PENN_DETERMINERS:
        return "DET", _PENN_DETERMINERS[word.lower()]
    return _PENN.get(tag, ("X", "_"))
