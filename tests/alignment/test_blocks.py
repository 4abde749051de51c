"""Blocks of documents, and one document taken out of them."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace

import numpy as np
import pytest

import corefkit
from corefkit.alignment.matching import compute_positions, encode_positions
from corefkit.arrays.columns import make_default_details
from corefkit.formats.in_memory import MemorySource
from corefkit.model import Bridge, Document, Entity, Mention


def documents(number):
    """Make documents that differ: with gaps, heads, empty nodes, links, and none."""
    made = []
    for place in range(number):
        first = Mention(0, 1, head=1)
        entities = (
            Entity("a", (first, Mention(2, 4, ((3, 3),)))),
            Entity("b", (Mention(3, 3),), split=("a", "c")),
            Entity("c", (Mention(5, 5),), referring=place % 2 == 0),
        )
        made.append(
            Document(
                f"d{place}",
                (("v", "w", "x", "_", "y", "z"),),
                entities[: place % 4],
                bridges=(Bridge(first, "b"),) if place % 4 > 1 else (),
                empty=(3,) if place % 3 else (),
                layers={"deps": ("_", "_", "_", "2:x" if place % 3 else "_", "_", "_")},
            )
        )
    return {one.id: one for one in made}


def detailed(columns):
    """Give columns details; empty nodes are left to the positions of mentions."""
    details = columns.details or make_default_details(columns)
    return replace(columns, details=replace(details, empties=None))


def same(one, other):
    if is_dataclass(one) and is_dataclass(other):
        names = [field.name for field in fields(one)]
        return all(same(getattr(one, name), getattr(other, name)) for name in names)
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and np.array_equal(one, other)
    return one == other


def test_documents_of_a_block_are_those_read_one_by_one():
    source = MemorySource("key", documents(40))
    order = [7, *range(6), *range(39, 7, -1)]
    block = source.read_columns(order)
    for row, number in enumerate(order):
        one, other = block.take_documents([row]), source.read_columns([number])
        code, other_code = encode_positions(*compute_positions(one, other))
        assert code.tolist() == other_code.tolist()
        assert same(detailed(one), detailed(other))


def test_faulty_document_beside_one_that_is_asked_for_is_not_read(tmp_path):
    begin, end = "#begin document (d{}); part 000\n", "\n#end document\n"
    cells = ["(0)", "(0)", "(0"]
    path = tmp_path / "a.conll"
    path.write_text(
        "".join(
            f"{begin.format(number)}d 0 0 w {cell}\n{end}"
            for number, cell in enumerate(cells)
        )
    )
    assert "Document d1" in corefkit.explain(path, path, metric="muc", document="d1")
    with pytest.raises(corefkit.FormatError, match="never closed"):
        corefkit.explain(path, path, metric="muc")
