"""Files for the tests: written from a short notation, and drawn at random."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from string import digits
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from corefkit.arrays.hashing import compute_text_hashes

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    Spans = list[tuple[int, int]]

BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def compute_text_hash(words: Iterable[str]) -> int:
    """Hash the words of one document."""
    return int(compute_text_hashes([words])[0])


def conll(cells: str, *, name: str = "(d); part 000", words: Sequence[str] = ()) -> str:
    """Write a CoNLL-2012 document from its cells; `/` ends a sentence.

    >>> [line.split() for line in conll("(1 1) /", words="ab").splitlines()[1:]]
    [['d', '0', '0', 'a', '(1'], ['d', '0', '1', 'b', '1)'], [], ['#end', 'document']]
    """
    lines, token = [f"#begin document {name}"], 0
    for cell in cells.split():
        if cell == "/":
            lines.append("")
            continue
        word = words[token] if token < len(words) else f"w{token}"
        lines.append(f"d\t0\t{token}\t{word}\t{cell}")
        token += 1
    return "\n".join([*lines, "#end document", ""])


def corpus(documents: Mapping[str, str]) -> str:
    """Write a CoNLL-2012 file from document names and their cells."""
    parts = [
        conll(cells, name=f"({name}); part 000") for name, cells in documents.items()
    ]
    return "".join(parts)


def json_line(name: str, words: Sequence[str] | None, clusters: object) -> str:
    """Write a line of the end-to-end resolvers; all words are one sentence."""
    data: dict[str, object] = {"doc_key": name, "clusters": clusters}
    if words is not None:
        data["sentences"] = [list(words)]
    return json.dumps(data, ensure_ascii=False) + "\n"


def written(path: Path, content: str | bytes) -> str:
    """Write a file as it is, and return its name as a user would type it."""
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return str(path)


@dataclass(frozen=True)
class DrawnDocument:
    """What a drawn document holds: its entities by id, in the order first seen."""

    id: str
    entities: dict[str, Spans] = field(default_factory=dict)
    words: list[str | None] = field(default_factory=list)

    @property
    def partition(self) -> list[Spans]:
        """The entities without their ids."""
        return list(self.entities.values())


@dataclass(frozen=True)
class DrawnFile:
    """A drawn file and what it holds."""

    content: bytes
    documents: list[DrawnDocument]


EMPTY_CELLS = ("-", "_", "*")
COMMENTS = ("#", "# (1)", "#a comment", "# a document (7", "#\tx\ty\tz\tw\t(1")
BLANK_LINES = ("", "", " ", "\t", " \t ")
# Letters that a careless reader takes for something else, and more than one byte each.
LETTERS = "a0Z(7)|-_*#,.é\u00a0\u0085\u2028漢😀"

words = st.text(LETTERS, min_size=1, max_size=8) | st.text(
    "ab漢", min_size=8, max_size=13
)
# What is before, between and after the fields of a line.
ways_to_write_a_line = st.sampled_from(
    [("", between, "") for between in ("\t", " ", "   ", "\t ")]
    + [("", "\t", " "), (" ", "\t", ""), (" \t", "  ", "\t\t")]
)
lines_between = st.sampled_from(
    [[]] * 6 + [[line] for line in (*BLANK_LINES, *COMMENTS)] + [["", "# x", " "]]
)


def joined(draw: st.DrawFn, items: Iterable[str]) -> str:
    """Join brackets into a cell; bars may be left out if nothing is misread."""
    cell = ""
    for item in items:
        glued = cell.endswith(")") or item.startswith("(")
        cell += ("" if not cell or (glued and draw(st.booleans())) else "|") + item
    return cell


@st.composite
def _items(draw: st.DrawFn, open_ids: list[str], ids: list[str]) -> list[str]:
    """Draw brackets that may follow the open ones; `open_ids` is kept up to date."""
    items = []
    for _ in range(draw(st.sampled_from([0, 0, 0, 1, 1, 2, 3]))):
        kind = draw(st.sampled_from(["single", "open", "close"]))
        if kind == "close" and open_ids:
            items.append(f"{open_ids.pop(draw(st.integers(0, len(open_ids) - 1)))})")
        else:
            name = draw(st.sampled_from(ids))
            items.append(f"({name})" if kind == "single" else f"({name}")
            if kind != "single":
                open_ids.append(name)
    return items


@st.composite
def drawn_documents(draw: st.DrawFn, name: str) -> tuple[list[str], DrawnDocument]:
    """Draw the lines of a document and what they hold.

    Spans nest, cross and repeat; columns are 1 to 15, mostly as many in every line.
    """
    document = DrawnDocument(name)
    ids = draw(st.sampled_from([["1"], ["0", "00", "7"], ["3", "1" * 17, "1" * 20]]))
    columns = draw(st.integers(1, 15))
    ragged = draw(st.booleans())
    numbered = worded = draw(st.sampled_from([True, True, True, False]))
    stacks: dict[str, list[int]] = {}
    open_ids: list[str] = []
    tokens = draw(st.integers(0, 8))
    pool = draw(st.lists(words, min_size=1, max_size=5))
    lines: list[str] = []
    for token in range(tokens):
        lines += draw(lines_between)
        items = draw(_items(open_ids, ids))
        if token == tokens - 1:
            items += [f"{open_id})" for open_id in reversed(open_ids)]
        _take(document, stacks, items, token)
        cell = joined(draw, items) or draw(st.sampled_from(EMPTY_CELLS))
        count = draw(st.integers(1, 15)) if ragged else columns
        shift = draw(st.integers(0, 4))
        fields = [pool[(shift + n) % len(pool)] for n in range(count - 1)]
        if fields and fields[0].startswith("#"):
            fields[0] = f"x{fields[0]}"
        if numbered:
            fields[2:3] = [str(token)] * len(fields[2:3])
        elif token == 0:
            # Where the first line has no number, nobody knows where the words are.
            worded = "".join(fields[2:3])[:1] in {*digits}
        document.words.append(fields[3] if worded and len(fields) >= 4 else None)
        before, between, behind = draw(ways_to_write_a_line)
        lines.append(before + between.join([*fields, cell]) + behind)
    return lines, document


def _take(
    document: DrawnDocument, stacks: dict[str, list[int]], items: list[str], token: int
) -> None:
    for item in items:
        name = item.strip("()")
        spans = document.entities.setdefault(name, [])
        if item.startswith("("):
            stacks.setdefault(name, []).append(token)
        if item.endswith(")"):
            spans.append((stacks[name].pop(), token))


@st.composite
def drawn_files(draw: st.DrawFn, max_documents: int = 4) -> DrawnFile:
    """Draw a sound CoNLL-2012 file in one of the ways that people write them."""
    lines: list[str] = []
    documents = []
    for number in range(draw(st.integers(1, max_documents))):
        name = f"(d{number}); part 000"
        body, document = draw(drawn_documents(name))
        gap = draw(lines_between)
        begin = draw(st.sampled_from(["#begin", "# begin"]))
        lines += [*gap, f"{begin} document {name}", *body, "#end document"]
        documents.append(document)
    end = draw(st.sampled_from(["\n", "\r\n"]))
    text = end.join(lines) + draw(st.sampled_from(["", end, end * 2]))
    mark = draw(st.sampled_from([b"", BYTE_ORDER_MARK]))
    return DrawnFile(mark + text.encode(), documents)


def flat(sentences: Iterable[Iterable[str]]) -> list[str]:
    """Give the words of all sentences in one list."""
    return [word for sentence in sentences for word in sentence]
