"""Documents read ahead: the same columns, in few readings."""

from __future__ import annotations

from contextlib import closing
from dataclasses import fields, is_dataclass, replace

import numpy as np
import pytest

import corefkit
from corefkit.columns import plain_details
from corefkit.formats import open_source
from corefkit.formats.ahead import ahead
from corefkit.formats.memory.memory import MemorySource
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


class Counted:
    """A source that notes what is read of it."""

    def __init__(self, source):
        self.source, self.read = source, []
        self.sizes, self.ids = source.sizes, source.ids

    def columns(self, numbers):
        self.read.append(list(numbers))
        return self.source.columns(numbers)


def detailed(columns):
    return replace(columns, details=columns.details or plain_details(columns))


def same(one, other):
    if is_dataclass(one) and is_dataclass(other):
        names = [field.name for field in fields(one)]
        return all(same(getattr(one, name), getattr(other, name)) for name in names)
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and np.array_equal(one, other)
    return one == other


def test_documents_read_ahead_are_those_read_one_by_one():
    source = MemorySource("key", documents(40), None)
    order = [7, *range(6), *range(39, 7, -1)]
    reading = ahead(source, order)
    for number in order:
        one, other = reading.columns([number]), source.columns([number])
        assert same(detailed(one), detailed(other))


@pytest.mark.parametrize("number", [100, 1000])
def test_many_documents_are_read_in_few_readings(number):
    counted = Counted(MemorySource("key", documents(number), None))
    reading = ahead(counted, range(number))
    for one in range(number):
        reading.columns([one])
    assert len(counted.read) <= number / 256 + 9
    assert sum(map(len, counted.read)) == number


def test_who_asks_for_one_document_reads_one():
    counted = Counted(MemorySource("key", documents(9), None))
    ahead(counted, range(9)).columns([4])
    assert counted.read == [[4]]


def test_fault_is_told_when_its_document_is_asked_for(tmp_path):
    begin, end = "#begin document (d{}); part 000\n", "\n#end document\n"
    cells = ["(0)", "(0)", "(0)", "(0)", "(0", "(0)"]
    path = tmp_path / "a.conll"
    path.write_text(
        "".join(
            f"{begin.format(place)}d 0 0 w {cell}\n{end}"
            for place, cell in enumerate(cells)
        )
    )
    with closing(open_source(path)) as source:
        reading = ahead(source, range(6))
        for number in range(4):
            assert reading.columns([number]).entity.tolist() == [0]
        with pytest.raises(corefkit.FormatError, match="never closed"):
            reading.columns([4])
        assert reading.columns([5]).entity.tolist() == [0]
