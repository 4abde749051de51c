"""Ids of documents, the names of files that stand for them, and ids of tokens."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_CONLL_ID = re.compile(r"\s*\((.*)\)\s*(?:;(?:\s*part\s+(\d+))?)?\s*")


def name_and_part(document_id: str) -> tuple[str, int | None]:
    """Take the id of a document apart, as CoNLL writes it; None where it has no part.

    >>> name_and_part("(story); part 002"), name_and_part("(story)")
    (('story', 2), ('story', None))
    """
    match = _CONLL_ID.fullmatch(document_id)
    if match is None:
        return document_id.strip(), None
    return match[1], None if match[2] is None else int(match[2])


def canonical_id(document_id: str) -> str:
    """Normalize a document id so that formats agree on it.

    CoNLL writes a document and its part, the end-to-end resolvers join the two.

    >>> canonical_id("(bc/cctv_0001); part 002"), canonical_id("bc/cctv_0001_2")
    ('bc/cctv_0001_2', 'bc/cctv_0001_2')
    >>> canonical_id("(story); "), canonical_id("(story)"), canonical_id("story")
    ('story', 'story', 'story')
    """
    name, part = name_and_part(document_id)
    return name if part is None else f"{name}_{part}"


def short_id(document_id: str) -> str:
    """Normalize a document id without its part, where that is the first.

    People who turn JSON lines into CoNLL make `story` the first part of `story`.

    >>> short_id("(story); part 000"), short_id("story"), short_id("(story); part 001")
    ('story', 'story', 'story_1')
    """
    name, part = name_and_part(document_id)
    return f"{name}_{part}" if part else name


def safe_name(document_id: str) -> str:
    """Make a name for files of a document's id.

    >>> safe_name("(bc/cctv); part 002")
    'bc_cctv_2'
    """
    return re.sub(r"[^\w.+-]+", "_", canonical_id(document_id)).strip("_") or "document"


def file_stem(name: str, *endings: str) -> str:
    """Return a file's name without its folder, and without its ending.

    The endings that are named are cut off too, where they stand before that.

    >>> file_stem("data/story.v2.ann"), file_stem("story.tsv.ann", ".tsv")
    ('story.v2', 'story')
    >>> file_stem("story.conll.gz"), file_stem("-")
    ('story', '-')
    """
    # Imported here because few formats need it, and every start would pay.
    from pathlib import PurePath

    short = PurePath(PurePath(name).name.removesuffix(".gz")).stem
    for ending in endings:
        short = short.removesuffix(ending) or short
    return short or name


def bare_name(name: str, *endings: str) -> str:
    """Return a file's name without its folder, `.gz` and the endings of its format.

    >>> bare_name("corpus/nyt.0765.muc.gz", ".muc"), bare_name("story.txt", ".muc")
    ('nyt.0765', 'story.txt')
    >>> bare_name("x.tbf.XML", ".tbf.xml", ".xml"), bare_name(".xml", ".xml")
    ('x', '.xml')
    """
    from pathlib import PurePath

    short = PurePath(name).name
    for ending in (".gz", *endings):
        if short.lower().endswith(ending) and len(short) > len(ending):
            short = short[: -len(ending)]
    return short


def sentence_ids(tokens: Iterable[int], empty: set[int]) -> dict[str, int]:
    """Return the tokens of a sentence by their CoNLL-U ids.

    >>> sentence_ids(range(4, 7), {5})
    {'1': 4, '1.1': 5, '2': 6}
    """
    ids: dict[str, int] = {}
    word = node = 0
    for token in tokens:
        if token in empty:
            node += 1
            ids[f"{word}.{node}"] = token
        else:
            word, node = word + 1, 0
            ids[str(word)] = token
    return ids


def enhanced(cell: str) -> Iterator[tuple[str, str]]:
    """Iterate over CoNLL-U's enhanced dependencies: ids of parents, and relations.

    >>> list(enhanced("3:nsubj|5:nsubj:pass"))
    [('3', 'nsubj'), ('5', 'nsubj:pass')]
    """
    if cell != "_":
        for dependency in cell.split("|"):
            parent, _, relation = dependency.partition(":")
            yield parent, relation
