"""Every array of details declares its rows, and moves with its documents."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest

from corefkit import Bridge, Document, Entity, Mention
from corefkit.columns import rearranged, spread_columns
from corefkit.columns.details import Details, Empties, plain_details
from corefkit.columns.of_documents import document_columns

ANN, SHE, BOTH = Mention(0, 3, gaps=((1, 2),), head=0), Mention(2, 2), Mention(3, 3)
RICH = Document(
    "rich",
    (("Ann", "_", "she", "left"),),
    (
        Entity("1", (ANN, SHE)),
        Entity("2", (BOTH,), split=("1",)),
        Entity("3", (Mention(1, 1),), referring=False),
    ),
    empty=(1,),
    bridges=(Bridge(SHE, "2"),),
    layers={"deps": ("_", "2:nsubj", "_", "_")},
)
PLAIN = Document("plain", (("so", "it", "is"),), (Entity("1", (Mention(1, 1),)),))


@pytest.mark.parametrize("kind", [Details, Empties])
def test_every_array_declares_its_rows(kind):
    undeclared = {one.name for one in fields(kind) if "rows" not in one.metadata}
    assert undeclared == ({"empties"} if kind is Details else set())


def laid_out(columns):
    """List all that columns hold; rows that keep their order through moves, sorted."""
    found = {
        name: np.asarray(getattr(columns, name)).tolist()
        for name in ("entity", "start", "end", "entity_document", "token_count")
    }
    details = columns.details
    found |= {
        one.name: getattr(details, one.name).tolist()
        for one in fields(Details)
        if one.name != "empties"
    }
    found |= {
        f"node {one.name}": getattr(details.empties, one.name).tolist()
        for one in fields(Empties)
    }
    for name in ("split", "bridge", "node document"):
        found[name].sort()
    return found


def test_documents_in_another_order_are_those_read_in_it():
    columns = document_columns([RICH, PLAIN, RICH])
    moved = rearranged(columns, [1, 2, 0])
    assert laid_out(moved) == laid_out(document_columns([RICH, RICH, PLAIN]))
    back = rearranged(document_columns([PLAIN, RICH]), [1, 0])
    assert laid_out(back) == laid_out(document_columns([RICH, PLAIN]))


def test_missing_documents_are_without_mentions():
    bare = Document("bare", (), ())
    columns = spread_columns(document_columns([RICH, PLAIN]), [4, None, 7, None])
    wanted = document_columns([RICH, bare, PLAIN, bare])
    assert laid_out(columns) == laid_out(wanted)
    assert columns.text_hash.tolist() == wanted.text_hash.tolist()


def test_plain_details_say_that_nothing_is_known():
    columns = document_columns([PLAIN, PLAIN])
    details = plain_details(columns)
    assert details.head.tolist() == [-1, -1]
    assert details.referring.tolist() == [True, True]
    assert details.split.shape == (0, 2)
    assert details.bridge.shape == (0, 3)
    assert len(details.gap_start) == 0
