"""The reference scorer's way of reading, against a slow version of its description."""

from __future__ import annotations

import re
import tempfile
from contextlib import closing
from pathlib import Path

from hypothesis import example, given, note
from hypothesis import strategies as st

from corefkit.exceptions import FormatError
from corefkit.formats import open_source


def slow_documents(content):
    """Read line by line: (name, entities, tokens); a wrong document has no entities."""
    lines = content.split(b"\n")
    found = []
    for number, line in enumerate(lines):
        if begin := re.match(rb"#\s*begin document (.*)", line):
            rest = lines[number + 1 :]
            ends = [re.search(rb"#\s*end document", one) is not None for one in rest]
            ended = any(ends)
            body = rest[: ends.index(True)] if ended else rest
            tokens = [one for one in body if one.strip()]
            name = begin[1].removesuffix(b"\r").decode()
            found.append((name, slow_entities(tokens, ended=ended), len(tokens)))
    return found


def slow_entities(lines, *, ended):
    stacks, entities = {}, {}
    for token, line in enumerate(lines):
        columns = line.split(b"\t")
        while columns and not columns[-1]:
            columns.pop()
        for kind, entity in slow_cell(columns[-1]):
            spans = entities.setdefault(entity, [])
            stack = stacks.setdefault(entity, [])
            if kind == "single":
                spans.append((token, token))
            elif kind == "open":
                stack.append(token)
            elif not stack:
                return None
            else:
                spans.append((stack.pop(), token))
    if ended and any(stacks.values()):
        return None
    return [spans for spans in entities.values() if spans]


def slow_cell(cell):
    for kind, pattern in (
        ("double", rb"\((\d+)\+\d\)"),
        ("single", rb"\((\d+)\)"),
        ("open", rb"\((\d+)"),
        ("close", rb"(\d+)\)"),
    ):
        while match := re.search(pattern, cell):
            cell = cell[: match.start()] + cell[match.end() :]
            if kind != "double":
                yield kind, match[1]


def marked_documents(content):
    """Read as people mean it, and say of which the reference scorer reads the same."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "file")
        path.write_bytes(content)
        with closing(open_source(path, format="conll")) as source:
            found = [source.read_document(number) for number in range(len(source.ids))]
    return [
        (one.id, [[*map(tuple, entity)] for entity in one], len(one.tokens))
        for one in found
        if one.origin == "conll"
    ]


def documents_of(content):
    """Read the same with the source that scoring uses."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "file")
        path.write_bytes(content)
        source = open_source(path, format="conll", reference=True)
        found = []
        for number, name in enumerate(source.ids):
            try:
                columns = source.read_columns([number])
            except FormatError:
                # How many tokens a wrong document has is nobody's concern.
                found.append((name, None))
                continue
            entities = [
                [tuple(span) for span in columns.members(entity)]
                for entity in range(len(columns.entity_document))
            ]
            # As an object, and word by word, it is the same.
            document = source.read_document(number)
            assert [[*map(tuple, entity)] for entity in document] == entities
            assert len(list(source.iter_words(number))) == columns.token_count[0]
            found.append((name, entities, int(columns.token_count[0])))
            document = source.read_document(number)
            assert [[*map(tuple, one)] for one in document if len(one)] == entities
            assert len(list(source.iter_words(number))) == columns.token_count[0]
        source.close()
    return found


CELLS = [
    "-",
    "_",
    "*",
    "(1)",
    "(2)",
    "(1",
    "1)",
    "(2",
    "2)",
    "(1|(2)",
    "1)|(1",
    "(1)(1)",
]
CELLS += [
    "(1+2)",
    "(1+12)",
    "(1(2)1)",
    "((1))",
    "a(1)b",
    "1",
    "(",
    ")",
    "|",
    "12",
    "(x)",
]
OTHER_LINES = ["", " ", "\r", "\t", "# c (1)", "#end document", "# end document x"]
OTHER_LINES += ["w\t(1)\t", "w\t(1)\t ", "w\t(1) \t\r"]
OTHER_LINES += ["#begin document a", "# begin document b "]

separators = st.sampled_from(["\t", " ", "\t\t", "\t "])
token_lines = st.builds(
    str.join, separators, st.lists(st.sampled_from(CELLS), min_size=1, max_size=4)
)
other_lines = st.sampled_from(OTHER_LINES)
bodies = st.lists(token_lines | other_lines, max_size=8)


@given(st.lists(bodies, min_size=1, max_size=3))
@example([["w\t(1", "w\t(1", "w\t1)", "#end document"]])
@example([["- -", "", "", "-", "- -"]])
@example([["# c (1)", "w\t(1(2)3)", "#end document"]])
def test_reading_equals_the_slow_version(parts):
    lines = [line for body in parts for line in ["#begin document d", *body]]
    content = "\n".join(lines).encode()
    note(content)
    expected = [
        one if one[1] is not None else one[:2] for one in slow_documents(content)
    ]
    assert documents_of(content) == expected


def as_sets(name, entities, *_):
    return name, sorted(sorted(entity) for entity in entities)


@given(st.lists(bodies, min_size=1, max_size=3))
@example([["w\t(1", "w\t1)|(1", "w\t1)"]])
@example([["w\t(1", "w\t1)|(2)", "w\t(2)"]])
def test_documents_marked_alike_are_read_alike(parts):
    lines = [
        line
        for number, body in enumerate(parts)
        for line in [f"#begin document d{number}", *body, "#end document"]
    ]
    content = "\n".join(lines).encode()
    note(content)
    try:
        alike = marked_documents(content)
    except FormatError:
        return
    theirs = {one[0]: as_sets(*one[:2]) for one in slow_documents(content) if one[1]}
    for name, entities, _ in alike:
        if entities:
            assert as_sets(name, entities) == theirs[name]
